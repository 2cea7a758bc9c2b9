/** The grade that every code of a design should at least get, predicted from one code. */
import type { Design } from "../draw/design.ts";
import { drawCode } from "../draw/drawing.ts";
import { contrastGrade } from "../../base/color/contrast.ts";
import type { PredictedGrade } from "./predict-grade.ts";
import { gradeDrawing } from "./print-picture.ts";

/** Without frame and label: they stay off the quiet zone and don't change the grade. */
const unframed = (design: Design): Design => ({
  ...design,
  frame: null,
  hasBorder: false,
  text: "",
  textSecondary: "",
});

/** For designs without a logo: all their codes get the same grade. */
const SAMPLE = "https://example.com/a";

/** Whole modules with no more gain or loss than this still fill the aperture. */
const MOST_PLAIN_GAIN = 0.2;

/** With whole modules of one colour, only contrast decides: nothing needs to be drawn. */
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
 * The least grade of codes of a design. Modules under a logo count as lost in any case, so that all
 * codes of one version get the same grade; for a design with a logo, `text` decides the version.
 * `gain` as in `PrintConditions`. Throws what `drawCode` throws.
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
