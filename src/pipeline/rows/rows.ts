/** The steps of all kinds whose rows become things on the server. */
import type { RowJob } from "../../kinds/any-job.ts";
import { undoRetire } from "../retire/undo-retire.ts";
import type { Strategy } from "../strategy.ts";
import { verifyRowJob } from "../standing/verify.ts";
import { planRowJob } from "./plan-rows.ts";
import { runRowJob } from "./run-rows.ts";

export const rows: Strategy<RowJob> = {
  plan: planRowJob,
  run: runRowJob,
  verify: verifyRowJob,
  undo: undoRetire,
};
