/** GS1's own element strings through GS1 DataMatrix and GS1-128, and back (docs/spec/gs1.md section 8). */

import { beforeAll, describe, expect, test } from "vitest";

import { checkElements, FNC1, parseElementString } from "../../src/gs1/elements.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { readSymbols } from "../../src/symbol/read-symbol.ts";
import { loadSymbolWriter, writeSymbol } from "../../src/symbol/write-symbol.ts";
import { readVectors } from "../gs1/vectors.ts";
import { toImage } from "./to-image.ts";

interface Row {
  readonly elementString: string | null;
}

const strings = [
  ...new Set(
    [
      ...readVectors<Row>("gs1-ai-element-vectors"),
      ...readVectors<Row>("gs1-dl-uri-parse-vectors"),
    ].flatMap(({ elementString }) => elementString ?? []),
  ),
].filter((text) => {
  const elements = parseElementString(text);
  const isKnown = elements !== undefined && checkElements(elements) === undefined;
  // Refused in the plan: the encoder ends AI 235 with no separator.
  return isKnown && !elements.slice(0, -1).some(([ai]) => ai === "235");
});

beforeAll(async () => {
  await loadSymbolWriter();
  await loadDecoder();
});

describe("element strings of GS1's vectors", () => {
  test("are there", () => expect(strings).toHaveLength(44));

  test.each(strings)("%s", async (text) => {
    const input = (parseElementString(text) ?? []).map(([ai, value]) => `[${ai}]${value}`).join("");
    const says = text.slice(1).replaceAll(FNC1, "\u001D");
    // GS1-128 holds 48 characters.
    const names = says.length > 48 ? ["gs1-datamatrix"] : ["gs1-datamatrix", "gs1-128"];
    for (const name of names as ("gs1-datamatrix" | "gs1-128")[]) {
      const modules = writeSymbol(name, { input });
      if (typeof modules === "string") throw new Error(`${name}: ${modules}`);
      const found = await readSymbols(name, toImage(modules, name === "gs1-128"));
      expect(found.map((one) => [one.isKind, one.text])).toEqual([[true, says]]);
    }
  });
});
