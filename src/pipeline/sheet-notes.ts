/** What a plan says of its sheets: where they begin, what is made anew, and of captions. */
import path from "node:path";

import type { PlanGroup } from "../plan/tally.ts";
import type { SheetOptions } from "../print/sheets.ts";
import type { State } from "../state/state.ts";
import { recallInput } from "./input-facts.ts";
import type { LabelPlan } from "./label-census.ts";
import type { PlanNote } from "./plan-notes.ts";
import { findSheetsAnew } from "./sheets-anew.ts";
import type { WorkJob } from "./work.ts";

interface Sheets {
  readonly groups: readonly PlanGroup[];
  readonly labels: LabelPlan;
  readonly finished: { readonly state: State; readonly writer: string } | undefined;
  readonly inputName: string;
  /** `start: continue`: the first cell of each PDF. */
  readonly starts: ReadonlyMap<string, number>;
}

/** So many PDFs with smaller captions are named. */
const SIZES_SHOWN = 3;

function toCaptionNotes({ sizes }: LabelPlan): PlanNote[] {
  if (sizes.length === 0) return [];
  const examples = sizes.toSorted((a, b) => a.sizePt - b.sizePt).slice(0, SIZES_SHOWN);
  return [{ code: "caption-size", count: sizes.length, examples }];
}

function noteStarts({ starts, groups }: Sheets, { sheet, start = 1 }: SheetOptions): PlanNote[] {
  const fixed = start === 1 ? [] : groups.map(({ name }) => [name, start] as const);
  const cells = starts.size > 0 ? [...starts] : fixed;
  const begins = cells.map(([file, cell]) => ({ file: path.basename(file), cell }));
  return begins.length === 0 ? [] : [{ code: "sheet-start", sheet: sheet.name, begins }];
}

/** @param options those that all PDFs of the job have in common */
export async function noteSheets(
  job: Pick<WorkJob, "name" | "kind" | "file" | "output">,
  options: SheetOptions,
  sheets: Sheets,
): Promise<PlanNote[]> {
  const { groups, finished, inputName, labels } = sheets;
  const own = [...noteStarts(sheets, options), ...toCaptionNotes(labels)];
  if (finished === undefined) return own;
  const input = recallInput(finished.state, inputName);
  const wanted = new Set(groups.map(({ name }) => name));
  const { older, ...others } = await findSheetsAnew({ job, ...finished, input, wanted }, options);
  return [
    ...own,
    ...older.map((found): PlanNote => ({ code: "sheets-anew", ...found })),
    ...(["changed", "input"] as const).map((why): PlanNote => ({
      code: "files-remade",
      why,
      files: others[why],
    })),
  ];
}
