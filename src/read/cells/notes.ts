import type { Problem, Where } from "../../base/errors.ts";
import { cutText } from "../../base/text/words.ts";

import { isShownShort } from "./cell-types.ts";

/** Something odd but harmless about a cell; `example` describes this one. */
interface NoteKind {
  readonly message: (cells: string, example: string) => string;
  readonly hint: string;
}

const kinds = {
  quote: {
    message: (cells, example) => `${cells} a quote that isn't doubled, and is read as ${example}`,
    hint: 'double a quote that belongs to the text: ""',
  },
  loose: {
    message: (cells, example) => `${cells} a blank in front of a quote, which is kept: ${example}`,
    hint: "take the blank out where the quote should hold the text together, also with delimiters in it",
  },
  header: {
    message: (rows) => `${rows} the header again, as printouts have on each page; it is left out`,
    hint: "take the headers below the first one out of the file",
  },
  strokes: {
    message: (rows, example) =>
      `${rows} nothing but strokes below the header: ${example}; it is left out`,
    hint: "right where it parts the header from the rows, as programs write it",
  },
  names: {
    message: (rows, example) =>
      `${rows} like units or more names of columns below the header, and read as a row: ${example}`,
    hint: "right where it is a row; otherwise take it out of the file",
  },
  title: {
    message: (rows, example) =>
      `${rows} like a title above the header, as printouts have on each page, and read as a row: ${example}`,
    hint: "right where it is a row; otherwise take it out of the file",
  },
  sum: {
    message: (rows, example) => `${rows} like a sum below a list, and read as a row: ${example}`,
    hint: "right where a row has such a name; otherwise take it out of the file",
  },
  lost: {
    message: (cells, example) => `${cells} a letter that was lost before: ${example}`,
    hint: "type the letter anew, or save the file as UTF-8 where it still is right",
  },
  several: {
    message: (cells, example) =>
      `${cells} several values, of which only the first is used: ${example}`,
    hint: "right where the first one is meant; otherwise put the one that is meant in front",
  },
  marked: {
    message: (cells, example) =>
      `${cells} a ' in front that keeps programs from reading a formula, and is left out: ${example}`,
    hint: "right where it only marks a text; write '' where one ' belongs to the text",
  },
  trimmed: {
    message: (cells) => `${cells} a blank in front of or behind its text, which is left out`,
    hint: "right where it came in by accident; one that all networks have may stand in qr_data",
  },
  invisible: {
    message: (cells, example) =>
      `${cells} invisible characters; codes and labels get them, too: ${example}`,
    hint: "type the cell anew, unless they are meant",
  },
  hidden: {
    message: (cells, example) => `${cells} a value that isn't the one that is shown: ${example}`,
    hint: "in the spreadsheet, format the column so that it shows the whole value, and save it; a manifest can give it the type text instead, in source.columns",
  },
  unseen: {
    message: (cells, example) =>
      `${cells} a value that the sheet doesn't show, and is used as empty: ${example}`,
    hint: "right where the cell should be empty; otherwise give it the format General in the spreadsheet and save it",
  },
  linked: {
    message: (cells, example) =>
      `${cells} a link whose address only its formula knows; what the cell shows is used: ${example}`,
    hint: "right where both are the same; otherwise put the address itself into the column: HYPERLINK with that address and nothing else shows it",
  },
  timed: {
    message: (cells, example) =>
      `${cells} a time of day, which columns of type date leave out: ${example}`,
    hint: "right where only the day counts; make it a column of type text to keep the time",
  },
  exponent: {
    message: (cells, example) => `${cells} a number that is shown with an exponent: ${example}`,
    hint: "right where all digits are there; give the column the format 0 in the spreadsheet to see them",
  },
  rewritten: {
    message: (cells, example) => `${cells} a number that is used in another form: ${example}`,
    hint: "make it a column of type text to print it as it is written",
  },
  local: {
    message: (cells, example) =>
      `${cells} a value that each computer shows in its own way, and is used as ${example}`,
    hint: "save the sheet as CSV and take that file: it holds what your computer shows; a manifest can name the type of the column instead, in source.columns: numbers are then used as 1234.5, dates as 2026-11-20",
  },
  truth: {
    message: (cells, example) =>
      `${cells} a truth value, which each computer shows in its own language, and is used as ${example}`,
    hint: "right where TRUE and FALSE may stand there; otherwise write words into the cells, such as yes and no",
  },
  negative: {
    message: (cells, example) =>
      `${cells} a duration below zero, for which Excel shows #####, and is used as ${example}`,
    hint: "right where it is meant to be below zero; otherwise mend the cell in the spreadsheet and save it",
  },
  shortened: {
    message: (cells, example) => `${cells} a number that spreadsheets shorten: ${example}`,
    hint: "in the spreadsheet, format the column as Text, or with the format 0, and save it; a manifest can name its type instead, in source.columns",
  },
} as const satisfies Record<string, NoteKind>;

const ROW_KINDS: ReadonlySet<keyof typeof kinds> = new Set([
  "header",
  "strokes",
  "names",
  "title",
  "sum",
]);

interface Note {
  readonly kind: keyof typeof kinds;
  readonly where: Where;
  readonly example: string;
  count: number;
  /** The line of the last note: a row may be read twice. */
  lastLine: number | undefined;
}

const MAX_SHOWN = 80;

const quote = (text: string): string => JSON.stringify(cutText(text, MAX_SHOWN));

function toProblem({ kind, where, example, count }: Note): Problem {
  const { message, hint } = kinds[kind];
  const [one, many] = ROW_KINDS.has(kind)
    ? ["row is", "rows are"]
    : ["cell has", "cells of the column have"];
  const cells = count === 1 ? one : `${count.toLocaleString("en")} ${many}`;
  const first = count === 1 ? "" : " (first one)";
  return { message: `${message(cells, example)}${first}`, hint, where };
}

/** Warnings about cells: one per column, with the place of the first. */
export class Notes {
  readonly #notes = new Map<string, Note>();

  add(given: keyof typeof kinds, where: Where, ...texts: readonly string[]): void {
    const kind = given === "hidden" && isShownShort(texts[0] ?? "") ? "exponent" : given;
    const key = `${kind} ${where.column}`;
    const known = this.#notes.get(key);
    if (known !== undefined) {
      if (known.lastLine !== where.line) known.count += 1;
      known.lastLine = where.line;
    } else {
      const example = texts.map(quote).join(", used as ");
      this.#notes.set(key, { kind, where, example, count: 1, lastLine: where.line });
    }
  }

  /** To be called before another pass over the file. */
  clear(): void {
    this.#notes.clear();
  }

  list(): Problem[] {
    return [...this.#notes.values()].map(toProblem);
  }
}
