/** Files of scans and photos -> pages in grey: PNG, JPEG, TIFF and WebP through sharp, PDF through PDFium. */
import { open } from "node:fs/promises";

import { closing } from "../base/flow/closing.ts";
import { AppError, toMessage, badUsage } from "../base/errors.ts";
import { readScannedPages } from "../qr/png/raster.ts";
import type { GreyImage } from "../qr/read/decode.ts";
import { openRenderer } from "../verify/pixels/render.ts";

export interface Picture {
  readonly file: string;
  /** From 1; undefined where the file has only one. */
  readonly page: number | undefined;
  /** How many the file has. */
  readonly pages: number;
  readonly image: GreyImage;
  /** Pixels per inch, where the file says so. */
  readonly dpi: number | undefined;
}

const MAX_BYTES = 512 * 1024 * 1024;
/** Longer side of a page of a PDF: A4 at 400 dpi. */
const PDF_LONG_PX = 4677;

async function readSmall(file: string): Promise<Uint8Array> {
  return closing(await open(file, "r"), async (handle) => {
    const { size } = await handle.stat();
    if (size > MAX_BYTES) throw badUsage(`scan must be at most 512 MB, got ${size} bytes`);
    return handle.readFile();
  });
}

async function* readPdf(file: string, bytes: Uint8Array): AsyncGenerator<Picture> {
  const document = await openRenderer(bytes);
  try {
    for (let index = 0; index < document.pageCount; index += 1) {
      const image = await document.greyLong(index, PDF_LONG_PX);
      const pages = document.pageCount;
      const page = pages === 1 ? undefined : index + 1;
      yield { file, page, pages, image, dpi: undefined };
    }
  } finally {
    document.close();
  }
}

async function* readPages(file: string): AsyncGenerator<Picture> {
  const bytes = await readSmall(file);
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") {
    yield* readPdf(file, bytes);
    return;
  }
  let page = 0;
  for await (const { image, dpi, pages } of readScannedPages(bytes)) {
    page += 1;
    yield { file, page: page === 1 ? undefined : page, pages, image, dpi };
  }
}

/** Names that lead to no file get words for people, not those of the system. */
const NO_FILE: Readonly<Record<string, string>> = {
  ENOENT: "scan must be a file that is there: look at its name and folder",
  EISDIR: "scan must be a file, got a folder: name the pictures in it",
};

function sayUnreadable(cause: unknown): string {
  if (cause instanceof AppError) return cause.message;
  const { code = "" } = cause as NodeJS.ErrnoException;
  return NO_FILE[code] ?? `scan must be readable, got ${toMessage(cause)}`;
}

/** The pages of a file, one in memory at a time. Throws `bad-usage`, naming it, for what can't be read. */
export async function* readPictures(file: string): AsyncGenerator<Picture> {
  try {
    yield* readPages(file);
  } catch (cause) {
    throw new AppError("bad-usage", sayUnreadable(cause), { where: { file }, cause });
  }
}
