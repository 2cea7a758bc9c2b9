/** What `--source` of `init` names: a file or folder that is there; and what is said of it. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { type SlugLanguage, toSlug } from "../../base/text/slug.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import type { Said } from "../../pipeline/draft/look.ts";
import type { Call } from "../call.ts";
import { readWhole } from "../settings.ts";

const RULE = "--source must name a spreadsheet or a folder of PDFs on this computer";

export const SPREADSHEET = /\.(?:csv|tsv|xlsx|xlsm)$/iu;
/** Files that are offered or named. */
export const MAX_NAMED = 12;

const WEB = /^https?:\/\//iu;
const ADDRESS = /^[a-z][a-z\d+.-]+:\/\//iu;

/** Why a text that is no path can't be one; undefined for a path. */
function sayOther(given: string): string | undefined {
  if (given.trim() === "")
    return "such as --source rows.xlsx; without --source, a sample is written";
  if (given === "-") return "save what comes through standard input as a file, and name that";
  if (WEB.test(given))
    return "download the list once and name that file; put the address into source.file of the manifest afterwards, and each run fetches it";
  return ADDRESS.test(given) ? "copy the file to this computer, and name the copy" : undefined;
}

/** The full path of what a person names. Throws `bad-usage` where nothing is there. */
export async function findSource(call: Call, given: string): Promise<string> {
  const full = call.resolve(given);
  const other = sayOther(given);
  if (other === undefined && existsSync(full)) return full;
  const got = `${RULE}, got ${JSON.stringify(given)}`;
  if (other !== undefined) throw badUsage(got, other);
  const { cwd } = call.context;
  const names = (await readdir(cwd).catch(() => [])).filter((name) => SPREADSHEET.test(name));
  const hint = didYouMean(given.trim(), names.slice(0, MAX_NAMED));
  throw badUsage(`${got}: there is no ${full}`, hint === "" ? "check the path" : hint);
}

/** The sheet, and the line of the header, that a person names. */
export const readSaid = (call: Call): Said => ({
  sheet: call.text("worksheet") ?? null,
  headerRow: readWhole(call.given("headerRow"), { least: 1 }) ?? null,
});

/** The name of the job of a spreadsheet; one that was named without the language of its columns keeps that name. */
export function nameAfter(call: Call, source: string, language: SlugLanguage | undefined): string {
  const { name: stem } = path.parse(source);
  const [name, plain] = [toSlug(stem, language), toSlug(stem)];
  const isThere = (one: string): boolean => existsSync(call.resolve(`${one}.yaml`));
  return isThere(plain) && !isThere(name) ? plain : name;
}
