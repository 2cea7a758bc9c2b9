/** The cells of one sheet of paper, read out of `sheet-map.json` without holding the file. */
import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

import type { CodePlace } from "../../../base/shapes/code-cell.ts";

export interface MapCell extends Pick<CodePlace, "page" | "row" | "column" | "side"> {
  readonly key: string;
}

export interface MapVolume {
  readonly file: string;
  readonly pages: number;
}

export interface SheetPage {
  /** Name of the label sheet. */
  readonly sheet: string;
  readonly volumes: readonly MapVolume[];
  /** Labels of the wanted page, row by row, each once: the file has a line for each code and symbol. */
  readonly cells: readonly MapCell[];
}

const HEAD = /^\{"version":1,.*"sheet":("(?:[^"\\]|\\.)*"),"volumes":\[$/u;
const VOLUME = /^(?:,)?(\{"file":.*"cells":)\[/u;
function readSheetName(line: string): string {
  const [, name] = HEAD.exec(line) ?? [];
  return name === undefined ? "" : (JSON.parse(name) as string);
}

/** A cell's line, without the comma before it and what closes the list behind it. */
function toCellText(line: string): string | undefined {
  const from = line.startsWith(",") ? 1 : 0;
  if (!line.startsWith('{"page":', from)) return undefined;
  // The hash, which ends a cell, holds no quote.
  return line.slice(from, line.lastIndexOf('"}') + 2);
}

/** `sheet-map.json` has a line for each volume and each cell. */
export async function readSheetPage(
  dir: string,
  { file, page }: { readonly file: string | undefined; readonly page: number },
): Promise<SheetPage> {
  const volumes: MapVolume[] = [];
  const cells = new Map<string, MapCell>();
  let sheet = "";
  const lines = createInterface({
    input: createReadStream(path.join(dir, "sheet-map.json"), "utf8"),
    crlfDelay: Infinity,
  });
  for await (const line of lines) {
    sheet ||= readSheetName(line);
    const [, head] = VOLUME.exec(line) ?? [];
    if (head !== undefined) volumes.push(JSON.parse(`${head}[]}`) as MapVolume);
    const text = toCellText(line);
    const wanted = file ?? volumes[0]?.file;
    if (text === undefined || volumes.at(-1)?.file !== wanted) continue;
    const cell = JSON.parse(text) as MapCell;
    if (cell.page !== page || cell.side !== undefined) continue;
    cells.set(`${cell.row} ${cell.column}`, cell);
  }
  const inOrder = [...cells.values()].toSorted((a, b) => a.row - b.row || a.column - b.column);
  return { sheet, volumes, cells: inOrder };
}
