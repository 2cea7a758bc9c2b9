/**
 * What a verifier says of our drawings: graded as ISO/IEC 15415 describes it, by a grader that
 * shares no code with `src/qr`. LONG=1 grades all 340 designs, the normal run each pattern with
 * each eye style and each frame once.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  type Design,
  type DesignInput,
  designScanWarnings,
  eyeStyles,
  frameNames,
  frames,
  gradeWarnings,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { drawCode } from "../../src/qr/draw/drawing.ts";
import { toSvg } from "../../src/qr/draw/svg.ts";
import { openTextShaper, type TextShaper } from "../../src/qr/draw/text.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { fonts } from "./fonts.ts";
import type { Reflectances } from "./grade/find-symbol.ts";
import { gradeSymbol, type SymbolGrade } from "./grade/grade-symbol.ts";
import { type Light, toReflectances, withGain } from "./grade/reflectance.ts";
import { blankImage } from "./images.ts";
import { openOracle, type Oracle } from "./zxing.ts";

const isLong = process.env["LONG"] === "1";
const TEXT = "https://example.com/p/42";
/** The least that verifiers of printed codes are asked for is 1.5; a drawing has print before it. */
const LEAST_GRADE = 3;

let shaper: TextShaper;
let oracle: Oracle;
beforeAll(async () => {
  shaper = await openTextShaper({ fonts });
  oracle = await openOracle();
});
afterAll(() => shaper.close());

async function paint(input: DesignInput, pitch: number, text = TEXT): Promise<Reflectances> {
  const colors = { primaryColor: "#000000", backgroundColor: "#ffffff" };
  const drawing = drawCode(text, resolveDesign({ ...colors, ...input }), shaper);
  const { width, height } = drawing;
  const view = { x: 0, y: 0, width, height, widthPx: width * pitch, heightPx: height * pitch };
  return toReflectances(await rasterizeSvg(toSvg(drawing, view)));
}

/** A plain code of another encoder, `PITCH` pixels a module, in a quiet zone of 4. */
const PITCH = 5;

async function plainCode(text: string, options: string): Promise<Reflectances> {
  const lines = await oracle(text, options);
  const width = (lines.length + 8) * PITCH;
  const blank = { values: new Float32Array(width * width).fill(1), width, height: width };
  const dark = lines.flatMap((line, y) =>
    Array.from(line).flatMap((bit, x): [number, number][] => (bit === "1" ? [[x, y]] : [])),
  );
  return painted(blank, dark, 0);
}

/** The same with modules painted over. */
function painted(
  image: Reflectances,
  modules: readonly (readonly [number, number])[],
  value: number,
): Reflectances {
  const values = image.values.slice();
  for (const [x, y] of modules) {
    for (let py = (y + 4) * PITCH; py < (y + 5) * PITCH; py += 1) {
      const from = py * image.width + (x + 4) * PITCH;
      values.fill(value, from, from + PITCH);
    }
  }
  return { ...image, values };
}

/** The modules of the last codewords of version 2: two columns, upwards from the corner. */
const lastCodewords = (count: number): [number, number][] =>
  Array.from({ length: count * 4 }, (_, i): [number, number][] => [
    [24, 24 - i],
    [23, 24 - i],
  ]).flat();

const scaled = (image: Reflectances, dark: number, light: number): Reflectances => ({
  ...image,
  values: image.values.map((value) => dark + value * (light - dark)),
});

/** Rows repeated so that the code becomes `share` higher than wide. */
function stretched({ values, width, height }: Reflectances, share: number): Reflectances {
  const tall = Math.round(height * (1 + share));
  const out = new Float32Array(width * tall);
  for (let y = 0; y < tall; y += 1) {
    const from = Math.floor(y / (1 + share)) * width;
    out.set(values.subarray(from, from + width), y * width);
  }
  return { values: out, width, height: tall };
}

