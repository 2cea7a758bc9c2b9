import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { packagePath } from "../../base/files/package-files.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { suggest } from "../../base/text/suggest.ts";
import { findContinuousRoll, sayContinuousRoll } from "./continuous-rolls.ts";
import { type LabelSheet, parseSheet, parseSheets } from "./label-sheet.ts";

const ownFolder = packagePath("templates/sheets/");

async function readFolder(folder: string): Promise<LabelSheet[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  const found = await Promise.all(
    files.map(async (file) => parseSheets(await readFile(path.join(folder, file), "utf8"), file)),
  );
  return found.flat().toSorted((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
}

let own: Promise<readonly LabelSheet[]> | undefined;

/**
 * Every label sheet of a folder (default: those that come with makeready, read once), sorted by name.
 * A file has one sheet, or a list of them.
 */
export async function listSheets(folder: string = ownFolder): Promise<readonly LabelSheet[]> {
  if (folder !== ownFolder) return readFolder(folder);
  own ??= readFolder(folder);
  return own;
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
    .replaceAll(/[\s_]+/gu, "-")
    .replace(/^avery-(?=zweckform-)/u, "");
  const found =
    sheets.find((sheet) => sheet.name === wanted) ??
    sheets.find((sheet) => sheet.sameAs.includes(wanted));
  if (found !== undefined) return found;
  const rollMm = findContinuousRoll(name);
  const near =
    suggest(
      wanted,
      sheets.map((sheet) => sheet.name),
    ) ??
    suggest(
      wanted,
      sheets.flatMap((sheet) => sheet.sameAs),
    );
  const otherwise =
    near === undefined
      ? `makeready sheets list searches ${sheets.length} sheets by maker, number, size and count; a .json file of your own works, too`
      : `did you mean "${near}"?`;
  throw new AppError(
    "sheet-unknown",
    `sheet must be the name of a label sheet or a .json file, got ${JSON.stringify(name)}`,
    { hint: rollMm === undefined ? otherwise : sayContinuousRoll(rollMm) },
  );
}
