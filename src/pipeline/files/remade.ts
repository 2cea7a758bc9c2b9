/** What is known of finished files that no longer are what their job says. */
import type { Problem } from "../../base/errors.ts";

/** Why a run makes finished files anew. */
export type RemadeReason =
  /** The last run did not end. */
  | "unfinished"
  | "missing"
  /** Not what was written. */
  | "damaged"
  /** Another version of makeready made them. */
  | "program"
  /** Their layout, or what stands on their labels. */
  | "changed"
  /** Of archives. */
  | "contents"
  /** The spreadsheet, of which sheets keep the hash. */
  | "input";

/** Finished files that are not as the last run left them, relative to the output folder. */
export interface LostFiles {
  readonly missing: readonly string[];
  /** Not what was written. */
  readonly damaged: readonly string[];
}

/** What has changed of a finished job. */
export interface ChangedSince extends LostFiles {
  /** The manifest, the spreadsheet or a file that it names. */
  readonly isChanged: boolean;
  /** What of it, where `isChanged`; `job`: all but the spreadsheet. */
  readonly changed?: "spreadsheet" | "job" | "both";
  /**
   * The last run found no good row and kept all files. `mended`: the job is again as it was when they
   * were made.
   */
  readonly kept?: "bad" | "mended";
  /** Why it is not known what has changed: a file can't be read. */
  readonly unseen?: Problem;
}
