import { toMessage } from "../base/errors.ts";
import type { SqlValue } from "../base/sqlite/sqlite.ts";
import { AS_THEY_ARE } from "./which-rows.ts";
import type {
  Artwork,
  Cell,
  KnownRow,
  ListedRow,
  Placing,
  PlannedRow,
  RowError,
  RowParts,
  RowState,
  StateRow,
  Wanted,
} from "./row.ts";

/** A record of the table `rows` as SQLite returns it. */
export type RawRow = Record<string, SqlValue>;

/** In place of what was made, where that is what the row wants: a long text less. */
const AS_WANTED = 1;
const MADE_COLUMN = `CASE WHEN made = wanted THEN ${AS_WANTED} ELSE made END AS made`;

/** All columns. */
export const ROW_COLUMNS = `row_key, seq, line, cells, wanted, wanted_hash, design_hash, tags_hash, placing, generation,
  state, ref, body_hash, intent_at, sent_at, doubts, ${MADE_COLUMN}, made_hash, made_design_hash, made_tags_hash, made_tags,
  remote_id, created, short_link, error, artwork, cell, doubted_from, parts`;

/** The columns that a plan needs. */
export const KNOWN_COLUMNS = `row_key, state, generation, made_hash, made_design_hash, made_tags_hash, made_tags,
  ${MADE_COLUMN},
  wanted_hash, design_hash, wanted, remote_id, short_link, error, parts, json_extract(artwork, '$.base') AS artwork_base`;

/** What a plan writes, beside those. */
export const PLANNED_COLUMNS = "presence, seq, line, cells, tags_hash, placing";

/** True for a row that a plan would write as it is. */
export const isAsPlanned = (raw: RawRow, row: PlannedRow): boolean =>
  raw["row_key"] === row.key &&
  raw["presence"] === "present" &&
  Number(raw["seq"]) === row.seq &&
  Number(raw["line"]) === row.line &&
  raw["wanted_hash"] === row.wantedHash &&
  raw["design_hash"] === row.designHash &&
  raw["tags_hash"] === row.tagsHash &&
  !row.again &&
  raw["placing"] === JSON.stringify(row.placing) &&
  raw["cells"] === JSON.stringify(row.cells) &&
  raw["wanted"] === JSON.stringify(row.wanted);

/** Conditions of rows that lists show in another state than they have. */
export interface ListedAs {
  /** Left to do. */
  readonly pending: string;
  readonly failed: string;
}

/** The columns that lists show: parts of what was made and wanted. */
export const toListedColumns = ({
  pending,
  failed,
}: ListedAs = AS_THEY_ARE): string => `row_key, line, CASE WHEN ${pending} THEN 'pending' WHEN ${failed} THEN 'failed' ELSE state END AS state,
  coalesce(made, wanted) AS wanted, parts, remote_id, short_link, placing, artwork, cell`;

const text = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

