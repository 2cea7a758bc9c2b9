/**
 * Labels -> outlines, through HarfBuzz (docs/spec/qr.md section 9).
 *
 * The first font that has every character draws the whole label; fonts are never mixed. Text that
 * would come out wrong or invisible is refused.
 */
import { AppError } from "../../base/errors.ts";
import { loadHarfBuzz, type HarfBuzz, type HarfBuzzBuffer, type HarfBuzzFont } from "./harfbuzz.ts";
import { toNumbers } from "./outline.ts";

/** One line of text as outlines. Its own unit is the em, y runs down, the baseline is at 0. */
export interface TextOutline {
  /** Box around the ink. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Path data with one em of `size` and the origin of the baseline at `x`, `y`. */
  toPath(x: number, y: number, size: number): string;
}

export interface TextShaper {
  /**
   * Throws `design-invalid` with character and place for a lone surrogate, control characters,
   * characters that no font has or that leave no ink, and right-to-left text with digits or
   * left-to-right letters. `field` is the wire name of the text.
   */
  outline(text: string, field: string): TextOutline;
  /** Drops the fonts. */
  close(): void;
}

export interface TextShaperOptions {
  /** TTF or OTF files, tried in this order. */
  readonly fonts: readonly Uint8Array[];
}

interface Segment {
  readonly type: string;
  /** Font units, y up. */
  readonly values: readonly number[];
}

interface LoadedFont {
  readonly font: HarfBuzzFont;
  readonly unitsPerEm: number;
  readonly glyphs: Map<number, readonly Segment[]>;
}

interface PlacedGlyph {
  readonly segments: readonly Segment[];
  readonly x: number;
  readonly y: number;
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Control characters, line and paragraph separators, marks that change the direction of writing. */
const UNDRAWABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE = /^[\p{Z}\p{Default_Ignorable_Code_Point}]*$/u;

function refuse(field: string, rule: string, got: string): never {
  const message = `${field} must ${rule}, got ${got}`;
  const where = { field };
  throw new AppError("design-invalid", message, { where, problems: [{ message, where }] });
}

/** `"x" (U+0078) at character 3`, counted in code points from 1. */
function describe(text: string, index: number): string {
  const code = text.codePointAt(index) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const place = Array.from(text.slice(0, index)).length + 1;
  const shown = /[\p{C}\p{Z}]/u.test(String.fromCodePoint(code))
    ? name
    : `"${String.fromCodePoint(code)}" (${name})`;
  return `${shown} at character ${place}`;
}

function checkText(text: string, field: string): void {
  if (!text.isWellFormed()) {
    const at = text.search(/\p{Surrogate}/u);
    refuse(field, "be well-formed Unicode", `a lone surrogate, ${describe(text, at)}`);
  }
  const undrawable = text.search(UNDRAWABLE);
  if (undrawable >= 0) refuse(field, "be one line of visible text", describe(text, undrawable));
  if (!RIGHT_TO_LEFT.test(text)) return;
  for (const { 0: character, index } of text.matchAll(/[\p{L}\p{N}]/gu)) {
    if (RIGHT_TO_LEFT.test(character) && /\p{L}/u.test(character)) continue;
    refuse(
      field,
      "not mix right-to-left script with digits or other letters",
      describe(text, index),
    );
  }
}

function loadFont({ Blob, Face, Font }: HarfBuzz, bytes: Uint8Array): LoadedFont {
  // A copy: a pooled buffer would pass on its neighbours' bytes too.
  const face = new Face(new Blob(bytes.slice()));
  return { font: new Font(face), unitsPerEm: face.upem, glyphs: new Map() };
}

function glyphSegments(loaded: LoadedFont, glyph: number): readonly Segment[] {
  let segments = loaded.glyphs.get(glyph);
  if (segments === undefined) {
    segments = loaded.font.glyphToJson(glyph);
    loaded.glyphs.set(glyph, segments);
  }
  return segments;
}

/** Smallest box around all points, control points included: a little generous on curves. */
function toInkBox(glyphs: readonly PlacedGlyph[]): [number, number, number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { segments, x, y } of glyphs) {
    for (const { values } of segments) {
      for (let i = 0; i + 1 < values.length; i += 2) {
        const px = x + (values[i] as number);
        const py = -y - (values[i + 1] as number);
        left = Math.min(left, px);
        right = Math.max(right, px);
        top = Math.min(top, py);
        bottom = Math.max(bottom, py);
      }
    }
  }
  return [left, top, right, bottom];
}

