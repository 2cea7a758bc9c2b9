/** Creating QR codes: docs/spec/api.md section 4.1. */
import type { ParsedBodyOf } from "../../../../api/endpoints.ts";
import { toVcardPayload } from "../../../../api/payload.ts";

import { requireWorkspace } from "../../../auth/accounts.ts";
import type { Call, Context, Handler } from "../../../context.ts";
import { overlayTemplate } from "../../../designs/design-fields.ts";
import { checkStoredDesign } from "../../../designs/drawing.ts";
import type { StoredDesign } from "../../../designs/stored-design.ts";
import { Refusal, refuse, type Reply } from "../../../http/reply.ts";
import type { CodeRow } from "../../../store/tables.ts";
import { clearLeftovers, sweepFolder } from "../../folders/rows/folder-leftovers.ts";
import { readFolderPaths, requireFolderId } from "../../folders/rows/folder-tree.ts";
import { findTemplateDesign } from "../../templates/rows.ts";
import { toDrawing, toNewCodeAnswer } from "../rows.ts";
import { removeArtwork } from "../rows/code-files.ts";
import { requireRoom } from "../rows/counts.ts";
import { checkDomain, insertCode, makeCodeRow, makeLinkFields } from "../rows/new-code.ts";
import { planProduct, readWantedProduct, takeProduct } from "./product.ts";

type Body = ParsedBodyOf<"createCode">;

interface Place {
  readonly workspaceId: string;
  readonly folderId: string | null;
  /** For a GS1 code. */
  readonly digitalLink: string | null;
}

async function makeRow(context: Context, body: Body, place: Place): Promise<CodeRow> {
  const design = await toDesign(context, body, place.workspaceId);
  checkStoredDesign(design);
  const vcard = body.qr_type === "vCard" ? (body.vcard ?? null) : null;
  const { digitalLink } = place;
  const needsSlug = body.dynamic && digitalLink === null;
  return makeCodeRow(context, {
    workspace_id: place.workspaceId,
    display_name: body.display_name ?? "",
    qr_type: body.qr_type,
    qr_data: toData(body),
    dynamic: Number(body.dynamic || digitalLink !== null),
    ...(needsSlug || digitalLink !== null ? await makeLinkFields(context, needsSlug) : {}),
    digital_link: digitalLink,
    gps_tracking: Number(body.gps_tracking),
    folder_id: place.folderId,
    styled: design,
    vcard: vcard === null ? null : JSON.stringify(vcard),
  });
}

/** `qr_data` is not used for vCard and GS1 (docs/spec/api.md section 4.1). */
function toData({ qr_type: type, qr_data: data, vcard }: Body): string {
  if (type === "GS1") return "";
  if (type !== "vCard") return data ?? "";
  return vcard === undefined || vcard === null ? "" : toVcardPayload(vcard);
}

async function toDesign(context: Context, body: Body, workspaceId: string): Promise<StoredDesign> {
  const { template } = body;
  const base =
    template === undefined || template === null
      ? {}
      : await findTemplateDesign(context, workspaceId, template);
  const design = overlayTemplate(base, body);
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

/** A contact too long for any code is a fault of `vcard`: the sender gave no `qr_data`. */
function toSenderField(error: unknown, { qr_type: type }: Body): unknown {
  const fields = error instanceof Refusal ? error.fields : undefined;
  if (type !== "vCard" || fields?.["qr_data"] === undefined) return error;
  const { qr_data: vcard, ...rest } = fields;
  return refuse.fields({ ...rest, vcard });
}

/** Everything that can fail comes before the transaction, which then only inserts. */
export function makeCreateHandler(context: Context): Handler<"createCode"> {
  return async ({ body, caller, commit }: Call<"createCode">): Promise<Reply> => {
    checkDomain(context.addresses, body.domain);
    const { db } = context.store;
    const workspaceId = await requireWorkspace(db, caller, body.workspace);
    const folder = body.folder ?? null;
    const folderId = folder === null ? null : await requireFolderId(db, workspaceId, folder);
    const wanted = readWantedProduct(body);
    const digitalLink =
      wanted === undefined ? null : await planProduct(context, wanted, { caller, workspaceId });
    const draft = await makeRow(context, body, { workspaceId, folderId, digitalLink });
    const drawing = toDrawing(context, draft);
    const picture = await context.drawings.picture(drawing).catch((error: unknown) => {
      throw toSenderField(error, body);
    });
    const drawn = body.generate_png ? await makeFiles(context, draft) : draft;
    if (folderId !== null) await sweepFolder(context.store, folderId);
    const creating = commit(async (tx) => {
      if (folderId !== null) {
        // The folder may have been deleted meanwhile.
        await requireFolderId(tx, workspaceId, folderId);
        await clearLeftovers(tx, folderId);
      }
      const tree = await readFolderPaths(tx, [folderId]);
      if (draft.dynamic === 1) await requireRoom(tx, context.plan, caller);
      const product =
        wanted === undefined ? {} : await takeProduct(tx, context, { wanted, draft, caller });
      const row = await insertCode(tx, {
        ...drawn,
        ...product,
        folder_id: folderId,
      });
      const answer = toNewCodeAnswer(context, row, { tree, tags: [] });
      return { status: 200, body: { ...answer, ...picture }, drawing };
    });
    return creating.catch(async (error: unknown) => {
      await removeArtwork(context.media, drawn).catch(() => {});
      throw error;
    });
  };
}
