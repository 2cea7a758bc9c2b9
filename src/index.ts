/**
 * The library's entry: everything that other programs may rely on. Here the engine meets the
 * service; environment, terminal and exit codes stay outside.
 */

import { orInterrupted } from "./base/errors.ts";
import { ownPackage } from "./base/files/package-files.ts";
import { systemClock, type Clock } from "./base/time/clock.ts";
import { randomIds, type Ids } from "./base/ids/ids.ts";
import { readVariable, settings } from "./base/settings.ts";
import type { Transport } from "./client/wire.ts";
import type { Job } from "./kinds/manifest.ts";
import {
  checkOpening,
  checkOther,
  checkRetire,
  checkRun,
  checkReprint,
  checkUnits,
  toAgreedPlan,
} from "./pipeline/checks/check-given.ts";
import { toLibraryError } from "./pipeline/checks/option-names.ts";
import type { JobEvent } from "./pipeline/events.ts";
import { openJob as openEngineJob, type OpenOptions } from "./pipeline/open.ts";
import type { Ports, Question } from "./pipeline/ports.ts";
import type { ReprintOptions } from "./pipeline/reprint/reprint.ts";
import type { Reprint } from "./pipeline/reprint/reprint-result.ts";
import type {
  AnswersResult,
  JobPlan,
  JobProof,
  RunRequest,
  RunResult,
  SavedPlan,
  UndoRequest,
} from "./pipeline/results.ts";
import type { RetirePlan, RetireRequest } from "./pipeline/retire/retire-plan.ts";
import type { MarkRequest, MarkResult } from "./pipeline/units/mark-units.ts";
import type { Reconciliation } from "./pipeline/units/reconcile.ts";
import type { ReplaceRequest, ReplaceResult } from "./pipeline/units/replace-units.ts";
import { toNextCommand } from "./pipeline/standing/next-command.ts";
import type { JobStatus } from "./pipeline/standing/status.ts";
import { wordsOfReport } from "./desk/words/report-languages.ts";
import { embeddedPort } from "./service/embedded/embedded.ts";

export { verifyWebhook, type ReceivedWebhook, type WebhookEvent } from "./api/webhook.ts";
export type { Clock } from "./base/time/clock.ts";
export {
  AppError,
  errorCodes,
  errorKinds,
  type ErrorCode,
  type Problem,
  type Where,
} from "./base/errors.ts";
export type { GradeLimit } from "./base/text/grade-words.ts";
export type {
  Press,
  PressVerdict,
  PressWarning,
  PressWarningCode,
  PrintedCount,
  SampledCount,
} from "./base/shapes/press-warning.ts";
export type { Ids } from "./base/ids/ids.ts";
export type { Log } from "./base/log.ts";
export type { OwnSheet } from "./base/shapes/own-sheet.ts";
export type { ScanTotals } from "./pack/scan-figures.ts";
export type { SerialAlphabet, SerialForm } from "./base/ids/serials.ts";
export {
  openClient,
  type BodyOf,
  type ClassStats,
  type Client,
  type ClientOptions,
  type ClientStats,
  type FeedOptions,
  type FetchAsset,
  type FetchLike,
  type Page,
  type Queues,
  type ToldCode,
  type Transport,
  type Waiting,
  type WireAnswer,
  type WireRequest,
  type WorkQueue,
} from "./client/client.ts";
export { gmnCheckPair, isGmn, makeGmn } from "./gs1/gmn-helpers.ts";
export type {
  ColumnRule,
  ColumnType,
  ColumnUse,
  GroupedOutput,
  JobBackground,
  JobCode,
  JobDesign,
  JobFinish,
  JobGrade,
  JobLabel,
  JobOutput,
  JobRows,
  JobRun,
  JobSafety,
  JobSchedule,
  JobSelect,
  JobSheets,
} from "./job/job.ts";
export type { ReadColumns } from "./kinds/column-check.ts";
export type { Job, LoadOptions } from "./kinds/manifest.ts";
export type { JobPdf } from "./kinds/pdfs/job.ts";
export type { JobProduct, JobProductLink } from "./kinds/products/job.ts";
export { jobSchema } from "./kinds/schema.ts";
export type { ReportFinding, ReportVerification } from "./pack/report-data.ts";
export type { JobEvent, Progress } from "./pipeline/events.ts";
export { loadJob } from "./pipeline/source/load-job.ts";
export type { Limited } from "./pipeline/standing/limited.ts";
export type { NamedLabel } from "./pipeline/reprint/named-label.ts";
export type { PaperFigures, RollPlan, VolumesPlan } from "./pipeline/paper/paper-figures.ts";
export type { Question } from "./pipeline/ports.ts";
export type { LabelPlace } from "./pipeline/reprint/reprint-labels.ts";
export type { ReprintOptions } from "./pipeline/reprint/reprint.ts";
export type { Reprint } from "./pipeline/reprint/reprint-result.ts";
export type {
  AnswersResult,
  Calls,
  JobPlan,
  JobProof,
  NextStep,
  Output,
  PictureCount,
  Proof,
  RunRequest,
  RunResult,
  SavedPlan,
  UndoRequest,
} from "./pipeline/results.ts";
export type {
  AnewReason,
  PlannedInk,
  CaptionSize,
  PlanNote,
  SheetsAnew,
} from "./pipeline/paper/plan-notes.ts";
export type { Untold } from "./pipeline/address/untold.ts";
export type { RetireAction, RetirePlan, RetireRequest } from "./pipeline/retire/retire-plan.ts";
export type { MarkRequest, MarkResult } from "./pipeline/units/mark-units.ts";
export type { Reconciliation } from "./pipeline/units/reconcile.ts";
export type { ReplaceRequest, ReplaceResult } from "./pipeline/units/replace-units.ts";
export type { LabelFates } from "./pipeline/units/gather-units.ts";
export type { Discrepancy, IssuedLabels } from "./pipeline/units/sum-units.ts";
export type { UnitFate } from "./state/unit-ledger.ts";
export { readSavedPlan } from "./pipeline/rows/saved-plan.ts";
export type { LastReport } from "./kinds/report/last-report.ts";
export type { ChangedSince, LostFiles, RemadeReason } from "./pipeline/files/remade.ts";
export type { JobStatus } from "./pipeline/standing/status.ts";
export type { PlanFacts } from "./plan/plan-file.ts";
export type { WindowWish } from "./plan/scan-window.ts";
export type { GoneRow } from "./plan/gone-row.ts";
export type { PlanGroup, PlanSummary, RenamedFile } from "./plan/tally.ts";
export {
  openService,
  type Access,
  type Service,
  type WebhookChoice,
  type WebhookControl,
  type WebhookDelivery,
  type WebhookSetting,
  type WebhookStatus,
} from "./service/service.ts";

