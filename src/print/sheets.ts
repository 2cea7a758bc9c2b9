/**
 * ⑤ records -> print-ready PDF sheets (docs/spec/print.md). `planSheets` plans them before any code
 * exists; `writeSheets` writes the files; `src/verify` proves them.
 */

import path from "node:path";

import { writeFileAtomic } from "../base/files/atomic-file.ts";
import { AppError, type LabelProblem, type Problem } from "../base/errors.ts";
import { sha256 } from "../base/ids/ids.ts";
import { PressTally, type PressWarning } from "../base/shapes/press-warning.ts";
import { formatMany } from "../base/text/words.ts";
import { checkTexts, type TextFacts } from "./art/art-texts.ts";
import { pressOfAssets, readAssets } from "./art/assets.ts";
import { withDesignInks } from "./art/design-inks.ts";
import { openDesignRoom } from "./art/designed-code.ts";
import { Drawings } from "./art/drawings.ts";
import { checkOptions } from "./check-options.ts";
import { type CaptionSetting, CaptionSizes, settingOf } from "./draw/caption-sizes.ts";
import type { SheetCell } from "./draw/sheet-cell.ts";
import { type Drawer, openRoom, type VolumeTask } from "./draw/volume-task.ts";
import { loadLabelFonts } from "./fonts/label-fonts.ts";
import { countSheets } from "./layout/imposition.ts";
import { type RepeatedRecord, repeatRecords } from "./layout/repeat-records.ts";
import { jobPress, jobWarnings } from "./plan-sheets.ts";
import {
  copiesOf,
  countVolumes,
  makeSheetJob,
  type SheetJob,
  type SheetOptions,
  type SheetRecord,
  volumeCapacity,
} from "./sheet-job.ts";
import { checkSymbols, loadSymbolsOf } from "./symbols/face-symbols.ts";
import { type DrawnVolume, drawVolume } from "./volume.ts";

