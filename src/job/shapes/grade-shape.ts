import { z } from "zod";

const gradeNumber = z.number().min(0, "must be from 0 to 4").max(4, "must be from 0 to 4");

/** What is asked of predicted grades. */
export const GradeFields = z.strictObject({
  warn: gradeNumber
    .default(1.5)
    .describe("Codes under it are warned of: 4 is A, 1.5 what GS1 asks for."),
  refuse: gradeNumber
    .optional()
    .describe("A job with codes under it is refused by plan and run; default: none is."),
  gain: z
    .number()
    .min(-0.5, "must be from -0.5 to 0.5")
    .max(0.5, "must be from -0.5 to 0.5")
    .default(0)
    .describe("Share of a module by which the press makes dark modules wider; negative: narrower."),
});
