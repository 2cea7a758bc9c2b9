import { describe, expect, it } from "vitest";

import { failureOf, makeSource, readAll, writeFile } from "./make-source.ts";

const HEADER = "site,table,url\n";
const COLUMNS = {
  site: { required: true },
  table: { type: "integer" },
  url: { type: "url", aliases: ["Link"] },
} as const;

const read = async (content: string | Uint8Array, columns = {}, more = {}) =>
  readAll(makeSource(writeFile("rows.csv", content), columns, more));

const fail = async (content: string | Uint8Array, columns = {}, more = {}) =>
  failureOf(makeSource(writeFile("rows.csv", content), columns, more));

const utf16 = (text: string, order: "le" | "be"): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};

describe("encodings", () => {
  const TEXT = "site;straße\nMünchen;ß\nKraków;ż\n";
  const CASES: [string, Uint8Array, string][] = [
    ["UTF-8", Buffer.from(TEXT), "utf-8"],
    ["UTF-8 with BOM", Buffer.from(`\uFEFF${TEXT}`), "utf-8"],
    ["UTF-16 LE with BOM", utf16(`\uFEFF${TEXT}`, "le"), "utf-16le"],
    ["UTF-16 BE with BOM", utf16(`\uFEFF${TEXT}`, "be"), "utf-16be"],
    ["UTF-16 LE without BOM", utf16(TEXT, "le"), "utf-16le"],
    ["UTF-16 BE without BOM", utf16(TEXT, "be"), "utf-16be"],
  ];

  it.each(CASES)("reads %s", async (_name, bytes, encoding) => {
    const { source, values } = await read(bytes, { site: { required: true } });
    expect(source.detected).toMatchObject({ encoding, delimiter: ";", format: "csv" });
    expect(values).toEqual([
      { site: "München", straße: "ß" },
      { site: "Kraków", straße: "ż" },
    ]);
    expect(source.warnings).toEqual([]);
  });

  it("refuses UTF-16 with an odd number of bytes: half of a character is missing", async () => {
    const error = await fail(utf16(`\uFEFF${TEXT}`, "le").subarray(0, -1));
    expect(error.message).toBe("file must be whole UTF-16LE text, got an odd number of bytes");
  });

  const MAC_WORDS = {
    "K\x9fche": "Küche",
    "Stra\xa7e": "Straße",
    "Caf\x8e": "Café",
    "gar\x8don": "garçon",
    "na\x95ve": "naïve",
    "\x8et\x8e": "été",
  };

  it.each(Object.entries(MAC_WORDS))(
    "warns that %j looks like a text of the Mac",
    async (cell, word) => {
      const bytes = Buffer.from(`site,table\nA,1\n${cell},2\n`, "latin1");
      const { source, values } = await read(bytes);
      expect(source.detected.encoding).toBe("windows-1252");
      expect(source.warnings).toHaveLength(1);
      expect(source.warnings[0]).toMatchObject({
        message: expect.stringMatching(
          `looks like Mac OS Roman: ".*" is "${word}" there$`,
        ) as string,
        hint: "set source.encoding: macintosh, or save the file as CSV UTF-8",
        where: { line: 3 },
      });
      expect(values[1]?.["site"]).not.toBe(word);
      const mended = await read(bytes, {}, { encoding: "macintosh" });
      expect(mended.values[1]?.["site"]).toBe(word);
      expect(mended.source.warnings).toEqual([]);
    },
  );

  it.each([
    "Küche",
    "naïve Café",
    "l\x92œuvre".replace("œ", "\x9c"),
    "Wort\x96Wort\x85",
    "10 \x80",
    // Łódź, Żółć and Košice of windows-1250, whose readings of the Mac are no words.
    "\xa3\xf3d\x9f",
    "\xafadny \xa3\xf3d\x9f",
    "Ko\x9aice",
    "\xc8tvr\x9d",
    "je\x9fdzie\xb3",
  ])("takes %j for no text of the Mac", async (cell) => {
    const { source } = await read(Buffer.from(`site,table\n${cell},2\n`, "latin1"));
    expect(source.warnings[0]?.message).toBe(
      "file is not UTF-8 and was read as windows-1252 (Western European)",
    );
  });

  it.each([
    ["Shift-JIS", "\x93\x8c\x8b\x9e\x83\x5e\x83\x8f\x81\x5b"],
    ["GBK", "\xb1\xb1\xbe\xa9"],
    ["EUC-KR", "\xbc\xad\xbf\xef"],
    ["Big5", "\xa5\x5f\xa8\xca"],
  ])("says that %s is no Western encoding, and names none to set", async (_, cell) => {
    const { source } = await read(Buffer.from(`site,table\n${cell},2\n`, "latin1"));
    expect(source.warnings[0]).toEqual(
      expect.objectContaining({
        message: expect.stringContaining("looks like Japanese, Chinese or Korean") as string,
        hint: "save the file as CSV UTF-8",
        where: expect.objectContaining({ line: 2 }) as object,
      }),
    );
  });

  it.each([
    ["Cr\x8ame br\x96l\x82e", "Crème"],
    ["M\x81ller", "Müller"],
    ["Gr\x94\xe1er & S\x94hne", "Größer"],
    ["J\x84ger", "Jäger"],
    ["\x90t\x82", "Été"],
    ["M\x9aLLER", "MÜLLER"],
    ["ma\xa4ana", "mañana"],
  ])("says that %j looks like DOS, and names no encoding of the Mac", async (cell, word) => {
    const bytes = Buffer.from(`site,table\n${cell},2\nP\x83t\x82,3\n`, "latin1");
    const { source } = await read(bytes);
    expect(source.warnings).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(`looks like text of DOS .*: ".*" is "${word}" there$`, "u"),
        ) as string,
        hint: "save it as CSV UTF-8 in the program that it came from, or in a spreadsheet program that imports it with this code page",
        where: expect.objectContaining({ line: 2 }) as object,
      }),
    ]);
  });

  it("leaves it open where a word may be of DOS or of the Mac", async () => {
    const { source } = await read(Buffer.from("site\nCr\x8ame\n", "latin1"));
    expect(source.warnings[0]?.message).toContain('"CrŠme" is "Crème" or "Cräme" there');
    expect(source.warnings[0]?.hint).toContain("set source.encoding: macintosh");
  });

  it.each([
    ["Polish", "M\xa5KA"],
    ["Czech", "MU\x8eI"],
    ["French", "L\x92AMI"],
    ["German of the Mac", "K\x80SE"],
  ])("says nothing of DOS where a word may be %s", async (_, cell) => {
    const { source } = await read(Buffer.from(`site,table\n${cell},2\n`, "latin1"));
    expect(source.warnings.map(({ message }) => message)).toEqual([
      "file is not UTF-8 and was read as windows-1252 (Western European)",
    ]);
  });

  it.each(["\xbd", "\xbe"])("takes a diameter for no letter of UTF-8: \xd8%s", async (half) => {
    const bytes = Buffer.from(`part\nRohr \xd8${half}"\nW\xe4nde\n`, "latin1");
    const { source, values } = await read(bytes);
    expect(values).toEqual([{ part: `Rohr \xd8${half}"` }, { part: "W\xe4nde" }]);
    expect(source.detected.encoding).toBe("windows-1252");
  });

  const FOREIGN = Buffer.from("S\xf6hne \x80,2\n", "latin1");

  it.each([
    ["a list of UTF-8 behind one of windows-1252", "Bäckerei,1\nCafé,2\n", "Bäckerei", "2", 4],
    ["as many lines of both", "Müller,1\n", "Müller", "1", 3],
  ])("reads each line as what it is: %s", async (_, lines, first, utf8, line) => {
    const bytes = Buffer.concat([Buffer.from(`site,n\n${lines}`), FOREIGN]);
    const { source, values } = await read(bytes);
    expect(values[0]?.["site"]).toBe(first);
    expect(values.at(-1)?.["site"]).toBe("Söhne €");
    expect(source.warnings).toEqual([
      expect.objectContaining({
        message: `file has lines in two encodings: ${utf8} in UTF-8, and 1 in another one, which was read as windows-1252 (Western European); the first of these is line ${line}`,
        where: expect.objectContaining({ line }) as object,
      }),
    ]);
  });

  it("reads lines by themselves also where they begin in another chunk", async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `München ${n},x\n`).join("");
    const { values } = await read(Buffer.concat([Buffer.from(`site,n\n${lines}`), FOREIGN]));
    expect(values.every(({ site }, n) => site === `München ${n}` || n === 5_000)).toBe(true);
    expect(values.at(-1)?.["site"]).toBe("Söhne €");
  });

  it("takes a ß before a closing quote for no letter of UTF-8", async () => {
    const bytes = Buffer.from("site\nSpa\xdf\x93\nGr\xf6\xdfe\n", "latin1");
    const { source, values } = await read(bytes);
    expect(values).toEqual([{ site: "Spaß“" }, { site: "Größe" }]);
    expect(source.detected.encoding).toBe("windows-1252");
  });

  it("reads emoji in two halves, as some databases write them", async () => {
    const half = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
    const bytes = Buffer.concat([Buffer.from("site\nä "), half, Buffer.from("\n")]);
    const { source, values } = await read(bytes);
    expect(values).toEqual([{ site: "ä 😀" }]);
    expect(source.warnings[0]).toMatchObject({
      message: expect.stringContaining("CESU-8") as string,
      where: { line: 2 },
    });
  });

  it("takes words of windows-1251 for no pairs of letters", async () => {
    for (const word of ["\xcc\xee\xf1\xea\xe2\xe0", "\xca\xe8\xe5\xe2", "\xca\xe8\xed\xee"]) {
      const { source } = await read(Buffer.from(`site,table\n${word},2\n`, "latin1"));
      expect(source.warnings[0]?.hint).toContain("Cyrillic 1251");
    }
  });

  it.each([
    ["windows-1250", "\xa3\xf3d\x9f", "Łódź"],
    ["iso-8859-2", "\xa3\xf3d\xbc", "Łódź"],
    ["windows-1251", "\xcc\xee\xf1\xea\xe2\xe0", "Москва"],
    ["windows-1253", "\xc1\xe8\xde\xed\xe1", "Αθήνα"],
    ["windows-1254", "\xddzmir", "İzmir"],
    ["windows-1257", "Klaip\xebda", "Klaipėda"],
  ] as const)("reads %s where it is named, and its hint names it", async (encoding, cell, word) => {
    const bytes = Buffer.from(`site,n\n${cell},2\n`, "latin1");
    const { source } = await read(bytes);
    expect(source.warnings[0]?.hint).toContain("likely windows-1250");
    const named = await read(bytes, {}, { encoding });
    expect(named.values).toEqual([{ site: word, n: "2" }]);
    expect(named.source.warnings).toEqual([]);
  });

  it("falls back to windows-1252 and names the line", async () => {
    const bytes = Buffer.concat([
      Buffer.from("site,n\nParis,1\n"),
      Buffer.from([0x4d, 0xfc, 0x6e, 0x63, 0x68, 0x65, 0x6e, 0x20, 0x80, 0x2c, 0x32, 0x0a]),
    ]);
    const { source, values } = await read(bytes);
    expect(values[1]).toEqual({ site: "München €", n: "2" });
    expect(source.detected.encoding).toBe("windows-1252");
    expect(source.warnings).toHaveLength(1);
    expect(source.warnings[0]?.where?.line).toBe(3);
    expect(source.warnings[0]?.message).toContain("windows-1252");
  });

  it("names the line also far behind the first chunk", async () => {
    const many = "München,1\n".repeat(60_000);
    const bytes = Buffer.concat([Buffer.from(`site,n\n${many}`), Buffer.from([0xe9, 0x2c, 0x32])]);
    const { source } = await read(bytes);
    expect(source.warnings[0]?.where?.line).toBe(60_002);
  });

  it("takes no harm from characters on the border of two chunks", async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `東京 München 🍜 ${n},x`);
    const { source, values } = await read(`site,n\n${lines.join("\n")}`);
    expect(source.detected.encoding).toBe("utf-8");
    expect(values.at(-1)?.["site"]).toBe("東京 München 🍜 29999");
    expect(values.every(({ site }) => site?.startsWith("東京 München 🍜") === true)).toBe(true);
  });

  it("warns when a file should be UTF-8 and isn't", async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from("site\nM"), 0xfc, 0x0a]);
    const { source, values } = await read(bytes);
    expect(values).toEqual([{ site: "M\ufffd" }]);
    expect(source.warnings[0]).toMatchObject({
      message: "file is said to be UTF-8, but has other bytes; their letters are replaced",
      where: { line: 2 },
    });
    const forced = await read(Buffer.from([0x61, 0x0a, 0xfc, 0x0a]), {}, { encoding: "utf-8" });
    expect(forced.source.warnings.map(({ where }) => where?.line)).toEqual([2, 2]);
  });

  it("obeys a forced encoding", async () => {
    const bytes = Buffer.from("site\nMünchen\n");
    const { values } = await read(bytes, {}, { encoding: "windows-1252" });
    expect(values[0]?.["site"]).toBe("MÃ¼nchen");
  });
});

