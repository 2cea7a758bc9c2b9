/** Numbers as texts: thousands, decimals, and what could be both. */
import type { ColumnType } from "../../../src/job/job.ts";
import { makeXlsx, textSheet } from "../make-xlsx.ts";
import type { Case } from "./case.ts";

const TWO = "that can be read in one way only, got";

/** A column of these texts -> its values; `null` where a cell is refused because of two readings. */
type Column = readonly [
  type: ColumnType,
  texts: readonly string[],
  values: readonly (string | null)[],
];

const COLUMNS: readonly Column[] = [
  ["integer", ["1,000"], [null]],
  ["integer", ["12,000"], [null]],
  ["integer", ["1.000"], [null]],
  ["integer", ["1,234", "5"], [null, "5"]],
  ["integer", ["1.234", "5"], [null, "5"]],
  ["integer", ["-1,234", "+1.234"], [null, null]],
  ["integer", ["1,000", "1,000,000"], ["1000", "1000000"]],
  ["integer", ["1.000", "1.000.000"], ["1000", "1000000"]],
  ["integer", ["1,000", "2.0"], ["1000", "2"]],
  ["integer", ["1.000", "2,0"], ["1000", "2"]],
  ["integer", ["1.000", "2.0"], ["1", "2"]],
  ["integer", ["1,000", "2,00"], ["1", "2"]],
  ["integer", ["1,000", "1,000.00"], ["1000", "1000"]],
  ["integer", ["1.000", "1.000,00"], ["1000", "1000"]],
  ["integer", ["1,000", "2.0", "3,0"], [null, "2", "3"]],
  ["integer", ["1,234", "1,234,567", "7"], ["1234", "1234567", "7"]],
  ["integer", ["1,00,000", "12,34,567"], ["100000", "1234567"]],
  ["integer", ["1 000", "12 345 678"], ["1000", "12345678"]],
  ["integer", ["1\u00a0000", "1\u202f000", "1\u2009000"], ["1000", "1000", "1000"]],
  ["integer", ["1'000", "1’000’000"], ["1000", "1000000"]],
  ["integer", ["1 000,00", "1 000.0"], ["1000", "1000"]],
  ["integer", ["4006381333931.0", "7"], ["4006381333931", "7"]],
  ["integer", ["0,000", "007.000"], ["0", "7"]],
  ["number", ["1,234"], [null]],
  ["number", ["1.234"], [null]],
  ["number", ["1.234", "0.5"], ["1.234", "0.5"]],
  ["number", ["1.234", "0,5"], ["1234", "0.5"]],
  ["number", ["1,234", "0.5"], ["1234", "0.5"]],
  ["number", ["1,234", "0,5"], ["1.234", "0.5"]],
  ["number", ["1,234", "1 234,5"], ["1.234", "1234.5"]],
  ["number", ["1.234", "1,234.50"], ["1.234", "1234.50"]],
  ["number", ["1.234", "0.5", "0,5"], [null, "0.5", "0.5"]],
  ["number", ["12.345", "1.234.567"], ["12345", "1234567"]],
  ["number", ["0.125", "1234.567", "01.234"], ["0.125", "1234.567", "01.234"]],
  ["number", ["1 234,567"], ["1234.567"]],
  ["number", ["12,50-", "7,5", "\u22123"], ["-12.50", "7.5", "-3"]],
  ["number", ["1.234-", "0,5-"], ["-1234", "-0.5"]],
  ["integer", ["1.234-", "1.234.567-"], ["-1234", "-1234567"]],
];

const REFUSED: readonly (readonly [ColumnType, string])[] = [
  ["integer", "12 34"],
  ["integer", "1,23"],
  ["integer", "1,2345"],
  ["integer", "1,000,00"],
  ["integer", "1.2.3"],
  ["number", "12,-"],
  ["number", "-5-"],
  // A mark of a school, and a year that is not over.
  ["integer", "2-"],
  ["number", "2019-"],
  ["number", "1 2 3"],
  ["number", "12 50"],
  ["number", "1,2,3"],
  ["number", "1.000,00.0"],
];

const others: Readonly<Record<string, string>> = {
  integer: "must be a whole number",
  number: "must be a number",
};

/** CSV and workbook alike. */
function toCases([type, texts, values]: Column): Case[] {
  const name = `${type} ${texts.map((text) => JSON.stringify(text)).join(" ")}`;
  const expected = {
    columns: { n: { type } },
    refused: values.flatMap((value, at) =>
      value === null ? [`${at + 2} n: ${others[type]} ${TWO} ${JSON.stringify(texts[at])}`] : [],
    ),
    taken: values.flatMap((value) => (value === null ? [] : [{ n: value }])),
  };
  const rows = texts.map((text) => [text, "x"]);
  const csv = ["n;m", ...rows.map((cells) => cells.join(";"))].join("\n");
  const workbook = makeXlsx({ sheets: [textSheet([["n", "m"], ...rows])] });
  return [
    { name: `${name} in CSV`, file: csv, ...expected },
    { name: `${name} as texts of a workbook`, file: workbook, ...expected },
  ];
}

export const numberCases: readonly Case[] = [
  ...COLUMNS.flatMap(toCases),
  ...REFUSED.map(([type, text]): Case => ({
    name: `${type} ${text} is none`,
    file: `n;m\n${text};x\n`,
    columns: { n: { type } },
    refused: [`2 n: ${others[type]}, got ${JSON.stringify(text)}`],
  })),
  {
    name: "pandas' decimals of GTINs",
    file: "gtin,n\n4006381333931.0,1\n",
    columns: { gtin: { type: "gtin" } },
    taken: [{ gtin: "04006381333931" }],
  },
  {
    name: "the rest of the column tells, however far down",
    file: `n;m\n${"1,000;x\n".repeat(3000)}2,5;x\n`,
    columns: { n: { type: "number" } },
    taken: [...Array.from({ length: 3000 }, () => ({ n: "1.000" })), { n: "2.5" }],
  },
];
