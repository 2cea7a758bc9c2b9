/** Cells whose format shows more, less or something else than their value. */
import type { ColumnType } from "../../../src/job/job.ts";
import { makeXlsx, number, row } from "../make-xlsx.ts";
import type { Case } from "./case.ts";

/** Format code, value, and what a person sees in the cell. */
type Shown = readonly [code: string, value: number | string, shown: string];

/** All of it is said by the value, so that typed columns need no warning. */
const SAME: readonly Shown[] = [
  ["0", 7, "7"],
  ["000", 7, "007"],
  ["00.00", 7.5, "07.50"],
  ["00000", -7, "-00007"],
  ["0.00", 2.5, "2.50"],
  ["0.00", -2.5, "-2.50"],
  ["0.##", 2.5, "2.5"],
  ["#.00", 0.5, ".50"],
  [".00", 12.5, "12.50"],
  [".00", -12.5, "-12.50"],
  [".00", 0.75, ".75"],
  [".0", 1234.5, "1234.5"],
  ['"x"_-.00', 45_000.75, "x 45000.75"],
  ["0%", 0.25, "25%"],
  ["0.0%", 0.125, "12.5%"],
  ["0.0 %", 0.125, "12.5 %"],
  ['0" kg"', 12, "12 kg"],
  ['0.0" l"', 1.5, "1.5 l"],
  ["0 \\m", 3, "3 m"],
  ['"€" 0.00', 9.5, "€ 9.50"],
  ["0.00 [$€-407]", 9.5, "9.50 €"],
  ["[$£-809]0.00", 9.5, "£9.50"],
  ["0.00_ ;[Red]-0.00\\ ", -9.5, "-9.50"],
  ["0.00_);(0.00)", -9.5, "(9.50)"],
  ["_-* 0.00\\ €_-;-* 0.00\\ €_-", 9.5, "9.50 €"],
  ["+0;-0;0", 5, "+5"],
  ["+0;-0;0", -5, "-5"],
  ["+0;-0;0", 0, "0"],
  ['"No. "0', 12, "No. 12"],
  ["[Blue]0", 4, "4"],
  ["[>=100]0;[<100]00", 7, "07"],
  ["General", 1.5, "1.5"],
  ['General" pcs"', 3, "3 pcs"],
  ["@", 42, "42"],
  ["0.000", 1.005, "1.005"],
  ["??0", 5, "5"],
  ["0,000", 5, "0,005"],
];

/** Thousands: each computer has its own mark for them. */
const GROUPED: readonly Shown[] = [
  ["#,##0", 1234, "1,234"],
  ["#,##0", 1_234_567, "1,234,567"],
  ["#,##0.00", 1234.5, "1,234.50"],
  ["#,##0.00", -1234.5, "-1,234.50"],
  ["#,##0.00;[Red]-#,##0.00", -1234.5, "-1,234.50"],
  ["#,##0.00 [$€-407]", 1234.5, "1,234.50 €"],
  ["0,000", 12_345, "12,345"],
];

/** The value isn't what is seen: typed columns take it and say so. */
const OTHER: readonly Shown[] = [
  ['"SKU-"0000', 42, "SKU-0042"],
  ['"2x"0', 5, "2x5"],
  ["00000\\-0000", 123_456_789, "12345-6789"],
  ["000\\-00\\-0000", 123_456_789, "123-45-6789"],
  ["[<=9999999]###\\-####;\\(###\\)\\ ###\\-####", 5_551_234, "555-1234"],
  ["[<=9999999]###\\-####;\\(###\\)\\ ###\\-####", 2_065_551_234, "(206) 555-1234"],
  ['"yes";;"no"', 1, "yes"],
  ['"yes";;"no"', 0, "no"],
  ['"new";"old";"none"', -1, "old"],
  ['"on";"on";"off"', 0, "off"],
  ["0", 2.7, "3"],
  ["0.0", 2.125, "2.1"],
  ["0.00", 1.005, "1.01"],
  ["0.00", 12.345, "12.35"],
  [".00", 1234.5678, "1234.57"],
  ["0.00", 12.344, "12.34"],
  ["0%", 0.1234, "12%"],
  ["#,##0", 1234.5, "1,235"],
  ["0,", 12_500, "13"],
  ['0.0,," M"', 1_250_000, "1.3 M"],
  ["0;0", -5, "5"],
  ["# ?/?", 1.5, "1 1/2"],
  ["# ?/?", 2.999, "3"],
  ["# ??/??", 0.3, "3/10"],
  ["?/4", 0.75, "3/4"],
  ['[=1]"one";[=2]"two";0', 2, "two"],
];

