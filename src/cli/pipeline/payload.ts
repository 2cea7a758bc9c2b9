import { toLinkPayload, toVcardPayload } from "../../api/payload.ts";
import type { Vcard } from "../../api/vcard.ts";
import { AppError } from "../../base/errors.ts";
import type { QrLevel } from "../../qr/tables.ts";
import type { StateRow, Wanted } from "../../state/row.ts";

/** What a static code holds. */
function toStaticPayload(wanted: Wanted): string {
  if (wanted.vcard !== null) return toVcardPayload(wanted.vcard as Vcard);
  const data = wanted.qrData ?? "";
  return wanted.type === "Link" ? toLinkPayload(data) : data;
}

/** What the code of a finished row must say when it is scanned. */
export function toPayload(row: StateRow): string {
  if (row.shortLink !== null) return row.shortLink;
  const wanted = row.made ?? row.wanted;
  if (!wanted.dynamic) return toStaticPayload(wanted);
  throw new AppError("answer-unusable", `row ${row.key}: a dynamic code must have a short link`);
}

/** The error correction that a row's design asks for; `Q` by default, `H` with a logo (api-v2.md 2.2). */
export function toLevel(wanted: {
  readonly design: { readonly error_correction?: unknown; readonly logo_url?: unknown };
}): QrLevel {
  const { error_correction: level, logo_url: logo } = wanted.design;
  if (level === "L" || level === "M" || level === "Q" || level === "H") return level;
  return logo === undefined ? "Q" : "H";
}