describe("delimiters", () => {
  it.each([
    [",", "site,n\na,1\nb,2\n"],
    [";", "site;n\na;1,5\nb;2,5\n"],
    ["\t", "site\tn\na, b\t1\nc\t2,0\n"],
    ["|", "site|n\na|1\nb|2\n"],
    [";", 'site;n\n"a,b,c,d";1\n"e,f,g,h";2\n'],
    [",", '"site","n"\n"a;b",1\n"c;d",2\n'],
  ])("finds %j", async (delimiter, content) => {
    const { source, values } = await read(content);
    expect(source.detected.delimiter).toBe(delimiter);
    expect(values).toHaveLength(2);
    expect(Object.keys(values[0] ?? {})).toEqual(["site", "n"]);
  });

  it("prefers the one that yields the manifest's columns", async () => {
    const content = "site;price, net, gross\na;1,2,3\nb;4,5,6\n";
    const { source } = await read(content, { site: { required: true } });
    expect(source.detected.delimiter).toBe(";");
  });

  it.each([
    [";", "Name, Vorname;Link\nGroß, Anna;https://a.example/1\nKlein, Bernd;https://a.example/2\n"],
    ["\t", "Name, Vorname\tLink\nGroß, Anna\thttps://a.example/1\n"],
    ["|", "Maß; Gewicht|Link\n1; 2|https://a.example/1\n3; 4|https://a.example/2\n"],
    [";", "Artikel;Preis (netto, EUR)\nTee;4,50\nKaffee;5,00\n"],
    [";", "Artikel;Preis (netto, EUR);Ort, Halle\nTee;4,50;Bonn, 1\nKaffee;5,00;Köln, 2\n"],
    [";", '"Produkt";"Maße (B, H, T)";"Link"\n"Regal";"80, 200, 30";"https://a.example/1"\n'],
    [";", '"Artikel";"Preis (netto, EUR)"\n"Tee";"4,50"\n"Kaffee";"5,00"\n'],
    [";", 'Ort,Halle;Link\n"Bonn,1";https://a.example/1\n"Köln,2";https://a.example/2\n'],
    [";", "Artikel;Maße (B,H,T)\nTee;3,50\nKaffee;7,50\nMilch;1,50\n"],
    [",", "name,tags\nA,a;b\nB,c;d\nC,e;f\n"],
    [";", "Nr;Preis\n1;2,5\n2;3,5\n"],
    [";", 'Name, Vorname; Nr; Maß\n"rot;b"; 7,5; 8,5\nblau; 9,5; 6,5\n'],
    [",", "No, Name, Link\n1, A, https://a.example/1\n2, B, https://a.example/2\n"],
    [",", 'Nr,Titel,Preis\n1,"""Mond""; ein Lied",5\n2,"""Tag""; ein Lied",6\n'],
    [";", 'Nr;Titel;Preis\n1;"""Mond""; ein Lied";19,99\n2;"""Tag""; ein Lied";9,50\n'],
  ])("takes %j, also where each line has as many others", async (delimiter, content) => {
    const { source, problems } = await read(content);
    expect(source.detected.delimiter).toBe(delimiter);
    expect([...problems, ...source.warnings]).toEqual([]);
  });

  it.each([
    "Link\nhttps://a.example/1,2\nhttps://a.example/3,4\n",
    "Link\nhttps://a.example/1\nhttps://a.example/2,3\nhttps://a.example/4,5\n",
  ])("splits no list of one column: %j", async (content) => {
    const [header = "", ...cells] = content.trim().split("\n");
    const { source, rows, problems } = await read(content);
    expect(source.columns).toEqual([header]);
    // Lists that a job writes have their usual one.
    expect(source.detected.delimiter).toBe("");
    expect(rows.map(({ cells: row }) => row[header])).toEqual(cells);
    expect(problems).toEqual([]);
    // The commas may part columns as well, of which all but the first have no name.
    expect(source.warnings.map(({ message }) => message)).toEqual([
      'lines are read as one column of addresses, but "," parts them as well',
    ]);
  });

  it("says so of addresses with commas that part lines into two and into three", async () => {
    const lines = ["1,Anna", "2,Bob,VIP", "3,Carl", "4,Dora,VIP"].map(
      (one) => `https://a.example/${one}\n`,
    );
    const { source } = await read(`Link\n${lines.join("")}`);
    expect(source.warnings.map(({ message }) => message)).toEqual([
      'lines are read as one column of addresses, but "," parts them as well',
    ]);
  });

  it("says nothing of a list of addresses of which one has a comma", async () => {
    const { source } = await read("Link\nhttps://a.example/1\nhttps://a.example/2,3\n");
    expect([source.columns, source.warnings]).toEqual([["Link"], []]);
  });

  it.each([
    // A mark behind each line belongs to no address.
    ["Link\nhttps://a.example/1,\nhttps://a.example/2,\nhttps://a.example/3\n", ","],
    ["Link\nhttps://a.example/1|\n", "|"],
    // Nor does another column.
    ["Link\nhttps://a.example/1, North\nhttps://a.example/2, South, 3\n", ","],
    ['Link\nhttps://a.example/1;"North"\nhttps://a.example/2;"South";3\n', ";"],
    ["Link\nhttps://a.example/1\tNorth\nhttps://a.example/2\tSouth\t3\n", "\t"],
    ["Link\nhttps://a.example/1,https://a.example/2\nhttps://a.example/3\n", ","],
    // Names of several columns, where another mark parts the rows as well.
    ["Link; Name\nhttps://a.example/1,2; A; 1\nhttps://a.example/3,4; B\n", ","],
  ])("takes no line for an address that holds more: %j", async (content, delimiter) => {
    const { source, rows } = await read(content);
    expect(source.detected.delimiter).toBe(delimiter);
    for (const row of rows.filter(({ problems: found }) => found.length === 0))
      expect(Object.values(row.values)[0]).toMatch(/^https:\/\/a\.example\/\d$/u);
  });

  it("takes years for names, also below a title", async () => {
    const { source } = await read("Regale\nName,2025,2026\nA,1,2\n");
    expect(source.columns).toEqual(["Name", "2025", "2026"]);
  });

  it("takes quotes within texts for no sign of another one", async () => {
    const { source, values } = await read(
      'Zitat;Autor;Jahr\n"Sein", oder nicht;Heß, Paul;1901\n"Ja", sagt er;Groß, Anna;1902\n',
    );
    expect(source.detected.delimiter).toBe(";");
    expect(values[0]).toEqual({ Zitat: '"Sein", oder nicht', Autor: "Heß, Paul", Jahr: "1901" });
  });

  it("takes the one that gives the columns which templates and key use", async () => {
    const content = "A|B;C|D\n1|2;3|4\n";
    const of = async (...uses: string[]) =>
      (await readAll(makeSource(writeFile("uses.csv", content)), uses)).source;
    expect((await of("A|B")).columns).toEqual(["A|B", "C|D"]);
    expect((await of("D")).columns).toEqual(["A", "B;C", "D"]);
  });

  it("says so where another one parts the lines as well, unless the manifest says which", async () => {
    const content = "Ort,Halle;Link\nBonn,1;x\nKöln,2;y\n";
    const { source } = await read(content);
    expect(source.columns).toEqual(["Ort,Halle", "Link"]);
    expect(source.warnings).toMatchObject([
      {
        message: 'lines are read as parted by ";", but "," parts them as well',
        hint: expect.stringContaining('source.delimiter: ";" or ","') as string,
      },
    ]);
    const said = await read(content, {}, { delimiter: "," });
    expect([said.source.columns, said.source.warnings]).toEqual([["Ort", "Halle;Link"], []]);
  });

  it("says so where only the columns of the manifest speak for the one", async () => {
    const content = '"Artikel";"Preis (netto, EUR)"\n"Tee";"4,50"\n"Kaffee";"5,00"\n';
    const { source } = await read(content, { text: { aliases: ['"Artikel";"Preis (netto'] } });
    expect(source.detected.delimiter).toBe(",");
    expect(source.warnings[0]?.message).toBe(
      'lines are read as parted by ",", but ";" parts them as well',
    );
  });

  it("obeys sep= and keeps physical line numbers", async () => {
    const { source, rows } = await read("sep=|\r\nsite|n\r\na|1\r\n");
    expect(source.detected).toMatchObject({ delimiter: "|", headerLine: 2 });
    expect(rows.map(({ line }) => line)).toEqual([3]);
  });

  it("obeys a forced delimiter", async () => {
    const { source } = await read("a#b;c\n1#2;3\n", {}, { delimiter: "#" });
    expect(source.columns).toEqual(["a", "b;c"]);
  });

  it("reads a single column", async () => {
    const { values } = await read("url\nhttps://a.example/\nhttps://b.example/?x=1,2\n", {
      url: { type: "url" },
    });
    expect(values[0]).toEqual({ url: "https://a.example/" });
  });
});

