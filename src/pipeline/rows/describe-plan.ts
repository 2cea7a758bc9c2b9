import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { Design } from "../../plan/looks.ts";
import { toLevel } from "../../api/design.ts";
import { toExpectedDesign } from "../../plan/smaller.ts";
import { isLoopbackUrl, withoutEndSlash } from "../../base/text/url.ts";
import { sayRow } from "../../plan/row-place.ts";
import type { ActionsHash, PlanFacts } from "../../plan/plan-file.ts";
import { warnOfTemplateFrames } from "../../plan/frame-swap.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { Source } from "../../read/source.ts";
import { recallTemplate } from "../../run/templates.ts";
import type { State } from "../../state/state.ts";
import { noteLogos } from "../checks/logos.ts";
import { refuseManyPictures, refuseTooMany } from "../checks/confirm.ts";
import { makesAnew, noteRemade } from "../files/files-anew.ts";
import { listKeptFiles } from "../files/files-removed.ts";
import { noteFrames } from "../paper/frame-size.ts";
import { type PaperPlan, planPaper, toPaperFigures } from "../paper/plan-paper.ts";
import { type SampleLinks, toSampleOrigin, toSamplePayload } from "../address/sample-link.ts";
import { originsOf } from "../address/link-origins.ts";
import { findHere } from "../standing/press.ts";
import type { JobPlan } from "../results.ts";
import { withVolumes } from "../paper/note-volumes.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import { type ServerChoice } from "../address/server.ts";
import { noteKept } from "../stages/kept.ts";
import { noteVoid } from "../units/void-on-sheets.ts";
import { planZips } from "../paper/volume-names.ts";
import { findStop } from "./bad-rows.ts";
import { findMissingFiles, noteMissing } from "./missing-files.ts";
import { countStale, findMoving, type Moving, toSummary, UNASKED } from "./plan-reads.ts";
import type { PlannedJob } from "./read-plan.ts";
import { planSampled } from "../paper/sampled-proof.ts";
import type { ServerAddress } from "./server-address.ts";
import { noteSerials } from "./serial-origin.ts";
import {
  DONE,
  PRESENT_DONE_UNPROVEN,
  PRESENT_DONE_WITHOUT_FILES,
  PRESENT_WITH_SMALL_LINK,
} from "../../state/which-rows.ts";

/**
 * True when codes lead to this computer only. Decided by the named public address of the embedded
 * service, then by the codes that are made, then by what the server says, then by its own address.
 */
export function isRehearsal(
  { code }: RowJob,
  server: ServerChoice,
  state: State | undefined,
  told?: string,
): boolean {
  const isNamed = server.baseUrl === undefined && server.isPublicUrlGiven;
  const origins = isNamed || state === undefined ? [] : originsOf(state);
  return origins.length === 0
    ? code.dynamic && isLoopbackUrl(told ?? server.baseUrl ?? server.publicUrl)
    : origins.some(isLoopbackUrl);
}

/** Of rows that a run could not make there is none. */
export const hasCodes = (state: State | undefined): boolean =>
  state !== undefined && state.count(DONE) > 0;

export function toPlanFacts(
  { job, server }: { readonly job: RowJob; readonly server: ServerChoice },
  source: Source,
  actions: ActionsHash,
): PlanFacts {
  return {
    job: job.name,
    server: server.baseUrl ?? "embedded",
    inputSha256: source.sha256,
    actionsSha256: actions.hex(),
  };
}

const RENAMED_SHOWN = 5;

const noteGrown = (count: number, { design }: RowJob["code"]): PlanNote[] => {
  if (count === 0) return [];
  const isLevelL = toLevel({ design: { ...design } }) === "L";
  return [{ code: "grown-codes", count, ...(isLevelL && { isLevelL }) }];
};

