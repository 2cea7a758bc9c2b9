import { once } from "node:events";
import { createWriteStream, renameSync, rmSync, type WriteStream, writeFileSync } from "node:fs";
import { constants, copyFile, link, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";

import { makeFolderSync } from "./make-folder.ts";

/** Ending of temporary names, by which leftovers of a killed run are recognised and removed. */
export const TEMPORARY_SUFFIX = ".part";

let named = 0;

/** Unique to this call: two that write the same file at once don't disturb each other. */
function temporaryName(file: string): string {
  named += 1;
  return `${file}.${process.pid}-${named}${TEMPORARY_SUFFIX}`;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows can't open a folder; there the rename alone must be enough.
  const handle = await open(folder, "r").catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** Modes for files and folders that only their owner may read. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

export interface AtomicOptions {
  /** Only its owner may read it, and any folders made for it. Default false. */
  readonly isPrivate?: boolean;
}

/**
 * Writes a temporary file completely, synced; `place` then gives it its name. It never stays behind.
 */
async function writeWhole(
  file: string,
  { data, isPrivate }: { readonly data: string | Uint8Array; readonly isPrivate: boolean },
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(file);
  makeFolderSync(folder, isPrivate ? PRIVATE_FOLDER : undefined);
  const temporary = temporaryName(file);
  try {
    const handle = await open(temporary, "w", isPrivate ? PRIVATE_FILE : undefined);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(folder);
}

/**
 * Writes a file so that readers see either the old or the new one, never a part: temporary name in
 * the same folder, sync, rename. Makes the folders above. May be called twice.
 */
export const writeFileAtomic = (
  file: string,
  data: string | Uint8Array,
  { isPrivate = false }: AtomicOptions = {},
): Promise<void> => writeWhole(file, { data, isPrivate }, (temporary) => rename(temporary, file));

/** The same for a file that must not exist yet. Throws `EEXIST` if it does; it then stays. */
export const writeNewFileAtomic = (
  file: string,
  data: string | Uint8Array,
  { isPrivate = false }: AtomicOptions = {},
): Promise<void> =>
  writeWhole(file, { data, isPrivate }, async (temporary) => {
    await link(temporary, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      // For file systems without hard links.
      await copyFile(temporary, file, constants.COPYFILE_EXCL);
    });
  });

/**
 * The same for a small file that a re-run would make again: it doesn't wait for the disk, and is
 * written at once, which takes a fifth of the processor time.
 */
export function writeSmallFileAtomic(file: string, data: Uint8Array): void {
  const temporary = temporaryName(file);
  const write = (): void => {
    writeFileSync(temporary, data);
    renameSync(temporary, file);
  };
  try {
    try {
      write();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      makeFolderSync(path.dirname(file));
      write();
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * The same for a file written in pieces: `write` gets a stream, and resolves when it has ended it.
 */
export async function streamFileAtomic(
  file: string,
  write: (stream: WriteStream) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(file);
  makeFolderSync(folder);
  const temporary = temporaryName(file);
  const stream = createWriteStream(temporary, { flush: true });
  const closed = finished(stream);
  closed.catch(() => undefined);
  try {
    await write(stream);
    if (!stream.writableEnded) stream.end();
    await closed;
    await rename(temporary, file);
  } catch (error) {
    // A stream that is still opening would make the file again after its removal.
    stream.destroy();
    if (!stream.closed) await once(stream, "close").catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
