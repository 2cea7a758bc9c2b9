import { readFileSync } from "node:fs";

/**
 * `failed-rows.csv` and `failed-rows.xlsx`, mended or not, mean the same when they are fed back
 * (docs/spec/jobs.md section 2).
 */
import { describe, expect, it } from "vitest";

import type { JobSource } from "../../src/job/job.ts";
import { writeFailedCsv, writeFailedXlsx } from "../../src/pack/failed-rows.ts";
import { makeXlsx, number, row } from "./make-xlsx.ts";
import { makeSource, readAll, writeFile, type ColumnSpec } from "./make-source.ts";

const COLUMNS: Record<string, ColumnSpec> = {
  need: { required: true },
  text: {},
  n: { type: "number" },
  day: { type: "date" },
  url: { type: "url" },
};

/** Without the columns that the lists of failed rows add. */
const strip = ({ line: _line, reason: _reason, ...rest }: Readonly<Record<string, string>>) => rest;

/** Values of the bad rows of a file, and of the file of failed rows that is made of them. */
async function feedBack(source: JobSource, format: "csv" | "xlsx") {
  const first = await readAll(source);
  const bad = first.rows.filter(({ problems }) => problems.length > 0);
  const rows = bad.map(({ cells, line, problems }) => ({
    cells: first.source.columns.map((header) => cells[header] ?? ""),
    line,
    reasons: problems.map(({ message }) => message),
  }));
  const file = writeFile(`failed-rows.${format}`, "");
  const { columns, detected } = first.source;
  const table = { header: columns, rows, delimiter: detected.delimiter || "," };
  if (format === "csv") await writeFailedCsv(file, table);
  else await writeFailedXlsx(file, table, { createdAt: new Date(0) });
  const again = await readAll({ ...source, file });
  const { warnings } = again.source;
  const before = bad.map(({ values }) => strip(values));
  const text = readFileSync(file, "utf8");
  const againProblems = again.rows.flatMap(({ problems }) => problems.map((one) => one.message));
  return { before, again: again.values.map(strip), againProblems, warnings, text };
}

