/** What BWIPP, an encoder that has nothing to do with Zint, draws for the same data. */
import bwipp from "bwip-js/node";

import type { SymbolName } from "../../src/base/shapes/label-art.ts";
import type { SymbolModules } from "../../src/symbol/write-symbol.ts";

interface Bars {
  readonly sbs: readonly number[];
}

interface Pixels {
  readonly pixs: readonly number[];
  readonly pixx: number;
  readonly pixy: number;
}

const names: Readonly<Record<SymbolName, string>> = {
  "ean-13": "ean13",
  "ean-8": "ean8",
  "upc-a": "upca",
  "upc-e": "upce",
  "itf-14": "itf14",
  "code-128": "code128",
  "gs1-128": "gs1-128",
  "code-39": "code39",
  datamatrix: "datamatrix",
  "gs1-datamatrix": "gs1datamatrix",
  "gs1-qr": "gs1qrcode",
  "databar-omni": "databaromni",
  "databar-truncated": "databartruncated",
  "databar-stacked": "databarstacked",
  "databar-stacked-omni": "databarstackedomni",
  "databar-limited": "databarlimited",
  "databar-expanded": "databarexpanded",
  "databar-expanded-stacked": "databarexpandedstacked",
  aztec: "azteccode",
  pdf417: "pdf417",
};

const own: Partial<Readonly<Record<SymbolName, object>>> = {
  datamatrix: { format: "square" },
  "gs1-datamatrix": { format: "square" },
};

/** Bars of it from left to right, widths in modules; of symbols in rows and modules, pixels. */
export function drawWithBwipp(name: SymbolName, text: string): Bars | Pixels {
  const options = { bcid: names[name], text, dontlint: true, ...own[name] };
  const [drawn] = bwipp.raw(options as never) as unknown as (Bars | Pixels)[];
  if (drawn === undefined) throw new Error(`${name} must have a drawing`);
  return drawn;
}

/** The same as modules. */
export function toModules(drawn: Bars | Pixels): SymbolModules {
  if ("pixs" in drawn) {
    const { pixs, pixx: width, pixy: height } = drawn;
    return { width, height, isDark: (x, y) => pixs[y * width + x] === 1 };
  }
  const bits = drawn.sbs.flatMap((width, i) => Array<boolean>(width).fill(i % 2 === 0));
  return { width: bits.length, height: 20, isDark: (x) => bits[x] === true };
}
