import { stat } from "node:fs/promises";
import path from "node:path";

import { systemClock } from "../../base/time/clock.ts";
import { CLOSE_OR_ALLOW, toReadReason } from "../../base/files/disk-error.ts";
import { AppError } from "../../base/errors.ts";
import { toFontPlace } from "../../base/shapes/font-place.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { stampOf } from "../../base/files/stamp.ts";

/** Every text in a plain value. */
function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) yield* textsIn(inner);
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | undefined)?.code;

/**
 * SHA-256 of a file that may be taken away meanwhile: undefined where it is gone. Throws
 * `source-unreadable` for one that can't be read.
 */
export async function hashReadable(file: string): Promise<string | undefined> {
  try {
    return await hashFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new AppError(
      "source-unreadable",
      `${path.basename(file)} must be readable, but ${toReadReason(error)}`,
      {
        hint: CLOSE_OR_ALLOW,
        where: { file },
        cause: error,
      },
    );
  }
}

type HashOf = (file: string) => Promise<string | undefined>;

/** SHA-256 of every file that a job names, by path. Throws `source-unreadable`. */
export async function hashFiles(
  named: unknown,
  except: readonly (string | null)[],
  hashOf: HashOf = hashReadable,
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
    const hash = found?.isFile() === true ? await hashOf(file) : undefined;
    if (hash !== undefined) hashes.push([file, hash]);
  }
  return hashes;
}

/** So many files of all jobs that are looked at. */
const MOST_KNOWN = 1000;
/** The coarsest clock of a file system: a file may be written again within a tick and show it by nothing. */
const TICK_MS = 2000;

const known = new Map<string, { readonly stamp: string; readonly hash: string }>();

/** The same for who looks often: a file is read again once its stamp has changed. */
export async function hashSeen(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found === undefined) return undefined;
  const stamp = stampOf(found);
  const last = known.get(file);
  if (last?.stamp === stamp) return last.hash;
  known.delete(file);
  const age = systemClock.nowMs() - Math.max(Number(found.mtimeMs), Number(found.ctimeMs));
  const hash = await hashReadable(file);
  if (hash === undefined || age <= TICK_MS) return hash;
  const [oldest] = known.keys();
  if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(file, { stamp, hash });
  return hash;
}
