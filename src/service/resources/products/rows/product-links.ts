/** Links of products as stored: one destination per type. */
import type { Db, ProductLinkRow } from "../../../store/tables.ts";

/** Links of products, oldest first: product id -> its links. */
export async function readProductLinks(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, ProductLinkRow[]>> {
  const found = new Map<string, ProductLinkRow[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom("product_links")
    .selectAll()
    .where("product_id", "in", ids)
    .orderBy("created")
    .orderBy("id")
    .execute();
  for (const row of rows) found.get(row.product_id)?.push(row);
  return found;
}

export const toProductLinkAnswer = (row: ProductLinkRow): Record<string, unknown> => ({
  id: row.id,
  link_type: row.link_type,
  title: row.title,
  destination_url: row.destination_url,
  is_default: row.is_default === 1,
  language: row.language,
  media_type: row.media_type,
});

export async function insertProductLink(tx: Db, row: ProductLinkRow): Promise<void> {
  await tx.insertInto("product_links").values(row).execute();
}

export async function changeProductLink(
  tx: Db,
  id: string,
  changed: Partial<ProductLinkRow>,
): Promise<void> {
  await tx.updateTable("product_links").set(changed).where("id", "=", id).execute();
}

export async function deleteProductLink(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("product_links").where("id", "=", id).execute();
}

export function readProductLink(db: Db, id: string): Promise<ProductLinkRow> {
  return db.selectFrom("product_links").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** The destination of a product's default link; empty without one. */
export async function readDestination(db: Db, productId: string): Promise<string> {
  const row = await db
    .selectFrom("product_links")
    .select("destination_url")
    .where("product_id", "=", productId)
    .where("is_default", "=", 1)
    .executeTakeFirst();
  return row?.destination_url ?? "";
}
