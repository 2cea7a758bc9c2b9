/**
 * A list may come from a cache, or lag by more than when it was probed: then a code that it lacks
 * may exist. The job's own codes are witnesses: those that exist must be in the list.
 */
import type { ToldCode } from "../api/code.ts";
import type { RunContext } from "./context.ts";
import { scanCodes } from "./scan.ts";
import { LIST_LAG } from "./settle.ts";

/** The youngest codes of the job; an older list lacks them all. */
const WITNESSES = 10;

/** Waits between readings of a list that is behind, ten minutes in all. */
const WAITS_MS = [1, 2, 4, 8, 15, 30, 60, 120, 180, 180].map((seconds) => seconds * 1000);

/**
 * All codes not older than `sinceMs`, by a list that shows the job's youngest ones; undefined when
 * no list did: the run is being stopped, or the list stays behind.
 */
export async function scanFresh(
  context: RunContext,
  sinceMs: number,
  mayBe: (item: ToldCode) => boolean,
): Promise<ToldCode[] | undefined> {
  const { clock, events, signal, state } = context;
  const startMs = clock.monotonicMs();
  let items = await scanCodes(context, sinceMs, mayBe);
  let hidden = await findHidden(context, items, sinceMs);
  for (const waitMs of WAITS_MS) {
    if (hidden === undefined) return items;
    events.waiting(
      `the server's list is behind: it lacks code ${hidden}, which exists; looking again in ${waitMs / 1000} s`,
    );
    await clock.sleep(waitMs, signal);
    if (signal.aborted) return undefined;
    items = await scanCodes(context, sinceMs, mayBe);
    hidden = await findHidden(context, items, sinceMs);
    if (hidden !== undefined) continue;
    const lagMs = Math.ceil(clock.monotonicMs() - startMs);
    if (lagMs > Number(state.meta(LIST_LAG) ?? 0)) state.setMeta(LIST_LAG, String(lagMs));
  }
  return hidden === undefined || isCurrent(context, items, sinceMs) ? items : undefined;
}

/** Meta: ids of codes that exist, but are never listed, as JSON. */
const UNLISTED = "unlisted_codes";

const readUnlisted = ({ state }: RunContext): string[] =>
  JSON.parse(state.meta(UNLISTED) ?? "[]") as string[];

/** The youngest codes of the job that the list must show. */
function toWitnesses(context: RunContext, sinceMs: number): string[] {
  const unlisted = readUnlisted(context);
  const known = context.state.made.youngest(sinceMs, WITNESSES + unlisted.length);
  return known.filter((id) => !unlisted.includes(id)).slice(0, WITNESSES);
}

/** The greatest lag that a list may have, ms. */
const MAX_BEHIND_MS = 24 * 60 * 60 * 1000;

function isOld({ state, client, clock }: RunContext, id: string): boolean {
  const nowMs = client.serverNowMs() ?? clock.nowMs();
  return nowMs - (state.journal.sentAtMs(id) ?? nowMs) > MAX_BEHIND_MS;
}

/**
 * Whether a list that has lacked codes for so long is up to date all the same: it shows the
 * youngest one and most of the others. The codes that it lacks stop being witnesses, and so does a
 * single code that was missing for more than a day.
 */
function isCurrent(context: RunContext, items: readonly ToldCode[], sinceMs: number): boolean {
  const { state, log } = context;
  const shown = new Set(items.map(({ id }) => id));
  const witnesses = toWitnesses(context, sinceMs);
  const hidden = witnesses.filter((id) => !shown.has(id));
  const isMost = hidden.length * 2 < witnesses.length;
  const isYoungestShown = witnesses[0] !== undefined && shown.has(witnesses[0]);
  const isWhole = isMost && isYoungestShown;
  log.warn({ ids: hidden, isWhole }, "codes that exist are not listed");
  const [only, ...others] = hidden;
  const isStruck = only !== undefined && others.length === 0 && isOld(context, only);
  if (isWhole || isStruck)
    state.setMeta(UNLISTED, JSON.stringify([...readUnlisted(context), ...hidden]));
  return isWhole;
}

/** Id of a young code of this job that exists and is not among the items. */
async function findHidden(
  context: RunContext,
  items: readonly ToldCode[],
  sinceMs: number,
): Promise<string | undefined> {
  const { isListed } = context.maker;
  if (isListed === undefined) return undefined;
  const shown = new Set(items.map(({ id }) => id));
  for (const id of toWitnesses(context, sinceMs)) {
    // Somebody may have deleted it.
    if (!shown.has(id) && (await isListed(id))) return id;
  }
  return undefined;
}
