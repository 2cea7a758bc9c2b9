/** A manifest that is being changed: its text, and the text when the form was made. */
import { readFile } from "node:fs/promises";
import { sha256 } from "../../../base/ids/ids.ts";
import { resolveInside } from "../../folder.ts";

export interface ManifestText {
  readonly text: string;
  readonly hash: string;
}

export async function readManifest(folder: string, manifest: string): Promise<ManifestText> {
  const text = await readFile(await resolveInside(folder, manifest), "utf8");
  return { text, hash: sha256(text) };
}
