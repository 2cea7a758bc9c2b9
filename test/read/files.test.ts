/**
 * Files of real programs (`files/README.md`): what these programs show in them is read, refused with
 * its place, or reported. The shown text was written down by the program, never by our reader.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import type { ColumnType } from "../../src/job/job.ts";
import { openSource } from "../../src/read/source.ts";
import { makeSource, openHere, readAll, type ColumnSpec, type ReadResult } from "./make-source.ts";

const folder = fileURLToPath(new URL("files", import.meta.url));

/** Where two programs show it otherwise, both texts. */
type Shown = string | readonly string[];

interface ShownFile {
  readonly file: string;
  readonly rows: readonly (readonly Shown[])[];
  readonly hiddenRows?: readonly number[];
  readonly hiddenColumns?: readonly string[];
}

interface TypedTopic {
  readonly topic: string;
  readonly columns: Readonly<
    Record<string, { readonly type: ColumnType; readonly values: readonly string[] }>
  >;
}

const readLines = <T>(name: string): T[] =>
  readFileSync(path.join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);

const shownFiles = readLines<ShownFile>("shown.jsonl");
const typedTopics = readLines<TypedTopic>("typed.jsonl");

const programs = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "make" && entry.name !== "said")
  .map(({ name }) => name);
const filesOf = (program: string): string[] =>
  readdirSync(path.join(folder, program)).map((file) => `${program}/${file}`);
const isShown = new Set(shownFiles.map(({ file }) => file));

