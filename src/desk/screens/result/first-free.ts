/** Where labels that are printed again begin on the sheet in the printer. */
import type { Context } from "hono";

import { isRowJob, type Job } from "../../../kinds/any-job.ts";
import { lookAtState } from "../../../pipeline/standing/look-at-state.ts";
import { findSheetFace } from "../../../pipeline/preview/sheet-face.ts";
import { readSheetGroups } from "../../../pipeline/stages/sheets.ts";
import type { DeskContext } from "../../context.ts";
import { openDeskJob, readField } from "../../jobs.ts";
import { countIn } from "../../view/figures.tsx";
import { wordsFor } from "../../words/words.ts";
import type { Tick } from "./ticked.ts";

/** The result page once more, with what is ticked and why that was refused. */
export type ShowRefused = (c: Context, refused: string) => Promise<Response>;

/** The PDFs that ticked labels lie in; one that comes in several volumes is one. */
const listPdfs = (job: Job, desk: DeskContext, ticks: readonly Tick[]): Promise<string[]> =>
  lookAtState(job, desk, (state) => {
    const groups = state === undefined ? [] : readSheetGroups({ state });
    const nameOf = ({ file }: Tick): string =>
      groups.find(({ volumes }) => volumes.some((one) => one.file === file))?.name ?? file;
    return [...new Set(ticks.map(nameOf))];
  });

/** The first free label that a form has sent, or in words of the page why it is refused. */
export async function readStart(
  c: Context,
  desk: DeskContext,
  { manifest, ticks }: { readonly manifest: string; readonly ticks: readonly Tick[] },
): Promise<number | string> {
  const typed = (await readField(c, "start")) || "1";
  const { job } = await openDeskJob(desk, manifest);
  const face = isRowJob(job) ? await findSheetFace(job) : undefined;
  const { language, units } = wordsFor(c);
  const [start, most] = [Number(typed), face?.perSheet ?? 1];
  if (!Number.isInteger(start) || start < 1 || start > most) {
    return units.startRange(countIn(language)(most), typed);
  }
  const pdfs = start === 1 ? [] : await listPdfs(job, desk, ticks);
  return pdfs.length < 2 ? start : units.startOfOne(pdfs.join(", "), typed);
}
