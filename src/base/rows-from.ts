/** Where the rows of a job come from, and how people speak of it. */
const places = {
  spreadsheet: "in the spreadsheet",
  /** Standard input, or a web address. */
  stream: "in what was read",
  folder: "in the folder",
  manifest: "in the manifest",
  range: "in the range",
  serials: "among the serials",
  /** The rows are codes that exist. */
  codes: "among the codes",
} as const;

export type RowsFrom = keyof typeof places;

/** `in the spreadsheet`: where a row is, or is no longer. */
export const sayIn = (from: RowsFrom): string => places[from];

/** Of a job, or of what its stages know of it. */
export const rowsFromOf = (job: {
  readonly kind: string;
  readonly source?: { readonly from: Exclude<RowsFrom, "codes"> } | null;
}): RowsFrom => job.source?.from ?? "codes";