/** For those who plan by day and run by night. */
function toNotes(
  { run, source, safety, code }: RowJob,
  summary: PlanSummary,
  { state, limit }: Pick<Planned, "state" | "limit">,
): PlanNote[] {
  const { confirmOver: over } = safety;
  const changes = countChanges(summary, limit);
  const why = findStop({ run, source }, summary);
  const { renamed: count, renamedFiles, stronger, grown, creates } = summary;
  const examples = renamedFiles
    .slice(0, RENAMED_SHOWN)
    .map(({ wished, name, row }) => `${row}: ${wished} -> ${name}`);
  return [
    ...(over === null || changes <= over ? [] : [{ code: "needs-yes", over } as const]),
    ...(why === undefined ? [] : [{ code: "sends-nothing", why } as const]),
    ...(stronger === 0 ? [] : [{ code: "stronger-codes", count: stronger, of: creates } as const]),
    ...noteGrown(grown, code),
    ...noteKept(summary, state),
    ...(count === 0 ? [] : [{ code: "renamed-files", count, examples } as const]),
  ];
}

const MISSING_SHOWN = 5;

/** Codes whose files a run has left out, and why. */
function noteFiles({ output, source }: RowJob, state: State | undefined): PlanNote[] {
  if (state === undefined || output.files.length === 0) return [];
  const missing = state.count(PRESENT_DONE_WITHOUT_FILES);
  const first = { afterSeq: -1, limit: MISSING_SHOWN };
  const rows = missing === 0 ? [] : state.page(PRESENT_DONE_WITHOUT_FILES, first);
  const examples = rows.map((row) => ({
    row: sayRow(source, row),
    message: row.error?.message ?? "",
  }));
  const unproven = state.count(PRESENT_DONE_UNPROVEN);
  return [
    ...(missing === 0
      ? []
      : [
          {
            code: "files-missing",
            count: missing,
            isZipped: output.zip !== null,
            examples,
          } as const,
        ]),
    ...(unproven === 0 ? [] : [{ code: "files-unproven", count: unproven } as const]),
  ];
}

/** A service may get another public address: then all short links change with it. */
function noteServer(
  { baseUrl }: ServerChoice,
  { far = UNASKED, moving }: Planned & { readonly moving: Moving | undefined },
  { writes, reads }: PlanSummary,
): PlanNote[] {
  const { untold } = far;
  // A plan that asks for no code tries neither token nor workspace.
  const isUntried = baseUrl !== undefined && far.reads === 0 && writes + reads > 0;
  return [
    ...(isUntried ? [{ code: "server-not-asked" } as const] : []),
    ...(untold === undefined || far.warnings !== undefined
      ? []
      : [{ code: "address-not-told", ...untold } as const]),
    ...noteMoving(moving),
  ];
}

const noteMoving = (moving: Moving | undefined): PlanNote[] =>
  moving === undefined
    ? []
    : [{ code: "address-moves", from: moving.from, to: moving.to, count: moving.codes }];

/**
 * Codes that another job may have redesigned since: a remote server shows designs only code by
 * code.
 */
function noteLooks(
  { output }: RowJob,
  { baseUrl }: ServerChoice,
  { good, sheets, creates, resumes, restyles, failedBefore }: PlanSummary,
): PlanNote[] {
  const of = output.sheets === null ? "pictures" : "sheets";
  const isSeen = of === "sheets" || output.files.length > 0;
  if (baseUrl === undefined || !isSeen) return [];
  // The state still has rows that are gone or bad now: no sheet prints them.
  const seen = of === "pictures" ? good : sheets.reduce((sum, { rows }) => sum + rows, 0);
  const count = seen - creates - resumes - restyles - failedBefore;
  return count <= 0 ? [] : [{ code: "looks-not-asked", count, of }];
}

const noteMade = (
  job: RowJob,
  server: ServerChoice,
  { state, summary }: { readonly state: State | undefined; readonly summary: PlanSummary },
): PlanNote[] => [...noteFiles(job, state), ...noteLooks(job, server, summary)];

/** New links of the embedded service are in capitals where codes are to be small; older ones stay as they are. */
function toSampleLinks(
  job: RowJob,
  server: ServerChoice,
  { state, address, far }: Pick<Planned, "state" | "address" | "far">,
): SampleLinks {
  if (server.baseUrl !== undefined) {
    const own = address === undefined ? undefined : withoutEndSlash(address);
    const begins = { publicUrl: job.code.domain === null ? own : toSampleOrigin(job, server) };
    return { ...begins, inCapitals: false, areTold: true, moved: far?.moved };
  }
  const publicUrl = toSampleOrigin(job, server);
  const isOlder = state !== undefined && state.count(PRESENT_WITH_SMALL_LINK) > 0;
  return { publicUrl, inCapitals: job.code.compact && !isOlder };
}

