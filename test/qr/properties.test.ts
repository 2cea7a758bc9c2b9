/** What holds for every payload and every design that is accepted. */
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
  string,
} from "../help/property.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { QrDecoder } from "../../src/qr/read/decode.ts";
import {
  checkDesign,
  type DesignInput,
  eyeStyles,
  frameNames,
  frames,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { openPng, readPlainPng } from "../../src/qr/read/png-read.ts";
import { readCodes } from "../../src/qr/read/read-code.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";
import { type QrLevel, qrLevels } from "../../src/qr/encode/tables.ts";
import { type DecoderName, decoderNames, openDecoders, type Read } from "./decoders.ts";
import { openTestEngine } from "./fonts.ts";
import { refusalOf } from "./refusal.ts";
import { openTestDecoder } from "./zxing.ts";

const runs = process.env["LONG"] === "1" ? 2000 : 60;

const engine = await openTestEngine();
afterAll(() => engine.close());

let decoder: QrDecoder;
let decoders: Record<DecoderName, Read>;
beforeAll(async () => {
  decoder = await openTestDecoder();
  decoders = await openDecoders();
});

const payload = oneof(
  string({ minLength: 1, maxLength: 90, unit: "grapheme" }),
  string({ minLength: 1, maxLength: 60, unit: "binary-ascii" }),
  array(constantFrom("https://example.com/", "0123456789", "ABC-", "ü", "/x?y=z", "漢字"), {
    minLength: 1,
    maxLength: 6,
  }).map((parts) => parts.join("")),
);

const darkInk = constantFrom("#111111", "#000", "#1a237e", "#7b1fa2", "#b71c1c", "#004d40");
const paleGround = constantFrom("#ffffff", "#fff", "#fff8e1", "#e8f5e9", null);
const label = constantFrom(
  "",
  "Scan me",
  "Größe",
  "Сканируй",
  "סרקו",
  "امسح",
  "A",
  "iiiiiiiiiiiiiiiiiiiiiiiiiiiiii",
);

const safeDesign = record<DesignInput>(
  {
    primaryColor: darkInk,
    eyeColor: option(darkInk),
    frameColor: option(constantFrom("#ff9800", "#111111", "#90caf9")),
    backgroundColor: paleGround,
    pattern: constantFrom(...patterns),
    eyeStyle: constantFrom(...eyeStyles),
    frame: option(constantFrom(...frameNames)),
    hasBorder: boolean(),
    text: label,
    textSecondary: label,
    errorCorrection: constantFrom(...qrLevels),
  },
  { requiredKeys: ["primaryColor"] },
);

const anyDesign = record(
  {
    primaryColor: oneof(darkInk, string()),
    eyeColor: oneof(darkInk, string()),
    backgroundColor: oneof(paleGround, string()),
    frameColor: oneof(darkInk, string()),
    pattern: oneof(constantFrom<string>(...patterns), string()),
    eyeStyle: oneof(constantFrom<string>(...eyeStyles), string()),
    frame: oneof(constantFrom<string>(...frameNames), string()),
    hasBorder: boolean(),
    text: string({ maxLength: 40 }),
    textSecondary: string({ maxLength: 40 }),
    sizePx: oneof(integer(), constantFrom(1.5, Number.NaN)),
  },
  { requiredKeys: [] },
).map((input) => input as unknown as DesignInput);

describe("designs", () => {
  test("checked and found good is resolved, anything else is refused with those problems", () => {
    assert(
      property(anyDesign, (input) => {
        const problems = checkDesign(input);
        const resolved = problems.length === 0 ? resolveDesign(input) : undefined;
        expect(resolved?.primaryColor === undefined).toBe(problems.length > 0);
        const refused = problems.length > 0 ? refusalOf(() => resolveDesign(input)) : undefined;
        expect(refused?.problems ?? []).toEqual(problems);
        for (const { message, where } of problems) {
          expect(message).toMatch(/ must be .*got /su);
          expect(where?.field).toBeDefined();
        }
      }),
      { numRuns: 500 },
    );
  });

  test("resolving is idempotent, and what is shown fits the frame", () => {
    assert(
      property(safeDesign, (input) => {
        const design = resolveDesign(input);
        expect(resolveDesign(design)).toEqual(design);
        const traits = design.frame === null ? undefined : frames[design.frame];
        expect(design.text === "" || traits?.text === true).toBe(true);
        expect(!design.hasBorder || traits?.border === true).toBe(true);
        expect(design.textSecondary === "" || design.text !== "").toBe(true);
      }),
    );
  });
});

/** Characters of one to four bytes, and all that looks like another mode. */
const anyText = oneof(
  string({ minLength: 1, maxLength: 280, unit: "binary" }),
  string({ minLength: 1, maxLength: 1100, unit: "binary-ascii" }),
  array(constantFrom(...Array.from("0123456789ABCZ $%*+-./:az\u00fc\u6f22\u{1f389}\u001d")), {
    minLength: 1,
    maxLength: 300,
  }).map((parts) => parts.join("")),
);

describe("any text", () => {
  test("up to the capacity comes back from every decoder as it was", async () => {
    await assert(
      asyncProperty(anyText, constantFrom(...qrLevels), async (text, errorCorrection) => {
        const design = resolveDesign({ errorCorrection });
        const widthPx = (engine.leastWidthPx(text, design) / 2) * 4;
        const image = readPlainPng(await engine.png(text, design, { widthPx }));
        for (const name of decoderNames) {
          expect([name, await decoders[name](image)]).toEqual([name, text]);
        }
      }),
      { numRuns: runs / 2 },
    );
  });
});

function fits(text: string, level: QrLevel): boolean {
  try {
    return encodeQr(text, { level }).version <= 40;
  } catch {
    return false;
  }
}

describe("the longest text of every kind and level", () => {
  const units = { digits: "7", letters: "Z", bytes: "x", umlauts: "ü", han: "漢", emoji: "🎉" };

  test.each(qrLevels.flatMap((level) => Object.keys(units).map((name) => [level, name] as const)))(
    "level %s, %s",
    async (level, name) => {
      const unit = units[name as keyof typeof units];
      let [most, tooMany] = [1, 8000];
      while (tooMany - most > 1) {
        const middle = Math.floor((most + tooMany) / 2);
        if (fits(unit.repeat(middle), level)) most = middle;
        else tooMany = middle;
      }
      const text = unit.repeat(most);
      const design = resolveDesign({ errorCorrection: level });
      const widthPx = (engine.leastWidthPx(text, design) / 2) * 4;
      const image = readPlainPng(await engine.png(text, design, { widthPx }));
      expect((await decoder.decode(image))[0]?.version).toBe(40);
      for (const reader of ["zxing", "rxing"] as const) {
        expect([reader, await decoders[reader](image)]).toEqual([reader, text]);
      }
    },
  );
});

/** Width and height of an SVG's view, in modules. */
function viewSize(svg: string): number[] {
  const view = /viewBox="([^"]+)"/u.exec(svg)?.[1] ?? "";
  return view.split(" ").slice(2).map(Number);
}

