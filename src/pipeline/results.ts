/** Results of planning, running, proving and undoing a job, as data. */
import type { SeenAddress, UntoldAddress } from "./address-words.ts";
import type { Problem } from "../base/errors.ts";
import type { GradeLimit } from "../base/grade-words.ts";
import type { Press, PressWarning } from "../base/press-warning.ts";
import type { RowsFrom } from "../base/rows-from.ts";
import type { Kind } from "../kinds/names.ts";
import type { ReportVerification } from "../pack/report-data.ts";
import type { ScanTotals } from "../pack/scan-figures.ts";
import type { PlanFacts } from "../plan/plan-file.ts";
import type { PlanSummary } from "../plan/tally.ts";
import type { Limited } from "./limited.ts";
import type { PaperFigures, PlannedX, VolumesPlan } from "./paper-figures.ts";
import type { RemadeReason } from "./remade.ts";

/** A PDF with captions below the greatest size, since one of them has no room for it. */
export interface CaptionSize {
  readonly file: string;
  readonly sizePt: number;
  /** Key of the row that needs it. */
  readonly row: string;
  /** Captions that are smaller, since they have no room at the least size that all may have. */
  readonly smaller?: { readonly count: number; readonly leastPt: number } | undefined;
}

/** Why a finished PDF is made anew though neither its rows nor their manifest have changed. */
export type AnewReason =
  | "captions"
  | "posters"
  | "matrix"
  | "shapes"
  | "designs"
  | "roll-margin"
  | "marks"
  | "corners"
  | "overprint"
  | "paper"
  | "grid"
  | "condition";

export interface SheetsAnew {
  readonly reasons: readonly AnewReason[];
  readonly files: readonly string[];
}

/** A colour of a design, and what a press prints it in. */
export interface PlannedInk {
  /** `#rrggbb`. */
  readonly color: string;
  /** `C100 M60 Y0 K20`, or the name of an ink. */
  readonly ink: string;
  /** No ink of the press comes near it: it will look duller. */
  readonly isDull: boolean;
}