/** How a job is opened. All fields are optional. */
export interface JobOptions extends OpenOptions {
  /** Token of a remote server; default: `MAKEREADY_TOKEN` of `env`, or `api.token_file`. */
  readonly token?: string | undefined;
  /** Workspace of a remote server; default: `MAKEREADY_WORKSPACE` of `env`, or `api.workspace`. */
  readonly workspace?: string | undefined;
  /** Default: the computer's. */
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Carries requests to a remote server; default: the network. */
  readonly transport?: Transport;
}

/** Options of a step. */
export interface StepOptions {
  /** Ends the step cleanly: requests in flight end, the state is saved. */
  readonly signal?: AbortSignal | undefined;
  /** Asked before a large change (`safety.confirm_over`). Default: large changes are refused. */
  readonly confirm?: ((question: Question) => Promise<boolean>) | undefined;
  /** Called with every event, in order. */
  readonly on?: ((event: JobEvent) => void) | undefined;
}

/** A plan that `plan()` answered, or one that `readSavedPlan` read. */
type AgreedPlan = JobPlan | SavedPlan;

/** A job. Every step can be called alone and repeated; nothing has to be closed. */
export interface JobHandle {
  /** The manifest, checked, with every default filled in. */
  readonly job: Job;
  /** What a run would do and cost; changes nothing. `saveTo` (absolute) stores it for later. */
  plan(options?: StepOptions & { readonly saveTo?: string }): Promise<JobPlan>;
  /**
   * Does what is left to do; finished work stays. With `plan`, throws `plan-stale` when it would do
   * anything else than the plan says, and `bad-usage` for what neither `plan()` nor `readSavedPlan`
   * answered.
   */
  run(
    options?: StepOptions & Omit<RunRequest, "plan"> & { readonly plan?: AgreedPlan },
  ): Promise<RunResult>;
  /** Where the job stands. Asks no server. */
  status(): Promise<JobStatus>;
  /** Opens the finished files again and proves them. */
  verify(options?: StepOptions): Promise<JobProof>;
  /** Restores what the last redesign, retarget or retire replaced. */
  undo(options?: StepOptions & UndoRequest): Promise<RunResult>;
  /** Lists codes whose rows vanished; with an action, files or deletes them. */
  retire(options?: StepOptions & RetireRequest): Promise<RetirePlan | RunResult>;
  /** Fetches the responses to the job's forms into its output folder. */
  answers(options?: StepOptions & Pick<RunRequest, "patienceMs">): Promise<AnswersResult>;
  /** Prints sheets or labels once more. Throws `bad-usage` where none is named. */
  reprint(options?: StepOptions & ReprintOptions): Promise<Reprint>;
  /**
   * Takes printed codes out of use (`void`), or notes that they are on their goods (docs/ledger.md).
   */
  mark(
    options: StepOptions & MarkRequest & { readonly what: "void" | "activated" },
  ): Promise<MarkResult>;
  /** Replaces spoiled labels as `output.sheets.reprint` says. */
  replace(options: StepOptions & ReplaceRequest): Promise<ReplaceResult>;
  /** Accounts for every code and label; writes `units.csv` and `epcis.json`. */
  reconcile(options?: StepOptions): Promise<Reconciliation>;
}

