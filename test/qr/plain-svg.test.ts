/** Drawings read from their geometry: what a graphics library shows, and nothing that it doesn't. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import { eyeStyles, patterns } from "../../src/api/design.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { renderSvg } from "../../src/qr/draw/svg.ts";
import { rasterizeSvgToFit } from "../../src/qr/png/raster.ts";
import type { DecodedCode, QrDecoder } from "../../src/qr/read/decode.ts";
import { toModules, toPixels } from "../../src/qr/read/plain-svg.ts";
import { readSvgCodes } from "../../src/qr/read/read-svg.ts";
import { readQuickDrawing, readSafeSvg } from "../../src/svg/check-svg.ts";
import { measureWork } from "../../src/svg/measure-work.ts";
import { readPlainDrawing } from "../../src/svg/plain-drawing.ts";
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

  test("curves lie where a graphics library draws them", async () => {
    for (const pattern of patterns) {
      const input = { ...BLACK, pattern, eyeStyle: "Leaf", sizePx: 370 } as const;
      const svg = renderSvg(TEXT, resolveDesign(input));
      const drawing = readPlainDrawing(svg);
      const own = drawing && toPixels(drawing, 370);
      const { data } = await rasterizeSvgToFit(bytes(svg), 370);
      const other = (own?.data ?? []).filter(
        (grey, i) => Math.abs(grey - (data[i * 4] ?? 0)) > 200,
      );
      // Edges are sharp here and soft there.
      expect(other.length / 370 ** 2).toBeLessThan(0.002);
    }
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
