/** Predicted grades in German: src/base/text/grade-words.ts. */
import {
  gradeHelps,
  sayGrade,
  toGradeLetter,
  type GradeHelp,
  type GradeLimit,
} from "../../base/text/grade-words.ts";

/** What sets a grade. */
const limitsInGerman: Readonly<Record<GradeLimit, string>> = {
  contrast: "Symbolkontrast",
  modulation: "Modulation",
  fixedPatterns: "feste Muster",
  format: "Formatinformation",
  unusedCorrection: "ungenutzte Fehlerkorrektur",
};

const helpsInGerman: Readonly<Record<GradeHelp, string>> = {
  eyeColor: "den Augen die Farbe der Module geben",
  level: "error_correction: H nehmen",
  logo: "das Logo weglassen",
  pattern: "das Muster Original nehmen",
  eyeStyle: "die Augen (eye_style) Square nehmen",
  gain: "mit weniger Zuwachs oder Verlust drucken",
  colors:
    "eine dunklere Farbe nehmen oder einen helleren Grund; für Prüfgeräte kann Rot so hell sein wie Papier",
};

const helps = Object.entries(gradeHelps).map(
  ([name, english]) => [english, helpsInGerman[name as GradeHelp]] as const,
);

const joints: readonly (readonly [english: string, german: string])[] = [
  [", or ", " oder "],
  [", and ", " und "],
];

/** Advice for a better grade, one or several; undefined for any other text. */
export function helpInGerman(text: string): string | undefined {
  const [joint, germanJoint] = joints.find(([one]) => text.includes(one)) ?? ["\n", ""];
  const said = text.split(joint).map((part) => helps.find(([english]) => english === part)?.[1]);
  return said.includes(undefined) ? undefined : said.join(germanJoint);
}

type Grade = Parameters<typeof sayGrade>[0];

const limitNames = Object.keys(limitsInGerman) as GradeLimit[];

export const limitInGerman = ({ grade, limit }: Grade): string =>
  grade >= 4 ? "" : limitsInGerman[limit];

/** `2,0 (C, durch Modulation)`. */
export function gradeInGerman(one: Grade): string {
  const limit = limitInGerman(one);
  const by = limit === "" ? "" : `, durch ${limit}`;
  return `${one.grade.toFixed(1).replace(".", ",")} (${toGradeLetter(one.grade)}${by})`;
}

/** A grade as warnings have it; undefined for any other text. */
export function saidGradeInGerman(text: string): string | undefined {
  const grade = Number(text.slice(0, 3));
  const limit = limitNames.find((name) => text === sayGrade({ grade, limit: name }));
  return limit && gradeInGerman({ grade, limit });
}
