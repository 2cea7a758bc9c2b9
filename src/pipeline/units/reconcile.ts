/**
 * Every record of a job's codes held against the others, and every label accounted for: rows,
 * replacements, overs, spares and reprints = good, spoiled and void ones (docs/ledger.md).
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";

import { hashFile } from "../../base/hash-file.ts";
import { writeEpcis } from "../../pack/epcis.ts";
import { readMapCells } from "../../pack/sheet-map-cells.ts";
import { writeUnitsCsv } from "../../pack/units-csv.ts";
import { countOvers } from "../../print/layout/repeat-records.ts";
import type { Ports } from "../ports.ts";
import { readSheetGroups } from "../stages/sheets.ts";
import { toEpcisEvents } from "./epcis-events.ts";
import {
  countFate,
  gatherUnits,
  hashOf,
  toUnitLine,
  type Gathered,
  type Unit,
} from "./gather-units.ts";
import { withUnits, type UnitOrder, type UnitWork } from "./unit-job.ts";

/** Labels on paper by where they come from. */
export interface IssuedLabels {
  /** Of the rows, with their copies. */
  readonly rows: number;
  /** The same of rows that took the place of void ones. */
  readonly replacements: number;
  readonly overs: number;
  /** Codes in spare cells. */
  readonly spares: number;
  readonly reprinted: number;
}

/** The same labels by what became of them. */
export interface LabelFates {
  readonly good: number;
  readonly spoiled: number;
  readonly void: number;
}

export interface Discrepancy {
  readonly what: string;
  readonly count: number;
  /** The first of them. */
  readonly examples: readonly string[];
}

export interface Reconciliation {
  readonly job: string;
  /** Codes of the job today: minted; of these void, replaced, activated. */
  readonly codes: {
    readonly minted: number;
    readonly void: number;
    readonly replaced: number;
    readonly activated: number;
  };
  readonly issued: IssuedLabels;
  readonly fates: LabelFates;
  /** Scans of void codes; undefined where the service does not count them. */
  readonly voidScans: number | undefined;
  /** What does not fit; empty when every code and label is accounted for. */
  readonly discrepancies: readonly Discrepancy[];
  readonly isReconciled: boolean;
  /** `units.csv` and `epcis.json`, absolute; no EPCIS where no code has a name in it. */
  readonly files: readonly string[];
  /** Printed codes that `epcis.json` has, and those that it has no name for. */
  readonly epcis: { readonly named: number; readonly nameless: number };
}

const EXAMPLES = 5;
export const UNITS = "units.csv";
export const EPCIS = "epcis.json";

/** Findings by what they say. */
class Discrepancies {
  readonly #found = new Map<string, { count: number; examples: string[] }>();

  add(what: string, example: string, count = 1): void {
    const known = this.#found.get(what) ?? { count: 0, examples: [] };
    this.#found.set(what, known);
    known.count += count;
    if (known.examples.length < EXAMPLES) known.examples.push(example);
  }

