/** One code: get, update, design, download, delete (docs/spec/api.md section 4.1). */
import type { ParsedBodyOf } from "../../../../api/endpoints.ts";
import { isOpenableUrl, isWebUrl, NO_URL, NO_WEB_URL } from "../../../../api/fields.ts";
import { ownLimits } from "../../../../api/limits.ts";
import { toVcardPayload } from "../../../../api/payload.ts";

import { writeAs } from "../../../auth/write-as.ts";
import type { Context, Handlers } from "../../../context.ts";
import { toDesignAnswer } from "../../../designs/design-fields.ts";
import { showValue } from "../../../http/problems.ts";
import { noContent, ok, refuse } from "../../../http/reply.ts";
import { drawingHeaders } from "../../../store/media.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import {
  clearLeftovers,
  hasLeftovers,
  readLeftovers,
  sweepFolder,
} from "../../folders/rows/folder-leftovers.ts";
import { readFolderPaths, requireFolderId } from "../../folders/rows/folder-tree.ts";
import { findPageStatus } from "../../pages/rows.ts";
import { redirectProduct } from "../../products/rows.ts";
import {
  changeCode,
  readDesign,
  replyDrawn,
  requireCode,
  toCodeAnswer,
  toDrawing,
} from "../rows.ts";
import { deleteCodeRows, makeFiles, readFile, removeArtwork } from "../rows/code-files.ts";

type Update = ParsedBodyOf<"updateCode">;

function checkDestination(row: CodeRow, url: string): string | undefined {
  if (row.dynamic === 0) return "Can be changed for dynamic codes only.";
  if (row.qr_type === "GS1") {
    if (row.product_id === null) return "Can't be changed: the product of the code was deleted.";
    if (isWebUrl(url)) return undefined;
    return `${url.length > ownLimits.maxUrl ? NO_URL : NO_WEB_URL}, got ${showValue(url)}.`;
  }
  return isOpenableUrl(url) ? undefined : `${NO_URL}, got ${showValue(url)}.`;
}

/** Data of a static code can't change: they are printed. */
function checkUpdate(row: CodeRow, body: Update): void {
  const errors: Record<string, string[]> = {};
  const fault = body.qr_data === undefined ? undefined : checkDestination(row, body.qr_data);
  if (fault !== undefined) errors["qr_data"] = [fault];
  const hasContact = (body.vcard ?? null) !== null;
  if (hasContact && body.qr_data !== undefined) {
    errors["vcard"] = ["Must be left out when qr_data is given."];
  } else if (hasContact && (row.dynamic === 0 || row.qr_type !== "vCard")) {
    errors["vcard"] = ["Can be changed for dynamic vCard codes only."];
  }
  if (body.gps_tracking === true && row.dynamic === 0) {
    errors["gps_tracking"] = ["Must be false for static codes."];
  }
  if (Object.keys(errors).length > 0) throw refuse.fields(errors);
}

async function toFolderId(tx: Db, row: CodeRow, folder: Update["folder"]): Promise<string | null> {
  if (folder === null || (folder === undefined && row.folder_id === null)) return null;
  if (folder === undefined)
    return (await readFolderPaths(tx, [row.folder_id])).holder(row.folder_id)?.id ?? null;
  const id = await requireFolderId(tx, row.workspace_id, folder);
  await clearLeftovers(tx, id);
  return id;
}

/** A dynamic vCard leads to its contact until it gets an address; a new contact leads there again. */
function toContent(
  row: CodeRow,
  { vcard, qr_data: data }: Update,
): Pick<CodeRow, "qr_data" | "vcard"> {
  if (vcard !== undefined && vcard !== null) {
    return { qr_data: toVcardPayload(vcard), vcard: JSON.stringify(vcard) };
  }
  return data === undefined
    ? { qr_data: row.qr_data, vcard: row.vcard }
    : { qr_data: data, vcard: null };
}

async function applyUpdate(
  tx: Db,
  context: Context,
  { row, body }: { readonly row: CodeRow; readonly body: Update },
): Promise<CodeRow> {
  checkUpdate(row, body);
  // A GS1 code leads where its product's default link leads.
  if (body.qr_data !== undefined && row.product_id !== null) {
    await redirectProduct(tx, context, row.product_id, body.qr_data);
  }
  const changed = {
    display_name: body.display_name === undefined ? row.display_name : (body.display_name ?? ""),
    ...toContent(row, body),
    gps_tracking: Number(body.gps_tracking ?? row.gps_tracking),
    folder_id: await toFolderId(tx, row, body.folder),
  };
  return changeCode(tx, row, changed);
}

/**
 * Scanners can use the code of a landing page only once the page is published (docs/spec/api.md
 * section 3.2).
 */
async function requirePublished(db: Db, row: CodeRow): Promise<void> {
  if (row.hosted_path === null) return;
  const status = (await findPageStatus(db, row.id)) ?? "Published";
  if (status !== "Published") throw refuse.whole("The landing page of the code is not published.");
}

export function makeChangeHandlers(context: Context) {
  const { store, drawings } = context;

  return {
    async getCode({ params, caller }) {
      const left = await readLeftovers(store.db);
      const row = await requireCode(store.db, caller, params.qr_code_id);
      const answer = await toCodeAnswer(context, store.db, { row, left });
      return ok({ ...answer, design: toDesignAnswer(await drawings.resolve(readDesign(row))) });
    },

    async updateCode({ params, body, caller }) {
      if (typeof body.folder === "string" && (await hasLeftovers(store))) {
        const { workspace_id: workspaceId } = await requireCode(
          store.db,
          caller,
          params.qr_code_id,
        );
        await sweepFolder(store, await requireFolderId(store.db, workspaceId, body.folder));
      }
      const { row, answer } = await writeAs(context, caller, async (tx) => {
        const before = await requireCode(tx, caller, params.qr_code_id);
        const row = await applyUpdate(tx, context, { row: before, body });
        return { row, answer: await toCodeAnswer(context, tx, { row }) };
      });
      return replyDrawn(context, row, answer);
    },

    async downloadCode({ params, caller, accept }) {
      const row = await requireCode(store.db, caller, params.qr_code_id);
      await requirePublished(store.db, row);
      if (accept === "image/png") {
        const headers = { "content-type": accept };
        return { status: 200, file: await readFile(context, row, "print"), headers };
      }
      if (accept === "image/svg+xml") {
        const file = await drawings.svg(toDrawing(context, row));
        return { status: 200, file, headers: drawingHeaders };
      }
      const [png_url, svg_url] = await makeFiles(context, row, "print", "svg");
      return ok({ png_url, svg_url });
    },

    async deleteCode({ params, caller }) {
      const row = await store.write(async (tx) => {
        const found = await requireCode(tx, caller, params.qr_code_id);
        await deleteCodeRows(tx, found.id);
        return found;
      });
      await removeArtwork(context.media, row);
      if (row.pdf_file !== null) await context.media.remove(row.pdf_file);
      return noContent;
    },
  } satisfies Partial<Handlers>;
}
