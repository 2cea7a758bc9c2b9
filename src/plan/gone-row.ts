/** A row whose code lives on though the spreadsheet has no good row of it, as lists name it. */
import type { JobRows } from "../job/job.ts";
import type { StateRow } from "../state/row.ts";
import { sayRow } from "./row-place.ts";

/** A row that the spreadsheet has no longer, and whose code lives on. */
export interface GoneRow {
  readonly key: string;
  /** Where it stood last. */
  readonly line: number;
  /** The same in words: `line 4`, `number 0004`, `serial 7K2M9`, `file x.pdf`. */
  readonly place: string;
  readonly displayName: string;
  readonly id: string;
  /** Null for static codes, and while it is not known. */
  readonly shortLink: string | null;
  /** Artwork, relative to the output folder. */
  readonly files: readonly string[];
  /** They show the address that the server had before it moved; left out where they don't. */
  readonly showsOldAddress?: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** None for a row that has no code; `overwritten`: keys of rows whose files others have. */
export function toGoneRow(
  source: Pick<JobRows, "from">,
  row: StateRow | undefined,
  overwritten: ReadonlySet<string> = NONE,
): GoneRow[] {
  if (row?.remoteId == null) return [];
  const { key, line, remoteId: id, shortLink, artwork } = row;
  const { displayName } = row.made ?? row.wanted;
  const files = overwritten.has(key) ? [] : (artwork?.files.map(({ name }) => name) ?? []);
  const old = artwork?.spoiled === "moved" && { showsOldAddress: true };
  return [{ key, line, place: sayRow(source, row), displayName, id, shortLink, files, ...old }];
}
