import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { AppError, toMessage } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import { type LabelSheet, parseSheet } from "./label-sheet.ts";

const ownFolder = fileURLToPath(new URL("../../../templates/sheets/", import.meta.url));

/** Every label sheet of a folder (default: those that come with makeready), sorted by name. */
export async function listSheets(folder: string = ownFolder): Promise<LabelSheet[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json")).toSorted();
  return Promise.all(
    files.map(async (file) => parseSheet(await readFile(path.join(folder, file), "utf8"), file)),
  );
}

async function readSheetFile(file: string): Promise<LabelSheet> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new AppError(
      "sheet-unknown",
      `label sheet file must be readable, got ${toMessage(cause)}`,
      {
        where: { file },
        cause,
      },
    );
  }
  return parseSheet(text, file);
}

/**
 * A label sheet by name, by one of its other names (`sameAs`), in any case; or a person's own file
 * when the name ends in `.json`, relative to `from`. Throws `sheet-unknown` with the nearest name.
 */
export async function loadSheet(name: string, from: string = process.cwd()): Promise<LabelSheet> {
  if (name.endsWith(".json")) return readSheetFile(path.resolve(from, name));
  const sheets = await listSheets();
  const wanted = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/gu, "-");
  const found =
    sheets.find((sheet) => sheet.name === wanted) ??
    sheets.find((sheet) => sheet.sameAs.includes(wanted));
  if (found !== undefined) return found;
  throw new AppError(
    "sheet-unknown",
    `sheet must be the name of a label sheet or a .json file, got ${JSON.stringify(name)}`,
    {
      hint: didYouMean(
        wanted,
        sheets.map((sheet) => sheet.name),
      ),
    },
  );
}
