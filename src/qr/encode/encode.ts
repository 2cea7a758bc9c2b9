/**
 * Text -> QR code, versions 1 to 40, as small as any encoder can make it without Kanji
 * (docs/spec/qr.md section 2).
 *
 * Three levels of use: `encodeQr` gives the matrix; `isDark` reads it; `svg.ts` and
 * `png.ts` draw it.
 */
import { AppError } from "../../base/errors.ts";
import { maskBoards, versionBoards } from "./boards.ts";
import { ECI_BITS, makeCodewords, type Payload } from "./codewords.ts";
import { chooseMask } from "./mask-score.ts";
import {
  findSegments,
  groupEnds,
  groupOfVersion,
  leastBits,
  MAX_PAYLOAD_BYTES,
  type Segments,
} from "./segments.ts";
import { blockPlan, MAX_VERSION, type QrLevel, qrLevels } from "./tables.ts";

export type { QrLevel } from "./tables.ts";

/** A finished code. Module x of row y is bit x & 31 of `rows[y * words + (x >> 5)]`; 1 is dark. */
export interface QrMatrix {
  /** Modules of a side, without quiet zone. */
  readonly size: number;
  /** 32-bit words of a row. */
  readonly words: number;
  readonly rows: Int32Array;
  readonly version: number;
  readonly level: QrLevel;
  readonly mask: number;
}

