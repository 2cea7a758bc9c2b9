/** The relevant parts of a workbook file, found by their relationships, within limits. */
import path from "node:path";

import { GENERAL } from "../formats/number-format.ts";
import type { RawRow } from "../raw.ts";
import { parseArea } from "./xlsx-address.ts";
import { readRichTexts } from "./rich-texts.ts";
import type { CellContext } from "./xlsx-cells.ts";
import { readSheet, readSheetStart, type References, type SheetContent } from "./xlsx-sheet.ts";
import { readFormats, readStrings } from "./xlsx-strings.ts";
import { prefixed, readTags, readXml, type Attributes } from "./xml.ts";
import { readZip, ZipFault, type ZipFile } from "./zip-file.ts";

export interface PackageLimits {
  readonly maxPartBytes: number;
  /** Counts cells up to the last one with content in each row. */
  readonly maxCells: number;
}

export interface SheetPart {
  readonly name: string;
  readonly isHidden: boolean;
  /** The sheet that programs show when they open the workbook. */
  readonly isActive: boolean;
  readonly path: string;
}

export interface WorkbookPackage {
  readonly zip: ZipFile;
  readonly sheets: readonly SheetPart[];
  readonly uses1904: boolean;
  /** The program that wrote the formulas left their calculation to the next one. */
  readonly isUncalculated: boolean;
  readonly stringsPath: string | undefined;
  readonly stylesPath: string | undefined;
  /** Of metadata, values and structures of cells that hold more than their text. */
  readonly richPaths: readonly (string | undefined)[];
}

const WORKBOOK = "xl/workbook.xml";

