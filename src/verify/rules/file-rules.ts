import { toMessage } from "../../base/errors.ts";
import { checkOutputProfile } from "../../print/pdf/icc-profile.ts";
import type { Fault } from "./finding.ts";
import type { PdfFile } from "../pdf/pdf-file.ts";
import {
  isArray,
  isBytes,
  isDict,
  isReference,
  isStream,
  nameOf,
  type PdfNode,
  textOf,
  walk,
} from "../pdf/pdf-node.ts";
import type { FileContext } from "./sheet-context.ts";
import { checkXref } from "../pdf/xref.ts";

/**
 * Checks of the file as a whole (docs/spec/print.md section 12, rules 1 to 6, 10, 12, 23 and 24).
 */
export type FileCheck = (context: FileContext) => Fault[];

const faults = (messages: readonly string[]): Fault[] => messages.map((message) => ({ message }));

/** Rule 1. */
export const checkStructure: FileCheck = ({ file, job }) => {
  const wanted = job.standard === "PDF/X-4" ? "1.6" : "1.4";
  const messages =
    file.version === wanted
      ? []
      : [`header must say %PDF-${wanted} for ${job.standard}, got ${file.version ?? "none"}`];
  const dangling = new Set<number>();
  const look = (node: PdfNode): void => {
    if (isReference(node) && !file.objects.has(node.ref)) dangling.add(node.ref);
  };
  for (const node of file.objects.values()) walk(node, look);
  walk(file.trailer, look);
  messages.push(
    ...checkXref(file.bytes),
    ...[...dangling].map((ref) => `object ${ref} is referred to, but does not exist`),
  );
  return faults(messages);
};

const ID_BYTES = 16;

/** Rule 2. */
export const checkIdentity: FileCheck = ({ file }) => {
  const messages: string[] = [];
  const id = file.array(file.trailer.get("ID"));
  if (id.length !== 2 || id.some((part) => !isBytes(part) || part.bytes.length !== ID_BYTES)) {
    messages.push("trailer must have an /ID of two 16-byte strings");
  }
  if (file.trailer.has("Encrypt")) messages.push("file must not be encrypted");
  return faults(messages);
};

/** Keys and values that no PDF/X file may have, with what they are. */
const forbiddenKeys: Readonly<Record<string, string>> = {
  JavaScript: "JavaScript",
  JS: "JavaScript",
  AA: "an action",
  OpenAction: "an action",
  A: "an action",
  AcroForm: "a form",
  XFA: "a form",
  EmbeddedFiles: "an embedded file",
  EF: "an embedded file",
  OPI: "OPI data",
  TR: "a transfer curve",
  TR2: "a transfer curve",
  F: "an external stream",
  FFilter: "an external stream",
};
const forbiddenFilters = new Set(["LZWDecode", "Crypt"]);
/** `F` and `A` mean other things in resources, where names are free. */
export const freeNameKeys: ReadonlySet<string> = new Set([
  "Font",
  "ExtGState",
  "ColorSpace",
  "XObject",
  "Properties",
  "Pattern",
  "Shading",
  "CharProcs",
  "Colorants",
]);

function filterFaults(value: PdfNode, where: string): string[] {
  const names = (isArray(value) ? value : [value]).map((item) => nameOf(item));
  return names
    .filter((name) => name !== undefined && forbiddenFilters.has(name))
    .map((name) => `${where} uses the filter ${name}`);
}

/** Checks an entry itself, not the objects below it. */
export function ownFaults(key: string, value: PdfNode, where: string): string[] {
  const found = Object.hasOwn(forbiddenKeys, key)
    ? [`${where} has ${forbiddenKeys[key]} (/${key})`]
    : [];
  return key === "Filter" ? [...found, ...filterFaults(value, where)] : found;
}

function entryFaults(key: string, value: PdfNode, where: string): string[] {
  const inner = freeNameKeys.has(key) && isDict(value) ? [...value.values()] : [value];
  return [...ownFaults(key, value, where), ...inner.flatMap((item) => forbiddenIn(item, where))];
}

function forbiddenIn(node: PdfNode, where: string): string[] {
  if (isArray(node)) return node.flatMap((item) => forbiddenIn(item, where));
  const dict = isStream(node) ? node.dict : node;
  return isDict(dict) ? [...dict].flatMap(([key, value]) => entryFaults(key, value, where)) : [];
}

