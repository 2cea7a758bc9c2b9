/**
 * Every record of a job's codes held against the others, and every label accounted for: rows,
 * replacements, overs, spares and reprints = good, spoiled and void ones (docs/ledger.md).
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";

import { hashFile } from "../../base/hash-file.ts";
import { TextNumbers } from "../../base/text-numbers.ts";
import { writeEpcis } from "../../pack/epcis.ts";
import { readMapCells } from "../../pack/sheet-map-cells.ts";
import { writeUnitsCsv, type UnitLine } from "../../pack/units-csv.ts";
import { spareCells } from "../../print/layout/imposition.ts";
import { countOvers } from "../../print/layout/repeat-records.ts";
import { makeSheetJob } from "../../print/sheet-job.ts";
import type { Replacement } from "../../read/serial-ledger.ts";
import type { Cell } from "../../state/row.ts";
import type { Ports } from "../ports.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
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

/** What a row was meant to have on paper, overs not included. */
const copiesOf = ({ job }: UnitWork, row: Unit["row"]): number => {
  const { copies } = job.output.sheets ?? { copies: 1 };
  return row.placing.copies ?? (typeof copies === "number" ? copies : 0);
};

/** Labels of the codes of one PDF. */
interface PdfCount {
  codes: number;
  /** What its rows want, overs not included. */
  wanted: number;
  /** In cells that rows fill, and in spare ones. */
  own: number;
  spares: number;
}

/** Where the labels of a PDF may lie. */
interface Layout {
  readonly overs: number;
  readonly sparesAreFilled: boolean;
  isSpare(cell: Cell): boolean;
}

async function readLayout(work: UnitWork): Promise<Layout> {
  const options = await makeSheetOptions(work.job, work);
  if (options === undefined) return { overs: 0, sparesAreFilled: false, isSpare: () => false };
  const { sheet, order, spares, repeats, spareLabels, options: all } = makeSheetJob(options);
  const { rows, columns } = sheet;
  const places = spareCells({
    rows,
    columns,
    mode: order,
    spares,
    corner: all.corner,
    count: 1,
  });
  const cells = new Set(places.map(({ row, column }) => `${row + 1}/${column + 1}`));
  return {
    overs: repeats.overs,
    sparesAreFilled: spareLabels === "repeat",
    isSpare: ({ row, column }) => cells.has(`${row}/${column}`),
  };
}

const NO_FATES = { good: 0, spoiled: 0, void: 0 };

/** Codes and labels, counted as they are gone through; what does not fit is told at once. */
class Sums {
  readonly codes = { minted: 0, void: 0, replaced: 0, activated: 0 };
  readonly fates = { ...NO_FATES };
  voidScans: number | undefined;
  readonly #work: UnitWork;
  readonly #found: Discrepancies;
  readonly #layout: Layout;
  readonly #pdfs = new Map<string, PdfCount>();
  readonly #wanted = { rows: 0, replacements: 0 };
  #reprinted = 0;

  constructor(work: UnitWork, layout: Layout, found: Discrepancies) {
    this.#work = work;
    this.#layout = layout;
    this.#found = found;
  }

  add(unit: Unit): void {
    const { voided, replacedBy, activated, voidScans } = unit;
    this.codes.minted += 1;
    this.codes.void += Number(voided !== undefined);
    this.codes.replaced += Number(replacedBy !== undefined);
    this.codes.activated += Number(activated !== undefined);
    if (voidScans !== undefined) this.voidScans = (this.voidScans ?? 0) + voidScans;
    this.#reprinted += unit.reprinted.length;
    if (unit.labels.length > 0) this.#addLabels(unit);
    this.#addFate(unit);
    this.#findUnprinted(unit);
  }

