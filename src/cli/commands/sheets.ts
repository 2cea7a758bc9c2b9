import { listSheets } from "../../print/sheet-files.ts";
import { readFlag, type Command } from "../context.ts";

export const sheets: Command = {
  name: "sheets",
  summary: "list the label sheets that can be named in a manifest",
  options: [{ flags: "--json", says: "one JSON object per sheet on standard output" }],
  examples: ["makeready sheets", "makeready sheets --json"],
  exits: [],
  async run(context, input) {
    for (const sheet of await listSheets()) {
      if (readFlag(input, "json")) {
        context.out(`${JSON.stringify(sheet)}\n`);
        continue;
      }
      const { name, columns, rows, label, status } = sheet;
      const size = `${label.widthMm} x ${label.heightMm} mm`;
      context.out(
        `${name.padEnd(26)} ${String(columns * rows).padStart(3)}-up  ${columns} x ${rows}  ${size.padEnd(22)} ${status}\n`,
      );
    }
    return 0;
  },
};
