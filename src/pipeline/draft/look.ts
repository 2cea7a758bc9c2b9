/** What a spreadsheet suggests for its manifest. */
import path from "node:path";

import { closing } from "../../base/closing.ts";
import { PLAIN_SOURCE } from "../../job/job.ts";
import { FEW_TWINS, profileSource, type ColumnProfile } from "../../read/profile.ts";
import { withFullestSheet } from "../../read/fullest-sheet.ts";
import { openSource } from "../../read/source.ts";
import { findAll, findGerman, headerFits, isMeasure, type DraftColumn } from "./columns.ts";

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
  /** The column or pair that tells most rows apart, the first of equals; empty when none does. */
  readonly keyAmong: (wishes: readonly (readonly DraftColumn[])[]) => readonly DraftColumn[];
  /** What a person would call a row, beside the column named. */
  readonly labelBeside: (column: DraftColumn | undefined) => DraftColumn | undefined;
}

const KEY_CANDIDATES = 5;

const contactNames = [
  "first_name",
  "last_name",
  "full_name",
  "email",
  "mobile_number",
  "person_number",
] as const;

/** Whether a column may tell contacts apart, wherever it stands. */
const isContactName = (header: string): boolean =>
  contactNames.some((role) => headerFits(header, role));

/** Types that change what a code gets from a cell; numbers stay text: `007` is a name here. */
const KEPT: readonly ColumnProfile["type"][] = ["url", "gtin", "email"];

function toColumn({ column: header, type, isLinked, isGs1Date }: ColumnProfile): DraftColumn {
  if (isLinked === true) return { header, type, isLinked };
  if (KEPT.includes(type)) return { header, type };
  const isNumber = type === "integer" || type === "number";
  // Some may be mistyped: the plan reports each of them.
  const isGtin = isNumber && findAll([{ header, type: "text" }], "gtin").length > 0;
  const dates = isGs1Date === true && { isGs1Date };
  return { header, type: isGtin ? "gtin" : "text", ...dates };
}

/** Counts rows that have the same cells as an earlier one, or an empty one, in one column or in two. */
class TwinCounter {
  readonly #seen = new Map<
    string,
    { readonly texts: Set<string>; twins: number; empties: number }
  >();

  add(columns: readonly string[], cells: Readonly<Record<string, string>>): void {
    for (const [at, a] of columns.entries()) {
      this.#count([a], cells);
      for (const b of columns.slice(at + 1)) this.#count([a, b], cells);
    }
  }

  #count(columns: readonly string[], cells: Readonly<Record<string, string>>): void {
    const name = JSON.stringify(columns);
    const known = this.#seen.get(name) ?? { texts: new Set(), twins: 0, empties: 0 };
    this.#seen.set(name, known);
    const row = columns.map((column) => (cells[column] ?? "").trim());
    if (row.includes("")) known.empties += 1;
    const texts = JSON.stringify(row);
    if (known.texts.has(texts)) known.twins += 1;
    else known.texts.add(texts);
  }

  twinsOf(columns: readonly string[]): number {
    return this.#seen.get(JSON.stringify(columns))?.twins ?? Number.POSITIVE_INFINITY;
  }

  /** Rows whose key would be empty or equal to another row's. */
  missesOf(columns: readonly string[]): number {
    const known = this.#seen.get(JSON.stringify(columns));
    return known === undefined ? Number.POSITIVE_INFINITY : known.twins + known.empties;
  }
}

/** One or two of these columns in which almost all rows differ; one is better than two. */
function pickKey(names: readonly string[], twins: TwinCounter, rows: number): readonly string[] {
  const singles = names.map((name) => [name]);
  const pairs = names.flatMap((a, at) => names.slice(at + 1).map((b) => [a, b]));
  for (const candidates of [singles, pairs]) {
    const [best] = candidates
      .filter((one) => twins.twinsOf(one) <= rows * FEW_TWINS)
      .toSorted((a, b) => twins.missesOf(a) - twins.missesOf(b));
    if (best !== undefined) return best;
  }
  return [];
}

/** As `pickKey`; columns that only measure a row are asked last. */
function pickBestKey(
  names: readonly string[],
  twins: TwinCounter,
  { rows, profile }: { readonly rows: number; readonly profile: readonly ColumnProfile[] },
): readonly string[] {
  const measures = profile.filter(({ column, type }) => isMeasure(column, type));
  const things = names.filter((name) => !measures.some(({ column }) => column === name));
  const found = pickKey(things, twins, rows);
  return found.length > 0 ? found : pickKey(names, twins, rows);
}

/** Reads a spreadsheet once, or the sheet that is named. Throws what opening it throws. */
export async function lookAt(
  file: string,
  sheetName: string | undefined,
  signal: AbortSignal,
): Promise<Suggestion> {
  const meant = await withFullestSheet({
    ...PLAIN_SOURCE,
    file: path.resolve(file),
    sheet: sheetName ?? null,
  });
  return closing(await openSource(meant, [], signal), async (source) => {
    const twins = new TwinCounter();
    const candidates = source.columns.slice(0, KEY_CANDIDATES);
    const counted = source.columns.filter(
      (header, at) => at < KEY_CANDIDATES || isContactName(header),
    );
    let rows = 0;
    const profile = await profileSource(source, (row) => {
      rows += 1;
      twins.add(counted, row.cells);
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
        return pickBestKey(names, twins, { rows, profile }).flatMap((name) =>
          usable.filter(({ header }) => header === name),
        );
      },
      keyAmong: (wishes) =>
        wishes
          .map((wish) => {
            // Counted in the order of the spreadsheet.
            const names = counted.filter((name) => wish.some(({ header }) => header === name));
            return {
              wish,
              misses: names.length === wish.length ? twins.missesOf(names) : Infinity,
            };
          })
          .filter(({ misses }) => misses <= rows * FEW_TWINS)
          .toSorted((a, b) => a.misses - b.misses)[0]?.wish ?? [],
      labelBeside: (column) => others.find(({ header }) => header !== column?.header),
    };
  });
}
