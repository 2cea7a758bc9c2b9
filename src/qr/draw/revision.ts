/**
 * Designs that are drawn otherwise than in an earlier version: what is kept of a drawing, as a file
 * or a finished sheet, is only stale where it looks different now.
 */

interface Looks {
  readonly pattern?: string | null | undefined;
  readonly eyeStyle?: string | null | undefined;
  readonly hasLogo: boolean;
}

/** Rounded corners, diamonds and the room of logos changed when drawings began to be graded. */
const GRADED = "graded";

/** Names what changed; empty for what looks as it always did, so that its hashes stay. */
export function drawingRevision({ pattern, eyeStyle, hasLogo }: Looks): readonly string[] {
  const isRedrawn = pattern === "Diamonds" || (eyeStyle ?? "Square") !== "Square" || hasLogo;
  return isRedrawn ? [GRADED] : [];
}
