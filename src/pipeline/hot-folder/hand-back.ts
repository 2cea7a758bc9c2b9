/** Hands a file of a hot folder back to the person who put it there. */
import { existsSync } from "node:fs";
import { copyFile, link, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";

/**
 * Why a link is refused: its target may not belong to the person who put it there. Undefined for a
 * file.
 */
export async function refuseLink(file: string, what: string): Promise<string | undefined> {
  if (!(await lstat(file)).isSymbolicLink()) return undefined;
  return `${what} must be a file, got a link to ${await readlink(file)}: put the file itself into in/`;
}

/**
 * `index.csv`, or `source/index.csv` beside the list that a run has written: under another name, it would be
 * another job, and its codes be made twice.
 */
async function toFreePlace(folder: string, file: string): Promise<string> {
  const name = path.basename(file);
  let place = folder;
  for (let n = 1; existsSync(path.join(place, name)); n += 1)
    place = path.join(folder, n === 1 ? "source" : `source-${n}`);
  await mkdir(place, { recursive: true });
  return path.join(place, name);
}

/**
 * Hard-links the file, which works even where it can't be read; a symbolic link is copied as a
 * link.
 */
export async function handBack(source: string, folder: string): Promise<void> {
  const target = await toFreePlace(folder, source);
  const found = await lstat(source);
  if (found.isSymbolicLink()) return symlink(await readlink(source), target);
  await link(source, target).catch(async (error: unknown) => {
    if (!found.isFile()) throw error;
    await copyFile(source, target);
  });
}
