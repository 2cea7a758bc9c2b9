import { AppError, toMessage } from "../base/errors.ts";
import type { StateRow } from "../state/row.ts";
import { EMPTY_TAGS_HASH } from "../plan/hash.ts";
import type { RunContext } from "./context.ts";
import { toChange } from "../state/which-rows.ts";

/** An error that concerns one row, or code, only; the others go on. */
export const isRowError = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "input" || error.kind === "missing");

/** Brings everything that is made to what its row wants. Repeats are harmless. */
export async function changeRows(context: RunContext): Promise<void> {
  const { state, events, signal, client, maker } = context;
  const work = async (row: StateRow): Promise<void> => {
    try {
      if (row.remoteId === null) return;
      const isSent = await maker.change(row, row.remoteId);
      events.changed(row, isSent !== false);
    } catch (error) {
      if (!isRowError(error)) throw error;
      state.journal.stepFailed(row.key, { message: toMessage(error) });
      events.failed(row, toMessage(error));
    }
  };
  await client.eachWrite(state.rows(toChange(EMPTY_TAGS_HASH)), work, {
    priority: "updates",
    signal,
  });
}
