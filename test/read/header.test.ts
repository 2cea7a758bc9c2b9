import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  cleanHeader,
  listHeaders,
  pickHeader,
  readHeader,
  toHeaderKey,
} from "../../src/read/header/header.ts";
import { makeColumns } from "./make-source.ts";

const rowOf = (...cells: string[]) => ({ line: 1, cells });

describe("header texts", () => {
  it.each([
    ["\ufeffSite", "Site"],
    ["Ziel\u00a0URL ", "Ziel URL"],
    ["a\u200b\u200db", "ab"],
    ["\u202eabc\u202c", "abc"],
    ["so\u00adft", "soft"],
    ["two\nlines\t here", "two lines here"],
    ["ﬁle №", "file No"],
    ["Ｔａｂｌｅ", "Table"],
    ["Stra\u00dfe", "Straße"],
  ])("%j is %j", (text, expected) => expect(cleanHeader(text)).toBe(expected));

  it("are clean after one cleaning, and keys know no case", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(cleanHeader(cleanHeader(text))).toBe(cleanHeader(text));
        expect(toHeaderKey(toHeaderKey(text))).toBe(toHeaderKey(text));
      }),
    );
  });
});

describe("readHeader", () => {
  it("calls a column what templates call it, where that is what the file shows", () => {
    const row = rowOf("Fläche m²", "Marke™", "ＵＲＬ", "Link\nWeb", "name   ");
    const uses = ["Fläche m²", "Marke™", "ＵＲＬ", "Link\nWeb", "name   "];
    const { cells } = readHeader(row, makeColumns({}), uses);
    expect(cells.map(({ name }) => name)).toEqual(uses);
    const both = readHeader(row, makeColumns({}), ["Marke™", "MarkeTM"]);
    expect(both.cells[1]?.name).toBe("MarkeTM");
    expect(both.cells[0]?.name).toBe("Fläche m2");
  });

  it("names a hundred thousand columns of one text in one walk over them", () => {
    const { cells } = readHeader(
      { line: 1, cells: Array.from({ length: 100_000 }, () => "c") },
      makeColumns({}),
    );
    expect(cells.at(-1)?.header).toBe("c (100000)");
  });

  it("lists some of very many headers, cuts long ones, and says so", () => {
    const texts = Array.from({ length: 16_000 }, (_, n) => `${"long ".repeat(50)}${n}`);
    const listed = listHeaders(readHeader(rowOf(...texts), makeColumns({})));
    expect(listed).toHaveLength(51);
    expect(listed.at(-1)).toBe("… and 15,950 more");
    expect(listed.join(", ").length).toBeLessThan(5000);
  });

  it("gives every column a name of its own", () => {
    const names = fc.array(fc.constantFrom("a", "A", "a ", "", "b", "a (2)", "__proto__"), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(names, (texts) => {
        const { cells } = readHeader(rowOf(...texts), makeColumns({ a: {} }));
        const headers = cells.map(({ header }) => header);
        const used = cells.flatMap(({ name }) => (name === undefined ? [] : [name]));
        expect(new Set(headers).size).toBe(texts.length);
        expect(new Set(used).size).toBe(used.length);
      }),
    );
  });

  it.each([
    [
      ["link", "link", "link (2)", "Link (3)"],
      ["link", "link (4)", "link (2)", "Link (3)"],
    ],
    [
      ["", "Column 1", "url"],
      ["column 1 (2)", "Column 1", "url"],
    ],
    [
      ["Link", "Link", "link", "link"],
      ["Link", "Link (2)", "link", "link (3)"],
    ],
  ])("shows no column under the name of another: %j", (texts, shown) => {
    const { cells } = readHeader(rowOf(...texts), makeColumns({}));
    expect(cells.map(({ header }) => header)).toEqual(shown);
    const named = shown.filter((name) => !texts.includes(name));
    const byShown = named.map((name) => {
      const found = readHeader(rowOf(...texts), makeColumns({ x: { aliases: [name] } }));
      return found.cells.find(({ column }) => column === "x")?.header;
    });
    expect(byShown).toEqual(named);
  });

  it("takes the first alias that is there, in the manifest's order", () => {
    const columns = makeColumns({ url: { aliases: ["link", "address"] } });
    const { cells, passedOver } = readHeader(rowOf("Address", "Link", "x"), columns);
    expect(cells.map(({ column }) => column)).toEqual([undefined, "url", undefined]);
    expect(passedOver).toEqual([["url", "Address"]]);
  });

  it("takes the name that is shown for an empty or a repeated header", () => {
    const row = rowOf("", "link", "", "Link", "column 3");
    const columns = makeColumns({
      no: { aliases: ["column 1"] },
      other: { aliases: ["Link (2)", "column 9"] },
      text: { aliases: ["column 3"] },
    });
    const { cells, absent, duplicates } = readHeader(row, columns);
    expect(cells.map(({ column }) => column)).toEqual([
      "no",
      undefined,
      undefined,
      undefined,
      "text",
    ]);
    expect({ absent, duplicates }).toEqual({ absent: ["other"], duplicates: [] });
    const same = readHeader(
      rowOf("link", "link", ""),
      makeColumns({ other: { aliases: ["link (2)"] } }),
    );
    expect(same.cells.map(({ column }) => column)).toEqual([undefined, "other", undefined]);
    expect(same.duplicates).toEqual([]);
  });

  it("takes no name of a column that is left out", () => {
    const row = rowOf("a", ...Array.from({ length: 300 }, () => ""));
    const columns = makeColumns({
      last: { aliases: ["column 300"] },
      first: { aliases: ["column 2"] },
    });
    expect(readHeader(row, columns).absent).toEqual(["last"]);
  });

  it("leaves the manifest's names to its columns", () => {
    const columns = makeColumns({ site: { aliases: ["place"] }, url: {} });
    const { cells, absent } = readHeader(rowOf("Place", "note"), columns);
    expect(cells.map(({ name }) => name)).toEqual(["site", "note"]);
    expect(absent).toEqual(["url"]);
  });
});

