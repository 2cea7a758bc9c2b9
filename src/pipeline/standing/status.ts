/** Where a job stands, by its state and its files. Asks no server, changes nothing. */
import { AppError, type Problem } from "../../base/errors.ts";
import { rowsFromOf, type RowsFrom } from "../../base/shapes/rows-from.ts";
import { hasArtwork } from "../../download/download.ts";
import { isAsWritten } from "../../download/picture-files.ts";
import { isRowJob, stateDirOf, type Job } from "../../kinds/any-job.ts";
import { toGoneRow, type GoneRow } from "../../plan/gone-row.ts";
import { findHolder } from "../../state/lock.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { findForeign } from "../address/foreign-server.ts";
import { recallOutput } from "./finished-job.ts";
import { findCutShort, findUnanswered, findUnproven, hasBegun, isCutShort } from "./last-result.ts";
import { countStates, countUnfinished, doneRowsOfFiles } from "./left.ts";
import { lookAtState } from "./look-at-state.ts";
import type { Ports } from "../ports.ts";
import type { ChangedSince } from "../files/remade.ts";
import { findOtherAddress, rememberPublicUrl } from "../address/public-address.ts";
import { recallKept } from "../rows/kept-rows.ts";
import { findOtherJob } from "../rows/whose-state.ts";
import type { ServerChoice } from "../address/server.ts";
import type { FolderChoice } from "../strategy.ts";
import { findUnended } from "../undo/unended.ts";
import { findUnreadable } from "../source/source.ts";
import { countFresh } from "../units/count-fresh.ts";
import { findLastReport, type LastReport } from "../../kinds/report/last-report.ts";
import {
  BAD_WITH_CODE,
  MAY_HAVE_CODE,
  PRESENT_UNDONE,
  PRESENT_UNSETTLED,
  UNDONE_WITHOUT_FILES,
  VANISHED,
  VANISHED_WITH_CODE,
} from "../../state/which-rows.ts";

export interface JobStatus {
  readonly from: RowsFrom;
  /** Something was run. */
  readonly isStarted: boolean;
  /** Who runs it right now, as `process 123 on host`; null where nobody does. */
  readonly holder: string | null;
  /** The last run, or its undo, was stopped or killed: files may be missing or unproven. */
  readonly isCutShort: boolean;
  /** The last run ended, but the proof of its files found faults; left out where it did not. */
  readonly isUnproven?: true;
  /** It did, and `verify` has found all files right since: the report still names the faults. */
  readonly isProvenSince?: true;
  /** Of these: it was the undo. */
  readonly isUndoCutShort?: true;
  /** A retire, or the undo of one, was stopped or killed: some of its codes are left. */
  readonly unendedStep?: "retire" | "undo";
  /** What asked first (`safety.confirm_over`) and got no yes, where nothing was run since. */
  readonly waitsForYes: "run" | "retry" | null;
  /**
   * State of rows -> how many. Those of the done that are not as the job wants them are `unfinished`;
   * what a killed run had sent is in doubt.
   */
  readonly rows: Readonly<Record<string, number>>;
  /** Of those that are done and as wanted: those whose artwork is not there, or not as it should be. */
  readonly missingFiles: number;
  /** Made, but not yet as the job wants them; none of the done. */
  readonly unfinished: number;
  /** All that the next run goes on with: the unfinished, and those not sent, on the wire or in doubt. */
  readonly left: number;
  /** Of the done: those of which the server refused a later call, such as a form that is not published. */
  readonly halfway: number;
  /** Of the done: those that are as before a run, since it was undone. */
  readonly undone: number;
  /** Of the undone: those whose files did not come. */
  readonly undoneWithoutFiles: number;
  /** Serials in the place of void ones that no run has made yet. */
  readonly fresh: number;
  /** Why these could not be counted. */
  readonly uncounted?: Problem;
  readonly bad: number;
  /** Of the bad: those that are among the done, since the last run kept all codes and files. */
  readonly badDone: number;
  /** Of the bad: those that are not among the done, but of which an earlier run made something: it stays as it was. */
  readonly badWithCode: number;
  /** The first of them. */
  readonly badCodeRows: readonly GoneRow[];
  readonly vanished: number;
  /** Keys of rows that are gone and may have a code all the same. */
  readonly goneInDoubt: readonly string[];
  /** Where a job that was not started here has its codes; left out where that is nowhere. */
  readonly movedTo?: string;
  /** What a job that was not started here made under another name, or into another folder. */
  readonly former?: Problem;
  /** Why a run refuses to begin: files are there, but not the state of the run that made them. */
  readonly lost?: Problem;
  /** Why a run refuses to begin: the codes are another job's, lie elsewhere, or the data folder has them no longer. */
  readonly foreign?: Problem;
  /** Codes that the data folder no longer has, though a run goes on. */
  readonly gone?: Problem;
  /** What has changed since the last run; left out where nothing has. */
  readonly since?: ChangedSince;
  /** Why the spreadsheet can't be read, where it or the manifest has changed. */
  readonly unreadable?: Problem;
  /** The address that codes of the job have, where a run would refuse the one that it has now. */
  readonly otherAddress?: {
    readonly had: string;
    readonly wanted: string;
    /** Whose codes have it, in words. */
    readonly of: string;
    /** Another job has moved all codes. */
    readonly isMoved?: true;
  };
  /** Of a report, which keeps no state: its last files; undefined for other kinds. */
  readonly lastReport?: LastReport | null;
}

