/** What the state knows of one row. docs/spec/engine.md section 1.2 explains the states. */
import type { Problem } from "../base/errors.ts";
import type { CodeCell } from "../base/shapes/code-cell.ts";

/** Where a row stands on its way to exactly one code. */
export type RowState = "pending" | "sending" | "doubt" | "done" | "failed" | "conflict";

/** One destination of a GS1 product (docs/spec/api.md section 2.12). */
export interface WantedProductLink {
  readonly link_type: string;
  readonly title: string;
  readonly destination_url: string;
  readonly is_default: boolean;
  readonly language: string | null;
  readonly media_type: string;
}

/** A GS1 product with all its destinations. */
export interface WantedProduct {
  readonly identifier_type: string;
  readonly identifier_value: string;
  readonly batch_lot: string | null;
  readonly serial_number: string | null;
  readonly expiry_date: string | null;
  readonly links: readonly WantedProductLink[];
  /** False: only the product. */
  readonly hasCode: boolean;
}

/** A PDF to be hosted: a local file, or one that the server fetches. */
export interface WantedPdf {
  /** Absolute. */
  readonly file: string | null;
  /** Hash of the file's bytes, lower-case hex. */
  readonly sha256: string | null;
  readonly url: string | null;
  readonly fileName: string | null;
}

/** A landing page, in the API's fields (docs/spec/api.md section 4.6). */
export interface WantedPage {
  readonly title: string;
  readonly description: string | null;
  readonly links: readonly {
    readonly url: string;
    readonly title: string;
    readonly type: string;
  }[];
  readonly bg_color: string | null;
  readonly text_color: string | null;
  readonly slug: string | null;
}

/** A field of a form, without its id. */
export interface WantedField {
  readonly field_type: string;
  readonly label: string;
  readonly required: boolean;
  readonly placeholder: string | null;
  readonly options: readonly { readonly value: string; readonly label: string }[] | null;
}

/**
 * A form, in the API's fields (docs/spec/api.md section 2.11); settings without a value are left
 * out.
 */
export interface WantedForm {
  readonly title: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly fields: readonly WantedField[];
  readonly logo: string | null;
  readonly slug: string | null;
  /** Only of what was made: it isn't published yet, its slug is still free. */
  readonly isDraft?: true;
}

/** What a row should become, as the plan computed it from manifest and spreadsheet. */
export interface Wanted {
  readonly type: "Link" | "Text" | "vCard" | "GS1";
  readonly dynamic: boolean;
  readonly qrData: string | null;
  readonly displayName: string;
  /** Full path, `/` between folders; null when not filed. */
  readonly folder: string | null;
  readonly tags: readonly string[];
  readonly gpsTracking: boolean;
  /** Custom domain of the short link; null for the workspace's default. */
  readonly domain: string | null;
  readonly vcard: Readonly<Record<string, string>> | null;
  readonly gs1Product: Readonly<Record<string, string>> | null;
  /**
   * API field -> value (docs/spec/api.md section 2.2), `template` by name or id; null resets a
   * field.
   */
  readonly design: Readonly<Record<string, string | number | boolean | null>>;
  /** Things besides the code; each only in jobs of its kind. */
  readonly product?: WantedProduct;
  /** A short link; `slug` is null when the server makes one. */
  readonly link?: { readonly slug: string | null };
  readonly pdf?: WantedPdf;
  readonly page?: WantedPage;
  readonly form?: WantedForm;
  /**
   * Only of what was made: found on the server by its marker. Only its drawing shows its error
   * correction.
   */
  readonly isTakenBack?: true;
}

/** What the server answered about a row's things besides the id, for later calls. */
export interface RowParts {
  /** GS1 product of the row. */
  readonly productId?: string;
  /** Hash of the product as it was last updated. */
  readonly productHash?: string;
  /** It was on the server before the row registered it, and no complete run has said so yet. */
  readonly wasThere?: true;
  /** The code of a page or form, where it has an id of its own. */
  readonly codeId?: string;
  /** Where a page, form or PDF can be seen. */
  readonly url?: string;
  /** Ids of a form's fields, in their order. */
  readonly fieldIds?: readonly string[];
  /** Codes that the row had before and that were deleted: their labels may still be about. */
  readonly deleted?: readonly DeletedCode[];
}

/** A code that was deleted after its row had vanished, or that its server no longer had. */
export interface DeletedCode {
  readonly id: string;
  readonly created: string | null;
  readonly shortLink: string | null;
  /** When it was deleted; ISO. */
  readonly at: string;
  /** Of a code that its server no longer had: what the row knew of it, by column. */
  readonly was?: Readonly<Record<string, string | number | null>>;
}

