/** What a spreadsheet suggests for its manifest. */
import path from "node:path";

import { PLAIN_SOURCE } from "../../job/job.ts";
import { profileSource, type ColumnProfile } from "../../read/profile.ts";
import { openSource } from "../../read/source.ts";
import { findAll, findGerman, type DraftColumn } from "./columns.ts";

export interface Suggestion {
  readonly sheetName: string | undefined;
  /** Of a workbook: the sheets that were not taken. */
  readonly otherSheets: readonly string[];
  readonly headerRow: number | undefined;
  /** Columns with something in them, in their order. */
  readonly columns: readonly DraftColumn[];
  /** Headers that say that the spreadsheet is German. */
  readonly german: readonly string[];
  /** One column or two, beside the one named, that tell the rows apart; empty when there are none. */
  readonly keyBeside: (column: DraftColumn | undefined) => readonly DraftColumn[];
  /** What a person would call a row, beside the column named. */
  readonly labelBeside: (column: DraftColumn | undefined) => DraftColumn | undefined;
}

const KEY_CANDIDATES = 5;
/** Sheets that people have typed have a few rows twice; those are told when the job is planned. */
const FEW_TWINS = 0.02;

/** Types that change what a cell means to a code; numbers stay text: `007` is a name here. */
const KEPT: readonly ColumnProfile["type"][] = ["url", "gtin", "email"];

function toColumn({ column: header, type }: ColumnProfile): DraftColumn {
  if (KEPT.includes(type)) return { header, type };
  const isNumber = type === "integer" || type === "number";
  // Some may be mistyped: these are told, row by row, when the job is planned.
  const isGtin = isNumber && findAll([{ header, type: "text" }], "gtin").length > 0;
  return { header, type: isGtin ? "gtin" : "text" };
}

/** Counts rows that have the same cells as an earlier one, in one column or in two. */
class TwinCounter {
  readonly #seen = new Map<string, { readonly texts: Set<string>; twins: number }>();

  add(columns: readonly string[], cells: Readonly<Record<string, string>>): void {
    for (const [at, a] of columns.entries()) {
      this.#count([a], cells);
      for (const b of columns.slice(at + 1)) this.#count([a, b], cells);
    }
  }

  #count(columns: readonly string[], cells: Readonly<Record<string, string>>): void {
    const name = JSON.stringify(columns);
    const known = this.#seen.get(name) ?? { texts: new Set(), twins: 0 };
    this.#seen.set(name, known);
    const texts = JSON.stringify(columns.map((column) => (cells[column] ?? "").trim()));
    if (known.texts.has(texts)) known.twins += 1;
    else known.texts.add(texts);
  }

  twinsOf(columns: readonly string[]): number {
    return this.#seen.get(JSON.stringify(columns))?.twins ?? Number.POSITIVE_INFINITY;
  }
}

/** Of the first columns, one or two in which hardly two rows agree; one is better than two. */
function pickKey(names: readonly string[], twins: TwinCounter, rows: number): readonly string[] {
  const singles = names.map((name) => [name]);
  const pairs = names.flatMap((a, at) => names.slice(at + 1).map((b) => [a, b]));
  for (const candidates of [singles, pairs]) {
    const [best] = candidates.toSorted((a, b) => twins.twinsOf(a) - twins.twinsOf(b));
    if (best !== undefined && twins.twinsOf(best) <= rows * FEW_TWINS) return best;
  }
  return [];
}

/** Reads the spreadsheet once. Throws what opening it throws. */
export async function lookAt(file: string, signal: AbortSignal): Promise<Suggestion> {
  const source = await openSource({ ...PLAIN_SOURCE, file: path.resolve(file) }, [], signal);
  try {
    const twins = new TwinCounter();
    const candidates = source.columns.slice(0, KEY_CANDIDATES);
    let rows = 0;
    const profile = await profileSource(source, (row) => {
      rows += 1;
      twins.add(candidates, row.cells);
    });
    const { sheet, otherSheets = [], headerLine } = source.detected;
    const columns = profile.filter((one) => one.filled > 0).map(toColumn);
    const others = columns.filter(({ type }) => type !== "url");
    return {
      sheetName: sheet,
      otherSheets,
      headerRow: headerLine === 1 ? undefined : headerLine,
      columns,
      german: findGerman(columns.map(({ header }) => header)),
      keyBeside: (column) => {
        const usable = others.filter(
          ({ header }) => header !== column?.header && candidates.includes(header),
        );
        const names = usable.map(({ header }) => header);
        return pickKey(names, twins, rows).flatMap((name) =>
          usable.filter(({ header }) => header === name),
        );
      },
      labelBeside: (column) => others.find(({ header }) => header !== column?.header),
    };
  } finally {
    await source.close();
  }
}
