/** The result of a job's last run, kept in its state: every front end shows the same. */
import path from "node:path";

import { AppError, badUsage, type Problem } from "../../base/errors.ts";
import type { Job } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import { areLinksToCome } from "../address/link-origins.ts";
import { lookAtState } from "./look-at-state.ts";
import type { Ports } from "../ports.ts";
import type { RunResult } from "../results.ts";

/** Meta: as JSON. */
export const LAST_RESULT = "last_result";
/** Which command asked first, and got no yes. */
const WAITS_FOR_YES = "waits_for_yes";

/** When `verify` has found all files right since the last result. */
const PROVEN_SINCE = "proven_since";

type Asking = "run" | "retry";

/** Files are kept by their place beside the manifest, so that all of them may move. */
export function rememberResult(state: State, result: RunResult): void {
  keepResult(state, result);
  forgetProven(state);
  if (findUnanswered(state) !== null) state.setMeta(WAITS_FOR_YES, "");
}

/** What is no longer true of the last result, as a later step leaves it; nothing where no run has ended. */
export function amendResult(
  state: State,
  job: Job,
  amend: (result: RunResult) => Partial<RunResult>,
): void {
  const last = recallResult(state, job);
  if (last) keepResult(state, { ...last, ...amend(last) });
}

function keepResult(state: State, result: RunResult): void {
  const folder = path.dirname(result.manifest);
  const files = result.files.map((one) => ({ ...one, file: path.relative(folder, one.file) }));
  state.setMeta(LAST_RESULT, JSON.stringify({ ...result, files }));
}

/** A run has begun: the last result no longer holds. */
export function forgetResult(state: State): void {
  state.setMeta(LAST_RESULT, "");
  forgetProven(state);
  if (findUnanswered(state) !== null) state.setMeta(WAITS_FOR_YES, "");
}

/** Asks; without a yes, the state knows that the command waits for one. */
export async function askNoting(
  state: State,
  command: Asking,
  ask: () => Promise<void>,
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof AppError && error.code === "confirm-needed")
      state.setMeta(WAITS_FOR_YES, command);
    throw error;
  }
}

/** The command that asked last and got no yes, where nothing was run since. */
export function findUnanswered(state: State): Asking | null {
  const command = state.meta(WAITS_FOR_YES);
  return command === "run" || command === "retry" ? command : null;
}

/** True once a run has begun. */
export const hasBegun = (state: State): boolean => state.meta(LAST_RESULT) !== undefined;

/** What was stopped or killed, if the last run or its undo was: files may be missing or unproven. */
export function findCutShort(state: State): "run" | "undo" | undefined {
  const text = state.meta(LAST_RESULT);
  if (text === undefined || text === "") return text === "" ? "run" : undefined;
  const { outcome, did } = JSON.parse(text) as Pick<RunResult, "outcome" | "did">;
  return outcome === "interrupted" && (did === "run" || did === "undo") ? did : undefined;
}

function forgetProven(state: State): void {
  if (state.meta(PROVEN_SINCE)) state.setMeta(PROVEN_SINCE, "");
}

/** Whether all files of a job are right, whatever the proof of its last run found. */
export function noteVerified(state: State, isProven: boolean, nowMs: number): void {
  if (isProven) state.setMeta(PROVEN_SINCE, String(nowMs));
  else forgetProven(state);
}

/** When all files of a job were found right last; 0 where that is not known, or no longer so. */
export const readProvenMs = (job: Job, ports: Parameters<typeof lookAtState>[1]): Promise<number> =>
  lookAtState(job, ports, (state) => Number(state?.meta(PROVEN_SINCE)) || 0);

/** True where the last run ended and the proof of its files found faults. */
function hasFoundFaults(state: State): boolean {
  const text = state.meta(LAST_RESULT) ?? "";
  return text !== "" && (JSON.parse(text) as Pick<RunResult, "proof">).proof?.isProven === false;
}

/** The same with what was found since: whether the files are unproven, or proven since. */
export function findUnproven(state: State): { isUnproven?: true; isProvenSince?: true } {
  if (!hasFoundFaults(state)) return {};
  return state.meta(PROVEN_SINCE) ? { isProvenSince: true } : { isUnproven: true };
}

export const isCutShort = (state: State): boolean => findCutShort(state) !== undefined;

/** Of files that are opened again: the last run or undo did not end, so nobody knows what they should be. */
export function toCutShort(state: State, ports: Pick<Ports, "commandOf">): Problem {
  const step = findCutShort(state) ?? "run";
  return {
    message: `the last ${step} did not end: files may be missing or unproven`,
    hint: `finish it with: ${ports.commandOf(step)}`,
  };
}

/** Of a step that needs sheets, with the links of their codes: throws where they lack because the last run did not end. */
export function refuseCutShort(step: string, state: State, ports: Pick<Ports, "commandOf">): void {
  if (!isCutShort(state)) return;
  const { message, hint } = toCutShort(state, ports);
  const lacks = areLinksToCome(state)
    ? "the short links of all codes, got some that are still to come"
    : "finished sheets, got none";
  throw badUsage(`${step} must have ${lacks}: ${message}`, hint);
}

/**
 * The last result; null where the last run did not end; undefined where nothing was run, or only by
 * a makeready that kept no results.
 */
export function readLastResult(
  job: Job,
  ports: Pick<Ports, "clock" | "writer">,
): Promise<RunResult | null | undefined> {
  return lookAtState(job, ports, (state) => state && recallResult(state, job));
}

function recallResult(state: State, job: Job): RunResult | null | undefined {
  const text = state.meta(LAST_RESULT);
  if (text === undefined) return undefined;
  if (text === "") return null;
  const result = JSON.parse(text) as RunResult;
  const folder = path.dirname(job.file);
  const files = result.files.map((one) => ({ ...one, file: path.resolve(folder, one.file) }));
  return { ...result, manifest: job.file, files };
}
