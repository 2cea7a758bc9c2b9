/** Kinds whose rows become things on the server, and from there files, sheets and archives. */
export const rowKinds = ["codes", "products", "links", "pdfs", "pages", "forms"] as const;
export type RowKind = (typeof rowKinds)[number];

/** Kinds that work on codes which exist. */
export const selectKinds = ["redesign", "retarget", "report", "export"] as const;
export type SelectKind = (typeof selectKinds)[number];

/** Every kind of `jobs.md` section 1. */
export const kinds = [...rowKinds, ...selectKinds] as const;
export type Kind = (typeof kinds)[number];

/** kind -> where its rows come from, what becomes of each, and what that costs at best. */
export const kindFacts = {
  codes: {
    rows: "spreadsheet",
    does: "QR code of type Link, Text, vCard or GS1, static or dynamic",
    calls: "1 write",
  },
  products: {
    rows: "spreadsheet",
    does: "GS1 product with its link types, and its code when `code` is given",
    calls: "1 write, 1 more per extra link type, 1 more with code",
  },
  links: { rows: "spreadsheet", does: "short link with its code", calls: "1 write" },
  pdfs: {
    rows: "spreadsheet, or a folder of PDFs",
    does: "hosted PDF with its code",
    calls: "1 write; 1 more to file it, 1 more to style it",
  },
  pages: {
    rows: "spreadsheet",
    does: "landing page with link buttons, and its code",
    calls: "1 write; 1 more to file its code, 1 more to style it",
  },
  forms: {
    rows: "spreadsheet, or the manifest itself",
    does: "form, published, with its code",
    calls: "3 writes",
  },
  redesign: {
    rows: "`select`",
    does: "other looks for codes that exist",
    calls: "1 write, none for a code that looks so already",
  },
  retarget: {
    rows: "spreadsheet",
    does: "other destination, name, folder or tags for codes that exist",
    calls: "1 write, none where nothing changes",
  },
  report: {
    rows: "`select`",
    does: "scans per code, folder or workspace",
    calls: "no write, 1 read per 200 codes",
  },
  export: {
    rows: "`select`",
    does: "artwork, archives and sheets of codes that exist",
    calls: "no write",
  },
} as const satisfies Record<Kind, { rows: string; does: string; calls: string }>;

/** kind -> what it makes of a row, one of it; left out: code. */
const things: Partial<Record<Kind, string>> = {
  products: "product",
  links: "link",
  pdfs: "PDF",
  pages: "page",
  forms: "form",
};

/** `code`, `product`, `PDF`. */
export const toThing = (kind: Kind): string => things[kind] ?? "code";

export const toThings = (kind: Kind): string => `${toThing(kind)}s`;

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
