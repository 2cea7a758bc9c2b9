/** PDF pages -> pixels, with PDFium as WebAssembly: an engine that we did not write. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { PDFiumLibrary, PDFiumModule } from "@hyzyla/pdfium";

import type { GreyImage } from "../../qr/read/decode.ts";
import { capMemory } from "./wasm-memory.ts";

/** A page in colours: red, green, blue and opacity of each pixel, row by row from the top. */
export interface ColorImage {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** An open document. `close` frees its memory. */
export interface RenderedPdf {
  readonly pageCount: number;
  /**
   * Page `index` from 0, drawn to fill so many pixels: the package itself cuts page sizes to whole points.
   * `room`, where it is given and large enough, takes the pixels: megabytes for each page are let go late.
   */
  render(index: number, pixels: Pixels, room?: Uint8Array): Promise<GreyImage>;
  /** The same in colours, as a screen shows them. */
  paint(index: number, pixels: Pixels): Promise<ColorImage>;
  /** The whole page in colours, its longer side so many pixels. */
  paintLong(index: number, longPx: number): Promise<ColorImage>;
  /** As `paintLong`, each colour as grey as it is bright. */
  greyLong(index: number, longPx: number): Promise<GreyImage>;
  close(): void;
}

type Library = Awaited<ReturnType<typeof PDFiumLibrary.initBase>>;

const nothing = (): void => {};
/** Missing in the package's types. */
const silent = { print: nothing, printErr: nothing };

/** The engine's memory; a new buffer after it has grown. */
interface Engine {
  readonly HEAPU8: Uint8Array;
}

let engine: Engine | undefined;

/** Keeps the engine from writing to the terminal: its errors say enough. */
const vendor: typeof PDFiumModule = async (options) => {
  const made = await PDFiumModule({ ...options, ...silent });
  engine = made as unknown as Engine;
  return made;
};

/** Makes what is kept of a picture that lies in the engine's memory. */
type Take = (pixels: Uint8Array) => Uint8Array;

/**
 * The package copies each picture out of the engine's memory before it first waits: by `take`, and only as
 * long as that, since other pages may be drawn while it waits. Where the memory grew meanwhile, it copies as
 * it comes.
 */
function copyBy<T>(take: Take | undefined, draw: () => Promise<T>): Promise<T> {
  const heap = engine?.HEAPU8;
  if (take === undefined || heap === undefined) return draw();
  const slice = (from: number, to: number): Uint8Array => take(heap.subarray(from, to));
  Object.defineProperty(heap, "slice", { value: slice, configurable: true });
  try {
    return draw();
  } finally {
    Reflect.deleteProperty(heap, "slice");
  }
}

const copyInto =
  (room: Uint8Array): Take =>
  (pixels) => {
    if (pixels.length > room.length) return Uint8Array.from(pixels);
    room.set(pixels);
    return room.subarray(0, pixels.length);
  };

const WHITE = 0xff_ff_ff_ff;

/** Most of a page is white: that is seen four bytes at once. */
const toGreys: Take = (rgba) => {
  const colors = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const greys = new Uint8Array(colors.length).fill(255);
  for (let pixel = 0; pixel < colors.length; pixel += 1) {
    if (colors[pixel] === WHITE) continue;
    const red = rgba[pixel * 4] as number;
    const green = rgba[pixel * 4 + 1] as number;
    const blue = rgba[pixel * 4 + 2] as number;
    greys[pixel] = (306 * red + 601 * green + 117 * blue + 512) >> 10;
  }
  return greys;
};

/** All that the engine may hold: a file, its fonts and pictures, a page. As it comes it takes 2 GB. */
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;
/** Of one page: B0 at 300 dpi has 197 million. */
export const MAX_PIXELS = 250_000_000;

let library: Promise<Library> | undefined;

async function startLibrary(): Promise<Library> {
  // Given as bytes, so that the package never looks for its WebAssembly anywhere else.
  const wasm = await readFile(createRequire(import.meta.url).resolve("@hyzyla/pdfium/pdfium.wasm"));
  const wasmBinary = capMemory(new Uint8Array(wasm), MAX_MEMORY_BYTES).buffer;
  return PDFiumLibrary.initBase({ vendor, wasmBinary });
}

/** Passes a failure on. An engine that broke off can't be trusted with the next file. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error) || !error.name.endsWith("RuntimeError")) return error;
  library = undefined;
  return new Error("drawing it takes too much memory, or breaks the engine", { cause: error });
}

function toPixels(
  { originalWidth: w, originalHeight: h }: { originalWidth: number; originalHeight: number },
  longPx: number,
): Pixels {
  const scale = longPx / Math.max(w, h, 1);
  return { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) };
}

/** Opens a PDF from memory. Throws an Error when PDFium can't read it. */
export async function openRenderer(pdf: Uint8Array): Promise<RenderedPdf> {
  library ??= startLibrary();
  const opened = library;
  const document = await (await opened).loadDocument(pdf).catch((error: unknown) => {
    throw explain(error);
  });
  const draw = async (
    index: number,
    pixels: Pixels | number,
    { colorSpace, take }: { colorSpace: "Gray" | "BGRA"; take?: Take | undefined },
  ) => {
    try {
      // A page object serves one rendering: that closes its handle.
      const page = document.getPage(index);
      const size = typeof pixels === "number" ? toPixels(page.getOriginalSize(), pixels) : pixels;
      if (size.width * size.height > MAX_PIXELS)
        throw new Error(`page must be drawn with at most ${MAX_PIXELS} pixels`);
      return await copyBy(take, () => page.render({ ...size, render: "bitmap", colorSpace }));
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    pageCount: document.getPageCount(),
    async render(index, pixels, room) {
      const take = room && copyInto(room);
      const { data, width, height } = await draw(index, pixels, { colorSpace: "Gray", take });
      return { data, width, height };
    },
    async paint(index, pixels) {
      // The package names the order of the engine's memory; it hands out red first.
      const { data, width, height } = await draw(index, pixels, { colorSpace: "BGRA" });
      return { rgba: data, width, height };
    },
    async paintLong(index, longPx) {
      const { data, width, height } = await draw(index, longPx, { colorSpace: "BGRA" });
      return { rgba: data, width, height };
    },
    async greyLong(index, longPx) {
      const page = await draw(index, longPx, { colorSpace: "BGRA", take: toGreys });
      const { data, width, height } = page;
      return { data: data.length === width * height ? data : toGreys(data), width, height };
    },
    close: () => {
      // An engine that broke off is gone as a whole.
      if (library === opened) document.destroy();
    },
  };
}
