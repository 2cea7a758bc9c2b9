/** The fields of a GS1 product that rows fill, judged as the API does (docs/spec/gs1.md section 4). */
import { checkProduct } from "../api/product.ts";
import { columnsOf, parseTemplate, sayColumns } from "../job/template/template.ts";
import { got } from "./wish-parts.ts";

/** `batch_lot (column "Lot")`. */
export function sayField(field: string, template: string | null | undefined): string {
  const columns = sayColumns(columnsOf(parseTemplate(template ?? "")));
  return columns === "" ? field : `${field} (${columns})`;
}

/** `Must be …` of the API -> `must be …, got "x"`. */
export function sayFault(message: string, value: unknown): string {
  const seen = typeof value === "string" ? `, ${got(value)}` : "";
  return `${message.replace(/^Must/u, "must")}${seen}`;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/u;

/** How a template writes a day as GS1 does; nothing for what is no day, and where it writes it otherwise. */
function sayDay(field: string, template: string | null | undefined, value: unknown): string {
  const [column, ...others] = columnsOf(parseTemplate(template ?? ""));
  const isDay = field === "expiry_date" && typeof value === "string" && DAY.test(value);
  if (!isDay || column === undefined || others.length > 0) return "";
  return `: write {{ ${column} | date: YYMMDD }}`;
}

/** Problems of what identifies a product; `templates`: where its values come from. */
export function checkProductFields(
  fields: Readonly<Record<string, string | null>>,
  templates: Readonly<Record<string, string | null>>,
): string[] {
  const named = sayField("identifier_value", templates["identifier_value"]);
  if ((fields["identifier_value"] ?? "") === "") return [`${named} must not be empty`];
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return checkProduct(given).map(
    ([field, message]) =>
      `${sayField(field, templates[field])} ${sayFault(message, given[field])}${sayDay(field, templates[field], given[field])}`,
  );
}
