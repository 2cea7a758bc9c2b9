/** Whether a list has no header: its first row stands where the names of columns should. */
import { cellTypes } from "./cell-types.ts";
import type { HeaderCell } from "./header.ts";
import { textOf, type RawRow } from "./raw.ts";

const fits = (type: "url" | "email" | "gtin", text: string): boolean =>
  typeof cellTypes[type](text) === "string";

/** Texts that cells hold and that name no column: addresses, and GTINs of twelve to fourteen digits. */
function isData(text: string): boolean {
  if (/^https?:/iu.test(text)) return fits("url", text);
  if (/^\d{12,14}$/u.test(text)) return fits("gtin", text);
  return text.includes("@") && fits("email", text);
}

const WITHOUT_HTTP = /^(?:www\.[^\s/?#]+\.\p{Ll}{2,}(?:[/?#]\S*)?|[\p{L}\d.-]+\.\p{Ll}{2,}\/\S+)$/u;

/** An address, also one that begins with www or is a name and a path only. */
const isAddress = (text: string): boolean =>
  (WITHOUT_HTTP.test(text) && fits("url", `https://${text}`)) ||
  (/^https?:/iu.test(text) && fits("url", text));

const isShortGtin = (text: string): boolean => /^\d{8}$/u.test(text) && fits("gtin", text);

/** A column may be called `tel.home/work` or 20240106: only together with the rows below these are data. */
const doubtful = [isAddress, isShortGtin] as const;

/** The header that is a cell of a row; undefined where all may be names of columns. */
export function findLikeRow(
  cells: readonly HeaderCell[],
  below: readonly RawRow[],
): string | undefined {
  const columns = cells.map(({ header, text }, at) => ({
    header,
    text: text.trim(),
    under: below.map((row) => textOf(row.cells[at]).trim()).filter((text) => text !== ""),
  }));
  const isLike = ({ text, under }: (typeof columns)[number]): boolean =>
    isData(text) ||
    (under.length > 0 &&
      doubtful.some((is) => is(text) && under.filter(is).length * 2 > under.length));
  return columns.find(isLike)?.header;
}
