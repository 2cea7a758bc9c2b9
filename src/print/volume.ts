import { Book } from "./book.ts";
import { type DrawnLabel, drawLabel, drawSheet, type Pen, type SheetCell } from "./draw-sheet.ts";
import type { CaptionFont } from "./font.ts";
import type { OutputIntent } from "./icc-profile.ts";
import { countSheets, makeImposition, type Place, spareCells } from "./imposition.ts";
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
  readonly isSpare?: boolean;
}

/** Records by sheet, in their own order on each; labels that are repeated in spare cells come last. */
function impose({ job, records, volume }: VolumeInput): PlacedRecord[][] {
  const { rows, columns } = job.sheet;
  const { reverse, corner } = job.options;
  const layout = {
    rows,
    columns,
    count: records.length,
    mode: job.order,
    start: volume === 1 ? job.start : 1,
    spares: job.spares,
    reverse,
    corner,
  };
  const placeOf = makeImposition(layout);
  const sheets = Array.from({ length: countSheets(layout) }, (): PlacedRecord[] => []);
  for (const [n, record] of records.entries()) {
    const place = placeOf(n);
    sheets[place.sheet]?.push({ record, place });
  }
  if (job.spareLabels === "repeat") {
    for (const [sheet, placed] of sheets.entries()) {
      const repeats = spareCells(layout).flatMap((cell, i) => {
        const record = placed[i]?.record;
        if (record === undefined) return [];
        return [{ record, place: { sheet, ...cell }, isSpare: true }];
      });
      placed.push(...repeats);
    }
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
    calibration: options.calibration,
  } as const;
  return placeSlug(facts, band, font);
}

/** Draws one volume. All of it is in memory until the bytes are written. */
export async function drawVolume(input: VolumeInput): Promise<DrawnVolume> {
  const { job, font, volume } = input;
  const pen: Pen = { job, font, subset: font.startSubset() };
  const book = new Book({ job, font, intent: input.intent, volume });
  const cells: SheetCell[] = [];
  const warnings: string[] = [];
  const sheets = impose(input);
  for (const [index, placed] of sheets.entries()) {
    const labels = placed.map(({ record, place }) => drawLabel(pen, record, place));
    const own = labels.filter((_, i) => placed[i]?.isSpare !== true);
    book.addPage(drawSheet(pen, labels, slugOf(input, index, own)));
    for (const label of labels) {
      cells.push({ volume, page: index + 1, sheet: input.sheetsBefore + index + 1, ...label.cell });
      warnings.push(...label.warnings);
    }
  }
  return { bytes: await book.close(pen.subset), pages: sheets.length, cells, warnings };
}
