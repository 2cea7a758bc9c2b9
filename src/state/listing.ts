import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { PRESENT_DONE, SEEN_AS_WANTED } from "./which-rows.ts";
import { type ListedAs, toListedColumns, toListedRow, type RawRow } from "./row-codec.ts";
import type { ListedRow, Wanted } from "./row.ts";

/** Where a code was made to lead. */
export interface MadeTarget {
  readonly key: string;
  readonly id: string;
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
  readonly destination: string;
}

/** What a code is called and where it is filed, as its job has it. */
export interface NamedRow {
  readonly key: string;
  /** Of its code. */
  readonly id: string;
  /** Empty where the server chooses it. */
  readonly name: string;
  /** Of a name with a marker. */
  readonly ref: string | null;
  readonly folder: string | null;
}

/** A GS1 product as it was made. */
export interface MadeProduct extends Omit<MadeTarget, "id" | "destination"> {
  readonly made: Wanted;
}

/** A code and its looks. */
export interface DesignedRow {
  readonly key: string;
  readonly id: string;
  /** JSON, one text per look. */
  readonly design: string;
  /** JSON: that of its pictures, where it is another one. */
  readonly drawnAs: string | null;
  /** 1: on a sheet, 0: only its files show it. */
  readonly isPrinted: number;
}

/** Columns that hold JSON. */
interface Texts {
  readonly cells: string;
  readonly made: string;
}

/** The part of rows that lists show; a job may have a million rows, so nothing more is read. */
export class Listing {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** The plan's rows in their order. Don't write rows while reading this. */
  *rows(as?: ListedAs): Iterable<ListedRow> {
    const sql = `SELECT ${toListedColumns(as)} FROM rows WHERE presence = 'present' ORDER BY seq`;
    for (const raw of this.#db.iterateView<RawRow>(sql)) yield toListedRow(raw);
  }

  /** Codes that are printed, or have files, in the design of their rows. */
  designed(): Iterable<DesignedRow> {
    const sql = `SELECT row_key AS key, coalesce(json_extract(parts, '$.codeId'), remote_id) AS id,
      json_extract(wanted, '$.design') AS design, json_extract(artwork, '$.drawnAs') AS drawnAs,
      json_extract(placing, '$.sheets') IS NOT NULL AS isPrinted FROM rows WHERE ${SEEN_AS_WANTED} ORDER BY seq`;
    return this.#db.iterate(sql);
  }

  /** Of these codes, those that the plan's rows have and that were made to lead somewhere. */
  targets(ids: readonly string[]): MadeTarget[] {
    const made = `SELECT seq, row_key AS key, remote_id AS id, line, cells, json_extract(made, '$.qrData') AS destination
      FROM rows WHERE ${PRESENT_DONE} AND remote_id IN (SELECT value FROM json_each(?1))`;
    // The code of a page or form leads to it.
    const hosted = `SELECT seq, row_key, json_extract(parts, '$.codeId') AS id, line, cells, json_extract(parts, '$.url')
      FROM rows WHERE ${PRESENT_DONE} AND coalesce(json_type(made, '$.page'), json_type(made, '$.form')) IS NOT NULL
        AND json_extract(parts, '$.codeId') IN (SELECT value FROM json_each(?1))`;
    const sql = `SELECT key, id, line, cells, destination FROM (${made} UNION ALL ${hosted})
      WHERE destination IS NOT NULL ORDER BY seq`;
    return this.#db
      .all<MadeTarget & { cells: string }>(sql, JSON.stringify(ids))
      .map((row) => ({ ...row, cells: JSON.parse(row.cells) as MadeTarget["cells"] }));
  }

  /** Names and folders of the plan's rows; those of pages and forms are named by their title. */
  named(): Iterable<NamedRow> {
    const sql = `SELECT row_key AS key, coalesce(json_extract(parts, '$.codeId'), remote_id) AS id, ref,
        iif(coalesce(json_type(made, '$.page'), json_type(made, '$.form')) IS NULL,
          json_extract(made, '$.displayName'), '') AS name, json_extract(made, '$.folder') AS folder
      FROM rows WHERE ${PRESENT_DONE} AND made IS NOT NULL ORDER BY seq`;
    return this.#db.iterate(sql);
  }

  /** Marks of the local logos that the plan's rows want, each once. */
  logoMarks(): string[] {
    const mark = "json_extract(wanted, '$.design.logo_file')";
    const sql = `SELECT DISTINCT ${mark} AS mark FROM rows WHERE presence = 'present' AND ${mark} IS NOT NULL`;
    return this.#db.all<{ mark: string }>(sql).map((row) => row.mark);
  }

  /** GS1 products of the plan's rows. */
  *products(): Iterable<MadeProduct> {
    const sql = `SELECT row_key AS key, line, cells, made FROM rows WHERE ${PRESENT_DONE}
      AND coalesce(json_extract(made, '$.product'), json_extract(made, '$.gs1Product')) IS NOT NULL
      ORDER BY seq`;
    for (const row of this.#db.iterate<Omit<MadeProduct, "cells" | "made"> & Texts>(sql)) {
      const [cells, made] = [JSON.parse(row.cells), JSON.parse(row.made)] as [
        MadeProduct["cells"],
        Wanted,
      ];
      yield { ...row, cells, made };
    }
  }

  /** Folders with pictures of the plan's rows, relative to the output folder; at most `limit`. */
  artworkFolders(limit: number): string[] {
    const base = "json_extract(artwork, '$.base')";
    return this.#db
      .all<{ folder: string }>(
        `SELECT DISTINCT 'artwork/' || rtrim(${base}, replace(${base}, '/', '')) AS folder
           FROM rows WHERE presence = 'present' AND artwork IS NOT NULL LIMIT ?`,
        limit,
      )
      .map(({ folder }) => folder);
  }
}