describe("lines above the names of the columns", () => {
  const ROWS = "Tee;https://a.example/1;3\nKaffee;https://a.example/2;4\n";
  const NAMES = "Artikel;Link;Menge\n";

  it.each([
    ["a padded one", `Standort;Berlin;\n${NAMES}${ROWS}`, 2],
    ["two of a pair", `Kunde;Müller\nDatum;01.06.2026\n${NAMES}${ROWS}`, 3],
    ["a date, with commas", "Plan, neu\nAm 1.6., 10:00\nName,Link,n\nA,https://a.example/,3\n", 3],
    ["two of a cell above two columns", "Export\nDatum\nName;Link\nA;https://a.example/\n", 3],
    ["padded notes", `Liste;"M, N";\nAm;1.6.2026;\n${NAMES}${ROWS}`, 3],
    ["another table above", `Name;Link\nA;https://a.example/\n${NAMES}${ROWS}`, 1],
    ["names of groups", "Regal;;Ware\nNr;Halle;Menge\n1;2;3\n", 1],
    ["one without a name", "Artikel;Farbe;\nHemd;rot;Aktion\nHose;rot;5\nRock;blau;6\n", 1],
    ["a column without a name", "Name;Ort;\nTee;Bonn;rot\nKaffee;Köln;blau\n", 1],
  ])("%s: the line of names is found", async (_what, content, line) => {
    const { source } = await read(content);
    expect(source.detected.headerLine).toBe(line);
  });

  it("are named where most rows are longer, with what says another line", async () => {
    const content = "Kunde;Müller\nStand;heute\nName;Ort;Farbe\nA;Bonn;rot\nB;Köln;blau\n";
    const { source, rows } = await read(content);
    const hint = expect.stringContaining("header_row in source, --header-row of init") as string;
    expect(source.warnings).toMatchObject([
      { message: expect.stringMatching(/^line 1 is taken as the header and has 2 cells/u), hint },
    ]);
    expect(rows[1]?.problems).toMatchObject([{ hint }]);
    expect((await read(content, {}, { headerRow: 3 })).problems).toEqual([]);
  });
});

