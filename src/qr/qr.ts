/** The front door of `makeready/qr`: text and design in, SVG and PNG out. */
export type { ContactCell, ContactSheetOptions } from "./draw/contact-sheet.ts";
export { resolveDesign, type Design, type DesignInput } from "./draw/design.ts";
export type { LeastSize } from "./draw/least-size.ts";
export { encodeQr, type QrMatrix } from "./encode/encode.ts";
export type { QrLevel } from "./encode/tables.ts";
export { labelFonts, openQrEngine, type QrEngine, type QrEngineOptions } from "./engine.ts";
export type { GradeParameters, PredictedGrade } from "./grade/predict-grade.ts";
export type { PrintConditions } from "./grade/print-picture.ts";
export type { PixelOptions } from "./png/png.ts";
export type { PngCompression } from "./png/png-file.ts";
