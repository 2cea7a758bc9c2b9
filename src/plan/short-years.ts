/**
 * Dates of a row that are written with two digits for the year, as GS1 wants them, and that
 * scanners would read as another year (docs/spec/gs1.md section 1).
 */
import type { Problem } from "../base/errors.ts";
import { isDated, readShortYear, YEARS_AHEAD, YEARS_BACK } from "../gs1/short-years.ts";
import type { JobLabel, RowsJob } from "../job/job.ts";
import { readDates, type ShownDate } from "../job/template/shown-dates.ts";
import { sayColumns, yearOf, type TemplateContext } from "../job/template/template.ts";
import type { Gs1Date } from "./thing.ts";

type Values = Readonly<Record<string, string>>;

interface Found extends ShownDate {
  /** Field of a product; left out for texts of labels and links. */
  readonly field?: string;
  /** The AI in front; undefined where the text shows none. */
  readonly ai: string | undefined;
}

/** `(17)` of an element string, or `?17=` of a Digital Link. */
const AI_BEFORE = /(?:\((\d{2,4})\)\s*|[?&](\d{2,4})=)$/u;

function toAi(before: string): string | undefined {
  const [, bracketed, asked] = AI_BEFORE.exec(before) ?? [];
  return bracketed ?? asked;
}

const findIn = (text: string, values: Values, slots: Values = {}): Found[] =>
  readDates(text, values, slots).map((date) => ({ ...date, ai: toAi(date.before) }));

/** Of the texts of a label, those that hold AIs. */
const findOnLabel = (face: JobLabel | null | undefined, values: Values): Found[] =>
  (face?.bracketed ?? []).flatMap((at) => findIn(face?.texts[at] ?? "", values, face?.slots ?? {}));

/** Right for each run from 2020 to 2049: then the clock isn't asked, and the plan holds on. */
const isNear = (year: number): boolean => year >= 2000 && year <= 2070;

function say({ date, text, column, field, ai }: Found, now: number, read: number): Problem {
  const [from, to] = [now - YEARS_BACK, now + YEARS_AHEAD];
  const what = field ?? `AI ${ai}`;
  const rule = `must be from ${from} to ${to} as YYMMDD, got ${date}`;
  return {
    message: `${what} (${sayColumns([column])}) ${rule}: scanners would read ${text} as the year ${read}`,
    hint: `GS1 has two digits for the year, which mean ${YEARS_BACK} years back to ${YEARS_AHEAD} ahead: write a nearer date, or leave it out`,
  };
}

/** Faults of a row. `dates`: templates that are a date of GS1 by themselves. */
export function judgeShortYears(
  { code, output }: RowsJob,
  values: Values,
  context: TemplateContext,
  dates: readonly Gs1Date[] = [],
): Problem[] {
  const { sheets } = output;
  const found: Found[] = [
    ...dates.flatMap(({ field, ai, template }) =>
      findIn(template, values).map((one) => ({ ...one, field, ai })),
    ),
    ...findIn(code.qrData ?? "", values),
    ...findOnLabel(sheets?.label, values),
    ...findOnLabel(sheets?.back?.label, values),
  ].filter(({ year, ai }) => !isNear(year) && ai !== undefined && isDated(ai));
  if (found.length === 0) return [];
  const now = yearOf(context);
  return found.flatMap((one) => {
    const read = readShortYear(one.year, now);
    return read === one.year ? [] : [say(one, now, read)];
  });
}
