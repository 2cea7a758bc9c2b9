/**
 * PDF files -> objects. pdf-lib's parser unpacks object and cross-reference streams by itself and
 * without a limit; this one hands it such streams empty and reads them within caps.
 */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFParser,
  PDFRawStream,
  PDFRef,
  type PDFStream,
} from "pdf-lib/cjs/core/index.js";

import { MEGABYTE, type Packed, type PackedFilter, PdfTooLarge, unpack } from "./pdf-unpack.ts";

/** Programs put 50 to 200 objects into one, of a few kilobytes. */
const MAX_OBJECT_STREAM_BYTES = 4 * MEGABYTE;
/** All of a file: sheets of a thousand pages have 2 MB. */
const MAX_OBJECT_STREAMS_BYTES = 32 * MEGABYTE;
/** Numbers, names, texts, lists: sheets of a thousand pages have 100 000. */
const MAX_VALUES = 1_000_000;

const key = (dict: PDFDict, name: string): PDFObject | undefined => dict.lookup(PDFName.of(name));

function toFilter(name: PDFObject | undefined, parms: PDFObject | undefined): PackedFilter {
  const number = (entry: string): number | undefined => {
    const found = parms instanceof PDFDict ? key(parms, entry) : undefined;
    return found instanceof PDFNumber ? found.asNumber() : undefined;
  };
  return {
    name: name instanceof PDFName ? name.decodeText() : "something that is no name",
    predictor: number("Predictor"),
    earlyChange: number("EarlyChange"),
  };
}

/** A stream of the package's, ready to be unpacked. */
export function toPacked({ dict, contents }: PDFRawStream): Packed {
  const filter = key(dict, "Filter");
  const parms = key(dict, "DecodeParms");
  if (!(filter instanceof PDFArray))
    return { raw: contents, filters: filter === undefined ? [] : [toFilter(filter, parms)] };
  const filters = filter
    .asArray()
    .map((_, i) =>
      toFilter(filter.lookup(i), parms instanceof PDFArray ? parms.lookup(i) : undefined),
    );
  return { raw: contents, filters };
}

/** Where the objects of an object stream stand in it (ISO 32000-2, 7.5.7). */
function readPlaces(data: Uint8Array, dict: PDFDict): { number: number; at: number }[] {
  const [count, first] = ["N", "First"].map((name) =>
    dict.lookup(PDFName.of(name), PDFNumber).asNumber(),
  );
  const head = Buffer.from(data.subarray(0, first)).toString("latin1");
  const words = head.trim().split(/[\0\s]+/u);
  if (count === undefined || first === undefined || words.length < 2 * count)
    throw new SyntaxError("object stream must name the places of its objects");
  return Array.from({ length: count }, (_, i) => ({
    number: Number(words[2 * i]),
    at: first + Number(words[2 * i + 1]),
  }));
}

/** Each byte is read so many times at most, on average: behind streams of unknown length five times. */
const REREADS = 16;
const FEW_REREAD = 10_000_000;
/** How many places may be unreadable: programs leave a few bytes of their own between objects. */
const MAX_FAULTS = 20_000;
const DAMAGED = new PdfTooLarge(
  "must be a whole PDF, got one that is damaged in too many places",
  "save the PDF again from its program",
);
/** Objects between two pauses, in which the program hears signals. */
const OBJECTS_A_TURN = 10_000;

const WHITE = "\0\t\n\f\r ";
/** Bytes each of which begins or separates values at most once. */
const parts = new Uint8Array(256);
for (const char of `${WHITE}[</(`) parts[char.charCodeAt(0)] = 1;

function countParts(data: Uint8Array): number {
  let count = 1;
  for (const byte of data) count += parts[byte] ?? 0;
  return count;
}

const PLUS = 0x2b;
const DOT = 0x2e;
/** Numbers of fewer digits are exact. */
const SAFE_DIGITS = 15;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** The package's parser without its line on the terminal for each number of many digits. */
class QuietParser extends PDFParser {
  protected override parseRawNumber(): number {
    const { bytes } = this;
    const digits = (from: number): number => {
      let count = 0;
      while (isDigit(bytes.peekAhead(from + count))) count += 1;
      return count;
    };
    const sign = bytes.peek() === PLUS ? 1 : 0;
    const whole = digits(sign);
    if (whole <= SAFE_DIGITS) return super.parseRawNumber();
    const isWhole = bytes.peekAhead(sign + whole) !== DOT;
    const length = sign + whole + (isWhole ? 0 : 1 + digits(sign + whole + 1));
    const at = bytes.offset();
    const value = Number(Buffer.from(bytes.slice(at, at + length)).toString("latin1"));
    if (!Number.isFinite(value)) return super.parseRawNumber();
    bytes.moveTo(at + length);
    return value;
  }
}

/** One object of an object stream. */
class PackedParser extends QuietParser {
  constructor(bytes: Uint8Array, context: PDFContext) {
    super(bytes);
    // The package's own class for this has a base that is not quiet.
    Object.assign(this, { context });
  }
}

