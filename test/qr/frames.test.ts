import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  type Design,
  type DesignInput,
  type FrameName,
  frameNames,
  frames,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { drawCode } from "../../src/qr/draw/drawing.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { renderSvg, toSvg } from "../../src/qr/draw/svg.ts";
import { openTextShaper, type TextShaper } from "../../src/qr/draw/text.ts";
import { fonts } from "./fonts.ts";
import { pixelAt } from "./images.ts";
import { loads } from "./payloads.ts";
import { refusalOf } from "./refusal.ts";

let shaper: TextShaper;
beforeAll(async () => {
  shaper = await openTextShaper({ fonts });
});
afterAll(() => shaper.close());

const PITCH = 8;

function toDesign(frame: FrameName, more: DesignInput = {}): Design {
  const text = frames[frame].text ? "Scan me" : "";
  return resolveDesign({ frame, text, backgroundColor: "#ffffff", frameColor: "#00ff00", ...more });
}

/** The drawing as pixels, 8 for a module. */
async function pixelsOf(design: Design, text: string = loads.A) {
  const drawing = drawCode(text, design, shaper);
  const { width, height } = drawing;
  const view = { x: 0, y: 0, width, height, widthPx: width * PITCH, heightPx: height * PITCH };
  return { drawing, image: await rasterizeSvg(toSvg(drawing, view)) };
}

/** Labels longer than any that a person would print. */
const longest = "W".repeat(30);

describe.each(frameNames)("%s", (frame) => {
  test.each([false, true])(
    "quiet zone of 4 clear modules on all sides, border %s",
    async (hasBorder) => {
      const { drawing, image } = await pixelsOf(toDesign(frame, { hasBorder }));
      const { codeX, codeY, matrix } = drawing;
      expect(Number.isInteger(codeX) && Number.isInteger(codeY)).toBe(true);
      let painted = 0;
      for (let y = -4; y < matrix.size + 4; y += 1) {
        for (let x = -4; x < matrix.size + 4; x += 1) {
          const isCode = x >= 0 && y >= 0 && x < matrix.size && y < matrix.size;
          if (isCode) continue;
          const color = pixelAt(image, (codeX + x) * PITCH + 4, (codeY + y) * PITCH + 4);
          if (color.join() !== "255,255,255,255") painted += 1;
        }
      }
      expect(painted).toBe(0);
    },
  );

  test("the frame is drawn in its colour, inside the picture", async () => {
    const { drawing, image } = await pixelsOf(toDesign(frame));
    let green = 0;
    for (let at = 0; at < image.data.length; at += 4) {
      if (image.data[at] === 0 && image.data[at + 1] === 255 && image.data[at + 2] === 0)
        green += 1;
    }
    expect(green).toBeGreaterThan(drawing.matrix.size * PITCH * PITCH);
  });

  test("has_border changes the drawing exactly where the table says so", () => {
    const without = renderSvg(loads.A, toDesign(frame), shaper);
    const withBorder = renderSvg(loads.A, { ...toDesign(frame), hasBorder: true }, shaper);
    expect(withBorder !== without).toBe(frames[frame].border);
  });

  test("a label changes the drawing exactly where the table says so", () => {
    const label = { text: "Hello", textSecondary: "" };
    const without = renderSvg(loads.A, { ...toDesign(frame), text: "" }, shaper);
    const withLabel = renderSvg(loads.A, { ...toDesign(frame), ...label }, shaper);
    expect(withLabel !== without).toBe(frames[frame].text);
    const second = renderSvg(
      loads.A,
      { ...toDesign(frame), ...label, textSecondary: "World" },
      shaper,
    );
    expect(second !== withLabel).toBe(frames[frame].secondText);
  });

  test("the same drawing every time, another for another size", () => {
    expect(renderSvg(loads.A, toDesign(frame), shaper)).toBe(
      renderSvg(loads.A, toDesign(frame), shaper),
    );
    expect(drawCode(loads.B, toDesign(frame), shaper).width).toBeGreaterThan(
      drawCode(loads.A, toDesign(frame), shaper).width,
    );
  });

  test("finite numbers of at most 3 decimals, no text, nothing from outside", () => {
    const svg = renderSvg(
      loads.C,
      toDesign(frame, { hasBorder: true, textSecondary: "www" }),
      shaper,
    );
    expect(svg).not.toMatch(
      /<text|clip-path|<use|filter|<style|url\(|NaN|undefined|Infinity|e-\d/u,
    );
    expect(svg.replace(/viewBox="[^"]*"/u, "")).not.toMatch(/\.\d{4}/u);
  });
});

const labelFrames = frameNames.filter((name) => frames[name].text);

describe.each(labelFrames)("label of %s", (frame) => {
  test("keeps to 80% of the width, however long", async () => {
    const { drawing, image } = await pixelsOf(
      toDesign(frame, {
        text: longest,
        textSecondary: longest,
        backgroundColor: "#0000ff",
        frameColor: "#ffff00",
      }),
    );
    // Text-frame writes in its own colour, the others in the background's.
    const isInk = (x: number, y: number): boolean => {
      const isYellow = pixelAt(image, x, y)[0] > 127;
      return frame === "text-frame" ? isYellow : !isYellow;
    };
    const isAbove = frame.endsWith("-above");
    const bar = Math.max(6, Math.ceil((drawing.matrix.size + 8) * 0.2));
    const middle = isAbove ? bar / 2 : drawing.height - bar / 2 - (frame === "text-frame" ? 2 : 0);
    const [left, right] = [drawing.width * 0.07, drawing.width * 0.93].map((x) =>
      Math.round(x * PITCH),
    );
    let strayed = 0;
    for (
      let y = Math.round((middle - bar * 0.25) * PITCH);
      y < (middle + bar * 0.25) * PITCH;
      y += 1
    ) {
      for (let x = 2 * PITCH; x < (left as number); x += 1) if (isInk(x, y)) strayed += 1;
      for (let x = right as number; x < image.width - 2 * PITCH; x += 1)
        if (isInk(x, y)) strayed += 1;
    }
    expect(strayed).toBe(0);
  });

  test("a transparent background makes a white label on the frame", () => {
    const svg = renderSvg(loads.A, { ...toDesign(frame), backgroundColor: null }, shaper);
    expect(svg.includes('fill="#ffffff"')).toBe(frame !== "text-frame");
  });
});

describe("refusals", () => {
  test("a label without fonts", () => {
    const error = refusalOf(() => renderSvg("x", resolveDesign({ text: "Scan" })));
    expect(error).toMatchObject({ code: "design-invalid", where: { field: "text" } });
  });

  test("the second line is named when it is the second line", () => {
    const design = resolveDesign({ text: "Scan", textSecondary: "漢字" });
    const error = refusalOf(() => renderSvg("x", design, shaper));
    expect(error.where?.field).toBe("text_secondary");
  });
});

describe("sizes", () => {
  test("height follows the frame", () => {
    const svg = renderSvg("HEIGHT", toDesign("card", { sizePx: 310 }), shaper);
    const side = encodeQr("HEIGHT").size + 8;
    expect(svg).toContain(`width="310" height="360" viewBox="0 0 ${side + 2} ${side + 7}"`);
  });
});
