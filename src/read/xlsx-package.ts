/**
 * The parts of a workbook file that matter, found by their relationships, within caps. Reading
 * libraries go through every part and trip over charts, validations and names; so only what holds
 * cells is handed on.
 */
import { encodeXml, findTags } from "./xml-text.ts";
import { makeStoredZip, readZip, ZipFault, type ZipFile } from "./zip-file.ts";

export interface PackageLimits {
  readonly maxPartBytes: number;
  /** Cells with something in them, and cells under merged ones. */
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

/** Path of a relationship's target, relative to `xl/` or to the root. */
function toPath(target: string): string {
  return target.startsWith("/") ? target.slice(1) : `xl/${target.replace(/^\.\//u, "")}`;
}

export function readPart(zip: ZipFile, path: string, limits: PackageLimits): string | undefined {
  const entry = zip.entries.get(path);
  return entry === undefined ? undefined : zip.read(entry, limits.maxPartBytes).toString("utf8");
}

/** @throws ZipFault when the file is no workbook that can be read */
export function openPackage(bytes: Buffer, limits: PackageLimits): WorkbookPackage {
  const zip = readZip(bytes);
  const workbook = readPart(zip, WORKBOOK, limits);
  if (workbook === undefined) {
    throw new ZipFault(
      `source must be CSV or XLSX, got ${describeZip(zip.entries.keys())}`,
      "open it in a spreadsheet program and save it as Excel Workbook (.xlsx)",
    );
  }
  const relations = readPart(zip, "xl/_rels/workbook.xml.rels", limits) ?? "";
  const targets = new Map<string, { type: string; path: string }>();
  for (const attributes of findTags(relations, "Relationship")) {
    const type = attributes.get("Type")?.split("/").at(-1) ?? "";
    targets.set(attributes.get("Id") ?? "", { type, path: toPath(attributes.get("Target") ?? "") });
  }
  const pathOf = (type: string): string | undefined =>
    [...targets.values()].find((target) => target.type === type)?.path;
  const sheets = [...findTags(workbook, "sheet")].flatMap((sheet): SheetPart[] => {
    const target = targets.get(sheet.get("id") ?? "");
    if (target?.type !== "worksheet") return [];
    const isHidden = (sheet.get("state") ?? "visible") !== "visible";
    return [{ name: sheet.get("name") ?? "", isHidden, path: target.path }];
  });
  const [properties] = findTags(workbook, "workbookPr");
  return {
    zip,
    sheets,
    uses1904: /^(?:1|true)$/u.test(properties?.get("date1904") ?? ""),
    stringsPath: pathOf("sharedStrings"),
    stylesPath: pathOf("styles"),
  };
}

/** `B12` -> row and column from 1. */
function parseAddress(address: string): { row: number; column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/u.exec(address) ?? [];
  if (letters === undefined || digits === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: +digits, column };
}

/** A merged area, by its first cell and its size. */
export interface MergedArea {
  readonly ref: string;
  readonly row: number;
  readonly cells: number;
}

function readMerged(xml: string): MergedArea[] {
  return [...findTags(xml, "mergeCell")].flatMap((tag): MergedArea[] => {
    const ref = tag.get("ref") ?? "";
    const [from, to] = ref.split(":").map(parseAddress);
    if (from === undefined || to === undefined) return [];
    const cells = (to.row - from.row + 1) * (to.column - from.column + 1);
    return [{ ref, row: from.row, cells }];
  });
}

export interface SheetContent {
  /** XML without empty cells and without namespace prefix. */
  readonly xml: string;
  readonly merged: readonly MergedArea[];
  /** Cell -> whole address of its hyperlink. */
  readonly links: ReadonlyMap<string, string>;
}

/** Some programs write `<x:worksheet>`; the reading library knows plain names only. */
function dropPrefix(xml: string): string {
  const prefix = /<([\w-]+):worksheet[\s>]/u.exec(xml.slice(0, 4096))?.[1];
  return prefix === undefined ? xml : xml.replaceAll(new RegExp(`<(/?)${prefix}:`, "gu"), "<$1");
}

function readLinks(xml: string, relations: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const relation of findTags(relations, "Relationship")) {
    targets.set(relation.get("Id") ?? "", relation.get("Target") ?? "");
  }
  const links = new Map<string, string>();
  for (const link of findTags(xml, "hyperlink")) {
    const target = targets.get(link.get("id") ?? "");
    const fragment = link.get("location");
    if (target === undefined) continue;
    const isWhole = fragment === undefined || target.includes("#");
    links.set(link.get("ref") ?? "", isWhole ? target : `${target}#${fragment}`);
  }
  return links;
}

