/** Where labels lie on the pages of a job's finished PDFs. */
import type { RowJob } from "../../kinds/any-job.ts";
import type { BoxMm } from "../../print/layout/box.ts";
import { cellBox } from "../../print/layout/label-sheet.ts";
import { makeSheetJob } from "../../print/sheet-job.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";

export interface SheetFace {
  /** Of the label sheet. */
  readonly name: string;
  /** Whole page, marks included. */
  readonly widthMm: number;
  readonly heightMm: number;
  /** Pages of a sheet: 2 where labels have a back. */
  readonly faces: number;
  /** Page of a file that shows the front of its sheet, both from 1. */
  readonly frontOf: (sheet: number) => number;
  /** Labels of a page. */
  readonly perSheet: number;
  /** In mm from the upper left corner of the page; row and column count from 1. */
  boxOf(row: number, column: number): BoxMm;
}

/** As the manifest has it today; undefined for jobs without sheets. */
export async function findSheetFace(job: RowJob): Promise<SheetFace | undefined> {
  const options = await makeSheetOptions(job, {
    createdAt: "",
    isRehearsal: false,
    input: { name: "", sha256: "", columns: [] },
  });
  if (options === undefined) return undefined;
  const { frame, faces, pages } = makeSheetJob(options);
  const { margins, trimWidthMm, trimHeightMm } = frame;
  const { sheet } = options;
  return {
    name: sheet.name,
    widthMm: margins.left + trimWidthMm + margins.right,
    heightMm: margins.top + trimHeightMm + margins.bottom,
    faces: faces.length,
    frontOf: (sheet) => (pages === "fronts-first" ? sheet : (sheet - 1) * faces.length + 1),
    perSheet: sheet.perSheet,
    boxOf: (row, column) => {
      const box = cellBox(sheet, row - 1, column - 1);
      return { ...box, x: box.x + margins.left, y: box.y + margins.top };
    },
  };
}
