/**
 * Designs that are drawn differently than in an earlier version: a stored drawing, as a file or a
 * finished sheet, is stale only when it looks different now.
 */

interface Looks {
  readonly pattern?: string | null | undefined;
  readonly eyeStyle?: string | null | undefined;
  readonly hasLogo: boolean;
}

/** With grading, rounded corners, diamonds and the room for logos changed. */
const GRADED = "graded";

/** Names what changed; empty for unchanged looks, so that their hashes stay the same. */
export function drawingRevision({ pattern, eyeStyle, hasLogo }: Looks): readonly string[] {
  const isRedrawn = pattern === "Diamonds" || (eyeStyle ?? "Square") !== "Square" || hasLogo;
  return isRedrawn ? [GRADED] : [];
}
