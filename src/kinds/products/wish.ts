/** A row of a product job -> the GS1 product that it wants. */
import { isWebUrl } from "../../api/fields.ts";
import { checkProduct } from "../../api/product.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { quoteText } from "../../base/text/words.ts";
import { columnsOf, parseTemplate, sayColumns } from "../../job/template/template.ts";
import { DEFAULT_MEDIA_TYPE, toProductIdentity } from "../../plan/product-wish.ts";
import type { FindFixed, Render, Thing } from "../../plan/thing.ts";
import type { WantedProduct, WantedProductLink } from "../../state/row.ts";
import { got, orNull } from "../wish-parts.ts";
import type { ProductsJob } from "./job.ts";

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
  // The manifest's default is empty in this row: the first link that is left becomes the default.
  return given.map((link, at) => ({ ...link, is_default: at === 0 }));
}

function toProduct(job: ProductsJob, render: Render): WantedProduct {
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

function checkLink({ link_type: type, title, destination_url: url }: WantedProductLink): string[] {
  return linesOf(
    title === "" && `title of ${type} must not be empty`,
    !isWebUrl(url) && `destination_url of ${type} must be an http or https URL, ${got(url)}`,
  );
}

/** `batch_lot (column "Lot")`. */
function sayField(field: string, template: string | null | undefined): string {
  const columns = sayColumns(columnsOf(parseTemplate(template ?? "")));
  return columns === "" ? field : `${field} (${columns})`;
}

/** Problems of a product by itself (docs/spec/gs1.md section 4). */
function checkProductWish(product: WantedProduct, wished: ProductsJob["product"]): string[] {
  const { links, hasCode: _hasCode, ...identity } = product;
  const given = Object.fromEntries(Object.entries(identity).filter(([, value]) => value !== null));
  const templates: Readonly<Record<string, string | null>> = {
    identifier_value: wished.identifierValue,
    batch_lot: wished.batchLot,
    serial_number: wished.serialNumber,
    expiry_date: wished.expiryDate,
  };
  const faults = checkProduct(given).map(([field, message]) => {
    const value = given[field];
    const seen = typeof value === "string" ? `, ${got(value)}` : "";
    return `${sayField(field, templates[field])} ${message.replace(/^Must/u, "must")}${seen}`;
  });
  const named = sayField("identifier_value", templates["identifier_value"]);
  return linesOf(
    ...(product.identifier_value === "" ? [`${named} must not be empty`] : faults),
    links.length === 0 && "a product must lead somewhere, but every destination_url is empty",
    ...links.flatMap(checkLink),
  );
}

export function toProductThing(job: ProductsJob, render: Render): Thing {
  const product = toProduct(job, render);
  return { fields: { product }, problems: checkProductWish(product, job.product) };
}

/** What a Digital Link is made of. */
const IN_PRINT = [
  "identifier_type",
  "identifier_value",
  "batch_lot",
  "serial_number",
  "expiry_date",
] as const;

const show = (text: string | null): string => (text === null ? "empty" : quoteText(text));

export const findFixedProduct: FindFixed = ({ product: made }, { product }) => {
  if (product === undefined || made === undefined) return undefined;
  if (product.hasCode !== made.hasCode) {
    return "a product that was registered without a code can't be given one by this job, nor the other way round";
  }
  if (!product.hasCode || toProductIdentity(product) === toProductIdentity(made)) return undefined;
  const changed = IN_PRINT.filter((field) => product[field] !== made[field]).map(
    (field) => `${field} must stay ${show(made[field])}, got ${show(product[field])}`,
  );
  return `${changed.join("; ")}: the code has it in print`;
};
