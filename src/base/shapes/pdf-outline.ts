/**
 * Whether bytes may be a PDF that programs can open: its header, its objects, its end. Nothing is
 * parsed.
 */

/** Readers accept a header anywhere in the first kilobyte. */
const HEADER_BYTES = 1024;

export const hasPdfHeader = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, HEADER_BYTES)).includes("%PDF-");

/** Pages and everything else in a PDF are objects. */
export const hasPdfObjects = (bytes: Buffer): boolean => bytes.includes(" obj");

/** True for a PDF with objects and no end: in a complete one, no objects follow the last end. */
export function isCutOff(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf("%%EOF");
  if (end >= 0) return bytes.includes(" obj", end);
  return hasPdfObjects(bytes) && !bytes.subarray(-HEADER_BYTES).includes("startxref");
}
