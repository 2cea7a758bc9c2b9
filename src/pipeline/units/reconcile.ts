/**
 * Every record of a job's codes held against the others, and every label accounted for: rows,
 * replacements, overs, spares and reprints = good, spoiled and void ones (docs/ledger.md).
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { CodePlace } from "../../base/shapes/code-cell.ts";
import { rowsFromOf, sayNoLonger } from "../../base/shapes/rows-from.ts";
import { KEY_SEPARATOR, showKey } from "../../base/shapes/row-key.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { TextNumbers } from "../../base/flow/text-numbers.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { waysToRetire } from "../../kinds/retire.ts";
import { writeEpcis } from "../../pack/epcis.ts";
import { readMapCells } from "../../pack/sheet-map-cells.ts";
import { writeUnitsCsv, type UnitLine } from "../../pack/units-csv.ts";
import { sayRow, toKeyHeaders } from "../../plan/row-place.ts";
import type { Replacement } from "../../read/rows/serial-ledger.ts";
import type { BadRow, Cell } from "../../state/row.ts";
import { PRESENT, VANISHED, VANISHED_MAY_HAVE_CODE } from "../../state/which-rows.ts";
import { isCutShort, toCutShort } from "../standing/last-result.ts";
import type { Ports } from "../ports.ts";
import { recallKept } from "../rows/kept-rows.ts";
import { findAddressProblems } from "../rows/server-address.ts";
import { isMaker } from "../stages/vanished-rows.ts";
import { refuseOwnList } from "../checks/own-lists.ts";
import { toDelimiter } from "../stages/lookups.ts";
import { readSheetGroups } from "../stages/sheets.ts";
import { toEpcisEvents } from "./epcis-events.ts";
import {
  gatherUnits,
  hashOf,
  toUnitLine,
  type Gathered,
  type Gone,
  type LabelFates,
  type Unit,
} from "./gather-units.ts";
import {
  type Discrepancy,
  Discrepancies,
  type IssuedLabels,
  readLayout,
  type SumWords,
  Sums,
} from "./sum-units.ts";
import { type JobSerials, withUnits, type UnitOrder, type UnitWork } from "./unit-job.ts";

export interface Reconciliation {
  readonly job: string;
  /**
   * Codes of the job, those of rows that are gone as well, and deleted ones: minted; of these void,
   * replaced, activated.
   */
  readonly codes: {
    readonly minted: number;
    readonly void: number;
    readonly replaced: number;
    readonly activated: number;
  };
  /** The minted by what became of their rows; codes of vanished rows may be filed or deleted. */
  readonly rows: Readonly<Record<"present" | Gone, number>>;
  /** Rows, or serials, that have no code yet: none of the minted. */
  readonly unmade: number;
  readonly issued: IssuedLabels;
  readonly fates: LabelFates;
  /** Scans of void codes; undefined where the service does not count them. */
  readonly voidScans: number | undefined;
  /** What does not fit; empty when every code and label is accounted for. */
  readonly discrepancies: readonly Discrepancy[];
  readonly isReconciled: boolean;
  /** `units.csv` and `epcis.json`, absolute; no EPCIS where no code has a name in it. */
  readonly files: readonly string[];
  /** Printed codes in `epcis.json`, and those without a name in EPCIS. */
  readonly epcis: { readonly named: number; readonly nameless: number };
}

export const UNITS = "units.csv";
export const EPCIS = "epcis.json";

const SAME_TEXT =
  "codes hold the same text as another code: give each row a text of its own, and run the job";

/** Checks that no two codes say the same, and that the ledgers have no code that the job lacks. */
class Strangers {
  readonly #found: Discrepancies;
  readonly #dead: ReadonlySet<string>;
  /** What codes say -> the line of the row. */
  readonly #says = new TextNumbers();
  /** Codes of the ledgers that no row has. */
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
      this.#found.add("codes are replaced and not void: make them void", row.key);
    // Another row may have taken over what the code of a vanished row says.
    if (payload === undefined || unit.gone !== undefined) return;
    const line = this.#says.get(payload);
    if (line === undefined) this.#says.set(payload, row.line);
    else this.#found.add(SAME_TEXT, `${showKey(row.key)} as line ${line}`);
  }

  end(
    {
      work,
      job,
      events,
    }: {
      readonly work: UnitWork;
      readonly job: RowJob;
      readonly events: Gathered["events"];
    },
    units: number,
  ): void {
    for (const { unit, what } of events)
      if (this.#keys.has(unit)) this.#found.add(toNoRow(what), unit);
    const { bad } = work.state;
    const what = "rows of the source are bad and have no code: mend them and run the job";
    for (const row of listUnmade(work, job)) this.#found.add(what, sayRow(job.source, row));
    if (work.serials !== undefined) this.#endSerials(work, work.serials, units + bad.count);
  }

  /** Each serial has a row, had one that vanished, or takes the place of a void one. */
  #endSerials({ state }: UnitWork, { ledger, owner }: JobSerials, rows: number): void {
    const gone = state.goneRows(VANISHED);
    for (const { cells } of gone) this.#fresh.delete(cells["serial"] ?? "");
    // A run makes none for a row that the job has no longer.
    for (const { number, replaced, serial } of this.#fresh.values())
      if (number <= owner.count)
        this.#found.add("replacements are not made yet: run the job", `${serial} for ${replaced}`);
    const minted = ledger.countMinted(owner);
    const known = rows + gone.length + this.#fresh.size;
    if (minted === known) return;
    const example = `${minted} minted, ${known} rows`;
    const last = ledger.lastNumber(owner);
    this.#found.add(
      toOtherCount(minted > known, { owner, last }),
      example,
      Math.abs(minted - known),
    );
  }
}