/** Where a row's files go, and the caption of its label. */
export interface Placing {
  /** Path below `artwork/`, without extension. */
  readonly fileBase: string;
  /** The name that the row asked for, where another one had it, or it looks like a numbered one. */
  readonly wished?: string;
  /** File name of the ZIP; null without ZIPs. */
  readonly zip: string | null;
  /** File name of the PDF; null without sheets. */
  readonly sheets: string | null;
  readonly caption: readonly string[];
  /** Labels of the row, if the spreadsheet says how many; with 0 it is on no sheet. */
  readonly copies?: number;
}

/** Why a row failed, for people. */
export interface RowError {
  readonly message: string;
  /** HTTP status, when a server said no. */
  readonly status?: number | undefined;
}

/** A row as the plan sees it: key, wish, and what was made of it earlier. */
export interface KnownRow {
  readonly key: string;
  readonly state: RowState;
  readonly generation: number;
  /** Hash of the wish that the code on the server was made from; null before. */
  readonly madeHash: string | null;
  readonly madeDesignHash: string | null;
  readonly madeTagsHash: string | null;
  /** Tags that were put on the code. */
  readonly madeTags: readonly string[] | null;
  /** Name that its files are derived from; only on request of a plan. */
  readonly artworkBase?: string | null | undefined;
  /** What its code says, as its server told it; null before, and of static codes. */
  readonly shortLink?: string | null | undefined;
  /** The wish that is on the server (or being sent). */
  readonly made: Wanted | null;
  readonly wantedHash: string;
  readonly designHash: string;
  readonly wanted: Wanted;
  readonly remoteId: string | null;
  readonly error: RowError | null;
  readonly parts: RowParts;
}

/** A good row of the spreadsheet, with its wish. */
export interface PlannedRow {
  readonly key: string;
  /** Position among the rows, from 0; decides the order on sheets. */
  readonly seq: number;
  readonly line: number;
  /** Original header -> original text, for `failed-rows.csv`. */
  readonly cells: Readonly<Record<string, string>>;
  readonly wanted: Wanted;
  readonly wantedHash: string;
  readonly designHash: string;
  readonly tagsHash: string;
  readonly placing: Placing;
  /** A row that the server refused is sent again, since it changed or the user asked for it. */
  readonly again: boolean;
}

/** A row of the spreadsheet that can't be made as it is. */
export interface BadRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** Its key, if it has one: such a row doesn't count as vanished. */
  readonly key?: string | undefined;
  /** The manifest makes it bad: there it is mended, not in its cells. */
  readonly isByManifest?: true;
  /** A box on the label has no room for one of its texts; it may have room for shorter ones. */
  readonly isByLabel?: true;
}

/** Relative to the output folder. */
export interface PictureFile {
  readonly name: string;
  /** Hex. */
  readonly sha256: string;
  /** Of the file with these bytes; an older makeready noted none. */
  readonly stamp?: string | undefined;
}

/** Files of one code. */
export interface Artwork {
  readonly base: string;
  readonly files: readonly PictureFile[];
  /** Design hash of the code when the files were fetched. */
  readonly designHash: string;
  /** The design that another job had given the code then, as JSON; left out for the row's own. */
  readonly drawnAs?: string | undefined;
  /** Names of the files whose code was read and equals the row's wish. */
  readonly proven?: readonly string[] | undefined;
  /**
   * What `verify` found: a file is gone or changed, or wrong as it was written, and so in archives.
   * Or the address of the server has moved while the row was gone: they show the one before.
   * The next run fetches all of them.
   */
  readonly spoiled?: "lost" | "wrong" | "moved" | undefined;
}

/** Where a row's label is, and what the proof must find there. */
export interface Cell extends CodeCell {
  /** Relative to the output folder. */
  readonly file: string;
}

/** A row with everything that the stages after the plan need. */
export interface StateRow extends KnownRow {
  readonly seq: number;
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
  readonly tagsHash: string;
  readonly placing: Placing;
  readonly ref: string | null;
  readonly bodyHash: string | null;
  /** Server clock, milliseconds. */
  readonly intentAtMs: number | null;
  readonly sentAtMs: number | null;
  readonly doubts: number;
  /** Intent of the first create in doubt that no audit has checked yet; server clock. */
  readonly doubtedFromMs: number | null;
  readonly created: string | null;
  readonly shortLink: string | null;
  readonly artwork: Artwork | null;
  /** Every printed place, in printing order; several with copies. */
  readonly labels: readonly Cell[];
}

/** Fields that say what a row's label and picture show. */
export const SHOWN_FIELDS = [
  "key",
  "wanted",
  "made",
  "shortLink",
  "placing",
  "artwork",
] as const satisfies readonly (keyof StateRow)[];

export type ShownRow = Pick<StateRow, (typeof SHOWN_FIELDS)[number]>;

/** The part of a row that lists show. */
export type ListedRow = Pick<
  StateRow,
  | "key"
  | "line"
  | "state"
  | "wanted"
  | "made"
  | "parts"
  | "remoteId"
  | "shortLink"
  | "placing"
  | "artwork"
  | "labels"
>;
