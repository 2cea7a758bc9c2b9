/** Drawings read from their geometry: what a graphics library shows, and nothing that it doesn't. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, test } from "vitest";

import { eyeStyles, patterns } from "../../src/api/design.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { renderSvg } from "../../src/qr/draw/svg.ts";
import { rasterizeSvgToFit } from "../../src/qr/png/raster.ts";
import type { DecodedCode, QrDecoder } from "../../src/qr/read/decode.ts";
import { toCovered, toModules, toPixels, toUnits } from "../../src/qr/read/plain-svg.ts";
import { readSvgCodes } from "../../src/qr/read/read-svg.ts";
import { readQuickDrawing, readSafeSvg } from "../../src/svg/check-svg.ts";
import { measureWork } from "../../src/svg/measure-work.ts";
import { type PlainDrawing, readPlainDrawing } from "../../src/svg/plain-drawing.ts";
import { verifyArtwork } from "../../src/verify/verify.ts";
import { openTestDecoder } from "./zxing.ts";

let decoder: QrDecoder;
beforeAll(async () => {
  decoder = await openTestDecoder();
});

const TEXT = "https://qr.example/a1b2c3";
const BLACK = { primaryColor: "#000000", backgroundColor: "#ffffff" } as const;
const plain = renderSvg(TEXT, resolveDesign(BLACK));
const bytes = (svg: string): Uint8Array => new TextEncoder().encode(svg);

const textsOf = (codes: readonly DecodedCode[]): string[] => codes.map(({ text }) => text);

/** What is read without a graphics library; undefined where it must draw. */
async function readQuickly(svg: string): Promise<string[] | undefined> {
  let drawn = false;
  const watched: QrDecoder = {
    ...decoder,
    decodeGrey: (image, part, options) => decoder.decodeGrey(image, part, options),
    decode: (image, options) => {
      drawn = true;
      return decoder.decode(image, options);
    },
  };
  const texts = textsOf((await readSvgCodes(watched, bytes(svg))).codes);
  return drawn ? undefined : texts;
}

/** What scanners see of it as a graphics library draws it. */
async function readDrawn(svg: string): Promise<string[]> {
  return textsOf(await decoder.decode(await rasterizeSvgToFit(bytes(svg), 1000)));
}

/** The rectangles of the code, without those of the ground. */
const rectsOf = (svg: string): string[] => svg.match(/M\d+ \d+h\d+v1h-\d+z/gu) ?? [];

