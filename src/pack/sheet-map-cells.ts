/** The cells of `sheet-map.json`, read line by line, and the hash trees over them. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import { MerkleTree } from "../base/ids/merkle.ts";
import type { SheetMapCell } from "./sheet-map.ts";

const VOLUME = /^\{"file":.*"cells":\[$/u;
const CELL = /^\{"page":/u;

/** PDF -> the tree over its cells: each leaf is the line of a cell, as JSON without a comma behind it. */
export async function readCellTrees(file: string): Promise<Map<string, MerkleTree>> {
  const trees = new Map<string, MerkleTree>();
  let tree: MerkleTree | undefined;
  const lines = createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Infinity });
  for await (const line of lines) {
    if (VOLUME.test(line)) {
      tree = new MerkleTree();
      trees.set((JSON.parse(`${line}]}`) as { file: string }).file, tree);
    } else if (CELL.test(line)) tree?.add(line.replace(/,$/u, ""));
  }
  return trees;
}

/** A line of `sheet-map.json` with the PDF that it belongs to. */
export interface MappedCell extends SheetMapCell {
  readonly file: string;
}

/** The cells of the map, one after the other. */
export async function* readMapCells(file: string): AsyncGenerator<MappedCell> {
  let volume = "";
  const lines = createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Infinity });
  for await (const line of lines) {
    if (VOLUME.test(line)) volume = (JSON.parse(`${line}]}`) as { file: string }).file;
    else if (CELL.test(line))
      yield { file: volume, ...(JSON.parse(line.replace(/,$/u, "")) as Omit<MappedCell, "file">) };
  }
}
