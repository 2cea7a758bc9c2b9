/**
 * Short links: docs/spec/api.md sections 2.8 and 4.5. A short link is the row of its dynamic code.
 */
import { requireWorkspace } from "../../auth/accounts.ts";
import { writeAs } from "../../auth/write-as.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { noContent, type Reply } from "../../http/reply.ts";
import { noCounts, readTotals, type Counts } from "../../scans/scan-counts.ts";
import { drawingHeaders } from "../../store/media.ts";
import type { CodeRow, Db } from "../../store/tables.ts";
import { changeCode, requireRow, toCountFields, toDrawing } from "../codes/rows.ts";
import { deleteCodeRows, makeFiles, removeArtwork } from "../codes/rows/code-files.ts";
import { findCodes } from "../codes/rows/find-codes.ts";
import {
  checkDomain,
  insertCode,
  isSlugTaken,
  makeCodeRow,
  makeSlug,
  refuseSlug,
} from "../codes/rows/new-code.ts";

function toLinkAnswer(
  { addresses }: Context,
  row: CodeRow,
  counts: Counts = noCounts,
): Record<string, unknown> {
  const slug = row.slug ?? "";
  return {
    id: row.id,
    link: row.qr_data,
    link_type: "Link",
    display_name: row.display_name,
    gps: row.gps_tracking === 1,
    slug,
    domain: new URL(addresses.publicUrl).host,
    shortlink_url: addresses.shortLink(slug),
    created: new Date(row.created).toISOString(),
    ...toCountFields(row, counts),
  };
}

async function replyLink(context: Context, row: CodeRow): Promise<Reply> {
  const drawing = toDrawing(context, row);
  const svg = await context.drawings.svg(drawing);
  const counts = (await readTotals(context.store.db, [row.id])).get(row.id);
  return { status: 200, body: { ...toLinkAnswer(context, row, counts), svg }, drawing };
}

const requireLink = (db: Db, caller: Call<"getLink">["caller"], id: string): Promise<CodeRow> =>
  requireRow(db, caller, { id, kind: "link" });

async function createLink(context: Context, { body, caller, commit }: Call<"createLink">) {
  const { store, addresses } = context;
  checkDomain(addresses, body.domain);
  const workspaceId = await requireWorkspace(store.db, caller, body.workspace);
  const row = makeCodeRow(context, {
    workspace_id: workspaceId,
    kind: "link",
    qr_data: body.link,
    dynamic: 1,
    slug: body.slug ?? (await makeSlug(context)),
    display_name: body.display_name ?? "",
    gps_tracking: Number(body.gps),
  });
  const drawn = await replyLink(context, row);
  return commit(async (tx) => {
    // Checked inside the transaction: of two at once, one gets the slug.
    if (await isSlugTaken(tx, row.slug ?? "", workspaceId)) throw refuseSlug();
    const inserted = await insertCode(tx, row);
    return { ...drawn, body: { ...drawn.body, ...toLinkAnswer(context, inserted) } };
  });
}

async function listLinks(context: Context, { params, query, caller, url }: Call<"listLinks">) {
  const workspaceId = await requireWorkspace(context.store.db, caller, params.workspace_id);
  const wanted = { workspaceId, kind: "link", q: query.q } as const;
  const { count, rows } = await findCodes(context.store, wanted, toSlice(query));
  const totals = await readTotals(
    context.store.db,
    rows.map(({ id }) => id),
  );
  return toPage(url, query, {
    count,
    results: rows.map((row) => toLinkAnswer(context, row, totals.get(row.id))),
    empty: "No short links found.",
  });
}

async function updateLink(context: Context, { params, body, caller }: Call<"updateLink">) {
  const row = await writeAs(context, caller, async (tx) => {
    const before = await requireLink(tx, caller, params.link_id);
    const changed = {
      qr_data: body.link ?? before.qr_data,
      display_name:
        body.display_name === undefined ? before.display_name : (body.display_name ?? ""),
      gps_tracking: Number(body.gps ?? before.gps_tracking),
    };
    return changeCode(tx, before, changed);
  });
  return replyLink(context, row);
}

async function deleteLink({ store, media }: Context, { params, caller }: Call<"deleteLink">) {
  const row = await store.write(async (tx) => {
    const found = await requireLink(tx, caller, params.link_id);
    await deleteCodeRows(tx, found.id);
    return found;
  });
  await removeArtwork(media, row);
  return noContent;
}

/** The PNG is made at the first request. */
async function getLinkQr(context: Context, { params, query, caller }: Call<"getLinkQr">) {
  const row = await requireLink(context.store.db, caller, params.link_id);
  if (query.format === "png") {
    const [location] = await makeFiles(context, row, "print");
    return { status: 302, headers: { location } };
  }
  const file = await context.drawings.svg(toDrawing(context, row));
  return { status: 200, file, headers: drawingHeaders };
}

export function makeLinkHandlers(context: Context) {
  return {
    createLink: (call) => createLink(context, call),
    listLinks: (call) => listLinks(context, call),
    updateLink: (call) => updateLink(context, call),
    deleteLink: (call) => deleteLink(context, call),
    getLinkQr: (call) => getLinkQr(context, call),
    getLink: async ({ params, caller }) =>
      replyLink(context, await requireLink(context.store.db, caller, params.link_id)),
  } satisfies Partial<Handlers>;
}
