/**
 * Codes as they were designed, for a press (docs/spec/print.md section 7): the drawing of the QR
 * engine in inks. Common parts of one design are forms that the file holds once.
 */
import { readFile } from "node:fs/promises";

import type { PressWarningCode } from "../../base/shapes/press-warning.ts";
import type { Ink } from "../../base/shapes/label-art.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import { AppError } from "../../base/errors.ts";
import { drawSurroundings, type EncodedCode, type Surroundings } from "../../qr/draw/drawing.ts";
import { eyesPath } from "../../qr/draw/eyes.ts";
import { encodeForLogo } from "../../qr/draw/logo.ts";
import type { Layer } from "../../qr/draw/outline.ts";
import { openTextShaper, type TextShaper } from "../../qr/draw/text.ts";
import { encodeQr, type QrMatrix } from "../../qr/encode/encode.ts";
import { labelFonts } from "../../qr/engine.ts";
import type { BoxMm } from "../layout/box.ts";
import type { CodePlace, CodeShape } from "../layout/code-size.ts";
import { toNumber } from "../draw/content-stream.ts";
import { moduleOperators } from "../draw/module-operators.ts";
import { pictureKey, type PressImage, toPressImage } from "../pdf/image-file.ts";
import { fillInk, type InkNames, isBlackInk } from "../pdf/ink.ts";
import type { SheetJob, SheetRecord } from "../sheet-job.ts";
import {
  type DesignInks,
  type DesignLook,
  isPlainDesign,
  openDesignInks,
  toDesignLook,
} from "./design-inks.ts";
import { drawLogoShapes, numbers, type PressDesign } from "./logo-shapes.ts";
import { svgPathToPdf } from "./svg-path.ts";

/**
 * A part that several codes share: a form of the file, in modules from the drawing's upper left
 * corner.
 */
export interface SharedPart {
  /** Equal for parts that look the same. */
  readonly key: string;
  readonly width: number;
  readonly height: number;
  /** Pictures by the names that the operators call them by. */
  readonly images: Readonly<Record<string, PressImage>>;
  operators(names: InkNames): string;
  /** Fills and pictures that it paints. */
  readonly marks: number;
}

/** A code that is printed as it was designed. */
export interface DesignedCode {
  readonly matrix: QrMatrix;
  readonly shape: CodeShape;
  readonly design: PressDesign;
  readonly look: DesignLook;
  readonly around: Surroundings;
  readonly parts: readonly SharedPart[];
}

/** A warning about a row's label; its message names the row. */
export interface DesignWarning {
  readonly code: PressWarningCode;
  readonly row: string;
  readonly what?: readonly string[] | undefined;
  readonly message: string;
}

/** Where a code may stand: with the parts around it, or without. */
export type DesignedAs = "whole" | "unframed";

let shaper: Promise<TextShaper> | undefined;

async function openShaper(): Promise<TextShaper> {
  const fonts = await Promise.all(labelFonts.map((file) => readFile(file)));
  return openTextShaper({ fonts });
}

/** The drawing in the middle of its square, on whole modules. */
function toShape(size: number, { width, height, codeX, codeY }: Surroundings): CodeShape {
  const side = Math.ceil(Math.max(width, height) - 1e-9);
  const left = codeX + Math.floor((side - width) / 2 + 1e-9);
  const top = codeY + Math.floor((side - height) / 2 + 1e-9);
  return { size, side, left, top };
}

const fillOf = (ink: Ink, path: string, names: InkNames): string =>
  `${fillInk(ink, names)}${path}f\n`;

type FrameTexts = Pick<PressDesign, "text" | "textSecondary">;

interface PartInput {
  readonly matrix: QrMatrix;
  readonly design: PressDesign;
  readonly look: DesignLook;
  readonly around: Surroundings;
  readonly logo: PressImage | undefined;
}

/** The parts under and around the modules, the eyes and the logo. */
function makeBase(key: string, { matrix, design, look, around, logo }: PartInput): SharedPart {
  const { width, height, codeX, codeY, logo: at } = around;
  const [frame] = around.frame;
  const shapes = at === undefined ? undefined : design.logoShapes;
  const hasLogo = at !== undefined && logo !== undefined;
  const isRound = design.logoRound;
  const eyes = svgPathToPdf(eyesPath(design.eyeStyle, matrix.size, codeX, codeY));
  const frameArt = frame === undefined ? "" : svgPathToPdf(frame.path);
  return {
    key,
    width,
    height,
    images: hasLogo ? { L: logo } : {},
    marks:
      1 +
      Number(look.ground !== undefined) +
      Number(frameArt !== "") +
      Number(hasLogo) +
      (shapes?.fills.length ?? 0),
    operators: (names) =>
      [
        look.ground === undefined
          ? ""
          : fillOf(look.ground, `${numbers(0, 0, width, height)} re\n`, names),
        frame === undefined ? "" : fillOf(look.inkOf(frame.fill), frameArt, names),
        fillOf(look.eyeInk, eyes, names),
        hasLogo
          ? `q ${numbers(at.width, 0, 0, -at.height, at.x, at.y + at.height)} cm /L Do Q\n`
          : "",
        at === undefined || shapes === undefined
          ? ""
          : drawLogoShapes(shapes, { at, isRound }, { inkOf: look.shapeInkOf, names }),
      ].join(""),
  };
}

