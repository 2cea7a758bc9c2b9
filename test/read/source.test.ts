import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { cellTypes, withStored, type CellFault } from "../../src/read/cells/cell-types.ts";
import { Notes } from "../../src/read/cells/notes.ts";
import { failureOf, makeSource, readAll, writeFile } from "./make-source.ts";
import { makeXlsx, number, row } from "./make-xlsx.ts";

const REQUIRED = { site: { required: true }, url: { type: "url", required: true } } as const;

const pad = (bytes: readonly number[] | string): Buffer =>
  Buffer.concat([Buffer.from(bytes as string, "latin1"), Buffer.alloc(600, 32)]);

describe("files that are no spreadsheet", () => {
  it("says that a file can't be read, and never asks for one that can be written", async () => {
    // A socket is there and can't be opened, whoever asks.
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), "makeready-socket-")), "rows.csv");
    const server = createServer().listen(file);
    await once(server, "listening");
    const error = await failureOf(makeSource(file));
    server.close();
    expect(error.code).toBe("source-unreadable");
    expect(error.message).toMatch(/^source file must be readable, but .*ENXIO/u);
    expect(error.hint).toContain("close the programs that use the file");
  });

  it("says that a file is missing", async () => {
    const error = await failureOf(makeSource("/nowhere/rows.csv"));
    expect(error.code).toBe("source-unreadable");
    expect(error.exitCode).toBe(2);
    expect(error.message).toBe("source file must exist, got /nowhere/rows.csv");
    expect(error.hint).toContain("relative to the manifest");
  });

  it.runIf(process.platform === "linux")("is not waited for where it is a pipe", async () => {
    const pipe = path.join(mkdtempSync(path.join(os.tmpdir(), "makeready-pipe-")), "rows.csv");
    execFileSync("mkfifo", [pipe]);
    const error = await failureOf(makeSource(pipe));
    expect(error.message).toContain("source must be a file, got a pipe");
    expect(error.hint).toBe('source.file: "-" reads standard input');
    expect([error.message, error.hint ?? ""].map(reasonInGerman)).not.toContain(undefined);
  });

  it("says that it is a folder", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-folder-"));
    const error = await failureOf(makeSource(folder));
    expect(error.message).toContain("got a folder");
    expect(reasonInGerman(error.message)).toMatch(
      /^Die Tabelle muss eine Datei sein, hier ist ein Ordner/u,
    );
  });

  const encrypted = Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(1024),
    Buffer.from("EncryptedPackage", "utf16le"),
    Buffer.alloc(512),
  ]);

  it.each<[string, string, Uint8Array, string]>([
    ["empty.csv", "nothing", Buffer.alloc(0), "an empty file"],
    ["blank.csv", "white space", Buffer.from("\n \n\r\n"), "blank lines only"],
    ["bom.csv", "a BOM alone", Buffer.from([0xef, 0xbb, 0xbf]), "blank lines only"],
    ["rows.csv", "PNG", pad([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), "a PNG image"],
    ["rows.csv", "JPEG", pad([0xff, 0xd8, 0xff, 0xe0]), "a JPEG image"],
    ["rows.csv", "GIF", pad("GIF89a"), "a GIF image"],
    ["rows.csv", "WebP", pad("RIFF\u0000\u0000\u0000\u0000WEBPVP8 "), "a WebP image"],
    ["rows.csv", "PDF", pad("%PDF-1.7\n"), "a PDF document"],
    ["rows.csv", "vCard", Buffer.from("BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n"), "a vCard file"],
    ["rows.csv", "gzip", pad([0x1f, 0x8b, 8, 0]), "a gzip archive"],
    ["rows.csv", "Parquet", pad("PAR1\u0015\u0004\u0015\u0010"), "a Parquet file"],
    ["rows.json", "JSON", Buffer.from('[\n  {"site": "a",\n   "url": "b"}\n]'), "a JSON file"],
    ["rows.csv", "JSON of lists", Buffer.from('[["site","url"],["a","b"]]'), "a JSON file"],
    ["rows.csv", "JSON Lines", Buffer.from('\ufeff{"a":1}\n{"a":2}\n'), "a JSON file"],
    [
      "rows.csv",
      "a dump of a database",
      Buffer.from("-- dump\nSET names utf8;\nINSERT INTO codes VALUES (1,'b');\n"),
      "SQL commands",
    ],
    ...[
      "CREATE TEMPORARY TABLE c (n int)",
      "CREATE UNIQUE INDEX c_n ON c (n)",
      "SET TIME ZONE 'UTC'",
      "SET ANSI_NULLS ON",
      "SET DEFINE OFF",
      "CREATE SEQUENCE c_n",
      "BEGIN IMMEDIATE",
    ].map((first): [string, string, Uint8Array, string] => [
      "rows.csv",
      first,
      Buffer.from(`${first};\nINSERT INTO c VALUES (1);\n`),
      "SQL commands",
    ]),
    ["rows.csv", "UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), "text in UTF-32"],
    ["rows.csv", "UTF-32", Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x61]), "text in UTF-32"],
    ["rows.csv", "SQLite", pad("SQLite format 3\u0000"), "an SQLite database"],
    ["rows.yaml", "a manifest", pad("version: 1\nname: a\nkind: codes\n"), "a manifest"],
    ["rows.yaml", "one with a comment", pad("# x\nversion: 1\nkind: codes\n"), "a manifest"],
    ["rows.csv", "HTML", pad("<!DOCTYPE html><html><body><table>"), "a web page (HTML)"],
    ["rows.xlsx", "HTML", pad("\u00ef\u00bb\u00bf\n<html xmlns:x='urn'>"), "a web page (HTML)"],
    [
      "rows.xls",
      "XML of 2003",
      pad('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
      "an XML spreadsheet of 2003",
    ],
    [
      "rows.xls",
      "OLE",
      pad([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      "an old Excel workbook",
    ],
    ["rows.xlsx", "OLE, encrypted", encrypted, "an encrypted workbook"],
  ])("%s that is %s", async (name, _what, bytes, expected) => {
    const error = await failureOf(makeSource(writeFile(name, bytes)));
    expect(error.code).toBe("source-unreadable");
    expect(error.message).toContain(expected);
    expect(error.problems).toHaveLength(1);
  });

  it.each([
    ["EncryptedPackage", "an encrypted workbook"],
    ["WordDocument", "an old Word document (.doc)"],
    ["__nameid_version1.0", "an Outlook message (.msg)"],
    ["Workbook", "an old Excel workbook (.xls)"],
  ])("finds %s far behind the head of a compound file (MS-CFB 2.2)", async (stream, expected) => {
    const bytes = Buffer.alloc(512 * 402);
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes);
    bytes.writeUInt16LE(9, 30);
    bytes.writeUInt32LE(400, 48);
    bytes.write(stream, 512 * 401 + 128, "utf16le");
    const error = await failureOf(makeSource(writeFile("rows.xlsx", bytes)));
    expect(error.message).toContain(expected);
  });

  it("says that a workbook is named .csv, and text .xlsx", async () => {
    const zip = await failureOf(makeSource(writeFile("a.csv", "PK\u0003\u0004rest of it")));
    expect(zip.message).toMatch(/named \.csv must be text, got a workbook or ZIP/u);
    const text = await failureOf(makeSource(writeFile("a.xlsx", "site,url\na,b\n")));
    expect(text.message).toMatch(/named \.xlsx must be a workbook, got a text file/u);
    expect(text.hint).toContain("rename it to .csv");
  });

  it("calls a damaged workbook no text", async () => {
    const rubbish = Buffer.from(Array.from({ length: 2000 }, (_, at) => (at * 151 + 7) % 256));
    const error = await failureOf(makeSource(writeFile("a.xlsx", rubbish)));
    expect(error.message).toMatch(/named \.xlsx must be a workbook, got a damaged file/u);
    expect(error.hint).not.toContain("rename");
    const wide = Buffer.from("\ufeffsite,url\na,b\n", "utf16le");
    const text = await failureOf(makeSource(writeFile("a.xlsx", wide)));
    expect(text.message).toContain("got a text file");
  });

  it.each([
    ["a name in braces", "{id},url", "{id}"],
    ["a quoted name that begins like JSON", '"{""id"": 1}",url', '{"id": 1}'],
    ["a name in brackets", "[id],url", "[id]"],
    ["a word of SQL", "set,url", "set"],
  ])("reads a table whose header begins with %s", async (_what, header, column) => {
    const { values } = await readAll(makeSource(writeFile("rows.csv", `${header}\nx,b\n`)));
    expect(values).toEqual([{ [column]: "x", url: "b" }]);
  });

  it.each([
    ["a word that begins like SQL", "Beginn;Hinweis\nInsert into tray;b\n"],
    ["columns and cells named as SYLK has them", "\n ID;Platz;Name\nC;X1;Anna\n"],
    ["a set", "Set Nr;Step\nInsert into slot (left);Create table tent\n"],
    ["a set of tables", "Set Nr;Step\nCreate table tent (large folded);2\n"],
    ["something to create", "Create in;Step\nCreate table tent (large folded);2\n"],
    ["a remark", "-- our list\nCreate table plan (small);b\n"],
    ["a name in brackets and quotes", '["Name"];["Url"]\nInsert into values;b\n'],
  ])("reads a table that begins with %s", async (_what, content) => {
    const { rows } = await readAll(makeSource(writeFile("rows.csv", content)));
    expect(rows).toHaveLength(1);
  });

  it("reads text under any other name", async () => {
    const { values } = await readAll(makeSource(writeFile("rows.data", "a,b\n1,2\n")));
    expect(values).toEqual([{ a: "1", b: "2" }]);
  });
});

