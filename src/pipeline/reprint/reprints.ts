/**
 * Labels that were printed again: where they lie in their own PDFs, so that scans of those can be
 * checked.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

import type { RowJob } from "../../kinds/any-job.ts";
import { makeSheetJob } from "../../print/sheet-job.ts";
import { writeSheetMap } from "../../pack/sheet-map.ts";
import type { SheetCell, SheetOptions, WrittenSheets } from "../../print/sheets.ts";
import type { State } from "../../state/state.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import type { Ports } from "../ports.ts";
import type { Work } from "../stages/work.ts";

/**
 * In the output folder: the `sheet-map.json` of reprints. It is a file of its own, since a
 * certificate binds the job's map.
 */
export const REPRINT_MAP = "reprint-map.json";

/** The paper of a sheet, and where the trimmed sheet lies on it, mm. */
export interface PaperFrame {
  readonly pageMm: { readonly width: number; readonly height: number };
  readonly offsetMm: { readonly x: number; readonly y: number };
}

/** A code or symbol of a reprint. */
export type ReprintedCell = Omit<SheetCell, "volume" | "sheet" | "text" | "fills" | "design">;

/** One PDF of labels that were printed once more. Its paper lives on when another PDF takes its name. */
export interface KeptReprint extends PaperFrame {
  /** Relative to the output folder. */
  readonly file: string;
  readonly sha256: string;
  readonly pages: number;
  /** Grows with every reprint that is written. */
  readonly number: number;
  readonly cells: readonly ReprintedCell[];
}

export function toPaperFrame(options: SheetOptions): PaperFrame {
  const { margins, trimWidthMm, trimHeightMm } = makeSheetJob(options).frame;
  return {
    pageMm: {
      width: margins.left + trimWidthMm + margins.right,
      height: margins.top + trimHeightMm + margins.bottom,
    },
    offsetMm: { x: margins.left, y: margins.top },
  };
}

/** Keeps where the labels of written PDFs lie, and lists them in `reprint-map.json`. */
export async function keepReprint(
  { state, folder, job }: Pick<Work, "state" | "folder" | "job">,
  options: SheetOptions,
  { volumes, cells }: Pick<WrittenSheets, "volumes" | "cells">,
): Promise<void> {
  for (const { file, volume, sha256, pages } of volumes) {
    const name = path.relative(folder, file);
    const own = cells.filter((cell) => cell.volume === volume);
    const kept: KeptReprint = {
      file: name,
      sha256,
      pages,
      number: (listReprints(state)[0]?.number ?? 0) + 1,
      ...toPaperFrame(options),
      cells: own.map(
        ({
          volume: _volume,
          sheet: _sheet,
          text: _text,
          fills: _fills,
          design: _design,
          ...cell
        }) => cell,
      ),
    };
    state.setPackaged(`reprint ${name} ${sha256}`, sha256, kept);
  }
  const sheet = options.sheet.name;
  const latest = new Map(
    listReprints(state)
      .toReversed()
      .map((one) => [one.file, one] as const),
  );
  const written = [...latest.values()].map(({ cells: own, ...volume }) => ({
    ...volume,
    cells: own.map(({ payloadHash, ...cell }) => ({ ...cell, payloadSha256: payloadHash })),
  }));
  await writeSheetMap(path.join(folder, REPRINT_MAP), { job: job.name, sheet, volumes: written });
}

/** The number of a reprint in its name, or of its volume; undefined for other files. `x-reprint.pdf` is 1. */
function numberIn(file: string, start: string): number | undefined {
  if (!file.startsWith(start)) return undefined;
  const found = /^(?:-(\d+))?(?:-\d+)?\.pdf$/u.exec(file.slice(start.length));
  return found === null ? undefined : Number(found[1] ?? 1);
}

/**
 * Where labels of a PDF are printed again: beside it, under a name that no earlier reprint has had.
 * Those may wait for the press, and the ledger names them.
 */
export async function toReprintFile(
  { state, folder }: Pick<Work, "state" | "folder">,
  pdf: string,
): Promise<string> {
  const { dir, name } = path.parse(path.join(folder, pdf));
  const start = `${name}-reprint`;
  const before = listReprints(state)
    .map(({ file }) => path.join(folder, file))
    .filter((file) => path.dirname(file) === dir)
    .map((file) => path.basename(file));
  const there = await readdir(dir).catch(() => []);
  const numbers = [...before, ...there].flatMap((file) => numberIn(file, start) ?? []);
  const last = Math.max(0, ...numbers);
  return path.join(dir, last === 0 ? `${start}.pdf` : `${start}-${last + 1}.pdf`);
}

const isInside = (file: string): boolean =>
  !path.isAbsolute(file) && !/^\.\.(?:[\\/]|$)/u.test(file);

/** Those of `reprints` whose PDFs are still in the job's folder, absolute, each once. */
export const findThere = (
  { output }: Pick<RowJob, "output">,
  reprints: readonly Pick<KeptReprint, "file">[],
): string[] =>
  [...new Set(reprints.map(({ file }) => file))]
    .filter(isInside)
    .map((file) => path.join(output.dir, file))
    .filter((file) => existsSync(file));

/** PDFs of labels that were printed again and are still in the job's folder, absolute; the latest first. */
export const findReprints = (
  job: RowJob,
  ports: Pick<Ports, "clock" | "writer">,
): Promise<string[]> =>
  lookAtState(job, ports, (state) => (state ? findThere(job, listReprints(state)) : []));

/** The latest first. */
export const listReprints = (state: State): KeptReprint[] =>
  state
    .allPackaged("reprint")
    .map(({ result }) => result as KeptReprint)
    .toSorted((a, b) => b.number - a.number);
