/** Fonts of the job itself, for scripts that the bundled ones don't have. Shaped by HarfBuzz. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError, toMessage } from "../../base/errors.ts";
import { type FontPlace, toFontPlace } from "../../base/shapes/font-place.ts";
import {
  loadHarfBuzz,
  type HarfBuzz,
  type HarfBuzzBuffer,
  type HarfBuzzFont,
} from "../../qr/draw/harfbuzz.ts";
import {
  countFonts,
  countGlyphs,
  findFontFault,
  type FontMetrics,
  isBoldFont,
  takeFont,
} from "./font-file.ts";

/** A part of an outline in 1/1000 of the size, y up. */
export interface Segment {
  readonly type: string;
  readonly values: readonly number[];
}

/** A glyph of a shaped run, in the order in which it is drawn; lengths in 1/1000 of the size. */
export interface ShapedGlyph {
  readonly glyph: number;
  /** How far the next glyph is. */
  readonly advance: number;
  /** From the pen to the glyph's own origin. */
  readonly x: number;
  readonly y: number;
  /** Where the characters begin that it shows, alone or with others of the same place. */
  readonly cluster: number;
}

/** A stretch of a line in one direction, script and font. */
export interface ShapeRun {
  readonly start: number;
  readonly end: number;
  readonly isRtl: boolean;
}

/** Blanks and marks that show nothing need no ink. */
const INKLESS = /^[\p{Z}\p{Default_Ignorable_Code_Point}]$/u;
/** Joiners, variation selectors, direction marks: fonts need not have them. */
export const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const POSTSCRIPT_NAME = 6;
/** Of the manifest: where fonts are named. */
export const FONTS_FIELD = "output.sheets.fonts";

/** HarfBuzz, and one buffer for all fonts: a new one each time never gives its memory back. */
interface Shaper {
  readonly harfBuzz: HarfBuzz;
  readonly buffer: HarfBuzzBuffer;
}

let shaper: Promise<Shaper> | undefined;

const openShaper = (): Promise<Shaper> =>
  (shaper ??= loadHarfBuzz().then((harfBuzz) => ({ harfBuzz, buffer: new harfBuzz.Buffer() })));

/** A font file of the job's maker, parsed. */
export class OwnFont {
  /** PostScript name. */
  readonly name: string;
  /** Semibold or heavier. */
  readonly isBold: boolean;
  readonly metrics: FontMetrics;
  /** The whole file where it has TrueType outlines; undefined for CFF. */
  readonly trueType: Uint8Array | undefined;
  readonly #shaper: Shaper;
  readonly #font: HarfBuzzFont;
  readonly #scale: number;
  /** Tables of a damaged font may name more. */
  readonly #glyphCount: number;
  readonly #has = new Map<number, boolean>();
  readonly #sets = new Map<string, boolean>();

