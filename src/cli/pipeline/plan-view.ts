import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import { toLevel } from "../../plan/payload.ts";
import type { PlanGroup, PlanSummary } from "../../plan/tally.ts";
import {
  loadOutputIntent,
  planCaption,
  planSheets,
  type SheetOptions,
} from "../../print/sheets.ts";
import { encodeQr } from "../../qr/encode.ts";
import type { QrLevel } from "../../qr/tables.ts";
import type { State } from "../../state/state.ts";
import type { PlanView } from "../view.ts";
import { formatCount, toThings } from "../words.ts";
import { findStop } from "./bad-rows.ts";
import { refuseTooMany } from "./confirm.ts";
import type { PlannedJob } from "./plan-stage.ts";
import { isLoopbackUrl, type ServerChoice } from "./server.ts";
import { checkSheetFiles, makeSheetOptions } from "./sheet-stage.ts";
import type { WorkJob } from "./work.ts";

/** Stand in for what does not exist yet: an origin of usual length, and the slug of a short link. */
const SAMPLE_ORIGIN = "https://short.example.com";
const SAMPLE_PATH = "/abcd2345";

interface SheetFigures {
  readonly pages: number;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly notes: readonly string[];
}

const NO_SHEETS: SheetFigures = { pages: 0, problems: [], warnings: [], notes: [] };

function toSampleVersion(group: PlanGroup, level: QrLevel, publicUrl: string | undefined): number {
  const origin = publicUrl ?? SAMPLE_ORIGIN;
  const link = `${origin}${group.longestPath === "" ? SAMPLE_PATH : group.longestPath}`;
  const text = group.longestPayload === "" ? link : group.longestPayload;
  return encodeQr(text, { level }).version;
}

/** Fields of the options are those of the manifest in another spelling. */
function toManifestField({ message, hint, where }: Problem, file: string): Problem {
  if (where?.field === undefined) return { message, hint, where };
  const { field } = where;
  const spelled = field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
  const full = field === "sheets" ? "output.sheets" : `output.sheets.${spelled}`;
  const says = message.startsWith(`${field} `) ? full + message.slice(field.length) : message;
  return { message: says, hint, where: { file, field: full } };
}

async function planGroups(
  options: SheetOptions,
  groups: readonly PlanGroup[],
  toVersion: (group: PlanGroup) => number,
): Promise<SheetFigures> {
  const plans = groups.map((group) =>
    planSheets(options, { count: group.rows, maxVersion: toVersion(group) }),
  );
  const captions = await Promise.all(
    groups.map((group) => planCaption(options, toVersion(group), group.longestCaption)),
  );
  const warnings = new Set([...plans.flatMap((plan) => plan.warnings), ...captions.flat()]);
  const [first] = plans;
  const dpi = options.deviceDpi === undefined ? "" : ` on the grid of ${options.deviceDpi} dpi`;
  return {
    pages: plans.reduce((sum, plan) => sum + plan.sheets, 0),
    problems: toDistinct(plans.flatMap((plan) => plan.problems)),
    warnings: [...warnings].map((message) => ({ message })),
    notes: first === undefined ? [] : [`X-dimension ${first.xMm.toFixed(3)} mm${dpi}`],
  };
}

/** Groups of one layout have the same problems. */
function toDistinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

/** What the sheets of a plan stand on. */
export interface PaperPlan {
  readonly groups: readonly PlanGroup[];
  readonly createdAt: string;
  readonly isRehearsal: boolean;
  /** Of the source. */
  readonly inputName: string;
  readonly design: Parameters<typeof toLevel>[0]["design"];
  /** What short links that don't exist yet begin with, where it is known. */
  readonly publicUrl: string | undefined;
}

