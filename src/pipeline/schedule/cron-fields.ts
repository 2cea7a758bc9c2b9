/** The five fields of a cron expression as numbers, for timers that speak another language. */

/** Ascending numbers; undefined for all of them, and for what only croner understands (L, W, #). */
export interface CronFields {
  readonly minutes: readonly number[] | undefined;
  readonly hours: readonly number[] | undefined;
  readonly days: readonly number[] | undefined;
  readonly months: readonly number[] | undefined;
  /** 0 is Sunday. */
  readonly weekdays: readonly number[] | undefined;
  /** False when a field was too special: then the fields match more often than the expression. */
  readonly isExact: boolean;
}

const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface FieldRule {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const RULES: readonly FieldRule[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: WEEKDAYS },
];

const PART = /^(?:\*|([a-z]{3}|\d{1,2})(?:-([a-z]{3}|\d{1,2}))?)(?:\/(\d{1,2}))?$/u;

function toNumber(text: string, { least, names }: FieldRule): number {
  const at = names.indexOf(text);
  return at < 0 ? Number(text) : at + least;
}

/** The numbers of one part of a list such as `1-5`, `*``/15` or `MON`; undefined when it is special. */
function readPart(text: string, rule: FieldRule): number[] | undefined {
  const match = PART.exec(text);
  if (match === null) return undefined;
  const [, first, last, step = "1"] = match;
  const from = first === undefined ? rule.least : toNumber(first, rule);
  const alone = first !== undefined && match[3] === undefined ? from : rule.most;
  const to = last === undefined ? alone : toNumber(last, rule);
  const numbers: number[] = [];
  for (let n = from; n <= to; n += Number(step)) numbers.push(n);
  return Number.isNaN(from) || Number.isNaN(to) || Number(step) === 0 ? undefined : numbers;
}

function readField(text: string, rule: FieldRule): number[] | undefined {
  const parts = text.split(",").map((part) => readPart(part, rule));
  if (parts.includes(undefined)) return undefined;
  // Sunday is 7, too.
  const isWeekday = rule.names === WEEKDAYS;
  const numbers = parts.flatMap((part) => part ?? []).map((n) => (isWeekday ? n % 7 : n));
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

interface Field {
  readonly isAll: boolean;
  /** Undefined for all, and for what is too special. */
  readonly numbers: readonly number[] | undefined;
  readonly isExact: boolean;
}

function toField(text: string, rule: FieldRule): Field {
  const isAll = text === "*" || text === "?";
  const numbers = isAll ? undefined : readField(text, rule);
  const isFull = numbers?.length === rule.most - rule.least + 1;
  return { isAll, numbers: isFull ? undefined : numbers, isExact: isAll || numbers !== undefined };
}

/** Reads an expression that croner takes. */
export function readCronFields(cron: string): CronFields {
  const plain = cron.trim().toLowerCase();
  const texts = (NICKNAMES[plain] ?? plain).split(/\s+/u);
  const fields = RULES.map((rule, at) => toField(texts[at] ?? "*", rule));
  const [minutes, hours, days, months, weekdays] = fields.map(({ numbers }) => numbers);
  // Either day or weekday may match; when one is every day, or can't be expressed, any day may.
  const isAnyDay = [fields[2], fields[4]].some(
    (field) => field?.isAll === false && field.numbers === undefined,
  );
  return {
    minutes,
    hours,
    days: isAnyDay ? undefined : days,
    months,
    weekdays: isAnyDay ? undefined : weekdays,
    isExact: fields.every(({ isExact }) => isExact),
  };
}
