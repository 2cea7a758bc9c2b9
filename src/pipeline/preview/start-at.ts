/** Which label was clicked on the picture of a sheet. */
import type { RowJob } from "../../kinds/any-job.ts";
import { isStackMode, type Corner, type OrderMode } from "../../print/layout/imposition.ts";
import { cellBox, type LabelSheet } from "../../print/layout/label-sheet.ts";
import { makeSheetJob } from "../../print/sheet-job.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";

export interface Filling {
  readonly order: OrderMode;
  readonly corner: Corner;
}

interface PointMm {
  readonly x: number;
  readonly y: number;
}

/** Its number in the order in which labels fill the sheet, from 1; undefined beside the labels, and for orders that begin on a whole sheet. */
export function startAt(
  sheet: LabelSheet,
  { order, corner }: Filling,
  { x, y }: PointMm,
): number | undefined {
  if (isStackMode(order)) return undefined;
  const { rows, columns } = sheet;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const box = cellBox(sheet, row, column);
      const isIn = x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
      if (!isIn) continue;
      const down = corner.startsWith("bottom") ? rows - 1 - row : row;
      const across = corner.endsWith("right") ? columns - 1 - column : column;
      return 1 + (order === "rows" ? down * columns + across : across * rows + down);
    }
  }
  return undefined;
}

export interface Click {
  /** From the upper left corner of the picture. */
  readonly xPx: number;
  readonly yPx: number;
  /** Of the picture as it was shown. */
  readonly widthPx: number;
}

/** Where printing begins after a click; undefined where it can't begin there. */
export async function findClicked(
  job: RowJob,
  { xPx, yPx, widthPx }: Click,
): Promise<number | undefined> {
  const options = await makeSheetOptions(job, {
    createdAt: "",
    isRehearsal: false,
    input: { name: "", sha256: "", columns: [] },
  });
  const { sheets } = job.output;
  if (options === undefined || sheets === null) return undefined;
  const { margins, trimWidthMm } = makeSheetJob(options).frame;
  const mmPerPx = (margins.left + trimWidthMm + margins.right) / widthPx;
  const point = { x: xPx * mmPerPx - margins.left, y: yPx * mmPerPx - margins.top };
  return startAt(options.sheet, sheets, point);
}