/** Read otherwise than these programs show it, for a reason. */
const OTHERWISE: readonly (readonly [file: RegExp, text: RegExp, why: string])[] = [
  [/\.xlsx$/u, /^_x0041_$/u, "the standard and Excel read it as A"],
  [/escaped-formulas\.csv$/u, /^'[=+\-@]/u, "a mark of texts, which is taken off"],
  [/quote\.csv$/u, /^'=/u, "a mark of texts, which is taken off"],
  [/excel-strings\.csv$/u, /^="[^]*"$/u, "a mark of texts, which is taken off"],
];

/** What is the same on paper. */
const toPlain = (text: string): string =>
  text
    .replaceAll("\u2212", "-")
    .replaceAll(/[\s\u200a]+/gu, " ")
    .trim()
    .normalize("NFC");

const textsOf = (shown: Shown): string[] =>
  (typeof shown === "string" ? [shown] : [...shown]).map(toPlain);

/** Reads all columns as texts that templates use, or some of them as types. */
async function read(file: string, columns: Record<string, ColumnSpec> = {}): Promise<ReadResult> {
  const spec = makeSource(path.join(folder, file), columns);
  const source = await openSource(spec, [], undefined, openHere);
  await source.close();
  return readAll(
    spec,
    source.columns.map((column) => column.trim()),
    openHere,
  );
}

interface Line {
  /** From 1, in the table that is shown. */
  readonly line: number;
  readonly cells: readonly Shown[];
}

/** The rows behind the header that show something. */
function dataOf({ rows }: ShownFile, { source }: ReadResult): Line[] {
  const lines = rows
    .map((cells, at) => ({ line: at + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => textsOf(cell).some((text) => text !== "")));
  const isHeader = ({ cells }: Line): boolean =>
    source.columns.every((column, at) => {
      const texts = textsOf(cells[at] ?? "");
      return (
        texts.includes(toPlain(column)) || (texts.includes("") && /^column \d+$/u.test(column))
      );
    });
  const header = lines.findIndex(isHeader);
  expect(header, "the header is one of the rows that are shown").toBeGreaterThanOrEqual(0);
  return lines.slice(header + 1);
}

/** Cells whose text is another one than what is shown, without a word about it. */
function findSilent(shown: ShownFile, result: ReadResult): string[] {
  const { source, rows } = result;
  const isBook = source.detected.format === "xlsx";
  const told = new Set(source.warnings.map(({ where }) => where?.column));
  /** A quote in the wrong place: programs differ in where its cell ends. */
  const quotes = new Set(
    source.warnings.map(({ message, where }) => message.includes("a quote that") && where?.line),
  );
  const isToldAsWhole = source.warnings.some(({ message }) => message.includes("not UTF-8"));
  return dataOf(shown, result).flatMap(({ line, cells }, at) => {
    const row = isBook ? rows.find((one) => one.line === line) : rows[at];
    if (row === undefined) return [`row ${line} is not read`];
    const refused = row.problems.map(({ where }) => where?.column);
    if (refused.includes(undefined) || quotes.has(row.line)) return [];
    return cells.flatMap((cell, at) => {
      const column = source.columns[at]?.trim() ?? "";
      const used = toPlain(row.values[column] ?? "");
      const texts = textsOf(cell);
      const isSaid = refused.includes(column) || told.has(column) || isToldAsWhole;
      const isKnown = OTHERWISE.some(
        ([file, text]) => file.test(shown.file) && texts.some((one) => text.test(one)),
      );
      if (texts.includes(used) || isSaid || isKnown) return [];
      return [`${line} ${column}: shown ${JSON.stringify(cell)}, used ${JSON.stringify(used)}`];
    });
  });
}

const wordsFor = (count: number): RegExp =>
  count === 1 ? /^1 hidden row is read/u : new RegExp(`^${count} hidden rows are read`, "u");

describe.each(programs)("%s", (program) => {
  const shown = shownFiles.filter(({ file }) => file.startsWith(`${program}/`));

  it.each(shown.map((one) => [one.file, one] as const))(
    "%s: nothing differs in silence",
    async (_, one) => {
      const result = await read(one.file);
      expect(findSilent(one, result)).toEqual([]);
      const warnings = result.source.warnings.map(({ message }) => message);
      const hidden = (one.hiddenRows ?? []).filter((line) =>
        one.rows[line - 1]?.some((cell) => cell !== ""),
      ).length;
      if (hidden > 0) expect(warnings).toContainEqual(expect.stringMatching(wordsFor(hidden)));
      for (const column of one.hiddenColumns ?? []) {
        expect(warnings).toContain(`column ${column} is hidden and is read like the others`);
      }
    },
  );

  it("says what is odd about each file, and why it is refused", async () => {
    const said: string[] = [];
    for (const file of filesOf(program)) said.push(...(await say(file)));
    await expect(`${said.join("\n")}\n`).toMatchFileSnapshot(`files/said/${program}.txt`);
  });
});

async function say(file: string): Promise<string[]> {
  try {
    const { source, rows } = await read(file);
    expect(isShown.has(file), `${file} is read, so what it shows must be known`).toBe(true);
    const { encoding, delimiter, headerLine } = source.detected;
    const facts = encoding === "-" ? "" : ` ${encoding} ${JSON.stringify(delimiter)}`;
    const problems = [...source.warnings, ...rows.flatMap((row) => row.problems)];
    return [
      `${path.basename(file)}:${facts} header in ${headerLine}, ${rows.length} rows`,
      ...problems.map(
        ({ message, where }) => `  ${where?.line ?? "-"} ${where?.column ?? "-"}: ${message}`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [`${path.basename(file)}: ${error.message}`, `  ${error.hint ?? "no hint"}`];
  }
}

describe.each(typedTopics)("typed columns of $topic", ({ topic, columns }) => {
  const files = programs
    .map((program) => `${program}/${topic}.xlsx`)
    .filter((file) => isShown.has(file));

  it.each(files)(
    "%s: the value, or refused; and a warning when it isn't what is shown",
    async (file) => {
      const specs = Object.entries(columns).map(([name, { type }]) => [name, { type }] as const);
      const { source, rows } = await read(file, Object.fromEntries(specs));
      for (const [name, { type, values }] of Object.entries(columns)) {
        const used = rows.map((row) =>
          row.problems.some(({ where }) => where?.column === name) ? "refused" : row.values[name],
        );
        const same = (one: string | undefined, other: string | undefined): boolean =>
          type === "number"
            ? Math.abs(Number(one) - Number(other)) <= Math.abs(Number(other)) * 1e-14
            : one === other;
        const wrong = used.flatMap((one, at) =>
          one === "refused" || same(one, values[at]) ? [] : [`${at}: ${one}, not ${values[at]}`],
        );
        expect(wrong).toEqual([]);
        expect(used.filter((one) => one === "refused").length).toBeLessThanOrEqual(4);
      }
      expect(source.warnings.length).toBeLessThan(10);
    },
  );
});
