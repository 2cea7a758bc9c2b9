/** What came of labels and sheets that were printed again. */
import { joinPressWarnings, type PressWarning } from "../../base/shapes/press-warning.ts";

export interface Reprint {
  readonly files: readonly string[];
  /** A label may have several codes and symbols, and a back. */
  readonly labels: number;
  /** Codes and symbols on these labels, and those of them that were read back. */
  readonly codes: number;
  readonly decoded: number;
  /** How many of them are symbols. */
  readonly symbols: number;
  readonly pages: number;
  readonly isReady: boolean;
  /** The codes lead to this computer only. */
  readonly isRehearsal: boolean;
  /** Of labels on a part-used sheet, with `start: continue`: the cell where the next job on such sheets begins. */
  readonly nextCell?: number;
  /** What differs on the labels from what the job wants. */
  readonly warnings: readonly PressWarning[];
  readonly findings: readonly { readonly rule: string; readonly message: string }[];
}

export const NOTHING: Reprint = {
  files: [],
  labels: 0,
  codes: 0,
  decoded: 0,
  symbols: 0,
  pages: 0,
  isReady: true,
  isRehearsal: false,
  warnings: [],
  findings: [],
};

/** Of several PDFs. */
export const addUp = (a: Reprint, b: Reprint): Reprint => ({
  files: [...a.files, ...b.files],
  labels: a.labels + b.labels,
  codes: a.codes + b.codes,
  decoded: a.decoded + b.decoded,
  symbols: a.symbols + b.symbols,
  pages: a.pages + b.pages,
  isReady: a.isReady && b.isReady,
  isRehearsal: a.isRehearsal || b.isRehearsal,
  ...((b.nextCell ?? a.nextCell) !== undefined && { nextCell: b.nextCell ?? a.nextCell }),
  warnings: joinPressWarnings([a.warnings, b.warnings]),
  findings: [...a.findings, ...b.findings],
});
