import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { readFences } from "../docs/markdown.ts";

const root = path.resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  exports: Record<string, string | { types: string; default: string }>;
};
const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-nameable-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Exported {
  readonly name: string;
  readonly isType: boolean;
}

/** Types that want a parameter, and one that fits. */
const PARAMETERS: Readonly<Record<string, string>> = { Page: "<string>", BodyOf: '<"createCode">' };

const DECLARED =
  /^export (?:declare )?(?:abstract )?(function|const|class|interface|type) (\w+)/gmu;
const LISTED = /^export (type )?\{([^}]*)\}/gmu;

/** What a door's declarations export. */
function listExports(text: string): Exported[] {
  const declared = [...text.matchAll(DECLARED)].map(([, kind = "", name = ""]) => ({
    name,
    isType: kind === "interface" || kind === "type",
  }));
  const listed = [...text.matchAll(LISTED)].flatMap(([, allTypes, names = ""]) =>
    names
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .map((one) => ({
        name: one.replace(/^type /u, "").replace(/^.* as /u, ""),
        isType: allTypes !== undefined || one.startsWith("type "),
      })),
  );
  return [...declared, ...listed];
}

/** What a function answers, under the name that it has. */
const CALL =
  "declare function call<F>(given: F): F extends (...args: never[]) => infer R ? R : undefined;";

/**
 * What somebody's own module would say: every value handed on, and of every type all that it holds.
 * Whoever compiles it with declarations must be able to name each type that comes along.
 */
function writeSample(door: string, all: readonly Exported[]): string {
  const lines = all.map(({ name, isType }) =>
    isType
      ? `export const of${name} = { ...(undefined as unknown as door.${name}${PARAMETERS[name] ?? ""}) };`
      : `export const its${name} = door.${name};\nexport const answerOf${name} = call(door.${name});`,
  );
  return [`import * as door from ${JSON.stringify(door)};`, CALL, ...lines, ""].join("\n");
}

const options = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  declaration: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
};

/** What the compiler says of the folder, a line each. */
function compile(): Promise<string[]> {
  const argv = [path.join(root, "node_modules/typescript/bin/tsc"), "-p", folder];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: folder }, (_error, stdout) =>
      // A type of texts only has nothing in it to be spread.
      resolve(stdout.split("\n").filter((line) => line !== "" && !line.includes("TS2698"))),
    );
  });
}

describe("programs that use makeready", () => {
  it("can name every type that its functions take and answer", async () => {
    const modules = path.join(folder, "node_modules");
    mkdirSync(path.join(modules, "@types"), { recursive: true });
    symlinkSync(root, path.join(modules, "makeready"), "dir");
    symlinkSync(path.join(root, "node_modules/@types/node"), path.join(modules, "@types/node"));
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    const doors = Object.entries(manifest.exports).flatMap(([door, to]) =>
      typeof to === "string" ? [] : [{ door: `makeready${door.slice(1)}`, types: to.types }],
    );
    const counts = doors.map(({ door, types }, at) => {
      const all = listExports(readFileSync(path.join(root, types), "utf8"));
      writeFileSync(path.join(folder, `door-${at}.ts`), writeSample(door, all));
      return all.length;
    });
    expect(counts.every((count) => count > 1)).toBe(true);
    // What the page says can be typed, in strict TypeScript as well.
    const page = readFences(readFileSync(path.join(root, "docs/library.md"), "utf8"));
    const snippets = page.filter(({ info }) => info === "js").map(({ text }) => text);
    writeFileSync(path.join(folder, "page.ts"), snippets.join("\n"));
    expect(await compile()).toEqual([]);
  });
});
