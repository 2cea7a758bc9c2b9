/** Dates that a template shows with two digits for the year. */
import { FilterError, readDate, applyFilter } from "./filters.ts";
import { placeholdersOf, toTemplate, type Placeholder } from "./template.ts";

export interface ShownDate {
  readonly column: string;
  /** As the cell has it. */
  readonly date: string;
  readonly year: number;
  /** As the template shows it. */
  readonly text: string;
  /** The template's own text in front of it; empty behind another cell. */
  readonly before: string;
}

type Values = Readonly<Record<string, string>>;

const SHORT = /^YY(?!YY)M/u;

/** The date that a placeholder shows short; undefined for others. */
function readShown({ column, filters }: Placeholder, values: Values): ShownDate | undefined {
  const at = filters.findIndex(({ name, args }) => name === "date" && SHORT.test(args[0] ?? ""));
  if (at < 0) return undefined;
  try {
    const date = filters
      .slice(0, at)
      .reduce((text, one) => applyFilter(one, text), values[column] ?? "");
    const year = readDate(date)?.year;
    const shown = filters[at];
    if (year === undefined || shown === undefined) return undefined;
    const prefixes = filters.slice(at + 1).filter(({ name }) => name === "prefix");
    const before = prefixes
      .map(({ args }) => args[0] ?? "")
      .toReversed()
      .join("");
    return { column, date, year: Number(year), text: applyFilter(shown, date), before };
  } catch (error) {
    // The template says so where it is rendered.
    if (error instanceof FilterError) return undefined;
    throw error;
  }
}

/** All of a text; `slots`: templates that names in it stand for. */
export function readDates(
  text: string,
  values: Values,
  slots: Values = {},
  ahead = "",
): ShownDate[] {
  const template = toTemplate(text);
  if (placeholdersOf(template).length === 0) return [];
  let before = ahead;
  return template.parts.flatMap((part) => {
    if (typeof part === "string") {
      before += part;
      return [];
    }
    const slot = slots[part.column];
    const shown = readShown(part, values);
    const found = slot === undefined ? [] : readDates(slot, values, {}, before);
    if (shown !== undefined) found.push({ ...shown, before: `${before}${shown.before}` });
    before = "";
    return found;
  });
}
