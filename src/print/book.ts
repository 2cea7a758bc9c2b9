import { createHash } from "node:crypto";

import { calibrationMatrix } from "./calibration.ts";
import { colorBar } from "./color-bar.ts";
import { drawLines, drawPatches, FONT_NAME, OVERPRINT_STATE, toNumber } from "./content-stream.ts";
import {
  addDieLayer,
  addSpot,
  DEFAULT_SPOT,
  DIE_LAYER,
  DIE_SPACE,
  drawDieLines,
} from "./die-line.ts";
import type { CaptionFont, FontSubset } from "./font.ts";
import type { OutputIntent } from "./icc-profile.ts";
import { cropMarks, MARK_WIDTH_PT, registrationMarks } from "./marks.ts";
import { toPageBoxes } from "./page-frame.ts";
import { setFont } from "./pdf-font.ts";
import { PdfObjects, type PdfRef, type PdfValue } from "./pdf-objects.ts";
import { addOutputIntent, type DocumentFacts, makeInfo, makeXmp } from "./pdfx.ts";
import type { SheetJob } from "./sheet-job.ts";

/** What a file is made for. */
export interface BookInput {
  readonly job: SheetJob;
  readonly font: CaptionFont;
  readonly intent: OutputIntent;
  /** From 1; tells the files of a job apart. */
  readonly volume: number;
}

/** The file around its pages; collects them and closes with catalog, font and metadata. */
export class Book {
  readonly #pdf = new PdfObjects();
  readonly #hash = createHash("sha256");
  readonly #kids: PdfRef[] = [];
  readonly #input: BookInput;
  readonly #tree: PdfRef;
  readonly #fontRef: PdfRef;
  readonly #resources: PdfRef;
  /** What stands on top of every page: marks, then die lines. */
  readonly #shared: readonly PdfRef[];
  readonly #calibration: { readonly before: readonly PdfRef[]; readonly after: readonly PdfRef[] };
  readonly #catalogExtras: Record<string, PdfValue> = {};
  readonly #boxes: Record<string, PdfValue>;

  constructor(input: BookInput) {
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
    this.#calibration = this.#addCalibration();
    this.#resources = this.#pdf.add({
      ExtGState: { [OVERPRINT_STATE]: overprint },
      Font: { [FONT_NAME]: this.#fontRef },
      ...resources,
    });
  }

  addPage(content: string): void {
    this.#hash.update(content);
    const own = this.#pdf.addStream(content);
    const { before, after } = this.#calibration;
    const all = [...before, own, ...this.#shared, ...after];
    const contents = all.length === 1 ? own : all;
    const page = {
      Type: "Page",
      Parent: this.#tree,
      ...this.#boxes,
      Resources: this.#resources,
      Contents: contents,
    };
    this.#kids.push(this.#pdf.add(page));
  }

  /** What every page is drawn through, when the printer is known to be off. */
  #addCalibration(): { before: readonly PdfRef[]; after: readonly PdfRef[] } {
    const { frame, options } = this.#input.job;
    if (options.calibration === undefined) return { before: [], after: [] };
    const [a, d, e, f] = calibrationMatrix(options.calibration, frame, options.deviceDpi);
    const factors = `${toNumber(a, 8)} 0 0 ${toNumber(d, 8)}`;
    const content = `q ${factors} ${toNumber(e)} ${toNumber(f)} cm\n`;
    this.#hash.update(content);
    return { before: [this.#pdf.addStream(content)], after: [this.#pdf.addStream("Q\n")] };
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
    const bar = marks.includes("bar") ? colorBar(sheet, frame) : [];
    const lines = drawLines([...crop, ...targets.lines], MARK_WIDTH_PT, targets.circles);
    const content = lines + drawPatches(bar);
    this.#hash.update(content);
    return this.#pdf.addStream(content);
  }

  async close(subset: FontSubset): Promise<Uint8Array> {
    const { job, font, intent, volume } = this.#input;
    const pdf = this.#pdf;
    if (subset.glyphs.length === 0) subset.toHex(" ");
    setFont(pdf, this.#fontRef, font, subset);
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
