import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { runInProcess, type InProcess } from "./in-process.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "makeready-finished-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CODES = `version: 1
name: menus
kind: codes
source: { file: rows.csv, key: [number], columns: { number: { required: true }, url: { type: url, required: true } } }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "Table {{ number }}" }
output:
  dir: out
  files: [svg]
  zip: { per: hall, name: "{{ hall | slug }}.zip" }
  sheets: { sheet: avery-l7159, per: hall, name: "{{ hall | slug }}.pdf" }
  index: [csv, xlsx]
`;
const GOOD = [
  "1,North,https://menu.example/1",
  "2,North,https://menu.example/2",
  "3,South,https://menu.example/3",
];

let folder = "";

const call = (...args: string[]): Promise<InProcess> => runInProcess(args, { cwd: folder });
const writeRows = (rows: readonly string[]): void =>
  writeFileSync(path.join(folder, "rows.csv"), `number,hall,url\n${rows.join("\n")}\n`);

/** Name -> bytes of all finished files; lists of rows to mend, logs and states are none. */
function finished(dir = "out"): Record<string, string> {
  const names = readdirSync(path.join(folder, dir)).filter((name) =>
    /^(?!failed-rows).*\.(?:pdf|zip|xlsx|html|json)$|^index.csv$/u.test(name),
  );
  return Object.fromEntries(
    names.toSorted().map((name) => [name, readFileSync(path.join(folder, dir, name), "base64")]),
  );
}

beforeEach(() => {
  folder = mkdtempSync(path.join(root, "shop-"));
  writeFileSync(path.join(folder, "menus.yaml"), CODES);
  writeRows(GOOD);
});

describe("finished files", () => {
  it("stay when every row is bad, and plan and run say so", async () => {
    await call("run", "menus.yaml");
    const before = finished();
    expect(Object.keys(before)).toEqual([
      "index.csv",
      "index.xlsx",
      "north.pdf",
      "north.zip",
      "report.html",
      "sheet-map.json",
      "south.pdf",
      "south.zip",
    ]);
    writeRows(GOOD.map((row) => row.replace("https", "htp")));
    expect((await call("plan", "menus.yaml")).out).toContain(
      "no row is good: a run leaves all finished files of the last one as they are",
    );
    for (const step of ["run", "run"]) {
      const { code, out } = await call(step, "menus.yaml");
      expect(code).toBe(3);
      expect(out).toContain("3 bad in the spreadsheet");
      expect(out).toMatch(/out\/north\.pdf +kept from the run of \d{4}-\d\d-\d\d \d\d:\d\d UTC/u);
      expect(out).toMatch(/out\/report\.html +kept from/u);
      expect(out).toMatch(/out\/failed-rows\.csv +3 rows to mend/u);
      expect(finished()).toEqual(before);
    }
    expect((await call("verify", "menus.yaml")).out).toContain("all 3 codes read back");
    expect((await call("sheets", "reprint", "menus.yaml", "--lines", "2")).code).toBe(0);
    expect((await call("status", "menus.yaml")).out).toMatch(/3 done\n +3 bad in the spreadsheet/u);
    rmSync(path.join(folder, "out", "north-reprint.pdf"));
    writeRows(GOOD);
    const { code, out } = await call("run", "menus.yaml");
    expect([code, out]).toEqual([0, expect.stringContaining("0 writes")]);
    const { "report.html": _old, ...others } = before;
    expect(finished()).toMatchObject(others);
    expect(existsSync(path.join(folder, "out", "failed-rows.csv"))).toBe(false);
  });

  it("stay when the colours of the manifest can't be scanned", async () => {
    await call("run", "menus.yaml");
    const before = finished();
    const pale = ["--set", "code.design.primary_color=#eeeeee"];
    // A fault of the manifest: nothing is begun.
    expect((await call("run", "menus.yaml", ...pale)).code).toBe(2);
    expect(finished()).toEqual(before);
    expect((await call("run", "menus.yaml", ...pale, "--fresh", "--yes")).code).toBe(2);
    expect(finished()).toEqual(before);
  });

  it("of one group stay when its rows are bad, and go when its rows are gone", async () => {
    await call("run", "menus.yaml");
    const before = finished();
    for (const bad of ["3,South,htp://menu.example/3", ",South,https://menu.example/3"]) {
      writeRows([...GOOD.slice(0, 1), bad]);
      const { code, out } = await call("run", "menus.yaml");
      expect(code).toBe(3);
      expect(out).toMatch(/out\/south\.pdf +kept from the run of/u);
      expect(out).toMatch(/out\/south\.zip +kept from the run of/u);
      const now = finished();
      expect([now["south.pdf"], now["south.zip"]]).toEqual([
        before["south.pdf"],
        before["south.zip"],
      ]);
      expect(now["north.pdf"]).not.toBe(before["north.pdf"]);
      const report = readFileSync(path.join(folder, "out", "report.html"), "utf8");
      expect(report).toMatch(/south\.pdf[^]*kept from the run of/u);
      // Nothing is to be done: the same is told from the seal.
      expect((await call("run", "menus.yaml")).out).toMatch(/south\.pdf +kept from the run of/u);
    }
    writeRows(GOOD.slice(0, 1));
    const gone = await call("run", "menus.yaml");
    expect(gone.out).toContain(
      "a run removes south.pdf, south.zip: nothing goes into them any more",
    );
    expect(gone.out).not.toContain("kept from the run of");
    expect(Object.keys(finished())).not.toContain("south.pdf");
  });

  it("of a redesign stay when its colours can't be scanned, and when nothing is selected", async () => {
    writeFileSync(path.join(folder, "menus.yaml"), CODES.replace("files: [svg]", "files: []"));
    await call("run", "menus.yaml");
    writeFileSync(
      path.join(folder, "restyle.yaml"),
      'version: 1\nname: restyle\nkind: redesign\nselect: { q: Table }\ndesign: { primary_color: "#003366" }\noutput: { dir: restyled, files: [], index: [csv], sheets: true }\n',
    );
    // Only the server knows how large the matrices of its codes are.
    expect((await call("plan", "restyle.yaml")).out).toMatch(/X-dimension at most \d\.\d{3} mm/u);
    expect((await call("plan", "menus.yaml")).out).toMatch(/X-dimension \d\.\d{3} mm/u);
    expect((await call("run", "restyle.yaml")).code).toBe(0);
    const before = finished("restyled");
    expect(Object.keys(before)).toContain("restyle.pdf");
    const pale = await call("run", "restyle.yaml", "--set", "design.primary_color=#eeeeee");
    expect([pale.code, pale.err]).toEqual([2, expect.stringContaining("design.primary_color")]);
    expect(finished("restyled")).toEqual(before);
    const nothing = await call("run", "restyle.yaml", "--set", "select.q=Nobody");
    expect([nothing.code, nothing.out]).toEqual([
      0,
      expect.stringContaining("kept from the run of"),
    ]);
    expect(finished("restyled")).toEqual(before);
  });
});
