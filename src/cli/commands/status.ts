import { stateDirOf } from "../../job/any-job.ts";
import type { ReportJob } from "../../job/select-jobs.ts";
import { readState } from "../../state/find-state.ts";
import { readFlag, type CliContext, type Command, type Input } from "../context.ts";
import { toShortPath } from "../format-problem.ts";
import { jobOptions, openJob } from "../pipeline/open-job.ts";
import { findLastReport } from "../pipeline/select/last-report.ts";
import { countUnfinished } from "../pipeline/left.ts";
import { formatCount } from "../words.ts";

/** state -> what it means to a person. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  pending: "not sent yet",
  sending: "on the wire",
  doubt: "in doubt: the answer was lost",
  done: "done",
  failed: "refused by the server",
  conflict: "found on the server, but not clearly the row's",
};

interface Standing {
  readonly rows: Readonly<Record<string, number>>;
  readonly unfinished: number;
  readonly bad: number;
  readonly vanished: number;
}

function toLines({ rows, unfinished, bad, vanished }: Standing): string[] {
  const others: readonly (readonly [number, string])[] = [
    [unfinished, "of the done are not yet what their rows want"],
    [bad, "bad in the spreadsheet"],
    [vanished, "no longer in the spreadsheet"],
  ];
  return [
    ...Object.entries(rows).map(([name, n]) => `${formatCount(n)} ${STATE_WORDS[name] ?? name}`),
    ...others.filter(([n]) => n > 0).map(([n, says]) => `${formatCount(n)} ${says}`),
  ];
}

/** Every run of a report reads the figures anew: all that is left of one are its files. */
async function tellReport(context: CliContext, input: Input, job: ReportJob): Promise<void> {
  const last = await findLastReport(job);
  const madeAt = last === undefined ? null : new Date(last.madeMs).toISOString();
  if (readFlag(input, "json")) {
    const none = { rows: {}, unfinished: 0, bad: 0, vanished: 0 };
    const summary = { job: job.name, isStarted: last !== undefined, ...none, madeAt };
    context.out(
      `${JSON.stringify({ type: "summary", ...summary, folder: last?.folder ?? null })}\n`,
    );
    return;
  }
  const says =
    last === undefined
      ? "not made yet"
      : `last made ${madeAt?.slice(0, 16).replace("T", " ")} UTC, in ${toShortPath(last.folder, context.cwd)}`;
  context.out(
    `${job.name}\n  ${says}\n  a report keeps no state: each run reads the figures anew\n`,
  );
}

export const status: Command = {
  name: "status",
  summary: "say where a job stands",
  argument: { name: "job", says: "the manifest", required: true },
  options: jobOptions,
  examples: [
    "makeready status jobs/table-codes.yaml",
    "makeready status jobs/table-codes.yaml --json",
  ],
  exits: [6, 7],
  async run(context, input) {
    const { job } = await openJob(context, input);
    if (job.kind === "report") {
      await tellReport(context, input, job);
      return 0;
    }
    const nowMs = context.clock.nowMs();
    const state = await readState(stateDirOf(job), { writer: context.writer, salt: "", nowMs });
    const rows = state?.countByState() ?? {};
    const unfinished = state === undefined ? 0 : countUnfinished(state, job.kind);
    const bad = state === undefined ? 0 : [...state.badRows()].length;
    const vanished = state?.count("presence = 'vanished'") ?? 0;
    state?.close();
    if (readFlag(input, "json")) {
      const isStarted = state !== undefined;
      context.out(
        `${JSON.stringify({ type: "summary", job: job.name, isStarted, rows, unfinished, bad, vanished })}\n`,
      );
      return 0;
    }
    const lines =
      state === undefined ? ["not started"] : toLines({ rows, unfinished, bad, vanished });
    context.out(`${job.name}\n${lines.map((line) => `  ${line}\n`).join("")}`);
    return 0;
  },
};
