/** Where cells are: `B7`, `A1:C3`. */
import { ZipFault } from "./zip-file.ts";

export const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** Cells from one corner to the other, counted from 1. */
export interface Area {
  readonly ref: string;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export function damaged(what: string): ZipFault {
  return new ZipFault(
    `workbook must be whole, got one with ${what}`,
    "open it in Excel or LibreOffice and save it again as XLSX",
  );
}

/** `AB` -> 28; 0 for anything else. */
function toColumn(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at += 1) {
    column = column * 26 + letters.charCodeAt(at) - 64;
  }
  return column;
}

export function toLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

const ADDRESS = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/u;

export function parseAddress(address: string): { row: number; column: number } {
  const [, letters = "", digits = ""] = ADDRESS.exec(address) ?? [];
  const [row, column] = [Number(digits), toColumn(letters)];
  const exists = row >= 1 && row <= MAX_ROWS && column >= 1 && column <= MAX_COLUMNS;
  if (!exists) throw damaged(`the cell address ${JSON.stringify(address.slice(0, 20))}`);
  return { row, column };
}

export function parseArea(ref: string): Area {
  const [first = "", last = first] = ref.split(":");
  const [from, to] = [parseAddress(first), parseAddress(last)];
  return { ref, top: from.row, bottom: to.row, left: from.column, right: to.column };
}