const EMPTY_CELL = /<c\s[^>]*\/>|<c>\s*<\/c>/gu;
const EMPTY_ROW = /<row\s[^>]*\/>|<row(?:\s[^>]*)?>\s*<\/row>/gu;
/** A formula whose result is an empty text; the library takes it for one never calculated. */
const EMPTY_TEXT =
  /(<c\s[^>]*\bt="str"[^>]*>\s*<f(?:\s[^>]*)?(?:\/>|>[^<]*<\/f>)\s*)<v\s*(?:\/>|><\/v>)/gu;

/** Reads a worksheet. Empty formatted cells are dropped: they can be a hundred times the data. */
export function readSheet(
  { zip }: WorkbookPackage,
  sheet: SheetPart,
  limits: PackageLimits,
): SheetContent {
  const whole = readPart(zip, sheet.path, limits);
  if (whole === undefined || !/<\/(?:[\w-]+:)?worksheet>\s*$/u.test(whole.slice(-200))) {
    throw new ZipFault("file must be a whole workbook, got one whose sheet is cut off or damaged");
  }
  const xml = dropPrefix(whole)
    .replaceAll(EMPTY_CELL, "")
    .replaceAll(EMPTY_ROW, "")
    .replaceAll(EMPTY_TEXT, "$1<v> </v>");
  const merged = readMerged(xml);
  let cells = merged.reduce((sum, area) => sum + area.cells, 0);
  for (let at = xml.indexOf("<c "); at >= 0; at = xml.indexOf("<c ", at + 3)) cells += 1;
  if (cells > limits.maxCells) {
    throw new ZipFault(
      `sheet must have at most ${limits.maxCells.toLocaleString("en")} cells, got ${cells.toLocaleString("en")}`,
      "save the sheet as CSV: CSV has no such limit",
    );
  }
  const file = sheet.path.split("/").at(-1) ?? "";
  const relations = readPart(zip, sheet.path.replace(file, `_rels/${file}.rels`), limits) ?? "";
  return { xml, merged, links: readLinks(xml, relations) };
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

/** A workbook of one sheet, its texts and its number formats, for the reading library. */
export function makeSmallWorkbook(
  book: WorkbookPackage,
  sheet: { name: string; xml: string },
  limits: PackageLimits,
): Buffer {
  const parts = new Map<string, Buffer>();
  const relations: string[] = [];
  const add = (id: string, target: string, content: string | undefined): void => {
    if (content === undefined) return;
    const type = `${RELATIONS}/${target.includes("/") ? "worksheet" : target.replace(".xml", "")}`;
    relations.push(`<Relationship Id="${id}" Type="${type}" Target="${target}"/>`);
    parts.set(`xl/${target}`, Buffer.from(content));
  };
  const read = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : readPart(book.zip, path, limits);
  add("rId2", "styles.xml", read(book.stylesPath));
  add("rId3", "sharedStrings.xml", read(book.stringsPath));
  add("rId1", "worksheets/sheet1.xml", sheet.xml);
  const name = encodeXml(sheet.name.slice(0, 31) || "Sheet");
  const workbook = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="${Number(book.uses1904)}"/><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  const rels = `<Relationships xmlns="${PACKAGE}">${relations.join("")}</Relationships>`;
  parts.set("xl/workbook.xml", Buffer.from(workbook));
  parts.set("xl/_rels/workbook.xml.rels", Buffer.from(rels));
  return makeStoredZip(parts);
}
