import path from "node:path";

import { formatBytes, formatMany, formatSheets } from "../words.ts";
import type { Made } from "./finish.ts";
import type { Work } from "./work.ts";

/** What was made and where it lies, in the order in which a print shop wants it. */
export function describeFiles(
  work: Work,
  { made, report, pictures }: { made: Made; report: string | null; pictures: number },
): { path: string; says: string }[] {
  const { folder, job } = work;
  const files: { path: string; says: string }[] = [];
  const add = (file: string | null, says: string): void => {
    if (file !== null) files.push({ path: path.resolve(folder, file), says });
  };
  const standard = job.output.sheets?.standard ?? "";
  const hasBack = (job.output.sheets?.back ?? null) !== null;
  for (const { volumes } of made.sheets) {
    for (const { file, pages, codes, bytes } of volumes) {
      const says = `${formatMany(codes, "code")} on ${formatSheets(pages, hasBack)}`;
      add(file, `${says}, ${standard}, ${formatBytes(bytes)}`);
    }
  }
  for (const { file, entries, bytes } of made.zips) {
    add(file, `${formatMany(entries, "file")}, ${formatBytes(bytes)}`);
  }
  if (job.output.files.length > 0 && report !== null) {
    const formats = job.output.files.map((format) => format.toUpperCase()).join(" and ");
    const { removed } = made;
    const swept = removed === 0 ? "" : `; ${formatMany(removed, "old file")} removed`;
    add("artwork", `${formats} of ${formatMany(pictures, "code")}${swept}`);
  }
  for (const file of made.indexes) add(file, "row -> id, short link, files, sheet and cell");
  add(made.map, "sheet and cell of every row, for reprints");
  add(report, "open this in a browser: figures, proof, contact sheet");
  add(made.failedFile, `${formatMany(made.failed.length, "row")} to mend, with the reason`);
  return files;
}