type World = Omit<Ports, "signal" | "confirm" | "on">;

function toWorld(file: string, options: JobOptions): World {
  const { clock = systemClock, ids = randomIds, env = {}, transport } = options;
  const token = options.token ?? readVariable(env, "token");
  const { dataDir: data, out, set, baseUrl, publicUrl, limits } = options;
  const input = { argument: file, options: { data, out, set, baseUrl, publicUrl, limits } };
  const context = { cwd: process.cwd(), env: {}, program: undefined };
  const workspace = options.workspace ?? readVariable(env, "workspace");
  return {
    clock,
    ids,
    transport,
    writer: `makeready ${ownPackage.version}`,
    server: embeddedPort,
    access: {
      token: token || undefined,
      workspace: workspace || undefined,
      nameOf: (name) =>
        options[name] === undefined && readVariable(env, name) !== undefined
          ? settings[name].variable
          : `the option ${name} of openJob`,
    },
    report: { language: readVariable(env, "language"), words: wordsOfReport },
    commandOf: (command, words) => toNextCommand({ context, input }, command, words),
  };
}

const toPorts = (world: World, { signal, confirm, on }: StepOptions): Ports => ({
  ...world,
  signal: signal ?? new AbortController().signal,
  confirm: confirm ?? undefined,
  on: on ?? (() => undefined),
});

/** A step whose errors name options of the library. */
async function told<Done>(step: Promise<Done>): Promise<Done> {
  try {
    return await step;
  } catch (error) {
    throw toLibraryError(error);
  }
}

const orEnded = <Done>(signal: StepOptions["signal"], step: Promise<Done>): Promise<Done> =>
  told(orInterrupted(signal, step));

/**
 * Opens a manifest. Throws `manifest-invalid` with all its mistakes at once, `bad-usage` for options
 * that are none.
 */
export async function openJob(file: string, options: JobOptions = {}): Promise<JobHandle> {
  checkOpening(file, options);
  const world = toWorld(file, options);
  const opened = await told(openEngineJob(file, options, world));
  const { job } = opened;
  const at = (step: StepOptions): Ports => toPorts(world, step);
  /** `request`: the options but for those that every step has. */
  const take = <Given extends StepOptions, Done>(
    { signal, confirm, on, ...request }: Given,
    step: (ports: Ports, request: Omit<Given, keyof StepOptions>) => Promise<Done>,
  ): Promise<Done> => orEnded(signal, step(at({ signal, confirm, on }), request));
  return {
    job,
    plan: ({ saveTo, ...step } = {}) =>
      orEnded(step.signal, opened.plan(at(step), { saveTo, isExact: true })),
    run: async (options = {}) => {
      checkRun(options);
      const { signal, confirm, on, plan, ...request } = options;
      const agreed = { ...request, plan: toAgreedPlan(plan) };
      return orEnded(signal, opened.run(at({ signal, confirm, on }), agreed));
    },
    status: () => told(opened.status(world)),
    verify: (step = {}) => orEnded(step.signal, opened.verify(at(step))),
    undo: async (options = {}) => {
      checkOther("undo", options);
      return take(options, (ports, request) => opened.undo(ports, request));
    },
    retire: async (options = {}) => {
      checkRetire(options);
      return take(options, (ports, request) => opened.retire(ports, request));
    },
    answers: async (options = {}) => {
      checkOther("answers", options);
      return take(options, (ports, request) => opened.answers(ports, request));
    },
    reprint: async (options = {}) => {
      checkReprint(options);
      checkOther("reprint", options);
      return take(options, (ports, request) => opened.reprint(ports, request));
    },
    mark: async (options) => {
      checkUnits("mark", options);
      return take(options, (ports, request) => opened.mark(ports, request));
    },
    replace: async (options) => {
      checkUnits("replace", options);
      return take(options, (ports, request) => opened.replace(ports, request));
    },
    reconcile: (step = {}) => orEnded(step.signal, opened.reconcile(at(step))),
  };
}