describe("the grader", () => {
  test("gives 4 for plain codes of another encoder, at every level and many versions", async () => {
    for (const level of ["L", "M", "Q", "H"]) {
      for (const version of [1, 2, 7, 14]) {
        const options = `ecLevel=${level},version=${version}`;
        const graded = gradeSymbol(await plainCode("A1", options));
        expect({ ...graded, options }).toMatchObject({ grade: 4, version, level, options });
        expect(graded.measured.unusedCorrection).toBe(1);
      }
    }
  });

  test.each([
    [0.1, 0.9, 4],
    [0.2, 0.8, 3],
    [0.3, 0.75, 2],
    [0.4, 0.7, 1],
    [0.5, 0.6, 0],
  ])("symbol contrast: ink %s on paper %s is %i", async (dark, light, grade) => {
    const { grade: whole, parameters } = gradeSymbol(
      scaled(await plainCode("A1", ""), dark, light),
    );
    expect([whole, parameters.contrast, parameters.modulation]).toEqual([grade, grade, 4]);
  });

  test("fixed patterns: each missing module of a finder costs a grade", async () => {
    const code = await plainCode("A1", "version=3");
    const corners = [
      [0, 0],
      [6, 0],
      [0, 6],
      [6, 6],
    ] as const;
    const grades = [0, 1, 2, 3, 4].map(
      (count) => gradeSymbol(painted(code, corners.slice(0, count), 1)).parameters.fixedPatterns,
    );
    expect(grades).toEqual([4, 3, 2, 1, 0]);
  });

  test("fixed patterns: a spot in the quiet zone counts, half a module's ink counts half", async () => {
    const code = await plainCode("A1", "version=3");
    const grade = (value: number): number =>
      gradeSymbol(painted(code, [[-2, 3]], value)).parameters.fixedPatterns;
    expect([grade(0), grade(0.62), grade(0.9)]).toEqual([3, 3, 4]);
  });

  test("unused correction: 1 less two for each wrong codeword of all check codewords", async () => {
    // Version 2-H: one block of 28 check codewords; eight modules are a codeword.
    const code = await plainCode("A1", "ecLevel=H,version=2");
    for (const count of [1, 2, 3]) {
      const { measured, parameters } = gradeSymbol(painted(code, lastCodewords(count), 1));
      expect(measured.unusedCorrection).toBeCloseTo(1 - (2 * count) / 28);
      expect(parameters.decode).toBe(4);
    }
  });

  test("no decoding when more is damaged than the code corrects", async () => {
    const code = await plainCode("A1", "ecLevel=L,version=2");
    const patch = Array.from({ length: 100 }, (_, i): [number, number] => [
      9 + (i % 10),
      9 + Math.floor(i / 10),
    ]);
    expect(gradeSymbol(painted(code, patch, 0))).toMatchObject({ grade: 0 });
  });

  test("axial nonuniformity: a code 7% higher than wide is 3, 13% is 0", async () => {
    const code = await plainCode("A1", "version=3");
    const grade = (share: number): number => gradeSymbol(stretched(code, share)).parameters.axial;
    expect([grade(0.02), grade(0.07), grade(0.13)]).toEqual([4, 3, 0]);
  });

  test("nothing is found on an empty page", () => {
    const blank = { values: new Float32Array(10_000).fill(1), width: 100, height: 100 };
    expect(gradeSymbol(blank).grade).toBe(0);
  });
});

const pairs = patterns.flatMap((pattern) =>
  eyeStyles.map((eyeStyle): DesignInput => ({ pattern, eyeStyle })),
);
const all = pairs.flatMap((pair) => [null, ...frameNames].map((frame) => ({ ...pair, frame })));
const sample = [
  ...pairs.map((pair) => ({ ...pair, frame: null })),
  ...frameNames.map((frame, i) => ({ ...pairs[(i * 3) % pairs.length], frame })),
];

describe("designs", () => {
  test("there are 340", () => expect(all).toHaveLength(340));

  test(`all grade ${LEAST_GRADE} or better through an aperture of 0.8 X`, async () => {
    const poor: string[] = [];
    for (const design of isLong ? all : sample) {
      const text = design.frame !== null && frames[design.frame].text ? "SCAN ME" : "";
      const graded = gradeSymbol(await paint({ ...design, text }, 10));
      if (graded.grade < LEAST_GRADE) poor.push(`${JSON.stringify(design)}: ${show(graded)}`);
    }
    expect(poor).toEqual([]);
  });

  // An element that grows by 0.2 X has both of its edges moved by 0.1 X.
  const singles: DesignInput[] = [
    ...patterns.map((pattern) => ({ pattern })),
    ...eyeStyles.map((eyeStyle) => ({ eyeStyle })),
  ];
  test.each(singles)("%o: 0.2 X of print gain or loss leaves 2", async (design) => {
    const pitch = 10;
    const image = await paint(design, pitch);
    for (const gain of [-0.2, 0.2]) {
      const { grade } = gradeSymbol(withGain(image, (gain / 2) * pitch));
      expect(grade).toBeGreaterThanOrEqual(2);
    }
  });

  test.each(["Diamonds", "Triangles"] as const)("%s hold even 0.3 X at 2", async (pattern) => {
    const pitch = 20;
    const image = await paint({ pattern }, pitch);
    for (const gain of [-0.3, 0.3]) {
      const { grade } = gradeSymbol(withGain(image, (gain / 2) * pitch));
      expect(grade).toBeGreaterThanOrEqual(2);
    }
  });
});

