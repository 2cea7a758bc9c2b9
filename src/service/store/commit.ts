/** What a commit is in both stores. */
import { toMessage } from "../../base/errors.ts";

/** What one of the writes of a commit came to. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Changes of codes that nobody asked for. */
export const UNSIGNED = "UPDATE code_history SET who = '' WHERE who IS NULL";

/** What is committed stays so, and its writers learn of it, whatever befalls a listener. */
export function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.emitWarning(`a listener of the store failed: ${toMessage(error)}`);
  }
}
