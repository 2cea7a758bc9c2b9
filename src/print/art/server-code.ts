/**
 * A code as a server drew it -> the form that a press can print (docs/spec/print.md section 7): its
 * modules, or its shapes in inks, where modules are not just squares. The result is read back
 * before it is printed.
 */
import { BLACK_INK, type Ink } from "../../base/shapes/label-art.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import type { QrDecoder } from "../../qr/read/decode.ts";
import type { QrMatrix } from "../../qr/encode/encode.ts";
import { QUIET_ZONE, type QrLevel, sizeOfVersion } from "../../qr/encode/tables.ts";
import { toNumber } from "../draw/content-stream.ts";
import { distinctInks, fillInk, type InkNames, isBlackInk, PAPER_INK } from "../pdf/ink.ts";
import { type Box, findSymbol, type Shape, type Square, toShape } from "./find-symbol.ts";
import type { Point } from "../../svg/path.ts";
import { SvgFault, SvgUnsupported } from "../../svg/svg-fault.ts";
import { hexOf } from "./svg-picture.ts";
import { flattenSvg, type SvgFill } from "./svg-fills.ts";
import { toPdfPath } from "./svg-path.ts";

/** One fill of a code. Modules from its top left corner, downwards. */
interface CodeFill {
  readonly ink: Ink;
  readonly rule: SvgFill["rule"];
  /** Operators. */
  readonly path: string;
}

export interface ServerCode {
  readonly matrix: QrMatrix;
  /** None: whole modules in black, drawn from the matrix. */
  readonly fills: readonly CodeFill[];
}

/** Inks for colours of drawings, `#rrggbb`. Other dark colours are black, light ones paper. */
export type DrawingInks = Readonly<Record<string, Ink>>;

/** All inks that drawings may be printed in. */
export function printedInks(inks: DrawingInks | undefined): Ink[] {
  return inks === undefined ? [] : distinctInks([BLACK_INK, PAPER_INK, ...Object.values(inks)]);
}

function toMatrix(samples: readonly Uint8Array[], version: number, level: QrLevel): QrMatrix {
  const size = samples.length;
  const words = Math.ceil(size / 32);
  const rows = new Int32Array(size * words);
  for (const [y, row] of samples.entries())
    for (const [x, dark] of row.entries()) {
      const word = y * words + (x >> 5);
      rows[word] = (rows[word] as number) | (dark << (x & 31));
    }
  // A matrix that is only drawn needs no mask.
  return { size, words, rows, version, level, mask: 0 };
}

async function readSamples(
  decoder: QrDecoder,
  samples: readonly Uint8Array[],
): Promise<string | undefined> {
  const side = samples.length + 2 * QUIET_ZONE;
  const pixels = new Uint32Array(side * side).fill(0xffffffff);
  for (const [y, row] of samples.entries())
    for (const [x, dark] of row.entries())
      if (dark === 1) pixels[(y + QUIET_ZONE) * side + x + QUIET_ZONE] = 0xff000000;
  const data = new Uint8ClampedArray(pixels.buffer);
  const [code] = await decoder.decode({ data, width: side, height: side }, { pure: true });
  return code?.text;
}

/** Slack of a shape at the edge of the symbol, modules: points reach beyond it. */
const POINTED = 0.45;

interface Layer extends Box {
  readonly fill: SvgFill;
  readonly ink: Ink;
}

const isApart = (a: Box, b: Box, slack: number): boolean =>
  a.right <= b.left + slack ||
  b.right <= a.left + slack ||
  a.bottom <= b.top + slack ||
  b.bottom <= a.top + slack;

/** Layers of one path, each also in a list of those that meet the same row of modules. */
interface Group {
  readonly layers: Layer[];
  readonly rows: Map<number, Layer[]>;
}

/** Comparisons of one drawing; the largest code of single squares takes a fifth of it. */
const MAX_COMPARISONS = 50_000_000;

interface Rows {
  readonly top: number;
  readonly unit: number;
  readonly size: number;
}

/** Rows of modules that a box meets; what is beyond the symbol counts to its edge. */
function* rowsOf(box: Box, { top, unit, size }: Rows): Generator<number> {
  const clamp = (y: number): number => Math.min(size, Math.max(0, Math.floor((y - top) / unit)));
  for (let row = clamp(box.top); row <= clamp(box.bottom); row += 1) yield row;
}

/** Neighbours in one ink that don't overlap are one path: they show no seams, and pack better. */
function groupLayers(layers: readonly Layer[], slack: number, rows: Rows): Layer[][] {
  const groups: Group[] = [];
  let left = MAX_COMPARISONS;
  const isFree = (layer: Layer, others: readonly Layer[]): boolean => {
    left -= others.length;
    return left > 0 && others.every((other) => isApart(other, layer, slack));
  };
  for (const layer of layers) {
    let group = groups.at(-1);
    const first = group?.layers[0];
    const joins =
      first?.fill.rule === layer.fill.rule &&
      distinctInks([first.ink, layer.ink]).length === 1 &&
      [...rowsOf(layer, rows)].every((row) => isFree(layer, group?.rows.get(row) ?? []));
    if (group === undefined || !joins) {
      group = { layers: [], rows: new Map() };
      groups.push(group);
    }
    group.layers.push(layer);
    for (const row of rowsOf(layer, rows)) {
      const others = group.rows.get(row);
      if (others === undefined) group.rows.set(row, [layer]);
      else others.push(layer);
    }
  }
  return groups.map((group) => group.layers);
}

