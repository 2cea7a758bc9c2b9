/**
 * Files that the service made: their names can't be guessed, and no token is needed to fetch them.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open, readFile, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";

import {
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  TEMPORARY_SUFFIX,
  writeFileAtomic,
} from "../../base/files/atomic-file.ts";
import { readSmallFile, type SmallFile } from "../../base/files/small-file.ts";

import type { Addresses } from "../addresses.ts";

/** An opened file; it stays the same even if its name gets another file. */
export interface OpenFile {
  readonly size: number;
  /** Changes with the content. */
  readonly version: string;
  /** Up to `length` bytes from `at`; fewer only at the end. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** May be called twice. */
  close(): Promise<void>;
}

/** Saves, reads and removes files by name. All may be called twice. */
export interface Media {
  /** `durable`: waits for the disk, for files that can't be made again. */
  save(name: string, bytes: Uint8Array, durable?: boolean): Promise<void>;
  read(name: string): Promise<Uint8Array | undefined>;
  /** For a long file or a part of it; the caller closes it. */
  open(name: string): Promise<OpenFile | undefined>;
  has(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
}

const NAME = /^[a-z2-7]{32}\.(png|svg|pdf|jpg)$/u;

const contentTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  svg: "image/svg+xml",
  pdf: "application/pdf",
  jpg: "image/jpeg",
};

/** An SVG may be opened as a page: these headers keep it from running or loading anything. */
export const drawingHeaders = {
  "content-type": "image/svg+xml",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  "x-content-type-options": "nosniff",
} as const;

/** The content type of a name that one of our files may have, else undefined. */
export function toContentType(name: string): string | undefined {
  const extension = NAME.exec(name)?.[1];
  return extension === undefined ? undefined : contentTypes[extension];
}

/**
 * Files below `folder`, in sub-folders named after their first two letters. Small pictures are
 * written at once, without waiting for the disk: they are many, and made again when lost.
 */
export function openMediaFolder(folder: string): Media {
  const made = new Set<string>();
  const place = (name: string): string => {
    if (!NAME.test(name)) throw new RangeError(`media name must match ${NAME}, got ${name}`);
    return path.join(folder, name.slice(0, 2), name);
  };
  const saveQuickly = (file: string, bytes: Uint8Array): void => {
    const above = path.dirname(file);
    if (!made.has(above)) mkdirSync(above, { recursive: true, mode: PRIVATE_FOLDER });
    made.add(above);
    const temporary = `${file}.${process.pid}${TEMPORARY_SUFFIX}`;
    try {
      writeFileSync(temporary, bytes, { mode: PRIVATE_FILE });
      renameSync(temporary, file);
    } catch (error) {
      // A partial file would only take space on a full disk.
      rmSync(temporary, { force: true });
      throw error;
    }
  };
  return {
    async save(name, bytes, durable = false) {
      if (durable) await writeFileAtomic(place(name), bytes, { isPrivate: true });
      else saveQuickly(place(name), bytes);
    },
    read: (name) => readFile(place(name)).catch(() => undefined),
    open: async (name) => {
      const small = openSmallFile(place(name));
      if (small !== "long") return small;
      const handle = await open(place(name), "r").catch(() => undefined);
      return handle === undefined ? undefined : toOpenFile(handle);
    },
    has: async (name) => existsSync(place(name)),
    remove: (name) => rm(place(name), { force: true }),
  };
}

const toVersion = (inode: number, size: number, modifiedMs: number): string =>
  [inode, size, modifiedMs].map((part) => Math.trunc(part).toString(36)).join("-");

/** Undefined when there is no such file. */
function openSmallFile(file: string): OpenFile | "long" | undefined {
  let small: SmallFile;
  try {
    small = readSmallFile(file);
  } catch {
    return undefined;
  }
  const { bytes, inode, size, modifiedMs } = small;
  if (bytes === undefined) return "long";
  return {
    size: bytes.length,
    version: toVersion(inode, size, modifiedMs),
    read: async (at, length) => bytes.subarray(at, at + length),
    close: async () => {},
  };
}

/** The handle keeps the bytes that it was opened on: files are only replaced as a whole. */
async function toOpenFile(handle: FileHandle): Promise<OpenFile> {
  try {
    const { size, ino, mtimeMs } = await handle.stat();
    return {
      size,
      version: toVersion(ino, size, mtimeMs),
      async read(at, length) {
        const bytes = Buffer.allocUnsafeSlow(Math.min(length, size - at));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, at);
        return bytes.subarray(0, bytesRead);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A file of this service by its address, without a fetch: the address may be private. */
export async function readOwnFile(
  url: string,
  { addresses, media }: { readonly addresses: Addresses; readonly media: Media },
): Promise<Uint8Array | undefined> {
  const start = addresses.media("");
  if (!url.startsWith(start)) return undefined;
  const name = url.slice(start.length).split(/[/?#]/u, 1)[0] ?? "";
  return NAME.test(name) ? media.read(name) : undefined;
}

/** For a service without a disk. */
export function makeMemoryMedia(): Media {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly version: string }>();
  let saved = 0;
  return {
    async save(name, bytes) {
      saved += 1;
      files.set(name, { bytes, version: String(saved) });
    },
    read: async (name) => files.get(name)?.bytes,
    async open(name) {
      const file = files.get(name);
      if (file === undefined) return undefined;
      const { bytes, version } = file;
      const read: OpenFile["read"] = async (at, length) => bytes.subarray(at, at + length);
      return { size: bytes.length, version, read, close: async () => {} };
    },
    has: async (name) => files.has(name),
    remove: async (name) => void files.delete(name),
  };
}
