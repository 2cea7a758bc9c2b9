/** The front door of `makeready/print`: records on label sheets, as press-ready PDF. */
export type { LabelSheet } from "./layout/label-sheet.ts";
export { listSheets, loadSheet } from "./layout/sheet-files.ts";
export { planSheets, writeSheets, type SheetOptions, type SheetRecord } from "./sheets.ts";
