/** What the drawing of a code shows: how the code is built, and whether there is more than the code. */
import { readSvgCodes } from "../../qr/read/read-svg.ts";
import { formatBits } from "../../qr/encode/boards.ts";
import { type QrLevel, sizeOfVersion } from "../../qr/encode/tables.ts";
import { SvgFault, SvgUnsupported } from "../../svg/svg-fault.ts";
import { findSymbol, type FoundSymbol, type Shape, toShape } from "./find-symbol.ts";
import { hasSurroundings } from "./server-code.ts";
import { loadDecoder } from "../../qr/read/load-decoder.ts";
import { flattenSvg } from "./svg-fills.ts";

export interface DrawingLook {
  readonly level: QrLevel;
  readonly version: number;
  /** Nothing but whole black modules on white or on nothing. */
  readonly isPlain: boolean;
}

const LEVELS: readonly QrLevel[] = ["M", "L", "H", "Q"];
const MASKS = 8;

/** Where the format stands around the first eye, from its last bit. */
const formatPlaces: readonly (readonly [x: number, y: number])[] = [
  ...[0, 1, 2, 3, 4, 5, 7, 8].map((y) => [8, y] as const),
  [7, 8],
  ...[5, 4, 3, 2, 1, 0].map((x) => [x, 8] as const),
];

/** The level that a code states; undefined when its format can't be read. */
export function readLevel(samples: readonly Uint8Array[]): QrLevel | undefined {
  let bits = 0;
  for (const [i, [x, y]] of formatPlaces.entries()) bits |= (samples[y]?.[x] ?? 0) << i;
  return LEVELS.find((level) =>
    Array.from({ length: MASKS }).some((_, mask) => formatBits(level, mask) === bits),
  );
}

const NEARLY_BLACK = 0x22;
const NEARLY_WHITE = 0xf0;

/** True for a drawing in black on white. */
const isBlackOnWhite = (shapes: readonly Shape[]): boolean =>
  shapes.every(({ isDark, fill }) =>
    fill.color.every((share) => (isDark ? share <= NEARLY_BLACK : share >= NEARLY_WHITE)),
  );

interface Found {
  readonly shapes: readonly Shape[];
  readonly symbol: FoundSymbol;
}

/** The code of a drawing that shows it alone. */
async function findAlone(svg: string): Promise<Found | undefined> {
  try {
    const shapes = (await flattenSvg(svg)).map(toShape);
    const symbol = findSymbol(shapes);
    return symbol && { shapes, symbol };
  } catch (error) {
    if (error instanceof SvgUnsupported || error instanceof SvgFault) return undefined;
    throw error;
  }
}

/** The same of a drawing with a frame, a label or a logo: it is drawn, and its code is read. */
async function readDrawn(svg: string): Promise<DrawingLook | undefined> {
  const decoder = await loadDecoder();
  const { codes } = await readSvgCodes(decoder, new TextEncoder().encode(svg)).catch(() => ({
    codes: [],
  }));
  const [{ level, version } = { level: undefined, version: undefined }] = codes;
  return level === undefined || version === undefined
    ? undefined
    : { level, version, isPlain: false };
}

/** Looks at the drawing of a code; undefined when no code can be read in it. */
export async function lookAtDrawing(svg: string): Promise<DrawingLook | undefined> {
  const found = await findAlone(svg);
  const samples = found?.symbol.sampler.rows();
  const level = samples && readLevel(samples);
  if (found === undefined || samples === undefined || level === undefined) return readDrawn(svg);
  const { shapes, symbol } = found;
  const { square, version, sampler } = symbol;
  const isPlain =
    isBlackOnWhite(shapes) &&
    sampler.isSquare(samples) &&
    !hasSurroundings(shapes, square, square.side / sizeOfVersion(version));
  return { level, version, isPlain };
}