interface Planned {
  readonly planned: Pick<PlannedJob, "summary" | "warnings" | "labels"> &
    Partial<Pick<PlannedJob, "gone" | "spool">>;
  /** Undefined before the first run. */
  readonly state: State | undefined;
  readonly createdAt: string;
  readonly source: Pick<Source, "file" | "sha256" | "copy" | "detected">;
  /**
   * What codes of a template look like, where the server was asked; default: what runs have looked
   * up.
   */
  readonly templateOf?: ((name: string) => Design | undefined) | undefined;
  /** Codes whose design at the service differs from the printed one. */
  readonly otherLooks?: readonly PressWarning[] | undefined;
  /** Codes that lead elsewhere than they were made. */
  readonly otherTargets?: readonly Problem[] | undefined;
  /** Products of rows are there already. */
  readonly writesAtMost?: true | undefined;
  /** The program; undefined where the finished files are known to be those that it would make. */
  readonly writer?: string | undefined;
  /** Labels whose codes are all decoded, whatever the job asks for. */
  readonly mostDecodedAll?: number | undefined;
  /** New codes of this run at most. */
  readonly limit?: number | null | undefined;
  /** What a remote server says of codes that are made. */
  readonly far?: ServerAddress | undefined;
  /** What short links begin with, where the server was asked. */
  readonly address?: string | undefined;
  /** Who asks has looked at every picture: none is missing, and each is as it was written. */
  readonly isIntact?: true;
}

/** New codes that are left for a later run. */
const countLater = ({ creates }: PlanSummary, limit: number | null | undefined): number =>
  Math.max(0, creates - (limit ?? creates));

/** Rows of this run that something is sent for. */
export const countChanges = (summary: PlanSummary, limit: number | null | undefined): number =>
  summary.touched - countLater(summary, limit);

/** A limit is that of one run, whatever earlier ones have made. */
function noteLimit({ creates: of }: PlanSummary, limit: number | null | undefined): PlanNote[] {
  return limit == null || limit >= of ? [] : [{ code: "limited", count: limit, of }];
}

/** Where the rows come from, when no file of this computer holds them. */
function noteCopy({ file, copy }: Pick<Source, "file" | "copy">): PlanNote[] {
  if (copy === undefined) return [];
  const { bytes, at, isOld } = copy;
  return [{ code: "source-kept", from: file, bytes, atMs: Date.parse(at), isOld, file: copy.file }];
}

/** Newly vanished rows and files that are made anew take no write; a look at the address is no work. */
function judgeWork(
  { writes, reads, good, bad, vanished }: PlanSummary,
  notes: readonly PlanNote[],
  given: Planned & { readonly missing: number },
): Pick<JobPlan, "hasWork" | "isToMend"> {
  const left = writes + reads - (given.far?.reads ?? 0) + vanished + countStale(given);
  const isLeft = left + given.missing > 0 || makesAnew(notes);
  const isToMend = !isLeft && good > 0 && bad > 0;
  return { hasWork: isLeft || bad > 0, ...(isToMend && { isToMend }) };
}

/** What codes of a template look like, as far as it is known. */
const toTemplateOf =
  ({ templateOf, state }: Pick<Planned, "templateOf" | "state">) =>
  (name: string): Design | undefined =>
    templateOf?.(name) ?? (state && recallTemplate(state, name));

const listWarnings = (job: RowJob, given: Planned): Problem[] => [
  ...(given.far?.warnings ?? []),
  ...given.planned.warnings,
  ...warnOfTemplateFrames(job, given.planned.labels.designs, toTemplateOf(given)),
  ...(given.otherTargets ?? []),
];

const expectDesign = ({ code }: RowJob): Design =>
  toExpectedDesign({ ...code.design }, code.compact);

function planJobPaper(
  job: RowJob,
  { planned, state, createdAt, source, writer, templateOf }: Planned,
  at: Pick<PaperPlan, "groups" | "isRehearsal" | "links" | "kept">,
) {
  return planPaper(job, {
    ...at,
    createdAt,
    inputName: path.basename(job.source.file),
    inputSha256: source.sha256,
    design: expectDesign(job),
    labels: planned.labels,
    templateOf: toTemplateOf({ templateOf, state }),
    state,
    finished: state === undefined || writer === undefined ? undefined : { state, writer },
  });
}

