/**
 * `sheet-map.json`: which row lies in which cell of which sheet, and the hash of what its code
 * must say. Reprints of single cells and the proof of a print run use it (docs/spec/print.md
 * section 12, rule 24).
 */
import type { CodePlace } from "../base/shapes/code-cell.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";

/** The first field of the file. Readers refuse a higher one. */
const SHEET_MAP_VERSION = 1;

/** One code on paper. */
export interface SheetMapCell extends CodePlace<string> {
  readonly key: string;
  /** SHA-256 of the code's text, or of the text that readers return for a symbol. */
  readonly payloadSha256: string;
}

/** One PDF. */
export interface SheetMapVolume {
  /** Relative to the output folder. */
  readonly file: string;
  readonly sha256: string;
  readonly pages: number;
  readonly cells: AsyncIterable<SheetMapCell> | Iterable<SheetMapCell>;
}

export interface SheetMap {
  readonly job: string;
  /** Name of the label sheet. */
  readonly sheet: string;
  readonly volumes: AsyncIterable<SheetMapVolume> | Iterable<SheetMapVolume>;
}

function toCellJson(cell: SheetMapCell): string {
  const { page, row, column, side, part, symbol, item, key, payloadSha256 } = cell;
  return JSON.stringify({
    page,
    row,
    column,
    side,
    part,
    symbol,
    item,
    key,
    payloadSha256,
  });
}

async function* makeJson(map: SheetMap): AsyncGenerator<string> {
  const { job, sheet } = map;
  const head = JSON.stringify({ version: SHEET_MAP_VERSION, job, sheet });
  yield `${head.slice(0, -1)},"volumes":[`;
  let isFirstVolume = true;
  for await (const { file, sha256, pages, cells } of map.volumes) {
    const volume = JSON.stringify({ file, sha256, pages });
    yield `${isFirstVolume ? "" : ","}\n${volume.slice(0, -1)},"cells":[`;
    isFirstVolume = false;
    let isFirstCell = true;
    for await (const cell of cells) {
      yield `${isFirstCell ? "" : ","}\n${toCellJson(cell)}`;
      isFirstCell = false;
    }
    yield "\n]}";
  }
  yield "\n]}\n";
}

/** Writes the map piece by piece: one cell a line, in constant memory. */
export function writeSheetMap(file: string, map: SheetMap): Promise<WrittenFile> {
  return writeTextFile(file, makeJson(map));
}
