/** Texts -> the operators that show them, and the subsets of the fonts that they use. */
import { makeCff } from "../fonts/cff-font.ts";
import { BOLD_NAME, FONT_NAME, toNumber } from "./content-stream.ts";
import {
  type CaptionFont,
  type FontProgram,
  type FontSubset,
  hex4,
  type SubsetGlyph,
} from "../fonts/font.ts";
import type { LabelFonts } from "../fonts/label-fonts.ts";
import type { OwnFont, ShapedGlyph } from "../fonts/own-font.ts";
import { utf16Hex } from "../fonts/pdf-font.ts";
import type { Cluster, LinePart } from "../fonts/set-line.ts";
import { subsetTrueType } from "../fonts/truetype-subset.ts";

/** Widths and moves are written in hundredths of 1/1000 of the size. */
const tidy = (units: number): number => Math.round(units * 100) / 100;

/** The glyphs that one file uses of a font of the job's own, numbered from 1 in order of first use. */
class OwnSubset {
  /** The font's name on pages. */
  readonly resource: string;
  readonly font: OwnFont;
  readonly glyphs: SubsetGlyph[] = [];
  readonly #ids: number[] = [];
  readonly #known = new Map<string, SubsetGlyph>();

  constructor(font: OwnFont, resource: string) {
    this.font = font;
    this.resource = resource;
  }