describe("lines", () => {
  it("takes CRLF, LF and CR mixed as line ends, with physical numbers", async () => {
    const { rows } = await read("site,n\r\na,1\nb,2\rc,3\r\n\r\nd,4");
    expect(rows.map(({ line, values }) => [line, values["site"]])).toEqual([
      [2, "a"],
      [3, "b"],
      [4, "c"],
      [6, "d"],
    ]);
  });

  it("counts lines inside cells, whatever their line ends", async () => {
    const content = 'site,n\n"a\nb",1\n"c\r\nd\r\ne",2\n"f\rg",3\nlast,4\n';
    const { rows } = await read(content);
    expect(rows.map(({ line }) => line)).toEqual([2, 4, 7, 9]);
    expect(rows[1]?.values["site"]).toBe("c\r\nd\r\ne");
  });

  it("skips blank rows and rows of delimiters", async () => {
    const { rows, source } = await read("site,n\n\n , \n,,\n,\na,1\n\n");
    expect(rows.map(({ line }) => line)).toEqual([6]);
    expect(source.blankRows).toBe(5);
  });

  it("reads a last line without line end", async () => {
    const { values } = await read("site,n\na,1\nb,2");
    expect(values).toHaveLength(2);
  });
});

const rowsOf = (count: number, more: string): string =>
  Array.from({ length: count }, (_, at) => `${at},x${more}\n`).join("");

