/** How a typed cell of a workbook is read in a column, and what of it a column leaves out. */
import type { ColumnRule } from "../../job/job.ts";

import { isTooLong, readMail } from "./cell-links.ts";
import {
  ERROR_TEXT,
  hasTimeOfDay,
  SHOWN_SHORT,
  TOO_LONG,
  UNSAVED,
  type CellFault,
} from "./cell-types.ts";
import type { RawCell, TypedCell } from "../raw.ts";

const NO_DAY: CellFault = {
  rule: "must be a day from 1900 to 9999: the cell has the format of a day, but its number is no day",
  hint: "enter the day again, as text if it is an earlier one, or format the cell as a number",
};
const NO_TIME: CellFault = {
  rule: "must be a time from zero on: the cell has the format of a time, but its number is below zero",
  hint: "enter the time as text, or format the cell as a number",
};
const FAILED: CellFault = { rule: "must have a result, but its formula ends in an error" };

/** Cells without a value that could be used. */
const FAULTS: Partial<Record<TypedCell["kind"], CellFault>> = {
  error: FAILED,
  unsaved: UNSAVED,
  "no-day": NO_DAY,
  "no-time": NO_TIME,
};

/** The text of a workbook's typed cell in a column, or why it has none. */
export function readTyped(cell: TypedCell, rule: ColumnRule): string | CellFault {
  if (cell.isTyped === true) return ERROR_TEXT;
  const fault = FAULTS[cell.kind];
  if (fault !== undefined) return fault;
  if (isTooLong(cell)) return TOO_LONG;
  if (cell.kind === "link" && rule.type === "url") return cell.link ?? cell.text;
  if (cell.kind === "link" && rule.type === "email") return readMail(cell);
  if (rule.type !== "text") return cell.value ?? cell.text;
  return cell.hasExponent === true ? SHOWN_SHORT : cell.text;
}

/** A cell whose text has a time of day that isn't midnight, beside its date. */
export function showsTime(cell: RawCell): boolean {
  if (typeof cell === "string") return hasTimeOfDay(cell);
  if (cell.kind !== "date") return hasTimeOfDay(cell.text);
  return cell.hasTime === true && cell.oddity !== "hidden";
}
