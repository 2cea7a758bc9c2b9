/** The files that a run will write, in words. */
import type { JobPlan } from "../../../pipeline/results.ts";
import { countIn } from "../../view/figures.tsx";
import type { Words } from "../../words/words.ts";

/** `a.pdf (12 codes)`, `a.pdf to a-3.pdf (1,400 codes in 3 volumes)`. */
export function listPlanned(plan: JobPlan, { language, plan: said }: Words): string[] {
  const { summary, zipVolumes = [], sheetVolumes = [] } = plan;
  const count = countIn(language);
  const volumes = new Map([...zipVolumes, ...sheetVolumes].map((found) => [found.name, found]));
  return [...summary.sheets, ...summary.zips].map(({ name, rows }) => {
    const found = volumes.get(name);
    return found === undefined
      ? said.file(name, count(rows))
      : said.fileVolumes(name, found.last, count(rows), count(found.count));
  });
}
