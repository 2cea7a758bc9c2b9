import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";

/** Stamp of a file that is not there. */
export const NO_FILE = "none";

/** Changes whenever the bytes of a file may have changed, or the names in a folder. */
export async function toStamp(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? NO_FILE : stampOf(found);
}

export const stampOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
