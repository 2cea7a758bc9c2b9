/** A stray cell far to the right must not make every row as wide: steps are counted. */
import { describe, expect, it } from "vitest";

import { readHeader } from "../../src/read/header/header.ts";
import type { RawCell } from "../../src/read/raw.ts";
import { RowReader } from "../../src/read/rows/rows.ts";
import { cell, makeXlsx, row } from "./make-xlsx.ts";
import { makeColumns, makeSource, readAll, writeFile } from "./make-source.ts";

const LAST = 16_384;
const ROWS = 1000;

const stray = (at: number): RawCell[] =>
  Array.from({ length: LAST }, (_, n) => (n === 0 ? "site" : n === 1 ? "n" : n === at ? "x" : ""));

describe("a stray header in column XFD", () => {
  it("is read with 1,000 rows, bad ones too, and gives each few columns", async () => {
    const rows = Array.from({ length: ROWS }, (_, n) =>
      row(n + 2, [n % 2 === 0 ? `s${n}` : "", `${n}`]),
    );
    const header = `<row r="1">${cell("A1", "site")}${cell("B1", "n")}${cell("XFD1", "x")}</row>`;
    const book = makeXlsx({ sheets: [{ rows: header + rows.join("") }] });
    const read = await readAll(
      makeSource(writeFile("wide.xlsx", book), { site: { required: true } }),
    );
    expect(read.rows).toHaveLength(ROWS);
    expect(read.problems).toHaveLength(ROWS / 2);
    expect(read.source.columns.length).toBeLessThan(300);
    expect(read.source.columns.at(-1)).toBe("x");
    expect(Object.keys(read.rows[1]?.cells ?? {}).length).toBeLessThan(300);
  });

  it("costs each row as many steps as it has columns that are meant", () => {
    const columns = makeColumns({ site: { required: true } });
    const header = readHeader({ line: 1, cells: stray(LAST - 1) }, columns);
    const options = { delimiter: "", uses: [] };
    const reader = new RowReader(makeSource("x.xlsx", { site: {} }), header, options);
    let steps = 0;
    const cells = new Proxy(["a", "1"], {
      get: (target, key, receiver): unknown => {
        steps += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const { values, cells: failed } = reader.read({ line: 2, cells });
    expect(values).toMatchObject({ site: "a", n: "1", x: "" });
    expect(Object.keys(failed).length).toBeLessThan(300);
    expect(steps).toBeLessThan(1000);
  });

  it("is found, and its cells are read, wherever it stands", () => {
    const columns = makeColumns({ x: {} });
    for (const at of [2, 300, LAST - 1]) {
      const header = readHeader({ line: 1, cells: stray(at) }, columns);
      const options = { delimiter: "", uses: [] };
      const reader = new RowReader(makeSource("x.xlsx", { x: {} }), header, options);
      const cells = Array.from({ length: at + 1 }, (_, n) => (n === at ? "far" : "near"));
      expect(reader.read({ line: 2, cells }).values["x"]).toBe("far");
    }
  });
});
