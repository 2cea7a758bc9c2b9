import type { Where } from "../base/errors.ts";
import type { Ink, LabelArt } from "../base/shapes/label-art.ts";
import type { OwnSheet } from "../base/shapes/own-sheet.ts";
import type { RowsFrom } from "../base/shapes/rows-from.ts";
import type { SerialForm } from "../base/ids/serials.ts";
import type { SlugLanguage } from "../base/text/slug.ts";

export type ColumnType =
  | "text"
  | "integer"
  | "number"
  | "url"
  | "email"
  | "date"
  | "gtin"
  | "boolean";

/** What a spreadsheet column must hold. */
export interface ColumnRule {
  readonly type: ColumnType;
  /** An empty cell without default is a row error. */
  readonly required: boolean;
  /** Takes the place of an empty cell. */
  readonly default: string | null;
  /** Other headers that mean this column. */
  readonly aliases: readonly string[];
  /** Of numbers that can be read in two ways; default: what other cells of the column show. */
  readonly decimal?: "." | "," | undefined;
}

/** Where rows come from. Everything that is null is detected. */
export interface JobSource {
  /** Absolute. */
  readonly file: string;
  /** The file's name in messages, where that isn't its path. */
  readonly shownAs?: string | undefined;
  /** Name, or position from 1. XLSX only. */
  readonly sheet: string | number | null;
  /** Line (CSV) or row (XLSX) of the header, from 1. */
  readonly headerRow: number | null;
  readonly encoding:
    | "utf-8"
    | "utf-16le"
    | "utf-16be"
    | "windows-1250"
    | "windows-1251"
    | "windows-1252"
    | "windows-1253"
    | "windows-1254"
    | "windows-1257"
    | "iso-8859-2"
    | "macintosh"
    | null;
  readonly delimiter: string | null;
  /** Columns whose cells identify a row; may be empty. */
  readonly key: readonly string[];
  /** name -> rule; null prototype. */
  readonly columns: Readonly<Record<string, ColumnRule>>;
  readonly skipHiddenRows: boolean;
  /** Cells under a merged one: empty with a warning, or filled with its text. XLSX only. */
  readonly merged: "warn" | "fill";
  /** Rows that were mended beside the spreadsheet; absolute. */
  readonly mended?: string | undefined;
  /** It may have only its header. */
  readonly mayBeEmpty?: true;
}

export const PLAIN_SOURCE = {
  subfolders: false,
  sheet: null,
  headerRow: null,
  encoding: null,
  delimiter: null,
  key: [],
  columns: {},
  skipHiddenRows: false,
  merged: "warn",
} as const;

/** Where the rows of a job come from, which need not be a spreadsheet. */
export interface JobRows extends JobSource {
  /**
   * `file` is a spreadsheet, a folder whose PDFs are the rows, the name of a stream, or the
   * manifest, where that is a row itself or says how many rows there are.
   */
  readonly from: Exclude<RowsFrom, "codes">;
  /** Of rows that the job makes itself: the first and last number, and the digits of each. */
  readonly numbers?:
    | { readonly first: number; readonly last: number; readonly pad: number }
    | undefined;
  /** Of a stream: `-` for standard input, or a web address. */
  readonly stream?: string | undefined;
  /** Of rows with serials. */
  readonly serial?: SerialForm | undefined;
  /** Of a folder: those below it, too. */
  readonly subfolders: boolean;
  /** Of its texts: how slugs write their letters. */
  readonly language?: SlugLanguage | undefined;
}

/**
 * Field names and values are the API's (docs/spec/api.md section 2.2); texts may be row templates.
 */
export interface JobDesign {
  /** Name or id of a saved design template. */
  readonly template?: string;
  readonly primary_color?: string;
  readonly eye_color?: string;
  readonly background_color?: string;
  readonly frame_color?: string;
  readonly pattern?: string;
  readonly eye_style?: string;
  readonly frame?: string;
  readonly has_border?: boolean;
  readonly text?: string;
  readonly error_correction?: string;
  readonly size?: number;
  readonly logo_url?: string;
  /** Absolute, unless rows fill it in. */
  readonly logo_file?: string;
  readonly logo_round?: boolean;
}

/** The code that each row wants. Texts are row templates. */
export interface JobCode {
  readonly type: "Link" | "Text" | "vCard" | "GS1";
  readonly dynamic: boolean;
  /** Link and Text only. */
  readonly qrData: string | null;
  readonly displayName: string;
  /** Path, `/` between folders. */
  readonly folder: string | null;
  readonly tags: readonly string[];
  readonly gpsTracking: boolean;
  readonly domain: string | null;
  /** API field -> template; vCard only. */
  readonly vcard: Readonly<Record<string, string>> | null;
  /** API field -> template; GS1 only. */
  readonly gs1Product: Readonly<Record<string, string>> | null;
  readonly design: JobDesign;
  /** New codes are as small as possible. */
  readonly compact: boolean;
}

