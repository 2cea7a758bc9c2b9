/** Pictures as a verifier's light sees them, and as a press that gains or loses ink prints them. */
import type { PixelImage } from "../../../src/qr/read/decode.ts";
import type { Reflectances } from "./find-symbol.ts";

/** White light weighs all channels, light of 660 nm sees what red ink throws back. */
export type Light = "white" | "red";

/** Light that an 8-bit sRGB channel throws back, from 0 to 1. */
function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

const linear = Float32Array.from({ length: 256 }, (_, channel) => toLinear(channel));

/** Transparent pixels show white paper. */
export function toReflectances(
  { data, width, height }: PixelImage,
  light: Light = "white",
): Reflectances {
  const values = new Float32Array(width * height);
  const weights = light === "white" ? [0.2126, 0.7152, 0.0722] : [1, 0, 0];
  for (let i = 0; i < values.length; i += 1) {
    const cover = (data[i * 4 + 3] as number) / 255;
    const ink = weights.reduce(
      (sum, weight, c) => sum + weight * (linear[data[i * 4 + c] as number] as number),
      0,
    );
    values[i] = ink * cover + 1 - cover;
  }
  return { values, width, height };
}

/** Pixels within a distance, as steps from the middle one. */
function discOf(radius: number): [number, number][] {
  const reach = Math.floor(radius);
  const steps: [number, number][] = [];
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) if (Math.hypot(x, y) <= radius) steps.push([x, y]);
  }
  return steps;
}

/**
 * Every edge moved by `byPx`: outwards for ink that spreads, inwards (negative) for ink that is
 * lost. Each pixel takes the darkest, or the lightest, of those around it.
 */
export function withGain({ values, width, height }: Reflectances, byPx: number): Reflectances {
  const steps = discOf(Math.abs(byPx));
  const pick = byPx > 0 ? Math.min : Math.max;
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let value = values[y * width + x] as number;
      for (const [dx, dy] of steps) {
        const [px, py] = [x + dx, y + dy];
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        value = pick(value, values[py * width + px] as number);
      }
      out[y * width + x] = value;
    }
  }
  return { values: out, width, height };
}
