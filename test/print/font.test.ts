import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import fontkit from "@pdf-lib/fontkit";
import { beforeAll, describe, expect, it } from "vitest";

import { type CaptionFont, loadCaptionFont } from "../../src/print/fonts/font.ts";
import { makeToUnicode } from "../../src/print/fonts/pdf-font.ts";
import { subsetTrueType } from "../../src/print/fonts/truetype-subset.ts";

const file = readFileSync(new URL("../../templates/fonts/noto-sans-regular.ttf", import.meta.url));
const sample = "Hamburgefonstiv ÄÖÜ ß Łódź Việt ễ Θεσσ Привет 0123456789 · – € �";

let font: CaptionFont;
beforeAll(async () => {
  font = await loadCaptionFont();
});

describe("the caption font", () => {
  it("comes with its licence and covers what captions are written in", () => {
    expect(
      readFileSync(
        new URL("../../templates/fonts/noto-sans-regular.OFL.txt", import.meta.url),
        "utf8",
      ),
    ).toContain("SIL OPEN FONT LICENSE");
    expect(Array.from(sample).filter((char) => !font.has(char.codePointAt(0) ?? 0))).toEqual([]);
    expect(font.has(0x5317)).toBe(false);
  });

  it("measures text as the sum of its letters", () => {
    expect(font.widthPt("AA", 10)).toBeCloseTo(2 * font.widthPt("A", 10), 9);
    expect(font.widthPt("A", 10)).toBeCloseTo(6.39, 2);
    expect(font.widthPt("", 10)).toBe(0);
  });
});

function makeSample(): Uint8Array {
  const subset = font.startSubset();
  subset.toHex(sample);
  return subset.encode().bytes;
}

describe("a subset", () => {
  it("has every outline of the whole font, composites with their parts", () => {
    const whole = fontkit.create(file);
    const subset = font.startSubset();
    const hex = subset.toHex(sample);
    const cut = fontkit.create(Buffer.from(subset.encode().bytes));
    Array.from(sample).forEach((char, i) => {
      const id = Number.parseInt(hex.slice(i * 4, i * 4 + 4), 16);
      const original = whole.glyphForCodePoint(char.codePointAt(0) ?? 0);
      expect([char, cut.getGlyph(id).path.toSVG()]).toEqual([char, original.path.toSVG()]);
      expect([char, cut.getGlyph(id).advanceWidth]).toEqual([char, original.advanceWidth]);
    });
  });

  it("numbers glyphs from 1 in order of first use, each once", () => {
    const subset = font.startSubset();
    expect(subset.toHex("abca")).toBe("0001000200030001");
    expect(subset.glyphs.map(({ id, text }) => [id, text])).toEqual([
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ]);
  });

  it("is the same for the same text, and small", () => {
    expect(Buffer.compare(Buffer.from(makeSample()), Buffer.from(makeSample()))).toBe(0);
    expect(makeSample().length).toBeLessThan(file.length / 8);
  });

  it("refuses a character that the font lacks as its own mistake", () => {
    expect(() => font.startSubset().toHex("北")).toThrow(/cleaned/u);
  });

  it("has a right checksum over the whole file", () => {
    const cut = Buffer.from(subsetTrueType(file, [36, 37]));
    let sum = 0;
    for (let at = 0; at < cut.length; at += 4) sum = (sum + cut.readUInt32BE(at)) >>> 0;
    expect(sum).toBe(0xb1b0afba);
  });

  it("says which characters its glyphs show, beyond the first plane too", () => {
    const cmap = makeToUnicode([
      { id: 1, width: 500, text: "A" },
      { id: 2, width: 500, text: "\u{1f600}" },
    ]);
    expect(cmap).toContain("2 beginbfchar\n<0001> <0041>\n<0002> <D83DDE00>\nendbfchar");
  });
});

describe("the output profile", () => {
  const profile = readFileSync(new URL("../../templates/icc/coated39.icc", import.meta.url));
  const sources = "/usr/share/color/icc";

  function hasArgyll(): boolean {
    try {
      readFileSync(`${sources}/FOGRA39L.ti3`);
      execFileSync("colprof", { stdio: "pipe" });
      return true;
    } catch (error) {
      return (error as { status?: number | null }).status === 1;
    }
  }

  it.skipIf(!hasArgyll())(
    "is what the recipe beside it makes, but for its date (needs Argyll)",
    () => {
      const notice = readFileSync(
        new URL("../../templates/icc/NOTICE.md", import.meta.url),
        "utf8",
      );
      const recipe = /```\n(colprof .*)\n```/u.exec(notice)?.[1] ?? "";
      const folder = mkdtempSync(path.join(tmpdir(), "icc-"));
      for (const name of ["FOGRA39L.ti3", "sRGB.icc"])
        writeFileSync(path.join(folder, name), readFileSync(path.join(sources, name)));
      execFileSync("sh", ["-c", recipe], { cwd: folder, stdio: "ignore" });
      const built = readFileSync(path.join(folder, "coated39.icc"));
      for (const bytes of [built, profile]) bytes.fill(0, 24, 36);
      expect(Buffer.compare(built, profile)).toBe(0);
    },
  );
});
