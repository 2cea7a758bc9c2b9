/** Designs in the fields of the API -> designs as the QR engine draws them, for sheets. */
import { sha256 } from "../../base/ids/ids.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { designNames } from "../../api/design.ts";
import type { Design as Fields } from "../../plan/looks.ts";
import type { LogoShapes, PressDesign } from "../../print/art/logo-shapes.ts";
import { checkDesign, type DesignInput, resolveDesign } from "../../qr/draw/design.ts";
import { writeRgbaPng } from "../../qr/png/png-file.ts";
import { normalizeLogo } from "../../qr/png/raster.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";

/** What a design is for sheets: its level is the row's, its width the label's. */
const { error_correction: _level, size: _width, ...names } = designNames;

function toInput(fields: Fields): DesignInput {
  const entries = Object.entries(names).flatMap(([wire, name]) => {
    const value: unknown = fields[wire];
    // Text of a cell, where a design has a flag.
    const flag = value === "true" || value === "false" ? value === "true" : value;
    return value === undefined || value === null || value === "" ? [] : [[name, flag]];
  });
  return Object.fromEntries(entries) as DesignInput;
}

const MOST_KEPT = 1000;

/** A logo as its code's drawing shows it, and as shapes where it is a drawing of such. */
export interface PrintLogo {
  readonly picture: Uint8Array | null;
  readonly shapes?: LogoShapes | undefined;
}

export const NO_LOGO: PrintLogo = { picture: null };

/** A logo of unknown shape is taken as a square. */
export const SQUARE_LOGO = writeRgbaPng({
  data: new Uint8ClampedArray(64 * 64 * 4).fill(0x60),
  width: 64,
  height: 64,
});

/** Each design is made once, however many rows have it. */
export class PrintDesigns {
  readonly #known = new Map<string, PressDesign | undefined>();

  /** Undefined for what this program can't draw, such as a frame of another server. */
  of(
    fields: Fields,
    level: QrLevel,
    { picture: logo, shapes: logoShapes }: PrintLogo,
  ): PressDesign | undefined {
    const hash = logo === null ? null : sha256(logo);
    const key = JSON.stringify([fields, level, hash, logoShapes?.key]);
    if (this.#known.has(key)) return this.#known.get(key);
    const input = { ...toInput(fields), errorCorrection: level, logo };
    const whole = checkDesign(input).length > 0 ? undefined : resolveDesign(input);
    const made = whole && logoShapes !== undefined ? { ...whole, logoShapes } : whole;
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }
}

const LOGO = /<image\b[^<>]*?\shref="data:image\/(?:png|jpeg);base64,(?<base64>[A-Za-z0-9+/=]+)"/u;

/** The logo that a drawing shows; undefined where it shows none that can be read. */
export async function readLogo(svg: string): Promise<Uint8Array | undefined> {
  const base64 = LOGO.exec(svg)?.groups?.["base64"];
  if (base64 === undefined) return undefined;
  return normalizeLogo(Buffer.from(base64, "base64")).catch(() => undefined);
}

/** `pictures`: names of files, and what their drawings have beside filled shapes. */
export function sayPictures(pictures: ReadonlyMap<string, string>): PressWarning[] {
  const what = Array.from(pictures, ([name, why]) => `${name} (${why})`);
  return what.length === 0
    ? []
    : [{ code: "logos-as-pictures", count: what.length, rows: [], what }];
}
