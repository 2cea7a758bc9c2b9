import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import fontkit from "@pdf-lib/fontkit";

import { invariant } from "../base/errors.ts";
import { subsetTrueType } from "./truetype-subset.ts";

type ParsedFont = ReturnType<typeof fontkit.create>;

/** Metrics of the whole face in 1/1000 of the size, as a PDF font descriptor wants them. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly bbox: readonly [number, number, number, number];
}

/** A font file, parsed once per process. Knows widths and characters; draws nothing. */
export class CaptionFont {
  readonly name: string;
  readonly metrics: FontMetrics;
  readonly #bytes: Uint8Array;
  readonly #font: ParsedFont;
  readonly #scale: number;
  readonly #widths = new Map<number, number>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    // The package asks for Node's Buffer reader methods.
    this.#font = fontkit.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#scale = 1000 / this.#font.unitsPerEm;
    this.name = this.#font.postscriptName ?? "Caption";
    const { ascent, descent, capHeight, bbox } = this.#font;
    const scaled = (units: number): number => Math.round(units * this.#scale);
    this.metrics = {
      ascent: scaled(ascent),
      descent: scaled(descent),
      capHeight: scaled(capHeight),
      bbox: [scaled(bbox.minX), scaled(bbox.minY), scaled(bbox.maxX), scaled(bbox.maxY)],
    };
  }

  /** True when the font can draw the code point. */
  has(codePoint: number): boolean {
    return this.#font.hasGlyphForCodePoint(codePoint);
  }

  /** Advance width of a code point in 1/1000 of the size. */
  advance(codePoint: number): number {
    const known = this.#widths.get(codePoint);
    if (known !== undefined) return known;
    const width = this.#font.glyphForCodePoint(codePoint).advanceWidth * this.#scale;
    this.#widths.set(codePoint, width);
    return width;
  }

  /** Width of a text at `sizePt`, points. No kerning: what the PDF shows is what is measured. */
  widthPt(text: string, sizePt: number): number {
    let units = 0;
    for (const char of text) units += this.advance(char.codePointAt(0) ?? 0);
    return (units * sizePt) / 1000;
  }

  /** Starts the subset of one PDF file. */
  startSubset(): FontSubset {
    return new FontSubset({
      bytes: this.#bytes,
      glyphOf: (codePoint) => this.#font.glyphForCodePoint(codePoint).id,
      advance: (codePoint) => this.advance(codePoint),
    });
  }
}

/** What a subset asks of its font. */
interface SubsetSource {
  readonly bytes: Uint8Array;
  /** Glyph identifier in the whole font; 0 when it has none. */
  readonly glyphOf: (codePoint: number) => number;
  readonly advance: (codePoint: number) => number;
}

/** A glyph of the subset, its identifier there, its width in 1/1000, and the character it shows. */
export interface SubsetGlyph {
  readonly id: number;
  readonly width: number;
  readonly codePoint: number;
}

/** The glyphs that one file uses, numbered from 1 in order of first use, so the same text gives the same file. */
export class FontSubset {
  readonly #font: SubsetSource;
  readonly #hex = new Map<string, string>();
  readonly #idOf = new Map<number, number>();
  readonly #glyphs: SubsetGlyph[] = [];

  constructor(font: SubsetSource) {
    this.#font = font;
  }

  /** Text -> hex string of two-byte glyph identifiers; one look-up per character. */
  toHex(text: string): string {
    let hex = "";
    for (const char of text) hex += this.#hex.get(char) ?? this.#include(char);
    return hex;
  }

  /** Glyphs by identifier, ascending. */
  get glyphs(): readonly SubsetGlyph[] {
    return this.#glyphs;
  }

  /** The subset as a TrueType file. */
  encode(): Uint8Array {
    return subsetTrueType(this.#font.bytes, [...this.#idOf.keys()]);
  }

  #include(char: string): string {
    const codePoint = char.codePointAt(0) ?? 0;
    const glyph = this.#font.glyphOf(codePoint);
    invariant(glyph !== 0, "text must be cleaned of what the font lacks before it is drawn");
    let id = this.#idOf.get(glyph);
    if (id === undefined) {
      id = this.#idOf.size + 1;
      this.#idOf.set(glyph, id);
      this.#glyphs.push({ id, width: this.#font.advance(codePoint), codePoint });
    }
    const hex = id.toString(16).padStart(4, "0");
    this.#hex.set(char, hex);
    return hex;
  }
}

const loaded = new Map<string, Promise<CaptionFont>>();

async function readOwnFont(name: string): Promise<CaptionFont> {
  const file = fileURLToPath(new URL(`../../templates/fonts/${name}.ttf`, import.meta.url));
  return new CaptionFont(await readFile(file));
}

function loadOwnFont(name: string): Promise<CaptionFont> {
  const font = loaded.get(name) ?? readOwnFont(name);
  loaded.set(name, font);
  return font;
}

/** Noto Sans Regular (OFL), which comes with makeready. */
export async function loadCaptionFont(): Promise<CaptionFont> {
  return loadOwnFont("noto-sans-regular");
}

/** Noto Sans Bold (OFL). */
export async function loadBoldFont(): Promise<CaptionFont> {
  return loadOwnFont("noto-sans-bold");
}
