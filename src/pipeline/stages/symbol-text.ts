/** The texts of the symbols on a row's labels: from the row, never from the drawing. */
import type { ArtItem, SymbolItem } from "../../base/shapes/label-art.ts";
import type { JobSheets } from "../../job/job.ts";
import type { Cell } from "../../state/row.ts";
import { elementTexts, isFault, readSymbolText } from "../../symbol/symbol-text.ts";

/** The row's text for a symbol, and what readers answer to it. */
export interface SymbolText {
  readonly text: string;
  readonly says: string;
}

type Place = Pick<Cell, "item" | "side" | "symbol">;

const itemsOf = (sheets: JobSheets | null, { side }: Pick<Place, "side">): readonly ArtItem[] =>
  (side === "back" ? sheets?.back?.label : sheets?.label)?.art.items ?? [];

const symbolsOf = (sheets: JobSheets | null, place: Place): SymbolItem[] =>
  itemsOf(sheets, place).filter((item) => item.kind === "symbol");

function findItem(sheets: JobSheets | null, place: Place): SymbolItem | undefined {
  const item = itemsOf(sheets, place)[(place.item ?? 0) - 1];
  return item?.kind === "symbol" ? item : undefined;
}

/** What a symbol at a place of a row's label must say; undefined for places of codes. */
export function findSymbolText(
  sheets: JobSheets | null,
  texts: readonly string[],
  place: Place,
): SymbolText | undefined {
  if (place.symbol === undefined) return undefined;
  const item = findItem(sheets, place);
  const text = item === undefined ? "" : (texts[item.text] ?? "");
  const read = readSymbolText(place.symbol, text, elementTexts(symbolsOf(sheets, place), texts));
  return { text, says: isFault(read) ? "" : read.says };
}
