/**
 * Codes that a job has made and that its server no longer has: its data is an older copy, or somebody
 * has deleted them. Their short links lead nowhere.
 */
import { AppError, type Problem } from "../../base/errors.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { makeLog } from "../../base/log.ts";
import { inParts } from "../../base/flow/parts.ts";
import { cutKey, formatMany } from "../../base/text/words.ts";
import { readShown } from "../../download/download.ts";
import { rowsFromOf, type RowsFrom } from "../../base/shapes/rows-from.ts";
import { isRowJob, type Job, type RowJob } from "../../kinds/any-job.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { PRESENT_DONE, PRESENT_DONE_WITH_SHORT_LINK } from "../../state/which-rows.ts";
import { withClient, type OpenClient } from "../address/job-client.ts";
import type { Ports } from "../ports.ts";
import type { ServerChoice } from "../address/server.ts";
import { listVoid } from "../units/list-void.ts";

/** Codes that a remote server is asked for once it lacks the newest: a fixed number of calls. */
const ASKED = 8;
export const SHOWN = 3;
/** The newest are listed first. */
const LISTED = 100;

const AT_ONCE = 4;

/** Codes with a short link that the server no longer has. */
export interface GoneCodes {
  readonly keys: readonly string[];
  /** So many were looked for. */
  readonly asked: number;
  /** All codes of the job were looked for. */
  readonly isAll: boolean;
  /** The code that was made last is there: the data is no older copy, and others were deleted. */
  readonly hasNewest?: boolean | undefined;
  /** The service has a code that each of these rows had before: a retry takes them back. */
  readonly areBack?: boolean | undefined;
  /** Where the rows of the job come from, as far as that is known. */
  readonly from?: RowsFrom | undefined;
}

/** Whose codes are looked for. */
export interface GoneOrder {
  /** Its ledger knows which are void: those lead nowhere anyway. Undefined where none has a ledger. */
  readonly job: Job | undefined;
  readonly server: ServerChoice;
}

/** Those of these rows whose codes are void. */
export function findVoid(
  { job, server }: GoneOrder,
  keys: readonly string[],
  state: State,
): ReadonlySet<string> {
  return keys.length === 0 || job === undefined || !isRowJob(job)
    ? new Set()
    : listVoid({ job, server }, state);
}

const idOf = ({ parts, remoteId }: StateRow): string => parts.codeId ?? remoteId ?? "";

/** The others are no codes of the server by themselves. */
export const hasOwnCode = ({ wanted, parts }: StateRow): boolean =>
  parts.codeId !== undefined ||
  (wanted.form === undefined && wanted.page === undefined && wanted.product?.hasCode !== false);

/** Meta: key of the code that was made last. */
const NEWEST = "newest_code";

/** Notes which code was made last, so that nobody has to look for it among all. */
export function rememberNewest(state: State): void {
  const [newest] = state.made.newest(1);
  if (newest !== undefined) state.setMeta(NEWEST, newest.key);
}

/** The row whose code was made last; an older copy of the server's data doesn't have it. */
export function newestOf(state: State): StateRow | undefined {
  const key = state.meta(NEWEST);
  const isKnown = key !== undefined && state.is(key, PRESENT_DONE_WITH_SHORT_LINK);
  return isKnown ? state.row(key) : state.made.newest(1)[0];
}

/** Those of these rows whose codes the data folder of the embedded service doesn't have, where it can be read. */
export async function lookFor(
  rows: readonly StateRow[],
  { dataDir }: ServerChoice,
  { server }: Pick<Ports, "server">,
): Promise<string[]> {
  const there = await server.named(dataDir, rows.map(idOf));
  if (there === undefined) return [];
  return rows.filter((row) => hasOwnCode(row) && !there.has(idOf(row))).map(({ key }) => key);
}

/** Of all codes of the job. */
export async function lookForAll(
  state: State,
  choice: ServerChoice,
  ports: Pick<Ports, "server">,
): Promise<GoneCodes> {
  const keys: string[] = [];
  let asked = 0;
  for (const rows of inParts(state.rows(PRESENT_DONE_WITH_SHORT_LINK))) {
    asked += rows.length;
    keys.push(...(await lookFor(rows, choice, ports)));
  }
  return { keys, asked, isAll: true };
}

/** Keys of rows whose codes are gone; rows are read for these only. */
async function lookById(
  state: State,
  choice: ServerChoice,
  ports: Pick<Ports, "server">,
): Promise<string[]> {
  const gone: { readonly key: string; readonly seq: number }[] = [];
  for (const ids of inParts(state.made.ids())) {
    const there = await ports.server.named(choice.dataDir, ids);
    if (there === undefined) return [];
    const rows = state.made.linked(ids.filter((id) => !there.has(id)));
    const keys = new Set(await lookFor(rows, choice, ports));
    for (const { key, seq } of rows) if (keys.has(key)) gone.push({ key, seq });
  }
  return gone.toSorted((a, b) => a.seq - b.seq).map(({ key }) => key);
}

