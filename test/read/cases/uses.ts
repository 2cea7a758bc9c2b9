/** Columns that templates use and `source.columns` doesn't name. */
import { makeXlsx, number, row } from "../make-xlsx.ts";
import type { Case } from "./case.ts";

const book = (header: readonly string[], cells: Parameters<typeof row>[1]): Uint8Array =>
  makeXlsx({ sheets: [{ rows: row(1, header) + row(2, cells) + row(3, ["b", "plain", "x"]) }] });

const columns = { site: { required: true } };
const good = { site: "b", note: "plain" };

export const usesCases: readonly Case[] = [
  {
    name: "a formula that ends in an error",
    file: book(["site", "note"], ["a", { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' }]),
    columns,
    uses: ["note"],
    refused: ["2 note: must have a result, but its formula ends in an error", "3 -: row must have"],
  },
  {
    name: "a formula that was never calculated",
    file: book(["site", "note", "n"], ["a", { xml: "<c><f>1+1</f></c>" }, "x"]),
    columns,
    uses: ["note"],
    refused: ["2 note: must have a result, but its formula was never calculated"],
    taken: [good],
  },
  {
    name: "a number that has lost digits",
    file: book(["site", "note", "n"], ["a", number("12345678901234567000"), "x"]),
    columns,
    uses: ["note"],
    refused: [
      '2 note: must be stored as text: as a number it keeps 15 digits only, the others are lost, got "12345678901234567000"',
    ],
    taken: [good],
  },
  {
    name: "errors in a column that nothing uses stop no row",
    file: book(["site", "note", "n"], ["a", { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' }, "x"]),
    columns,
    uses: ["n"],
    taken: [{ site: "a" }, good],
  },
  {
    name: "the same where the manifest describes no column",
    file: book(["site", "note", "n"], ["a", { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' }, "x"]),
    uses: ["site", "n"],
    taken: [{ site: "a" }, good],
  },
  {
    name: "a column that nothing uses is not told as used, though the manifest describes no column",
    file: "site,note\na,'=x\nb,'=y\n",
    uses: ["site"],
    taken: [{ site: "a" }, { site: "b" }],
  },
  {
    name: "a number in scientific notation in CSV",
    file: "site,ean\na,9.50600013435E+12\nb,1\n",
    columns,
    uses: ["ean"],
    refused: ["2 ean: must be written out, without scientific notation"],
    taken: [{ site: "b", ean: "1" }],
  },
  {
    name: "an error of a formula in CSV",
    file: "site,ean\na,#N/A\nb,1\n",
    columns,
    uses: ["ean"],
    refused: [
      "2 ean: must hold its text or nothing, but holds what spreadsheets write for an error",
    ],
    taken: [{ site: "b" }],
  },
  {
    name: "a header that stands there twice",
    file: "site,url,url\na,https://a.example/,https://b.example/\n",
    columns,
    uses: ["url"],
    fails: 'header must name each used column once, got "url" twice',
  },
  {
    name: "a header that stands there twice and is not used",
    file: "site,url,url\na,https://a.example/,https://b.example/\n",
    columns,
    uses: ["site"],
    taken: [{ site: "a" }],
  },
  {
    name: "a column that is described, used and not there",
    file: "site,URL link\na,https://a.example/\n",
    columns: { ...columns, url: { type: "url" }, town: { default: "Bern" } },
    uses: ["url", "town", "date"],
    taken: [{ site: "a", url: "", town: "Bern" }],
    warned: [
      '1 -: column "url" is used, but the file has none of that name: it is empty in every row',
      '1 -: column "town" is used, but the file has none of that name: it is "Bern", its default, in every row',
    ],
  },
  {
    name: "a column that is described, not used and not there",
    file: "site\na\n",
    columns: { ...columns, url: { type: "url" } },
    uses: ["site"],
    taken: [{ site: "a", url: "" }],
  },
  {
    name: "a sum below the list of a workbook",
    file: makeXlsx({
      sheets: [{ rows: row(1, ["site", "n"]) + row(2, ["a", "x"]) + row(3, ["Total: 1"]) }],
    }),
    columns,
    taken: [{ site: "a" }, { site: "Total: 1" }],
    warned: ['3 -: row is like a sum below a list, and read as a row: "Total: 1"'],
  },
];