describe("headers", () => {
  it("says that there is only a header", async () => {
    const error = await failureOf(makeSource(writeFile("h.csv", "site,url\n\n,\n"), REQUIRED));
    expect(error.message).toContain("got only a header");
  });

  it("lists the headers found and what was meant", async () => {
    const file = writeFile("h.csv", "Site,Adress,Urll\na,b,c\n");
    const error = await failureOf(makeSource(file, REQUIRED));
    expect(error.message).toBe(
      'header must have the required columns, but "url" is missing; it has: Site, Adress, Urll',
    );
    expect(error.hint).toBe('did you mean "Urll"? add it to the aliases of url');
    expect(error.where?.line).toBe(1);
  });

  it("names a missing column as people know it", async () => {
    const columns = { inv_nr: { required: true, aliases: ["Inv.-Nr.", "Nr."] } };
    const error = await failureOf(makeSource(writeFile("h.csv", "Raum,Link\na,b\n"), columns));
    expect(error.message).toContain('"Inv.-Nr." (inv_nr) is missing; it has: Raum, Link');
  });

  it("lists all columns that are missing", async () => {
    const error = await failureOf(makeSource(writeFile("h.csv", "x,y\n1,2\n"), REQUIRED));
    expect(error.message).toContain('"site", "url" are missing');
    expect(error.message).toContain("it has: x, y");
    expect(error.hint).toBe(
      "rename the columns in the file, or add their headers to the aliases in source.columns",
    );
  });

  it("matches by compatibility forms, invisible characters, case and aliases", async () => {
    const header = "\u200bSITE\u00a0Name , Ziel-URL\ufeff,ｔａｂｌｅ";
    const { source, values } = await readAll(
      makeSource(writeFile("h.csv", `${header}\na,https://a.example/,7\n`), {
        site: { required: true, aliases: ["site name"] },
        url: { type: "url", required: true, aliases: ["link", "ziel-url"] },
        table: { type: "integer" },
      }),
    );
    expect({ ...source.mapped }).toEqual({
      site: "\u200bSITE\u00a0Name ",
      url: " Ziel-URL\ufeff",
      table: "ｔａｂｌｅ",
    });
    expect(values[0]).toEqual({ site: "a", url: "https://a.example/", table: "7" });
  });

  it("refuses a repeated header in use, but not an unused one", async () => {
    const twice = writeFile("h.csv", "site,url,URL,note,note\na,https://a.example/,b,c,d\n");
    const error = await failureOf(makeSource(twice, REQUIRED));
    expect(error.message).toBe('header must name each used column once, got "url" twice');
    const { source, rows } = await readAll(makeSource(twice, { site: { required: true } }));
    expect(source.columns).toEqual(["site", "url", "URL", "note", "note (2)"]);
    expect(rows[0]?.cells["note (2)"]).toBe("d");
    expect(rows[0]?.values["note"]).toBe("c");
  });

  it("prefers the manifest's own name and says so", async () => {
    const { source, values } = await readAll(
      makeSource(writeFile("h.csv", "link,url\nhttps://l.example/,https://u.example/\n"), {
        url: { type: "url", aliases: ["link"] },
      }),
    );
    expect(values[0]).toEqual({ url: "https://u.example/", link: "https://l.example/" });
    expect(source.warnings[0]?.message).toBe('column "url" is read from "url", not from "link"');
  });

  it.each([
    ["an address", "https://l.example/1\nhttps://l.example/2\n", true],
    ["a GTIN", "4006381333931,Pen\n4006381333948,Nib\n", true],
    ["an e-mail address", "Bo,bo@l.example\nAl,al@l.example\n", true],
    ["addresses that begin with www", "www.shop.example\nwww.shop.example/b\n", true],
    ["addresses without http", "A,shop.example/a\nB,shop.example/b\nC,\n", true],
    [
      "addresses without http above some that have it",
      "shop.example/a\nhttps://a.example\n",
      false,
    ],
    ["an address above names", "List,https://shop.example/\nName,Link\n", true],
    ["short GTINs", "40170725,Pen\n96385074,Nib\n", true],
    ["names", "link,2024,EAN 13,100000000001\na,b,c,d\n", false],
    ["names with a dot and a stroke", "tel.home/work,20240106,www.shop.example\n1,2,3\n", false],
    ["numbers of rooms", "R101\nR102\nR103\n", true],
    ["numbers of seats beside names", "Anna,Seat 1\nBerta,Seat 2\n", true],
    ["numbers that count on", "Anna,7\nBerta,8\nCarl,9\n", true],
    ["numbers of things", "104711;Chair\n208123;Desk\n", true],
    ["serials", "K7QX2M4P\nZ81CC0WD\n", true],
    ["days", "Anna;24.12.2026\nBerta;31.12.2026\n", true],
    ["numbers of rooms beside a place", "R101,Lager\nR102,Büro\nR103,Küche\n", true],
    ["numbers of teams", "4001,Team Blau\n4002,Rot\n4003,Gelb\n", true],
    ["numbers of halls", "A-0001,Halle Nord\nA-0002,Terrasse\nA-0003,Bar\n", true],
    ["numbers of goods", "SKU-1001,Wine glass,12\nSKU-1002,Mug,14\nSKU-1003,Jug,19\n", true],
    ["a word for columns beside a number", "Kurs 2026,Beschreibung\nKurs 101,Deutsch\n", false],
    ["rooms whose numbers may be years", "Raum 2001,Meier\nRaum 2101,Otto\nRaum 2102,Kuhn\n", true],
    ["a year in a name above years", "Kurs 2026,Mensa\nKurs 2027,Aula\nKurs 2028,Bar\n", true],
    ["rooms beside a name that ends in a number", "Saal 3,Raum\nSaal 4,Aula\nSaal 5,Bar\n", false],
    ["a word for columns above such a word", "Feld 1,Name\nFeld 2,Datum\n", true],
    ["telephone numbers", "+49 40 100\n+49 30 200\n", true],
    ["a word above numbers", "Room,Seats\nR101,1\nR102,2\n", false],
    ["years", "Town,2024,2025\nUlm,3400,3500\nBonn,1200,1300\n", false],
    ["amounts", "Paper,1000,2500\nA4,1890,2490\nA5,1290,1990\n", false],
    ["days of a month", "Name,1,2,3\nAnna,8,8,7\nBerta,8,7,8\n", false],
    ["names with numbers", "Line 1,Line 2,CO2\nShelf 1,Hall,12\nShelf 2,Hall,14\n", false],
  ])("says that a header looks like a row: %s", async (_name, text, isLike) => {
    const { source } = await readAll(makeSource(writeFile("h.csv", text), {}));
    expect(source.warnings.map(({ message }) => message)).toEqual(
      isLike
        ? [expect.stringMatching(/^line 1 looks like a row, not like names of columns: /u)]
        : [],
    );
  });

  it("says so of a line built like its rows, also where the manifest has a column for another cell", async () => {
    const file = writeFile("h.csv", "Anna,K-001\nBerta,K-002\nCarl,K-003\n");
    const { source } = await readAll(makeSource(file, { Anna: {}, "K-001": {} }));
    expect(source.warnings).toMatchObject([{ where: { line: 1, column: "K-001" } }]);
  });

  it.each([
    ["Anna,shop.example/a\nBerta,shop.example/b\n", "shop.example/a"],
    ["Pen,40170725\nNib,96385074\n", "40170725"],
  ])(
    "says so of %j where the manifest has columns for its cells, unless a person names it",
    async (...given) => {
      const [text, column] = given;
      const file = writeFile("h.csv", text);
      const columns = { Anna: {}, Pen: {}, [column]: {} };
      const { source } = await readAll(makeSource(file, columns));
      expect(source.warnings).toMatchObject([{ where: { line: 1, column } }]);
      const said = await readAll(makeSource(file, columns, { headerRow: 1 }));
      expect(said.source.warnings).toEqual([]);
    },
  );

  it("asks for a line of names where a list that looks like rows lacks the columns", async () => {
    const file = writeFile("h.csv", "R101,https://l.example/1\nR102,https://l.example/2\n");
    const error = await failureOf(makeSource(file, { room: { required: true } }));
    expect(error.hint).toBe("line 1 looks like a row: put a line with the names above it: room");
    const long = writeFile(
      "l.csv",
      "place,link\nR101,https://l.example/1\nR102,https://l.example/2\n",
    );
    const forced = await failureOf(
      makeSource(long, { room: { required: true } }, { headerRow: 2 }),
    );
    expect(forced.hint).toBe(
      "line 2 looks like a row, and header_row in source names it: let it name the line with room",
    );
    const named = await failureOf(
      makeSource(writeFile("n.csv", "place\nHall\n"), { room: { required: true } }),
    );
    expect(named.hint).toContain("aliases");
  });

  it("says so of a line built like its rows, unless a person names it", async () => {
    const file = writeFile("h.csv", "R101\nR102\nR103\n");
    const columns = { R101: { required: true } };
    const { source } = await readAll(makeSource(file, columns));
    expect(source.warnings).toMatchObject([{ where: { line: 1, column: "R101" } }]);
    const said = await readAll(makeSource(file, columns, { headerRow: 1 }));
    expect(said.source.warnings).toEqual([]);
  });

  it("takes a line with a column of the manifest for a header, whatever its other names look like", async () => {
    const file = writeFile("h.csv", "id,links.self/href\n1,shop.example/1\n2,shop.example/2\n");
    const { source } = await readAll(makeSource(file, { id: {} }));
    expect(source.warnings).toEqual([]);
    const other = await readAll(makeSource(file, { key: {} }));
    expect(other.source.warnings).toMatchObject([
      { where: { line: 1, column: "links.self/href" } },
    ]);
  });

  it("takes the first of several e-mail addresses, and says so", async () => {
    const file = writeFile("h.csv", "mail\na@a.example ::: b@a.example\nc@a.example\n");
    const { source, values } = await readAll(makeSource(file, { mail: { type: "email" } }));
    expect(values).toEqual([{ mail: "a@a.example" }, { mail: "c@a.example" }]);
    expect(source.warnings.map(({ message }) => message)).toEqual([
      'cell has several values, of which only the first is used: "a@a.example ::: b@a.example"',
    ]);
  });

  it("finds the header below a title, by its required columns", async () => {
    const content =
      "Tables of spring 2026,,\n\nsite list,,\nsite,table,url\na,1,https://a.example/\n";
    const { source, rows } = await readAll(makeSource(writeFile("h.csv", content), REQUIRED));
    expect(source.detected.headerLine).toBe(4);
    expect(rows.map(({ line }) => line)).toEqual([5]);
  });

  it("takes the row with most columns when none is required", async () => {
    const content = "a title\nsite,url\nx,y\n";
    const { source } = await readAll(
      makeSource(writeFile("h.csv", content), { url: {}, site: {} }),
    );
    expect(source.detected.headerLine).toBe(2);
  });

  it.each([
    "List\nNr,Url\n1,a\n",
    "List\n\nof May\n\nNr,Url\n1,a\n",
    'Nr,Url,\n1,a,"x\ny\nz"\n2,b,\n',
  ])(
    "finds a header that has moved since header_row was written, and says so: %j",
    async (text) => {
      const columns = { nr: { required: true }, url: { required: true } };
      const file = writeFile("h.csv", text);
      const { source, values } = await readAll(makeSource(file, columns, { headerRow: 3 }));
      expect(values[0]).toMatchObject({ nr: "1", url: "a" });
      expect(source.warnings.map(({ message }) => message)).toContainEqual(
        expect.stringContaining("is taken as the header, since line 3 has no names of columns"),
      );
    },
  );

  it.each([
    ["a column of the job", "Url\n\nNr,Address\n1,a\n"],
    ["a column that its templates use", "Url\n\nRoom,Address\n1,a\n"],
    [
      "other names, above a row with the name of a column",
      "List\n\nTable,Link\nA,a\nurl,nr\nB,b\n",
    ],
    ["a name of a table, below another one", "Url,Nr\n\nHall B\nPlace,Link\nb,2\n"],
    ["other names, between two tables", "Url,Nr\na,1\nMore\nUrl,Nr\nb,2\n"],
    ["other names, below an address with a name", "Url,https://a.example\n\nLink,Table\na,1\n"],
  ])("takes no other line where header_row names one with %s", async (_what, text) => {
    const columns = { url: { required: true }, nr: {} };
    const source = makeSource(writeFile("h.csv", text), columns, { headerRow: 3 });
    await expect(readAll(source, ["Room"])).rejects.toThrow('"url" is missing');
  });

  it("obeys header_row where what its line lacks has a default", async () => {
    const columns = { url: { required: true, default: "https://a.example/" } };
    const file = writeFile("h.csv", "Url\n\nName,Room\nA,1\n");
    const { values } = await readAll(makeSource(file, columns, { headerRow: 3 }));
    expect(values).toEqual([{ Name: "A", Room: "1", url: "https://a.example/" }]);
  });

  it("obeys header_row, counted in physical lines", async () => {
    const file = writeFile("h.csv", '"title\nof two lines",\na,b\nc,d\ne,f\n');
    const { source, values } = await readAll(makeSource(file, {}, { headerRow: 4 }));
    expect(source.columns).toEqual(["c", "d"]);
    expect(values).toEqual([{ c: "e", d: "f" }]);
    const error = await failureOf(makeSource(file, {}, { headerRow: 9 }));
    expect(error.message).toContain("got line 9, which is blank");
  });

  it("names columns without header by their position", async () => {
    const { source, values, problems } = await readAll(
      makeSource(writeFile("h.csv", "site,,n,\na,b,c,d\ne,,,\n"), {}, { headerRow: 1 }),
    );
    expect(source.columns).toEqual(["site", "column 2", "n", "column 4"]);
    expect(values[0]).toEqual({ site: "a", "column 2": "b", n: "c", "column 4": "d" });
    expect(problems).toEqual([]);
  });

  it("gives absent columns their default", async () => {
    const { source, values } = await readAll(
      makeSource(writeFile("h.csv", "site,region\na,\nb,North\n"), {
        site: { required: true },
        region: { default: "Unsorted" },
        floor: { default: "1", required: true },
        note: {},
      }),
    );
    expect(values).toEqual([
      { site: "a", region: "Unsorted", floor: "1", note: "" },
      { site: "b", region: "North", floor: "1", note: "" },
    ]);
    expect(source.names.toSorted()).toEqual(["floor", "note", "region", "site"]);
  });
});

