/** Words for grades of ISO/IEC 15415, 0 to 4 (docs/grades.md). */
import { formatMany } from "./words.ts";

/** The parameters of a grade; the lowest is the grade. */
export type GradeLimit =
  | "contrast"
  | "modulation"
  | "fixedPatterns"
  | "format"
  | "unusedCorrection";

interface Grade {
  readonly grade: number;
  /** The parameter that sets it. */
  readonly limit: GradeLimit;
}

const limits: Readonly<Record<GradeLimit, string>> = {
  contrast: "symbol contrast",
  modulation: "modulation",
  fixedPatterns: "fixed patterns",
  format: "format information",
  unusedCorrection: "unused error correction",
};

/** What may give a code a better grade. */
export type GradeHelp = "eyeColor" | "level" | "logo" | "pattern" | "eyeStyle" | "gain" | "colors";

/** Advice for a better grade. */
export const gradeHelps: Readonly<Record<GradeHelp, string>> = {
  eyeColor: "give the eyes the colour of the modules",
  level: "take error_correction: H",
  logo: "leave the logo out",
  pattern: "take the pattern Original",
  eyeStyle: "take the eye_style Square",
  gain: "print with less gain or loss",
  colors: "take a darker colour or a lighter ground; to verifiers, red may be as light as paper",
};

export const toGradeLetter = (grade: number): string =>
  ["F", "D", "C", "B", "A"][Math.round(grade)] ?? "F";

/** The parameter that sets a grade; nothing for the best grade. */
export const sayLimit = ({ grade, limit }: Grade): string => (grade >= 4 ? "" : limits[limit]);

/** `2.0 (C, by modulation)`. */
export const sayGrade = (one: Grade): string =>
  one.grade >= 4
    ? "4.0 (A)"
    : `${one.grade.toFixed(1)} (${toGradeLetter(one.grade)}, by ${sayLimit(one)})`;

/** The worst grade of some codes, and how many codes have it. */
export const sayWorst = (one: Grade & { readonly count: number; readonly of: number }): string =>
  one.count === one.of
    ? `${sayGrade(one)} for ${one.of === 1 ? "the code" : `all ${formatMany(one.of, "code")}`}`
    : `${sayGrade(one)} at worst, for ${one.count.toLocaleString("en")} of ${formatMany(one.of, "code")}`;
