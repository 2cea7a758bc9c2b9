/**
 * What counters on finished labels show, for those that take their place: labels that are printed
 * again, and fresh serials (docs/labels.md).
 */
import { existsSync } from "node:fs";
import path from "node:path";

import { toJobIdentity } from "../../base/shapes/job-identity.ts";
import { toRound } from "../../plan/wish.ts";
import {
  type FinishedCounts,
  type LyingCode,
  LyingLabels,
} from "../../print/draw/finished-counts.ts";
import { countOvers } from "../../print/layout/repeat-records.ts";
import { makeSheetJob, type SheetOptions, type SheetRecord } from "../../print/sheet-job.ts";
import { LEDGER_FILE, readReplacements, type Replacement } from "../../read/rows/serial-ledger.ts";
import type { StateRow } from "../../state/row.ts";
import { toPlaceText, type UnitPlace } from "../../state/unit-ledger.ts";
import type { LabelNumbers } from "../stages/sheet-records.ts";
import { atStart } from "../stages/sheet-start.ts";
import type { Work } from "../stages/work.ts";

type Counts = NonNullable<SheetRecord["counts"]>;

export const hasCounters = ({ label, back }: SheetOptions): boolean =>
  [label, back?.label].some((art) =>
    art?.items.some((item) => item.kind === "text" && item.source.of === "counter"),
  );

/** The labels of one row, as they are on paper. */
export interface RowNumbers {
  /** In the order of copies; overs come last. */
  readonly counts: Counts;
  /** Which of them lies there, from 0. */
  readonly copyAt: (place: UnitPlace) => number | undefined;
}

/** The labels of one PDF. */
export interface FinishedNumbers extends Pick<
  FinishedCounts,
  "isInOrder" | "labels" | "rows" | "sheets"
> {
  /** Of the rows that were asked for, by key. */
  readonly byKey: ReadonlyMap<string, RowNumbers>;
}

function toRowNumbers(counts: Counts, labels: StateRow["labels"], found: FinishedCounts) {
  const cells = new Map<string, LyingCode>(labels.map((cell) => [toPlaceText(cell), cell]));
  const copyAt = (place: UnitPlace): number | undefined => {
    const cell = cells.get(toPlaceText(place));
    const label = cell === undefined ? undefined : found.labelAt(cell);
    const copy = counts.findIndex((one) => one.label === label);
    return copy < 0 ? undefined : copy;
  };
  return { counts, copyAt } satisfies RowNumbers;
}

/**
 * The numbers of a finished PDF, by where its labels lie. Undefined where they don't lie as `options`
 * lay them.
 */
export function readNumbers(
  { state }: Pick<Work, "state">,
  group: string,
  {
    options,
    wants,
  }: { readonly options: SheetOptions; readonly wants: (row: StateRow) => boolean },
): FinishedNumbers | undefined {
  const lying = new LyingLabels(makeSheetJob(options));
  const wanted: { readonly at: number; readonly row: StateRow }[] = [];
  let at = 0;
  for (const row of state.labelRows(group)) {
    lying.add(row.labels);
    if (wants(row)) wanted.push({ at, row });
    at += 1;
  }
  const found = lying.finish();
  if (found === undefined) return undefined;
  const { isInOrder, labels, rows, sheets } = found;
  const byKey = new Map(
    wanted.map(({ at: nth, row }) => [row.key, toRowNumbers(found.of(nth), row.labels, found)]),
  );
  return { isInOrder, labels, rows, sheets, byKey };
}

/** Fresh serials of a job; none without a ledger. Looks only. */
export function readReplaced({ job }: Pick<Work, "job">, dataDir: string): readonly Replacement[] {
  if (!existsSync(path.join(dataDir, LEDGER_FILE))) return [];
  const identity = toJobIdentity({ job: job.name, dir: job.output.dir, dataDir });
  return readReplacements(dataDir, identity);
}

