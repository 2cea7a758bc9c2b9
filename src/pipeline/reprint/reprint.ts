/** Spoiled sheets and lost labels, printed once more: the same bytes of every label, proven again. */
import { statSync } from "node:fs";
import path from "node:path";

import { AppError, badUsage, type Problem } from "../../base/errors.ts";
import { showRanges } from "../../base/text/number-ranges.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { type SheetOptions, type SheetRecord, writeSheets } from "../../print/sheets.ts";
import type { UnitEvent } from "../../state/unit-ledger.ts";
import { proveSheets } from "../../verify/proof/prove-sheets.ts";
import { isCutShort, refuseCutShort, toCutShort } from "../standing/last-result.ts";
import { areLinksToCome } from "../address/link-origins.ts";
import type { Ports } from "../ports.ts";
import {
  countKeys,
  findMovedLines,
  pickLabels,
  type LabelWish,
  type MaybeCutShort,
} from "./reprint-labels.ts";
import { findFrom, findSheetFiles, type FromPdf } from "./reprint-from.ts";
import { nameCopies, numberLabels, numberSheets } from "./reprint-numbers.ts";
import { BRIEFLY_MS } from "../units/find-deleted.ts";
import { findDead, refuseDead, tellVoid, withDead } from "./dead-labels.ts";
import { addUp, NOTHING, type Reprint } from "./reprint-result.ts";
import { keepReprint, toReprintFile } from "./reprints.ts";
import { rememberPublicUrl } from "../address/public-address.ts";
import { checkAgain } from "../rows/server-address.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
import { findMissing, findPrinted } from "../files/sheets-anew.ts";
import { atStart, rememberReprint } from "../stages/sheet-start.ts";
import {
  type Examined,
  examineSheets,
  type LabelNumbers,
  toRecords,
} from "../stages/sheet-records.ts";
import { readSheetGroups } from "../stages/sheets.ts";
import type { SheetGroup } from "../stages/stage.ts";
import { labelsOf } from "../units/choose-units.ts";
import { readVoid } from "../units/mark-units.ts";
import { refuseReprint, withUnits, type UnitOrder, type UnitWork } from "../units/unit-job.ts";
import type { Work } from "../stages/work.ts";

/** Labels by line and key fill new sheets. */
export interface ReprintOptions extends LabelWish {
  /** Sheets of the PDF, from 1, as their slugs have them; they lie as they lay. */
  readonly sheets?: ReadonlySet<number> | undefined;
  /** First cell of the first new sheet. */
  readonly start?: number | undefined;
  /**
   * Name of a PDF of the job, or of one volume of it: only what lies there is printed. Sheets need it
   * where the job has several PDFs, labels are found in any.
   */
  readonly from?: string | undefined;
  /** Absolute; default: beside the PDF, its name with `-reprint`, from the second on `-reprint-2` and so on. */
  readonly file?: string | undefined;
  /** Who prints them, for the ledger. Default: no name. */
  readonly by?: string | undefined;
}

/** What is printed again, and why. */
interface Asked extends ReprintOptions, MaybeCutShort {
  /** Labels that the new ones take the place of. */
  readonly spoiled?: readonly UnitEvent[] | undefined;
}

/** One PDF that is written. */
interface Wanted {
  readonly group: SheetGroup;
  readonly options: SheetOptions;
  /** Captions and codes are those of the whole PDF, whichever labels are printed again. */
  readonly whole: Examined;
  /** Of the labels; undefined: all of the PDF's. */
  readonly keys: ReadonlyMap<string, number> | undefined;
  /** What counters on them show; undefined where labels have none. */
  readonly numbers: LabelNumbers | undefined;
}

/** A finished PDF as it was printed, even by an older makeready with another layout. */
async function examine(
  work: Work,
  common: SheetOptions,
  { name }: SheetGroup,
  told?: ReadonlySet<string>,
): Promise<Examined> {
  const own = await atStart(work, common, name);
  const printed = await findPrinted(work, own, name);
  return examineSheets(work, printed?.options ?? own, name, told);
}

