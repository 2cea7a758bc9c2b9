/**
 * What programs hand to the library. Those without types may hand in anything: it is refused before
 * anything is done.
 */
import { inspect } from "node:util";

import { type AppError, badUsage } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { cutText } from "../../base/text/words.ts";
import { isPlanFacts } from "../../plan/plan-file.ts";
import type { OpenOptions } from "../open.ts";
import type { ReprintOptions } from "../reprint/reprint.ts";
import type { RunRequest, SavedPlan, UndoRequest } from "../results.ts";
import type { RetireRequest } from "../retire/retire-plan.ts";

/** One line, cut: `{ output: [Object] }`. */
const showGiven = (value: unknown): string =>
  cutText(inspect(value, { depth: 0, breakLength: Infinity, compact: true, maxArrayLength: 3 }));

const refuse = (what: string, value: unknown, hint: string): AppError =>
  badUsage(`${what}, got ${showGiven(value)}`, hint);

const TEXTS = ["text", "out", "baseUrl", "publicUrl", "dataDir", "workspace"] as const;
const LIMITS: readonly unknown[] = [undefined, "off", "hosted"];
const PAGE = "docs/library.md lists the options";

type Name = keyof OpenOptions | "token" | "workspace" | "clock" | "ids" | "transport";
type Given = Partial<Readonly<Record<Name, unknown>>>;

/** Those that people look for come first. */
const NAMES: Readonly<Record<Name, true>> = {
  out: true,
  set: true,
  baseUrl: true,
  token: true,
  workspace: true,
  dataDir: true,
  publicUrl: true,
  limits: true,
  env: true,
  text: true,
  changesPublicUrl: true,
  changesServer: true,
  clock: true,
  ids: true,
  transport: true,
};

type Options = Readonly<Record<string, unknown>>;

/** A name that is mistyped would be passed over, and the job run without what it says. */
function checkNames(step: string, options: Options, names: Readonly<Record<string, true>>): void {
  const known = Object.keys(names);
  const other = Object.keys(options).find(
    (name) => !known.includes(name) && options[name] !== undefined,
  );
  if (other === undefined) return;
  throw badUsage(`${step} has no option ${cutText(other)}`, didYouMean(other, known));
}

function checkTexts({ token, ...rest }: Given): void {
  for (const name of TEXTS) {
    const value = rest[name];
    if (value === undefined || typeof value === "string") continue;
    throw refuse(`${name} must be a text`, value, PAGE);
  }
  if (token === undefined || typeof token === "string") return;
  // A secret: what was given is not shown.
  throw badUsage(`token must be a text, got a value of type ${typeof token}`, PAGE);
}

function checkOptions({ set, env = {}, limits }: Given): void {
  const isList = Array.isArray(set) && set.every((one) => typeof one === "string");
  if (set !== undefined && !isList) {
    const hint = 'one text for each field, as --set takes it: set: ["output.dir=out"]';
    throw refuse("set must be a list of texts", set, hint);
  }
  // `process.env` is no plain object.
  if (typeof env !== "object" || env === null) {
    throw badUsage(`env must be an object, got a value of type ${typeof env}`, "env: process.env");
  }
  if (!LIMITS.includes(limits)) throw refuse("limits must be off or hosted", limits, PAGE);
}

/** Throws `bad-usage` where a job can't be opened by these. */
export function checkOpening(file: unknown, options: unknown): void {
  if (typeof file !== "string" || file === "") {
    throw refuse("openJob must be given the path of a manifest", file, 'openJob("shelves.yaml")');
  }
  if (!isRecord(options)) throw refuse("the options of openJob must be an object", options, PAGE);
  checkNames("openJob", options, NAMES);
  checkTexts(options);
  checkOptions(options);
}

type Names<T> = Readonly<Record<keyof T | "signal" | "confirm" | "on", true>>;
const STEP = {
  isConfirmed: true,
  patienceMs: true,
  signal: true,
  confirm: true,
  on: true,
} as const;
const RUN: Names<RunRequest> = { plan: true, limit: true, retryFailed: true, fresh: true, ...STEP };
const RETIRE: Names<RetireRequest> = { action: true, keys: true, ...STEP };
const OTHERS = {
  answers: STEP,
  reprint: {
    sheets: true,
    lines: true,
    keys: true,
    places: true,
    start: true,
    from: true,
    file: true,
    by: true,
    ...STEP,
  } satisfies Names<ReprintOptions>,
  undo: { force: true, ...STEP } satisfies Names<UndoRequest>,
};

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const isLimit = (limit: unknown): boolean =>
  limit === undefined || limit === null || (Number.isSafeInteger(limit) && Number(limit) > 0);

