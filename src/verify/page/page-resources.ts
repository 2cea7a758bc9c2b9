/** What the names in a page's operators stand for. */
import { readPageContent } from "./page-content.ts";
import {
  type PageContent,
  type PageObject,
  type PageResources,
  type PaintState,
  PLAIN_STATE,
  type StateChange,
} from "./painted.ts";
import { type PageFont, readPageFont } from "./page-fonts.ts";
import type { PdfFile, PdfPage } from "../pdf/pdf-file.ts";
import { nameOf, type PdfDict, type PdfNode } from "../pdf/pdf-node.ts";

function readState(file: PdfFile, node: PdfNode): PaintState {
  const dict = file.dict(node);
  if (dict === undefined) return PLAIN_STATE;
  const value = (key: string): PdfNode | undefined => file.resolve(dict.get(key));
  const alphas = [value("ca"), value("CA")].filter(
    (alpha): alpha is number => typeof alpha === "number",
  );
  const overprintStroke = value("OP") === true;
  return {
    overprintStroke,
    overprintFill: value("op") === undefined ? overprintStroke : value("op") === true,
    alpha: Math.min(1, ...alphas),
    blendMode: nameOf(value("BM")) ?? "Normal",
    softMask: value("SMask") !== undefined && nameOf(value("SMask")) !== "None",
  };
}

/** Only the entries that are set: others put overprint in one state and transparency in another. */
export function readStateChange(file: PdfFile, node: PdfNode): StateChange {
  const dict = file.dict(node) ?? new Map<string, PdfNode>();
  const { overprintStroke, overprintFill, ...rest } = readState(file, node);
  const lineWidth = file.resolve(dict.get("LW"));
  return {
    ...(dict.has("OP") ? { overprintStroke } : {}),
    ...(dict.has("OP") || dict.has("op") ? { overprintFill } : {}),
    ...(dict.has("ca") || dict.has("CA") ? { alpha: rest.alpha } : {}),
    ...(typeof lineWidth === "number" ? { lineWidth } : {}),
  };
}

/** Shared by the pages of a file. */
export interface Known {
  readonly fonts: Map<PdfNode, PageFont>;
  readonly objects: Map<PdfNode, PageObject>;
}

const numbersIn = (file: PdfFile, node: PdfNode | undefined): number[] =>
  file.array(node).map((item) => Number(file.resolve(item)));

/** Forms of ours set no states and show no text: fills and pictures in the page's own inks. */
function readPart(file: PdfFile, dict: PdfDict, known: Known): () => PageContent {
  let content: PageContent | undefined;
  return () => {
    if (content !== undefined) return content;
    const resources = file.dict(dict.get("Resources"));
    const objects = readObjects(file, resources?.get("XObject"), known);
    const names = { states: new Map(), fonts: new Map(), objects };
    content = readPageContent(file.streamOf(dict), names);
    return content;
  };
}

/** Our names for pictures: those of shapes are forms. */
const isPicture = (name: string): boolean => /^I\d+$/u.test(name);

/** Inks of all its fills; for anything else, the colour space. */
function spaceOfShapes({ painted, faults }: PageContent): string {
  const [fault] = faults;
  if (fault !== undefined) return fault;
  const other = painted.find(({ kind, ink }) => kind !== "fill" || ink.space !== "DeviceCMYK");
  if (other !== undefined) return `a ${other.kind} in ${other.ink.space}`;
  const isBlack = painted.every(({ ink }) => ink.values.slice(0, 3).every((share) => share === 0));
  return isBlack ? "DeviceGray" : "DeviceCMYK";
}

/** A picture of shapes: as fine as any press, and held to the rules of pictures. */
function readShapes(file: PdfFile, dict: PdfDict, known: Known): PageObject {
  const space = spaceOfShapes(readPart(file, dict, known)());
  const isMasked = dict.has("Group");
  return { kind: "image", dict, width: Infinity, height: Infinity, space, isMasked };
}

/** Our names for forms that are parts of codes. */
const isPart = (name: string): boolean => /^D\d+$/u.test(name);

function readForm(file: PdfFile, dict: PdfDict): PageObject {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersIn(file, dict.get("Matrix"));
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersIn(file, dict.get("BBox"));
  return { kind: "form", dict, bbox: [left, bottom, right, top], matrix: [a, b, c, d, e, f] };
}

function readImage(file: PdfFile, dict: PdfDict): PageObject {
  const space = file.resolve(dict.get("ColorSpace"));
  return {
    kind: "image",
    dict,
    width: Number(file.resolve(dict.get("Width"))),
    height: Number(file.resolve(dict.get("Height"))),
    space: nameOf(space) ?? nameOf(file.resolve(file.array(space)[0])) ?? "none",
    isMasked: ["SMask", "Mask", "ImageMask"].some((key) => dict.has(key)),
  };
}

type Reader = (file: PdfFile, dict: PdfDict, known: Known) => PageObject;

function readerOf(file: PdfFile, dict: PdfDict, isShown: boolean): Reader {
  if (nameOf(file.resolve(dict.get("Subtype"))) !== "Form") return readImage;
  return isShown ? readShapes : readForm;
}

export function readObjects(
  file: PdfFile,
  node: PdfNode | undefined,
  known: Known,
  isPage = false,
): Map<string, PageObject> {
  const objects = new Map<string, PageObject>();
  for (const [name, entry] of file.dict(node) ?? []) {
    const target = file.resolve(entry) ?? null;
    const dict = file.dict(target);
    if (dict === undefined) continue;
    const read = readerOf(file, dict, isPage && isPicture(name));
    const fresh = known.objects.get(target) ?? read(file, dict, known);
    const isOwn = fresh.kind === "form" && fresh.paints === undefined && isPart(name);
    const object = isOwn ? { ...fresh, paints: readPart(file, dict, known) } : fresh;
    known.objects.set(target, object);
    objects.set(name, object);
  }
  return objects;
}

/** Reads a page's resources; shared ones are read once. */
export function readResources(file: PdfFile, page: PdfPage, known: Known): PageResources {
  const resources = file.dict(page.dict.get("Resources"));
  const states = new Map<string, PaintState>();
  for (const [name, node] of file.dict(resources?.get("ExtGState")) ?? [])
    states.set(name, readState(file, node));
  const fonts = new Map<string, PageFont>();
  for (const [name, node] of file.dict(resources?.get("Font")) ?? []) {
    const target = file.resolve(node) ?? null;
    const font = known.fonts.get(target) ?? readPageFont(file, target);
    known.fonts.set(target, font);
    fonts.set(name, font);
  }
  return { states, fonts, objects: readObjects(file, resources?.get("XObject"), known, true) };
}