  /** One identifier for each glyph with its characters, so that text can be copied. */
  take(glyph: number, text: string): SubsetGlyph {
    const key = `${glyph} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#ids.push(glyph);
    const taken = { id: this.#ids.length, width: tidy(this.font.advance(glyph)), text };
    this.glyphs.push(taken);
    this.#known.set(key, taken);
    return taken;
  }

  encode(): FontProgram {
    const { trueType, name, metrics } = this.font;
    if (trueType !== undefined)
      return { kind: "TrueType", bytes: subsetTrueType(trueType, this.#ids) };
    const glyphs = [0, ...this.#ids].map((glyph) => ({
      width: this.font.advance(glyph),
      outline: this.font.outline(glyph),
    }));
    return { kind: "CFF", bytes: makeCff(name, glyphs, metrics.bbox) };
  }
}

/** The character of a glyph that shows only a part of a letter: an invisible one. */
const NO_TEXT = "\u2060";

/** The characters of each glyph of a cluster, so that all of them in order give its text. */
function shareOut(text: string, glyphs: readonly ShapedGlyph[], isRtl: boolean): string[] {
  const chars = Array.from(text);
  const last = glyphs.length - 1;
  if (chars.length < glyphs.length) {
    const widest = Math.max(...glyphs.map(({ advance }) => advance));
    const main = glyphs.findIndex(({ advance }) => advance === widest);
    return glyphs.map((_, i) => (i === main ? text : NO_TEXT));
  }
  const shares = glyphs.map((_, i) => (i === last ? chars.slice(i).join("") : (chars[i] ?? "")));
  return isRtl ? shares.toReversed() : shares;
}

/** Glyphs of one part of a line as operators, with the moves of shaping. */
class GlyphWriter {
  #out = "";
  #items = "";
  #hex = "";
  #rise = 0;
  /** Where the next glyph would stand, and where it should: from the part's start, in 1/1000. */
  #at = 0;
  #pen = 0;
  readonly #subset: OwnSubset;
  readonly #sizePt: number;

  constructor(subset: OwnSubset, sizePt: number) {
    this.#subset = subset;
    this.#sizePt = sizePt;
  }

  cluster({ text, glyphs }: Cluster, isRtl: boolean): void {
    const texts = shareOut(text, glyphs, isRtl);
    const isSpan = texts.includes(NO_TEXT);
    if (isSpan) {
      this.#flush();
      this.#out += `/Span <</ActualText <FEFF${utf16Hex(text)}>>> BDC\n`;
    }
    for (const [i, glyph] of glyphs.entries()) this.#glyph(glyph, texts[i] ?? NO_TEXT);
    if (isSpan) {
      this.#flush();
      this.#out += "EMC\n";
    }
  }

  /** The operators so far, the pen at the part's end. */
  end(): string {
    this.#move(this.#pen);
    this.#flush();
    return this.#rise === 0 ? this.#out : `${this.#out}0 Ts\n`;
  }

  #glyph({ glyph, advance, x, y }: ShapedGlyph, text: string): void {
    const rise = (y * this.#sizePt) / 1000;
    if (Math.abs(rise - this.#rise) > 1e-9) {
      this.#flush();
      this.#out += `${toNumber(rise)} Ts\n`;
      this.#rise = rise;
    }
    this.#move(this.#pen + x);
    const { id, width } = this.#subset.take(glyph, text);
    this.#hex += hex4(id);
    this.#at += width;
    this.#pen += advance;
  }

  #move(to: number): void {
    const back = tidy(this.#at - to);
    if (back === 0) return;
    this.#items += `${this.#hex === "" ? "" : `<${this.#hex}>`}${toNumber(back)} `;
    this.#hex = "";
    this.#at -= back;
  }

  #flush(): void {
    if (this.#hex !== "") this.#items += `<${this.#hex}>`;
    if (this.#items !== "") this.#out += `[${this.#items.trimEnd()}] TJ\n`;
    this.#items = "";
    this.#hex = "";
  }
}

/** Fonts that shape letters as one file uses them: those of the job's own, then the bundled ones. */
export class OwnSubsets {
  readonly #subsets: ReadonlyMap<OwnFont, OwnSubset>;

  constructor(fonts: readonly OwnFont[]) {
    this.#subsets = new Map(fonts.map((font, i) => [font, new OwnSubset(font, `G${i + 1}`)]));
  }

  /** Fonts that are used. */
  get used(): readonly OwnSubset[] {
    return [...this.#subsets.values()].filter(({ glyphs }) => glyphs.length > 0);
  }

  show(part: Extract<LinePart, { font: OwnFont }>, sizePt: number): string {
    const subset = this.#subsets.get(part.font);
    if (subset === undefined) return "";
    const writer = new GlyphWriter(subset, sizePt);
    for (const cluster of part.clusters) writer.cluster(cluster, part.isRtl);
    return `/${subset.resource} ${toNumber(sizePt)} Tf ${writer.end()}`;
  }
}

/** One weight of type in one file. */
export class TextSubset {
  readonly font: CaptionFont;
  readonly subset: FontSubset;
  readonly #resource: string;
  readonly #own: OwnSubsets;

  constructor(font: CaptionFont, resource: string, own: OwnSubsets) {
    this.font = font;
    this.subset = font.startSubset();
    this.#resource = resource;
    this.#own = own;
  }

  /** Operators that show a line from where the text stands; its font is set before and after. */
  show(text: string, sizePt: number): string {
    const line = this.font.line(text);
    if (line === undefined) return `<${this.subset.toHex(text)}> Tj`;
    const base = `/${this.#resource} ${toNumber(sizePt)} Tf`;
    let out = line.before === 0 ? "" : `[${toNumber(-tidy(line.before))}] TJ\n`;
    let isBase = true;
    for (const part of line.parts) {
      if ("font" in part) {
        out += this.#own.show(part, sizePt);
        isBase = false;
      } else {
        const { text: plain, isMirrored } = part;
        const hex = isMirrored ? this.subset.toMirroredHex(plain) : this.subset.toHex(plain);
        out += `${isBase ? "" : `${base} `}<${hex}> Tj\n`;
        isBase = true;
      }
    }
    return `${out}${isBase ? "" : base}`.trimEnd();
  }
}

/** The type of one file. */
export interface FileFonts {
  readonly regular: TextSubset;
  readonly bold: TextSubset;
  readonly own: OwnSubsets;
}

/** Starts the subsets of one file. */
export function startSubsets({ regular, bold, all }: LabelFonts): FileFonts {
  const own = new OwnSubsets([...all, regular.shaped, bold.shaped]);
  return {
    regular: new TextSubset(regular, FONT_NAME, own),
    bold: new TextSubset(bold, BOLD_NAME, own),
    own,
  };
}
