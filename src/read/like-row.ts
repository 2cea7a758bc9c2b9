/** Whether the line that holds the names of columns looks like a row. */
import { cellTypes } from "./cell-types.ts";
import type { HeaderCell } from "./header.ts";
import { textOf, type RawRow } from "./raw.ts";

const fits = (type: "url" | "email" | "gtin", text: string): boolean =>
  typeof cellTypes[type](text) === "string";

const WITHOUT_HTTP = /^(?:www\.[^\s/?#]+\.\p{Ll}{2,}(?:[/?#]\S*)?|[\p{L}\d.-]+\.\p{Ll}{2,}\/\S+)$/u;

/** Texts that cells hold, and that seldom name a column. */
const forms = {
  address: (text) => /^https?:/iu.test(text) && fits("url", text),
  email: (text) => text.includes("@") && !/^https?:/iu.test(text) && fits("email", text),
  gtin: (text) => /^\d{12,14}$/u.test(text) && fits("gtin", text),
  /** It begins with www, or is a name and a path only; `tel.home/work` may name a column. */
  bare: (text) => WITHOUT_HTTP.test(text) && fits("url", `https://${text}`),
  /** 20240106 may name a column. */
  shortGtin: (text) => /^\d{8}$/u.test(text) && fits("gtin", text),
} as const satisfies Record<string, (text: string) => boolean>;

const WWW = /^www\.[^\s/?#]+\.\p{L}{2,}(?:[/?#]\S*)?$/iu;

/** Endings of addresses that end no names of files and seldom abbreviations. */
const ENDINGS = new Set("at be ch com de dk es eu fr info io net nl org shop uk".split(" "));
/** `menu.pl` is a file, `hq.it` a department. */
const DOUBTFUL = new Set(["it", "pl"]);
const LABEL = /^[\d-]*\p{L}[\p{L}\d-]*$/u;

/** `nordwerk.de`, `nordwerk.de/a`; neither `ASP.NET` nor `12.be`. */
function beginsWithDomain(text: string): boolean {
  const [domain = ""] = text.split("/", 1);
  const labels = domain.split(".");
  const ending = labels.pop() ?? "";
  const hasMore = labels.length > 1 || text.length > domain.length + 1;
  return (
    labels.length > 0 &&
    labels.every((label) => LABEL.test(label)) &&
    (ENDINGS.has(ending) || (hasMore && DOUBTFUL.has(ending)))
  );
}

/** An address without http: `shop.de/a`, `www.shop.de`, `shop.de`. */
export const isBareAddress = (text: string): boolean => {
  const bare = text.trim();
  if (/\s/u.test(bare) || !fits("url", `https://${bare}`)) return false;
  return WWW.test(bare) || beginsWithDomain(bare);
};

/** What a cell holds that seldom names a column. */
export type Form = keyof typeof forms;

const all = Object.keys(forms) as Form[];

/** The form of a cell; undefined where it may name a column. */
export const formOf = (text: string): Form | undefined =>
  all.find((form) => forms[form](text.trim()));

/** They are data only together with the rows below. */
const isDoubtful = (form: Form): boolean => form === "bare" || form === "shortGtin";

/** Whether more than half of the cells that are filled are like this. */
export function areMost(cells: readonly string[], is: (text: string) => boolean): boolean {
  const filled = cells.map((text) => text.trim()).filter((text) => text !== "");
  return filled.length > 0 && filled.filter(is).length * 2 > filled.length;
}

/**
 * The header that looks like a cell of a row; undefined where all may be names of columns. A column
 * of the manifest says that the line is a header: then only what surely is data counts.
 */
export function findLikeRow(
  cells: readonly HeaderCell[],
  below: readonly RawRow[],
): string | undefined {
  const isKnown = cells.some(({ column }) => column !== undefined);
  const isLike = ({ text }: HeaderCell, at: number): boolean => {
    const form = formOf(text);
    if (form === undefined || !isDoubtful(form)) return form !== undefined;
    const under = below.map((row) => textOf(row.cells[at]));
    return !isKnown && areMost(under, forms[form]);
  };
  return cells.find(isLike)?.header;
}
