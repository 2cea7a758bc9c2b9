/** What many tests begin with, such as a job that was run: done once, copied for all others. */
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { sha256 } from "../../src/base/ids.ts";
import { openSqlite } from "../../src/base/sqlite.ts";
import { stampPicture } from "../../src/download/picture-files.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { noteStamps } from "./note-stamps.ts";

interface Done {
  readonly root: string;
  readonly kept: string;
  readonly answer: InProcess;
}

const done = new Map<string, Done>();

const listFiles = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .toSorted();

type Changes = Pick<
  NonNullable<Parameters<typeof runInProcess>[1]>,
  "cwd" | "env" | "program" | "user"
>;

/** All that a run hangs on. Folders differ from test to test, so none may say its own path. */
function toKey(root: string, args: readonly string[], changes: Changes): string {
  const files = listFiles(root).map((file) => [
    path.relative(root, file),
    sha256(readFileSync(file)),
  ]);
  return JSON.stringify([args, changes, files]).replaceAll(root, "ROOT");
}

/** Makes a copied job as if it had been run where it lies now: its path, and the stamps of its pictures. */
function settle(root: string, from: string): void {
  for (const file of listFiles(root)) {
    if (path.basename(file) !== "state.db") continue;
    const db = openSqlite(file);
    db.run("UPDATE meta SET value = replace(value, ?, ?)", from, root);
    db.close();
    const out = path.dirname(file);
    noteStamps(out, stampPicture);
  }
}

/**
 * As `runInProcess`, for what a test begins with and is not about: where this process did the same to the
 * same files before, the folder gets a copy of what came of it.
 */
export async function prepare(
  root: string,
  args: readonly string[],
  changes: Changes = {},
): Promise<InProcess> {
  const key = toKey(root, args, changes);
  const known = done.get(key);
  if (known === undefined) {
    const answer = await runInProcess(args, changes);
    const kept = mkdtempSync(path.join(os.tmpdir(), "makeready-kept-"));
    cpSync(root, kept, { recursive: true, preserveTimestamps: true });
    done.set(key, { root, kept, answer });
    return answer;
  }
  cpSync(known.kept, root, { recursive: true, preserveTimestamps: true });
  settle(root, known.root);
  const { code, out, err } = known.answer;
  const here = (text: string): string => text.replaceAll(known.root, root);
  return { code, out: here(out), err: here(err) };
}
