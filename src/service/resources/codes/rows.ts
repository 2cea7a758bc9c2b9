/** Codes: as stored, as drawn, and as the API answers them. */
import { toCapitals, toLinkPayload } from "../../../api/payload.ts";
import { requireOwned, type Caller } from "../../auth/accounts.ts";
import type { Context } from "../../context.ts";
import type { ArtworkKind } from "../../designs/artwork.ts";
import { checkStoredDesign } from "../../designs/drawing.ts";
import type { Drawing, StoredDesign } from "../../designs/stored-design.ts";
import { refuse, type Reply } from "../../http/reply.ts";
import { noCounts, readTotals, type Counts } from "../../scans/scan-counts.ts";
import type { CodeRow, Db } from "../../store/tables.ts";
import { foldText } from "../../store/text.ts";
import { readFolderPaths, type FolderTree } from "../folders/rows/folder-tree.ts";
import { readTags } from "../tags/rows.ts";

type Answer = Record<string, unknown>;
type Parts = Pick<Context, "addresses" | "artwork">;

/** A code of the caller; one of another account is a 404 like an unknown one. */
export function requireCode(db: Db, caller: Caller, id: string): Promise<CodeRow> {
  return requireRow(db, caller, { id, kind: "code" });
}

/** The row behind a code or a short link of the caller. */
export async function requireRow(
  db: Db,
  caller: Caller,
  { id, kind }: Pick<CodeRow, "id" | "kind">,
): Promise<CodeRow> {
  const row = await requireOwned(db, "codes", caller, id);
  if (row.kind !== kind) throw refuse.notFound();
  return row;
}

/** Codes of these ids, in no order. */
export async function readCodesById(db: Db, ids: readonly string[]): Promise<CodeRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("codes").selectAll().where("id", "in", ids).execute();
}

/** Changes a code and its search text; answers the new row. */
export async function changeCode(
  tx: Db,
  row: CodeRow,
  changed: Partial<Omit<CodeRow, "search">>,
): Promise<CodeRow> {
  const search = toSearchText({ ...row, ...changed });
  await tx
    .updateTable("codes")
    .set({ ...changed, search })
    .where("id", "=", row.id)
    .execute();
  return { ...row, ...changed, search };
}

/** Changes only how a code looks. */
export async function restyleCode(tx: Db, row: CodeRow, design: string): Promise<CodeRow> {
  await tx.updateTable("codes").set({ design }).where("id", "=", row.id).execute();
  return { ...row, design };
}

/** The text that `q` searches, besides tags and the short link's address. */
export function toSearchText(
  row: Pick<
    CodeRow,
    "display_name" | "qr_data" | "slug" | "pdf_name" | "digital_link" | "hosted_path"
  >,
): string {
  const { display_name: name, qr_data: data, slug, pdf_name: pdf } = row;
  const more = [row.digital_link, row.hosted_path].filter((part) => part !== null);
  return foldText([name, data, slug ?? "", pdf ?? "", ...more].join("\n"));
}

/** Where a Link code leads: to its address, or to the page, form or PDF hosted for it. */
export function toDestination(
  addresses: Context["addresses"],
  row: Pick<CodeRow, "qr_data" | "pdf_file" | "pdf_name" | "hosted_path">,
): string {
  if (row.qr_data !== "") return row.qr_data;
  if (row.hosted_path !== null) return addresses.hosted(row.hosted_path);
  if (row.pdf_file === null) return "";
  return toPdfUrl(addresses, row.pdf_file, row.pdf_name);
}

const toPdfUrl = (addresses: Context["addresses"], file: string, name: string | null): string =>
  name === null ? addresses.media(file) : `${addresses.media(file)}/${encodeURIComponent(name)}`;

export const readDesign = (row: Pick<CodeRow, "design">): StoredDesign =>
  JSON.parse(row.design) as StoredDesign;

export function toDrawing({ addresses }: Pick<Context, "addresses">, row: CodeRow): Drawing {
  return { text: toPayload(addresses, row), design: readDesign(row) };
}

/** The text of a dynamic code: its short link, or its product's Digital Link. */
export function toShortLink(
  addresses: Context["addresses"],
  row: Pick<CodeRow, "slug" | "digital_link" | "capitals">,
): string | null {
  const link = toLink(addresses, row);
  return link !== null && row.capitals === 1 ? toCapitals(link) : link;
}