/** The text of a frame. */
function makeLabel(
  key: string,
  layers: readonly Layer[],
  { look, around: { width, height } }: PartInput,
): SharedPart {
  const painted = layers.map((layer) => ({
    ink: look.inkOf(layer.fill),
    path: svgPathToPdf(layer.path),
  }));
  return {
    key,
    width,
    height,
    images: {},
    marks: painted.length,
    operators: (names) => painted.map(({ ink, path }) => fillOf(ink, path, names)).join(""),
  };
}

/** How many designs are kept: all rows may differ. */
const MOST_KNOWN = 1000;

interface KnownDesign {
  readonly look: DesignLook;
  readonly isPlain: boolean;
  /** By version and the parts that are left out. */
  readonly arounds: Map<string, { around: Surroundings; parts: readonly SharedPart[] }>;
}

/** Draws designed codes; common parts are drawn once. */
export class DesignRoom {
  readonly #inks: DesignInks;
  readonly #shaper: TextShaper;
  readonly #known = new Map<PressDesign, KnownDesign>();
  readonly #logos = new Map<string, PressImage>();
  /** Bases of designs that differ in their words only are the same. */
  readonly #bases = new Map<string, SharedPart>();

  constructor(inks: DesignInks, textShaper: TextShaper) {
    this.#inks = inks;
    this.#shaper = textShaper;
  }

  /** How a design is printed. */
  lookOf(design: PressDesign): DesignLook {
    return this.#know(design).look;
  }

  /** Undefined for a record that is printed in plain black. Throws what the QR engine throws. */
  codeOf(record: DesignedRecord, as: DesignedAs): DesignedCode | undefined {
    const { design: given } = record;
    if (given === undefined) return undefined;
    const known = this.#know(given);
    if (known.isPlain) return undefined;
    const design = as === "whole" ? given : unframed(given);
    const encoded = encode(record, design);
    const { matrix } = encoded;
    const { around, parts } = this.#aroundOf(known, encoded, { design, as });
    return { matrix, shape: toShape(matrix.size, around), design, look: known.look, around, parts };
  }

  /** Size of the smallest letters, in modules, of a code with these texts. Throws for one that can't be drawn. */
  lettersWith({ matrix, design }: DesignedCode, texts: FrameTexts): number | undefined {
    return drawSurroundings({ matrix, plan: undefined }, { ...design, ...texts }, this.#shaper)
      .letters;
  }

  /**
   * As much of a design as has room; undefined for a record that is plain by its design. Warns of the
   * parts that are left out, and of colours that become black.
   */
  find(
    record: DesignedRecord,
    hasRoom: (code: DesignedCode) => boolean,
  ): { readonly code: DesignedCode | undefined; readonly warnings: DesignWarning[] } | undefined {
    const whole = this.codeOf(record, "whole");
    const isBlackened = record.design !== undefined && this.lookOf(record.design).isBlackened;
    const warnings = isBlackened ? [blackened(record)] : [];
    if (whole === undefined) return isBlackened ? { code: undefined, warnings } : undefined;
    if (hasRoom(whole)) return { code: whole, warnings };
    const bare = whole.design.frame === null ? undefined : this.codeOf(record, "unframed");
    if (bare !== undefined && hasRoom(bare))
      return { code: bare, warnings: [...warnings, noRoom(record, "frame")] };
    return { code: undefined, warnings: [...warnings, noRoom(record, "design")] };
  }

  #know(design: PressDesign): KnownDesign {
    const known = this.#known.get(design);
    if (known !== undefined) return known;
    const look = toDesignLook(design, this.#inks);
    const made = {
      look,
      isPlain: isPlainDesign(design, look),
      arounds: new Map(),
    };
    if (this.#known.size >= MOST_KNOWN) {
      this.#known.clear();
      this.#bases.clear();
    }
    this.#known.set(design, made);
    return made;
  }

  #aroundOf(
    { look, arounds }: KnownDesign,
    encoded: Pick<EncodedCode, "matrix" | "plan">,
    { design, as }: { design: PressDesign; as: DesignedAs },
  ) {
    const { matrix } = encoded;
    const key = `${as} ${matrix.version} ${matrix.level}`;
    const known = arounds.get(key);
    if (known !== undefined) return known;
    const around = drawSurroundings(encoded, design, this.#shaper);
    const hasPicture = around.logo !== undefined && design.logoShapes === undefined;
    const logo = hasPicture ? this.#logoOf(around.logo.href, design) : undefined;
    const input = { matrix, design, look, around, logo };
    const [, ...label] = around.frame;
    const parts = [
      this.#baseOf(input),
      ...(label.length === 0 ? [] : [makeLabel(JSON.stringify([key, label]), label, input)]),
    ];
    const made = { around, parts };
    arounds.set(key, made);
    return made;
  }

  #baseOf(input: PartInput): SharedPart {
    const { matrix, around, logo, design, look } = input;
    const [frame] = around.frame;
    const fills = [look.ground, look.eyeInk, frame && look.inkOf(frame.fill)];
    const place = [around.width, around.height, around.codeX, around.codeY, around.logo?.x];
    const key = JSON.stringify([
      matrix.size,
      design.eyeStyle,
      fills,
      frame?.path,
      place,
      logo && pictureKey(logo),
      ...(design.logoShapes === undefined ? [] : [design.logoShapes.key, design.logoRound]),
    ]);
    const known = this.#bases.get(key) ?? makeBase(key, input);
    this.#bases.set(key, known);
    return known;
  }

