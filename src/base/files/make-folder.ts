import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Like `mkdir -p`, but throws the error of the folder that refused. Node's own version hides that
 * error on a read-only disk, and never ends below a folder that refuses children, such as /proc.
 * `mode`: for the folders that are made.
 */
export function makeFolderSync(folder: string, mode?: number): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw Object.assign(new Error("it is a file"), { code: "ENOTDIR", path: folder });
  }
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolderSync(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

export const makeFolder = async (folder: string, mode?: number): Promise<void> =>
  makeFolderSync(folder, mode);
