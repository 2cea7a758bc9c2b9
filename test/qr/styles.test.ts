/**
 * Every design must read, patterns at their least size. The normal run draws a sample with a small
 * or a large code each; LONG=1 draws all 340 with three.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { PixelImage, QrDecoder } from "../../src/qr/read/decode.ts";
import {
  type Design,
  type EyeStyleName,
  eyeStyles,
  type FrameName,
  frameNames,
  frames,
  type PatternName,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { drawCode } from "../../src/qr/draw/drawing.ts";
import { type Pattern, patternTable } from "../../src/qr/draw/patterns.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { toSvg } from "../../src/qr/draw/svg.ts";
import { openTextShaper, type TextShaper } from "../../src/qr/draw/text.ts";
import { cameras, photograph } from "./camera.ts";
import { fonts } from "./fonts.ts";
import { loads } from "./payloads.ts";
import { openTestDecoder } from "./zxing.ts";

/** Every pattern as small as it may get, as long as these tests run. */
const sizes = new Map<Pattern, number>();
beforeAll(() => {
  for (const pattern of Object.values<Pattern>(patternTable)) {
    sizes.set(pattern, pattern.size);
    Object.assign(pattern, { size: pattern.leastSize });
  }
});
afterAll(() => {
  for (const [pattern, size] of sizes) Object.assign(pattern, { size });
});

const isLong = process.env["LONG"] === "1";
const PITCH = 8;
const LEVELS = { A: "Q", B: "Q", C: "H" } as const;

interface Style {
  readonly pattern: PatternName;
  readonly eyeStyle: EyeStyleName;
  readonly frame: FrameName | null;
}

const styles: Style[] = patterns.flatMap((pattern) =>
  eyeStyles.flatMap((eyeStyle) =>
    [null, ...frameNames].map((frame) => ({ pattern, eyeStyle, frame })),
  ),
);

/** Every frame, pattern and eye style at least once: 19 has no factor in common with 17 or 20. */
const sample = styles.filter((_, i) => i % 19 === 0);

function toDesign(style: Style, errorCorrection: Design["errorCorrection"]): Design {
  const text = style.frame !== null && frames[style.frame].text ? "SCAN ME" : "";
  return resolveDesign({
    ...style,
    text,
    errorCorrection,
    backgroundColor: "#ffffff",
    primaryColor: "#000000",
  });
}

let decoder: QrDecoder;
let shaper: TextShaper;
beforeAll(async () => {
  decoder = await openTestDecoder();
  shaper = await openTextShaper({ fonts });
});
afterAll(() => shaper.close());

async function draw(text: string, design: Design): Promise<PixelImage> {
  const drawing = drawCode(text, design, shaper);
  const { width, height } = drawing;
  const view = { x: 0, y: 0, width, height, widthPx: width * PITCH, heightPx: height * PITCH };
  return rasterizeSvg(toSvg(drawing, view));
}

const nameOf = ({ pattern, eyeStyle, frame }: Style): string =>
  `${pattern} ${eyeStyle} ${frame ?? "no frame"}`;

describe("styles", () => {
  test("there are 340", () => expect(styles).toHaveLength(340));

  test("all read, clean and through a mild camera", async () => {
    const unread: string[] = [];
    for (const [at, style] of (isLong ? styles : sample).entries()) {
      const one = at % 2 === 0 ? ("A" as const) : ("C" as const);
      for (const load of isLong ? (["A", "B", "C"] as const) : [one]) {
        const image = await draw(loads[load], toDesign(style, LEVELS[load]));
        const photo = photograph(image, PITCH, cameras.mild);
        for (const [kind, seen] of [
          ["clean", image],
          ["mild", photo],
        ] as const) {
          const [code] = await decoder.decode(seen, { max: 1 });
          if (code?.text !== loads[load]) unread.push(`${nameOf(style)} ${load} ${kind}`);
        }
      }
    }
    expect(unread).toEqual([]);
  });
});
