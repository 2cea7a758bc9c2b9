/** The printed sheets that scans are compared with: where each code lies, and the hash of its text. */
import type { SheetCell } from "../print/draw/sheet-cell.ts";

/** One code on paper. */
export type ScanCell = Pick<
  SheetCell,
  "row" | "column" | "key" | "payloadHash" | "version" | "xMm" | "label" | "code"
> & {
  /** Its row among those of the same PDFs, from 0. */
  readonly nth?: number;
  /** Not all of its modules are squares, or a logo covers some: it is dark where no module is, and light on some. */
  readonly isShaped?: true;
};

export interface ScanSheet {
  /** The PDF, as the job names it, and its page from 1. */
  readonly file: string;
  readonly page: number;
  /** The paper, and where the trimmed sheet lies on it, mm. */
  readonly pageMm: { readonly width: number; readonly height: number };
  readonly offsetMm: { readonly x: number; readonly y: number };
  readonly cells: readonly ScanCell[];
  /** Its labels were printed once more: their codes stand on other sheets as well. */
  readonly isReprint?: boolean;
  /** How many rows its PDFs had each time before they were made anew. */
  readonly ends?: readonly number[];
}
