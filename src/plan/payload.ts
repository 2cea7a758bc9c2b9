import { toLinkPayload, toVcardPayload } from "../api/payload.ts";
import type { Vcard } from "../api/vcard.ts";
import { AppError, type Problem } from "../base/errors.ts";
import { encodeQr, maxBytes, type QrLevel } from "../qr/encode/encode.ts";
import type { Wanted } from "../state/row.ts";

/** Bits that a text beyond ASCII needs for its declaration, in whole bytes. */
const ECI_BYTES = 2;

/** What a static code holds. */
export function toStaticPayload(
  wanted: Pick<Wanted, "type" | "vcard"> & { readonly qrData: string | null },
): string {
  if (wanted.vcard !== null) return toVcardPayload(wanted.vcard as Vcard);
  const data = wanted.qrData ?? "";
  return wanted.type === "Link" ? toLinkPayload(data) : data;
}

/**
 * The error correction that a row's design asks for; `Q` by default, `H` with a logo
 * (docs/spec/api.md section 2.2).
 */
export function toLevel(wanted: {
  readonly design: { readonly error_correction?: unknown; readonly logo_url?: unknown };
}): QrLevel {
  const { error_correction: level, logo_url: logo } = wanted.design;
  if (level === "L" || level === "M" || level === "Q" || level === "H") return level;
  return logo === undefined ? "Q" : "H";
}

/**
 * What `fits` says of the code of a static row, whose size is known before it is made. A dynamic
 * code holds a short link, the same size for all.
 */
export function findMisfit(
  wanted: Wanted,
  fits: (version: number) => Problem | undefined,
): Problem[] {
  if (wanted.dynamic || wanted.type === "GS1") return [];
  const { version } = encodeQr(toStaticPayload(wanted), { level: toLevel(wanted) });
  const problem = fits(version);
  return problem === undefined ? [] : [problem];
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
