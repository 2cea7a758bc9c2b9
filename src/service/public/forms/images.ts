/** Images from strangers: decoded and encoded again, so that nothing hidden in the file remains. */
import { normalizeImage, type ImageRules } from "../../../qr/png/raster.ts";

import { MAX_IMAGE_MB } from "./field-rules.ts";

const rules: ImageRules = {
  field: "image",
  maxBytes: MAX_IMAGE_MB * 1024 * 1024,
  // Phone cameras have at most 50 million.
  maxPixels: 50_000_000,
  maxSidePx: 2048,
  format: "jpeg",
};

/** JPEG, PNG, GIF or WebP -> a JPEG without metadata; throws an AppError of kind "input". */
export const normalizeUpload = (file: Uint8Array): Promise<Uint8Array> =>
  normalizeImage(file, rules);
