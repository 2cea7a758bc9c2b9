import { hasLogo, toLevel } from "../api/design.ts";
import { toStaticPayload } from "../api/payload.ts";
import { AppError, type LabelProblem, type Problem } from "../base/errors.ts";
import { LEAST_LOGO_VERSION, planLogo } from "../qr/draw/logo-budget.ts";
import { codeBits, encodeQr, fitQr, maxBytes } from "../qr/encode/encode.ts";
import type { QrLevel } from "../qr/encode/tables.ts";
import type { Wanted } from "../state/row.ts";
import { SAMPLE_ORIGIN } from "./link-path.ts";

/** Bits that a text beyond ASCII needs for its declaration, in whole bytes. */
const ECI_BYTES = 2;

/**
 * Calls `fits` for the code of a static row, whose size is known before it is made. Dynamic codes
 * hold short links, all of one size.
 */
export function findMisfit(
  wanted: Wanted,
  fits: (version: number) => Problem | undefined,
): LabelProblem[] {
  if (wanted.dynamic || wanted.type === "GS1") return [];
  const { version } = encodeQr(toStaticPayload(wanted), { level: toLevel(wanted) });
  const problem = fits(version);
  return problem === undefined ? [] : [{ ...problem, isByLabel: true }];
}

/** Why no code can hold what a static row wants; empty when one can. A short link always fits. */
export function findOverflow(wanted: Wanted): Problem[] {
  if (wanted.dynamic || wanted.type === "GS1") return [];
  const text = toStaticPayload(wanted);
  const level = toLevel(wanted);
  const bytes = Buffer.byteLength(text);
  if (text.isWellFormed() && bytes <= maxBytes(level) - ECI_BYTES) return [];
  try {
    encodeQr(text, { level });
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "input") throw error;
    return [{ message: error.message, hint: error.hint }];
  }
}

/** level -> bytes that version 9 holds: a text of ASCII up to this length needs at most 12 bits, and 8 for each letter. */
const SHORT: Readonly<Record<QrLevel, number>> = { L: 230, M: 180, Q: 130, H: 98 };

/** Of the text that others were last compared with: a group's is the same for most of its rows. */
let last: { readonly text: string; readonly level: QrLevel; readonly bits: number } = {
  text: "",
  level: "L",
  bits: 0,
};

/**
 * Of two texts, the one that needs the larger code at this level; the first where both need the same.
 * Levels differ only in texts beyond version 9.
 */
export function toLarger(text: string, other: string, level: QrLevel = "L"): string {
  if (text === other) return text;
  if (last.text !== text || last.level !== level)
    last = { text, level, bits: codeBits(text, level) };
  const { length } = other;
  const isShort = length <= SHORT[level] && Buffer.byteLength(other) === length;
  if (isShort && 12 + 8 * length <= last.bits) return text;
  return codeBits(other, level) > last.bits ? other : text;
}

/** The same of paths, which stand behind an address. */
export const toLargerPath = (path: string, other: string, level?: QrLevel): string =>
  toLarger(`${SAMPLE_ORIGIN}${path}`, `${SAMPLE_ORIGIN}${other}`, level).slice(
    SAMPLE_ORIGIN.length,
  );

/**
 * True for a static row whose text needs a code with an alignment pattern in its middle, where its logo would
 * be: it gets the next larger one that has room (docs/spec/qr.md section 5).
 */
export function growsForLogo(wanted: Wanted): boolean {
  if (wanted.dynamic || wanted.type === "GS1" || !hasLogo(wanted.design)) return false;
  const level = toLevel(wanted);
  const fit = fitQr(toStaticPayload(wanted), level);
  if (fit === undefined) return false;
  const isRound = wanted.design["logo_round"] === true;
  const version = Math.max(LEAST_LOGO_VERSION, fit.version);
  return planLogo(version, level, { aspect: 1, isRound }) === undefined;
}
