/** Where today's sheets differ from those that an older makeready made of the same rows and options. */
import { sha256 } from "../../base/ids/ids.ts";
import { hadEmptyCells, newOnSheets } from "../../print/draw/edition.ts";
import type { CaptionSetting, SheetOptions } from "../../print/sheets.ts";
import { drawingRevision } from "../../qr/draw/revision.ts";
import type { AnewReason } from "../paper/plan-notes.ts";

/** Why they differ. */
export type NewInPrint = Exclude<
  AnewReason,
  "roll-margin" | "paper" | "grid" | "condition" | "back-captions"
>;

/** The changes of prints that came last, in their order: finished sheets may have all others already. */
const latest: readonly NewInPrint[] = ["cells", "accents"];

/** What all records of a PDF are counted for. */
export interface CountedPrint {
  readonly captions: CaptionSetting;
  /** Codes are built as their artwork is, where that differs from their rows. */
  readonly hasMatrix: boolean;
  readonly hasDesigns: boolean;
  /** Before overs. */
  readonly labels: number;
  /** Letters that were left out once: see `openAccents`. */
  readonly hasAccents: boolean;
  /** Hash of how codes are built; undefined where none is built otherwise than its row says. */
  readonly built: string | undefined;
  /** The captions without those letters. */
  readonly olderCaptions: () => Promise<CaptionSetting>;
}

export interface Prints {
  /** The changes that show on the sheets. */
  readonly isNew: readonly NewInPrint[];
  /** Today's fingerprint; equal to that of 0.1.0 where none of the changes shows on them. */
  readonly fingerprint: string;
  /** The same before each of the changes that came last, and what such sheets lack; nothing where they are as today's. */
  readonly earlier: readonly { readonly fingerprint: string; readonly lacks: NewInPrint[] }[];
}

/** Eyes or modules that makeready 0.1.0 drew differently. */
function isRedrawn({ codeStyle }: SheetOptions): boolean {
  if (codeStyle === undefined) return false;
  const { pattern, eyes: eyeStyle } = codeStyle;
  return drawingRevision({ pattern, eyeStyle, hasLogo: false }).length > 0;
}

const countCells = ({ overs = 0 }: SheetOptions, { labels }: CountedPrint): number =>
  labels + overs;

/** `also`: what counted as a change once, and is none. */
async function findNew(
  options: SheetOptions,
  counted: CountedPrint,
  also: readonly NewInPrint[] = [],
): Promise<NewInPrint[]> {
  const { captions, hasMatrix, hasDesigns, hasAccents } = counted;
  return [
    ...(captions.isUneven ? (["captions"] as const) : []),
    ...(captions.isPoster ? (["posters"] as const) : []),
    ...(hasMatrix ? (["matrix"] as const) : []),
    ...(await newOnSheets(options, countCells(options, counted))),
    ...also,
    ...(hasAccents ? (["accents"] as const) : []),
    ...(isRedrawn(options) ? (["shapes"] as const) : []),
    ...(hasDesigns ? (["designs"] as const) : []),
  ];
}

function toFingerprint(
  before: string,
  changes: readonly NewInPrint[],
  { captions, built }: Pick<CountedPrint, "captions" | "built">,
): string {
  const all = [
    ...changes,
    // Once such captions made the others smaller.
    ...(captions.smaller > 0 ? [`captions at ${captions.sizePt} pt`] : []),
    ...(built === undefined ? [] : [built]),
  ];
  return all.length === 0 ? before : sha256(JSON.stringify([before, all]));
}

/**
 * Fingerprints of a PDF today and before the last changes.
 * @param before that which makeready 0.1.0 gave it
 */
export async function comparePrints(
  options: SheetOptions,
  before: string,
  counted: CountedPrint,
): Promise<Prints> {
  const isNew = await findNew(options, counted);
  const older = counted.hasAccents
    ? { ...counted, captions: await counted.olderCaptions(), hasAccents: false }
    : counted;
  const wasNew = counted.hasAccents ? await findNew(options, older) : isNew;
  const earlier = latest.toReversed().map((_, i) => {
    const after = latest.slice(latest.length - 1 - i);
    const had = wasNew.filter((change) => !after.includes(change));
    const lacks = isNew.filter((change) => after.includes(change));
    return { lacks, fingerprint: toFingerprint(before, had, older) };
  });
  const fingerprint = toFingerprint(before, isNew, counted);
  if (isNew.includes("cells") || !hadEmptyCells(options, countCells(options, counted)))
    return { isNew, fingerprint, earlier };
  // Sheets whose spare cells are all filled counted as such with empty ones.
  const had = await findNew(options, older, ["cells"]);
  const lacks = isNew.filter((change) => change === "accents");
  const filled = { lacks, fingerprint: toFingerprint(before, had, older) };
  return { isNew, fingerprint, earlier: [...earlier, filled] };
}