/** Volumes that are drawn elsewhere, several at once, and are finished here in their order. */
class Away {
  readonly #drawer: Drawer | undefined;
  readonly #finish: (volume: number, drawn: DrawnVolume) => Promise<void>;
  readonly #underWay: {
    readonly volume: number;
    readonly read: () => Promise<DrawnVolume>;
  }[] = [];

  constructor(
    drawer: Drawer | undefined,
    finish: (volume: number, drawn: DrawnVolume) => Promise<void>,
  ) {
    this.#drawer = drawer;
    this.#finish = finish;
  }

  /** Waits while too many are under way. Throws the error of an earlier one. */
  async begin(task: VolumeTask, file: string): Promise<void> {
    if (this.#drawer === undefined) return;
    while (this.#underWay.length >= this.#drawer.volumesAtOnce) await this.#finishFirst();
    this.#underWay.push({ volume: task.volume, ...(await this.#drawer.draw(task, file)) });
  }

  async end(): Promise<void> {
    while (this.#underWay.length > 0) await this.#finishFirst();
  }

  async #finishFirst(): Promise<void> {
    const first = this.#underWay.shift();
    if (first !== undefined) await this.#finish(first.volume, await first.read());
  }
}

export type { SheetCell } from "./draw/sheet-cell.ts";
export type { CaptionSetting, CaptionSizes } from "./draw/caption-sizes.ts";
export { loadCalibration } from "./layout/calibration.ts";
export { makeAlignmentPage, writeAlignmentPage } from "./draw/alignment-page.ts";
export { loadOutputIntent } from "./pdf/icc-profile.ts";
export { loadOwnFont } from "./fonts/own-font.ts";
export { type GlyphCensus, openGlyphCensus } from "./fonts/glyph-census.ts";
export { planSheets } from "./plan-sheets.ts";
export type { SheetOptions, SheetRecord } from "./sheet-job.ts";

/** One finished file. */
export interface WrittenVolume {
  readonly file: string;
  /** Of the whole job, from 1. */
  readonly volume: number;
  readonly pages: number;
  /** Codes in it: of labels with several, all. */
  readonly codes: number;
  /** Labels with a code or symbol. */
  readonly labels: number;
  readonly sha256: string;
  readonly bytes: number;
}

export interface WrittenSheets {
  readonly volumes: readonly WrittenVolume[];
  /** Every label, in record order per sheet; empty when `onCells` took them. */
  readonly cells: readonly SheetCell[];
  /** X of the codes: smallest and largest. */
  readonly xMm: readonly [least: number, most: number];
  readonly warnings: readonly string[];
  /** Those of them that say what single labels don't show. */
  readonly labelWarnings: readonly string[];
  /** What differs on the sheets from what the job wants, as data. */
  readonly press: readonly PressWarning[];
}

export interface WriteSheetsHooks {
  /** The caption setting of all records; default: each volume gets its own. */
  readonly captions?: CaptionSetting | undefined;
  /** Sheets of the whole job, from 1, that are written; they lie as in a whole run. Default: all. */
  readonly only?: ReadonlySet<number> | undefined;
  /** Takes the cells of each volume as soon as its file stands; keeps memory flat in jobs of a million rows. */
  readonly onCells?: (cells: readonly SheetCell[], volume: WrittenVolume) => void | Promise<void>;
  /** Ends the reading of servers' drawings, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Draws the volumes of a job that has several. Default: this thread, and those of servers' drawings. */
  readonly drawer?: Drawer | undefined;
}

/** `x.pdf` -> `x.pdf`, `x-2.pdf`, `x-3.pdf`. */
export function volumeFile(file: string, volume: number): string {
  if (volume === 1) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${volume}${ext}`);
}

/** Chunks of whole volumes. */
async function* volumesOf(
  job: SheetJob,
  records: AsyncIterable<RepeatedRecord<SheetRecord>>,
): AsyncGenerator<RepeatedRecord<SheetRecord>[]> {
  let chunk: RepeatedRecord<SheetRecord>[] = [];
  let index = 0;
  for await (const record of records) {
    chunk.push(record);
    if (chunk.length < volumeCapacity(job, index)) continue;
    yield chunk;
    chunk = [];
    index += 1;
  }
  if (chunk.length > 0) yield chunk;
}

export function refuseBadOptions(options: SheetOptions): void {
  const problems = checkOptions(options);
  if (problems.length === 0) return;
  throw new AppError(
    "layout-impossible",
    `sheet options must be printable, got ${formatMany(problems.length, "problem")}`,
    { problems },
  );
}

/** Sheets of the whole job, when it can be told. */
function countAll(
  job: SheetJob,
  records: AsyncIterable<SheetRecord> | Iterable<SheetRecord>,
): number | undefined {
  const { count, labels } = job.options;
  if (count !== undefined) return countVolumes(job, count, labels).sheets;
  if (!Array.isArray(records)) return undefined;
  const copies = (records as readonly SheetRecord[]).map((record) => copiesOf(job, record));
  const printed = copies.filter((times) => times > 0).length;
  return countVolumes(
    job,
    printed,
    copies.reduce((sum, times) => sum + times, 0),
  ).sheets;
}

function sheetsIn(job: SheetJob, count: number, volume: number): number {
  const { rows, columns } = job.sheet;
  const start = volume === 1 ? job.start : 1;
  return countSheets({ rows, columns, spares: job.spares, count, start });
}

function hasAny(only: ReadonlySet<number>, first: number, last: number): boolean {
  return [...only].some((sheet) => sheet >= first && sheet <= last);
}

/**
 * Judges a record's texts against the labels of a job before anything is made of it; `columns`: of each
 * of its texts, `column "Name"`.
 */
export async function openTextCheck(
  options: SheetOptions,
  columns?: readonly string[],
): Promise<(facts: Pick<TextFacts, "texts" | "payload">) => readonly LabelProblem[]> {
  const job = makeSheetJob(options);
  const fonts = await loadLabelFonts(options.fonts);
  await loadSymbolsOf(job);
  const counts = { label: 0, row: 0, copy: 0, sheet: 0 };
  return (facts) => [
    ...checkTexts(job.faces, { ...facts, counts, columns }, fonts),
    ...checkSymbols(job, { ...facts, columns }, fonts.regular),
  ];
}

/** Faults and warnings of the labels' pictures and backgrounds. */
export async function checkAssets(
  options: SheetOptions,
): Promise<{ readonly problems: readonly Problem[]; readonly press: readonly PressWarning[] }> {
  const job = makeSheetJob(options);
  const { assets, problems } = await readAssets(job);
  return { problems, press: await pressOfAssets(job, assets) };
}

function widen(span: [least: number, most: number], cells: readonly SheetCell[]): void {
  const codes = cells.filter(({ symbol }) => symbol === undefined);
  for (const { xMm } of codes.length === 0 ? cells : codes) {
    span[0] = Math.min(span[0], xMm);
    span[1] = Math.max(span[1], xMm);
  }
}

/** The drawer of a job's volumes elsewhere; only for jobs with several volumes. */
function drawerOf(job: SheetJob, { drawer, only, captions }: WriteSheetsHooks): Drawer | undefined {
  const { count, labels } = job.options;
  const isWhole = only === undefined && captions !== undefined && job.drawingInks === undefined;
  if (!isWhole || count === undefined || countVolumes(job, count, labels).volumes < 2)
    return undefined;
  return drawer;
}

/** A label with codes on both sides, or with several on one, is one label. */
function countPieces(cells: readonly SheetCell[]): number {
  const fronts = cells.filter(({ side }) => side !== "back");
  const faces = fronts.length > 0 ? fronts : cells;
  return new Set(faces.map(({ sheet, row, column }) => `${sheet} ${row} ${column}`)).size;
}

async function writeVolume(
  file: string,
  volume: number,
  { bytes, pages, cells }: DrawnVolume,
): Promise<WrittenVolume> {
  await writeFileAtomic(file, bytes);
  return {
    file,
    volume,
    pages,
    codes: cells.filter(({ symbol }) => symbol === undefined).length,
    labels: countPieces(cells),
    sha256: sha256(bytes),
    bytes: bytes.length,
  };
}

/** The files of a job as they come to stand, in the order of its volumes. */
class Written {
  readonly volumes: WrittenVolume[] = [];
  readonly cells: SheetCell[] = [];
  readonly press = new PressTally();
  /** X of the codes. */
  readonly span: [least: number, most: number] = [Infinity, 0];
  readonly warnings: string[];
  readonly labelWarnings: string[] = [];
  readonly #file: string;
  readonly #onCells: WriteSheetsHooks["onCells"];

  constructor(file: string, warnings: string[], onCells: WriteSheetsHooks["onCells"]) {
    this.#file = file;
    this.warnings = warnings;
    this.#onCells = onCells;
  }

  async add(volume: number, drawn: DrawnVolume): Promise<void> {
    const file = volumeFile(this.#file, this.volumes.length + 1);
    const written = await writeVolume(file, volume, drawn);
    this.volumes.push(written);
    for (const { code, row, what, message } of drawn.warnings) {
      this.warnings.push(message);
      this.labelWarnings.push(message);
      this.press.add(code, row, what);
    }
    widen(this.span, drawn.cells);
    if (this.#onCells === undefined) this.cells.push(...drawn.cells);
    else await this.#onCells(drawn.cells, written);
  }
}

/** Opens a census of a PDF's captions before it is written; each PDF of a job has its own. */
export async function openCaptionSizes(
  options: SheetOptions,
  load: typeof loadLabelFonts = loadLabelFonts,
): Promise<() => CaptionSizes> {
  const job = makeSheetJob(options);
  const fonts = await load(options.fonts);
  const designs = await openDesignRoom(job);
  return () => new CaptionSizes(job, fonts, designs);
}

/**
 * Writes the sheets of a job: `file`, then `-2`, `-3` ... for further volumes, each whole or not
 * at all. Same options and records, same bytes; may be called again. One volume of records is in
 * memory at a time; copies in series and overs read the records again. No records, no file. Throws `layout-impossible` when a code doesn't fit.
 */
export async function writeSheets(
  given: SheetOptions,
  records: AsyncIterable<SheetRecord> | Iterable<SheetRecord>,
  file: string,
  hooks: WriteSheetsHooks = {},
): Promise<WrittenSheets> {
  refuseBadOptions(given);
  const options = Array.isArray(records) ? await withDesignInks(given, records) : given;
  const job = makeSheetJob(options);
  const room = await openRoom(job);
  const { fonts, designs } = room;
  const sheetCount = countAll(job, records);
  const drawer = drawerOf(job, hooks);
  const written = new Written(file, jobWarnings(job), hooks.onCells);
  const redrawn = new Drawings(job);
  let [sheetsBefore, labelsBefore, volume] = [0, 0, 0];
  const away = new Away(drawer, (number, drawn) => written.add(number, drawn));
  const repeated = repeatRecords(records, job.repeats, (record) => copiesOf(job, record));
  for await (const chunk of volumesOf(job, repeated)) {
    volume += 1;
    const first = sheetsBefore + 1;
    sheetsBefore += sheetsIn(job, chunk.length, volume);
    labelsBefore += chunk.length;
    if (hooks.only !== undefined && !hasAny(hooks.only, first, sheetsBefore)) continue;
    const task = {
      captions: hooks.captions ?? settingOf(job, fonts, { records: chunk, designs }),
      records: chunk,
      volume,
      labelsBefore: labelsBefore - chunk.length,
      sheetsBefore: first - 1,
      sheetCount,
    };
    if (drawer !== undefined) {
      await away.begin({ ...task, options }, volumeFile(file, volume));
      continue;
    }
    const serverCodes = await redrawn.readAll(chunk, hooks.signal);
    const { only } = hooks;
    await written.add(volume, await drawVolume({ ...task, ...room, serverCodes, job, only }));
  }
  await away.end();
  const { volumes, cells, press, span, warnings, labelWarnings } = written;
  warnings.push(...redrawn.warnings());
  const found = [...press.list(), ...redrawn.press(), ...jobPress(job)];
  return {
    volumes,
    cells,
    xMm: volumes.length === 0 ? [0, 0] : span,
    warnings,
    labelWarnings,
    press: [...found, ...(await pressOfAssets(job, room.assets))],
  };
}
