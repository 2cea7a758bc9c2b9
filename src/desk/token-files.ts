/** Files that hold tokens of servers: nothing that the desk offers or shows. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { badUsage } from "../base/errors.ts";
import { readYamlField } from "../job/yaml/edit-yaml.ts";
import { listManifests } from "./folder.ts";

/** Undefined where the YAML names none, or can't be read. */
async function readTokenFile(file: string): Promise<string | undefined> {
  try {
    const name = readYamlField(await readFile(file, "utf8"), ["api", "token_file"])?.value;
    return typeof name === "string" ? path.resolve(path.dirname(file), name) : undefined;
  } catch {
    return undefined;
  }
}

/** Those that jobs and settings of the folder name (`api.token_file`), absolute. */
export async function listTokenFiles(folder: string): Promise<ReadonlySet<string>> {
  const manifests = await listManifests(folder);
  const named = await Promise.all(manifests.map((one) => readTokenFile(path.join(folder, one))));
  return new Set(named.filter((file) => file !== undefined));
}

/** Throws `bad-usage` for one of them that is chosen as a spreadsheet. */
export async function refuseTokenFile(folder: string, source: string): Promise<void> {
  if (!(await listTokenFiles(folder)).has(path.resolve(folder, source))) return;
  throw badUsage(
    `a spreadsheet must be chosen, got the file that holds an API token: ${source}`,
    "choose another file",
  );
}
