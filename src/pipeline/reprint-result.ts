/** What came of labels and sheets that were printed again. */
import { joinPressWarnings, type PressWarning } from "../base/press-warning.ts";

export interface Reprint {
  readonly files: readonly string[];
  readonly codes: number;
  readonly decoded: number;
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
  codes: 0,
  decoded: 0,
  pages: 0,
  isReady: true,
  isRehearsal: false,
  warnings: [],
  findings: [],
};

/** Of several PDFs. */
export const addUp = (a: Reprint, b: Reprint): Reprint => ({
  files: [...a.files, ...b.files],
  codes: a.codes + b.codes,
  decoded: a.decoded + b.decoded,
  pages: a.pages + b.pages,
  isReady: a.isReady && b.isReady,
  isRehearsal: a.isRehearsal || b.isRehearsal,
  ...((b.nextCell ?? a.nextCell) !== undefined && { nextCell: b.nextCell ?? a.nextCell }),
  warnings: joinPressWarnings([a.warnings, b.warnings]),
  findings: [...a.findings, ...b.findings],
});
