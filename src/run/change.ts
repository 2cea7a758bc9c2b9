import { AppError, toMessage } from "../base/errors.ts";
import type { StateRow } from "../state/row.ts";
import { EMPTY_TAGS_HASH } from "../plan/hash.ts";
import type { RunContext } from "./context.ts";

/** Rows whose code is not what the spreadsheet and manifest want today. */
const CHANGED = `state = 'done' AND (made_hash <> wanted_hash OR made_design_hash <> design_hash
  OR coalesce(made_tags_hash, '${EMPTY_TAGS_HASH}') <> tags_hash)`;

/** An error that concerns one row only; the others go on. */
export const isRowError = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === "input" || error.kind === "missing");

/** Brings everything that is made to what its row wants. Repeats are harmless. */
export async function changeRows(context: RunContext): Promise<void> {
  const { state, events, signal, client, maker } = context;
  const work = async (row: StateRow): Promise<void> => {
    try {
      if (row.remoteId === null) return;
      await maker.change(row, row.remoteId);
      events.changed(row);
    } catch (error) {
      if (!isRowError(error)) throw error;
      state.journal.stepFailed(row.key, { message: toMessage(error) });
      events.failed(row, toMessage(error));
    }
  };
  await client.eachWrite(state.rows(CHANGED), work, { priority: "updates", signal });
}
