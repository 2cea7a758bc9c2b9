/**
 * The project's own defaults: a `makeready.config.yaml` beside the manifest or in a folder above.
 * What the manifest says wins (docs/spec/jobs.md section 1: flags > environment > manifest >
 * project config > default).
 */
import { stat } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";

import type { Problem } from "../base/errors.ts";
import { didYouMean } from "../base/text/suggest.ts";

import { schemaAt } from "../job/yaml/coerce.ts";
import { kinds, type Kind } from "./names.ts";
import { kindTable } from "./index.ts";
import {
  stepInto,
  toFieldName,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type TreeNode,
} from "../job/yaml/tree.ts";

export const PROJECT_FILE = "makeready.config.yaml";

/** Fields that all jobs of a project may share. */
const SECTIONS = ["api", "code", "output", "run", "safety"] as const;
/** Every job has its own, or two would share one state. */
const NEVER = new Set(["output.dir"]);
/** Details of things that only the manifest can ask for. */
const ONLY_WHERE_ASKED = new Set(["code", "output.sheets", "output.zip"]);
const PATH_KEY = /(?:^|_)file$/u;

const exists = async (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile() && found.size > 0,
    () => false,
  );

/** The nearest one, from the manifest's folder upwards. */
export async function findProject(manifest: string): Promise<string | undefined> {
  let folder = path.dirname(path.resolve(manifest));
  for (;;) {
    const file = path.join(folder, PROJECT_FILE);
    if (await exists(file)) return file;
    const above = path.dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
}

const has = (shape: z.core.$ZodType, keys: readonly string[]): boolean =>
  schemaAt(shape, keys) !== undefined;

/** Defaults of a file, put under a manifest of one kind. */
class ProjectDefaults {
  readonly #file: string;
  readonly #kind: Kind;

  constructor(file: string, kind: Kind) {
    this.#file = file;
    this.#kind = kind;
  }

  /** `own` with defaults for what it leaves open; undefined where none may be added. */
  merge(
    own: TreeNode | undefined,
    defaults: TreeNode,
    keys: readonly string[],
  ): TreeNode | undefined {
    if (own === undefined && ONLY_WHERE_ASKED.has(keys.join("."))) return undefined;
    if (defaults.kind !== "map") return own ?? this.#locate(defaults, keys);
    if (own !== undefined && own.kind !== "map" && !isShortForm(own)) return own;
    return this.#mergeMaps(own, defaults, keys);
  }

  #mergeMaps(
    own: TreeNode | undefined,
    defaults: MapNode,
    keys: readonly string[],
  ): TreeNode | undefined {
    const entries = own?.kind === "map" ? own.entries : [];
    const merged = entries.map((entry) => {
      const below = stepInto(defaults, entry.key);
      const node = below && this.merge(entry.node, below, [...keys, entry.key]);
      return node === undefined ? entry : { ...entry, node };
    });
    const added = defaults.entries.flatMap((entry) => this.#add(entry, entries, keys));
    if (own?.kind === "scalar" && added.length === 0) return own;
    const place = own?.place ?? { ...defaults.place, file: this.#file };
    return { kind: "map", place, entries: [...merged, ...added] };
  }

  #add(entry: MapEntry, own: readonly MapEntry[], above: readonly string[]): MapEntry[] {
    const keys = [...above, entry.key];
    if (own.some(({ key }) => key === entry.key) || this.#isOfOtherKinds(keys)) return [];
    const node = this.merge(undefined, entry.node, keys);
    const place = { ...entry.place, file: this.#file };
    return node === undefined ? [] : [{ key: entry.key, place, node }];
  }

  #isOfOtherKinds(keys: readonly string[]): boolean {
    return (
      !has(kindTable[this.#kind].shape, keys) &&
      kinds.some((kind) => has(kindTable[kind].shape, keys))
    );
  }

  /** Where it stands; its paths are relative to the project's file. */
  #locate(node: TreeNode, keys: readonly string[]): TreeNode {
    const place = { ...node.place, file: this.#file };
    if (node.kind === "list") {
      return { ...node, place, items: node.items.map((item) => this.#locate(item, keys)) };
    }
    if (node.kind === "map") return node;
    return PATH_KEY.test(keys.at(-1) ?? "")
      ? this.#toAbsolute({ ...node, place })
      : { ...node, place };
  }

  #toAbsolute(node: ScalarNode): ScalarNode {
    if (typeof node.value !== "string" || /\$\{|\{\{/u.test(node.text)) return node;
    const file = path.resolve(path.dirname(this.#file), node.text);
    return { ...node, value: file, text: file, textColumn: undefined };
  }
}

/** `zip: true` is short for `zip: {}`. */
const isShortForm = (node: TreeNode): boolean => node.kind === "scalar" && node.value === true;

function checkSections(root: MapNode, file: string): Problem[] {
  return root.entries.flatMap(({ key, place, node }): Problem[] => {
    const where = { file, ...place, field: key };
    if (!SECTIONS.some((section) => section === key)) {
      const message = `${key} must not stand in ${PROJECT_FILE}: it is a job's own`;
      return [{ message, hint: didYouMean(key, SECTIONS), where }];
    }
    const below = node.kind === "map" ? node.entries : [];
    return below
      .filter((entry) => NEVER.has(`${key}.${entry.key}`))
      .map((entry) => {
        const field = toFieldName([key, entry.key]);
        const message = `${field} must not stand in ${PROJECT_FILE}: jobs in one folder would share a state`;
        return { message, hint: "set it in each manifest", where: { file, ...entry.place, field } };
      });
  });
}

/** The manifest's tree with the project's defaults below it. */
export function applyProject(
  root: TreeNode,
  project: { readonly root: TreeNode; readonly file: string },
  kind: Kind,
): { root: TreeNode; problems: Problem[] } {
  const { file } = project;
  if (project.root.kind !== "map") {
    const message = `${PROJECT_FILE} must be a map (key: value)`;
    return { root, problems: [{ message, where: { file, ...project.root.place } }] };
  }
  const problems = checkSections(project.root, file);
  if (problems.length > 0) return { root, problems };
  const merged = new ProjectDefaults(file, kind).merge(root, project.root, []);
  return { root: merged ?? root, problems: [] };
}
