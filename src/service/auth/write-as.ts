/** Changes with the name of who made them: the history of codes is signed before the commit. */
import type { Context } from "../context.ts";
import { prepare } from "../store/prepared.ts";
import type { Db } from "../store/tables.ts";
import type { Caller } from "./accounts.ts";

const sign = prepare(
  (tx, { who, via, nowMs }: { who: string; via: string | null; nowMs: number }) =>
    tx.updateTable("code_history").set({ who, via, time: nowMs }).where("who", "is", null),
);

type Parts = Pick<Context, "store" | "clock">;

/** Signs what `tx` has put into the history of codes so far. */
export async function signChanges(
  tx: Db,
  { clock }: Pick<Context, "clock">,
  { tokenName: who, via }: Caller,
): Promise<void> {
  await sign(tx, { who, via: via ?? null, nowMs: clock.nowMs() });
}

/** `store.write` for changes of a caller. */
export function writeAs<T>(parts: Parts, caller: Caller, work: (tx: Db) => Promise<T>): Promise<T> {
  return parts.store.write(async (tx) => {
    const done = await work(tx);
    await signChanges(tx, parts, caller);
    return done;
  });
}
