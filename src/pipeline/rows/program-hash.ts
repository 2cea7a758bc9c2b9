/**
 * Which program this is, down to its bytes: in a checkout its code changes without its version. The
 * packages that it uses are those that `package.json` and the lock file name.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isSource, packagePath } from "../../base/files/package-files.ts";

/** Workers are in `dist` always; sheets, designs and fonts are templates. */
const FOLDERS = [isSource ? "src" : "dist", "dist", "templates"];
const FILES = ["package.json", "package-lock.json"];

/** Nothing of these runs. */
const isIdle = (name: string): boolean => /\.(?:d\.ts|md)$/u.test(name);

function listFiles(root: string): string[] {
  const inFolders = [...new Set(FOLDERS)]
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !isIdle(entry.name))
        .map((entry) => path.join(entry.parentPath, entry.name)),
    );
  const single = FILES.map((file) => path.join(root, file)).filter((file) => existsSync(file));
  return [...inFolders.toSorted(), ...single];
}

const known = new Map<string, string>();

/**
 * SHA-256 over the files of the program in `root`, this one's by default, as they were at the first
 * call: a long process goes on with the code that it began with.
 */
export function toProgramHash(root = packagePath("")): string {
  const found = known.get(root);
  if (found !== undefined) return found;
  const hash = createHash("sha256");
  for (const file of listFiles(root)) {
    const bytes = readFileSync(file);
    hash.update(`${path.relative(root, file)}\n${bytes.length}\n`).update(bytes);
  }
  const text = hash.digest("hex");
  known.set(root, text);
  return text;
}
