import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

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
  loadedBy,
  readLayers,
  readPackageTable,
  readTable,
  scanAll,
} from "./arch/architecture.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(`${root}/${file}`, "utf8");

const readme = read("src/README.md");
const layers = readLayers(readme);
const names = readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" }).map((name) =>
  name.replaceAll("\\", "/"),
);
/** All of the program: what builds it is no part of it. */
const codeFiles = names.filter((name) => /\.tsx?$/u.test(name) && name !== "bundle.ts").toSorted();
const files = scanAll(new Map(codeFiles.map((name) => [name, read(`src/${name}`)])));

describe("src keeps to src/README.md", () => {
  test("the scan sees the code", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.some(({ imports }) => imports.length > 0)).toBe(true);
  });

  test("every import is allowed by the layer table", () => {
    expect(checkLayers(files, layers)).toEqual([]);
  });

  test("every import meets a file", () => {
    expect(checkTargets(files)).toEqual([]);
  });

  test("no import cycle, type imports counted", () => {
    expect(checkCycles(files)).toEqual([]);
  });

  test("others import the rows of a resource, never its handlers", () => {
    expect(checkResources(files)).toEqual([]);
  });

  test("handlers of resources leave SQL to rows", () => {
    const handlers = codeFiles.filter((name) => /^service\/resources\/\w+\/handlers/u.test(name));
    expect(handlers.length).toBeGreaterThan(10);
    const asks = /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[<`]|\braw\./u;
    expect(handlers.filter((name) => asks.test(read(`src/${name}`)))).toEqual([]);
  });

  test("no dead file", () => {
    expect(checkDeadFiles(files)).toEqual([]);
  });

  test("the program begins with its own words: all else is loaded by the command that uses it", () => {
    const loaded = [...loadedBy("cli/main.ts", files)];
    const others = loaded.filter((file) => !/^(?:cli|base)\//u.test(file));
    expect(others).toEqual(["commander"]);
  });

  test("opening a job loads neither service nor printing: its steps load what they use", () => {
    const loaded = [...loadedBy("cli/open-job.ts", files)];
    expect(loaded).toContain("pipeline/open.ts");
    const steps = loaded.filter((file) => /^(?:service|print|verify|pack|qr|client)\//u.test(file));
    // The port alone: it loads the service when a job opens it.
    expect(steps).toEqual(["service/embedded/embedded.ts"]);
  });

  test("an engine that speaks to a remote server never loads the service", () => {
    const loaded = [...loadedBy("pipeline/rows/rows.ts", files)];
    expect(loaded).toContain("pipeline/rows/run-rows.ts");
    expect(loaded.filter((file) => file.startsWith("service/"))).toEqual([]);
  });

  test("what a kind wishes for, costs and forbids is pure: only its maker sends", () => {
    const pure = codeFiles.filter((name) =>
      /^kinds\/\w+\/(?:shape|rules|job|wish|cost)\.ts$/u.test(name),
    );
    const impure = pure.flatMap((file) =>
      [...loadedBy(file, files)]
        .filter((other) => /^(?:client|run|state|service)\/|\/maker\.ts$/u.test(other))
        .map((other) => `${file} loads ${other}`),
    );
    expect(pure.length).toBeGreaterThan(20);
    expect(impure).toEqual([]);
  });

  test("SQL over the table of rows stands in the state alone", () => {
    const sql =
      /\b(?:presence|state) (?:=|<>) '|\bstate (?:NOT )?IN \(|IS (?:NOT )?NULL|json_extract\(/u;
    const others = codeFiles
      .filter((name) => !/^(?:state|service|base|work)\//u.test(name))
      .filter((name) => sql.test(read(`src/${name}`)));
    expect(others).toEqual([]);
  });

  test("no file over 400 lines", () => {
    expect(checkLengths(files)).toEqual([]);
  });

  test("addresses are judged by base/text/url.ts alone: URL.canParse of Node 20 errs", () => {
    const others = codeFiles.filter((name) => /URL\.canParse\(/u.test(read(`src/${name}`)));
    expect(others).toEqual([]);
  });

  test("no default export", () => {
    expect(checkDefaultExports(files)).toEqual([]);
  });

  test("packages are imported where the table says, and declared", () => {
    const manifest = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const dependencies = Object.keys(manifest.dependencies);
    // Islands are bundled: what they import is part of them.
    const served = files.filter(({ file }) => !file.startsWith("desk/islands/"));
    expect(checkPackages(served, readPackageTable(readme), dependencies)).toEqual([]);
  });
});

describe("src/README.md keeps to src", () => {
  const folders = names.filter((name) => !name.includes("/") && !name.includes("."));

  test("the layer table has every folder and no other", () => {
    expect(new Set(layers.keys())).toEqual(new Set(folders));
    const named = [...layers.values()].flatMap(({ mayImport }) => [...mayImport.keys()]);
    expect(named.filter((folder) => !layers.has(folder))).toEqual([]);
  });

  test("the map has every folder, and its main entries exist", () => {
    const map = readTable(readme, "src: the map");
    const mapped = map.map(([folder = ""]) => folder.replaceAll(/[`/]/gu, ""));
    expect(new Set(mapped)).toEqual(new Set(folders));
    const entries = map.flatMap(([, , entry = ""]) => [...entry.matchAll(/`([^`]+)`/gu)]);
    const missing = entries
      .map(([, file = ""]) => file)
      .filter((file) => !codeFiles.includes(file));
    expect(missing).toEqual([]);
  });
});

describe("the rooms of src/README.md", () => {
  const rooms = readTable(readme, "Rooms").map(([room = ""]) => room.replaceAll("`", ""));
  const housed = ["base", "job", "pipeline", "print", "qr", "read", "service", "verify"];

  test.each(housed)("are those of %s, each with its line", (folder) => {
    const inside = names.filter((name) => new RegExp(`^${folder}/[^/.]+$`, "u").test(name));
    const listed = rooms.filter((room) => room.startsWith(`${folder}/`));
    expect(listed.toSorted()).toEqual(inside.map((name) => `${name}/`).toSorted());
    expect(new Set(rooms.map((room) => room.split("/")[0]))).toEqual(new Set(housed));
  });

  test.each(housed)("hold what %s is made of: a handful of files stands outside", (folder) => {
    const loose = codeFiles.filter((name) => new RegExp(`^${folder}/[^/]+$`, "u").test(name));
    expect(loose.length).toBeLessThanOrEqual(6);
  });
});