describe("drawings of ours", () => {
  test("plain codes are one pixel a module", async () => {
    const drawing = readPlainDrawing(plain);
    const modules = drawing && toModules(drawing);
    expect([modules?.width, modules?.height]).toEqual([37, 37]);
    expect(await readQuickly(plain)).toEqual([TEXT]);
  });

  test.each([
    { primaryColor: "#cc0000" },
    { primaryColor: "#113355", eyeColor: "#0055aa", backgroundColor: "#ffffee" },
    { frame: "border-large" },
    ...patterns.map((pattern) => ({ pattern })),
    ...eyeStyles.map((eyeStyle) => ({ eyeStyle })),
  ] as const)("%o: read without a graphics library", async (input) => {
    const svg = renderSvg(TEXT, resolveDesign(input));
    expect(await readQuickly(svg)).toEqual([TEXT]);
  });

  test.each([
    [370, (drawing: PlainDrawing) => toPixels(drawing, 370)],
    [148, toUnits],
  ] as const)("curves lie where a graphics library draws them: %i pixels", async (side, draw) => {
    for (const pattern of patterns) {
      const input = { ...BLACK, pattern, eyeStyle: "Leaf", sizePx: side } as const;
      const svg = renderSvg(TEXT, resolveDesign(input));
      const drawing = readPlainDrawing(svg);
      const own = drawing && draw(drawing);
      expect(own?.width).toBe(side);
      const { data } = await rasterizeSvgToFit(bytes(svg), side);
      const other = (own?.data ?? []).filter(
        (grey, i) => Math.abs(grey - (data[i * 4] ?? 0)) > 200,
      );
      // Edges are sharp here and soft there.
      expect(other.length / side ** 2).toBeLessThan(0.002);
    }
  });

  test("shapes that stand between pixels lie where a graphics library draws them", async () => {
    const places = Array.from(
      { length: 40 },
      (_, i) => [2 + (i % 8) * 4.13, 3 + i * 0.77] as const,
    );
    const dots = places.map(
      ([x, y]) => `M${x.toFixed(3)} ${y.toFixed(3)}a1 1.5 0 1 1 2 0a1 1.5 0 1 1 -2 0z`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="148" height="148" viewBox="0 0 37 37"><path fill="#fff" d="M0 0h37v37h-37z"/><path d="${dots.join("")}"/></svg>`;
    const drawing = readPlainDrawing(svg);
    const own = (drawing && toUnits(drawing))?.data ?? new Uint8Array();
    const { data } = await rasterizeSvgToFit(bytes(svg), 148);
    expect(own.filter((grey) => grey === 0).length).toBeGreaterThan(2000);
    expect(own.filter((grey, i) => Math.abs(grey - (data[i * 4] ?? 0)) > 200).length).toBeLessThan(
      20,
    );
  });

  test("work is never counted for less than in full", async () => {
    for (const pattern of patterns) {
      const svg = renderSvg(TEXT, resolveDesign({ pattern, eyeStyle: "Drop", frame: "burst" }));
      const root = await readSafeSvg(svg);
      const work = readPlainDrawing(svg)?.work ?? 0;
      expect(() => [...measureWork(root, work)]).not.toThrow();
    }
  });
});

const toUnitsOf = (svg: string) => {
  const drawing = readPlainDrawing(svg);
  return drawing && toUnits(drawing);
};
const inBlack = (pattern: (typeof patterns)[number]): string =>
  renderSvg(TEXT, resolveDesign({ ...BLACK, pattern }));

describe("modules that are no whole squares", () => {
  test.each(["Squares", "Circles", "Diamonds"] as const)(
    "%s are the modules of the code, as its PNG shows them",
    (pattern) => {
      const units = toUnitsOf(inBlack(pattern));
      const drawing = readPlainDrawing(plain);
      expect(units && toCovered(units)).toEqual(drawing && toModules(drawing));
    },
  );

  test("dots that are too small for that are searched for as a scanner would", () => {
    const svg = inBlack("Circles").replaceAll(/a\.5 \.5 0 1 1 1 0/gu, "a.25 .25 0 1 1 .5 0");
    expect(svg).not.toBe(inBlack("Circles"));
    const units = toUnitsOf(svg);
    expect(units && toCovered(units)).toBeUndefined();
  });

  test("a picture without whole units is not read as modules", () => {
    expect(toCovered({ width: 6, height: 8, data: new Uint8Array(48) })).toBeUndefined();
  });
});

describe("drawings that were changed", () => {
  const [first = "", second = ""] = rectsOf(plain);
  const white = (d: string): string =>
    plain.replace("</svg>", `<path fill="#ffffff" d="${d}"/></svg>`);

  test.each([
    ["moved by half a module", plain.replaceAll(/M(\d+) /gu, "M$1.5 ")],
    [
      "every other row moved by half a module",
      plain.replaceAll(/M(\d+) (\d*[02468])h/gu, "M$1.5 $2h"),
    ],
    ["a module lost", plain.replace(second, "")],
    ["in a grey that nobody can doubt", plain.replaceAll("#000000", "#333333")],
    ["with rectangles as elements", toElements(plain)],
  ])("%s: read from the geometry, as it is seen", async (_, svg) => {
    expect(await readDrawn(svg)).toEqual([TEXT]);
    expect(await readQuickly(svg)).toEqual([TEXT]);
  });

  test.each([
    [
      "every other row moved by a module",
      plain.replaceAll(/M(\d+) (\d*[02468])h/gu, (_, x, y) => `M${Number(x) + 1} ${y}h`),
    ],
    ["a corner covered", white("M4 4h8v8h-8z")],
    ["all covered", white("M0 0h37v37h-37z")],
    ["white on white", plain.replaceAll("#000000", "#ffffff")],
    ["black on black", plain.replaceAll("#ffffff", "#000000")],
    ["turned to light on dark", swap(plain)],
    [
      "a third of the modules lost",
      rectsOf(plain).reduce((svg, rect, i) => (i % 3 === 0 ? svg.replace(rect, "") : svg), plain),
    ],
    ["cut off by its view", plain.replace('viewBox="0 0 37 37"', 'viewBox="9 9 37 37"')],
  ])("%s: no code, as none is seen", async (_, svg) => {
    expect(await readDrawn(svg)).toEqual([]);
    expect((await readSvgCodes(decoder, bytes(svg))).codes).toEqual([]);
  });

  test("another code on top is the one that counts", async () => {
    const other = renderSvg("other", resolveDesign(BLACK));
    const [, paths = ""] = /<svg[^>]*>(.*)<\/svg>/u.exec(other) ?? [];
    const both = plain.replace("</svg>", `${paths}</svg>`);
    expect(await readQuickly(both)).toEqual(await readDrawn(both));
    expect(await readQuickly(both)).not.toEqual([TEXT]);
  });

  const DOT = /M(\d+) (\d+\.5)(a\.5 [^M]*z)(?=M\d+ \d+\.5a\.5 )/gu;
  const round = renderSvg(TEXT, resolveDesign({ ...BLACK, pattern: "Circles", eyeStyle: "Drop" }));
  const moveDots = (by: (x: number, y: number) => number): string =>
    round.replaceAll(DOT, (_, x: string, y: string, tail: string) => {
      return `M${Number(x) + by(Number(x), Number(y))} ${y}${tail}`;
    });
  const loseDots = (isLost: (i: number) => boolean): string => {
    let i = 0;
    return round.replaceAll(DOT, (dot) => (isLost((i += 1)) ? "" : dot));
  };
  const onTop = (d: string): string =>
    round.replace("</svg>", `<path fill="#ffffff" d="${d}"/></svg>`);

  test.each([
    ["as they were drawn", round, [TEXT]],
    ["one lost", loseDots((i) => i === 7), [TEXT]],
    ["a third lost", loseDots((i) => i % 3 === 0), []],
    ["moved by a module in every other row", moveDots((_, y) => (y % 2 === 0.5 ? 1 : 0)), []],
    [
      "moved by half a module in every other row",
      moveDots((_, y) => (y % 2 === 0.5 ? 0.5 : 0)),
      [],
    ],
    ["moved by three quarters of a module", moveDots(() => 0.75), []],
    ["a corner covered", onTop("M4 4h8v8h-8z"), []],
    ["covered by a circle", onTop("M4 18.5a14.5 14.5 0 1 1 29 0a14.5 14.5 0 1 1 -29 0z"), []],
    ["white on white", round.replaceAll("#000000", "#ffffff"), []],
    [
      "emptied by circles the other way round",
      round.replaceAll(DOT, (dot) => dot + dot.replaceAll(" 0 1 1 ", " 0 1 0 ")),
      [],
    ],
    ["of no size", round.replaceAll(DOT, "M$1 $2a.01 .01 0 1 1 .02 0a.01 .01 0 1 1 -.02 0z"), []],
    ["cut off by the view", round.replace('viewBox="0 0 37 37"', 'viewBox="9 9 37 37"'), []],
  ] as const)("circles %s: what is seen, no more", async (name, svg, seen) => {
    if (name !== "as they were drawn") expect(svg).not.toBe(round);
    expect(readPlainDrawing(svg)).toBeDefined();
    expect(await readDrawn(svg)).toEqual(seen);
    expect(textsOf((await readSvgCodes(decoder, bytes(svg))).codes)).toEqual(seen);
  });

  test("another code of circles on top is the one that counts", async () => {
    const other = renderSvg("other", resolveDesign({ ...BLACK, pattern: "Circles" }));
    const [, paths = ""] = /<svg[^>]*>(.*)<\/svg>/u.exec(other) ?? [];
    const both = round.replace("</svg>", `${paths}</svg>`);
    expect(await readQuickly(both)).toEqual(await readDrawn(both));
    expect(await readQuickly(both)).not.toEqual([TEXT]);
  });

  test.each([
    ["a transform", round.replace("<path", '<path transform="translate(1 0)"')],
    ["a clip", round.replace("<path", '<path clip-path="url(#c)"')],
    ["a number with an exponent", round.replace("M4 ", "M4e0 ")],
    ["a command that there is not", round.replace("a.5", "e3a.5")],
  ])("circles with %s: not read by their shapes", (_, svg) => {
    expect(svg).not.toBe(round);
    const pieces = readPlainDrawing(svg)?.fills.map((fill) => fill.pieces.length) ?? [];
    expect(Math.max(0, ...pieces)).toBeLessThan(2);
  });

  test.each([
    ["a transform", plain.replace("<path", '<path transform="translate(1 0)"')],
    ["a clip", plain.replace("<path", '<path clip-path="url(#c)"')],
    ["opacity", plain.replace("<path", '<path opacity="0.5"')],
    ["fill opacity", plain.replace("<path", '<path fill-opacity="0.1"')],
    ["a style", plain.replace("<path", '<path style="display:none"')],
    ["a class", plain.replace("<path", '<path class="a"')],
    ["an outline", plain.replace("<path", '<path stroke="#fff"')],
    ["another rule", plain.replace("<path", '<path fill-rule="evenodd"')],
    ["a style sheet", plain.replace("<path", "<style>path{display:none}</style><path")],
    ["a group", plain.replace("<path", "<g><path").replace("</svg>", "</g></svg>")],
    ["definitions", plain.replace("<path", '<defs><path id="a" d="M0 0h1v1h-1z"/></defs><path')],
    ["a use", plain.replace("</svg>", '<use href="#a"/></svg>')],
    ["a picture", plain.replace("</svg>", '<image href="data:,"/></svg>')],
    ["a text", plain.replace("</svg>", "<text>a</text></svg>")],
    ["a letterbox", plain.replace(/height="\d+"/u, 'height="1000"')],
    ["another kind of fit", plain.replace("<svg", '<svg preserveAspectRatio="none"')],
    ["a colour of a name", plain.replace("#000000", "canvas")],
    ["an attribute twice", plain.replace("<path", '<path fill="#ffffff"')],
    ["an entity", plain.replace("#000000", "&#35;000000")],
    ["a comment", plain.replace("<path", "<!-- a --><path")],
    ["a byte that XML forbids", plain.replace("M4 4", "M4\f4")],
    ["letters beyond ASCII", `\u{feff}${plain}`],
    ["a path without a move", plain.replace(first, `l1 1${first}`)],
    ["a path that breaks off", plain.replace(first, `${first}Q`)],
    ["something behind it", `${plain}<svg/>`],
    ["no end", plain.replace("</svg>", "")],
  ])("%s: is for a graphics library", (_, svg) => {
    expect(svg).not.toBe(plain);
    expect(readPlainDrawing(svg)).toBeUndefined();
  });

  test("what is read quickly is harmless, whatever was done to it", async () => {
    const small = renderSvg("a", resolveDesign({ pattern: "Circles" }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.nat(small.length), fc.constantFrom(..."0a <>/\"'=&;#-.zMh\f\0".split(""))),
        ),
        fc.boolean(),
        async (edits, isInsert) => {
          let svg = small;
          for (const [at, letter] of edits)
            svg = svg.slice(0, at) + letter + svg.slice(at + (isInsert ? 0 : 1));
          if (readQuickDrawing(svg) === undefined) return;
          await expect(readSafeSvg(svg)).resolves.toBeDefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  test("a drawing that takes long to draw is read in full", () => {
    const tall = "M0 0h1v1000000h-1z".repeat(200);
    expect(readQuickDrawing(plain.replace("</svg>", `<path d="${tall}"/></svg>`))).toBeUndefined();
  });

  test("the proof says what is wrong, in the same words", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "plain-svg-"));
    const prove = async (svg: string) => {
      const file = path.join(folder, "code.svg");
      await writeFile(file, svg);
      const { findings } = await verifyArtwork([{ file, payload: TEXT }]);
      return findings.map(({ rule }) => rule);
    };
    expect(await prove(plain)).toEqual([]);
    expect(await prove(plain.replaceAll("#000000", "#ffffff"))).toEqual(["artwork-empty"]);
    expect(await prove(white("M4 4h8v8h-8z"))).toEqual(["artwork-unreadable"]);
    expect(await prove(renderSvg("other", resolveDesign({})))).toEqual(["artwork-mismatch"]);
    expect(await prove(plain.replace("</svg>", ""))).toEqual(["artwork-damaged"]);
  });
});

/** Each rectangle as an element of its own. */
function toElements(svg: string): string {
  return svg.replaceAll(/<path fill="([^"]+)" d="([^"]+)"\/>/gu, (_, fill: string, d: string) =>
    d.replaceAll(
      /M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/gu,
      `<rect x="$1" y="$2" width="$3" height="$4" fill="${fill}"/>\n`,
    ),
  );
}

/** Dark for light. */
function swap(svg: string): string {
  return svg.replaceAll(/#(?:000000|ffffff)/gu, (color) =>
    color === "#000000" ? "#ffffff" : "#000000",
  );
}
