/** PDF pages -> pixels, with PDFium as WebAssembly: an engine that we did not write. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { PDFiumLibrary } from "@hyzyla/pdfium";

/** A page as grey values, 0 black to 255 white, row by row from the top. */
export interface GreyImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** An open document. `close` frees its memory. */
export interface RenderedPdf {
  readonly pageCount: number;
  /** Page `index` from 0, drawn to fill so many pixels: the package itself cuts page sizes to whole points. */
  render(
    index: number,
    pixels: { readonly width: number; readonly height: number },
  ): Promise<GreyImage>;
  close(): void;
}

type Library = Awaited<ReturnType<typeof PDFiumLibrary.init>>;

let library: Promise<Library> | undefined;

async function startLibrary(): Promise<Library> {
  // Given as bytes, so that the package never looks for its WebAssembly anywhere else.
  const wasm = await readFile(createRequire(import.meta.url).resolve("@hyzyla/pdfium/pdfium.wasm"));
  const wasmBinary = new Uint8Array(wasm).buffer;
  return PDFiumLibrary.init({ wasmBinary });
}

/** Opens a PDF from memory. Throws an Error when PDFium can't read it. */
export async function openRenderer(pdf: Uint8Array): Promise<RenderedPdf> {
  library ??= startLibrary();
  const document = await (await library).loadDocument(pdf);
  return {
    pageCount: document.getPageCount(),
    async render(index, pixels) {
      // A page object is good for one rendering: its handle is closed with it.
      const page = document.getPage(index);
      const { data, width, height } = await page.render({
        ...pixels,
        render: "bitmap",
        colorSpace: "Gray",
      });
      return { data, width, height };
    },
    close: () => document.destroy(),
  };
}
