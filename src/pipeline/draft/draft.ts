/** The manifest that `init` writes, from what a kind makes of the columns. Pure: text in, text out. */
import { linesOf } from "../../base/lines-of.ts";
import type { Kind } from "../../kinds/names.ts";
import type { ColumnBook } from "./columns.ts";
import { quote, toKeyLine, toOutputLines } from "./manifest-lines.ts";

export const SCHEMA_FILE = "schema/job.v1.json";

/** Where the rows stand, as the manifest writes it. */
export interface DraftSource {
  /** A spreadsheet, or a folder of PDFs. */
  readonly file: string;
  readonly isFolder: boolean;
  readonly sheetName: string | undefined;
  readonly otherSheets: readonly string[];
  /** Set where the header isn't found by itself. */
  readonly headerRow: number | undefined;
  readonly isGerman: boolean;
}

/** What a kind makes of the rows. */
export interface Recipe {
  readonly kind: Kind;
  /** Names of the key columns; undefined for jobs that need none. */
  readonly key: readonly string[] | undefined;
  /** Lines between source and output. */
  readonly body: readonly string[];
  /** Text under the codes; undefined for jobs without labels. */
  readonly caption: string | undefined;
  /** Lines below `output`; default: artwork, archive, sheets and index. */
  readonly output?: readonly string[] | undefined;
}

export interface Draft {
  readonly name: string;
  readonly source: DraftSource | undefined;
  readonly book: ColumnBook;
  readonly recipe: Recipe;
  /** Label sheet; undefined: artwork and archive only. */
  readonly labelSheet: string | undefined;
}

const noteSheets = (others: readonly string[]): string =>
  others.length === 0 ? "" : `  # there are also ${others.map((name) => quote(name)).join(", ")}`;

function toSourceLines(source: DraftSource, { recipe, book }: Draft): string[] {
  if (source.isFolder) {
    return [
      `source: { folder: ${quote(source.file)} }  # every PDF is a row: {{ name }}, {{ folder }}`,
    ];
  }
  const { rules } = book;
  return linesOf(
    "source:",
    `  file: ${quote(source.file)}`,
    source.sheetName !== undefined &&
      `  sheet: ${quote(source.sheetName)}${noteSheets(source.otherSheets)}`,
    source.headerRow !== undefined && `  header_row: ${source.headerRow}`,
    source.isGerman && "  language: de  # slugs write ä as ae",
    ...(recipe.key === undefined ? [] : [toKeyLine(recipe.key)]),
    ...(rules.length === 0 ? [] : ["  columns:", ...rules]),
  );
}

function listOutput({ name, recipe, labelSheet: sheet }: Draft): string[] {
  const { caption, output } = recipe;
  if (output !== undefined) return ["output:", ...output];
  const hasLabels = sheet !== undefined && caption !== undefined;
  return toOutputLines(name, hasLabels ? { sheet, caption: quote(caption) } : undefined);
}

/**
 * The manifest, with remarks on the lines that people change first, and the guesses at its head.
 */
export function makeManifest(draft: Draft): string {
  const { name, source, recipe, book } = draft;
  const { guesses } = book;
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA_FILE}`,
    ...(guesses.length === 0 ? [] : ["# What init guessed; change what is wrong:"]),
    ...guesses.map((guess) => `# - ${guess}`),
    "version: 1",
    `name: ${name}`,
    `kind: ${recipe.kind}`,
    ...(source === undefined ? [] : toSourceLines(source, draft)),
    ...recipe.body,
    ...listOutput(draft),
  ];
  return `${lines.join("\n")}\n`;
}
