import { createHash } from "node:crypto";

import { mmToPt } from "../../base/shapes/units.ts";
import { calibrationMatrix } from "../layout/calibration.ts";
import { colorBar } from "../draw/color-bar.ts";
import { addMarkSpace } from "./mark-space.ts";
import { isBlackOnly, type Plate, platesOf } from "../draw/plates.ts";
import type { Assets } from "../art/assets.ts";
import {
  BLACK_MARKS,
  BOLD_NAME,
  drawLines,
  drawPatches,
  FONT_NAME,
  OVERPRINT_STATE,
  plateMarks,
  toNumber,
} from "../draw/content-stream.ts";
import type { ArtNames } from "../art/draw-art.ts";
import {
  addLayers,
  addSpot,
  DEFAULT_SPOT,
  DIE_LAYER,
  DIE_SPACE,
  dieStep,
  drawDieLines,
  type LayerStep,
} from "../draw/die-line.ts";
import type { Face, Side } from "../fonts/face.ts";
import type { OutputIntent } from "./icc-profile.ts";
import { cropMarks, MARK_WIDTH_PT, registrationMarks } from "../draw/marks.ts";
import { drawFinish, type LabelledCells } from "../draw/finishes.ts";
import type { BoxMm } from "../layout/box.ts";
import { type Finish, finishSteps } from "../layout/finish.ts";
import { toPageBoxes, toPageX, toPageY } from "../layout/page-frame.ts";
import { setFont } from "../fonts/pdf-font.ts";
import { PdfObjects, type PdfRef, type PdfValue } from "./pdf-objects.ts";
import { addOutputIntent, type DocumentFacts, makeInfo, makeXmp } from "./pdfx.ts";
import type { PartNames } from "../art/designed-code.ts";
import { SharedParts as SharedDesignParts } from "./shared-parts.ts";
import { addResources, nameResources, type ResourceNames } from "./resources.ts";
import type { SheetJob } from "../sheet-job.ts";
import type { FileFonts } from "../draw/show-text.ts";

/** The purpose of a file. */
export interface BookInput {
  readonly job: SheetJob;
  readonly assets: Assets;
  readonly intent: OutputIntent;
  /** From 1; distinguishes the files of a job. */
  readonly volume: number;
  /** Bold type stands outside of labels, too. Default: labels decide. */
  readonly hasBold?: boolean | undefined;
  /** Pages show this part of the sheet only, in mm of the trimmed sheet, as previews want it. Default: all. */
  readonly view?: ((side: Side) => BoxMm) | undefined;
  /** False where every sheet has empty cells. Default: true. */
  readonly hasFullSheets?: boolean | undefined;
}

/** The part of a page that viewers show. */
function cropBox({ job: { frame } }: BookInput, { x, y, width, height }: BoxMm): number[] {
  const [left, right] = [toPageX(frame, x), toPageX(frame, x + width)];
  const [bottom, top] = [toPageY(frame, y + height), toPageY(frame, y)];
  return [left, bottom, right, top].map((mm) => mmToPt(mm));
}

/** The name of the marks' colour space on pages, where it isn't black alone. */
const MARK_SPACES = { front: "M", back: "N" } as const satisfies Record<Side, string>;

const isBoldUsed = ({ faces }: SheetJob): boolean =>
  faces.some(({ art }) => art?.items.some((item) => item.kind === "text" && item.style.bold));

/** What the pages of a side have on top: marks, white and varnish, die lines. */
interface SideStreams {
  readonly marks: readonly PdfRef[];
  readonly finishes: readonly PdfRef[];
  readonly dieLines: readonly PdfRef[];
}

interface SharedParts {
  readonly streams: ReadonlyMap<Side, SideStreams>;
  readonly resources: Record<string, Record<string, PdfValue>>;
}

const unlessEmpty = (
  name: string,
  entries: Record<string, PdfValue>,
): Record<string, Record<string, PdfValue>> =>
  Object.keys(entries).length === 0 ? {} : { [name]: entries };