/** What a ZIP is that holds no workbook, by the names inside. */
const ZIP_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.bin$/u, "a binary workbook (.xlsb)"],
  [/^word\//u, "a Word document"],
  [/^ppt\//u, "a PowerPoint presentation"],
  [/^Index\/.*\.iwa$|^Index\.zip$/u, "an Apple Numbers or Pages document"],
  [/^content\.xml$/u, "an OpenDocument file (.ods)"],
];

export function describeZip(names: Iterable<string>): string {
  for (const name of names) {
    const found = ZIP_KINDS.find(([pattern]) => pattern.test(name));
    if (found !== undefined) return found[1];
  }
  return "a ZIP archive";
}

interface Target {
  readonly type: string;
  /** Path within the archive; for external targets the address. */
  readonly path: string;
}

/** Limit for parts without cells; the styles of very old workbooks can have 10 MB. */
const MAX_SMALL_PART_BYTES = 24 * 1024 * 1024;

function readSmallPart(
  zip: ZipFile,
  name: string,
  { maxPartBytes, maxCells }: PackageLimits,
): AsyncIterable<Buffer> {
  const most = Math.min(maxPartBytes, MAX_SMALL_PART_BYTES);
  return readPart(zip, name, { maxPartBytes: most, maxCells });
}

function readPart(zip: ZipFile, name: string, limits: PackageLimits): AsyncIterable<Buffer> {
  const entry = zip.find(name);
  if (entry === undefined) {
    throw new ZipFault(
      `workbook must be whole, got one without its part ${name}`,
      "open it in Excel or LibreOffice and save it again as XLSX",
    );
  }
  return zip.read(entry, limits.maxPartBytes);
}

/** Targets are addresses: `my%20sheet.xml` may mean the part `my sheet.xml`. */
function toInside(zip: ZipFile, dir: string, target: string): string {
  const inside = path.posix.join("/", target.startsWith("/") ? "" : dir, target).slice(1);
  if (zip.find(inside) !== undefined || !/%[0-9a-f]{2}/iu.test(inside)) return inside;
  try {
    return decodeURIComponent(inside);
  } catch {
    return inside;
  }
}

/**
 * The relationships of a part: id -> target. Types have the same ending in the strict and the
 * transitional form.
 */
async function readRelations(
  zip: ZipFile,
  part: string,
  limits: PackageLimits,
): Promise<Map<string, Target>> {
  const { dir, base } = path.posix.parse(part);
  const file = path.posix.join(dir, "_rels", `${base}.rels`);
  const targets = new Map<string, Target>();
  if (zip.find(file) === undefined) return targets;
  for (const tag of await readTags(readSmallPart(zip, file, limits), "Relationship")) {
    const type = tag["Type"]?.split("/").at(-1) ?? "";
    const target = tag["Target"] ?? "";
    const isOutside = tag["TargetMode"] === "External";
    targets.set(tag["Id"] ?? "", { type, path: isOutside ? target : toInside(zip, dir, target) });
  }
  return targets;
}

const findByType = (targets: Iterable<Target>, type: string): string | undefined =>
  [...targets].find((target) => target.type === type)?.path;

interface WorkbookTags {
  readonly sheets: Attributes[];
  readonly view: Attributes;
  readonly properties: Attributes;
  readonly calculation: Attributes;
}

const SINGLE_TAGS = new Set(["workbookPr", "calcPr", "workbookView"]);

async function readWorkbook(chunks: AsyncIterable<Buffer>): Promise<WorkbookTags> {
  const sheets: Attributes[] = [];
  const found: Record<string, Attributes> = {};
  await readXml(chunks, {
    open: (name, attributes) => {
      if (name === "sheet") sheets.push(attributes);
      else if (SINGLE_TAGS.has(name)) found[name] = attributes;
    },
  });
  const { workbookPr: properties = {}, calcPr: calculation = {}, workbookView: view = {} } = found;
  return { sheets, properties, calculation, view };
}

const isTrue = (value: string | undefined): boolean => /^(?:1|true|on)$/u.test(value ?? "");

const RICH_TYPES = ["sheetMetadata", "rdRichValue", "rdRichValueStructure"];

/** @throws ZipFault when the file is no readable workbook */
export async function openPackage(bytes: Buffer, limits: PackageLimits): Promise<WorkbookPackage> {
  const zip = readZip(bytes);
  const top = await readRelations(zip, "", limits);
  const main = findByType(top.values(), "officeDocument") ?? WORKBOOK;
  const isWorkbook = zip.find(main) !== undefined && !/^(?:word|ppt)\/|\.bin$/u.test(main);
  if (!isWorkbook) {
    throw new ZipFault(
      `source must be CSV or XLSX, got ${describeZip(zip.entries.keys())}`,
      "open it in a spreadsheet program and save it as Excel Workbook (.xlsx)",
    );
  }
  const targets = await readRelations(zip, main, limits);
  const tags = await readWorkbook(readSmallPart(zip, main, limits));
  const { sheets, properties, calculation, view } = tags;
  const active = Number(view["activeTab"] ?? 0);
  return {
    zip,
    sheets: sheets.flatMap((sheet, at): SheetPart[] => {
      const target = targets.get(prefixed(sheet, "id") ?? "");
      // Chart sheets and dialogs have no rows.
      if (target !== undefined && target.type !== "worksheet") return [];
      const isHidden = (sheet["state"] ?? "visible") !== "visible";
      const name = sheet["name"] ?? "";
      return [{ name, isHidden, isActive: at === active, path: target?.path ?? "(unknown)" }];
    }),
    uses1904: isTrue(properties["date1904"]),
    isUncalculated: isTrue(calculation["fullCalcOnLoad"]),
    stringsPath: findByType(targets.values(), "sharedStrings"),
    stylesPath: findByType(targets.values(), "styles"),
    richPaths: RICH_TYPES.map((type) => findByType(targets.values(), type)),
  };
}

/** Without them, such cells are errors. */
async function findRichTexts(
  { zip, richPaths }: WorkbookPackage,
  limits: PackageLimits,
): Promise<ReadonlyMap<string, string>> {
  const [metadata, values, structures] = richPaths;
  if (metadata === undefined || values === undefined || structures === undefined) return new Map();
  try {
    return await readRichTexts({
      metadata: readPart(zip, metadata, limits),
      values: readPart(zip, values, limits),
      structures: readPart(zip, structures, limits),
    });
  } catch (error) {
    if (error instanceof ZipFault) return new Map();
    throw error;
  }
}

/** What the cells of all sheets refer to. */
export async function readReferences(
  book: WorkbookPackage,
  limits: PackageLimits,
): Promise<References> {
  const { zip, stringsPath, stylesPath, uses1904 } = book;
  const strings =
    stringsPath === undefined
      ? []
      : await readStrings(readPart(zip, stringsPath, limits), limits.maxCells);
  const styles =
    stylesPath === undefined
      ? { formats: [GENERAL], ruleFormats: new Set<number>() }
      : await readFormats(readSmallPart(zip, stylesPath, limits));
  return { strings, ...styles, richTexts: await findRichTexts(book, limits), uses1904 };
}

interface RowOptions {
  readonly limits: PackageLimits;
  readonly fillsMerged: boolean;
  /** Of the workbook; read if they are not given. */
  readonly references?: References;
}

/** Lines of the totals below tables; missing parts are ignored. */
async function readTotals(
  zip: ZipFile,
  parts: readonly string[],
  limits: PackageLimits,
): Promise<number[]> {
  const lines: number[] = [];
  for (const part of parts.filter((one) => zip.find(one) !== undefined)) {
    const [table] = await readTags(readSmallPart(zip, part, limits), "table");
    const { ref = "", totalsRowCount = "0" } = table ?? {};
    if (Number(totalsRowCount) > 0) lines.push(parseArea(ref).bottom);
  }
  return lines;
}

/** Reads one sheet with everything that its cells refer to. */
export async function readRows(
  book: WorkbookPackage,
  sheet: SheetPart,
  { limits, fillsMerged, references }: RowOptions,
): Promise<SheetContent & { readonly totals: readonly number[] }> {
  const { zip } = book;
  const relations = await readRelations(zip, sheet.path, limits);
  const targets = new Map([...relations].map(([id, target]) => [id, target.path]));
  const content = await readSheet(readPart(zip, sheet.path, limits), {
    ...(references ?? (await readReferences(book, limits))),
    targets,
    fillsMerged,
    maxCells: limits.maxCells,
  });
  const tables = content.tables.map((id) => targets.get(id) ?? "");
  return { ...content, totals: await readTotals(zip, tables, limits) };
}

/** The first rows of a sheet, without merged cells and links; none if it can't be read. */
export async function readFirstRows(
  book: WorkbookPackage,
  sheet: SheetPart,
  options: { readonly limits: PackageLimits; readonly references: CellContext; rows: number },
): Promise<readonly RawRow[]> {
  const { limits, references, rows } = options;
  try {
    const chunks = readPart(book.zip, sheet.path, limits);
    return await readSheetStart(chunks, { ...references, maxCells: limits.maxCells, rows });
  } catch (error) {
    if (error instanceof ZipFault) return [];
    throw error;
  }
}
