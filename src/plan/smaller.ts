/**
 * New codes that are stronger or smaller for nothing: more error correction where the code is no larger for
 * it, and, where a job asks for it, texts that mean the same and need fewer modules. Codes that exist keep
 * what they were made with. Pure (docs/designs.md, Stronger and smaller codes).
 */
import { hasLogo, type LookFields } from "../api/design.ts";
import { toCapitals, toStaticPayload } from "../api/payload.ts";
import { AppError } from "../base/errors.ts";
import type { JobCode } from "../job/job.ts";
import { fitQr } from "../qr/encode/encode.ts";
import type { QrLevel } from "../qr/encode/tables.ts";
import type { KnownRow, Wanted } from "../state/row.ts";

/**
 * The level where none is set: the API's default, or the next lower one where codes are to be
 * small.
 */
const BASE_LEVEL: QrLevel = "Q";
const COMPACT_LEVEL: QrLevel = "M";

/** A template may bring a level, and a logo wants the highest. */
const isOpen = ({ design }: { readonly design: LookFields }): boolean =>
  design["error_correction"] === undefined && design["template"] === undefined && !hasLogo(design);

const isStatic = ({ dynamic, type }: Wanted): boolean => !dynamic && type !== "GS1";

function fitText(text: string, level: QrLevel): ReturnType<typeof fitQr> {
  try {
    return text === "" ? undefined : fitQr(text, level);
  } catch (error) {
    // The check of the row reports a text that can't be encoded.
    if (error instanceof AppError && error.kind === "input") return undefined;
    throw error;
  }
}

/** The level that a code gets where none is set; undefined where the API's default stays. */
function toFreeLevel(wanted: Wanted, isCompact: boolean): QrLevel | undefined {
  if (!isOpen(wanted)) return undefined;
  const base = isCompact ? COMPACT_LEVEL : BASE_LEVEL;
  const level = isStatic(wanted) ? fitText(toStaticPayload(wanted), base)?.level : base;
  return level === BASE_LEVEL ? undefined : level;
}

/** The design that codes of a job are planned with before their rows are looked at. */
export function toExpectedDesign<Fields extends LookFields>(
  design: Fields,
  isCompact: boolean,
): Fields & LookFields {
  if (!isCompact || !isOpen({ design })) return design;
  return { ...design, error_correction: COMPACT_LEVEL };
}

const withLevel = (wanted: Wanted, level: unknown): Wanted =>
  typeof level === "string"
    ? { ...wanted, design: { ...wanted.design, error_correction: level } }
    : wanted;

/** A link with scheme and host in capitals, where its code is smaller for it. */
function toSmallerLink(wanted: Wanted, level: QrLevel): Wanted {
  const { qrData } = wanted;
  if (wanted.type !== "Link" || !isStatic(wanted) || qrData === null) return wanted;
  const [as, capital] = [wanted, { ...wanted, qrData: toCapitals(qrData) }];
  const [is, would] = [as, capital].map((wish) => fitText(toStaticPayload(wish), level)?.version);
  return is !== undefined && would !== undefined && would < is ? capital : wanted;
}

/** A contact without what no phone needs. */
function toLeanContact(wanted: Wanted): Wanted {
  const { vcard } = wanted;
  if (vcard === null || !isStatic(wanted)) return wanted;
  return { ...wanted, vcard: { ...vcard, version: "lean" } };
}

const toLevelOf = (wanted: Wanted): QrLevel => {
  const level = wanted.design["error_correction"];
  return level === "L" || level === "M" || level === "Q" || level === "H" ? level : COMPACT_LEVEL;
};

/** The wish of a row without a code: what it is made with. */
function toNew(wanted: Wanted, isCompact: boolean): Wanted {
  const small = isCompact ? toLeanContact(toSmallerLink(wanted, toLevelOf(wanted))) : wanted;
  return withLevel(small, toFreeLevel(small, isCompact));
}

/** The wish of a row with a code, with what the code was made with. */
function toMade(wanted: Wanted, made: Wanted, isCompact: boolean): Wanted {
  const { type, qrData, vcard } = wanted;
  const isLink = type === "Link" && qrData !== null;
  const isCapital = isLink && made.qrData === toCapitals(qrData);
  const version = made.vcard?.["version"];
  const kept: Wanted = {
    ...wanted,
    qrData: isCapital ? made.qrData : qrData,
    vcard: vcard !== null && version === "lean" ? { ...vcard, version } : vcard,
  };
  // It has the API's default, and so it was printed.
  if (isOpen(made)) return kept;
  // Without a design, a code is as one that was made without it.
  const rules = isCompact ? [false, true] : [false];
  const levels = rules.map((rule) => toFreeLevel(kept, rule));
  const level = levels.find((free) => free === made.design["error_correction"]);
  return withLevel(kept, level ?? levels.at(-1));
}

/**
 * `wanted` with the level and the spelling that its code has or gets. A code that exists keeps what
 * it was made with: no rule of a later version changes it.
 */
export function toSpared(
  wanted: Wanted,
  { isCompact, known }: { readonly isCompact: boolean; readonly known: KnownRow | undefined },
): Wanted {
  if (known === undefined || known.state === "pending" || known.state === "failed")
    return toNew(wanted, isCompact);
  return known.made === null ? wanted : toMade(wanted, known.made, isCompact);
}

/** True where more error correction than the API's default costs nothing and was taken. */
export const isStronger = (asked: Pick<JobCode, "design">, wanted: Wanted): boolean =>
  isOpen({ design: { ...asked.design } }) && wanted.design["error_correction"] === "H";
