import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { filterNames } from "../../src/job/template/filters.ts";
import {
  columnsOf,
  parseTemplate,
  readTemplate,
  renderTemplate,
} from "../../src/job/template/template.ts";

const NOON = { nowMs: Date.UTC(2026, 10, 20, 12) };
const ROW = {
  site: "Café München",
  table: "7",
  net: 'a;b,c:d"e\\f',
  kind: "WPA2-PSK",
  open: "offen",
  "Ziel-URL": "https://a.example/?x=1&y=ü",
  day: "2026-03-09",
  empty: "",
  blank: "  ",
  spaced: "  two \t words ",
  ESCAPE: "{{ site }}",
};

const render = (text: string, values: Record<string, string> = ROW): string =>
  renderTemplate(text, values, NOON);

describe("rendering", () => {
  it.each([
    ["", ""],
    ["plain } { text }}", "plain } { text }}"],
    ["{{ site }}", "Café München"],
    ["{{site}}", "Café München"],
    ["{{   Ziel-URL   }}", "https://a.example/?x=1&y=ü"],
    ["{{ site }} / table {{ table }}", "Café München / table 7"],
    ["{{ ESCAPE }}", "{{ site }}"],
    ["{{ date }}", "2026-11-20"],
    ["{{ month }}", "2026-11"],
  ])("%j gives %j", (text, expected) => expect(render(text)).toBe(expected));

  it.each([
    ["{{ site | slug }}", "cafe-munchen"],
    ["{{ site | slug: de }}", "cafe-muenchen"],
    ["{{ site | upper }}", "CAFÉ MÜNCHEN"],
    ["{{ site | lower }}", "café münchen"],
    ["{{ spaced | trim }}", "two words"],
    ["{{ table | pad: 3 }}", "007"],
    ['{{ table | pad: 3, "_" }}', "__7"],
    ["{{ site | pad: 3 }}", "Café München"],
    ["{{ site | first }}", "Café München"],
    ['{{ site | first: " " }}', "Café"],
    ['{{ table | prefix: "Table " }}', "Table 7"],
    ['{{ empty | prefix: "Table " }}', ""],
    ["{{ table | suffix: ' | new' }}", "7 | new"],
    ['{{ table | suffix: "}}" }}', "7}}"],
    ["{{ empty | suffix: x }}", ""],
    ["{{ empty | default: Unsorted }}", "Unsorted"],
    ["{{ blank | default: 'a, b' | upper }}", "A, B"],
    ["{{ site | default: x }}", "Café München"],
    ["{{ day | date: YYMMDD }}", "260309"],
    ["{{ day | date: D.M.YYYY }}", "9.3.2026"],
    ["{{ day | date }}", "2026-03-09"],
    ["{{ empty | date: YYMMDD }}", ""],
    ["{{ date | date: YYMM }}", "2611"],
    ["{{ site | truncate: 4 }}", "Café"],
    ['{{ site | truncate: 6, "…" }}', "Café…"],
    ["{{ site | truncate: 100 }}", "Café München"],
    ["{{ Ziel-URL | urlencode }}", "https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D%C3%BC"],
    ["{{ month | name }}", "November"],
    ["{{ month | name: de }}", "November"],
    ["{{ day | name: de }}", "März"],
    ["{{ day | name: pl | upper }}", "MARZEC"],
    ["{{ table | name }}", "July"],
    ["{{ empty | name }}", ""],
    ["{{ table | pad: 3 | prefix: T | lower }}", "t007"],
    ["{{ net | wifi }}", 'a\\;b\\,c\\:d\\"e\\\\f'],
    ["{{ kind | wifi: type }} {{ open | wifi: type }}", "WPA nopass"],
    ["{{ empty | wifi }}{{ empty | default: WPA | wifi: type }}", "WPA"],
  ])("%j gives %j", (text, expected) => expect(render(text)).toBe(expected));

  it("lets a column win over a built-in of the same name", () => {
    expect(render("{{ date }}", { date: "today" })).toBe("today");
  });

  it("knows the zone of the job", () => {
    const late = { nowMs: Date.UTC(2026, 11, 31, 23, 30), timeZone: "Europe/Berlin" };
    expect(renderTemplate("{{ date }} {{ month }}", {}, late)).toBe("2027-01-01 2027-01");
  });

  it("cuts by letters as people see them", () => {
    expect(render("{{ x | truncate: 2 }}", { x: "👩‍👩‍👧e\u0301z" })).toBe("👩‍👩‍👧e\u0301");
  });

  it("survives lone surrogates", () => {
    expect(render("{{ x | urlencode }}", { x: "a\ud800" })).toBe("a%EF%BF%BD");
  });

  it.each([
    ["{{ site | date: YYMMDD }}", 'must be a date like 2026-11-20, got "Café München"'],
    ["{{ site | name }}", "must be a date or a month from 1 to 12"],
    ["{{ site | wifi: type }}", 'must be WPA, WEP or nopass, got "Café München"'],
    ["{{ nope }}", 'must name a column of the row, got "nope"'],
    ["{{ toString }}", 'got "toString"'],
  ])("%j is an error of the row", (text, message) => {
    expect(() => render(text)).toThrow(AppError);
    expect(() => render(text)).toThrow(message);
    expect(() => render(text)).toThrow(expect.objectContaining({ code: "row-invalid" }) as Error);
  });

  it("never looks into what it put in", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(renderTemplate("{{ a }}|{{ b }}", { a, b }, NOON)).toBe(`${a}|${b}`);
      }),
    );
  });
});