/** A ZIP or PDF per group of rows, or one for all when `per` is null. */
export interface GroupedOutput {
  /** Column whose text splits the rows into groups. */
  readonly per: string | null;
  /** Template of the file name. */
  readonly name: string;
}

/** One face of a label. */
export interface JobLabel {
  readonly art: LabelArt;
  /** Texts by name that the row templates of `texts` may use besides columns; templates themselves. */
  readonly slots: Readonly<Record<string, string>>;
  /** Row templates, in the order of the items that show them. */
  readonly texts: readonly string[];
  /** Those with GS1 AIs in brackets: cells give values there, never AIs. */
  readonly bracketed?: readonly number[] | undefined;
}

/** A page of a PDF file; the path is absolute. */
export interface JobBackground {
  readonly file: string;
  readonly page: number;
}

/** A plate that is no picture. */
export interface JobFinish {
  readonly spot: string;
  readonly area: "label" | "codes" | "around-codes";
  /** How far it stays inside of the cut. */
  readonly chokeMm: number;
}

/** Sheets of codes. Null: the default of the sheet or of the writer. Lengths in mm. */
export interface JobSheets extends GroupedOutput {
  /** Name of a label sheet, a `.json` file, or its geometry. */
  readonly sheet: string | OwnSheet;
  /** Null: the code with its caption. */
  readonly label: JobLabel | null;
  readonly background: JobBackground | null;
  readonly back: {
    readonly label: JobLabel | null;
    readonly background: JobBackground | null;
    readonly flip: "long-edge" | "short-edge";
  } | null;
  readonly pages: "interleaved" | "fronts-first";
  /** Null: whole modules in black. */
  readonly codeStyle: {
    readonly pattern: string;
    readonly eyes: string;
    readonly ink: Ink;
    readonly eyeInk: Ink;
  } | null;
  /** Codes in their designs, or in plain black. */
  readonly print: "designed" | "plain";
  readonly artwork: "redraw" | "server";
  /** By `#rrggbb`, lower case. */
  readonly artworkInks: Readonly<Record<string, Ink>>;
  /** Templates, one per line. */
  readonly caption: readonly string[];
  readonly captionBold: "none" | "first-line";
  /** Null: the place that leaves the code more room. */
  readonly captionPlace: "beside" | "below" | "above" | null;
  /** Null: in the middle; beside the code where the script begins. */
  readonly captionAlign: "left" | "center" | "right" | null;
  /** Greatest size of captions in pt. Null: by the room. */
  readonly captionSize: number | null;
  /** Fields of captions that are written beside a label, and change nothing there. */
  readonly unusedCaption?: readonly string[];
  readonly marks: readonly ("crop" | "registration" | "bar")[];
  readonly bleedMm: number | null;
  /** Name or size of the press sheet that marks must lie on. Null: that of the page, or it grows. */
  readonly paper: string | readonly [width: number, height: number] | null;
  /** Dots per inch of the printing device; modules are put on its grid. Null: that of the stock or printer. */
  readonly deviceDpi: number | null;
  /** Device pixels that dark modules are narrower by. */
  readonly barWidthReduction: number;
  /** What the codes are for: sets the limits of X. */
  readonly application: "general" | "gs1-pos";
  /** Width of a module. Null: as large as fits. */
  readonly xDimensionMm: number | null;
  /** Side of the symbol without quiet zone. */
  readonly qrSizeMm: number | null;
  readonly safeMm: number | null;
  readonly order: "rows" | "columns" | "cut-and-stack" | "stack-by-column";
  readonly reverse: boolean;
  readonly corner: "top-left" | "top-right" | "bottom-left" | "bottom-right";
  /** First cell of the first sheet, from 1; `continue` = behind the last job on this stock. */
  readonly start: number | "continue";
  /** Labels of each row, from 1; or the template that says how many. */
  readonly copies: number | string;
  readonly copyOrder: "adjacent" | "series";
  /** Share of the rows, 0..1, that gets one more label. */
  readonly overs: number;
  /** Last cells of every sheet without a row of their own. */
  readonly spares: number;
  readonly spareLabels: "empty" | "repeat";
  /** What becomes of a spoiled label (docs/ledger.md). */
  readonly reprint: "same" | "new" | "forbidden";
  /** How codes are proven: each decoded, or one of 100 decoded and the modules of all compared. */
  readonly proof: "full" | "sampled";
  readonly standard: "PDF/X-4" | "PDF/X-1a:2003";
  /** Name in `printers.json` beside the manifest. Null: true to size and place. */
  readonly printer: string | null;
  /** Absolute; for characters that the bundled font lacks. */
  readonly fonts: readonly string[];
  /** `file` is absolute. */
  readonly icc:
    | "FOGRA39"
    | "FOGRA29"
    | "GRACoL"
    | "SWOP3"
    | "SNAP"
    | { readonly file: string; readonly condition: string }
    | null;
  readonly dieLine: { readonly spot: string; readonly cut: "through" | "kiss" } | null;
  /** White underbase on fronts. */
  readonly white: JobFinish | null;
  /** Varnish on fronts. */
  readonly varnish: JobFinish | null;
  readonly volumeCodes: number | null;
}