describe("rows that don't fit", () => {
  it("reports long rows with the text that is too much, and goes on", async () => {
    const { rows } = await read(
      `${HEADER}a,1,https://a.example/,more,"and, more"\nb,2,https://b.example/\n`,
      COLUMNS,
    );
    expect(rows[0]?.problems[0]).toMatchObject({
      message: 'row must have 3 cells, as the header has, got 5; too many: "more","and, more"',
      where: { line: 2 },
    });
    expect(rows[1]?.problems).toEqual([]);
  });

  it("reports short rows", async () => {
    const { rows } = await read("site,n,m\na,1\nb,2,3\n");
    expect(rows[0]?.problems[0]?.message).toBe("row must have 3 cells, as the header has, got 2");
    expect(rows[1]?.problems).toEqual([]);
  });

  it("takes rows that Excel has cut short, since whole blocks of 16 have nothing in the last columns", async () => {
    const excel = `site,n,m,o\n${rowsOf(15, ",,")}${rowsOf(16, "")}${rowsOf(16, ",,1")}${rowsOf(2, ",")}`;
    expect((await read(excel)).problems).toEqual([]);
    const last = `site,n,m\n${rowsOf(15, ",1")}${rowsOf(17, "")}`;
    expect((await read(last)).problems).toEqual([]);
    const note = `site,n,m\n${rowsOf(15, ",1")}${rowsOf(16, "")}the end\n`;
    expect((await read(note)).problems).toHaveLength(1);
    const alone = `site,n,m\n${rowsOf(15, ",")}${rowsOf(1, "")}`;
    expect((await read(alone)).problems).toHaveLength(1);
    const few = `site,n,m\n${rowsOf(15, ",1")}${rowsOf(3, "")}`;
    expect((await read(few)).problems).toHaveLength(3);
    const four = `site,n,m\n${rowsOf(15, ",1")}${rowsOf(4, "")}`;
    expect((await read(four)).problems).toEqual([]);
    const others = `site,n,m\n${rowsOf(33, "")}`;
    expect((await read(others)).problems).toHaveLength(33);
    const uneven = `site,n,m\n${rowsOf(14, ",")}${rowsOf(17, "")}`;
    expect((await read(uneven)).problems).toHaveLength(17);
  });

  it("lets empty cells at the end pass", async () => {
    const { problems, values } = await read("site,n\na,1,,\nb,2, \n");
    expect(problems).toEqual([]);
    expect(values).toHaveLength(2);
  });

  it("suspects a missing quote when a cell of a bad row has many lines", async () => {
    const { rows } = await read('site,n,m\na,"open\nb\nc"\nd,2,3\n');
    expect(rows[0]).toMatchObject({ line: 2 });
    expect(rows[0]?.problems[0]?.hint).toContain("closing quote");
    expect(rows[1]?.problems).toEqual([]);
  });

  it("notices rows that a wrongly closed quote swallows, though the count fits", async () => {
    const { rows } = await read('site,n,m\na,"open,1\nb,2,3\nc,"4,5\nd,6,7\n');
    expect(rows[0]?.problems[0]).toMatchObject({ where: { line: 2, column: "n" } });
    expect(rows[0]?.problems[0]?.message).toContain("swallows the next rows");
    expect(rows[1]).toMatchObject({ line: 5, problems: [] });
  });

  it("lets cells of several lines that begin with a quotation pass", async () => {
    const { problems } = await read('site,n,m\n"""To be, or not""\nW. S.",1,2\n');
    expect(problems).toEqual([]);
  });

  it("takes NUL for a row error", async () => {
    const { rows } = await read("site,n\na\u0000b,1\nc,2\n");
    expect(rows[0]?.problems[0]).toMatchObject({
      message: "cell must be text without NUL characters",
      where: { line: 2, column: "site" },
    });
    expect(rows[1]?.problems).toEqual([]);
  });
});

