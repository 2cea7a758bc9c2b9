/** GS1 products as stored, and what codes, the resolver and their own endpoints share. */
import { checkProduct } from "../../../api/product.ts";
import { toDigitalLink, toDigitalLinkPath, type DigitalLink } from "../../../gs1/digital-link.ts";
import type { Element } from "../../../gs1/elements.ts";
import {
  identifierKinds,
  isIdentifierType,
  toIdentifierValue,
  type IdentifierType,
} from "../../../gs1/identifiers.ts";
import { PIP_LABEL } from "../../../gs1/link-types.ts";

import { requireOwned, type Caller } from "../../auth/accounts.ts";
import type { Context } from "../../context.ts";
import type { Slice } from "../../http/paging.ts";
import { refuse } from "../../http/reply.ts";
import { readSlice } from "../../store/slices.ts";
import type { Db, ProductLinkRow, ProductRow } from "../../store/tables.ts";
import { changeCode } from "../codes/rows.ts";
import { isSlugTaken } from "../codes/rows/new-code.ts";
import {
  changeProductLink,
  insertProductLink,
  readDestination,
  readProductLinks,
  toProductLinkAnswer,
} from "./rows/product-links.ts";

type Answer = Record<string, unknown>;
type Parts = Pick<Context, "ids" | "clock">;

/** Identifier and qualifiers of a product, on the wire. */
export interface Identity {
  readonly identifier_type: IdentifierType;
  readonly identifier_value: string;
  readonly batch_lot?: string | null | undefined;
  readonly serial_number?: string | null | undefined;
  readonly expiry_date?: string | null | undefined;
}

/** A product of the caller; one of another account is a 404 like an unknown one. */
export const requireProduct = (db: Db, caller: Caller, id: string): Promise<ProductRow> =>
  requireOwned(db, "products", caller, id);

/** docs/spec/api.md section 2.12. */
export function toProductAnswer(row: ProductRow, links: readonly ProductLinkRow[]): Answer {
  const link = toLink(row);
  return {
    id: row.id,
    identifier_type: row.identifier_type,
    identifier_value: row.identifier_value,
    batch_lot: row.batch_lot,
    serial_number: row.serial_number,
    expiry_date: row.expiry_date,
    identifier_label: identifierKinds[link.type].label,
    digital_link_path: toDigitalLinkPath(link),
    link_types: links.map(toProductLinkAnswer),
    created: new Date(row.created).toISOString(),
  };
}

export async function readProductAnswer(db: Db, row: ProductRow): Promise<Answer> {
  return toProductAnswer(row, (await readProductLinks(db, [row.id])).get(row.id) ?? []);
}

/** A stored product as a Digital Link. */
export function toLink(
  row: Omit<ProductRow, "id" | "workspace_id" | "created" | "path">,
): DigitalLink {
  const { identifier_type: type, identifier_value: value } = row;
  if (!isIdentifierType(type)) throw new RangeError(`identifier type must be known, got ${type}`);
  const qualifiers: Element[] = [];
  if (row.batch_lot !== null) qualifiers.push(["10", row.batch_lot]);
  if (row.serial_number !== null) qualifiers.push(["21", row.serial_number]);
  return { type, value, qualifiers };
}

/** The columns that follow from an identity. */
export function toIdentityFields(stem: string, given: Identity) {
  const type = given.identifier_type;
  const fields = {
    identifier_type: type as string,
    identifier_value: toIdentifierValue(type, given.identifier_value),
    batch_lot: given.batch_lot ?? null,
    serial_number: given.serial_number ?? null,
    expiry_date: given.expiry_date ?? null,
  };
  return { ...fields, path: `${stem}${toDigitalLinkPath(toLink(fields))}` };
}

type IdentityFields = ReturnType<typeof toIdentityFields>;

/** The Digital Link in a product's code, stem included. */
export function toCodeLink(fields: IdentityFields | ProductRow): string {
  const link = toLink(fields);
  const path = toDigitalLinkPath(link);
  return `${fields.path.slice(0, fields.path.length - path.length)}${toDigitalLink(link, fields.expiry_date)}`;
}

/** Refuses a product that is wrong as a whole; each fault is under its field. */
export function requireRightProduct(draft: Identity): void {
  const errors: Record<string, string[]> = {};
  for (const [field, message] of checkProduct(draft)) (errors[field] ??= []).push(`${message}.`);
  if (Object.keys(errors).length > 0) throw refuse.fields(errors);
}

const STEM_LENGTH = 6;

/**
 * The beginning of all Digital Links of a workspace. A workspace of the default account has the root, the
 * first that asks; every other one has a word of its own, so that two workspaces can register the
 * same GTIN and neither sees or changes the other's.
 */
