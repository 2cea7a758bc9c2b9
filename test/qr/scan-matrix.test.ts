/**
 * The finished PNG of every design, at versions 2, 5 and 10, three sizes and colours at the
 * contrast limit, read by four decoders that share no code: each must give back the exact text.
 * The normal run takes a sample; LONG=1 takes all 6,000 codes (some minutes) and prints how many
 * each decoder has read.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { PixelImage } from "../../src/qr/read/decode.ts";
import {
  type Design,
  type DesignInput,
  designScanWarnings,
  eyeStyles,
  frameNames,
  frames,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { drawCode } from "../../src/qr/draw/drawing.ts";
import type { QrEngine } from "../../src/qr/engine.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { layOnWhite, readPng } from "../../src/qr/read/png-read.ts";
import { openTextShaper, type TextShaper } from "../../src/qr/draw/text.ts";
import { type DecoderName, decoderNames, openDecoders, type Read } from "./decoders.ts";
import { fonts, openTestEngine } from "./fonts.ts";
import { blankImage } from "./images.ts";

const isLong = process.env["LONG"] === "1";
const VERSIONS = [2, 5, 10] as const;
const PITCHES = [3, 5, 9] as const;
/** One case in so many is read in the normal run; a prime, so that all values take turns. */
const SAMPLE_STEP = 211;

/** Ink as light, or paper as dark, as the contrast rule lets pass; eyes of their own too. */
const LIMITS: readonly DesignInput[] = [
  { primaryColor: "#7a7a7a", backgroundColor: "#ffffff" },
  { primaryColor: "#404040", backgroundColor: "#c0c0c0" },
  { primaryColor: "#d20000", backgroundColor: "#ffe48a", eyeColor: "#7a1f1f" },
  { primaryColor: "#008a3c", backgroundColor: "#e8f5e9", eyeColor: "#0b6b34" },
  { primaryColor: "#111111", eyeColor: "#cc0000" },
  { primaryColor: "#3b5bdb", frameColor: "#ffd43b" },
];

const logo = writeRgbaPng(blankImage(48, 48, [224, 49, 49, 255]));

interface Case {
  readonly name: string;
  readonly design: Design;
  readonly version: number;
  readonly pitch: number;
}

interface Look {
  readonly name: string;
  readonly input: DesignInput;
}

const looks: Look[] = patterns.flatMap((pattern) =>
  eyeStyles.flatMap((eyeStyle) =>
    [null, ...frameNames].flatMap((frame): Look[] => {
      const input = { pattern, eyeStyle, frame };
      const name = `${pattern} ${eyeStyle} ${frame ?? "no frame"}`;
      const label = { text: "SCAN ME", textSecondary: "example.com", hasBorder: true };
      const hasText = frame !== null && frames[frame].text;
      return [
        { name, input: { ...input, hasBorder: false } },
        { name: `${name} with logo`, input: { ...input, logo, logoRound: pattern === "Circles" } },
        ...(hasText ? [{ name: `${name} with text`, input: { ...input, ...label } }] : []),
      ];
    }),
  ),
);

/** Versions 7 to 13 have an alignment pattern in the middle, where a logo would be. */
const versionsOf = ({ logo }: DesignInput): readonly number[] =>
  logo === undefined ? VERSIONS : [5, 14];

const cases: Case[] = looks
  .flatMap(({ name, input }) =>
    versionsOf(input).flatMap((version) =>
      PITCHES.map((pitch) => ({ name, input, version, pitch })),
    ),
  )
  .map(({ name, input, version, pitch }, i) => ({
    name: `${name}, version ${version}, ${pitch} px`,
    // Colours of a stride of their own meet every style.
    design: resolveDesign({ ...input, ...LIMITS[(i * 5 + Math.floor(i / 7)) % LIMITS.length] }),
    version,
    pitch,
  }));

let engine: QrEngine;
let shaper: TextShaper;
let decoders: Record<DecoderName, Read>;
beforeAll(async () => {
  engine = await openTestEngine();
  shaper = await openTextShaper({ fonts });
  decoders = await openDecoders();
});
afterAll(() => {
  engine.close();
  shaper.close();
});