describe("tests", () => {
  const tests = readdirSync(`${root}/test`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name !== "arch.test.ts")
    .map((name) => ({ name: name.replaceAll("\\", "/"), text: read(`test/${name}`) }));
  const whereIs = (pattern: RegExp): string[] =>
    tests.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

  test("have no time limit of their own: the common one catches what hangs", () => {
    const last = String.raw`\},?\s+(?:\w+ \? [\d_]+ : )?\d{1,3}(?:_\d{3})+,?\s*\);`;
    expect(whereIs(new RegExp(last, "u"))).toEqual([]);
    expect(whereIs(/^\s*\{ timeout\b|, \{ timeout\b/mu)).toEqual([]);
    expect(whereIs(/\b(?:vi\.wait(?:For|Until)|expect\.poll|AbortSignal\.timeout)\(/u)).toEqual([]);
  });

  test("share a process: none changes modules, globals or the folder for others", () => {
    const lasting = /\bvi\.(?:mock|doMock|stub\w+|useFakeTimers)\(|\bprocess\.(?:chdir|umask)\(/u;
    expect(whereIs(lasting)).toEqual([]);
  });

  test("draw the same cases in every run", () => {
    expect(whereIs(/from "fast-check"/u)).toEqual(["help/property.ts"]);
  });
});