const toNoRow = (what: string): string =>
  `the ledger has codes ${what}, but the job has no row for them: put their rows back and run the job, or put its state.db back from a backup`;

/** More serials than rows are those of rows that the state never knew, or knows no longer. */
function toOtherCount(
  isMore: boolean,
  { owner, last }: Pick<JobSerials, "owner"> & { readonly last: number },
): string {
  if (!isMore)
    return "fewer serials were minted than there are rows: run the job; if that does not help, put serials.db back from a backup";
  const what = "more serials were minted than there are rows";
  return last > owner.count
    ? `${what}: put a state.db that knows them back from a backup, or set source.rows to ${last} again and run the job; then lower it, run the job and retire them`
    : `${what}: run the job`;
}

/** Bad rows, but for those whose codes were made before they were bad. A code belongs to one row. */
function* listUnmade({ state }: UnitWork, { source }: RowJob): Iterable<BadRow> {
  const kept = new Set(recallKept(state)?.done);
  const counted = new Set<string>();
  for (const row of state.bad.list()) {
    const cells = toKeyHeaders(source, row).map((header) => row.cells[header]?.trim() ?? "");
    const key = cells.join(KEY_SEPARATOR);
    const known = counted.has(key) ? undefined : state.row(key);
    const isMade = known?.state === "done" && known.remoteId !== null;
    // The code of a good row is not that of another row with its key.
    if (!isMade || (state.is(key, PRESENT) && !kept.has(row.line))) yield row;
    else counted.add(key);
  }
}

const atCell = (
  file: string,
  { page, row, column }: Pick<CodePlace, "page" | "row" | "column">,
): string => `${file} page ${page}, row ${row}, column ${column}`;

interface PlaceInFile extends Pick<CodePlace, "page" | "row" | "column" | "part"> {
  readonly file: string;
}

const idOf = ({ file, page, row, column, part = 1 }: PlaceInFile): string =>
  JSON.stringify([file, page, row, column, part]);

/** What a code in its place says. */
const toClaim = (cell: PlaceInFile, key: string, hash: string | undefined): string =>
  `${idOf(cell)} ${key} ${hash}`;

function* listClaims(
  units: Iterable<Unit>,
): Iterable<{ readonly claim: string; readonly cell: Cell }> {
  for (const unit of units) {
    // A replacement that vanished with its row knows its cell, and its PDF is gone.
    if (unit.gone !== undefined) continue;
    const hash = hashOf(unit);
    for (const cell of unit.row.labels)
      if (cell.symbol === undefined) yield { claim: toClaim(cell, unit.row.key, hash), cell };
  }
}

const OTHER_CELLS = "cells of sheet-map.json are not those of the state: run the job";
const NO_CELL = "labels stand in no cell of sheet-map.json: run the job";

/** Checks that `sheet-map.json` has the cells of the state. */
async function findOtherCells(
  { folder, state }: UnitWork,
  units: Iterable<Unit>,
  found: Discrepancies,
): Promise<void> {
  const map = path.join(folder, "sheet-map.json");
  if (!existsSync(map)) {
    // A run that did not end may not have come to it; that is said by itself.
    if (!isCutShort(state)) found.add("sheet-map.json is gone: run the job", map);
    return;
  }
  const [places, claims] = [new TextNumbers(), new TextNumbers()];
  const [NOT_IN_MAP, IN_MAP] = [0, 1];
  for (const { cell, claim } of listClaims(units)) {
    places.set(idOf(cell), NOT_IN_MAP);
    claims.set(claim, NOT_IN_MAP);
  }
  for await (const cell of readMapCells(map)) {
    if (cell.symbol !== undefined) continue;
    if (!claims.has(toClaim(cell, cell.key, cell.payloadSha256)))
      found.add(OTHER_CELLS, atCell(cell.file, cell));
    places.set(idOf(cell), IN_MAP);
  }
  for (const { cell } of listClaims(units))
    if (places.get(idOf(cell)) === NOT_IN_MAP) found.add(NO_CELL, atCell(cell.file, cell));
}