function toResources(
  spaces: Record<string, PdfValue>,
  layers: Record<string, PdfValue>,
): SharedParts["resources"] {
  return {
    ...unlessEmpty("ColorSpace", spaces),
    ...unlessEmpty("Properties", layers),
  };
}

/** The file around its pages; collects them and closes with catalog, font and metadata. */
export class Book {
  readonly #pdf = new PdfObjects();
  readonly #hash = createHash("sha256");
  readonly #kids: PdfRef[] = [];
  readonly #input: BookInput;
  readonly #tree: PdfRef;
  readonly #fontRef: PdfRef;
  readonly #boldRef: PdfRef | undefined;
  /** The fonts of pages where the job has its own: only at the end it is known which are used. */
  readonly #fontsRef: PdfRef | undefined;
  /** Of pages; which fonts shape letters is known at the end. */
  readonly #resources: { readonly ref: PdfRef; readonly known: Record<string, PdfValue> };
  /** The top of every page of a side; a page with empty cells has white and varnish of its own. */
  readonly #shared: SharedParts["streams"];
  readonly #resourceNames: ResourceNames;
  readonly #calibration: { readonly before: readonly PdfRef[]; readonly after: readonly PdfRef[] };
  readonly #parts: SharedDesignParts;
  /** Forms are known once the last page is drawn. */
  readonly #objects: { readonly ref: PdfRef; readonly known: Record<string, PdfRef> } | undefined;
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
    this.#boldRef =
      input.hasBold === true || isBoldUsed(input.job) ? this.#pdf.reserve() : undefined;
    const hasOwn = (input.job.options.fonts ?? []).length > 0;
    this.#fontsRef = hasOwn ? this.#pdf.reserve() : undefined;
    const overprint = this.#pdf.add({ Type: "ExtGState", OP: true, op: true, OPM: 1 });
    this.#resourceNames = nameResources(input.job, input.assets);
    const art = addResources(this.#pdf, this.#resourceNames, input.assets);
    for (const part of art.hashed) this.#hash.update(part);
    const { streams, resources } = this.#addShared(art.inks);
    this.#shared = streams;
    this.#calibration = this.#addCalibration();
    this.#parts = new SharedDesignParts(this.#pdf, this.#resourceNames, art.spaces);
    const hasDesigns = (input.job.options.designInks ?? []).length > 0;
    this.#objects = hasDesigns ? { ref: this.#pdf.reserve(), known: art.objects } : undefined;
    const known: Record<string, PdfValue> = {
      ExtGState: { [OVERPRINT_STATE]: overprint },
      Font: {},
      ...resources,
      ...unlessEmpty("ColorSpace", { ...art.spaces, ...resources["ColorSpace"] }),
      ...(this.#objects === undefined
        ? unlessEmpty("XObject", art.objects)
        : { XObject: this.#objects.ref }),
    };
    this.#resources = { ref: this.#pdf.reserve(), known };
  }

  /** Names of inks, pictures, backgrounds and parts of designed codes on pages. */
  get names(): ArtNames & PartNames {
    return {
      ...this.#resourceNames,
      partOf: (part) => this.#parts.nameOf(part, (content) => this.#hash.update(content)),
    };
  }

  /** @param cells those with labels, where others are empty */
  addPage(content: string, side: Side, cells?: LabelledCells): void {
    this.#hash.update(content);
    const own = this.#pdf.addStream(content);
    const { before, after } = this.#calibration;
    const all = [...before, own, ...this.#topOf(side, cells), ...after];
    const contents = all.length === 1 ? own : all;
    const page = {
      Type: "Page",
      Parent: this.#tree,
      ...this.#boxes,
      ...(this.#input.view && { CropBox: cropBox(this.#input, this.#input.view(side)) }),
      Resources: this.#resources.ref,
      Contents: contents,
    };
    this.#kids.push(this.#pdf.add(page));
  }

  #topOf(side: Side, cells: LabelledCells): readonly PdfRef[] {
    const shared = this.#shared.get(side);
    if (shared === undefined) return [];
    const { marks, finishes, dieLines } = shared;
    const own =
      side === "front" && cells !== undefined
        ? this.#input.job.finishes.map((finish) => this.#drawFinish(finish, cells))
        : finishes;
    return [...marks, ...own, ...dieLines];
  }

  /** White or varnish on the labels of a sheet. */
  #drawFinish(finish: Finish, cells: LabelledCells): PdfRef {
    const { job } = this.#input;
    const [face] = job.faces;
    const content = face === undefined ? "" : drawFinish(job, face, { finish, cells });
    this.#hash.update(JSON.stringify([content, finish]));
    return this.#pdf.addStream(content);
  }

  /** The matrix that every page is drawn through, when the printer is known to be off. */
  #addCalibration(): { before: readonly PdfRef[]; after: readonly PdfRef[] } {
    const { frame, options } = this.#input.job;
    if (options.calibration === undefined) return { before: [], after: [] };
    const [a, b, c, d, e, f] = calibrationMatrix(options.calibration, frame, options.deviceDpi);
    const factors = [a, b, c, d].map((factor) => toNumber(factor, 8)).join(" ");
    const content = `q ${factors} ${toNumber(e)} ${toNumber(f)} cm\n`;
    this.#hash.update(content);
    return { before: [this.#pdf.addStream(content)], after: [this.#pdf.addStream("Q\n")] };
  }

  /** Marks, finishes and die lines are the same on every page of a side: one stream of each serves all. */
  #addShared(inks: ReadonlyMap<string, PdfRef>): SharedParts {
    const { dieLine, sheet, frame, finishes, standard } = this.#input.job;
    const finished = this.#addFinishes();
    const { marks, spaces } = this.#addAllMarks(new Map([...finished.inks, ...inks]));
    Object.assign(spaces, finished.spaces);
    // Plotters and presses work from the front.
    const toStreams = (dieLines: readonly PdfRef[]): SharedParts["streams"] =>
      new Map(
        Array.from(marks, ([side, own]) => [
          side,
          side === "front"
            ? { marks: own, finishes: finished.streams, dieLines }
            : { marks: own, finishes: [], dieLines: [] },
        ]),
      );
    const steps = finishes.map(({ kind, spot }) => ({
      name: spot,
      group: finishSteps[kind].group,
    }));
    const names: string[] = finishes.map(({ kind }) => finishSteps[kind].layer);
    if (dieLine === undefined)
      return {
        streams: toStreams([]),
        resources: toResources(spaces, this.#addLayers(steps, names)),
      };
    const content = drawDieLines(sheet, frame, standard === "PDF/X-4");
    this.#hash.update(JSON.stringify([content, dieLine]));
    spaces[DIE_SPACE] = addSpot(this.#pdf, dieLine.spot ?? DEFAULT_SPOT);
    const layers = this.#addLayers([...steps, dieStep(dieLine)], [...names, DIE_LAYER]);
    return {
      streams: toStreams([this.#pdf.addStream(content)]),
      resources: toResources(spaces, layers),
    };
  }

  /** Marks of each side, in the colour space of its plates. */
  #addAllMarks(inks: ReadonlyMap<string, PdfRef>): {
    marks: ReadonlyMap<Side, readonly PdfRef[]>;
    spaces: Record<string, PdfValue>;
  } {
    const all = new Map<Side, readonly PdfRef[]>();
    const spaces: Record<string, PdfValue> = {};
    const { job, assets } = this.#input;
    for (const face of job.faces) {
      const plates = platesOf(job, face, assets.images);
      const marks = this.#addMarks(face, plates);
      all.set(face.side, marks === undefined ? [] : [marks]);
      if (marks !== undefined && !isBlackOnly(plates))
        spaces[MARK_SPACES[face.side]] = addMarkSpace(this.#pdf, plates, (name) => inks.get(name));
    }
    return { marks: all, spaces };
  }

  /** White and varnish: their plates, and their content on full sheets. */
  #addFinishes(): {
    inks: ReadonlyMap<string, PdfRef>;
    spaces: Record<string, PdfRef>;
    streams: PdfRef[];
  } {
    const { job, hasFullSheets = true } = this.#input;
    const inks = new Map<string, PdfRef>();
    const spaces: Record<string, PdfRef> = {};
    const streams: PdfRef[] = [];
    for (const finish of job.finishes) {
      const { space, cmyk } = finishSteps[finish.kind];
      const ink = addSpot(this.#pdf, finish.spot, cmyk);
      inks.set(finish.spot, ink);
      spaces[space] = ink;
      // Right behind its ink: files keep the bytes that their fingerprints stand for.
      if (hasFullSheets) streams.push(this.#drawFinish(finish, undefined));
    }
    return { inks, spaces, streams };
  }

  /** None in PDF/X-1a. */
  #addLayers(steps: readonly LayerStep[], names: readonly string[]): Record<string, PdfValue> {
    if (this.#input.job.standard !== "PDF/X-4" || steps.length === 0) return {};
    const { layers, properties } = addLayers(this.#pdf, steps);
    this.#catalogExtras["OCProperties"] = properties;
    return Object.fromEntries(names.map((name, i) => [name, layers[i] as PdfRef]));
  }

  #addMarks({ side, sheet }: Face, plates: readonly Plate[]): PdfRef | undefined {
    const { frame, marks } = this.#input.job;
    if (marks.length === 0) return undefined;
    const crop = marks.includes("crop") ? cropMarks(sheet, frame) : [];
    const targets = marks.includes("registration")
      ? registrationMarks(sheet, frame)
      : { lines: [], circles: [] };
    const bar = marks.includes("bar") ? colorBar(sheet, frame, plates) : [];
    const isPlain = isBlackOnly(plates);
    const ink = isPlain ? BLACK_MARKS : plateMarks(MARK_SPACES[side], plates.length);
    const art = { lines: [...crop, ...targets.lines], circles: targets.circles };
    const content = drawLines(art, MARK_WIDTH_PT, ink) + drawPatches(bar, ink);
    this.#hash.update(isPlain ? content : JSON.stringify([content, plates]));
    return this.#pdf.addStream(content);
  }

  #bundledFonts(): Record<string, PdfRef> {
    const bold = this.#boldRef === undefined ? {} : { [BOLD_NAME]: this.#boldRef };
    return { [FONT_NAME]: this.#fontRef, ...bold };
  }

  #addFonts(fonts: FileFonts): void {
    for (const [ref, { font, subset }] of [
      [this.#fontRef, fonts.regular],
      [this.#boldRef, fonts.bold],
    ] as const) {
      if (ref === undefined) continue;
      if (subset.glyphs.length === 0) subset.toHex(" ");
      setFont(this.#pdf, ref, font, subset);
    }
    const own: Record<string, PdfRef> = {};
    for (const subset of fonts.own.used) {
      const ref = this.#pdf.reserve();
      own[subset.resource] = ref;
      this.#hash.update(setFont(this.#pdf, ref, subset.font, subset));
    }
    const all = { ...this.#bundledFonts(), ...own };
    if (this.#fontsRef !== undefined) this.#pdf.set(this.#fontsRef, all);
    const { ref, known } = this.#resources;
    this.#pdf.set(ref, { ...known, Font: this.#fontsRef ?? all });
  }

  async close(fonts: FileFonts): Promise<Uint8Array> {
    const { job, intent, volume } = this.#input;
    const pdf = this.#pdf;
    this.#addFonts(fonts);
    if (this.#objects !== undefined)
      pdf.set(this.#objects.ref, { ...this.#objects.known, ...this.#parts.forms });
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
