/**
 * A remote server may give its codes another public address than a job has drawn them with. One code
 * for each address of the job, of a few at most, is asked for before anything is planned.
 */
import { toCarried } from "../../api/carried.ts";
import { AppError } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { isUrl, withoutEndSlash } from "../../base/url.ts";
import { readShown } from "../../download/download.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import { atOrigins } from "../../state/which-rows.ts";
import { withClient, type OpenClient } from "../job-client.ts";
import { originsOf } from "../link-origins.ts";
import type { Ports } from "../ports.ts";
import { refuseFlag, refuseOtherAddress, toServe } from "../public-address.ts";
import { isLoopbackUrl, readRemote, type ServerChoice } from "../server.ts";

/** A short limit: a plan is useful without this answer. */
const PATIENCE_MS = 5000;
/** A job has one or two; a server may have given each code its own. */
const MOST_ASKED = 8;

/** What a code's short link began with, and what the server gives it now. */
interface Seen {
  readonly from: string;
  readonly to: string;
}

export interface ServerAddress {
  /** Reads that were sent. */
  readonly reads: number;
  /** Every code gets another address than it was drawn with. */
  readonly moved?: Seen | undefined;
  /** The address that could not be asked for. */
  readonly unasked?: string | undefined;
}

interface At {
  readonly ports: Ports;
  readonly state: State | undefined;
}

/** Where the path of a web address begins, at the earliest. */
const HOST = "https://".length;

/** Both links without the end that they share: a slug, or the path of a Digital Link. */
function toSeen(had: string, has: string): Seen {
  const [before, now] = [had.toLowerCase(), has.toLowerCase()];
  for (let at = before.indexOf("/", HOST); at > 0; at = before.indexOf("/", at + 1)) {
    const end = before.slice(at);
    if (now.endsWith(end)) return { from: before.slice(0, at), to: now.slice(0, -end.length) };
  }
  return { from: new URL(had).origin, to: new URL(has).origin };
}

async function look({ client }: OpenClient, state: State): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const origin of originsOf(state).slice(0, MOST_ASKED)) {
    const [row] = state.page(atOrigins([origin]), { afterSeq: -1, limit: 1 });
    if (row?.remoteId == null || row.shortLink === null) continue;
    const shown = await readShown({ client }, row, row.remoteId);
    const link = shown && toCarried(shown);
    // A server may answer anything.
    if (link != null && isUrl(link) && isUrl(row.shortLink)) seen.push(toSeen(row.shortLink, link));
  }
  return seen;
}

async function ask(job: RowJob, choice: ServerChoice, { ports, state }: Required<At>) {
  const { missing } = await readRemote(job, ports);
  if (state === undefined || missing.length > 0) return undefined;
  const needs = { ports, choice, log: makeLog(), patienceMs: PATIENCE_MS };
  try {
    return await withClient(job, needs, (open) => look(open, state));
  } catch (error) {
    ports.signal.throwIfAborted();
    // The run finds out by itself, and says it in its own words.
    if (error instanceof AppError && !choice.changesPublicUrl) return undefined;
    throw error;
  }
}

function refuseMoved({ from, to }: Seen, baseUrl: string, { commandOf }: Ports): never {
  const more = ["--change-public-url", to];
  const back = `to keep ${from}, ${toServe(isLoopbackUrl(to) ? "--public-url" : "--change-public-url", from)}`;
  const onwards = commandOf("run", { more, without: ["publicUrl", "plan"] });
  throw new AppError(
    "confirm-needed",
    `the codes of this job have ${from}, but the server at ${baseUrl} gives them ${to} now: those printed with ${from} may lead nowhere`,
    {
      hint: isLoopbackUrl(to)
        ? back
        : `to make this job's files anew with ${to}: ${onwards}; ${back}`,
    },
  );
}

/** Refuses what the job is not to do by itself; answers the move that it makes. */
function judgeSeen(
  seen: readonly Seen[],
  choice: ServerChoice & { readonly baseUrl: string },
  ports: Ports,
): Seen | undefined {
  const { baseUrl, changesPublicUrl, publicUrl } = choice;
  const isMeant = ({ to }: Seen): boolean => to === withoutEndSlash(publicUrl).toLowerCase();
  if (changesPublicUrl && (seen.length === 0 || !seen.every(isMeant))) refuseFlag(choice);
  const moved = seen.filter((one) => one.from !== one.to);
  const lost = moved.find((one) => !isLoopbackUrl(one.from));
  if (lost !== undefined && !changesPublicUrl) refuseMoved(lost, baseUrl, ports);
  return lost ?? moved[0];
}

/** Throws where codes would be taken for what they are not; see `refuseOtherAddress`. */
export async function checkAddress(
  job: RowJob,
  server: ServerChoice,
  at: At,
): Promise<ServerAddress> {
  const { baseUrl } = server;
  const { ports, state } = at;
  if (baseUrl === undefined) {
    refuseOtherAddress(server, ports, state);
    return { reads: 0 };
  }
  const [from] = state === undefined ? [] : originsOf(state);
  const asked = from === undefined ? undefined : await ask(job, server, { ports, state });
  const { result: seen = [], calls } = asked ?? {};
  const moved = judgeSeen(seen, { ...server, baseUrl }, ports);
  return {
    reads: seen.length === 0 ? 0 : (calls?.reads ?? 0),
    moved,
    ...(asked === undefined && { unasked: from }),
  };
}
