/** What of a state is left to do, for summaries and `status`. */
import type { State } from "../../state/state.ts";

/** These change no design: what a code looks like is left as it is. */
const KEEPS_DESIGN: ReadonlySet<string> = new Set(["retarget", "export"]);

/** Rows whose thing exists and is not yet what the row wants: SQL over the columns of `rows`. */
export function toUnfinished(kind: string): string {
  const design = KEEPS_DESIGN.has(kind) ? "" : "OR made_design_hash <> design_hash";
  return `(state = 'done' AND (made_hash <> wanted_hash ${design}
    OR (made_tags_hash IS NOT NULL AND made_tags_hash <> tags_hash)
    OR (made_tags_hash IS NULL AND json_array_length(wanted, '$.tags') > 0)))`;
}

/** Those of them that no error holds up: the next run goes on with them. */
export const countUnfinished = (state: State, kind: string): number =>
  state.count(`presence = 'present' AND error IS NULL AND ${toUnfinished(kind)}`);

/** Rows that failed, by what helps: another spreadsheet, another try, or another fetch. */
export interface Failures {
  /** Refused by the server, or not clearly found on it. */
  readonly refused: number;
  /** Made, but a later call for them was refused. */
  readonly halfway: number;
  /** As they should be, but their files could not be fetched. */
  readonly files: number;
}

export function countFailures(state: State, kind: string): Failures {
  const count = (where: string): number => state.count(`presence = 'present' AND ${where}`);
  const withError = count("state = 'done' AND error IS NOT NULL");
  const halfway = count(`error IS NOT NULL AND ${toUnfinished(kind)}`);
  return {
    refused: count("state IN ('failed', 'conflict')"),
    halfway,
    files: withError - halfway,
  };
}
