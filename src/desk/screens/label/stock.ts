/** The stock of labels in the form: a named sheet, an own page or roll. Pure. */
import type { YamlValue } from "../../../job/yaml/edit-yaml.ts";

/** Radio values beside names of sheets. */
export const OWN_PAGE = "own";
export const OWN_ROLL = "roll";
export const NO_SHEET = "none";

export const pageNames = ["A3", "A4", "A5", "SRA3", "Letter", "Tabloid"] as const;
/** Page of one's own size. */
export const OWN_SIZE = "size";

/** Fields of a sheet of one's own, in mm where they are lengths. */
export const ownFields = [
  "page",
  "page_width",
  "page_height",
  "roll",
  "width",
  "height",
  "across",
  "down",
  "margin",
  "columns",
  "rows",
  "radius",
  "stock",
] as const;
export type OwnField = (typeof ownFields)[number];

/** Form fields -> texts. */
export type Texts = Readonly<Record<string, string>>;

export const STOCK = "stock";
export const ownName = (field: OwnField): string => `own.${field}`;
export const stockNames: readonly string[] = [STOCK, ...ownFields.map(ownName)];

/** What a job is offered first. */
export const DEFAULT_SHEET = "a4-24up-63.5x33.9";

/** First values of an own sheet. */
const freshSheet: Partial<Record<OwnField, string>> = {
  page: "A4",
  roll: "100",
  width: "60",
  height: "40",
  across: "0",
  down: "0",
};

const blank: Texts = Object.fromEntries(
  ownFields.map((field) => [ownName(field), freshSheet[field] ?? ""]),
);

const isPair = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number");

type Plain = Readonly<Record<string, unknown>>;

function toOwnTexts(sheet: Plain): Texts | undefined {
  const { page, roll, label, gutter = 0 } = sheet;
  const gaps = isPair(gutter) ? gutter : [gutter, gutter];
  const isOwnSize = isPair(page);
  if (!isPair(label) || gaps.some((gap) => typeof gap !== "number")) return undefined;
  const text = (name: string): string => {
    const value = sheet[name];
    return typeof value === "number" || typeof value === "string" ? String(value) : "";
  };
  const own: Record<OwnField, string> = {
    page: isOwnSize ? OWN_SIZE : text("page") || "A4",
    page_width: isOwnSize ? String(page[0]) : "",
    page_height: isOwnSize ? String(page[1]) : "",
    roll: text("roll") || (blank[ownName("roll")] ?? ""),
    width: String(label[0]),
    height: String(label[1]),
    across: String(gaps[0]),
    down: String(gaps[1]),
    margin: text("margin"),
    columns: text("columns"),
    rows: text("rows"),
    radius: text("radius"),
    stock: text("stock"),
  };
  const named = Object.entries(own).map(([field, value]) => [`own.${field}`, value] as const);
  return { [STOCK]: roll === undefined ? OWN_PAGE : OWN_ROLL, ...Object.fromEntries(named) };
}

/** `output.sheets` as the form has it; undefined where the form can't show it. */
export function toStockTexts(sheets: unknown): Texts | undefined {
  if (sheets === undefined || sheets === false) return { ...blank, [STOCK]: NO_SHEET };
  if (sheets === true) return { ...blank, [STOCK]: DEFAULT_SHEET };
  const { sheet = DEFAULT_SHEET } = sheets as Plain;
  if (typeof sheet === "string") return { ...blank, [STOCK]: sheet };
  return typeof sheet === "object" && sheet !== null ? toOwnTexts(sheet as Plain) : undefined;
}

/** A number as people type it; other text stays text, and the field's rule refuses it. */
function toNumber(text: string): YamlValue {
  const number = Number(text.replace(",", "."));
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

type Read = (field: OwnField) => string;

function toExtent(isRoll: boolean, of: Read): Record<string, YamlValue> {
  if (isRoll) return { roll: toNumber(of("roll")) };
  const page = of("page") || "A4";
  return {
    page: page === OWN_SIZE ? [toNumber(of("page_width")), toNumber(of("page_height"))] : page,
  };
}

function toGutter(of: Read): Record<string, YamlValue> {
  const [across, down] = [toNumber(of("across") || "0"), toNumber(of("down") || "0")];
  if (across === 0 && down === 0) return {};
  return { gutter: across === down ? across : [across, down] };
}

/** The value of `output.sheets.sheet`; undefined: no sheets. */
export function toSheetValue(texts: Texts): YamlValue | undefined {
  const stock = texts[STOCK] ?? NO_SHEET;
  if (stock === NO_SHEET) return undefined;
  if (stock !== OWN_PAGE && stock !== OWN_ROLL) return stock;
  const of: Read = (field) => (texts[ownName(field)] ?? "").trim();
  const optional = (field: OwnField): Record<string, YamlValue> =>
    of(field) === "" ? {} : { [field]: toNumber(of(field)) };
  return {
    ...toExtent(stock === OWN_ROLL, of),
    label: [toNumber(of("width")), toNumber(of("height"))],
    ...toGutter(of),
    ...optional("margin"),
    ...optional("columns"),
    ...optional("rows"),
    ...optional("radius"),
    ...(of("stock") === "" ? {} : { stock: of("stock") }),
  };
}