/** Serial -> the first serial of its row, through all that took its place. */
function rootsOf(known: readonly Replacement[]): (serial: string) => string {
  const before = new Map(known.map(({ serial, replaced }) => [serial, replaced]));
  return (serial) => {
    let root = serial;
    for (let next = before.get(root); next !== undefined; next = before.get(root)) root = next;
    return root;
  };
}

const serialOf = ({ cells }: Pick<StateRow, "cells">): string => cells["serial"] ?? "";

interface Roots {
  /** First serial -> what its labels show. */
  readonly numbers: ReadonlyMap<string, Counts>;
  /** Of the largest PDF whose place the fresh ones take. */
  readonly last: Pick<FinishedCounts, "labels" | "rows" | "sheets">;
}

/** What the labels show that these serials had first. */
async function readRootNumbers(
  work: Pick<Work, "state" | "job">,
  common: SheetOptions,
  { base, serials }: { readonly base: string; readonly serials: ReadonlySet<string> },
): Promise<Roots> {
  const { state } = work;
  const groups = new Set([base]);
  for (const row of state.rows()) {
    if (serials.has(serialOf(row)) && row.placing.sheets !== null) groups.add(row.placing.sheets);
  }
  const numbers = new Map<string, Counts>();
  let last: Roots["last"] = { labels: 0, rows: 0, sheets: 0 };
  for (const group of groups) {
    const serialBy = new Map<string, string>();
    const wants = (row: StateRow): boolean => {
      serialBy.set(row.key, serialOf(row));
      return serials.has(serialOf(row));
    };
    const options = await atStart(work, common, group);
    const found = readNumbers(work, group, { options, wants });
    if (found === undefined) continue;
    if (found.labels > last.labels) last = found;
    for (const [key, { counts }] of found.byKey) numbers.set(serialBy.get(key) ?? "", counts);
  }
  return { numbers, last };
}

/** PDFs of fresh serials that take the place of labels of `base`, in the order of their rounds. */
const roundsOf = ({ state }: Pick<Work, "state">, base: string): string[] =>
  state
    .groups("sheets")
    .flatMap(({ name }) => {
      const found = toRound(name);
      return found?.base === base ? [{ name, round: found.round }] : [];
    })
    .toSorted((a, b) => a.round - b.round)
    .map(({ name }) => name);

/**
 * A fresh serial shows the numbers of the label whose place it takes. Labels that the void serial did
 * not have, such as overs, go on after the last of its PDF. Undefined for other PDFs.
 */
export async function readStandIns(
  work: Pick<Work, "state" | "job">,
  group: string,
  {
    common,
    replaced,
  }: { readonly common: SheetOptions; readonly replaced: readonly Replacement[] },
): Promise<LabelNumbers | undefined> {
  const base = toRound(group)?.base;
  // A PDF of other rows may have such a name.
  if (base === undefined || replaced.length === 0 || !hasCounters(common)) return undefined;
  const rootOf = rootsOf(replaced);
  const { repeats } = makeSheetJob(common);
  const rounds = roundsOf(work, base).map((name) => ({
    name,
    rows: [...work.state.sheetRows(name, ["key", "cells", "placing"])],
  }));
  const serials = new Set(rounds.flatMap(({ rows }) => rows.map((row) => rootOf(serialOf(row)))));
  const { numbers, last } = await readRootNumbers(work, common, { base, serials });
  const found = new Map<string, Counts>();
  const next = { label: last.labels, row: last.rows };
  for (const { rows } of rounds) {
    let overs = countOvers(rows.length, repeats);
    for (const row of rows) {
      const known = numbers.get(rootOf(serialOf(row))) ?? [];
      const labels = (row.placing.copies ?? repeats.copies) + Number(overs > 0);
      overs -= 1;
      const [{ row: of, sheet } = { row: next.row, sheet: last.sheets }] = known;
      if (known.length === 0) next.row += 1;
      const counts = Array.from({ length: labels }, (_, copy) => {
        const own = known[copy] ?? { label: next.label, row: of, copy, sheet };
        if (known[copy] === undefined) next.label += 1;
        return own;
      });
      found.set(row.key, counts);
    }
  }
  return found;
}