/** Rows of an index with pictures: they are in memory together while it is written. */
export const MOST_PICTURES = 5000;

/** Up to so many labels all are decoded; only larger jobs may have a sampled proof. */
export const MOST_DECODED_ALL = 100_000;

/** Limits of predicted grades, 0 to 4. */
export interface JobGrade {
  /** Codes below it get a warning. */
  readonly warn: number;
  /** A job with codes below it is refused; undefined: no limit. */
  readonly refuse: number | undefined;
  /** Share of a module that dark modules become wider by. */
  readonly gain: number;
}

export interface JobOutput {
  /** Absolute. */
  readonly dir: string;
  readonly files: readonly ("svg" | "png")[];
  /** Template, relative, without extension. */
  readonly fileName: string;
  readonly zip: GroupedOutput | null;
  readonly sheets: JobSheets | null;
  readonly index: readonly ("csv" | "xlsx")[];
  /** `index.xlsx` shows each code. */
  readonly indexPictures: boolean;
  /** Undefined: codes below 1.5 get a warning, and no job is refused. */
  readonly grade?: JobGrade | undefined;
}

export interface JobRun {
  /** Requests in flight at a time; undefined: as many as suit the server. */
  readonly concurrency: number | undefined;
  readonly onRowError: "continue" | "stop";
  /** The job stops beyond this many failed rows, or this share (0..1) of all rows. */
  readonly maxFailures: { readonly count: number } | { readonly share: number };
  readonly settleMs: number;
  /** Part of the token's budget that this job may use, above 0 to 1. */
  readonly share: number;
  readonly marker: boolean;
  readonly lateDoubles: "delete" | "report";
}

export interface JobSafety {
  /** Codes whose colours would not scan: refused, or a warning. */
  readonly contrast: "refuse" | "warn";
  /** More changes than this want a yes; null: never asked. */
  readonly confirmOver: number | null;
  /** More codes than this are refused; null: no limit. */
  readonly maxCodes: number | null;
}

/** When `makeready schedule` runs the job. */
export interface JobSchedule {
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
  /** Switched off: nothing runs. */
  readonly paused?: boolean | undefined;
  /** Answers the question of `safety.confirm_over` with yes. */
  readonly yes?: boolean | undefined;
}

/** A column that the manifest names in a template, in `key` or in `per`, and where it does. */
export interface ColumnUse {
  readonly column: string;
  readonly field: string;
  readonly where: Where;
  /** What helps besides another column. */
  readonly hint?: string;
}

/** A manifest, checked, with every default filled in and every path absolute. Deeply frozen. */
export interface JobCommon {
  readonly name: string;
  /** The manifest, absolute. */
  readonly file: string;
  /** Without `baseUrl` the embedded service is used. */
  readonly api: {
    readonly baseUrl?: string;
    /** Of the embedded service, where one is named. */
    readonly publicUrl?: string;
    readonly workspace?: string;
    /** Absolute; a file that holds the token. */
    readonly tokenFile?: string;
  };
  readonly run: JobRun;
  readonly schedule: JobSchedule | null;
  /** Every column that must exist. */
  readonly columnUses: readonly ColumnUse[];
}

/** What all kinds that read rows have: a code of each row, files. */
export interface RowsJob extends JobCommon {
  readonly kind: string;
  readonly source: JobRows;
  /** The code that each row gets; for all kinds but `codes` without the parts that the kind decides. */
  readonly code: JobCode;
  readonly output: JobOutput;
  readonly safety: JobSafety;
}

export type { CodeSelect as JobSelect } from "../base/shapes/code-select.ts";