/** Whether each of these rows had a code before that the data folder has again. */
async function areBack(
  keys: readonly string[],
  state: State,
  { choice, ports }: { readonly choice: ServerChoice; readonly ports: Pick<Ports, "server"> },
): Promise<boolean> {
  for (const some of inParts(keys)) {
    const all = some.map((key) => state.retired.earlier(key).map(({ codeId }) => codeId));
    if (all.some((ids) => ids.length === 0)) return false;
    const there = await ports.server.named(choice.dataDir, all.flat());
    if (!all.every((ids) => ids.some((id) => there?.has(id)))) return false;
  }
  return true;
}

/** Before each run, all codes of larger jobs are looked for only once the newest is gone. */
const MOST_LOOKED_FOR = 100_000;

/** Looks into the data folder of the embedded service for each code of the job that is not void. `isWhole`: of any job. */
export async function findGoneHere(
  order: GoneOrder,
  state: State | undefined,
  ports: Pick<Ports, "server">,
  isWhole = false,
): Promise<GoneCodes | undefined> {
  const { server: choice, job } = order;
  if (choice.baseUrl !== undefined || state === undefined) return undefined;
  const newest = newestOf(state);
  if (newest === undefined) return undefined;
  const isLarge = !isWhole && state.made.hasMoreThan(MOST_LOOKED_FOR);
  if (isLarge && (await lookFor([newest], choice, ports)).length === 0) return undefined;
  const all = await lookById(state, choice, ports);
  const voided = findVoid(order, all, state);
  const keys = all.filter((key) => !voided.has(key));
  if (keys.length === 0) return undefined;
  const hasNewest = !all.includes(newest.key);
  const asked = state.count(PRESENT_DONE_WITH_SHORT_LINK);
  const isBack = await areBack(keys, state, { choice, ports });
  const from = job && rowsFromOf(job);
  return { keys, asked, isAll: true, hasNewest, areBack: isBack, from };
}

async function isShown({ client }: OpenClient, row: StateRow): Promise<boolean> {
  try {
    await readShown({ client }, row, row.remoteId ?? "");
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return false;
    throw error;
  }
}

const listNewest = async ({ client }: OpenClient): Promise<string[]> => {
  const { results } = await client.listCodes({ page: 1, page_size: LISTED });
  return results.map(({ id }) => id);
};

/** What a server has shown of some rows, while it is asked. */
export interface SeenCodes {
  /** So many of them. */
  shown: number;
  /** Those that it doesn't show. */
  readonly keys: string[];
}

/** Those of these rows whose codes a server doesn't show, a few at once. */
async function askFor(
  open: OpenClient,
  rows: readonly StateRow[],
  seen: SeenCodes = { shown: 0, keys: [] },
): Promise<string[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await Promise.all(
      rows.slice(at, at + AT_ONCE).map(async (row) => {
        if (hasOwnCode(row) && !(await isShown(open, row))) seen.keys.push(row.key);
        else seen.shown += 1;
      }),
    );
  }
  const gone = new Set(seen.keys);
  return rows.filter(({ key }) => gone.has(key)).map(({ key }) => key);
}

/** Asks a server that seems to lack the newest code for those made last; undefined where it has them. */
export async function findGoneThere(
  open: OpenClient,
  state: State,
): Promise<GoneCodes | undefined> {
  const rows = state.made.newest(ASKED);
  const keys = await askFor(open, rows);
  // Some list codes of the job and show none by itself.
  const isNone = keys.length === rows.length;
  if (keys.length === 0 || (isNone && state.made.hasAny(await listNewest(open)))) return undefined;
  return { keys, asked: rows.length, isAll: rows.length < ASKED };
}

/** Those of these rows whose codes a server no longer has. One that shows no code by itself is not believed. */
export async function askForThese(
  open: OpenClient,
  state: State,
  { rows, seen }: { readonly rows: readonly StateRow[]; readonly seen?: SeenCodes },
): Promise<string[]> {
  const keys = await askFor(open, rows, seen);
  if (keys.length < rows.length) return keys;
  const asked = new Set(keys);
  const others = state.made.newest(ASKED).filter(({ key }) => !asked.has(key));
  for (const one of others) if (hasOwnCode(one) && (await isShown(open, one))) return keys;
  const listed = new Set(await listNewest(open));
  return [...rows, ...others].some((row) => listed.has(idOf(row))) ? [] : keys;
}

/** Looks once more, after a run has sent what was left: a server may show new codes late. */
export async function lookAgain(
  {
    job,
    server,
    gone,
  }: {
    readonly job: RowJob;
    readonly server: ServerChoice;
    readonly gone: GoneCodes | undefined;
  },
  { ports, state }: { readonly ports: Ports; readonly state: State },
): Promise<{ readonly gone: GoneCodes | undefined; readonly reads: number }> {
  if (gone === undefined) return { gone, reads: 0 };
  if (server.baseUrl === undefined)
    return { gone: await findGoneHere({ job, server }, state, ports), reads: 0 };
  try {
    const needs = { ports, choice: server, log: makeLog() };
    const { result, calls } = await withClient(job, needs, (open) => findGoneThere(open, state));
    return { gone: result, reads: calls.reads };
  } catch (error) {
    ports.signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { gone, reads: 0 };
  }
}

