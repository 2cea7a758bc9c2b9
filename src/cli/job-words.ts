/** Events and results of the engine -> what the views show. All sentences about jobs stand here. */
import { andMore, sayFiles } from "./lists.ts";
import { sayWorst } from "../base/grade-words.ts";
import path from "node:path";

import type { Problem } from "../base/errors.ts";
import { toShortPath } from "../base/format-problem.ts";
import { type Press, sayPressWarning, sayVerdict, toPressProblems } from "../base/press-warning.ts";
import { sayIn } from "../base/rows-from.ts";
import {
  cutKey,
  describeArchive,
  formatBytes,
  formatCount,
  formatMany,
  formatPages,
  formatRunTime,
  formatTries,
} from "../base/words.ts";
import { sayRunAgain, sayUndoStep } from "./again-words.ts";
import { isRetireStep, sayRetireStep } from "./retire-words.ts";
import { MOST_DECODED_ALL } from "../job/job.ts";
import { isRowKind, toThing, toThings } from "../kinds/names.ts";
import type { JobEvent } from "../pipeline/events.ts";
import { STEP_OPTIONS, type CommandOf } from "../pipeline/ports.ts";
import {
  needsMending,
  type AnewReason,
  type JobPlan,
  type NextStep,
  type Output,
  type PlanNote,
  type PlannedInk,
  type RunResult,
} from "../pipeline/results.ts";
import { outcomeExits } from "../base/exit-codes.ts";
import { describeProof } from "./proof-words.ts";
import { formatMoment } from "./schedule-view.ts";
import type { PlanView, PressView, SummaryView, View } from "./view.ts";

type NoteWords = {
  readonly [Code in PlanNote["code"]]: (
    note: Extract<PlanNote, { code: Code }>,
    commandOf: CommandOf,
  ) => string;
};

/** Why finished sheets are made anew. */
const anewWords: Readonly<Record<AnewReason, string>> = {
  captions: "their captions have one size now, and words are cut with hyphens only",
  matrix: "their codes have the error correction of the artwork now",
  shapes: "rounded eyes and diamonds are drawn so that verifiers pass them",
  designs: "codes are printed as they were designed now; print: plain keeps them black",
  posters: "captions of posters are larger now",
  paper: "marks lie on the press sheet now, and labels move in for them",
  grid: "modules are whole pixels of the printer or stock now",
  condition: "US paper is printed to GRACoL now",
  marks: "marks stand on every plate now",
  corners: "codes keep clear of round corners now",
  overprint: "black codes overprint what lies beneath them now",
  "roll-margin":
    "rolls have no margin unless the manifest gives one, so more labels fit side by side",
};

const INKS_SHOWN = 6;

const sayPlannedInk = ({ color, ink, isDull }: PlannedInk): string =>
  `${color} as ${ink}${isDull ? " (duller: no press can print it)" : ""}`;

const WITHOUT_LINKS =
  "short links of jobs of kind links are not counted here; the desk and the console show their scans";

