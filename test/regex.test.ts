/**
 * No regular expression of the program takes more than linear time: otherwise, a sender of text
 * could make all others wait.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { findGrowth, findRegexes, judge, type FoundRegex } from "./arch/regexes.ts";

const src = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/u.test(name))
  .toSorted();
const found = files.map((file) => findRegexes(file, readFileSync(`${src}/${file}`, "utf8")));

/**
 * What the judge found linear, so that a daily run has it judge what is new, and every two-hundredth again.
 * REGEXES=all (`npm run test:regexes -- --update`) judges all and writes the list.
 */
const PROVEN = fileURLToPath(new URL("golden/linear-regexes.txt", import.meta.url));
const isAll = process.env["REGEXES"] === "all";

/** Built of texts of the program, never of foreign ones; each with the reason. */
const builtOfOurs: readonly string[] = [
  // isbot's own rules, over six names that stand above them.
  'service/scans/device.ts: new RegExp(rule, "i")',
];

const toFolder = (file: string): string => file.split("/", 1).join();
const regex = (pattern: string, flags = "u"): Pick<FoundRegex, "pattern" | "flags"> => ({
  pattern,
  flags,
});

const toLine = ({ pattern, flags }: FoundRegex): string =>
  `/${pattern}/${flags.replaceAll(/[gd]/gu, "")}`;

describe("the regular expressions of src", () => {
  it("are found", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(found.flatMap(({ literals }) => literals).length).toBeGreaterThan(400);
  });

  // Each once, in the folder that has it first: a test a folder, since proofs take their time.
  const judged = new Map(
    found
      .flatMap(({ literals }) => literals)
      .toReversed()
      .map((each) => [toLine(each), each]),
  );
  // Those that this judge found linear before: its verdict is always the same.
  const [head, ...lines] = readFileSync(PROVEN, "utf8").split("\n");
  const proven = new Set(head === judge ? lines.filter((_, at) => isAll || at % 200 !== 0) : []);
  const open = [...judged].filter(([line]) => isAll || !proven.has(line)).map(([, each]) => each);

  it.each([...new Set(open.map(({ file }) => toFolder(file)))])("of %s are linear", (folder) => {
    const faults = open
      .filter(({ file }) => toFolder(file) === folder)
      .flatMap((each) => {
        const growth = findGrowth(each);
        return growth === undefined
          ? []
          : [`${each.file}:${each.line}: ${growth}: ${each.pattern}`];
      });
    expect(faults).toEqual([]);
  });

  it.runIf(isAll)("are all in the list of those that are proven", async () => {
    const text = [judge, ...[...judged.keys()].toSorted()].join("\n");
    await expect(`${text}\n`).toMatchFileSnapshot(PROVEN);
  });

  it("are written out: none is built of a text", () => {
    const built = found.flatMap((each) => each.built).map((text) => text.replace(/:\d+:/u, ":"));
    expect(built).toEqual(builtOfOurs);
  });
});

describe("the check", () => {
  const source = [
    "const one = /^a+$/u;",
    'const two = new RegExp(`x${y}`, "u");',
    'const three = RegExp("a") ?? text.search("a");',
    "const none = a / b / c;",
    'const four = <T,>(text: T) => String(text).replace(/"[^"]*"/gv, "/no/");',
  ].join("\n");

  it("finds literals and built ones where they stand", () => {
    const { literals, built } = findRegexes("a.ts", source);
    expect(literals).toEqual([
      { file: "a.ts", line: 1, pattern: "^a+$", flags: "u" },
      { file: "a.ts", line: 5, pattern: '"[^"]*"', flags: "gv" },
    ]);
    expect(built).toEqual([
      'a.ts:2: new RegExp(`x${y}`, "u")',
      'a.ts:3: RegExp("a")',
      'a.ts:3: text.search("a")',
    ]);
  });

  it.each([
    // The number of a form, as it once was read.
    [String.raw`^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$`, "iu"],
    [String.raw`\s+$`, "u"],
    [String.raw`\/+$`, "gu"],
    [String.raw`\[[^\]]*\]`, "gu"],
    [String.raw`"(?:[^"\\]|\\.)*"`, "gu"],
    [String.raw`^(.*?)\s+(\d{1,3})\s*%$`, "su"],
    [String.raw`^[\s.]+(?=$)|[\s.]+$`, "gu"],
    [String.raw`(?<name>a*)a*b`, "u"],
    [String.raw`^[\p{L}\d]+\d+$`, "v"],
    [String.raw`(?<=x)(a+)+$`, "u"],
    [String.raw`<!--[\s\S]*?-->|<\?[\s\S]*?\?>`, "u"],
    [String.raw`^(?:\+?[0-9 ]*[0-9][0-9 ]*[0-9])$`, "u"],
  ])("finds that /%s/%s is not linear", (pattern, flags) => {
    expect(findGrowth(regex(pattern, flags))).toMatch(/polynomial|exponential/u);
  });

  it("says so when it can't judge", () => {
    expect(findGrowth(regex(String.raw`[\w--\d]+`, "v"))).toMatch(/^can't be judged/u);
  });

  it.each([
    [String.raw`^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$`, "iu"],
    [String.raw`(?<!\s)\s+$`, "u"],
    [String.raw`^\d{4}-\d{2}$`, "u"],
  ])("lets /%s/%s pass", (pattern, flags) => {
    expect(findGrowth(regex(pattern, flags))).toBeUndefined();
  });
});
