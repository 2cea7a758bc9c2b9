import { sha256 } from "../base/ids.ts";
import type { SymbolName } from "../base/label-art.ts";
import { mmToPx } from "../base/units.ts";
import { type BoxMm, contains, growBox } from "../print/layout/box.ts";
import type { DecodedCode, PixelImage } from "../qr/read/decode.ts";
import { loadDecoder } from "./decoder.ts";
import { proveSymbol } from "./prove-symbol.ts";
import { greysIn, greysOf, isQuiet } from "./quiet.ts";
import { type GreyImage, openRenderer } from "./render.ts";

/** What one label must show; a plain object, so that it can go to a worker. */
export interface CellClaim {
  readonly page: number;
  readonly row: number;
  readonly column: number;
  readonly key: string;
  readonly payloadHash: string;
  /** Where its code is looked for; it must be the only one there. */
  readonly label: BoxMm;
  readonly code: BoxMm;
  /** Width of the quiet zone to be looked at, mm; 0 or left out = objects tell that it is free. */
  readonly quietMm?: number | undefined;
  /** Of a symbol beside the code; `label` is then its square with its quiet zones. */
  readonly symbol?: SymbolName | undefined;
  /** From the code to where its quiet zone is looked at: pointed modules reach into it. Default 0. */
  readonly quietFromMm?: number | undefined;
}

/** Pages of one file to be rendered and read. */
export interface ProofTask {
  readonly pdf: Uint8Array;
  readonly claims: readonly CellClaim[];
  /** The whole page. */
  readonly pageMm: { readonly width: number; readonly height: number };
  /** From the page's left and upper edge to the trimmed sheet, mm. */
  readonly offsetMm: { readonly x: number; readonly y: number };
  readonly dpi: number;
}

export interface CellFault {
  readonly claim: CellClaim;
  readonly message: string;
}

export interface PagesProof {
  readonly decoded: number;
  readonly faults: readonly CellFault[];
}

/** A rectangle of the page as RGBA, which is what the decoder takes. */
export function cropCell(
  image: GreyImage,
  left: number,
  top: number,
  size: { width: number; height: number },
): PixelImage {
  const x0 = Math.max(0, left);
  const y0 = Math.max(0, top);
  const width = Math.max(1, Math.min(image.width, left + size.width) - x0);
  const height = Math.max(1, Math.min(image.height, top + size.height) - y0);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = (y0 + y) * image.width + x0;
    for (let x = 0; x < width; x += 1) {
      const grey = image.data[from + x] ?? 255;
      pixels[y * width + x] = 0xff000000 | (grey << 16) | (grey << 8) | grey;
    }
  }
  return { data: new Uint8ClampedArray(pixels.buffer), width, height };
}

/** The code may be found this far from where the map has it: the decoder's corners are rough. */
const PLACE_SLACK_MM = 1.5;

function judge(codes: readonly DecodedCode[], claim: CellClaim, dpi: number): string | undefined {
  const [code] = codes;
  if (code === undefined) return "no code can be read in the label";
  if (codes.length > 1) return `label must hold one code, got ${codes.length}`;
  if (sha256(code.text) !== claim.payloadHash)
    return `code must hold its row's payload, got ${JSON.stringify(code.text.slice(0, 200))}`;
  const mm = (px: number): number => (px * 25.4) / dpi;
  const found: BoxMm = {
    x: claim.label.x + mm(code.x),
    y: claim.label.y + mm(code.y),
    width: mm(code.width),
    height: mm(code.height),
  };
  return contains(claim.code, found, PLACE_SLACK_MM)
    ? undefined
    : "code is read, but not where the map has it";
}

async function proveCell(
  image: GreyImage,
  claim: CellClaim,
  task: ProofTask,
): Promise<string | undefined> {
  const decoder = await loadDecoder();
  const { label, symbol } = claim;
  const px = (mm: number): number => Math.round(mmToPx(mm, task.dpi));
  const cell = cropCell(image, px(task.offsetMm.x + label.x), px(task.offsetMm.y + label.y), {
    width: px(label.width),
    height: px(label.height),
  });
  if (symbol !== undefined) return proveSymbol(cell, symbol, claim.payloadHash);
  // The thorough search costs several times as much and is hardly ever needed.
  const quick = judge(await decoder.decode(cell, { tryHarder: false, max: 2 }), claim, task.dpi);
  if (quick === undefined) return undefined;
  return judge(await decoder.decode(cell, { tryHarder: true, max: 2 }), claim, task.dpi);
}

/** What is seen round a code that stands on a designer's page, where no object can be told apart. */
function judgeQuietZone(image: GreyImage, claim: CellClaim, task: ProofTask): string | undefined {
  const { quietMm = 0, quietFromMm = 0 } = claim;
  const code = growBox(claim.code, quietFromMm);
  if (quietMm === 0) return undefined;
  const px = (mm: number): number => Math.round(mmToPx(mm, task.dpi));
  const [left, top] = [px(task.offsetMm.x + code.x), px(task.offsetMm.y + code.y)];
  const [right, bottom] = [left + px(code.width), top + px(code.height)];
  // A pixel at the edges may hold a part of the code, or of what is beyond the zone.
  const zone = px(quietMm - quietFromMm) - 1;
  const bands = [
    [left - zone, top - zone, right + zone, top - 1],
    [left - zone, bottom + 1, right + zone, bottom + zone],
    [left - zone, top, left - 1, bottom],
    [right + 1, top, right + zone, bottom],
  ] as const;
  const seen = greysOf(bands.map((band) => greysIn(image, band)));
  return isQuiet(seen)
    ? undefined
    : `quiet zone must be light and even on its background, got greys from ${seen.darkest} to ${seen.lightest}`;
}

/** Pages in ascending order with their claims. */
function byPage(
  claims: readonly CellClaim[],
): (readonly [page: number, claims: readonly CellClaim[]])[] {
  const pages = new Map<number, CellClaim[]>();
  for (const claim of claims) pages.set(claim.page, [...(pages.get(claim.page) ?? []), claim]);
  return [...pages].toSorted(([a], [b]) => a - b);
}

/**
 * Rule 25 for some pages: renders each, crops each label, reads its code and compares the hash of
 * what it says. One page of pixels is in memory at a time.
 */
export async function provePages(task: ProofTask): Promise<PagesProof> {
  const document = await openRenderer(task.pdf);
  const toPixels = (mm: number): number => Math.round(mmToPx(mm, task.dpi));
  const pixels = { width: toPixels(task.pageMm.width), height: toPixels(task.pageMm.height) };
  const faults: CellFault[] = [];
  let decoded = 0;
  try {
    for (const [page, claims] of byPage(task.claims)) {
      if (page > document.pageCount) {
        faults.push(...claims.map((claim) => ({ claim, message: "page does not exist" })));
        continue;
      }
      const image = await document.render(page - 1, pixels);
      for (const claim of claims) {
        const message = (await proveCell(image, claim, task)) ?? judgeQuietZone(image, claim, task);
        if (message === undefined) decoded += 1;
        else faults.push({ claim, message });
      }
    }
  } finally {
    document.close();
  }
  return { decoded, faults };
}
