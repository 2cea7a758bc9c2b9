/** What would give a code the grade that it is to have: each remedy is tried, none is guessed. */
import { AppError } from "../../base/errors.ts";
import { gradeHelps, type GradeHelp } from "../../base/text/grade-words.ts";
import type { Design } from "../../qr/draw/design.ts";

export interface PrintedCode {
  readonly payload: string;
  readonly design: Design;
  /** As in `PrintConditions`. */
  readonly gain: number;
}

type Remedy = (code: PrintedCode) => PrintedCode | undefined;

const redesign = (code: PrintedCode, fields: Partial<Design>): PrintedCode => ({
  ...code,
  design: { ...code.design, ...fields },
});

/** Each answers undefined where it changes nothing; what changes least stands first. */
const remedies: Readonly<Record<GradeHelp, Remedy>> = {
  eyeColor: (code) =>
    code.design.eyeColor === code.design.primaryColor
      ? undefined
      : redesign(code, { eyeColor: code.design.primaryColor }),
  level: (code) =>
    code.design.logo === null || code.design.errorCorrection === "H"
      ? undefined
      : redesign(code, { errorCorrection: "H" }),
  logo: (code) => (code.design.logo === null ? undefined : redesign(code, { logo: null })),
  pattern: (code) =>
    code.design.pattern === "Original" ? undefined : redesign(code, { pattern: "Original" }),
  eyeStyle: (code) =>
    code.design.eyeStyle === "Square" ? undefined : redesign(code, { eyeStyle: "Square" }),
  gain: (code) => (code.gain === 0 ? undefined : { ...code, gain: 0 }),
  colors: (code) =>
    redesign(code, { primaryColor: "#000000", eyeColor: "#000000", backgroundColor: null }),
};

/** Answers the grade of a code, from 0 to 4. Throws an `AppError` where the code can't be made. */
type GradeOf = (code: PrintedCode) => Promise<number>;

/** The grade of codes that can't be made: more error correction may leave no room for text or logo. */
const NO_CODE = -1;

async function gradeIfMade(code: PrintedCode, gradeOf: GradeOf): Promise<number> {
  try {
    return await gradeOf(code);
  } catch (error) {
    if (error instanceof AppError) return NO_CODE;
    throw error;
  }
}

const applyAll = (code: PrintedCode, names: readonly GradeHelp[]): PrintedCode =>
  names.reduce((before, name) => remedies[name](before) ?? before, code);

/** The remedies that are needed together; those that change most are left out first. */
async function findNeeded(
  code: PrintedCode,
  open: readonly GradeHelp[],
  least: number,
  gradeOf: GradeOf,
): Promise<readonly GradeHelp[]> {
  let needed = open;
  for (const name of open.toReversed()) {
    const others = needed.filter((one) => one !== name);
    if ((await gradeIfMade(applyAll(code, others), gradeOf)) >= least) needed = others;
  }
  return needed;
}

/** What gives a code a grade of `least` or more: one remedy of several, or several together. */
export async function findHelp(
  code: PrintedCode,
  least: number,
  gradeOf: GradeOf,
): Promise<string> {
  const open: GradeHelp[] = [];
  const enough: GradeHelp[] = [];
  for (const name of Object.keys(remedies) as GradeHelp[]) {
    const helped = remedies[name](code);
    // Other colours always do where those of the eyes do.
    if (helped === undefined || (name === "colors" && enough.includes("eyeColor"))) continue;
    const grade = await gradeIfMade(helped, gradeOf);
    if (grade !== NO_CODE) open.push(name);
    if (grade >= least) enough.push(name);
  }
  if (enough.length > 0) return enough.map((name) => gradeHelps[name]).join(", or ");
  const needed = await findNeeded(code, open, least, gradeOf);
  return needed.map((name) => gradeHelps[name]).join(", and ");
}
