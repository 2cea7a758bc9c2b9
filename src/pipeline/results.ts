/** Results of planning, running, proving and undoing a job, as data. */
import type { Problem } from "../base/errors.ts";
import type { Press, PressWarning, PrintedCount } from "../base/shapes/press-warning.ts";
import type { RowsFrom } from "../base/shapes/rows-from.ts";
import type { Kind } from "../kinds/names.ts";
import type { ReportVerification } from "../pack/report-data.ts";
import type { ScanTotals } from "../pack/scan-figures.ts";
import type { PlanFacts } from "../plan/plan-file.ts";
import type { PlanSummary } from "../plan/tally.ts";
import type { Limited } from "./standing/limited.ts";
import type { PaperFigures, VolumesPlan } from "./paper/paper-figures.ts";
import type { PlanNote } from "./paper/plan-notes.ts";

/** What a run would do and cost. */
export interface JobPlan extends PaperFigures {
  readonly job: string;
  readonly kind: Kind;
  /** The spreadsheet, absolute; of codes that exist, which ones. */
  readonly input: string;
  readonly from: RowsFrom;
  readonly isSelection: boolean;
  /** Undefined: the embedded service, its data in `dataDir`. */
  readonly baseUrl: string | undefined;
  readonly dataDir: string;
  /** The codes would lead to this computer only. */
  readonly isRehearsal: boolean;
  /** The server limits how much is written a minute. */
  readonly isLimited: boolean;
  readonly summary: PlanSummary;
  /** Of archives that are written in several volumes; more where their files are large. */
  readonly zipVolumes?: readonly VolumesPlan[] | undefined;
  readonly warnings: readonly Problem[];
  /** What will differ on the sheets from what the job wants. */
  readonly press: readonly PressWarning[];
  readonly notes: readonly PlanNote[];
  /** Something is to be done or to be mended. */
  readonly hasWork: boolean;
  /** Nothing is left to do but rows that are bad: a run makes nothing before they are mended. */
  readonly isToMend?: true;
  /** A run is refused as manifest and settings stand; a warning says why, and what can be done. */
  readonly isRefused?: true;
  /** The inputs of the plan: `run` refuses a plan whose facts have changed. */
  readonly facts?: PlanFacts | undefined;
}

/** A plan that was looked at: the run is refused when it would do anything else. */
export interface SavedPlan {
  /** Its name in messages. */
  readonly file: string;
  readonly facts: PlanFacts;
}

/** What the server was asked. */
export interface Calls {
  readonly writes: number;
  readonly reads: number;
  readonly limited: number;
  readonly waitedMs: number;
}

export const NO_CALLS: Calls = { writes: 0, reads: 0, limited: 0, waitedMs: 0 };

/** What a run leaves. Files and folders are absolute. */
export type Output =
  | {
      readonly role: "sheets";
      readonly file: string;
      readonly bytes: number;
      readonly pages: number;
      /** Printed codes: of labels with several, all. */
      readonly codes: number;
      /** Missing where an older makeready wrote the PDF. */
      readonly labels?: number;
      readonly standard: string;
      readonly isTwoSided: boolean;
      /** Its pages are repeats of a roll. */
      readonly isRoll: boolean;
    }
  | {
      readonly role: "zip";
      readonly file: string;
      readonly bytes: number;
      readonly entries: number;
      /** Rows of its group that are left to do. Left out where there are none. */
      readonly leftToDo?: number;
      /** Others of them, whose pictures never came or were wrong. Left out where there are none. */
      readonly leftOut?: number;
    }
  | {
      readonly role: "artwork";
      readonly file: string;
      readonly formats: readonly string[];
      readonly codes: number;
      /** Pictures under names that rows had before, taken away. */
      readonly removed: number;
    }
  | { readonly role: "index" | "sheet-map" | "certificate" | "report"; readonly file: string }
  /** It is there no longer: nothing goes into it any more. */
  | { readonly role: "removed"; readonly file: string }
  | {
      readonly role: "failed-rows";
      readonly file: string;
      readonly format: "csv" | "xlsx";
      readonly rows: number;
    }
  /** Of an earlier run, where nothing finished could take its place. */
  | { readonly role: "kept"; readonly file: string; readonly madeMs: number }
  | { readonly role: "vanished-rows"; readonly file: string; readonly rows: number }
  /** Figures of scans. */
  | {
      readonly role: "scans";
      readonly file: string;
      readonly format: "xlsx" | "csv" | "html";
      readonly bytes: number;
    };

/** Pictures that were opened, and those of them that say what they must. */
export interface PictureCount {
  readonly files: number;
  readonly decoded: number;
  /** Others, proven by earlier runs and not opened again; nothing where there are none. */
  readonly before?: number | undefined;
}

/** The proof of the finished files, which were opened again. */
export interface Proof {
  /** No error in any file, and every code of every sheet was read, or compared where the proof is sampled. */
  readonly isProven: boolean;
  /** Codes on sheets, on each label anew, and those of them that were read back. */
  readonly codes: number;
  readonly decoded: number;
  /** Of a sampled proof: codes that were not decoded, but each of whose modules was compared. */
  readonly compared?: number | undefined;
  /** How many of these are symbols beside the rows' codes; nothing where there are none. */
  readonly symbols?: number | undefined;
  /** Where several labels have the same code: how many codes and labels these are. */
  readonly printed?: PrintedCount | undefined;
  readonly png: PictureCount;
  readonly svg: PictureCount;
  readonly errors: number;
  readonly verification: ReportVerification;
}

