/** Hands a file of a hot folder back to the person who put it there. */
import { existsSync } from "node:fs";
import { copyFile, link, lstat, readlink, symlink } from "node:fs/promises";
import path from "node:path";

/**
 * Why a link is refused: its target may not belong to the person who put it there. Undefined for a
 * file.
 */
export async function refuseLink(file: string, what: string): Promise<string | undefined> {
  if (!(await lstat(file)).isSymbolicLink()) return undefined;
  return `${what} must be a file, got a link to ${await readlink(file)}: put the file itself into in/`;
}

/** `index.csv`, or `index-2.csv` beside the list that a run has written. */
function toFreePlace(folder: string, file: string): string {
  const { name, ext } = path.parse(file);
  for (let n = 1; ; n += 1) {
    const free = path.join(folder, n === 1 ? `${name}${ext}` : `${name}-${n}${ext}`);
    if (!existsSync(free)) return free;
  }
}

/**
 * Hard-links the file, which works even where it can't be read; a symbolic link is copied as a
 * link.
 */
export async function handBack(source: string, folder: string): Promise<void> {
  const target = toFreePlace(folder, source);
  const found = await lstat(source);
  if (found.isSymbolicLink()) return symlink(await readlink(source), target);
  await link(source, target).catch(async (error: unknown) => {
    if (!found.isFile()) throw error;
    await copyFile(source, target);
  });
}
