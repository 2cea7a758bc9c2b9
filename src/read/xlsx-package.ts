/** The parts of a workbook file that matter, found by their relationships, within caps. */
import path from "node:path";

import { GENERAL, type NumberFormat } from "./number-format.ts";
import { readSheet, type SheetContent } from "./xlsx-sheet.ts";
import { readFormats, readStrings } from "./xlsx-strings.ts";
import { prefixed, readTags, readXml, type Attributes } from "./xml.ts";
import { readZip, ZipFault, type ZipFile } from "./zip-file.ts";

export interface PackageLimits {
  readonly maxPartBytes: number;
  /** Cells up to the last one of each row that holds something. */
  readonly maxCells: number;
}

export interface SheetPart {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

export interface WorkbookPackage {
  readonly zip: ZipFile;
  readonly sheets: readonly SheetPart[];
  readonly uses1904: boolean;
  /** A program wrote the formulas and leaves it to the next one to calculate them. */
  readonly isUncalculated: boolean;
  readonly stringsPath: string | undefined;
  readonly stylesPath: string | undefined;
}

const WORKBOOK = "xl/workbook.xml";

/** What a ZIP without workbook is, by the names inside. */
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
  /** Within the archive; of external targets the address. */
  readonly path: string;
}

/** Parts that hold no cells; the styles of the most worn-out workbooks have 10 MB. */
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
  const entry = zip.entries.get(name);
  if (entry === undefined) {
    throw new ZipFault(
      `workbook must be whole, got one without its part ${name}`,
      "open it in Excel or LibreOffice and save it again as XLSX",
    );
  }
  return zip.read(entry, limits.maxPartBytes);
}

/** What a part refers to: id -> target. Types end alike in the strict and the transitional form. */
async function readRelations(
  zip: ZipFile,
  part: string,
  limits: PackageLimits,
): Promise<Map<string, Target>> {
  const { dir, base } = path.posix.parse(part);
  const file = path.posix.join(dir, "_rels", `${base}.rels`);
  const targets = new Map<string, Target>();
  if (!zip.entries.has(file)) return targets;
  for (const tag of await readTags(readSmallPart(zip, file, limits), "Relationship")) {
    const type = tag["Type"]?.split("/").at(-1) ?? "";
    const target = tag["Target"] ?? "";
    const isOutside = tag["TargetMode"] === "External";
    const inside = path.posix.join("/", target.startsWith("/") ? "" : dir, target).slice(1);
    targets.set(tag["Id"] ?? "", { type, path: isOutside ? target : inside });
  }
  return targets;
}

const findByType = (targets: Iterable<Target>, type: string): string | undefined =>
  [...targets].find((target) => target.type === type)?.path;

interface WorkbookTags {
  readonly sheets: Attributes[];
  readonly properties: Attributes;
  readonly calculation: Attributes;
}

async function readWorkbook(chunks: AsyncIterable<Buffer>): Promise<WorkbookTags> {
  const sheets: Attributes[] = [];
  const found: Record<string, Attributes> = {};
  await readXml(chunks, {
    open: (name, attributes) => {
      if (name === "sheet") sheets.push(attributes);
      else if (name === "workbookPr" || name === "calcPr") found[name] = attributes;
    },
  });
  return { sheets, properties: found["workbookPr"] ?? {}, calculation: found["calcPr"] ?? {} };
}

const isTrue = (value: string | undefined): boolean => /^(?:1|true|on)$/u.test(value ?? "");

/** @throws ZipFault when the file is no workbook that can be read */
export async function openPackage(bytes: Buffer, limits: PackageLimits): Promise<WorkbookPackage> {
  const zip = readZip(bytes);
  const top = await readRelations(zip, "", limits);
  const main = findByType(top.values(), "officeDocument") ?? WORKBOOK;
  const isWorkbook = zip.entries.has(main) && !/^(?:word|ppt)\/|\.bin$/u.test(main);
  if (!isWorkbook) {
    throw new ZipFault(
      `source must be CSV or XLSX, got ${describeZip(zip.entries.keys())}`,
      "open it in a spreadsheet program and save it as Excel Workbook (.xlsx)",
    );
  }
  const targets = await readRelations(zip, main, limits);
  const { sheets, properties, calculation } = await readWorkbook(readSmallPart(zip, main, limits));
  return {
    zip,
    sheets: sheets.flatMap((sheet): SheetPart[] => {
      const target = targets.get(prefixed(sheet, "id") ?? "");
      // Chart sheets and dialogs hold no rows.
      if (target !== undefined && target.type !== "worksheet") return [];
      const isHidden = (sheet["state"] ?? "visible") !== "visible";
      return [{ name: sheet["name"] ?? "", isHidden, path: target?.path ?? "(unknown)" }];
    }),
    uses1904: isTrue(properties["date1904"]),
    isUncalculated: isTrue(calculation["fullCalcOnLoad"]),
    stringsPath: findByType(targets.values(), "sharedStrings"),
    stylesPath: findByType(targets.values(), "styles"),
  };
}

/** Reads one sheet with all that its cells refer to. */
export async function readRows(
  book: WorkbookPackage,
  sheet: SheetPart,
  options: { readonly limits: PackageLimits; readonly fillsMerged: boolean },
): Promise<SheetContent> {
  const { zip, uses1904 } = book;
  const { limits, fillsMerged } = options;
  const read = (part: string): AsyncIterable<Buffer> => readPart(zip, part, limits);
  const strings =
    book.stringsPath === undefined
      ? []
      : await readStrings(read(book.stringsPath), limits.maxCells);
  const formats: NumberFormat[] =
    book.stylesPath === undefined
      ? [GENERAL]
      : await readFormats(readSmallPart(zip, book.stylesPath, limits));
  const relations = await readRelations(zip, sheet.path, limits);
  const targets = new Map([...relations].map(([id, target]) => [id, target.path]));
  return readSheet(read(sheet.path), {
    strings,
    formats,
    uses1904,
    targets,
    fillsMerged,
    maxCells: limits.maxCells,
  });
}
