/** What a spreadsheet suggests for its manifest. */
import path from "node:path";

import { PLAIN_SOURCE } from "../../job/job.ts";
import { profileSource, type ColumnProfile } from "../../read/profile.ts";
import { openSource } from "../../read/source.ts";
import type { DraftColumn } from "./draft.ts";

export interface Suggestion {
  readonly sheetName: string | undefined;
  /** Of a workbook: the sheets that were not taken. */
  readonly otherSheets: readonly string[];
  readonly headerRow: number | undefined;
  /** Columns that may hold what the codes say, best first. */
  readonly payloads: readonly DraftColumn[];
  /** One column or two, beside the payload, that tell the rows apart; empty when there are none. */
  keyBeside(payload: DraftColumn): readonly DraftColumn[];
  /** What a person would call a row, beside the payload. */
  labelBeside(payload: DraftColumn): DraftColumn | undefined;
}

const KEY_CANDIDATES = 5;
/** Sheets that people have typed have a few rows twice; those are told when the job is planned. */
const FEW_TWINS = 0.02;

const toColumn = ({ column, type }: ColumnProfile): DraftColumn => ({ header: column, type });

/** Numbers stay text: `007` is a name here. */
const asName = ({ column }: ColumnProfile): DraftColumn => ({ header: column, type: "text" });

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
    const filled = profile.filter((one) => one.filled > 0);
    const urls = filled.filter(({ type }) => type === "url");
    const others = filled.filter(({ type }) => type !== "url");
    return {
      sheetName: sheet,
      otherSheets,
      headerRow: headerLine === 1 ? undefined : headerLine,
      payloads: [...urls.map(toColumn), ...others.map(asName)],
      keyBeside: ({ header }) => {
        const names = others.map(({ column }) => column).filter((name) => name !== header);
        const usable = candidates.filter((name) => names.includes(name));
        return pickKey(usable, twins, rows).map((name) => ({ header: name, type: "text" }));
      },
      labelBeside: ({ header }) => {
        const label = others.find(({ column }) => column !== header);
        return label && asName(label);
      },
    };
  } finally {
    await source.close();
  }
}
