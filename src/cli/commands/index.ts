import type { Command } from "../context.ts";
import { columns } from "./columns.ts";
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
  columns,
  previewCommand,
  sheets,
  initCommand,
  schedule,
  serve,
];
