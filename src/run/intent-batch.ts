import { toMessage } from "../base/errors.ts";
import type { Intent } from "../state/row-journal.ts";

interface Waiting {
  readonly intent: Intent;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Commits intents that arrive in the same turn of the event loop together: one sync of the disk
 * serves all creates that are about to leave.
 */
export class IntentBatch {
  readonly #commit: (intents: readonly Intent[]) => void;
  #waiting: Waiting[] = [];

  constructor(commit: (intents: readonly Intent[]) => void) {
    this.#commit = commit;
  }

  /** Resolves when the intent is durable. */
  async add(intent: Intent): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ intent, resolve, reject });
    });
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      this.#commit(batch.map(({ intent }) => intent));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(toMessage(error));
      for (const { reject } of batch) reject(failure);
    }
  }
}
