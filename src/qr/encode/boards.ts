/**
 * Everything that is the same for all codes of one version: function patterns, the order of the
 * codeword bits, the masks (docs/spec/qr.md section 2.6).
 *
 * A board is an `Int32Array` of `size` rows of `words` words; module x of a row is bit x & 31 of
 * word x >> 5. Each board exists plain and transposed, so that the mask score only needs to look
 * down the rows in both directions.
 */
import { alignmentCentres, levelBits, type QrLevel, rawModules, sizeOfVersion } from "./tables.ts";

export interface BoardPair {
  readonly plain: Int32Array;
  readonly transposed: Int32Array;
}

export interface VersionBoards {
  readonly version: number;
  readonly size: number;
  readonly words: number;
  /** Dark function modules; format bits are left light, they come with the mask. */
  readonly patterns: BoardPair;
  /** One bit for each module that belongs to no codeword. */
  readonly reserved: BoardPair;
  /** Per codeword bit in drawing order: word << 5 | bit of its module. */
  readonly plainOrder: Uint16Array;
  readonly transposedOrder: Uint16Array;
}

const MASK_RULES: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

const boards: (VersionBoards | undefined)[] = [];
const masks = new Map<number, readonly BoardPair[]>();

/** Draws modules of a version that is being built. */
class Builder {
  readonly size: number;
  readonly words: number;
  readonly patterns: BoardPair;
  readonly reserved: BoardPair;

  constructor(version: number) {
    this.size = sizeOfVersion(version);
    this.words = Math.ceil(this.size / 32);
    this.patterns = this.pair();
    this.reserved = this.pair();
  }

  pair(): BoardPair {
    const cells = this.size * this.words;
    return { plain: new Int32Array(cells), transposed: new Int32Array(cells) };
  }

  /** A function module, dark or light. */
  set(x: number, y: number, dark: boolean): void {
    flip(this.reserved, this.words, x, y);
    if (dark) flip(this.patterns, this.words, x, y);
  }

  isReserved(x: number, y: number): boolean {
    return (((this.reserved.plain[y * this.words + (x >> 5)] as number) >>> (x & 31)) & 1) === 1;
  }
}

/** Turns one module over in both boards. */
function flip(pair: BoardPair, words: number, x: number, y: number): void {
  const plain = y * words + (x >> 5);
  const transposed = x * words + (y >> 5);
  pair.plain[plain] = (pair.plain[plain] as number) ^ (1 << (x & 31));
  pair.transposed[transposed] = (pair.transposed[transposed] as number) ^ (1 << (y & 31));
}

/** Finder with its light separator; `x`, `y` is the finder's corner. */
function drawFinder(builder: Builder, left: number, top: number): void {
  for (let y = Math.max(0, top - 1); y <= Math.min(builder.size - 1, top + 7); y += 1) {
    for (let x = Math.max(0, left - 1); x <= Math.min(builder.size - 1, left + 7); x += 1) {
      const ring = Math.max(Math.abs(x - left - 3), Math.abs(y - top - 3));
      builder.set(x, y, ring !== 2 && ring !== 4);
    }
  }
}

/** Centres of the alignment patterns that are drawn: not the three under the finders. */
export function alignmentPlaces(version: number): { readonly x: number; readonly y: number }[] {
  const centres = alignmentCentres(version);
  const last = centres.at(-1);
  return centres
    .flatMap((y) => centres.map((x) => ({ x, y })))
    .filter(({ x, y }) => !(x === 6 && (y === 6 || y === last)) && !(x === last && y === 6));
}

