/**
 * Whether a finished job is still the one that its last run made, and its files where they were. Looks
 * at no row: a plan says exactly what a run would do.
 */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { HAS_TEMPLATE } from "../../job/shapes/fields.ts";
import { isRowJob, stateDirOf, type Job, type RowJob } from "../../kinds/any-job.ts";
import { recallLogo } from "../../run/logo-places.ts";
import type { State } from "../../state/state.ts";
import { recallOutput } from "../standing/finished-job.ts";
import { toServerOfCodes } from "../address/foreign-server.ts";
import { hashFiles, hashSeen } from "./hash-files.ts";
import { isCutShort } from "../standing/last-result.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import { findLost } from "./lost-files.ts";
import type { Ports } from "../ports.ts";
import { findOtherAddress, rememberPublicUrl } from "../address/public-address.ts";
import type { ChangedSince } from "./remade.ts";
import { recallKept } from "../rows/kept-rows.ts";
import type { ServerChoice } from "../address/server.ts";

/** Meta: the mark of the job that the last run made, and the program that made it. */
const MARK = "job_mark";
/** Meta: the mark of the job that the last run began to make. */
const BEGUN = "begun_mark";
const MADE_BY = "made_by";

export const UNCHANGED: ChangedSince = { isChanged: false, missing: [], damaged: [] };

/**
 * Changes with the manifest, the spreadsheet and all files that it names; holds when they move
 * together. Three hashes: of all, of all but the spreadsheet, of the spreadsheet.
 */
export async function toJobMark(
  job: RowJob,
  choice: ServerChoice,
  state: State | undefined,
  hashOf?: typeof hashSeen,
): Promise<string> {
  // These decide nothing that is made.
  const { file, api, run: _run, safety: _safety, schedule: _schedule, ...wish } = job;
  const folder = path.dirname(file);
  const { dir: _dir, ...output } = wish.output;
  const { publicUrl } = rememberPublicUrl(choice, state);
  const own = output.sheets?.sheet;
  const named = [wish, typeof own === "string" ? path.resolve(folder, own) : null];
  const hashes = await hashFiles(named, [file, api.tokenFile ?? null], hashOf);
  const beside = (_key: string, value: unknown): unknown =>
    typeof value === "string" && path.isAbsolute(value) ? path.relative(folder, value) : value;
  // Another server gives its codes an address by itself.
  const isGiven = job.code.dynamic && choice.baseUrl === undefined;
  const at = { baseUrl: choice.baseUrl, publicUrl: isGiven ? publicUrl : null };
  const markOf = (some: typeof hashes): string =>
    sha256(JSON.stringify([{ ...wish, output }, at, some], beside));
  const isSpreadsheet = ([one]: readonly string[]): boolean => one === job.source.file;
  const [, input = ""] = hashes.find(isSpreadsheet) ?? [];
  const others = hashes.filter((hash) => !isSpreadsheet(hash));
  return [markOf(hashes), markOf(others), input].join(" ");
}

/** What differs between two marks; an older makeready kept no more than the first hash. */
function findDifference(now: string, made: string): ChangedSince["changed"] {
  const [all, others, input] = now.split(" ");
  const [allMade, othersMade, inputMade] = made.split(" ");
  if (all === allMade) return undefined;
  if (othersMade === undefined || input === inputMade) return "job";
  return others === othersMade ? "spreadsheet" : "both";
}

const isSameMark = (now: string, made: string): boolean => findDifference(now, made) === undefined;

function note(state: State, key: string, value: string): void {
  if (state.meta(key) !== value) state.setMeta(key, value);
}

/** Of a run that begins: its plan says what the rows are. */
export const rememberBegun = (state: State, mark: string): void => note(state, BEGUN, mark);

/** Of a run that came to its end. */
export const rememberMaker = (state: State, writer: string): void => note(state, MADE_BY, writer);

