import { readFile } from "node:fs/promises";

import { packagePath } from "../../base/files/package-files.ts";
import { invariant } from "../../base/errors.ts";
import { type HarfBuzzFont, loadHarfBuzz } from "../../qr/draw/harfbuzz.ts";
import { mirrored } from "./bidi.ts";
import type { FontMetrics } from "./font-file.ts";
import { IGNORABLE, OwnFont } from "./own-font.ts";
import { isShaped } from "./scripts.ts";
import { type LineFonts, missingLetters, type SetLine, setLine } from "./set-line.ts";
import { subsetTrueType } from "./truetype-subset.ts";

/** Places in tables (OpenType 1.9): xMin, yMin, xMax, yMax in `head`; sCapHeight in `OS/2`. */
const BOX_AT = 36;
const CAP_HEIGHT_AT = 88;
const POSTSCRIPT_NAME = 6;

/** Distance from line to line, in sizes. */
export interface LineBox {
  /** Above and below the baseline. */
  readonly above: number;
  readonly below: number;
  /** Line to line. */
  readonly leading: number;
}

/** Height of capitals with accents and depth of descenders, in the bundled fonts. */
export const PLAIN_BOX: LineBox = { above: 0.95, below: 0.25, leading: 1.25 };

/** How many texts are kept: each is measured a few times, then drawn. */
const LINES_KEPT = 500;
const FIRST_ASCII = 0x20;
const LAST_ASCII = 0x7e;
const ASCII = /^[\x20-\x7e]*$/u;

/** A font file, parsed once per process. Knows widths and characters; draws nothing. */
export class CaptionFont {
  readonly name: string;
  readonly metrics: FontMetrics;
  /** Fonts of the job for what this one lacks, first choice first. */
  readonly own: readonly OwnFont[];
  /** The same font for letters with marks, which it can't draw one after another. */
  readonly shaped: OwnFont;
  readonly #bytes: Uint8Array;
  readonly #font: HarfBuzzFont;
  readonly #scale: number;
  readonly #widths = new Map<number, number>();
  /** Of the characters of ASCII; 0 where not asked for yet. */
  readonly #asciiWidths = new Float64Array(LAST_ASCII + 1);
  readonly #lines = new Map<string, SetLine>();
  /** With the shaped font behind all others: texts that don't need it look as they would without. */
  readonly #shaping: LineFonts | undefined;

