/** What a file is, by its first bytes: its name may be wrong. */

export type Content =
  | { readonly kind: "zip" | "empty" }
  /** `isBinary`: no text in any encoding that spreadsheets come in. */
  | { readonly kind: "text"; readonly isBinary?: true }
  /** Not one of our spreadsheets; `what` names it, with its article. */
  | { readonly kind: "foreign"; readonly what: string; readonly hint: string };

const OLD_EXCEL = "an old Excel workbook (.xls)";
const SAVE_XLSX = "open it in Excel and save it as Excel Workbook (.xlsx)";
const SAVE_AS = "open it in a spreadsheet program and save it as XLSX or CSV";
const SAVE_UTF8 = "save it again as CSV in UTF-8";
const CHOOSE = "choose the spreadsheet itself";
const NAMED = "choose the spreadsheet that it names";

interface Signature {
  readonly bytes: string;
  readonly at?: number;
  readonly what: string;
  readonly hint: string;
}

/** First bytes in latin1 -> what it is. */
const SIGNATURES: readonly Signature[] = [
  { bytes: "\u0089PNG", what: "a PNG image", hint: CHOOSE },
  { bytes: "\u00ff\u00d8\u00ff", what: "a JPEG image", hint: CHOOSE },
  { bytes: "GIF8", what: "a GIF image", hint: CHOOSE },
  { bytes: "WEBP", at: 8, what: "a WebP image", hint: CHOOSE },
  { bytes: "II*\u0000", what: "a TIFF image", hint: CHOOSE },
  { bytes: "MM\u0000*", what: "a TIFF image", hint: CHOOSE },
  { bytes: "%PDF", what: "a PDF document", hint: "ask for the spreadsheet that it was made from" },
  { bytes: "\u001f\u008b", what: "a gzip archive", hint: "unpack it first" },
  { bytes: "7z\u00bc\u00af", what: "a 7-Zip archive", hint: "unpack it first" },
  { bytes: "Rar!", what: "a RAR archive", hint: "unpack it first" },
  { bytes: "BZh", what: "a bzip2 archive", hint: "unpack it first" },
  { bytes: "\u0028\u00b5\u002f\u00fd", what: "a Zstandard archive", hint: "unpack it first" },
  { bytes: "SQLite format 3", what: "an SQLite database", hint: "export the table as CSV" },
  { bytes: "PAR1\u0015", what: "a Parquet file", hint: "export the table as CSV" },
  { bytes: "\u00ff\u00fe\u0000\u0000", what: "text in UTF-32", hint: SAVE_UTF8 },
  { bytes: "\u0000\u0000\u00fe\u00ff", what: "text in UTF-32", hint: SAVE_UTF8 },
  { bytes: "{\\rtf", what: "an RTF document", hint: SAVE_AS },
  { bytes: "\u007fELF", what: "a program", hint: CHOOSE },
  { bytes: "BEGIN:VCARD", what: "a vCard file", hint: "export the contacts as CSV" },
  { bytes: "BEGIN:VCALENDAR", what: "a calendar", hint: "export it as CSV" },
  { bytes: "socialcalc:", what: "a SocialCalc sheet", hint: SAVE_AS },
  // Excel 2, 3 and 4; later ones are compound files.
  { bytes: "\t\u0000\u0004\u0000", what: OLD_EXCEL, hint: SAVE_XLSX },
  { bytes: "\t\u0002\u0006\u0000", what: OLD_EXCEL, hint: SAVE_XLSX },
  { bytes: "\t\u0004\u0006\u0000", what: OLD_EXCEL, hint: SAVE_XLSX },
  { bytes: "\u0000\u0000\u0002\u0000", what: "a Lotus 1-2-3 worksheet", hint: SAVE_AS },
  { bytes: "\u0000\u0000\u001a\u0000", what: "a Lotus 1-2-3 worksheet", hint: SAVE_AS },
];

const OLE = "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1";
const OLE_HEADER_BYTES = 512;
const OLE_DIRECTORY_BYTES = 4096;

/** Names of streams in a compound file -> what it is. The first one found counts. */
const OLE_KINDS: readonly (readonly [string, string, string])[] = [
  [
    "EncryptedPackage",
    "an encrypted workbook",
    "open it, remove the password (File > Info > Protect) and save it again",
  ],
  ["WordDocument", "an old Word document (.doc)", CHOOSE],
  ["__nameid_version", "an Outlook message (.msg)", "save its attachment, and choose that"],
  ["PowerPoint Document", "an old PowerPoint presentation (.ppt)", CHOOSE],
];

/**
 * Where the stream names of a compound file (MS-CFB 2.2) are: in large files far behind the head.
 * Undefined for other files.
 */
export function findOleDirectory(head: Buffer): { at: number; length: number } | undefined {
  if (head.length < OLE_HEADER_BYTES || head.toString("latin1", 0, 8) !== OLE) return undefined;
  const sectorBytes = 2 ** Math.min(head.readUInt16LE(30), 12);
  return { at: (head.readUInt32LE(48) + 1) * sectorBytes, length: OLE_DIRECTORY_BYTES };
}

function readOle(head: Buffer, directory: Buffer): Content {
  const names = Buffer.concat([directory, head]).toString("latin1");
  const found = OLE_KINDS.find(([name]) =>
    names.includes(Buffer.from(name, "utf16le").toString("latin1")),
  );
  const [, what = OLD_EXCEL, hint = SAVE_XLSX] = found ?? [];
  return { kind: "foreign", what, hint };
}

