/** The content of a spreadsheet, as the wizard shows it. */
import { stat } from "node:fs/promises";
import path from "node:path";

import { badUsage } from "../../../base/errors.ts";
import { headersOf, lookAt, type Look, type Said } from "../../../pipeline/draft/look.ts";
import { resolveInside } from "../../folder.ts";
import { refuseTokenFile } from "../../token-files.ts";

/** The last spreadsheets, by stamps that change when they are saved. */
const known = new Map<string, Look>();
const MOST_KNOWN = 8;

/** A line that is said to hold the names of the columns. Throws `bad-usage` where it is none. */
export function readLine(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^[1-9]\d{0,6}$/u.test(given)) return Number(given);
  throw badUsage(`the line with the names must be a whole number from 1, got ${given}`);
}

/**
 * The content of a spreadsheet; of a workbook, the named sheet or the one that holds the most. Read
 * once, until the file changes. Throws what opening it throws.
 */
export async function lookAtSource(folder: string, source: string, said: Said = {}): Promise<Look> {
  const file = path.resolve(await resolveInside(folder, source));
  await refuseTokenFile(folder, source);
  const stamp = await stat(file).catch(() => undefined);
  const key = JSON.stringify([file, said, stamp?.mtimeMs, stamp?.size, stamp?.ino]);
  const looked = known.get(key) ?? (await lookAt(file, said));
  known.delete(key);
  known.set(key, looked);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return looked;
}

/** Throws `bad-usage` for columns that the spreadsheet lacks: it was changed since they were chosen. */
export function checkColumns(look: Look, chosen: readonly string[]): void {
  const gone = chosen.filter((header) => !headersOf(look).includes(header));
  if (gone.length === 0) return;
  throw badUsage(
    `columns must be in the spreadsheet, got ${[...new Set(gone)].join(", ")}`,
    "it was changed since: go back, load the page again and choose once more; nothing was written",
  );
}
