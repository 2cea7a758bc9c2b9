/**
 * What the state knows of one row. `engine.md` section 1.2 has the meaning of the states.
 */
import type { Problem } from "../base/errors.ts";

/** Where a row stands on its way to exactly one code. */
export type RowState = "pending" | "sending" | "doubt" | "done" | "failed" | "conflict";

/** What a row wants to be, as the plan worked it out from the manifest and the spreadsheet. */
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
  /** API field -> value (`api-v2.md` 2.2), `template` by name or id; null takes a field back. */
  readonly design: Readonly<Record<string, string | number | boolean | null>>;
}

/** Where a row's files go and what its label says. */
export interface Placing {
  /** Path below `artwork/`, without extension. */
  readonly fileBase: string;
  /** File name of the ZIP; null without ZIPs. */
  readonly zip: string | null;
  /** File name of the PDF; null without sheets. */
  readonly sheets: string | null;
  readonly caption: readonly string[];
}

/** Why a row failed, for people. */
export interface RowError {
  readonly message: string;
  /** HTTP status, when a server said no. */
  readonly status?: number | undefined;
}

/** A row as the plan sees it: key, wish, and what was made of it before. */
export interface KnownRow {
  readonly key: string;
  readonly state: RowState;
  readonly generation: number;
  /** Hash of the wish that the code on the server was made from; null before it is made. */
  readonly madeHash: string | null;
  readonly madeDesignHash: string | null;
  readonly madeTagsHash: string | null;
  /** Titles that were put on the code. */
  readonly madeTags: readonly string[] | null;
  /** The wish that is on the server (or on the wire). */
  readonly made: Wanted | null;
  readonly wantedHash: string;
  readonly designHash: string;
  readonly wanted: Wanted;
  readonly remoteId: string | null;
  readonly error: RowError | null;
}

/** A good row of the spreadsheet with what the plan wants of it. */
export interface PlannedRow {
  readonly key: string;
  /** Place among the rows, from 0; decides the order on sheets. */
  readonly seq: number;
  readonly line: number;
  /** Original header -> original text, for `failed-rows.csv`. */
  readonly cells: Readonly<Record<string, string>>;
  readonly wanted: Wanted;
  readonly wantedHash: string;
  readonly designHash: string;
  readonly tagsHash: string;
  readonly placing: Placing;
  /** A row that the server refused is tried again, since it changed or somebody asked for it. */
  readonly again: boolean;
}

/** A row of the spreadsheet that can't be done as it stands. */
export interface BadRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** Its identity, when it has one: such a row is not vanished. */
  readonly key?: string | undefined;
}

/** Files of one code, relative to the output folder, with SHA-256 in hex. */
export interface Artwork {
  readonly base: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  /** Design hash of the code when the files were fetched. */
  readonly designHash: string;
  /** The code was read out of the picture and says what its row wants. */
  readonly isProven: boolean;
}

/** Millimetres from the top left corner of the trimmed sheet. */
interface CellBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a row's label is, and what the proof must find there. Counts from 1. */
export interface Cell {
  /** Relative to the output folder. */
  readonly file: string;
  readonly volume: number;
  readonly page: number;
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  /** Only of codes on the back. */
  readonly side?: "back" | undefined;
  /** Which code of the label, from 2; only of labels with several. */
  readonly part?: number | undefined;
  /** QR version of the symbol, and its X-dimension. */
  readonly version: number;
  readonly xMm: number;
  readonly label: CellBox;
  /** The symbol without its quiet zone. */
  readonly code: CellBox;
}

/** A row with all that the stages after the plan need. */
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
  /** Intent of the first create in doubt that no audit has looked after yet; server clock. */
  readonly doubtedFromMs: number | null;
  readonly created: string | null;
  readonly shortLink: string | null;
  readonly svg: string | null;
  readonly artwork: Artwork | null;
  /** Every place on paper, in the order of printing; more than one with copies. */
  readonly labels: readonly Cell[];
}
