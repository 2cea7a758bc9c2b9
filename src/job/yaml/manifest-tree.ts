/** A manifest for rules over several fields: the values that are there, even if others are wrong. */
import { nodeAt, type TreeNode, type TreePath } from "./tree.ts";

export interface Finding {
  readonly path: TreePath;
  /** "must …", after the field's name. */
  readonly rule: string;
  readonly hint: string;
}

export class ManifestTree {
  readonly root: TreeNode;

  constructor(root: TreeNode) {
    this.root = root;
  }

  /** Items of a list, or nothing. */
  list(path: TreePath): readonly TreeNode[] {
    const node = nodeAt(this.root, path);
    return node?.kind === "list" ? node.items : [];
  }

  has(path: TreePath): boolean {
    return nodeAt(this.root, path) !== undefined;
  }

  text(path: TreePath): string | undefined {
    const node = nodeAt(this.root, path);
    return node?.kind === "scalar" ? node.text : undefined;
  }

  is(path: TreePath, value: unknown): boolean {
    const node = nodeAt(this.root, path);
    return node?.kind === "scalar" && node.value === value;
  }

  type(): string {
    return this.text(["code", "type"]) ?? "Link";
  }

  isDynamic(): boolean {
    return this.is(["code", "dynamic"], true) || this.type() === "GS1";
  }
}