  private constructor(
    bytes: Uint8Array,
    font: HarfBuzzFont,
    { shaped, own, shapes }: Pick<CaptionFont, "shaped" | "own"> & { readonly shapes: boolean },
  ) {
    this.#bytes = bytes;
    this.#font = font;
    this.own = own;
    this.shaped = shaped;
    const [has, advance] = [this.has.bind(this), this.advance.bind(this)];
    this.#shaping = shapes ? { has, advance, own: [...own, shaped] } : undefined;
    const { face } = font;
    this.#scale = 1000 / face.upem;
    this.name = face.getName(POSTSCRIPT_NAME, "en");
    const readTable = (tag: string, at: number): number => {
      const table = face.referenceTable(tag);
      invariant(table !== undefined, "a bundled font must have all its tables");
      const units = new DataView(table.buffer, table.byteOffset, table.byteLength).getInt16(at);
      return Math.round(units * this.#scale);
    };
    const edge = (place: number): number => readTable("head", BOX_AT + 2 * place);
    const { ascender, descender } = font.hExtents();
    this.metrics = {
      ascent: Math.round(ascender * this.#scale),
      descent: Math.round(descender * this.#scale),
      capHeight: readTable("OS/2", CAP_HEIGHT_AT),
      bbox: [edge(0), edge(1), edge(2), edge(3)],
    };
  }

  /** One of the fonts that come with makeready. */
  static async open(bytes: Uint8Array): Promise<CaptionFont> {
    const { Blob, Face, Font } = await loadHarfBuzz();
    const shaped = await OwnFont.open(bytes, "");
    // A pooled buffer would hand over its neighbours too.
    const font = new Font(new Face(new Blob(bytes.slice())));
    return new CaptionFont(bytes, font, { shaped, own: [], shapes: true });
  }

  /** The same font with others behind it. */
  withOwn(own: readonly OwnFont[]): CaptionFont {
    if (own.length === 0) return this;
    const { shaped } = this;
    return new CaptionFont(this.#bytes, this.#font, { shaped, own, shapes: true });
  }

  /** As makeready 0.1.0 had it: letters with marks are left to the fonts behind it. */
  withoutShaping(): CaptionFont {
    const { shaped, own } = this;
    return new CaptionFont(this.#bytes, this.#font, { shaped, own, shapes: false });
  }

  /** True when the font itself can draw the code point. */
  has(codePoint: number): boolean {
    return this.#glyphOf(codePoint) !== 0;
  }

  /** Advance width of a code point in 1/1000 of the size. */
  advance(codePoint: number): number {
    const known = this.#widths.get(codePoint);
    if (known !== undefined) return known;
    const width = this.#font.glyphHAdvance(this.#glyphOf(codePoint)) * this.#scale;
    this.#widths.set(codePoint, width);
    return width;
  }

  /** Letters of a text that neither it nor the fonts behind it can set. */
  missing(text: string): string[] {
    return this.#isPlain(text) ? [] : missingLetters(text, this.#shaping ?? this);
  }

  /** True for a text with letters that no font sets unless this one shapes them. */
  shapes(text: string): boolean {
    if (this.#shaping === undefined || this.#isPlain(text)) return false;
    return missingLetters(text, this).some((letter) => this.shaped.sets(letter));
  }

  /** A text in parts of several fonts; undefined where this one draws it letter by letter. */
  line(text: string): SetLine | undefined {
    if (this.#isPlain(text)) return undefined;
    const known = this.#lines.get(text);
    if (known !== undefined) return known;
    if (this.#lines.size >= LINES_KEPT) this.#lines.clear();
    const line = setLine(text, (this.shapes(text) ? this.#shaping : undefined) ?? this);
    this.#lines.set(text, line);
    return line;
  }

  /** The height of a block of lines: more than usual in scripts that go higher and lower. */
  lineBox(lines: readonly string[]): LineBox {
    let { above, below } = PLAIN_BOX;
    for (const text of this.own.length === 0 ? lines.filter(isShaped) : lines) {
      const line = this.line(text);
      above = Math.max(above, (line?.above ?? 0) / 1000);
      below = Math.max(below, (line?.below ?? 0) / 1000);
    }
    return { above, below, leading: Math.max(PLAIN_BOX.leading, above + below) };
  }

  /** Width of a text at `sizePt`, points. Without kerning, as in the PDF. */
  widthPt(text: string, sizePt: number): number {
    let units = 0;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code < FIRST_ASCII || code > LAST_ASCII) return this.#widthOfAny(text, sizePt);
      units += this.#asciiWidths[code] || (this.#asciiWidths[code] = this.advance(code));
    }
    return (units * sizePt) / 1000;
  }

  /** Starts the subset of one PDF file. */
  startSubset(): FontSubset {
    return new FontSubset({
      bytes: this.#bytes,
      glyphOf: (codePoint) => this.#glyphOf(codePoint),
      advance: (codePoint) => this.advance(codePoint),
    });
  }

  #widthOfAny(text: string, sizePt: number): number {
    const line = this.line(text);
    if (line !== undefined) return (line.advance * sizePt) / 1000;
    let units = 0;
    for (const char of text) units += this.advance(char.codePointAt(0) ?? 0);
    return (units * sizePt) / 1000;
  }

  /** 0 for a character that the font lacks. */
  #glyphOf(codePoint: number): number {
    return this.#font.nominalGlyph(codePoint) ?? 0;
  }

  #isPlain(text: string): boolean {
    if (ASCII.test(text)) return true;
    // Some fonts have glyphs for invisible marks, for texts about them.
    if (isShaped(text) || IGNORABLE.test(text)) return false;
    return Array.from(text).every((char) => this.has(char.codePointAt(0) ?? 0));
  }
}

/** The parts of a font that a subset needs. */
interface SubsetSource {
  readonly bytes: Uint8Array;
  /** Glyph identifier in the whole font; 0 when it has none. */
  readonly glyphOf: (codePoint: number) => number;
  readonly advance: (codePoint: number) => number;
}

/** A glyph of the subset, its identifier there, its width in 1/1000, and the characters it shows. */
export interface SubsetGlyph {
  readonly id: number;
  readonly width: number;
  /** Empty for a glyph that shows none by itself. */
  readonly text: string;
}

/** A finished subset: a TrueType file, or a bare CFF font. */
export interface FontProgram {
  readonly kind: "TrueType" | "CFF";
  readonly bytes: Uint8Array;
}

/** A glyph's identifier as text shows it. */
export const hex4 = (id: number): string => id.toString(16).padStart(4, "0");

/** The glyphs that one file uses, numbered from 1 in order of first use, so the same text gives the same file. */
export class FontSubset {
  readonly #font: SubsetSource;
  readonly #hex = new Map<string, string>();
  readonly #idOf = new Map<number, number>();
  readonly #glyphs: SubsetGlyph[] = [];
  /** By identifier less 1: glyphs of the whole font. */
  readonly #ids: number[] = [];

  constructor(font: SubsetSource) {
    this.#font = font;
  }

  /** Text -> hex string of two-byte glyph identifiers; one look-up per character. */
  toHex(text: string): string {
    let hex = "";
    for (const char of text) hex += this.#hex.get(char) ?? this.#include(char);
    return hex;
  }

  /** The same for text that is read from the right: brackets look the other way, and say what they are. */
  toMirroredHex(text: string): string {
    let hex = "";
    for (const char of text) {
      const shown = mirrored(char);
      hex += shown === char ? this.toHex(char) : this.#includeMirrored(char, shown);
    }
    return hex;
  }

  /** Glyphs by identifier, ascending. */
  get glyphs(): readonly SubsetGlyph[] {
    return this.#glyphs;
  }

  encode(): FontProgram {
    const bytes = subsetTrueType(this.#font.bytes, this.#ids);
    return { kind: "TrueType", bytes };
  }

  #include(char: string): string {
    const codePoint = char.codePointAt(0) ?? 0;
    const glyph = this.#font.glyphOf(codePoint);
    invariant(glyph !== 0, "text must be cleaned of what the font lacks before it is drawn");
    const id = this.#idOf.get(glyph) ?? this.#add(glyph, codePoint, char);
    this.#idOf.set(glyph, id);
    const hex = hex4(id);
    this.#hex.set(char, hex);
    return hex;
  }

  #includeMirrored(char: string, shown: string): string {
    const key = `mirrored ${char}`;
    const known = this.#hex.get(key);
    if (known !== undefined) return known;
    const codePoint = shown.codePointAt(0) ?? 0;
    const hex = hex4(this.#add(this.#font.glyphOf(codePoint), codePoint, char));
    this.#hex.set(key, hex);
    return hex;
  }

  #add(glyph: number, codePoint: number, text: string): number {
    const id = this.#ids.push(glyph);
    this.#glyphs.push({ id, width: this.#font.advance(codePoint), text });
    return id;
  }
}

const loaded = new Map<string, Promise<CaptionFont>>();

async function readOwnFont(name: string): Promise<CaptionFont> {
  const file = packagePath(`templates/fonts/${name}.ttf`);
  return CaptionFont.open(await readFile(file));
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
