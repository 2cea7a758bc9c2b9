import { LEAST_GRADE } from "../../base/contrast.ts";
import { sayGrade } from "../../base/grade-words.ts";
import type { Design } from "../../qr/draw/design.ts";
import type { QrEngine } from "../../qr/engine.ts";

/** Ink that is lost or spreads, as shares of a module. */
const GAIN = 0.1;

/** What verifiers are expected to say of a code, as drawn and with ink that is lost or spreads (docs/grades.md). */
export async function predictGrades(
  engine: QrEngine,
  payload: string,
  design: Design,
): Promise<{ readonly note: string; readonly warnings: string[] }> {
  const drawn = await engine.predictGrade(payload, design);
  const lost = await engine.predictGrade(payload, design, { gain: -GAIN });
  const spread = await engine.predictGrade(payload, design, { gain: GAIN });
  const note = `predicted grade ${sayGrade(drawn)} as drawn, ${sayGrade(lost)} with ink a tenth of a module narrower, ${sayGrade(spread)} with ink a tenth wider`;
  const poor = [drawn, lost, spread].find(({ grade }) => grade < LEAST_GRADE);
  if (poor === undefined) return { note, warnings: [] };
  return {
    note,
    warnings: [
      `the predicted grade falls to ${sayGrade(poor)}: verifiers ask for ${LEAST_GRADE} or more`,
    ],
  };
}
