/** Jobs that work on codes which exist: one interface per kind. */
import type { JobCommon, JobOutput, JobRows, JobSafety } from "./job.ts";
import type { matchKeys, reportColumns, reportDetails, reportFormats } from "./select-shapes.ts";

/** Which codes. */
export interface JobSelect {
  /** Path, id or slug; `none` for codes in no folder; null for all. */
  readonly folder: string | null;
  readonly subfolders: boolean;
  /** Codes must carry all of them. */
  readonly tags: readonly string[];
  readonly q: string | null;
  readonly dynamic: boolean | null;
  readonly type: string | null;
}

export interface RedesignJob extends JobCommon {
  readonly kind: "redesign";
  readonly select: JobSelect;
  /** API field -> value or template, `template` by name or id; `logo_file` is absolute. */
  readonly design: Readonly<Record<string, string | number | boolean>>;
  readonly output: JobOutput;
  /** Where the state stands, whatever folder the run has; absolute. */
  readonly stateDir: string;
  readonly safety: JobSafety & {
    readonly keepPrevious: boolean;
    readonly skipUnchanged: boolean;
  };
}

export interface RetargetJob extends JobCommon {
  readonly kind: "retarget";
  readonly source: JobRows;
  readonly match: {
    readonly by: readonly (typeof matchKeys)[number][];
    /** Template. */
    readonly value: string;
  };
  /** Template; null or empty: no check. */
  readonly expect: string | null;
  /** Templates; null: stays as it is. */
  readonly set: {
    readonly qrData: string | null;
    readonly displayName: string | null;
    readonly folder: string | null;
    readonly tags: readonly string[];
  };
  readonly output: JobOutput;
  /** Where the state stands, whatever folder the run has; absolute. */
  readonly stateDir: string;
  readonly safety: Omit<JobSafety, "contrast"> & {
    readonly keepPrevious: boolean;
    readonly checkDestination: "none" | "head" | "get";
  };
}

export interface ReportJob extends JobCommon {
  readonly kind: "report";
  readonly select: JobSelect;
  /** Either `days`, or `start` with or without `end` (ISO dates). */
  readonly window: {
    readonly days: number | null;
    readonly start: string | null;
    readonly end: string | null;
    readonly compare: "none" | "previous";
  };
  readonly groupBy: "code" | "folder" | "workspace";
  readonly columns: readonly (typeof reportColumns)[number][];
  readonly details: {
    readonly top: number;
    readonly include: readonly (typeof reportDetails)[number][];
  } | null;
  readonly flag: { readonly zeroScansForDays: number | null };
  readonly output: {
    /** Absolute. */
    readonly dir: string;
    readonly formats: readonly (typeof reportFormats)[number][];
  };
  readonly safety: { readonly maxCodes: number | null };
}

export interface ExportJob extends JobCommon {
  readonly kind: "export";
  readonly select: JobSelect;
  readonly output: JobOutput;
  /** Where the state stands, whatever folder the run has; absolute. */
  readonly stateDir: string;
  readonly safety: { readonly maxCodes: number | null };
}

export type SelectJob = RedesignJob | RetargetJob | ReportJob | ExportJob;
