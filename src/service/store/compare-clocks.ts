/** Clocks of the computers that serve one database. */
import type { Context } from "../context.ts";

/** Clocks that are further apart than this are told. */
const APART_MS = 5000;
const WINDOW_MS = 60_000;

/** Limits count by the database's clock; all else goes by that of the process that does it. */
export async function compareClocks({
  store,
  clock,
  log,
}: Pick<Context, "store" | "clock" | "log">): Promise<void> {
  const asked = { key: "", windowMs: WINDOW_MS, more: 0, nowMs: undefined } as const;
  const there = await store.counters?.count(asked);
  const apartS = there === undefined ? 0 : Math.round((clock.nowMs() - there.nowMs) / 1000);
  if (Math.abs(apartS) * 1000 <= APART_MS) return;
  const apart = `${Math.abs(apartS)} s ${apartS > 0 ? "ahead of" : "behind"}`;
  log.warn(
    { apart_s: apartS },
    `the clock of this computer is ${apart} the database's: set both by a time server (NTP); times of scans and codes are wrong until then, and webhooks wait when another process takes over`,
  );
}
