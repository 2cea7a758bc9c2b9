/** The sample job that an empty folder offers. */
import { writeNewFileAtomic } from "../../../base/files/atomic-file.ts";
import { makeSample } from "../../../pipeline/draft/samples.ts";
import { resolveInside } from "../../folder.ts";
import { DEFAULT_SHEET } from "../label/stock.ts";
import { lookAtSource } from "./columns.ts";
import { isThere, saveJob } from "./save.ts";

export const SAMPLE = "sample";
export const SAMPLE_THING = "dynamic-link";

/** Writes `sample.csv` and its job; answers the manifest. What is there already stays. */
export async function writeSample(folder: string): Promise<string> {
  const source = `${SAMPLE}.csv`;
  await writeNewFileAtomic(await resolveInside(folder, source), makeSample()).catch(
    (error: unknown) => {
      if (!isThere(error)) throw error;
    },
  );
  return saveJob(folder, source, {
    name: SAMPLE,
    look: await lookAtSource(folder, source),
    thing: SAMPLE_THING,
    columns: { payload: "url" },
    key: ["shelf"],
    caption: ["shelf", "room"],
    sheet: DEFAULT_SHEET,
  });
}
