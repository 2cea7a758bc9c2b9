/** A page of a finished PDF as a picture: every browser shows it, and it is drawn by the engine that proves it. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

import { badUsage } from "../../../base/errors.ts";
import { closing } from "../../../base/flow/closing.ts";
import { writeScreenPng } from "../../../qr/png/png-file.ts";
import { openRenderer } from "../../../verify/pixels/render.ts";

/** Of the longer side. */
const LONG_PX = 1400;

export interface PdfPage {
  readonly png: Uint8Array;
  readonly pages: number;
}

interface Drawn extends PdfPage {
  readonly id: string;
}

let last: Drawn | undefined;

/**
 * Draws page `page` from 1; undefined for a page or a file that isn't there. Keeps the last
 * picture.
 */
export async function drawPage(file: string, page: number): Promise<PdfPage | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !Number.isSafeInteger(page) || page < 1) return undefined;
  const id = JSON.stringify([file, found.size, found.mtimeMs, page]);
  if (last?.id === id) return last;
  const bytes = await readFile(file);
  const opened = await openRenderer(bytes).catch(() => {
    const says = `the PDF must be as it was written, got a damaged one: ${path.basename(file)}`;
    throw badUsage(says, "run the job again: it makes the file anew");
  });
  return closing(opened, async (pdf) => {
    const pages = pdf.pageCount;
    if (page > pages) return undefined;
    const { rgba, width, height } = await pdf.paintLong(page - 1, LONG_PX);
    last = { id, png: writeScreenPng({ data: rgba, width, height }), pages };
    return last;
  });
}
