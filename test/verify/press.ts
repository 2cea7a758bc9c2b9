import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFParser,
  type PDFRawStream,
  PDFStreamWriter,
  PDFWriter,
} from "pdf-lib";

import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import {
  type SheetOptions,
  type SheetRecord,
  type WrittenSheets,
  writeSheets,
} from "../../src/print/sheets.ts";
import { verifySheets } from "../../src/verify/verify.ts";

/** A small job, written once per test file: 5 codes on one sheet. */
export interface PressJob {
  readonly options: SheetOptions;
  readonly records: readonly SheetRecord[];
  readonly written: WrittenSheets;
  readonly folder: string;
  readonly bytes: Uint8Array;
}

export async function makePressJob(
  changes: Partial<SheetOptions> = {},
  count = 5,
  svgOf?: (payload: string) => string,
): Promise<PressJob> {
  const folder = await mkdtemp(path.join(tmpdir(), "press-"));
  const options: SheetOptions = {
    sheet: await loadSheet("a4-24up-63.5x33.9"),
    title: "Tables & more <north>",
    createdAt: "2026-11-20T10:00:00Z",
    slug: {
      job: "table-codes",
      input: "tables.csv",
      inputHash: "9f86d081884c7d65",
      rehearsal: false,
    },
    marks: ["crop"],
    deviceDpi: 600,
    ...changes,
  };
  const records = Array.from({ length: count }, (_, i): SheetRecord => {
    const payload = `https://qr.example/table-${i + 1}`;
    return {
      key: `north/${i + 1}`,
      payload,
      svg: svgOf?.(payload),
      level: "Q",
      caption: [`Nordhafen - ${i + 1}`],
    };
  });
  const written = await writeSheets(options, records, path.join(folder, "t.pdf"));
  return { options, records, written, folder, bytes: await readFile(path.join(folder, "t.pdf")) };
}

/** A small job and what `verify` says of it. */
export async function proveJob(changes: Partial<SheetOptions>, count: number) {
  const job = await makePressJob(changes, count);
  const { volumes, cells } = job.written;
  return { job, proof: await verifySheets({ options: job.options, volumes, cells, workers: 1 }) };
}

/** What a test changes in a good file. */
export interface Surgery {
  readonly context: PDFContext;
  readonly catalog: PDFDict;
  readonly info: PDFDict;
  readonly page: PDFDict;
  dict(entry: ReturnType<PDFDict["get"]>): PDFDict;
  name(text: string): PDFName;
}

/** Opens a file, lets the test spoil its objects, and writes it again with a right header and cross-reference. */
export async function spoilObjects(
  bytes: Uint8Array,
  spoil: (surgery: Surgery) => void,
): Promise<Uint8Array> {
  const context = await PDFParser.forBytesWithOptions(bytes).parseDocument();
  const dict = (entry: ReturnType<PDFDict["get"]>): PDFDict => context.lookup(entry, PDFDict);
  const catalog = dict(context.trailerInfo.Root);
  const kids = context.lookup(
    dict(catalog.get(PDFName.of("Pages"))).get(PDFName.of("Kids")),
    PDFArray,
  );
  spoil({
    context,
    catalog,
    info: dict(context.trailerInfo.Info),
    page: dict(kids.get(0)),
    dict,
    name: (text) => PDFName.of(text),
  });
  const classic = Buffer.from(bytes.subarray(0, 8)).toString("latin1") === "%PDF-1.4";
  const writer = classic
    ? PDFWriter.forContext(context, Infinity)
    : PDFStreamWriter.forContext(context, Infinity);
  const out = await writer.serializeToBuffer();
  out[7] = bytes[7] ?? 0;
  return out;
}

/** Changes the operators of the first page. */
export async function spoilContent(
  bytes: Uint8Array,
  spoil: (content: string) => string,
): Promise<Uint8Array> {
  return spoilObjects(bytes, (surgery) => {
    const { context, page } = surgery;
    const key = surgery.name("Contents");
    const contents = context.lookup(page.get(key));
    const refs = contents instanceof PDFArray ? contents.asArray() : [page.get(key)];
    const streams = refs.map((ref) => context.lookup(ref) as PDFRawStream);
    const content = streams
      .map((stream) => inflateSync(stream.contents).toString("latin1"))
      .join("\n");
    const packed = deflateSync(Buffer.from(spoil(content), "latin1"));
    page.set(key, context.register(context.stream(packed, { Filter: "FlateDecode" })));
  });
}

/** Writes bytes beside the good file and answers the path. */
export async function save(job: PressJob, bytes: Uint8Array): Promise<string> {
  const file = path.join(job.folder, `spoiled-${Math.floor(performance.now() * 1e6)}.pdf`);
  await writeFile(file, bytes);
  return file;
}
