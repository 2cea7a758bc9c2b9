import type { Problem } from "../base/errors.ts";
import type { GradeLimit } from "../base/text/grade-words.ts";
import type { Press, PrintedCount } from "../base/shapes/press-warning.ts";

/** Counts of rows by their outcome. */
interface ReportCounts {
  readonly rows: number;
  readonly created: number;
  /** Made by an earlier request whose answer was lost. */
  readonly adopted?: number | undefined;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly left?: number | undefined;
  /** Of the rows that did not fail: their files did not come or are wrong. */
  readonly withoutFiles?: number | undefined;
  /** Gone from the source; their codes still exist. */
  readonly vanished: number;
  /** Codes of vanished rows that an undo or a retire has changed. */
  readonly retired?: number | undefined;
}

interface ReportCalls {
  readonly writes: number;
  readonly reads: number;
  readonly retries: number;
  /** Time spent waiting for the rate limit. */
  readonly waitedMs: number;
}

export interface ReportStage {
  readonly name: string;
  readonly durationMs: number;
  /** What it worked on, such as "480 codes". */
  readonly note?: string | undefined;
}

export interface ReportFinding extends Problem {
  /** Number or name of the rule in docs/spec/print.md section 12. */
  readonly rule: string;
  readonly severity: "error" | "warning";
}

export interface ReportVerification {
  /** All rules hold, every code was read back, and the codes lead where they will stay. */
  readonly isReady: boolean;
  readonly rulesChecked: number;
  readonly codesRead: number;
  readonly codesExpected: number;
  /** Of a sampled proof: codes that were not read, but each of whose modules was compared. */
  readonly codesCompared?: number | undefined;
  /** Of these, symbols beside the rows' codes: EAN-13, GS1-128 and so on. */
  readonly symbols?: number | undefined;
  /** Where several labels have the same code: how many codes and labels these are. */
  readonly printed?: PrintedCount | undefined;
  /** Pictures that were opened in this run. */
  readonly pictures: readonly {
    readonly kind: string;
    readonly read: number;
    readonly expected: number;
    /** Others that earlier runs have proven; nothing where there are none. */
    readonly before?: number | undefined;
  }[];
  readonly findings: readonly ReportFinding[];
}

/** A cell, or a whole row, that is wrong. */
export interface ReportFailedRow {
  /** Of rows that stand on one. */
  readonly line?: number | undefined;
  /** The name of a row without a line: `serial 7K2M9`. */
  readonly place?: string | undefined;
  readonly column?: string | undefined;
  readonly value?: string | undefined;
  readonly reason: string;
  readonly fix?: string | undefined;
}

/** A row that the source has no longer; its code lives on. */
export interface ReportVanishedRow {
  readonly key: string;
  /** Where it stood last, of rows that stand on a line. */
  readonly line?: number | undefined;
  /** The name of a row without a line: `serial 7K2M9`. */
  readonly place?: string | undefined;
  readonly name: string;
  /** Short link, or id of a static code. */
  readonly code: string;
  readonly files: readonly string[];
  /** They show the address that the server had before it moved. */
  readonly showsOldAddress: boolean;
}

export interface ReportFile {
  /** Relative to the report. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Such as "36 sheets, PDF/X-4". */
  readonly note?: string | undefined;
}

/** Codes of one predicted grade. */
export interface ReportGrade {
  /** 0 to 4. */
  readonly grade: number;
  readonly limit: GradeLimit;
  readonly count: number;
  /** Nothing for the best grade. */
  readonly help: string;
}

export interface ReportThumbnail {
  readonly caption: string;
  /** Its predicted grade. */
  readonly grade?: Pick<ReportGrade, "grade" | "limit"> | undefined;
  readonly shortLink?: string | undefined;
  /** The artwork, where there is any. */
  readonly artwork?:
    | {
        /** `.svg` or `.png`, where it can be read now. */
        readonly path: string;
        /** The same file relative to the report. */
        readonly name: string;
      }
    | undefined;
  /** The code as the sheets print it, SVG; left out where it looks as the artwork does. */
  readonly printed?: string | undefined;
}

export interface ReportGroup {
  readonly name: string;
  /** Codes of the group, shown or not. */
  readonly total: number;
  /** Folder or archive with all of them, relative to the report. */
  readonly link?: string | undefined;
  /** All of them; the report shows the first. */
  readonly thumbnails: AsyncIterable<ReportThumbnail> | Iterable<ReportThumbnail>;
}

/**
 * What was done after a run, to how many codes and not to how many; `runAt` (ISO): start of the run
 * that was undone; `already`: codes that were as before it without that.
 */
export type RetiredFacts = { readonly codes: number; readonly notDone?: number | undefined } & (
  | { readonly did: "undone"; readonly runAt: string; readonly already: number }
  | { readonly did: "filed" | "deleted" }
);

/** Everything that the report says. No token, no secret. */
export interface ReportData {
  readonly job: string;
  readonly kind: string;
  readonly createdAt: Date;
  /** Name and version. */
  readonly program: string;
  readonly source?: string | undefined;
  /** Base URL of the API. */
  readonly server: string;
  /** Set when short links lead to this computer only: the address that they carry. */
  readonly rehearsal?: string | undefined;
  /** Set when the run stopped before its end: why, and how to go on. */
  readonly stopped?: string | undefined;
  readonly after?: RetiredFacts | undefined;
  readonly counts: ReportCounts;
  readonly calls: ReportCalls;
  readonly stages: readonly ReportStage[];
  readonly codesPerSecond?: number | undefined;
  /** Predicted grades, the worst first; none where they are not known. */
  readonly grades?: readonly ReportGrade[] | undefined;
  /** Left out when nothing was verified. */
  readonly verification?: ReportVerification | undefined;
  /** The verdict, and warnings to read before printing. */
  readonly press?: Press | undefined;
  readonly warnings: readonly Problem[];
  readonly failedRows: readonly ReportFailedRow[];
  /** File with all failed rows, relative to the report. */
  readonly failedRowsFile?: string | undefined;
  readonly vanishedRows: readonly ReportVanishedRow[];
  /** File with all of them, relative to the report. */
  readonly vanishedRowsFile?: string | undefined;
  readonly files: readonly ReportFile[];
  /** Files that the run took away: nothing goes into them any more. */
  readonly removedFiles?: readonly string[];
  readonly groups: readonly ReportGroup[];
  /** The next command. */
  readonly nextCommand?: string | undefined;
}
