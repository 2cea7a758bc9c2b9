/** The text of a cell without what spreadsheets and accidents add to it. */
import type { ColumnRule } from "../../job/job.ts";

import { readTextFormula } from "../raw.ts";

/** One `'` in front of a formula marks a text; the text may have more of its own. */
const FORMULA_LIKE = /^'(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/u;

/** The text without the one `'` that marks it. */
export const withoutMark = (text: string): string => text.replace(FORMULA_LIKE, "");

/** The text of a cell without what spreadsheets add to it. */
export function cleanCell(text: string): string {
  const first = text.charCodeAt(0);
  let clean = text;
  if (first === 0x27 /* ' */) clean = withoutMark(text);
  else if (first === 0x3d /* = */) clean = readTextFormula(text) ?? text;
  return clean.trim().normalize("NFC");
}

/** Columns of networks: what phones get must be the name and password to the letter. */
const EXACT = /(?:(?<!\p{L})|lan|fi)ssid|pass(?:wor[dt]|phrase)|kennwort|mot de passe|contraseña/iu;

const BLANK_ENDS = /^[ \u00a0]|[ \u00a0]$/u;

/** Whether a cell had blanks at its ends that may belong to it. Where the header has some, they set cells apart. */
export const losesEnds = (
  typed: string,
  { name = "", header }: { readonly name: string | undefined; readonly header: string },
): boolean => EXACT.test(`${name} ${header}`) && BLANK_ENDS.test(typed) && !BLANK_ENDS.test(header);

const INVISIBLE_ENDS = /^[\p{Cf}\s]+|(?<![\p{Cf}\s])[\p{Cf}\s]+$/gu;

/** Only texts may begin or end with an invisible character; elsewhere it was pasted by accident. */
export function cleanTyped(text: string, { type }: ColumnRule): string {
  const clean = cleanCell(text);
  const isPlain = clean.charCodeAt(0) < 0x80 && clean.charCodeAt(clean.length - 1) < 0x80;
  return type === "text" || isPlain ? clean : clean.replaceAll(INVISIBLE_ENDS, "");
}

export const hasNumbers = (rule: ColumnRule | undefined): rule is ColumnRule =>
  rule?.type === "integer" || rule?.type === "number";