/** What is said of the paper, and which finished files the run makes anew. */
async function notePaper(
  job: RowJob,
  { planned: { spool }, state, source, writer }: Planned,
  {
    summary,
    paper: { notes: sheets, volumes },
  }: {
    readonly summary: PlanSummary;
    readonly paper: Pick<Awaited<ReturnType<typeof planJobPaper>>, "notes" | "volumes">;
  },
): Promise<PlanNote[]> {
  const { delimiter } = source.detected;
  const at = { summary, sheets, job, stateDir: job.output.dir };
  const remade = await noteRemade({ ...at, state, delimiter, spool, writer });
  const own = sheets.filter(({ code }) => code !== "files-remade");
  return withVolumes([...own, ...remade], volumes);
}

/** What is known of the codes before anything is drawn. */
const findKnown = (job: RowJob, { state, otherLooks = [] }: Planned, isToHere: boolean) => [
  ...(state !== undefined && isToHere ? findHere({ state, job }) : []),
  ...otherLooks,
];

/**
 * The plan as data. Throws `layout-impossible` when the sheets can't be printed, `too-many-codes`
 * when the job is larger than it may be, `manifest-invalid` when its index can't show all its codes or
 * its proof can't be sampled.
 */
export async function describePlan(
  job: RowJob,
  server: ServerChoice,
  given: Planned,
): Promise<JobPlan> {
  const { planned, state, source, writer, limit, mostDecodedAll: most } = given;
  const { spool } = planned;
  const isLeft = planned.summary.good === 0 || given.isIntact === true;
  const missing = findMissingFiles({ job, state, spool, isLeft });
  const moving = findMoving(server, { ...given, spool });
  const summary = toSummary(job, server, { ...given, summary: planned.summary, missing, moving });
  const to = given.far?.moved?.to;
  const isToHere =
    (summary.good > 0 || hasCodes(state)) &&
    (to === undefined ? isRehearsal(job, server, state, given.address) : isLoopbackUrl(to));
  refuseTooMany(summary.good, job.safety.maxCodes);
  refuseManyPictures(job, planned.summary.good);
  const links = toSampleLinks(job, server, given);
  const kept = listKeptFiles({ job, state, summary, spool });
  const at = { groups: summary.sheets, isRehearsal: isToHere, links, kept: kept.sheets };
  const paper = await planJobPaper(job, given, at);
  const codes = { groups: summary.sheets, links, design: expectDesign(job) };
  const sample = toSamplePayload(job.code.dynamic, codes);
  const told = { ...planned.labels, templateOf: toTemplateOf(given) };
  const notes: PlanNote[] = [
    ...noteServer(server, { ...given, moving }, summary),
    ...noteCopy(source),
    ...noteSerials(job),
    ...noteMade(job, server, { state, summary }),
    ...(await notePaper(job, given, { summary, paper })),
    ...(moving ? [] : noteMissing(job, missing)),
    ...planSampled(job, paper, { most, later: countLater(summary, limit) }),
    ...noteLogos(planned.labels),
    ...(state === undefined || writer === undefined
      ? []
      : noteVoid({ job, dataDir: server.dataDir, state, gone: planned.gone })),
    ...(await noteFrames(job.code.design, sample, told)),
    ...noteLimit(summary, limit),
    ...toNotes(job, summary, given),
  ];
  return {
    job: job.name,
    kind: job.kind,
    input: job.source.file,
    from: job.source.from,
    isSelection: false,
    baseUrl: server.baseUrl,
    dataDir: server.dataDir,
    isRehearsal: isToHere,
    isLimited: server.baseUrl !== undefined || server.limits === "hosted",
    summary,
    zipVolumes: planZips(job, summary.zips, kept.zips),
    ...toPaperFigures(paper),
    warnings: [...listWarnings(job, given), ...paper.warnings],
    press: [...findKnown(job, given, isToHere), ...paper.press],
    notes,
    ...judgeWork(summary, notes, { ...given, missing: missing.rows }),
  };
}