/** Days and times, with what the column type `date` takes. */
const DAYS: readonly (readonly [...Shown, iso: string])[] = [
  ["yyyy-mm-dd", 46_346, "2026-11-20", "2026-11-20"],
  ["dd.mm.yyyy", 46_346, "20.11.2026", "2026-11-20"],
  ["d.m.yy", 46_031, "9.1.26", "2026-01-09"],
  ["mm/dd/yyyy", 46_346, "11/20/2026", "2026-11-20"],
  ["yyyy\\/mm\\/dd", 46_346, "2026/11/20", "2026-11-20"],
  ["YYYY-MM-DD HH:MM:SS", 46_346, "2026-11-20 00:00:00", "2026-11-20"],
  ["yyyy-mm-dd hh:mm", 46_346, "2026-11-20 00:00", "2026-11-20"],
  ["dd.mm.yyyy", 46_346.75, "20.11.2026", "2026-11-20"],
  ["[$-407]d. mmmm yyyy", 46_346, "20. November 2026", "2026-11-20"],
  ["[$-407]dddd, d. mmmm yyyy", 46_346, "Freitag, 20. November 2026", "2026-11-20"],
  ["[$-de-DE]d. mmmm yyyy", 46_174, "1. Juni 2026", "2026-06-01"],
  ["[$-409]ddd d mmm yyyy", 46_346, "Fri 20 Nov 2026", "2026-11-20"],
  ["[$-C07]d. mmmm yyyy", 46_027, "5. Jänner 2026", "2026-01-05"],
  ['[$-FC19]d mmmm yyyy" г."', 46_058, "5 февраля 2026 г.", "2026-02-05"],
  ["[$-40C]d mmmm yyyy", 46_000, "9 décembre 2025", "2025-12-09"],
  ['yyyy"年"m"月"d"日"', 46_346, "2026年11月20日", "2026-11-20"],
  ['[$-411]yyyy"年"m"月"d"日"(aaa)', 46_346, "2026年11月20日(金)", "2026-11-20"],
  ['[$-804]yyyy"年"m"月"d"日"aaaa', 46_346, "2026年11月20日星期五", "2026-11-20"],
];

/** A time of day is shown, which columns of days leave out. */
const TIMED: readonly (readonly [...Shown, iso: string])[] = [
  ["yyyy-mm-dd hh:mm", 46_346.75, "2026-11-20 18:00", "2026-11-20"],
  ["d.m.yyyy h AM/PM", 46_346.75, "20.11.2026 6 PM", "2026-11-20"],
  ['yyyy-m-d 上午/下午h"时"', 46_346.25, "2026-11-20 上午6时", "2026-11-20"],
];

/** The shown text doesn't contain the day. */
const PARTS: readonly (readonly [...Shown, iso: string])[] = [
  ["hh:mm", 46_346.75, "18:00", "2026-11-20"],
  ["h:mm AM/PM", 46_346.75, "6:00 PM", "2026-11-20"],
  ["dd", 46_346, "20", "2026-11-20"],
  ["dd.mm.", 46_346, "20.11.", "2026-11-20"],
  ["yyyy", 46_346, "2026", "2026-11-20"],
  ["mm\\/yyyy", 46_346, "11/2026", "2026-11-20"],
  ["[$-409]dddd", 46_346, "Friday", "2026-11-20"],
  ["[$-411]aaa", 46_346, "金", "2026-11-20"],
  ["[$-804]aaaa", 46_346, "星期五", "2026-11-20"],
  ["[$-407]mmmm yyyy", 46_346, "November 2026", "2026-11-20"],
  ["[$-de]mmmm", 46_174, "Juni", "2026-06-01"],
  ["[$-fr-FR,1]mmmm", 46_174, "juin", "2026-06-01"],
];

