/** The grade that all codes of a design are expected to have at least, from one of them. */
import type { Design } from "../draw/design.ts";
import { drawCode } from "../draw/drawing.ts";
import { contrastGrade } from "../../base/contrast.ts";
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

/** Whole modules that lose or gain no more fill the aperture all the same. */
const MOST_PLAIN_GAIN = 0.2;

/** Of whole modules in one colour contrast alone decides: nothing is drawn. */
function gradePlain(design: Design, gain: number): PredictedGrade | undefined {
  const { pattern, eyeStyle, primaryColor, eyeColor, logo } = design;
  const isWhole = pattern === "Original" && eyeStyle === "Square" && logo === null;
  if (!isWhole || primaryColor !== eyeColor || Math.abs(gain) > MOST_PLAIN_GAIN) return undefined;
  const lights = ["white", "red"] as const;
  const grade = Math.min(...lights.map((light) => contrastGrade(design, light).grade));
  const others = grade === 0 ? 0 : 4;
  return {
    grade,
    limit: "contrast",
    parameters: {
      contrast: grade,
      modulation: others,
      fixedPatterns: others,
      format: others,
      unusedCorrection: others,
    },
  };
}

/**
 * The least grade of codes of a design. What stands under a logo counts as lost, whatever a code has there, so
 * that codes of one version have one grade; `text` gives the version of codes with a logo.
 * `gain` as `PrintConditions` has it. Throws what `drawCode` throws.
 */
export async function gradeDesign(
  text: string,
  design: Design,
  gain: number,
): Promise<PredictedGrade> {
  const plain = gradePlain(design, gain);
  if (plain !== undefined) return plain;
  const drawing = drawCode(design.logo === null ? SAMPLE : text, unframed(design));
  return gradeDrawing(drawing, { gain, isLeast: true });
}
