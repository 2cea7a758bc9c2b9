import { sha256 } from "../../base/ids/ids.ts";
import type { SymbolName } from "../../base/shapes/label-art.ts";
import { mmToPx } from "../../base/shapes/units.ts";
import { headOf, quoteText } from "../../base/text/words.ts";
import { type BoxMm, contains } from "../../print/layout/box.ts";
import type { DecodedCode, GreyImage, PixelBox, QrDecoder } from "../../qr/read/decode.ts";
import type { SheetCell } from "../../print/draw/sheet-cell.ts";
import { loadDecoder } from "../../qr/read/load-decoder.ts";
import { type Comparison, compareModules } from "../pixels/compare-modules.ts";
import { proveSymbol } from "../pixels/prove-symbol.ts";
import { EVEN_SHARE, findQuietFault, isEvenZone, type RenderedPage } from "../pixels/quiet-zone.ts";
import { MAX_PIXELS, openRenderer } from "../pixels/render.ts";

/** What one label must show, `code` alone in `label`; a plain object, so that it can go to a worker. */
export interface CellClaim extends Pick<
  SheetCell,
  "page" | "row" | "column" | "key" | "payloadHash" | "label" | "code"
> {
  /** Width of the quiet zone to be looked at, mm; 0 or left out = objects show that it is free. */
  readonly quietMm?: number | undefined;
  /** Of a symbol beside the code; `label` is then its square with its quiet zones. */
  readonly symbol?: SymbolName | undefined;
  /** From the code to where its quiet zone is looked at: pointed modules reach into it. Default 0. */
  readonly quietFromMm?: number | undefined;
  /**
   * Side of a module, mm, on labels that makeready drew alone: then a few pixels a module are
   * enough. Left out = looked at in the task's full resolution only.
   */
  readonly moduleMm?: number | undefined;
  /**
   * Of a sampled proof, with `moduleMm`: the text of the code. Its modules are compared with those
   * of another encoder; it is decoded where `isDecoded`, or where the comparison leaves a doubt.
   */
  readonly sampled?: { readonly text: string; readonly isDecoded: boolean } | undefined;
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
  /** Of a sampled proof: codes whose modules were compared, and that were not decoded. */
  readonly compared: number;
  readonly faults: readonly CellFault[];
  /** Pages that were rendered, each as often as it was. */
  readonly renders: number;
}

/** As much of a rectangle as lies on the page, at least a pixel. */
export function cellPart(
  { width, height }: Pick<GreyImage, "width" | "height">,
  box: PixelBox,
): PixelBox {
  const left = Math.min(Math.max(0, box.left), width - 1);
  const top = Math.min(Math.max(0, box.top), height - 1);
  return {
    left,
    top,
    width: Math.max(1, Math.min(width, box.left + box.width) - left),
    height: Math.max(1, Math.min(height, box.top + box.height) - top),
  };
}

/** The code may be found this far from where the map has it: the decoder's corners are rough. */
const PLACE_SLACK_MM = 1.5;

