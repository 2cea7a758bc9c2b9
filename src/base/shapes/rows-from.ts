/** Where the rows of a job come from, and the words for it. */
const places = {
  spreadsheet: "in the spreadsheet",
  /** Standard input, or a web address. */
  stream: "in what was read",
  folder: "in the folder",
  manifest: "in the manifest",
  range: "in the range",
  serials: "among the serials",
  /** The rows are existing codes. */
  codes: "among the codes",
} as const;

export type RowsFrom = keyof typeof places;

/** `in the spreadsheet`: where a row is, or no longer is. */
export const sayIn = (from: RowsFrom): string => places[from];

/** `no longer in the spreadsheet`: of a row that is gone. */
export const sayNoLonger = (from: RowsFrom): string => `no longer ${sayIn(from)}`;

/** For a job, or for what its stages know of it. */
export const rowsFromOf = (job: {
  readonly kind: string;
  readonly source?: { readonly from: Exclude<RowsFrom, "codes"> } | null;
}): RowsFrom => job.source?.from ?? "codes";
