import { describe, expect, it } from "vitest";

import { lookAtDrawing } from "../../src/print/art/drawing-look.ts";
import { frameNames, patterns, resolveDesign } from "../../src/qr/draw/design.ts";
import { renderSvg } from "../../src/qr/draw/svg.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";
import { qrLevels } from "../../src/qr/encode/tables.ts";

const TEXT = "https://short.example.com/abcd2345";

describe("lookAtDrawing", () => {
  it.each(qrLevels)(
    "reads the level %s of a code that stands alone, and of any mask",
    async (level) => {
      for (const n of [1, 2, 3, 4, 5, 6]) {
        const text = `${TEXT}/${n}`;
        const svg = renderSvg(text, resolveDesign({ errorCorrection: level }));
        const { version } = encodeQr(text, { level });
        expect(await lookAtDrawing(svg)).toEqual({ level, version, isPlain: true });
      }
    },
  );

  it.each(patterns)("knows the pattern %s from whole modules", async (pattern) => {
    const svg = renderSvg(TEXT, resolveDesign({ pattern, errorCorrection: "H" }));
    expect(await lookAtDrawing(svg)).toMatchObject({ level: "H", isPlain: pattern === "Original" });
  });

  it.each(frameNames)("reads the level of a code in the frame %s", async (frame) => {
    const svg = renderSvg(TEXT, resolveDesign({ frame, errorCorrection: "M" }));
    expect(await lookAtDrawing(svg)).toMatchObject({ level: "M", isPlain: false });
  });

  it("knows colours, and what is no drawing of a code", async () => {
    const blue = renderSvg(TEXT, resolveDesign({ primaryColor: "#0a3d62" }));
    expect(await lookAtDrawing(blue)).toMatchObject({ level: "Q", isPlain: false });
    const empty = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>';
    expect(await lookAtDrawing(empty)).toBeUndefined();
    expect(await lookAtDrawing("no drawing")).toBeUndefined();
  });
});
