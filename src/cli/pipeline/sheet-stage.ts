/** Stage 5: the sheets of every group, made anew only when something on them changed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/hash-file.ts";
import { sha256 } from "../../base/ids.ts";
import type { JobSheets } from "../../job/job.ts";
import { toLevel } from "../../plan/payload.ts";
import type { LabelSheet } from "../../print/label-sheet.ts";
import { makeOwnSheet } from "../../print/own-sheet.ts";
import { loadSheet } from "../../print/sheet-files.ts";
import {
  checkAssets,
  loadCalibration,
  writeSheets,
  type SheetOptions,
  type SheetRecord,
} from "../../print/sheets.ts";
import type { StateRow } from "../../state/row.ts";
import { checkBackground, checkGrounds, openBackground } from "../../verify/background.ts";
import { toPayload } from "./payload.ts";
import { atStart, findStart, rememberEnd } from "./sheet-start.ts";
import { removeFiles, sweepPackages } from "./sweep.ts";
import { showStage, type Work, type WorkJob } from "./work.ts";

/** One finished PDF. */
export interface SheetFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly pages: number;
  readonly codes: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The PDFs of one group. */
export interface SheetGroup {
  readonly name: string;
  readonly volumes: readonly SheetFile[];
  readonly warnings: readonly string[];
  /** False when the files of an earlier run still hold. */
  readonly isNew: boolean;
}

type SlugFacts = Pick<Work, "input" | "isRehearsal" | "createdAt">;

/** Limits of X in mm; `gs1-pos` is what retail scanners are held to (`print.md` section 5). */
const limitsOfX: Readonly<Record<JobSheets["application"], Partial<SheetOptions>>> = {
  general: {},
  "gs1-pos": { leastXMm: 0.396, mostXMm: 0.99 },
};

const dieSteps = { through: "Cutting", kiss: "PartialCutting" } as const;

/** How labels look. */
function toDrawing(sheets: JobSheets): Pick<SheetOptions, "marks"> & Partial<SheetOptions> {
  const { dieLine } = sheets;
  return {
    ...limitsOfX[sheets.application],
    marks: sheets.marks,
    bleedMm: sheets.bleedMm ?? undefined,
    deviceDpi: sheets.deviceDpi ?? undefined,
    xDimensionMm: sheets.xDimensionMm ?? undefined,
    qrSizeMm: sheets.qrSizeMm ?? undefined,
    safeMm: sheets.safeMm ?? undefined,
    standard: sheets.standard,
    icc: sheets.icc ?? undefined,
    // Without fonts of the job's own, a fingerprint stays what it was.
    ...(sheets.fonts.length === 0 ? {} : { fonts: sheets.fonts }),
    dieLine: dieLine === null ? undefined : { spot: dieLine.spot, step: dieSteps[dieLine.cut] },
  };
}

/** Where labels go. */
function toOrder(sheets: JobSheets): Partial<SheetOptions> {
  const { order, reverse, corner, start, copies, copyOrder, overs } = sheets;
  return {
    order,
    reverse,
    corner,
    start: start === "continue" ? undefined : start,
    copies,
    copyOrder,
    overs,
    spares: sheets.spares,
    spareLabels: sheets.spareLabels,
    volumeCodes: sheets.volumeCodes ?? undefined,
  };
}

type Faces = Pick<
  SheetOptions,
  | "label"
  | "background"
  | "back"
  | "pages"
  | "codeStyle"
  | "artwork"
  | "artworkInks"
  | "captionLines"
>;

/** Reads what is known of a designer's page before it is placed. */
async function toBackground(page: JobSheets["background"]): Promise<SheetOptions["background"]> {
  return page === null ? undefined : openBackground(page);
}

/** What stands on both sides of a label. */
async function toFaces(sheets: JobSheets): Promise<Faces> {
  const { back, label, codeStyle } = sheets;
  return {
    label: label?.art,
    background: await toBackground(sheets.background),
    back:
      back === null
        ? undefined
        : {
            label: back.label?.art,
            background: await toBackground(back.background),
            flip: back.flip,
          },
    pages: sheets.pages,
    codeStyle: (codeStyle as SheetOptions["codeStyle"] | null) ?? undefined,
    // Without drawings of a server, a fingerprint stays what it was.
    ...(sheets.artwork === "server"
      ? { artwork: sheets.artwork, artworkInks: sheets.artworkInks }
      : {}),
    captionLines: Math.max(1, sheets.caption.length),
  };
}

/** The sheet that a manifest names or describes. Throws `sheet-unknown`. */
export async function loadJobSheet(sheet: JobSheets["sheet"], folder: string): Promise<LabelSheet> {
  return typeof sheet === "string" ? loadSheet(sheet, folder) : makeOwnSheet(sheet);
}

/** Options of a job's sheets; undefined when it wants none. Throws `sheet-unknown`. */
export async function makeSheetOptions(
  job: Pick<WorkJob, "name" | "file" | "output">,
  facts: SlugFacts,
): Promise<SheetOptions | undefined> {
  const { sheets } = job.output;
  if (sheets === null) return undefined;
  const folder = path.dirname(job.file);
  const sheet = await loadJobSheet(sheets.sheet, folder);
  const { printer } = sheets;
  return {
    ...toDrawing(sheets),
    ...toOrder(sheets),
    ...(await toFaces(sheets)),
    sheet,
    ...(sheets.start === "continue" ? { start: await findStart(job, sheet) } : {}),
    calibration: printer === null ? undefined : await loadCalibration(printer, folder),
    title: job.name,
    createdAt: facts.createdAt,
    slug: {
      job: job.name,
      input: facts.input.name,
      inputHash: facts.input.sha256,
      rehearsal: facts.isRehearsal,
    },
  };
}

