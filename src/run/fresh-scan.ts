/**
 * A list may come from a cache, or lag by more than it did when it was probed. What it does not show
 * is no proof then. The job's own codes are witnesses: those that exist must be in the list.
 */
import type { CodeItem } from "../api/code.ts";
import { wasThere } from "../client/thing-methods.ts";
import type { RunContext } from "./context.ts";
import { scanCodes } from "./scan.ts";
import { LIST_LAG } from "./settle.ts";

/** The youngest codes of the job; an older list lacks them all. */
const WITNESSES = 10;

/** Waits between readings of a list that is behind, ten minutes in all. */
const WAITS_MS = [1, 2, 4, 8, 15, 30, 60, 120, 180, 180].map((seconds) => seconds * 1000);

/** All codes not older than `sinceMs`, by a list that shows the job's youngest ones. */
export async function scanFresh(context: RunContext, sinceMs: number): Promise<CodeItem[]> {
  const { clock, events, log, signal, state } = context;
  const startMs = clock.monotonicMs();
  let items = await scanCodes(context, sinceMs);
  let hidden = await findHidden(context, items, sinceMs);
  for (const waitMs of WAITS_MS) {
    if (hidden === undefined || signal.aborted) return items;
    events.waiting(
      `the server's list is behind: it lacks code ${hidden}, which exists; looking again in ${waitMs / 1000} s`,
    );
    await clock.sleep(waitMs, signal);
    if (signal.aborted) return items;
    items = await scanCodes(context, sinceMs);
    hidden = await findHidden(context, items, sinceMs);
    const lagMs = Math.ceil(clock.monotonicMs() - startMs);
    if (lagMs > Number(state.meta(LIST_LAG) ?? 0)) state.setMeta(LIST_LAG, String(lagMs));
  }
  if (hidden !== undefined) log.warn({ id: hidden }, "code exists, but is never listed");
  return items;
}

/** Id of a young code of this job that exists and is not among the items. */
async function findHidden(
  { state, maker }: RunContext,
  items: readonly CodeItem[],
  sinceMs: number,
): Promise<string | undefined> {
  const { look } = maker;
  if (look === undefined) return undefined;
  const shown = new Set(items.map(({ id }) => id));
  for (const id of state.youngest(sinceMs, WITNESSES)) {
    // Somebody may have deleted it.
    if (!shown.has(id) && (await wasThere(() => look(id)))) return id;
  }
  return undefined;
}
