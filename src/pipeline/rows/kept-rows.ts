/** What a run without a good row leaves as it is: which of its bad rows have codes and labels all the same. */
import type { State } from "../../state/state.ts";
import { DONE, PRESENT } from "../../state/which-rows.ts";

/** Meta: as JSON; empty once a run has made files again. */
const KEPT = "kept_rows";

interface KeptRows {
  /** Of the job that has no good row. */
  readonly mark: string;
  /** Lines of bad rows that the state knows from earlier runs. */
  readonly known: readonly number[];
  /** Those of them that are done. */
  readonly done: readonly number[];
}

/** To be called with the bad rows of the run, which keeps all finished files. */
export function rememberKept(
  state: State,
  mark: string,
  bad: Iterable<{ readonly line: number; readonly key?: string | undefined }>,
): void {
  const [known, done]: [number[], number[]] = [[], []];
  for (const { line, key } of bad) {
    if (key === undefined || !state.is(key, PRESENT)) continue;
    known.push(line);
    if (state.is(key, DONE)) done.push(line);
  }
  state.setMeta(KEPT, JSON.stringify({ mark, known, done } satisfies KeptRows));
}

/** Of a run that makes files. */
export function forgetKept(state: State): void {
  if (recallKept(state) !== undefined) state.setMeta(KEPT, "");
}

/** Undefined where the last run made files. */
export function recallKept(state: State): KeptRows | undefined {
  const text = state.meta(KEPT) ?? "";
  return text === "" ? undefined : (JSON.parse(text) as KeptRows);
}
