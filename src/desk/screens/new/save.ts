/** The end of the wizard: the manifest, and beside it the spreadsheet that was sent. */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../../base/errors.ts";
import { writeManifest, type ManifestDraft } from "../../../pipeline/draft/manifest-draft.ts";
import { DESK_DIR, listManifests, resolveInside } from "../../folder.ts";

const isUpload = (source: string): boolean => source.startsWith(DESK_DIR.replaceAll(path.sep, "/"));

const isThere = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EEXIST";

/** Copies a spreadsheet that was sent to `NAME.ext`; the same file may lie there already. */
async function placeSource(folder: string, source: string, name: string): Promise<string> {
  const from = await resolveInside(folder, source);
  if (!isUpload(source)) return source;
  const target = `${name}${path.extname(source)}`;
  const to = await resolveInside(folder, target);
  try {
    await copyFile(from, to, 1);
  } catch (error) {
    if (!isThere(error)) throw error;
    if (!(await readFile(from)).equals(await readFile(to))) throw refuse(target);
  }
  return target;
}

const MOST_NAMES = 100;

/** The name that is offered: with a number where there is a job of that name. */
export async function findFreeName(folder: string, stem: string): Promise<string> {
  const names = new Set(await listManifests(folder));
  const found = Array.from({ length: MOST_NAMES }, (_, n) => (n === 0 ? stem : `${stem}-${n + 1}`));
  return found.find((name) => !names.has(`${name}.yaml`)) ?? stem;
}

const refuse = (file: string): AppError =>
  new AppError("output-unwritable", `the name must be free, but ${file} is there already`, {
    hint: "give the job another name",
  });

/**
 * Writes a job; answers its manifest, relative to the folder. Throws `output-unwritable` when there
 * is a job or a spreadsheet of that name; then nothing is written.
 */
export async function saveJob(
  folder: string,
  source: string,
  draft: Omit<ManifestDraft, "file">,
): Promise<string> {
  const manifest = `${draft.name}.yaml`;
  const file = await placeSource(folder, source, draft.name);
  try {
    const text = writeManifest({ ...draft, file });
    await writeFile(await resolveInside(folder, manifest), text, { flag: "wx" });
  } catch (error) {
    throw isThere(error) ? refuse(manifest) : error;
  }
  return manifest;
}
