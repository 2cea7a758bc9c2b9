/** The folder that a desk was opened on: its manifests, and paths that stay inside. */
import { lstat, readdir, realpath } from "node:fs/promises";
import path from "node:path";

import { badUsage, type AppError } from "../base/errors.ts";

/** Where the desk keeps its own files: uploads, drafts, tasks. */
export const DESK_DIR = path.join(".makeready", "desk");

const MANIFEST = /\.ya?ml$/iu;
/** Folders that hold no manifests: outputs, dependencies, what is hidden. */
const SKIPPED = /^(?:\.|node_modules$|out$|schema$)/u;
const MAX_DEPTH = 3;
const MAX_MANIFESTS = 2000;

const toSlashes = (name: string): string => name.replaceAll(path.sep, "/");

async function walk(root: string, folder: string, depth: number, found: string[]): Promise<void> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
    if (found.length >= MAX_MANIFESTS) return;
    const name = path.join(folder, entry.name);
    // A folder of such a name may be a manifest that went wrong: it is listed with what to do.
    if ((entry.isFile() || entry.isDirectory()) && MANIFEST.test(entry.name)) {
      found.push(toSlashes(name));
    }
    if (entry.isDirectory() && depth < MAX_DEPTH && !SKIPPED.test(entry.name)) {
      await walk(root, name, depth + 1, found);
    }
  }
}

/** YAML files that may be manifests, relative to the folder, with slashes, in order. */
export async function listManifests(folder: string): Promise<string[]> {
  const found: string[] = [];
  await walk(folder, "", 0, found);
  return found;
}

function refuse(name: string): AppError {
  return badUsage(
    `the file must lie in the desk's folder, got ${name}`,
    "open the desk on the folder that holds it: makeready desk FOLDER",
  );
}

/**
 * The absolute path of a name that a browser sent. Throws `bad-usage` for one that leads out of the
 * folder, also through a symbolic link.
 */
export async function resolveInside(folder: string, name: string): Promise<string> {
  const root = await realpath(folder);
  const file = path.resolve(root, name);
  const isWithin = (inner: string): boolean => inner.startsWith(`${root}${path.sep}`);
  if (name.includes("\0") || path.isAbsolute(name) || !isWithin(file)) throw refuse(name);
  // A path that does not exist yet is judged by its nearest existing folder.
  let there = file;
  while (there !== root && (await lstat(there).catch(() => undefined)) === undefined) {
    there = path.dirname(there);
  }
  // A link that leads nowhere has no real path.
  const real = await realpath(there).catch(() => "");
  if (real !== root && !isWithin(real)) throw refuse(name);
  return file;
}

/**
 * True for a regular file that lies in the folder `dir` itself or below it. False where a link leads on:
 * what it leads to is no file of that folder.
 */
export async function isFileOf(dir: string, file: string): Promise<boolean> {
  const inner = path.relative(dir, file);
  const [first, ...others] = inner.split(path.sep);
  if (path.isAbsolute(inner) || first === undefined || first === "..") return false;
  let place = path.join(dir, first);
  let found = await lstat(place).catch(() => undefined);
  for (const part of others) {
    if (found?.isDirectory() !== true) return false;
    place = path.join(place, part);
    found = await lstat(place).catch(() => undefined);
  }
  return found?.isFile() === true;
}
