import { describe, expect, test } from "vitest";

import {
  checkCycles,
  checkDeadFiles,
  checkDefaultExports,
  checkLayers,
  checkLengths,
  checkPackages,
  checkResources,
  checkTargets,
  readLayers,
  readPackageTable,
  readTable,
  scanAll,
  type ScannedFile,
} from "./architecture.ts";

const README = `
# map
## Who may import whom
Words.

| folder | may import |
|---|---|
| base | |
| state | base |
| plan | state (types), base |

## One package, one file
| package | imported by |
|---|---|
| zod-like | base/a.ts |
| @scope/two | base/a.ts, state/b.ts |
`;

const layers = readLayers(README);
const files = (sources: Record<string, string>): ScannedFile[] =>
  scanAll(new Map(Object.entries(sources)));

describe("the tables", () => {
  test("are read from the text", () => {
    expect([...layers.keys()]).toEqual(["base", "state", "plan"]);
    expect(layers.get("base")?.mayImport.size).toBe(0);
    expect(Object.fromEntries(layers.get("plan")?.mayImport ?? [])).toEqual({
      state: "types",
      base: "all",
    });
    expect(readPackageTable(README).get("@scope/two")).toEqual(["base/a.ts", "state/b.ts"]);
  });

  test("must be there", () => {
    expect(() => readTable("# other", "One package")).toThrow("no heading");
    expect(() => readTable("# One package\nnothing", "One package")).toThrow("no table");
  });
});

describe("checkLayers", () => {
  test.each([
    ["state/a.ts", 'import { x } from "../base/x.ts";', undefined],
    ["base/a.ts", 'import { x } from "./x.ts";', undefined],
    ["base/deep/a.ts", 'import { x } from "../x.ts";', undefined],
    ["plan/a.ts", 'import type { S } from "../state/s.ts";', undefined],
    ["index.ts", 'export { s } from "./state/s.ts";', undefined],
    ["state/a.ts", 'createRequire(import.meta.url)("../../package.json");', undefined],
    ["base/a.ts", 'import { s } from "../state/s.ts";', "base may import nothing of state"],
    ["base/a.ts", 'import type { S } from "../state/s.ts";', "base may import nothing of state"],
    ["base/a.ts", 'export * from "../state/s.ts";', "base may import nothing of state"],
    ["base/a.ts", 'await import("../state/s.ts");', "base may import nothing of state"],
    ["plan/a.ts", 'import { s } from "../state/s.ts";', "plan may import types only"],
    ["plan/a.ts", 'import { type S } from "../state/s.ts";', "plan may import types only"],
    ["plan/deep/a.ts", 'import { s } from "../../state/s.ts";', "plan may import types only"],
    ["state/a.ts", 'import { x } from "../../test/x.ts";', "outside of the folders"],
    ["state/a.ts", 'import { x } from "../index.ts";', "outside of the folders"],
    ["extra/a.ts", "", "must stand in the layer table"],
    ["stray.ts", "", "must stand in a folder"],
  ])("%s with %s: %s", (file, source, expected) => {
    const problems = checkLayers(files({ [file]: source }), layers);
    expect(problems.length).toBe(expected === undefined ? 0 : 1);
    expect(problems[0] ?? "").toContain(expected ?? "");
  });
});

test("checkTargets names imports that meet nothing", () => {
  const sources = {
    "base/a.ts": 'import { b } from "./b.ts"; import { c } from "./c.ts"; import "zod";',
    "base/b.ts":
      'require("../../package.json"); new URL("../../templates/x.json", import.meta.url)',
  };
  expect(checkTargets(files(sources))).toEqual(["base/a.ts imports ./c.ts: no such file in src"]);
});

describe("checkCycles", () => {
  test("names each circle once", () => {
    const sources = {
      "x/c.ts": 'import { a } from "./a.ts";',
      "x/b.ts": 'export { c } from "./c.ts";',
      "x/a.ts": 'import { b } from "./b.ts";',
      "x/d.ts": 'import { a } from "./a.ts"; import { d } from "./d.ts";',
    };
    expect(checkCycles(files(sources))).toEqual([
      "import cycle: x/a.ts -> x/b.ts -> x/c.ts -> x/a.ts",
      "import cycle: x/d.ts -> x/d.ts",
    ]);
  });

  test("types make one, a diamond or the address of a worker makes none", () => {
    const sources = {
      "x/a.ts": 'import { b } from "./b.ts"; import { c } from "./c.ts";',
      "x/b.ts": 'import { d } from "./d.ts"; import type { A } from "./a.ts";',
      "x/c.ts": 'import { d } from "./d.ts";',
      "x/d.ts": 'new URL("./b.ts", import.meta.url);',
    };
    expect(checkCycles(files(sources))).toEqual(["import cycle: x/a.ts -> x/b.ts -> x/a.ts"]);
  });
});

