/**
 * The only place where PDF objects are made. pdf-lib numbers and writes them; it knows nothing of
 * pages, text or drawing here (docs/spec/print.md section 7).
 */
import { deflateSync } from "node:zlib";

import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFObjectCopier,
  PDFPageLeaf,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFStreamWriter,
  PDFString,
  PDFWriter,
} from "pdf-lib/cjs/core/index.js";

import { ENCRYPTED, parsePdf, toPacked } from "./pdf-parser.ts";
import { MAX_CONTENT_BYTES, MAX_STREAM_BYTES, refuseSize, unpack } from "./pdf-unpack.ts";

export type PdfRef = PDFRef;

/** A page of another PDF, opened to be placed on pages of ours. */
export interface ForeignPage {
  /** Points, `[left, bottom, right, top]`; undefined when the page doesn't have it. */
  box(name: "MediaBox" | "CropBox" | "BleedBox" | "TrimBox"): readonly number[] | undefined;
  /** Degrees that viewers turn it by. */
  readonly rotate: number;
  readonly source: PDFPageLeaf;
  /** Its operators, its streams joined. */
  readonly content: Uint8Array;
}

function readBox(page: PDFPageLeaf, name: string): readonly number[] | undefined {
  const key = PDFName.of(name);
  const found =
    name === "MediaBox" || name === "CropBox" ? page.getInheritableAttribute(key) : page.get(key);
  const array = found && page.context.lookup(found);
  if (!(array instanceof PDFArray) || array.size() !== 4) return undefined;
  const numbers = array.asArray().map((item) => page.context.lookup(item));
  if (!numbers.every((item) => item instanceof PDFNumber)) return undefined;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers.map((item) => item.asNumber());
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** Pages below a node in their order, each node once: a tree that runs in circles ends. */
function findPages(node: PDFObject | undefined, seen: Set<PDFObject>): PDFPageLeaf[] {
  if (!(node instanceof PDFDict) || seen.has(node)) return [];
  seen.add(node);
  if (node instanceof PDFPageLeaf) return [node];
  const kids = node.lookup(PDFName.of("Kids"));
  if (!(kids instanceof PDFArray)) return [];
  return kids.asArray().flatMap((_, i) => findPages(kids.lookup(i), seen));
}

function contentOf(page: PDFPageLeaf, what: string): Uint8Array {
  const contents = page.Contents();
  const parts = contents instanceof PDFArray ? contents.asArray() : [contents];
  const joined: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    const stream = part && page.context.lookup(part);
    if (!(stream instanceof PDFRawStream)) continue;
    const data = unpack(toPacked(stream), { maxBytes: MAX_STREAM_BYTES, what });
    bytes += data.length + 1;
    if (bytes > MAX_CONTENT_BYTES) refuseSize({ maxBytes: MAX_CONTENT_BYTES, what });
    joined.push(data, Buffer.from("\n"));
  }
  return Buffer.concat(joined);
}

/** A file has fewer pages than the one that is asked for. */
export class NoSuchPage extends RangeError {}

/**
 * Opens page `number`, from 1.
 * @throws PdfTooLarge beyond a cap; an Error for a file that is no PDF, is encrypted, or has no
 * such page
 */
export async function openForeignPage(bytes: Uint8Array, number: number): Promise<ForeignPage> {
  const context = await parsePdf(bytes);
  if (context.trailerInfo.Encrypt !== undefined) throw new Error(ENCRYPTED);
  const catalog = context.lookup(context.trailerInfo.Root);
  const tree = catalog instanceof PDFDict ? catalog.lookup(PDFName.of("Pages")) : undefined;
  const pages = findPages(tree, new Set());
  const source = pages[number - 1];
  if (source === undefined)
    throw new NoSuchPage(`page must be one of the file's ${pages.length}, got ${number}`);
  const angle = context.lookup(source.getInheritableAttribute(PDFName.of("Rotate")));
  const rotate = angle instanceof PDFNumber ? angle.asNumber() : 0;
  const content = contentOf(source, `the content of page ${number}`);
  return { source, content, rotate, box: (name) => readBox(source, name) };
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

  /** A stream without filter, as XMP must be. */
  addPlainStream(bytes: Uint8Array, entries: Record<string, PdfValue> = {}): PdfRef {
    return this.#register(bytes, entries);
  }

  /** Another file's page as a form: placed any number of times, cut off at `bboxPt`. */
  addForeignPage(page: ForeignPage, bboxPt: readonly number[]): PdfRef {
    const { source, content } = page;
    const copier = PDFObjectCopier.for(source.context, this.#context);
    const resources = source.Resources();
    const packed = deflateSync(content, { level: DEFLATE_LEVEL });
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

  /** Definitions of named inks in placed pages: the first of each. */
  spotsIn(placed: PdfRef): ReadonlyMap<string, PdfRef> {
    const found = new Map<string, PdfRef>();
    const seen = new Set<PDFObject>();
    const open: PDFObject[] = [placed];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const object = at instanceof PDFRef ? this.#context.lookup(at) : at;
      if (object === undefined || seen.has(object)) continue;
      seen.add(object);
      if (object instanceof PDFArray) {
        const [kind, name] = [object.get(0), object.get(1)];
        if (kind === PDFName.of("Separation") && name instanceof PDFName)
          found.set(name.decodeText(), at instanceof PDFRef ? at : this.#context.register(object));
        open.push(...object.asArray());
      }
      const dict = object instanceof PDFStream ? object.dict : object;
      if (dict instanceof PDFDict) open.push(...dict.values());
    }
    return found;
  }

  /** Samples are deflated; packed ones go in as they are. */
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
