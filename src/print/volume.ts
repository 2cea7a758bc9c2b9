import { Book, type BookInput } from "./pdf/book.ts";
import type { LabelCounts } from "./art/art-texts.ts";
import type { Assets } from "./art/assets.ts";
import {
  type DrawnLabel,
  drawLabel,
  drawSheet,
  type Pen,
  type RowWarning,
} from "./draw/draw-sheet.ts";
import type { SheetCell } from "./draw/sheet-cell.ts";
import type { LabelledCells } from "./draw/finishes.ts";
import type { DesignRoom } from "./art/designed-code.ts";
import type { Face } from "./fonts/face.ts";
import type { OutputIntent } from "./pdf/icc-profile.ts";
import {
  backOf,
  countSheets,
  makeImposition,
  type Place,
  spareCells,
} from "./layout/imposition.ts";
import type { LabelFonts } from "./fonts/label-fonts.ts";
import { layoutOf, pageOf, type SheetJob, type SheetRecord } from "./sheet-job.ts";
import type { RepeatedRecord } from "./layout/repeat-records.ts";
import type { ServerCode } from "./art/server-code.ts";
import { loadSymbolsOf } from "./symbols/face-symbols.ts";
import { startSubsets } from "./draw/show-text.ts";
import { type PlacedSlug, placeSlug, spansOf, slugBand } from "./draw/slug.ts";

/** The part of a job that becomes one file. */
export interface VolumeInput {
  readonly job: SheetJob;
  readonly fonts: LabelFonts;
  readonly assets: Assets;
  readonly intent: OutputIntent;
  readonly records: readonly RepeatedRecord<SheetRecord>[];
  /** Undefined: every code is plain. */
  readonly designs: DesignRoom | undefined;
  /** By key: codes that are printed as their server drew them. */
  readonly serverCodes: ReadonlyMap<string, ServerCode>;
  readonly captions: Pen["captions"];
  /** Labels in earlier volumes. */
  readonly labelsBefore: number;
  /** Sheets of the whole job, from 1, that are drawn; undefined = all. */
  readonly only?: ReadonlySet<number> | undefined;
  /** From 1. */
  readonly volume: number;
  /** Sheets in earlier volumes. */
  readonly sheetsBefore: number;
  /** Sheets of the whole job, when known. */
  readonly sheetCount: number | undefined;
  /** The part that pages show: see `Book`. */
  readonly view?: BookInput["view"];
}

export interface DrawnVolume {
  readonly bytes: Uint8Array;
  /** Pages that were drawn. */
  readonly pages: number;
  readonly cells: readonly SheetCell[];
  readonly warnings: readonly RowWarning[];
}

interface PlacedRecord {
  readonly record: SheetRecord;
  readonly counts: LabelCounts;
  readonly place: Place;
  readonly isSpare?: boolean;
}

/** Records by sheet, in their own order on each; labels that are repeated in spare cells come last. */
function impose({
  job,
  records,
  volume,
  labelsBefore,
  sheetsBefore,
}: VolumeInput): PlacedRecord[][] {
  const layout = layoutOf(job, volume, records.length);
  const placeOf = makeImposition(layout);
  const sheets = Array.from({ length: countSheets(layout) }, (): PlacedRecord[] => []);
  for (const [n, { record, row, copy }] of records.entries()) {
    const place = placeOf(n);
    const own = { label: labelsBefore + n, row, copy, sheet: sheetsBefore + place.sheet };
    const counts = record.counts?.[copy] ?? own;
    sheets[place.sheet]?.push({ record, counts, place });
  }
  if (job.spareLabels === "repeat") {
    for (const [sheet, placed] of sheets.entries()) {
      const repeats = spareCells(layout).flatMap((cell, i) => {
        const first = placed[i];
        if (first === undefined) return [];
        return [{ ...first, place: { sheet, ...cell }, isSpare: true }];
      });
      placed.push(...repeats);
    }
  }
  return sheets;
}

interface SlugInput {
  readonly index: number;
  readonly face: Face;
  readonly own: readonly PlacedRecord[];
  readonly labels: readonly DrawnLabel[];
}

