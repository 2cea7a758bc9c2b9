/** Text and design -> a drawing: filled paths in modules, in the order in which they are painted. */
import { AppError } from "../../base/errors.ts";
import type { Design } from "./design.ts";
import type { QrMatrix } from "../encode/encode.ts";
import { eyesPath } from "./eyes.ts";
import { frameTable } from "./frames/frame-table.ts";
import type { FrameArt } from "./frames/frame.ts";
import type { Label } from "./label.ts";
import { clearedModules } from "./logo-budget.ts";
import { encodeForLogo, placeLogo, type PlacedLogo } from "./logo.ts";
import { alignmentPath, hasPlainEyes, modulesPath } from "./modules.ts";
import type { Layer } from "./outline.ts";
import { QUIET_ZONE } from "../encode/tables.ts";
import type { TextShaper } from "./text.ts";

export interface Drawing {
  /** In modules, with quiet zone and frame. */
  readonly width: number;
  readonly height: number;
  /** Top left module of the code: whole numbers, so that modules can fall on whole pixels. */
  readonly codeX: number;
  readonly codeY: number;
  readonly matrix: QrMatrix;
  /** The version that the text alone needs: a logo may need a larger one. */
  readonly textVersion: number;
  /** Size of its label's smallest letters: one em in modules; undefined without a label. */
  readonly letters: number | undefined;
  /** Null is transparent. */
  readonly background: string | null;
  readonly layers: readonly Layer[];
  readonly logo: PlacedLogo | undefined;
  /** Modules under the logo, row by row, 1 for each. */
  readonly cleared: Uint8Array | undefined;
}

/** Colour of a label on the frame's colour, when the background is transparent. */
const PAPER = "#ffffff";

interface CodePlace {
  readonly x: number;
  readonly y: number;
  readonly cleared: Uint8Array | undefined;
}

function codeLayers(matrix: QrMatrix, design: Design, place: CodePlace): Layer[] {
  const { x, y } = place;
  const withEyes = hasPlainEyes(design);
  const data = modulesPath(matrix, design.pattern, { ...place, withEyes });
  const layers: Layer[] = [{ fill: design.primaryColor, path: data }];
  if (!withEyes) {
    layers.push({ fill: design.eyeColor, path: eyesPath(design.eyeStyle, matrix.size, x, y) });
  }
  return layers;
}

function toLabel(design: Design, shaper: TextShaper | undefined): Label | undefined {
  const { text, textSecondary } = design;
  if (text === "") return undefined;
  if (shaper === undefined) {
    throw new AppError("design-invalid", `text must be drawn with a font, got none`, {
      where: { field: "text" },
      hint: "open the QR engine with fonts",
    });
  }
  return {
    primary: shaper.outline(text, "text"),
    secondary: textSecondary === "" ? undefined : shaper.outline(textSecondary, "text_secondary"),
  };
}

function drawFrame(side: number, design: Design, shaper: TextShaper | undefined): FrameArt {
  const { frame, frameColor, backgroundColor, hasBorder } = design;
  if (frame === null) return { width: side, height: side, x: 0, y: 0, layers: [] };
  return frameTable[frame]({
    side,
    color: frameColor,
    labelColor: backgroundColor ?? PAPER,
    hasBorder,
    label: toLabel(design, shaper),
  });
}

/** Joins neighbouring layers of one colour into one path: they never overlap. */
function mergeLayers(layers: readonly Layer[]): Layer[] {
  const merged: Layer[] = [];
  for (const layer of layers) {
    const last = merged.at(-1);
    if (last?.fill === layer.fill) {
      merged[merged.length - 1] = { fill: layer.fill, path: last.path + layer.path };
    } else {
      merged.push(layer);
    }
  }
  return merged;
}

/** The parts of a code that don't depend on its text: eyes and alignment patterns. */
function fixedCodeLayers(matrix: QrMatrix, design: Design, place: CodePlace): Layer[] {
  const { x, y } = place;
  const alignment = alignmentPath(matrix, { ...place, withEyes: false });
  return [
    { fill: design.primaryColor, path: alignment },
    { fill: design.eyeColor, path: eyesPath(design.eyeStyle, matrix.size, x, y) },
  ];
}

type CodeLayers = (matrix: QrMatrix, design: Design, place: CodePlace) => Layer[];

/** An encoded code with a place for its logo. */
export type EncodedCode = ReturnType<typeof encodeForLogo>;

/** Everything around the modules of a code: the same for all codes of a version and design. */
export interface Surroundings extends Pick<
  Drawing,
  "width" | "height" | "codeX" | "codeY" | "letters" | "logo" | "cleared"
> {
  /** Frame, then what is painted on it. */
  readonly frame: readonly Layer[];
}

/** Frame, label and place of the logo around an encoded code. Throws as `drawCode` does. */
export function drawSurroundings(
  { matrix, plan }: Pick<EncodedCode, "matrix" | "plan">,
  design: Design,
  shaper?: TextShaper,
): Surroundings {
  const art = drawFrame(matrix.size + QUIET_ZONE * 2, design, shaper);
  const [x, y] = [art.x + QUIET_ZONE, art.y + QUIET_ZONE];
  return {
    width: art.width,
    height: art.height,
    codeX: x,
    codeY: y,
    letters: art.layers.find(({ letters }) => letters !== undefined)?.letters,
    frame: art.layers,
    logo: plan && placeLogo(design, plan, { x: x + matrix.size / 2, y: y + matrix.size / 2 }),
    cleared: plan && clearedModules(matrix.version, plan.area),
  };
}

/** Frame, code, label and logo around an encoded code. */
function compose(
  code: EncodedCode,
  design: Design,
  shaper: TextShaper | undefined,
  drawModules: CodeLayers,
): Drawing {
  const { matrix, textVersion } = code;
  const { frame: art, ...around } = drawSurroundings(code, design, shaper);
  const [frame, ...label] = art;
  const { codeX: x, codeY: y, cleared } = around;
  const modules = drawModules(matrix, design, { x, y, cleared });
  return {
    ...around,
    matrix,
    textVersion,
    background: design.backgroundColor,
    layers: mergeLayers([...(frame === undefined ? [] : [frame]), ...modules, ...label]),
  };
}

/**
 * Draws a code. Throws what `encodeQr` throws, and `design-invalid` for a label that can't be drawn
 * or a logo that fits no code.
 */
export function drawCode(text: string, design: Design, shaper?: TextShaper): Drawing {
  return compose(encodeForLogo(text, design), design, shaper, codeLayers);
}

/** The same without data modules: one such drawing serves all codes of a version and design. */
export function drawFixedParts(code: EncodedCode, design: Design, shaper?: TextShaper): Drawing {
  return compose(code, design, shaper, fixedCodeLayers);
}