/** Seen otherwise on each computer. */
const LOCAL: readonly Shown[] = [
  ["mmmm yyyy", 46_346, "November 2026"],
  ["dddd", 46_346, "Friday"],
  ["[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", 46_346, "2026-11-20"],
  ["[$-x-sysdate]dddd, mmmm dd, yyyy", 46_346, "2026-11-20"],
  ["[$-ja-JP-x-gannen,80]yyyy", 46_346, "2026-11-20"],
  ["[$-420]mmmm", 46_346, "November"],
  ['[$-411]ggge"年"m"月"d"日"', 46_346, "2026-11-20"],
  ['[DBNum1][$-804]yyyy"年"m"月"d"日"', 46_346, "2026-11-20"],
  ["b2yyyy", 46_346, "2026-11-20"],
  ["yyyy", 0, "1900"],
  ["d-mmm", 0, "0-Jan"],
  ["mmm-yy", 0, "Jan-00"],
  ["yyyy-mm-dd", 0, "1900-01-00"],
  ["[$-409]ddd", 0, "Sat"],
  ["yyyy-mm-dd hh:mm", 0.25, "06:00:00"],
  ["[DBNum1]0", 1234, "1234"],
  ["[DBNum1]General", 1234, "1234"],
  ["[$-2000000]0", 1234, "1234"],
  ["[$-D000000]0", 1234, "1234"],
];

/** The format hides the value. */
const UNSEEN: readonly (readonly [code: string, value: number | string])[] = [
  [";;;", 7],
  ['"";', 7],
];

const TIMES: readonly Shown[] = [
  ["hh:mm", 0.25, "06:00"],
  ["h:mm:ss AM/PM", 0.5, "12:00:00 PM"],
  ["[h]:mm", 1.5, "36:00"],
  ["[mm]:ss", 0.0625, "90:00"],
  ["mm:ss", 0.0625, "30:00"],
  ["[$-1010409]0", 7, "7"],
  ['上午/下午h"时"mm"分"', 0.75, "下午6时00分"],
];

const bookOf = (code: string, value: number | string, date1904 = false): Uint8Array =>
  makeXlsx({
    date1904,
    formats: [code],
    sheets: [{ rows: row(1, ["c", "d"]) + row(2, [number(value, 5), "x"]) }],
  });

const typed = (type: ColumnType) => ({ columns: { c: { type } } });
const text = { columns: { c: {} } };

const seen = ([code, value, shown]: Shown): Case => ({
  name: `${value} in ${code} is seen as ${shown}`,
  file: bookOf(code, value),
  ...text,
  taken: [{ c: shown }],
});

const used = ([code, value]: Shown, warned: readonly string[] = []): Case => ({
  name: `${value} in ${code} of a column of numbers`,
  file: bookOf(code, value),
  ...typed("number"),
  taken: [{ c: String(value) }],
  warned,
});

const hidden = (shown: string, value: string): string =>
  `2 c: cell has a value that isn't the one that is shown: ${JSON.stringify(shown)}, used as ${JSON.stringify(value)}`;
const local = (shown: string): string =>
  `2 c: cell has a value that each computer shows in its own way, and is used as ${JSON.stringify(shown)}`;

/** Other computers show other marks of thousands and decimals. */
const seenNumber = (one: Shown): Case => ({
  ...seen(one),
  warned: /\d,\d{3}|\.\d/u.test(one[2]) ? [local(one[2])] : [],
});

