/** One label, as people recognise it. */
export interface NamedLabel {
  /** Of the spreadsheet, as messages and `failed-rows.csv` have it. */
  readonly line: number;
  /** The same in words: `line 4`, `number 0004`, `serial 7K2M9`, `file x.pdf`. */
  readonly place: string;
  readonly key: string;
  readonly caption: string;
  /** Which label of its row, from 1; only where the row has several and counters tell them apart. */
  readonly copy?: number | undefined;
  /** The PDF of the job that it lies in. */
  readonly file: string;
}
