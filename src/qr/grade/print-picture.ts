/** A drawing as it is printed and as a verifier's light shows it. */
import { rasterizeSvg } from "../png/raster.ts";
import type { Drawing } from "../draw/drawing.ts";
import { toPixelSvg } from "../draw/svg.ts";
import { type PredictedGrade, predictGrade, type PrintedPicture } from "./predict-grade.ts";

export interface PrintConditions {
  /** Share of a module by which dark elements get wider; negative: narrower. -0.5 to 0.5. */
  readonly gain?: number | undefined;
  /**
   * `white` light, or `red` of 660 nm, in which red ink looks like paper. Default: the worse of both.
   */
  readonly light?: "white" | "red" | undefined;
  /** Modules under a logo count as lost in any case. Default false. */
  readonly isLeast?: boolean | undefined;
}

/** Pixels of a module: a gain of a tenth moves every edge by one pixel. */
const PITCH = 20;

/** sRGB (IEC 61966-2-1) to light. */
const LIGHT = Float32Array.from({ length: 256 }, (_, channel) => {
  const part = channel / 255;
  return part > 0.04045 ? Math.pow((part + 0.055) / 1.055, 2.4) : part / 12.92;
});

interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Reflectance of the pixels; unprinted parts are white paper. */
function reflect({ data, width, height }: Pixels, light: "white" | "red"): Float32Array {
  const values = new Float32Array(width * height);
  for (let at = 0, from = 0; at < values.length; at += 1, from += 4) {
    const red = LIGHT[data[from] as number] as number;
    const green = LIGHT[data[from + 1] as number] as number;
    const blue = LIGHT[data[from + 2] as number] as number;
    const ink = light === "red" ? red : 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const cover = (data[from + 3] as number) / 255;
    values[at] = 1 - cover + cover * ink;
  }
  return values;
}

/**
 * Moves every edge by this many pixels: a pixel becomes the darkest or lightest of a disc around it.
 */
function moveEdges(values: Float32Array, width: number, byPx: number): Float32Array {
  const radius = Math.abs(byPx);
  const height = values.length / width;
  const moved = values.slice();
  for (let dy = -Math.floor(radius); dy <= radius; dy += 1) {
    const half = Math.floor(Math.sqrt(radius * radius - dy * dy) + 1e-9);
    for (let dx = -half; dx <= half; dx += 1) {
      if (dx === 0 && dy === 0) continue;
      for (let y = Math.max(0, -dy); y < Math.min(height, height - dy); y += 1) {
        for (let x = Math.max(0, -dx); x < Math.min(width, width - dx); x += 1) {
          const at = y * width + x;
          const other = values[at + dy * width + dx] as number;
          const own = moved[at] as number;
          if (byPx > 0 ? other < own : other > own) moved[at] = other;
        }
      }
    }
  }
  return moved;
}

function toPicture(
  pixels: Pixels,
  { codeX, codeY }: Drawing,
  { gain, light }: { readonly gain: number; readonly light: "white" | "red" },
): PrintedPicture {
  const { width, height } = pixels;
  const plain = reflect(pixels, light);
  const byPx = (gain / 2) * PITCH;
  const values = Math.abs(byPx) < 1 ? plain : moveEdges(plain, width, byPx);
  return { values, width, height, pitch: PITCH, left: codeX * PITCH, top: codeY * PITCH };
}

/** The grade that a verifier would probably give the printed drawing. */
export async function gradeDrawing(
  drawing: Drawing,
  { gain = 0, light, isLeast = false }: PrintConditions = {},
): Promise<PredictedGrade> {
  const { width, height } = drawing;
  const view = { x: 0, y: 0, width, height, widthPx: width * PITCH, heightPx: height * PITCH };
  const pixels = await rasterizeSvg(toPixelSvg(drawing, view));
  const lost = isLeast ? drawing.cleared : undefined;
  const lights = light === undefined ? (["white", "red"] as const) : [light];
  const grades = lights.map((one) =>
    predictGrade(toPicture(pixels, drawing, { gain, light: one }), drawing.matrix, lost),
  );
  return grades.reduce((low, one) => (one.grade < low.grade ? one : low));
}
