import { afterAll, describe, expect, test } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { openTextShaper } from "../../src/qr/draw/text.ts";
import { fonts } from "./fonts.ts";
import { refusalOf } from "./refusal.ts";

const shaper = await openTextShaper({ fonts });
afterAll(() => shaper.close());

const refusal = (text: string): AppError => refusalOf(() => shaper.outline(text, "text"));

const numbers = (path: string): number[] => path.match(/-?\d*\.?\d+/gu)?.map(Number) ?? [];

describe("labels that are drawn", () => {
  test.each([
    "SCAN ME",
    "Straße, größer – Zürich!",
    "Kód naskenujte, prosím",
    "Σκανάρετε εδώ",
    "Сканируйте меня",
    "Quét mã này",
    "मुझे स्कैन करें",
    "سرقوني",
    "امسح الرمز",
    "סרקו אותי",
    "20 % – 1/2 (x) & co. @home",
  ])("%s", (text) => {
    const outline = shaper.outline(text, "text");
    expect(outline.width).toBeGreaterThan(1);
    expect(outline.height).toBeGreaterThan(0.4);
    expect(outline.height).toBeLessThan(2);
    expect(outline.toPath(0, 0, 1)).toMatch(/^M[-\d. MLQCHVZz]+z$/u);
  });

  test("size and place scale and move the path", () => {
    const outline = shaper.outline("H", "text");
    const at = numbers(outline.toPath(0, 0, 10));
    const moved = numbers(outline.toPath(5, 7, 10));
    moved.forEach((value, i) => expect(value).toBeCloseTo((at[i] ?? 0) + (i % 2 === 0 ? 5 : 7), 2));
    expect(Math.max(...at.filter((_, i) => i % 2 === 1))).toBeCloseTo(0, 2);
    expect(Math.min(...at.filter((_, i) => i % 2 === 1))).toBeCloseTo(-7.14, 2);
  });

  test("ink box is where the ink is", () => {
    const outline = shaper.outline("Ap", "text");
    expect(outline.top).toBeLessThan(-0.6);
    expect(outline.top + outline.height).toBeGreaterThan(0.1);
  });

  test("composed and decomposed letters look the same", () => {
    const composed = shaper.outline("café", "text");
    expect(shaper.outline("cafe\u0301", "text").toPath(0, 0, 9)).toBe(composed.toPath(0, 0, 9));
  });

  test("Arabic letters join: the word is not the sum of its letters", () => {
    const word = shaper.outline("سلم", "text").width;
    const letters = Array.from("سلم").map((letter) => shaper.outline(letter, "text").width);
    expect(word).not.toBeCloseTo(
      letters.reduce((sum, width) => sum + width, 0),
      1,
    );
  });

  test("invisible joiners are allowed", () => {
    expect(shaper.outline("a\u200bb", "text").width).toBeGreaterThan(0.5);
  });

  test("one label after another gives the same outlines", () => {
    const first = shaper.outline("Again", "text").toPath(1, 2, 3);
    shaper.outline("קוד", "text");
    expect(shaper.outline("Again", "text").toPath(1, 2, 3)).toBe(first);
  });
});

describe("labels that are refused", () => {
  test.each([
    ["ab\ncd", "U+000A at character 3"],
    ["a\tb", "U+0009 at character 2"],
    ["x\u2028y", "U+2028 at character 2"],
    ["a\u202eb", "U+202E at character 2"],
    ["Hi 🎉", '"🎉" (U+1F389) at character 4'],
    ["漢字", '"漢" (U+6F22) at character 1'],
    ["סרקו 漢", '"漢" (U+6F22) at character 6'],
    ["สแกน", '"ส" (U+0E2A) at character 1'],
    ["ab\ud83c", "U+D83C at character 3"],
    ["\udf89", "U+DF89 at character 1"],
    ["خصم 20%", '"2" (U+0032) at character 5'],
    ["امسح ٢٠", '"٢" (U+0662) at character 6'],
    ["שלום abc", '"a" (U+0061) at character 6'],
    ["Scan שלום", '"S" (U+0053) at character 1'],
    ["   ", "blanks only"],
    ["\u200b", "blanks only"],
  ])("%j names %s", (text, place) => {
    const error = refusal(text);
    expect(error.message).toContain(place);
    expect(error).toMatchObject({ code: "design-invalid", where: { field: "text" } });
  });

  test("Hebrew and Arabic in one label: no font holds both", () => {
    expect(refusal("שלום سلام").message).toContain("one font");
  });

  test("a shaper needs a font", async () => {
    await expect(openTextShaper({ fonts: [] })).rejects.toThrow(RangeError);
  });

  test("a closed shaper draws nothing", async () => {
    const closed = await openTextShaper({ fonts: fonts.slice(1, 2) });
    closed.close();
    expect(() => closed.outline("קוד", "text")).toThrow(AppError);
  });
});
