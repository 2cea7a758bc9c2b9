import type { Problem } from "../base/errors.ts";
import { KEY_SEPARATOR } from "../base/shapes/row-key.ts";
import { cutKey, formatMany } from "../base/text/words.ts";
import type { KnownRow, PlannedRow, Wanted } from "../state/row.ts";
import { toStableHash } from "./hash.ts";

/** So many unknown rows are compared with earlier ones. */
const COMPARED = 10_000;

/** The key has changed when fewer than one row in so many is recognised. */
const RECOGNISED = 10;

/** What an earlier run made of a row. */
export interface MadeRow {
  readonly key: string;
  readonly cells: PlannedRow["cells"];
  readonly wanted: Wanted;
  /** The plan names its key. */
  readonly isNamed: boolean;
}

export interface KeyChange {
  readonly key: readonly string[];
  /** The key columns of the last run; undefined where they were not noted. */
  readonly before: readonly string[] | undefined;
  readonly rows: () => Iterable<PlannedRow>;
  /** How many rows the plan has, and how many of them have a key of an earlier run. */
  readonly good: number;
  readonly named: number;
  readonly known: (key: string) => KnownRow | undefined;
  /** Keys of codes that the plan doesn't name. */
  readonly gone: readonly string[];
  /** Rows that were sent. */
  readonly made: () => Iterable<MadeRow>;
  /** The cells of the key columns of this plan, as one text. */
  readonly keyCells: (cells: PlannedRow["cells"]) => string;
}

/** What a row makes. The name left out: it may be the key. */
function toContent({ wanted }: Pick<MadeRow, "wanted">, hasName: boolean): string {
  const { type, dynamic, qrData, displayName, folder, vcard, gs1Product } = wanted;
  const { product, link, pdf, page, form } = wanted;
  const things = { product, link, page, form, pdf: pdf && { ...pdf, file: null } };
  const name = hasName ? displayName : null;
  return toStableHash({ type, dynamic, qrData, folder, vcard, gs1Product, things, name });
}

/** True for rows that make the same, whatever their names. */
export const isSameContent = (
  one: Pick<MadeRow, "wanted">,
  other: Pick<MadeRow, "wanted">,
): boolean => toContent(one, false) === toContent(other, false);

const toColumns = (key: readonly string[]): string =>
  key.length === 0 ? "none" : `[${key.join(", ")}]`;

/** A key as spreadsheet programs may leave it: without zeros in front. */
const toFolded = (key: string): string =>
  key
    .split(KEY_SEPARATOR)
    .map((part) => part.trim().replace(/^0+(?=\d)/u, ""))
    .join(KEY_SEPARATOR);

const DROPS_ZEROS =
  "spreadsheet programs drop zeros in front where the column is not formatted as Text";

/** Keys of vanished rows that are held in memory to be compared: more than sheets of a person have. */
const FOLDED = 200_000;

type Twin = readonly [now: string, before: string];

/** Keys of new rows that are those of vanished rows, but for zeros in front. */
function listTwins({ key, rows, good, named, known, gone }: KeyChange): Twin[] {
  if (key.length === 0 || good === named || gone.length === 0) return [];
  const vanished = new Map(gone.slice(0, FOLDED).map((before) => [toFolded(before), before]));
  const twins: Twin[] = [];
  for (const { key: now } of rows()) {
    const before = vanished.get(toFolded(now));
    if (before !== undefined && known(now) === undefined) twins.push([now, before]);
  }
  return twins;
}

/** So many that it was a program: a new list may have a few keys of an old one with other zeros. */
function countTwins(change: KeyChange): number {
  const { length } = listTwins(change);
  return length * 2 > Math.min(FOLDED, change.good - change.named) ? length : 0;
}

/** The warning of single rows whose keys were made before with zeros in front. */
export function findTwinKeys(change: KeyChange): Problem | undefined {
  const twins = listTwins(change);
  const [first] = twins;
  if (first === undefined) return undefined;
  const [now, before] = first.map((one) => JSON.stringify(cutKey(one)));
  const rows = `${formatMany(twins.length, "new row")} ${twins.length === 1 ? "has" : "have"}`;
  return {
    message: `${rows} the key of a code that is there, but for zeros in front, such as ${now} for ${before}: a second code is made`,
    hint: `write the keys as they were: ${DROPS_ZEROS}`,
  };
}

