/** CSV as programs leave it: formulas, errors, encodings, repeated headers. */
import type { Case } from "./case.ts";

const ERRORS = "#N/A #NV #WERT! #BEZUG! #VALEUR! #¡REF! #RIF! #WAARDE! #ERROR! Err:502 Fehler:502";
const FORMULAS = [
  "=A1+B1",
  '=HYPERLINK("https://a.example/")',
  "=1+1",
  "=-5",
  "=SUMME(A1:A9)",
  "=Tabelle1!A1",
  "=$A$1",
];
const PLAIN = ["=", "==", "= x", "=)", "1=1"];

const latin = (content: string): Buffer => Buffer.from(content, "latin1");
const CONTRADICTED = "but looks like another encoding";

export const textCases: readonly Case[] = [
  ...ERRORS.split(" ").map((text): Case => ({
    name: `the error ${text}`,
    file: `a;b\n${text};x\n`,
    refused: ["2 a: must hold its text or nothing, but holds what spreadsheets write for an error"],
  })),
  ...FORMULAS.map((text): Case => ({
    name: `the formula ${text}`,
    file: `a;b\n${text};x\n`,
    refused: ["2 a: must have a result, but holds its formula"],
  })),
  ...PLAIN.map((text): Case => ({
    name: `${text} is no formula`,
    file: `a;b\n${text};x\n`,
    taken: [{ a: text }],
  })),
  {
    name: "blanks around a password",
    file: '"Name ";"WLAN-Passwort";SSID\n" a ";" geheim ";Gast\nb;frei;"Gast "\n',
    taken: [
      { Name: "a", "WLAN-Passwort": "geheim", SSID: "Gast" },
      { Name: "b", "WLAN-Passwort": "frei", SSID: "Gast" },
    ],
    warned: [
      "2 WLAN-Passwort: cell has a blank in front of or behind its text, which is left out",
      "3 SSID: cell has a blank in front of or behind its text, which is left out",
    ],
  },
  {
    name: "blanks around the name of a network, in a column whose name is one word",
    file: "Name;WifiSSID;wlanssid\na;Gast ;Bar\nb;Gast;Bar \n",
    taken: [
      { Name: "a", WifiSSID: "Gast", wlanssid: "Bar" },
      { Name: "b", WifiSSID: "Gast", wlanssid: "Bar" },
    ],
    warned: [
      "2 WifiSSID: cell has a blank in front of or behind its text, which is left out",
      "3 wlanssid: cell has a blank in front of or behind its text, which is left out",
    ],
  },
  {
    name: "blanks behind numbers of addresses, which are no networks",
    file: "Name;AddressID;ClassID\na;17 ;A \nb;18 ;B \n",
    taken: [
      { Name: "a", AddressID: "17", ClassID: "A" },
      { Name: "b", AddressID: "18", ClassID: "B" },
    ],
  },
  {
    name: "blanks that set cells apart",
    file: "Name, SSID, Passwort\na, Gast, geheim\nb, Bar, frei\n",
    taken: [
      { Name: "a", SSID: "Gast", Passwort: "geheim" },
      { Name: "b", SSID: "Bar", Passwort: "frei" },
    ],
  },
  {
    name: "'=1+1 is no formula",
    file: "a;b\n'=1+1;x\n",
    taken: [{ a: "=1+1" }],
    warned: [`2 a: cell has a ' in front that keeps programs from reading a formula`],
  },
  { name: "#SALE! is a text", file: "a;b\n#SALE!;x\n", taken: [{ a: "#SALE!" }] },
  {
    name: "a formula that only makes a text",
    file: 'a;b\n"=""0950""";x\n',
    taken: [{ a: "0950" }],
  },
  {
    name: "a formula in a column that nothing uses",
    file: "a;b\nx;=A1+1\n",
    columns: { a: {} },
    uses: ["a"],
    taken: [{ a: "x" }],
  },
  {
    name: "a control character",
    file: "a;b\nx\u0001y;x\nz;x\n",
    refused: ["2 a: cell must be text without control characters"],
    taken: [{ a: "z" }],
  },
  {
    name: "tabs in cells between commas",
    file: "a,b\nx\ty,1\nz\tw,2\n",
    taken: [{ a: "x\ty" }, { a: "z\tw" }],
  },
  {
    name: "a letter that another program has lost",
    file: "a;b\nM\ufffdnchen;x\nK\ufffdln;x\n",
    taken: [{ a: "M\ufffdnchen" }, { a: "K\ufffdln" }],
    warned: [
      '2 a: 2 cells of the column have a letter that was lost before: "M\ufffdnchen" (first one)',
    ],
  },
  {
    name: "windows-1252 is named, and the file is UTF-8",
    file: "a;b\nMünchen;x\n",
    source: { encoding: "windows-1252" },
    taken: [{ a: "MÃ¼nchen" }],
    warned: [CONTRADICTED],
  },
  {
    name: "windows-1252 is named, and the file says UTF-8 with its mark",
    file: "\ufeffa;b\nMünchen;x\n",
    source: { encoding: "windows-1252" },
    taken: [{ a: "München" }],
    warned: ["source.encoding is windows-1252, but the file begins with the mark of utf-8"],
  },
  {
    name: "windows-1252 is named, and the file is it",
    file: latin("a;b\nMünchen;x\n"),
    source: { encoding: "windows-1252" },
    taken: [{ a: "München" }],
  },
  {
    name: "windows-1252 is named, and the file is ASCII",
    file: "a;b\nBern;x\n",
    source: { encoding: "windows-1252" },
    taken: [{ a: "Bern" }],
  },
  {
    name: "UTF-8 is named, and the file is windows-1252",
    file: latin("a;b\nMünchen;x\n"),
    source: { encoding: "utf-8" },
    taken: [{ a: "M\ufffdnchen" }],
    warned: ["file is said to be UTF-8, but has other bytes", "a letter that was lost"],
  },
  {
    name: "UTF-8 is named, and the file says UTF-16 with its mark",
    file: Buffer.from("\ufeffa;b\nMünchen;x\n", "utf16le"),
    source: { encoding: "utf-8" },
    taken: [{ a: "München" }],
    warned: ["begins with the mark of utf-16le"],
  },
  {
    name: "page breaks, breaks of FileMaker within a cell, and the end of a file of DOS",
    file: "a;b\nA\u000bB;x\n\fC;x\n\u001a",
    taken: [{ a: "A\nB" }, { a: "C" }],
  },
  {
    name: "a header on each page",
    file: "site,table\nA,1\nsite,table\nB,2\nsite , table\n",
    taken: [{ site: "A" }, { site: "B" }],
    warned: ["3 -: 2 rows are the header again"],
  },
  {
    name: "a sum below the list",
    file: "site,table\nTotal Wine,\nCount Basie,\nSumme,2\nTotal Fitness 3,\nAnzahl Tische: 2,\n",
    columns: { site: { required: true } },
    taken: [
      { site: "Total Wine" },
      { site: "Count Basie" },
      { site: "Summe" },
      { site: "Total Fitness 3" },
      { site: "Anzahl Tische: 2" },
    ],
    warned: ['4 -: 2 rows are like a sum below a list, and read as a row: "Summe" (first one)'],
  },
  {
    name: "a sum below the numbers of a list",
    file: "nr;name;preis\nTotal;1;2\n1;Total;9,00\n2;Total Wine;9\nGesamt;;1.018,00 €\nTotal;9;9a\n",
    taken: [{ nr: "Total" }, { nr: "1" }, { nr: "2" }, { nr: "Gesamt" }, { nr: "Total" }],
    warned: ['5 -: row is like a sum below a list, and read as a row: "Gesamt"'],
  },
  {
    name: "a delimiter behind the names of columns only",
    file: "a;b;\n1;x\n2;y\n3\n",
    taken: [
      { a: "1", b: "x" },
      { a: "2", b: "y" },
    ],
    refused: ["4 -: row must have 2 cells, as the header has, got 1"],
  },
  {
    name: "a delimiter behind the names of columns, and behind most rows",
    file: "a;b;\n1;x;\n2;y;\n3;z\n",
    taken: [
      { a: "1", b: "x" },
      { a: "2", b: "y" },
    ],
    refused: ["4 -: row must have 3 cells, as the header has, got 2"],
  },
  {
    name: "titles of a printout on each page",
    file: "Lager;;Seite 1\nNr;Name;Ort\n1;a;x\nLager;;Seite 2\nNr;Name;Ort\n2;b;y\nLager;;Süd\nLager;;Seite 3\n",
    uses: ["Nr", "Name"],
    taken: [{ Nr: "1" }, { Nr: "Lager" }, { Nr: "2" }, { Nr: "Lager" }, { Nr: "Lager" }],
    warned: [
      '4 -: 2 rows are like a title above the header, as printouts have on each page, and read as a row: "Lager" (first one)',
      "5 -: row is the header again",
    ],
  },
  {
    name: "sums of Excel's groups",
    file: "Ort;Menge;Preis\nBonn;1;2\nBonn Ergebnis;1;2\n;;\nGesamtergebnis;1;\n",
    taken: [{ Ort: "Bonn" }, { Ort: "Bonn Ergebnis" }, { Ort: "Gesamtergebnis" }],
    warned: ['3 -: 2 rows are like a sum below a list, and read as a row: "Bonn Ergebnis"'],
  },
  {
    name: "names and days that are like sums",
    file: "name;preis;ean\nA;1;\nColgate Total;4,99;4006381333931\nBonn Total;4,99;5\nJahresergebnis;1;2\nTotal;11.03.2026;\nTotal;;4006381333931\nA Total;1;\n",
    taken: ["A", "Colgate Total", "Bonn Total", "Jahresergebnis", "Total", "Total", "A Total"].map(
      (name) => ({ name }),
    ),
    warned: ['8 -: row is like a sum below a list, and read as a row: "A Total"'],
  },
  {
    name: "a number above the header is no title",
    file: "7;;\nnr;name;ort\n1;;\n2;;\n",
    uses: ["nr"],
    taken: [{ nr: "1" }, { nr: "2" }],
  },
  {
    name: "units below the header",
    file: "id,weight,size\n,kg,[mm]\na,1,2\n,kg,\n",
    taken: [{ size: "[mm]" }, { size: "2" }, { size: "" }],
    warned: [
      '2 -: row is like units or more names of columns below the header, and read as a row: "kg"',
    ],
  },
  {
    name: "a unit above other units, and above texts, is a cell of a row",
    file: "name,count,unit,sex\n,,Stk,m\na,1,kg,w\n",
    taken: [{ unit: "Stk", sex: "m" }, { unit: "kg" }],
  },
  {
    name: "names of columns on two lines",
    file: "id;contact;;page\n;phone;mail;\na;1;b@c.example;x\n",
    taken: [{ id: "", contact: "phone" }, { id: "a" }],
    warned: ["2 -: row is like units or more names of columns below the header"],
  },
  {
    name: "a first row with a word in a column without a name",
    file: "group;name;;page\n;Anna;VIP;\nA;Ben;;b@c.example\n",
    taken: [{ name: "Anna" }, { group: "A" }],
  },
  {
    name: "amounts with their currency are no names of columns, a year is",
    file: "dish;2026;\nPizza;12 €;hot\nPasta;($9.50);mild\n",
    taken: [{ dish: "Pizza", 2026: "12 €" }, { dish: "Pasta" }],
  },
  {
    name: "amounts with their currency are names of columns above the first row",
    file: "dish;20 €;\nPizza;x;x\nPasta;1;\n",
    taken: [{ dish: "Pizza", "20 €": "x" }, { dish: "Pasta" }],
  },
  {
    name: "amounts with their currency are names of columns below a note with its date",
    file: "Stand;29.11.2026\nname;20 €;50 €\nAnna;1;2\n",
    taken: [{ name: "Anna", "20 €": "1" }],
  },
  {
    name: "strokes that are marks",
    file: "tel,rating\n++,--\n1,-\n",
    taken: [{ tel: "++", rating: "--" }, { tel: "1" }],
  },
  {
    name: "two strokes alone are an article",
    file: "article,name\n--,\n1,a\n",
    taken: [{ article: "--" }, { article: "1" }],
  },
  {
    name: "one stroke below all names, as psql draws it",
    file: "id|name\n----+------\n1|Anna\n",
    taken: [{ id: "1", name: "Anna" }],
    warned: ['2 -: row is nothing but strokes below the header: "----+------"; it is left out'],
  },
  {
    name: "two strokes in a list of one column",
    file: "rating\n--\n+\n",
    taken: [{ rating: "--" }, { rating: "+" }],
  },
  {
    name: "short strokes below the header",
    file: "|id|name|\n|:--|--:|\n|1|a|\n",
    taken: [{ id: "1", name: "a" }],
    warned: ['2 -: row is nothing but strokes below the header: ":--"; it is left out'],
  },
  {
    name: "a row that only has a place is no names",
    file: "id;size;name\n;M;\n;;l/r\na;1;b\n",
    taken: [{ size: "M" }, { name: "l/r" }, { id: "a" }],
  },
  {
    name: "strokes below the header, and a row of them",
    file: "id,name\n--,----\n1,a\n--,--\n",
    taken: [{ id: "1" }, { id: "--" }],
    warned: ['2 -: row is nothing but strokes below the header: "--"; it is left out'],
  },
  {
    name: "a row that is like the header in one cell",
    file: "site,table\nsite,1\n",
    taken: [{ site: "site", table: "1" }],
  },
  {
    name: "a single column knows no header again",
    file: "site\nA\nsite\n",
    taken: [{ site: "A" }, { site: "site" }],
  },
  {
    name: "mailto: in a column of addresses",
    file: "mail\nmailto:a@b.example\nMAILTO:c@d.example?subject=x\n",
    columns: { mail: { type: "email" } },
    taken: [{ mail: "a@b.example" }, { mail: "c@d.example" }],
  },
];
