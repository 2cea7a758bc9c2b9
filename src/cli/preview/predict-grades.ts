import type { Design } from "../../qr/draw/design.ts";
import type { QrEngine } from "../../qr/engine.ts";
import type { PredictedGrade } from "../../qr/grade/predict-grade.ts";

/** What GS1 asks of printed codes. */
const LEAST_GRADE = 1.5;
/** Ink that is lost or spreads, as shares of a module. */
const GAIN = 0.1;

const limits: Readonly<Record<PredictedGrade["limit"], string>> = {
  contrast: "symbol contrast",
  modulation: "modulation",
  fixedPatterns: "fixed patterns",
  format: "format information",
  unusedCorrection: "unused error correction",
};

/** `3 (B, by modulation)`. */
function say({ grade, limit }: PredictedGrade): string {
  const letter = ["F", "D", "C", "B", "A"][Math.round(grade)] ?? "F";
  return grade === 4 ? "4 (A)" : `${grade} (${letter}, by ${limits[limit]})`;
}

/** What verifiers are expected to say of a code, as drawn and with ink that is lost or spreads (docs/grades.md). */
export async function predictGrades(
  engine: QrEngine,
  payload: string,
  design: Design,
): Promise<{ readonly note: string; readonly warnings: string[] }> {
  const drawn = await engine.predictGrade(payload, design);
  const lost = await engine.predictGrade(payload, design, { gain: -GAIN });
  const spread = await engine.predictGrade(payload, design, { gain: GAIN });
  const note = `predicted grade ${say(drawn)} as drawn, ${say(lost)} with ink a tenth of a module narrower, ${say(spread)} with ink a tenth wider`;
  const poor = [drawn, lost, spread].find(({ grade }) => grade < LEAST_GRADE);
  if (poor === undefined) return { note, warnings: [] };
  return {
    note,
    warnings: [
      `the predicted grade falls to ${say(poor)}: verifiers ask for ${LEAST_GRADE} or more`,
    ],
  };
}
