/** The entry of `makeready/print`: records on label sheets, as press-ready PDF. */
export type {
  ArtBox,
  ArtItem,
  Cmyk,
  Ink,
  LabelArt,
  TextSource,
  SymbolName,
  SymbolText,
  TextStyle,
} from "../base/shapes/label-art.ts";
export type { QrLevel } from "../qr/encode/tables.ts";
export type { CaptionPlace } from "./layout/label-layout.ts";
export type { LabelCounts } from "./art/art-texts.ts";
export type { LogoShapes, PressDesign } from "./art/logo-shapes.ts";
export type { Rgb, SvgFill } from "./art/svg-fills.ts";
export type { Point, Segment } from "../svg/path.ts";
export type { CodeStyle } from "./art/styled-code.ts";
export type { DieLine } from "./draw/die-line.ts";
export type { BackOptions, Background } from "./fonts/face.ts";
export type { Calibration } from "./layout/calibration.ts";
export type { Finish } from "./layout/finish.ts";
export type { LabelSheet, Paper } from "./layout/label-sheet.ts";
export type { FinishPlate } from "./layout/finish.ts";
export type { ConditionName, OwnProfile } from "./pdf/icc-profile.ts";
export { listSheets, loadSheet } from "./layout/sheet-files.ts";
export type { SlugOptions } from "./sheet-job.ts";
export type { SheetPlan } from "./plan-sheets.ts";
export {
  planSheets,
  writeSheets,
  type SheetCell,
  type SheetOptions,
  type SheetRecord,
  type WrittenSheets,
  type WrittenVolume,
} from "./sheets.ts";