export type NextStep =
  /** `anew`: the step was stopped before it began. */
  | { readonly code: "run-again"; readonly anew?: "retry" | "fresh"; readonly limit?: Limited }
  /** Stopped; or so many codes are put back without their files. */
  | { readonly code: "undo-again"; readonly lostFiles?: number }
  /** When the schedule will do again what was undone; `isDue`: that moment has come already. */
  | {
      readonly code: "schedule-repeats";
      readonly atMs: number;
      readonly timeZone: string;
      readonly isDue?: true;
    }
  | { readonly code: "retire-again" }
  | { readonly code: "report-again" }
  /** Rows of the spreadsheet, or codes when `source` is null, are listed with the reason. */
  | {
      readonly code: "mend-rows";
      readonly list: string;
      readonly source: string | null;
      /** All of them are so by this manifest: there they are mended. */
      readonly manifest?: string;
      /** Larger boxes on the label of this manifest mend all of them, as shorter texts do. */
      readonly label?: string;
    }
  /** `byPlan`: the plan of the server's account has no room for more. */
  | { readonly code: "retry-refused"; readonly byPlan?: true }
  | { readonly code: "fetch-files"; readonly count: number }
  | { readonly code: "finish-rows"; readonly count: number }
  /** The proof found faults: the files are not for press. */
  | { readonly code: "prove-again" }
  /** So many codes have no row any more; `voided` of them are void. */
  | { readonly code: "retire-rows"; readonly count: number; readonly voided?: number }
  | { readonly code: "set-public-url" }
  | { readonly code: "move-server" };

/** What respondents sent, and where it lies. Files and folders are absolute. */
export interface AnswersResult {
  readonly job: string;
  readonly forms: number;
  readonly responses: number;
  readonly files: readonly string[];
  readonly images: number;
  /** Those of them that were not there before. */
  readonly fetched: number;
  /** Of the images; undefined when there are none. */
  readonly folder: string | undefined;
  /** Images that could not be fetched. */
  readonly problems: readonly Problem[];
}

export interface RunResult {
  readonly job: string;
  readonly kind: Kind;
  /** The manifest, absolute. */
  readonly manifest: string;
  readonly from: RowsFrom;
  readonly did: "run" | "undo" | "file" | "delete";
  readonly outcome: "done" | "rows-failed" | "interrupted";
  readonly rows: number;
  readonly created: number;
  readonly adopted: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly left: number;
  readonly failed: number;
  /** Made, and counted as that, but their files did not come or are wrong. Left out where there are none. */
  readonly withoutFiles?: number;
  /** Of an undo or a retire: codes that are not put back, filed or deleted; left out where there are none. */
  readonly notDone?: number;
  /** Of an undo: codes that are as before the run, those of earlier starts included. */
  readonly asBefore?: number;
  /** Of an undo: the runs that had changed the codes, counted as one; left out where it was one. */
  readonly undid?: { readonly runs: number; readonly since: string };
  readonly bad: number;
  readonly calls: Calls;
  readonly seconds: number;
  readonly stages: readonly { readonly name: string; readonly seconds: number }[];
  readonly files: readonly Output[];
  readonly proof: Proof | undefined;
  /** Undefined where nothing was made that could be printed. */
  readonly press: Press | undefined;
  readonly scans?: ScanTotals;
  readonly isRehearsal: boolean;
  /** Codes that lead elsewhere than the job made them; left out where none is known. */
  readonly elsewhere?: readonly Problem[];
  /** A rehearsal: some of its sheets have no room to say so. */
  readonly isUnmarked?: true;
  /** Of rows that did not work out, the first 1,000; `failed-rows.csv` has all. */
  readonly problems: readonly Problem[];
  /** How many there are; left out where these are all. */
  readonly problemCount?: number;
  readonly next: readonly NextStep[];
}

/** Of a run that went not all well: true when rows are faulty; false where only files could not be fetched. */
export const needsMending = ({ next }: Pick<RunResult, "next">): boolean =>
  !next.some((step) => step.code === "fetch-files" || "lostFiles" in step) ||
  next.some(({ code }) => code === "mend-rows");

/** What `verify` found. */
export interface JobProof {
  readonly proof: Proof | undefined;
  /** Files that are missing or are not what was written. */
  readonly problems: readonly Problem[];
  readonly press: Press | undefined;
  /** What somebody has changed at the service since: codes that lead elsewhere than the job made them. */
  readonly elsewhere: readonly Problem[];
  readonly isRehearsal: boolean;
}

export interface RunRequest {
  /** Rows that the server refused before are tried again. */
  readonly retryFailed?: boolean;
  /** At most this many creates. */
  readonly limit?: number | null;
  /** Forgets what was made before and makes everything anew. */
  readonly fresh?: boolean;
  /** Every question is answered with yes. */
  readonly isConfirmed?: boolean;
  /** A plan that was looked at: the run is refused when it would do anything else. */
  readonly plan?: SavedPlan | undefined;
  /** How long the server may fail before the run stops, ms. */
  readonly patienceMs?: number | undefined;
}

export type UndoRequest = Pick<RunRequest, "isConfirmed" | "patienceMs"> & {
  /** Puts back also what someone else has changed since. */
  readonly force?: boolean;
};
