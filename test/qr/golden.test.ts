/** SVG files as they were looked at and found good; `vitest -u` writes them anew after a change of art. */
import { afterAll, describe, expect, test } from "vitest";

import { type DesignInput, frameNames, frames, resolveDesign } from "../../src/qr/draw/design.ts";
import { openTestEngine } from "./fonts.ts";

const engine = await openTestEngine();
afterAll(() => engine.close());

const look: DesignInput = {
  pattern: "Original",
  eyeStyle: "Leaf",
  backgroundColor: "#ffffff",
  primaryColor: "#111111",
  eyeColor: "#b71c1c",
  frameColor: "#1a237e",
  sizePx: 400,
};

const designs: Record<string, DesignInput> = {
  plain: {},
  circles: { ...look, pattern: "Circles", eyeStyle: "Rounded" },
  squares: { ...look, pattern: "Squares", eyeStyle: "Square" },
  diamonds: { ...look, pattern: "Diamonds", eyeStyle: "Drop" },
  triangles: { ...look, pattern: "Triangles" },
  ...Object.fromEntries(
    frameNames.map((frame): [string, DesignInput] => [
      frame,
      {
        ...look,
        frame,
        hasBorder: true,
        ...(frames[frame].text ? { text: "Scan me", textSecondary: "example.com" } : {}),
      },
    ]),
  ),
};

describe("golden SVG", () => {
  test.each(Object.keys(designs))("%s", async (name) => {
    const svg = engine.svg("https://example.com/p/42", resolveDesign(designs[name]));
    await expect(`${svg}\n`).toMatchFileSnapshot(`golden/${name}.svg`);
  });
});
