/**
 * XML of workbook parts: well-formed or refused. The only file that imports the XML parser. Names
 * come without namespace prefix: programs choose prefixes freely, and the strict and the
 * transitional form of the standard (ISO/IEC 29500) have no other difference that matters here.
 */
import { SaxesParser } from "saxes";

import { toMessage } from "../../base/errors.ts";

import { ZipFault } from "./zip-file.ts";

export type Attributes = Readonly<Record<string, string>>;

/** Gets the elements and texts of a part, in document order. */
export interface XmlReader {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

const toLocalName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** An attribute with a prefix of the writer's choice, such as `r:id`. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((one) => toLocalName(one) === name);
  return key === undefined ? undefined : attributes[key];
}

const DECLARATION_BYTES = 200;
const DECLARED = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/u;

/**
 * The standard allows UTF-8 and UTF-16, recognised by a mark or the first `<`; others are declared.
 */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head[0] === 0x3c && head[1] === 0) return "utf-16le";
  if (head[0] === 0 && head[1] === 0x3c) return "utf-16be";
  const declared = DECLARED.exec(head.toString("latin1", 0, DECLARATION_BYTES))?.[1] ?? "utf-8";
  return /^utf-?16/iu.test(declared) ? "utf-8" : declared;
}

interface Plain {
  readonly position: false;
  readonly xmlns: false;
}

/** Depth of elements; the standard itself needs 12. */
const MAX_DEPTH = 100;
/** Longest text or tag; a cell holds 32 767 characters. */
const MAX_PIECE_CHARACTERS = 1_000_000;

function refuse(what: string): never {
  throw new ZipFault(
    `workbook must have ${what}, got more`,
    "open it in Excel or LibreOffice and save it again as XLSX",
  );
}

/** The state of a part being read: neither its depth nor a single piece may grow without limit. */
class Progress {
  #depth = 0;
  #waiting = 0;

  open(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) refuse(`elements at most ${MAX_DEPTH} levels deep`);
    this.#waiting = 0;
  }

  close(): void {
    this.#depth -= 1;
    this.#waiting = 0;
  }

  wait(characters: number): void {
    this.#waiting += characters;
    if (this.#waiting > MAX_PIECE_CHARACTERS)
      refuse(`texts and tags of at most ${MAX_PIECE_CHARACTERS} characters`);
  }
}

function makeParser(reader: XmlReader, progress: Progress): SaxesParser<Plain> {
  const parser = new SaxesParser<Plain>({ position: false, xmlns: false });
  // A document's own entities are not expanded; they could grow without limit.
  parser.on("doctype", () => {
    throw new Error("it has a document type");
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    progress.open();
    reader.open(toLocalName(name), attributes);
  });
  parser.on("text", (text) => reader.text?.(text));
  parser.on("cdata", (text) => reader.text?.(text));
  parser.on("closetag", ({ name }) => {
    progress.close();
    reader.close?.(toLocalName(name));
  });
  return parser;
}

function makeDecoder(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new ZipFault(
      `workbook must be in UTF-8 or UTF-16, got a part in ${encoding}`,
      "open it in Excel or LibreOffice and save it again as XLSX",
    );
  }
}

/**
 * Reads a part to its end.
 * @throws ZipFault when it is cut off or not well-formed; everything read until then is invalid
 */
export async function readXml(chunks: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  const progress = new Progress();
  const parser = makeParser(reader, progress);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const chunk of chunks) {
      decoder ??= makeDecoder(encodingOf(chunk));
      const text = decoder.decode(chunk, { stream: true });
      progress.wait(text.length);
      parser.write(text);
    }
    parser.write(decoder?.decode() ?? "").close();
  } catch (error) {
    if (error instanceof ZipFault) throw error;
    const why = toMessage(error)
      .replace(/^undefined:|\.$/gu, "")
      .trim()
      .slice(0, 200);
    throw new ZipFault(
      `workbook must be well-formed, got a damaged one (${why})`,
      "open it in Excel or LibreOffice and save it again as XLSX",
    );
  }
}

/** Attributes of every tag with that name, in order. */
export async function readTags(chunks: AsyncIterable<Buffer>, name: string): Promise<Attributes[]> {
  const found: Attributes[] = [];
  await readXml(chunks, {
    open: (tag, attributes) => {
      if (tag === name) found.push(attributes);
    },
  });
  return found;
}

const ESCAPE = /_x([0-9a-fA-F]{4})_/gu;

/** Workbooks write characters that XML can't hold as `_x000D_` (ISO/IEC 29500-1, 22.9.2.19). */
export function decodeEscapes(text: string): string {
  return text.includes("_x")
    ? text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}
