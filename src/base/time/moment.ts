/** Days and moments that people and programs write. */

const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const DATETIME =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/iu;
const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/iu;

const isRealDate = (date: string): boolean => {
  const ms = Date.parse(`${date}T00:00:00Z`);
  // Date.parse turns 30 February into 1 or 2 March: the text must come back unchanged.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
};

/** The same of a query string, where a `+` may have turned into a space: it is put back. */
export const parseQueryMoment = (value: string): number | undefined =>
  parseMoment(value.includes("T") ? value.trim().replace(/ (\d{2}:?\d{2})$/u, "+$1") : value);

/** ISO date or datetime -> epoch milliseconds, or undefined. A missing zone means UTC. */
export function parseMoment(value: string): number | undefined {
  const text = value.trim();
  if (!isRealDate(text.slice(0, 10))) return undefined;
  if (DATE.test(text)) return Date.parse(`${text}T00:00:00Z`);
  if (!DATETIME.test(text)) return undefined;
  const iso = text.replace(" ", "T").replace(/([+-]\d{2})(\d{2})$/u, "$1:$2");
  const ms = Date.parse(ZONE.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
