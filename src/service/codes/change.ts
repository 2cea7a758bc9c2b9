/** One code: get, update, design, download, delete (api-v2.md 4.1). */
import { isOpenableUrl } from "../../api/fields.ts";
import type { ParsedBodyOf } from "../../api/endpoints.ts";

import {
  readDesign,
  replyDrawn,
  requireCode,
  toCodeAnswer,
  toDrawing,
  toSearchText,
} from "../code-rows.ts";
import type { Context, Handlers } from "../context.ts";
import { requireFolderId } from "../folder-tree.ts";
import type { ArtworkKind } from "../media/artwork.ts";
import { noContent, ok, refuse } from "../reply.ts";
import type { CodeRow, Db } from "../store/tables.ts";
import { toDesignAnswer } from "../design-fields.ts";

type Update = ParsedBodyOf<"updateCode">;

/** A static code's data are printed; what a vCard leads to is its contact. */
function checkUpdate(row: CodeRow, body: Update): void {
  const errors: Record<string, string[]> = {};
  if (body.qr_data !== undefined) {
    if (row.dynamic === 0) errors["qr_data"] = ["Can be changed for dynamic codes only."];
    else if (row.qr_type !== "Link") errors["qr_data"] = ["Can be changed for Link codes only."];
    else if (!isOpenableUrl(body.qr_data)) errors["qr_data"] = ["Must be a URL."];
  }
  if (body.gps_tracking === true && row.dynamic === 0) {
    errors["gps_tracking"] = ["Must be false for static codes."];
  }
  if (Object.keys(errors).length > 0) throw refuse.fields(errors);
}

async function toFolderId(tx: Db, row: CodeRow, folder: Update["folder"]): Promise<string | null> {
  if (folder === undefined) return row.folder_id;
  return folder === null ? null : requireFolderId(tx, row.workspace_id, folder);
}

async function applyUpdate(tx: Db, row: CodeRow, body: Update): Promise<CodeRow> {
  checkUpdate(row, body);
  const changed = {
    display_name: body.display_name === undefined ? row.display_name : (body.display_name ?? ""),
    qr_data: body.qr_data ?? row.qr_data,
    gps_tracking: body.gps_tracking === undefined ? row.gps_tracking : Number(body.gps_tracking),
    folder_id: await toFolderId(tx, row, body.folder),
  };
  const search = toSearchText({ ...changed, slug: row.slug });
  await tx
    .updateTable("codes")
    .set({ ...changed, search })
    .where("id", "=", row.id)
    .execute();
  return { ...row, ...changed, search };
}

const fileColumns = ["png_file", "svg_file", "print_file"] as const;

/** The files of a code that no longer exists or looks otherwise. */
export async function removeFiles({ media }: Pick<Context, "media">, row: CodeRow): Promise<void> {
  for (const column of fileColumns) {
    const name = row[column];
    if (name !== null) await media.remove(name);
  }
}

async function deleteCodeRows(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("code_tags").where("code_id", "=", id).execute();
  await tx.deleteFrom("scans").where("code_id", "=", id).execute();
  await tx.deleteFrom("scanners").where("code_id", "=", id).execute();
  await tx.deleteFrom("codes").where("id", "=", id).execute();
}

export function makeChangeHandlers(
  context: Context,
): Pick<Handlers, "getCode" | "updateCode" | "downloadCode" | "deleteCode"> {
  const { store, artwork, addresses, drawings } = context;

  const makeFile = async (row: CodeRow, kind: ArtworkKind): Promise<string> => {
    const name = await artwork.make(kind, {
      codeId: row.id,
      drawing: toDrawing({ addresses }, row),
    });
    const column = `${kind}_file` as const;
    const old = row[column];
    if (old === name) return addresses.media(name);
    // Only says that the file exists: lost, it is made again.
    await store.write(
      (tx) =>
        tx
          .updateTable("codes")
          .set({ [column]: name })
          .where("id", "=", row.id)
          .execute(),
      "normal",
    );
    if (old !== null) await context.media.remove(old);
    return addresses.media(name);
  };

  return {
    async getCode({ params, caller }) {
      const row = await requireCode(store.db, caller, params.qr_code_id);
      const answer = await toCodeAnswer(context, store.db, row);
      return ok({ ...answer, design: toDesignAnswer(await drawings.resolve(readDesign(row))) });
    },

    async updateCode({ params, body, caller }) {
      const { row, answer } = await store.write(async (tx) => {
        const before = await requireCode(tx, caller, params.qr_code_id);
        const row = await applyUpdate(tx, before, body);
        return { row, answer: await toCodeAnswer(context, tx, row) };
      });
      return replyDrawn(context, row, answer);
    },

    async downloadCode({ params, caller }) {
      const row = await requireCode(store.db, caller, params.qr_code_id);
      return ok({ png_url: await makeFile(row, "print"), svg_url: await makeFile(row, "svg") });
    },

    async deleteCode({ params, caller }) {
      const row = await store.write(async (tx) => {
        const found = await requireCode(tx, caller, params.qr_code_id);
        await deleteCodeRows(tx, found.id);
        return found;
      });
      await removeFiles(context, row);
      return noContent;
    },
  };
}