describe("quotes and what spreadsheets add", () => {
  it("keeps quotes inside a cell and strips the text marks", async () => {
    const { values } = await read(
      'a,b,c\n5" pipe,="0950","=""0951"""\n"say ""hi""",\'=1+1,\'@home\n\'quoted\',\'-5,-5\n',
    );
    expect(values).toEqual([
      { a: '5" pipe', b: "0950", c: "0951" },
      { a: 'say "hi"', b: "=1+1", c: "@home" },
      { a: "'quoted'", b: "-5", c: "-5" },
    ]);
  });

  it.each([
    [
      "a,b",
      ["b: 2 cells of the column have a ' in front that", '"\'-5", used as "-5" (first one)'],
    ],
    ["a,b,line,reason", []],
    ["key,line,display_name,b", []],
  ])("says of %s that a mark before a formula is left out", async (header, says) => {
    const rest = header
      .split(",")
      .slice(2)
      .map(() => ",1");
    const rows = ["'quoted','-5", "a,'@home", "c,'d"].map((row) => row + rest.join(""));
    const { values, source } = await read(`${header}\n${rows.join("\n")}\n`);
    expect(Object.values(values[1] ?? {})).toContain("@home");
    const told = source.warnings.map(({ message, where }) => `${where?.column}: ${message}`);
    expect(told).toEqual(says.length === 0 ? [] : [expect.stringContaining(says[0] ?? "")]);
    expect(told[0] ?? "").toContain(says[1] ?? "");
  });

  it("gives cells as they were, for failed-rows.csv", async () => {
    const { rows } = await read(" Site ,n\n ='x' ,'=1\n");
    expect(rows[0]?.cells).toEqual({ " Site ": " ='x' ", n: "'=1" });
    expect(rows[0]?.values).toEqual({ Site: "='x'", n: "=1" });
  });

  it("names the line on which an unclosed quote opens", async () => {
    const error = await fail('site,n\na,1\n"b\r\nx",2\nc,"open\nd,4\ne,5\n');
    expect(error.code).toBe("source-unreadable");
    expect(error.message).toBe("quote must be closed, got one that opens on line 5 and never ends");
    expect(error.where?.line).toBe(5);
  });

  it("notices rows that a quote in the header swallows", async () => {
    const error = await fail('"site,n\n"a, 1",2\n"b, 2",3\n');
    expect(error.message).toBe(
      "quote must be closed, got one that opens in the header or above it and swallows the next rows",
    );
    const { source } = await read('"site\n(name)",n\na,1\n');
    expect(source.columns).toEqual(["site\n(name)", "n"]);
  });

  it("counts line ends inside earlier cells of the same row", async () => {
    const error = await fail('site,n,m\n"a\nb\nc","d\ne","open\nf\n');
    expect(error.where?.line).toBe(5);
  });

  it("doesn't take quotes in the middle of a cell for open ones", async () => {
    const error = await fail('site,n\n5" pipe,1\n"6"" pipe",2\n7,"open\n');
    expect(error.where?.line).toBe(4);
  });

  it("gives up on a quote that swallows a megabyte, instead of the memory", async () => {
    const many = "some text, and more of it\n".repeat(60_000);
    const error = await fail(`site,n\na,1\nb,"open\n${many}c,"2"\n`);
    expect(error.message).toContain("opens on line 3");
  });
});