export const formatCases: readonly Case[] = [
  ...SAME.filter(([code]) => code !== "0,000").flatMap((one) => [seenNumber(one), used(one)]),
  ...GROUPED.flatMap((one) => [seenNumber(one), used(one)]),
  ...OTHER.flatMap((one) => [seenNumber(one), used(one, [hidden(one[2], String(one[1]))])]),
  {
    name: "all cells of a format count where some are rounded, and others whole",
    file: makeXlsx({
      formats: ['#,##0.00 "€"', "0.0%"],
      sheets: [
        {
          rows:
            row(1, ["gross", "off"]) +
            [1, 2, 3]
              .map((at) => row(at + 1, [number(1190.595 * at, 5), number(0.075, 6)]))
              .join(""),
        },
      ],
    }),
    columns: { gross: {}, off: {} },
    taken: ["1,190.60", "2,381.19", "3,571.79"].map((gross) => ({
      gross: `${gross} €`,
      off: "7.5%",
    })),
    warned: [
      '2 gross: 3 cells of the column have a value that each computer shows in its own way, and is used as "1,190.60 €"',
      '2 off: 3 cells of the column have a value that each computer shows in its own way, and is used as "7.5%"',
    ],
  },
  ...DAYS.flatMap(([code, value, shown, iso]): Case[] => [
    seen([code, value, shown]),
    {
      name: `${value} in ${code} of a column of days`,
      file: bookOf(code, value),
      ...typed("date"),
      taken: [{ c: iso }],
    },
  ]),
  ...PARTS.flatMap(([code, value, shown, iso]): Case[] => [
    seen([code, value, shown]),
    {
      name: `${value} in ${code} of a column of days`,
      file: bookOf(code, value),
      ...typed("date"),
      taken: [{ c: iso }],
      warned: [`isn't the one that is shown: ${JSON.stringify(shown)}, used as "${iso}`],
    },
  ]),
  ...TIMED.flatMap(([code, value, shown, iso]): Case[] => [
    seen([code, value, shown]),
    {
      name: `${value} in ${code} of a column of days loses its time`,
      file: bookOf(code, value),
      ...typed("date"),
      taken: [{ c: iso }],
      warned: [
        `2 c: cell has a time of day, which columns of type date leave out: "${shown}", used as "${iso}"`,
      ],
    },
  ]),
  {
    name: "a day of CSV loses its time",
    file: "c\n2026-11-20 18:00\n2026-11-20T00:00:00Z\n20.11.2026 06:30\n",
    ...typed("date"),
    taken: [{ c: "2026-11-20" }, { c: "2026-11-20" }, { c: "2026-11-20" }],
    warned: ["2 c: 2 cells of the column have a time of day, which columns of type date leave out"],
  },
  ...LOCAL.map((one): Case => ({ ...seen(one), warned: [local(one[2])] })),
  ...TIMES.map(seen),
  ...TIMES.slice(0, 5).map((one): Case => ({
    ...seen(one),
    name: `${one[1]} in ${one[0]} is seen as ${one[2]} where days count from 1904`,
    file: bookOf(one[0], one[1], true),
  })),
  {
    name: "a time below zero, where days count from 1904",
    file: bookOf("[h]:mm:ss", -0.5, true),
    ...text,
    taken: [{ c: "-12:00:00" }],
  },
  ...[
    ["[h]:mm", "-1:30"],
    ["[mm]:ss", "-90:00"],
    // A section for negative numbers has its own sign.
    ["[h]:mm;-[h]:mm", "-1:30"],
    ["[h]:mm;[RED]([h]:mm)", "(1:30)"],
  ].map(([code = "", shown = ""]): Case => ({
    name: `a duration below zero in ${code}`,
    file: bookOf(code, -0.0625),
    ...text,
    taken: [{ c: shown }],
    warned: [
      `2 c: cell has a duration below zero, for which Excel shows #####, and is used as ${JSON.stringify(shown)}`,
    ],
  })),
  {
    name: "a time of day below zero",
    file: bookOf("h:mm", -0.5),
    ...text,
    refused: ["2 c: must be a time from zero on"],
  },
  ...UNSEEN.map(([code, value]): Case => ({
    name: `${value} in ${code} is empty, and said to be`,
    file: bookOf(code, value),
    ...text,
    taken: [{ c: "" }],
    warned: [`2 c: cell has a value that the sheet doesn't show, and is used as empty: "${value}"`],
  })),
  ...[";;;", "0;0;0;", '0;0;0;" "'].flatMap((code): Case[] => {
    const cell = { xml: '<c s="5" t="str"><f>A1</f><v>secret</v></c>' };
    const file = makeXlsx({
      formats: [code],
      sheets: [{ rows: row(1, ["c", "d"]) + row(2, [cell, "x"]) + row(3, [cell]) }],
    });
    const says = 'have a value that the sheet doesn\'t show, and is used as empty: "secret"';
    return [
      { name: `a text in ${code}`, file, ...text, taken: [{ c: "" }, { c: "" }], warned: [says] },
      {
        name: `a text in ${code} of a required column`,
        file,
        columns: { c: { required: true } },
        refused: ["2 c: must not be empty", "3 c: must not be empty"],
        warned: [says],
      },
    ];
  }),
  {
    name: "one line about a number that is no whole one",
    file: bookOf("0", 5.4),
    ...typed("integer"),
    refused: ['2 c: must be a whole number, got "5.4"'],
  },
  ...(
    [
      ["0.00E+00", 1234.5678, "1.23E+03"],
      ["0.00E+00", -12.5, "-1.25E+01"],
      ["##0.0E+0", 1234, "1.2E+3"],
      ["0E+00", 0.5, "5E-01"],
    ] as const
  ).flatMap(([code, value, shown]): Case[] => [
    {
      name: `${value} in ${code} is refused as text`,
      file: bookOf(code, value),
      ...text,
      refused: [
        `2 c: must be shown without scientific notation (the file has all digits), got "${shown}"`,
      ],
    },
    {
      name: `${value} in ${code} is a number`,
      file: bookOf(code, value),
      ...typed("number"),
      taken: [{ c: String(value) }],
      warned: [
        `2 c: cell has a number that is shown with an exponent: "${shown}", used as "${value}"`,
      ],
    },
  ]),
  {
    name: "a stray cell far to the right",
    file: makeXlsx({
      sheets: [
        {
          rows:
            row(1, ["c", "d"]) + `<row r="2"><c r="A2"><v>1</v></c><c r="XFD2"><v>9</v></c></row>`,
        },
      ],
    }),
    ...text,
    refused: [
      '2 -: row must have 2 cells, as the header has, got 16384; too many: "9" in column XFD',
    ],
  },
  ...[-1, 2_958_466].map((value): Case => ({
    name: `${value} is no day`,
    file: bookOf("dd.mm.yyyy", value),
    ...text,
    refused: ["2 c: must be a day from 1900 to 9999"],
  })),
  {
    name: "digits that scientific notation hides are not on the label",
    file: bookOf("0.00E+00", 4_006_381_333_931),
    ...text,
    refused: [
      '2 c: must be shown without scientific notation (the file has all digits), got "4.01E+12"',
    ],
  },
  {
    name: "digits that scientific notation hides are there where a GTIN is wanted",
    file: bookOf("0.00E+00", 4_006_381_333_931),
    ...typed("gtin"),
    taken: [{ c: "04006381333931" }],
    warned: [
      '2 c: cell has a number that is shown with an exponent: "4.01E+12", used as "4006381333931"',
    ],
  },
  {
    name: "a GTIN with hyphens in its format",
    file: bookOf("0\\-000000\\-000000", 4_006_381_333_931),
    ...typed("gtin"),
    taken: [{ c: "04006381333931" }],
    warned: [hidden("4-006381-333931", "4006381333931")],
  },
  {
    name: "an ISBN with hyphens in its format",
    file: bookOf("000\\-0\\-000\\-00000\\-0", 9_783_161_484_100),
    ...text,
    taken: [{ c: "978-3-161-48410-0" }],
  },
  {
    name: "a text with words around it",
    file: makeXlsx({
      formats: ['"Room "@'],
      sheets: [
        { rows: row(1, ["c", "d"]) + row(2, [{ xml: '<c s="5" t="str"><v>12</v></c>' }, "x"]) },
      ],
    }),
    ...text,
    taken: [{ c: "Room 12" }],
  },
  {
    name: "a text section shows something else than the text",
    file: makeXlsx({
      formats: ['0;-0;0;"see note"'],
      sheets: [
        { rows: row(1, ["c", "d"]) + row(2, [{ xml: '<c s="5" t="str"><v>12</v></c>' }, "x"]) },
      ],
    }),
    ...text,
    taken: [{ c: "see note" }],
  },
  {
    name: "a truth is seen as TRUE",
    file: makeXlsx({
      sheets: [
        {
          rows:
            row(1, ["c", "b"]) +
            row(2, [{ xml: '<c t="b"><v>1</v></c>' }, { xml: '<c t="b"><v>0</v></c>' }]),
        },
      ],
    }),
    columns: { c: {}, b: { type: "boolean" } },
    taken: [{ c: "TRUE", b: "false" }],
    warned: [
      '2 c: cell has a truth value, which each computer shows in its own language, and is used as "TRUE"',
    ],
  },
  {
    name: "a zero that isn't shown is an empty cell",
    file: bookOf("0;-0;;@", 0),
    columns: { c: { required: true } },
    refused: ["2 c: must not be empty"],
    warned: [`2 c: cell has a value that the sheet doesn't show, and is used as empty: "0"`],
  },
  {
    name: "a zero that isn't shown is a number where one is wanted",
    file: bookOf("0;-0;;@", 0),
    ...typed("number"),
    taken: [{ c: "0" }],
    warned: [hidden("", "0")],
  },
];