/** What of the pictures and designers' pages that a job names must not be printed. */
export async function checkSheetFiles(options: SheetOptions): Promise<readonly Problem[]> {
  const pages = [options.background, options.back?.background].filter((page) => page !== undefined);
  const found = await Promise.all(
    pages.map(async (page) => checkBackground(page, options.standard ?? "PDF/X-4")),
  );
  const broken = found.flat();
  if (broken.length > 0) return broken;
  const files = await checkAssets(options);
  return files.length > 0 ? files : checkGrounds(options);
}

/** The drawing that was fetched as a file; undefined when there is none. */
function readArtwork(folder: string, { artwork }: StateRow): string | undefined {
  const drawing = artwork?.files.find(({ name }) => name.endsWith(".svg"));
  const file = drawing && path.join(folder, drawing.name);
  return file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Records of a group, in the order of its rows. */
export function* toRecords(
  { state, folder }: Pick<Work, "state" | "folder">,
  name: string,
  artwork: SheetOptions["artwork"],
): Iterable<SheetRecord> {
  for (const row of state.sheetRows(name)) {
    yield {
      key: row.key,
      payload: toPayload(row),
      level: toLevel(row.made ?? row.wanted),
      caption: row.placing.caption,
      ...(artwork === "server" ? { svg: state.svg(row.key) ?? readArtwork(folder, row) } : {}),
    };
  }
}

/** Pictures on the labels of a job. */
function imageFiles({ label, back }: SheetOptions): string[] {
  const items = [...(label?.items ?? []), ...(back?.label?.items ?? [])];
  return items.flatMap((item) => (item.kind === "image" ? [item.file] : []));
}

async function toFingerprint(work: Work, options: SheetOptions, name: string): Promise<string> {
  const profile = options.icc === undefined ? null : await hashFile(options.icc.file);
  const named = [...imageFiles(options), ...(options.fonts ?? [])];
  const files = await Promise.all(named.map(hashFile));
  const hash = createHash("sha256");
  hash.update(sha256(JSON.stringify([work.writer, options, profile, files])));
  for (const record of toRecords(work, name, options.artwork))
    hash.update(`\n${JSON.stringify(record)}`);
  return hash.digest("hex");
}

/** True when every file is there with the bytes that were written. */
async function isIntact(folder: string, files: readonly SheetFile[]): Promise<boolean> {
  for (const { file, sha256: expected } of files) {
    const full = path.join(folder, file);
    if (!existsSync(full) || (await hashFile(full)) !== expected) return false;
  }
  return files.length > 0;
}

async function writeGroup(
  work: Work,
  options: SheetOptions,
  group: { name: string; rows: number },
): Promise<Omit<SheetGroup, "isNew">> {
  const { state, folder } = work;
  state.labels.clear(group.name);
  const { volumes, warnings } = await writeSheets(
    { ...options, count: group.rows },
    { [Symbol.iterator]: () => toRecords(work, group.name, options.artwork)[Symbol.iterator]() },
    path.join(folder, group.name),
    {
      onCells: (cells, volume) =>
        state.labels.add(
          cells.map(({ key, payloadHash: _hash, ...cell }) => ({
            key,
            cell: { ...cell, file: path.relative(folder, volume.file) },
          })),
        ),
    },
  );
  return {
    name: group.name,
    warnings,
    volumes: volumes.map(({ volume: _number, ...volume }) => ({
      ...volume,
      file: path.relative(folder, volume.file),
    })),
  };
}

/** A group as the state keeps it. */
export const toSheetGroup = (kept: unknown): SheetGroup => ({
  ...(kept as Omit<SheetGroup, "isNew">),
  isNew: false,
});

/** The PDFs that a run made, as the state remembers them. */
export function readSheetGroups({ state }: Work): SheetGroup[] {
  return state.groups("sheets").flatMap(({ name }) => {
    const kept = state.packaged(`sheets ${name}`);
    return kept === undefined ? [] : [toSheetGroup(kept.result)];
  });
}

/** Lays every group's codes on sheets. */
export async function makeSheets(work: Work): Promise<SheetGroup[]> {
  const { state, job, folder } = work;
  const common = await makeSheetOptions(job, work);
  if (common === undefined) return [];
  const groups: SheetGroup[] = [];
  const wanted = state.groups("sheets");
  for (const group of wanted) {
    if (work.signal.aborted) break;
    showStage(work, "sheets", groups.length, wanted.length);
    const options = await atStart(work, common, group.name);
    const fingerprint = await toFingerprint(work, options, group.name);
    const known = state.packaged(`sheets ${group.name}`);
    const kept = known?.result as Omit<SheetGroup, "isNew"> | undefined;
    const holds = kept !== undefined && known?.fingerprint === fingerprint;
    if (holds && (await isIntact(folder, kept.volumes))) {
      groups.push({ ...kept, isNew: false });
      continue;
    }
    const written = await writeGroup(work, options, group);
    await rememberEnd(work, options, group);
    const files = new Set(written.volumes.map(({ file }) => file));
    await removeFiles(
      folder,
      (kept?.volumes ?? []).filter(({ file }) => !files.has(file)),
    );
    state.setPackaged(`sheets ${group.name}`, fingerprint, written);
    groups.push({ ...written, isNew: true });
  }
  if (work.signal.aborted) return groups;
  await sweepPackages(
    work,
    "sheets",
    groups.map(({ name, volumes }) => ({ name, files: volumes })),
    (result) => (result as SheetGroup).volumes,
  );
  return groups;
}