describe.each(["csv", "xlsx"] as const)("rows that are fed back as %s", (format) => {
  it.each([
    "plain",
    "'=1+1",
    "''=1+1",
    "'quoted",
    "-5",
    "@home",
    "'@home",
    "\uff1dx",
    "'\uff1dx",
    "ü",
  ])("keep the text %j", async (text) => {
    const file = writeFile("rows.csv", `need;text\n;${text}\n`);
    const { before, again } = await feedBack(makeSource(file, COLUMNS), format);
    expect(again).toEqual(before);
  });

  it.each([";", "\t", "|"])(
    "are laid out with the delimiter of the source, %j",
    async (delimiter) => {
      const lines = ["need;text", ';"a, b; c"', ";plain"].map((line) =>
        line.replace(";", delimiter),
      );
      const file = writeFile("rows.csv", `${lines.join("\n")}\n`);
      const source = makeSource(file, COLUMNS, { delimiter: format === "csv" ? delimiter : null });
      const { before, again, text } = await feedBack(source, format);
      const head = ["need", "text", "line", "reason"].join(delimiter);
      expect(format === "xlsx" || text.includes(head)).toBe(true);
      expect(before).toHaveLength(2);
      expect(again).toEqual(before);
    },
  );

  it("have their header in line 1, wherever that of the spreadsheet was", async () => {
    const file = writeFile("rows.csv", "Guest list\n\nneed;text;line;reason\n;x;7;none\n;y;8;\n");
    const { before, again } = await feedBack(makeSource(file, COLUMNS, { headerRow: 3 }), format);
    expect(before).toHaveLength(2);
    expect(again).toMatchObject(before);
  });

  it("keep what an encoding named in the manifest has made of them", async () => {
    const file = writeFile("rows.csv", Buffer.from("need;text\n;München\n", "latin1"));
    const source = makeSource(file, COLUMNS, { encoding: "windows-1252" });
    const { before, again, warnings } = await feedBack(source, format);
    expect(before[0]).toMatchObject({ text: "München" });
    expect(again).toEqual(before);
    expect(warnings.map(({ message }) => message)).toEqual(
      format === "csv" ? [expect.stringContaining("begins with the mark of utf-8")] : [],
    );
  });

  it("keep numbers, days and links of a workbook, however they are shown", async () => {
    const book = makeXlsx({
      formats: ["#,##0", "dd.mm.yyyy", "hh:mm"],
      sheets: [
        {
          rows:
            row(1, ["need", "text", "n", "day", "url"]) +
            row(2, ["", number(7, 1), number(1234, 5), number(46_000, 6), "our menu"]) +
            row(3, ["", "x", number("1.125"), number(46_000.5, 7), "https://b.example/"]),
          after: '<hyperlinks><hyperlink ref="E2" r:id="r1"/></hyperlinks>',
          links: { r1: "https://menu.example/?a=1#b" },
        },
      ],
    });
    const { before, again } = await feedBack(
      makeSource(writeFile("rows.xlsx", book), COLUMNS),
      format,
    );
    expect(before[0]).toMatchObject({
      n: "1234",
      day: "2025-12-09",
      url: "https://menu.example/?a=1#b",
    });
    expect(again[1]).toMatchObject({ ...before[1], n: "1.1250" });
    expect(again[0]).toEqual(before[0]);
  });

  it.each([
    "12345678901234567890",
    "0123456789012345",
    "1234567890123456.5",
    "9007199254740993",
    "00049",
    "1e5",
    "1E+20",
    "1.10",
    "-0",
    "+49 30 1234",
    "½",
    "2026-02-31",
    "31.02.2026",
    "29.02.2100",
    "00.00.0000",
    "1/2",
    "3-4",
    "MAR1",
    "1900-02-29",
    "12/31/1899",
    "24:00",
    "0:0",
    "1:2:3",
    "10%",
    "1,000",
    "TRUE",
    "#N/A",
    "1-2-3",
    "٣",
  ])("change nothing of %j, in columns of any type", async (text) => {
    const cell = `"${text}"`;
    const file = writeFile("rows.csv", `need;text;n;day\n;${cell};;\n;;${cell};\n;;;${cell}\n`);
    const first = await readAll(makeSource(file, COLUMNS));
    const { before, again, againProblems } = await feedBack(makeSource(file, COLUMNS), format);
    expect(before).toHaveLength(3);
    expect(before[0]).toMatchObject({ text });
    expect(again).toEqual(before);
    const problems = first.rows.flatMap(({ problems: own }) => own.map(({ message }) => message));
    expect(againProblems).toEqual(problems);
  });

  it("keep long numbers and odd days of a workbook as they are shown", async () => {
    const book = makeXlsx({
      formats: ["0", "dd.mm.yyyy", "[h]:mm", "00000", "@"],
      sheets: [
        {
          rows:
            row(1, ["need", "text", "n", "day"]) +
            row(2, ["", number("123456789012345", 5), "x", "x"]) +
            row(3, ["", number(60, 6), "x", "x"]) +
            row(4, ["", number(1.25, 7), "x", "x"]) +
            row(5, ["", number(49, 8), "x", number(-1, 6)]) +
            row(6, ["", number("0.1"), "x", number(3_000_000, 6)]) +
            row(7, ["", "12345678901234567890", "12345678901234567890", "31.02.2026"]),
        },
      ],
    });
    const source = makeSource(writeFile("rows.xlsx", book), COLUMNS);
    const first = await readAll(source);
    const { before, again, againProblems } = await feedBack(source, format);
    expect(before).toHaveLength(6);
    expect(again).toEqual(before);
    expect(againProblems).toHaveLength(first.rows.flatMap(({ problems }) => problems).length);
  });

  it("refuse a number whose last digits are lost again, in columns of every type", async () => {
    const long = number("123456789012345678");
    const rows = row(1, ["need", "text", "n"]) + row(2, ["a", long, long]);
    const file = writeFile("rows.xlsx", makeXlsx({ sheets: [{ rows }] }));
    const { againProblems } = await feedBack(makeSource(file, COLUMNS), format);
    const says = expect.stringContaining("keeps 15 digits only, the others are lost");
    expect(againProblems).toEqual([says, says]);
  });

  it("refuse a formula that was never calculated again, in columns of every type", async () => {
    const unsaved = { xml: '<c><f>CONCATENATE("b","@example.com")</f><v></v></c>' };
    const rows = row(1, ["need", "text", "n", "mail"]) + row(2, ["a", unsaved, "1", unsaved]);
    const file = writeFile("rows.xlsx", makeXlsx({ sheets: [{ rows }] }));
    const source = makeSource(file, { ...COLUMNS, mail: { type: "email" } });
    const { againProblems } = await feedBack(source, format);
    expect(againProblems).toEqual([
      'must have a result, but its formula was never calculated, got "#UNCALCULATED!"',
      'must have a result, but its formula was never calculated, got "#UNCALCULATED!"',
    ]);
  });
});