  private constructor(shaper: Shaper, bytes: Uint8Array, fallbackName: string) {
    const { Blob, Face, Font } = shaper.harfBuzz;
    this.#shaper = shaper;
    // A pooled buffer would hand over its neighbours too.
    const face = new Face(new Blob(bytes.slice()));
    this.#font = new Font(face);
    this.#scale = 1000 / face.upem;
    this.#glyphCount = countGlyphs(face.referenceTable("maxp"));
    const names = [face.getName(POSTSCRIPT_NAME, "en"), fallbackName, "Font"].map(toFontName);
    this.name = names.find((name) => name !== "") ?? "Font";
    this.isBold = isBoldFont(face.referenceTable("OS/2"));
    this.trueType = face.referenceTable("glyf") === undefined ? undefined : bytes;
    const { ascender, descender } = this.#font.hExtents();
    const ascent = Math.round(ascender * this.#scale);
    const descent = Math.round(descender * this.#scale);
    const bbox = [-1000, Math.min(descent, -1000), 2000, Math.max(ascent, 1000)] as const;
    this.metrics = { ascent, descent, capHeight: Math.round(ascent * 0.7), bbox };
  }

  static async open(bytes: Uint8Array, fallbackName: string): Promise<OwnFont> {
    return new OwnFont(await openShaper(), bytes, fallbackName);
  }

  /** True when the font can show the code point: with an outline, where it should be seen. Colours are none. */
  has(codePoint: number): boolean {
    const known = this.#has.get(codePoint);
    if (known !== undefined) return known;
    const glyph = this.#font.nominalGlyph(codePoint);
    const has =
      glyph !== undefined &&
      glyph !== 0 &&
      glyph < this.#glyphCount &&
      (INKLESS.test(String.fromCodePoint(codePoint)) || this.outline(glyph).length > 0);
    this.#has.set(codePoint, has);
    return has;
  }

  /** True when the font has a letter with its marks, and all glyphs that shaping makes of it. */
  sets(letter: string): boolean {
    const known = this.#sets.get(letter);
    if (known !== undefined) return known;
    const chars = Array.from(letter).filter((char) => !IGNORABLE.test(char));
    const run = { start: 0, end: letter.length, isRtl: false };
    const sets =
      chars.every((char) => this.has(char.codePointAt(0) ?? 0)) &&
      this.shape(letter, run).every(({ glyph }) => glyph !== 0);
    this.#sets.set(letter, sets);
    return sets;
  }

  /** How far a glyph's ink goes up and down from its origin, in 1/1000; undefined without ink. */
  ink(glyph: number): { readonly above: number; readonly below: number } | undefined {
    const extents = this.#font.glyphExtents(glyph);
    if (extents === undefined || extents.height === 0) return undefined;
    const { yBearing, height } = extents;
    return { above: yBearing * this.#scale, below: -(yBearing + height) * this.#scale };
  }

  /** Advance width of a glyph by itself, in 1/1000. */
  advance(glyph: number): number {
    return this.#font.glyphHAdvance(glyph) * this.#scale;
  }

  outline(glyph: number): readonly Segment[] {
    return this.#font
      .glyphToJson(glyph)
      .map(({ type, values }) => ({ type, values: values.map((value) => value * this.#scale) }));
  }

  /**
   * Glyphs of a run of `text` from left to right. The text around the run decides how its ends
   * join.
   */
  shape(text: string, { start, end, isRtl }: ShapeRun): readonly ShapedGlyph[] {
    const { harfBuzz, buffer } = this.#shaper;
    const { BufferFlag, ClusterLevel, Direction } = harfBuzz;
    buffer.reset();
    buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS);
    buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES);
    buffer.addText(text, start, end - start);
    buffer.guessSegmentProperties();
    buffer.setDirection(isRtl ? Direction.RTL : Direction.LTR);
    harfBuzz.shape(this.#font, buffer);
    const positions = buffer.getGlyphPositions();
    return buffer.getGlyphInfos().map(({ codepoint, cluster }, i) => {
      const glyph = codepoint < this.#glyphCount ? codepoint : 0;
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[i] ?? {};
      const [advance, x, y] = [xAdvance, xOffset, yOffset].map((units) => units * this.#scale);
      return { glyph, cluster, advance: advance ?? 0, x: x ?? 0, y: y ?? 0 };
    });
  }
}

/** Characters of PDF names that need no escapes. */
function toFontName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]+/gu, "").slice(0, 60);
}

function refuse(file: string, field: string, says: string, cause?: unknown): never {
  throw new AppError("bad-usage", `${field} ${says}`, {
    where: { file, field },
    hint: "name a TTF or OTF file, or a font of a collection as file.ttc#0, that may be embedded in documents, relative to the manifest",
    cause,
  });
}

/** One font: a file of its own, or that of a collection which is named by its index. */
function pickFont(whole: Uint8Array, { file, index }: FontPlace, field: string): Uint8Array {
  const count = countFonts(whole);
  if (count === undefined) {
    if (index === undefined) return whole;
    return refuse(file, field, `must be a collection to take font ${index} of, got a single font`);
  }
  if (index === undefined || index >= count) {
    const got = index === undefined ? `a collection of ${count}` : `#${index} of ${count}`;
    const says = `must say which font of the collection (TTC) it is, as ${path.basename(file)}#0 to #${count - 1}, got ${got}`;
    return refuse(file, field, says);
  }
  return takeFont(whole, index) ?? refuse(file, field, "must be a whole collection, got a cut one");
}

/**
 * Reads a font of a job. Throws `bad-usage`, naming field and file, for a font that can't be
 * embedded.
 */
export async function loadOwnFont(named: string, field: string): Promise<OwnFont> {
  const place = toFontPlace(named);
  const { file } = place;
  const whole = await readFile(file).catch((cause: unknown) =>
    refuse(file, field, `must be readable, got ${toMessage(cause)}`, cause),
  );
  const bytes = pickFont(whole, place, field);
  const fault = findFontFault(bytes);
  if (fault !== undefined) refuse(file, field, fault);
  return OwnFont.open(bytes, path.parse(file).name);
}

/** Reads all fonts of a job, in its order. */
export async function loadOwnFonts(files: readonly string[] = []): Promise<readonly OwnFont[]> {
  return Promise.all(files.map(async (file, i) => loadOwnFont(file, `${FONTS_FIELD}[${i}]`)));
}
