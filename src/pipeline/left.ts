/** What of a state is left to do, for summaries and `status`. */
import type { State } from "../state/state.ts";

/** These change no design: what a code looks like is left as it is. */
const KEEPS_DESIGN: ReadonlySet<string> = new Set(["retarget", "export"]);

/** Rows whose thing exists and is not yet what the row wants: SQL over the columns of `rows`. */
export function toUnfinished(kind: string): string {
  const design = KEEPS_DESIGN.has(kind) ? "" : "OR made_design_hash <> design_hash";
  return `(state = 'done' AND (made_hash <> wanted_hash ${design}
    OR (made_tags_hash IS NOT NULL AND made_tags_hash <> tags_hash)
    OR (made_tags_hash IS NULL AND json_array_length(wanted, '$.tags') > 0)))`;
}

/** Rows that the spreadsheet has no longer, but whose codes are still to be looked for. */
export const GONE_IN_DOUBT = `presence <> 'present' AND (state IN ('sending', 'doubt')
  OR (doubted_from IS NOT NULL AND state IN ('done', 'failed', 'pending')))`;

/** Where the rows of a job stand. */
export interface Standing {
  /** Made, and what their rows want. */
  readonly asWanted: number;
  /** Made and not yet that; the next run goes on with them. */
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

export function countStanding(state: State, kind: string): Standing {
  const unfinished = toUnfinished(kind);
  return state.counts({
    asWanted: `state = 'done' AND ${unfinished} IS NOT TRUE`,
    unfinished: `error IS NULL AND ${unfinished}`,
    open: "state IN ('pending', 'sending', 'doubt')",
    refused: "state IN ('failed', 'conflict')",
    halfway: `error IS NOT NULL AND ${unfinished}`,
    lostFiles: `state = 'done' AND error IS NOT NULL AND ${unfinished} IS NOT TRUE`,
    failed: "state IN ('failed', 'conflict') OR error IS NOT NULL",
  });
}

/** Those of them that no error holds up: the next run goes on with them. */
export const countUnfinished = (state: State, kind: string): number =>
  state.count(`presence = 'present' AND error IS NULL AND ${toUnfinished(kind)}`);
