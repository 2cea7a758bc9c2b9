import { AppError, toMessage } from "../base/errors.ts";
import type { StateRow } from "../state/row.ts";
import { EMPTY_TAGS_HASH } from "../plan/hash.ts";
import type { RunContext } from "./context.ts";
import { toChange } from "../state/which-rows.ts";

/** An error that concerns one row, or code, only; the others go on. */
export const isRowError = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "input" || error.kind === "missing");

/** Why a row could not be changed; its code may be gone at the server, which is no mistake of the row. */
const sayRefused = (error: AppError): string =>
  error.status === 404
    ? `${toMessage(error)}; if the server no longer has what was made of this row, the row has no mistake: restore a newer backup of the server's data, or take the row out of the source`
    : toMessage(error);

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
      state.journal.stepFailed(row.key, { message: sayRefused(error) });
      events.failed(row, sayRefused(error));
    }
  };
  await client.eachWrite(state.rows(toChange(EMPTY_TAGS_HASH)), work, {
    priority: "updates",
    signal,
  });
}
