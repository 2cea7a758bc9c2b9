/**
 * Reads small files at once. A job has two files per row: sending every call to another thread
 * costs several times the call itself, and reading a small file blocks nobody for long.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Longer files are read in pieces, in other threads. */
export const MAX_SMALL_BYTES = 256 * 1024;

export interface SmallFile {
  /** Undefined when it is longer than that. */
  readonly bytes: Buffer | undefined;
  readonly size: number;
  readonly inode: number;
  readonly modifiedMs: number;
}

/** Opens a file once, and reads it if it is small. Throws the file system's error. */
export function readSmallFile(file: string): SmallFile {
  const handle = openSync(file, "r");
  try {
    const { size, ino: inode, mtimeMs: modifiedMs } = fstatSync(handle);
    if (size > MAX_SMALL_BYTES) return { bytes: undefined, size, inode, modifiedMs };
    // One byte more than the size, so that a file that has grown meanwhile is noticed.
    const bytes = Buffer.allocUnsafeSlow(size + 1);
    let length = 0;
    for (;;) {
      const read = readSync(handle, bytes, length, bytes.length - length, length);
      length += read;
      if (length > size) return { bytes: undefined, size, inode, modifiedMs };
      if (read === 0) return { bytes: bytes.subarray(0, length), size, inode, modifiedMs };
    }
  } finally {
    closeSync(handle);
  }
}
