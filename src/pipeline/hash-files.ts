import { stat } from "node:fs/promises";
import path from "node:path";

import { toFontPlace } from "../base/font-place.ts";
import { hashFile } from "../base/hash-file.ts";

/** Every text in a plain value. */
function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** SHA-256 of every file that a job names, by path. */
export async function hashFiles(
  named: unknown,
  except: readonly (string | null)[],
): Promise<[string, string][]> {
  const files = new Set(
    [...textsIn(named)]
      .filter((text) => path.isAbsolute(text))
      .flatMap((text) => [text, toFontPlace(text).file]),
  );
  const hashes: [string, string][] = [];
  for (const file of [...files].toSorted()) {
    if (except.includes(file)) continue;
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === true) hashes.push([file, await hashFile(file)]);
  }
  return hashes;
}
