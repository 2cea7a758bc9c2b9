import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { parseYaml } from "../../src/job/yaml/yaml.ts";
import { nodeAt } from "../../src/job/yaml/tree.ts";
import { makeManifest, problemsOf } from "./make-manifest.ts";

const messages = (text: string): string[] =>
  parseYaml(text, "f").problems.map(({ message }) => message);

describe("the tree", () => {
  it("keeps source texts and places", () => {
    const { root, problems } = parseYaml("a: 007\nb:\n  - 'it''s'\n  - {c: \"x\\ty\"}\n", "f");
    expect(problems).toEqual([]);
    const at = (...path: (string | number)[]) =>
      root === undefined ? undefined : nodeAt(root, path);
    expect(at("a")).toMatchObject({
      value: 7,
      text: "007",
      quoted: false,
      place: { line: 1, column: 4 },
      textColumn: 4,
    });
    expect(at("b", 0)).toMatchObject({ text: "it's", quoted: true, textColumn: undefined });
    expect(at("b", 1, "c")).toMatchObject({ text: "x\ty", place: { line: 4, column: 9 } });
  });

  it("follows aliases", () => {
    const { root, problems } = parseYaml("a: &x { b: 1 }\nc: *x\n", "f");
    expect(problems).toEqual([]);
    expect(root && nodeAt(root, ["c", "b"])).toMatchObject({ value: 1 });
  });
});

describe("what a hostile file may try", () => {
  it("aliases that multiply", () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) =>
        `a${n}: &a${n} [${Array.from({ length: 10 }, () => (n === 0 ? "x" : `*a${n - 1}`)).join(",")}]`,
    );
    expect(messages(levels.join("\n"))).toEqual(["manifest must have at most 20000 values"]);
  });

  it("aliases of themselves", () => {
    expect(messages("a: &a [*a]\n").join()).toMatch(/at most|alias/iu);
  });

  it.each([
    ["brackets", "[".repeat(100_000)],
    ["closed brackets", `a: ${"[".repeat(5000)}${"]".repeat(5000)}`],
    ["braces", "{a: ".repeat(5000)],
    ["dashes", `${"- ".repeat(50_000)}x`],
    ["questions", "? ".repeat(50_000)],
    ["indentation", Array.from({ length: 450 }, (_, n) => `${" ".repeat(n)}a:`).join("\n")],
  ])("nesting of %s", (_name, text) => {
    expect(messages(text)[0]).toMatch(/nest at most|well-formed/u);
  });

  it.each([
    ["tags", "a: !!js/function x"],
    ["tags of its own", "a: !secret x"],
    ["another version", "%YAML 1.1\n---\na: yes\n"],
    ["__proto__", "__proto__: { polluted: 1 }"],
    ["constructor", "a: { constructor: 1 }"],
    ["maps for keys", "? { a: 1 }\n: 2\n"],
    ["aliases of nothing", "a: *nope"],
    ["tabs", "a:\n\tb: 1\n"],
    ["open quotes", 'a: "x\n'],
  ])("%s", (_name, text) => expect(messages(text).length).toBeGreaterThan(0));

  it("pollutes nothing", async () => {
    await problemsOf(
      makeManifest({
        more: "__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }",
      }),
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("any text gives a tree or problems, and is done soon", () => {
    const pieces = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "  ",
      "- ",
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      "#",
      "&x",
      "*x",
      "|",
      ">",
      "?",
      "!",
      "%",
      "\t",
      "é",
      "1",
      ",",
      "---",
      "${V}",
      "{{ x }}",
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.array(pieces, { maxLength: 60 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { root, problems } = parseYaml(text, "f");
        expect(
          root !== undefined ||
            problems.length > 0 ||
            text.replaceAll(/#.*|---|\s/gu, "").length < text.length ||
            text === "",
        ).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  it("a manifest with any byte changed is a job or a list of problems", async () => {
    const good = makeManifest();
    const changes = fc.tuple(
      fc.nat(good.length - 1),
      fc.constantFrom(..."{}[]:#\"'&*!|>%@`, \n\tx0".split("")),
    );
    await fc.assert(
      fc.asyncProperty(changes, async ([at, character]) => {
        const text = good.slice(0, at) + character + good.slice(at + 1);
        const outcome = await problemsOf(text).catch((error: Error) => error.message);
        expect(outcome === "loading should have failed" || outcome.length > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
