/** Symbols beside codes, read from pixels (docs/spec/symbols.md section 7). */
import { sha256 } from "../../base/ids/ids.ts";
import type { SymbolName } from "../../base/shapes/label-art.ts";
import { headOf, quoteText } from "../../base/text/words.ts";
import type { BoxMm } from "../../print/layout/box.ts";
import type { GreyImage, PixelBox, PixelImage } from "../../qr/read/decode.ts";
import { readSymbols } from "../../symbol/read-symbol.ts";
import { symbolKinds } from "../../symbol/symbols.ts";
import type { ExpectedCell } from "../rules/sheet-context.ts";

/** Rule 25's resolution (docs/spec/print.md section 12), and that of bars too fine for it. */
const PROOF_DPI = 300;
const FINE = { dpi: 600, underXMm: 0.25 };

/** What pages are rendered at. */
export function proofDpi(cells: readonly ExpectedCell[]): number {
  const isFine = cells.some(({ symbol, xMm }) => symbol !== undefined && xMm < FINE.underXMm);
  return isFine ? FINE.dpi : PROOF_DPI;
}

type SymbolCell = ExpectedCell & { readonly symbol: SymbolName };

/** The symbol with its quiet zones. */
function zoneOf(symbol: SymbolName, { x, y, width, height }: BoxMm, xMm: number): BoxMm {
  const { left, right, ends } = symbolKinds[symbol].quiet;
  return {
    x: x - left * xMm,
    y: y - ends * xMm,
    width: width + (left + right) * xMm,
    height: height + 2 * ends * xMm,
  };
}

/** The claim of a label at a place; bearer bars hold their quiet zones inside. */
export function toSymbolClaim(cell: SymbolCell, code: BoxMm, hasBackground: boolean) {
  const { page, row, column, key, payloadHash, symbol, xMm } = cell;
  const zone = zoneOf(symbol, code, xMm);
  const { ends } = symbolKinds[symbol].quiet;
  const quietMm = hasBackground ? ends * xMm : 0;
  return { page, row, column, key, payloadHash, symbol, label: zone, code, quietMm };
}

/** Adds white round the part that was cut out: neighbours keep to their own room. */
const MARGIN_PX = 12;

function onWhite({ data, width: across }: GreyImage, part: PixelBox): PixelImage {
  const width = part.width + 2 * MARGIN_PX;
  const height = part.height + 2 * MARGIN_PX;
  const pixels = new Uint32Array(width * height).fill(0xffffffff);
  for (let y = 0; y < part.height; y += 1) {
    const from = (part.top + y) * across + part.left;
    const to = (y + MARGIN_PX) * width + MARGIN_PX;
    for (let x = 0; x < part.width; x += 1) {
      pixels[to + x] = ((data[from + x] ?? 255) * 0x010101 + 0xff000000) >>> 0;
    }
  }
  return { data: new Uint8ClampedArray(pixels.buffer), width, height };
}

/** A page in pixels, and where a symbol is in it. */
export interface SymbolPicture {
  readonly image: GreyImage;
  readonly part: PixelBox;
}

/** Faults in the picture of a symbol. `lookAgain`: the same, finer; asked where nothing is read. */
export async function proveSymbol(
  { name, hash }: { readonly name: SymbolName; readonly hash: string },
  { image, part }: SymbolPicture,
  lookAgain: () => Promise<SymbolPicture>,
): Promise<string | undefined> {
  const { title } = symbolKinds[name];
  let found = await readSymbols(name, onWhite(image, part));
  if (found.length === 0) {
    const again = await lookAgain();
    found = await readSymbols(name, onWhite(again.image, again.part));
  }
  const [reading] = found;
  if (reading === undefined) return `no ${title} can be read in the label`;
  const other = found.find(({ text }) => text !== reading.text);
  if (other !== undefined) return `${title} must be one symbol, got ${found.length}`;
  if (!reading.isKind) return `symbol must be ${title}, got ${reading.title}`;
  return sha256(reading.text) === hash
    ? undefined
    : `${title} must hold its row's text, got ${quoteText(headOf(reading.text, 200))}`;
}
