/** The sheet of paper that a page of a PDF lies on: with backs, a sheet has two pages. */
import type { Cell } from "../../state/row.ts";
import type { Work, WorkJob } from "./work.ts";
import { readSheetGroups } from "./sheets.ts";

/** Number of a label's sheet in its file, from 1. */
export type SheetOf = (cell: Pick<Cell, "file" | "page">) => number;

export function toSheetOf({
  state,
  job: {
    output: { sheets },
  },
}: Pick<Work, "state"> & { readonly job: Pick<WorkJob, "output"> }): SheetOf {
  if (sheets === null || sheets.back === null) return ({ page }) => page;
  if (sheets.pages === "interleaved") return ({ page }) => Math.ceil(page / 2);
  const fronts = new Map(
    readSheetGroups({ state }).flatMap(({ volumes }) =>
      volumes.map(({ file, pages }) => [file, pages / 2] as const),
    ),
  );
  // All fronts come first; a file that is gone tells no more than its page.
  return ({ file, page }) => {
    const before = fronts.get(file) ?? page;
    return page > before ? page - before : page;
  };
}
