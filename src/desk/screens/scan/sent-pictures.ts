/** Scans and photos that a browser sent: each check has a folder of its own under the uploads. */
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";

import { PRIVATE_FOLDER } from "../../../base/files/atomic-file.ts";
import { badUsage } from "../../../base/errors.ts";
import { makeFolder } from "../../../base/files/make-folder.ts";
import { limitBody } from "../../body-limits.ts";
import type { DeskContext } from "../../context.ts";
import { sweepUploads, uploadsOf } from "../new/uploads.ts";

/** Limit of all pictures that are sent at a time; `scan/` has the limits of reading each. */
const MAX_MB = 200;
const NAME_LENGTH = 100;

/** Where pictures are sent to. */
export const isScanPath = (address: string): boolean => /^\/job\/[^/]+\/scan$/u.test(address);

/** Refuses a larger body before it is taken in. */
export const limitPictures = limitBody(MAX_MB * 2 ** 20, () =>
  badUsage(
    `the pictures must have at most ${MAX_MB} MB together, got more`,
    "go back and send fewer at a time: the next ones can be checked together with them; or check the files where they lie: makeready scan JOB FILES",
  ),
);

/** The sent name, without parts that could lead elsewhere. */
function toFileName(name: string): string {
  const base = path.posix.basename(name.replaceAll("\\", "/"));
  const plain = base.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/u, "");
  const { name: stem, ext } = path.parse(plain === "" ? "picture" : plain);
  return `${stem.slice(0, NAME_LENGTH)}${ext.slice(0, 10)}`;
}

/** `page.png`, then `page-2.png`; names that differ in capitals alone are one name to some computers. */
function toFreeName(name: string, taken: Set<string>): string {
  const { name: stem, ext } = path.parse(name);
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${stem}-${n}${ext}`;
    if (taken.has(free.toLowerCase())) continue;
    taken.add(free.toLowerCase());
    return free;
  }
}

/**
 * Keeps pictures, beside those of the last check where `before` names them; answers all of them, relative to
 * the desk's folder, with slashes.
 */
export async function keepPictures(
  { folder, clock, ids }: Pick<DeskContext, "folder" | "clock" | "ids">,
  sent: readonly File[],
  before: readonly string[] = [],
): Promise<string[]> {
  const uploads = uploadsOf(folder);
  await makeFolder(uploads, PRIVATE_FOLDER);
  await sweepUploads(uploads, clock.nowMs());
  const kept = before.filter((file) => existsSync(path.join(folder, file)));
  const [first] = kept;
  const dir =
    first === undefined
      ? path.join(uploads, `scan-${ids.slug(10)}`)
      : path.dirname(path.join(folder, first));
  await makeFolder(dir, PRIVATE_FOLDER);
  const taken = new Set((await readdir(dir)).map((name) => name.toLowerCase()));
  const files = [...kept];
  for (const picture of sent) {
    const file = path.join(dir, toFreeName(toFileName(picture.name), taken));
    await writeFile(file, Buffer.from(await picture.arrayBuffer()), { mode: 0o600, flag: "wx" });
    files.push(path.relative(folder, file).replaceAll(path.sep, "/"));
  }
  return files;
}
