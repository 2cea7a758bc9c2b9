import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";

/**
 * Like `mkdir -p`, but throws the error of the folder that refused. Node's own version hides that
 * error on a read-only disk, and never ends below a folder that refuses children, such as /proc.
 * `mode`: for the folders that are made.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error("it is a file");
    return;
  }
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolder(parent, mode);
  await mkdir(folder, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
