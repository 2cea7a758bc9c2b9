import { describe, expect, test } from "vitest";

import { scanSource, type Import } from "./scan-source.ts";

const list = (source: string): string[] =>
  scanSource(source).imports.map(({ from, kind }: Import) => `${kind} ${from}`);

describe("imports", () => {
  test.each([
    ['import { a } from "./a.ts";', ["value ./a.ts"]],
    ['import a, { b as c } from "pkg";', ["value pkg"]],
    ['import * as a from "@scope/pkg/sub";', ["value @scope/pkg/sub"]],
    ['import "./side.ts";', ["value ./side.ts"]],
    ["import {\n  a,\n  type B,\n} from './a.ts'", ["value ./a.ts"]],
    ['import { type A, type B } from "./a.ts";', ["value ./a.ts"]],
    ['import type { A } from "./a.ts";', ["type ./a.ts"]],
    ['import type A from "./a.ts";', ["type ./a.ts"]],
    ['import type * as A from "./a.ts";', ["type ./a.ts"]],
    ['import type from "./a.ts";', ["value ./a.ts"]],
    ['import type, { b } from "./a.ts";', ["value ./a.ts"]],
    ['import type from from "./a.ts";', ["type ./a.ts"]],
    ['const a = await import("./a.ts");', ["lazy ./a.ts"]],
    ["const a = await import(`./a.ts`);", ["lazy ./a.ts"]],
    ['type A = typeof import("./a.ts");', ["type ./a.ts"]],
    ['import data from "./x.json" with { type: "json" };', ["value ./x.json"]],
    ["const u = import.meta.url;", []],
    ['new Worker(new URL("./a-worker.ts", import.meta.url));', ["url ./a-worker.ts"]],
    ['new URL("/path", base);', []],
    ['createRequire(import.meta.url)("pkg");', ["lazy pkg"]],
    ['createRequire(import.meta.url).resolve("pkg");', []],
    ['require.resolve("pkg/file.wasm");', ["lazy pkg/file.wasm"]],
    ['export { a } from "./a.ts";', ["value ./a.ts"]],
    ['export * from "./a.ts";', ["value ./a.ts"]],
    ['export * as a from "./a.ts";', ["value ./a.ts"]],
    ['export type { A } from "./a.ts";', ["type ./a.ts"]],
    ['export type * from "./a.ts";', ["type ./a.ts"]],
    ["export { a, b };", []],
    ['export const from = "./a.ts";', []],
  ])("%s", (source, expected) => {
    expect(list(source)).toEqual(expected);
  });

  test("several in one file, in order", () => {
    expect(list('import a from "a";import type b from "b"\nexport{c}from"c";')).toEqual([
      "value a",
      "type b",
      "value c",
    ]);
  });
});

describe("what only looks like an import", () => {
  test.each([
    ['// import { a } from "./a.ts";'],
    ['/*\nimport { a } from "./a.ts";\n*/'],
    ["const s = 'import { a } from \"./a.ts\";';"],
    ['const s = `\nimport { a } from "./a.ts";\n`;'],
    ['const s = `${x}\nimport { a } from "./a.ts";`;'],
    ['const r = /import "a"/u;'],
    ['this.import("./a.ts");'],
    ['const o = { import: 1, from: "./a.ts" };'],
  ])("%s", (source) => {
    expect(list(source)).toEqual([]);
  });
});

describe("goes on after", () => {
  const rest = '\nimport { a } from "./a.ts";';
  test.each([
    ["const r = /[\"'`/]/u;"],
    ["const r = x.replace(/\"/g, '');"],
    ["const half = a / 2; const q = '\"'; const b = 1 / 3;"],
    ["const half = f(a) / 2; const third = list[0] / 3;"],
    ['const s = `a ${`b ${"c"} }`} d`;'],
    ["const s = `${{ a: '}' }}`;"],
    ["const s = '\\'';"],
    ['const s = "// not a comment";'],
    ["const s = 'http://x'; /* it's */"],
    ["const s = `\\`${1}\\${`;"],
    ["if (a) return /'/u.test(b);"],
  ])("%s", (source) => {
    expect(list(source + rest)).toEqual(["value ./a.ts"]);
  });

  test("an import inside a hole of a template counts", () => {
    expect(list('const s = `${(await import("./a.ts")).b}`;')).toEqual(["lazy ./a.ts"]);
  });
});

describe("default exports", () => {
  test.each([
    ["export default 1;", true],
    ["export default function f() {}", true],
    ["export { a as default };", true],
    ['export { default } from "./a.ts";', false],
    ["export const a = 1;", false],
    ["// export default", false],
    ['const s = "export default";', false],
    ["switch (a) { default: break; }", false],
  ])("%s: %s", (source, expected) => {
    expect(scanSource(source).hasDefaultExport).toBe(expected);
  });
});
