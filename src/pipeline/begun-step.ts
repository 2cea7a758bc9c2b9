/** A step that changes codes after their run: the report says so until it ends, and of a retire the state, too. */
import path from "node:path";

import { tellBegun, type BegunStep } from "../pack/tell-begun.ts";
import type { State } from "../state/state.ts";
import type { Ports } from "./ports.ts";

type Step = BegunStep["step"];

/** Meta: a retire, or the undo of one, that has begun and not ended. */
const UNENDED = "unended_step";

/** Before the first code is changed. */
export function tellStepBegun(
  folder: string,
  step: Step,
  { commandOf }: Pick<Ports, "commandOf">,
): void {
  tellBegun(path.join(folder, "report.html"), { step, command: commandOf(step) });
}

export const noteUnended = (state: State, step: Step): void => state.setMeta(UNENDED, step);

/** The step has come to its end. */
export function noteEnded(state: State): void {
  if (findUnended(state) !== undefined) state.setMeta(UNENDED, "");
}

/** The retire, or undo of one, that was stopped or killed; also one that is under way. */
export function findUnended(state: State): Step | undefined {
  const step = state.meta(UNENDED);
  return step === "retire" || step === "undo" ? step : undefined;
}
