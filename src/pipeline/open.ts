/** The entry of the engine: opens a manifest, and has all that can be done with it. */
import path from "node:path";

import { AppError, badUsage } from "../base/errors.ts";
import { readVariable, settings, type Environment } from "../base/settings.ts";
import { isRowJob, type Job } from "../kinds/any-job.ts";
import type { LoadOptions } from "../kinds/manifest.ts";
import { loadJob } from "./source/load-job.ts";
import type { Ports } from "./ports.ts";
import type { ReprintOptions } from "./reprint/reprint.ts";
import type { Reprint } from "./reprint/reprint-result.ts";
import type { ScanRequest, ScanResult } from "./scan-back/scan-back.ts";
import type {
  AnswersResult,
  JobPlan,
  JobProof,
  RunRequest,
  RunResult,
  UndoRequest,
} from "./results.ts";
import type { RetirePlan, RetireRequest } from "./retire/retire-plan.ts";
import { savePlan } from "./rows/saved-plan.ts";
import { settleAddress } from "./address/public-address.ts";
import { toDataDir, type ServerChoice } from "./address/server.ts";
import {
  readStatus,
  type JobStatus,
  type StatusOptions,
  type StatusPorts,
} from "./standing/status.ts";
import type { FolderChoice } from "./strategy.ts";
import { stepOf, strategyOf } from "./table.ts";
import type { MarkRequest, MarkResult } from "./units/mark-units.ts";
import type { Reconciliation } from "./units/reconcile.ts";
import type { ReplaceRequest, ReplaceResult } from "./units/replace-units.ts";

/** How a manifest is read, and where its codes are made. */
export interface OpenOptions extends Omit<LoadOptions, "nowMs" | "env" | "readColumns"> {
  /** What stands for the environment in the manifest's `${NAME}`. Default: nothing. */
  readonly env?: LoadOptions["env"] | undefined;
  /** Data folder of the embedded service, absolute; default: `.makeready/` beside the manifest. */
  readonly dataDir?: string | undefined;
  /**
   * What short links of the embedded service begin with; kept with its data from then on. Default: what
   * `MAKEREADY_PUBLIC_URL` of `env`, the manifest, the project or the data folder say.
   */
  readonly publicUrl?: string | undefined;
  /** Codes that have another public address get this one: right as long as none of them is printed. */
  readonly changesPublicUrl?: boolean | undefined;
  /** The server of the job's codes has another base URL now: it is asked for some of them first. */
  readonly changesServer?: boolean | undefined;
  /** Limits of the embedded service. Default: off. */
  readonly limits?: "off" | "hosted" | undefined;
}

export interface PlanOptions {
  /** File that keeps the plan for `run --plan`; absolute. */
  readonly saveTo?: string | undefined;
  /** Adds the plan's facts, so that a run can be compared with it. */
  readonly isExact?: boolean;
}

/** A job, opened. Every step stands by itself: nothing has to be closed. */
export interface OpenJob {
  readonly job: Job;
  readonly server: ServerChoice;
  /**
   * Looks up the sheet, printer, fonts, pictures, profile and template that the manifest names. Throws
   * `manifest-invalid` with every name that leads nowhere.
   */
  checkNames(ports: Ports): Promise<void>;
  /** What a run would do and cost; changes nothing. */
  plan(ports: Ports, options?: PlanOptions): Promise<JobPlan>;
  /** Does what is left to do. May be called again and again: what is done stays done. */
  run(ports: Ports, request?: RunRequest): Promise<RunResult>;
  /** Opens what runs made again and proves it. Throws `bad-usage` for kinds that make no files. */
  verify(ports: Ports): Promise<JobProof>;
  /** Puts back what the last run replaced. Throws `bad-usage` for kinds that replace nothing. */
  undo(ports: Ports, request?: UndoRequest): Promise<RunResult>;
  /**
   * Lists codes whose rows vanished; with an action, files or deletes them. Throws `bad-usage` for jobs
   * without rows, `confirm-needed` without a yes.
   */
  retire(ports: Ports, request?: RetireRequest): Promise<RetirePlan | RunResult>;
  /**
   * What respondents sent to the job's forms, as CSV, workbook and images in its output folder. Throws
   * `bad-usage` for jobs of other kinds.
   */
  answers(ports: Ports, request?: Pick<RunRequest, "patienceMs">): Promise<AnswersResult>;
  status(ports: StatusPorts, options?: StatusOptions): Promise<JobStatus>;
  /** Prints sheets or labels once more. Throws `bad-usage` for jobs without rows. */
  reprint(ports: Ports, request: ReprintOptions): Promise<Reprint>;
  /**
   * Holds scans and photos of printed sheets against the job's labels. Throws `bad-usage` for jobs without
   * rows or sheets.
   */
  scan(ports: Ports, request: ScanRequest): Promise<ScanResult>;
  /**
   * Takes codes out of use, or notes that they are on their goods. Throws `bad-usage` for a row
   * that isn't there, and `confirm-needed` before codes become void without a yes.
   */
  mark(
    ports: Ports,
    request: MarkRequest & { readonly what: "void" | "activated" },
  ): Promise<MarkResult>;
  /** Replaces spoiled labels as the job says. Throws `bad-usage` where it forbids that. */
  replace(ports: Ports, request: ReplaceRequest): Promise<ReplaceResult>;
  /** Accounts for every code and label; writes `units.csv` and `epcis.json` into the output folder. */
  reconcile(ports: Ports): Promise<Reconciliation>;
}

/** The rows of a job. Throws `bad-usage` for kinds that have none. */
function rowsOf(job: Job, what: string) {
  if (isRowJob(job)) return job;
  throw badUsage(`${what} must have a job with rows, got ${job.kind}`);
}