  list(): Discrepancy[] {
    return [...this.#found].map(([what, one]) => ({ what, ...one }));
  }
}

const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

/** What a row was meant to have on paper, overs not included. */
const copiesOf = ({ job }: UnitWork, { row }: Unit): number => {
  const { copies } = job.output.sheets ?? { copies: 1 };
  return row.placing.copies ?? (typeof copies === "number" ? copies : 0);
};

function countIssued(work: UnitWork, units: readonly Unit[], found: Discrepancies): IssuedLabels {
  const { overs: share, spareLabels } = work.job.output.sheets ?? {
    overs: 0,
    spareLabels: "empty",
  };
  const printed = units.filter(({ labels }) => labels.length > 0);
  const wanted = (one: Unit): number => copiesOf(work, one);
  const rows = sum(printed.filter(({ round }) => round === undefined).map(wanted));
  const replacements = sum(printed.filter(({ round }) => round !== undefined).map(wanted));
  const groups = groupByPdf(printed);
  const overs = sum([...groups.values()].map((count) => countOvers(count, { overs: share })));
  const onPaper = sum(printed.map(({ labels }) => labels.length));
  const spares = onPaper - rows - replacements - overs;
  if (spares < 0 || (spares > 0 && spareLabels === "empty")) {
    const what = "labels on the sheets are not as many as rows, copies and overs make";
    found.add(what, `${onPaper} instead of ${onPaper - spares}`, Math.abs(spares));
  }
  const reprinted = sum(units.map((one) => one.reprinted.length));
  return { rows, replacements, overs, spares, reprinted };
}

function groupByPdf(printed: readonly Unit[]): Map<string, number> {
  const groups = new Map<string, number>();
  for (const { row } of printed) {
    const name = row.placing.sheets ?? "";
    groups.set(name, (groups.get(name) ?? 0) + 1);
  }
  return groups;
}

function countFates(units: readonly Unit[], found: Discrepancies): LabelFates {
  const fates = { good: 0, spoiled: 0, void: 0 };
  for (const unit of units) {
    const { good, spoiled, void: gone } = countFate(unit);
    if (good < 0) found.add("more labels are spoiled than were printed", unit.row.key, -good);
    fates.good += good;
    fates.spoiled += spoiled;
    fates.void += gone;
    const open = spoiled - unit.reprinted.length;
    if (unit.voided === undefined && open > 0)
      found.add("spoiled labels are not printed again", unit.row.key, open);
  }
  return fates;
}

/** What a job wants to have on paper and has not. */
function findUnprinted(work: UnitWork, units: readonly Unit[], found: Discrepancies): void {
  for (const unit of units) {
    const { row, labels, payload } = unit;
    if (payload === undefined) found.add("rows have no code yet: run the job", row.key);
    else if (labels.length === 0 && copiesOf(work, unit) > 0)
      found.add("codes are on no sheet", row.key);
    else if (labels.length > 0 && !unit.isProven)
      found.add("codes lie in PDFs that are not proven", row.key);
  }
  const bad = work.state.bad.count;
  if (bad > 0) found.add("rows of the source are bad and have no code", `${bad} rows`, bad);
}

/** No two codes say the same; nothing is noted of what the job has not. */
function findStrangers(
  work: UnitWork,
  { units, events, replacements }: Gathered,
  found: Discrepancies,
): void {
  const says = new Map<string, string>();
  for (const unit of units) {
    const hash = hashOf(unit);
    if (hash === undefined) continue;
    const other = says.get(hash);
    if (other === undefined) says.set(hash, unit.row.key);
    else found.add("codes say the same as another one", `${other} and ${unit.row.key}`);
  }
  const keys = new Set(units.map(({ row }) => row.key));
  for (const { unit, what } of events)
    if (!keys.has(unit)) found.add(`the ledger has codes ${what} that the job has no row of`, unit);
  const serials = new Set(units.map(({ row }) => row.cells["serial"] ?? ""));
  const unmade = replacements.filter(({ serial }) => !serials.has(serial));
  for (const { replaced, serial } of unmade)
    found.add("replacements are not made yet: run the job", `${serial} for ${replaced}`);
  const { serials: job } = work;
  if (job === undefined) return;
  const dead = new Set(events.filter(({ what }) => what === "void").map(({ unit }) => unit));
  for (const { row, replacedBy } of units)
    if (replacedBy !== undefined && !dead.has(row.key))
      found.add("codes are replaced and not void", row.key);
  const minted = job.ledger.countMinted(job.owner);
  const known = units.length + work.state.bad.count + unmade.length;
  if (minted !== known) {
    const what = "serials that were minted are not as many as rows";
    found.add(what, `${minted} minted, ${known} rows`, Math.abs(minted - known));
  }
}

const atCell = (
  file: string,
  { page, row, column }: { page: number; row: number; column: number },
): string => `${file} page ${page}, row ${row}, column ${column}`;

interface CodePlace {
  readonly file: string;
  readonly page: number;
  readonly row: number;
  readonly column: number;
  readonly part?: number | undefined;
}

const idOf = ({ file, page, row, column, part = 1 }: CodePlace): string =>
  JSON.stringify([file, page, row, column, part]);

/** Place of each code on paper -> its key and what it says. */
function placeCodes(units: readonly Unit[]): Map<string, string> {
  return new Map(
    units.flatMap((unit) =>
      unit.row.labels
        .filter(({ symbol }) => symbol === undefined)
        .map((cell) => [idOf(cell), `${unit.row.key} ${hashOf(unit)}`] as const),
    ),
  );
}

/** `sheet-map.json` has the cells that the state knows. */
async function findOtherCells(
  { folder }: UnitWork,
  units: readonly Unit[],
  found: Discrepancies,
): Promise<void> {
  const map = path.join(folder, "sheet-map.json");
  if (!existsSync(map)) return found.add("sheet-map.json is gone: run the job", map);
  const open = placeCodes(units);
  for await (const cell of readMapCells(map)) {
    if (cell.symbol !== undefined) continue;
    const id = idOf(cell);
    if (open.get(id) !== `${cell.key} ${cell.payloadSha256}`)
      found.add("cells of sheet-map.json are not those of the state", atCell(cell.file, cell));
    open.delete(id);
  }
  for (const id of open.keys()) found.add("labels stand in no cell of sheet-map.json", id);
}

/** `sheet-map.json` and the PDFs are those that the state knows. */
async function findChanged(
  work: UnitWork,
  units: readonly Unit[],
  found: Discrepancies,
): Promise<void> {
  const groups = readSheetGroups(work);
  if (groups.length === 0) return;
  await findOtherCells(work, units, found);
  for (const { file, sha256 } of groups.flatMap(({ volumes }) => volumes)) {
    const hash = await hashFile(path.join(work.folder, file)).catch(() => undefined);
    if (hash === undefined) found.add("PDFs are gone: run the job", file);
    else if (hash !== sha256) found.add("PDFs are not the ones that were written", file);
  }
}

async function writeFiles(
  work: UnitWork,
  units: readonly Unit[],
  nowMs: number,
): Promise<Pick<Reconciliation, "files" | "epcis">> {
  const [csv, epcis] = [UNITS, EPCIS].map((name) => path.join(work.folder, name)) as [
    string,
    string,
  ];
  await writeUnitsCsv(csv, units.map(toUnitLine));
  const { events, named, nameless } = toEpcisEvents(units, Date.parse(work.createdAt));
  if (events.length === 0) await rm(epcis, { force: true });
  else await writeEpcis(epcis, events, nowMs);
  return { files: events.length === 0 ? [csv] : [csv, epcis], epcis: { named, nameless } };
}

/** Adds up a job and writes `units.csv` and `epcis.json`. Throws `bad-usage` when it was never run. */
export const reconcile = (order: UnitOrder, ports: Ports): Promise<Reconciliation> =>
  withUnits(order, ports, async (work) => {
    const gathered = await gatherUnits(work, order, ports);
    const { units } = gathered;
    const found = new Discrepancies();
    const issued = countIssued(work, units, found);
    const fates = countFates(units, found);
    findUnprinted(work, units, found);
    findStrangers(work, gathered, found);
    await findChanged(work, units, found);
    const [inAll, accounted] = [sum(Object.values(issued)), sum(Object.values(fates))];
    if (inAll !== accounted)
      found.add(
        "labels are not accounted for",
        `${inAll} printed, ${accounted} accounted for`,
        Math.abs(inAll - accounted),
      );
    const counted = units.flatMap(({ voidScans }) => voidScans ?? []);
    const discrepancies = found.list();
    return {
      job: order.job.name,
      codes: {
        minted: units.length,
        void: units.filter(({ voided }) => voided !== undefined).length,
        replaced: units.filter(({ replacedBy }) => replacedBy !== undefined).length,
        activated: units.filter(({ activated }) => activated !== undefined).length,
      },
      issued,
      fates,
      voidScans: counted.length === 0 ? undefined : sum(counted),
      discrepancies,
      isReconciled: discrepancies.length === 0,
      ...(await writeFiles(work, units, ports.clock.nowMs())),
    };
  });
