import type { Command } from "../context.ts";
import { columns } from "./columns.ts";
import { makeCompletion } from "./completion.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { initCommand } from "./init.ts";
import { plan } from "./plan.ts";
import { previewCommand } from "./preview.ts";
import { retry } from "./retry.ts";
import { run } from "./run.ts";
import { schedule } from "./schedule.ts";
import { serve } from "./serve.ts";
import { sheets } from "./sheets.ts";
import { status } from "./status.ts";
import { undo } from "./undo.ts";
import { validate } from "./validate.ts";
import { verify } from "./verify.ts";

/** Every command, in the order of the help. Prints help, feeds the docs test. */
export const commands: readonly Command[] = [
  run,
  plan,
  status,
  retry,
  verify,
  undo,
  validate,
  config,
  columns,
  previewCommand,
  sheets,
  initCommand,
  doctor,
  schedule,
  serve,
  makeCompletion(() => commands),
];

/** Commands that people may look for -> why they are not there. */
export const absentCommands: Readonly<Record<string, string>> = {
  worker:
    "several machines can't share a job yet: its state is one file. Run the job on one machine, or split its spreadsheet",
};
