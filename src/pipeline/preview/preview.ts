import type { Design } from "../../qr/draw/design.ts";
import type { LeastSize } from "../../qr/draw/least-size.ts";

export interface Preview {
  readonly title: string;
  /** What the code says; undefined where it is many. */
  readonly payload: string | undefined;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** How small it may be printed. */
  readonly notes: readonly string[];
  /** Why it may not scan, or not look like this in the end. */
  readonly warnings: readonly string[];
}

const mm = (length: number): string => `${length.toFixed(1)} mm`;

/** The least width of a framed drawing in words; nothing without a frame. */
export function sayLeastSize(
  { frame }: Pick<Design, "frame">,
  { codeMm, textMm }: LeastSize,
): string[] {
  if (frame === null) return [];
  const code = `print it ${mm(codeMm)} wide or wider: the frame ${frame} takes room from the code`;
  return textMm === undefined || textMm <= codeMm
    ? [code]
    : [`${code}; its text needs ${mm(textMm)}`];
}