function toFills(
  shapes: readonly Shape[],
  { left, top, side }: Square,
  { size, inks }: { size: number; inks: DrawingInks },
): CodeFill[] {
  const unit = side / size;
  const firstDark = shapes.findIndex(({ isDark }) => isDark);
  const symbol = { left, top, right: left + side, bottom: top + side };
  const layers = shapes.slice(firstDark).flatMap((shape): Layer[] => {
    if (shape.contours.length === 0 || isApart(shape, symbol, 0)) return [];
    const ink = shape.isDark ? (inks[hexOf(shape.fill.color)] ?? BLACK_INK) : PAPER_INK;
    return [{ ...shape, ink }];
  });
  return groupLayers(layers, unit * 1e-3, { top, unit, size }).map((group) => {
    const segments = group.flatMap(({ fill }) => fill.segments);
    const placed = segments.map(({ operator, points }) => ({
      operator,
      points: points.map(([x, y]): Point => [(x - left) / unit, (y - top) / unit]),
    }));
    const [first] = group as [Layer];
    return { ink: first.ink, rule: first.fill.rule, path: toPdfPath(placed) };
  });
}

/** True when a dark shape, or a light one upon it, reaches out of the symbol. */
export function hasSurroundings(
  shapes: readonly Shape[],
  { left, top, side }: Square,
  unit: number,
): boolean {
  const slack = POINTED * unit;
  const [right, bottom] = [left + side, top + side];
  return shapes.some(
    (shape) =>
      shape.isDark &&
      (shape.left < left - slack ||
        shape.top < top - slack ||
        shape.right > right + slack ||
        shape.bottom > bottom + slack),
  );
}

/** Why a drawing can't be printed: reads behind "the server's drawing". */
export interface Unprintable {
  readonly reason: string;
}

interface Wanted {
  readonly payload: string;
  readonly level: QrLevel;
  readonly inks: DrawingInks;
  readonly signal?: AbortSignal | undefined;
}

/** Operators of a code's path for each of its modules; a dot takes a third of it. */
const MAX_PER_MODULE = 500;

const isBloated = (fills: readonly CodeFill[], size: number): boolean =>
  fills.reduce((sum, { path }) => sum + path.length, 0) > size * size * MAX_PER_MODULE;

/** Reads one drawing: its printed form, or why it has none. Throws the reason of the signal. */
export async function readServerCode(
  svg: string,
  wanted: Wanted,
  decoder: QrDecoder,
): Promise<ServerCode | Unprintable> {
  try {
    const shapes = (await flattenSvg(svg, wanted.signal)).map(toShape);
    return await readShapes(shapes, wanted, decoder);
  } catch (error) {
    if (error instanceof SvgUnsupported) return { reason: `has ${error.message}` };
    if (error instanceof SvgFault) return { reason: error.message };
    throw error;
  }
}

async function readShapes(
  shapes: readonly Shape[],
  { payload, level, inks }: Wanted,
  decoder: QrDecoder,
): Promise<ServerCode | Unprintable> {
  const found = findSymbol(shapes);
  if (found === undefined)
    return { reason: "shows no dark code that stands alone: it may have a frame or a label" };
  const { square, version, sampler } = found;
  const size = sizeOfVersion(version);
  if (hasSurroundings(shapes, square, square.side / size))
    return { reason: "has a frame or a label around its code" };
  const samples = sampler.rows();
  if ((await readSamples(decoder, samples)) !== payload)
    return { reason: "doesn't say what the row says" };
  const matrix = toMatrix(samples, version, level);
  const fills = toFills(shapes, square, { size, inks });
  if (isBloated(fills, size)) return { reason: "has far more shapes than its code" };
  const isBlack = fills.every(({ ink }) => isBlackInk(ink) || ink === PAPER_INK);
  return isBlack && sampler.isSquare(samples) ? { matrix, fills: [] } : { matrix, fills };
}

/** Its fills; `size` modules are `size * xMm` wide. */
export function drawServerCode(
  { matrix, fills }: ServerCode,
  at: { readonly leftMm: number; readonly bottomMm: number; readonly xMm: number },
  names: InkNames,
): string {
  // Drawings run downwards, pages upwards.
  const x = toNumber(mmToPt(at.xMm), 5);
  const left = toNumber(mmToPt(at.leftMm));
  const top = toNumber(mmToPt(at.bottomMm + matrix.size * at.xMm));
  const painted = fills.map(
    ({ ink, rule, path }) => `${fillInk(ink, names)}${path}${rule === "evenodd" ? "f*" : "f"}\n`,
  );
  return `q ${x} 0 0 -${x} ${left} ${top} cm\n${painted.join("")}Q\n`;
}
