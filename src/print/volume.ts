import { createHash } from "node:crypto";

import { type DrawnLabel, drawLabel, drawSheet, type Pen, type SheetCell } from "./draw-sheet.ts";
import { drawLines, FONT_NAME, OVERPRINT_STATE } from "./content-stream.ts";
import {
  addDieLayer,
  addSpot,
  DEFAULT_SPOT,
  DIE_LAYER,
  DIE_SPACE,
  drawDieLines,
} from "./die-line.ts";
import type { CaptionFont } from "./font.ts";
import type { OutputIntent } from "./icc-profile.ts";
import { countSheets, makeImposition, type Place } from "./imposition.ts";
import { cropMarks, MARK_WIDTH_PT, registrationMarks } from "./marks.ts";
import { toPageBoxes } from "./page-frame.ts";
import { setFont } from "./pdf-font.ts";
import { PdfObjects, type PdfRef, type PdfValue } from "./pdf-objects.ts";
import { addOutputIntent, type DocumentFacts, makeInfo, makeXmp } from "./pdfx.ts";
import type { SheetJob, SheetRecord } from "./sheet-job.ts";
import { type PlacedSlug, placeSlug, slugBand } from "./slug.ts";

/** The part of a job that becomes one file. */
export interface VolumeInput {
  readonly job: SheetJob;
  readonly font: CaptionFont;
  readonly intent: OutputIntent;
  readonly records: readonly SheetRecord[];
  /** From 1. */
  readonly volume: number;
  /** Sheets in earlier volumes. */
  readonly sheetsBefore: number;
  /** Sheets of the whole job, when known. */
  readonly sheetCount: number | undefined;
}

export interface DrawnVolume {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly cells: readonly SheetCell[];
  readonly warnings: readonly string[];
}

interface PlacedRecord {
  readonly record: SheetRecord;
  readonly place: Place;
}

/** Records by sheet, in their own order on each. */
function impose({ job, records, volume }: VolumeInput): PlacedRecord[][] {
  const { rows, columns } = job.sheet;
  const { reverse, corner } = job.options;
  const start = volume === 1 ? job.start : 1;
  const count = records.length;
  const placeOf = makeImposition({ rows, columns, count, mode: job.order, start, reverse, corner });
  const sheets = Array.from(
    { length: countSheets({ rows, columns, count, start }) },
    (): PlacedRecord[] => [],
  );
  for (const [n, record] of records.entries()) {
    const place = placeOf(n);
    sheets[place.sheet]?.push({ record, place });
  }
  return sheets;
}

function slugOf(input: VolumeInput, index: number, labels: readonly DrawnLabel[]): PlacedSlug[] {
  const { job, font } = input;
  const band = slugBand(job.sheet, job.frame);
  if (band === undefined) return [];
  const { options } = job;
  const modules = labels.map((label) => label.cell.xMm);
  const facts = {
    ...options.slug,
    date: options.createdAt.slice(0, 10),
    sheetNumber: input.sheetsBefore + index + 1,
    sheetCount: input.sheetCount,
    volume: input.volume,
    side: options.side ?? "front",
    firstKey: labels[0]?.cell.key ?? "",
    lastKey: labels.at(-1)?.cell.key ?? "",
    sheetName: job.sheet.name,
    xWantedMm: options.xDimensionMm,
    xMm: [Math.min(...modules), Math.max(...modules)],
    deviceDpi: options.deviceDpi,
  } as const;
  return placeSlug(facts, band, font);
}

/** The file around its pages; collects them and closes with catalog, font and metadata. */
class Book {
  readonly #pdf = new PdfObjects();
  readonly #hash = createHash("sha256");
  readonly #kids: PdfRef[] = [];
  readonly #input: VolumeInput;
  readonly #tree: PdfRef;
  readonly #fontRef: PdfRef;
  readonly #resources: PdfRef;
  /** What stands on top of every page: marks, then die lines. */
  readonly #shared: readonly PdfRef[];
  readonly #catalogExtras: Record<string, PdfValue> = {};
  readonly #boxes: Record<string, PdfValue>;

