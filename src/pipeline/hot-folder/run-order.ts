/** An order of the hot folder, run like any job; its result as facts. */
import { existsSync } from "node:fs";
import path from "node:path";

import { toDiskError } from "../../base/files/disk-error.ts";
import { AppError, isStop, type Problem } from "../../base/errors.ts";
import { EXIT_INTERRUPTED, EXIT_REFUSED, outcomeExits } from "../../base/exit-codes.ts";
import { formatProblem } from "../../base/text/format-problem.ts";
import { formatMany } from "../../base/text/words.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { openJob, type OpenOptions } from "../open.ts";
import type { Ports } from "../ports.ts";
import { needsMending, type RunRequest, type RunResult } from "../results.ts";
import { toFailure, type Order, type OrderRun } from "./order.ts";

const SHOWN = 20;

/** Where the order's files lie while they are run; messages give paths relative to it. */
interface At {
  readonly folder: string;
  readonly cwd: string;
}

/** Names files of the order without their folder: by the time this is read, they lie elsewhere. */
function sayProblem(problem: Problem, { folder, cwd }: At): string {
  const { where } = problem;
  const isOfOrder = where?.file !== undefined && path.dirname(where.file) === folder;
  const file = isOfOrder ? path.join(cwd, path.basename(where.file)) : where?.file;
  return formatProblem({ ...problem, where: where && { ...where, file } }, cwd);
}

function sayError(error: AppError, at: At): string {
  const { message, hint, where, problems } = error;
  const said = [{ message, hint, where }, ...problems].map((problem) => sayProblem(problem, at));
  // The first problem may be the error itself.
  return [...new Set(said)].slice(0, SHOWN).join("\n");
}

function sayRows(result: RunResult, at: At): string {
  const { problems, problemCount, failed, bad, withoutFiles = 0 } = result;
  const count = problemCount ?? problems.length;
  const lines = problems.slice(0, SHOWN).map((problem) => sayProblem(problem, at));
  const left = count - lines.length;
  const faults = formatMany(left, "more fault", "more faults");
  const more = left > 0 ? [`and ${faults}: failed-rows.csv`] : [];
  const how = `mend ${failed + bad === 1 ? "it" : "them"}, then put the file into in/ again: what is made is not made twice`;
  const lacking = `${formatMany(withoutFiles, "row lacks", "rows lack")} files`;
  if (withoutFiles > 0 && !needsMending(result)) {
    const again = "put the file into in/ again: only the files are fetched";
    return [lacking, ...lines, ...more, again].join("\n");
  }
  const others = withoutFiles === 0 ? "" : `, and ${lacking}`;
  return [`${formatMany(failed + bad, "row")} failed${others}`, ...lines, ...more, how].join("\n");
}

/**
 * The files for the operator: those that the run names, and the lists of hashes that its
 * certificate names.
 */
function toFiles({ files }: RunResult, out: string): string[] {
  const named = files.map(({ file }) => file);
  const hashes = path.join(out, "artwork.sha256");
  return [...named, ...(existsSync(hashes) ? [hashes] : [])].filter((file) => existsSync(file));
}

function toRun(result: RunResult, out: string, at: At): OrderRun {
  const { job, rows, created, adopted, changed, unchanged, failed, bad, press, isRehearsal } =
    result;
  const exitCode = outcomeExits[result.outcome];
  return {
    exitCode,
    reason: exitCode === 0 ? undefined : sayRows(result, at),
    files: toFiles(result, out),
    isRehearsal,
    summary: { job, rows, created, adopted, changed, unchanged, failed, bad, press, isRehearsal },
  };
}

/** What all orders of a folder have in common. */
export interface OrderRules {
  readonly options: OpenOptions;
  readonly request: RunRequest;
  readonly portsOf: (manifest: string) => Ports;
  /** Messages give paths relative to it. */
  readonly cwd: string;
}

async function openOrder({ source, manifest, out }: Order, options: OpenOptions, ports: Ports) {
  // Names of files may look like anything in YAML, or like a variable.
  const set = [`source.file=${JSON.stringify(source).replaceAll("$", "$$$$")}`];
  const opened = await openJob(manifest, { ...options, set, out }, ports);
  const { kind } = opened.job;
  if (isRowJob(opened.job)) return opened;
  const message = `an order must make something of rows, got a job of kind ${kind}`;
  throw new AppError("bad-usage", message, { where: { file: manifest, field: "kind" } });
}

/** Orders are run by putting in a file, not by a command. */
function sayHowAgain(
  { source }: Order,
  commandOf: Ports["commandOf"],
): (...asked: Parameters<Ports["commandOf"]>) => string {
  const putIn = `put ${path.basename(source)} into in/ again`;
  return (command, words) => {
    if (command !== "run" && command !== "retry") return commandOf(command, words);
    return words?.more?.includes("--yes") === true ? `watch with --yes, and ${putIn}` : putIn;
  };
}

/** Runs an order and returns its result. Throws bugs only. */
export async function runOrder(
  order: Order,
  { options, request, portsOf, cwd }: OrderRules,
): Promise<OrderRun> {
  const { source, manifest, out, name } = order;
  const at = { folder: path.dirname(source), cwd };
  const given = portsOf(manifest);
  const ports = { ...given, commandOf: sayHowAgain(order, given.commandOf) };
  try {
    const opened = await openOrder(order, options, ports);
    return toRun(await opened.run(ports, request), out, at);
  } catch (thrown) {
    if (isStop(thrown, ports.signal)) return toFailure(EXIT_INTERRUPTED, `${name} was interrupted`);
    const error = toDiskError(thrown) ?? thrown;
    if (!(error instanceof AppError)) throw error;
    // The spreadsheet is as good as before: it waits for the setting.
    const exitCode = error.code === "setting-missing" ? EXIT_REFUSED : error.exitCode;
    return toFailure(exitCode, sayError(error, at));
  }
}
