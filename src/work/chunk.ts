/**
 * A chunk: pages of one file, or pictures, that are proven at a time, or a volume that is drawn.
 * Its input stands in a file beside them, its claims; its id is the hash of that file.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

import { TEMPORARY_SUFFIX } from "../base/files/atomic-file.ts";
import { toMessage } from "../base/errors.ts";
import { sha256 } from "../base/ids/ids.ts";
import type { CellClaim, PagesProof } from "../verify/proof/prove-pages.ts";
import {
  FileChanged,
  type PagesTask,
  type PictureClaim,
  type PicturesProof,
  type PictureFlaw,
  type Prover,
} from "../verify/proof/prover.ts";

interface PagesClaims extends Omit<PagesTask, "pdf" | "file" | "sha256" | "among"> {
  readonly kind: "pages";
  readonly program: string;
  readonly sha256: string;
}

interface PicturesClaims {
  readonly kind: "pictures";
  readonly program: string;
  readonly pictures: readonly PictureClaim[];
}

export type Claims = PagesClaims | PicturesClaims;

/** The data in the queue. */
export interface ChunkJob {
  readonly kind: Claims["kind"] | "volume";
  /** All chunks of one file, or of pictures, or of volumes. */
  readonly batch: string;
  /** The PDF, or the first picture; absolute. */
  readonly file: string;
  /** Of a PDF that is there; else empty. */
  readonly sha256: string;
  /** Pages, such as `1-20`, or how many pictures; the number of a volume. */
  readonly pages: string;
  /** Where its claims lie. */
  readonly claims: string;
}

export interface Chunk {
  readonly id: string;
  readonly job: ChunkJob;
}

/** The result of pages: faults by the place of their claims. */
interface PagesResult {
  readonly decoded: number;
  readonly compared: number;
  readonly renders: number;
  readonly faults: readonly { readonly at: number; readonly message: string }[];
}

/** The result of pictures: flaws by their places; `other` where the file was not the job's. */
interface PicturesResult {
  readonly flaws: readonly (PictureFlaw & { readonly at: number })[];
  readonly other: readonly number[];
}

/** The result of a volume: SHA-256 of its file (`volume-chunk.ts`). */
export interface VolumeResult {
  readonly drawn: string;
}

export type Result = PagesResult | PicturesResult | VolumeResult;

/** SHA-256 of the claims as the database knows ids: a UUID of version 8 (RFC 9562). */
export function toChunkId(text: string | Uint8Array): string {
  const hash = sha256(text);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Where a chunk's files lie: beside the file, under names that the next run sweeps away. */
export const besideFile = (file: string, id: string): string =>
  path.join(path.dirname(file), `.${id}${TEMPORARY_SUFFIX}`);

/** A chunk and the text of its claims. */
export function makeChunk(
  claims: Claims,
  { file, batch }: Pick<ChunkJob, "file" | "batch">,
): { readonly chunk: Chunk; readonly text: string } {
  const text = JSON.stringify(claims);
  const id = toChunkId(text);
  const pages =
    claims.kind === "pages"
      ? `${claims.claims[0]?.page ?? 0}-${claims.claims.at(-1)?.page ?? 0}`
      : String(claims.pictures.length);
  const hash = claims.kind === "pages" ? claims.sha256 : "";
  const job = { kind: claims.kind, batch, file, sha256: hash, pages };
  return { chunk: { id, job: { ...job, claims: besideFile(file, id) } }, text };
}

/** For people: `pages 1-20 of /jobs/out/tables.pdf`. */
export const describeChunk = ({ kind, file, pages }: ChunkJob): string => {
  if (kind === "volume") return `volume ${pages} (${file})`;
  return kind === "pages" ? `pages ${pages} of ${file}` : `${pages} pictures from ${file} on`;
};

/** Thrown for files that can't be seen from here: another computer may see them. */
export class Unseen extends Error {
  override readonly name = "Unseen";
}

/**
 * The problem of a job's folder on this computer. `error`: why a file of it can't be read; left
 * out: it is another folder.
 */
export function unseen(file: string, error?: unknown): Unseen {
  const dir = path.dirname(file);
  const way = "share that folder between both computers, under the same path";
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "EACCES" || code === "EPERM")
    return new Unseen(
      `this computer may not read the job's folder ${dir}: let it read all files there`,
    );
  if (!existsSync(dir))
    return new Unseen(`this computer has no folder ${dir}, where the job is: ${way}`);
  if (error === undefined || code === "ENOENT")
    return new Unseen(`${dir} on this computer is another folder than the job's: ${way}`);
  return new Unseen(
    `this computer can't read the job's folder ${dir} (${code ?? toMessage(error)}): ${way}`,
  );
}