const noteWords: NoteWords = {
  "x-dimension": ({ xMm, dpi, isMost }) =>
    `X-dimension ${isMost === true ? "at most " : ""}${xMm.toFixed(3)} mm${dpi === undefined ? "" : ` on the grid of ${dpi} dpi`}`,
  "design-inks": ({ inks }) => {
    const shown = inks.slice(0, INKS_SHOWN).map(sayPlannedInk).join(", ");
    const more = inks.length - INKS_SHOWN;
    return `codes are printed as designed: ${shown}${more > 0 ? `, and ${formatCount(more)} more colours` : ""}`;
  },
  grades: (note) => `predicted grade ${sayWorst(note)}`,
  "logo-shapes": ({ files }) => `the sheets print the shapes of ${sayFiles(files)} as vectors`,
  "svg-sent": ({ files }) =>
    `to the server goes a picture of 1024 pixels of ${sayFiles(files)}: its API takes no SVG`,
  "caption-size": ({ count, examples }) => {
    const named = examples.map(
      ({ file, sizePt, row }) => `${sizePt} pt in ${file}, since key ${cutKey(row)} needs it`,
    );
    const more = count - examples.length;
    const others = more > 0 ? `; smaller in ${formatMany(more, "more PDF")}` : "";
    return `captions have one size in a PDF: ${named.join("; ")}${others}`;
  },
  "sheets-anew": ({ reasons, files }) =>
    `finished sheets are made anew: ${[sayFiles(files), ...reasons.map((reason) => anewWords[reason])].join("; ")}`,
  "least-width": ({ frame, codeMm, textMm }) =>
    `print drawings with the frame ${frame} ${codeMm.toFixed(1)} mm wide or wider${textMm === undefined || textMm <= codeMm ? "" : `, for its text ${textMm.toFixed(1)} mm`}`,
  "stronger-codes": ({ count, of }) =>
    `${of === 1 ? "the new code" : `${count === of ? "all" : formatCount(count)} of ${formatMany(of, "new code")}`} ${count === 1 ? "gets" : "get"} error correction H instead of Q: ${count === 1 ? "it is" : "they are"} no larger for it`,
  "grown-codes": ({ count }) =>
    `${formatMany(count, "code")} ${count === 1 ? "is" : "are"} larger than the text needs: codes of version 7 to 13 have an alignment pattern in the middle, which a logo must not cover; a shorter text, a lower error_correction or a dynamic code keeps them small`,
  "needs-yes": ({ over }) =>
    `more than ${formatMany(over, "change")} (safety.confirm_over): a run asks first, or takes --yes`,
  "sends-nothing": ({ why }) => `${why}: a run sends nothing`,
  "renamed-files": ({ count, examples }) =>
    `${formatMany(count, "file with the name of another one is", "files with the names of others are")} numbered: ${examples.join(", ")}${andMore(count - examples.length)}`,
  "files-missing": ({ count, examples }) => {
    const more = count - examples.length;
    const others = more > 0 ? `; and ${formatCount(more)} more` : "";
    return `the files of ${formatMany(count, "code")} are missing, also in archives; a run fetches them: ${examples.map(({ row, message }) => `${row}: ${message}`).join("; ")}${others}`;
  },
  "files-unproven": ({ count }) =>
    `the pictures of ${formatMany(count, "code")} are not proven: a run reads them; look at those that it can't read`,
  "void-codes": ({ count, examples }) =>
    `${formatMany(count, "code")} on the sheets ${count === 1 ? "is" : "are"} void: ${examples.join(", ")}${andMore(count - examples.length)}; a run that makes their PDF anew prints ${count === 1 ? "it" : "them"} again`,
  "looks-not-asked": ({ count }) =>
    `the sheets print ${formatMany(count, "code")} as this job made ${count === 1 ? "it" : "them"}; if another job has redesigned ${count === 1 ? "it" : "them"} on the server since, makeready does not know: this server tells looks only code by code`,
  "nothing-selected": () =>
    "no code is selected (short links of jobs of kind links are not among them)",
  "files-anew": ({ count }) =>
    `the files of ${formatMany(count, "code")} are fetched anew: what the server lists of ${count === 1 ? "it" : "them"} has changed`,
  "same-looks-are-free": () => "codes that look like this already cost no write",
  "keeps-files": () =>
    "no row is good: a run leaves all finished files of the last one as they are",
  "address-moves": ({ from, to }) =>
    `short links begin with ${to} instead of ${from}: the files of every code are made anew`,
  "address-not-asked": ({ from }) =>
    `the server was not asked whether short links still begin with ${from}: a token or an answer is missing`,
  serials: ({ rows, form, tries }) =>
    `${formatMany(rows, "serial")} of ${form}: a guess hits ${rows === 1 ? "it" : "one of them"} once in ${formatTries(tries)} tries`,
  "source-kept": ({ from, bytes, atMs, isOld, file }) =>
    isOld
      ? `nothing came through ${from}: the rows of ${formatRunTime(atMs)} are used (${file})`
      : `${formatBytes(bytes)} of ${from}, ${formatRunTime(atMs)}, kept as ${file}`,
  "proof-sampled": ({ labels, later }) =>
    later === undefined
      ? `sampled proof: of ${formatMany(labels, "label")} one of 100 is decoded, and the first and last of each page; each module of the others is compared. The job is then "ready, sampled", not "ready for press"`
      : `sampled proof for all ${formatMany(labels, "label")} of the job; this run leaves ${formatMany(later, "row")} for later, and decodes every code if it prints at most ${formatCount(MOST_DECODED_ALL)} labels`,
  "kept-for-undo": (_note, commandOf) =>
    `what is replaced is kept; to put it back: ${commandOf("undo")}`,
  "not-kept": () => "what is replaced is not kept (safety.keep_previous): it can't be undone",
  "destinations-asked": ({ method }) =>
    `each new destination is asked first (${method.toUpperCase()})`,
  "scans-of": ({ window }) => `scans of ${window}`,
  "compared-with": ({ window }) => `compared with ${window}`,
  "without-links": () => WITHOUT_LINKS,
  "server-not-asked": (_note, commandOf) =>
    `a plan doesn't try the token and the workspace; to try them now: ${commandOf("doctor")}`,
};