const texts = new Map<string, string>();

/** A link that is just long enough for a code of this version; each level has its own. */
function textOf({ design, version }: Case): string {
  const key = `${version} ${design.errorCorrection} ${design.logo !== null}`;
  const plain = { ...design, frame: null, text: "" };
  let text = texts.get(key) ?? "https://qr.ex/";
  while (drawCode(text, plain).matrix.version < version) text += "k3X9-q"[text.length % 6];
  texts.set(key, text);
  return text;
}

/** Paints a white square of so many modules over the middle. */
function cover({ data, width, height }: PixelImage, sidePx: number): void {
  const [left, top] = [Math.round((width - sidePx) / 2), Math.round((height - sidePx) / 2)];
  for (let y = top; y < top + sidePx; y += 1) {
    data.fill(255, (y * width + left) * 4, (y * width + left + sidePx) * 4);
  }
}

/** The decoders that read the picture of a case rightly, `covered` modules square painted over. */
async function readersOf(one: Case, covered = 0): Promise<DecoderName[]> {
  const text = textOf(one);
  const drawing = drawCode(text, one.design, shaper);
  expect(drawing.matrix.version).toBe(one.version);
  const widthPx = Math.ceil(drawing.width) * one.pitch;
  const image = layOnWhite(readPng(await engine.png(text, one.design, { widthPx })));
  expect(image.width).toBe(widthPx);
  cover(image, covered * one.pitch);
  const readers: DecoderName[] = [];
  for (const name of decoderNames) {
    if ((await decoders[name](image)) === text) readers.push(name);
  }
  return readers;
}

describe("the scan matrix", () => {
  test("holds all 340 styles, with text, with logo, at all versions and sizes", () => {
    const plain = looks.filter(({ input }) => input.hasBorder === false);
    expect(plain).toHaveLength(340);
    expect(looks).toHaveLength(340 * 2 + 5 * 20);
    expect(cases).toHaveLength((440 * 3 + 340 * 2) * 3);
  });

  test("has colours at the limit: these pass, a shade on they do not", () => {
    for (const pair of LIMITS) expect(designScanWarnings(resolveDesign(pair))).toEqual([]);
    const beyond = [
      { primaryColor: "#7b7b7b", backgroundColor: "#ffffff" },
      { primaryColor: "#424242", backgroundColor: "#c0c0c0" },
      { primaryColor: "#404040", backgroundColor: "#bfbfbf" },
    ];
    for (const pair of beyond) {
      expect(designScanWarnings(resolveDesign(pair))).not.toEqual([]);
    }
  });

  test("would notice: no decoder reads light on dark, or a code under too large a patch", async () => {
    const one = { name: "", version: 5, pitch: 5 };
    const inverted = resolveDesign({ primaryColor: "#ffffff", backgroundColor: "#000000" });
    expect(await readersOf({ ...one, design: inverted })).toEqual([]);
    const covered = { ...one, design: resolveDesign({ backgroundColor: "#ffffff" }) };
    expect(await readersOf(covered, 19)).toEqual([]);
  });

  test("every decoder reads every code", async () => {
    const unread: string[] = [];
    const counts: Record<DecoderName, number> = { zxing: 0, rxing: 0, nuintun: 0, jsqr: 0 };
    const chosen = isLong ? cases : cases.filter((_, i) => i % SAMPLE_STEP === 0);
    for (const one of chosen) {
      const readers = await readersOf(one);
      for (const reader of readers) counts[reader] += 1;
      if (readers.length === decoderNames.length) continue;
      const { primaryColor, backgroundColor } = one.design;
      unread.push(`${one.name}, ${primaryColor} on ${backgroundColor}: ${readers.join()}`);
    }
    if (isLong) process.stdout.write(`${chosen.length} codes; ${JSON.stringify(counts)}\n`);
    expect(unread).toEqual([]);
  });
});
