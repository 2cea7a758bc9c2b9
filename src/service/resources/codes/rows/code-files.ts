/** What belongs to a code besides its row: files, tags, scans. */
import type { Context } from "../../../context.ts";
import type { ArtworkKind } from "../../../designs/artwork.ts";
import { deleteScans } from "../../../scans/scan-rows.ts";
import type { Media } from "../../../store/media.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import { toDrawing } from "../rows.ts";

interface MadeFile {
  readonly column: `${ArtworkKind}_file`;
  readonly name: string;
}

/** Makes the code's missing files; answers their addresses. */
export async function makeFiles<const Kinds extends readonly ArtworkKind[]>(
  context: Context,
  row: CodeRow,
  ...kinds: Kinds
): Promise<{ readonly [At in keyof Kinds]: string }> {
  const { artwork, addresses } = context;
  const subject = { codeId: row.id, drawing: toDrawing({ addresses }, row) };
  const files = await Promise.all(
    kinds.map(async (kind): Promise<MadeFile> => ({
      column: `${kind}_file`,
      name: await artwork.make(kind, subject),
    })),
  );
  await noteFiles(context, row, files);
  return files.map(({ name }) => addresses.media(name)) as {
    readonly [At in keyof Kinds]: string;
  };
}

/** The picture itself. One that took long to draw is stored as a file. */
export async function readFile(
  context: Context,
  row: CodeRow,
  kind: ArtworkKind,
): Promise<Uint8Array> {
  const { artwork, addresses } = context;
  const subject = { codeId: row.id, drawing: toDrawing({ addresses }, row) };
  const { name, bytes } = await artwork.read(kind, subject, row[`${kind}_file`]);
  if (name !== undefined) await noteFiles(context, row, [{ column: `${kind}_file`, name }]);
  return bytes;
}

async function noteFiles(
  { media, store }: Context,
  row: CodeRow,
  files: readonly MadeFile[],
): Promise<void> {
  const changed = files.filter(({ column, name }) => row[column] !== name);
  if (changed.length > 0) {
    const columns = Object.fromEntries(changed.map(({ column, name }) => [column, name]));
    // Only notes that the files exist: lost files are made again.
    await store.write(
      (tx) => tx.updateTable("codes").set(columns).where("id", "=", row.id).execute(),
      "normal",
    );
  }
  for (const { column } of changed) {
    const old = row[column];
    if (old !== null) await media.remove(old);
  }
}

const fileColumns = ["png_file", "svg_file", "print_file"] as const;

/** Removes the pictures of a code that was deleted or looks different now. */
export async function removeArtwork(media: Media, row: CodeRow): Promise<void> {
  for (const column of fileColumns) {
    const name = row[column];
    if (name !== null) await media.remove(name);
  }
}

export async function deleteCodeRows(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("code_tags").where("code_id", "=", id).execute();
  await deleteScans(tx, id);
  // Hosted pages and forms stay: a form keeps its responses and gets a new code when it is published
  // again.
  for (const table of ["pages", "forms"] as const) {
    await tx.updateTable(table).set({ code_id: null }).where("code_id", "=", id).execute();
  }
  await tx.deleteFrom("codes").where("id", "=", id).execute();
}