const number = (value: SqlValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** A state of an earlier version may hold an empty text from a server. */
const link = (raw: RawRow): string | null =>
  raw["short_link"] === "" ? null : text(raw["short_link"]);

/** Throws for a damaged file: `toStateError` recognises the message. */
function json<T>(value: SqlValue | undefined): T | null {
  if (typeof value !== "string") return null;
  try {
    return JSON.parse(value) as T;
  } catch (cause) {
    throw new TypeError(`a malformed row: ${toMessage(cause)}`, { cause });
  }
}

function required<T>(value: T | null, column: string): T {
  if (value === null) throw new TypeError(`a malformed row without ${column}`);
  return value;
}

/** Before there were copies, the column held a single cell. */
function toLabels(value: Cell | Cell[] | null): Cell[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const toCells = (raw: RawRow): Record<string, string> =>
  json<Record<string, string>>(raw["cells"]) ?? {};

const toWanted = (raw: RawRow): Wanted => required(json<Wanted>(raw["wanted"]), "wanted");

/** What was made of a row. Usually it equals the wish: then it is the same object. */
const toMade = (raw: RawRow, wanted = toWanted(raw)): Wanted | null =>
  raw["made"] === AS_WANTED || raw["made"] === raw["wanted"] ? wanted : json<Wanted>(raw["made"]);

// Rows are read by the thousand, several times per job. Their fields are written out one by one:
// spreading objects would cost more than everything else.

export function toKnownRow(raw: RawRow): KnownRow {
  const wanted = toWanted(raw);
  return {
    key: required(text(raw["row_key"]), "row_key"),
    state: required(text(raw["state"]), "state") as RowState,
    generation: Number(raw["generation"]),
    madeHash: text(raw["made_hash"]),
    madeDesignHash: text(raw["made_design_hash"]),
    madeTagsHash: text(raw["made_tags_hash"]),
    madeTags: json<string[]>(raw["made_tags"]),
    wantedHash: required(text(raw["wanted_hash"]), "wanted_hash"),
    designHash: required(text(raw["design_hash"]), "design_hash"),
    remoteId: text(raw["remote_id"]),
    error: json<RowError>(raw["error"]),
    parts: json<RowParts>(raw["parts"]) ?? {},
    shortLink: link(raw),
    artworkBase: text(raw["artwork_base"]),
    wanted,
    made: toMade(raw, wanted),
  };
}

/** A row from `toListedColumns`. */
export function toListedRow(raw: RawRow): ListedRow {
  return {
    key: required(text(raw["row_key"]), "row_key"),
    line: Number(raw["line"]),
    state: required(text(raw["state"]), "state") as RowState,
    wanted: required(json<Wanted>(raw["wanted"]), "wanted"),
    made: null,
    parts: json<RowParts>(raw["parts"]) ?? {},
    remoteId: text(raw["remote_id"]),
    shortLink: text(raw["short_link"]),
    placing: required(json<Placing>(raw["placing"]), "placing"),
    artwork: json<Artwork>(raw["artwork"]),
    labels: toLabels(json<Cell | Cell[]>(raw["cell"])),
  };
}

/** Columns of a field, and how it is read out of them. */
type FieldReader<T> = readonly [
  columns: readonly string[],
  read: (raw: RawRow, before: Partial<StateRow>) => T,
];

/** What scans of many rows ask for: who reads all columns pays for all of them. */
const READERS = {
  key: [["row_key"], (raw) => required(text(raw["row_key"]), "row_key")],
  cells: [["cells"], toCells],
  line: [["line"], (raw) => Number(raw["line"])],
  wanted: [["wanted"], toWanted],
  /** The same object as `wanted`, where that is asked for before it. */
  made: [["wanted", MADE_COLUMN], (raw, { wanted }) => toMade(raw, wanted)],
  shortLink: [["short_link"], link],
  placing: [["placing"], (raw) => required(json<Placing>(raw["placing"]), "placing")],
  error: [["error"], (raw) => json<RowError>(raw["error"])],
  artwork: [["artwork"], (raw) => json<Artwork>(raw["artwork"])],
  labels: [["cell"], (raw) => toLabels(json<Cell | Cell[]>(raw["cell"]))],
} satisfies { [F in keyof StateRow]?: FieldReader<StateRow[F]> };

/** A field that a scan can ask for. */
export type RowField = keyof typeof READERS;

export const toPickedColumns = (fields: readonly RowField[]): string =>
  [...new Set(["seq", ...fields.flatMap((field) => READERS[field][0])])].join(", ");

/** Reads some fields of a row. */
export const toPickedRow =
  <F extends RowField>(fields: readonly F[]) =>
  (raw: RawRow): Pick<StateRow, F> => {
    const row: Record<string, unknown> = {};
    for (const field of fields) row[field] = READERS[field][1](raw, row);
    return row as Pick<StateRow, F>;
  };

export function toStateRow(raw: RawRow): StateRow {
  const wanted = toWanted(raw);
  return {
    key: required(text(raw["row_key"]), "row_key"),
    state: required(text(raw["state"]), "state") as RowState,
    generation: Number(raw["generation"]),
    madeHash: text(raw["made_hash"]),
    madeDesignHash: text(raw["made_design_hash"]),
    madeTagsHash: text(raw["made_tags_hash"]),
    madeTags: json<string[]>(raw["made_tags"]),
    wantedHash: required(text(raw["wanted_hash"]), "wanted_hash"),
    designHash: required(text(raw["design_hash"]), "design_hash"),
    remoteId: text(raw["remote_id"]),
    error: json<RowError>(raw["error"]),
    parts: json<RowParts>(raw["parts"]) ?? {},
    seq: Number(raw["seq"]),
    line: Number(raw["line"]),
    tagsHash: required(text(raw["tags_hash"]), "tags_hash"),
    placing: required(json<Placing>(raw["placing"]), "placing"),
    ref: text(raw["ref"]),
    bodyHash: text(raw["body_hash"]),
    intentAtMs: number(raw["intent_at"]),
    sentAtMs: number(raw["sent_at"]),
    doubts: Number(raw["doubts"]),
    doubtedFromMs: number(raw["doubted_from"]),
    created: text(raw["created"]),
    shortLink: link(raw),
    wanted,
    made: toMade(raw, wanted),
    cells: toCells(raw),
    artwork: json<Artwork>(raw["artwork"]),
    labels: toLabels(json<Cell | Cell[]>(raw["cell"])),
  };
}
