/** Whether bytes can be a PDF that programs open: its header, its objects, its end. */

/** Readers take a header anywhere in the first kilobyte. */
const HEADER_BYTES = 1024;

export const hasPdfHeader = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, HEADER_BYTES)).includes("%PDF-");

/** What is wrong with bytes that begin as a PDF; undefined for one that has all that it needs. */
export function findPdfFault(
  bytes: Buffer,
): "cut off, without its end" | "without any page" | undefined {
  const hasObjects = bytes.includes(" obj");
  const end = bytes.lastIndexOf("%%EOF");
  // Behind its last end, a whole PDF has no objects.
  const isCutOff =
    end < 0
      ? hasObjects && !bytes.subarray(-HEADER_BYTES).includes("startxref")
      : bytes.includes(" obj", end);
  if (isCutOff) return "cut off, without its end";
  return hasObjects ? undefined : "without any page";
}
