/** Creating QR codes: api-v2.md 4.1. */
import { toVcardPayload } from "../../api/payload.ts";
import type { ParsedBodyOf } from "../../api/endpoints.ts";

import { requireWorkspace } from "../accounts/accounts.ts";
import { toDrawing, toNewCodeAnswer } from "../code-rows.ts";
import type { Call, Context, Handler } from "../context.ts";
import { overlayDesign } from "../design-fields.ts";
import { checkStoredDesign, type StoredDesign } from "../drawing.ts";
import { readFolderPaths, requireFolderId } from "../folder-tree.ts";
import { checkDomain, insertCode, makeCodeRow, makeSlug } from "../new-code.ts";
import { refuse, type Reply } from "../reply.ts";
import type { CodeRow } from "../store/tables.ts";
import { findTemplateDesign } from "../templates/templates.ts";

type Body = ParsedBodyOf<"createCode">;

async function makeRow(
  context: Context,
  body: Body,
  place: { readonly workspaceId: string; readonly folderId: string | null },
): Promise<CodeRow> {
  const design = await toDesign(context, body, place.workspaceId);
  checkStoredDesign(design);
  const vcard = body.qr_type === "vCard" ? (body.vcard ?? null) : null;
  return makeCodeRow(context, {
    workspace_id: place.workspaceId,
    display_name: body.display_name ?? "",
    qr_type: body.qr_type,
    qr_data: vcard === null ? (body.qr_data ?? "") : toVcardPayload(vcard),
    dynamic: Number(body.dynamic),
    slug: body.dynamic ? await makeSlug(context) : null,
    gps_tracking: Number(body.gps_tracking),
    folder_id: place.folderId,
    styled: design,
    vcard: vcard === null ? null : JSON.stringify(vcard),
  });
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
    if (body.qr_type === "GS1") throw refuse.field("qr_type", "GS1 codes are not available yet.");
    checkDomain(context.addresses, body.domain);
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
      const tree = await readFolderPaths(tx, [folderId]);
      const row = await insertCode(tx, { ...drawn, folder_id: tree.get(folderId)?.id ?? null });
      const answer = toNewCodeAnswer(context, row, { tree, tags: [] });
      return { status: 200, body: { ...answer, svg }, drawing };
    });
  };
}
