import type { StateRow } from "../state/row.ts";
import type { RunContext } from "./context.ts";
import type { Sender } from "./send.ts";

/** Meta: how long the list of this server misses a new code, measured once, ms. */
export const LIST_LAG = "list_lag_ms";

/** Earlier times can't be a server's: 2001-09-09. */
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

/**
 * How long the youngest of these rows still has to settle, ms. At most the settle time. A send of
 * this process counts from the moment when its bytes left, by a clock that never jumps: the intent
 * may be older, and the server's clock has whole seconds, perhaps of several machines.
 */
export function toSettleLeft(
  context: RunContext,
  sender: Pick<Sender, "serverClock" | "doubtSentMs">,
  rows: readonly StateRow[],
): number {
  const settleMs = toSettleMs(context);
  const nowMs = sender.serverClock.nowMs();
  const monotonicMs = context.clock.monotonicMs();
  let leftMs = -Infinity;
  for (const { key, sentAtMs } of rows) {
    const isTold = sentAtMs !== null && sentAtMs >= FIRST_TRUE_MS;
    const sinceIntentMs = isTold ? nowMs - sentAtMs : 0;
    const sentMs = sender.doubtSentMs(key);
    const sinceSentMs = sentMs === undefined ? Infinity : monotonicMs - sentMs;
    leftMs = Math.max(leftMs, settleMs - Math.min(sinceIntentMs, sinceSentMs));
  }
  return Math.min(settleMs, leftMs);
}