describe("artwork", () => {
  test("SVG: well-formed, finite, self-contained, the same twice", () => {
    assert(
      property(payload, safeDesign, (text, input) => {
        const design = resolveDesign(input);
        const svg = engine.svg(text, design);
        expect(engine.svg(text, design)).toBe(svg);
        expect(svg).toMatch(
          /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="[\d.]+" height="[\d.]+" viewBox="0 0 [\d.]+ [\d.]+">(?:<path fill="#[\da-fA-F]{3,6}" d="M[MLHVhvlQqCcaAz\d .-]+"\/>)+<\/svg>$/u,
        );
      }),
      { numRuns: runs * 3 },
    );
  });

  test("PNG: exact width, taller or as tall, and the file says what was asked", async () => {
    await assert(
      asyncProperty(
        payload,
        safeDesign,
        integer({ min: 0, max: 60 }),
        async (text, input, more) => {
          const design = resolveDesign(input);
          const widthPx = Math.max(120, engine.leastWidthPx(text, design) * 2 + more);
          const file = await engine.png(text, design, { widthPx });
          const image = openPng(file);
          expect(image.width).toBe(widthPx);
          // What the drawing is taller than wide, in modules, times the pixels of a module.
          const [width = 0, height = 0] = viewSize(engine.svg(text, design));
          const taller = (height - width) * Math.floor(widthPx / width);
          expect(taller).toBeGreaterThanOrEqual(0);
          expect(Math.abs(image.height - widthPx - taller)).toBeLessThanOrEqual(2);
          const codes = await readCodes(decoder, file);
          expect(codes.map((code) => code.text)).toEqual([text]);
          expect(codes[0]?.level).toBe(design.errorCorrection);
        },
      ),
      { numRuns: runs },
    );
  });
});
