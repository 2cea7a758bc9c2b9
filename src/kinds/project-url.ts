/** The public address that a project's config names, for those who have no manifest. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../base/errors.ts";
import type { Environment } from "../base/settings.ts";
import { expandTree } from "../job/yaml/environment.ts";
import { nodeAt } from "../job/yaml/tree.ts";
import { parseYaml } from "../job/yaml/yaml.ts";
import { findProject } from "./project.ts";

/** `api.public_url` of the config in this folder or above; undefined where there is none. */
export async function readProjectUrl(
  folder: string,
  env: Environment,
): Promise<string | undefined> {
  const file = await findProject(path.join(folder, "any.yaml"));
  if (file === undefined) return undefined;
  const { root, problems, isBroken } = parseYaml(await readFile(file, "utf8"), file);
  if (isBroken || root === undefined) {
    throw new AppError("manifest-invalid", "the config must be YAML that can be read", {
      where: { file },
      problems,
    });
  }
  const node = nodeAt(expandTree(root, env, file).root, ["api", "public_url"]);
  return node?.kind === "scalar" && node.text.trim() !== "" ? node.text.trim() : undefined;
}
