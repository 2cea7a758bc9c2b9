import { z } from "zod";

const gradeNumber = z.number().min(0, "must be from 0 to 4").max(4, "must be from 0 to 4");

/** Limits of predicted grades. */
export const GradeFields = z.strictObject({
  warn: gradeNumber
    .default(1.5)
    .describe("Codes below it get a warning: 4 is A, 1.5 is what GS1 asks for."),
  refuse: gradeNumber
    .optional()
    .describe("Plan and run refuse a job with codes below it; default: no limit."),
  gain: z
    .number()
    .min(-0.5, "must be from -0.5 to 0.5")
    .max(0.5, "must be from -0.5 to 0.5")
    .default(0)
    .describe("Share of a module by which the press makes dark modules wider; negative: narrower."),
});
