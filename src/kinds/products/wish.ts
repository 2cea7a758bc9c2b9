/** A row of a product job -> the GS1 product that it wants. */
import { isWebUrl } from "../../api/fields.ts";
import { checkLinkWords } from "../../api/product.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { quoteText } from "../../base/text/words.ts";
import { DEFAULT_MEDIA_TYPE, toProductIdentity } from "../../plan/product-wish.ts";
import type { FindFixed, Render, Thing } from "../../plan/thing.ts";
import type { WantedProduct, WantedProductLink } from "../../state/row.ts";
import { checkProductFields, sayFault, sayField } from "../product-fields.ts";
import { got, orNull } from "../wish-parts.ts";
import type { JobProductLink, ProductsJob } from "./job.ts";

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

function checkLink(link: WantedProductLink, wished: JobProductLink | undefined): string[] {
  const { link_type: type, title, destination_url: url, language, media_type } = link;
  const templates = { language: wished?.language, media_type: wished?.mediaType };
  const faults = checkLinkWords({ language, media_type }).map(
    ([field, message]) =>
      `${sayField(`${field} of ${type}`, templates[field])} ${sayFault(message, link[field])}`,
  );
  return linesOf(
    title === "" && `title of ${type} must not be empty`,
    !isWebUrl(url) && `destination_url of ${type} must be an http or https URL, ${got(url)}`,
    ...faults,
  );
}

/** Problems of a product by itself (docs/spec/gs1.md section 4). */
function checkProductWish(product: WantedProduct, wished: ProductsJob["product"]): string[] {
  const { links, hasCode: _hasCode, ...identity } = product;
  const faults = checkProductFields(identity, {
    identifier_value: wished.identifierValue,
    batch_lot: wished.batchLot,
    serial_number: wished.serialNumber,
    expiry_date: wished.expiryDate,
  });
  return linesOf(
    ...faults,
    links.length === 0 && "a product must lead somewhere, but every destination_url is empty",
    ...links.flatMap((link) =>
      checkLink(
        link,
        wished.links.find(({ linkType }) => linkType === link.link_type),
      ),
    ),
  );
}

export function toProductThing(job: ProductsJob, render: Render): Thing {
  const product = toProduct(job, render);
  const { expiryDate } = job.product;
  return {
    fields: { product },
    problems: checkProductWish(product, job.product),
    ...(expiryDate !== null && {
      gs1Dates: [{ field: "expiry_date", ai: "17", template: expiryDate }],
    }),
  };
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
