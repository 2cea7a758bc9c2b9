/** Whether bytes can be a PDF that programs open: its header, its objects, its end. Nothing is parsed. */

/** Readers take a header anywhere in the first kilobyte. */
const HEADER_BYTES = 1024;

export const hasPdfHeader = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, HEADER_BYTES)).includes("%PDF-");

/** Pages and all else of a PDF are objects. */
export const hasPdfObjects = (bytes: Buffer): boolean => bytes.includes(" obj");

/** True for what has objects and no end. Behind its last end, a whole PDF has no objects. */
export function isCutOff(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf("%%EOF");
  if (end >= 0) return bytes.includes(" obj", end);
  return hasPdfObjects(bytes) && !bytes.subarray(-HEADER_BYTES).includes("startxref");
}