class CappedParser extends QuietParser {
  /** Why reading was given up: the package would report it in its own words, or go on. */
  refusal: PdfTooLarge | undefined;
  #values = 0;
  #bytes = 0;
  #reread = 0;
  #faults = 0;

  constructor(bytes: Uint8Array) {
    super(bytes, OBJECTS_A_TURN, true);
    this.#limitRereading(bytes.length);
  }

  override parseObject(): PDFObject {
    this.#countValues(1);
    return super.parseObject();
  }

  protected override parseDictOrStream(): PDFDict | PDFStream {
    // Notes its place, as faults do.
    this.#faults -= 1;
    const found = super.parseDictOrStream();
    if (!(found instanceof PDFRawStream)) return found;
    const type = key(found.dict, "Type");
    if (type === PDFName.of("ObjStm")) return this.#readObjectStream(found);
    return type === PDFName.of("XRef") ? emptyXref(found) : found;
  }

  /** Everything that is slow in the package goes back, or makes an error with its place. */
  #limitRereading(length: number): void {
    const { bytes } = this;
    const moveTo = bytes.moveTo.bind(bytes);
    const position = bytes.position.bind(bytes);
    const most = REREADS * length + FEW_REREAD;
    bytes.moveTo = (offset) => {
      this.#reread += Math.max(0, bytes.offset() - offset);
      // The package goes on behind unreadable places: at the end of the file it stops.
      moveTo(this.refusal === undefined ? offset : length);
      if (this.#reread > most) this.#refuse(DAMAGED);
    };
    bytes.position = () => {
      this.#faults += 1;
      if (this.#faults > MAX_FAULTS) this.#refuse(DAMAGED);
      return position();
    };
  }

  #refuse(refusal: PdfTooLarge): never {
    this.refusal ??= refusal;
    throw refusal;
  }

  #countValues(count: number): void {
    this.#values += count;
    if (this.#values <= MAX_VALUES) return;
    this.#refuse(
      new PdfTooLarge(`must hold at most ${MAX_VALUES} numbers, names, texts and lists, got more`),
    );
  }

  /** Reads the objects of the stream, and leaves it without any. */
  #readObjectStream(stream: PDFRawStream): PDFRawStream {
    const data = this.#unpack(stream);
    this.#countValues(countParts(data));
    const places = readPlaces(data, stream.dict);
    const starts = [...new Set(places.map(({ at }) => at))].toSorted((a, b) => a - b);
    // Each object ends where the next one begins, so that no byte is read for two of them.
    const objects = new Map(
      starts.map((at, i) => {
        const bytes = data.subarray(at, starts[i + 1]);
        return [at, new PackedParser(bytes, this.context).parseObject()];
      }),
    );
    for (const { number, at } of places) {
      const object = objects.get(at);
      if (object !== undefined) this.context.assign(PDFRef.of(number, 0), object);
    }
    const { context } = this;
    return PDFRawStream.of(context.obj({ Type: "ObjStm", N: 0, First: 0 }), new Uint8Array());
  }

  #unpack(stream: PDFRawStream): Uint8Array {
    const what = `the object stream that ends at byte ${this.bytes.offset()}`;
    try {
      const data = unpack(toPacked(stream), { maxBytes: MAX_OBJECT_STREAM_BYTES, what });
      this.#bytes += data.length;
      if (this.#bytes <= MAX_OBJECT_STREAMS_BYTES) return data;
    } catch (error) {
      if (error instanceof PdfTooLarge) this.#refuse(error);
      throw error;
    }
    const most = MAX_OBJECT_STREAMS_BYTES / MEGABYTE;
    return this.#refuse(
      new PdfTooLarge(`must have at most ${most} MB of packed objects, got more`),
    );
  }
}

/** The package finds objects by looking through the file: entries would only cost memory. */
function emptyXref({ dict }: PDFRawStream): PDFRawStream {
  const { context } = dict;
  const kept = PDFDict.withContext(context);
  for (const [name, value] of dict.entries()) kept.set(name, value);
  for (const name of ["Filter", "DecodeParms"]) kept.delete(PDFName.of(name));
  kept.set(PDFName.of("Index"), context.obj([]));
  return PDFRawStream.of(kept, new Uint8Array());
}

export const ENCRYPTED = "one that is encrypted";

/**
 * The objects of a file.
 * @throws PdfTooLarge beyond a cap; an Error when an object is not PDF syntax
 */
export async function parsePdf(bytes: Uint8Array): Promise<PDFContext> {
  const parser = new CappedParser(bytes);
  try {
    const context = await parser.parseDocument();
    if (parser.refusal === undefined) return context;
  } catch (error) {
    // Packed parts of an encrypted file look damaged.
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("/Encrypt"))
      throw new Error(ENCRYPTED, { cause: error });
    if (parser.refusal === undefined) throw error;
  }
  throw parser.refusal;
}