  constructor(input: VolumeInput) {
    this.#input = input;
    const boxes = toPageBoxes(input.job.frame);
    this.#boxes = {
      MediaBox: boxes.media,
      CropBox: boxes.media,
      BleedBox: boxes.bleed,
      TrimBox: boxes.trim,
    };
    this.#tree = this.#pdf.reserve();
    this.#fontRef = this.#pdf.reserve();
    const overprint = this.#pdf.add({ Type: "ExtGState", OP: true, op: true, OPM: 1 });
    const { streams, resources } = this.#addShared();
    this.#shared = streams;
    this.#resources = this.#pdf.add({
      ExtGState: { [OVERPRINT_STATE]: overprint },
      Font: { [FONT_NAME]: this.#fontRef },
      ...resources,
    });
  }

  addPage(content: string): void {
    this.#hash.update(content);
    const own = this.#pdf.addStream(content);
    const contents = this.#shared.length === 0 ? own : [own, ...this.#shared];
    const page = {
      Type: "Page",
      Parent: this.#tree,
      ...this.#boxes,
      Resources: this.#resources,
      Contents: contents,
    };
    this.#kids.push(this.#pdf.add(page));
  }

  /** Marks and die lines are the same on every page: one stream of each serves all. */
  #addShared(): { streams: PdfRef[]; resources: Record<string, PdfValue> } {
    const marks = this.#addMarks();
    const streams = marks === undefined ? [] : [marks];
    const { dieLine, sheet, frame, standard } = this.#input.job;
    if (dieLine === undefined) return { streams, resources: {} };
    const hasLayer = standard === "PDF/X-4";
    const content = drawDieLines(sheet, frame, hasLayer);
    this.#hash.update(JSON.stringify([content, dieLine]));
    const resources: Record<string, PdfValue> = {
      ColorSpace: { [DIE_SPACE]: addSpot(this.#pdf, dieLine.spot ?? DEFAULT_SPOT) },
    };
    if (hasLayer) {
      const { layer, properties } = addDieLayer(this.#pdf, dieLine);
      resources["Properties"] = { [DIE_LAYER]: layer };
      this.#catalogExtras["OCProperties"] = properties;
    }
    return { streams: [...streams, this.#pdf.addStream(content)], resources };
  }

  #addMarks(): PdfRef | undefined {
    const { sheet, frame, marks } = this.#input.job;
    if (marks.length === 0) return undefined;
    const crop = marks.includes("crop") ? cropMarks(sheet, frame) : [];
    const targets = marks.includes("registration")
      ? registrationMarks(sheet, frame)
      : { lines: [], circles: [] };
    const content = drawLines([...crop, ...targets.lines], MARK_WIDTH_PT, targets.circles);
    this.#hash.update(content);
    return this.#pdf.addStream(content);
  }

  async close(pen: Pen): Promise<Uint8Array> {
    const { job, font, intent, volume } = this.#input;
    const pdf = this.#pdf;
    if (pen.subset.glyphs.length === 0) pen.subset.toHex(" ");
    setFont(pdf, this.#fontRef, font, pen.subset);
    pdf.set(this.#tree, { Type: "Pages", Count: this.#kids.length, Kids: this.#kids });
    const { options, standard } = job;
    this.#hash.update(
      JSON.stringify([standard, options.title, options.createdAt, volume, intent.condition]),
    );
    const hash = this.#hash.update(intent.profile).digest();
    const facts: DocumentFacts = {
      standard,
      title: options.title,
      createdAt: new Date(options.createdAt),
      hash,
    };
    const outputIntents = [addOutputIntent(pdf, intent)];
    const x4 = standard === "PDF/X-4";
    const metadata = x4
      ? { Metadata: pdf.addPlainStream(makeXmp(facts), { Type: "Metadata", Subtype: "XML" }) }
      : {};
    const catalog = pdf.add({
      Type: "Catalog",
      Pages: this.#tree,
      OutputIntents: outputIntents,
      ...metadata,
      ...this.#catalogExtras,
    });
    const info = pdf.add(makeInfo(facts));
    return pdf.save({ version: x4 ? "1.6" : "1.4", catalog, info, id: hash.subarray(0, 16) });
  }
}

/** Draws one volume. All of it is in memory until the bytes are written. */
export async function drawVolume(input: VolumeInput): Promise<DrawnVolume> {
  const { job, font, volume } = input;
  const pen: Pen = { job, font, subset: font.startSubset() };
  const book = new Book(input);
  const cells: SheetCell[] = [];
  const warnings: string[] = [];
  const sheets = impose(input);
  for (const [index, placed] of sheets.entries()) {
    const labels = placed.map(({ record, place }) => drawLabel(pen, record, place));
    book.addPage(drawSheet(pen, labels, slugOf(input, index, labels)));
    for (const label of labels) {
      cells.push({ volume, page: index + 1, sheet: input.sheetsBefore + index + 1, ...label.cell });
      warnings.push(...label.warnings);
    }
  }
  return { bytes: await book.close(pen), pages: sheets.length, cells, warnings };
}
