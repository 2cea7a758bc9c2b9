/** `polkadot`: dots of three sizes on the module grid. */
import { circlePath } from "../outline.ts";
import { type Band, drawBand, isInBand } from "./band.ts";
import type { DrawFrame } from "./frame.ts";

const RADII = [0.28, 0.38, 0.46] as const;
/** Share of the grid's places that carry a dot. */
const DENSITY = 0.62;

function dotsPath(band: Band): string {
  const { outer, offset, random } = band;
  let path = "";
  for (let y = 0.5; y < outer; y += 1) {
    for (let x = 0.5; x < outer; x += 1) {
      if (!isInBand(band, x, y, 0.5) || random() > DENSITY) continue;
      const radius = RADII[Math.floor(random() * RADII.length)] ?? RADII[0];
      path += circlePath(x + offset, y + offset, radius);
    }
  }
  return path;
}

export const polkadotFrame: DrawFrame = (input) => drawBand(input, dotsPath);
