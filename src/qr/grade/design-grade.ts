/** The grade that all codes of a design are expected to have at least, from one of them. */
import type { Design } from "../draw/design.ts";
import { drawCode } from "../draw/drawing.ts";
import type { PredictedGrade } from "./predict-grade.ts";
import { gradeDrawing } from "./print-picture.ts";

/** Frames keep off the quiet zone: they change no grade. */
const unframed = (design: Design): Design => ({
  ...design,
  frame: null,
  hasBorder: false,
  text: "",
  textSecondary: "",
});

/** A code without a logo grades as every other of its design does. */
const SAMPLE = "https://example.com/a";

/**
 * The least grade of codes of a design. What stands under a logo counts as lost, whatever a code has there, so
 * that codes of one version have one grade; `text` gives the version of codes with a logo.
 * `gain` as `PrintConditions` has it. Throws what `drawCode` throws.
 */
export function gradeDesign(text: string, design: Design, gain: number): Promise<PredictedGrade> {
  const drawing = drawCode(design.logo === null ? SAMPLE : text, unframed(design));
  return gradeDrawing(drawing, { gain, isLeast: true });
}
