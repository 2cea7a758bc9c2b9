/** What stands behind the text of a cell: links, values. */
import type { ColumnRule } from "../job/job.ts";

import { textOf, type RawCell, type TypedCell } from "./raw.ts";

/** `mailto:` behind another text is the address that a person meets there. */
export const readMail = ({ text, link = text }: TypedCell): string =>
  !text.includes("@") && /^mailto:/iu.test(link) ? link : text;

/** The web address behind a cell that shows another text. */
export function linkBehind(cell: RawCell | undefined): string | undefined {
  if (typeof cell !== "object" || cell.link === cell.text) return undefined;
  return /^https?:/iu.test(cell.link ?? "") ? cell.link : undefined;
}

const THREE_DECIMALS = /^-?[1-9]\d{0,2}\.\d{3}$/u;

/** What means the same when it is read again: of typed columns the value, of addresses the link. */
export function toFailedText(cell: RawCell | undefined, rule: ColumnRule | undefined): string {
  if (typeof cell !== "object" || rule === undefined || rule.type === "text") return textOf(cell);
  const text = (rule.type === "url" ? cell.link : cell.value) ?? cell.text;
  // With three decimals it could be read in two ways.
  return cell.kind === "number" && THREE_DECIMALS.test(text) ? `${text}0` : text;
}
