/** Grades that verifiers are expected to give the codes of a job, before they are printed (docs/grades.md). */
import { AppError, type Problem } from "../../base/errors.ts";
import { LEAST_GRADE } from "../../base/color/contrast.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { type GradeLimit, sayGrade } from "../../base/text/grade-words.ts";
import { formatMany } from "../../base/text/words.ts";
import { hasLogo, toLevel } from "../../api/design.ts";
import type { JobGrade, JobOutput } from "../../job/job.ts";
import type { Design as Fields } from "../../plan/looks.ts";
import type { PressDesign } from "../../print/art/logo-shapes.ts";
import { openPrinted, type SeePrinted } from "../../print/art/printed-design.ts";
import { makeSheetJob } from "../../print/sheet-job.ts";
import type { SheetOptions } from "../../print/sheets.ts";
import type { ShownRow } from "../../state/row.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { encodeForLogo } from "../../qr/draw/logo.ts";
import type { Design } from "../../qr/draw/design.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";
import { gradeDesign } from "../../qr/grade/design-grade.ts";
import type { PredictedGrade } from "../../qr/grade/predict-grade.ts";
import { toPayload } from "../stages/payload.ts";
import { findHelp, type PrintedCode } from "./grade-help.ts";
import type { DesignCount } from "./label-census.ts";
import type { PlanNote } from "./plan-notes.ts";
import { NO_LOGO, PrintDesigns, SQUARE_LOGO } from "../stages/print-designs.ts";

export interface GradeCount {
  /** 0 to 4. */
  readonly grade: number;
  /** The parameter that decides it. */
  readonly limit: GradeLimit;
  readonly count: number;
  /** Keys of the first few. */
  readonly rows: readonly string[];
  /** What helps the first of them; nothing for the best grade. */
  readonly help: string;
}

type Graded = Pick<GradeCount, "grade" | "limit">;

const toClass = ({ grade, limit }: Graded): string => `${grade} ${grade === 4 ? "" : limit}`;

const known = new Map<string, Promise<PredictedGrade>>();
const MOST_KNOWN = 1000;

const toKey = ({ logo, text: _text, textSecondary: _second, ...design }: Design): string =>
  JSON.stringify([design, logo === null ? null : sha256(logo)]);

/** Codes that look alike are graded once. `looks` stand for the design. */
function gradeOnce(
  { payload, design, gain }: PrintedCode,
  looks = toKey(design),
): Promise<PredictedGrade> {
  const version = design.logo === null ? 0 : encodeForLogo(payload, design).matrix.version;
  const key = `${version} ${gain} ${looks}`;
  const grading = known.get(key) ?? gradeDesign(payload, design, gain);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, grading);
  return grading;
}

const gradeAgain = async (code: PrintedCode): Promise<number> => (await gradeOnce(code)).grade;

/** Codes as their artwork has them. */
const asDrawn: SeePrinted = (design, errorCorrection) => {
  if (design === undefined) throw new Error("a design must be known where nothing is printed");
  return { ...design, errorCorrection };
};

/** A design as it is printed, and what stands for its looks. */
interface Seen {
  readonly printed: Design;
  readonly looks: string;
}

/** Predicts grades of codes; those that look alike are looked at once. */
export class Grades {
  readonly #see: SeePrinted;
  readonly #gain: number;
  readonly #seen = new WeakMap<Design, Seen>();
  readonly #plain = new Map<QrLevel, Seen>();
  readonly #first = new Map<string, PrintedCode>();

  private constructor(see: SeePrinted, gain: number) {
    this.#see = see;
    this.#gain = gain;
  }

  /** `options`: of the sheets; without any, codes are graded as their artwork has them. */
  static async open(options: SheetOptions | undefined, gain: number): Promise<Grades> {
    return new Grades(options === undefined ? asDrawn : await openPrinted(options), gain);
  }