/** Rows that would be made a second time. */
interface Doubles {
  /** They want what was made before. */
  readonly byContent: number;
  /** They have the cells in the new key columns that earlier rows have, or their keys but for zeros. */
  readonly byCells: number;
}

const NO_DOUBLES: Doubles = { byContent: 0, byCells: 0 };

/**
 * The error for rows that would be made a second time under other keys: (nearly) none is
 * recognised, and they want what was made before, or are earlier rows under the new key. With other
 * key columns, any equal content counts. With the same ones, only content of exactly one vanished
 * and one new row counts, since a new key may mean another code.
 */
export function findChangedKey(change: KeyChange): Problem | undefined {
  const { key, before } = change;
  const isOther = before !== undefined && JSON.stringify(before) !== JSON.stringify(key);
  const { byContent, byCells } = countDoubles(change, isOther);
  const doubles = Math.max(byContent, byCells);
  if (doubles === 0) return undefined;
  const rows = formatMany(doubles, "row");
  const says =
    byContent >= byCells
      ? `what ${rows} would make was made before`
      : `${rows} ${doubles === 1 ? "was" : "were"} made before`;
  return isOther
    ? {
        message: `source.key changed from ${toColumns(before)} to ${toColumns(key)}: ${says} under the old key, and would be made a second time`,
        hint: `put source.key back to ${toColumns(before)}, or make every code anew with --fresh --yes`,
      }
    : {
        message: `the keys of the rows (source.key: ${toColumns(key)}) are not those of earlier runs: ${says} under other keys, and would be made a second time`,
        hint: `put source.key, or the cells that it names, back as they were${byCells > byContent ? ` (${DROPS_ZEROS})` : ""}, or make every code anew with --fresh --yes`,
      };
}

function countDoubles(change: KeyChange, isOther: boolean): Doubles {
  const { good, named, made, keyCells } = change;
  // Spares most runs the comparison.
  if (!isOther && good - named < named * RECOGNISED) return NO_DOUBLES;
  const { recognised, wishes, keys } = compareRows(change, isOther);
  const found = new Counts();
  const doubled = new Set<string>();
  for (const row of made()) {
    const content = toContent(row, !isOther);
    if ((isOther || !row.isNamed) && wishes.of(content) > 0) found.add(content);
    const now = keys.size === 0 ? undefined : keys.get(keyCells(row.cells));
    if (now !== undefined && now !== row.key) doubled.add(now);
  }
  const byContent = countWished(found, wishes, isOther);
  const byCells = isOther ? doubled.size : countTwins(change);
  const isFew = Math.max(byContent, byCells) < recognised * RECOGNISED;
  return isFew ? NO_DOUBLES : { byContent, byCells };
}

/** Rows whose content was made before. */
function countWished(found: Counts, wishes: Counts, isOther: boolean): number {
  let count = 0;
  for (const [content, times] of found.entries()) {
    const wished = wishes.of(content);
    if (isOther || (times === 1 && wished === 1)) count += wished;
  }
  return count;
}

interface Compared {
  readonly recognised: number;
  readonly wishes: Counts;
  /** With other key columns: their cells -> key, of the same rows. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Counts recognised rows, and keeps what the first others would make. */
function compareRows({ rows, known, keyCells }: KeyChange, isOther: boolean): Compared {
  const wishes = new Counts();
  const keys = new Map<string, string>();
  let recognised = 0;
  for (const row of rows()) {
    const old = known(row.key);
    if (old !== undefined && (!isOther || toContent(old, false) === toContent(row, false))) {
      recognised += 1;
    } else {
      wishes.add(toContent(row, !isOther));
      if (isOther) keys.set(keyCells(row.cells), row.key);
      if (wishes.total >= COMPARED) break;
    }
  }
  return { recognised, wishes, keys };
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
