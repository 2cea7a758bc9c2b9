/** The symbols of a label: placed, judged, drawn (docs/spec/symbols.md). */
import type { LabelProblem, Problem } from "../../base/errors.ts";
import type { SymbolItem, SymbolName } from "../../base/shapes/label-art.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { isUriFault, parseDigitalLinkUri } from "../../gs1/digital-link-uri.ts";
import { elementTexts } from "../../symbol/symbol-text.ts";
import { symbolKinds } from "../../symbol/symbols.ts";
import { loadSymbolWriter } from "../../symbol/write-symbol.ts";
import { OVERPRINT_STATE } from "../draw/content-stream.ts";
import { type Face, nameItem } from "../fonts/face.ts";
import type { CaptionFont } from "../fonts/font.ts";
import { type BoxMm, tidyBox } from "../layout/box.ts";
import { cellBox } from "../layout/label-sheet.ts";
import type { SheetJob } from "../sheet-job.ts";
import { inkBox } from "./draw-symbol.ts";
import { type PlacedSymbol, placeSymbol } from "./place-symbol.ts";

/** A symbol among the items of its face. */
export interface ItemSymbol {
  readonly item: SymbolItem;
  /** From 1, as manifests are counted. */
  readonly number: number;
}

/** The symbols that a face shows. */
export function symbolsOn({ art }: Pick<Face, "art">): ItemSymbol[] {
  return (art?.items ?? []).flatMap((item, index) =>
    item.kind === "symbol" ? [{ item, number: index + 1 }] : [],
  );
}

/** Loads the writer of symbols, where a job has any. */
export async function loadSymbolsOf({ faces }: Pick<SheetJob, "faces">): Promise<void> {
  if (faces.some((face) => symbolsOn(face).length > 0)) await loadSymbolWriter();
}

/** The facts for placing the symbols of one label. */
export interface SymbolPen {
  readonly job: SheetJob;
  readonly face: Face;
  /** The label on the trimmed sheet. */
  readonly cell: BoxMm;
  readonly font: CaptionFont;
  /** `column "EAN"` of each of the record's texts, for those who judge rows. */
  readonly columns?: readonly string[] | undefined;
}

export type Placed = PlacedSymbol & { readonly number: number };

export interface PlacedSymbols {
  readonly placed: readonly Placed[];
  readonly problems: readonly LabelProblem[];
}

/** A reduction of more than half a module leaves unreadable bars. */
function reductionFault({ job }: SymbolPen, { xMm }: PlacedSymbol): string | undefined {
  const { barWidthReduction: px = 0, deviceDpi: dpi } = job.options;
  if (px === 0 || dpi === undefined || (px * 25.4) / dpi <= xMm / 2 + 1e-9) return undefined;
  return `must have X of at least ${((2 * px * 25.4) / dpi).toFixed(3)} mm with a bar_width_reduction of ${px}, got ${xMm.toFixed(3)} mm`;
}

/** A box that is too small is no fault of a cell. */
const columnOf = ({ columns }: SymbolPen, { text }: SymbolItem, isBox: boolean): string =>
  (isBox ? undefined : columns?.[text]) ?? "";

/** Places every symbol of a label, and says why one can't be; `known`: of which symbols there are texts. */
export function placeSymbols(
  pen: SymbolPen,
  texts: readonly string[],
  known: "all" | "own" = "all",
): PlacedSymbols {
  const { job, face, cell, font } = pen;
  const placed: Placed[] = [];
  const problems: LabelProblem[] = [];
  const symbols = symbolsOn(face);
  const items = symbols.map(({ item }) => item);
  const beside = known === "all" ? elementTexts(items, texts) : "unknown";
  for (const { item, number } of symbols) {
    const one = placeSymbol(item, texts[item.text] ?? "", {
      cell,
      font,
      beside,
      frame: job.frame,
      dpi: job.rule.dpi,
      isDefaultDpi: job.rule.leastOnGridMm !== undefined,
    });
    const fault = "message" in one ? one : { message: reductionFault(pen, one) };
    const isBack = face.side === "back";
    if (fault.message !== undefined) {
      const none = { hint: undefined, isBox: undefined, isByLabel: undefined };
      const { hint, isBox = false, isByLabel } = { ...none, ...fault };
      const says = nameItem(face.side, number, item.symbol, columnOf(pen, item, isBox));
      const field = `${isBack ? "back." : ""}label.items[${number - 1}].at`;
      const where = isBox ? { field } : undefined;
      problems.push({ message: `${says} ${fault.message}`, hint, where, isByLabel });
    } else if (!("message" in one)) placed.push({ ...one, number });
  }
  return { placed, problems };
}

function gtinOfCode(payload: string | undefined): string | undefined {
  if (payload === undefined) return undefined;
  const link = parseDigitalLinkUri(payload);
  if (isUriFault(link)) return undefined;
  return link.path.find(([ai]) => ai === "01")?.[1];
}

/** One item has one GTIN in all its symbols. */
function findOtherGtin(placed: readonly Placed[], payload: string | undefined): Problem[] {
  const named = placed.flatMap(({ data, item }) =>
    data.gtin === undefined ? [] : [{ gtin: data.gtin, says: symbolKinds[item.symbol].title }],
  );
  const code = gtinOfCode(payload);
  const all = [...(code === undefined ? [] : [{ gtin: code, says: "the code" }]), ...named];
  const other = all.find(({ gtin }) => gtin !== all[0]?.gtin);
  if (other === undefined) return [];
  const message = `symbols of a label must name one GTIN, got ${all[0]?.gtin} in ${all[0]?.says} and ${other.gtin} in ${other.says}`;
  return [{ message, hint: "a case that holds items of another GTIN says so with AIs 02 and 37" }];
}

/** Why a record's symbols can't be printed; empty = they can. The writer must be loaded. */
export function checkSymbols(
  job: SheetJob,
  facts: Pick<SymbolPen, "columns"> & {
    readonly texts: readonly string[];
    readonly payload: string | undefined;
  },
  font: CaptionFont,
): LabelProblem[] {
  const { columns, texts } = facts;
  const found = job.faces.map((face) =>
    placeSymbols({ job, face, cell: cellBox(face.sheet, 0, 0), font, columns }, texts),
  );
  const problems = found.flatMap((one) => one.problems);
  if (problems.length > 0) return problems;
  const placed = found.flatMap((one) => one.placed);
  return placed.length === 0 ? [] : findOtherGtin(placed, facts.payload);
}

/** The place of a symbol as the sheet map has it. */
export interface SymbolCell {
  /** Number of its item on the label, from 1. */
  readonly item: number;
  readonly symbol: SymbolName;
  /** The text of the row. */
  readonly text: string;
  /** SHA-256 of the text that readers return. */
  readonly payloadHash: string;
  /** Of QR codes only. */
  readonly version: 0;
  readonly xMm: number;
  readonly code: BoxMm;
}

export function toSymbolCell(placed: Placed, text: string): SymbolCell {
  const { number, item, data, xMm } = placed;
  return {
    item: number,
    symbol: item.symbol,
    text,
    payloadHash: sha256(data.says),
    version: 0,
    xMm: Math.round(xMm * 1e6) / 1e6,
    code: tidyBox(inkBox(placed)),
  };
}

/** Words of symbols as texts: they overprint, as all small black texts do. */
export const overprintTexts = (texts: string): string =>
  texts === "" ? "" : `q /${OVERPRINT_STATE} gs BT\n${texts}ET Q\n`;
