/**
 * Keeps rows from standard input or the web under their hash in the data folder: a killed run can
 * go on, and it stays known which rows a job was made of.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import type { Clock } from "../../base/time/clock.ts";
import { AppError, toMessage, type Problem } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { isWebAddress } from "../../base/files/stream-name.ts";
import { formatRunTime } from "../../base/text/words.ts";
import type { JobRows } from "../../job/job.ts";
import type { Source, SourceCopy } from "../../read/source.ts";

/** Larger ones are no lists for labels. */
export const MOST_SOURCE_BYTES = 100 * 1024 * 1024;

/** Reads standard input, or fetches; undefined where nothing came through standard input. */
export type ReadStream = (from: string, maxBytes: number) => Promise<Uint8Array | undefined>;

export interface KeepRequest {
  /** The job that asks, and where its output goes. */
  readonly job: string;
  readonly dir: string;
  readonly dataDir: string;
  readonly clock: Pick<Clock, "nowMs">;
  readonly readStream: ReadStream | undefined;
  /** Of a run: what it reads is kept for as long as nothing newer ran. */
  readonly keeps: boolean;
}

/** What a job has read last, as the file beside the copies has it. */
interface Noted {
  readonly from: string;
  readonly sha256: string;
  readonly bytes: number;
  /** ISO. */
  readonly at: string;
  /** SHA-256 of what the last run has read. */
  readonly ran?: string;
}

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const COPY = /^[0-9a-f]{64}$/u;

const toFolder = ({ dataDir }: KeepRequest): string => path.join(dataDir, "sources");

function toNoteFile(request: KeepRequest): string {
  const identity = JSON.stringify([request.job, path.relative(request.dataDir, request.dir)]);
  return path.join(toFolder(request), `${sha256(identity).slice(0, 16)}.json`);
}

async function readNote(file: string): Promise<Noted | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Noted);
}

/**
 * Removes copies that are no longer needed: not the last one of any job nor what its last run has
 * read, and a week old, so that a reader can finish.
 */
async function sweep(request: KeepRequest): Promise<void> {
  const folder = toFolder(request);
  const names = await readdir(folder);
  const noteFiles = names.filter((name) => name.endsWith(".json"));
  const notes = await Promise.all(noteFiles.map((name) => readNote(path.join(folder, name))));
  const named = new Set(notes.flatMap((note) => [note?.sha256, note?.ran]));
  for (const name of names.filter((one) => COPY.test(one) && !named.has(one))) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    const isOld = found !== undefined && request.clock.nowMs() - found.mtimeMs > KEPT_MS;
    if (isOld) await rm(file, { force: true });
  }
}

async function recall(request: KeepRequest, from: string): Promise<SourceCopy | undefined> {
  const noted = await readNote(toNoteFile(request));
  if (noted === undefined) return undefined;
  const file = path.join(toFolder(request), noted.sha256);
  return noted.from === from && existsSync(file) ? { ...noted, file, isOld: true } : undefined;
}

async function keep(request: KeepRequest, from: string, content: Uint8Array): Promise<SourceCopy> {
  const hash = sha256(content);
  const file = path.join(toFolder(request), hash);
  const now = new Date(request.clock.nowMs());
  const at = now.toISOString();
  const before = await readNote(toNoteFile(request));
  const ran = request.keeps ? hash : before?.ran;
  const noted: Noted = { from, sha256: hash, bytes: content.length, at, ...(ran && { ran }) };
  const isPrivate = true;
  // Another process may be about to remove one that is there.
  await utimes(file, now, now).catch(() => writeFileAtomic(file, content, { isPrivate }));
  await writeFileAtomic(toNoteFile(request), `${JSON.stringify(noted)}\n`, { isPrivate });
  await sweep(request);
  return { ...noted, file, isOld: false };
}

/** A run that goes on with the last copy counts as having read it, so the copy stays. */
async function noteRun(request: KeepRequest, { sha256: ran }: SourceCopy): Promise<void> {
  const file = toNoteFile(request);
  const noted = await readNote(file);
  if (noted === undefined || noted.ran === ran) return;
  await writeFileAtomic(file, `${JSON.stringify({ ...noted, ran })}\n`, { isPrivate: true });
}

function refuse(source: JobRows, known: SourceCopy | undefined, cause?: unknown): AppError {
  const where = { file: source.file };
  if (!isWebAddress(source.stream ?? "")) {
    if (cause !== undefined) {
      const message = `standard input must be read, but ${toMessage(cause)}`;
      return new AppError("source-unreadable", message, { where, cause });
    }
    const message =
      "standard input must hold rows, got nothing, and nothing is kept of an earlier run";
    const hint = "makeready run JOB < rows.csv";
    return new AppError("source-unreadable", message, { hint, where });
  }
  const hint =
    known === undefined
      ? "check the address and the network"
      : `to go on with the copy of ${formatRunTime(Date.parse(known.at))}: --set source.file=${known.file}`;
  const message = `source.file must be fetched, but ${toMessage(cause)}`;
  return new AppError("source-unreadable", message, { hint, where, cause });
}

/** Of plans without notes: the rows are those of last time. */
export function warnOfOldCopy({ file, copy }: Pick<Source, "file" | "copy">): Problem[] {
  if (copy?.isOld !== true) return [];
  const when = formatRunTime(Date.parse(copy.at));
  return [{ message: `nothing came through ${file}: the rows of ${when} are used` }];
}

/** Reads or fetches the rows of a job and keeps them. An empty standard input means those of last time. */
export async function keepSource(source: JobRows, request: KeepRequest): Promise<SourceCopy> {
  const { stream = "" } = source;
  const { readStream } = request;
  if (readStream === undefined) {
    throw new AppError("source-unreadable", `this program can't read ${source.file}`, {
      hint: "save the rows as a file and name it in source.file",
    });
  }
  // The address may hold a secret: only its hash is kept, to compare.
  const from = isWebAddress(stream) ? sha256(stream) : stream;
  const known = await recall(request, from);
  let content: Uint8Array | undefined;
  try {
    content = await readStream(stream, MOST_SOURCE_BYTES);
  } catch (cause) {
    throw refuse(source, known, cause);
  }
  if (content !== undefined) return keep(request, from, content);
  if (known === undefined) throw refuse(source, known);
  if (request.keeps) await noteRun(request, known);
  return known;
}
