/** Numbers in words for people. */
import { numberFormat } from "./number-format.ts";
import { showKey } from "../shapes/row-key.ts";

const NUMBER = numberFormat("en-US");

export const formatCount = (n: number): string => NUMBER.format(n);

/** ` and 3 more`, behind the first of a list; nothing where it is whole. */
export const andMore = (more: number): string => (more > 0 ? ` and ${formatCount(more)} more` : "");

/** `3 rows`, `1 row`. */
export function formatMany(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/** The head of an undo or a retire that left codes out; `done`: what was asked for. */
export const sayNotDone = (count: number, done: string): string =>
  `Done, but ${formatMany(count, "code was", "codes were")} not ${done}`;

/** `12 files`, and how many rows are not done yet or have no pictures in an archive. */
export function describeArchive(archive: {
  readonly entries: number;
  readonly leftToDo?: number | undefined;
  readonly leftOut?: number | undefined;
}): string {
  const { entries, leftToDo = 0, leftOut = 0 } = archive;
  const lacking = formatMany(leftOut, "row lacks", "rows lack");
  const notes = [
    ...(leftToDo === 0 ? [] : [`${formatMany(leftToDo, "row is", "rows are")} left to do`]),
    ...(leftOut === 0
      ? []
      : [`${lacking} pictures that did not come or are not proven: report.html says why`]),
  ];
  return `${formatMany(entries, "file")}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

/** At most so many UTF-16 units of a text, never half an emoji. */
export const headOf = (text: string, most: number): string => {
  const head = text.slice(0, most);
  return head.length === text.length ? text : head.replace(/[\uD800-\uDBFF]$/u, "");
};

/** The beginning of a long text. */
export const cutText = (text: string, most = 80): string =>
  text.length > most ? `${headOf(text, most)}…` : text;

const toEscape = (char: string): string =>
  char < " "
    ? JSON.stringify(char).slice(1, -1)
    : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

const UNSEEN = /[\p{Cc}\p{Cs}]/gu;

/** A text of a cell or a code in quotes, as it stands there; one with signs that nobody sees as in JSON. */
export function quoteText(text: string): string {
  const isSeen = text.search(UNSEEN) < 0;
  return `"${isSeen ? text : text.replaceAll("\\", "\\\\").replaceAll(UNSEEN, toEscape)}"`;
}

/** The key of a row, shortened: without a key column, it is the whole text of the row. */
export const cutKey = (key: string): string => cutText(showKey(key), 60);

const MOST_IN_FULL = 1e15;

/** `1,152,921,504,606`, `10^18`. */
export const formatTries = (tries: number, language = "en-US"): string =>
  tries < MOST_IN_FULL
    ? numberFormat(language, { maximumFractionDigits: 0 }).format(tries)
    : `10^${Math.floor(Math.log10(tries))}`;

/** `45 s`, `8 min`, `1 h 05 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return `${formatCount(hours)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} kB`;
  if (bytes < 10 * 1024 ** 3) return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  return `${formatCount(Math.round(bytes / 1024 ** 3))} GB`;
}

const MEGABYTE = 1024 * 1024;

/** What a file must be of at most so many bytes: 2 MB less one byte is `under 2 MB`. */
export function sayMostBytes(bytes: number): string {
  if (bytes % MEGABYTE === 0) return `at most ${bytes / MEGABYTE} MB`;
  const isUnder = (bytes + 1) % MEGABYTE === 0;
  return isUnder ? `under ${(bytes + 1) / MEGABYTE} MB` : `at most ${bytes} bytes`;
}

interface Paper {
  readonly isTwoSided: boolean;
  readonly isRoll: boolean;
}

/** `5 sheets`, `5 sheets, printed on both sides`, `5 repeats of the roll`. */
export function formatPages(pages: number, { isTwoSided, isRoll }: Paper): string {
  const count = isTwoSided ? pages / 2 : pages;
  const what = isRoll ? `${formatMany(count, "repeat")} of the roll` : formatMany(count, "sheet");
  return isTwoSided ? `${what}, printed on both sides` : what;
}

/** `2026-12-01 06:00 UTC`. */
export const formatRunTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
