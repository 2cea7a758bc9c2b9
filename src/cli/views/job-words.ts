/** Events and results of the engine -> what the views show. All sentences about jobs stand here. */

import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { outcomeExits } from "../../base/exit-codes.ts";
import { toShortPath } from "../../base/text/format-problem.ts";
import {
  type Press,
  sayPressWarning,
  sayVerdict,
  toPressProblems,
} from "../../base/shapes/press-warning.ts";
import { sayNoLonger } from "../../base/shapes/rows-from.ts";
import {
  describeArchive,
  formatBytes,
  formatCount,
  formatMany,
  formatPages,
  formatRunTime,
} from "../../base/text/words.ts";
import { isRowKind, toThing, toThings } from "../../kinds/names.ts";
import { waysToRetire } from "../../kinds/retire.ts";
import type { JobEvent } from "../../pipeline/events.ts";
import { type CommandOf, STEP_OPTIONS } from "../../pipeline/ports.ts";
import {
  type JobPlan,
  needsMending,
  type NextStep,
  type Output,
  type RunResult,
} from "../../pipeline/results.ts";
import { toNote, WITHOUT_LINKS } from "./note-words.ts";
import { describeProof } from "./proof-words.ts";
import { formatMoment } from "./schedule-view.ts";
import type { PlanView, PressView, SummaryView, View } from "./view.ts";

/** ` (1 of them is void)`. */
function sayVoided(count: number, voided: number): string {
  if (voided === 0) return "";
  if (count === voided) return count === 1 ? " (it is void)" : " (all of them are void)";
  return ` (${formatCount(voided)} of them ${voided === 1 ? "is" : "are"} void)`;
}

type Step<Code extends NextStep["code"]> = Extract<NextStep, { code: Code }>;

function sayRetire(
  { count, voided = 0 }: Step<"retire-rows">,
  { commandOf }: Shown,
  { kind }: RunResult,
): string {
  const which = sayVoided(count, voided);
  const thing = toThing(kind);
  const ways = isRowKind(kind) ? waysToRetire(kind).join(" or ") : "retire";
  const many = formatMany(
    count,
    `${thing} has no row any more${which}, and this run left it as it is`,
    `${thing}s have no rows any more${which}, and this run left them as they are`,
  );
  return `${many}; to ${ways} ${count === 1 ? "it" : "them"}: ${commandOf("retire")}`;
}

/** The commands that go on with what was stopped. */
const again: Readonly<Record<"run" | "retry" | "fresh", Parameters<CommandOf>>> = {
  run: ["run", { again: true }],
  retry: ["retry", { again: true }],
  fresh: ["run", { again: true, more: ["--fresh"] }],
};

/** With a limit, what is left of it; at least one code, since a run can't be told to make none. */
function sayRunAgain({ anew, limit }: Step<"run-again">, { commandOf }: Shown): string {
  if (limit === undefined) return `go on with: ${commandOf(...again[anew ?? "run"])}`;
  const { made, of } = limit;
  const left = Math.max(1, of - made);
  const command = commandOf("run", { again: true, more: ["--limit", String(left)] });
  return made < of
    ? `${formatCount(made)} of the ${formatMany(of, "code")} of --limit ${made === 1 ? "is" : "are"} done; to go on with the rest: ${command}`
    : `${of === 1 ? "the code" : `all ${formatMany(of, "code")}`} of --limit ${of === 1 ? "is" : "are"} done; to make the files, with 1 more code at most: ${command}`;
}

