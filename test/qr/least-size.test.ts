import { afterAll, describe, expect, test } from "vitest";

import { noteLeastWidth } from "../../src/pipeline/paper/frame-size.ts";
import { type DesignInput, frameNames, frames, resolveDesign } from "../../src/qr/draw/design.ts";
import { openTestEngine } from "./fonts.ts";

const engine = await openTestEngine();
afterAll(() => engine.close());

const TEXT = "https://short.example.com/abcd2345";
const sizeOf = (input: DesignInput) => engine.leastSize(TEXT, resolveDesign(input));

describe("least size", () => {
  test("of a code without a frame is 0.33 mm for each module, quiet zone included", () => {
    // Version 4: 33 modules and twice 4.
    expect(sizeOf({})).toEqual({ codeMm: 13.6, textMm: undefined });
  });

  test("is larger in every frame, and most where the code stands in a circle", () => {
    const bare = sizeOf({}).codeMm;
    const widths = frameNames.map((frame) => sizeOf({ frame }).codeMm);
    for (const width of widths) expect(width).toBeGreaterThan(bare);
    for (const frame of ["burst", "swirl", "solid-spin"] as const) {
      expect(sizeOf({ frame }).codeMm / bare).toBeGreaterThan(1.6);
    }
  });

  test("of a text: its letters are 4 pt high, a second line and a long one need more", () => {
    const labelled = frameNames.filter((frame) => frames[frame].text);
    for (const frame of labelled) {
      const short = sizeOf({ frame, text: "SCAN ME" }).textMm ?? 0;
      const long = sizeOf({ frame, text: "SCAN ME FOR THE WHOLE MENU" }).textMm ?? 0;
      const two = sizeOf({ frame, text: "SCAN ME", textSecondary: "example.com" }).textMm ?? 0;
      expect(short).toBeGreaterThan(0);
      expect(long).toBeGreaterThan(short);
      expect(two).toBeGreaterThan(short);
    }
  });
});

const noTemplate = () => undefined;

describe("the plan's note", () => {
  test("names the frame and its least width, of a text too", async () => {
    expect(await noteLeastWidth({ frame: "burst" }, TEXT, noTemplate)).toEqual([
      { code: "least-width", frame: "burst", ...sizeOf({ frame: "burst" }) },
    ]);
    const [note] = await noteLeastWidth({ text: "SCAN ME" }, TEXT, noTemplate);
    expect(note).toMatchObject({ frame: "card", ...sizeOf({ frame: "card", text: "SCAN ME" }) });
  });

  test("is silent without a frame, where rows differ, and where no code is known", async () => {
    expect(await noteLeastWidth({}, TEXT, noTemplate)).toEqual([]);
    expect(await noteLeastWidth({ frame: "{{ frame }}" }, TEXT, noTemplate)).toEqual([]);
    expect(await noteLeastWidth({ frame: "burst" }, undefined, noTemplate)).toEqual([]);
  });
});
