import { showKey } from "../../base/row-key.ts";
import type { Job } from "../../kinds/any-job.ts";
import { sayIn, type RowsFrom } from "../../base/rows-from.ts";
import type { CommandOf } from "../../pipeline/ports.ts";
import type { JobStatus } from "../../pipeline/status.ts";
import { readFlag, type CliContext, type Input } from "../context.ts";
import { toShortPath } from "../../base/format-problem.ts";
import { toNextCommand } from "../next-command.ts";
import { openJob } from "../open-job.ts";
import { readSetting } from "../settings.ts";
import { toPeople } from "../terminal.ts";
import { formatCount } from "../../base/words.ts";

/** state -> what it means to a person. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  pending: "not sent yet",
  sending: "on the wire",
  doubt: "in doubt: the answer was lost",
  done: "done",
  failed: "refused by the server",
  conflict: "found on the server, but not clearly the row's",
};

/** As many keys are named on the terminal. */
const KEYS_SHOWN = 10;

function toGoneLines(keys: readonly string[], retry: string, from: RowsFrom): string[] {
  if (keys.length === 0) return [];
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => JSON.stringify(showKey(key)));
  const names = [...shown, ...(keys.length > KEYS_SHOWN ? ["…"] : [])].join(", ");
  return [
    `${formatCount(keys.length)} no longer ${sayIn(from)} may have a code all the same (${names}); looked for by: ${retry}`,
  ];
}

function toLines(standing: JobStatus, commandOf: CommandOf): string[] {
  const { rows, missingFiles, unfinished, bad, vanished, goneInDoubt, from } = standing;
  const files = `, files of ${formatCount(missingFiles)} missing (fetched by: ${commandOf("run")})`;
  const others: readonly (readonly [number, string])[] = [
    [unfinished, "of the done are not yet what their rows want"],
    [bad, `bad ${sayIn(from)}`],
    [vanished, `no longer ${sayIn(from)}`],
  ];
  return [
    ...Object.entries(rows).map(
      ([name, n]) =>
        `${formatCount(n)} ${STATE_WORDS[name] ?? name}${name === "done" && missingFiles > 0 ? files : ""}`,
    ),
    ...others.filter(([n]) => n > 0).map(([n, says]) => `${formatCount(n)} ${says}`),
    ...toGoneLines(goneInDoubt, commandOf("retry"), from),
  ];
}

const print = (context: CliContext, lines: readonly string[]): void =>
  toPeople(context).out(lines.map((line, at) => `${at === 0 ? "" : "  "}${line}\n`).join(""));

/** Every run of a report reads the figures anew: all that is left of one are its files. */
function tellReport(context: CliContext, input: Input, job: string, status: JobStatus): void {
  const { lastReport: last, ...standing } = status;
  const madeAt = last ? new Date(last.madeMs).toISOString() : null;
  if (readFlag(input, "json")) {
    const { isStarted, ...nothing } = standing;
    const summary = { type: "summary", job, isStarted, ...nothing, madeAt };
    context.out(`${JSON.stringify({ ...summary, folder: last?.folder ?? null })}\n`);
    return;
  }
  const says = last
    ? `last made ${madeAt?.slice(0, 16).replace("T", " ")} UTC, in ${toShortPath(last.folder, context.cwd)}`
    : "not made yet";
  print(context, [job, says, "a report keeps no state: each run reads the figures anew"]);
}

function tellStatus(context: CliContext, input: Input, job: Job, status: JobStatus): void {
  const { isStarted, ...standing } = status;
  if (readFlag(input, "json")) {
    const summary = { type: "summary", job: job.name, isStarted, ...standing };
    context.out(`${JSON.stringify(summary)}\n`);
    return;
  }
  const commandOf: CommandOf = (command) => toNextCommand(context, input, command);
  print(context, [job.name, ...(isStarted ? toLines(status, commandOf) : ["not started"])]);
}

export async function status(context: CliContext, input: Input): Promise<number> {
  const on = readSetting(context, input, "on");
  if (on !== undefined && (input.argument === undefined || on.from === "--on")) {
    const { tellQueue } = await import("./queue-status.ts");
    await tellQueue(context, input, on.text);
    if (input.argument === undefined) return 0;
  }
  const opened = await openJob(context, input);
  const { job } = opened;
  const found = await opened.status(context);
  if (found.lastReport === undefined) tellStatus(context, input, job, found);
  else tellReport(context, input, job.name, found);
  return 0;
}
