/**
 * The only place where PDF objects are made. pdf-lib numbers and writes them; it knows nothing of
 * pages, text or drawing here (`print.md` section 7).
 */
import { deflateSync } from "node:zlib";

import {
  decodePDFRawStream,
  PDFArray,
  PDFContext,
  type PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFObjectCopier,
  type PDFPage,
  PDFRawStream,
  type PDFRef,
  PDFStreamWriter,
  PDFString,
  PDFWriter,
} from "pdf-lib";

export type PdfRef = PDFRef;

/** A page of another PDF, opened to be placed on pages of ours. */
export interface ForeignPage {
  /** Points, `[left, bottom, right, top]`; undefined when the page doesn't have it. */
  box(name: "MediaBox" | "CropBox" | "BleedBox" | "TrimBox"): readonly number[] | undefined;
  /** Degrees that viewers turn it by. */
  readonly rotate: number;
  readonly source: PDFPage;
}

function readBox(page: PDFPage, name: string): readonly number[] | undefined {
  const key = PDFName.of(name);
  const found =
    name === "MediaBox" || name === "CropBox"
      ? page.node.getInheritableAttribute(key)
      : page.node.get(key);
  const array = found && page.node.context.lookup(found);
  if (!(array instanceof PDFArray) || array.size() !== 4) return undefined;
  const numbers = array.asArray().map((item) => page.node.context.lookup(item));
  if (!numbers.every((item) => item instanceof PDFNumber)) return undefined;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers.map((item) => item.asNumber());
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** Opens page `number`, from 1. Throws an Error for what is no PDF, encrypted, or has no such page. */
export async function openForeignPage(bytes: Uint8Array, number: number): Promise<ForeignPage> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const count = document.getPageCount();
  if (number > count)
    throw new RangeError(`page must be one of the file's ${count}, got ${number}`);
  const source = document.getPage(number - 1);
  return { source, rotate: source.getRotation().angle, box: (name) => readBox(source, name) };
}

/** The operators of a page, its streams joined. */
function contentOf({ node }: PDFPage): Uint8Array {
  const contents = node.Contents();
  const parts = contents instanceof PDFArray ? contents.asArray() : [contents];
  const streams = parts
    .map((part) => part && node.context.lookup(part))
    .filter((stream) => stream instanceof PDFRawStream);
  return Buffer.concat(
    streams.flatMap((stream) => [decodePDFRawStream(stream).decode(), Buffer.from("\n")]),
  );
}

/** A dictionary or array as plain values: strings are names, the rest see `text`, `hex`. */
export type PdfValue =
  | PdfObjectValue
  | string
  | number
  | boolean
  | readonly PdfValue[]
  | { readonly [key: string]: PdfValue };
type PdfObjectValue = PDFHexString | PDFString | PDFRef | PDFName;

/** A text string: plain ASCII as such, anything else as UTF-16. */
export function text(value: string): PdfValue {
  if (!/^[\x20-\x7e]*$/u.test(value)) return PDFHexString.fromText(value);
  return PDFString.of(value.replaceAll(/[\\()]/gu, String.raw`\$&`));
}

export interface SaveOptions {
  /** `1.4` writes a classic file, later versions pack objects into streams. */
  readonly version: "1.4" | "1.6";
  readonly catalog: PdfRef;
  readonly info: PdfRef;
  /** 16 bytes, written twice: the file has no earlier revision. */
  readonly id: Uint8Array;
}

/** 9 packs pages 12% smaller at ten times the time. */
const DEFLATE_LEVEL = 6;

const HEADER_MINOR_BYTE = "%PDF-1.".length;

/** One PDF file under construction. Everything stays in memory until `save`. */
export class PdfObjects {
  readonly #context = PDFContext.create();

  /** A reference to set later: pages name their parent before it exists. */
  reserve(): PdfRef {
    return this.#context.nextRef();
  }

  set(ref: PdfRef, value: PdfValue): void {
    this.#context.assign(ref, this.#toObject(value));
  }

  add(value: PdfValue): PdfRef {
    return this.#context.register(this.#toObject(value));
  }

  /** Deflated by Node, which is faster and smaller than the package's own. */
  addStream(bytes: string | Uint8Array, entries: Record<string, PdfValue> = {}): PdfRef {
    const packed = deflateSync(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes, {
      level: DEFLATE_LEVEL,
    });
    return this.#register(packed, { ...entries, Filter: "FlateDecode" });
  }

  /** A stream without filter: what XMP must be. */
  addPlainStream(bytes: Uint8Array, entries: Record<string, PdfValue> = {}): PdfRef {
    return this.#register(bytes, entries);
  }

  /** Another file's page as a form: placed any number of times, cut off at `bboxPt`. */
  addForeignPage({ source }: ForeignPage, bboxPt: readonly number[]): PdfRef {
    const copier = PDFObjectCopier.for(source.node.context, this.#context);
    const resources = source.node.Resources();
    const packed = deflateSync(contentOf(source), { level: DEFLATE_LEVEL });
    const stream = this.#context.stream(packed, {
      Type: "XObject",
      Subtype: "Form",
      BBox: [...bboxPt],
      Filter: "FlateDecode",
    });
    const copied: PDFDict =
      resources === undefined ? this.#context.obj({}) : copier.copy(resources);
    stream.dict.set(PDFName.of("Resources"), copied);
    return this.#context.register(stream);
  }

  /** Samples are deflated; what is packed already goes in as it is. */
  addImage(bytes: Uint8Array, entries: Record<string, PdfValue>, isPacked: boolean): PdfRef {
    const dict = { Type: "XObject", Subtype: "Image", ...entries };
    return isPacked ? this.#register(bytes, dict) : this.addStream(bytes, dict);
  }

  /** The finished file. The same objects in the same order give the same bytes. */
  async save(options: SaveOptions): Promise<Uint8Array> {
    const id = PDFHexString.of(Buffer.from(options.id).toString("hex").toUpperCase());
    this.#context.trailerInfo = {
      Root: options.catalog,
      Info: options.info,
      ID: this.#context.obj([id, id]),
    };
    const writer =
      options.version === "1.4"
        ? PDFWriter.forContext(this.#context, Number.POSITIVE_INFINITY)
        : PDFStreamWriter.forContext(this.#context, Number.POSITIVE_INFINITY);
    const bytes = await writer.serializeToBuffer();
    // Both writers say 1.7, whatever the context asks for.
    bytes[HEADER_MINOR_BYTE] = options.version.charCodeAt(2);
    return bytes;
  }

  #register(bytes: Uint8Array, entries: Record<string, PdfValue>): PdfRef {
    const stream = this.#context.stream(bytes, {});
    for (const [key, value] of Object.entries(entries))
      stream.dict.set(PDFName.of(key), this.#toObject(value));
    return this.#context.register(stream);
  }

  #toObject(value: PdfValue): PDFObject {
    // The package's literals are these very shapes; its type lacks `readonly`.
    return this.#context.obj(value as Parameters<PDFContext["obj"]>[0] & object);
  }
}
