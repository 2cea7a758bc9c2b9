/**
 * A document as it was written: values with their source text and their places. The parser of a
 * file format makes it, and everything after works on it.
 */

/** From 1. Without `line` the value didn't come from the file; `file` then says where from. */
export interface Place {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly file?: string | undefined;
}

export interface ScalarNode {
  readonly kind: "scalar";
  readonly place: Place;
  readonly value: string | number | boolean | null;
  /** As it stands in the file, without quotes and escapes: `007` stays `007`. */
  readonly text: string;
  readonly quoted: boolean;
  /** Column of its first character, when the file has it letter by letter on one line. */
  readonly textColumn?: number | undefined;
}

export interface ListNode {
  readonly kind: "list";
  readonly place: Place;
  readonly items: readonly TreeNode[];
}

export interface MapEntry {
  readonly key: string;
  readonly place: Place;
  readonly node: TreeNode;
}

export interface MapNode {
  readonly kind: "map";
  readonly place: Place;
  readonly entries: readonly MapEntry[];
}

export type TreeNode = ScalarNode | ListNode | MapNode;
export type TreePath = readonly PropertyKey[];

/** One step down; undefined when there is nothing. */
export function stepInto(node: TreeNode | undefined, key: PropertyKey): TreeNode | undefined {
  if (node?.kind === "map") return node.entries.find((entry) => entry.key === key)?.node;
  if (node?.kind === "list" && typeof key === "number") return node.items[key];
  return undefined;
}

export function nodeAt(root: TreeNode, path: TreePath): TreeNode | undefined {
  let node: TreeNode | undefined = root;
  for (const key of path) node = stepInto(node, key);
  return node;
}

/** Place of the value at `path`, or of the nearest thing above it that exists. */
export function placeAt(root: TreeNode, path: TreePath): Place {
  let node: TreeNode = root;
  let { place } = root;
  for (const key of path) {
    const below = stepInto(node, key);
    if (below === undefined) break;
    node = below;
    ({ place } = below);
  }
  return place;
}

/** Place of a key itself. */
export function keyPlaceAt(root: TreeNode, path: TreePath, key: string): Place {
  const node = nodeAt(root, path);
  const entry = node?.kind === "map" ? node.entries.find((one) => one.key === key) : undefined;
  return entry?.place ?? placeAt(root, path);
}

/** `output.sheets.marks[0]`. */
export function toFieldName(path: TreePath): string {
  return path
    .map((key, at) =>
      typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key)}`,
    )
    .join("");
}

/** Replaces every scalar by the result of `change`; undefined removes it. */
export function mapScalars(
  node: TreeNode,
  change: (scalar: ScalarNode, path: TreePath) => ScalarNode | undefined,
  path: TreePath = [],
): TreeNode | undefined {
  switch (node.kind) {
    case "scalar":
      return change(node, path);
    case "list": {
      const items = node.items.map((item, at) => mapScalars(item, change, [...path, at]));
      return { ...node, items: items.filter((item) => item !== undefined) };
    }
    case "map": {
      const entries = node.entries.flatMap((entry) => {
        const below = mapScalars(entry.node, change, [...path, entry.key]);
        return below === undefined ? [] : [{ ...entry, node: below }];
      });
      return { ...node, entries };
    }
  }
}
