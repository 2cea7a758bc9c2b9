/**
 * Columns of an existing code that templates of kinds with `select` may use, beside `date` and
 * `month`.
 */
export const codeColumns = [
  "id",
  "display_name",
  "qr_data",
  "qr_type",
  "shortlink_url",
  "folder",
  "created",
] as const;

/** Columns of a PDF in a folder that templates may use. */
export const pdfColumns = ["file", "name", "folder"] as const;

/** Columns of rows that a job numbers itself, and of those with serials. */
export const numberColumns = ["number"] as const;
export const serialColumns = ["number", "serial"] as const;
