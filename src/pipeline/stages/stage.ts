/** A job's files are made in stages; `stages.ts` has the table of them. */
import type { Problem } from "../../base/errors.ts";
import type { Ink } from "../../base/shapes/label-art.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import type { RetiredFacts } from "../../pack/report-data.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { WrittenVolume } from "../../print/sheets.ts";
import type { State } from "../../state/state.ts";
import type { RunCounts } from "../standing/counts.ts";
import type { GradeCount } from "../paper/grades.ts";
import type { JudgedLabels } from "../paper/label-census.ts";
import type { Calls, Output, Proof } from "../results.ts";
import type { Limited } from "../standing/limited.ts";
import type { Stopwatch } from "./stopwatch.ts";
import type { Work } from "./work.ts";
import { NO_PICTURES, type PictureProof } from "./picture-proof.ts";
import type { KeptFile, OwnFile } from "./sweep.ts";

/** One finished PDF; `file` is relative to the output folder. */
export interface SheetFile extends Omit<WrittenVolume, "volume" | "labels"> {
  /** Missing in older states. */
  readonly labels?: number | undefined;
}

export interface SheetGroup {
  readonly name: string;
  readonly volumes: readonly SheetFile[];
  readonly warnings: readonly string[];
  /** How many rows it has, and had each time before it was made anew; missing in older states. */
  readonly rows?: number | undefined;
  readonly ends?: readonly number[];
  /** Its pages are repeats of a roll; left out for sheets, and in older states. */
  readonly isRoll?: boolean | undefined;
  /** What differs on them from what the job wants; missing in older states. */
  readonly press?: readonly PressWarning[] | undefined;
  /** Grades that its codes are expected to get, the worst first; missing in older states. */
  readonly grades?: readonly GradeCount[] | undefined;
  /** The inks of its codes' designs; left out where all are plain. */
  readonly designInks?: readonly Ink[] | undefined;
  /** False when the files of an earlier run still hold. */
  readonly isNew: boolean;
}

/** One archive. A group has several when its files don't fit into one. */
export interface ZipFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly entries: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Name of the group; left out in states that are older than volumes. */
  readonly group?: string | undefined;
  /** The file name of its last row: rows lie in the order of these names. */
  readonly lastName?: string | undefined;
  /** In the first archive of a group: its rows that are left to do; left out where there are none. */
  readonly leftToDo?: number | undefined;
  /** The same of others that lack pictures in it. */
  readonly leftOut?: number | undefined;
}

/** A row that did not work out. */
export interface FailedEntry {
  /** Of the spreadsheet, from 1. */
  readonly line: number;
  /** Header as given -> text as given. */
  readonly cells: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/** All that a job made, filled stage by stage. Files are absolute where nothing else is said. */
export interface Made {
  readonly sheets: readonly SheetGroup[];
  readonly pictureProof: PictureProof;
  readonly zips: readonly ZipFile[];
  readonly indexes: readonly string[];
  readonly map: string | null;
  readonly proof: Proof | undefined;
  /** Rows with pictures. */
  readonly pictures: number;
  /** Pictures under names that rows had before, taken away. */
  readonly removed: number;
  /** The first of the rows that did not work out. */
  readonly failed: readonly FailedEntry[];
  /** How many there are. */
  readonly failedRows: number;
  /** And how many faults they have together. */
  readonly problemCount: number;
  /** The list of them, in each format; empty when there are none. */
  readonly failedFiles: readonly string[];
  /** Codes whose rows vanished. */
  readonly vanished: { readonly file: string; readonly rows: number } | null;
  /** The certificate, if the job is ready for press. */
  readonly certificate: string | null;
  readonly report: string | null;
  /** Files of earlier runs that stay: all rows of theirs are bad now. */
  readonly kept: readonly KeptFile[];
  /** PDFs and archives that the run took away: nothing goes into them any more. */
  readonly swept: readonly string[];
}

export const NOTHING_MADE: Made = {
  sheets: [],
  pictureProof: NO_PICTURES,
  zips: [],
  indexes: [],
  map: null,
  proof: undefined,
  pictures: 0,
  removed: 0,
  failed: [],
  failedRows: 0,
  problemCount: 0,
  failedFiles: [],
  vanished: null,
  certificate: null,
  report: null,
  kept: [],
  swept: [],
};

/** What the run did before anything was packed. */
export interface RunFacts {
  readonly planned: {
    readonly summary: PlanSummary;
    readonly warnings: readonly Problem[];
    /** All that the plan has warned of, about sheets too; default: `warnings`. */
    readonly told?: readonly Problem[] | undefined;
    /** Codes whose design at the service differs from the printed one. */
    readonly otherLooks?: readonly PressWarning[] | undefined;
    /** Codes that lead elsewhere than the job made them. */
    readonly otherTargets?: readonly Problem[] | undefined;
    /** Of kinds that print. */
    readonly labels?: JudgedLabels | undefined;
  };
  readonly counts: RunCounts;
  readonly calls: Calls;
  readonly stopwatch: Stopwatch;
  readonly limited?: Limited | undefined;
  /** Undefined: the embedded service. */
  readonly baseUrl: string | undefined;
  /** Holds the key that certificates are signed with. */
  readonly dataDir: string;
  /** The command that runs the job again. */
  readonly command: string;
  /** What was done after the run: an undo, or codes of vanished rows filed or deleted. */
  readonly after?: RetiredFacts | undefined;
  /** Codes without a row that this was done to. */
  readonly retired?: number;
}

/** Work that is about to be finished. */
export interface Finishing extends Work {
  readonly run: RunFacts;
}

/**
 * One kind of file that a job leaves. Finishing makes them in the order of the table, sealing
 * watches them, verifying looks at their bytes, describing lists them for people.
 */
export interface Stage {
  readonly name: string;
  /** Its time is reported. */
  readonly isTimed: boolean;
  /** Makes what is left to make; gets what the stages before it made. */
  make(work: Finishing, made: Made): Promise<Partial<Made>>;
  /** The same, as an earlier run left it: for a run with nothing to do. */
  recall(work: Work, made: Made): Partial<Made> | Promise<Partial<Made>>;
  /** What people get. */
  describe?(work: Work, made: Made): Output[];
  /**
   * Files and folders whose stamps show whether anything was changed, relative to the output
   * folder; undefined when there are too many to watch.
   */
  readonly watched?: (state: State) => readonly string[] | undefined;
  /** Files that must have the bytes that were written. */
  written?(state: State): Iterable<OwnFile>;
}