  /** Throws what the QR engine throws. */
  async of(
    payload: string,
    design: PressDesign | undefined,
    level: QrLevel,
  ): Promise<PredictedGrade> {
    const { printed, looks } = this.#seenAs(design, level);
    const graded = await gradeOnce({ payload, design: printed, gain: this.#gain }, looks);
    const [name, gain] = [toClass(graded), this.#gain];
    if (!this.#first.has(name)) this.#first.set(name, { payload, design: printed, gain });
    return graded;
  }

  /** Grades that were given here, with what helps. `warn`: the grade that codes are to have. */
  async explain(counts: readonly GradeCount[], warn: number): Promise<GradeCount[]> {
    const explained: GradeCount[] = [];
    for (const one of counts) {
      const first = one.grade === 4 ? undefined : this.#first.get(toClass(one));
      const least = one.grade < warn ? warn : 4;
      if (first === undefined) explained.push(one);
      else explained.push({ ...one, help: await findHelp(first, least, gradeAgain) });
    }
    return explained;
  }

  /** Designs are looked at once, however many rows have them. */
  #seenAs(design: PressDesign | undefined, level: QrLevel): Seen {
    const before = design === undefined ? this.#plain.get(level) : this.#seen.get(design);
    if (before !== undefined) return before;
    const printed = this.#see(design, level);
    const made = { printed, looks: toKey(printed) };
    if (design === undefined) this.#plain.set(level, made);
    else this.#seen.set(design, made);
    return made;
  }
}

const ROWS_KEPT = 5;

export class GradeTally {
  readonly #found = new Map<string, GradeCount>();

  add(
    { grade, limit, help = "" }: Graded & Partial<Pick<GradeCount, "help">>,
    count: number,
    rows: readonly string[],
  ): void {
    const key = toClass({ grade, limit });
    const before = this.#found.get(key) ?? { grade, limit, help, count: 0, rows: [] };
    const shown = [...before.rows, ...rows].slice(0, ROWS_KEPT);
    this.#found.set(key, { ...before, count: before.count + count, rows: shown });
  }

  /** The worst first. */
  list(): GradeCount[] {
    return [...this.#found.values()].toSorted((a, b) => a.grade - b.grade);
  }
}

/** Adds up the grades of several files. */
export function joinGrades(lists: readonly (readonly GradeCount[])[]): GradeCount[] {
  const tally = new GradeTally();
  for (const one of lists.flat()) tally.add(one, one.count, one.rows);
  return tally.list();
}

export interface RowGrades {
  add(row: ShownRow, design: PressDesign | undefined, level: QrLevel): Promise<PredictedGrade>;
  list(): Promise<GradeCount[]>;
}

/** `options`: of the sheets; undefined: codes are graded as their artwork has them. Answers undefined without codes. */
export async function openRowGrades(
  options: SheetOptions | undefined,
  output: Pick<JobOutput, "grade">,
): Promise<RowGrades | undefined> {
  if (options !== undefined && hasNoCodes(options)) return undefined;
  const wish = gradeWish(output);
  const grades = await Grades.open(options, wish.gain);
  const tally = new GradeTally();
  return {
    async add(row, design, level) {
      const grade = await grades.of(toPayload(row), design, level);
      tally.add(grade, 1, [row.key]);
      return grade;
    },
    list: () => grades.explain(tally.list(), toLeast(wish)),
  };
}

/** Labels with symbols alone have no code. */
export const hasNoCodes = (options: SheetOptions): boolean =>
  makeSheetJob(options).faces.every(({ rooms }) => rooms.length === 0);

const NOT_SET: JobGrade = { warn: LEAST_GRADE, refuse: undefined, gain: 0 };

/** The grade that codes must have for neither a warning nor a refusal. */
const toLeast = ({ warn, refuse = 0 }: JobGrade): number => Math.max(warn, refuse);

export const gradeWish = ({ grade }: Pick<JobOutput, "grade">): JobGrade => grade ?? NOT_SET;

/** Codes of sheets below the grade that the manifest asks for. */
export function warnOfGrades(
  counts: readonly GradeCount[],
  output: Pick<JobOutput, "grade">,
): PressWarning[] {
  const { warn } = gradeWish(output);
  const under = counts.filter(({ grade }) => grade < warn);
  const [worst] = under;
  if (worst === undefined) return [];
  const rows = under.flatMap((one) => one.rows).slice(0, ROWS_KEPT);
  const what = [warn.toFixed(1), sayGrade(worst), worst.help];
  return [{ code: "grades-low", count: sumOf(under), rows, what }];
}

/** What is known of the codes of a plan. */
interface Planned {
  /** Of the sheets; undefined without any. */
  readonly options: SheetOptions | undefined;
  /** The sheets print whole black modules, or one style for all codes. */
  readonly isPlain: boolean;
  /** With what their templates bring. */
  readonly designs: readonly (Omit<DesignCount, "design"> & { readonly design: Fields })[];
  /** What the longest of the codes says. */
  readonly payload: string;
}

export async function tallyPlan(
  { options, isPlain, designs, payload }: Planned,
  wish: JobGrade,
): Promise<GradeCount[]> {
  const grades = await Grades.open(options, wish.gain);
  const made = new PrintDesigns();
  const tally = new GradeTally();
  for (const { design: fields, count, rows } of designs) {
    const level = toLevel({ design: fields });
    const bare = { ...fields, text: undefined, text_secondary: undefined } as Fields;
    const logo = hasLogo(fields) ? { picture: SQUARE_LOGO } : NO_LOGO;
    const design = isPlain ? undefined : made.of(bare, level, logo);
    if (design === undefined && !isPlain) continue;
    tally.add(await grades.of(payload, design, level), count, rows);
  }
  return grades.explain(tally.list(), toLeast(wish));
}

const sumOf = (counts: readonly Pick<GradeCount, "count">[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** A sentence about codes below a grade, and what helps; undefined where there are none. */
export function findUnder(
  counts: readonly GradeCount[],
  { warn }: Pick<JobGrade, "warn">,
): Problem | undefined {
  const under = counts.filter(({ grade }) => grade < warn);
  const [worst] = under;
  if (worst === undefined) return undefined;
  const codes = formatMany(sumOf(under), "code");
  return {
    message: `predicted grade under ${warn.toFixed(1)}: ${codes}, the worst ${sayGrade(worst)}`,
    hint: worst.help,
  };
}

/** Throws `design-invalid` for a grade that the manifest refuses. */
export function refuseGrades(
  counts: readonly GradeCount[],
  { refuse }: JobGrade,
  file: string,
): void {
  const found = refuse === undefined ? undefined : findUnder(counts, { warn: refuse });
  if (refuse === undefined || found === undefined) return;
  const where = { file, field: "output.grade.refuse" };
  throw new AppError(
    "design-invalid",
    `codes must have a predicted grade of ${refuse.toFixed(1)} or more`,
    {
      where,
      problems: [{ ...found, where }],
    },
  );
}

/** `unknown`: codes whose designs no server shows. */
export function noteGrades(
  counts: readonly GradeCount[],
  unknown: readonly { readonly count: number }[],
): PlanNote[] {
  const [worst] = counts;
  const later = sumOf(unknown);
  const notes: PlanNote[] = later === 0 ? [] : [{ code: "grades-later", count: later }];
  if (worst === undefined) return notes;
  const { grade, limit, count } = worst;
  return [{ code: "grades", grade, limit, count, of: sumOf(counts) }, ...notes];
}
