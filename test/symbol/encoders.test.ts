/** Every symbol against a second encoder and a reader: `SYMBOL_TEXTS=10000` for the long run. */

import { beforeAll, describe, expect, test } from "vitest";

import { type SymbolName, symbolNames } from "../../src/base/shapes/label-art.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { readSymbols } from "../../src/symbol/read-symbol.ts";
import { isFault, readSymbolText, type SymbolData } from "../../src/symbol/symbol-text.ts";
import { symbolKinds } from "../../src/symbol/symbols.ts";
import {
  loadSymbolWriter,
  runsOf,
  type SymbolModules,
  writeSymbol,
} from "../../src/symbol/write-symbol.ts";
import { makeRandom, makeText } from "./make-texts.ts";
import { drawWithBwipp, toModules } from "./second-encoder.ts";
import { toImage } from "./to-image.ts";

const TEXTS = Number(process.env["SYMBOL_TEXTS"] ?? 12);
const SEED = Number(process.env["SYMBOL_SEED"] ?? 1);

/** Where both encoders have no choice, their bars are the same. */
const fixed: ReadonlySet<SymbolName> = new Set([
  "ean-13",
  "ean-8",
  "upc-a",
  "upc-e",
  "itf-14",
  "code-39",
  "databar-omni",
  "databar-truncated",
  "databar-limited",
]);

/** Wide bars of ITF and Code 39 may be two or three modules. */
const widthsOf = (modules: SymbolModules, isTwoWidths: boolean): string => {
  const runs = runsOf(modules, 0);
  const widths = runs.flatMap(([from, to], i) => [to - from, (runs[i + 1]?.[0] ?? to) - to]);
  return widths
    .slice(0, -1)
    .map((width) => (isTwoWidths && width > 1 ? "w" : String(width)))
    .join(" ");
};

function dataOf(name: SymbolName, text: string): SymbolData {
  const read = readSymbolText(name, text);
  if (isFault(read)) throw new Error(`${name} of ${JSON.stringify(text)} ${read.rule}`);
  return read;
}

/** What the second encoder is given; undefined for brackets in values, which it doesn't take. */
function toBwipp(name: SymbolName, text: string, { input, hri }: SymbolData): string | undefined {
  const { content } = symbolKinds[name];
  // Without a named character set readers guess; that is no fault of an encoder.
  if (content === "text") return /^[ -~]*$/u.test(input) ? input : undefined;
  // It writes each % twice, which holds in alphanumeric mode only: both readers then answer two.
  if (name === "gs1-qr" && input.includes("%")) return undefined;
  if (content === "gtin") return name.startsWith("databar-") ? `(01)${input}` : input;
  return text.includes("\\(") ? undefined : hri.join("");
}

async function says(name: SymbolName, modules: SymbolModules): Promise<string> {
  const found = await readSymbols(name, toImage(modules, symbolKinds[name].look === "bars"));
  return found.map(({ isKind, title, text }) => (isKind ? text : `${title} ${text}`)).join(" | ");
}

beforeAll(async () => {
  await loadSymbolWriter();
  await loadDecoder();
});

describe(`symbols of ${TEXTS} texts`, () => {
  test.each(symbolNames)("%s is read back, and a second encoder means the same", async (name) => {
    const random = makeRandom(SEED + symbolNames.indexOf(name));
    const wrong: string[] = [];
    let drawn = 0;
    for (let i = 0; i < TEXTS; i += 1) {
      const text = makeText(name, random);
      const data = dataOf(name, text);
      const modules = writeSymbol(name, data);
      if (typeof modules === "string") {
        wrong.push(`${JSON.stringify(text)}: ${modules}`);
        continue;
      }
      const got = await says(name, modules);
      if (got !== data.says) wrong.push(`${JSON.stringify(text)} reads ${JSON.stringify(got)}`);
      drawn += 1;
      const theirs = toBwipp(name, text, data);
      if (theirs === undefined) continue;
      const other = toModules(drawWithBwipp(name, theirs));
      const isTwoWidths = name === "itf-14" || name === "code-39";
      const isSame = fixed.has(name)
        ? widthsOf(modules, isTwoWidths) === widthsOf(other, isTwoWidths)
        : (await says(name, other)) === data.says;
      if (!isSame) wrong.push(`${JSON.stringify(text)}: the second encoder has another symbol`);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(drawn).toBe(TEXTS);
  });
});
