/** What a GS1 product wants to be in print and on the server. */
import { toDigitalLink } from "../gs1/digital-link.ts";
import { isIdentifierType, toIdentifierValue } from "../gs1/identifiers.ts";
import type { Wanted, WantedProduct, WantedProductLink } from "../state/row.ts";

/**
 * The link type that a create brings along with its `destination_url`
 * (docs/spec/api.md section 4.9).
 */
export const SEEDED_TYPE = "gs1:pip";

/** Of a link that names none; the server's own default. */
export const DEFAULT_MEDIA_TYPE = "text/html";

/** The link that a create can bring along: the default one, when it is the product's page. */
export const findSeed = (links: WantedProduct["links"]): WantedProductLink | undefined =>
  links.find((link) => link.is_default && link.link_type === SEEDED_TYPE);

/**
 * Path and query of the Digital Link that a GS1 code will hold (docs/spec/gs1.md section 3),
 * without what its server puts in front; undefined for other codes.
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

/** What identifies a product; it is in print once the product has a code. */
export function toProductIdentity(product: WantedProduct): string {
  const { identifier_type, identifier_value, batch_lot, serial_number, expiry_date } = product;
  return JSON.stringify([identifier_type, identifier_value, batch_lot, serial_number, expiry_date]);
}