/** The plan for people and programs. */
function toPlanView(plan: JobPlan, commandOf: CommandOf): PlanView {
  const { job, kind, input, from, isSelection, baseUrl, dataDir, isRehearsal, isLimited } = plan;
  return {
    job,
    ...(isRowKind(kind) && { things: toThings(kind) }),
    input,
    from,
    ...(isSelection && { isSelection }),
    server: baseUrl ?? `embedded service, data in ${dataDir}`,
    isRehearsal,
    isLimited,
    summary: plan.summary,
    sheetPages: plan.sheetPages,
    ...(plan.sheetLabels !== undefined && { sheetLabels: plan.sheetLabels }),
    ...(plan.zipVolumes?.length && { zipVolumes: plan.zipVolumes }),
    ...(plan.sheetVolumes?.length && { sheetVolumes: plan.sheetVolumes }),
    ...(plan.roll !== undefined && { roll: plan.roll }),
    warnings: [...plan.warnings, ...toPressProblems(plan.press)],
    press: plan.press,
    notes: plan.notes.map((note) => toNote(note, commandOf)),
  };
}

/** How many warnings of sheets are shown; the report has all. */
const WARNINGS_SHOWN = 10;

function tellSheetWarnings(view: View, problems: readonly Problem[]): void {
  for (const problem of problems.slice(0, WARNINGS_SHOWN)) view.warning(problem);
  const hidden = problems.length - WARNINGS_SHOWN;
  if (hidden > 0) view.warning({ message: `… and ${formatCount(hidden)} more in report.html` });
}

/** Shows what happened. */
export function tellEvent(view: View, event: JobEvent, commandOf: CommandOf): void {
  switch (event.type) {
    case "plan":
      return view.plan(toPlanView(event.plan, commandOf));
    case "retire-plan": {
      const thing = toThing(event.plan.kind);
      return view.retirePlan({
        ...event.plan,
        thing,
        undo: commandOf("undo"),
        run: commandOf("run"),
      });
    }
    case "progress":
      return view.progress(event.progress);
    case "stage-end":
      return view.stageEnd();
    case "waiting":
      return view.waiting(event.message);
    case "state-lost":
      return view.waiting(
        "state.db was lost; codes that were made before are looked for by their markers",
      );
    case "warning":
      return view.warning(event.problem);
    case "row-failed":
      return view.row(event.problem);
    case "reprint": {
      const { from, sheets, labels } = event;
      return view.reprint({ from, sheets, labels });
    }
    case "sheet-warnings":
      return tellSheetWarnings(view, event.problems);
  }
}

function describeScans({ format, bytes }: Extract<Output, { role: "scans" }>): string {
  if (format === "html") return "open this in a browser: figures and charts";
  const size = formatBytes(bytes);
  return format === "csv" ? size : `all tables, ${size}`;
}

type Describe = {
  readonly [Role in Output["role"]]: (
    output: Extract<Output, { role: Role }>,
    result: RunResult,
  ) => string;
};

const outputWords: Describe = {
  sheets: (output) => {
    const { pages, codes, labels, bytes, standard } = output;
    const on = `${output.isRoll ? "in" : "on"} ${formatPages(pages, output)}`;
    const many = labels === undefined ? formatMany(codes, "code") : formatMany(labels, "label");
    return `${many} ${on}, ${standard}, ${formatBytes(bytes)}`;
  },
  zip: (output) => `${describeArchive(output)}, ${formatBytes(output.bytes)}`,
  artwork: ({ formats, codes, removed }) => {
    const names = formats.map((format) => format.toUpperCase()).join(" and ");
    const swept = removed === 0 ? "" : `; ${formatMany(removed, "old file")} removed`;
    return `${names} of ${formatMany(codes, "code")}${swept}`;
  },
  index: (_output, { kind, files }) => {
    const has = (role: Output["role"]): boolean => files.some((file) => file.role === role);
    const parts = ["id", "short link", ...(has("artwork") ? ["files"] : [])];
    const cells = has("sheets") ? ", sheet and cell" : "";
    return `${isRowKind(kind) || kind === "retarget" ? "row" : "code"} -> ${parts.join(", ")}${cells}`;
  },
  "sheet-map": () => "sheet and cell of every row, for reprints",
  certificate: () => "signed list of what was made and proven, for makeready check",
  report: (_output, { proof }) =>
    `open this in a browser: figures${proof === undefined ? ", and what became of each row" : ", proof, contact sheet"}`,
  kept: ({ madeMs }) =>
    `kept from the run of ${formatRunTime(madeMs)}: this run has no good row for it`,
  removed: () => "removed: nothing goes into it any more",
  "failed-rows": ({ format, rows }, result) => {
    if (format !== "csv") return "the same rows as a workbook";
    const many = formatMany(rows, "row");
    if (!needsMending(result)) return `${many} without files, with the reason`;
    const { withoutFiles = 0 } = result;
    const others = withoutFiles === 0 ? "" : ` and ${formatCount(withoutFiles)} without files`;
    return `${formatMany(rows - withoutFiles, "row")} to mend${others}, with the reason`;
  },
  "vanished-rows": ({ rows }, { from }) =>
    formatMany(
      rows,
      `code whose row is ${sayNoLonger(from)}`,
      `codes whose rows are ${sayNoLonger(from)}`,
    ),
  scans: describeScans,
};