  #addLabels({ row, labels, round }: Unit): void {
    const name = row.placing.sheets ?? "";
    const pdf = this.#pdfs.get(name) ?? { codes: 0, wanted: 0, own: 0, spares: 0 };
    this.#pdfs.set(name, pdf);
    const copies = copiesOf(this.#work, row);
    const spares = labels.filter((cell) => this.#layout.isSpare(cell)).length;
    this.#wanted[round === undefined ? "rows" : "replacements"] += copies;
    pdf.codes += 1;
    pdf.wanted += copies;
    pdf.spares += spares;
    pdf.own += labels.length - spares;
  }

  #addFate(unit: Unit): void {
    const { good, spoiled, void: gone } = countFate(unit);
    const { key } = unit.row;
    if (good < 0) this.#found.add("more labels are spoiled than were printed", key, -good);
    this.fates.good += good;
    this.fates.spoiled += spoiled;
    this.fates.void += gone;
    const open = spoiled - unit.reprinted.length;
    if (unit.voided === undefined && open > 0)
      this.#found.add("spoiled labels are not printed again", key, open);
    if (unit.isLeadingOn)
      this.#found.add("void codes lead where they led: make them void again", key);
  }

  /** What a job wants to have on paper and has not. */
  #findUnprinted({ row, payload, labels, isProven }: Unit): void {
    if (payload === undefined) this.#found.add("rows have no code yet: run the job", row.key);
    else if (labels.length === 0 && copiesOf(this.#work, row) > 0)
      this.#found.add("codes are on no sheet", row.key);
    else if (labels.length > 0 && !isProven)
      this.#found.add("codes lie in PDFs that are not proven", row.key);
  }

  /** Each PDF by itself: what is too much in one makes up for nothing in another. */
  issued(): IssuedLabels {
    const { overs: share, sparesAreFilled } = this.#layout;
    const issued = { ...this.#wanted, overs: 0, spares: 0, reprinted: this.#reprinted };
    for (const [name, { codes, wanted, own, spares }] of this.#pdfs) {
      const overs = countOvers(codes, { overs: share });
      issued.overs += overs;
      issued.spares += spares;
      const surplus = own - wanted - overs;
      const what = "labels on the sheets are not as many as rows, copies and overs make";
      if (surplus !== 0)
        this.#found.add(what, `${name}: ${own} instead of ${own - surplus}`, Math.abs(surplus));
      if (spares > 0 && !sparesAreFilled)
        this.#found.add("labels lie in spare cells, which are empty", name, spares);
    }
    return issued;
  }
}

/** No two codes say the same; nothing is noted of what the job has not. */
class Strangers {
  readonly #found: Discrepancies;
  readonly #dead: ReadonlySet<string>;
  /** What codes say -> the line of the row. */
  readonly #says = new TextNumbers();
  /** Of what the ledgers name: what no row has. */
  readonly #keys: Set<string>;
  readonly #fresh: Map<string, Replacement>;

  constructor({ events, replacements }: Gathered, found: Discrepancies) {
    this.#found = found;
    this.#dead = new Set(events.filter(({ what }) => what === "void").map(({ unit }) => unit));
    this.#keys = new Set(events.map(({ unit }) => unit));
    this.#fresh = new Map(replacements.map((one) => [one.serial, one]));
  }

  add(unit: Unit): void {
    const { row, payload, replacedBy } = unit;
    this.#keys.delete(row.key);
    this.#fresh.delete(row.cells["serial"] ?? "");
    if (replacedBy !== undefined && !this.#dead.has(row.key))
      this.#found.add("codes are replaced and not void", row.key);
    if (payload === undefined) return;
    const line = this.#says.get(payload);
    if (line === undefined) this.#says.set(payload, row.line);
    else this.#found.add("codes say the same as another one", `${row.key} as line ${line}`);
  }

  end(
    { work, events }: { readonly work: UnitWork; readonly events: Gathered["events"] },
    units: number,
  ): void {
    for (const { unit, what } of events)
      if (this.#keys.has(unit))
        this.#found.add(`the ledger has codes ${what} that the job has no row of`, unit);
    for (const { replaced, serial } of this.#fresh.values())
      this.#found.add("replacements are not made yet: run the job", `${serial} for ${replaced}`);
    const { bad } = work.state;
    if (bad.count > 0)
      this.#found.add(
        "rows of the source are bad and have no code",
        `${bad.count} rows`,
        bad.count,
      );
    const { serials: job } = work;
    if (job === undefined) return;
    const minted = job.ledger.countMinted(job.owner);
    const known = units + bad.count + this.#fresh.size;
    if (minted === known) return;
    const what = "serials that were minted are not as many as rows";
    this.#found.add(what, `${minted} minted, ${known} rows`, Math.abs(minted - known));
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

/** What a code in its place says. */
const toClaim = (cell: CodePlace, key: string, hash: string | undefined): string =>
  `${idOf(cell)} ${key} ${hash}`;

function* listClaims(
  units: Iterable<Unit>,
): Iterable<{ readonly claim: string; readonly cell: Cell }> {
  for (const unit of units) {
    const hash = hashOf(unit);
    for (const cell of unit.row.labels)
      if (cell.symbol === undefined) yield { claim: toClaim(cell, unit.row.key, hash), cell };
  }
}

/** `sheet-map.json` has the cells that the state knows. */
async function findOtherCells(
  { folder }: UnitWork,
  units: Iterable<Unit>,
  found: Discrepancies,
): Promise<void> {
  const map = path.join(folder, "sheet-map.json");
  if (!existsSync(map)) return found.add("sheet-map.json is gone: run the job", map);
  const [places, claims] = [new TextNumbers(), new TextNumbers()];
  const [NOT_IN_MAP, IN_MAP] = [0, 1];
  for (const { cell, claim } of listClaims(units)) {
    places.set(idOf(cell), NOT_IN_MAP);
    claims.set(claim, NOT_IN_MAP);
  }
  for await (const cell of readMapCells(map)) {
    if (cell.symbol !== undefined) continue;
    if (!claims.has(toClaim(cell, cell.key, cell.payloadSha256)))
      found.add("cells of sheet-map.json are not those of the state", atCell(cell.file, cell));
    places.set(idOf(cell), IN_MAP);
  }
  for (const { cell } of listClaims(units))
    if (places.get(idOf(cell)) === NOT_IN_MAP)
      found.add("labels stand in no cell of sheet-map.json", atCell(cell.file, cell));
}

/** `sheet-map.json` and the PDFs are those that the state knows. */
async function findChanged(
  work: UnitWork,
  units: Iterable<Unit>,
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
  units: Iterable<Unit>,
  nowMs: number,
): Promise<Pick<Reconciliation, "files" | "epcis">> {
  const [csv, epcis] = [UNITS, EPCIS].map((name) => path.join(work.folder, name)) as [
    string,
    string,
  ];
  function* lines(): Iterable<UnitLine> {
    for (const unit of units) yield toUnitLine(unit);
  }
  await writeUnitsCsv(csv, lines());
  const { events, named, nameless } = toEpcisEvents(units, Date.parse(work.createdAt));
  if (events.length === 0) await rm(epcis, { force: true });
  else await writeEpcis(epcis, events, nowMs);
  return { files: events.length === 0 ? [csv] : [csv, epcis], epcis: { named, nameless } };
}

/** Adds up a job and writes `units.csv` and `epcis.json`. Throws `bad-usage` when it was never run. */
export const reconcile = (order: UnitOrder, ports: Ports): Promise<Reconciliation> =>
  withUnits(order, ports, async (work) => {
    const gathered = await gatherUnits(work, order, ports);
    const { units, events } = gathered;
    const found = new Discrepancies();
    const sums = new Sums(work, await readLayout(work), found);
    const strangers = new Strangers(gathered, found);
    for (const unit of units) {
      sums.add(unit);
      strangers.add(unit);
    }
    const { codes, fates, voidScans } = sums;
    const issued = sums.issued();
    strangers.end({ work, events }, codes.minted);
    await findChanged(work, units, found);
    const discrepancies = found.list();
    return {
      job: order.job.name,
      codes,
      issued,
      fates,
      voidScans,
      discrepancies,
      isReconciled: discrepancies.length === 0,
      ...(await writeFiles(work, units, ports.clock.nowMs())),
    };
  });
