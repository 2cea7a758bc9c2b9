/** What the state notes of a retire, and of the undo of one, while codes are moved or deleted. */
import type { State } from "../../state/state.ts";

/** Meta: the step that has begun and not ended. */
const UNENDED = "unended_step";

type Step = "retire" | "undo";

/** Before the first code is changed. */
export const noteUnended = (state: State, step: Step): void => state.setMeta(UNENDED, step);

/** The step has come to its end. */
export function noteEnded(state: State): void {
  if (findUnended(state) !== undefined) state.setMeta(UNENDED, "");
}

/** The one that was stopped or killed; also one that is under way. */
export function findUnended(state: State): Step | undefined {
  const step = state.meta(UNENDED);
  return step === "retire" || step === "undo" ? step : undefined;
}