/** Paper and its warnings. Throws `layout-impossible` when the sheets can't be printed. */
export async function planPaper(
  job: Pick<WorkJob, "name" | "file" | "output">,
  plan: PaperPlan,
): Promise<Omit<SheetFigures, "problems">> {
  const options = await makeSheetOptions(job, {
    createdAt: plan.createdAt,
    isRehearsal: plan.isRehearsal,
    input: { name: plan.inputName, sha256: "", columns: [] },
  });
  if (options === undefined) return NO_SHEETS;
  await loadOutputIntent(options.icc);
  const files = await checkSheetFiles(options);
  const level = toLevel({ design: plan.design });
  const planned = await planGroups(options, plan.groups, (group) =>
    toSampleVersion(group, level, plan.publicUrl),
  );
  const paper = { ...planned, problems: [...files, ...planned.problems] };
  if (paper.problems.length === 0) return paper;
  throw new AppError("layout-impossible", "the codes don't fit the sheets as asked", {
    problems: paper.problems.map((problem) => toManifestField(problem, job.file)),
    where: { file: job.file },
  });
}

/**
 * True when codes lead to this computer only: as the public address says that was named for the
 * embedded service, as codes do that are made, else as the server's own address lets expect.
 */
export function isRehearsal(
  { code }: RowJob,
  server: ServerChoice,
  state: State | undefined,
): boolean {
  const made = { afterSeq: -1, limit: 1 };
  const [first] = state?.page("state = 'done' AND short_link IS NOT NULL", made) ?? [];
  const isNamed = server.baseUrl === undefined && server.isPublicUrlGiven;
  const link = isNamed ? null : (first?.shortLink ?? null);
  return link === null
    ? code.dynamic && isLoopbackUrl(server.baseUrl ?? server.publicUrl)
    : isLoopbackUrl(link);
}

/** Nor does it send anything with more bad rows than the manifest allows. */
function toStopNote({ run }: RowJob, summary: PlanSummary): string[] {
  const stop = findStop(run, summary);
  return stop === undefined ? [] : [`${stop}: a run sends nothing`];
}

/** Who plans by day must know that the run of the night waits for a yes. */
function toConfirmNote({ safety }: RowJob, touched: number): string[] {
  const { confirmOver } = safety;
  return confirmOver === null || touched <= confirmOver
    ? []
    : [
        `more than ${formatCount(confirmOver)} changes (safety.confirm_over): a run asks first, or takes --yes`,
      ];
}

interface Planned {
  readonly planned: Pick<PlannedJob, "summary" | "warnings">;
  /** Undefined before the first run. */
  readonly state: State | undefined;
  readonly createdAt: string;
}

/**
 * The plan for people and programs. Throws `layout-impossible` when the sheets can't be printed,
 * `too-many-codes` when the job is larger than it may be.
 */
export async function toPlanView(
  job: RowJob,
  server: ServerChoice,
  { planned, state, createdAt }: Planned,
): Promise<PlanView> {
  const isToHere = isRehearsal(job, server, state);
  refuseTooMany(planned.summary.good, job.safety.maxCodes);
  const paper = await planPaper(job, {
    groups: planned.summary.sheets,
    createdAt,
    isRehearsal: isToHere,
    inputName: path.basename(job.source.file),
    design: job.code.design,
    publicUrl: server.baseUrl === undefined ? server.publicUrl : undefined,
  });
  const { summary } = planned;
  const renamed = summary.renamedFiles
    .slice(0, 5)
    .map(({ wished, name }) => `${wished} -> ${name}`);
  return {
    job: job.name,
    things: toThings(job.kind),
    input: job.source.file,
    server: server.baseUrl ?? `embedded service, data in ${server.dataDir}`,
    isRehearsal: isToHere,
    isLimited: server.baseUrl !== undefined || server.limits === "hosted",
    summary,
    sheetPages: paper.pages,
    warnings: [...planned.warnings, ...paper.warnings],
    notes: [
      ...paper.notes,
      ...toConfirmNote(job, summary.touched),
      ...toStopNote(job, summary),
      ...(summary.renamed === 0
        ? []
        : [`${summary.renamed} files with equal names are numbered: ${renamed.join(", ")}`]),
    ],
  };
}
