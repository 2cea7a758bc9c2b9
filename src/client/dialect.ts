/**
 * Answers of other servers, in the spelling of `src/api`. The API document names the fields, but
 * not every form of their values: forms with the same meaning are accepted.
 */
import { isRecord } from "../base/is-record.ts";
import { codeTypes } from "../api/code.ts";

type Fields = Record<string, unknown>;

/**
 * `next` of a page without `next` whose count isn't reached: only the next page shows whether there
 * is one.
 */
export const NEXT_UNTOLD = "";

/**
 * `message` of a page that is a 404: it is either behind the last page, or the server has a fault.
 * The count of the earlier pages decides.
 */
export const PAGE_MISSING = "404";

/** A number as an id. A number that JSON has rounded is not accepted. */
const toIdText = (value: unknown): unknown =>
  typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;

const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ["true", true],
  ["1", true],
  [1, true],
  ["false", false],
  ["0", false],
  [0, false],
]);

const toFlag = (value: unknown): unknown =>
  flags.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? value;

const toType = (value: unknown): unknown =>
  codeTypes.find((type) => type.toLowerCase() === String(value).trim().toLowerCase()) ?? value;

/** Seconds since 1970 are below this until the year 5138. */
const MAX_SECONDS = 1e11;

function toTime(value: unknown): unknown {
  if (typeof value !== "number" || !(value > 0 && value < 1e14)) return value;
  return new Date(value < MAX_SECONDS ? value * 1000 : value).toISOString();
}

/** A folder may be given by its id alone. */
function toFolder(value: unknown): unknown {
  const id = toIdText(value);
  if (id === "") return null;
  if (typeof id === "string") return { id, name: "" };
  return isRecord(value) ? { name: "", ...toOwnSpelling(value) } : value;
}

const toEach = (value: unknown): unknown =>
  Array.isArray(value)
    ? (value as readonly unknown[]).map((one) => (isRecord(one) ? toOwnSpelling(one) : one))
    : value;

/** field -> its value in our spelling; unreadable values stay as they are, and are refused later. */
const spellings: Readonly<Record<string, (value: unknown) => unknown>> = {
  id: toIdText,
  qr_id: toIdText,
  parent: toIdText,
  qr_type: toType,
  dynamic: toFlag,
  gps: toFlag,
  gps_tracking: toFlag,
  is_default: toFlag,
  created: toTime,
  folder: toFolder,
  tags: toEach,
  fields: toEach,
  link_types: toEach,
};

function toOwnSpelling(fields: Fields): Fields {
  const own: Fields = { ...fields };
  for (const [name, spell] of Object.entries(spellings)) {
    if (name in own) own[name] = spell(own[name]);
  }
  return own;
}

function toCount(value: unknown): number | undefined {
  const count = typeof value === "string" && /^\d{1,15}$/u.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** `next` is only compared with null: pages are requested by number. */
function toNext(page: Fields, shown: number, count: number | undefined): string | null {
  const { next } = page;
  if (typeof next === "string" && next !== "") return next;
  if (typeof next === "number") return String(next);
  if (next === null || shown === 0) return null;
  return count !== undefined && count <= shown ? null : NEXT_UNTOLD;
}

function toOwnPage(page: Fields, results: readonly unknown[]): Fields {
  const { count: told, previous, ...rest } = page;
  const count = toCount(told);
  return {
    ...rest,
    ...(count !== undefined && { count }),
    next: toNext(page, results.length, count),
    previous: typeof previous === "string" ? previous : null,
    results: toEach(results),
  };
}

/** The body of an answer: a thing, or a page of things. */
export function readDialect(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { results } = value;
  return Array.isArray(results)
    ? toOwnPage(value, results as readonly unknown[])
    : toOwnSpelling(value);
}
