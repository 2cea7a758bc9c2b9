/**
 * Small files in one go. A job has two for each row: handing every call to another thread costs
 * several times what the call itself does, and a small file on a disk keeps nobody waiting.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Longer files are read piece by piece, in other threads. */
export const MAX_SMALL_BYTES = 256 * 1024;

export interface SmallFile {
  /** Undefined when it is longer than that. */
  readonly bytes: Buffer | undefined;
  readonly size: number;
  readonly inode: number;
  readonly modifiedMs: number;
}

/** Opens a file once, and reads it when it is small. Throws what the file system throws. */
export function readSmallFile(file: string): SmallFile {
  const handle = openSync(file, "r");
  try {
    const { size, ino: inode, mtimeMs: modifiedMs } = fstatSync(handle);
    if (size > MAX_SMALL_BYTES) return { bytes: undefined, size, inode, modifiedMs };
    // One more than there is, so that what has grown meanwhile is told from what is whole.
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
