/** Rows that were mended beside their spreadsheet take the place of the rows they were made from. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { openSource, type Source } from "../../src/read/source.ts";
import { toRowMark } from "../../src/read/rows/mended.ts";
import { makeSource, writeFile } from "./make-source.ts";
import { makeXlsx, number, row } from "./make-xlsx.ts";

const folder = mkdtempSync(path.join(tmpdir(), "mended-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sheet = path.join(folder, "people.csv");
const mended = path.join(folder, "people.mended.csv");
const COLUMNS = { mail: { type: "email", required: true, default: null, aliases: [] } } as const;

async function readAll(source: Source) {
  const rows = [];
  for await (const row of source.rows()) rows.push(row);
  await source.close();
  return rows;
}

const open = (content: string) => {
  writeFileSync(sheet, content);
  return openSource({ ...makeSource(sheet, COLUMNS), mended });
};

const PEOPLE = 'no;mail;note\n1;ada@example.com;"a\nb"\n2;not an address;x\n';

async function markOf(line: number): Promise<string> {
  writeFileSync(sheet, PEOPLE);
  const rows = await readAll(await openSource(makeSource(sheet, COLUMNS)));
  const row = rows.find((one) => one.line === line);
  return row === undefined ? "" : toRowMark(row);
}

async function hash(text: string): Promise<string> {
  writeFileSync(mended, text);
  const source = await open(PEOPLE);
  await source.close();
  return source.sha256;
}

async function says(content: string) {
  const source = await open(content);
  const mails = (await readAll(source)).map(({ values }) => values["mail"]);
  return [...mails, ...source.warnings.map(({ message }) => message)];
}

describe("a mended row", () => {
  test("is read instead of the one that it was made from, under its line", async () => {
    const mark = await markOf(4);
    writeFileSync(mended, `line,was,no,mail,note\r\n4,${mark},2,emmy@example.com,"y, ""z"""\r\n`);
    const source = await open(PEOPLE);
    const rows = await readAll(source);
    expect(rows.map(({ line, values, problems }) => [line, values["mail"], problems])).toEqual([
      [2, "ada@example.com", []],
      [4, "emmy@example.com", []],
    ]);
    expect(rows[1]?.cells).toEqual({ no: "2", mail: "emmy@example.com", note: 'y, "z"' });
    expect(source.warnings.map(({ message }) => message)).toEqual([
      "1 row is taken from people.mended.csv instead of the spreadsheet: line 4",
    ]);
  });

  test("is known whatever columns the templates use, where the manifest describes none", async () => {
    const cells = ["a", number("12345678901234567000"), "x"];
    const sheets = [{ rows: row(1, ["site", "note", "n"]) + row(2, cells) }];
    const book = writeFile("orders.xlsx", makeXlsx({ sheets }));
    const markWith = async (use: string): Promise<string[]> =>
      (await readAll(await openSource(makeSource(book), [use]))).map(toRowMark);
    expect(await markWith("site")).toEqual(await markWith("note"));
  });

  test("is reported and left out when the row has changed in the spreadsheet since", async () => {
    const mark = await markOf(4);
    writeFileSync(mended, `line,was,no,mail,note\r\n4,${mark},2,emmy@example.com,x\r\n`);
    const source = await open(PEOPLE.replace("not an address", "hedy@example.com"));
    const rows = await readAll(source);
    expect(rows[1]?.values["mail"]).toBe("hedy@example.com");
    expect(source.warnings.map(({ message }) => message)).toEqual([
      "1 mended row is not used, since the spreadsheet has changed there: line 4",
    ]);
  });

  test.each([
    ["empty", 'no;mail;note;seats\n1;ada@example.com;"a\nb";\n2;not an address;x;\n', ""],
    ["filled", 'no;mail;note;seats\n1;ada@example.com;"a\nb";4\n2;not an address;x;5\n', "5"],
    ["among others", 'seats;mail;no;note\n4;ada@example.com;1;"a\nb"\n5;not an address;2;x\n', "5"],
  ])("is still read where a column came to the spreadsheet: %s", async (_, content, seats) => {
    const mark = await markOf(4);
    writeFileSync(mended, `line,was,no,mail,note\n4,${mark},2,emmy@example.com,x\n`);
    const source = await open(content);
    const row = (await readAll(source)).find(({ line }) => line === 4);
    const cells = { no: "2", mail: "emmy@example.com", note: "x", seats };
    expect(row?.cells).toEqual(cells);
    expect(row?.values).toEqual(cells);
    expect(source.warnings.map(({ message }) => message)).toEqual([
      "1 row is taken from people.mended.csv instead of the spreadsheet: line 4",
    ]);
  });

  test("is left out where a column has another name since, and that is the reason given", async () => {
    const mark = await markOf(4);
    writeFileSync(mended, `line,was,no,mail,note\n4,${mark},2,emmy@example.com,x\n`);
    const source = await open(PEOPLE.replace("note", "remark"));
    const rows = await readAll(source);
    expect(rows[1]?.values["mail"]).toBe("not an address");
    expect(source.warnings).toMatchObject([
      {
        message:
          '1 mended row is not used, since the spreadsheet no longer has the column "note": line 4',
        hint: "give the column its name again, or mend the row again; until then the spreadsheet counts",
      },
    ]);
  });

  test.each([
    [
      "a row was put above",
      'no;mail;note\n3;joan@example.com;w\n1;ada@example.com;"a\nb"\n2;not an address;x\n',
      5,
    ],
    ["it was sorted", 'no;mail;note\n2;not an address;x\n1;ada@example.com;"a\nb"\n', 2],
    ["with a column that came since", "no;seats;mail;note\n2;;not an address;x\n", 2],
  ])("goes on with its row where %s", async (_, content, line) => {
    const mark = await markOf(4);
    writeFileSync(mended, `line,was,no,mail,note\n4,${mark},2,emmy@example.com,x\n`);
    const source = await open(content);
    for (const pass of ["first", "second"]) {
      const mails = new Map<number, string | undefined>();
      for await (const row of source.rows()) mails.set(row.line, row.values["mail"]);
      expect([pass, mails.get(line), [...mails.values()].includes("not an address")]).toEqual([
        pass,
        "emmy@example.com",
        false,
      ]);
      expect(source.warnings.map(({ message }) => message)).toEqual([
        `1 row is taken from people.mended.csv instead of the spreadsheet: line ${line}`,
        `1 mended row has moved in the spreadsheet: line 4 → ${line}`,
      ]);
    }
    await source.close();
  });

  test("is left out where several rows are the one that it was made from", async () => {
    const mark = await markOf(4);
    const twins = "2;not an address;x\n2;not an address;x\n";
    writeFileSync(mended, `line,was,no,mail,note\n4,${mark},2,emmy@example.com,x\n`);
    expect(await says(`no;mail;note\n${twins}`)).toEqual([
      "not an address",
      "not an address",
      "1 mended row is not used, since the spreadsheet has changed there: line 4",
    ]);
    // As many were mended as there are: each gets one.
    const both = `4,${mark},2,emmy@example.com,x\n5,${mark},3,hedy@example.com,x\n`;
    writeFileSync(mended, `line,was,no,mail,note\n${both}`);
    expect(
      await says(`no;mail;note\n1;ada@example.com;\n3;b@example.com;\n1;d@example.com;\n${twins}`),
    ).toEqual([
      "ada@example.com",
      "b@example.com",
      "d@example.com",
      "emmy@example.com",
      "hedy@example.com",
      "2 rows are taken from people.mended.csv instead of the spreadsheet: lines 5, 6",
      "2 mended rows have moved in the spreadsheet: lines 4 → 5, 5 → 6",
    ]);
  });

  test.each([
    ["'=1+1", "=1+1", 1],
    ["''=1+1", "=1+1", 0],
    ["'''=1+1", "'=1+1", 0],
    ["'+49", "+49", 0],
    ["'s-Hertogenbosch", "'s-Hertogenbosch", 0],
  ])("whose cell =1+1 is kept as %s has %s there, with %i faults", async (kept, note, faults) => {
    const text = { ...COLUMNS.mail, type: "text", required: false } as const;
    const columns = { ...COLUMNS, note: text };
    writeFileSync(sheet, "no;mail;note\n2;ada@example.com;=1+1\n");
    const [row] = await readAll(await openSource(makeSource(sheet, columns)));
    const mark = row === undefined ? "" : toRowMark(row);
    writeFileSync(mended, `line,was,no,mail,note\n2,${mark},2,emmy@example.com,${kept}\n`);
    const source = await openSource({ ...makeSource(sheet, columns), mended });
    const [now] = await readAll(source);
    expect([now?.values["mail"], now?.values["note"], now?.problems.length]).toEqual([
      "emmy@example.com",
      note,
      faults,
    ]);
  });

  test("is reported when the spreadsheet no longer has such a line", async () => {
    writeFileSync(mended, "line,was,no,mail,note\n9,r0,2,emmy@example.com,x\n");
    const source = await open("no;mail;note\n1;ada@example.com;x\n");
    expect(await readAll(source)).toHaveLength(1);
    expect(source.warnings.map(({ message }) => message)).toEqual([
      "1 mended row is not used, since the spreadsheet has changed there: line 9",
    ]);
  });

  test("makes the job another one: its hash is in that of the rows", async () => {
    const one = await hash("line,was,no,mail,note\n4,r0,2,a@example.com,x\n");
    expect(await hash("line,was,no,mail,note\n4,r0,2,b@example.com,x\n")).not.toBe(one);
  });

  test.each([
    ["no,mail\n2,x\n", 'the file of mended rows must begin with the columns "line" and "was"'],
    ["line,was,no\nx,r0,2\n", 'must begin each row with a line of the spreadsheet, got "x"'],
  ])("an invalid file is refused: %j", async (text, says) => {
    writeFileSync(mended, text);
    await expect(open(PEOPLE)).rejects.toThrow(says);
  });

  test("a file that is gone is missed", async () => {
    rmSync(mended, { force: true });
    await expect(open(PEOPLE)).rejects.toThrow("must be there: it holds the mended rows");
  });
});