const logoOf = (width: number, height: number): Uint8Array =>
  writeRgbaPng(blankImage(width, height, [40, 40, 40, 255]));

describe("logos", () => {
  const shapes = [
    { logo: logoOf(48, 48) },
    { logo: logoOf(48, 48), logoRound: true },
    { logo: logoOf(96, 32) },
    { logo: logoOf(32, 64) },
  ];
  const texts = [TEXT, `${TEXT}/${"menu-".repeat(6)}`, `${TEXT}/${"menu-".repeat(16)}`];

  test("there are 12", () => expect(shapes.length * texts.length).toBe(12));

  test("at default settings grade 1.5 or better and cover no alignment pattern", async () => {
    for (const shape of shapes) {
      for (const text of texts) {
        const graded = gradeSymbol(await paint(shape, 8, text));
        expect(graded.measured.alignmentDamage).toBe(0);
        expect(graded.grade, show(graded)).toBeGreaterThanOrEqual(1.5);
      }
    }
  });

  test("a large one, where it is asked for, is larger and grades lower", async () => {
    const shape = { logo: logoOf(48, 48), logoRound: true };
    const usual = gradeSymbol(await paint(shape, 8));
    const large = gradeSymbol(await paint({ ...shape, logoLarge: true }, 8));
    expect(large.measured.unusedCorrection).toBeLessThan(usual.measured.unusedCorrection);
    expect(large.parameters.decode).toBe(4);
  });
});

const INKS = `
  #000000 #111111 #0a3d62 #1a237e #1b5e20 #004d40 #3e2723 #4a148c
  #263238 #006064 #283593 #2e7d32 #00695c #1565c0 #5d4037 #6a1b9a
  #880e4f #b71c1c #bf360c #c62828 #d50000 #ad1457 #7f0000 #e53935`
  .trim()
  .split(/\s+/u);
const GROUNDS = ["#ffffff", "#fffde7", "#ffebee", "#e8f5e9"];

const palettes = INKS.flatMap((primaryColor) =>
  GROUNDS.map((backgroundColor) => resolveDesign({ primaryColor, backgroundColor })),
)
  .filter((design) => designScanWarnings(design).length === 0)
  .slice(0, 92);

/** The lights in which a plain code in these colours grades below what verifiers are asked for. */
async function poorLights(design: Design): Promise<Light[]> {
  const drawing = drawCode("A", design);
  const { width, height } = drawing;
  const view = { x: 0, y: 0, width, height, widthPx: width * 6, heightPx: height * 6 };
  const image = await rasterizeSvg(toSvg(drawing, view));
  const lights = ["white", "red"] as const;
  return lights.filter((light) => gradeSymbol(toReflectances(image, light)).grade < 1.5);
}

describe("palettes that decoders read", () => {
  test("there are 92", () => expect(palettes).toHaveLength(92));

  test("are warned of where the grader finds less than 1.5 in white or in red light", async () => {
    const poor: string[] = [];
    for (const [i, design] of palettes.entries()) {
      if (!isLong && i % 3 !== 0) continue;
      const found = await poorLights(design);
      const { primaryColor, backgroundColor } = design;
      const palette = `${primaryColor} on ${backgroundColor}`;
      expect([palette, gradeWarnings(design).length > 0]).toEqual([palette, found.length > 0]);
      if (found.length > 0) poor.push(`${palette}: ${found.join()}`);
    }
    if (isLong) process.stdout.write(`${poor.length} of 92 below 1.5; ${poor.join("; ")}\n`);
    expect(poor.join()).toContain("red");
  });
});

const show = ({ grade, parameters }: SymbolGrade): string =>
  `${grade} ${JSON.stringify(parameters)}`;
