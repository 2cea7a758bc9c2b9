/**
 * A volume of sheets as a chunk. Its claims hold all but the files that its options name: those lie
 * beside the claims under their hashes. The worker puts the drawn volume there, too.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deserialize, serialize } from "node:v8";

import { sha256 } from "../base/ids/ids.ts";
import {
  drawTask,
  filesOf,
  mapFiles,
  type Painter,
  type VolumeTask,
} from "../print/draw/volume-task.ts";
import type { DrawnVolume } from "../print/volume.ts";
import { FileChanged } from "../verify/proof/prover.ts";
import { besideFile, type Chunk, readOwn, toChunkId, unseen, type VolumeResult } from "./chunk.ts";

interface NamedFile {
  /** Where the coordinator has it. */
  readonly file: string;
  readonly sha256: string;
}

interface VolumeClaims {
  readonly program: string;
  readonly task: VolumeTask;
  readonly files: readonly NamedFile[];
}

/** Thrown where this computer may not write into the shared folder. */
export class ReadOnly extends Error {
  override readonly name = "ReadOnly";
}

/** Where the worker puts the drawn volume. */
export const drawnFile = ({ id, job }: Chunk): string => besideFile(job.file, `${id}.drawn`);

const putFile = (beside: string, { sha256: hash }: NamedFile): string => besideFile(beside, hash);

/** Writes a file so that others see all of it or nothing. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = besideFile(file, randomUUID());
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Makes a chunk of a volume, and puts its claims and the files that it names beside `file`. `left`:
 * files that must be removed in the end.
 */
export async function makeVolumeChunk(
  task: VolumeTask,
  { file, program }: { readonly file: string; readonly program: string },
): Promise<{ readonly chunk: Chunk; readonly left: readonly string[] }> {
  const files: NamedFile[] = [];
  const put: string[] = [];
  await mkdir(path.dirname(file), { recursive: true });
  for (const named of filesOf(task.options)) {
    const bytes = await readFile(named);
    const own = { file: named, sha256: sha256(bytes) };
    files.push(own);
    const place = putFile(file, own);
    put.push(place);
    if (!existsSync(place)) await writeWhole(place, bytes);
  }
  const bytes = serialize({ program, task, files } satisfies VolumeClaims);
  const id = toChunkId(bytes);
  const claims = besideFile(file, id);
  const job = { kind: "volume", batch: "volumes", file, sha256: "", claims } as const;
  await writeWhole(claims, bytes);
  const chunk = { id, job: { ...job, pages: String(task.volume) } };
  return { chunk, left: [...put, claims, drawnFile(chunk)] };
}

/** The task with copies of the files that it names, each checked against its hash. */
async function withCopies(
  { task, files }: VolumeClaims,
  { beside, folder }: { readonly beside: string; readonly folder: string },
): Promise<VolumeTask> {
  const copies = new Map<string, string>();
  for (const [at, named] of files.entries()) {
    const place = putFile(beside, named);
    const bytes = await readFile(place).catch((error: unknown) => {
      throw unseen(place, error);
    });
    if (sha256(bytes) !== named.sha256) throw new FileChanged(place);
    const copy = path.join(folder, `${at}-${path.basename(named.file)}`);
    await writeFile(copy, bytes);
    copies.set(named.file, copy);
  }
  return { ...task, options: mapFiles(task.options, (file) => copies.get(file) ?? file) };
}

const isForbidden = (error: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes(String((error as NodeJS.ErrnoException).code));

/** Draws a chunk from the files that this computer sees, and puts the volume beside its claims. */
export async function drawChunk(chunk: Chunk, painter: Painter): Promise<VolumeResult> {
  const claims = deserialize(await readOwn(chunk)) as VolumeClaims;
  const folder = await mkdtemp(path.join(tmpdir(), "makeready-draw-"));
  try {
    const task = await withCopies(claims, { beside: chunk.job.file, folder });
    const bytes = serialize(await painter.draw(task));
    await writeWhole(drawnFile(chunk), bytes).catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
      const dir = path.dirname(chunk.job.file);
      throw new ReadOnly(
        `this computer may not write into the job's folder ${dir}: it proves, and leaves drawing to others`,
      );
    });
    return { drawn: sha256(bytes) };
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The volume of an answer; undefined where its file has changed or is gone. */
export async function readDrawn(
  chunk: Chunk,
  { drawn }: VolumeResult,
): Promise<DrawnVolume | undefined> {
  const bytes = await readFile(drawnFile(chunk)).catch(() => undefined);
  if (bytes === undefined || sha256(bytes) !== drawn) return undefined;
  return deserialize(bytes) as DrawnVolume;
}

/** Draws a chunk from the files of the computer that runs the job, as without workers. */
export async function drawHere(chunk: Chunk): Promise<DrawnVolume> {
  const { task } = deserialize(await readOwn(chunk)) as VolumeClaims;
  return drawTask(task);
}
