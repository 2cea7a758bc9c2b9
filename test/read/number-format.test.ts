import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  GENERAL,
  numberFormatOf,
  parseNumberFormat,
} from "../../src/read/formats/number-format.ts";
import { readSerial, showDuration, toIso } from "../../src/read/formats/show-date.ts";

const show = (code: string, value: number) => parseNumberFormat(code).show(value, false);
const none = new Map<number, string>();

describe("format codes (ISO/IEC 29500-1, 18.8.31)", () => {
  it.each(["General", "GENERAL", "@", "", " "])("%j shows numbers as they are", (code) =>
    expect(parseNumberFormat(code)).toBe(GENERAL),
  );

  it.each([
    "[",
    '"unclosed',
    "\\",
    "_",
    "*",
    ";",
    ";;;",
    "[$",
    "[>",
    "E+",
    "0E+",
    "/",
    "?/",
    ".",
    "0.",
  ])("%j is read somehow", (code) => {
    for (const value of [0, 1, -1, 1.5, 46_346]) {
      expect(show(code, value).text).toEqual(expect.any(String));
    }
  });

  it("any text is read, and any number shown, without throwing", () => {
    const pieces = fc.constantFrom(
      ...'0#?.,%/@;yMdhsaeg"\\_*[]$-<>=E+ x'.split(""),
      "General",
      "[h]",
    );
    const codes = fc.array(pieces, { maxLength: 20 }).map((all) => all.join(""));
    const values = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(codes, values, (code, value) => {
        expect(show(code, value).text).toEqual(expect.any(String));
      }),
      { numRuns: 1000 },
    );
  });

  it("of a megabyte is cut, not walked through", () => {
    expect(show("0".repeat(1_000_000), 7).text).toHaveLength(1000);
  });

  it("are known by number, too, and a file may define them anew", () => {
    for (const id of [14, 22, 30, 57]) {
      expect(numberFormatOf(id, none).show(46_346, false)).toMatchObject({
        kind: "date",
        text: "2026-11-20",
        oddity: "local",
      });
    }
    expect(numberFormatOf(46, none).show(1.5, false).text).toBe("36:00:00");
    expect(numberFormatOf(20, none).show(0.75, false).text).toBe("18:00");
    expect(numberFormatOf(10, none).show(0.25, false).text).toBe("25.00%");
    for (const id of [5, 42])
      expect(numberFormatOf(id, none).show(9, false)).toMatchObject({
        text: "$9",
        oddity: "local",
      });
    expect(numberFormatOf(0, none)).toBe(GENERAL);
    expect(numberFormatOf(14, new Map([[14, "0.00"]])).show(1, false).text).toBe("1.00");
  });
});

describe("numbers as they are stored", () => {
  it("stand beside their text", () => {
    expect(show("000", 7)).toEqual({ kind: "number", text: "007", value: "7" });
    expect(show("0", 7)).toEqual({ kind: "number", text: "7" });
    expect(show("0.0", 2.125)).toMatchObject({ text: "2.1", value: "2.125", oddity: "hidden" });
    expect(show("#,##0", 1234)).toMatchObject({ text: "1,234", value: "1234", oddity: "local" });
  });

  it("are reported wherever their text shows another number", () => {
    const formats = fc.constantFrom(
      "0",
      "0.00",
      "0.0%",
      "000",
      "General",
      "#,##0.0",
      "0.0,",
      "0;0",
    );
    const values = fc.float({
      noNaN: true,
      noDefaultInfinity: true,
      min: -(2 ** 40),
      max: 2 ** 40,
    });
    fc.assert(
      fc.property(values, formats, (value, code) => {
        const { text, value: stored = text, oddity } = show(code, value);
        const said = Number(text.replaceAll(/[,%]/gu, "")) / (text.endsWith("%") ? 100 : 1);
        const isSame = Math.abs(said - Number(stored)) <= Math.abs(value) * 1e-13;
        expect(isSame || oddity === "hidden").toBe(true);
      }),
    );
  });
});

const toText = (serial: number, uses1904: boolean): string | undefined => {
  const moment = readSerial(serial, uses1904);
  return moment && toIso(moment);
};

describe("days (18.17.4)", () => {
  it.each([
    [46_346, "2026-11-20"],
    [46_346.770_833_333_3, "2026-11-20 18:30:00"],
    [46_345.999_999_99, "2026-11-20"],
    [1, "1900-01-01"],
    [59, "1900-02-28"],
    [60, "1900-02-29"],
    [61, "1900-03-01"],
    [0.25, "06:00:00"],
    [0, "00:00:00"],
    [2_958_465, "9999-12-31"],
  ])("%d is %s", (serial, text) => expect(toText(serial, false)).toBe(text));

  it("begin four years later where Macs began them", () => {
    expect(toText(0, true)).toBe("1904-01-01");
    expect(toText(0.25, true)).toBe("06:00:00");
    expect(toText(44_884, true)).toBe("2026-11-20");
    expect(toText(2_957_003, true)).toBe("9999-12-31");
  });

  it("are none below zero and after 9999", () => {
    expect(toText(-1, false)).toBeUndefined();
    expect(toText(2_958_466, false)).toBeUndefined();
    expect(toText(2_957_004, true)).toBeUndefined();
  });

  it("have the weekdays that spreadsheets show, also before March 1900", () => {
    expect(show("[$-409]ddd", 1).text).toBe("Sun");
    expect(show("[$-409]ddd", 61).text).toBe("Thu");
  });

  it("of durations are hours", () => {
    expect(showDuration(1.5)).toBe("36:00:00");
    expect(showDuration(-0.5)).toBe("-12:00:00");
  });
});