export interface EncodeOptions {
  /** Error correction; it is never raised. Default "Q". */
  readonly level?: QrLevel | undefined;
  /** Smallest version to use, 1 to 40; for logos. Default 1. */
  readonly minVersion?: number | undefined;
  /** Declares UTF-8 (ECI 26) where the text is not pure ASCII. Default true. */
  readonly eci?: boolean | undefined;
  /** Forces a mask, 0 to 7. Default: the one of the lowest score. */
  readonly mask?: number | undefined;
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(MAX_PAYLOAD_BYTES + 4);

/** Highest payload in bytes at a level: version 40, byte mode, pure ASCII. */
export function maxBytes(level: QrLevel): number {
  return blockPlan(MAX_VERSION, level).data - 3;
}

function refuseLength(bytes: number, bits: number | undefined, level: QrLevel): never {
  const most = blockPlan(MAX_VERSION, level).data * 8;
  const roomier = qrLevels.slice(0, qrLevels.indexOf(level)).toReversed();
  const fitting = roomier.find((other) => bytes <= maxBytes(other));
  const got = bits === undefined ? `${bytes} bytes` : `${bytes} bytes (${bits} bits)`;
  throw new AppError(
    "payload-too-long",
    `text must be at most ${maxBytes(level)} bytes (${most} bits) at error correction ${level}, got ${got}`,
    {
      hint:
        fitting === undefined
          ? "shorten the text, or make the code dynamic: its short link always fits"
          : `shorten the text, or lower error_correction to ${fitting}, which holds ${maxBytes(fitting)} bytes`,
    },
  );
}

/** Writes the text into `scratch` as UTF-8; answers its bytes. */
function toBytes(text: string, level: QrLevel): number {
  if (text === "") {
    throw new AppError("payload-malformed", "text must have at least 1 character, got none");
  }
  if (!text.isWellFormed()) {
    const at = text.search(/\p{Surrogate}/u);
    const unit = text.charCodeAt(at).toString(16).toUpperCase();
    throw new AppError(
      "payload-malformed",
      `text must be well-formed Unicode, got a lone surrogate U+${unit} at character ${at + 1}`,
      { hint: "half of an emoji was cut off: look where the text was shortened" },
    );
  }
  const { read, written } = encoder.encodeInto(text, scratch);
  if (read < text.length || written > MAX_PAYLOAD_BYTES) {
    refuseLength(Buffer.byteLength(text), undefined, level);
  }
  return written;
}

interface Fit {
  readonly version: number;
  readonly group: number;
  readonly segments: Segments;
}

function smallestVersion(
  bits: number,
  from: number,
  to: number,
  level: QrLevel,
): number | undefined {
  for (let version = from; version <= to; version += 1) {
    if (bits <= blockPlan(version, level).data * 8) return version;
  }
  return undefined;
}

/** The smallest version from `minVersion` on, with the cheapest segments for its group. */
function fit(length: number, extraBits: number, minVersion: number, level: QrLevel): Fit {
  const least = leastBits(scratch, length) + extraBits;
  let bits = least;
  for (let group = groupOfVersion(minVersion); group < groupEnds.length; group += 1) {
    const to = groupEnds[group] as number;
    if (group < groupEnds.length - 1 && least > blockPlan(to, level).data * 8) continue;
    const segments = findSegments(scratch, length, group);
    bits = segments.bits + extraBits;
    const from = Math.max(minVersion, (groupEnds[group - 1] ?? 0) + 1);
    const version = smallestVersion(bits, from, to, level);
    if (version !== undefined) return { version, group, segments };
  }
  return refuseLength(length, bits, level);
}

/** Bits of a text before the segments of its version group; undefined when no version holds it. */
function tryFit(text: string, level: QrLevel): (Fit & { readonly bits: number }) | undefined {
  const length = toBytes(text, level);
  const extra = length > text.length ? ECI_BITS : 0;
  try {
    const found = fit(length, extra, 1, level);
    return { ...found, bits: found.segments.bits + extra };
  } catch (error) {
    if (error instanceof AppError && error.code === "payload-too-long") return undefined;
    throw error;
  }
}

/** What a text needs at a level; found without drawing modules, so quickly. */
export interface QrFit {
  readonly version: number;
  /** The highest level of that version that holds it. */
  readonly level: QrLevel;
}

/**
 * The smallest version that holds `text` at `level`, and the highest level at which that version
 * holds it; undefined when version 40 doesn't hold it. Throws `payload-malformed` as `encodeQr`
 * does.
 */
export function fitQr(text: string, level: QrLevel): QrFit | undefined {
  if (text.length > MAX_PAYLOAD_BYTES) return undefined;
  const found = tryFit(text, level);
  if (found === undefined) return undefined;
  const { version, bits } = found;
  const higher = qrLevels.slice(qrLevels.indexOf(level)).toReversed();
  const free = higher.find((other) => bits <= blockPlan(version, other).data * 8);
  return { version, level: free ?? level };
}

/**
 * Bits that a text takes in a code of this level: of two texts, the one with more never gets the smaller
 * code. 0 for none, and infinite where no code holds it.
 */
export function codeBits(text: string, level: QrLevel): number {
  if (text === "") return 0;
  if (text.length > MAX_PAYLOAD_BYTES || !text.isWellFormed()) return Infinity;
  return tryFit(text, level)?.bits ?? Infinity;
}

const plain = new Int32Array(177 * 6);
const transposed = new Int32Array(177 * 6);

/** Function patterns and codeword bits on both scratch boards. */
function drawData(version: number, codewords: Uint8Array, total: number): void {
  const boards = versionBoards(version);
  plain.set(boards.patterns.plain);
  transposed.set(boards.patterns.transposed);
  const { plainOrder, transposedOrder } = boards;
  let at = 0;
  for (let i = 0; i < total; i += 1) {
    const codeword = codewords[i] as number;
    for (let shift = 7; shift >= 0; shift -= 1) {
      const bit = (codeword >>> shift) & 1;
      const p = plainOrder[at] as number;
      const t = transposedOrder[at] as number;
      plain[p >> 5] = (plain[p >> 5] as number) | (bit << (p & 31));
      transposed[t >> 5] = (transposed[t >> 5] as number) | (bit << (t & 31));
      at += 1;
    }
  }
}

function checkOptions(minVersion: number, mask: number | undefined): void {
  if (!Number.isInteger(minVersion) || minVersion < 1 || minVersion > MAX_VERSION) {
    throw new RangeError(`minVersion must be 1 to ${MAX_VERSION}, got ${minVersion}`);
  }
  if (mask !== undefined && (!Number.isInteger(mask) || mask < 0 || mask > 7)) {
    throw new RangeError(`mask must be 0 to 7, got ${mask}`);
  }
}

/**
 * The smallest code that holds `text` at the level asked for.
 *
 * Throws `payload-malformed` for a lone surrogate or an empty text, `payload-too-long` when
 * version 40 does not hold it.
 */
export function encodeQr(text: string, options: EncodeOptions = {}): QrMatrix {
  const { level = "Q", minVersion = 1, eci = true } = options;
  checkOptions(minVersion, options.mask);
  const length = toBytes(text, level);
  const declared = eci && length > text.length;
  const { version, group, segments } = fit(length, declared ? ECI_BITS : 0, minVersion, level);
  const payload: Payload = { bytes: scratch, segments, group, eci: declared };
  const codewords = makeCodewords(payload, version, level);
  drawData(version, codewords, blockPlan(version, level).total);
  const boards = versionBoards(version);
  const masks = maskBoards(version, level);
  const mask = options.mask ?? chooseMask(boards, { plain, transposed }, masks);
  const { size, words } = boards;
  const rows = plain.slice(0, size * words);
  const chosen = (masks[mask] as { plain: Int32Array }).plain;
  for (let i = 0; i < rows.length; i += 1) rows[i] = (rows[i] as number) ^ (chosen[i] as number);
  return { size, words, rows, version, level, mask };
}

/** True for a dark module; false outside the code. */
export function isDark(matrix: QrMatrix, x: number, y: number): boolean {
  if (x < 0 || y < 0 || x >= matrix.size || y >= matrix.size) return false;
  return (((matrix.rows[y * matrix.words + (x >> 5)] as number) >>> (x & 31)) & 1) === 1;
}
