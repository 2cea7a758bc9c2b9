/** A manifest that is looked at and changed: its text, and what stood there when the form was made. */
import { chmod, readFile, stat } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../../base/atomic-file.ts";
import { AppError } from "../../../base/errors.ts";
import { sha256 } from "../../../base/ids.ts";
import { resolveInside } from "../../folder.ts";

export interface ManifestText {
  readonly text: string;
  readonly hash: string;
}

export async function readManifest(folder: string, manifest: string): Promise<ManifestText> {
  const text = await readFile(await resolveInside(folder, manifest), "utf8");
  return { text, hash: sha256(text) };
}

/** Writes it whole, or not at all. Throws `output-unwritable` where the folder takes no file. */
export async function writeManifest(folder: string, manifest: string, text: string): Promise<void> {
  const file = await resolveInside(folder, manifest);
  const { mode } = await stat(file);
  try {
    await writeFileAtomic(file, text);
    await chmod(file, mode);
  } catch (cause) {
    throw new AppError("output-unwritable", `${path.basename(file)} must be writable, but isn't`, {
      hint: "ask who owns the folder to let you write there",
      cause,
    });
  }
}
