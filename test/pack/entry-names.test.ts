import * as fc from "../help/property.ts";
import { expect, test } from "vitest";

import { toFilePath, toNameKey } from "../../src/base/files/file-name.ts";
import { checkEntryName, EntryNames } from "../../src/pack/entry-names.ts";

test("every name that the file-name rules make is taken", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(checkEntryName(toFilePath(text, ".svg"))).toBeUndefined();
    }),
  );
});

test("knows every name again, over many growths, in any case", () => {
  const names = new EntryNames();
  for (let i = 0; i < 10_000; i += 1) names.add(`a/${i}.svg`);
  expect(names.size).toBe(10_000);
  for (const i of [0, 511, 512, 513, 9_999]) {
    expect(() => names.add(`A/${i}.SVG`)).toThrow("unique");
  }
});

/** True when `names` took it, false when it was there already. */
function isTaken(names: EntryNames, name: string): boolean {
  try {
    names.add(name);
    return true;
  } catch {
    return false;
  }
}

test("takes a name exactly when its key is new", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1 })), (texts) => {
      const names = new EntryNames();
      const keys = new Set<string>();
      for (const name of texts.map((text) => toFilePath(text))) {
        expect(isTaken(names, name)).toBe(!keys.has(toNameKey(name)));
        keys.add(toNameKey(name));
      }
      expect(names.size).toBe(keys.size);
    }),
  );
});
