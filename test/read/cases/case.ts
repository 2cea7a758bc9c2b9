/** What a case of the tables in this folder says; `test/read/cases.test.ts` holds all against it. */
import type { JobSource } from "../../../src/job/job.ts";
import type { ColumnSpec } from "../make-source.ts";

export interface Case {
  /** What is special about the file. */
  readonly name: string;
  /** Content of a CSV file, or a whole workbook. */
  readonly file: string | Uint8Array;
  /** Name of the file; default: `case.csv` for texts, `case.xlsx` for ZIPs. */
  readonly as?: string;
  readonly columns?: Record<string, ColumnSpec>;
  readonly source?: Partial<JobSource>;
  /** Columns that templates use. */
  readonly uses?: readonly string[];
  /** Values of the good rows: each has these at least. */
  readonly taken?: readonly Readonly<Record<string, string>>[];
  /** `line column: message` of every problem, or parts of it in this order. */
  readonly refused?: readonly string[];
  /** Parts of every warning, in their order. */
  readonly warned?: readonly string[];
  /** Part of the message that refuses the whole file. */
  readonly fails?: string;
}
