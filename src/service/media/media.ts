/** Files that the service made: named so that nobody guesses them, fetched without a token. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";

import { TEMPORARY_SUFFIX, writeFileAtomic } from "../../base/atomic-file.ts";

import type { Addresses } from "../addresses.ts";

/** Saves, reads and forgets files by name. All may be called twice. */
export interface Media {
  /** `durable`: waits for the disk, for what can't be made again. */
  save(name: string, bytes: Uint8Array, durable?: boolean): Promise<void>;
  read(name: string): Promise<Uint8Array | undefined>;
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

/** A drawing may be opened as a page: it runs and loads nothing, and is taken for nothing else. */
export const drawingHeaders = {
  "content-type": "image/svg+xml",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  "x-content-type-options": "nosniff",
} as const;

/** The content type of a name that may be a file of ours, else undefined. */
export function toContentType(name: string): string | undefined {
  const extension = NAME.exec(name)?.[1];
  return extension === undefined ? undefined : contentTypes[extension];
}

/**
 * Files below `folder`, spread over sub-folders by their first two letters. Pictures are written
 * without waiting for the disk, in one go: they are small, many, and made again when lost.
 */
export function openMediaFolder(folder: string): Media {
  const made = new Set<string>();
  const place = (name: string): string => {
    if (!NAME.test(name)) throw new RangeError(`media name must match ${NAME}, got ${name}`);
    return path.join(folder, name.slice(0, 2), name);
  };
  const saveQuickly = (file: string, bytes: Uint8Array): void => {
    const above = path.dirname(file);
    if (!made.has(above)) mkdirSync(above, { recursive: true });
    made.add(above);
    const temporary = `${file}.${process.pid}${TEMPORARY_SUFFIX}`;
    writeFileSync(temporary, bytes);
    renameSync(temporary, file);
  };
  return {
    async save(name, bytes, durable = false) {
      if (durable) await writeFileAtomic(place(name), bytes);
      else saveQuickly(place(name), bytes);
    },
    read: (name) => readFile(place(name)).catch(() => undefined),
    has: async (name) => existsSync(place(name)),
    remove: (name) => rm(place(name), { force: true }),
  };
}

/** A file of this service by its address: nothing is fetched, so that it may stand on a private one. */
export async function readOwnFile(
  url: string,
  { addresses, media }: { readonly addresses: Addresses; readonly media: Media },
): Promise<Uint8Array | undefined> {
  const start = addresses.media("");
  if (!url.startsWith(start)) return undefined;
  const name = url.slice(start.length).split(/[/?#]/u, 1)[0] ?? "";
  return NAME.test(name) ? media.read(name) : undefined;
}

/** For a service that keeps nothing on disk. */
export function makeMemoryMedia(): Media {
  const files = new Map<string, Uint8Array>();
  return {
    save: async (name, bytes) => void files.set(name, bytes),
    read: async (name) => files.get(name),
    has: async (name) => files.has(name),
    remove: async (name) => void files.delete(name),
  };
}
