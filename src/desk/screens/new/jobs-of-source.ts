/** Jobs that read the spreadsheet of a new one already: a second job of the same rows is seldom meant. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { readYamlField } from "../../../job/yaml/edit-yaml.ts";
import { listManifests, resolveInside } from "../../folder.ts";
import { isSame } from "./save.ts";
import { isUpload } from "./uploads.ts";

/** The file that a manifest names, from the folder; undefined where it names none. */
async function readSource(folder: string, manifest: string): Promise<string | undefined> {
  try {
    const text = await readFile(path.join(folder, manifest), "utf8");
    const found =
      readYamlField(text, ["source", "file"])?.value ?? readYamlField(text, ["source"])?.value;
    if (typeof found !== "string") return undefined;
    return path.join(path.dirname(manifest), found);
  } catch {
    // A manifest that can't be read is none of these jobs.
    return undefined;
  }
}

/** Their manifests; one that was sent is known by its bytes. */
export async function listJobsOf(folder: string, source: string): Promise<string[]> {
  const file = await resolveInside(folder, source);
  const found: string[] = [];
  for (const manifest of await listManifests(folder)) {
    const own = await readSource(folder, manifest);
    if (own === undefined) continue;
    const other = path.resolve(folder, own);
    if (other === file || (isUpload(source) && (await isSame(file, other)))) found.push(manifest);
  }
  return found;
}
