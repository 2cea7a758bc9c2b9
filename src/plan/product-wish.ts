/** A row of a product job -> the GS1 product that it wants. */
import { checkProduct } from "../api/product.ts";
import { isOpenableUrl } from "../api/fields.ts";
import { toDigitalLink } from "../gs1/digital-link.ts";
import { isIdentifierType, toIdentifierValue } from "../gs1/identifiers.ts";
import type { ProductsJob } from "../job/row-jobs.ts";
import type { Wanted, WantedProduct, WantedProductLink } from "../state/row.ts";

/** The link type that a create brings along with its `destination_url` (`api-v2.md` 4.9). */
export const SEEDED_TYPE = "gs1:pip";

const DEFAULT_MEDIA_TYPE = "text/html";

type Render = (template: string) => string;

const orNull = (text: string): string | null => (text === "" ? null : text);

function toLinks(job: ProductsJob, render: Render): WantedProductLink[] {
  const links = job.product.links.map((link): WantedProductLink => ({
    link_type: link.linkType,
    title: render(link.title).trim(),
    destination_url: render(link.destinationUrl).trim(),
    is_default: link.isDefault,
    language: orNull(render(link.language ?? "").trim()),
    media_type: render(link.mediaType ?? "").trim() || DEFAULT_MEDIA_TYPE,
  }));
  const given = links.filter(({ destination_url: url }) => url !== "");
  if (given.length === 0 || given.some((link) => link.is_default)) return given;
  // The default of the manifest is empty in this row: the first that is left takes its place.
  return given.map((link, at) => ({ ...link, is_default: at === 0 }));
}

export function toProduct(job: ProductsJob, render: Render): WantedProduct {
  const { product, hasCode } = job;
  const field = (template: string | null): string | null => orNull(render(template ?? "").trim());
  return {
    identifier_type: product.identifierType,
    identifier_value: render(product.identifierValue).trim(),
    batch_lot: field(product.batchLot),
    serial_number: field(product.serialNumber),
    expiry_date: field(product.expiryDate),
    links: toLinks(job, render),
    hasCode,
  };
}

const got = (text: string): string => `got ${JSON.stringify(text)}`;

function checkLink({ link_type: type, title, destination_url: url }: WantedProductLink): string[] {
  return [
    ...(title === "" ? [`title of ${type} must not be empty`] : []),
    ...(isOpenableUrl(url) && /^https?:/iu.test(url)
      ? []
      : [`destination_url of ${type} must be an http or https URL, ${got(url)}`]),
  ];
}

/** What is wrong with a product by itself (`gs1.md` section 4). */
export function checkProductWish(product: WantedProduct): string[] {
  const { links, hasCode: _hasCode, ...identity } = product;
  const given = Object.fromEntries(Object.entries(identity).filter(([, value]) => value !== null));
  const value = JSON.stringify(product.identifier_value);
  const faults = checkProduct(given).map(
    ([field, message]) =>
      `${field} ${message.replace(/^Must/u, "must")}${field === "identifier_value" ? `, got ${value}` : ""}`,
  );
  return [
    ...(product.identifier_value === "" ? ["identifier_value must not be empty"] : faults),
    ...(links.length === 0
      ? ["a product must lead somewhere, but every destination_url is empty"]
      : []),
    ...links.flatMap(checkLink),
  ];
}

/** True when the create of the product brings its default link along. */
export const isSeeded = ({ links }: WantedProduct): boolean =>
  links.some((link) => link.is_default && link.link_type === SEEDED_TYPE);

/**
 * Path and query of the Digital Link that a GS1 code will hold (`gs1.md` section 3), without what its
 * server puts in front; undefined for other codes.
 */
export function toDigitalLinkOf({ product, gs1Product }: Wanted): string | undefined {
  if (product !== undefined) return toProductLink(product);
  const value = gs1Product?.["identifier_value"];
  return value === undefined
    ? undefined
    : toProductLink({ ...PLAIN_GTIN, identifier_value: value });
}

type Identity = Omit<WantedProduct, "links" | "hasCode">;

const PLAIN_GTIN = {
  identifier_type: "01",
  batch_lot: null,
  serial_number: null,
  expiry_date: null,
} as const satisfies Partial<Identity>;

function toProductLink(product: Identity): string | undefined {
  const { identifier_type: type, identifier_value: value, batch_lot, serial_number } = product;
  if (!isIdentifierType(type)) return undefined;
  const qualifiers: (readonly [string, string])[] = [];
  if (batch_lot !== null) qualifiers.push(["10", batch_lot]);
  if (serial_number !== null) qualifiers.push(["21", serial_number]);
  const link = { type, value: toIdentifierValue(type, value), qualifiers };
  return toDigitalLink(link, product.expiry_date);
}

/** What tells one product from another: in print, once it has a code. */
export function toProductIdentity(product: WantedProduct): string {
  const { identifier_type, identifier_value, batch_lot, serial_number, expiry_date } = product;
  return JSON.stringify([identifier_type, identifier_value, batch_lot, serial_number, expiry_date]);
}
