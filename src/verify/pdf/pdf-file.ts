/** A finished PDF, opened again. pdf-lib is only the parser here: everything is copied to plain data. */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
  PDFWriter,
} from "pdf-lib/cjs/core/index.js";

import { parsePdf } from "../../print/pdf/pdf-parser.ts";
import {
  MAX_CONTENT_BYTES,
  MAX_STREAM_BYTES,
  type Packed,
  type PackedFilter,
  refuseSize,
  unpack,
} from "../../print/pdf/pdf-unpack.ts";
import {
  isArray,
  isDict,
  isReference,
  isStream,
  nameOf,
  numbersOf,
  type PdfDict,
  type PdfNode,
  type PdfStream,
} from "./pdf-node.ts";

function toDict(dict: PDFDict): PdfDict {
  return new Map(dict.entries().map(([key, value]) => [key.decodeText(), toNode(value)]));
}

const converters: readonly (readonly [
  is: (o: PDFObject) => boolean,
  to: (o: PDFObject) => PdfNode,
])[] = [
  [(o) => o instanceof PDFNumber, (o) => (o as PDFNumber).asNumber()],
  [(o) => o instanceof PDFName, (o) => ({ name: (o as PDFName).decodeText() })],
  [(o) => o instanceof PDFRef, (o) => ({ ref: (o as PDFRef).objectNumber })],
  [(o) => o instanceof PDFArray, (o) => (o as PDFArray).asArray().map(toNode)],
  [(o) => o instanceof PDFDict, (o) => toDict(o as PDFDict)],
  [
    (o) => o instanceof PDFRawStream,
    (o) => ({ dict: toDict((o as PDFRawStream).dict), raw: (o as PDFRawStream).contents }),
  ],
  [
    (o) => o instanceof PDFString || o instanceof PDFHexString,
    (o) => ({ bytes: (o as PDFString | PDFHexString).asBytes() }),
  ],
  [(o) => o instanceof PDFBool, (o) => (o as PDFBool).asBoolean()],
];

function toNode(object: PDFObject): PdfNode {
  for (const [is, to] of converters) if (is(object)) return to(object);
  return null;
}

/** One page: its dictionary with what it inherits. */
export interface PdfPage {
  readonly dict: PdfDict;
  /** `[left, bottom, right, top]` in points; undefined when the page has none. */
  box(name: string): readonly number[] | undefined;
}

const inheritable = ["Resources", "MediaBox", "CropBox", "Rotate"] as const;

/** The objects of a file and the way from the trailer to its pages. */
export class PdfFile {
  readonly bytes: Uint8Array;
  /** `1.6` of `%PDF-1.6`; undefined without a header at byte 0. */
  readonly version: string | undefined;
  readonly objects: ReadonlyMap<number, PdfNode>;
  readonly trailer: PdfDict;
  readonly catalog: PdfDict;
  readonly pages: readonly PdfPage[];

  constructor(bytes: Uint8Array, objects: ReadonlyMap<number, PdfNode>, trailer: PdfDict) {
    this.bytes = bytes;
    this.version = /^%PDF-(\d\.\d)/u.exec(
      Buffer.from(bytes.subarray(0, 8)).toString("latin1"),
    )?.[1];
    this.objects = objects;
    this.trailer = trailer;
    this.catalog = this.dict(trailer.get("Root")) ?? new Map();
    this.pages = this.#findPages(this.catalog.get("Pages"), new Map(), new Set());
  }

  /** Follows references to the object itself; undefined when one dangles. */
  resolve(node: PdfNode | undefined): PdfNode | undefined {
    let found = node;
    for (let hops = 0; isReference(found) && hops < 10; hops += 1)
      found = this.objects.get(found.ref);
    return isReference(found) ? undefined : found;
  }

  /** The dictionary behind a node, a stream's own included. */
  dict(node: PdfNode | undefined): PdfDict | undefined {
    const found = this.resolve(node);
    if (isStream(found)) return found.dict;
    return isDict(found) ? found : undefined;
  }

  stream(node: PdfNode | undefined): PdfStream | undefined {
    const found = this.resolve(node);
    return isStream(found) ? found : undefined;
  }

  array(node: PdfNode | undefined): readonly PdfNode[] {
    const found = this.resolve(node);
    return isArray(found) ? found : [];
  }