describe("row errors", () => {
  it("name file, line, header as people see it, rule and value; good rows go on", async () => {
    const file = writeFile(
      "r.csv",
      "Site,Link\n,https://a.example/\nb,htp://b\nc,https://c.example/\n",
    );
    const { rows } = await readAll(
      makeSource(file, { site: { required: true }, url: { type: "url", aliases: ["link"] } }),
    );
    expect(rows[0]?.problems).toEqual([
      {
        message: "must not be empty",
        hint: "fix the cell, then plan or run again",
        where: { file, line: 2, column: "Site", field: "site" },
      },
    ]);
    expect(rows[1]?.problems[0]).toMatchObject({
      message: 'must be a URL, got "htp://b"',
      where: { file, line: 3, column: "Link", field: "url" },
    });
    expect(rows[1]?.values["url"]).toBe("htp://b");
    expect(rows[2]?.problems).toEqual([]);
  });

  it.each([
    ["A\u200b1", "A<U+200B zero width space>1"],
    ["A\ufeff1", "A<U+FEFF byte order mark>1"],
    ["So\u00adfa", "So<U+00AD soft hyphen>fa"],
    ["\u202eA1\u202c", "<U+202E right-to-left override>A1<U+202C end of embedding>"],
    ["A\u2060B", "A<U+2060 word joiner>B"],
    ["A\u2063B", "A<U+2063 invisible separator>B"],
    ["A\u3164", "A<U+3164 Hangul filler>"],
    ["A\u200dB", "A<U+200D zero width joiner>B"],
  ])("warns of invisible characters, and keeps them: %j", async (cell, shown) => {
    const content = `site,table\nplain,1\n${cell},2\n${cell}x,3\n`;
    const { source, values, problems } = await readAll(makeSource(writeFile("r.csv", content)));
    expect(problems).toEqual([]);
    expect(values[1]?.["site"]).toBe(cell);
    expect(source.warnings).toEqual([
      {
        message: `2 cells of the column have invisible characters; codes and labels get them, too: "${shown}" (first one)`,
        hint: "type the cell anew, unless they are meant",
        where: { file: source.file, line: 3, column: "site" },
      },
    ]);
  });

  it("says where a number that templates write is used in another form", async () => {
    const content = 'n,price,count\n1,"12,5",7\n2,"3,50",8\n';
    const columns = { price: { type: "number" }, count: { type: "integer" } } as const;
    const from = makeSource(writeFile("r.csv", content), columns);
    const { source, values } = await readAll(from, ["price", "count"]);
    expect(values[0]?.["price"]).toBe("12.5");
    expect(source.warnings).toEqual([
      {
        message:
          '2 cells of the column have a number that is used in another form: "12,5", used as "12.5" (first one)',
        hint: "make it a column of type text to print it as it is written",
        where: { file: source.file, line: 2, column: "price" },
      },
    ]);
    expect((await readAll(from)).source.warnings).toEqual([]);
  });

  it("says what becomes of a percentage and a price whose type is named", async () => {
    const file = writeFile(
      "typed.xlsx",
      makeXlsx({
        formats: ['#,##0.00 "€"', "0.0%", "0.00"],
        sheets: [
          {
            rows:
              row(1, ["price", "off", "left"]) +
              row(2, [number(1234.5, 5), number(0.155, 6), number(12.25, 7)]) +
              row(3, [number(99, 5), number(0.1, 6), number(7.75, 7)]),
          },
        ],
      }),
    );
    const type = "number" as const;
    const from = makeSource(file, { price: { type }, off: { type }, left: { type } });
    const { source, values } = await readAll(from, ["price", "off", "left"]);
    expect(values[0]).toEqual({ price: "1234.5", off: "0.155", left: "12.25" });
    expect(source.warnings.map(({ message }) => message)).toEqual([
      '2 cells of the column have a number that is used in another form: "1,234.50 €", used as "1234.5" (first one)',
      '2 cells of the column have a number that is used in another form: "15.5%", used as "0.155" (first one)',
    ]);
    expect((await readAll(from)).source.warnings).toEqual([]);
  });

  it("takes joiners of emoji and of scripts that need them as they are", async () => {
    const content = "site\n\u{1f469}\u200d\u{1f680}\n\u0645\u06cc\u200c\u062e\n";
    const { source } = await readAll(makeSource(writeFile("r.csv", content)));
    expect(source.warnings).toEqual([]);
  });

  it("forgives invisible characters around what is no text", async () => {
    const columns = { url: { type: "url" }, n: { type: "integer" }, name: {} } as const;
    const content = "url,n,name\n\u200bhttps://a.example/\ufeff,\u200e7\u200b,\u200ename\n";
    const { values, problems } = await readAll(makeSource(writeFile("r.csv", content), columns));
    expect(problems).toEqual([]);
    expect(values[0]).toEqual({ url: "https://a.example/", n: "7", name: "\u200ename" });
  });

  it("refuses invisible characters alone where a cell must not be empty", async () => {
    const columns = { name: { required: true }, note: { default: "none" }, room: {} } as const;
    // Note and room may be parts of the key of a code that is printed: as they were, they stay.
    const content = "name,note,room\n\u200b,,\nA,\u2060,\u200b\n";
    const { values, problems } = await readAll(makeSource(writeFile("r.csv", content), columns));
    expect(problems).toEqual(["must not be empty"]);
    expect(values).toEqual([
      { name: "", note: "none", room: "" },
      { name: "A", note: "\u2060", room: "\u200b" },
    ]);
  });

  it("normalises texts, so that keys are the same whoever typed them", async () => {
    const { values } = await readAll(
      makeSource(writeFile("r.csv", "site\nCafe\u0301\nCaf\u00e9\n")),
    );
    expect(values[0]).toEqual(values[1]);
  });

  it("lists every bad cell of a row", async () => {
    const columns = { a: { type: "integer" }, b: { type: "date" }, c: { type: "email" } } as const;
    const { rows } = await readAll(makeSource(writeFile("r.csv", "a,b,c\nx,y,z\n"), columns));
    expect(rows[0]?.problems.map(({ where }) => where?.column)).toEqual(["a", "b", "c"]);
  });

  it("checks texts of undescribed files for digits lost to scientific notation", async () => {
    const { problems } = await readAll(makeSource(writeFile("r.csv", "ean\n9.50600013435E+12\n")));
    expect(problems[0]).toContain("scientific notation");
  });
});

it("what to do about numbers begins in the spreadsheet: clerks see no manifest", () => {
  const notes = new Notes();
  const where = { file: "people.xlsx", line: 2 };
  notes.add("shortened", { ...where, column: "Telephone" }, "4.91701E+11", "491701234567");
  notes.add("hidden", { ...where, column: "Fax" }, "12", "12.5");
  const short = withStored(cellTypes.integer("4.91E+11") as CellFault, {
    value: "491701234567",
  });
  for (const hint of [...notes.list().map(({ hint: said }) => said), short.hint]) {
    expect(hint).toMatch(/^in the spreadsheet, .+ and save it; a manifest can .+ instead/u);
  }
  // The format Text shows a day as 46347, and leaves a price as it is.
  const local = new Notes();
  local.add("local", { ...where, column: "Price" }, "1,234");
  expect(local.list()[0]?.hint).toMatch(/^save the sheet as CSV .+; a manifest can .+ instead/u);
});
