/**
 * A remote server may give its codes another public address than a job has drawn them with. One code
 * for each address of the job, of a few at most, is asked for before anything is planned.
 */
import { toCarried } from "../../api/carried.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { isLoopbackUrl, isUrl, withoutEndSlash } from "../../base/text/url.ts";
import { readShown } from "../../download/download.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { atOrigins, DONE_WITHOUT_LINK } from "../../state/which-rows.ts";
import {
  sayMoves,
  whetherStill,
  type SeenAddress,
  type UntoldAddress,
} from "../address/address-words.ts";
import {
  findGoneHere,
  findGoneThere,
  newestOf,
  hasOwnCode,
  judgeGone,
  sayGone,
  type GoneCodes,
} from "./gone-codes.ts";
import { withClient, type OpenClient } from "../address/job-client.ts";
import { originsOf } from "../address/link-origins.ts";
import type { Ports } from "../ports.ts";
import {
  findMovedAddress,
  refuseFlag,
  refuseOtherAddress,
  sayMovedAddress,
  toServe,
} from "../address/public-address.ts";
import { readRemote, type ServerChoice } from "../address/server.ts";
import { toUntold, warnUntold, type Untold } from "../address/untold.ts";

/** A short limit: a plan is useful without this answer. */
const PATIENCE_MS = 5000;
/** A job has one or two; a server may have given each code its own. */
const MOST_ASKED = 8;

export interface ServerAddress {
  readonly reads: number;
  /** Every code gets another address than it was drawn with. */
  readonly moved?: SeenAddress | undefined;
  /** The address that the server has not told of, and why. */
  readonly untold?: UntoldAddress | undefined;
  /** Codes that the server no longer has, where the job may go on all the same. */
  readonly gone?: GoneCodes | undefined;
  /** A refused token, and codes that are gone or found again, are more than a note. */
  readonly warnings?: readonly Problem[] | undefined;
}

/** What else is to be said, behind that. */
export const addWarnings = (to: ServerAddress, more: readonly Problem[]): ServerAddress =>
  more.length === 0 ? to : { ...to, warnings: [...(to.warnings ?? []), ...more] };

type SaidProblem = Problem & { readonly hint: string };

interface At {
  readonly ports: Ports;
  readonly state: State | undefined;
}

/** Where the path of a web address begins, at the earliest. */
const HOST = "https://".length;

/** Both links without the end that they share: a slug, or the path of a Digital Link. */
function toSeen(had: string, has: string): SeenAddress {
  const [before, now] = [had.toLowerCase(), has.toLowerCase()];
  for (let at = before.indexOf("/", HOST); at > 0; at = before.indexOf("/", at + 1)) {
    const end = before.slice(at);
    if (now.endsWith(end)) return { from: before.slice(0, at), to: now.slice(0, -end.length) };
  }
  return { from: new URL(had).origin, to: new URL(has).origin };
}

/** Of a job whose links are all to be fetched again: nobody knows what they began with. */
async function lookAnew({ client }: OpenClient, state: State): Promise<SeenAddress[]> {
  for (const row of state.page(DONE_WITHOUT_LINK, { afterSeq: -1, limit: MOST_ASKED })) {
    const shown =
      row.remoteId === null ? undefined : await readShown({ client }, row, row.remoteId);
    const link = shown && toCarried(shown);
    if (link != null && isUrl(link)) return [toSeen(link, link)];
  }
  return [];
}

const toOrigin = (link: string | null): string =>
  link !== null && isUrl(link) ? new URL(link).origin : "";

/** One row for each address. Of the newest code's address it is the newest one: an older copy lacks it. */
function pickRows(state: State): StateRow[] {
  const newest = newestOf(state);
  const origins = originsOf(state).slice(0, MOST_ASKED);
  const firsts = origins.flatMap((origin) =>
    state.page(atOrigins([origin]), { afterSeq: -1, limit: 1 }),
  );
  if (newest === undefined || !hasOwnCode(newest)) return firsts;
  const own = toOrigin(newest.shortLink);
  return [newest, ...firsts.filter(({ shortLink }) => toOrigin(shortLink) !== own)];
}

type Looked = Pick<Answered, "seen" | "gone">;

/** What a row's code begins with now; undefined where the server doesn't say. */
async function seeRow({ client }: OpenClient, row: StateRow): Promise<SeenAddress | undefined> {
  if (row.remoteId === null || row.shortLink === null) return undefined;
  const shown = await readShown({ client }, row, row.remoteId);
  const link = shown && toCarried(shown);
  // A server may answer anything.
  return link != null && isUrl(link) && isUrl(row.shortLink)
    ? toSeen(row.shortLink, link)
    : undefined;
}

const isMissing = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "missing";