  /** A stream as it stands in the file, with the filters that packed it. */
  packed({ dict, raw }: PdfStream): Packed {
    const filter = this.resolve(dict.get("Filter")) ?? null;
    const parms = this.resolve(dict.get("DecodeParms"));
    const names = isArray(filter) ? filter : [filter];
    const filters = names.flatMap((item, i): PackedFilter[] => {
      const name = nameOf(this.resolve(item));
      const own = this.dict(isArray(parms) ? parms[i] : parms);
      const [predictor, earlyChange] = ["Predictor", "EarlyChange"].map((key) => {
        const found = this.resolve(own?.get(key));
        return typeof found === "number" ? found : undefined;
      });
      return name === undefined ? [] : [{ name, predictor, earlyChange }];
    });
    return { raw, filters };
  }

  /** A stream's data. Throws what `unpack` throws. */
  data(stream: PdfStream, what = "a stream"): Uint8Array {
    return unpack(this.packed(stream), { maxBytes: MAX_STREAM_BYTES, what });
  }

  /** Data of the stream that a dictionary belongs to; empty for any other dictionary. */
  streamOf(dict: PdfDict): Uint8Array {
    for (const node of this.objects.values())
      if (isStream(node) && node.dict === dict) return this.data(node);
    return new Uint8Array();
  }

  /** A page's whole content. Throws what `unpack` throws. */
  content(page: PdfPage): Uint8Array {
    const contents = this.resolve(page.dict.get("Contents"));
    const parts = isArray(contents) ? contents : [contents];
    const what = `the content of page ${this.pages.indexOf(page) + 1}`;
    const joined: Uint8Array[] = [];
    let bytes = 0;
    for (const part of parts) {
      const stream = this.stream(part);
      if (stream === undefined) continue;
      const data = this.data(stream, what);
      bytes += data.length + 1;
      if (bytes > MAX_CONTENT_BYTES) refuseSize({ maxBytes: MAX_CONTENT_BYTES, what });
      joined.push(data, Buffer.from("\n"));
    }
    return Buffer.concat(joined);
  }

  #findPages(node: PdfNode | undefined, inherited: PdfDict, seen: Set<PdfDict>): PdfPage[] {
    const dict = this.dict(node);
    if (dict === undefined || seen.has(dict)) return [];
    seen.add(dict);
    const own = inheritable.flatMap((key) => {
      const value = dict.get(key) ?? inherited.get(key);
      return value === undefined ? [] : [[key, value] as const];
    });
    if (dict.has("Kids"))
      return this.array(dict.get("Kids")).flatMap((kid) =>
        this.#findPages(kid, new Map(own), seen),
      );
    const whole = new Map([...own, ...dict]);
    return [{ dict: whole, box: (name) => numbersOf(this.resolve(whole.get(name))) }];
  }
}

/**
 * The file with the layers of these processing steps (ISO 19593-1) switched off: what is printed in
 * white or varnish overprints, which renderers for screens don't show.
 */
export async function hideSteps(
  bytes: Uint8Array,
  groups: ReadonlySet<string>,
): Promise<Uint8Array> {
  const context = await parsePdf(bytes);
  const catalog = context.lookup(context.trailerInfo.Root, PDFDict);
  const properties = catalog.lookup(PDFName.of("OCProperties"));
  if (!(properties instanceof PDFDict)) return bytes;
  const view = properties.lookup(PDFName.of("D"), PDFDict);
  const layers = properties.lookup(PDFName.of("OCGs"), PDFArray).asArray();
  const isHidden = (layer: PDFObject): boolean => {
    const metadata = context.lookup(layer, PDFDict).lookup(PDFName.of("GTS_Metadata"));
    const group = metadata instanceof PDFDict && metadata.get(PDFName.of("GTS_ProcStepsGroup"));
    return group instanceof PDFName && groups.has(group.decodeText());
  };
  for (const [name, are] of [
    ["ON", false],
    ["OFF", true],
  ] as const) {
    const listed = layers.filter((layer) => isHidden(layer) === are);
    view.set(PDFName.of(name), context.obj(listed));
  }
  return PDFWriter.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer();
}

/** Parses a finished file. Throws what `parsePdf` throws. */
export async function openPdfFile(bytes: Uint8Array): Promise<PdfFile> {
  const context = await parsePdf(bytes);
  const objects = new Map(
    context.enumerateIndirectObjects().map(([ref, object]) => [ref.objectNumber, toNode(object)]),
  );
  const trailer = new Map<string, PdfNode>();
  for (const [key, value] of Object.entries(context.trailerInfo)) {
    if (value !== undefined) trailer.set(key, toNode(value));
  }
  return new PdfFile(bytes, objects, trailer);
}
