/** The first sheet of a job in memory, for a preview: drawn by the code that writes the files. */
import { loadAssets } from "../art/assets.ts";
import { withDesignInks } from "../art/design-inks.ts";
import { openDesignRoom } from "../art/designed-code.ts";
import { Drawings } from "../art/drawings.ts";
import type { SheetCell } from "./sheet-cell.ts";
import type { Side } from "../fonts/face.ts";
import { loadLabelFonts } from "../fonts/label-fonts.ts";
import type { BoxMm } from "../layout/box.ts";
import { backOf, makeImposition, type Place } from "../layout/imposition.ts";
import { cellBox } from "../layout/label-sheet.ts";
import type { PageFrame } from "../layout/page-frame.ts";
import { type RepeatedRecord, repeatRecords } from "../layout/repeat-records.ts";
import { loadOutputIntent } from "../pdf/icc-profile.ts";
import { jobWarnings } from "../plan-sheets.ts";
import {
  countVolumes,
  makeSheetJob,
  type SheetJob,
  type SheetOptions,
  type SheetRecord,
  volumeCapacity,
} from "../sheet-job.ts";
import { type CaptionSetting, refuseBadOptions } from "../sheets.ts";
import { settingOf } from "./caption-sizes.ts";
import { drawVolume } from "../volume.ts";

/** Paper round a label that is shown alone. */
const AROUND_MM = 2;

export interface LookedAt {
  /** A PDF of one page, or two where labels have a back. */
  readonly bytes: Uint8Array;
  readonly sides: readonly Side[];
  /** The part that each page shows, in mm of the trimmed sheet. */
  readonly views: readonly BoxMm[];
  readonly frame: PageFrame;
  /** Labels of a part-used sheet that are gone already. */
  readonly used: readonly BoxMm[];
  readonly cells: readonly SheetCell[];
  readonly warnings: readonly string[];
}

/** Labels that the first file of a job takes at most: which of them lie on its first sheet depends on the order. */
export function firstSheetNeeds(options: SheetOptions): number {
  const job = makeSheetJob(options);
  const { copies, copyOrder } = job.repeats;
  const isSpread =
    options.reverse === true || !["rows", "columns"].includes(job.order) || copyOrder === "series";
  if (isSpread) return volumeCapacity(job, 0);
  const { rows, columns } = job.sheet;
  return Math.ceil((rows * columns - job.start + 1) / copies);
}

const wholePage = ({ frame }: SheetJob): BoxMm => ({
  x: 0 - frame.margins.left,
  y: 0 - frame.margins.top,
  width: frame.margins.left + frame.trimWidthMm + frame.margins.right,
  height: frame.margins.top + frame.trimHeightMm + frame.margins.bottom,
});

function labelView(job: SheetJob, place: Place, side: Side): BoxMm {
  const flip = job.options.back?.flip;
  const at = side === "back" && flip !== undefined ? backOf(place, job.sheet, flip) : place;
  const { x, y, width, height } = cellBox(job.sheet, at.row, at.column);
  const page = wholePage(job);
  const left = Math.max(page.x, x - AROUND_MM);
  const top = Math.max(page.y, y - AROUND_MM);
  const right = Math.min(page.x + page.width, x + width + AROUND_MM);
  const bottom = Math.min(page.y + page.height, y + height + AROUND_MM);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

interface DrawOptions {
  readonly view?: (side: Side) => BoxMm;
  readonly labelsBefore?: number;
  readonly captions: CaptionSetting | undefined;
}

async function draw(
  job: SheetJob,
  records: readonly RepeatedRecord<SheetRecord>[],
  { view, captions, labelsBefore = 0 }: DrawOptions,
): Promise<LookedAt> {
  const { options } = job;
  const drawings = new Drawings(job);
  const fonts = await loadLabelFonts(options.fonts);
  const designs = await openDesignRoom(job);
  const drawn = await drawVolume({
    designs,
    serverCodes: await drawings.readAll(records, undefined),
    captions: captions ?? settingOf(job, fonts, { records, designs }),
    job,
    fonts,
    assets: await loadAssets(job),
    intent: await loadOutputIntent(options.icc),
    records,
    volume: 1,
    labelsBefore,
    sheetsBefore: 0,
    sheetCount: options.count === undefined ? undefined : countVolumes(job, options.count).sheets,
    only: new Set([1]),
    view,
  });
  const sides = job.faces.map(({ side }) => side);
  const { bytes, cells } = drawn;
  const warnings = [...drawn.warnings.map(({ message }) => message), ...drawings.warnings()];
  return {
    bytes,
    sides,
    views: sides.map(view ?? (() => wholePage(job))),
    frame: job.frame,
    used: [],
    cells,
    warnings,
  };
}

/** Cells before the one where printing begins. */
function findUsed({ sheet, start, order, options: { corner } }: SheetJob): BoxMm[] {
  const { rows, columns } = sheet;
  const count = start - 1;
  if (count === 0) return [];
  const placeOf = makeImposition({ rows, columns, count, mode: order, corner });
  return Array.from({ length: count }, (_, n) => {
    const { row, column } = placeOf(n);
    return cellBox(sheet, row, column);
  });
}

/**
 * The first sheet of a job. `records` are its first ones, at least `firstSheetNeeds` of them where there
 * are so many. Throws what `writeSheets` throws.
 */
export async function drawFirstSheet(
  options: SheetOptions,
  records: readonly SheetRecord[],
  captions?: CaptionSetting,
): Promise<LookedAt> {
  refuseBadOptions(options);
  const job = makeSheetJob(await withDesignInks(options, records));
  const labels: RepeatedRecord<SheetRecord>[] = [];
  const most = volumeCapacity(job, 0);
  for await (const label of repeatRecords(records, job.repeats)) {
    if (labels.length === most) break;
    labels.push(label);
  }
  const drawn = await draw(job, labels, { captions });
  const warnings = [...jobWarnings(job), ...drawn.warnings];
  return { ...drawn, used: findUsed(job), warnings };
}

export interface OneLabel {
  readonly record: SheetRecord;
  /** Records before it. */
  readonly row: number;
  /** Default: what it would be in a file of its own. */
  readonly captions?: CaptionSetting | undefined;
}

/** One label on its sheet, and the paper round it. */
export async function drawOneLabel(
  options: SheetOptions,
  { record, row, captions }: OneLabel,
): Promise<LookedAt> {
  refuseBadOptions(options);
  // A single label lies where the first one lies.
  const inked = await withDesignInks(options, [record]);
  const job = makeSheetJob({ ...inked, copies: 1, overs: 0, spares: 0, reverse: false });
  const { rows, columns } = job.sheet;
  const place = makeImposition({
    rows,
    columns,
    count: 1,
    mode: job.order,
    start: job.start,
    corner: options.corner,
  })(0);
  const view = (side: Side): BoxMm => labelView(job, place, side);
  const labelsBefore = row * (options.copies ?? 1);
  return draw(job, [{ record, row, copy: 0 }], { view, labelsBefore, captions });
}