/** Checks that `sheet-map.json` and the PDFs are those of the state. */
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
    else if (hash !== sha256)
      found.add("PDFs are not the ones that were written: run the job", file);
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
  await writeUnitsCsv(csv, lines(), toDelimiter(work));
  const { events, named, nameless } = toEpcisEvents(units, Date.parse(work.createdAt));
  if (events.length === 0) await rm(epcis, { force: true });
  else await writeEpcis(epcis, events, nowMs);
  return { files: events.length === 0 ? [csv] : [csv, epcis], epcis: { named, nameless } };
}

/** What marking spoiled labels does. */
const MARKS = {
  same: "print them again",
  new: "give them fresh serials",
  forbidden: "take them out of use",
} as const;

/** What takes spoiled labels out of use depends on the job's policy. */
function toWords({ job }: UnitOrder, { commandOf }: Pick<Ports, "commandOf">): SumWords {
  const policy = job.output.sheets?.reprint ?? "same";
  const isVoid = policy === "forbidden";
  const gone = sayNoLonger(rowsFromOf(job));
  const mark = commandOf(isVoid ? "void" : "replace", { more: ["--spoiled"] });
  return {
    damaged: `labels that a scan found damaged or missing are neither void nor replaced; to ${MARKS[policy]}: ${mark}`,
    vanished: `codes live on whose rows are ${gone}; to file or delete them: ${commandOf("retire")}`,
    lost: waysToRetire(job.kind).includes("delete")
      ? `rows are ${gone}, and the service no longer has their codes; to note that: ${commandOf("retire", { more: ["--delete"] })}`
      : undefined,
    spoiled: isVoid ? "make their codes void" : "replace them",
  };
}

/** Vanished rows whose answers were lost. */
function findLost(
  work: UnitWork,
  { commandOf }: Pick<Ports, "commandOf">,
  found: Discrepancies,
): void {
  if (!isMaker(work)) return;
  const what = `rows that are gone may have codes all the same; to look for them: ${commandOf("retry")}`;
  for (const { key } of work.state.goneRows(VANISHED_MAY_HAVE_CODE)) found.add(what, key);
}

/** Printed codes that lead to an address that none has any more. */
async function findMoved(
  { state }: UnitWork,
  units: Iterable<Unit>,
  {
    order: { job, server },
    ports,
    found,
  }: { readonly order: UnitOrder; readonly ports: Ports; readonly found: Discrepancies },
): Promise<void> {
  for (const { message, hint, keys } of await findAddressProblems(job, server, { ports, state })) {
    const those = keys && new Set(keys);
    for (const { row, gone } of units)
      if (row.shortLink !== null && gone === undefined && those?.has(row.key) !== false)
        found.add(`${message}; ${hint ?? ""}`, row.key);
  }
}

/** As status has it. */
function findCutShort({ state, job }: UnitWork, ports: Ports, found: Discrepancies): void {
  if (!isCutShort(state)) return;
  const { message, hint } = toCutShort(state, ports);
  found.add(`${message}; ${hint ?? ""}`, job.name);
}

const UNITS_A_TURN = 5000;

/** Throws where somebody has stopped it meanwhile: signals come between two turns. */
async function heedStop({ signal }: Pick<Ports, "signal">): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

/** Adds up a job and writes `units.csv` and `epcis.json`. Throws `bad-usage` when it was never run. */
export const reconcile = (order: UnitOrder, ports: Ports): Promise<Reconciliation> =>
  withUnits(order, ports, async (work) => {
    refuseOwnList(order.job, new Set([UNITS]));
    const gathered = await gatherUnits(work, order, ports);
    const { units, events } = gathered;
    const found = new Discrepancies();
    findCutShort(work, ports, found);
    const layout = await readLayout(work);
    const sums = new Sums(work, { layout, found, words: toWords(order, ports) });
    const strangers = new Strangers(gathered, found);
    let count = 0;
    for (const unit of units) {
      count += 1;
      if (count % UNITS_A_TURN === 0) await heedStop(ports);
      sums.add(unit);
      strangers.add(unit);
    }
    await heedStop(ports);
    findLost(work, ports, found);
    const { codes, rows, unmade, fates, voidScans } = sums;
    const issued = sums.issued();
    strangers.end({ work, job: order.job, events }, rows.present + unmade);
    await findChanged(work, units, found);
    await heedStop(ports);
    await findMoved(work, units, { order, ports, found });
    await heedStop(ports);
    const discrepancies = found.list();
    return {
      job: order.job.name,
      codes,
      rows,
      unmade,
      issued,
      fates,
      voidScans,
      discrepancies,
      isReconciled: discrepancies.length === 0,
      ...(await writeFiles(work, units, ports.clock.nowMs())),
    };
  });