  #logoOf(href: string, { backgroundColor }: PressDesign): PressImage {
    const key = `${backgroundColor ?? ""} ${href}`;
    const known = this.#logos.get(key);
    if (known !== undefined) return known;
    const bytes = Buffer.from(href.slice(href.indexOf(",") + 1), "base64");
    const made = toPressImage(bytes, {
      colors: this.#inks.colors,
      ground: backgroundColor ?? "#ffffff",
    });
    this.#logos.set(key, made);
    return made;
  }
}

type DesignedRecord = Pick<SheetRecord, "key" | "payload" | "level" | "drawn" | "design">;

const noRoom = ({ key }: DesignedRecord, what: string): DesignWarning => ({
  code: "codes-no-room",
  row: key,
  what: [what],
  message: `row ${key}: its code is printed without its ${what}: the label has no room for it`,
});

const blackened = ({ key }: DesignedRecord): DesignWarning => ({
  code: "codes-blackened",
  row: key,
  message: `row ${key}: its code is printed black: in inks of the press its colours are too much alike`,
});

/** A design without the parts around its quiet zone. */
const unframed = (design: PressDesign): PressDesign =>
  design.frame === null
    ? design
    : { ...design, frame: null, hasBorder: false, text: "", textSecondary: "" };

/** As in the artwork; a logo gets a version with room for it. */
function encode(
  { payload, key, level, drawn }: DesignedRecord,
  design: PressDesign,
): Pick<EncodedCode, "matrix" | "plan"> {
  const wanted = drawn ?? { level, minVersion: 1 };
  try {
    if (design.logo === null) return { matrix: encodeQr(payload, wanted), plan: undefined };
    return encodeForLogo(payload, { ...design, errorCorrection: wanted.level });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `row ${key}: ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
}

/** Opens the room; undefined for a job whose codes are plain. */
export async function openDesignRoom({ options }: SheetJob): Promise<DesignRoom | undefined> {
  if (options.print !== "designed") return undefined;
  shaper ??= openShaper();
  return new DesignRoom(await openDesignInks(options), await shaper);
}

/** Names of a file's forms. */
export interface PartNames extends InkNames {
  partOf(part: SharedPart): string;
}

/** Its operators: shared parts, then its own modules. */
export function drawDesignedCode(
  { matrix, design, look, around, parts }: DesignedCode,
  at: { readonly leftMm: number; readonly bottomMm: number; readonly xMm: number },
  names: PartNames,
): string {
  const { codeX, codeY, cleared } = around;
  // Drawings run downwards, pages upwards.
  const x = toNumber(mmToPt(at.xMm), 5);
  const left = toNumber(mmToPt(at.leftMm - codeX * at.xMm), 4);
  const top = toNumber(mmToPt(at.bottomMm + (matrix.size + codeY) * at.xMm), 4);
  const shared = parts.map((part) => `/${names.partOf(part)} Do\n`).join("");
  const ink = isBlackInk(look.ink) ? "" : fillInk(look.ink, names);
  const data = moduleOperators(matrix, design.pattern, {
    x: codeX,
    y: codeY,
    cleared,
    withEyes: false,
    dots: "short",
  });
  return `q ${x} 0 0 -${x} ${left} ${top} cm\n${shared}${ink}${data}f\nQ\n`;
}

/** All of the drawing on its label. */
export function drawingBox(
  { around: { width, height, codeX, codeY } }: DesignedCode,
  { symbol, xMm }: CodePlace,
): BoxMm {
  return {
    x: symbol.x - codeX * xMm,
    y: symbol.y - codeY * xMm,
    width: width * xMm,
    height: height * xMm,
  };
}

/** True for a design that brings no ground, frame or logo: black modules and eyes, whatever their shape. */
export const isBlackAlone = ({ look, around }: DesignedCode): boolean =>
  look.ground === undefined &&
  around.frame.length === 0 &&
  around.logo === undefined &&
  isBlackInk(look.ink) &&
  isBlackInk(look.eyeInk);

/** Fills and pictures that a code is made of. */
export const marksOf = ({ parts }: DesignedCode): number =>
  parts.reduce((sum, part) => sum + part.marks, 1);
