/** Counts what a state has left to do, for summaries and `status`. */
import type { StateRow } from "../../state/row.ts";
import type { RunCounts } from "./counts.ts";
import type { RunResult } from "../results.ts";
import type { State } from "../../state/state.ts";
import type { ListedAs } from "../../state/row-codec.ts";
import { isRowKind, type Kind } from "../../kinds/names.ts";
import {
  NONE,
  PRESENT,
  PRESENT_LEFT,
  mayOnlyLackFilesNow,
  presentHalfway,
  presentUnfinished,
  shownHalfway,
  toStandings,
} from "../../state/which-rows.ts";

/** Jobs of these kinds change no design. */
const KEEPS_DESIGN: ReadonlySet<string> = new Set(["retarget", "export"]);

export interface Standing {
  /** Made, and what their rows want. */
  readonly asWanted: number;
  /** Made, but not yet what their rows want; the next run goes on with them. */
  readonly unfinished: number;
  /** Not sent, on the wire, in doubt. */
  readonly open: number;
  /** Refused by the server, or not clearly found on it. */
  readonly refused: number;
  /** Made, but a later call for them was refused. */
  readonly halfway: number;
  /** As they should be, but their files could not be fetched. */
  readonly lostFiles: number;
  /** All that failed in one of these three ways. */
  readonly failed: number;
}

export const NOTHING_LEFT: Omit<Standing, "asWanted"> = {
  unfinished: 0,
  open: 0,
  refused: 0,
  halfway: 0,
  lostFiles: 0,
  failed: 0,
};

/** Most rows have nothing left: they are as they want to be. */
export function countStanding(state: State, kind: string): Standing {
  const settled = state.count(PRESENT) - state.count(PRESENT_LEFT);
  const left = state.counts(toStandings(KEEPS_DESIGN.has(kind)), PRESENT_LEFT);
  return { ...left, asWanted: left.asWanted + settled };
}

type RowCounts = Pick<
  RunResult,
  "created" | "adopted" | "changed" | "unchanged" | "left" | "failed" | "withoutFiles"
>;

/** What became of rows that were read well. Those without files are among the others. */
export function countRows(
  { asWanted, unfinished, open, refused, halfway, lostFiles }: Standing,
  { created, adopted, changed }: Pick<RunCounts, "created" | "adopted" | "changed">,
): RowCounts {
  return {
    created,
    adopted,
    changed,
    unchanged: Math.max(0, asWanted - created - adopted - changed),
    left: unfinished + open,
    failed: refused + halfway,
    ...(lostFiles > 0 && { withoutFiles: lostFiles }),
  };
}

/** After an undo or a retire: rows that were not meant are unchanged, though they may want otherwise. */
export function countAfter(
  { asWanted, unfinished, halfway, refused, open }: Standing,
  { bad, changed, notDone }: { readonly [Name in "bad" | "changed" | "notDone"]: number },
): Pick<RunResult, "rows" | "unchanged"> {
  return {
    rows: asWanted + unfinished + halfway + refused + open + bad,
    unchanged: asWanted + unfinished - changed - notDone,
  };
}

/** Rows that are made and left to do all the same. */
const leftIn = (kind: string): string => presentUnfinished(KEEPS_DESIGN.has(kind));

/**
 * How lists show rows: those that are left to do as pending, codes that were there before and whose
 * change was refused as failed, since nothing was done for them.
 */
export const toListedAs = (kind: Kind): ListedAs => ({
  pending: leftIn(kind),
  failed: isRowKind(kind) ? NONE : presentHalfway(KEEPS_DESIGN.has(kind)),
});

/** Rows without an error that are not yet what they want, though nobody put them back. */
export const countUnfinished = (state: State, kind: string): number => state.count(leftIn(kind));

/** Rows by their state, and those that are made, and of which the server refused a later call. */
export function countStates(
  state: State,
  kind: Kind,
): { readonly rows: Readonly<Record<string, number>>; readonly halfway: number } {
  const rows = state.countByState();
  const halfway = state.count(presentHalfway(KEEPS_DESIGN.has(kind)));
  if (isRowKind(kind) || halfway === 0) return { rows, halfway };
  // The change of a code that was there before is all that there is to do.
  const { done = 0, failed = 0, ...others } = rows;
  const left = done - halfway;
  return {
    rows: { ...(left > 0 && { done: left }), ...others, failed: failed + halfway },
    halfway: 0,
  };
}

/** The run is undone: what was refused in it is no longer to mend. */
export const forgetRefusals = (state: State, kind: Kind): void =>
  state.selected.forgetRefusals(presentHalfway(KEEPS_DESIGN.has(kind)));

/** Rows that are as they want to be but for their files, which could not be fetched. */
export const lostFilesIn = (kind: string): string =>
  `${PRESENT_LEFT} AND +(${toStandings(KEEPS_DESIGN.has(kind)).lostFiles})`;

/** Those of them whose codes are known, for lists. */
export const refusedIn = (kind: string): string => shownHalfway(KEEPS_DESIGN.has(kind));

/** Rows of which nothing but files may be missing, and that the next run does not change. */
export const doneRowsOfFiles = (state: State, kind: string): Iterable<StateRow> =>
  state.rows(mayOnlyLackFilesNow(KEEPS_DESIGN.has(kind)));
