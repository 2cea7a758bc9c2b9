/** Counts codes and labels of a job one by one, and reports what does not fit (docs/ledger.md). */
import { spareCells } from "../../print/layout/imposition.ts";
import { countOvers } from "../../print/layout/repeat-records.ts";
import { makeSheetJob } from "../../print/sheet-job.ts";
import type { Cell } from "../../state/row.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
import { countFate, type Gone, isUnmade, type Unit } from "./gather-units.ts";
import type { UnitWork } from "./unit-job.ts";

/** Labels on paper by where they come from. */
export interface IssuedLabels {
  /** Of the rows, with their copies. */
  readonly rows: number;
  /** The same, of rows that replace void ones. */
  readonly replacements: number;
  readonly overs: number;
  /** Codes in spare cells. */
  readonly spares: number;
  readonly reprinted: number;
}

export interface Discrepancy {
  readonly what: string;
  readonly count: number;
  /** The first of them. */
  readonly examples: readonly string[];
}

const EXAMPLES = 5;

/** Findings by what they say. */
export class Discrepancies {
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

export async function readLayout(work: UnitWork): Promise<Layout> {
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

const NO_FATES = { good: 0, spoiled: 0, damaged: 0, void: 0 };

/** What is wrong besides, and what to do about it. */
export interface SumWords {
  /** For labels that a scan found damaged or missing. */
  readonly damaged: string;
  /** For codes whose rows are gone. */
  readonly vanished: string;
  /** For those of them that the service has no longer; undefined where the job can't note that. */
  readonly lost: string | undefined;
  /** What to do with spoiled labels. */
  readonly spoiled: string;
}

/** Counts codes and labels one by one; reports what does not fit at once. */
export class Sums {
  readonly codes = { minted: 0, void: 0, replaced: 0, activated: 0 };
  /** Codes by what became of their rows. */
  readonly rows: Record<"present" | Gone, number> = {
    present: 0,
    vanished: 0,
    filed: 0,
    deleted: 0,
    bad: 0,
  };
  /** Rows without a code yet. */
  unmade = 0;
  readonly fates = { ...NO_FATES };
  voidScans: number | undefined;
  readonly #work: UnitWork;
  readonly #found: Discrepancies;
  readonly #layout: Layout;
  readonly #pdfs = new Map<string, PdfCount>();
  readonly #wanted = { rows: 0, replacements: 0 };
  readonly #words: SumWords;
  #reprinted = 0;

  constructor(
    work: UnitWork,
    { layout, found, words }: { layout: Layout; found: Discrepancies; words: SumWords },
  ) {
    this.#work = work;
    this.#layout = layout;
    this.#found = found;
    this.#words = words;
  }

  add(unit: Unit): void {
    const { voided, replacedBy, activated, voidScans } = unit;
    if (isUnmade(unit)) this.unmade += 1;
    else {
      this.codes.minted += 1;
      this.rows[unit.gone ?? "present"] += 1;
    }
    this.codes.void += Number(voided !== undefined);
    this.codes.replaced += Number(replacedBy !== undefined);
    this.codes.activated += Number(activated !== undefined);
    if (voidScans !== undefined) this.voidScans = (this.voidScans ?? 0) + voidScans;
    if (unit.gone !== undefined) return this.#findGone(unit);
    this.#reprinted += unit.reprinted.length;
    if (unit.labels.length > 0) this.#addLabels(unit);
    this.#addFate(unit);
    this.#findUnprinted(unit);
  }

  /** A code that no row has today lives on, unless it is void, filed away or deleted. */
  #findGone(unit: Unit): void {
    const { row, gone, voided, isLost } = unit;
    this.#findLeadingOn(unit);
    const { lost } = this.#words;
    if (isLost && voided === undefined && lost !== undefined) this.#found.add(lost, row.key);
    if (voided !== undefined || gone === "filed" || gone === "deleted") return;
    if (gone === "vanished") return this.#found.add(this.#words.vanished, row.key);
    const bad =
      "rows are bad today, and their codes live on as they were made: mend them and run the job";
    this.#found.add(bad, row.key);
  }

  #findLeadingOn({ row, isLeadingOn }: Unit): void {
    const what = "void codes still lead to their destinations: make them void again";
    if (isLeadingOn) this.#found.add(what, row.key);
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
    const { good, spoiled, damaged, void: gone } = countFate(unit);
    const { key } = unit.row;
    const { spoiled: next } = this.#words;
    if (good < 0) this.#found.add(`more labels are spoiled than were printed: ${next}`, key, -good);
    this.fates.good += good;
    this.fates.spoiled += spoiled;
    this.fates.damaged += damaged;
    this.fates.void += gone;
    if (damaged > 0) this.#found.add(this.#words.damaged, key, damaged);
    const open = spoiled - unit.reprinted.length;
    if (unit.voided === undefined && open > 0)
      this.#found.add(`spoiled labels are not printed again: ${next}`, key, open);
    this.#findLeadingOn(unit);
  }

  /** What a job wants on paper and lacks. */
  #findUnprinted(unit: Unit): void {
    const { row, labels, isProven } = unit;
    if (isUnmade(unit)) this.#found.add("rows have no code yet: run the job", row.key);
    else if (labels.length === 0 && copiesOf(this.#work, row) > 0)
      this.#found.add("codes are on no sheet: run the job", row.key);
    else if (labels.length > 0 && !isProven)
      this.#found.add("codes lie in PDFs that are not proven: run the job", row.key);
  }

  /** Each PDF by itself: too many labels in one don't make up for another. */
  issued(): IssuedLabels {
    const { overs: share, sparesAreFilled } = this.#layout;
    const issued = { ...this.#wanted, overs: 0, spares: 0, reprinted: this.#reprinted };
    for (const [name, { codes, wanted, own, spares }] of this.#pdfs) {
      const overs = countOvers(codes, { overs: share });
      issued.overs += overs;
      issued.spares += spares;
      const surplus = own - wanted - overs;
      const what =
        "the sheets have more or fewer labels than rows, copies and overs ask for: run the job";
      if (surplus !== 0)
        this.#found.add(what, `${name}: ${own} instead of ${own - surplus}`, Math.abs(surplus));
      if (spares > 0 && !sparesAreFilled)
        this.#found.add("labels lie in spare cells, which are empty: run the job", name, spares);
    }
    return issued;
  }
}