function drawAlignment(builder: Builder, version: number): void {
  for (const centre of alignmentPlaces(version)) {
    for (let dy = -2; dy <= 2; dy += 1) {
      for (let dx = -2; dx <= 2; dx += 1) {
        const [x, y] = [centre.x + dx, centre.y + dy];
        // On the timing lines, alignment and timing patterns agree.
        if (!builder.isReserved(x, y))
          builder.set(x, y, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }
  }
}

function drawTiming(builder: Builder): void {
  for (let i = 8; i < builder.size - 8; i += 1) {
    if (!builder.isReserved(i, 6)) builder.set(i, 6, i % 2 === 0);
    if (!builder.isReserved(6, i)) builder.set(6, i, i % 2 === 0);
  }
}

/** Golay code of the version number, twice, from version 7 on. */
function drawVersion(builder: Builder, version: number): void {
  if (version < 7) return;
  let rest = version;
  for (let i = 0; i < 12; i += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const word = (version << 12) | rest;
  for (let i = 0; i < 18; i += 1) {
    const dark = ((word >>> i) & 1) === 1;
    const far = builder.size - 11 + (i % 3);
    const near = Math.floor(i / 3);
    builder.set(far, near, dark);
    builder.set(near, far, dark);
  }
}

/** Where the 15 format bits stand, twice each; index 0 is the lowest bit. */
function formatPlaces(size: number): { x: number; y: number; bit: number }[] {
  const places: { x: number; y: number; bit: number }[] = [];
  for (let bit = 0; bit < 15; bit += 1) {
    places.push(
      { x: 8, y: bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, bit },
      { x: bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit, y: 8, bit },
    );
  }
  return places;
}

function drawFormatPlaces(builder: Builder): void {
  for (const { x, y } of formatPlaces(builder.size)) builder.set(x, y, false);
  builder.set(8, builder.size - 8, true);
}

/** Modules free for codewords, two columns at a time from the right, up and down in turn. */
function* dataPlaces(builder: Builder): Generator<{ x: number; y: number }> {
  const { size } = builder;
  let upwards = true;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!builder.isReserved(x, y)) yield { x, y };
    }
    upwards = !upwards;
  }
}

function buildVersion(version: number): VersionBoards {
  const builder = new Builder(version);
  const { size, words } = builder;
  drawFinder(builder, 0, 0);
  drawFinder(builder, size - 7, 0);
  drawFinder(builder, 0, size - 7);
  drawFormatPlaces(builder);
  drawVersion(builder, version);
  drawAlignment(builder, version);
  drawTiming(builder);
  const bits = rawModules(version);
  const plainOrder = new Uint16Array(bits);
  const transposedOrder = new Uint16Array(bits);
  let at = 0;
  for (const { x, y } of dataPlaces(builder)) {
    plainOrder[at] = ((y * words + (x >> 5)) << 5) | (x & 31);
    transposedOrder[at] = ((x * words + (y >> 5)) << 5) | (y & 31);
    at += 1;
  }
  const { patterns, reserved } = builder;
  return { version, size, words, patterns, reserved, plainOrder, transposedOrder };
}

/** The boards of a version (1 to 40), built on first use and kept. */
export function versionBoards(version: number): VersionBoards {
  return (boards[version] ??= buildVersion(version));
}

/** The 15 format bits: level, mask, BCH code, xored so that they are never all light. */
export function formatBits(level: QrLevel, mask: number): number {
  const data = (levelBits[level] << 3) | mask;
  let rest = data;
  for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  return ((data << 10) | rest) ^ 0x5412;
}

function buildMask(version: number, level: QrLevel, mask: number): BoardPair {
  const { size, words, reserved } = versionBoards(version);
  const cells = size * words;
  const pair = { plain: new Int32Array(cells), transposed: new Int32Array(cells) };
  const rule = MASK_RULES[mask] as (x: number, y: number) => boolean;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const free = (((reserved.plain[y * words + (x >> 5)] as number) >>> (x & 31)) & 1) === 0;
      if (free && rule(x, y)) flip(pair, words, x, y);
    }
  }
  const format = formatBits(level, mask);
  for (const { x, y, bit } of formatPlaces(size)) {
    if (((format >>> bit) & 1) === 1) flip(pair, words, x, y);
  }
  return pair;
}

/** The 8 masks of a version, cut to the data area, with the format bits of `level` in them. */
export function maskBoards(version: number, level: QrLevel): readonly BoardPair[] {
  const key = version * 4 + levelBits[level];
  let found = masks.get(key);
  if (found === undefined) {
    found = MASK_RULES.map((_, mask) => buildMask(version, level, mask));
    masks.set(key, found);
  }
  return found;
}