const refuseKind = (job: Job, what: string, kind: string): AppError =>
  new AppError("bad-usage", `${what} takes a job of kind ${kind}, got ${job.kind}`, {
    where: { file: job.file, field: "kind" },
  });

/** True when options say where files go: as such, or by the name of the job. */
const isFolderGivenBy = ({ out, set = [] }: OpenOptions): boolean =>
  out !== undefined || set.some((one) => /^(?:name|output|output\.dir)\s*=/u.test(one.trim()));

async function planJob(
  { job, server, isFolderGiven }: Pick<OpenJob, "job" | "server"> & FolderChoice,
  ports: Ports,
  { saveTo, isExact = false }: PlanOptions,
): Promise<JobPlan> {
  const isSaved = saveTo !== undefined;
  const request = { job, server, isFolderGiven, isExact: isExact || isSaved, isSaved };
  const strategy = await strategyOf(job);
  const plan = await strategy.plan(request, ports);
  ports.on({ type: "plan", plan });
  if (isSaved) await savePlan(saveTo, plan, ports.writer);
  return plan;
}

/** What becomes of codes after they were printed (docs/ledger.md). */
function unitSteps({
  job,
  server,
}: Pick<OpenJob, "job" | "server">): Pick<OpenJob, "mark" | "replace" | "reconcile"> {
  return {
    mark: async (ports, request) => {
      const { markUnits } = await import("./units/mark-units.ts");
      return markUnits({ job: rowsOf(job, request.what), server }, request, ports);
    },
    replace: async (ports, request) => {
      const { replaceUnits } = await import("./units/replace-units.ts");
      return replaceUnits({ job: rowsOf(job, "replace"), server }, request, ports);
    },
    reconcile: async (ports) => {
      const { reconcile } = await import("./units/reconcile.ts");
      return reconcile({ job: rowsOf(job, "reconcile"), server }, ports);
    },
  };
}

/**
 * A job without an address works on the data folder, which no one serves when a database is set.
 */
export function findStoreFault(env: Environment): AppError | undefined {
  if (readVariable(env, "store") === undefined) return undefined;
  return badUsage(
    `${settings.store.variable} names a database, which jobs don't open by themselves`,
    "give the service that serves it and a token: --base-url https://HOST/api/v2, MAKEREADY_TOKEN; or leave the variable out, to work on the data folder",
  );
}

export function refuseStore(env: Environment): void {
  const fault = findStoreFault(env);
  if (fault !== undefined) throw fault;
}

/** Where the job's codes are made, as manifest and options say. */
async function chooseServer(
  job: Job,
  { dataDir, limits = "off", env = {}, publicUrl, ...changes }: OpenOptions,
  port: Ports["server"],
): Promise<ServerChoice> {
  const { changesPublicUrl = false, changesServer } = changes;
  if (job.api.baseUrl === undefined) refuseStore(env);
  const asked = {
    baseUrl: job.api.baseUrl,
    dataDir: dataDir ?? toDataDir(job.file),
    given: job.api.publicUrl ?? (changesPublicUrl ? publicUrl : undefined),
    changesPublicUrl,
    limits,
    allowsPrivateFetch: readVariable(env, "allowPrivateFetch") === "true",
  };
  return { ...(await settleAddress(asked, port)), changesServer };
}

/** Reads a manifest with what the options say over it. */
export async function openJob(
  file: string,
  options: OpenOptions,
  { clock, server: port }: Pick<Ports, "clock" | "server">,
): Promise<OpenJob> {
  const { env = {}, text, set, out, baseUrl, publicUrl } = options;
  const nowMs = clock.nowMs();
  const job = await loadJob(path.resolve(file), { env, text, set, out, baseUrl, publicUrl, nowMs });
  const server = await chooseServer(job, options, port);
  const isFolderGiven = isFolderGivenBy(options);
  return {
    job,
    server,
    checkNames: async (ports) => {
      const { checkNames } = await import("./checks/check-names.ts");
      return checkNames({ job, server }, ports);
    },
    plan: (ports, asked = {}) => planJob({ job, server, isFolderGiven }, ports, asked),
    run: async (ports, request = {}) => {
      const strategy = await strategyOf(job);
      return strategy.run({ ...request, job, server, isFolderGiven }, ports);
    },
    verify: async (ports) => (await stepOf(job, "verify"))({ job, server }, ports),
    undo: async (ports, request = {}) =>
      (await stepOf(job, "undo"))({ ...request, job, server }, ports),
    retire: async (ports, request = {}) => {
      const { planRetire, retireRows } = await import("./retire/retire.ts");
      const order = { ...request, job: rowsOf(job, "retire"), server };
      return request.action === undefined ? planRetire(order, ports) : retireRows(order, ports);
    },
    answers: async (ports, { patienceMs } = {}) => {
      if (job.kind !== "forms") throw refuseKind(job, "answers", "forms");
      const { fetchAnswers } = await import("./answers/answers.ts");
      return fetchAnswers({ job, server, patienceMs }, ports);
    },
    status: (ports, options) => readStatus({ job, server, isFolderGiven }, ports, options),
    reprint: async (ports, request) => {
      const { reprint } = await import("./reprint/reprint.ts");
      return reprint({ job: rowsOf(job, "reprint"), server }, request, ports);
    },
    scan: async (ports, request) => {
      const { scanBack } = await import("./scan-back/scan-back.ts");
      return scanBack({ job: rowsOf(job, "scan"), server }, request, ports);
    },
    ...unitSteps({ job, server }),
  };
}
