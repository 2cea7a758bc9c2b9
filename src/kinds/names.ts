/** Kinds whose rows become things on the server, and from there files, sheets and archives. */
export const rowKinds = ["codes", "products", "links", "pdfs", "pages", "forms"] as const;
export type RowKind = (typeof rowKinds)[number];

/** Kinds that work on codes which exist. */
export const selectKinds = ["redesign", "retarget", "report", "export"] as const;
export type SelectKind = (typeof selectKinds)[number];

/** Every kind of docs/spec/jobs.md section 1. */
export const kinds = [...rowKinds, ...selectKinds] as const;
export type Kind = (typeof kinds)[number];

export const isRowKind = (kind: Kind): kind is RowKind => rowKinds.some((one) => one === kind);

/** kind -> what it makes of a row, in the singular; left out: code. */
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
