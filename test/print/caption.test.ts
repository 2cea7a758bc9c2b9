import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, it } from "vitest";

import { mmToPt } from "../../src/base/shapes/units.ts";
import {
  blockHeightPt,
  fitCaption,
  type FittedCaption,
  LEAST_PT,
} from "../../src/print/fonts/caption.ts";
import { type CaptionFont, loadBoldFont, loadCaptionFont } from "../../src/print/fonts/font.ts";

let font: CaptionFont;
beforeAll(async () => {
  font = await loadCaptionFont();
});

const room = { widthMm: 28.6, heightMm: 27.9, sizePt: 9 };
const fit = (...lines: string[]): FittedCaption => fitCaption(lines, room, { font });

describe("fitCaption", () => {
  it("sets a short caption as it is", () => {
    expect(fit("Nordhafen - 12")).toEqual({
      lines: ["Nordhafen - 12"],
      firstLines: 0,
      sizePt: 9,
      hasCutWords: false,
      isHyphenated: false,
      warnings: [],
    });
  });

  it("wraps between words, and keeps a number with its name", () => {
    expect(fit("The Grand Hotel by the Sea - 7").lines).toEqual([
      "The Grand Hotel",
      "by the Sea - 7",
    ]);
  });

  it("never ends a line in a dash", () => {
    expect(fit("Terrasse / Θεσσαλονίκη - 8").lines).toEqual(["Terrasse", "/ Θεσσαλονίκη - 8"]);
  });

  it("sets each line of the caption on a line of its own", () => {
    expect(fit("Café", "Table 7").lines).toEqual(["Café", "Table 7"]);
  });

  it.each([
    "Łódź ĄĘ",
    "Phở Nguyễn Huệ",
    "Θεσσαλονίκη",
    "Привокзальная",
    "Çeşme İstanbul",
    "10 € · № 5 – “x”",
  ])("draws %s without a word", (text) => {
    const fitted = fit(text);
    expect(fitted.warnings).toEqual([]);
    expect(fitted.lines.join(" ")).toBe(text);
  });

  it("composes letters that come in parts", () => {
    expect(fit("Cafe\u0301").lines).toEqual(["Café"]);
  });

  it("shrinks a word that is too wide before it breaks it", () => {
    const fitted = fit("Donaudampfschifffahrtsamt");
    expect(fitted.lines).toHaveLength(1);
    expect(fitted.sizePt).toBeLessThan(9);
    expect(fitted.warnings).toEqual([]);
  });

  it.each([
    ["Donaudampfschifffahrtsgesellschaftskapitän", 20],
    ["Sonderabfallzwischenlagerungsverordnung", 18],
    ["ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ", 20],
    ["Привокзальнаявторостепенная", 12],
  ])("cuts %s with hyphens only, no letter left alone", (word, widthMm) => {
    const fitted = fitCaption([word], { ...room, widthMm }, { font });
    expect(fitted.isHyphenated).toBe(true);
    expect(fitted.lines.length).toBeGreaterThan(1);
    for (const line of fitted.lines.slice(0, -1)) expect(line).toMatch(/^.{2,}-$/u);
    expect(fitted.lines.at(-1)?.length).toBeGreaterThan(1);
    expect(fitted.lines.join("").replaceAll("-", "")).toBe(word);
  });

  it("sets the first line in its own type, and what it takes counts", async () => {
    const first = await loadBoldFont();
    const fitted = fitCaption(["Nordhafen Ost", "Table 7"], room, { font, first });
    expect(fitted).toMatchObject({ firstLines: 1, lines: ["Nordhafen Ost", "Table 7"] });
    // In bold it is too wide for the line that holds it otherwise.
    const wrapped = fitCaption(["Nordhafen Terrasse", "Table 7"], room, { font, first });
    expect(wrapped).toMatchObject({ firstLines: 2, sizePt: 9 });
    expect(fitCaption(["", "Table 7"], room, { font, first }).firstLines).toBe(1);
  });

  it("breaks an address after its punctuation when nothing else helps", () => {
    const fitted = fit(
      "https://example.com/a-very-long-address/with-many-parts/and-more?and=query&more=1",
    );
    expect(fitted.lines.length).toBeGreaterThan(1);
    for (const line of fitted.lines.slice(0, -1)) expect(line).toMatch(/[-/?&=._]$/u);
    expect(fitted.lines.join("")).toContain("and=query&more=1");
  });

  it("cuts visibly and says so when not even 4 pt do", () => {
    const fitted = fit("lorem ipsum dolor ".repeat(200));
    expect(fitted.sizePt).toBe(LEAST_PT);
    expect(fitted.lines.at(-1)).toMatch(/…$/u);
    expect(fitted.warnings).toEqual([
      {
        code: "captions-cut",
        message: expect.stringMatching(/^caption "lorem .*…" does not fit at 4 pt and was cut$/u),
      },
    ]);
  });

  it("leaves the caption out when there is no room at all, and says so", () => {
    for (const tiny of [
      { ...room, widthMm: 0 },
      { ...room, heightMm: 1 },
    ]) {
      const fitted = fitCaption(["Nordhafen"], tiny, { font });
      expect(fitted.lines).toEqual([]);
      expect(fitted.warnings[0]?.code).toBe("captions-left-out");
      expect(fitted.warnings[0]?.message).toMatch(
        /"Nordhafen" is left out: the label has no room/u,
      );
    }
  });

  it.each([
    ["北京饭店", "北 U+5317"],
    ["فندق البحر", "ف U+0641"],
    ["מלון", "מ U+05DE"],
    ["e\u20D7", "U+20D7"],
  ])("leaves %s out rather than draw it wrong", (text, codePoint) => {
    const fitted = fit(text, "Table 9");
    expect(fitted.lines).toEqual(["Table 9"]);
    expect(fitted.warnings[0]?.code).toBe("lines-left-out");
    expect(fitted.warnings[0]?.message).toContain("is left out: no font has");
    expect(fitted.warnings[0]?.message).toContain(codePoint);
  });

  it("shows what has no glyph and names it, one mark per emoji", () => {
    const fitted = fit("Bar ☕ 👩‍👩‍👧 👍🏽 ⇒");
    expect(fitted.lines).toEqual(["Bar \uFFFD \uFFFD \uFFFD \uFFFD"]);
    expect(fitted.warnings).toHaveLength(1);
    for (const name of ["U+2615", "U+1F469", "U+1F44D", "U+21D2"])
      expect(fitted.warnings[0]?.message).toContain(name);
  });

  it("drops what can't be seen: controls, zero widths, bidi marks, runs of blanks", () => {
    expect(fit(" a\u0000\u200B\u202E b \t\n c ").lines).toEqual(["a b c"]);
    expect(fit("", " ", "\u200B")).toMatchObject({ lines: [], sizePt: 9, warnings: [] });
  });

  it("never sets a line wider or a block higher than the room", () => {
    const word = fc.stringMatching(/^[A-Za-zÄÖÜäöüß0-9./-]{1,30}$/u);
    const anyRoom = fc.record({
      widthMm: fc.double({ min: 3, max: 90, noNaN: true }),
      heightMm: fc.double({ min: 2, max: 60, noNaN: true }),
      sizePt: fc.constantFrom(4, 6, 9, 12),
    });
    fc.assert(
      fc.property(
        fc.array(
          fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
          { maxLength: 3 },
        ),
        anyRoom,
        (lines, box) => {
          const fitted = fitCaption(lines, box, { font });
          expect(fitted.sizePt).toBeGreaterThanOrEqual(LEAST_PT);
          for (const line of fitted.lines)
            expect(font.widthPt(line, fitted.sizePt)).toBeLessThanOrEqual(
              mmToPt(box.widthMm) + 0.01,
            );
          expect(blockHeightPt(fitted.lines.length, fitted.sizePt)).toBeLessThanOrEqual(
            mmToPt(box.heightMm) + 0.01,
          );
          // Hyphens stand where words are cut.
          const said = fitted.lines.join("").replaceAll(/[\s-]/gu, "");
          const given = lines.join("").replaceAll(/[\s-]/gu, "");
          expect(said === given || fitted.warnings.length > 0).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