function readMarkup(head: Buffer): Content | undefined {
  const text = head
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/u, "")
    .trimStart()
    .slice(0, 600);
  if (/^(?:<!doctype html|<html|<head|<body|<table|<meta)/iu.test(text)) {
    return { kind: "foreign", what: "a web page (HTML)", hint: SAVE_AS };
  }
  if (!/^<\?xml|^<[a-z]+[\s>:]/iu.test(text)) return undefined;
  const [, what = "an XML file"] = XML_KINDS.find(([name]) => text.includes(name)) ?? [];
  return { kind: "foreign", what, hint: SAVE_AS };
}

/** Namespaces near the head of an XML file -> what it is. */
const XML_KINDS: readonly (readonly [string, string])[] = [
  ["urn:schemas-microsoft-com:office:spreadsheet", "an XML spreadsheet of 2003"],
  ["urn:oasis:names:tc:opendocument", "an OpenDocument file (.fods)"],
];

/** Data that looks like delimited text; no CSV file begins like this. */
const TEXT_KINDS: readonly (readonly [
  start: RegExp,
  within: RegExp,
  what: string,
  hint: string,
])[] = [
  [/^(?:#|version: 1\s)/u, /^kind: \w+$/mu, "a manifest", NAMED],
  [/^ID;P/u, /[\r\n]C;(?:[XY]\d+;){1,2}K/u, "a SYLK spreadsheet (.slk)", SAVE_AS],
  [/^TABLE\r?\n0,1\r?\n/u, /VECTORS/u, "a DIF spreadsheet (.dif)", SAVE_AS],
  [
    /^[[{]/u,
    /^(?:\[\s*)?(?:\{\s*"[^"]*"\s*:|\[\s*"[^"]*"\s*,)/u,
    "a JSON file",
    "export the table as CSV",
  ],
  [
    /^(?:--|\/\*|create |drop |insert |pragma |set |begin)/iu,
    // Lines of tables begin with such words, too: a column has a type.
    /^(?:create table (?:if not exists )?\S+\s*\(\s*["`[]?\w+["`\]]?\s+["`[]?(?:(?:big|medium|small|tiny)?int[248]?|integer|(?:big|small)?serial|n?(?:var)?char2?|character|(?:long|medium|tiny)?text|uuid|uniqueidentifier|number|numeric|decimal|date|datetime|timestamp|real|float|double|bool|boolean|bit|[bc]lob|(?:var)?binary|enum|jsonb?|money)\b|insert into [\w."`[\]]+\s*(?:\([^)]*\)\s*)?values\s*\()/imu,
    "SQL commands",
    "export the table as CSV",
  ],
];

function readOtherText(head: Buffer): Content | undefined {
  const text = head.toString("latin1", 0, OTHER_TEXT_BYTES).replace(/^\u00ef\u00bb\u00bf/u, "");
  const begun = text.trimStart();
  const found = TEXT_KINDS.find(([start, within]) => start.test(begun) && within.test(begun));
  return found && { kind: "foreign", what: found[2], hint: found[3] };
}

const OTHER_TEXT_BYTES = 4096;
/** Of the header's beginning and of each field. */
const DBF_BYTES = 32;
const DBF_FIELDS = 255;
const DBF_END = 0x0d;
const DBF_VERSIONS = new Set([2, 3, 4, 5, 0x30, 0x31, 0x32, 0x83, 0x8b, 0x8c, 0xf5]);

/** Version, day of the last change, and a mark behind the last field. */
function isDbf(head: Buffer): boolean {
  if (!DBF_VERSIONS.has(head[0] ?? 0)) return false;
  const [month = 0, day = 0] = head.subarray(2, 4);
  const isDated = month >= 1 && month <= 12 && day >= 1 && day <= 31;
  const ends = Array.from({ length: DBF_FIELDS }, (_, n) => head[(n + 2) * DBF_BYTES]);
  return isDated && ends.includes(DBF_END);
}

/** Also after bytes that a transfer has added; no text contains these control characters. */
function beginsZip(head: Buffer): boolean {
  const at = head.indexOf("PK\u0003\u0004", 0, "latin1");
  return at === 0 || (at > 0 && at <= MAX_BEFORE && head.includes("[Content_Types].xml"));
}

const MAX_BEFORE = 4096;

/** UTF-16 has many zeros, at every second byte of most letters; text has hardly any other control characters. */
function isBinary(head: Buffer): boolean {
  const isWide = [0xfeff, 0xfffe].includes(head.length < 2 ? 0 : head.readUInt16LE(0));
  if (isWide) return false;
  const odd = head.filter((byte) => byte < 0x20 && !TEXT_CONTROLS.has(byte));
  return odd.filter((byte) => byte !== 0).length > head.length * MAX_CONTROLS;
}

/** Tab, line feed, form feed, carriage return, and the end of a file of MS-DOS. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1a]);
const MAX_CONTROLS = 0.01;

/**
 * @param head the first bytes of the file; a few kilobytes are enough
 * @param directory the bytes that `findOleDirectory` points to
 */
export function sniff(head: Buffer, directory: Buffer = Buffer.alloc(0)): Content {
  if (head.length === 0) return { kind: "empty" };
  const start = head.subarray(0, 16).toString("latin1");
  if (start.startsWith("PK\u0005\u0006") || beginsZip(head)) return { kind: "zip" };
  if (start.startsWith(OLE)) return readOle(head, directory);
  const found = SIGNATURES.find(({ bytes, at = 0 }) => start.startsWith(bytes, at));
  if (found !== undefined) return { kind: "foreign", what: found.what, hint: found.hint };
  if (isDbf(head)) return { kind: "foreign", what: "a dBase table (.dbf)", hint: SAVE_AS };
  return (
    readMarkup(head) ??
    readOtherText(head) ??
    (isBinary(head) ? { kind: "text", isBinary: true } : { kind: "text" })
  );
}
