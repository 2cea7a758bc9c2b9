/** A job that was run, and its pages as pixels. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect } from "vitest";

import { closing } from "../../src/base/flow/closing.ts";
import { mmToPx } from "../../src/base/shapes/units.ts";
import type { GreyImage } from "../../src/qr/read/decode.ts";
import { stateFile } from "../../src/state/state.ts";
import { readState } from "../../src/state/find-state.ts";
import { openRenderer, type RenderedPdf } from "../../src/verify/pixels/render.ts";
import { runInProcess, type InProcess } from "../flow/in-process.ts";
import type { Box } from "./scanner.ts";

/** A label of the job: page from 1 over all PDFs, place in mm on the paper. */
export interface PrintedCell {
  readonly key: string;
  readonly line: number;
  readonly page: number;
  readonly row: number;
  readonly column: number;
  readonly label: { x: number; y: number; width: number; height: number };
  readonly code: { x: number; y: number; width: number; height: number };
}

export interface PrintedJob {
  readonly folder: string;
  readonly cells: readonly PrintedCell[];
  readonly pageCount: number;
  /** A page as the printer drew it. */
  page(number: number, dpi: number): Promise<GreyImage>;
  /** `makeready ARGS` in the job's folder. */
  run(...args: string[]): Promise<InProcess>;
  /** The next page is that of the PDF as it is then. */
  close(): void;
}

const A4 = { width: 210, height: 297 };

const makeFolder = (): string => mkdtempSync(path.join(os.tmpdir(), "makeready-scan-"));

/** What is printed -> a folder in which it was. */
const printed = new Map<string, Promise<string>>();

async function print(csv: string, manifest: string, flags: readonly string[]): Promise<string> {
  const folder = makeFolder();
  writeFileSync(path.join(folder, "rows.csv"), csv);
  writeFileSync(path.join(folder, "job.yaml"), manifest);
  const ran = await runInProcess(["run", "job.yaml", "--yes", ...flags], { cwd: folder });
  expect(ran.err + ran.out).toContain("shelves");
  expect(ran.code).toBe(0);
  return folder;
}

const toA4Pixels = (dpi: number): { width: number; height: number } => ({
  width: Math.round(mmToPx(A4.width, dpi)),
  height: Math.round(mmToPx(A4.height, dpi)),
});

/** Page `number` from 1 of a PDF of A4 sheets. */
export const drawPage = async (file: string, number: number, dpi: number): Promise<GreyImage> =>
  closing(await openRenderer(readFileSync(file)), (pdf) => pdf.render(number - 1, toA4Pixels(dpi)));

/** Text codes on A4 sheets without marks. The same job runs once: who asks gets a copy. */
export async function printJob(
  rows: number,
  {
    sheet = "a4-24up-63.5x33.9",
    copies = 1,
    delimiter = ",",
    named = (row: number) => `K${row}`,
    text = (row: number) => `Shelf ${row}`,
    code = 'type: Text, qr_data: "{{ text }}"',
    flags = [] as readonly string[],
  } = {},
): Promise<PrintedJob> {
  const lines = Array.from(
    { length: rows },
    (_, at) => `${named(at + 1)}${delimiter}${text(at + 1)}`,
  );
  const csv = `key${delimiter}text\n${lines.join("\n")}\n`;
  const manifest = `version: 1
name: shelves
kind: codes
source: { file: rows.csv, key: [key], delimiter: "${delimiter}" }
code: { ${code}, display_name: "{{ key }}" }
output:
  dir: out
  files: []
  sheets: { sheet: ${sheet}, name: shelves.pdf, caption: "{{ key }}", copies: ${copies} }
`;
  const key = JSON.stringify([csv, manifest, flags]);
  const done = printed.get(key) ?? print(csv, manifest, flags);
  printed.set(key, done);
  const folder = makeFolder();
  cpSync(await done, folder, { recursive: true, preserveTimestamps: true });
  const run = (...args: string[]): Promise<InProcess> => runInProcess(args, { cwd: folder });
  const out = path.join(folder, "out");
  const state = await readState(out, { writer: "test", salt: "", nowMs: 0 });
  if (state === undefined) throw new Error(`${stateFile(out)} must be there`);
  const files = new Map<string, number>();
  const cells: PrintedCell[] = [];
  for (const { key, line, labels } of state.sheetRows("shelves.pdf", ["key", "line", "labels"])) {
    for (const { file, page, row, column, label, code } of labels) {
      const before = files.get(file) ?? cells.at(-1)?.page ?? 0;
      files.set(file, before);
      cells.push({ key, line, page: before + page, row, column, label, code });
    }
  }
  state.close();
  let open: { readonly file: string; readonly pdf: RenderedPdf } | undefined;
  return {
    folder,
    cells,
    pageCount: Math.max(...cells.map(({ page }) => page)),
    async page(number, dpi) {
      const [file = "", before = 0] = [...files].findLast(([, pages]) => pages < number) ?? [];
      if (open?.file !== file) {
        open?.pdf.close();
        open = { file, pdf: await openRenderer(readFileSync(path.join(out, file))) };
      }
      return open.pdf.render(number - before - 1, toA4Pixels(dpi));
    },
    run,
    close: () => {
      open?.pdf.close();
      open = undefined;
    },
  };
}

/** A box in mm as pixels. */
export const toPixels = (
  box: { x: number; y: number; width: number; height: number },
  dpi: number,
): Box => ({
  left: mmToPx(box.x, dpi),
  top: mmToPx(box.y, dpi),
  width: mmToPx(box.width, dpi),
  height: mmToPx(box.height, dpi),
});
