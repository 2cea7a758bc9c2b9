/** Landing pages: docs/spec/api.md sections 2.10 and 4.6. */
import type { PageLink } from "../../../api/page.ts";
import { PAGE_PATH } from "../../addresses.ts";
import { requireWorkspace } from "../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { ok, type Reply } from "../../http/reply.ts";
import type { PageRow } from "../../store/tables.ts";
import { readCodesById, toDrawing } from "../codes/rows.ts";
import { checkDomain, makeCodeRow, makeSlug } from "../codes/rows/new-code.ts";
import { insertPage, readPages, requirePage, type NewPage } from "./rows.ts";

const toPath = (row: Pick<PageRow, "slug">): string => `${PAGE_PATH}${row.slug}`;

function toPageAnswer({ addresses }: Context, row: PageRow): Record<string, unknown> {
  return {
    id: row.id,
    workspace: row.workspace_id,
    title: row.title,
    description: row.description,
    status: row.status,
    share_url: addresses.hosted(toPath(row)),
    slug: row.slug,
    domain: new URL(addresses.publicUrl).host,
    qr_id: row.code_id,
    shortlink_url: row.code_id === null ? null : addresses.shortLink(row.slug),
    links: JSON.parse(row.links) as PageLink[],
    bg_color: row.bg_color,
    text_color: row.text_color,
    created: new Date(row.created).toISOString(),
  };
}

/** Pages with drawings of their codes; without one when the code was deleted. */
async function toDrawnAnswers(
  context: Context,
  rows: readonly PageRow[],
): Promise<Record<string, unknown>[]> {
  const ids = rows.flatMap(({ code_id: id }) => (id === null ? [] : [id]));
  const codes = await readCodesById(context.store.db, ids);
  const byId = new Map(codes.map((code) => [code.id, toDrawing(context, code)]));
  const draw = async (row: PageRow): Promise<Record<string, unknown>> => {
    const drawing = byId.get(row.code_id ?? "");
    const svg = drawing === undefined ? null : await context.drawings.svg(drawing);
    return { ...toPageAnswer(context, row), svg };
  };
  return Promise.all(rows.map(draw));
}

function makeRows(
  context: Context,
  body: Call<"createPage">["body"],
  place: { readonly workspaceId: string; readonly slug: string },
): NewPage {
  const { workspaceId, slug } = place;
  const code = makeCodeRow(context, {
    workspace_id: workspaceId,
    dynamic: 1,
    slug,
    display_name: body.title,
    hosted_path: toPath({ slug }),
  });
  const page: PageRow = {
    id: context.ids.uuid(),
    workspace_id: workspaceId,
    created: code.created,
    code_id: code.id,
    slug,
    status: "Published",
    title: body.title,
    description: body.description ?? "",
    bg_color: body.bg_color ?? null,
    text_color: body.text_color ?? null,
    links: JSON.stringify(body.links ?? []),
  };
  return { page, code };
}

async function createPage(context: Context, { body, caller, commit }: Call<"createPage">) {
  const { store, addresses, drawings } = context;
  checkDomain(addresses, body.domain);
  const workspaceId = await requireWorkspace(store.db, caller, body.workspace);
  const slug = body.slug ?? (await makeSlug(context));
  const rows = makeRows(context, body, { workspaceId, slug });
  const drawing = toDrawing(context, rows.code);
  const svg = await drawings.svg(drawing);
  return commit(async (tx): Promise<Reply> => {
    const row = await insertPage(tx, context, { ...rows, caller });
    return { status: 200, body: { ...toPageAnswer(context, row), svg }, drawing };
  });
}

async function listPages(context: Context, { params, query, caller, url }: Call<"listPages">) {
  const { db } = context.store;
  const workspaceId = await requireWorkspace(db, caller, params.workspace_id);
  const { count, rows } = await readPages(db, workspaceId, toSlice(query));
  const results = await toDrawnAnswers(context, rows);
  return toPage(url, query, { count, results, empty: "No landing pages found." });
}

export function makePageHandlers(context: Context) {
  return {
    createPage: (call) => createPage(context, call),
    listPages: (call) => listPages(context, call),
    getPage: async ({ params, caller }) => {
      const row = await requirePage(context.store.db, caller, params.page_id);
      const [answer = {}] = await toDrawnAnswers(context, [row]);
      return ok(answer);
    },
  } satisfies Partial<Handlers>;
}
