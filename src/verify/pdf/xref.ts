import { toMessage } from "../../base/errors.ts";
import { MEGABYTE, unpack } from "../../print/pdf/pdf-unpack.ts";
import { Keyword, PdfLexer } from "./pdf-lexer.ts";
import { isDict, nameOf, numbersOf, type PdfDict } from "./pdf-node.ts";

/** 7 bytes an object: half a million objects. */
const MAX_XREF_BYTES = 4 * MEGABYTE;
/** More faults than a person reads. */
const MAX_FAULTS = 1000;

/** Where the cross-reference says an object stands. */
interface Entry {
  readonly object: number;
  /** Byte offset, or the object stream that holds it. */
  readonly at: number;
  readonly packed: boolean;
}

function readTable(bytes: Uint8Array, at: number): Entry[] {
  const lexer = new PdfLexer(bytes, at);
  const entries: Entry[] = [];
  lexer.next();
  for (;;) {
    const first = lexer.next();
    if (first instanceof Keyword && first.word === "trailer") return entries;
    const count = lexer.next();
    if (typeof first !== "number" || typeof count !== "number")
      throw new SyntaxError("cross-reference table is broken");
    for (let i = 0; i < count; i += 1) {
      const offset = lexer.next();
      lexer.next();
      const kind = lexer.next();
      if (kind === undefined) throw new SyntaxError("cross-reference table is cut off");
      if (kind instanceof Keyword && kind.word === "n")
        entries.push({ object: first + i, at: Number(offset), packed: false });
    }
  }
}

function streamData(bytes: Uint8Array, lexer: PdfLexer, dict: PdfDict): Uint8Array {
  const word = lexer.next();
  if (!(word instanceof Keyword) || word.word !== "stream")
    throw new SyntaxError("cross-reference stream has no data");
  const start = lexer.position + (bytes[lexer.position] === 13 ? 2 : 1);
  const raw = bytes.subarray(start, start + Number(dict.get("Length")));
  if (nameOf(dict.get("Filter")) !== "FlateDecode") return raw;
  const cap = { maxBytes: MAX_XREF_BYTES, what: "the cross-reference" };
  return unpack({ raw, filters: [{ name: "FlateDecode" }] }, cap);
}

/** The dictionary behind `12 0 obj`. */
function xrefDict(lexer: PdfLexer): PdfDict {
  for (let i = 0; i < 3; i += 1) lexer.next();
  const dict = lexer.next();
  if (dict === undefined || dict instanceof Keyword || !isDict(dict)) {
    throw new SyntaxError("cross-reference stream has no dictionary");
  }
  if (nameOf(dict.get("Type")) !== "XRef")
    throw new SyntaxError("startxref does not lead to a cross-reference");
  return dict;
}

/** Big-endian number of `width` bytes at `at`. */
function bigEndian(data: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i += 1) value = value * 256 + (data[at + i] ?? 0);
  return value;
}

/** The object numbers that a cross-reference stream has entries for, in their order. */
function* indexedObjects(dict: PdfDict): Generator<number> {
  const index = numbersOf(dict.get("Index")) ?? [0, Number(dict.get("Size"))];
  for (let section = 0; section < index.length; section += 2) {
    const [first = 0, count = 0] = index.slice(section, section + 2);
    for (let object = first; object < first + count; object += 1) yield object;
  }
}

function readStream(bytes: Uint8Array, at: number): Entry[] {
  const lexer = new PdfLexer(bytes, at);
  const dict = xrefDict(lexer);
  const [kindBytes = 0, placeBytes = 0, lastBytes = 0] = numbersOf(dict.get("W")) ?? [];
  const data = streamData(bytes, lexer, dict);
  const entries: Entry[] = [];
  const width = kindBytes + placeBytes + lastBytes;
  let offset = 0;
  for (const object of indexedObjects(dict)) {
    if (width === 0 || offset + width > data.length)
      throw new SyntaxError("cross-reference stream names more objects than it has entries");
    const kind = kindBytes === 0 ? 1 : bigEndian(data, offset, kindBytes);
    const place = bigEndian(data, offset + kindBytes, placeBytes);
    if (kind === 1 || kind === 2) entries.push({ object, at: place, packed: kind === 2 });
    offset += width;
  }
  return entries;
}

function lastStartXref(bytes: Uint8Array): number {
  const tail = Buffer.from(bytes.subarray(Math.max(0, bytes.length - 1024))).toString("latin1");
  const found = /startxref\s+(\d+)\s+%%EOF\s*$/u.exec(tail);
  if (found === null)
    throw new SyntaxError("the file does not end in startxref, a number and %%EOF");
  return Number(found[1]);
}

function readEntries(bytes: Uint8Array): Entry[] {
  const at = lastStartXref(bytes);
  const isTable = Buffer.from(bytes.subarray(at, at + 4)).toString("latin1") === "xref";
  return isTable ? readTable(bytes, at) : readStream(bytes, at);
}

/**
 * Faults of a file's cross-reference: every object must stand where it says. Reads the bytes
 * themselves; parsers repair such faults without a word.
 */
export function checkXref(bytes: Uint8Array): string[] {
  let entries: Entry[];
  try {
    entries = readEntries(bytes);
  } catch (error) {
    return [`cross-reference can't be read: ${toMessage(error)}`];
  }
  const stands = new Set<number>();
  const faults: string[] = [];
  for (const { object, at } of entries.filter((entry) => !entry.packed)) {
    if (faults.length >= MAX_FAULTS) break;
    const head = Buffer.from(bytes.subarray(at, at + 24)).toString("latin1");
    if (/^(\d+)\s+\d+\s+obj/u.exec(head)?.[1] === String(object)) stands.add(object);
    else faults.push(`object ${object} does not stand at byte ${at}, as the cross-reference says`);
  }
  for (const { object, at } of entries.filter((entry) => entry.packed)) {
    if (faults.length >= MAX_FAULTS) break;
    if (!stands.has(at))
      faults.push(`object ${object} is said to be in object stream ${at}, which does not exist`);
  }
  return faults;
}
