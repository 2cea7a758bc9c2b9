/** Where labels that are printed again begin on the sheet in the printer. */
import type { Context } from "hono";

import { badUsage } from "../../../base/errors.ts";
import { isRowJob } from "../../../kinds/any-job.ts";
import { findSheetFace } from "../../../pipeline/preview/sheet-face.ts";
import type { DeskContext } from "../../context.ts";
import { openDeskJob, readField } from "../../jobs.ts";

/** The first free label that a form has sent. Throws `bad-usage` for one that the job's sheet lacks. */
export async function readStart(c: Context, desk: DeskContext, manifest: string): Promise<number> {
  const typed = (await readField(c, "start")) || "1";
  const { job } = await openDeskJob(desk, manifest);
  const face = isRowJob(job) ? await findSheetFace(job) : undefined;
  const [start, most] = [Number(typed), face?.perSheet ?? 1];
  if (Number.isInteger(start) && start >= 1 && start <= most) return start;
  throw badUsage(
    `the first free label of the sheet in the printer must be a number from 1 to ${most}, got ${typed}`,
    "count from the upper left, row by row",
  );
}
