/** The end of the wizard: the manifest, and beside it the spreadsheet that was sent. */
import { existsSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";

import { writeNewFileAtomic } from "../../../base/files/atomic-file.ts";
import { AppError } from "../../../base/errors.ts";
import { writeManifest, type Draft } from "../../../pipeline/draft/manifest.ts";
import { resolveInside } from "../../folder.ts";
import { isUpload } from "./uploads.ts";

export const isThere = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EEXIST";

/** The name beside the manifest of a spreadsheet that was sent. */
export const nameFor = (source: string, name: string): string => `${name}${path.extname(source)}`;

/** Whether both hold the same bytes; false where one is missing. */
export async function isSame(file: string, other: string): Promise<boolean> {
  const sizes = [file, other].map((one) => statSync(one, { throwIfNoEntry: false })?.size);
  if (sizes[0] === undefined || sizes[0] !== sizes[1]) return false;
  return (await readFile(file)).equals(await readFile(other));
}

interface Placed {
  readonly file: string;
  /** The file that was written; undefined where it lay there already. */
  readonly written: string | undefined;
}

/** Copies a spreadsheet that was sent to `NAME.ext`; the same file may lie there already. */
async function placeSource(folder: string, source: string, name: string): Promise<Placed> {
  const from = await resolveInside(folder, source);
  if (!isUpload(source)) return { file: source, written: undefined };
  const file = nameFor(source, name);
  const to = await resolveInside(folder, file);
  try {
    await writeNewFileAtomic(to, await readFile(from));
    return { file, written: to };
  } catch (error) {
    if (!isThere(error)) throw error;
    if (!(await isSame(from, to))) throw refuse(file);
    return { file, written: undefined };
  }
}

const MOST_NAMES = 100;

/** The name that is offered: with a number where a job or another spreadsheet has it. */
export async function findFreeName(folder: string, source: string, stem: string): Promise<string> {
  const names = Array.from({ length: MOST_NAMES }, (_, n) => (n === 0 ? stem : `${stem}-${n + 1}`));
  const from = await resolveInside(folder, source);
  for (const name of names) {
    if (existsSync(path.join(folder, `${name}.yaml`))) continue;
    const to = path.join(folder, nameFor(source, name));
    if (!isUpload(source) || !existsSync(to) || (await isSame(from, to))) return name;
  }
  return stem;
}

/** A name that is taken. */
export const refuse = (file: string): AppError =>
  new AppError("output-unwritable", `the name must be free, but ${file} is there already`, {
    hint: "go back and give the job another name",
  });

const HEAD = ["# Made with the desk. Run it there, or with `makeready run`."];

/**
 * Writes a job; answers its manifest, relative to the folder. Throws `output-unwritable` when there
 * is a job or a spreadsheet of that name; then nothing is written.
 */
export async function saveJob(
  folder: string,
  source: string,
  draft: Omit<Draft, "file" | "head">,
): Promise<string> {
  const manifest = `${draft.name}.yaml`;
  const target = await resolveInside(folder, manifest);
  if (existsSync(target)) throw refuse(manifest);
  const { file, written } = await placeSource(folder, source, draft.name);
  try {
    await writeNewFileAtomic(target, writeManifest({ ...draft, head: HEAD, file }));
  } catch (error) {
    if (written !== undefined) await rm(written, { force: true });
    throw isThere(error) ? refuse(manifest) : error;
  }
  return manifest;
}
