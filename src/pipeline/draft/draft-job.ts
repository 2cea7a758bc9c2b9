/**
 * A job from a person's choices for a spreadsheet: its manifest, the files beside it, the guesses.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import { linesOf } from "../../base/lines-of.ts";
import { packagePath } from "../../base/package-files.ts";
import { AppError } from "../../base/errors.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { ColumnBook, type DraftColumn } from "./columns.ts";
import { makeManifest, SCHEMA_FILE, type DraftSource } from "./draft.ts";
import { kindOf, type InitKindName } from "./kinds.ts";
import type { Suggestion } from "./look.ts";
import type { Sample } from "./samples.ts";
import { findUsedColumns, sayLeft, type UsedColumn } from "./used-columns.ts";

/** What stands in for a spreadsheet that isn't there. */
const suggest = ({ columns, keys }: Pick<Sample, "columns" | "keys">): Suggestion => ({
  sheetName: undefined,
  otherSheets: [],
  headerRow: undefined,
  columns,
  german: [],
  keyBeside: () => columns.slice(0, keys),
  keyAmong: () => columns.slice(0, keys),
  labelBeside: () => columns[0],
});

export const NOTHING_READ: Suggestion = suggest({ columns: [], keys: 0 });

export interface ChosenSource {
  /** As the manifest writes it; undefined for a sample, and for jobs that read no rows. */
  readonly file: string | undefined;
  readonly isFolder: boolean;
  readonly look: Suggestion;
}

export interface Chosen {
  readonly name: string;
  readonly kind: InitKindName;
  readonly source: ChosenSource;
  /** Written in place of a spreadsheet. */
  readonly sample?: Sample | undefined;
  /** The one that decides. */
  readonly column?: DraftColumn | undefined;
  readonly isDynamic: boolean;
  readonly labelSheet: string | undefined;
  /** Why this kind was guessed; undefined where it was named. */
  readonly guess?: string | undefined;
}

export interface Drafted {
  readonly manifest: string;
  /** Files of the sample. */
  readonly files: readonly (readonly [string, string])[];
  readonly guesses: readonly string[];
  /** Columns of a person's own spreadsheet that the manifest takes. */
  readonly used: readonly UsedColumn[];
}

/** Kinds that read no rows ask for none. */
export const readsRows = (kind: InitKindName | undefined): boolean =>
  kind === undefined || kindOf(kind).sample !== undefined;

export const lookOf = ({ source, sample }: Pick<Chosen, "source" | "sample">): Suggestion =>
  sample === undefined ? source.look : suggest(sample);

function toSource({ name, kind, source, sample }: Chosen): DraftSource | undefined {
  const { file, isFolder, look } = source;
  if (!readsRows(kind)) return undefined;
  if (file !== undefined) return { ...look, file, isFolder, isGerman: look.german.length > 0 };
  const [first] = sample?.files(name) ?? [];
  if (sample === undefined || first === undefined) return undefined;
  const isPdfs = sample.isFolder === true;
  return { ...suggest(sample), file: isPdfs ? name : first[0], isFolder: isPdfs, isGerman: false };
}

/** Notes about the spreadsheet as a whole. */
function sayWhole({ sheetName, otherSheets, german }: Suggestion, guess: string | undefined) {
  const quoted = german.map((header) => JSON.stringify(header.trim())).join(", ");
  const others = otherSheets.map((name) => JSON.stringify(name)).join(", ");
  return linesOf(
    others !== "" &&
      `sheet ${JSON.stringify(sheetName)} holds the rows; --worksheet takes another: ${others}`,
    ...(guess === undefined ? [] : [guess]),
    quoted !== "" &&
      `${quoted} ${german.length === 1 ? "sounds" : "sound"} German: slugs write ä as ae (source.language: de)`,
  );
}

/** Pure: nothing is written. Throws `bad-usage` where the kind lacks its column. */
export function draftJob(chosen: Chosen): Drafted {
  const { name, kind, sample, column, isDynamic, labelSheet, guess } = chosen;
  const look = lookOf(chosen);
  const book = new ColumnBook(look.columns);
  const recipe = kindOf(kind).recipe({ ...look, name, book, column, isDynamic });
  const draft = { name, source: toSource(chosen), book, recipe, labelSheet };
  // A sample needs no guesses.
  if (sample !== undefined) {
    book.guesses.length = 0;
    return { manifest: makeManifest(draft), files: sample.files(name), guesses: [], used: [] };
  }
  book.guesses.unshift(...sayWhole(look, guess));
  const headers = look.columns.map(({ header }) => header);
  const { used, left } = findUsedColumns(makeManifest(draft), headers);
  if (left.length > 0) book.guesses.push(sayLeft(left));
  return { manifest: makeManifest(draft), files: [], guesses: book.guesses, used };
}

const schemaSource = packagePath("schema/job.v1.json");

/**
 * Writes a job into a folder, with the schema for editors; writes nothing if one of the files
 * exists.
 */
export async function writeDraft(
  folder: string,
  name: string,
  { manifest, files }: Drafted,
): Promise<string[]> {
  const schema = await readFile(schemaSource, "utf8");
  const there = await readFile(path.join(folder, SCHEMA_FILE), "utf8").catch(() => undefined);
  const all = new Map([
    [`${name}.yaml`, manifest],
    ...files,
    ...(there === schema ? [] : [[SCHEMA_FILE, schema] as const]),
  ]);
  const taken = [...all.keys()].find((file) => existsSync(path.join(folder, file)));
  if (taken !== undefined) {
    throw new AppError("output-unwritable", `init must not overwrite files, got ${taken}`, {
      hint: "give the job another name: makeready init NAME",
    });
  }
  for (const [file, text] of all) {
    const target = path.join(folder, file);
    await makeFolder(path.dirname(target));
    await writeFile(target, text, { flag: "wx" });
  }
  return [...all.keys()];
}
