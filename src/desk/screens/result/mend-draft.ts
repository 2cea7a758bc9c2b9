/** What was typed into rows to mend and not saved: it outlives its page, and rows that change. */
import { isRecord } from "../../../base/is-record.ts";
import type { DeskContext } from "../../context.ts";
import { readDraft, type DeskDraft } from "../../drafts.ts";
import {
  backOf,
  COLUMNS,
  fieldOf,
  LATE,
  lineOf,
  shownOf,
  isTyped,
  toLines,
  toShown,
  type LateText,
  type MendGrid,
} from "./mend-fields.ts";

type DraftForm = DeskDraft["form"];

export interface Typed {
  /** Fields of rows that are still the same, with their texts. */
  readonly fields: ReadonlyMap<string, string>;
  /** Texts for rows that have changed since. */
  readonly late: readonly LateText[];
  readonly hasDraft: boolean;
}

function listTyped(form: DraftForm, grid: MendGrid): ReadonlyMap<string, string> {
  const { columns, rows, before } = grid;
  const same = [...rows, ...before].filter(
    (row) => form[shownOf(row.line)]?.[0] === toShown(row, grid),
  );
  const pairs = same.flatMap(({ line, cells }) => [
    ...(form[backOf(line)] === undefined ? [] : [[backOf(line), "on"] as const]),
    ...columns.flatMap((column, at) => {
      const typed = form[fieldOf(line, at)]?.[0];
      const isNew = typed !== undefined && toLines(typed) !== toLines(cells[column] ?? "");
      return isNew ? [[fieldOf(line, at), typed] as const] : [];
    }),
  ]);
  return new Map(pairs);
}

/** A list that a field holds; empty where it is none. */
function readList(form: DraftForm, field: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(form[field]?.[0] ?? "[]");
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const isLateText = (value: unknown): value is LateText =>
  isRecord(value) &&
  typeof value["line"] === "number" &&
  typeof value["column"] === "string" &&
  typeof value["text"] === "string";

/** Texts of the form for rows that are no longer as its page has shown them. */
function listLate(form: DraftForm, grid: MendGrid): LateText[] {
  const now = new Map([...grid.rows, ...grid.before].map((row) => [row.line, row]));
  const columns = readList(form, COLUMNS).map(String);
  const fresh = Object.entries(form).flatMap(([field, [shown = ""]]) => {
    const line = lineOf(field);
    const row = line === undefined ? undefined : now.get(line);
    if (line === undefined || (row !== undefined && toShown(row, grid) === shown)) return [];
    return columns.flatMap((column, at) => {
      const text = form[fieldOf(line, at)]?.[0];
      return text !== undefined && isTyped(shown, at, text) ? [{ line, column, text }] : [];
    });
  });
  const isNow = ({ line, column, text }: LateText): boolean =>
    toLines(now.get(line)?.cells[column] ?? "") === toLines(text);
  const all = [...readList(form, LATE).filter(isLateText), ...fresh];
  const byCell = new Map(all.map((one) => [JSON.stringify([one.line, one.column]), one]));
  return [...byCell.values()].filter((one) => !isNow(one)).toSorted((a, b) => a.line - b.line);
}

/** Unsent changes of a job's rows, as its rows are now. */
export async function readTyped(
  desk: DeskContext,
  manifest: string,
  grid: MendGrid,
): Promise<Typed> {
  const draft = await readDraft(desk, { screen: "mend", of: manifest });
  const form = draft?.form ?? {};
  return {
    fields: listTyped(form, grid),
    late: listLate(form, grid),
    hasDraft: draft !== undefined,
  };
}
