/** CSV whose writers quote as they like. */
import type { Case } from "./case.ts";

const HEADER = "sku,name,price,url\n";
const URL1 = "https://a.example/1001";
const URL2 = "https://a.example/1002";
const URL3 = "https://a.example/1003";
const LAST = `1003,Cable,9,${URL3}\n`;
const last = { sku: "1003", name: "Cable", price: "9", url: URL3 };
const SWALLOWS = "swallows the next rows, up to line";
const TWO_WAYS = "row must be readable in one way";

export const quoteCases: readonly Case[] = [
  {
    name: "inch marks that are not doubled: row 1001 never gets the address of 1002",
    file: `${HEADER}1001,"Monitor 24"",199,${URL1}\n1002,"Monitor 27"",249,${URL2}\n${LAST}`,
    refused: [`2 name: quote must be closed, got one that opens in this cell and ${SWALLOWS} 3`],
    taken: [last],
  },
  {
    name: "an inch mark whose row is closed by one of the next row",
    file: `${HEADER}1001,"Monitor 24"",199,${URL1}\n1002,Monitor 27",249,${URL2}\n${LAST}`,
    refused: [`2 name: ${TWO_WAYS}`],
    taken: [last],
  },
  {
    name: "a quote that was forgotten, closed by one of the next row",
    file: `${HEADER}1001,"Monitor 24,199,${URL1}\n1002,Monitor 27",249,${URL2}\n${LAST}`,
    refused: [`2 name: ${TWO_WAYS}`],
    taken: [last],
  },
  ...(
    [
      [",", ""],
      ["", ","],
    ] as const
  ).map(([head, end]): Case => ({
    name: `a quote that was forgotten, with ${JSON.stringify(head)} behind the header and ${JSON.stringify(end)} behind rows`,
    file: `sku,name,price,url${head}\n1001,"Monitor 24,199,${URL1}${end}\n1002,Monitor 27",249,${URL2}${end}\n${LAST.trim()}${end}\n${LAST.trim()}${end}\n`,
    refused: [`2 name: ${TWO_WAYS}`],
    taken: [last, last],
  })),
  {
    name: "a quote that was forgotten, where most rows lack the last cell",
    file: `${HEADER}1001,"Monitor 24,199,${URL1}\n1002,Monitor 27",249,${URL2}\n${LAST}${"1004,Hook,5\n".repeat(3)}`,
    refused: [`2 name: ${TWO_WAYS}`, ...Array.from({ length: 3 }, () => "row must have 4 cells")],
    taken: [last],
  },
  {
    name: "a quote that was forgotten over three rows",
    file: `${HEADER}1001,"Monitor,199,${URL1}\n1002,Arm,20,${URL2}\n1004,Stand",30,${URL2}\n${LAST}`,
    refused: [`2 name: ${TWO_WAYS}`],
    taken: [last],
  },
  {
    name: "a quote that was forgotten, and the next row is quoted",
    file: `${HEADER}1001,"Monitor 24,199,${URL1}\n1002,"Monitor 27",249,${URL2}\n${LAST}`,
    refused: [`2 name: quote must be closed, got one that opens in this cell and ${SWALLOWS} 3`],
    taken: [last],
  },
  {
    name: "inch marks in the last cell",
    file: `sku,url,name\n1001,${URL1},"24""\n1002,${URL2},"27""\n1003,${URL3},Cable\n`,
    refused: ["2 name: quote must be closed"],
    taken: [{ sku: "1003" }],
  },
  {
    name: "inch marks in the first cell",
    file: `name,sku,url\n"24"",1001,${URL1}\n"27"",1002,${URL2}\nCable,1003,${URL3}\n`,
    refused: ["2 name: quote must be closed"],
    taken: [{ sku: "1003" }],
  },
  {
    name: "inch marks with semicolons and CRLF",
    file: `sku;name;price;url\r\n1001;"24"";199;${URL1}\r\n1002;"27"";249;${URL2}\r\n1003;C;9;${URL3}\r\n`,
    refused: [`2 name: quote must be closed, got one that opens in this cell and ${SWALLOWS} 3`],
    taken: [{ sku: "1003" }],
  },
  {
    name: "inch marks with lone CR and tabs",
    file: `sku\tname\tprice\turl\r1001\t"24""\t199\t${URL1}\r1002\t"27""\t249\t${URL2}\r1003\tC\t9\t${URL3}\r`,
    refused: [`2 name: quote must be closed, got one that opens in this cell and ${SWALLOWS} 3`],
    taken: [{ sku: "1003" }],
  },
  {
    name: "lines are counted on behind a cell of several lines",
    file: `${HEADER}1000,"two\nlines",1,${URL1}\n1001,"24"",199,${URL1}\n1002,"27"",249,${URL2}\n${LAST}`,
    refused: [`4 name: quote must be closed, got one that opens in this cell and ${SWALLOWS} 5`],
    taken: [{ sku: "1000", name: "two\nlines" }, last],
  },
  {
    name: "a quote within one line is read as it stands, and told",
    file: `${HEADER}1001,"24" monitor",199,${URL1}\n1002,"27" monitor",249,${URL2}\n${LAST}`,
    warned: [
      '2 name: 2 cells of the column have a quote that isn\'t doubled, and is read as "\\"24\\" monitor\\"" (first one)',
    ],
    taken: [{ name: '"24" monitor"' }, { name: '"27" monitor"' }, last],
  },
  {
    name: "inch marks without quotes around are texts",
    file: `${HEADER}1001,Monitor 24",199,${URL1}\n1002,Monitor 27",249,${URL2}\n`,
    taken: [{ name: 'Monitor 24"' }, { name: 'Monitor 27"' }],
  },
  {
    name: "doubled inch marks are texts",
    file: `${HEADER}1001,"Monitor 24""",199,${URL1}\n1002,"Monitor 27"", black",249,${URL2}\n`,
    taken: [{ name: 'Monitor 24"' }, { name: 'Monitor 27", black' }],
  },
  {
    name: "an address of several lines with commas is one cell",
    file: 'name,address\nBob,"Street 1\n12345, Berlin"\nAnn,"He said ""hi"", and\nleft, then"\n',
    taken: [{ address: "Street 1\n12345, Berlin" }, { address: 'He said "hi", and\nleft, then' }],
  },
  {
    name: "an address with a comma on each line is one cell",
    file: 'name,address,phone\nBob,"Street 1, Apt 4\nBerlin, 12345",555\n',
    taken: [{ address: "Street 1, Apt 4\nBerlin, 12345", phone: "555" }],
  },
  {
    name: "a cell of several lines that begins and ends with a quotation",
    file: 'site,n,m\n"""To be, or not""\nW. S.",1,2\n"a ""b""",3,4\n',
    taken: [{ site: '"To be, or not"\nW. S.' }, { site: 'a "b"' }],
  },
  {
    name: "empty quoted cells",
    file: 'a,b,c\n"","",x\n"",y,""\n',
    taken: [
      { a: "", b: "", c: "x" },
      { a: "", b: "y", c: "" },
    ],
  },
  {
    name: "a quote that never ends",
    file: `${HEADER}1001,"Monitor 24,199,${URL1}\n1003,x,9,y\n`,
    fails: "quote must be closed, got one that opens on line 2 and never ends",
  },
  {
    name: "a quote that opens in the last row of a short file with semicolons",
    file: 'id;url;note\r\n1;https://a.example/1;ok\r\n2;https://a.example/2;"open\r\n',
    fails: "quote must be closed, got one that opens on line 3 and never ends",
  },
  {
    name: "quotes behind a blank hold nothing together, and that is said",
    file: 'id, name, town\n1, "Groß, Anna", Ulm\n2, "Klein", Bonn\n3, Mai, "Hof"\n',
    refused: ['2 -: row must have 3 cells, as the header has, got 4; too many: " Ulm"'],
    taken: [
      { id: "2", name: '"Klein"', town: "Bonn" },
      { id: "3", name: "Mai", town: '"Hof"' },
    ],
    warned: [
      '2 name: 2 cells of the column have a blank in front of a quote, which is kept: " \\"Groß" (first one)',
      '4 town: cell has a blank in front of a quote, which is kept: " \\"Hof\\""',
    ],
  },
  {
    name: "two columns: a quote that is closed two rows later",
    file: 'A;B\n1;x\n2;"Zoll\n3;y\n4;Zoll"\n5;z\n',
    refused: [`3 B: ${TWO_WAYS}`],
    taken: [{ A: "1" }, { A: "5", B: "z" }],
  },
  {
    name: "two columns: a quote that is closed in the next row",
    file: 'A,B\n1,x\n2,"12 in\n3,7 in"\n5,z\n',
    refused: [`3 B: ${TWO_WAYS}`],
    taken: [{ A: "1" }, { A: "5", B: "z" }],
  },
  {
    name: "two columns: texts of several lines, mended as the hint says",
    file: 'A,B\n1,x\n2,"12 in\n3, 7 in"\n4,"a ""b"" \n5, c"\n6,z\n',
    taken: [{ A: "1" }, { B: "12 in\n3, 7 in" }, { B: 'a "b" \n5, c' }, { A: "6" }],
  },
  {
    name: "two columns: descriptions of several lines that aren't built as rows are",
    file: 'sku;text\nA-1;"Größe\nL;XL"\nA-2;"12 cm\n13;5 cm"\nA-3;"mild\nstark"\nA-4;x\n',
    taken: [{ sku: "A-1" }, { text: "12 cm\n13;5 cm" }, { text: "mild\nstark" }, { text: "x" }],
  },
  {
    name: "one column: texts of several lines",
    file: 'T\na text\nSalz\n"one line\nand more of it\nand an end"\n"Mehl\nZucker\nEier"\n',
    taken: [
      { T: "a text" },
      { T: "Salz" },
      { T: "one line\nand more of it\nand an end" },
      { T: "Mehl\nZucker\nEier" },
    ],
  },
  {
    name: "a header that swallows rows",
    file: '"sku"",name\n1,"a"",b\n2,c\n',
    fails: "opens in the header or above it and swallows the next rows",
  },
];