/** The same, with the mark of its job. */
export function rememberMade(state: State, mark: string, writer: string): void {
  note(state, MARK, mark);
  rememberMaker(state, writer);
}

/** The program of the last whole run; undefined where it did not say so. */
export const recallMaker = (state: State): string | undefined => state.meta(MADE_BY);

/** @param last of the run that kept all files, where that was the last one */
function findKept(now: string, made: string, last: string | undefined): ChangedSince["kept"] {
  if (last === undefined) return undefined;
  return isSameMark(now, made) ? "mended" : isSameMark(now, last) ? "bad" : undefined;
}

interface Order {
  readonly job: Job;
  readonly server: ServerChoice;
}

/** Whether the last run was about another job; of codes that exist only a plan tells. */
async function compareMarks(
  { job, server }: Order,
  state: State,
): Promise<Pick<ChangedSince, "isChanged" | "changed" | "kept">> {
  const mark = state.meta(isCutShort(state) ? BEGUN : MARK);
  if (!isRowJob(job) || mark === undefined) return { isChanged: false };
  // A server or an address that a run refuses is no wish of the job.
  const there = toServerOfCodes(server, state);
  const isOther = findOtherAddress(rememberPublicUrl(there, state), state) !== undefined;
  const choice = isOther ? { ...there, isPublicUrlGiven: false } : there;
  const now = await toJobMark(job, choice, state, hashSeen);
  const kept = findKept(now, mark, recallKept(state)?.mark);
  if (kept !== undefined) return { isChanged: false, kept };
  const changed = findDifference(now, mark);
  return { isChanged: changed !== undefined, ...(changed && { changed }) };
}

/** What a look finds. A file that can't be read is a finding, too: the rest of the job is still shown. */
async function orUnseen(found: Promise<Partial<ChangedSince>>): Promise<ChangedSince> {
  try {
    return { ...UNCHANGED, ...(await found) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint, where } = error;
    return { ...UNCHANGED, unseen: { message, hint, where } };
  }
}

/** A run over codes that exist may get a folder of its own. */
const isHere = (job: Job, state: State): boolean =>
  isRowJob(job) ||
  recallOutput(state, { stateDir: stateDirOf(job), dir: job.output.dir }) === job.output.dir;

/** A file that rows name as their logo holds another image; one that is gone is none. */
async function hasOtherLogos(job: Job, state: State): Promise<boolean> {
  if (!isRowJob(job) || !HAS_TEMPLATE.test(job.code.design.logo_file ?? "")) return false;
  for (const mark of state.listing.logoMarks()) {
    const file = recallLogo(state, mark);
    const hash = file === undefined ? undefined : await hashSeen(file);
    if (hash !== undefined && mark !== `sha256:${hash}`) return true;
  }
  return false;
}

async function compareAll(order: Order, state: State): Promise<ChangedSince> {
  const { job } = order;
  const change = await compareMarks(order, state);
  if (!change.isChanged && (await hasOtherLogos(job, state)))
    return { ...UNCHANGED, isChanged: true, changed: "job" };
  const isWhole = recallMaker(state) !== undefined && !isCutShort(state);
  // A changed job may want other files.
  if (job.kind === "report" || change.isChanged || !isWhole || !isHere(job, state))
    return { ...UNCHANGED, ...change };
  return { ...change, ...(await findLost(job, state)) };
}

/** Whether the job is another one than the last run was about; looks at no finished file. */
export const findChange = (order: Order, state: State): Promise<ChangedSince> =>
  orUnseen(compareMarks(order, state));

/** What has changed since the last whole run; nothing where that is not known. */
export const findSince = (order: Order, state: State): Promise<ChangedSince> =>
  orUnseen(compareAll(order, state));

/** The same of a job that is closed. */
export const readSince = (
  of: Order,
  ports: Pick<Ports, "clock" | "writer">,
): Promise<ChangedSince> =>
  lookAtState(of.job, ports, (state) => (state === undefined ? UNCHANGED : findSince(of, state)));
