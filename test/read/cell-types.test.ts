import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import type { ColumnType } from "../../src/job/job.ts";
import { cellTypes } from "../../src/read/cells/cell-types.ts";

const good: [ColumnType, string, string][] = [
  ["text", "Łódź", "Łódź"],
  ["text", "0950", "0950"],
  ["text", "1E5", "1E5"],
  ["integer", "12", "12"],
  ["integer", "+7", "7"],
  ["integer", "007", "7"],
  ["integer", "-0", "0"],
  ["integer", "-3", "-3"],
  ["integer", "12.0", "12"],
  ["integer", "12,00", "12"],
  ["integer", "1 000", "1000"],
  ["integer", "123456789012345678901", "123456789012345678901"],
  ["number", "1,5", "1.5"],
  ["number", "1.5", "1.5"],
  ["number", "1.234,56", "1234.56"],
  ["number", "1,234.56", "1234.56"],
  ["number", "1,234,567", "1234567"],
  ["number", "1.234.567", "1234567"],
  ["number", "1 234,5", "1234.5"],
  ["number", "1’234.50", "1234.50"],
  ["number", "-0,5", "-0.5"],
  ["number", "1e-7", "1e-7"],
  ["number", "0,125", "0.125"],
  ["url", "https://a.example/x?y=1#z", "https://a.example/x?y=1#z"],
  ["url", "HTTP://A.example", "HTTP://A.example"],
  ["url", "https://münchen.example/straße?q=ü", "https://münchen.example/straße?q=ü"],
  ["url", "https://例え.example/メニュー", "https://例え.example/メニュー"],
  ["url", "http://[2001:db8::1]:8080/", "http://[2001:db8::1]:8080/"],
  ["email", "a.b+c@mail.example", "a.b+c@mail.example"],
  ["email", "a@mail.example ::: b@mail.example", "a@mail.example"],
  ["url", "https://a.example ::: https://b.example", "https://a.example"],
  ["text", "+49 1 ::: +49 2", "+49 1 ::: +49 2"],
  ["date", "2026-11-20", "2026-11-20"],
  ["date", "2026-1-2", "2026-01-02"],
  ["date", "2026/11/20", "2026-11-20"],
  ["date", "20261120", "2026-11-20"],
  ["date", "20.11.2026", "2026-11-20"],
  ["date", "1. 2. 2026", "2026-02-01"],
  ["date", "31/12/2026", "2026-12-31"],
  ["date", "12/31/2026", "2026-12-31"],
  ["date", "05/05/2026", "2026-05-05"],
  ["date", "2026-11-20T10:00:00Z", "2026-11-20"],
  ["date", "2026-11-20 10:00", "2026-11-20"],
  ["date", "2024-02-29", "2024-02-29"],
  ["gtin", "9506000134352", "09506000134352"],
  ["gtin", "95060 0013-4352", "09506000134352"],
  ["gtin", "'9506000134352", "09506000134352"],
  ["gtin", "96385074", "00000096385074"],
  ["boolean", "Yes", "true"],
  ["boolean", "nein", "false"],
  ["boolean", "0", "false"],
];

const bad: [ColumnType, string, string][] = [
  ["text", "9.50600013435E+12", "scientific notation"],
  ["text", "9,50600013435E+12", "scientific notation"],
  ["integer", "9.5E+12", "scientific notation"],
  ["integer", "1.5", "whole number"],
  ["integer", "twelve", "whole number"],
  ["integer", "0x10", "whole number"],
  ["number", "1,234", "one way only"],
  ["number", "1.234", "one way only"],
  ["integer", "1,000", "one way only"],
  ["number", "12 kg", "must be a number"],
  ["number", ".", "must be a number"],
  ["url", "htp://a.example", "must be a URL"],
  ["url", "www.a.example", "must be a URL"],
  ["url", "a.example/x", "must be a URL"],
  ["url", "javascript:alert(1)", "must be a URL"],
  ["url", "mailto:a@b.example", "must be a URL"],
  ["url", "https://", "must be a URL"],
  ["url", "https:///x", "must be a URL"],
  ["url", "https://a b.example/", "must be a URL"],
  ["url", "https://a.example/x y", "without spaces"],
  ["url", "https://a.example/\u200bx", "invisible characters"],
  ["url", "https://a.example:99999/", "must be a URL"],
  ["email", "a@b", "e-mail"],
  ["email", "a b@c.example", "e-mail"],
  ["date", "02/03/2026", "one way only"],
  ["date", "2026-02-30", "exists"],
  ["date", "2026-13-01", "exists"],
  ["date", "31.02.2026", "exists"],
  ["date", "tomorrow", "must be a date"],
  ["date", "46000", "must be a date"],
  ["date", "2026-1120", "must be a date"],
  ["gtin", "9506000134353", "check digit (2 at the end)"],
  ["gtin", "9.50600013435E+12", "scientific notation"],
  ["gtin", "95060001343A2", "digits only"],
  ["boolean", "maybe", "true or false"],
];

describe("cells", () => {
  it.each(good)("%s %j becomes %j", (type, text, expected) => {
    expect(cellTypes[type](text)).toBe(expected);
  });

  it.each(bad)("%s refuses %j: %s", (type, text, rule) => {
    expect(cellTypes[type](text)).toMatchObject({ rule: expect.stringContaining(rule) as string });
  });

  it("hints at what to type", () => {
    expect(cellTypes.url("www.a.example/x")).toMatchObject({
      hint: "begin it with https://, as in https://www.a.example/x",
    });
    expect(cellTypes.number("1,234")).toMatchObject({
      hint: expect.stringContaining("write 1234 or 1,2340, as it is meant") as string,
    });
  });

  it("take any text without throwing, and say what must be", () => {
    const types = fc.constantFrom(...(Object.keys(cellTypes) as ColumnType[]));
    fc.assert(
      fc.property(types, fc.string({ unit: "binary", minLength: 1 }), (type, text) => {
        const result = cellTypes[type](text);
        expect(typeof result === "string" ? result : result.rule).toMatch(/[^]/u);
      }),
    );
  });

  it("are stable: what came out goes in again", () => {
    const types = fc.constantFrom(...(Object.keys(cellTypes) as ColumnType[]));
    const texts = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.webUrl(),
      fc.emailAddress(),
      fc.float().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    );
    fc.assert(
      fc.property(types, texts, (type, text) => {
        const once = cellTypes[type](text);
        const again = typeof once === "string" ? cellTypes[type](once) : once;
        expect(again).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});
