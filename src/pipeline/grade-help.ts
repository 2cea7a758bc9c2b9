/** What would give a code the grade that it is to have: each remedy is tried, none is guessed. */
import { gradeHelps, type GradeHelp } from "../base/grade-words.ts";
import type { Design } from "../qr/draw/design.ts";

/** A code as it is printed. */
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

/** Answers the grade of a code, from 0 to 4. */
type GradeOf = (code: PrintedCode) => Promise<number>;

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
    if ((await gradeOf(applyAll(code, others))) >= least) needed = others;
  }
  return needed;
}

/** What gives a code a grade of `least` or more: one remedy of several, or several together. */
export async function findHelp(
  code: PrintedCode,
  least: number,
  gradeOf: GradeOf,
): Promise<string> {
  const open = (Object.keys(remedies) as GradeHelp[]).filter((name) => remedies[name](code));
  const enough: GradeHelp[] = [];
  for (const name of open) {
    // Other colours always do where those of the eyes do.
    if (name === "colors" && enough.includes("eyeColor")) continue;
    if ((await gradeOf(applyAll(code, [name]))) >= least) enough.push(name);
  }
  if (enough.length > 0) return enough.map((name) => gradeHelps[name]).join(", or ");
  const needed = await findNeeded(code, open, least, gradeOf);
  return needed.map((name) => gradeHelps[name]).join(", and ");
}
