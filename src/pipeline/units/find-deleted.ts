/** Codes without a row that the service has no longer: somebody has deleted them there. */
import { AppError, type Problem } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { formatMany } from "../../base/text/words.ts";
import type { Client } from "../../client/client.ts";
import { wasThere } from "../../client/thing-methods.ts";
import { readShown } from "../../download/download.ts";
import type { StateRow } from "../../state/row.ts";
import type { ForeignOrder } from "../address/foreign-server.ts";
import { withClient, type OpenClient } from "../address/job-client.ts";
import type { Ports } from "../ports.ts";
import { readRemote } from "../address/server.ts";
import { toUntold, warnUntold, type Untold } from "../address/untold.ts";
import type { UnitOrder } from "./unit-job.ts";

/** A remote server tells only code by code. */
const MOST_ASKED = 100;
/** Proof and reprint need no server: they wait for none that is slow or counts requests. */
export const BRIEFLY_MS = 15_000;
/** A short limit: the sums are useful without this answer. */
const PATIENCE_MS = 5000;

interface Asked {
  readonly key: string;
  readonly row: StateRow;
  readonly id: string;
}

/** A product without a code of its own is no code. */
function toAsked(row: StateRow): Asked[] {
  const { key, remoteId, parts, made, wanted } = row;
  const hasCode = (made ?? wanted).product?.hasCode !== false;
  return remoteId === null || !hasCode ? [] : [{ key, row, id: parts.codeId ?? remoteId }];
}

const toKeys = (asked: readonly Asked[]): Set<string> => new Set(asked.map(({ key }) => key));

async function askAll(client: Client, asked: readonly Asked[]): Promise<Set<string>> {
  const gone: Asked[] = [];
  for (const one of asked)
    if (!(await wasThere(() => readShown({ client }, one.row, one.id)))) gone.push(one);
  return toKeys(gone);
}

/**
 * What a remote server answers, or why it doesn't.
 * @param withinMs for steps that can do without: what comes later is no answer. Default: no limit
 */
export async function askRemote<T>(
  { job, server: choice }: ForeignOrder,
  ask: (open: OpenClient) => Promise<T>,
  ports: Ports,
  withinMs?: number,
): Promise<{ readonly result: T } | { readonly because: Untold }> {
  const { missing } = await readRemote(job, ports);
  const [unset] = missing;
  if (unset !== undefined) return { because: { why: "not-set", missing: unset } };
  const late = withinMs === undefined ? undefined : AbortSignal.timeout(withinMs);
  const signal = late === undefined ? ports.signal : AbortSignal.any([ports.signal, late]);
  const needs = { ports: { ...ports, signal }, choice, log: makeLog(), patienceMs: PATIENCE_MS };
  try {
    const { result } = await withClient(job, needs, ask);
    return { result };
  } catch (error) {
    ports.signal.throwIfAborted();
    if (late?.aborted === true) return { because: { why: "no-answer" } };
    if (error instanceof AppError) return { because: toUntold(error) };
    throw error;
  }
}

const whetherThere = (count: number): string =>
  `whether it still has ${formatMany(count, "code")} without a row`;

function warn({ message, hint }: Problem, ports: Ports): void {
  const more = `reconcile takes them for living ones; ${hint}`;
  ports.on({ type: "warning", problem: { message, hint: more } });
}

async function findOnRemote(
  order: UnitOrder,
  asked: readonly Asked[],
  ports: Ports,
): Promise<ReadonlySet<string>> {
  const some = asked.slice(0, MOST_ASKED);
  const found = await askRemote(order, ({ client }) => askAll(client, some), ports);
  const more = asked.length - MOST_ASKED;
  if ("because" in found) {
    warn(warnUntold(whetherThere(asked.length), found.because, ports), ports);
    return new Set();
  }
  if (more > 0) {
    const message = `the server was not asked ${whetherThere(more)}: it tells only code by code, ${MOST_ASKED} at most`;
    warn({ message, hint: "look for them there" }, ports);
  }
  return found.result;
}

/** Keys of those of `rows` whose codes are gone; says what was not looked up. */
export async function findDeleted(
  order: UnitOrder,
  rows: readonly StateRow[],
  ports: Ports,
): Promise<ReadonlySet<string>> {
  const asked = rows.flatMap(toAsked);
  const { baseUrl, dataDir } = order.server;
  if (asked.length === 0) return new Set();
  if (baseUrl !== undefined) return findOnRemote(order, asked, ports);
  const told = await ports.server.countVoidScans(
    dataDir,
    asked.map(({ id }) => id),
  );
  return toKeys(asked.filter(({ id }) => told.get(id) === null));
}
