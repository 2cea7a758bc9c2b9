/** What a run asks or refuses before it changes anything. */
import { AppError, type Problem } from "../../base/errors.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import {
  andMore,
  formatCount,
  formatMany,
  formatRunTime,
  quoteText,
} from "../../base/text/words.ts";
import { MOST_PICTURES } from "../../job/job.ts";
import type { Ports, Question } from "../ports.ts";
import type { WorkJob } from "../stages/work.ts";

interface Confirmation {
  /** More than this want a yes; null: never asked. */
  readonly over: number | null;
  /** The yes was given beforehand. */
  readonly isConfirmed: boolean | undefined;
  /** What asks; default: `run`. */
  readonly command?: "run" | "retry";
}

const ROWS_SHOWN = 3;

/** ` ("A", "B", "C" and 4 more)`. */
function nameRows(keys: readonly string[] = []): string {
  if (keys.length === 0) return "";
  const shown = keys.slice(0, ROWS_SHOWN).map((key) => quoteText(showKey(key)));
  return ` (${shown.join(", ")}${andMore(keys.length - shown.length)})`;
}

/** ` (2 runs changed them since)`. */
const nameRuns = (runs = 1): string =>
  runs === 1 ? "" : ` (${formatCount(runs)} runs changed them since)`;

const sayMoment = (iso: string): string => (iso === "" ? "" : formatRunTime(Date.parse(iso)));

/** What would be done, such as `change 120 codes`. */
export function describeQuestion(question: Question): string {
  const { does, thing, count, before = "", folder = "", dying = 0, runs } = question;
  const things = formatMany(count, thing);
  switch (does) {
    case "make":
      return `make or change ${things}`;
    case "put-back":
      return `put ${things} back to before ${sayMoment(before)}${nameRuns(runs)}`;
    case "file":
      return `move ${things} to the folder ${quoteText(folder)}`;
    case "delete":
      return `delete ${things} for good${dying === 0 ? "" : `; ${formatMany(dying, "short link")} will lead nowhere`}`;
    case "void":
      return `make ${things} void for good${nameRows(question.keys)}: in print they answer that they are`;
    case "restyle":
    case "change":
      return `${does} ${things}`;
  }
}

/** How a yes is given beforehand. */
function toConsent(
  { does }: Question,
  commandOf: Ports["commandOf"],
  command: Confirmation["command"] = "run",
): string {
  const more = ["--yes"];
  return does === "put-back"
    ? `to put them back: ${commandOf("undo", { more })}`
    : `look first: ${commandOf("plan")}; then: ${commandOf(command, { more })}`;
}

/**
 * Asks before a large change. Throws `confirm-needed` on a no, and where no one is there to answer.
 */
export async function confirmChanges(
  { confirm, commandOf }: Pick<Ports, "confirm" | "commandOf">,
  question: Question,
  { over, isConfirmed, command }: Confirmation,
): Promise<void> {
  if (over === null || question.count <= over || isConfirmed === true) return;
  if (confirm !== undefined && (await confirm(question))) return;
  const what = describeQuestion(question);
  throw new AppError(
    "confirm-needed",
    `safety.confirm_over allows ${formatMany(over, "change")} without a yes, and this would ${what}`,
    {
      // Schedules run jobs; nothing is put back on one.
      hint: `${toConsent(question, commandOf, command)}${question.does === "put-back" ? "" : "; on a schedule: schedule: { yes: true } in the manifest"}`,
    },
  );
}

/** Refuses to make every code a second time, even with `--yes`: only `--fresh` asks for that. */
export function refuseChangedKey(problem: Problem | undefined): void {
  if (problem === undefined) return;
  const { message, hint, where } = problem;
  throw new AppError("confirm-needed", message, { hint, where });
}

/** Refuses a selection that is larger than the manifest expects. */
export function refuseTooMany(count: number, most: number | null): void {
  if (most === null || count <= most) return;
  throw new AppError(
    "too-many-codes",
    `safety.max_codes allows ${formatCount(most)} codes, got ${formatCount(count)}`,
    { hint: "narrow the selection, or raise safety.max_codes in the manifest" },
  );
}

/** Refuses an index whose pictures are too many to be in memory together. */
export function refuseManyPictures(
  { file, output }: Pick<WorkJob, "file" | "output">,
  rows: number,
): void {
  if (!output.indexPictures || rows <= MOST_PICTURES) return;
  const [most, got] = [formatCount(MOST_PICTURES), formatCount(rows)];
  throw new AppError(
    "manifest-invalid",
    `index.xlsx with pictures must have ${most} rows at most, got ${got}: all its pictures are in memory together, here and in the program that opens it`,
    {
      where: { file, field: "output.index.pictures" },
      hint: "leave the pictures out (each one is in artwork/), or split the job",
    },
  );
}

/** A spreadsheet without rows is a mistake, not a job that is done. */
export function refuseEmpty(rows: number, file: string): void {
  if (rows > 0) return;
  throw new AppError(
    "source-unreadable",
    "the spreadsheet must have rows below its header, got none",
    { where: { file } },
  );
}