async function look(open: OpenClient, state: State): Promise<Looked> {
  if (originsOf(state).length === 0) return { seen: await lookAnew(open, state) };
  const seen: SeenAddress[] = [];
  const newest = newestOf(state);
  for (const row of pickRows(state)) {
    const isNewest = row.key === newest?.key && hasOwnCode(row);
    try {
      seen.push(...[(await seeRow(open, row)) ?? []].flat());
    } catch (error) {
      if (!isNewest || !isMissing(error)) throw error;
      return { seen, gone: await findGoneThere(open, state) };
    }
  }
  return { seen };
}

interface Answered {
  readonly seen: readonly SeenAddress[];
  readonly gone?: GoneCodes | undefined;
  /** Why nothing was seen. */
  readonly because?: Untold | undefined;
}

/** The run finds out by itself what an error means, and says it in its own words. */
async function tryToLook(
  open: OpenClient,
  { changesPublicUrl }: ServerChoice,
  { ports, state }: At & { readonly state: State },
): Promise<Answered> {
  try {
    const { seen, gone } = await look(open, state);
    return {
      seen,
      gone,
      ...(seen.length === 0 && gone === undefined && { because: { why: "not-shown" } }),
    };
  } catch (error) {
    ports.signal.throwIfAborted();
    if (!(error instanceof AppError) || changesPublicUrl) throw error;
    return { seen: [], because: toUntold(error) };
  }
}

async function ask(
  job: RowJob,
  choice: ServerChoice,
  { ports, state }: At,
): Promise<Answered & Pick<ServerAddress, "reads">> {
  const { missing } = await readRemote(job, ports);
  const [unset] = missing;
  if (unset !== undefined) {
    return { seen: [], reads: 0, because: { why: "not-set", missing: unset } };
  }
  if (state === undefined) return { seen: [], reads: 0 };
  const needs = { ports, choice, log: makeLog(), patienceMs: PATIENCE_MS };
  const { result, calls } = await withClient(job, needs, (open) =>
    tryToLook(open, choice, { ports, state }),
  );
  // Of a server that is away, nothing was read.
  return { ...result, reads: result.because?.why === "no-answer" ? 0 : calls.reads };
}

const isLost = ({ from, to }: SeenAddress): boolean => from !== to && !isLoopbackUrl(from);

function sayLost(
  { from, to }: SeenAddress,
  { baseUrl }: ServerChoice,
  { commandOf }: Pick<Ports, "commandOf">,
): SaidProblem {
  const more = ["--change-public-url", to];
  const back = `to keep ${from}, ${toServe(isLoopbackUrl(to) ? "--public-url" : "--change-public-url", from)}`;
  const onwards = commandOf("run", { more, without: ["publicUrl", "plan"] });
  return {
    message: `the codes of this job have ${from}, but the server at ${baseUrl} gives them ${to} now: those printed with ${from} may lead nowhere`,
    hint: isLoopbackUrl(to)
      ? back
      : `to make this job's files anew with ${to}: ${onwards}; ${back}`,
  };
}

/** Refuses what the job is not to do by itself; answers the move that it makes. */
function judgeSeen(
  seen: readonly SeenAddress[],
  choice: ServerChoice,
  ports: Ports,
): SeenAddress | undefined {
  const { changesPublicUrl, publicUrl } = choice;
  const isMeant = ({ to }: SeenAddress): boolean => to === withoutEndSlash(publicUrl).toLowerCase();
  if (changesPublicUrl && (seen.length === 0 || !seen.every(isMeant))) refuseFlag(choice);
  const moved = seen.filter((one) => one.from !== one.to);
  const lost = moved.find(isLost);
  if (lost === undefined || changesPublicUrl) return lost ?? moved[0];
  const { message, hint } = sayLost(lost, choice, ports);
  throw new AppError("confirm-needed", message, { hint });
}

interface Asked extends Pick<ServerAddress, "reads" | "untold" | "gone"> {
  readonly seen: readonly SeenAddress[];
}

async function askServer(job: RowJob, server: ServerChoice, at: At): Promise<Asked> {
  const [from] = at.state === undefined ? [] : originsOf(at.state);
  // A run that moved them may have been killed before the first link came.
  const isAsked = from !== undefined || server.changesPublicUrl;
  if (!isAsked) return { seen: [], reads: 0 };
  const { seen, reads, because, gone } = await ask(job, server, at);
  return { seen, reads, gone, ...(from !== undefined && because && { untold: { from, because } }) };
}

