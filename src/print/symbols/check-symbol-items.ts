/** Faults of a label's symbols before any row is known (docs/spec/symbols.md sections 3 and 6). */
import { mm } from "./place-symbol.ts";
import { pxToMm } from "../../base/shapes/units.ts";
import { type ArtBox, type SymbolItem, symbolUses } from "../../base/shapes/label-art.ts";
import { sizeOf, type SymbolSize, symbolsOf } from "../../symbol/sizes.ts";
import { isEanUpc, symbolKinds } from "../../symbol/symbols.ts";
import { groundOf } from "../art/ground.ts";
import type { Face } from "../fonts/face.ts";
import { inkTotal } from "../pdf/ink.ts";
import { gridCeil, gridFloor } from "../layout/device-grid.ts";
import type { SheetJob } from "../sheet-job.ts";
import { type ItemSymbol, symbolsOn } from "./face-symbols.ts";

interface ItemFindings {
  readonly faults: readonly { index: number; rule: string; hint?: string }[];
  readonly warnings: readonly { index: number; says: string }[];
}

/** For each symbol of a face whether anything is printed beneath it. */
export function haveInkBeneathSymbols(face: Face): readonly boolean[] {
  return symbolsOn(face).map(({ item }) => {
    const ground = item.panel ?? groundOf(face.art?.items ?? [], item.at)?.ink;
    return ground === undefined ? face.background !== undefined : inkTotal(ground) > 0;
  });
}

function sizeFaults({ symbol, use, xMm }: SymbolItem): { rule: string; hint?: string }[] {
  const size = sizeOf(symbol, use);
  if (size === undefined) {
    const known = use === "none" ? [] : symbolsOf(use);
    const uses = symbolUses.filter((one) => sizeOf(symbol, one) !== undefined);
    return [
      {
        rule: `must be a symbol for ${use} (${known.join(", ")}), got ${symbol}`,
        hint: `application may be ${uses.join(", ")}`,
      },
    ];
  }
  if (xMm === null) return [];
  const { leastXMm, mostXMm } = size;
  if (xMm >= leastXMm - 1e-9 && xMm <= mostXMm + 1e-9) return [];
  const range =
    mostXMm === Infinity
      ? `at least ${mm(leastXMm)}`
      : `from ${mm(leastXMm)} to ${mm(mostXMm)} for ${use}`;
  const hint = use === "none" ? {} : { hint: "application: none takes any X from 0.25 mm" };
  return [{ rule: `must have an x_mm ${range}, got ${mm(xMm)}`, ...hint }];
}

/** Modules of symbols whose width no text changes, with their quiet zones. */
const widths: Partial<Readonly<Record<SymbolItem["symbol"], number>>> = {
  "ean-13": 113,
  "ean-8": 81,
  "upc-a": 113,
  "upc-e": 67,
  "itf-14": 155,
  "databar-omni": 96,
};

/** X that a symbol will have at most, and about. */
function likelyX(
  { symbol, xMm, at }: SymbolItem,
  size: SymbolSize,
  rule: SheetJob["rule"],
): number {
  const { dpi, leastOnGridMm } = rule;
  if (xMm !== null) return leastOnGridMm === undefined ? gridCeil(xMm, dpi) : xMm;
  const width = widths[symbol];
  if (width === undefined) return size.leastXMm;
  const spare = dpi === undefined ? 0 : pxToMm(1, dpi);
  const most = Math.min(size.mostXMm, (at.width - spare) / width);
  const onGrid = gridFloor(most, dpi);
  const isFree = leastOnGridMm !== undefined && onGrid < size.leastXMm - 1e-9;
  return isFree ? Math.min(size.mostXMm, at.width / width) : onGrid;
}

/** The height of bars that GS1 asks for, and about the one that they will have. */
function heightWarning(item: SymbolItem, rule: SheetJob["rule"]): string | undefined {
  const size = sizeOf(item.symbol, item.use);
  if (size === undefined) return undefined;
  const xMm = likelyX(item, size, rule);
  const least = size.leastHeightMm ?? (size.leastHeightX ?? 0) * xMm;
  const textMm = item.hri === "none" ? 0 : isEanUpc(item.symbol) ? 9.5 * xMm : item.sizePt * 0.4;
  const got = item.heightMm ?? item.at.height - textMm;
  if (least === 0 || got >= least * 0.995) return undefined;
  const who = size.isHeightOurs === true ? "makeready" : "GS1";
  return `has bars of about ${got.toFixed(1)} mm; ${who} asks for ${least.toFixed(1)} mm at X ${mm(xMm)} in ${item.use}, lower ones take several tries where a scanner does not see them straight`;
}

const middle = ({ x, y, width, height }: ArtBox): readonly [number, number] => [
  x + width / 2,
  y + height / 2,
];

/** A till must find both symbols of a pack in one sweep. */
const PAIR_MM = 50;

/** Symbols of a pack that tills read lie close to each other. */
function pairWarnings({ art }: Face, symbols: readonly ItemSymbol[]) {
  const flat = symbols.filter(({ item }) => isEanUpc(item.symbol) && item.use === "retail");
  const [linear] = flat;
  if (linear === undefined) return [];
  const [x, y] = middle(linear.item.at);
  return (art?.items ?? []).flatMap((item, index) => {
    const isSquare = item.kind === "code" || item.kind === "symbol";
    if (!isSquare || (item.kind === "symbol" && symbolKinds[item.symbol].look !== "modules"))
      return [];
    const [ownX, ownY] = middle(item.at);
    const apart = Math.hypot(ownX - x, ownY - y);
    if (apart <= PAIR_MM) return [];
    const title = symbolKinds[linear.item.symbol].title;
    return [
      {
        index,
        says: `lies ${apart.toFixed(0)} mm from the ${title}, middle to middle; tills look for both within ${PAIR_MM} mm`,
      },
    ];
  });
}

/** Fields that only some symbols have. */
function fieldFaults({ symbol, columns, heightMm }: SymbolItem): { rule: string; hint?: string }[] {
  const found: { rule: string; hint?: string }[] = [];
  if (columns !== null && symbol !== "pdf417" && symbol !== "databar-expanded-stacked")
    found.push({
      rule: `must have columns only as pdf417 or databar-expanded-stacked, got ${symbol}`,
    });
  if (heightMm !== null && symbolKinds[symbol].look !== "bars")
    found.push({ rule: `must have no height_mm: the height of ${symbol} follows from X` });
  return found;
}

/** Sizes, fields and neighbours of the symbols of a face. */
export function checkSymbolItems(job: SheetJob, face: Face): ItemFindings {
  const symbols = symbolsOn(face);
  const faults = symbols.flatMap(({ item, number }) =>
    [...sizeFaults(item), ...fieldFaults(item)].map((fault) => ({ index: number - 1, ...fault })),
  );
  const low = symbols.flatMap(({ item, number }) => {
    const says = heightWarning(item, job.rule);
    return says === undefined ? [] : [{ index: number - 1, says }];
  });
  return { faults, warnings: [...low, ...pairWarnings(face, symbols)] };
}
