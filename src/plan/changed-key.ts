import type { Problem } from "../base/errors.ts";
import type { KnownRow, PlannedRow, Wanted } from "../state/row.ts";
import { toStableHash } from "./hash.ts";

/** So many unknown rows are compared with earlier ones. */
const COMPARED = 10_000;

/** The key has changed when fewer than one row in so many is recognised. */
const RECOGNISED = 10;

/** What an earlier run made of a row. */
export interface MadeRow {
  readonly wanted: Wanted;
  /** The plan names its key. */
  readonly isNamed: boolean;
}

export interface KeyChange {
  readonly key: readonly string[];
  /** The key columns of the last run; undefined where they were not noted. */
  readonly before: readonly string[] | undefined;
  readonly rows: Iterable<PlannedRow>;
  /** How many rows the plan has, and how many of them have a key of an earlier run. */
  readonly good: number;
  readonly named: number;
  readonly known: (key: string) => KnownRow | undefined;
  /** Rows that were sent. */
  readonly made: () => Iterable<MadeRow>;
}

/** What a row makes. The name left out: it may be the key. */
function toContent({ wanted }: Pick<MadeRow, "wanted">, hasName: boolean): string {
  const { type, dynamic, qrData, displayName, folder, vcard, gs1Product } = wanted;
  const { product, link, pdf, page, form } = wanted;
  const things = { product, link, page, form, pdf: pdf && { ...pdf, file: null } };
  const name = hasName ? displayName : null;
  return toStableHash({ type, dynamic, qrData, folder, vcard, gs1Product, things, name });
}

const toColumns = (key: readonly string[]): string =>
  key.length === 0 ? "none" : `[${key.join(", ")}]`;

/**
 * The error for rows that would be made a second time under other keys: (nearly) none is
 * recognised, and they want what was made before. With other key columns, any equal content counts.
 * With the same ones, only content of exactly one vanished and one new row counts, since a new key
 * may mean another code.
 */
export function findChangedKey(change: KeyChange): Problem | undefined {
  const { key, before } = change;
  const isOther = before !== undefined && JSON.stringify(before) !== JSON.stringify(key);
  const doubles = countDoubles(change, isOther);
  if (doubles === 0) return undefined;
  const rows = `${doubles} ${doubles === 1 ? "row" : "rows"}`;
  return isOther
    ? {
        message: `source.key changed from ${toColumns(before)} to ${toColumns(key)}: what ${rows} would make was made before under the old key, and would be made a second time`,
        hint: `put source.key back to ${toColumns(before)}, or make every code anew with --fresh --yes`,
      }
    : {
        message: `the keys of the rows (source.key: ${toColumns(key)}) are not those of earlier runs: what ${rows} would make was made before under other keys, and would be made a second time`,
        hint: "put source.key, or the cells that it names, back as they were, or make every code anew with --fresh --yes",
      };
}

function countDoubles(change: KeyChange, isOther: boolean): number {
  const { good, named, made } = change;
  // Spares most runs the comparison.
  if (!isOther && good - named < named * RECOGNISED) return 0;
  const { recognised, wishes } = compareRows(change, isOther);
  const found = new Counts();
  for (const row of made()) {
    const content = toContent(row, !isOther);
    if ((isOther || !row.isNamed) && wishes.of(content) > 0) found.add(content);
  }
  let doubles = 0;
  for (const [content, times] of found.entries()) {
    const wished = wishes.of(content);
    if (isOther || (times === 1 && wished === 1)) doubles += wished;
  }
  return doubles < recognised * RECOGNISED ? 0 : doubles;
}

/** Counts recognised rows, and keeps what the first others would make. */
function compareRows(
  { rows, known }: KeyChange,
  isOther: boolean,
): { readonly recognised: number; readonly wishes: Counts } {
  const wishes = new Counts();
  let recognised = 0;
  for (const row of rows) {
    const old = known(row.key);
    if (old !== undefined && (!isOther || toContent(old, false) === toContent(row, false))) {
      recognised += 1;
    } else {
      wishes.add(toContent(row, !isOther));
      if (wishes.total >= COMPARED) break;
    }
  }
  return { recognised, wishes };
}

/** How often each text was added. */
class Counts {
  readonly #times = new Map<string, number>();
  total = 0;

  add(text: string): void {
    this.#times.set(text, this.of(text) + 1);
    this.total += 1;
  }

  of(text: string): number {
    return this.#times.get(text) ?? 0;
  }

  entries(): Iterable<[string, number]> {
    return this.#times.entries();
  }
}
