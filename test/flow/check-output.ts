/**
 * Holds everything in an output folder against the rows that it was made from
 * (docs/spec/jobs.md section 3).
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import ExcelJS from "exceljs";
import sharp from "sharp";
import { parse } from "csv-parse/sync";
import { expect } from "vitest";

import type { RowJob } from "../../src/kinds/any-job.ts";
import { formatBytes } from "../../src/base/text/words.ts";
import type { SourceRow } from "../../src/read/rows/rows.ts";
import { openDecoders } from "../qr/decoders.ts";
import { readZip, type ReadEntry } from "../pack/read-zip.ts";

type WithOutput = Pick<RowJob, "output">;
export type IndexRow = Record<string, string>;

const INDEX_COLUMNS =
  "key line display_name folder id short_link destination type files zip sheet_file sheet row column sha256 state";

/** As many images of a job are decoded here, by another decoder than makeready's; `verify` reads all. */
const IMAGES_DECODED = 3;

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A CSV without line breaks in cells, as `index.csv` is; its delimiter stands behind the first name. */
export function parseIndex(text: string): IndexRow[] {
  const plain = text.replace(/^\uFEFF/u, "");
  const [head = "", ...lines] = plain.trimEnd().split("\r\n");
  const delimiter = head.charAt("key".length);
  const splitLine = (line: string): string[] => parse(line, { delimiter })[0] ?? [];
  const names = splitLine(head);
  expect(names.join(" ")).toBe(INDEX_COLUMNS);
  return lines.map((line) =>
    Object.fromEntries(splitLine(line).map((cell, at) => [names[at] ?? "", cell])),
  );
}

export const readIndex = (folder: string): IndexRow[] =>
  parseIndex(readFileSync(path.join(folder, "index.csv"), "utf8"));

export const listOf = (cell: string | undefined): string[] =>
  cell === undefined || cell === "" ? [] : cell.split(" | ");

/** A template without filters, filled in; undefined for one that has some. */
function fillIn(template: string | null | undefined, row: SourceRow): string | undefined {
  if (template === null || template === undefined || template.includes("|")) return undefined;
  return template.replaceAll(/\{\{\s*(.*?)\s*\}\}/gu, (_, name: string) => row.values[name] ?? "");
}

/** Where the code of a row must lead, as far as the manifest says it without filters. */
function destinationOf(job: RowJob, row: SourceRow): string | undefined {
  if (job.kind === "codes" || job.kind === "links") return fillIn(job.code.qrData, row);
  if (job.kind !== "products") return undefined;
  return fillIn(job.product.links.find((link) => link.isDefault)?.destinationUrl, row);
}

/** Index, as CSV and as workbook: a line per good row, in order, with what the row says. */
export async function checkIndex(job: RowJob, good: readonly SourceRow[]): Promise<IndexRow[]> {
  const { dir } = job.output;
  const index = readIndex(dir);
  expect(index.map(({ line }) => Number(line))).toEqual(good.map(({ line }) => line));
  const { key } = job.source;
  for (const [at, row] of good.entries()) {
    const told = index[at] ?? {};
    if (key.length > 0) {
      expect(told["key"]).toBe(key.map((column) => row.values[column] ?? "").join(" / "));
    }
    const name = fillIn(job.code.displayName, row);
    if (job.kind === "codes" && name !== undefined) {
      expect(told["display_name"]?.trim()).toBe(name.trim());
    }
    const destination = destinationOf(job, row);
    if (destination !== undefined) expect(told["destination"]).toBe(destination.trim());
    const files = listOf(told["files"]);
    expect(files).toHaveLength(job.output.files.length);
    const hashes = files.map((file) => hash(readFileSync(path.join(dir, file))));
    expect(listOf(told["sha256"])).toEqual(hashes);
  }
  await checkWorkbook(job, index);
  return index;
}

/** An index that is a workbook, too, says the same there. */
export async function checkWorkbook(
  { output: { dir, index: formats } }: WithOutput,
  index: readonly IndexRow[],
): Promise<void> {
  if (!formats.includes("xlsx")) return;
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(path.join(dir, "index.xlsx"));
  const lines: string[][] = [];
  book.worksheets[0]?.eachRow((row) => {
    const cells = Array.from({ length: 16 }, (_, at) => row.getCell(at + 1).text);
    lines.push(cells);
  });
  const names = INDEX_COLUMNS.split(" ");
  expect(lines).toEqual([names, ...index.map((row) => names.map((name) => row[name] ?? ""))]);
}

