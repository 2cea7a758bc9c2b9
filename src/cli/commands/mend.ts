/** `mend`: rows of a list of failed rows, mended by hand, take the place of those that failed. */
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import { toPlainText, toShortPath } from "../../base/text/format-problem.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { andMore, formatMany, quoteText } from "../../base/text/words.ts";
import { mendByList, type MendedCell, type MendedList } from "../../pipeline/mend/mend-list.ts";
import type { Call } from "../call.ts";
import { withMore } from "../views/lists.ts";
import { toWarningPort } from "../moved-store.ts";
import { makePorts, openJob } from "../open-job.ts";

const CELLS_SHOWN = 20;
const LINES_SHOWN = 5;

const sayNumbers = (numbers: readonly number[]): string =>
  `${numbers.slice(0, LINES_SHOWN).join(", ")}${andMore(numbers.length - LINES_SHOWN)}`;

const sayLines = (lines: readonly number[]): string =>
  `${lines.length === 1 ? "line" : "lines"} ${sayNumbers(lines)}`;

const quote = (text: string): string => quoteText(toPlainText(text));

const sayCell = ({ line, column, was, now }: MendedCell): string =>
  `  line ${line}, column ${quote(column)}: ${quote(was)} is now ${quote(now)}`;

function sayRows({ rows, file }: MendedList, cwd: string): string {
  if (file === undefined) return "no row is mended: nothing was written";
  return `${formatMany(rows, "row")} mended, kept in ${toShortPath(file, cwd)}; the spreadsheet stays as it is`;
}

function sayLost({ lost }: MendedList): string {
  const cells = lost
    .slice(0, LINES_SHOWN)
    .map(({ line, column, was }) => `line ${line}, column ${quote(column)}: ${quote(was)}`);
  return `  kept as they were, since the program that saved the list lost zeros, digits or letters or wrote a day in its own way: ${cells.join("; ")}${andMore(lost.length - LINES_SHOWN)}`;
}

function sayMoved({ moved }: MendedList): string {
  const lines = moved.slice(0, LINES_SHOWN).map(({ line, now }) => `${line} → ${now}`);
  return `  ${moved.length === 1 ? "stands" : "stand"} in another line of the spreadsheet now: ${lines.join(", ")}${andMore(moved.length - LINES_SHOWN)}`;
}

const sayLeft = ({ same, other, withoutLine }: MendedList): string[] =>
  linesOf(
    withoutLine.length > 0 &&
      `  not used: ${withoutLine.length === 1 ? "row" : "rows"} ${sayNumbers(withoutLine)} of the list, whose cell in the column of lines is empty: write the line of the spreadsheet there, as failed-rows.csv had it, and mend again`,
    same.length > 0 && `  as it failed, not changed in the list: ${sayLines(same)}`,
    other.length > 0 &&
      `  not used: ${sayLines(other)}: the last run did not list the row, or the spreadsheet has another one there now; mend it in the spreadsheet, or run the job and mend its new list`,
  );

export async function mend(call: Call): Promise<number> {
  const { cwd, env } = call.context;
  const port = toWarningPort(call);
  const { job, server } = await openJob(call, port);
  const [list = ""] = call.input.others ?? [];
  const ports = { ...makePorts(call), server: port };
  const access = { ...ports, env, dataDir: server.dataDir };
  const made = await mendByList(job, call.resolve(list), access);
  const { changes, file, same, other, withoutLine } = made;
  const cells = changes.slice(0, CELLS_SHOWN).map(sayCell);
  const lines = linesOf(
    `${job.name}: ${sayRows(made, cwd)}`,
    ...withMore(cells, changes.length, (left) => `  ${left} more cells`),
    made.moved.length > 0 && sayMoved(made),
    made.isNamed && `  ${toShortPath(job.file, cwd)} names that file in source.mended now`,
    made.lost.length > 0 && sayLost(made),
    ...sayLeft(made),
    file !== undefined && `→ see what is to do: ${ports.commandOf("plan")}`,
  );
  call.tell("summary", { job: job.name, ...made }, ...lines);
  return same.length + other.length + withoutLine.length > 0 ? EXIT_ROWS_FAILED : 0;
}