function describeOutput<Role extends Output["role"]>(
  output: Extract<Output, { role: Role }>,
  result: RunResult,
): string {
  const describe: Describe[Role] = outputWords[output.role];
  return describe(output, result);
}

/** The verdict with its words. */
export const toPressView = (press: Press | undefined): PressView | undefined =>
  press && {
    verdict: press.verdict,
    says: sayVerdict(press),
    ...(press.sampled !== undefined && { sampled: press.sampled }),
    ...(press.pictures === true && { pictures: true }),
    warnings: press.warnings.map((warning) => ({ ...warning, says: sayPressWarning(warning) })),
  };

/** How steps are shown: where, and how a command is written there. */
interface Shown {
  readonly cwd: string;
  readonly commandOf: CommandOf;
}

/** Options of the finished step, which the next one must not inherit. */
const OVER = { without: STEP_OPTIONS } as const;

function sayMend(
  { list: file, source, manifest, label }: Step<"mend-rows">,
  { cwd, commandOf }: Shown,
  { files, withoutFiles = 0 }: RunResult,
): string {
  const isOne = files.some((one) => one.role === "failed-rows" && one.rows - withoutFiles === 1);
  const list = path.basename(file);
  if (manifest !== undefined)
    return `mend ${toShortPath(manifest, cwd)} as ${list} says: the cells of its rows are right; then run again: ${commandOf("run", OVER)}`;
  const others =
    withoutFiles === 0 ? "" : `; ${formatMany(withoutFiles, "row")} there only lack files`;
  if (source !== null && label !== undefined)
    return `make the labels or their boxes in ${toShortPath(label, cwd)} larger, or the ${isOne ? "text of this row" : "texts of these rows"} in ${toShortPath(source, cwd)} shorter (${list} lists ${isOne ? "it" : "them"}${others}), then run again; finished rows are skipped: ${commandOf("run", OVER)}`;
  return source === null
    ? `${list} says what is wrong with each code; change the manifest or the codes, then run again: ${commandOf("run", OVER)}`
    : `mend ${isOne ? "this row" : "these rows"} in ${toShortPath(source, cwd)} (${list} lists ${isOne ? "it" : "them"}${others}), then run again; finished rows are skipped: ${commandOf("run", OVER)}`;
}

function sayRepeats({ atMs, timeZone, isDue }: Step<"schedule-repeats">): string {
  const at = formatMoment(atMs, timeZone);
  const when = isDue === true ? `with its next look: it is due since ${at}` : `on ${at}`;
  return `the schedule does it again ${when}; to keep the codes as they are now, put schedule.paused: true into the manifest before`;
}

const TO_MOVE = "these codes lead to this computer only; to make them public,";

