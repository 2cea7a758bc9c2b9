/** How many calls that change something a row costs (`jobs.md` section 1, the table of kinds). */
import type { Wanted, WantedForm, WantedProduct } from "../state/row.ts";
import { isSeeded, toProductIdentity } from "./product-wish.ts";

const countForm = ({ logo }: WantedForm): number => 3 + Number(logo !== null);

const countProduct = (product: WantedProduct): number =>
  1 + product.links.length - Number(isSeeded(product)) + Number(product.hasCode);

/** What the server's own code of a PDF or page doesn't have from its create. */
function countFiling({ folder, displayName, page, design }: Wanted): number {
  const isFiled = folder !== null || (page !== undefined && displayName !== page.title);
  return Number(isFiled) + Number(Object.keys(design).length > 0);
}

/** Writes of a row that isn't on the server yet. */
export function countCreateWrites(wanted: Wanted): number {
  const { tags, product, form, page, pdf } = wanted;
  const tagging = Number(tags.length > 0);
  if (product !== undefined) return countProduct(product) + Number(product.hasCode) * tagging;
  if (form !== undefined) return countForm(form);
  if (page !== undefined || pdf !== undefined) return 1 + countFiling(wanted) + tagging;
  return 1 + tagging;
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

/** The wish without what other calls than that of the code bring about. */
function toCodePart({ product: _product, design: _design, tags: _tags, ...rest }: Wanted): string {
  return JSON.stringify(rest);
}

/** Tags to take off a code, one call each, and whether any are to be put on, in one call. */
export function diffTags(
  made: readonly string[] | null,
  wanted: readonly string[],
): { readonly gone: readonly string[]; readonly isAnyNew: boolean } {
  const before = made ?? [];
  return {
    gone: before.filter((tag) => !wanted.includes(tag)),
    isAnyNew: wanted.some((tag) => !before.includes(tag)),
  };
}

export function countTagWrites(made: readonly string[] | null, wanted: readonly string[]): number {
  const { gone, isAnyNew } = diffTags(made, wanted);
  return gone.length + Number(isAnyNew);
}

/** Writes that bring a finished row's content to what it wants today, but for design and tags. */
export function countUpdateWrites(made: Wanted | null, wanted: Wanted): number {
  if (made === null) return 1;
  if (wanted.form !== undefined) {
    const isLogoNew = wanted.form.logo !== null && wanted.form.logo !== made.form?.logo;
    return 2 + Number(isLogoNew);
  }
  if (wanted.product === undefined || made.product === undefined) return 1;
  const isCodeChanged = wanted.product.hasCode && toCodePart(made) !== toCodePart(wanted);
  return countProductChanges(made.product, wanted.product) + Number(isCodeChanged);
}