const NOTHING: Omit<JobStatus, "from"> = {
  isStarted: false,
  holder: null,
  isCutShort: false,
  waitsForYes: null,
  rows: {},
  missingFiles: 0,
  unfinished: 0,
  left: 0,
  halfway: 0,
  undone: 0,
  undoneWithoutFiles: 0,
  fresh: 0,
  bad: 0,
  badDone: 0,
  badWithCode: 0,
  badCodeRows: [],
  vanished: 0,
  goneInDoubt: [],
};

/** A list of the server tells how codes look that exist: here only the files count. */
const lacksAny = ({ artwork }: StateRow, folder: string): boolean =>
  artwork?.files.some((file) => !isAsWritten(folder, file)) === true;

/** Rows that are done and whose files the next run fetches. */
function countMissingFiles(state: State, job: Job): number {
  if (job.kind === "report" || job.output.files.length === 0) return 0;
  const { dir, files } = job.output;
  const isMade = isRowJob(job);
  if (!isMade && recallOutput(state, { stateDir: stateDirOf(job), dir }) !== dir) return 0;
  let count = 0;
  for (const row of doneRowsOfFiles(state, job.kind)) {
    count += Number(isMade ? !hasArtwork(row, dir, files) : lacksAny(row, dir));
  }
  return count;
}

function countLeft(state: State, { kind }: Job): Pick<JobStatus, "unfinished" | "left"> {
  const unfinished = countUnfinished(state, kind);
  return { unfinished, left: unfinished + state.count(PRESENT_UNSETTLED) };
}

/** No answer is under way where nobody runs the job. */
function countRows(
  state: State,
  { kind }: Job,
  { holder, unfinished }: Pick<JobStatus, "holder" | "unfinished">,
): Pick<JobStatus, "rows" | "halfway"> {
  const { rows, halfway } = countStates(state, kind);
  const { sending = 0, doubt = 0, done = 0, ...others } = rows;
  const told = holder === null ? { doubt: doubt + sending } : { sending, doubt };
  const counts = { done: done - unfinished, ...others, ...told };
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return { rows: Object.fromEntries(some), halfway };
}

function toCutShortFields(
  state: State,
  { holder }: Pick<JobStatus, "holder">,
): Pick<JobStatus, "isCutShort" | "isUndoCutShort" | "unendedStep"> {
  if (holder !== null) return { isCutShort: false };
  const step = findCutShort(state);
  const unendedStep = findUnended(state);
  return {
    isCutShort: step !== undefined,
    ...(step === "undo" && { isUndoCutShort: true }),
    ...(unendedStep && { unendedStep }),
  };
}

const BAD_CODES_NAMED = 100;

/** Their labels may be about: what the row wants now can't be made. */
const countBadWithCode = (state: State, job: Job): Pick<JobStatus, "badWithCode" | "badCodeRows"> =>
  isRowJob(job)
    ? {
        badWithCode: state.count(BAD_WITH_CODE),
        badCodeRows: state
          .goneRows(BAD_WITH_CODE, BAD_CODES_NAMED)
          .flatMap((row) => toGoneRow(job.source, row)),
      }
    : { badWithCode: 0, badCodeRows: [] };

const toStatus = (
  state: State,
  job: Job,
  {
    looksAtFiles,
    ...standing
  }: Pick<JobStatus, "holder" | "unfinished" | "left"> & { readonly looksAtFiles: boolean },
): Omit<JobStatus, "fresh" | "isStarted"> => ({
  from: rowsFromOf(job),
  ...toCutShortFields(state, standing),
  ...findUnproven(state),
  waitsForYes: findUnanswered(state),
  ...countRows(state, job, standing),
  // A run that goes on writes them.
  missingFiles: looksAtFiles && standing.holder === null ? countMissingFiles(state, job) : 0,
  ...standing,
  undone: state.count(PRESENT_UNDONE),
  undoneWithoutFiles: state.count(UNDONE_WITHOUT_FILES),
  bad: state.bad.count,
  badDone: recallKept(state)?.done.length ?? 0,
  ...countBadWithCode(state, job),
  // Codes that were filed away or deleted are done with.
  vanished: state.count(isRowJob(job) ? VANISHED_WITH_CODE : VANISHED),
  goneInDoubt: state.goneRows(MAY_HAVE_CODE).map(({ key }) => key),
});