const stepWords: {
  readonly [Code in NextStep["code"]]: (
    step: Step<Code>,
    shown: Shown,
    result: RunResult,
  ) => string;
} = {
  "run-again": sayRunAgain,
  "undo-again": ({ lostFiles }, { commandOf }) =>
    lostFiles === undefined
      ? `go on with: ${commandOf("undo", { again: true })}`
      : `the files of ${formatMany(lostFiles, "code")} are missing, the codes are put back; to fetch them: ${commandOf("undo", { without: ["force"] })}`,
  "schedule-repeats": sayRepeats,
  "retire-again": (_step, { commandOf }) => `go on with: ${commandOf("retire", { again: true })}`,
  "report-again": (_step, { commandOf }) => `run again: ${commandOf("run")}`,
  "mend-rows": sayMend,
  "retry-refused": ({ byPlan }, { commandOf }) =>
    byPlan === true
      ? `the plan of the server's account has no room for more codes; whoever runs the server raises it, or delete codes there; then: ${commandOf("retry")}`
      : `rows that the server refused though they are right: ${commandOf("retry")}`,
  "fetch-files": ({ count }, { commandOf }) =>
    `the files of ${formatMany(count, "code")} are missing, the codes are made; to fetch them: ${commandOf("run", OVER)}`,
  "finish-rows": ({ count }, { commandOf }) =>
    `for the ${formatCount(count)} left to do: ${commandOf("run", { without: ["limit"] })}`,
  "prove-again": (_step, { commandOf }) =>
    `the proof found faults: print none of these files; the report names each fault. To prove them again: ${commandOf("run", OVER)}`,
  "retire-rows": sayRetire,
  "set-public-url": (_step, { commandOf }) =>
    `${TO_MOVE} put your address for ADDRESS, such as https://go.example.com: ${commandOf("run", { ...OVER, more: ["--public-url", "ADDRESS"] })}`,
  "move-server": () =>
    `${TO_MOVE} start the server with --public-url and its address, then make the codes anew`,
};

function toStep<Code extends NextStep["code"]>(
  step: Step<Code>,
  shown: Shown,
  result: RunResult,
): string {
  const say: (typeof stepWords)[Code] = stepWords[step.code];
  return say(step, shown, result);
}

function describeFigures({ proof, scans }: RunResult): string | undefined {
  if (scans === undefined) return proof && describeProof(proof, { inReport: true });
  const { scans: count, codes, window, withoutLinks } = scans;
  const figures = `${formatMany(count, "scan")} of ${formatMany(codes, "code")}, ${window}`;
  return withoutLinks ? `${figures}; ${WITHOUT_LINKS}` : figures;
}

/** What was done to the codes that changed. */
const changedWords: Readonly<Record<RunResult["did"], string>> = {
  run: "changed",
  undo: "put back",
  file: "filed away",
  delete: "deleted",
};

/** The result of a run, for people and programs. */
export function toSummaryView(result: RunResult, shown: Shown): SummaryView {
  const { job, from, kind, did, outcome, calls, problemCount } = result;
  const { rows, created, adopted, changed, unchanged, left, failed, bad } = result;
  const { seconds, stages, isRehearsal, problems } = result;
  const exitCode = outcomeExits[outcome];
  return {
    job,
    from,
    needsMending: (failed + bad > 0 || exitCode !== 0) && needsMending(result),
    ...(result.proof?.isProven === false && { isUnproven: true as const }),
    ...((did === "undo" ? isRowKind(kind) : kind !== "report") && { things: toThings(kind) }),
    rows,
    created,
    adopted,
    changed,
    changedSays: changedWords[did],
    ...(result.withoutFiles !== undefined && { withoutFiles: result.withoutFiles }),
    ...(result.notDone !== undefined && { notDone: result.notDone }),
    ...(result.undid !== undefined && { undid: result.undid }),
    unchanged,
    left,
    failed,
    bad,
    writes: calls.writes,
    reads: calls.reads,
    seconds,
    stages,
    files: result.files.map((file) => ({
      path: file.file,
      says: describeOutput(file, result),
      ...(file.role === "removed" && { removed: true }),
    })),
    proof: describeFigures(result),
    press: toPressView(result.press),
    isRehearsal,
    ...(result.elsewhere !== undefined && { elsewhere: result.elsewhere }),
    problems,
    ...(problemCount !== undefined && { problemCount }),
    next: result.next.map((step) => toStep(step, shown, result)),
    exitCode,
    interrupted: outcome === "interrupted",
  };
}
