/** GS1 products with their link types, and their codes (docs/spec/api.md sections 4.9 and 4.1). */
import { toProductHash } from "./cost.ts";
import type { CodeCreate } from "../../api/code.ts";
import { limits } from "../../api/limits.ts";
import type { Product, ProductCreate, ProductLink, ProductLinkPatch } from "../../api/product.ts";
import { AppError } from "../../base/errors.ts";
import { wasThere } from "../../client/thing-methods.ts";
import { findSeed } from "../../plan/product-wish.ts";
import type { StateRow, Wanted, WantedProduct, WantedProductLink } from "../../state/row.ts";
import type { RunEnvironment } from "../../run/context.ts";
import { changeCode } from "../codes/change.ts";
import type { Ids } from "../../run/templates.ts";
import { toCodeBody } from "../codes/maker.ts";
import type { Maker } from "../../run/maker.ts";

function productOf({ product }: Wanted): WantedProduct {
  if (product === undefined) throw new AppError("bug", "a product job must have products");
  return product;
}

function toIdentity(product: WantedProduct): Omit<ProductCreate, "workspace"> {
  const { identifier_type, identifier_value, batch_lot, serial_number, expiry_date } = product;
  return {
    identifier_type: identifier_type as NonNullable<ProductCreate["identifier_type"]>,
    identifier_value,
    ...(batch_lot !== null && { batch_lot }),
    ...(serial_number !== null && { serial_number }),
    ...(expiry_date !== null && { expiry_date }),
  };
}

/** A GTIN is registered once: whoever did it before sees its links change. */
async function register(
  { client, events }: RunEnvironment,
  row: StateRow,
  wanted: WantedProduct,
): Promise<Product> {
  const seed = findSeed(wanted.links);
  const { product, wasThere } = await client.registerProduct({
    ...toIdentity(wanted),
    ...(seed !== undefined && {
      destination_url: seed.destination_url,
      destination_title: seed.title,
    }),
  });
  if (wasThere) events.wasThere?.(row);
  return product;
}

/** Its registered product; made anew when it was deleted. */
async function readProduct(
  env: RunEnvironment,
  row: StateRow,
  product: WantedProduct,
): Promise<Product> {
  const { productId } = row.parts;
  if (productId === undefined) return register(env, row, product);
  try {
    return await env.client.getProduct(productId);
  } catch (error) {
    if (error instanceof AppError && error.code === "not-found") return register(env, row, product);
    throw error;
  }
}

const none = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text === "" ? null : text;

/** The same number may be shown with or without the zeros in front of it. */
const bare = (value: string): string => value.replace(/^0+/u, "");

/** Sets identifier and qualifiers; sends nothing for a product that has them. */
async function identify(
  { client }: RunEnvironment,
  product: Product,
  wanted: WantedProduct,
): Promise<void> {
  const fields = ["batch_lot", "serial_number", "expiry_date"] as const;
  const differing = fields.filter((field) => none(product[field]) !== wanted[field]);
  const isOther =
    product.identifier_type !== wanted.identifier_type ||
    bare(product.identifier_value) !== bare(wanted.identifier_value);
  if (differing.length === 0 && !isOther) return;
  await client.updateProduct(product.id, {
    ...(isOther && toIdentity(wanted)),
    ...Object.fromEntries(differing.map((field) => [field, wanted[field]])),
  });
}

/** The fields of a link type that differ. A default moves to another link, it is never just dropped. */
function toLinkPatch(made: ProductLink, wanted: WantedProductLink): ProductLinkPatch {
  return {
    ...(made.destination_url !== wanted.destination_url && {
      destination_url: wanted.destination_url,
    }),
    ...((made.title ?? "") !== wanted.title && { title: wanted.title }),
    ...(none(made.language) !== wanted.language && { language: wanted.language }),
    ...((made.media_type ?? wanted.media_type) !== wanted.media_type && {
      media_type: wanted.media_type,
    }),
    ...(wanted.is_default && !made.is_default && { is_default: true }),
  };
}

