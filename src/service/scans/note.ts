/** A scan on its way into the store. */
import type { Sender } from "../http/senders.ts";

/** A visit of a short link or a Digital Link. */
export interface Visit {
  readonly codeId: string;
  readonly sender: Sender;
  /** Its report waits this long, for a position that the visitor may still tell. */
  readonly holdMs?: number;
}

/** A visit with its moment. */
export interface Note extends Visit {
  readonly id: string;
  readonly timeMs: number;
}
