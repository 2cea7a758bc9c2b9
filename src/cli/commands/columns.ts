import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { openSource } from "../../read/source.ts";
import { readFlag, readText, type Command } from "../context.ts";
import { formatProblem } from "../format-problem.ts";
import { formatCount } from "../words.ts";

const PROBLEMS_SHOWN = 20;

export const columns: Command = {
  name: "columns",
  summary: "say what a spreadsheet holds: encoding, delimiter, header, columns, odd cells",
  argument: { name: "file", says: "the CSV or XLSX file", required: true },
  options: [
    { flags: "--sheet <name>", says: "sheet of a workbook, by name or position from 1" },
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: ["makeready columns samples/tables.csv", "makeready columns gtins.xlsx --sheet Spring"],
  exits: [],
  async run(context, input) {
    if (input.argument === undefined)
      throw new AppError("bad-usage", "a file must be named, got none");
    const sheet = readText(input, "sheet") ?? null;
    const source = await openSource({
      file: path.resolve(context.cwd, input.argument),
      sheet: sheet !== null && /^\d+$/u.test(sheet) ? Number(sheet) : sheet,
      headerRow: null,
      encoding: null,
      delimiter: null,
      key: [],
      columns: {},
      skipHiddenRows: false,
      merged: "warn",
    });
    try {
      let rows = 0;
      const problems = [];
      const examples: Record<string, string> = {};
      for await (const row of source.rows()) {
        rows += 1;
        problems.push(...row.problems);
        for (const column of source.columns) {
          const cell = row.cells[column] ?? "";
          if (cell !== "") examples[column] ??= cell;
        }
      }
      const { detected } = source;
      const all = [...source.warnings, ...problems];
      if (readFlag(input, "json")) {
        const summary = { file: source.file, detected, rows, columns: source.columns, examples };
        context.out(`${JSON.stringify({ type: "summary", ...summary, problems: all })}\n`);
        return 0;
      }
      const lines = [
        `${input.argument}: ${detected.format}, ${detected.encoding}, delimiter ${JSON.stringify(detected.delimiter)}, header on line ${detected.headerLine}, ${formatCount(rows)} rows`,
        ...source.columns.map((column) => `  ${column}  e.g. ${examples[column] ?? "(empty)"}`),
        ...all
          .slice(0, PROBLEMS_SHOWN)
          .map((problem) => `  ${formatProblem(problem, context.cwd)}`),
        ...(all.length > PROBLEMS_SHOWN
          ? [`  … and ${formatCount(all.length - PROBLEMS_SHOWN)} more`]
          : []),
      ];
      context.out(`${lines.join("\n")}\n`);
      return 0;
    } finally {
      await source.close();
    }
  },
};