/** Whole sheets, as they lay. */
async function wantSheets(
  work: UnitWork,
  common: SheetOptions,
  from: FromPdf,
  sheets: ReadonlySet<number>,
): Promise<Wanted> {
  const { group } = from;
  const whole = await examine(work, common, group);
  const files = findSheetFiles(sheets, from, whole.options.back === undefined ? 1 : 2);
  const { rows: count, labels } = work.state
    .groups("sheets")
    .find(({ name }) => name === group.name) ?? { rows: 0, labels: null };
  work.on({ type: "reprint", from: files.join(", "), sheets: [...sheets], labels: [] });
  const options = { ...whole.options, count, labels: labels ?? undefined };
  const numbers = await numberSheets(work, { group, whole, sheets });
  return { group, whole, options, keys: undefined, numbers };
}

/** Single labels, each PDF's on sheets of their own. */
async function wantLabels(
  work: UnitWork,
  common: SheetOptions,
  groups: readonly SheetGroup[],
  { start = 1, file, spoiled = [], ...wish }: Asked & Pick<FromPdf, "volume">,
): Promise<Wanted[]> {
  const picked = pickLabels(work, groups, wish);
  const names = picked.map(({ group }) => group.name).join(", ");
  if (picked.length > 1 && (file !== undefined || start !== 1)) {
    throw badUsage(
      `${file === undefined ? "--start" : "--out"} must be given with labels of one PDF, got labels of ${names}`,
      "name labels of one PDF only (sheets reprint: by --from); without it, each PDF gets a reprint of its own",
    );
  }
  if (wish.lines !== undefined) {
    for (const problem of await findMovedLines(work)) work.on({ type: "warning", problem });
  }
  const order = common.order === "columns" ? "columns" : "rows";
  const once = { copies: 1, overs: 0, spares: 0, reverse: false, order, start } as const;
  const wanted: Wanted[] = [];
  for (const { group, labels, places } of picked) {
    const keys = countKeys(labels.map(({ key }) => key));
    const whole = await examine(work, common, group, new Set(keys.keys()));
    const at = { group, whole, keys, spoiled, places };
    const numbered = await numberLabels(work, at);
    const numbers = numbered?.numbers;
    const named = nameCopies(labels, numbered);
    work.on({ type: "reprint", from: group.name, sheets: null, labels: named });
    const options = { ...whole.options, ...once, count: keys.size, labels: labels.length };
    wanted.push({ group, whole, options, keys, numbers });
  }
  return wanted;
}

/** The existing labels were printed by an older makeready, or from other data than today's. */
function findOther(
  { state }: Work,
  { whole, group: { name } }: Wanted,
  { cutShort }: MaybeCutShort,
): PressWarning[] {
  const known = state.packaged(`sheets ${name}`)?.fingerprint;
  if (known === undefined) return [];
  const other = { count: 0, rows: [], what: [name] };
  const missing = findMissing(known, whole);
  if (missing !== undefined) {
    // Labels look the same where only cells without a label differ.
    const what = missing.filter((change) => change !== "cells");
    return what.length === 0 ? [] : [{ ...other, code: "labels-differ", what }];
  }
  return [{ ...other, code: cutShort === undefined ? "labels-changed" : "labels-cut-short" }];
}

function* readRecords(work: Work, wanted: Wanted): Iterable<SheetRecord> {
  const { group, whole, keys, numbers } = wanted;
  const { drawn, looks } = whole;
  const { artwork } = whole.options;
  for (const record of toRecords(work, group.name, { artwork, drawn, looks, numbers })) {
    if (keys === undefined) yield record;
    else if (keys.has(record.key)) yield { ...record, copies: keys.get(record.key) };
  }
}

