import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, it, vi } from "vitest";

import type { TextStyle } from "../../src/base/shapes/label-art.ts";
import { ptToMm } from "../../src/base/shapes/units.ts";
import { blockHeightPt, cut, fitCaption } from "../../src/print/fonts/caption.ts";
import { type CaptionFont, loadCaptionFont } from "../../src/print/fonts/font.ts";
import { fitText, leastPt } from "../../src/print/fonts/text-fit.ts";
import { wrapAll } from "../../src/print/fonts/wrap.ts";
import { BLUE, makeStyle } from "./make-art.ts";

let font: CaptionFont;
beforeAll(async () => {
  font = await loadCaptionFont();
});

const fit = (text: string, width: number, height: number, style: Partial<TextStyle> = {}) =>
  fitText(text, makeStyle(style), { room: { width, height }, font });

/** Without blanks, and without the hyphens of words that are cut. */
const letters = (value: string): string => value.replaceAll(/[\s-]/gu, "");
const word = fc.string({
  unit: fc.constantFrom("a", "b", "W", "i", "l", " ", "-", "Ł", "é", "7"),
  minLength: 1,
  maxLength: 40,
});
const anyStyle = fc.record({
  sizePt: fc.integer({ min: 5, max: 24 }),
  leastPt: fc.integer({ min: 4, max: 9 }),
  fit: fc.subarray(["wrap", "shrink", "ellipsis"] as const),
  rotate: fc.constantFrom(0 as const, 90 as const),
});

describe("fitText (issue: fit rules of label content)", () => {
  it("keeps the size where the text fits as it stands", () => {
    expect(fit("Short", 40, 10)).toMatchObject({ lines: ["Short"], sizePt: 8, warnings: [] });
  });

  it("wraps words, and shrinks only when wrapping is not enough", () => {
    const text = "Height-adjustable desk, oak";
    expect(fit(text, 25, 10).lines.length).toBe(2);
    expect(fit(text, 25, 10).sizePt).toBe(8);
    expect(fit(text, 25, 4, { leastPt: 4 }).sizePt).toBeLessThan(8);
    expect(fit(text, 25, 4, { fit: ["shrink"], leastPt: 4 }).lines).toEqual([text]);
  });

  it("leaves no lone letter on a line where equal lines are possible", () => {
    expect(fit("Motor oil 5W-30, 1 l", 26, 12, { sizePt: 9 }).lines.at(-1)?.length).toBeGreaterThan(
      2,
    );
  });

  it("starts a new line at a line break", () => {
    expect(fit("A\nB\n\nC", 40, 20).lines).toEqual(["A", "B", "C"]);
  });

  it("calls what it leaves out or replaces a text of the label", () => {
    const messages = ["北京", "Bar ☕"].map((text) => fit(text, 40, 10).warnings[0]?.message ?? "");
    expect(messages[0]).toMatch(/^text of the label "北京" is left out: no font has 北/u);
    expect(messages[1]).toMatch(/^text of the label "Bar ☕" shows/u);
  });

  it("cuts with an ellipsis and says so, or refuses with size and text", () => {
    const cut = fit("A text that is too long for its box", 12, 4, { fit: ["ellipsis"] });
    expect(cut.lines[0]).toMatch(/…$/u);
    expect(cut.warnings[0]?.message).toMatch(/does not fit at 8 pt and was cut/u);
    const refused = fit("A text that is too long for its box", 12, 4, { fit: [] });
    expect(refused.problem).toBe(
      'must fit 12.0 x 4.0 mm at 8 pt, got "A text that is too long for its box"',
    );
  });

  it("prints nothing in several inks under 8 pt (docs/spec/print.md section 2)", () => {
    expect(leastPt(makeStyle({ sizePt: 12, leastPt: 5, ink: BLUE }))).toBe(8);
    expect(leastPt(makeStyle({ sizePt: 12, leastPt: 2 }))).toBe(4);
  });

  it("whatever it allows: lines stay in the box, no smaller than the floor, and nothing is lost without a word", () => {
    fc.assert(
      fc.property(
        word,
        anyStyle,
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 2, max: 30 }),
        (text, changes, width, height) => {
          const style = makeStyle(changes);
          const { lines, sizePt, warnings, problem } = fit(text, width, height, changes);
          if (problem !== undefined) {
            expect(
              changes.fit.includes("ellipsis") && height > 8 && width > 8 && style.rotate === 0,
            ).toBe(false);
            return;
          }
          const [w, h] = style.rotate === 90 ? [height, width] : [width, height];
          expect(sizePt).toBeGreaterThanOrEqual(leastPt(style));
          expect(ptToMm(blockHeightPt(lines.length, sizePt))).toBeLessThanOrEqual(h + 1e-6);
          const wasCut = warnings.some(({ message }) => message.includes("was cut"));
          for (const line of lines)
            if (!wasCut) expect(ptToMm(font.widthPt(line, sizePt))).toBeLessThanOrEqual(w + 1e-6);
          if (!wasCut) expect(letters(lines.join(""))).toBe(letters(text.normalize("NFC")));
        },
      ),
    );
  });

  it("measures little more of an endless word than what stands on its lines", () => {
    let measured = 0;
    vi.spyOn(font, "widthPt").mockImplementation((text) => {
      measured += text.length;
      return text.length;
    });
    const measure = { font, sizePt: 4, widthPt: 50 };
    const endless = "x".repeat(10_000);
    const lines = wrapAll([endless], measure, true) ?? [];
    expect(lines.join("").replaceAll("-", "")).toBe(endless);
    expect(cut([endless], 1, measure)).toEqual([`${"x".repeat(49)}…`]);
    expect(measured).toBeLessThan(2_000_000);
    measured = 0;
    const room = { widthMm: 30, heightMm: 20, sizePt: 9 };
    expect(fitCaption([endless], room, { font }).hasCutWords).toBe(true);
    fit(endless, 30, 20, { fit: ["wrap", "shrink", "ellipsis"] });
    expect(measured).toBeLessThan(3_000_000);
  });
});