const toNote = (note: PlanNote, commandOf: CommandOf): string =>
  (noteWords[note.code] as (note: PlanNote, commandOf: CommandOf) => string)(note, commandOf);

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
      `code whose row is no longer ${sayIn(from)}`,
      `codes whose rows are no longer ${sayIn(from)}`,
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
    warnings: press.warnings.map((warning) => ({ ...warning, says: sayPressWarning(warning) })),
  };

/** How steps are shown: where, and how a command is written there. */
interface Shown {
  readonly cwd: string;
  readonly commandOf: CommandOf;
}

/** Options of the finished step, which the next one must not inherit. */
const OVER = { without: STEP_OPTIONS } as const;

function toMendStep(
  { list: file, source }: Extract<NextStep, { code: "mend-rows" }>,
  { cwd, commandOf }: Shown,
  { files, withoutFiles = 0 }: RunResult,
): string {
  const isOne = files.some((one) => one.role === "failed-rows" && one.rows - withoutFiles === 1);
  const list = path.basename(file);
  const others =
    withoutFiles === 0 ? "" : `; ${formatMany(withoutFiles, "row")} there only lack files`;
  return source === null
    ? `${list} says what is wrong with each code; change the manifest or the codes, then run again: ${commandOf("run", OVER)}`
    : `mend ${isOne ? "this row" : "these rows"} in ${toShortPath(source, cwd)} (${list} lists ${isOne ? "it" : "them"}${others}), then run again; finished rows are skipped: ${commandOf("run", OVER)}`;
}

function toStep(step: NextStep, { cwd, commandOf }: Shown, result: RunResult): string {
  if (isRetireStep(step)) return sayRetireStep(step, result.kind, commandOf);
  switch (step.code) {
    case "run-again":
      return sayRunAgain(step, commandOf);
    case "undo-again":
      return sayUndoStep(step, commandOf);
    case "schedule-repeats":
      return `the schedule does it again on ${formatMoment(step.atMs, step.timeZone)}; to keep the codes as they are now, put schedule.paused: true into the manifest before`;
    case "report-again":
      return `run again: ${commandOf("run")}`;
    case "mend-rows":
      return toMendStep(step, { cwd, commandOf }, result);
    case "retry-refused":
      return `rows that the server refused though they are right: ${commandOf("retry")}`;
    case "fetch-files":
      return `the files of ${formatMany(step.count, "code")} are missing, the codes are made; to fetch them: ${commandOf("run", OVER)}`;
    case "finish-rows":
      return `for the ${formatCount(step.count)} left to do: ${commandOf("run", { without: ["limit"] })}`;
    case "set-public-url":
      return `these codes lead to this computer only; to make them public, put your address for ADDRESS, such as https://go.example.com: ${commandOf("run", { ...OVER, more: ["--public-url", "ADDRESS"] })}`;
    case "move-server":
      return "these codes lead to this computer only; to make them public, start the server with --public-url and its address, then make the codes anew";
  }
}

function describeFigures({ proof, scans }: RunResult): string | undefined {
  if (scans === undefined) return proof && describeProof(proof);
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
  return {
    job,
    from,
    needsMending: needsMending(result),
    ...((did === "undo" ? isRowKind(kind) : kind !== "report") && { things: toThings(kind) }),
    rows,
    created,
    adopted,
    changed,
    changedSays: changedWords[did],
    ...(result.withoutFiles !== undefined && { withoutFiles: result.withoutFiles }),
    ...(result.notDone !== undefined && { notDone: result.notDone }),
    unchanged,
    left,
    failed,
    bad,
    writes: calls.writes,
    reads: calls.reads,
    seconds,
    stages,
    files: result.files.map((file) => ({ path: file.file, says: describeOutput(file, result) })),
    proof: describeFigures(result),
    press: toPressView(result.press),
    isRehearsal,
    problems,
    ...(problemCount !== undefined && { problemCount }),
    next: result.next.map((step) => toStep(step, shown, result)),
    exitCode: outcomeExits[outcome],
    interrupted: outcome === "interrupted",
  };
}
