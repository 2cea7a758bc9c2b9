import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "../flow/in-process.ts";
import { makeXlsx, textSheet } from "../read/make-xlsx.ts";

const cwd = mkdtempSync(path.join(os.tmpdir(), "makeready-columns-"));

async function columns(content: string, ...args: string[]) {
  writeFileSync(path.join(cwd, "rows.csv"), content);
  return runInProcess(["columns", "rows.csv", ...args], { cwd });
}

const MESSY = [
  "Menus of spring 2026;;;",
  ";;;",
  "site;table;Link;note",
  ...Array.from({ length: 12 }, (_, n) => `Haus ${n};${n};https://a.example/${n};Bar`),
  "Haus 12;12;htp://a.example;9,50600013435E+12",
  "Haus 13;13",
].join("\r\n");

describe("makeready columns (docs/spec/jobs.md section 2)", () => {
  it("says in words that a formula has no result, and where a cell shows another text than its link", async () => {
    const rows = [
      `<row r="1"><c r="A1" t="inlineStr"><is><t>Ref</t></is></c><c r="B1" t="inlineStr"><is><t>Page</t></is></c></row>`,
      ...[2, 3, 4].map(
        (n) =>
          `<row r="${n}"><c r="A${n}">${n === 4 ? "<v>7</v>" : "<f>1+1</f>"}</c><c r="B${n}" t="inlineStr"><is><t>Menu ${n}</t></is></c></row>`,
      ),
    ];
    const links = `<hyperlinks><hyperlink ref="B3" r:id="r1"/></hyperlinks>`;
    const sheet = { rows: rows.join(""), after: links, links: { r1: "https://a.example/" } };
    writeFileSync(path.join(cwd, "formulas.xlsx"), makeXlsx({ sheets: [sheet] }));
    const { code, out, err } = await runInProcess(["columns", "formulas.xlsx"], { cwd });
    expect(code, err).toBe(0);
    expect(out).not.toContain("UNCALCULATED");
    expect(out).toMatch(/\n {2}Ref .* a formula without a result\n/u);
    expect(out).toContain("in 1 row a cell shows another text than its link, first in B3;");
  });

  it("says what was detected, what each column looks like and where it isn't", async () => {
    const { code, out, err } = await columns(MESSY);
    expect(code).toBe(0);
    expect(err).toBe("");
    expect(out).toBe(`rows.csv
  text (CSV), utf-8, delimiter ";"; header on line 3, 14 rows

  column  looks like       filled  for example
  site    text                all  Haus 0
  table   whole number        all  0
  Link    URL                  13  https://a.example/0
      line 16: must be a URL, got "htp://a.example"
  note    text                 13  Bar

  fit as key: site, table

  to look at:
    rows.csv line 16, column "note": must be written out, without scientific notation (the spreadsheet has dropped digits), got "9,50600013435E+12" (format the column as Text, enter the number again and save)
    rows.csv line 17: row must have 4 cells, as the header has, got 2 (is a delimiter missing, or a cell with one not in quotes?)
`);
  });

  it("names a header with a line break in one line", async () => {
    const { out } = await columns('"Artikel\nname",n\na,1\nb,1\n');
    expect(out).toContain("fit as key: Artikel name\n");
  });

  it.each([
    [
      "Name,Link\nA,https://a.example/1\nA,https://a.example/2\nA,https://a.example/3\n",
      'no cell twice, but no key: "Link", since addresses change',
    ],
    [
      "Vorname,Nachname,Firma\nAda,Byron,A\nAda,Byron,B\n",
      'no cell twice, but no key: "Firma", since people may share it',
    ],
    ["Vorname,Nachname,Pers.-Nr.\nAda,Byron,7\nAda,Byron,9\n", "fit as key: Pers.-Nr."],
    [
      "Vorname,Nachname,Member video\nAda,Byron,a.mp4\nAda,Byron,b.mp4\n",
      'no cell twice, but no key: "Member video", since people may share it',
    ],
    ["Haus,Tisch\n1,1\n1,2\n2,1\n", "fit as key: Haus with Tisch"],
    [
      `Kennung\n${"A B C D E F G H I J K L M N O P Q R S T T".replaceAll(" ", "\n")}\n`,
      "fit as key: Kennung (empty or there twice in 1 row)",
    ],
  ])("says of %j what init says of its key", async (content, said) => {
    const { out } = await columns(content);
    expect(out).toContain(`\n\n  ${said}\n`);
    const name = `k${Math.abs(content.length)}`;
    const init = await runInProcess(["init", name, "--source", "rows.csv", "--yes"], { cwd });
    const fit = said.startsWith("fit as key");
    expect(init.out.includes("no column tells all rows apart for good")).toBe(!fit);
    if (!fit) expect(init.out).toContain(`(${said})`);
  });

  it("says which columns no job can use, since another has the name", async () => {
    const { out } = await columns(
      "nr,name,Name,link,link\n1,a,b,https://a.example/1,c\n2,d,e,https://a.example/2,f\n",
    );
    expect(out).toContain("\n\n  fit as key: nr, link (2)\n");
    const told = ["name", "Name", "link"].map(
      (header) =>
        `    rows.csv line 1, column "${header}": another column has this name, too, so no job can use it (rename one of the two in the spreadsheet)\n`,
    );
    expect(out).toContain(`  to look at:\n${told.join("")}`);
  });

  it("shows cells without the ' before a formula, as they are used, and says so", async () => {
    const { out } = await columns("nr;tel\n1;'+49 40 123\n2;'@home\n3;'quoted'\n");
    expect(out).toContain("  tel     text                all  +49 40 123\n");
    expect(out).toContain(
      `rows.csv line 2, column "tel": 2 cells of the column have a ' in front that keeps programs from reading a formula, and is left out: "'+49 40 123", used as "+49 40 123" (first one)`,
    );
  });

  it("names the workbook where it gets the note that it is open", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-open-"));
    writeFileSync(path.join(folder, "~$menu.xlsx"), "Anna");
    const { code, err } = await runInProcess(["columns", "~$menu.xlsx"], { cwd: folder });
    rmSync(folder, { recursive: true });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("name the workbook itself: menu.xlsx"),
    ]);
  });

  it("takes the header from the given row", async () => {
    const { out } = await columns(MESSY, "--header-row", "1");
    expect(out).toContain("header on line 1");
    const { code, err } = await columns(MESSY, "--header-row", "first");
    expect(code).toBe(2);
    expect(err).toContain("--header-row must be a whole number from 1, got first");
  });

  it("says the same to programs, with --json", async () => {
    const { out } = await columns(MESSY, "--json");
    expect(JSON.parse(out)).toMatchObject({
      type: "summary",
      file: path.join(cwd, "rows.csv"),
      detected: { format: "csv", encoding: "utf-8", delimiter: ";", headerLine: 3 },
      rows: 14,
      columns: ["site", "table", "Link", "note"],
      profile: [{ column: "site", type: "text" }, { type: "integer" }, { type: "url" }, {}],
      problems: [{ where: { line: 16 } }, { where: { line: 17 } }],
    });
  });

  it("names the sheet that it read, and the others", async () => {
    const sheet = textSheet([["site"], ["a"]]);
    const book = makeXlsx({ sheets: [sheet, { ...sheet, name: "Second" }] });
    writeFileSync(path.join(cwd, "book.xlsx"), book);
    const { out } = await runInProcess(["columns", "book.xlsx"], { cwd });
    expect(out).toContain(
      'workbook (XLSX), sheet "Sheet1" (a manifest names it as source.sheet; --sheet shows another: "Second"); header on',
    );
    const second = await runInProcess(["columns", "book.xlsx", "--sheet", "2"], { cwd });
    expect(second.out).toContain(
      'sheet "Second" (a manifest names it as source.sheet; --sheet shows another: "Sheet1")',
    );
    const cover = makeXlsx({
      sheets: [
        { ...textSheet([["Stand"], ["heute"]]), name: "Deckblatt" },
        { ...textSheet([["site"], ["a"], ["b"], ["c"]]), name: "Liste" },
      ],
    });
    writeFileSync(path.join(cwd, "cover.xlsx"), cover);
    const fullest = await runInProcess(["columns", "cover.xlsx"], { cwd });
    expect(fullest.out).toContain('sheet "Liste"');
    expect(fullest.out).toContain("3 rows");
  });

  it("keeps long cells and headers on one line", async () => {
    const { out } = await columns(`${"h".repeat(80)},n\n"${"long text\n".repeat(40)}",1\n`);
    expect(out.split("\n").every((line) => line.length < 130)).toBe(true);
    expect(out).toContain("…");
  });
});
