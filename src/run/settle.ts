import type { StateRow } from "../state/row.ts";
import type { RunContext } from "./context.ts";
import type { ServerClock } from "./server-clock.ts";

/** Meta: how long the list of this server misses a new code, measured once, ms. */
export const LIST_LAG = "list_lag_ms";

/** Times before this one are no server's: 2001-09-09. */
const FIRST_TRUE_MS = 1e12;

/**
 * How long after it was sent a create in doubt may still turn up in the list: `run.settle` for the
 * commit, four times the measured lag for the list. Where the lag could not be measured, twice as
 * long.
 */
export function toSettleMs({ state, settings }: RunContext): number {
  const lag = state.meta(LIST_LAG);
  return lag === undefined ? settings.settleMs * 2 : settings.settleMs + 4 * Number(lag);
}

/** How long the youngest of these rows still has to settle, ms. Not above the settle time. */
export function toSettleLeft(
  context: RunContext,
  clock: ServerClock,
  rows: readonly StateRow[],
): number {
  const settleMs = toSettleMs(context);
  const nowMs = clock.nowMs();
  const toLeft = ({ sentAtMs }: StateRow): number =>
    sentAtMs === null || sentAtMs < FIRST_TRUE_MS ? settleMs : sentAtMs + settleMs - nowMs;
  return Math.min(settleMs, Math.max(...rows.map(toLeft)));
}