/** Whether a decoder that has nothing to do with makeready's reads in an image what is wanted. */
async function reads(image: Uint8Array, isWanted: (text: string) => boolean): Promise<boolean> {
  const { data, info } = await sharp(image, { density: 200 })
    .resize({ width: 400 })
    .flatten({ background: "#ffffff" })
    .extend({ top: 40, bottom: 40, left: 40, right: 40, background: "#ffffff" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { rxing, nuintun, jsqr } = await openDecoders();
  const { width, height } = info;
  for (const read of [rxing, nuintun, jsqr]) {
    if (isWanted((await read({ data, width, height })) ?? "")) return true;
  }
  return false;
}

/** Images spread over the rows say what the rows say: the short link, or what a static code holds. */
export async function checkImages(job: WithOutput, index: readonly IndexRow[]): Promise<void> {
  const step = Math.max(1, Math.ceil(index.length / IMAGES_DECODED));
  for (const row of index.filter((_, at) => at % step === 0)) {
    const wanted = row["short_link"] || row["destination"];
    for (const file of listOf(row["files"])) {
      const image = readFileSync(path.join(job.output.dir, file));
      // What a vCard holds stands in no column of the index; `verify` compares it.
      const says = (text: string): boolean =>
        wanted === "" ? text.includes("BEGIN:VCARD") : text === wanted;
      expect([file, await reads(image, says)]).toEqual([file, true]);
    }
  }
}

const textOf = (entries: readonly ReadEntry[], name: string): string =>
  entries.find((entry) => entry.name === name)?.data.toString("utf8") ?? "";

/** Every row's files lie in the archive of its group, with sums and an index of just these rows. */
export function checkArchives(job: WithOutput, index: readonly IndexRow[]): void {
  const names = new Set(index.map(({ zip = "" }) => zip).filter((zip) => zip !== ""));
  expect(names.size > 0).toBe(job.output.zip !== null);
  expect(
    readdirSync(job.output.dir)
      .filter((name) => name.endsWith(".zip"))
      .toSorted(),
  ).toEqual([...names].toSorted());
  for (const name of names) {
    const mine = index.filter(({ zip }) => zip === name);
    const { entries } = readZip(path.join(job.output.dir, name));
    const files = mine.flatMap(({ files: list }) => listOf(list));
    const inside = files.map((file) => file.replace(/^artwork\//u, ""));
    const packed = entries.map((entry) => entry.name);
    expect(packed.toSorted()).toEqual([...inside, "index.csv", "SHA256SUMS"].toSorted());
    const sums = textOf(entries, "SHA256SUMS").trimEnd().split("\n");
    const others = entries.filter((entry) => entry.name !== "SHA256SUMS");
    expect(sums.toSorted()).toEqual(
      others.map((entry) => `${hash(entry.data)}  ${entry.name}`).toSorted(),
    );
    for (const [at, file] of files.entries()) {
      const entry = entries.find((one) => one.name === inside[at]);
      expect(entry?.data.equals(readFileSync(path.join(job.output.dir, file)))).toBe(true);
    }
    // Archives are sorted by file name.
    const inZip = parseIndex(textOf(entries, "index.csv"));
    const toFacts = ({ key, id, line, short_link: link, destination }: IndexRow): string =>
      JSON.stringify([key, id, line, link, destination]);
    expect(inZip.map(toFacts).toSorted()).toEqual(mine.map(toFacts).toSorted());
  }
}

interface SheetMap {
  readonly volumes: readonly {
    readonly file: string;
    readonly sha256: string;
    readonly cells: readonly {
      readonly page: number;
      readonly row: number;
      readonly column: number;
      readonly symbol?: string;
      readonly side?: string;
      readonly key: string;
    }[];
  }[];
}

export function readSheetMap(dir: string): SheetMap["volumes"] {
  const map = path.join(dir, "sheet-map.json");
  return existsSync(map) ? (JSON.parse(readFileSync(map, "utf8")) as SheetMap).volumes : [];
}

/** Every row has its cell; where nothing asks for another order, cell follows cell as row follows row. */
export function checkSheets(job: WithOutput, index: readonly IndexRow[]): void {
  const { sheets, dir } = job.output;
  const pdfs = readdirSync(dir).filter((name) => name.endsWith(".pdf"));
  expect(pdfs.length > 0).toBe(sheets !== null);
  if (sheets === null) return;
  const volumes = readSheetMap(dir);
  expect(volumes.map(({ file }) => file).toSorted()).toEqual(pdfs.toSorted());
  for (const { file, sha256, cells } of volumes) {
    expect(hash(readFileSync(path.join(dir, file)))).toBe(sha256);
    const mine = index.filter((row) => row["sheet_file"] === file).map(({ key }) => key);
    const keys = [...new Set(cells.map(({ key }) => key))];
    // Backs are mirrored.
    const hasBacks = cells.some(({ side }) => side === "back");
    if (!hasBacks && sheets.order === "rows" && !sheets.reverse && sheets.corner === "top-left") {
      const inOrder = cells.toSorted(
        (a, b) => a.page - b.page || a.row - b.row || a.column - b.column,
      );
      // Volumes of one group share rows with several labels: only those that begin here are counted.
      const seen = [...new Set(inOrder.map(({ key }) => key))].filter((key) => mine.includes(key));
      expect(seen).toEqual(mine);
    }
    expect(mine.filter((key) => !keys.includes(key ?? ""))).toEqual([]);
  }
  // The index counts sheets of paper, the map pages.
  const pagesPerSheet = sheets.back !== null && sheets.pages === "interleaved" ? 2 : 1;
  for (const { key, sheet_file: file, sheet, row, column } of index) {
    const cells = volumes.find((volume) => volume.file === file)?.cells ?? [];
    const place = { key, sheet: Number(sheet), row: Number(row), column: Number(column) };
    const onPaper = cells.map((cell) => ({ ...cell, sheet: Math.ceil(cell.page / pagesPerSheet) }));
    expect(onPaper).toContainEqual(expect.objectContaining(place));
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

const toText = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/gu, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/gu, " ")
    .trim();

export interface ParsedReport {
  readonly figures: Readonly<Record<string, string>>;
  /** Heading without its count -> rows: head -> cell. */
  readonly tables: Readonly<Record<string, readonly Record<string, string>[]>>;
  /** Last lines, the short links, of what the contact sheet shows, and the counts beside its headings. */
  readonly contacts: readonly string[];
  readonly totals: readonly number[];
}

/** A report as data. */
export function parseReport(html: string): ParsedReport {
  const figures = [...html.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gsu)].map(
    ([, name = "", value = ""]) => [toText(name), toText(value)] as const,
  );
  const tables: Record<string, Record<string, string>[]> = {};
  for (const part of html.split("<h2>").slice(1)) {
    const title = toText((part.split("</h2>")[0] ?? "").replace(/<small>.*/su, ""));
    const table = /<table>(.*?)<\/table>/su.exec(part)?.[1];
    if (table === undefined) continue;
    const heads = [...table.matchAll(/<th[^>]*>(.*?)<\/th>/gsu)].map(([, th = ""]) => toText(th));
    const body = table.split("<tbody>")[1] ?? "";
    tables[title] = [...body.matchAll(/<tr>(.*?)<\/tr>/gsu)].map(([, tr = ""]) =>
      Object.fromEntries(
        [...tr.matchAll(/<td[^>]*>(.*?)<\/td>/gsu)].map(([, td = ""], at) => [
          heads[at] ?? "",
          toText(td),
        ]),
      ),
    );
  }
  const sheet = html.split("<h2>Contact sheet</h2>")[1] ?? "";
  return {
    figures: Object.fromEntries(figures),
    tables,
    contacts: [...sheet.matchAll(/<li>(.*?)<\/li>/gsu)].map(([, li = ""]) =>
      toText([...li.matchAll(/<bdi>(.*?)<\/bdi>/gsu)].at(-1)?.[1] ?? ""),
    ),
    totals: [...sheet.matchAll(/<h3>.*?<small>([\d,]+)<\/small>/gsu)].map(([, n = ""]) =>
      Number(n.replaceAll(",", "")),
    ),
  };
}

export interface Told {
  readonly rows: number;
  readonly changed: number;
  readonly created: number;
  readonly unchanged: number;
  readonly writes: number;
  readonly problems: readonly { message: string; where?: { line?: number } }[];
}

/** The report tells the rows' figures, every bad row with its place, and files that are what it says. */
export function checkReport({ output }: WithOutput, index: readonly IndexRow[], told: Told): void {
  const { dir } = output;
  const report = parseReport(readFileSync(path.join(dir, "report.html"), "utf8"));
  const lines = new Set(told.problems.map(({ where }) => where?.line));
  expect(report.figures).toMatchObject({
    rows: told.rows.toLocaleString("en"),
    created: told.created.toLocaleString("en"),
    updated: told.changed.toLocaleString("en"),
    unchanged: told.unchanged.toLocaleString("en"),
    failed: `${lines.size}`,
    vanished: "0",
    "writes sent": told.writes.toLocaleString("en"),
  });
  expect(told.created + told.changed + told.unchanged + lines.size).toBe(told.rows);
  const failed = report.tables["Failed rows"] ?? [];
  expect(failed.map((row) => [Number(row["Line"]), row["What is wrong"]])).toEqual(
    told.problems.map(({ where, message }) => [where?.line, message.replaceAll(/\s+/gu, " ")]),
  );
  const files = report.tables["Files"] ?? [];
  const made = readdirSync(dir).filter((name) =>
    /^(?:index\.\w+|sheet-map\.json|certificate\.json|failed-rows\.\w+|.*\.(?:pdf|zip))$/u.test(
      name,
    ),
  );
  expect(files.map((row) => row["File"] ?? "").toSorted()).toEqual(made.toSorted());
  for (const { File: name = "", Size: size, "SHA-256": sha } of files) {
    const file = path.join(dir, name);
    expect(existsSync(file)).toBe(true);
    expect(size).toBe(formatBytes(statSync(file).size));
    expect(sha).toBe(hash(readFileSync(file)));
  }
  const inGroups = report.totals.reduce((sum, n) => sum + n, 0);
  // Where no picture is made, there is none to show.
  const hasPictures = output.files.length > 0 || output.sheets !== null;
  expect(inGroups).toBe(hasPictures ? index.length : 0);
  const links = index.flatMap((row) => row["short_link"] || []);
  if (links.length === index.length && output.files.length > 0) {
    const known = new Set(links.map((link) => link.replace(/^https?:\/\//u, "")));
    expect(report.contacts.length).toBeGreaterThan(0);
    for (const text of report.contacts) expect(known).toContain(text);
  }
}
