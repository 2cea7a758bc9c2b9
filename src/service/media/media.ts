/** Files that the service made: named so that nobody guesses them, fetched without a token. */
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/atomic-file.ts";

/** Saves, reads and forgets files by name. All may be called twice. */
export interface Media {
  save(name: string, bytes: Uint8Array): Promise<void>;
  read(name: string): Promise<Uint8Array | undefined>;
  has(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
}

const NAME = /^[a-z2-7]{32}\.(png|svg|pdf)$/u;

const contentTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  svg: "image/svg+xml",
  pdf: "application/pdf",
};

/** The content type of a name that may be a file of ours, else undefined. */
export function toContentType(name: string): string | undefined {
  const extension = NAME.exec(name)?.[1];
  return extension === undefined ? undefined : contentTypes[extension];
}

/** Files below `folder`, spread over sub-folders by their first two letters. */
export function openMediaFolder(folder: string): Media {
  const made = new Set<string>();
  const place = (name: string): string => {
    if (!NAME.test(name)) throw new RangeError(`media name must match ${NAME}, got ${name}`);
    return path.join(folder, name.slice(0, 2), name);
  };
  return {
    async save(name, bytes) {
      const file = place(name);
      const above = path.dirname(file);
      if (!made.has(above)) await mkdir(above, { recursive: true });
      made.add(above);
      // A file lost in a power cut is made again by the next download.
      await writeFileAtomic(file, bytes, { sync: false });
    },
    read: (name) => readFile(place(name)).catch(() => undefined),
    has: (name) =>
      stat(place(name)).then(
        (found) => found.isFile(),
        () => false,
      ),
    remove: (name) => rm(place(name), { force: true }),
  };
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