/** The first of them, for a sentence. */
export const listKeys = (keys: readonly string[]): string =>
  `${keys.slice(0, SHOWN).map(cutKey).join(", ")}${keys.length > SHOWN ? " and others" : ""}`;

/** One code that is gone among others, or several older ones, may have been deleted on purpose: the job can go on. */
const mayBeMeant = ({ keys, asked, hasNewest }: GoneCodes): boolean =>
  hasNewest === true || (keys.length === 1 && asked > 1);

interface Commands {
  readonly commandOf?: Ports["commandOf"] | undefined;
}

/** Rows that a job makes itself have no line that somebody could take out. */
const MADE_BY_JOB: readonly (RowsFrom | undefined)[] = ["manifest", "range", "serials"];

function hintDeleted(
  keys: readonly string[],
  from: RowsFrom | undefined,
  { commandOf }: Commands,
): string {
  const [them, rows] = keys.length === 1 ? ["it", "its row"] : ["them", "their rows"];
  const said = `; if somebody deleted ${them} on purpose,`;
  if (!MADE_BY_JOB.includes(from)) return `${said} take ${rows} out of the source`;
  const more = keys.slice(0, SHOWN).flatMap((key) => ["--key", key]);
  const command =
    commandOf?.("void", { more, without: ["yes", "plan"] }) ??
    `makeready void JOB ${keys.length === 1 ? "--key KEY" : "--key KEY --key KEY"}`;
  return `${said} note that ${them === "it" ? "it is" : "they are"} void: ${command}`;
}

/** What to do. */
function hintGone(
  { keys, hasNewest, areBack: isBack, from }: GoneCodes,
  { baseUrl }: ServerChoice,
  { commandOf }: Commands,
): string {
  const isHere = baseUrl === undefined;
  const step = isHere ? "retry" : "run";
  const words = isHere ? {} : { more: ["--fresh", "--yes"] };
  const command =
    commandOf?.(step, { ...words, without: ["yes", "plan"] }) ??
    `makeready ${[step, "JOB", ...(words.more ?? [])].join(" ")}`;
  if (isBack === true)
    return `it has those again that these rows had before; to take them back: ${command} (printed labels of the others stay dead)`;
  const which = isHere ? "the codes that are gone" : "all codes of this job";
  const mayBeDeleted = keys.length === 1 || hasNewest === true;
  const deleted = mayBeDeleted ? hintDeleted(keys, from, { commandOf }) : "";
  return `if its data comes from a backup, restore a newer one${deleted}; to make ${which} anew: ${command} (printed labels of those that are gone stay dead)`;
}

function sayWhich({ keys, asked, isAll }: GoneCodes, { baseUrl, dataDir }: ServerChoice): string {
  const where = baseUrl === undefined ? `the service in ${dataDir}` : `the server at ${baseUrl}`;
  const some = `${keys.length} of ${isAll ? "" : "the last "}${formatMany(asked, "code")}`;
  return `${where} must have the codes of this job, but no longer has ${some}: ${listKeys(keys)}; their short links lead nowhere`;
}

/** What is gone, what that means, and what to do. */
export const sayGone = (
  gone: GoneCodes,
  choice: ServerChoice,
  commands: Commands,
): Problem & { readonly hint: string } => ({
  message: sayWhich(gone, choice),
  hint: hintGone(gone, choice, commands),
});

/** The same of codes that a job has only found: another one made them, and a run of this one selects anew. */
export function sayFoundGone(
  gone: GoneCodes,
  choice: ServerChoice,
  { state, commandOf }: Commands & { readonly state: State },
): Problem & { readonly hint: string } {
  // Their keys are ids, which nobody knows.
  const keys = gone.keys.map((key, at) =>
    at < SHOWN ? state.row(key)?.wanted.displayName || key : key,
  );
  const them = keys.length === 1 ? "it" : "them";
  const command = commandOf?.("run", { without: ["yes", "plan"] }) ?? "makeready run JOB";
  return {
    message: sayWhich({ ...gone, keys }, choice),
    hint: `if its data comes from a backup, restore a newer one; to go on without ${them}: ${command}; to make ${them} anew: makeready retry of the job that made ${them} (printed labels of those that are gone stay dead)`,
  };
}

/**
 * Throws `state-foreign` where the embedded service lacks the newest code, and more than that; says otherwise what is
 * gone. What a remote server doesn't show may turn up later.
 */
export function judgeGone(gone: GoneCodes, choice: ServerChoice, ports: Commands): Problem {
  const { message, hint } = sayGone(gone, choice, ports);
  if (choice.baseUrl !== undefined || mayBeMeant(gone)) return { message, hint };
  throw new AppError("state-foreign", message, { hint });
}

/** What forbids the press; nothing where the rows of these codes left the job meanwhile. */
export function warnOfGone(gone: GoneCodes | undefined, state: State): PressWarning[] {
  if (gone === undefined) return [];
  const rows = gone.keys.filter((key) => state.is(key, PRESENT_DONE));
  return rows.length === 0 ? [] : [{ code: "codes-gone", count: rows.length, rows, what: [] }];
}
