/**
 * Writes mended rows and names their file in the manifest. A note beside the state says which file is
 * not named yet: what a killed program leaves behind is removed by the next one.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

import { TEMPORARY_SUFFIX, writeFileAtomic } from "../../base/files/atomic-file.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { isRecord } from "../../base/is-record.ts";
import { stateDirOf, type Job } from "../../kinds/any-job.ts";
import { writeMended, type Mended } from "./mend.ts";
import type { SourceJob } from "../source/source.ts";

type Request = Parameters<typeof writeMended>[1];

/** A file that is to be named. */
interface Noted {
  /** Absolute. */
  readonly file: string;
  readonly sha256: string;
}

const toNoteFile = (job: Job): string =>
  path.join(stateDirOf(job), `.mending-${sha256(job.file).slice(0, 16)}.json`);

/** Where there is no such folder, or none that can be written, it goes without. */
async function writeNote(note: string, noted: Noted): Promise<void> {
  if (!existsSync(path.dirname(note))) return;
  await writeFileAtomic(note, `${JSON.stringify(noted)}\n`, { isPrivate: true }).catch(() => {});
}

async function readNote(note: string): Promise<Noted | undefined> {
  const text = await readFile(note, "utf8").catch(() => undefined);
  const noted: unknown = text === undefined ? undefined : JSON.parse(text);
  return isRecord(noted) ? (noted as unknown as Noted) : undefined;
}

/** Temporary names of a file end in a process, a number and this. */
async function removeParts(file: string): Promise<void> {
  const { dir, base } = path.parse(file);
  for (const name of await readdir(dir)) {
    const isPart = name.startsWith(`${base}.`) && name.endsWith(TEMPORARY_SUFFIX);
    if (isPart && /^\d+-\d+$/u.test(name.slice(base.length + 1, -TEMPORARY_SUFFIX.length)))
      await rm(path.join(dir, name), { force: true });
  }
}

/** A file that somebody has changed since is left alone, as is one that the manifest names. */
async function removeLeft(note: string): Promise<void> {
  const noted = await readNote(note);
  if (noted === undefined) return;
  const { file } = noted;
  if (existsSync(file) && (await hashFile(file)) === noted.sha256) await rm(file, { force: true });
  if (existsSync(path.dirname(file))) await removeParts(file);
  await rm(note, { force: true });
}

/**
 * Keeps mended rows as `writeMended` does. Where the manifest names no file of them, `name` writes the
 * name into it; if it throws, no file is left behind.
 *
 * @param name takes the file, absolute
 */
export async function keepMended(
  job: SourceJob & Job,
  request: Request,
  name: (file: string) => Promise<unknown>,
): Promise<Mended | undefined> {
  const note = toNoteFile(job);
  if (job.source.mended !== undefined) {
    await rm(note, { force: true });
    return writeMended(job, request);
  }
  await removeLeft(note);
  const written = await writeMended(job, request, (noted) => writeNote(note, noted));
  if (written === undefined) return undefined;
  try {
    await name(written.file);
  } catch (error) {
    await rm(written.file, { force: true });
    throw error;
  } finally {
    await rm(note, { force: true });
  }
  return written;
}
