/** Lists of a job are no spreadsheets of it: they are written anew, or taken away. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import type { SourceJob } from "../source/source.ts";

const OF_RUNS: ReadonlySet<string> = new Set([
  "index.csv",
  "index.xlsx",
  "failed-rows.csv",
  "failed-rows.xlsx",
  "vanished-rows.csv",
]);

interface Listing extends Pick<SourceJob, "source" | "output"> {
  readonly file: string;
}

/** Throws `manifest-invalid` for a job whose rows come from one of these lists, which are its own. */
export function refuseOwnList(
  { file: manifest, source, output }: Listing,
  lists: ReadonlySet<string> = OF_RUNS,
): void {
  const name = path.basename(source.file);
  if (source.from !== "spreadsheet" || path.dirname(source.file) !== output.dir) return;
  if (!lists.has(name)) return;
  throw new AppError(
    "manifest-invalid",
    `source.file must be a file of your own, got ${name} of output.dir, which makeready writes anew`,
    {
      hint: "name the spreadsheet that it was made from: makeready mend takes the rows that were mended in such a list",
      where: { file: manifest, field: "source.file" },
    },
  );
}
