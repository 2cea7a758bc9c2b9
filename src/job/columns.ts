/** What templates of kinds with `select` may name of a code that exists, beside `date` and `month`. */
export const codeColumns = [
  "id",
  "display_name",
  "qr_data",
  "qr_type",
  "shortlink_url",
  "folder",
  "created",
] as const;

/** What templates may name of a PDF that was found in a folder. */
export const pdfColumns = ["file", "name", "folder"] as const;

/** What templates may name of rows that a job numbers itself; of those with serials, too. */
export const numberColumns = ["number"] as const;
export const serialColumns = ["number", "serial"] as const;