/** The claims of a chunk. Throws `Unseen` when they are not there, or not its own. */
export async function readOwn({ id, job }: Chunk): Promise<Buffer> {
  const bytes = await readFile(job.claims).catch((error: unknown) => {
    throw unseen(job.claims, error);
  });
  if (toChunkId(bytes) !== id) throw unseen(job.claims);
  return bytes;
}

const readClaims = async (chunk: Chunk): Promise<Claims> =>
  JSON.parse((await readOwn(chunk)).toString()) as Claims;

async function provePages(
  { file }: ChunkJob,
  { kind: _kind, program: _program, sha256: hash, ...task }: PagesClaims,
  prover: Prover,
): Promise<PagesResult> {
  const pdf = await readFile(file).catch((error: unknown) => {
    throw unseen(file, error);
  });
  if (sha256(pdf) !== hash) throw new FileChanged(file);
  // Faults come back with copies of their claims: the index says which.
  const claims = task.claims.map((claim, at): CellClaim & { at: number } => ({ ...claim, at }));
  const proof = await prover.pages({ ...task, claims, pdf, file, sha256: hash });
  const faults = proof.faults.map(({ claim, message }) => ({
    at: (claim as CellClaim & { at: number }).at,
    message,
  }));
  const { decoded, compared, renders } = proof;
  return { decoded, compared, renders, faults };
}

/** Whether a picture is still the file that the job wrote. */
async function isOwn({ file, sha256: hash }: PictureClaim): Promise<boolean> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes !== undefined && (hash === undefined || sha256(bytes) === hash);
}

async function provePictures(
  pictures: readonly PictureClaim[],
  prover: Prover,
): Promise<PicturesResult> {
  const own: number[] = [];
  const other: number[] = [];
  for (const [at, picture] of pictures.entries()) ((await isOwn(picture)) ? own : other).push(at);
  const mine = own.map((at) => pictures[at] as PictureClaim);
  const proof = await prover.pictures({ pictures: mine });
  const flaws = proof.flatMap((flaw, i) =>
    flaw === undefined ? [] : [{ ...flaw, at: own[i] ?? 0 }],
  );
  return { flaws, other };
}

/**
 * Proves a chunk from the files that this computer sees. Throws `Unseen`, `FileChanged`, or another
 * error.
 */
export async function proveChunk(chunk: Chunk, prover: Prover): Promise<Result> {
  const claims = await readClaims(chunk);
  return claims.kind === "pages"
    ? provePages(chunk.job, claims, prover)
    : provePictures(claims.pictures, prover);
}

/** An answer -> the proof of its pages. */
export async function toPagesProof(chunk: Chunk, result: Result): Promise<PagesProof> {
  const { decoded, compared, renders, faults } = result as PagesResult;
  if (faults.length === 0) return { decoded, compared, renders, faults: [] };
  const { claims } = (await readClaims(chunk)) as PagesClaims;
  const found = faults.map(({ at, message }) => ({ claim: claims[at] as CellClaim, message }));
  return { decoded, compared, renders, faults: found };
}

/** An answer -> the proof of its pictures; those that were not the job's files are proven here. */
export async function toPicturesProof(
  pictures: readonly PictureClaim[],
  result: Result,
  prover: Prover,
): Promise<PicturesProof> {
  const { flaws, other } = result as PicturesResult;
  const proof: (PictureFlaw | undefined)[] = pictures.map(() => undefined);
  for (const { at, rule, message, text } of flaws)
    proof[at] = { rule, message, ...(text !== undefined && { text }) };
  const left = other.map((at) => pictures[at] as PictureClaim);
  const seen = left.length === 0 ? [] : await prover.pictures({ pictures: left });
  for (const [i, at] of other.entries()) proof[at] = seen[i];
  return proof;
}
