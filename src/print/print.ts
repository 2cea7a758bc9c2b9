/** The front door of `makeready/print`: records on label sheets, as press-ready PDF. */
export type { LabelSheet } from "./label-sheet.ts";
export { listSheets, loadSheet } from "./sheet-files.ts";
export { planSheets, writeSheets, type SheetOptions, type SheetRecord } from "./sheets.ts";
