/** Numbers as people type them: decimal commas and points, thousands with marks, blanks or strokes. */

export type DecimalMark = "." | ",";

/** The number of a text; `twofold` when its only mark may be one of thousands or a decimal mark. */
export type NumberReading =
  | { readonly plain: string }
  | { readonly twofold: readonly [thousands: string, decimal: string] };

const otherMark = (mark: DecimalMark): DecimalMark => (mark === "." ? "," : ".");

/** Groups of three behind blanks (also narrow and no-break ones) or strokes. */
const SPACED = /^([-+]?\d{1,3}(?:[\s'’]\d{3})+)(?:([.,])(\d+))?$/u;
/** Groups of three behind one mark, decimals behind the other. */
const GROUPED_BOTH = /^([-+]?\d{1,3})((?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+)$/u;
/** Two marks of the same kind are for thousands; India groups by two before the last three. */
const GROUPED = /^[-+]?\d{1,3}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,}|(?:,\d{2})+,\d{3})$/u;
const TWOFOLD = /^[-+]?[1-9]\d{0,2}([.,])\d{3}$/u;
const DECIMAL = /^[-+]?\d*([.,])\d+$/u;
const MARKED = /[.,\s'’]/u;

const POINT = /[.,]/u;
const MINUS_BEHIND = /^\d[\d.,\s'’]*\d-$/u;

/**
 * With its sign as programs take it: SAP writes `12,50-`, word processors `−3`. Without a decimal mark it may
 * be another thing, such as the mark `2-` of a school.
 */
export function withSignInFront(text: string): string {
  if (text.startsWith("\u2212")) return `-${text.slice(1)}`;
  const isBehind = text.endsWith("-") && POINT.test(text) && MINUS_BEHIND.test(text);
  return isBehind ? `-${text.slice(0, -1)}` : text;
}

/** @param mark the decimal mark in the rest of the column, if it shows one */
export function readNumberText(text: string, mark?: DecimalMark): NumberReading {
  if (!MARKED.test(text)) return { plain: text };
  const spaced = SPACED.exec(text);
  if (spaced !== null) {
    const [, whole = "", , decimals] = spaced;
    const plain = whole.replaceAll(/[\s'’]/gu, "");
    return { plain: decimals === undefined ? plain : `${plain}.${decimals}` };
  }
  if (GROUPED_BOTH.test(text)) {
    const decimal = text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".";
    return { plain: text.replaceAll(otherMark(decimal), "").replace(decimal, ".") };
  }
  if (GROUPED.test(text)) return { plain: text.replaceAll(/[.,]/gu, "") };
  const twofold = TWOFOLD.exec(text)?.[1];
  const decimal = text.replace(",", ".");
  if (twofold === undefined || twofold === mark) return { plain: decimal };
  const thousands = text.replace(twofold, "");
  return mark === undefined ? { twofold: [thousands, decimal] } : { plain: thousands };
}

/** The decimal mark of a text, if there is no doubt. */
function findMark(text: string): DecimalMark | undefined {
  if (TWOFOLD.test(text)) return undefined;
  const spaced = SPACED.exec(text)?.[2];
  if (spaced !== undefined) return spaced as DecimalMark;
  if (GROUPED_BOTH.test(text)) return text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".";
  if (GROUPED.test(text)) return text.includes(",") ? "." : ",";
  return DECIMAL.exec(text)?.[1] as DecimalMark | undefined;
}

/** The decimal mark of each column; none where cells differ or don't show one. */
export class MarkSurvey {
  readonly #found = new Map<number, DecimalMark | "both">();

  add(position: number, written: string): void {
    const text = withSignInFront(written);
    const mark = MARKED.test(text) ? findMark(text) : undefined;
    if (mark === undefined) return;
    const known = this.#found.get(position) ?? mark;
    this.#found.set(position, known === mark ? mark : "both");
  }

  markOf(position: number): DecimalMark | undefined {
    const found = this.#found.get(position);
    return found === "both" ? undefined : found;
  }
}