async function lookElsewhere(
  { job, isFolderGiven }: Parameters<typeof readStatus>[0],
  ports: Pick<Ports, "clock" | "writer">,
): Promise<Pick<JobStatus, "movedTo" | "lost" | "former">> {
  if (!isRowJob(job)) return {};
  const { findLoss } = await import("../rows/lost-state.ts");
  const lost = await findLoss(job);
  if (lost !== undefined) return { lost };
  const { findMovedOutput } = await import("../rows/moved-output.ts");
  const movedTo = findMovedOutput(job);
  if (movedTo !== undefined) return { movedTo };
  if (isFolderGiven === true) return {};
  const { sayFormerOutput } = await import("../rows/former-output.ts");
  const former = await sayFormerOutput(job, ports);
  return former === undefined ? {} : { former };
}

const hasNews = ({ isChanged, kept, unseen, missing, damaged }: ChangedSince): boolean =>
  isChanged || kept !== undefined || unseen !== undefined || missing.length + damaged.length > 0;

async function lookSince(
  order: Parameters<typeof readStatus>[0],
  state: State,
  { looksAtFiles = true, foreign }: StatusOptions & Pick<JobStatus, "foreign">,
): Promise<Pick<JobStatus, "since" | "unreadable" | "otherAddress">> {
  const { job, server } = order;
  const { findChange, findSince } = await import("../files/changed-since.ts");
  if (!looksAtFiles) {
    const since = await findChange(order, state);
    return hasNews(since) ? { since } : {};
  }
  const since = await findSince(order, state);
  // Codes that lie elsewhere have the address of there.
  const otherAddress = foreign
    ? undefined
    : findOtherAddress(rememberPublicUrl(server, state), state);
  const mayBeOther = isRowJob(job) && (since.isChanged || isCutShort(state));
  const [unreadable] = mayBeOther ? await findUnreadable(job) : [];
  return {
    ...(hasNews(since) && { since }),
    ...(otherAddress && { otherAddress }),
    ...(unreadable && { unreadable }),
  };
}

/** A run that nobody agreed to leaves an empty state. */
const wasStarted = (
  state: State,
  { rows, unfinished, bad, holder }: Pick<JobStatus, "rows" | "unfinished" | "bad" | "holder">,
): boolean =>
  Object.keys(rows).length > 0 || unfinished + bad > 0 || holder !== null || hasBegun(state);

/** Without access and server it isn't said whether the codes lie elsewhere. */
export type StatusPorts = Pick<Ports, "clock" | "writer"> &
  Partial<Pick<Ports, "access" | "server" | "commandOf">>;

async function lookWhere(
  order: Parameters<typeof readStatus>[0],
  state: State,
  { access, server, commandOf }: Omit<StatusPorts, "clock" | "writer">,
): Promise<Pick<JobStatus, "foreign" | "gone">> {
  const other = isRowJob(order.job) ? findOtherJob(state, order.job) : undefined;
  if (other !== undefined) return { foreign: other };
  if (access === undefined || server === undefined) return {};
  const foreign = await findForeign(order, state, { access, server });
  if (foreign !== undefined) return { foreign };
  const { findGoneHere, judgeGone, sayFoundGone } = await import("../rows/gone-codes.ts");
  const gone = await findGoneHere(order, state, { server });
  if (gone === undefined) return {};
  if (!isRowJob(order.job)) return { gone: sayFoundGone(gone, order.server, { state, commandOf }) };
  try {
    return { gone: judgeGone(gone, order.server, { commandOf }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error;
    return { foreign: { message, hint } };
  }
}

export interface StatusOptions {
  /**
   * Every finished file is looked for, which takes seconds for tens of thousands. Default: yes. Whether
   * the manifest and its spreadsheet have changed is looked at in any case.
   */
  readonly looksAtFiles?: boolean;
}

export async function readStatus(
  order: { readonly job: Job; readonly server: ServerChoice } & FolderChoice,
  { clock, writer, ...asker }: StatusPorts,
  { looksAtFiles = true }: StatusOptions = {},
): Promise<JobStatus> {
  const { job } = order;
  if (job.kind === "report") {
    const lastReport = (await findLastReport(job)) ?? null;
    return { ...NOTHING, from: "codes", isStarted: lastReport !== null, lastReport };
  }
  // Asked first: a run that ends meanwhile must not look like one that was cut short.
  const holder = findHolder(stateDirOf(job)) ?? null;
  return lookAtState(job, { clock, writer }, async (state) => {
    if (state === undefined) {
      const moved = looksAtFiles ? await lookElsewhere(order, { clock, writer }) : {};
      return { from: rowsFromOf(job), ...NOTHING, ...moved };
    }
    const foreign = await lookWhere(order, state, asker);
    const asked = { looksAtFiles, ...foreign };
    const since = holder === null ? await lookSince(order, state, asked) : {};
    const counted = { holder, looksAtFiles, ...countLeft(state, job) };
    const found = { ...toStatus(state, job, counted), ...foreign, ...since };
    return { ...found, isStarted: wasStarted(state, found), ...countFresh(state, order) };
  });
}