describe("faults", () => {
  it("lists all of them with their places", () => {
    const { faults } = readTemplate("{{ a | padd: 3 }} {{ b | pad: x }} {{ }} {{ c");
    expect(faults.map(({ offset, message }) => [offset, message])).toEqual([
      [0, `filter must be one of ${filterNames.join(", ")}, got "padd"`],
      [18, 'argument of the filter "pad" must be a whole number from 1 to 200, got "x"'],
      [35, 'template must name a column between "{{" and "}}", got nothing'],
      [41, 'template must close every "{{" with "}}", got "{{ c"'],
    ]);
    expect(faults[0]?.hint).toBe('did you mean "pad"?');
  });

  it.each([
    "{{ a | }}",
    "{{ a | pad }}",
    "{{ a | pad: 0 }}",
    '{{ a | first: "" }}',
    "{{ a | pad: 999 }}",
    '{{ a | pad: 3, "ab" }}',
    "{{ a | pad: 1, 2, 3 }}",
    "{{ a | slug: x }}",
    "{{ a | default }}",
    "{{ a | truncate: -1 }}",
    "{{ a | name: x y }}",
    "{{ a | date: x }}",
    "{{ a | constructor }}",
    "{{ a | __proto__ }}",
    '{{ a | prefix: "open }}',
  ])("%j is refused", (text) => {
    expect(readTemplate(text).faults).toHaveLength(1);
    expect(() => parseTemplate(text)).toThrow(AppError);
  });

  it("throws with everything that is wrong", () => {
    const two = [expect.anything() as unknown, expect.anything() as unknown];
    expect(() => parseTemplate("{{ a | x }}{{ b | y }}")).toThrow(
      expect.objectContaining({ code: "manifest-invalid", problems: two }) as Error,
    );
  });

  it("never throws anything else, whatever the text", () => {
    const pieces = fc.constantFrom(
      "{{",
      "}}",
      "|",
      ":",
      ",",
      '"',
      "'",
      " ",
      "a",
      "pad",
      "3",
      "date",
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 20 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { template, faults } = readTemplate(text);
        if (faults.length > 0) return;
        const values = Object.fromEntries(columnsOf(template).map((name) => [name, "2026-01-02"]));
        expect(typeof renderTemplate(template, values, NOON)).toBe("string");
      }),
      { numRuns: 2000 },
    );
  });
});

describe("columns", () => {
  it("are listed once, in order", () => {
    expect(columnsOf(parseTemplate("{{ b }}{{ a | slug }}{{ b }}x"))).toEqual(["b", "a"]);
  });
});