function toLink(
  addresses: Context["addresses"],
  { slug, digital_link: path }: Pick<CodeRow, "slug" | "digital_link">,
): string | null {
  if (slug !== null) return addresses.shortLink(slug);
  return path === null ? null : addresses.digitalLink(path);
}

function toPayload(addresses: Context["addresses"], row: CodeRow): string {
  const short = toShortLink(addresses, row);
  if (short !== null) return short;
  return row.qr_type === "Link" ? toLinkPayload(row.qr_data) : row.qr_data;
}

/** The address of a file, if the file shows the code as it is now. */
function toFileUrl(
  { addresses, artwork }: Parts,
  row: CodeRow,
  kind: ArtworkKind,
): string | undefined {
  const name = row[`${kind}_file`];
  if (name === null) return undefined;
  const current = artwork.nameOf(kind, { codeId: row.id, drawing: toDrawing({ addresses }, row) });
  return name === current ? addresses.media(name) : undefined;
}

const toCount = (row: CodeRow, count: number): number | null => (row.dynamic === 1 ? count : null);

function toFolderAnswer(tree: FolderTree, id: string | null): Answer | null {
  const folder = tree.holder(id);
  if (folder === undefined) return null;
  return { id: folder.id, name: folder.name, slug: folder.slug, path: tree.path(folder) };
}

/** The fields of a list item (docs/spec/api.md section 2.1). */
export function toCodeItem(parts: Parts, row: CodeRow, tree: FolderTree): Answer {
  const png = toFileUrl(parts, row, "png") ?? toFileUrl(parts, row, "print");
  return {
    id: row.id,
    display_name: row.display_name,
    qr_data: toDestination(parts.addresses, row),
    qr_type: row.qr_type,
    shortlink_url: toShortLink(parts.addresses, row),
    dynamic: row.dynamic === 1,
    ...(png === undefined ? {} : { png }),
    created: new Date(row.created).toISOString(),
    folder: toFolderAnswer(tree, row.folder_id),
  };
}

/** Scan counts of a list item: null for codes that can't be tracked. */
export function toCountFields(row: CodeRow, counts: Counts): Answer {
  return {
    total_scans: toCount(row, counts.total),
    unique_scans: toCount(row, counts.unique),
  };
}

/** The single-code answer without its drawing. */
export async function toCodeAnswer(
  parts: Parts,
  db: Db,
  { row, left }: { readonly row: CodeRow; readonly left?: ReadonlySet<string> },
): Promise<Answer> {
  const tree = await readFolderPaths(db, [row.folder_id], left);
  const tags = await readTags(db, [row.id]);
  const totals = await readTotals(db, [row.id]);
  const answer = toNewCodeAnswer(parts, row, { tree, tags: tags.get(row.id) ?? [] });
  return { ...answer, ...toCountFields(row, totals.get(row.id) ?? noCounts) };
}

/** The same for a new code, which has no scans yet; folder and tags are known. */
export function toNewCodeAnswer(
  parts: Parts,
  row: CodeRow,
  { tree, tags }: { readonly tree: FolderTree; readonly tags: readonly Answer[] },
): Answer {
  const svgFile = toFileUrl(parts, row, "svg");
  const warnings = checkStoredDesign(readDesign(row));
  return {
    ...toCodeItem(parts, row, tree),
    ...toCountFields(row, noCounts),
    gps_tracking: row.gps_tracking === 1,
    tags,
    ...(svgFile === undefined ? {} : { svg_file: svgFile }),
    ...(row.pdf_file === null
      ? {}
      : { pdf_file_url: toPdfUrl(parts.addresses, row.pdf_file, row.pdf_name) }),
    ...(row.vcard === null ? {} : { vcard: JSON.parse(row.vcard) as unknown }),
    ...(row.qr_type === "GS1" ? { gs1_product: row.product_id } : {}),
    ...(warnings.length === 0 ? {} : { scan_warnings: warnings }),
  };
}

/** The answer of create, update and design: with the inline SVG. */
export async function replyDrawn(
  { addresses, drawings }: Pick<Context, "addresses" | "drawings">,
  row: CodeRow,
  answer: Answer,
): Promise<Reply> {
  const drawing = toDrawing({ addresses }, row);
  return { status: 200, body: { ...answer, ...(await drawings.picture(drawing)) }, drawing };
}