/** Throws where codes would be taken for what they are not; see `refuseOtherAddress`. */
export async function checkAddress(
  job: RowJob,
  server: ServerChoice,
  at: At,
): Promise<ServerAddress> {
  const { ports, state } = at;
  if (server.baseUrl === undefined) {
    refuseOtherAddress(server, ports, state);
    const gone = await findGoneHere({ job, server }, state, ports);
    return gone === undefined
      ? { reads: 0 }
      : { reads: 0, gone, warnings: [judgeGone(gone, server, ports)] };
  }
  const { seen, untold, ...asked } = await askServer(job, server, at);
  const isRefused = untold?.because.why === "refused";
  const { gone } = asked;
  const warnings = [
    ...(gone === undefined ? [] : [judgeGone(gone, server, ports)]),
    ...(isRefused ? [warnUntold(whetherStill(untold.from), untold.because, ports)] : []),
  ];
  return {
    ...asked,
    untold,
    moved: judgeSeen(seen, server, ports),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What is to be known before finished files are used; undefined where codes have their address. */
function toWarning(
  { moved, untold }: Pick<ServerAddress, "moved" | "untold">,
  ports: Pick<Ports, "access" | "commandOf">,
): SaidProblem | undefined {
  if (untold !== undefined) return warnUntold(whetherStill(untold.from), untold.because, ports);
  if (moved === undefined) return undefined;
  const hint = `these files still have the old ones; to make them anew: ${ports.commandOf("run")}`;
  return { message: sayMoves(moved), hint };
}

const isInterrupted = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === "interrupted";

/** `checkAddress`, as far as a server tells within this time. */
async function checkBriefly(
  job: RowJob,
  server: ServerChoice,
  { at, withinMs }: { readonly at: At; readonly withinMs: number },
): Promise<ServerAddress> {
  const late = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([at.ports.signal, late]);
  try {
    return await checkAddress(job, server, { ...at, ports: { ...at.ports, signal } });
  } catch (error) {
    at.ports.signal.throwIfAborted();
    if (!late.aborted || !isInterrupted(error)) throw error;
    const [from] = at.state === undefined ? [] : originsOf(at.state);
    const untold =
      from === undefined ? undefined : { from, because: { why: "no-answer" } as const };
    return { reads: 0, untold };
  }
}

/** `checkAddress` of labels that are printed again: what does not forbid that is said. */
export async function checkAgain(
  job: RowJob,
  server: ServerChoice,
  { withinMs, ...at }: At & { readonly withinMs: number },
): Promise<void> {
  const { gone, ...found } = await checkBriefly(job, server, { at, withinMs });
  const missing = gone && sayGone(gone, server, at.ports);
  if (missing !== undefined) at.ports.on({ type: "warning", problem: missing });
  const problem = toWarning(found, at.ports);
  if (problem !== undefined) at.ports.on({ type: "warning", problem });
}

/** What the codes of a job began with, and what became of that. */
export interface AddressFound {
  /** What codes begin with; undefined where none has a short link. */
  readonly from: string | undefined;
  /** Printed codes may lead nowhere. */
  readonly problem?: SaidProblem | undefined;
  readonly gone?: GoneCodes | undefined;
  readonly warning?: SaidProblem | undefined;
  /** The warning is that the server has not told. */
  readonly isUntold?: boolean;
}

/** The same as data: nothing is refused. */
export async function findAddress(
  job: RowJob,
  server: ServerChoice,
  at: At,
): Promise<AddressFound> {
  const { ports, state } = at;
  const [from] = state === undefined ? [] : originsOf(state);
  if (server.baseUrl === undefined) {
    const moved = findMovedAddress(server, state);
    const gone = await findGoneHere({ job, server }, state, ports, true);
    if (gone !== undefined) return { from, gone, problem: sayGone(gone, server, ports) };
    return { from, problem: moved && sayMovedAddress(moved, ports) };
  }
  const { seen, untold, gone } = await askServer(job, { ...server, changesPublicUrl: false }, at);
  if (gone !== undefined) return { from, gone, problem: sayGone(gone, server, ports) };
  const lost = seen.find(isLost);
  if (lost !== undefined) return { from, problem: sayLost(lost, server, ports) };
  const moved = seen.find((one) => one.from !== one.to);
  const warning = toWarning({ moved, untold }, ports);
  return { from, warning, isUntold: untold !== undefined };
}

/** A problem of some of a job's codes; of all of them where no keys are named. */
export interface AddressProblem extends Problem {
  readonly keys?: readonly string[] | undefined;
}

/** The problem of a finished job; what is none is said. */
export async function findAddressProblems(
  job: RowJob,
  server: ServerChoice,
  at: At,
): Promise<AddressProblem[]> {
  const { problem, gone, warning } = await findAddress(job, server, at);
  if (warning !== undefined) at.ports.on({ type: "warning", problem: warning });
  return problem === undefined ? [] : [{ ...problem, keys: gone?.keys }];
}
