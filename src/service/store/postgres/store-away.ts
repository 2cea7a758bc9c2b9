/** The database can't be reached or takes nothing right now; the statement itself may be fine. */
export class StoreAway extends Error {
  /** It answers, but its disk is full. */
  readonly isFull: boolean;

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isFull = codeOf(cause) === "53100";
    const what = isFull ? "has a full disk" : "can't be reached";
    super(`the database ${what}: ${reason}`, { cause });
    this.isFull = isFull;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error ? (error as { code?: unknown }).code : undefined;

/**
 * Codes for a server that stops, starts or has no space left, and for a lock or a statement that
 * takes too long.
 */
const PASSING = /^(?:08\w{3}|57P0[1-5]|53[1-4]00|55P03|25P03|57014|25006|40001|40P01)$/u;
const BROKEN =
  /^(?:ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/u;
const WORDS =
  /connection terminated|timeout ex(?:ceeded|pired)|not queryable|client was closed|query read timeout|server conn crashed/iu;

/** Whether the connection caused an error, not the statement. */
export function isAway(error: unknown): boolean {
  if (error instanceof StoreAway) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (typeof code === "string" && (PASSING.test(code) || BROKEN.test(code))) return true;
  return WORDS.test(error.message);
}
