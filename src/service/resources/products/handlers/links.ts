/**
 * Link types of products: one destination per type, exactly one default
 * (docs/spec/api.md section 4.9).
 */
import { writeAs } from "../../../auth/write-as.ts";
import type { Call, Context, Handlers } from "../../../context.ts";
import { noContent, ok, refuse } from "../../../http/reply.ts";
import type { Db, ProductLinkRow, ProductRow } from "../../../store/tables.ts";
import { requireProduct, syncCodes } from "../rows.ts";
import {
  changeProductLink,
  deleteProductLink,
  insertProductLink,
  readProductLink,
  readProductLinks,
  toProductLinkAnswer,
} from "../rows/product-links.ts";

const readLinks = async (tx: Db, productId: string): Promise<ProductLinkRow[]> =>
  (await readProductLinks(tx, [productId])).get(productId) ?? [];

/** Saves the links with exactly one default: the requested one, else the first. */
async function settle(tx: Db, product: ProductRow, wanted: string | undefined): Promise<void> {
  const links = await readLinks(tx, product.id);
  const main =
    links.find(({ id }) => id === wanted) ??
    links.find((link) => link.is_default === 1) ??
    links[0];
  for (const link of links) {
    const isDefault = Number(link === main);
    if (link.is_default === isDefault) continue;
    await changeProductLink(tx, link.id, { is_default: isDefault });
  }
  await syncCodes(tx, product);
}

async function answerLink(tx: Db, id: string) {
  return ok(toProductLinkAnswer(await readProductLink(tx, id)));
}

/** A type that the product has already gets the new destination. */
async function addLink(tx: Db, { ids, clock }: Context, call: Call<"addProductLink">) {
  const { params, body, caller } = call;
  const product = await requireProduct(tx, caller, params.product_id);
  const old = (await readLinks(tx, product.id)).find((link) => link.link_type === body.link_type);
  const fields = {
    title: body.title,
    destination_url: body.destination_url,
    language: body.language ?? null,
    media_type: body.media_type,
  };
  const id = old?.id ?? ids.uuid();
  if (old === undefined) {
    const row = { id, product_id: product.id, created: clock.nowMs(), is_default: 0 };
    await insertProductLink(tx, { ...row, link_type: body.link_type, ...fields });
  } else await changeProductLink(tx, id, fields);
  if (old !== undefined && body.is_default === false) await release(tx, product.id, id);
  await settle(tx, product, body.is_default === true ? id : undefined);
  return answerLink(tx, id);
}

/** Makes another link the default, if there is one. */
async function release(tx: Db, productId: string, id: string): Promise<void> {
  const links = await readLinks(tx, productId);
  const next = links.find((link) => link.id !== id);
  if (next === undefined || links.find((link) => link.is_default === 1)?.id !== id) return;
  await changeProductLink(tx, id, { is_default: 0 });
  await changeProductLink(tx, next.id, { is_default: 1 });
}

async function requireLink(
  tx: Db,
  { params, caller }: Pick<Call<"updateProductLink">, "params" | "caller">,
) {
  const product = await requireProduct(tx, caller, params.product_id);
  const links = await readLinks(tx, product.id);
  const link = links.find(({ id }) => id === params.link_id);
  if (link === undefined) throw refuse.notFound();
  return { product, links, link };
}

async function updateLink(tx: Db, call: Call<"updateProductLink">) {
  const { product, links, link } = await requireLink(tx, call);
  const { is_default: isDefault, ...body } = call.body;
  if (links.some(({ id, link_type }) => id !== link.id && link_type === body.link_type)) {
    throw refuse.field("link_type", "Must be a type that the product does not have yet.");
  }
  const changed = {
    link_type: body.link_type ?? link.link_type,
    title: body.title ?? link.title,
    destination_url: body.destination_url ?? link.destination_url,
    language: body.language === undefined ? link.language : body.language,
    media_type: body.media_type ?? link.media_type,
  };
  await changeProductLink(tx, link.id, changed);
  if (isDefault === false) await release(tx, product.id, link.id);
  await settle(tx, product, isDefault === true ? link.id : undefined);
  return answerLink(tx, link.id);
}

async function deleteLink(tx: Db, call: Call<"deleteProductLink">) {
  const { product, link } = await requireLink(tx, call);
  await deleteProductLink(tx, link.id);
  await settle(tx, product, undefined);
  return noContent;
}

export function makeProductLinkHandlers(context: Context) {
  return {
    addProductLink: (call) => writeAs(context, call.caller, (tx) => addLink(tx, context, call)),
    updateProductLink: (call) => writeAs(context, call.caller, (tx) => updateLink(tx, call)),
    deleteProductLink: (call) => writeAs(context, call.caller, (tx) => deleteLink(tx, call)),
  } satisfies Partial<Handlers>;
}