export async function openStem(tx: Db, { ids }: Parts, workspaceId: string): Promise<string> {
  const row = await tx
    .selectFrom("workspaces")
    .innerJoin("accounts", "accounts.id", "workspaces.account_id")
    .select(["workspaces.gs1_stem", "accounts.name"])
    .where("workspaces.id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  if (row.gs1_stem !== null) return row.gs1_stem;
  let stem = "";
  if (row.name !== "default" || (await isStemTaken(tx, ""))) {
    let word = ids.slug(STEM_LENGTH);
    while ((await isSlugTaken(tx, word)) || (await isStemTaken(tx, `/${word}`))) {
      word = ids.slug(STEM_LENGTH);
    }
    stem = `/${word}`;
  }
  await tx
    .updateTable("workspaces")
    .set({ gs1_stem: stem })
    .where("id", "=", workspaceId)
    .execute();
  return stem;
}

async function isStemTaken(tx: Db, stem: string): Promise<boolean> {
  const query = tx.selectFrom("workspaces").select("id").where("gs1_stem", "=", stem);
  return (await query.executeTakeFirst()) !== undefined;
}

interface Registration {
  readonly workspaceId: string;
  readonly identity: Identity;
  readonly destinationUrl: string | null | undefined;
  /** Left out: the usual title for a new link; an existing link keeps its title. */
  readonly destinationTitle?: string | null | undefined;
  /** A product that is there stays as it is. */
  readonly onlyMakes?: boolean;
}

/**
 * The product with that identity, and its fields after registration: without a given expiry, the old
 * one stays.
 */
export async function planIdentity(
  db: Db,
  stem: string,
  identity: Identity,
): Promise<{ readonly old: ProductRow | undefined; readonly fields: IdentityFields }> {
  const fields = toIdentityFields(stem, identity);
  const old = await findByPath(db, fields.path);
  if (old === undefined || identity.expiry_date !== undefined) return { old, fields };
  return { old, fields: { ...fields, expiry_date: old.expiry_date } };
}

/** Makes the product, or updates the one with that identity (docs/spec/api.md section 2.12). */
export async function registerProduct(
  tx: Db,
  parts: Parts,
  { workspaceId, identity, destinationUrl, destinationTitle, onlyMakes = false }: Registration,
): Promise<{ readonly row: ProductRow; readonly isNew: boolean }> {
  const stem = await openStem(tx, parts, workspaceId);
  const { old, fields } = await planIdentity(tx, stem, identity);
  if (old !== undefined && onlyMakes) return { row: old, isNew: false };
  const row =
    old === undefined
      ? { id: parts.ids.uuid(), workspace_id: workspaceId, created: parts.clock.nowMs(), ...fields }
      : { ...old, ...fields };
  if (old === undefined) await tx.insertInto("products").values(row).execute();
  else {
    const changed = { expiry_date: row.expiry_date };
    await tx.updateTable("products").set(changed).where("id", "=", row.id).execute();
  }
  if (old === undefined) await adoptCodes(tx, row);
  const url = destinationUrl ?? undefined;
  const title = destinationTitle ?? undefined;
  if (url !== undefined) await seedPip(tx, parts, row, { url, title });
  await syncCodes(tx, row);
  return { row, isNew: old === undefined };
}

/** A page of a workspace's products, newest first. */
export function readProducts(db: Db, workspaceId: string, slice: Slice) {
  const all = db.selectFrom("products").where("workspace_id", "=", workspaceId);
  return readSlice(all, all.selectAll().orderBy("created", "desc").orderBy("id", "desc"), slice);
}

/** Gives a product another identity; its codes follow. */
export async function changeProduct(
  tx: Db,
  before: ProductRow,
  fields: IdentityFields,
): Promise<ProductRow> {
  await tx.updateTable("products").set(fields).where("id", "=", before.id).execute();
  const row = { ...before, ...fields };
  await syncCodes(tx, row);
  return row;
}

/** Its codes stay, without a product: when it is registered again, it gets them back. */
export async function dropProduct(tx: Db, id: string): Promise<void> {
  await tx.updateTable("codes").set({ product_id: null }).where("product_id", "=", id).execute();
  await tx.deleteFrom("product_links").where("product_id", "=", id).execute();
  await tx.deleteFrom("products").where("id", "=", id).execute();
}

export function findByPath(db: Db, path: string): Promise<ProductRow | undefined> {
  return db.selectFrom("products").selectAll().where("path", "=", path).executeTakeFirst();
}

/** Codes of a deleted product belong to it again when it is registered again. */
async function adoptCodes(tx: Db, row: ProductRow): Promise<void> {
  await tx
    .updateTable("codes")
    .set({ product_id: row.id })
    .where("workspace_id", "=", row.workspace_id)
    .where("digital_link", "=", toCodeLink(row))
    .where("product_id", "is", null)
    .execute();
}

interface Seed {
  readonly url: string;
  readonly title?: string | undefined;
}

async function seedPip(
  tx: Db,
  { ids, clock }: Parts,
  row: ProductRow,
  { url, title }: Seed,
): Promise<void> {
  const links = (await readProductLinks(tx, [row.id])).get(row.id) ?? [];
  const pip = links.find(({ link_type: type }) => type === "gs1:pip");
  if (pip !== undefined) {
    const changed = { destination_url: url, ...(title !== undefined && { title }) };
    return changeProductLink(tx, pip.id, changed);
  }
  await insertProductLink(tx, {
    id: ids.uuid(),
    product_id: row.id,
    created: clock.nowMs(),
    link_type: "gs1:pip",
    title: title ?? PIP_LABEL,
    destination_url: url,
    is_default: Number(!links.some((link) => link.is_default === 1)),
    language: null,
    media_type: "text/html",
  });
}

/** Updates the codes of a product: their text, destination and search text. */
export async function syncCodes(tx: Db, row: ProductRow): Promise<void> {
  const codes = await tx.selectFrom("codes").selectAll().where("product_id", "=", row.id).execute();
  if (codes.length === 0) return;
  const changed = { digital_link: toCodeLink(row), qr_data: await readDestination(tx, row.id) };
  for (const code of codes) await changeCode(tx, code, changed);
}

/** Changes the destination of a product's default link; makes one if there is none. */
export async function redirectProduct(
  tx: Db,
  parts: Parts,
  productId: string,
  url: string,
): Promise<void> {
  const row = await tx
    .selectFrom("products")
    .selectAll()
    .where("id", "=", productId)
    .executeTakeFirstOrThrow();
  const links = (await readProductLinks(tx, [productId])).get(productId) ?? [];
  const main = links.find((link) => link.is_default === 1);
  if (main === undefined) await seedPip(tx, parts, row, { url });
  else await changeProductLink(tx, main.id, { destination_url: url });
  await syncCodes(tx, row);
}
