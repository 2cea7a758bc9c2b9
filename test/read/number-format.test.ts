import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  numberFormatOf,
  parseNumberFormat,
  showDate,
  showDuration,
  showNumber,
} from "../../src/read/number-format.ts";

describe("format codes (ISO/IEC 29500-1, 18.8.31)", () => {
  it.each([
    "yyyy-mm-dd",
    "dd.mm.yyyy",
    "dd\\.mm\\.yyyy",
    "[$-407]d. mmmm yyyy;@",
    "m/d/yy h:mm AM/PM",
    "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy",
    'yyyy"年"m"月"d"日"',
    "hh:mm:ss",
    "[Red]yyyy",
  ])("%s shows dates", (code) => expect(parseNumberFormat(code).kind).toBe("date"));

  it.each([
    "General",
    "GENERAL",
    "0",
    "#,##0",
    "@",
    "0.00E+00",
    "# ?/?",
    '0 "days"',
    "0\\d",
    "#,##0 [$DM-407]",
    "[Red]0",
    "",
    "[",
    '"unclosed',
  ])("%s shows numbers as they are", (code) =>
    expect(parseNumberFormat(code).kind).toBe("general"),
  );

  it.each([
    ["[h]:mm:ss", { kind: "duration" }],
    ["[mm]:ss", { kind: "duration" }],
    ["00000000000000", { kind: "digits", least: 14 }],
    ["0.00", { kind: "decimals", places: 2 }],
    ["#,##0.000;[Red]-#,##0.000", { kind: "decimals", places: 3 }],
    ["#,##0.00 [$€-407]", { kind: "decimals", places: 2 }],
    ["0%", { kind: "percent", places: 0 }],
    ["0.0 %", { kind: "percent", places: 1 }],
  ])("%s", (code, expected) => expect(parseNumberFormat(code)).toEqual(expected));

  it("are known by number, too, and a file may define them anew", () => {
    const none = new Map<number, string>();
    for (const id of [14, 22, 30, 57]) expect(numberFormatOf(id, none).kind).toBe("date");
    expect(numberFormatOf(46, none).kind).toBe("duration");
    expect(numberFormatOf(47, none).kind).toBe("date");
    expect(numberFormatOf(10, none)).toEqual({ kind: "percent", places: 2 });
    expect(numberFormatOf(0, none).kind).toBe("general");
    expect(numberFormatOf(14, new Map([[14, "0.00"]])).kind).toBe("decimals");
  });
});

describe("numbers as people see them", () => {
  it.each([
    [7, "000", "7", "007"],
    [-7, "000", "-7", "-7"],
    [1234, "000", "1234", "1234"],
    [9_506_000_134_352, "00000000000000", "9506000134352", "09506000134352"],
    [2.5, "0.00", "2.5", "2.50"],
    [7, "0.00", "7", "7.00"],
    [0.25, "0%", "0.25", "25%"],
    [0.07, "0.0%", "0.07", "7.0%"],
    [1234.5, "#,##0.00", "1234.5", "1234.50"],
  ])("%d in %s is %s, shown %s", (value, code, stored, text) => {
    expect(showNumber(value, parseNumberFormat(code))).toEqual({ value: stored, text });
  });

  it("lose no digit to their format", () => {
    expect(showNumber(2.7, parseNumberFormat("0")).text).toBe("2.7");
    expect(showNumber(2.125, parseNumberFormat("0.0")).text).toBe("2.125");
    expect(showNumber(0.1234, parseNumberFormat("0%")).text).toBe("12.34%");
    const formats = fc.constantFrom("0", "0.00", "0.0%", "000", "General", "#,##0.0");
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), formats, (value, code) => {
        const { text } = showNumber(value, parseNumberFormat(code));
        const back = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
        expect(Math.abs(back - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-13);
      }),
    );
  });
});

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
  ])("%d is %s", (serial, text) => expect(showDate(serial, false)).toBe(text));

  it("begin four years later where Macs began them", () => {
    expect(showDate(0, true)).toBe("1904-01-01");
    expect(showDate(44_884, true)).toBe("2026-11-20");
  });

  it("are none below zero and after 9999", () => {
    expect(showDate(-1, false)).toBeUndefined();
    expect(showDate(2_958_466, false)).toBeUndefined();
  });

  it("of durations are hours", () => {
    expect(showDuration(1.5)).toBe("36:00:00");
    expect(showDuration(-0.5)).toBe("-12:00:00");
  });
});
