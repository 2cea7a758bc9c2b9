/**
 * How large symbols must be, by where they are scanned (docs/spec/symbols.md section 3, with the
 * sources). Lengths in mm.
 */
import type { SymbolName, SymbolUse } from "../base/shapes/label-art.ts";

/** The sizes that an application requires of a symbol. */
export interface SymbolSize {
  readonly leastXMm: number;
  readonly mostXMm: number;
  /** Height of the bars, without the extra length of guard bars. */
  readonly leastHeightMm?: number;
  /** The same as a multiple of X. */
  readonly leastHeightX?: number;
  /** Only makeready requires this height. */
  readonly isHeightOurs?: true;
}

const retail = { leastXMm: 0.264, mostXMm: 0.66 } as const;
const cases = { leastXMm: 0.495, mostXMm: 1.016 } as const;
const casesEan = { leastXMm: 0.495, mostXMm: 0.66 } as const;

/** 22.85 mm at X 0.33, and 18.23 mm for EAN-8: shorter bars only with smaller X. */
const EAN_X = 22.85 / 0.33;
const EAN_8_X = 18.23 / 0.33;

/**
 * Our own rule for DataBar Omnidirectional where scanners read from any direction. ISO/IEC 24724 and
 * GS1 US require 33 X; below that, the symbol itself is refused.
 */
const databar = { leastHeightX: 46, isHeightOurs: true } as const;

type Sizes = Partial<Readonly<Record<SymbolName, SymbolSize>>>;

/** GS1 General Specifications, symbol specification tables 1, 2 and 6. */
const sizes: Readonly<Record<Exclude<SymbolUse, "none">, Sizes>> = {
  retail: {
    "ean-13": { ...retail, leastHeightX: EAN_X },
    "ean-8": { ...retail, leastHeightX: EAN_8_X },
    "upc-a": { ...retail, leastHeightX: EAN_X },
    "upc-e": { ...retail, leastHeightX: EAN_X },
    "databar-omni": { ...retail, ...databar },
    "databar-stacked-omni": retail,
    "databar-expanded": retail,
    "databar-expanded-stacked": retail,
    "gs1-datamatrix": { leastXMm: 0.396, mostXMm: 0.99 },
    "gs1-qr": { leastXMm: 0.396, mostXMm: 0.99 },
  },
  distribution: {
    "ean-13": { ...casesEan, leastHeightX: EAN_X },
    "upc-a": { ...casesEan, leastHeightX: EAN_X },
    "itf-14": { ...cases, leastHeightMm: 31.75 },
    "gs1-128": { ...cases, leastHeightMm: 31.75 },
    "gs1-datamatrix": { leastXMm: 0.743, mostXMm: 1.5 },
    "gs1-qr": { leastXMm: 0.743, mostXMm: 1.5 },
    "databar-stacked-omni": casesEan,
    "databar-omni": { ...casesEan, ...databar },
    "databar-limited": casesEan,
    "databar-expanded": casesEan,
    "databar-expanded-stacked": casesEan,
  },
  healthcare: {
    "gs1-128": { leastXMm: 0.17, mostXMm: 0.495, leastHeightMm: 12.7 },
    "gs1-datamatrix": { leastXMm: 0.254, mostXMm: 0.495 },
  },
};

/** Safe at 300 dpi; our own limit, for when no application sets one. */
const LEAST_X_MM = 0.25;
const FREE: SymbolSize = { leastXMm: LEAST_X_MM, mostXMm: Infinity };

/** The sizes that an application requires of a symbol; undefined when it doesn't use that symbol. */
export function sizeOf(symbol: SymbolName, use: SymbolUse): SymbolSize | undefined {
  return use === "none" ? FREE : sizes[use][symbol];
}

/** Symbols that an application uses. */
export const symbolsOf = (use: Exclude<SymbolUse, "none">): readonly string[] =>
  Object.keys(sizes[use]);

/** Where a symbol is scanned by default. */
export function defaultUse(symbol: SymbolName): SymbolUse {
  if (symbol === "itf-14" || symbol === "gs1-128") return "distribution";
  const isOfRetail = symbol.startsWith("ean-") || symbol.startsWith("upc-");
  const isDataBar = symbol.startsWith("databar-") && sizes.retail[symbol] !== undefined;
  return isOfRetail || isDataBar ? "retail" : "none";
}
