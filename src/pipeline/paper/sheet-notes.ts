/** What a plan says of its sheets: where they begin, what is made anew, and of captions. */
import path from "node:path";

import type { PlanGroup } from "../../plan/tally.ts";
import type { SheetOptions } from "../../print/sheets.ts";
import type { State } from "../../state/state.ts";
import { recallInput } from "../source/input-facts.ts";
import type { LabelPlan } from "./label-census.ts";
import type { PlanNote } from "./plan-notes.ts";
import { findSheetsAnew } from "../files/sheets-anew.ts";
import type { WorkJob } from "../stages/work.ts";

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

const MM_PER_INCH = 25.4;
/** Of a dot: places are kept to a millionth of a millimetre. */
const ON_GRID = 0.001;

/** The X-dimension of finished PDFs from before there was a grid by default; undefined where they keep to it. */
function findOffGrid(
  state: State,
  files: readonly string[],
  { deviceDpi, isDefaultDpi }: SheetOptions,
): number | undefined {
  if (isDefaultDpi !== true || typeof deviceDpi !== "number") return undefined;
  const isOff = (xMm: number): boolean => {
    const dots = (xMm * deviceDpi) / MM_PER_INCH;
    return Math.abs(dots - Math.round(dots)) > ON_GRID;
  };
  const leastOf = (file: string): number => {
    let least = Infinity;
    for (const { labels } of state.sheetRows(file, ["labels"])) {
      const sizes = labels.map(({ xMm }) => xMm);
      // One label on the grid: the PDF was made for it.
      if (!sizes.every(isOff)) return Infinity;
      least = Math.min(least, ...sizes);
    }
    return least;
  };
  const least = Math.min(Infinity, ...files.map(leastOf));
  return least === Infinity ? undefined : least;
}

/**
 * @param options those that all PDFs of the job have in common
 * @returns also the X-dimension of finished PDFs that stay, where it isn't that of new ones
 */
export async function noteSheets(
  job: Pick<WorkJob, "name" | "kind" | "file" | "output">,
  options: SheetOptions,
  sheets: Sheets,
): Promise<{ readonly notes: PlanNote[]; readonly keptMm?: number | undefined }> {
  const { groups, finished, inputName, labels } = sheets;
  const own = [...noteStarts(sheets, options), ...toCaptionNotes(labels)];
  if (finished === undefined) return { notes: own };
  const input = recallInput(finished.state, inputName);
  const wanted = new Set(groups.map(({ name }) => name));
  const { older, kept, ...others } = await findSheetsAnew(
    { job, ...finished, input, wanted },
    options,
  );
  const notes = [
    ...own,
    ...older.map((found): PlanNote => ({ code: "sheets-anew", ...found })),
    ...(["changed", "input"] as const).map((why): PlanNote => ({
      code: "files-remade",
      why,
      files: others[why],
    })),
  ];
  return { notes, keptMm: findOffGrid(finished.state, kept, options) };
}
