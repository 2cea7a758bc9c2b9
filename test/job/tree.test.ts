import { describe, expect, it } from "vitest";

import { keyPlaceAt, mapScalars, nodeAt, placeAt, toFieldName } from "../../src/job/yaml/tree.ts";
import { parseYaml } from "../../src/job/yaml/yaml.ts";

const { root } = parseYaml("a:\n  b: [1, { c: x }]\n  d: y\n", "f");
if (root === undefined) throw new Error("no tree");

describe("places", () => {
  it("of values, and of the nearest thing above what isn't there", () => {
    expect(placeAt(root, ["a", "b", 1, "c"])).toEqual({ line: 2, column: 15 });
    expect(placeAt(root, ["a", "b", 7])).toEqual({ line: 2, column: 6 });
    expect(placeAt(root, ["nope", "x"])).toEqual({ line: 1, column: 1 });
  });

  it("of keys", () => {
    expect(keyPlaceAt(root, ["a"], "d")).toEqual({ line: 3, column: 3 });
    expect(keyPlaceAt(root, ["a"], "nope")).toEqual({ line: 2, column: 3 });
  });
});

describe("paths", () => {
  it("read like the manifest", () => {
    expect(toFieldName(["a", "b", 1, "c"])).toBe("a.b[1].c");
    expect(toFieldName([])).toBe("");
    expect(nodeAt(root, ["a", "b", "1"])).toBeUndefined();
    expect(nodeAt(root, ["a", "d", "x"])).toBeUndefined();
  });
});

describe("mapScalars", () => {
  it("visits all with their paths, and removes what becomes undefined", () => {
    const seen: string[] = [];
    const changed = mapScalars(root, (scalar, path) => {
      seen.push(toFieldName(path));
      return scalar.text === "x" ? undefined : { ...scalar, text: `${scalar.text}!` };
    });
    expect(seen).toEqual(["a.b[0]", "a.b[1].c", "a.d"]);
    expect(changed && nodeAt(changed, ["a", "b", 1, "c"])).toBeUndefined();
    expect(changed && nodeAt(changed, ["a", "d"])).toMatchObject({ text: "y!" });
    expect(nodeAt(root, ["a", "d"])).toMatchObject({ text: "y" });
  });
});
