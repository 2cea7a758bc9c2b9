import type { Problem } from "../../base/errors.ts";

import { FIELD_HINT, readFieldPath } from "./field-path.ts";
import { stepInto, type MapNode, type Place, type TreeNode } from "./tree.ts";
import { parseYaml } from "./yaml.ts";

/** The tree with `node` at `keys`; maps on the way are made, short forms and lists replaced. */
function put(root: TreeNode | undefined, keys: readonly string[], node: TreeNode): TreeNode {
  const [key, ...rest] = keys;
  if (key === undefined) return node;
  const { place } = node;
  const entries = root?.kind === "map" ? root.entries : toEntries(root);
  const below = put(stepInto(root, key), rest, node);
  const changed = { key, place, node: below };
  const at = entries.findIndex((entry) => entry.key === key);
  const map: MapNode = {
    kind: "map",
    place: root?.place ?? place,
    entries: at < 0 ? [...entries, changed] : entries.with(at, changed),
  };
  return map;
}

/** `source: rows.csv` is short for `source: {file: rows.csv}`; `zip: true` for an empty map. */
function toEntries(node: TreeNode | undefined): MapNode["entries"] {
  if (node?.kind !== "scalar" || typeof node.value !== "string") return [];
  return [{ key: "file", place: node.place, node }];
}

function moveTo(node: TreeNode, place: Place): TreeNode {
  switch (node.kind) {
    case "scalar":
      return { ...node, place, textColumn: undefined };
    case "list":
      return { ...node, place, items: node.items.map((item) => moveTo(item, place)) };
    case "map": {
      const entries = node.entries.map((entry) => ({
        ...entry,
        place,
        node: moveTo(entry.node, place),
      }));
      return { ...node, place, entries };
    }
  }
}

function readValue(text: string, place: Place): { node: TreeNode; problems: Problem[] } {
  const plain: TreeNode = { kind: "scalar", place, value: text, text, quoted: true };
  // Templates and colours need no quotes here: the shell has taken them off already.
  if (/^\s*(?:\{\{|#)/u.test(text) || text === "") return { node: plain, problems: [] };
  const { root, problems } = parseYaml(text, place.file ?? "");
  const moved = problems.map((problem) => ({ ...problem, where: { file: place.file } }));
  return { node: root === undefined ? plain : moveTo(root, place), problems: moved };
}

/** Puts `--set output.dir=x` into the tree. Later ones win. */
export function applySettings(
  root: TreeNode,
  settings: readonly string[],
): { root: TreeNode; problems: Problem[] } {
  const problems: Problem[] = [];
  let changed = root;
  for (const setting of settings) {
    const file = `--set ${setting}`;
    const { path, rest } = readFieldPath(setting) ?? {};
    if (path === undefined || rest?.startsWith("=") !== true) {
      const message = `--set must be written FIELD=VALUE, got ${JSON.stringify(setting)}`;
      const hint = `for example --set output.dir=out/test; ${FIELD_HINT}`;
      problems.push({ message, hint, where: { file } });
      continue;
    }
    const read = readValue(rest.slice(1), { file });
    problems.push(...read.problems);
    changed = put(changed, path, read.node);
  }
  return { root: changed, problems };
}
