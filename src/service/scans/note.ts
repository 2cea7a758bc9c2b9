/** A scan that isn't stored yet. */
import type { Sender } from "../http/senders.ts";

/** A visit of a short link or a Digital Link. */
export interface Visit {
  readonly codeId: string;
  readonly sender: Sender;
  /** How long its report waits for a position from the visitor. */
  readonly holdMs?: number;
}

/** A visit with its time. */
export interface Note extends Visit {
  readonly id: string;
  readonly timeMs: number;
}