async function writeWanted(
  work: Work,
  wanted: Wanted,
  { file: given, sheets, start, cutShort }: Asked,
): Promise<Reprint> {
  const { group, whole, options, keys: copies } = wanted;
  const file = given ?? (await toReprintFile(work, group.name));
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) {
    const message = `${path.basename(file)} was there already and is replaced`;
    const hint = "another name with --out keeps both";
    work.on({ type: "warning", problem: { message, hint } });
  }
  const records = { [Symbol.iterator]: () => readRecords(work, wanted)[Symbol.iterator]() };
  const { captions } = whole;
  const written = await writeSheets(options, records, file, {
    only: sheets,
    captions,
    signal: work.signal,
  });
  await keepReprint(work, options, written);
  const nextCell = start === undefined ? undefined : await rememberReprint(work, options);
  const { volumes, cells, press } = written;
  const { prover } = work;
  const isPart = sheets !== undefined;
  const proof = await proveSheets({ options, volumes, cells, copies, isPart, prover });
  return {
    files: volumes.map((volume) => volume.file),
    labels: volumes.reduce((sum, { labels }) => sum + labels, 0),
    codes: proof.codes,
    decoded: proof.decoded,
    symbols: proof.symbols,
    pages: proof.pages,
    isReady: proof.readyForPress,
    isRehearsal: work.isRehearsal,
    ...(nextCell !== undefined && { nextCell }),
    warnings: [...findOther(work, wanted, { cutShort }), ...whole.press, ...press],
    findings: proof.findings.map(({ rule, message }) => ({ rule, message })),
  };
}

/** @param check called before anything is written */
async function reprintJob(
  work: UnitWork,
  request: Asked,
  check: () => Promise<void>,
): Promise<Reprint> {
  const common = await makeSheetOptions(work.job, work);
  const groups = readSheetGroups(work);
  if (groups.length === 0) throw badUsage("the job must have sheets, got none");
  if (common === undefined) throw new AppError("bug", "a job with PDFs must want sheets");
  const { sheets, from } = request;
  const meant = sheets === undefined && from === undefined ? undefined : findFrom(groups, from);
  const wanted =
    sheets === undefined || meant === undefined
      ? await wantLabels(work, common, meant === undefined ? groups : [meant.group], {
          ...request,
          volume: meant?.volume,
        })
      : [await wantSheets(work, common, meant, sheets)];
  await check();
  let made = NOTHING;
  for (const one of wanted) made = addUp(made, await writeWanted(work, one, request));
  return made;
}

/** Keys of the labels that were printed again, one for each label. */
function* keysAgain(
  work: Work,
  { sheets, from }: ReprintOptions,
  picked: readonly string[],
): Iterable<string> {
  if (sheets === undefined) return yield* picked;
  const { group, volume } = findFrom(readSheetGroups(work), from);
  for (const row of work.state.sheetRows(group.name, ["key", "labels"])) {
    for (const { sheet, file } of labelsOf(row))
      if (sheets.has(sheet) && file === (volume ?? file)) yield row.key;
  }
}

/** What the ledger of printed codes also notes. */
interface Noting extends Pick<Asked, "cutShort" | "spoiled"> {
  readonly by: { readonly atMs: number; readonly who: string };
}

/** Throws `confirm-needed` where the codes of labels have another address now than they were printed with. */
export const checkPrinted = (
  { job, server }: UnitOrder,
  { state }: Pick<Work, "state">,
  ports: Ports,
): Promise<void> =>
  checkAgain(job, rememberPublicUrl(server, state), { ports, state, withinMs: BRIEFLY_MS });

/**
 * Warns where the last run did not end: labels may lack, or look different. Throws `bad-usage`
 * where no label is left to be named.
 */
export function tellCutShort(
  step: "sheets reprint" | "replace",
  work: Work,
  ports: Ports,
): Problem | undefined {
  if (!isCutShort(work.state)) return undefined;
  if (readSheetGroups(work).length === 0 || areLinksToCome(work.state))
    refuseCutShort(step, work.state, ports);
  const problem = toCutShort(work.state, ports);
  work.on({ type: "warning", problem });
  return problem;
}

