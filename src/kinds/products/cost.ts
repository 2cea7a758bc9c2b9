import { toStableHash } from "../../plan/hash.ts";
import { DEFAULT_MEDIA_TYPE, findSeed, toProductIdentity } from "../../plan/product-wish.ts";
import type { ThingCost } from "../../plan/thing.ts";
import type { RowParts, Wanted, WantedProduct } from "../../state/row.ts";

export const toProductHash = ({ hasCode: _hasCode, ...product }: WantedProduct): string =>
  toStableHash(product);

/** The create of the product brings its default link along whole: it takes neither language nor media type. */
const isMadeAlong = ({ links }: WantedProduct): boolean => {
  const seed = findSeed(links);
  return seed !== undefined && seed.language === null && seed.media_type === DEFAULT_MEDIA_TYPE;
};

/** A product that stayed when its code was deleted is not sent again. */
function countCreate({ product, tags }: Wanted, { productHash }: RowParts = {}): number {
  if (product === undefined) return 0;
  const links = product.links.length - Number(isMadeAlong(product));
  const tagging = Number(product.hasCode) * Number(tags.length > 0);
  const making = productHash === toProductHash(product) ? 0 : 1 + links;
  return making + Number(product.hasCode) + tagging;
}

function countProductChanges(made: WantedProduct, wanted: WantedProduct): number {
  const before = new Map(made.links.map((link) => [link.link_type, JSON.stringify(link)]));
  const isMoved = toProductIdentity(made) !== toProductIdentity(wanted);
  let writes = Number(isMoved);
  for (const link of wanted.links) {
    writes += Number(before.get(link.link_type) !== JSON.stringify(link));
    before.delete(link.link_type);
  }
  return writes + before.size;
}

/** The part of the wish that the code's own call fulfils. */
function toCodePart({ product: _product, design: _design, tags: _tags, ...rest }: Wanted): string {
  return JSON.stringify(rest);
}

/** The product without the fields of its code. */
function toProduct({ product }: Wanted): string {
  return JSON.stringify({ ...product, hasCode: undefined });
}

function countUpdate(made: Wanted, wanted: Wanted): number {
  if (wanted.product === undefined || made.product === undefined) return 1;
  const isCodeChanged = wanted.product.hasCode && toCodePart(made) !== toCodePart(wanted);
  return countProductChanges(made.product, wanted.product) + Number(isCodeChanged);
}

/** A product is read before it is changed. */
const countReads = (made: Wanted, wanted: Wanted): number =>
  Number(toProduct(made) !== toProduct(wanted));

export const productCost: ThingCost = {
  create: countCreate,
  update: countUpdate,
  updateReads: countReads,
};
