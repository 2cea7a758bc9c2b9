/** What each symbol is, as a table (docs/spec/symbols.md section 2). */
import type { SymbolName, SymbolText } from "../base/shapes/label-art.ts";

/** How a symbol is drawn: bars of any height, rows of bars, or modules. */
export type SymbolLook = "bars" | "rows" | "modules";

/** What a symbol says. */
export type SymbolContent = "gtin" | "elements" | "text";

/** Clear space, in X. */
export interface QuietX {
  readonly left: number;
  readonly right: number;
  /** Above and below. */
  readonly ends: number;
}

export interface SymbolKind {
  /** For people, such as `EAN-13`. */
  readonly title: string;
  /** Name of the encoder's format. */
  readonly format: string;
  /** Further words for the encoder. */
  readonly options: string;
  /** The reader's name for it, and the symbology identifier (ISO/IEC 15424) that it must answer. */
  readonly readAs: string;
  /**
   * The name to ask the reader for, if that covers other symbols with the same bars: Code 32 is Code
   * 39.
   */
  readonly readWith?: string;
  readonly identifier: string;
  readonly look: SymbolLook;
  readonly content: SymbolContent;
  readonly quiet: QuietX;
  readonly hri: SymbolText;
  /** Least height of its bars in X, for any use; undefined = as it is encoded. */
  readonly leastHeightX?: number;
}

const quiet = (left: number, right = left, ends = 0): QuietX => ({ left, right, ends });

const barcode = { look: "bars", options: "", hri: "below" } as const;
const matrix = { look: "modules", hri: "below" } as const;
const dataBar = { ...barcode, content: "gtin", identifier: "]e0", quiet: quiet(0) } as const;

export const symbolKinds: Readonly<Record<SymbolName, SymbolKind>> = {
  "ean-13": {
    ...barcode,
    title: "EAN-13",
    format: "EAN13",
    readAs: "EAN13",
    identifier: "]E0",
    content: "gtin",
    quiet: quiet(11, 7),
  },
  "ean-8": {
    ...barcode,
    title: "EAN-8",
    format: "EAN8",
    readAs: "EAN8",
    identifier: "]E4",
    content: "gtin",
    quiet: quiet(7),
  },
  "upc-a": {
    ...barcode,
    title: "UPC-A",
    format: "UPCA",
    readAs: "UPCA",
    identifier: "]E0",
    content: "gtin",
    quiet: quiet(9),
  },
  "upc-e": {
    ...barcode,
    title: "UPC-E",
    format: "UPCE",
    readAs: "UPCE",
    identifier: "]E0",
    content: "gtin",
    quiet: quiet(9, 7),
  },
  "itf-14": {
    ...barcode,
    title: "ITF-14",
    format: "ITF",
    readAs: "ITF",
    identifier: "]I1",
    content: "gtin",
    quiet: quiet(10),
  },
  "code-128": {
    ...barcode,
    title: "Code 128",
    format: "Code128",
    readAs: "Code128",
    identifier: "]C0",
    content: "text",
    quiet: quiet(10),
  },
  "gs1-128": {
    ...barcode,
    title: "GS1-128",
    format: "Code128",
    options: "gs1",
    readAs: "Code128",
    identifier: "]C1",
    content: "elements",
    quiet: quiet(10),
  },
  "code-39": {
    ...barcode,
    title: "Code 39",
    format: "Code39",
    readAs: "Code39",
    readWith: "Code39Std",
    identifier: "]A0",
    content: "text",
    quiet: quiet(10),
  },
  datamatrix: {
    ...matrix,
    title: "Data Matrix",
    format: "DataMatrix",
    options: "forceSquare",
    readAs: "DataMatrix",
    identifier: "]d1",
    content: "text",
    quiet: quiet(1, 1, 1),
    hri: "none",
  },
  "gs1-datamatrix": {
    ...matrix,
    title: "GS1 DataMatrix",
    format: "DataMatrix",
    options: "gs1,forceSquare",
    readAs: "DataMatrix",
    identifier: "]d2",
    content: "elements",
    quiet: quiet(1, 1, 1),
  },
  "gs1-qr": {
    ...matrix,
    title: "GS1 QR Code",
    format: "QRCode",
    options: "gs1,ecLevel=M",
    readAs: "QRCode",
    identifier: "]Q3",
    content: "elements",
    quiet: quiet(4, 4, 4),
  },
  "databar-omni": {
    ...dataBar,
    title: "GS1 DataBar Omnidirectional",
    format: "DataBarOmni",
    readAs: "DataBarOmni",
    leastHeightX: 33,
  },
  "databar-truncated": {
    ...dataBar,
    title: "GS1 DataBar Truncated",
    format: "DataBarOmni",
    readAs: "DataBarOmni",
    leastHeightX: 13,
  },
  "databar-stacked": {
    ...dataBar,
    title: "GS1 DataBar Stacked",
    format: "DataBarStk",
    readAs: "DataBarStk",
    look: "rows",
  },
  "databar-stacked-omni": {
    ...dataBar,
    title: "GS1 DataBar Stacked Omnidirectional",
    format: "DataBarStkOmni",
    readAs: "DataBarStk",
    look: "rows",
  },
  "databar-limited": {
    ...dataBar,
    title: "GS1 DataBar Limited",
    format: "DataBarLtd",
    readAs: "DataBarLtd",
    leastHeightX: 10,
  },
  "databar-expanded": {
    ...dataBar,
    title: "GS1 DataBar Expanded",
    format: "DataBarExp",
    options: "gs1",
    readAs: "DataBarExp",
    content: "elements",
    leastHeightX: 34,
  },
  "databar-expanded-stacked": {
    ...dataBar,
    title: "GS1 DataBar Expanded Stacked",
    format: "DataBarExpStk",
    options: "gs1",
    readAs: "DataBarExpStk",
    content: "elements",
    look: "rows",
  },
  aztec: {
    ...matrix,
    title: "Aztec",
    format: "AztecCode",
    options: "",
    readAs: "Aztec",
    identifier: "]z0",
    content: "text",
    // The standard requires none; one module keeps neighbours away.
    quiet: quiet(1, 1, 1),
    hri: "none",
  },
  pdf417: {
    title: "PDF417",
    format: "PDF417",
    options: "",
    readAs: "PDF417",
    identifier: "]L2",
    look: "rows",
    content: "text",
    quiet: quiet(2, 2, 2),
    hri: "none",
  },
};

/** True for symbols that hold AIs with values. */
export const isGs1Elements = (name: SymbolName): boolean =>
  symbolKinds[name].content === "elements";

/** GS1's retail symbols, with each character printed below its bars. */
export const isEanUpc = (name: SymbolName): boolean =>
  name === "ean-13" || name === "ean-8" || name === "upc-a" || name === "upc-e";