/**
 * Prints again, then notes in the ledger what was spoiled and what was printed, in one commit. Throws
 * `bad-usage` for a named label whose code is void or gone.
 */
export async function reprintWork(
  work: UnitWork,
  { by, ...request }: Omit<ReprintOptions, "by"> & Noting,
  { order, ports }: { readonly order: UnitOrder; readonly ports: Ports },
): Promise<Reprint> {
  const { spoiled = [] } = request;
  const picked: string[] = [];
  const on: Work["on"] = (event) => {
    if (event.type === "reprint") {
      const keys = event.labels.map(({ key }) => key);
      tellVoid(work, request, request.sheets === undefined ? keys : keysAgain(work, request, []));
      picked.push(...keys);
    }
    work.on(event);
  };
  let dead: readonly string[] = [];
  const printed = await reprintJob({ ...work, on }, request, async () => {
    const { state } = work;
    const voided = readVoid(work);
    const living = [...keysAgain(work, request, picked)].filter((key) => !voided.has(key));
    dead = await findDead(order, new Set(living), { state, ports });
    if (request.sheets === undefined) refuseDead(dead, ports);
  });
  const made = withDead(printed, dead);
  const reason = made.files.map((file) => path.basename(file)).join(", ");
  const again = [...keysAgain(work, request, picked)].map((unit) => ({
    unit,
    what: "reprinted" as const,
    reason,
  }));
  work.units.note(work.owner, [...spoiled, ...again], by);
  return made;
}

/** Lines of the sheets' codes that are not void yet, as `--lines` takes them. */
function findLines(work: UnitWork, { sheets, from }: ReprintOptions): string {
  const keys = new Set(keysAgain(work, { sheets, from }, []));
  if (keys.size === 0) {
    const { group, volume = group.name } = findFrom(readSheetGroups(work), from);
    throw badUsage(`--sheets must be sheets of ${volume}, got ${showRanges(sheets ?? [])}`);
  }
  const voided = readVoid(work);
  const lines = [...keys].flatMap((key) =>
    voided.has(key) ? [] : (work.state.row(key)?.line ?? []),
  );
  return showRanges(lines.toSorted((a, b) => a - b)).replaceAll(", ", ",");
}

/** Refuses where the job forbids it, and says what to do with these labels instead. */
function refuseAgain(
  order: UnitOrder,
  { commandOf }: Pick<Ports, "commandOf">,
  readLines: () => string | undefined,
): void {
  const policy = order.job.output.sheets?.reprint ?? "same";
  if (policy === "same") return;
  const lines = readLines();
  const more = lines === undefined ? [] : ["--lines", lines];
  const hint =
    policy === "new"
      ? `fresh serials in their place: ${commandOf("replace", { without: ["start"], more })}`
      : `to take them out of use: ${commandOf("void", { more })}`;
  refuseReprint(
    order,
    lines === "" ? "their codes are void already: throw these labels away" : hint,
  );
}

/** Prints again. Throws `bad-usage` for what isn't there, `job-locked` while the job runs. */
export const reprint = (
  order: UnitOrder,
  { by = "", ...request }: ReprintOptions,
  ports: Ports,
): Promise<Reprint> => {
  const { sheets } = request;
  if (sheets === undefined) refuseAgain(order, ports, () => undefined);
  return withUnits(order, ports, async (work) => {
    await checkPrinted(order, work, ports);
    const cutShort = tellCutShort("sheets reprint", work, ports);
    if (sheets !== undefined) refuseAgain(order, ports, () => findLines(work, request));
    const noted = { ...request, cutShort, by: { atMs: ports.clock.nowMs(), who: by } };
    return reprintWork(work, noted, { order, ports });
  });
};