/** Objects whose keys are free names. */
function freeObjects(file: PdfFile): ReadonlySet<number> {
  const free = new Set<number>();
  const look = (node: PdfNode): void => {
    if (!isDict(node)) return;
    for (const [key, value] of node)
      if (freeNameKeys.has(key) && isReference(value)) free.add(value.ref);
  };
  for (const node of file.objects.values()) walk(node, look);
  return free;
}

/** Rule 3. */
export const checkForbidden: FileCheck = ({ file }) => {
  const free = freeObjects(file);
  return faults(
    [...file.objects].flatMap(([number, node]) => {
      const where = `object ${number}`;
      return free.has(number) && isDict(node)
        ? [...node.values()].flatMap((value) => forbiddenIn(value, where))
        : forbiddenIn(node, where);
    }),
  );
};

/** The XMP packet as text; undefined without one. */
function readXmp(file: PdfFile): string | undefined {
  const stream = file.stream(file.catalog.get("Metadata"));
  if (stream === undefined) return undefined;
  return Buffer.from(file.data(stream)).toString("utf8");
}

const TAG = /<(\/?)([^\s=<>"'/]+)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/gu;

/** Tags that do not close in order; a packet of ours has no comments and no CDATA. */
function checkXml(xml: string): string | undefined {
  const open: string[] = [];
  for (const [, close, name = "", , self] of xml.matchAll(TAG)) {
    if (close === "/") {
      if (open.pop() !== name) return `XMP is not well-formed: </${name}> closes nothing`;
    } else if (self !== "/") open.push(name);
  }
  const bare = xml.replaceAll(/<\?[^<>]*\?>/gu, "").replaceAll(TAG, "");
  if (/<|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/iu.test(bare))
    return "XMP is not well-formed: a bare < or &";
  return open.length === 0 ? undefined : `XMP is not well-formed: <${open.at(-1)}> stays open`;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Text of the first element of that name, unescaped. */
function element(xml: string, name: string): string | undefined {
  const elements = xml.matchAll(/<([\w:.-]+)(?:\s[^<>]*)?>([^<]*)<\/([\w:.-]+)>/gu);
  const found = [...elements].find(([, opened, , closed]) => opened === name && closed === name);
  return found?.[2]?.replaceAll(
    /&(amp|lt|gt|quot|apos);/gu,
    (_, entity: string) => entities[entity] ?? "",
  );
}

const versionKeySpace = 'xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"';

function checkX4Metadata({ file, job }: FileContext): string[] {
  const stream = file.stream(file.catalog.get("Metadata"));
  if (stream === undefined) return ["catalog must have XMP metadata"];
  if (stream.dict.has("Filter")) return ["XMP must be a stream without filter"];
  const xmp = readXmp(file) ?? "";
  const messages: string[] = [];
  const broken = checkXml(xmp);
  if (broken !== undefined) messages.push(broken);
  const claim = element(xmp, "pdfxid:GTS_PDFXVersion");
  if (claim !== job.standard || !xmp.includes(versionKeySpace)) {
    messages.push(`XMP must say pdfxid:GTS_PDFXVersion ${job.standard}, got ${claim ?? "nothing"}`);
  }
  return messages;
}

function checkX1aClaim({ file, job }: FileContext): string[] {
  const info = file.dict(file.trailer.get("Info"));
  return ["GTS_PDFXVersion", "GTS_PDFXConformance"].flatMap((key) => {
    const got = textOf(file.resolve(info?.get(key)));
    return got === job.standard
      ? []
      : [`Info must say ${key} ${job.standard}, got ${got ?? "nothing"}`];
  });
}

/** Rule 4. */
export const checkVersionKey: FileCheck = (context) =>
  faults(context.job.standard === "PDF/X-4" ? checkX4Metadata(context) : checkX1aClaim(context));

const isoOfPdfDate = (date: string | undefined): string | undefined =>
  date?.replace(/^D:(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z.*$/u, "$1-$2-$3T$4:$5:$6Z");

/** Info key, XMP element, how the one reads as the other. */
const pairs = [
  ["Title", "rdf:li", (text: string | undefined) => text],
  ["CreationDate", "xmp:CreateDate", isoOfPdfDate],
  ["ModDate", "xmp:ModifyDate", isoOfPdfDate],
] as const;
const xmpOnly = [
  "xmp:MetadataDate",
  "xmpMM:DocumentID",
  "xmpMM:VersionID",
  "xmpMM:RenditionClass",
  "xmpMM:InstanceID",
];

function infoText(file: PdfFile, key: string): string | undefined {
  return textOf(file.resolve(file.dict(file.trailer.get("Info"))?.get(key)));
}

function trappedOf(file: PdfFile): string | undefined {
  return nameOf(file.resolve(file.dict(file.trailer.get("Info"))?.get("Trapped")));
}

function checkInfo({ file, options }: FileContext): string[] {
  const title = infoText(file, "Title");
  const messages =
    title === options.title
      ? []
      : [`Info title must be ${JSON.stringify(options.title)}, got ${JSON.stringify(title)}`];
  for (const key of ["CreationDate", "ModDate"])
    if (infoText(file, key) === undefined) messages.push(`Info must have ${key}`);
  const trapped = trappedOf(file);
  if (trapped === "True" || trapped === "False") return messages;
  return [...messages, `Info Trapped must be the name True or False, got ${trapped ?? "nothing"}`];
}

/** Rule 5. */
export const checkDescription: FileCheck = (context) => {
  const { file, job } = context;
  const messages = checkInfo(context);
  if (job.standard !== "PDF/X-4") return faults(messages);
  const xmp = readXmp(file) ?? "";
  for (const [key, name, read] of pairs) {
    if (element(xmp, name) !== read(infoText(file, key)))
      messages.push(`XMP ${name} must agree with Info ${key}`);
  }
  if (element(xmp, "pdf:Trapped") !== trappedOf(file))
    messages.push("XMP pdf:Trapped must agree with Info Trapped");
  for (const name of xmpOnly)
    if ((element(xmp, name) ?? "") === "") messages.push(`XMP must have ${name}`);
  return faults(messages);
};

function checkProfile(file: PdfFile, node: PdfNode | undefined): string[] {
  const stream = file.stream(node);
  if (stream === undefined) return ["output intent must embed its profile"];
  const channels = file.resolve(stream.dict.get("N"));
  const messages =
    channels === 4 ? [] : [`profile must have /N 4, got ${JSON.stringify(channels)}`];
  try {
    return [
      ...messages,
      ...checkOutputProfile(file.data(stream)).map((problem) => problem.message),
    ];
  } catch (error) {
    return [...messages, `profile can't be read: ${toMessage(error)}`];
  }
}

/** Rule 6. */
export const checkOutputIntent: FileCheck = ({ file }) => {
  const intents = file.array(file.catalog.get("OutputIntents"));
  const press = intents
    .map((node) => file.dict(node))
    .filter((dict) => nameOf(file.resolve(dict?.get("S"))) === "GTS_PDFX");
  const [intent] = press;
  if (intent === undefined || press.length !== 1)
    return faults([`file must have one output intent GTS_PDFX, got ${press.length}`]);
  const missing = ["OutputConditionIdentifier", "Info", "RegistryName"].filter(
    (key) => !textOf(file.resolve(intent.get(key))),
  );
  return faults([
    ...missing.map((key) => `output intent must have ${key}`),
    ...checkProfile(file, intent.get("DestOutputProfile")),
  ]);
};

/** Rule 23. */
export const checkPageCount: FileCheck = ({ file, pageCount }) =>
  faults(
    file.pages.length === pageCount
      ? []
      : [`file must have the ${pageCount} pages of its map, got ${file.pages.length}`],
  );

/** Rule 24: the map itself; the other rules compare it with the pages. */
export const checkMap: FileCheck = ({ cells }) => {
  const found: Fault[] = [];
  const places = new Map<string, string>();
  for (const { key, payloadHash, page, row, column, part = 1, item } of cells) {
    const place = `${page}/${row}/${column}/${item === undefined ? part : `item ${item}`}`;
    const other = places.get(place);
    if (other !== undefined)
      found.push({ message: `cell is given to ${other} and to ${key}`, page, row, column, key });
    places.set(place, key);
    if (!/^[0-9a-f]{64}$/u.test(payloadHash))
      found.push({ message: "payload hash must be a SHA-256", page, row, column, key });
    if (key === "") found.push({ message: "cell has no row key", page, row, column });
  }
  return found;
};