/** Also one that is not this program's own class. */
const isSignal = (signal: unknown): boolean =>
  (signal ?? null) === null || (isRecord(signal) && "throwIfAborted" in signal);

/** Throws `bad-usage` for what a run would pass over, or stop at half-way. */
export function checkRun(options: unknown): void {
  if (!isRecord(options)) throw refuse("the options of run must be an object", options, PAGE);
  checkNames("run", options, RUN);
  const { limit } = options;
  if (!isLimit(limit)) throw refuse("limit must be a whole number from 1", limit, PAGE);
  checkStep(options);
}

/** Also `null`, which programs without types take for nothing. */
function checkStep(options: Options): void {
  const { signal } = options;
  if (!isSignal(signal)) throw refuse("signal must be an AbortSignal", signal, PAGE);
  for (const name of ["confirm", "on"])
    if ((options[name] ?? null) !== null && typeof options[name] !== "function")
      throw refuse(`${name} must be a function`, options[name], PAGE);
}

/** Throws `bad-usage` for what the step would pass over. */
export function checkOther(step: keyof typeof OTHERS, options: unknown): void {
  if (!isRecord(options)) throw refuse(`the options of ${step} must be an object`, options, PAGE);
  checkNames(step, options, OTHERS[step]);
  checkStep(options);
}

function isAction(action: unknown): boolean {
  if (action === undefined) return true;
  if (!isRecord(action)) return false;
  return (
    action["does"] === "delete" ||
    (action["does"] === "file" && typeof action["folder"] === "string")
  );
}

/** Throws `bad-usage` for a retire that would delete other codes than were meant. */
export function checkRetire(options: unknown): void {
  if (!isRecord(options)) throw refuse("the options of retire must be an object", options, PAGE);
  checkNames("retire", options, RETIRE);
  const { action, keys } = options;
  if (!isAction(action))
    throw refuse("action must be { does: 'file', folder } or { does: 'delete' }", action, PAGE);
  if (keys !== undefined && !isTexts(keys))
    throw refuse("keys must be a list of texts", keys, PAGE);
  checkStep(options);
}

const UNITS = 'such as { keys: ["A-02"], by: "Petra" }; docs/ledger.md has more';
const FATES: readonly unknown[] = ["void", "activated"];

/** Throws `bad-usage` where it isn't said what becomes of codes, or who says so. */
export function checkUnits(step: "mark" | "replace", given: unknown): void {
  if (!isRecord(given)) throw refuse(`the options of ${step} must be an object`, given, UNITS);
  const { what, by, keys } = given;
  if (step === "mark" && !FATES.includes(what)) {
    throw refuse("what must be void or activated", what, UNITS);
  }
  if (typeof by !== "string") throw refuse("by must be a text", by, UNITS);
  if ((keys ?? null) !== null && !isTexts(keys))
    throw refuse("keys must be a list of texts", keys, UNITS);
}

const isNumbers = (value: unknown): boolean =>
  value instanceof Set && [...value].every((one) => typeof one === "number");

/** Throws `bad-usage` where nothing is named that is to be printed again, or not as it must be. */
export function checkReprint(given: unknown): void {
  const { sheets, lines, keys } = isRecord(given) ? given : {};
  const hint =
    'one label: { keys: ["A-02"] } or { lines: new Set([7]) }; a whole sheet: { sheets: new Set([3]) }';
  for (const [name, value] of Object.entries({ sheets, lines }))
    if (value !== undefined && !isNumbers(value))
      throw refuse(`${name} must be a Set of numbers`, value, hint);
  if (keys !== undefined && !isTexts(keys))
    throw refuse("keys must be a list of texts", keys, hint);
  if ([sheets, lines].some((one) => one instanceof Set && one.size > 0)) return;
  if (Array.isArray(keys) && keys.length > 0) return;
  throw badUsage("a reprint must name sheets, lines or keys, got none", hint);
}

/**
 * The plan that a run is held to. Undefined without one, and for the plan of a report, which changes
 * nothing. Throws `bad-usage` for what neither `plan()` nor `readSavedPlan` made.
 */
export function toAgreedPlan(given: unknown): SavedPlan | undefined {
  if (given === undefined) return undefined;
  const { facts, file, kind, summary } = isRecord(given) ? given : {};
  if (isPlanFacts(facts)) return { file: typeof file === "string" ? file : "the plan", facts };
  if (facts === undefined && kind === "report" && isRecord(summary)) return undefined;
  throw refuse(
    "plan must be what plan() or readSavedPlan() answered",
    given,
    "of a plan in a file: run({ plan: await readSavedPlan(file) })",
  );
}