describe("checkResources", () => {
  const others = "others may import a resource's rows, never its handlers";
  test.each([
    ["resources/tags/handlers.ts", "./rows.ts", undefined],
    ["resources/tags/handlers.ts", "./handlers/add.ts", undefined],
    ["resources/tags/handlers/add.ts", "../handlers.ts", undefined],
    ["resources/tags/handlers.ts", "../codes/rows.ts", undefined],
    ["resources/tags/rows/all.ts", "../../codes/rows/find.ts", undefined],
    ["public/page.ts", "../resources/tags/rows.ts", undefined],
    ["service.ts", "./resources/tags/handlers.ts", undefined],
    ["service.ts", "./resources/tags/handlers/add.ts", others],
    ["app.ts", "./resources/tags/handlers.ts", others],
    ["resources/tags/handlers.ts", "../codes/handlers.ts", others],
    ["resources/tags/handlers/add.ts", "../../codes/handlers/create.ts", others],
    ["resources/tags/rows.ts", "./handlers.ts", "rows may import rows, never handlers"],
    ["resources/tags/rows.ts", "../codes/handlers.ts", "rows may import rows, never handlers"],
  ])("%s importing %s", (file, from, why) => {
    for (const kind of ["import", "import type"]) {
      const found = checkResources(files({ [`service/${file}`]: `${kind} { x } from "${from}";` }));
      expect(found).toEqual(why === undefined ? [] : [`service/${file} imports ${from}: ${why}`]);
    }
  });

  test("names files that are neither", () => {
    const found = checkResources(
      files({ "service/resources/tags/words.ts": "", "service/resources/rows.ts": "" }),
    );
    expect(found).toEqual([
      "service/resources/tags/words.ts must be handlers or rows of a resource",
      "service/resources/rows.ts must be handlers or rows of a resource",
    ]);
  });
});

test("checkDeadFiles follows every kind of import from the entry points", () => {
  const sources = {
    "cli/main.ts": 'import "./used.ts"; import type { T } from "../base/t.ts";',
    "cli/used.ts": 'new URL("../base/by-url.ts", import.meta.url); import("../base/lazy.ts");',
    "base/t.ts": "",
    "base/by-url.ts": "",
    "base/lazy.ts": "",
    "base/zip-worker.ts": 'import "./by-worker.ts";',
    "base/by-worker.ts": "",
    "base/dead.ts": 'import "./dead-too.ts";',
    "base/dead-too.ts": 'import "./dead.ts";',
  };
  expect(checkDeadFiles(files(sources))).toEqual([
    "base/dead.ts must be imported by something or go away",
    "base/dead-too.ts must be imported by something or go away",
  ]);
});

test("checkLengths counts lines as an editor does", () => {
  const sources = { "a.ts": "x\n".repeat(400), "b.ts": "x\n".repeat(401) };
  expect(checkLengths(files(sources))).toEqual(["b.ts must have at most 400 lines, got 401"]);
});

test("checkDefaultExports", () => {
  const sources = { "a.ts": "export default 1;", "b.ts": "export const a = 1;" };
  expect(checkDefaultExports(files(sources))).toEqual(["a.ts must not have a default export"]);
});

describe("checkPackages", () => {
  const table = readPackageTable(README);
  const good = {
    "base/a.ts": 'import z from "zod-like"; import type { T } from "@scope/two/deep";',
    "state/b.ts": 'createRequire(import.meta.url)("@scope/two"); import fs from "node:fs";',
  };
  const dependencies = ["zod-like", "@scope/two", "unlisted"];

  test("finds no fault when table and code agree", () => {
    expect(checkPackages(files(good), table, dependencies)).toEqual([]);
  });

  test.each([
    ["another importer", { "plan/x.ts": 'import "zod-like";' }, "only base/a.ts may"],
    ["a type import elsewhere", { "plan/x.ts": 'import type { z } from "zod-like";' }, "may"],
    ["a lazy import elsewhere", { "plan/x.ts": 'import("zod-like/v4")' }, "only base/a.ts may"],
    ["an importer that stopped", { "base/a.ts": 'import "@scope/two";' }, "but it doesn't"],
    ["a package not installed", { "plan/x.ts": 'import "left-pad";' }, "dependencies"],
  ])("%s", (_case, change, expected) => {
    const problems = checkPackages(files({ ...good, ...change }), table, dependencies);
    expect(problems.length).toBe(1);
    expect(problems[0]).toContain(expected);
  });

  test("a package of the table that package.json lost", () => {
    expect(checkPackages(files(good), table, ["zod-like"])).toEqual([
      "@scope/two must stand in the dependencies of package.json",
    ]);
  });

  test("one that stands in no table may be imported anywhere", () => {
    const sources = {
      ...good,
      "plan/x.ts": 'import "unlisted";',
      "plan/y.ts": 'import "unlisted";',
    };
    expect(checkPackages(files(sources), table, dependencies)).toEqual([]);
  });
});
