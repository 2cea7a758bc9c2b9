/** An order of the hot folder, run like any job; what came of it as facts. */
import { existsSync } from "node:fs";
import path from "node:path";

import { AppError, isStop, type Problem } from "../../base/errors.ts";
import { formatProblem } from "../../base/format-problem.ts";
import { formatMany } from "../../base/words.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { openJob } from "../../pipeline/open.ts";
import type { RunResult } from "../../pipeline/results.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { readPatience } from "../commands/run.ts";
import { toDiskError } from "../../base/disk-error.ts";
import { EXIT_INTERRUPTED } from "../exit-codes.ts";
import { toExitCode } from "../job-words.ts";
import { makeView } from "../make-view.ts";
import { makePorts, readAddress, readLimits } from "../open-job.ts";
import { toFailure, type Order, type OrderRun } from "./hot-folder.ts";

const SHOWN = 20;

/** Where the order's files lie while they are run, and what paths are told from. */
interface At {
  readonly folder: string;
  readonly cwd: string;
}

/** Files of the order by their names alone: when somebody reads this, they lie elsewhere. */
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

function sayRows({ problems, problemCount, failed, bad }: RunResult, at: At): string {
  const count = problemCount ?? problems.length;
  const lines = problems.slice(0, SHOWN).map((problem) => sayProblem(problem, at));
  const more = count > lines.length ? [`and ${count - lines.length} more: failed-rows.csv`] : [];
  return [`${formatMany(failed + bad, "row")} failed`, ...lines, ...more].join("\n");
}

/** What the operator is handed: what the run names, and the hashes that its certificate names. */
function toFiles({ files }: RunResult, out: string): string[] {
  const named = files.map(({ file }) => file);
  const hashes = path.join(out, "artwork.sha256");
  return [...named, ...(existsSync(hashes) ? [hashes] : [])].filter((file) => existsSync(file));
}

function toRun(result: RunResult, out: string, at: At): OrderRun {
  const { job, rows, created, adopted, changed, unchanged, failed, bad, press, isRehearsal } =
    result;
  const exitCode = toExitCode(result);
  return {
    exitCode,
    reason: exitCode === 0 ? undefined : sayRows(result, at),
    files: toFiles(result, out),
    summary: { job, rows, created, adopted, changed, unchanged, failed, bad, press, isRehearsal },
  };
}

/** Runs orders: questions are answered by `--yes` only, since nobody is there. */
export function makeRunOrder(
  context: CliContext,
  input: Input,
  dataDir: string,
): (order: Order) => Promise<OrderRun> {
  const silent = { ...context, out: () => undefined, err: () => undefined, ask: undefined };
  const options = {
    env: context.env,
    dataDir,
    baseUrl: readText(input, "baseUrl"),
    ...readAddress(input),
    limits: readLimits(input),
  };
  return async ({ source, manifest, out, name }) => {
    const { cwd, clock, signal } = context;
    const at = { folder: path.dirname(source), cwd };
    try {
      // Names of files may look like anything in YAML, or like a variable.
      const set = [`source.file=${JSON.stringify(source).replaceAll("$", "$$$$")}`];
      const opened = await openJob(
        manifest,
        { ...options, set, out },
        { clock, server: embeddedPort },
      );
      if (!isRowJob(opened.job)) {
        throw new AppError(
          "bad-usage",
          `an order must make something of rows, got a job of kind ${opened.job.kind}`,
          {
            where: { file: manifest, field: "kind" },
          },
        );
      }
      const own = { argument: manifest, options: { ...input.options, json: true } };
      const ports = makePorts(silent, makeView(silent, own), own);
      const request = {
        isConfirmed: readFlag(input, "yes"),
        patienceMs: readPatience(context, input),
      };
      return toRun(await opened.run(ports, request), out, at);
    } catch (thrown) {
      if (isStop(thrown, signal)) return toFailure(EXIT_INTERRUPTED, `${name} was interrupted`);
      const error = toDiskError(thrown) ?? thrown;
      if (!(error instanceof AppError)) throw error;
      return toFailure(error.exitCode, sayError(error, at));
    }
  };
}