function judge(codes: readonly DecodedCode[], claim: CellClaim, dpi: number): string | undefined {
  const [code] = codes;
  if (code === undefined) return "no code can be read in the label";
  if (codes.length > 1) return `label must hold one code, got ${codes.length}`;
  if (sha256(code.text) !== claim.payloadHash)
    return `code must hold its row's payload, got ${quoteText(headOf(code.text, 200))}`;
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

/** Enough for a code whose edges fall between pixels: the reader needs 2 to 2.5. */
const FIRST_PX_PER_MODULE = 3;

const hasQuietZone = ({ quietMm = 0 }: CellClaim): boolean => quietMm > 0;

/** How fine a page is looked at first: by its smallest module, or the need of quiet zones. */
function firstDpi(claims: readonly CellClaim[], full: number): number {
  const least = Math.min(...claims.map(({ moduleMm = 0 }) => moduleMm));
  if (least === 0) return full;
  const dpi = Math.min(full, (FIRST_PX_PER_MODULE * 25.4) / least);
  return claims.some(hasQuietZone) ? Math.max(dpi, full * EVEN_SHARE) : dpi;
}

type Offset = ProofTask["offsetMm"];

/** Where a label lies on a page. */
function partOf({ image, dpi }: RenderedPage, { label }: CellClaim, offsetMm: Offset): PixelBox {
  const px = (mm: number): number => Math.round(mmToPx(mm, dpi));
  return cellPart(image, {
    left: px(offsetMm.x + label.x),
    top: px(offsetMm.y + label.y),
    width: px(label.width),
    height: px(label.height),
  });
}

/** Faults of a label at first look. */
function lookAt(
  { image, dpi }: RenderedPage,
  claim: CellClaim,
  { offsetMm }: ProofTask,
  { decoder, tryHarder }: { readonly decoder: QrDecoder; readonly tryHarder: boolean },
): string | undefined {
  const part = partOf({ image, dpi }, claim, offsetMm);
  return judge(decoder.decodeGrey(image, part, { tryHarder, max: 2 }), claim, dpi);
}

/** Of a page that is drawn again: edges of bars fall elsewhere between pixels. */
const FINER = 1.5;

function finerDpi({ image, dpi }: RenderedPage): number {
  const most = 0.99 * Math.sqrt(MAX_PIXELS / (image.width * image.height));
  return dpi * Math.min(FINER, most);
}

/** Final faults of a label. The thorough search costs several times as much. */
async function proveCell(
  page: RenderedPage,
  claim: CellClaim,
  { task, decoder, drawFiner }: Looking & { readonly drawFiner: () => Promise<RenderedPage> },
): Promise<string | undefined> {
  if (claim.symbol !== undefined) {
    const pictureOf = (one: RenderedPage) => {
      return { image: one.image, part: partOf(one, claim, task.offsetMm) };
    };
    const wanted = { name: claim.symbol, hash: claim.payloadHash };
    return proveSymbol(wanted, pictureOf(page), async () => pictureOf(await drawFiner()));
  }
  return lookAt(page, claim, task, { decoder, tryHarder: false }) === undefined
    ? undefined
    : lookAt(page, claim, task, { decoder, tryHarder: true });
}

/** Compared with the modules of another encoder. */
function compare(
  { image, dpi }: RenderedPage,
  { code, moduleMm = 0, sampled }: CellClaim,
  { offsetMm }: ProofTask,
): Comparison {
  return compareModules(
    image,
    {
      left: mmToPx(offsetMm.x + code.x, dpi),
      top: mmToPx(offsetMm.y + code.y, dpi),
      width: mmToPx(code.width, dpi),
      height: mmToPx(code.height, dpi),
      size: Math.round(code.width / moduleMm),
    },
    sampled?.text ?? "",
  );
}

const isSame = (page: RenderedPage, claim: CellClaim, task: ProofTask): boolean =>
  claim.sampled !== undefined && compare(page, claim, task).kind === "same";

/** Wrong modules in a code that reads all the same. */
function findOthers(page: RenderedPage, claim: CellClaim, task: ProofTask): string | undefined {
  if (claim.sampled === undefined) return undefined;
  const found = compare(page, claim, task);
  return found.kind === "differs" ? found.message : undefined;
}

/** Pages in ascending order with their claims. */
function byPage(
  claims: readonly CellClaim[],
): (readonly [page: number, claims: readonly CellClaim[]])[] {
  const pages = new Map<number, CellClaim[]>();
  for (const claim of claims) pages.set(claim.page, [...(pages.get(claim.page) ?? []), claim]);
  return [...pages].toSorted(([a], [b]) => a - b);
}

/** The result of a page. */
interface PageProof {
  readonly decoded: number;
  readonly compared: number;
  readonly faults: readonly CellFault[];
  /** Whether the first look settled every quiet zone. */
  readonly isEven: boolean;
}

/** What the pages of a task are looked at with. */
interface Looking {
  readonly task: ProofTask;
  readonly decoder: QrDecoder;
  /** A page, so fine. */
  readonly render: (page: number, dpi: number) => Promise<RenderedPage>;
}

/** Of some labels, those that are wholly in order at first look. */
function readAtFirst(
  first: RenderedPage,
  claims: readonly CellClaim[],
  { task, decoder }: Looking,
) {
  const read = new Set(
    claims.filter(
      (claim) =>
        claim.symbol === undefined &&
        lookAt(first, claim, task, { decoder, tryHarder: false }) === undefined,
    ),
  );
  const uneven = new Set(
    claims.filter((claim) => hasQuietZone(claim) && !isEvenZone(first, claim, task.offsetMm)),
  );
  return { read, uneven };
}

async function provePage(
  page: number,
  claims: readonly CellClaim[],
  looking: Looking & { readonly dpi: number },
): Promise<PageProof> {
  const { task, render, dpi } = looking;
  const first = await render(page, dpi);
  const same = new Set(claims.filter((claim) => isSame(first, claim, task)));
  const left = claims.filter((claim) => !same.has(claim) || claim.sampled?.isDecoded);
  const { read, uneven } = readAtFirst(first, left, looking);
  const isSettled = (claim: CellClaim): boolean =>
    read.has(claim) && !uneven.has(claim) && !(claim.sampled && !same.has(claim));
  const doubtful = left.filter((claim) => !isSettled(claim));
  const faults: CellFault[] = [];
  const fine = doubtful.length === 0 || dpi === task.dpi ? first : await render(page, task.dpi);
  let finer: Promise<RenderedPage> | undefined;
  const drawFiner = () => (finer ??= render(page, finerDpi(fine)));
  for (const claim of doubtful) {
    const isRead = fine === first && read.has(claim);
    const fault = isRead ? undefined : await proveCell(fine, claim, { ...looking, drawFiner });
    const message =
      fault ?? findQuietFault(fine, claim, task.offsetMm) ?? findOthers(fine, claim, task);
    if (message !== undefined) faults.push({ claim, message });
  }
  return {
    decoded: left.length - faults.length,
    compared: claims.length - left.length,
    faults,
    isEven: uneven.size === 0,
  };
}

/**
 * Buffers for pages at full and at lower resolution: a page is done with when the next one is
 * drawn.
 */
class PixelRooms {
  readonly #fullDpi: number;
  #fine = new Uint8Array(0);
  #coarse = new Uint8Array(0);

  constructor(fullDpi: number) {
    this.#fullDpi = fullDpi;
  }

  roomFor(dpi: number, { width, height }: Pick<GreyImage, "width" | "height">): Uint8Array {
    const bytes = width * height;
    const known = dpi === this.#fullDpi ? this.#fine : this.#coarse;
    if (known.length >= bytes) return known;
    const room = new Uint8Array(bytes);
    if (dpi === this.#fullDpi) this.#fine = room;
    else this.#coarse = room;
    return room;
  }
}

/**
 * Rule 25 for some pages: renders each, reads the code of each label and compares the hash of what
 * it says. A label that is not in order at first look is looked at again at the task's full
 * resolution, and then searched thoroughly: only that search reports faults. One page of pixels is
 * in memory at a time. Of a sampled proof, codes with all modules right are decoded only where
 * their claim says so.
 */
export async function provePages(task: ProofTask): Promise<PagesProof> {
  let renders = 0;
  const rooms = new PixelRooms(task.dpi);
  const [document, decoder] = [await openRenderer(task.pdf), await loadDecoder()];
  const render = async (page: number, dpi: number): Promise<RenderedPage> => {
    const px = (mm: number): number => Math.round(mmToPx(mm, dpi));
    const { width, height } = task.pageMm;
    renders += 1;
    const size = { width: px(width), height: px(height) };
    return { dpi, image: await document.render(page - 1, size, rooms.roomFor(dpi, size)) };
  };
  const faults: CellFault[] = [];
  let [decoded, compared] = [0, 0];
  // If the first look doesn't settle the quiet zones of one page, it won't settle those of the
  // next.
  let isEven = true;
  try {
    for (const [page, claims] of byPage(task.claims)) {
      if (page > document.pageCount) {
        faults.push(...claims.map((claim) => ({ claim, message: "page does not exist" })));
        continue;
      }
      const dpi = isEven ? firstDpi(claims, task.dpi) : task.dpi;
      const proof = await provePage(page, claims, { task, decoder, render, dpi });
      decoded += proof.decoded;
      compared += proof.compared;
      faults.push(...proof.faults);
      isEven &&= proof.isEven;
    }
  } finally {
    document.close();
  }
  return { decoded, compared, faults, renders };
}
