/** `polkadot`: dots on the module grid, smaller and fewer the further out they are. */
import { circlePath } from "../outline.ts";
import { type Band, drawBand, isInBand } from "./band.ts";
import type { DrawFrame } from "./frame.ts";

/** Next to the box, and at the outer edge. */
const RADIUS = { inner: 0.46, outer: 0.22 } as const;
/** Share of grid positions with a dot. */
const DENSITY = { inner: 0.95, outer: 0.6 } as const;

/** From the outer edge (0) to the box (1). */
function mix({ inner, outer }: { readonly inner: number; readonly outer: number }, t: number) {
  return outer + (inner - outer) * t;
}

function dotsPath(band: Band): string {
  const { outer, side, offset, random } = band;
  const width = (outer - side) / 2;
  let path = "";
  for (let y = 0.5; y < outer; y += 1) {
    for (let x = 0.5; x < outer; x += 1) {
      if (!isInBand(band, x, y, 0.5)) continue;
      const t = Math.min(x, y, outer - x, outer - y) / width;
      if (random() > mix(DENSITY, t)) continue;
      const radius = mix(RADIUS, t);
      path += circlePath(x + offset, y + offset, radius);
    }
  }
  return path;
}

export const polkadotFrame: DrawFrame = (input) => drawBand(input, dotsPath);
