/** What commits of both stores share. */
import { toMessage } from "../../base/errors.ts";

/** The result of one write of a commit. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Changes of codes that no caller made. */
export const UNSIGNED = "UPDATE code_history SET who = '' WHERE who IS NULL";

/** Calls a listener. Even if it fails, the commit stays and its writers get their answers. */
export function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.emitWarning(`a listener of the store failed: ${toMessage(error)}`);
  }
}
