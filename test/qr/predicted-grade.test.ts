/**
 * Predicted grades against the grader of `grade/`, which shares no code with them: codes in many designs,
 * colours, versions and levels, printed with gain from -20 % to +20 %. GRADED=500 grades so many.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type DesignInput, eyeStyles, patterns, resolveDesign } from "../../src/qr/draw/design.ts";
import { drawCode } from "../../src/qr/draw/drawing.ts";
import { toSvg } from "../../src/qr/draw/svg.ts";
import { openTextShaper, type TextShaper } from "../../src/qr/draw/text.ts";
import { gradeDesign } from "../../src/qr/grade/design-grade.ts";
import { gradeDrawing } from "../../src/qr/grade/print-picture.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { fonts } from "./fonts.ts";
import { gradeSymbol } from "./grade/grade-symbol.ts";
import { toReflectances, withGain } from "./grade/reflectance.ts";

const RENDERS = Number(process.env["GRADED"] ?? 3);
/** Pixels of a module: edges of both prints are moved by as many. */
const PITCH = 20;
const GAINS = [-0.2, -0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.2];
const INKS = [
  "#000000",
  "#111111",
  "#0a3d62",
  "#4a148c",
  "#7f0000",
  "#006064",
  "#5d4037",
  "#2e7d32",
  "#757575",
  "#8d6e63",
  "#e53935",
];
const GROUNDS = ["#ffffff", "#fffde7", "#e8f5e9"];
const LEVELS = ["L", "M", "Q", "H"] as const;

let shaper: TextShaper;
beforeAll(async () => {
  shaper = await openTextShaper({ fonts });
});
afterAll(() => shaper.close());

/** The same numbers in every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = makeRandom(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

function makeCase(): { text: string; design: DesignInput; gain: number } {
  const length = 4 + Math.floor(random() * 120);
  const text = `https://example.com/${Array.from({ length }, () => pick(Array.from("abcdefghijkmnpqrstuvwxyz0123456789"))).join("")}`;
  const design = {
    pattern: pick(patterns),
    eyeStyle: pick(eyeStyles),
    primaryColor: pick(INKS),
    backgroundColor: pick(GROUNDS),
    errorCorrection: pick(LEVELS),
  };
  return { text, design, gain: pick(GAINS) };
}

describe("predicted grades", () => {
  test(`${RENDERS} prints: within 0.5 of the grader for 95 %`, async () => {
    const far: string[] = [];
    const grades: number[] = [];
    for (let n = 0; n < RENDERS; n += 1) {
      const { text, design, gain } = makeCase();
      const drawing = drawCode(text, resolveDesign(design), shaper);
      const { width, height } = drawing;
      const view = { x: 0, y: 0, width, height, widthPx: width * PITCH, heightPx: height * PITCH };
      const image = await rasterizeSvg(toSvg(drawing, view));
      const graded = ["white", "red"] as const;
      const truth = Math.min(
        ...graded.map(
          (light) => gradeSymbol(withGain(toReflectances(image, light), (gain / 2) * PITCH)).grade,
        ),
      );
      const { grade, limit } = await gradeDrawing(drawing, { gain });
      grades.push(truth);
      if (Math.abs(grade - truth) > 0.5)
        far.push(
          `${grade} (${limit}), grader ${truth}: ${JSON.stringify({ design, gain, version: drawing.matrix.version })}`,
        );
    }
    if (RENDERS > 20)
      process.stdout.write(
        `${far.length} of ${RENDERS} further than 0.5\n${far.slice(0, 20).join("\n")}\n`,
      );
    expect(new Set(grades.map(Math.round)).size).toBeGreaterThan(1);
    expect(far.length / RENDERS, far.join("\n")).toBeLessThanOrEqual(0.05);
  });

  test.each([
    ["#000000", null],
    ["#e53935", null],
    ["#757575", "#fffde7"],
    ["#2e7d32", "#e8f5e9"],
  ])("whole modules in one colour need no drawing: %s on %s", async (primaryColor, ground) => {
    const design = resolveDesign({ primaryColor, backgroundColor: ground });
    for (const gain of [-0.2, 0, 0.2]) {
      const drawn = await gradeDrawing(drawCode("https://example.com/a", design, shaper), { gain });
      expect(await gradeDesign("", design, gain)).toEqual(drawn);
    }
  });

  test("the least of a design with a logo is no better than that of any code, and at least 2", async () => {
    const logo = writeRgbaPng({
      data: new Uint8ClampedArray(32 * 32 * 4).fill(255),
      width: 32,
      height: 32,
    });
    const design = resolveDesign({ logo });
    const texts = ["a", "b", "c"].map((end) => `https://example.com/menu/${end}`);
    const least = await gradeDesign(texts[0] ?? "", design, 0);
    expect(least.grade).toBeGreaterThanOrEqual(2);
    for (const text of texts) {
      const { grade } = await gradeDrawing(drawCode(text, design, shaper));
      expect(grade).toBeGreaterThanOrEqual(least.grade);
      expect(await gradeDesign(text, design, 0)).toEqual(least);
    }
  });
});
