/** `start: continue`: part-used sheets are remembered from job to job, by the name of their stock. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { AppError } from "../../base/errors.ts";
import type { LabelSheet } from "../../print/layout/label-sheet.ts";
import { countLabels } from "../../print/layout/repeat-records.ts";
import { makeSheetJob, type SheetOptions } from "../../print/sheet-job.ts";
import { cellsPerSheet } from "../../print/layout/imposition.ts";
import { toDataDir } from "../address/server.ts";
import type { Work, WorkJob } from "./work.ts";

/** Where the next job on a stock begins. */
interface PartUsed {
  /** First free cell, from 1. */
  readonly next: number;
  /** The last job on the sheet, for people who read the file. */
  readonly job: string;
}

const fileOf = (job: Pick<WorkJob, "file">): string =>
  path.join(toDataDir(job.file), "part-used-sheets.json");

async function readAll(file: string): Promise<Record<string, PartUsed>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return {};
  }
  try {
    return JSON.parse(text) as Record<string, PartUsed>;
  } catch (cause) {
    throw new AppError("bad-usage", `${file} must be JSON, got text that is not`, {
      hint: "mend it, or delete it: the next sheet is then a whole one",
      where: { file },
      cause,
    });
  }
}

/** First free cell of the part-used sheet of a stock; undefined where it has none before cell `cells`. */
async function findNext(
  job: Pick<WorkJob, "file">,
  sheet: LabelSheet,
  cells: number,
): Promise<number | undefined> {
  const next = (await readAll(fileOf(job)))[sheet.name]?.next ?? 0;
  return Number.isInteger(next) && next >= 1 && next <= cells ? next : undefined;
}

/**
 * First free cell of the part-used sheet of a stock; 1 when there is none, or only where the job keeps
 * its spare cells.
 */
export async function findStart(
  { file, output: { sheets } }: Pick<WorkJob, "file" | "output">,
  sheet: LabelSheet,
): Promise<number> {
  if (sheets?.start !== "continue") return sheets?.start ?? 1;
  return (await findNext({ file }, sheet, countCells(sheet, sheets.spares))) ?? 1;
}

const metaOf = (group: string): string => `sheet_start ${group}`;

const countCells = ({ rows, columns }: LabelSheet, spares: number | undefined): number =>
  cellsPerSheet({ rows, columns, spares });

/**
 * Where a group began when it was last written; undefined where that was on other stock, or in a cell that
 * the sheet no longer has. Older programs kept no name of the stock.
 */
function recallStart(
  { job, state }: { readonly job: Pick<WorkJob, "output">; readonly state: Work["state"] },
  { sheet }: Pick<SheetOptions, "sheet">,
  group: string,
): number | undefined {
  const [, start = "", stock = sheet.name] =
    /^(\d+)(?: (.*))?$/u.exec(state.meta(metaOf(group)) ?? "") ?? [];
  const isThere = Number(start) <= countCells(sheet, job.output.sheets?.spares);
  return start !== "" && stock === sheet.name && isThere ? Number(start) : undefined;
}

/**
 * A group's options with its first cell: a group that was printed before begins there again, so
 * that a second run gives the same sheets.
 */
export async function atStart(
  work: { readonly job: Pick<WorkJob, "file" | "output">; readonly state: Work["state"] },
  options: SheetOptions,
  group: string,
): Promise<SheetOptions> {
  if (work.job.output.sheets?.start !== "continue") return options;
  const start = recallStart(work, options, group) ?? (await findStart(work.job, options.sheet));
  return { ...options, start };
}

interface GroupSize {
  readonly rows: number;
  /** Where the rows say how many. */
  readonly labels?: number | null | undefined;
}

/** The first free cell behind labels that begin at `start`; 1 where they end with a sheet. */
export function toNext(
  { start = 1, ...options }: SheetOptions,
  { rows, labels }: GroupSize,
): number {
  const { sheet } = options;
  const { repeats, spares } = makeSheetJob(options);
  const cells = countCells(sheet, spares);
  return ((start - 1 + countLabels(rows, repeats, labels ?? undefined)) % cells) + 1;
}

/** Where each group of a plan begins: those that were never written lie behind each other. */
export async function planStarts(
  job: Pick<WorkJob, "file" | "output">,
  options: SheetOptions,
  {
    groups,
    state,
  }: {
    readonly groups: readonly (GroupSize & { readonly name: string })[];
    readonly state: Work["state"] | undefined;
  },
): Promise<ReadonlyMap<string, number>> {
  const starts = new Map<string, number>();
  if (job.output.sheets?.start !== "continue") return starts;
  let next = await findStart(job, options.sheet);
  for (const group of groups) {
    const known = state && recallStart({ job, state }, options, group.name);
    starts.set(group.name, known ?? next);
    if (known === undefined) next = toNext({ ...options, start: next }, group);
  }
  return starts;
}

/** Remembers where a group that was just written began and ended. */
export async function rememberEnd(
  work: Pick<Work, "job" | "state">,
  options: SheetOptions,
  group: { readonly name: string; readonly rows: number; readonly labels: number | null },
): Promise<void> {
  const { job, state } = work;
  if (job.output.sheets?.start !== "continue") return;
  const { start = 1, sheet } = options;
  const isFirst = recallStart(work, options, group.name) === undefined;
  state.setMeta(metaOf(group.name), `${start} ${sheet.name}`);
  if (!isFirst) return;
  await keepNext(job, sheet, toNext(options, group));
}

/**
 * The same of labels that were printed again on a part-used sheet; answers the first free cell. Undefined
 * where they lie on another sheet than the one that is remembered, which stays so.
 */
export async function rememberReprint(
  { job }: Pick<Work, "job">,
  { count: rows = 0, labels, ...options }: SheetOptions,
): Promise<number | undefined> {
  if (job.output.sheets?.start !== "continue") return undefined;
  const { sheet, start = 1 } = options;
  // With 1, no sheet is part-used.
  const known = (await findNext(job, sheet, sheet.perSheet)) ?? 1;
  if (known !== 1 && start !== known) return undefined;
  const next = toNext(options, { rows, labels });
  await keepNext(job, sheet, next);
  return next;
}

async function keepNext(
  job: Pick<WorkJob, "name" | "file">,
  sheet: LabelSheet,
  next: number,
): Promise<void> {
  const file = fileOf(job);
  const all = { ...(await readAll(file)), [sheet.name]: { next, job: job.name } };
  await writeFileAtomic(file, `${JSON.stringify(all, null, 2)}\n`);
}
