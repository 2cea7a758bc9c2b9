/** What hangs on a code besides its row: files, tags, scans. */
import type { Context } from "../../../context.ts";
import type { ArtworkKind } from "../../../designs/artwork.ts";
import { deleteScans } from "../../../scans/scan-rows.ts";
import type { Media } from "../../../store/media.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import { toDrawing } from "../rows.ts";

/** Makes the file of a code when it isn't there; answers its address. */
export async function makeFile(
  { artwork, addresses, media, store }: Context,
  row: CodeRow,
  kind: ArtworkKind,
): Promise<string> {
  const name = await artwork.make(kind, { codeId: row.id, drawing: toDrawing({ addresses }, row) });
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
  if (old !== null) await media.remove(old);
  return addresses.media(name);
}

const fileColumns = ["png_file", "svg_file", "print_file"] as const;

/** Removes the pictures of a code that no longer exists or looks otherwise. */
export async function removeArtwork(media: Media, row: CodeRow): Promise<void> {
  for (const column of fileColumns) {
    const name = row[column];
    if (name !== null) await media.remove(name);
  }
}

export async function deleteCodeRows(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("code_tags").where("code_id", "=", id).execute();
  await deleteScans(tx, id);
  // What is hosted stays: a form keeps its responses, and gets a new code when published again.
  for (const table of ["pages", "forms"] as const) {
    await tx.updateTable(table).set({ code_id: null }).where("code_id", "=", id).execute();
  }
  await tx.deleteFrom("codes").where("id", "=", id).execute();
}