function slugOf(input: VolumeInput, { index, face, own, labels }: SlugInput): PlacedSlug[] {
  const { job, fonts } = input;
  const band = slugBand(face.sheet, job.frame);
  if (band === undefined) return [];
  const { options } = job;
  const modules = labels.flatMap(({ cells }) => codesIn(cells).map(({ xMm }) => xMm));
  const span = [Math.min(...modules), Math.max(...modules)] as const;
  const facts = {
    ...options.slug,
    date: options.createdAt.slice(0, 10),
    sheetNumber: input.sheetsBefore + index + 1,
    sheetCount: input.sheetCount,
    volume: input.volume,
    side: face.side,
    rows: spansOf(own.map(({ record: { key }, counts: { row } }) => ({ row, key }))),
    sheetName: job.sheet.name,
    xWantedMm: options.xDimensionMm,
    xMm: modules.length === 0 ? undefined : span,
    deviceDpi: options.deviceDpi,
    barWidthReduction: options.barWidthReduction,
    calibration: options.calibration,
  } as const;
  return placeSlug(facts, band, fonts.regular);
}

/** X of the codes; on labels without codes, of their symbols. */
function codesIn<Cell extends Pick<SheetCell, "symbol">>(cells: readonly Cell[]): readonly Cell[] {
  const codes = cells.filter(({ symbol }) => symbol === undefined);
  return codes.length === 0 ? cells : codes;
}

/** Undefined where no cell is empty. */
function labelledCells(
  { sheet: { columns, perSheet } }: SheetJob,
  placed: readonly PlacedRecord[],
): LabelledCells {
  if (placed.length === perSheet) return undefined;
  return new Set(placed.map(({ place: { row, column } }) => row * columns + column));
}

interface Page {
  readonly index: number;
  readonly face: Face;
  readonly placed: readonly PlacedRecord[];
}

/** Pages of a volume in their order in the file. */
function toPages(job: SheetJob, sheets: readonly (readonly PlacedRecord[])[]): Page[] {
  const pages: Page[] = [];
  for (const [index, placed] of sheets.entries()) {
    for (const face of job.faces) {
      const page = pageOf(job, face.side, { index, sheets: sheets.length });
      pages[page - 1] = { index, face, placed };
    }
  }
  return pages;
}

function placeOn({ face }: Page, place: Place, job: SheetJob): Place {
  const { back } = job.options;
  return face.side === "back" && back !== undefined ? backOf(place, job.sheet, back.flip) : place;
}

/** Which label of its row it takes the place of. */
const copyOf = (placed: PlacedRecord | undefined): Pick<SheetCell, "copy"> =>
  placed?.record.counts === undefined ? {} : { copy: placed.counts.copy + 1 };

/** Draws one volume. All of it is in memory until the bytes are written. */
export async function drawVolume(input: VolumeInput): Promise<DrawnVolume> {
  const { job, assets, volume, only } = input;
  await loadSymbolsOf(job);
  const hasBold = job.options.captionBold !== undefined;
  const { intent, view } = input;
  const sheets = impose(input);
  const hasFullSheets = sheets.some((placed) => placed.length === job.sheet.perSheet);
  const book = new Book({ job, intent, volume, assets, hasBold, view, hasFullSheets });
  const fonts = startSubsets(input.fonts);
  const pen: Pen = {
    job,
    labelFonts: input.fonts,
    fonts,
    names: book.names,
    assets,
    frame: job.frame,
    designs: input.designs,
    serverCodes: input.serverCodes,
    captions: input.captions,
  };
  const cells: SheetCell[] = [];
  const warnings: RowWarning[] = [];
  let pages = 0;
  for (const page of toPages(job, sheets)) {
    const { index, face, placed } = page;
    const sheet = input.sheetsBefore + index + 1;
    if (only !== undefined && !only.has(sheet)) continue;
    pages += 1;
    const labels = placed.map(({ record, counts, place }) =>
      drawLabel(pen, { record, counts, face, place: placeOn(page, place, job) }),
    );
    const own = placed.filter(({ isSpare }) => isSpare !== true);
    const ownLabels = labels.filter((_, i) => placed[i]?.isSpare !== true);
    const slug = slugOf(input, { index, face, own, labels: ownLabels });
    book.addPage(drawSheet(pen, labels, slug), face.side, labelledCells(job, placed));
    for (const [at, label] of labels.entries()) {
      const on = { volume, page: pages, sheet, ...copyOf(placed[at]) };
      cells.push(...label.cells.map((cell) => ({ ...on, ...cell })));
      warnings.push(...label.warnings);
    }
  }
  return { bytes: await book.close(fonts), pages, cells, warnings };
}
