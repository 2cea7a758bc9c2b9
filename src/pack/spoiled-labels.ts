/** `spoiled.csv`: the labels that a scan-back found damaged, missing or void, one a line (docs/scan-back.md). */
import { makeCsv } from "./csv.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";

/** In the output folder. */
export const SPOILED = "spoiled.csv";

export interface SpoiledLabel {
  /** Line of the spreadsheet, and key of the row. */
  readonly line: number;
  readonly key: string;
  readonly caption: string;
  /** The PDF, its page, and the place on it; all counts from 1. */
  readonly file: string;
  readonly page: number;
  readonly row: number;
  readonly column: number;
  readonly state: "damaged" | "missing";
  readonly reason: string;
  /** The scan or photo that showed it. */
  readonly picture: string;
  /** Of the PDF, as it was at the scan, and when that was, ISO; missing in older results. */
  readonly sha256?: string | undefined;
  readonly scanned?: string | undefined;
}

/** A label whose code is void: nobody prints it again. */
export interface VoidLabel extends Omit<SpoiledLabel, "state"> {
  readonly state: "void";
  /** False where nothing is printed in its place. */
  readonly isPrinted: boolean;
}

const columns = [
  "line",
  "key",
  "caption",
  "file",
  "page",
  "row",
  "column",
  "state",
  "reason",
  "picture",
  "sha256",
  "scanned",
] as const satisfies readonly (keyof SpoiledLabel & keyof VoidLabel)[];

/** `delimiter`: default comma. Without labels the file has only its header: those of an earlier scan must not be printed again. */
export function writeSpoiledCsv(
  file: string,
  labels: readonly (SpoiledLabel | VoidLabel)[],
  delimiter?: string,
): Promise<WrittenFile> {
  const rows = labels.map((label) => columns.map((name) => label[name]));
  return writeTextFile(file, makeCsv(columns, rows, { delimiter }));
}
