import { freeNameKeys } from "../rules/file-rules.ts";
import type { PdfFile } from "./pdf-file.ts";
import { isArray, isDict, isReference, isStream, type PdfNode } from "./pdf-node.ts";

/** An object below a node. */
export interface Reached {
  readonly node: PdfNode;
  /** Its keys are free names. */
  readonly isFree: boolean;
  /** Number of the object that it is; undefined for what stands inside of one. */
  readonly object?: number | undefined;
}

/** A node and all that it refers to, each object once. */
export function reach(file: PdfFile, from: PdfNode): Reached[] {
  const seen = new Set<number>();
  const found: Reached[] = [];
  const open: Reached[] = [{ node: from, isFree: false }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { node, isFree } = at;
    if (isReference(node)) {
      const { ref } = node;
      if (!seen.has(ref)) open.push({ node: file.resolve(node) ?? null, isFree, object: ref });
      seen.add(ref);
      continue;
    }
    found.push(at);
    if (isArray(node)) for (const item of node) open.push({ node: item, isFree: false });
    const dict = isStream(node) ? node.dict : node;
    if (!isDict(dict)) continue;
    for (const [key, value] of dict) {
      if (key === "Parent") continue;
      open.push({ node: value, isFree: !isFree && freeNameKeys.has(key) });
    }
  }
  return found;
}
