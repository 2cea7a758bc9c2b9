/** Kinds whose rows become things on the server, and from there files, sheets and archives. */
export const rowKinds = ["codes", "products", "links", "pdfs", "pages", "forms"] as const;
export type RowKind = (typeof rowKinds)[number];

/** Kinds that work on codes which exist. */
export const selectKinds = ["redesign", "retarget", "report", "export"] as const;
export type SelectKind = (typeof selectKinds)[number];

/** Every kind of `jobs.md` section 1. */
export const kinds = [...rowKinds, ...selectKinds] as const;
export type Kind = (typeof kinds)[number];

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
