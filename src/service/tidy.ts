/** What a service does in the background after its start. */
import { toMessage } from "../base/errors.ts";
import type { Context } from "./context.ts";
import { sweepFolders } from "./resources/folders/rows/folder-leftovers.ts";

type Parts = Pick<Context, "store" | "clock" | "log">;

/** A larger difference between clocks is logged. */
const APART_MS = 5000;
const WINDOW_MS = 60_000;

/** Limits use the database's clock; everything else uses the clock of the process that does it. */
async function compareClocks({ store, clock, log }: Parts): Promise<void> {
  const asked = { key: "", windowMs: WINDOW_MS, more: 0, nowMs: undefined } as const;
  // If the database is in trouble, the next query reports it.
  const there = await store.counters?.count(asked).catch(() => undefined);
  const apartS = there === undefined ? 0 : Math.round((clock.nowMs() - there.nowMs) / 1000);
  if (Math.abs(apartS) * 1000 <= APART_MS) return;
  const apart = `${Math.abs(apartS)} s ${apartS > 0 ? "ahead of" : "behind"}`;
  log.warn(
    { apart_s: apartS },
    `the clock of this computer is ${apart} the database's: set both by a time server (NTP); times of scans and codes are wrong until then, and webhooks wait when another process takes over`,
  );
}

/** Starts what can wait until after the first answer. */
export function tidy({ store, clock, log }: Parts): void {
  void compareClocks({ store, clock, log });
  if (!store.hasTextIndex) log.warn({}, "this SQLite has no FTS5: searches read every code");
  // After an upgrade, every code waits for the index: the first search should not have to wait for
  // that.
  store.indexText().catch((error: unknown) => log.warn({ error: toMessage(error) }, "not indexed"));
  // Finishes what an earlier run left.
  sweepFolders(store).catch((error: unknown) => log.warn({ error: toMessage(error) }, "not swept"));
}
