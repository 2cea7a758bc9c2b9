/** Creating QR codes: api-v2.md 4.1. */
import { toVcardPayload } from "../../api/payload.ts";
import type { ParsedBodyOf } from "../../api/endpoints.ts";

import { requireWorkspace } from "../accounts/accounts.ts";
import { reservedSlugs } from "../addresses.ts";
import { toDrawing, toNewCodeAnswer, toSearchText } from "../code-rows.ts";
import type { Call, Context, Handler } from "../context.ts";
import { checkStoredDesign, type StoredDesign } from "../drawing.ts";
import { readFolderPath, requireFolderId } from "../folder-tree.ts";
import { refuse, type Reply } from "../reply.ts";
import type { CodeRow, Db } from "../store/tables.ts";
import { findTemplateDesign } from "../templates/templates.ts";
import { overlayDesign } from "../design-fields.ts";

type Body = ParsedBodyOf<"createCode">;

const SLUG_LENGTH = 8;

/** What the document says about fields that only some codes have. */
function checkKind(body: Body): void {
  const errors: Record<string, string[]> = {};
  if (body.qr_type === "GS1") errors["qr_type"] = ["GS1 codes are not available yet."];
  if (!body.dynamic && body.gps_tracking) {
    errors["gps_tracking"] = ["Must be false for static codes."];
  }
  if (Object.keys(errors).length > 0) throw refuse.fields(errors);
}

/** Only the default domain is there to choose. */
function checkDomain({ addresses }: Context, body: Body): void {
  if (body.domain === undefined || body.domain === null) return;
  const { host, hostname } = new URL(addresses.publicUrl);
  if (body.dynamic && [host, hostname].includes(body.domain.toLowerCase())) return;
  throw refuse.field(
    "domain",
    body.dynamic
      ? "Must be a domain of the workspace."
      : "Must be left out: a domain belongs to dynamic codes.",
  );
}

/** A random slug that no code has and that is no address of the service itself. */
export async function makeSlug({ store, ids }: Pick<Context, "store" | "ids">): Promise<string> {
  for (;;) {
    const slug = ids.slug(SLUG_LENGTH);
    const taken = await store.db
      .selectFrom("codes")
      .select("id")
      .where("slug", "=", slug)
      .executeTakeFirst();
    if (taken === undefined && !reservedSlugs.has(slug)) return slug;
  }
}

/** The moment of creation, later than that of every other code of the workspace. */
export async function toCreated(tx: Db, workspaceId: string, nowMs: number): Promise<number> {
  const newest = await tx
    .selectFrom("codes")
    .select("created")
    .where("workspace_id", "=", workspaceId)
    .orderBy("created", "desc")
    .limit(1)
    .executeTakeFirst();
  return Math.max(nowMs, (newest?.created ?? 0) + 1);
}

async function makeRow(
  context: Context,
  body: Body,
  place: { readonly workspaceId: string; readonly folderId: string | null },
): Promise<CodeRow> {
  const design = await toDesign(context, body, place.workspaceId);
  checkStoredDesign(design);
  const vcard = body.qr_type === "vCard" ? (body.vcard ?? null) : null;
  const row = {
    id: context.ids.uuid(),
    workspace_id: place.workspaceId,
    created: context.clock.nowMs(),
    display_name: body.display_name ?? "",
    qr_type: body.qr_type,
    qr_data: vcard === null ? (body.qr_data ?? "") : toVcardPayload(vcard),
    dynamic: Number(body.dynamic),
    slug: body.dynamic ? await makeSlug(context) : null,
    gps_tracking: Number(body.gps_tracking),
    folder_id: place.folderId,
    design: JSON.stringify(design),
    vcard: vcard === null ? null : JSON.stringify(vcard),
    png_file: null,
    svg_file: null,
    print_file: null,
    total_scans: 0,
    unique_scans: 0,
  };
  return { ...row, search: toSearchText(row) };
}

async function toDesign(context: Context, body: Body, workspaceId: string): Promise<StoredDesign> {
  const { template } = body;
  const base =
    template === undefined || template === null
      ? {}
      : await findTemplateDesign(context, workspaceId, template);
  const design = overlayDesign(base, body);
  const url = body.logo_url ?? undefined;
  return url === undefined ? design : { ...design, logo: await context.logos.fromUrl(url) };
}

async function makeFiles({ artwork, addresses }: Context, row: CodeRow): Promise<CodeRow> {
  const subject = { codeId: row.id, drawing: toDrawing({ addresses }, row) };
  return {
    ...row,
    png_file: await artwork.make("png", subject),
    svg_file: await artwork.make("svg", subject),
  };
}

/** All that can fail comes before the transaction, which then only inserts. */
export function makeCreateHandler(context: Context): Handler<"createCode"> {
  return async ({ body, caller, commit }: Call<"createCode">): Promise<Reply> => {
    checkKind(body);
    checkDomain(context, body);
    const { db } = context.store;
    const workspaceId = await requireWorkspace(db, caller, body.workspace);
    const folder = body.folder ?? null;
    const folderId = folder === null ? null : await requireFolderId(db, workspaceId, folder);
    const draft = await makeRow(context, body, { workspaceId, folderId });
    const drawing = toDrawing(context, draft);
    const svg = await context.drawings.svg(drawing);
    const drawn = body.generate_png ? await makeFiles(context, draft) : draft;
    return commit(async (tx) => {
      // The folder may have gone meanwhile; then the code is unfiled, as if it had been there.
      const tree = await readFolderPath(tx, folderId);
      const row = {
        ...drawn,
        folder_id: tree.get(folderId)?.id ?? null,
        created: await toCreated(tx, workspaceId, draft.created),
      };
      await tx.insertInto("codes").values(row).execute();
      const answer = toNewCodeAnswer(context, row, { tree, tags: [] });
      return { status: 200, body: { ...answer, svg }, drawing };
    });
  };
}
