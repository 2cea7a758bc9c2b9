/**
 * Finished PDFs that the next run makes anew though neither their rows nor their manifest have
 * changed.
 */
import path from "node:path";

import { makeOwnSheet } from "../../print/layout/own-sheet.ts";
import type { SheetOptions } from "../../print/sheets.ts";
import type { State } from "../../state/state.ts";
import type { AnewReason, SheetsAnew } from "../paper/plan-notes.ts";
import {
  type Examined,
  examineSheets,
  hashSettings,
  lacksDrawings,
  withoutDesigns,
} from "../stages/sheet-records.ts";
import type { NewInPrint } from "../stages/prints.ts";
import { recallSettings } from "../stages/sheets.ts";
import { atStart } from "../stages/sheet-start.ts";
import type { Work, WorkJob } from "../stages/work.ts";

interface Finished {
  readonly job: Pick<WorkJob, "kind" | "file" | "output">;
  readonly state: State;
  readonly writer: string;
}

/** The margin that makeready 0.1.0 kept on rolls, too. */
const OLD_MARGIN_MM = 5;

/** Options as makeready 0.1.0 had them, and what differs today. */
interface Older {
  readonly options: SheetOptions;
  readonly reasons: readonly AnewReason[];
}

/** The sheet as it was before rolls had no margin, and press sheets held their marks. */
function olderSheet({ output }: Finished["job"], { sheet }: SheetOptions) {
  const own = output.sheets?.sheet;
  if (own === undefined || typeof own === "string") return undefined;
  try {
    if (sheet.paper !== undefined && output.sheets?.paper === null)
      return { sheet: makeOwnSheet(own), reason: "paper" as const };
    if (own.roll === null || own.margin !== null) return undefined;
    const old = makeOwnSheet({ ...own, margin: OLD_MARGIN_MM });
    const isSame = old.columns === sheet.columns;
    return isSame ? undefined : { sheet: old, reason: "roll-margin" as const };
  } catch {
    // It was refused before.
    return undefined;
  }
}

/** First as in 0.1.0; then with only one of the two changes. */
function toOlders(job: Finished["job"], options: SheetOptions): Older[] {
  const sheets = olderSheet(job, options);
  const defaults = olderDefaults(job, options);
  const own = sheets === undefined ? {} : { sheet: sheets.sheet };
  const reason = sheets === undefined ? [] : [sheets.reason];
  return [
    { options: { ...defaults.options, ...own }, reasons: [...reason, ...defaults.reasons] },
    { options: { ...options, ...own }, reasons: reason },
    defaults,
    // Labels with a back had its texts on their front, too.
    ...(options.captionFrom === undefined
      ? []
      : [{ options: { ...options, captionFrom: undefined }, reasons: ["back-captions" as const] }]),
    // Codes were always printed in plain black once.
    ...(options.print === "designed"
      ? [{ options: withoutDesigns(options), reasons: ["designs" as const] }]
      : []),
  ].filter(({ reasons }) => reasons.length > 0);
}

/** Without today's defaults that 0.1.0 did not have. */
function olderDefaults(job: Finished["job"], options: SheetOptions): Older {
  const { isDefaultDpi, ...rest } = options;
  const hasGrid = isDefaultDpi === true;
  const hasCondition = job.output.sheets?.icc === null && options.icc !== undefined;
  return {
    reasons: [
      ...(hasGrid ? (["grid"] as const) : []),
      ...(hasCondition ? (["condition"] as const) : []),
    ],
    options: {
      ...rest,
      ...(hasGrid ? { deviceDpi: undefined } : {}),
      ...(hasCondition ? { icc: undefined } : {}),
    },
  };
}

/**
 * The options that a finished PDF was printed with, and what differs today; undefined where its
 * rows differ.
 */
export async function findPrinted(
  finished: Finished & { readonly folder: string },
  options: SheetOptions,
  name: string,
): Promise<Older | undefined> {
  const known = finished.state.packaged(`sheets ${name}`);
  if (known === undefined) return undefined;
  for (const older of [{ options, reasons: [] }, ...toOlders(finished.job, options)]) {
    const examined = await examineSheets(finished, older.options, name);
    const missing = findMissing(known.fingerprint, examined);
    if (missing !== undefined) return { ...older, reasons: [...older.reasons, ...missing] };
  }
  return undefined;
}

/** The changes that a PDF lacks; undefined where it was made of something else. */
export function findMissing(
  known: string,
  { before, isNew, fingerprint, earlier }: Examined,
): readonly NewInPrint[] | undefined {
  if (known === fingerprint) return [];
  // PDFs from between then and now have the other changes already.
  const between = earlier.find((then) => then.fingerprint === known);
  return between?.lacks ?? (known === before ? isNew : undefined);
}

interface FoundAnew {
  /** PDFs that an older makeready printed differently, by the reason. */
  readonly older: readonly SheetsAnew[];
  /** PDFs that are made of something else now. */
  readonly changed: readonly string[];
  /** PDFs of which nothing but the hash of the spreadsheet has changed. */
  readonly input: readonly string[];
  /** PDFs that stay as they are. */
  readonly kept: readonly string[];
}

/** Facts about the spreadsheet of the last run. */
type Input = Pick<Work["input"], "name" | "sha256">;

/** True where a PDF is as it was printed, but for the spreadsheet that its slug line names. */
async function isOfInput(
  at: Finished & { readonly folder: string },
  options: SheetOptions,
  { group, input: { name, sha256 } }: { readonly group: string; readonly input: Input },
): Promise<boolean> {
  if (options.slug === undefined) return false;
  const before = { ...options, slug: { ...options.slug, input: name, inputHash: sha256 } };
  return (await findPrinted(at, before, group)) !== undefined;
}

/** True where a PDF is made with other settings now; its rows are compared elsewhere. */
async function hasOtherSettings(
  at: Finished & { readonly folder: string },
  options: SheetOptions,
  name: string,
): Promise<boolean> {
  const known = recallSettings(at.state, name);
  return known !== undefined && known !== (await hashSettings(at, options));
}

/** PDFs that a run makes anew, though no row has changed; `wanted`: those that it makes at all. */
export async function findSheetsAnew(
  finished: Finished & { readonly input: Input; readonly wanted: ReadonlySet<string> },
  options: SheetOptions,
): Promise<FoundAnew> {
  const changed: string[] = [];
  const input: string[] = [];
  const byReason = new Map<string, { reasons: readonly AnewReason[]; files: string[] }>();
  const at = { ...finished, folder: path.resolve(finished.job.output.dir) };
  for (const { name } of finished.state.groups("sheets")) {
    if (!finished.wanted.has(name)) continue;
    const own = await atStart(at, options, name);
    if (lacksDrawings(at, name)) {
      if (await hasOtherSettings(at, own, name)) changed.push(name);
      continue;
    }
    const printed = await findPrinted(at, own, name);
    if (printed === undefined) {
      if (finished.state.packaged(`sheets ${name}`) === undefined) continue;
      const isInput = await isOfInput(at, own, { group: name, input: finished.input });
      (isInput ? input : changed).push(name);
      continue;
    }
    const { reasons } = printed;
    const found = byReason.get(reasons.join()) ?? { reasons, files: [] };
    byReason.set(reasons.join(), found);
    found.files.push(name);
  }
  const all = [...byReason.values()];
  const older = all.filter(({ reasons }) => reasons.length > 0);
  const kept = all.flatMap(({ reasons, files }) => (reasons.length === 0 ? files : []));
  return { older, changed, input, kept };
}
