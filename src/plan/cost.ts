/** Writes that a token may send, as docs/spec/api.md section 8 has them. */
export interface WriteLimit {
  readonly perWindow: number;
  readonly windowSeconds: number;
}

const API_WRITE_LIMIT: WriteLimit = { perWindow: 60, windowSeconds: 60 };

/**
 * Seconds that a write limit of fixed windows costs (docs/spec/engine.md section 2.1), averaged
 * over where in a window the job starts: calls that fit into one window go at once.
 */
export function toSecondsAtLimit(writes: number, limit: WriteLimit = API_WRITE_LIMIT): number {
  const { perWindow, windowSeconds } = limit;
  if (writes <= perWindow) return 0;
  return windowSeconds * (Math.ceil((writes - perWindow) / perWindow) - 0.5);
}
