/** The front door of `makeready/qr`: text and design in, SVG and PNG out. */
export { resolveDesign, type Design, type DesignInput } from "./draw/design.ts";
export { encodeQr } from "./encode/encode.ts";
export { labelFonts, openQrEngine, type QrEngine, type QrEngineOptions } from "./engine.ts";