/** Notes of a plan beside its figures. */
export type PlanNote =
  /** The side of a module on a device's grid; `isMost`: designs of codes may make it smaller. */
  | ({ readonly code: "x-dimension" } & PlannedX)
  /** Codes are printed as they were designed: what their colours are printed in. */
  | { readonly code: "design-inks"; readonly inks: readonly PlannedInk[] }
  /** The worst predicted grade, 0 to 4, by which parameter, and how many codes have it. */
  | {
      readonly code: "grades";
      readonly grade: number;
      readonly limit: GradeLimit;
      readonly count: number;
      readonly of: number;
    }
  /** So many codes exist, and no server shows their designs: the run sees them. */
  | { readonly code: "grades-later"; readonly count: number }
  /** SVG logos whose shapes sheets print. */
  | { readonly code: "logo-shapes"; readonly files: readonly string[] }
  /** SVG logos that a server is sent as pictures. */
  | { readonly code: "svg-sent"; readonly files: readonly string[] }
  /** PDFs with captions below the greatest size, since one of them has no room for it. */
  | {
      readonly code: "caption-size";
      readonly count: number;
      readonly examples: readonly CaptionSize[];
    }
  /** Finished PDFs that are made anew, since this makeready prints them differently. */
  | ({ readonly code: "sheets-anew" } & SheetsAnew)
  /** Finished files that a run makes anew, whatever it sends. */
  | {
      readonly code: "files-remade";
      readonly why: RemadeReason;
      readonly files: readonly string[];
    }
  | { readonly code: "files-to-fetch"; readonly count: number; readonly of: "files" | "links" }
  /** Finished PDFs and archives that a run takes away: nothing goes into them any more. */
  | { readonly code: "files-removed"; readonly files: readonly string[] }
  /** Codes whose pictures are not all there, or not those that the job wants. */
  | { readonly code: "pictures-remade"; readonly count: number }
  /** How small framed drawings may be printed: for the code, and for the text of the frame. */
  | {
      readonly code: "least-width";
      readonly frame: string;
      readonly codeMm: number;
      readonly textMm: number | undefined;
    }
  /** New codes that get more error correction than the API's default without becoming larger. */
  | { readonly code: "stronger-codes"; readonly count: number; readonly of: number }
  /** New codes that are larger than their text needs (`isLevelL`: and have the least error correction), since the logo must not cover an alignment pattern. */
  | { readonly code: "grown-codes"; readonly count: number; readonly isLevelL?: true }
  /** More changes than `safety.confirm_over` allows without a yes. */
  | { readonly code: "needs-yes"; readonly over: number }
  /** The manifest allows fewer bad rows: a run sends nothing. */
  | { readonly code: "sends-nothing"; readonly why: string }
  | { readonly code: "renamed-files"; readonly count: number; readonly examples: readonly string[] }
  /** No row is good: a run leaves what is finished as it is. */
  | { readonly code: "keeps-files" }
  /** New codes of this run; or changes of codes that exist. */
  | { readonly code: "limited" | "limited-changes"; readonly count: number; readonly of: number }
  /** So many codes that are made get another public address; static ones hold none. */
  | ({ readonly code: "address-moves"; readonly count: number } & SeenAddress)
  /** A remote server was not asked whether codes still have this address, or did not say. */
  | ({ readonly code: "address-not-told" } & UntoldAddress)
  /** Codes that are made, but whose files did not come or were wrong: a run fetches them. */
  | {
      readonly code: "files-missing";
      readonly count: number;
      /** The job has archives: they lack them, too. */
      readonly isZipped: boolean;
      /** `line 3` or the like, and why. */
      readonly examples: readonly { readonly row: string; readonly message: string }[];
    }
  /** Pictures that were not read yet, or that no decoder reads. */
  | { readonly code: "files-unproven"; readonly count: number }
  /** Codes that are void, and stand on PDFs that a run may make anew. */
  | { readonly code: "void-codes"; readonly count: number; readonly examples: readonly string[] }
  | {
      readonly code: "looks-not-asked";
      readonly count: number;
      /** What may show an older look. */
      readonly of: "sheets" | "pictures";
    }
  | { readonly code: "nothing-selected" | "same-looks-are-free" }
  | { readonly code: "files-anew" | "files-untold"; readonly count: number }
  /** Rows get random serials; so many tries it takes to guess one. */
  | {
      readonly code: "serials";
      readonly rows: number;
      readonly form: string;
      readonly tries: number;
    }
  /** The rows were read or fetched, and are kept. */
  | {
      readonly code: "source-kept";
      readonly from: string;
      readonly bytes: number;
      readonly atMs: number;
      readonly isOld: boolean;
      readonly file: string;
    }
  /** The proof of so many labels is sampled; `later`: rows that `--limit` leaves. */
  | { readonly code: "proof-sampled"; readonly labels: number; readonly later?: number }
  | { readonly code: "kept-for-undo" | "not-kept" | "without-links" | "server-not-asked" }
  | { readonly code: "destinations-asked"; readonly method: "head" | "get" }
  | { readonly code: "scans-of"; readonly window: string }
  | { readonly code: "compared-with"; readonly window: string };

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
  /** A run is refused as the manifest stands; a warning says why, and what can be done. */
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
  /** Codes on sheets, and those of them that were read back. */
  readonly codes: number;
  readonly decoded: number;
  /** Of a sampled proof: codes that were not decoded, but each of whose modules was compared. */
  readonly compared?: number | undefined;
  /** How many of these are symbols beside the rows' codes; nothing where there are none. */
  readonly symbols?: number | undefined;
  readonly png: PictureCount;
  readonly svg: PictureCount;
  readonly errors: number;
  readonly verification: ReportVerification;
}

/** What to do next. */
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
  | { readonly code: "mend-rows"; readonly list: string; readonly source: string | null }
  | { readonly code: "retry-refused" }
  | { readonly code: "fetch-files"; readonly count: number }
  | { readonly code: "finish-rows"; readonly count: number }
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
  /** Of rows that did not work out, the first 1,000; `failed-rows.csv` has all. */
  readonly problems: readonly Problem[];
  /** How many there are; left out where these are all. */
  readonly problemCount?: number;
  readonly next: readonly NextStep[];
}

/** True when rows are faulty; false where only files could not be fetched, which the next run does. */
export const needsMending = ({ next }: Pick<RunResult, "next">): boolean =>
  !next.some((step) => step.code === "fetch-files" || "lostFiles" in step) ||
  next.some(({ code }) => code === "mend-rows");

/** What `verify` found. */
export interface JobProof {
  readonly proof: Proof | undefined;
  /** Files that are missing or are not what was written. */
  readonly problems: readonly Problem[];
  readonly press: Press | undefined;
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

/** Options of an undo. */
export type UndoRequest = Pick<RunRequest, "isConfirmed" | "patienceMs"> & {
  /** Puts back also what someone else has changed since. */
  readonly force?: boolean;
};
