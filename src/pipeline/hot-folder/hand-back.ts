/** What was put into a hot folder goes back to whoever put it there. */
import { copyFile, link, lstat, readlink, symlink } from "node:fs/promises";
import path from "node:path";

/** Why a link is refused: what it leads to is nobody's to hand in. Undefined for a file. */
export async function refuseLink(file: string, what: string): Promise<string | undefined> {
  if (!(await lstat(file)).isSymbolicLink()) return undefined;
  return `${what} must be a file, got a link to ${await readlink(file)}: put the file itself into in/`;
}

/** A second name of the same file, also where it may not be read; of a link the link itself. */
export async function handBack(source: string, folder: string): Promise<void> {
  const target = path.join(folder, path.basename(source));
  const found = await lstat(source);
  if (found.isSymbolicLink()) return symlink(await readlink(source), target);
  await link(source, target).catch(async (error: unknown) => {
    if (!found.isFile()) throw error;
    await copyFile(source, target);
  });
}
