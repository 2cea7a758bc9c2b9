import { describe, expect, test } from "vitest";

import {
  canShowText,
  checkDesign,
  defaultDesign,
  type Design,
  type DesignInput,
  designScanWarnings,
  eyeStyles,
  frameNames,
  frames,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { refusalOf } from "./refusal.ts";

describe("resolveDesign", () => {
  test("nothing given", () => {
    expect(resolveDesign()).toEqual(defaultDesign);
    expect(resolveDesign({})).toMatchObject({
      primaryColor: "#111111",
      eyeColor: "#111111",
      frameColor: "#111111",
      backgroundColor: null,
      pattern: "Original",
      eyeStyle: "Square",
      frame: null,
      errorCorrection: "Q",
      sizePx: 220,
    });
  });

  test("null and undefined mean: not given", () => {
    const nothing: DesignInput = { primaryColor: null, frame: undefined, text: null, sizePx: null };
    expect(resolveDesign(nothing)).toEqual(defaultDesign);
  });

  test("eyes and frame follow the primary colour unless given", () => {
    expect(resolveDesign({ primaryColor: "#123456" })).toMatchObject({
      eyeColor: "#123456",
      frameColor: "#123456",
    });
    const own = { primaryColor: "#123456", eyeColor: "#aa0000", frameColor: "#00aa00" };
    expect(resolveDesign(own)).toMatchObject(own);
  });

  test("a label without a frame that shows it takes card", () => {
    expect(resolveDesign({ text: "SCAN ME" }).frame).toBe("card");
    for (const frame of frameNames) {
      const shown = resolveDesign({ text: "SCAN ME", frame });
      expect(shown.frame).toBe(frames[frame].text ? frame : "card");
      expect(shown.text).toBe("SCAN ME");
    }
  });

  test("without a label the frame stays as it is", () => {
    for (const frame of frameNames) expect(resolveDesign({ frame, text: "" }).frame).toBe(frame);
  });

  test("a second line needs a first one", () => {
    expect(resolveDesign({ textSecondary: "alone" })).toMatchObject({
      frame: null,
      textSecondary: "",
    });
    expect(resolveDesign({ text: "a", textSecondary: "b" }).textSecondary).toBe("b");
  });

  test("a border has no effect when the frame can't have one, or there is no frame", () => {
    expect(resolveDesign({ hasBorder: true }).hasBorder).toBe(false);
    for (const frame of frameNames) {
      expect(resolveDesign({ frame, hasBorder: true }).hasBorder).toBe(frames[frame].border);
    }
  });

  test("a logo raises the default error correction, not a given one", () => {
    const logo = new Uint8Array(1);
    expect(resolveDesign({ logo }).errorCorrection).toBe("H");
    expect(resolveDesign({ logo, errorCorrection: "L" }).errorCorrection).toBe("L");
    expect(resolveDesign({ logo, logoRound: true }).logoRound).toBe(true);
    expect(resolveDesign({ logoRound: true }).logoRound).toBe(false);
  });

  test("resolving twice changes nothing", () => {
    const once = resolveDesign({
      text: "x",
      primaryColor: "#f00",
      hasBorder: true,
      pattern: "Circles",
    });
    expect(resolveDesign(once)).toEqual(once);
  });
});

describe("checkDesign", () => {
  test("names all problems at once, by wire name", () => {
    const bad = {
      primaryColor: "red",
      eyeColor: "#12345",
      backgroundColor: "transparent",
      frameColor: "",
      pattern: "circles",
      eyeStyle: "Round",
      frame: "constructor",
      errorCorrection: "X",
      sizePx: 12.5,
    } as unknown as DesignInput;
    const fields = checkDesign(bad).map((problem) => problem.where?.field);
    expect(fields).toEqual([
      "primary_color",
      "eye_color",
      "background_color",
      "frame_color",
      "pattern",
      "eye_style",
      "frame",
      "error_correction",
      "size",
    ]);
    const error = refusalOf(() => resolveDesign(bad));
    expect(error.code).toBe("design-invalid");
    expect(error.problems).toHaveLength(9);
  });

  test("a choice names the choices and the value", () => {
    const [problem] = checkDesign({ pattern: "Stars" as Design["pattern"] });
    expect(problem?.message).toBe(`pattern must be one of ${patterns.join(", ")}, got "Stars"`);
  });

  test("a label longer than its frame's limit, counted in characters", () => {
    expect(checkDesign({ text: "🎉".repeat(30) })).toEqual([]);
    const [problem] = checkDesign({ text: "a".repeat(31), frame: "text-frame" });
    expect(problem?.message).toContain("at most 30 characters in the frame text-frame, got 31");
    const both = checkDesign({ text: "a".repeat(31), textSecondary: "b".repeat(40) });
    expect(both.map((p) => p.where?.field)).toEqual(["text", "text_secondary"]);
  });

  test.each([0, -1, 5001, 220.5, Number.NaN, Infinity])("size %s", (sizePx) => {
    expect(checkDesign({ sizePx })[0]?.where?.field).toBe("size");
  });
});

describe("tables", () => {
  test("as the API has them", () => {
    expect(patterns).toEqual(["Original", "Circles", "Squares", "Diamonds", "Triangles"]);
    expect(eyeStyles).toEqual(["Square", "Rounded", "Drop", "Leaf"]);
    expect(frameNames.toSorted()).toEqual(
      "border border-large border-small burst card card-above circle-viewfinder polkadot round-frame scattered-lines solid-spin speech-bubble speech-bubble-above square swirl text-frame".split(
        " ",
      ),
    );
  });

  test("frames that show text have room for it, others none", () => {
    for (const frame of frameNames) {
      expect(frames[frame].maxText > 0).toBe(canShowText(frame));
    }
    expect(canShowText(null)).toBe(false);
  });
});

const warn = (primaryColor: string, backgroundColor: string | null, eyeColor = primaryColor) =>
  designScanWarnings({ primaryColor, eyeColor, backgroundColor });

describe("designScanWarnings", () => {
  test.each([
    ["#111111", "#ffffff"],
    ["#767676", "#ffffff"],
    ["#ff0000", "#ffffff"],
    ["#00aa00", "#ffffff"],
    ["#111111", null],
    ["#000", "#fff"],
  ])("%s on %s is safe", (ink, background) => {
    expect(warn(ink, background)).toEqual([]);
  });

  test.each([
    ["#808080", "#ffffff"],
    ["#999999", "#ffffff"],
    ["#ffcc00", "#ffffff"],
    ["#1e90ff", "#ffe4b5"],
    ["#ff0000", "#00aa00"],
    ["#000000", "#555555"],
    ["#808080", null],
  ])("%s on %s is not, and the sentence names both", (ink, background) => {
    const [warning, ...more] = warn(ink, background);
    expect(more).toEqual([]);
    expect(warning).toContain(ink);
    expect(warning).toContain(background ?? "transparent");
    expect(warning).toMatch(/luma 0\.\d\d/u);
  });

  test.each(["#ff9900", "#ffcc00", "#dddddd"])("eyes of %s are named as eyes", (eye) => {
    const [warning, ...more] = warn("#111111", "#ffffff", eye);
    expect(warning).toContain(`eye_color ${eye}`);
    expect(more).toEqual([]);
  });

  test("eyes of #cc0000 are safe", () => {
    expect(warn("#111111", "#ffffff", "#cc0000")).toEqual([]);
  });

  test("light on dark is called inverted", () => {
    expect(warn("#ffffff", "#000000")[0]).toContain("inverted");
    expect(warn("#ffffff", "#1a237e")[0]).toContain("inverted");
    expect(warn("#ffffff", null)).toHaveLength(1);
  });

  test("both at once", () => {
    expect(warn("#999999", "#ffffff", "#ffcc00")).toHaveLength(2);
  });
});