describe("pickHeader", () => {
  const columns = makeColumns({ site: { required: true }, url: { required: true }, n: {} });

  it("takes the first row with all required columns", () => {
    const rows = [
      rowOf("site"),
      rowOf("title", ""),
      rowOf("url", "site"),
      rowOf("url", "site", "n"),
    ];
    expect(pickHeader(rows, columns)).toBe(rows[2]);
  });

  it("takes a row in which a required column has no name", () => {
    const nameless = makeColumns({ no: { required: true, aliases: ["column 1"] } });
    const rows = [rowOf("List", "new"), rowOf("", "url"), rowOf("0", "https://a.example/")];
    expect(pickHeader(rows, nameless)).toBe(rows[1]);
  });

  it("takes the texts of a row before names that are shown in place of texts", () => {
    const shown = makeColumns({
      place: { required: true, aliases: ["Column 2"] },
      url: { required: true, aliases: ["Column 3"] },
    });
    const rows = [rowOf("Report", "", ""), rowOf("Column 1", "Column 2", "Column 3"), rowOf("A")];
    expect(pickHeader(rows, shown)).toBe(rows[1]);
    const { cells } = readHeader(
      rowOf("", "nr", "url"),
      makeColumns({ n: { aliases: ["column 1", "nr"] } }),
    );
    expect(cells.map(({ column }) => column)).toEqual([undefined, "n", undefined]);
  });

  it("takes the best one when none has them all, and skips titles without columns", () => {
    const rows = [rowOf("title"), rowOf("site", "n"), rowOf("x")];
    expect(pickHeader(rows, columns)).toBe(rows[1]);
    expect(pickHeader(rows, makeColumns({}))).toBe(rows[0]);
    const titled = [rowOf("List", "", ""), rowOf("a", "b", "c"), rowOf("1")];
    expect(pickHeader(titled, makeColumns({}))).toBe(titled[1]);
    const sparse = [rowOf("a", "", "c", "", ""), rowOf("1", "2", "3", "4", "5")];
    expect(pickHeader(sparse, makeColumns({}))).toBe(sparse[0]);
    const noted = [
      rowOf("as of", "2026-11-20", "ask: a@shop.example", "", ""),
      rowOf("a", "b", "c", "d", "e"),
      rowOf("1", "2", "3", "4", "5"),
    ];
    expect(pickHeader(noted, makeColumns({}))).toBe(noted[1]);
    const years = [rowOf("site", "2026"), rowOf("1", "2", "3")];
    expect(pickHeader(years, makeColumns({}))).toBe(years[0]);
    expect(pickHeader([], columns)).toBeUndefined();
  });

  it("takes the names of two columns below a title, or those that templates use", () => {
    const none = makeColumns({});
    const titled = [rowOf("Table 1", ""), rowOf("code", "label"), rowOf("1", "a")];
    expect(pickHeader(titled, none)).toBe(titled[1]);
    const nameless = [rowOf("code", ""), rowOf("A-01", "North"), rowOf("A-02", "South")];
    expect(pickHeader(nameless, none, ["code"])).toBe(nameless[0]);
    const people = [rowOf("name", ""), rowOf("Ann", "ann@a.example"), rowOf("Bo", "bo@a.example")];
    expect(pickHeader(people, none)).toBe(people[0]);
    const twoLines = [
      rowOf("Shelf", "", "Goods"),
      rowOf("no", "hall", "url"),
      rowOf("1", "2", "3"),
    ];
    expect(pickHeader(twoLines, none, ["no", "url"])).toBe(twoLines[1]);
    expect(pickHeader(twoLines, none, ["Shelf", "Goods"])).toBe(twoLines[0]);
    expect(pickHeader(twoLines, none, ["no", "other"])).toBe(twoLines[0]);
  });
});
