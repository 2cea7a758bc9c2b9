import { afterAll, describe, expect, test } from "vitest";

import { noteEmptyTexts, noteLeastWidth } from "../../src/pipeline/paper/frame-size.ts";
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

const of = (design: Record<string, unknown>, count: number) => ({ design, count, rows: [] });

describe("the plan's note on empty texts", () => {
  test("counts codes whose frame shows a text that their rows leave empty", () => {
    const designs = [of({ frame: "card", text: "…" }, 5), of({ frame: "card" }, 3)];
    expect(noteEmptyTexts({ frame: "card", text: "{{ cap }}" }, designs, noTemplate)).toEqual([
      { code: "frame-texts-empty", count: 3 },
    ]);
    // The same with a frame of the template, unless that has a text of its own.
    const own = [of({ template: "ours" }, 2)];
    const templated = { template: "ours", text: "{{ cap }}" };
    expect(noteEmptyTexts(templated, own, () => ({ frame: "text-frame" }))).toMatchObject([
      { count: 2 },
    ]);
    expect(noteEmptyTexts(templated, own, () => ({ frame: "card", text: "SCAN" }))).toEqual([]);
  });

  test("is silent where no row fills the text in, and where the frame shows none", () => {
    const bare = [of({ frame: "card" }, 3)];
    expect(noteEmptyTexts({ frame: "card" }, bare, noTemplate)).toEqual([]);
    const round = [of({ frame: "burst" }, 3), of({}, 1)];
    expect(noteEmptyTexts({ text: "{{ cap }}" }, round, noTemplate)).toEqual([]);
  });
});
