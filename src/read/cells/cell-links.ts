/** What is behind the text of a cell: links, values. */
import type { ColumnRule } from "../../job/job.ts";

import { LOST_DIGITS_OF, UNCALCULATED } from "./cell-types.ts";
import { textOf, type RawCell, type TypedCell } from "../raw.ts";

/** A `mailto:` link behind other text: the address that people see. */
export const readMail = ({ text, link = text }: TypedCell): string =>
  !text.includes("@") && /^mailto:/iu.test(link) ? link : text;

/** The web address behind a cell with other text. */
export function linkBehind(cell: RawCell | undefined): string | undefined {
  if (typeof cell !== "object" || cell.link === cell.text) return undefined;
  return /^https?:/iu.test(cell.link ?? "") ? cell.link : undefined;
}

const MAX_DIGITS = 15;

/** A number whose last digits are lost. */
export function isTooLong({ kind, text, value = text }: TypedCell): boolean {
  return kind === "number" && value.replace(/^-|\.[^]*$/gu, "").length > MAX_DIGITS;
}

/**
 * What is told of a cell: in columns of text how it is shown, in others that it doesn't show the
 * value that is used.
 */
export function toTold(
  { text, oddity, isLocal }: TypedCell,
  isText: boolean,
): TypedCell["oddity"] | "unseen" {
  if (!isText) return oddity === "hidden" ? oddity : undefined;
  if (oddity !== "hidden") return oddity;
  if (text === "") return "unseen";
  return isLocal === true ? "local" : undefined;
}

const THREE_DECIMALS = /^-?[1-9]\d{0,2}\.\d{3}$/u;

/**
 * A text that is read the same way again: for typed columns the value, for addresses the link; for a
 * formula without a result, and a number that has lost digits, what is refused again.
 */
export function toFailedText(cell: RawCell | undefined, rule: ColumnRule | undefined): string {
  if (typeof cell === "object" && cell.kind === "unsaved") return UNCALCULATED;
  if (typeof cell !== "object" || rule === undefined) return textOf(cell);
  if (isTooLong(cell)) return `${LOST_DIGITS_OF} ${cell.text}`;
  if (rule.type === "text") return cell.text;
  const text = (rule.type === "url" ? cell.link : cell.value) ?? cell.text;
  // With three decimals it would have two possible meanings.
  return cell.kind === "number" && THREE_DECIMALS.test(text) ? `${text}0` : text;
}
