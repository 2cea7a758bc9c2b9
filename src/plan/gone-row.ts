/** A row whose code lives on though the spreadsheet has no good row of it, as lists name it. */
import type { JobRows } from "../job/job.ts";
import type { StateRow } from "../state/row.ts";
import { sayRow } from "./row-place.ts";
import type { GoneRow } from "./tally.ts";

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
