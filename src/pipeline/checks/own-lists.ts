/** Lists of a job are no spreadsheets of it: a run reads them, and then writes them anew or takes them away. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import type { SourceJob } from "../source/source.ts";

const LISTS = new Set([
  "index.csv",
  "index.xlsx",
  "failed-rows.csv",
  "failed-rows.xlsx",
  "vanished-rows.csv",
]);

interface Listing extends Pick<SourceJob, "source" | "output"> {
  readonly file: string;
}

/** Throws `manifest-invalid` for a job whose rows come from a list that it writes itself. */
export function refuseOwnList({ file: manifest, source, output }: Listing): void {
  const name = path.basename(source.file);
  if (source.from !== "spreadsheet" || path.dirname(source.file) !== output.dir) return;
  if (!LISTS.has(name)) return;
  throw new AppError(
    "manifest-invalid",
    `source.file must be a file of your own, got ${name} of output.dir, which a run writes anew`,
    {
      hint: "name the spreadsheet that it was made from: makeready mend takes the rows that were mended in such a list",
      where: { file: manifest, field: "source.file" },
    },
  );
}