async function addLink(
  { client }: RunEnvironment,
  productId: string,
  link: WantedProductLink,
): Promise<void> {
  const { language, is_default, ...fields } = link;
  try {
    await client.addProductLink(productId, {
      ...(fields as { link_type: ProductLinkType; title: string; destination_url: string }),
      ...(is_default && { is_default }),
      ...(language !== null && { language }),
    });
  } catch (error) {
    // The first answer may have been lost; the server may then refuse a second link of the type.
    if (!(error instanceof AppError) || error.code !== "request-refused") throw error;
    const { link_types: there } = await client.getProduct(productId);
    const made = there?.find(({ link_type: type }) => type === link.link_type);
    if (made === undefined) throw error;
    const patch = toLinkPatch(made, link);
    if (Object.keys(patch).length > 0) await client.updateProductLink(productId, made.id, patch);
  }
}

type ProductLinkType = NonNullable<ProductLinkPatch["link_type"]>;

/**
 * One destination per link type: those that are there are changed, others added. `seeded`: the
 * product was registered just now, and its first link with it; its title is the server's then.
 */
async function setLinks(
  env: RunEnvironment,
  product: Product,
  { wanted, isSeeded }: { readonly wanted: WantedProduct; readonly isSeeded: boolean },
): Promise<void> {
  const there = product.link_types ?? [];
  const seed = isSeeded ? findSeed(wanted.links) : undefined;
  for (const link of wanted.links) {
    const made = there.find(({ link_type: type }) => type === link.link_type);
    if (made === undefined) {
      await addLink(env, product.id, link);
      continue;
    }
    const { title, ...rest } = toLinkPatch(made, link);
    if (title !== undefined && link === seed) {
      env.log.warn({ product: product.id, title: made.title }, "the server titles the page itself");
    }
    const patch = { ...rest, ...(title !== undefined && link !== seed && { title }) };
    if (Object.keys(patch).length > 0)
      await env.client.updateProductLink(product.id, made.id, patch);
  }
}

/** Link types that this job set earlier and no longer wants. Those of others stay. */
async function dropLinks(
  env: RunEnvironment,
  product: Product,
  { wanted, made }: { readonly wanted: WantedProduct; readonly made: WantedProduct | undefined },
): Promise<void> {
  const kept = new Set(wanted.links.map(({ link_type: type }) => type));
  const gone = (made?.links ?? []).filter(({ link_type: type }) => !kept.has(type));
  for (const { link_type: type } of gone) {
    const link = (product.link_types ?? []).find((one) => one.link_type === type);
    if (link !== undefined) await env.client.deleteProductLink(product.id, link.id);
  }
}

/** Brings the product of a row to what the row wants. Nothing is sent for one that is so already. */
async function setProduct(env: RunEnvironment, row: StateRow): Promise<string> {
  const wanted = productOf(row.wanted);
  const hash = toProductHash(wanted);
  const { productId, productHash } = row.parts;
  if (productId !== undefined && productHash === hash) return productId;
  const product = await readProduct(env, row, wanted);
  const isSeeded = product.id !== productId;
  await identify(env, product, wanted);
  const whole =
    product.link_types === undefined || product.link_types === null
      ? await env.client.getProduct(product.id)
      : product;
  await setLinks(env, whole, { wanted, isSeeded });
  await dropLinks(env, whole, { wanted, made: row.made?.product });
  env.state.journal.keepParts(row.key, { productId: product.id, productHash: hash });
  return product.id;
}

export function makeProductMaker(env: RunEnvironment, ids: Ids): Maker {
  const { client, state } = env;
  return {
    pageSize: limits.maxPageSize,
    async prepare(row) {
      const productId = await setProduct(env, row);
      if (!productOf(row.wanted).hasCode) state.journal.settled(row.key, productId);
    },
    isSetOnly: (row) => !productOf(row.wanted).hasCode,
    toBody(row) {
      const productId = state.row(row.key)?.parts.productId;
      if (productId === undefined) throw new AppError("bug", "a product must come before its code");
      return { ...toCodeBody(env, ids, row), gs1_product: productId };
    },
    create: (body, options) => client.createCode(body as CodeCreate, options),
    list: (query) => client.listToldCodes(query),
    look: (id) => client.getToldCode(id),
    isListed: (id) => wasThere(() => client.getToldCode(id)),
    remove: (id) => client.deleteCode(id),
    async change(row, id) {
      await setProduct(env, row);
      if (productOf(row.wanted).hasCode) await changeCode(env, ids, row, id);
      else state.journal.updated(row.key, row.wanted, row.wantedHash);
    },
  };
}