function toOutline(glyphs: readonly PlacedGlyph[], unitsPerEm: number): TextOutline {
  const [left, top, right, bottom] = toInkBox(glyphs);
  return {
    left: left / unitsPerEm,
    top: top / unitsPerEm,
    width: (right - left) / unitsPerEm,
    height: (bottom - top) / unitsPerEm,
    toPath(x, y, size) {
      const scale = size / unitsPerEm;
      const drawn = glyphs.flatMap((glyph) =>
        glyph.segments.map(({ type, values }) =>
          values.length === 0
            ? type.toLowerCase()
            : type +
              toNumbers(
                ...values.map((value, i) =>
                  i % 2 === 0 ? x + (glyph.x + value) * scale : y - (glyph.y + value) * scale,
                ),
              ),
        ),
      );
      return drawn.join("");
    },
  };
}

interface ShapedText {
  readonly glyphs: readonly PlacedGlyph[];
  readonly unitsPerEm: number;
  /** Index of the first character that the font does not have; -1 when it has all. */
  readonly missing: number;
  /** Index of the first visible character that left no ink; -1 when all did. */
  readonly inkless: number;
}

/** Index of the first cluster that should be visible and isn't. */
function findInkless(text: string, inked: ReadonlyMap<number, boolean>): number {
  const starts = [...inked.keys()].toSorted((a, b) => a - b);
  const at = starts.findIndex((start, i) => {
    const cluster = text.slice(start, starts[i + 1] ?? text.length);
    return inked.get(start) === false && !INVISIBLE.test(cluster);
  });
  return starts[at] ?? -1;
}

/** Sets one text after the other. */
interface Setter {
  readonly shape: HarfBuzz["shape"];
  /** One buffer for all labels: its memory is never returned. */
  readonly buffer: HarfBuzzBuffer;
}

function shapeWith(loaded: LoadedFont, { shape, buffer }: Setter, text: string): ShapedText {
  buffer.reset();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  shape(loaded.font, buffer);
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions();
  const glyphs: PlacedGlyph[] = [];
  const inked = new Map<number, boolean>();
  let missing = -1;
  let [x, y] = [0, 0];
  for (const [i, { codepoint: glyph, cluster }] of infos.entries()) {
    const position = positions[i];
    if (position === undefined) continue;
    if (glyph === 0 && (missing < 0 || cluster < missing)) missing = cluster;
    const segments = glyphSegments(loaded, glyph);
    inked.set(cluster, inked.get(cluster) === true || segments.length > 0);
    if (segments.length > 0) {
      glyphs.push({ segments, x: x + position.xOffset, y: y + position.yOffset });
    }
    x += position.xAdvance;
    y += position.yAdvance;
  }
  return { glyphs, unitsPerEm: loaded.unitsPerEm, missing, inkless: findInkless(text, inked) };
}

/** Shapes a checked text with the first font that has all of it; refuses a text that no font has. */
function shapeText(
  loaded: readonly LoadedFont[],
  setter: Setter,
  { text, field }: { readonly text: string; readonly field: string },
): TextOutline {
  checkText(text, field);
  let best: ShapedText | undefined;
  for (const font of loaded) {
    const shaped = shapeWith(font, setter, text);
    // The font that gets furthest shows which character is missing.
    if (best === undefined || shaped.missing < 0 || shaped.missing > best.missing) best = shaped;
    if (shaped.missing < 0) break;
  }
  if (best === undefined) return refuse(field, "be drawn with a font", "a closed text shaper");
  if (best.missing >= 0) {
    refuse(field, "have only characters that one font holds", describe(text, best.missing));
  }
  if (best.inkless >= 0) {
    refuse(field, "have only characters with a shape", describe(text, best.inkless));
  }
  if (best.glyphs.length === 0) refuse(field, "have visible characters", "blanks only");
  return toOutline(best.glyphs, best.unitsPerEm);
}

/** Labels of a job repeat; a few in many sizes are enough. */
const OUTLINES_KEPT = 200;

/** Makes a shaper from font files. Throws a RangeError without any font. */
export async function openTextShaper({ fonts }: TextShaperOptions): Promise<TextShaper> {
  if (fonts.length === 0) throw new RangeError("fonts must have at least 1 font, got none");
  const harfBuzz = await loadHarfBuzz();
  let loaded = fonts.map((font) => loadFont(harfBuzz, font));
  const setter: Setter = { shape: harfBuzz.shape, buffer: new harfBuzz.Buffer() };
  const kept = new Map<string, TextOutline>();
  return {
    outline(text, field) {
      let outline = kept.get(text);
      if (outline === undefined) {
        outline = shapeText(loaded, setter, { text, field });
        if (kept.size >= OUTLINES_KEPT) kept.clear();
        kept.set(text, outline);
      }
      return outline;
    },
    close() {
      loaded = [];
      kept.clear();
      setter.buffer.reset();
    },
  };
}