describe("names that are traps", () => {
  it("takes __proto__, constructor and toString for columns like others", async () => {
    const { source, rows } = await read("__proto__,constructor,toString\nx,y,z\n");
    const [row] = rows;
    expect(Object.entries(row?.values ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
      ["toString", "z"],
    ]);
    expect(Object.entries(row?.cells ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
      ["toString", "z"],
    ]);
    expect(source.names).toEqual(["__proto__", "constructor", "toString"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("has no inherited keys", async () => {
    const { rows } = await read("a\n1\n");
    expect("toString" in (rows[0]?.values ?? {})).toBe(false);
    expect("hasOwnProperty" in (rows[0]?.cells ?? {})).toBe(false);
  });
});

describe("the same source again", () => {
  it("reads the rows anew, and the checksum is that of the bytes", async () => {
    const { createHash } = await import("node:crypto");
    const { openSource } = await import("../../src/read/source.ts");
    const content = `${HEADER}a,1,https://a.example/\nb,2,https://b.example/\n`;
    const source = await openSource(makeSource(writeFile("twice.csv", content), COLUMNS));
    const lines = async (): Promise<number[]> => {
      const seen: number[] = [];
      for await (const row of source.rows()) seen.push(row.line);
      return seen;
    };
    expect(await lines()).toEqual([2, 3]);
    expect(await lines()).toEqual([2, 3]);
    expect(source.sha256).toBe(createHash("sha256").update(content).digest("hex"));
    await source.close();
  });

  it("notices that the file was saved while it was read", async () => {
    const { openSource } = await import("../../src/read/source.ts");
    const { appendFileSync } = await import("node:fs");
    const file = writeFile("changing.csv", "site,n\na,1\nb,2\n");
    const source = await openSource(makeSource(file));
    appendFileSync(file, "c,3\n");
    const pass = async (): Promise<void> => {
      for await (const row of source.rows()) expect(row.line).toBeGreaterThan(1);
    };
    await expect(pass()).rejects.toMatchObject({
      code: "source-unreadable",
      hint: "run the same command again",
    });
    await source.close();
  });

  it("can be left in the middle", async () => {
    const { openSource } = await import("../../src/read/source.ts");
    const rows = Array.from({ length: 20_000 }, (_, n) => `s${n},${n}`).join("\n");
    const source = await openSource(makeSource(writeFile("long.csv", `site,n\n${rows}\n`)));
    for await (const row of source.rows()) if (row.line === 5000) break;
    let count = 0;
    for await (const row of source.rows()) count += Number(row.line > 0);
    expect(count).toBe(20_000);
    await source.close();
  });
});

describe("rows of commas only", () => {
  it("are taken up to as many cells as spreadsheets have", async () => {
    const { values } = await read(`site${",".repeat(16_383)}\na${",".repeat(16_383)}\n`);
    expect(values).toMatchObject([{ site: "a" }]);
  });

  it("are refused beyond, before they fill the memory", async () => {
    const error = await fail(`site,n\na,1\nb${",".repeat(200_000)}\n`);
    expect(error.message).toBe("row must have at most 16,384 cells, got 200,001");
    expect(error.where).toMatchObject({ line: 3 });
    expect(error.hint).toContain("export the columns that the job needs");
  });

  it("are refused without a quote, too, when they have no end", async () => {
    const error = await fail(`site,n\n${"ab".repeat(600_000)}`);
    expect(error.message).toBe("row must have at most 1,000,000 characters, got a longer one");
    expect(error.hint).toContain("line breaks");
  });
});
