import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, describe, expect, test } from "vitest";

import { systemClock } from "../src/base/clock.ts";
import { randomIds } from "../src/base/ids.ts";
import { commands } from "../src/cli/commands/index.ts";
import { exitCodes } from "../src/cli/exit-codes.ts";
import { main } from "../src/cli/main.ts";
import { readTable } from "./arch/architecture.ts";
import { readAnchors, readFences, readLinks, readSpans } from "./docs/markdown.ts";
import { makeCommandsPage, makeErrorsPage, makeManifestPage } from "./docs/reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const exists = (file: string): boolean => existsSync(path.join(root, file));
const listFiles = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll("\\", "/")))
    .filter((name) => ending.test(name));

const readme = read("README.md");
const pages = ["README.md", "CHANGELOG.md", "src/README.md", ...listFiles("docs", /\.md$/u)];
const texts = new Map(pages.map((page) => [page, read(page)]));
const manifest = JSON.parse(read("package.json")) as {
  version: string;
  engines: { node: string };
  scripts: Record<string, string>;
};

describe("reference pages are what the program says", () => {
  test.each([
    ["docs/commands.md", makeCommandsPage],
    ["docs/errors.md", makeErrorsPage],
    ["docs/manifest.md", makeManifestPage],
  ])("%s", async (file, make) => {
    await expect(make()).toMatchFileSnapshot(path.join(root, file));
  });
});

/** `*.pdf` and `artwork/` as what they match in a folder. */
const toPattern = (name: string): RegExp =>
  new RegExp(`^${name.replace(/\/$/u, "").replaceAll(".", "\\.").replaceAll("*", ".*")}$`, "u");

const strip = (cell = ""): string => cell.replaceAll("`", "");

describe("README.md", () => {
  test("lists the commands with their summaries, and no other", () => {
    const rows = readTable(readme, "Commands").map(([name, does]) => [
      strip(name).replace(/^makeready (\S+).*$/u, "$1"),
      does,
    ]);
    expect(rows).toEqual(commands.map(({ name, summary }) => [name, summary]));
  });

  test("lists the exit codes with their meaning, and no other", () => {
    const rows = readTable(readme, "Exit codes").map(([exit, means]) => [
      strip(exit),
      strip(means),
    ]);
    expect(rows).toEqual(Object.entries(exitCodes).map(([exit, means]) => [exit, means]));
  });

  test("asks for the Node version that package.json asks for", () => {
    expect(readme).toContain(`Node ${manifest.engines.node.replace(/^>=/u, "")} or newer`);
  });
});

describe("the worked example of README.md", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "makeready-docs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function type(...argv: string[]): Promise<{ exit: number; out: string }> {
    const printed: string[] = [];
    const exit = await main(argv, {
      env: {},
      cwd: folder,
      clock: systemClock,
      ids: randomIds,
      out: (text) => void printed.push(text),
      err: (text) => void printed.push(text),
      terminalWidth: undefined,
      writer: `makeready ${manifest.version}`,
      signal: new AbortController().signal,
    });
    return { exit, out: printed.join("") };
  }

  test("does what it says: plan, run, run again", async () => {
    for (const { info, text } of readFences(readme)) {
      const file = /\bfile=(\S+)/u.exec(info)?.[1];
      if (file !== undefined) writeFileSync(path.join(folder, file), text);
    }
    expect(await type("plan", "shelves.yaml")).toMatchObject({ exit: 0 });
    expect(existsSync(path.join(folder, "out"))).toBe(false);
    expect(await type("run", "shelves.yaml")).toMatchObject({ exit: 0 });
    const made = readdirSync(path.join(folder, "out/shelf-labels"));
    const promised = readTable(readme, "What you get").flatMap(([names = ""]) =>
      [...names.matchAll(/`([^`]+)`/gu)].map(([, name = ""]) => name),
    );
    const missing = promised
      .filter((name) => name !== "failed-rows.csv")
      .filter((name) => !made.some((file) => toPattern(name).test(file)));
    expect(missing).toEqual([]);
    const again = await type("run", "shelves.yaml");
    expect(again.exit).toBe(0);
    expect(again.out).toContain("0 writes");
  });
});

test("the changelog has a section for this version", () => {
  expect(read("CHANGELOG.md")).toMatch(
    new RegExp(`^## (?:\\[?${manifest.version.replaceAll(".", "\\.")}\\]?|Unreleased)`, "mu"),
  );
});

/** Lines of the shell blocks, and code spans, that begin with a word. */
function listCommandLines(text: string, word: string): string[] {
  const shell = readFences(text).filter(({ info }) => /^(?:sh|console)\b/u.test(info));
  const lines = shell.flatMap((fence) => fence.text.split("\n"));
  return [...lines, ...readSpans(text)]
    .map((line) =>
      line
        .replace(/^\$ /u, "")
        .replace(/\s+#.*$/u, "")
        .trim(),
    )
    .flatMap((line) => line.split(/\s*&&\s*/u))
    .filter((line) => line.startsWith(`${word} `));
}

describe.each(pages)("%s", (page) => {
  const text = texts.get(page) ?? "";

  test("links meet files and headings", () => {
    const broken = readLinks(text)
      .filter((target) => !/^https?:/u.test(target))
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const where = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
        if (!exists(where)) return true;
        return anchor !== undefined && !readAnchors(read(where)).has(anchor);
      });
    expect(broken).toEqual([]);
  });

  test("files that are named exist", () => {
    const named = readSpans(text).filter((span) =>
      /^(?:src|test|docs|jobs|samples|templates|schema|bench|\.ci)\/[\w./-]+$/u.test(span),
    );
    expect(named.filter((file) => !exists(file))).toEqual([]);
  });

  test("commands that are shown exist, with their options", () => {
    const wrong = listCommandLines(text, "makeready").filter((line) => {
      const [, name = "", ...words] = line.split(/\s+/u);
      const command = commands.find((one) => one.name === name);
      if (command === undefined) return true;
      const known = command.options.map(({ flags }) => flags.split(/[ ,]/u)[0]);
      const used = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]);
      return used.some((flag) => !known.includes(flag));
    });
    expect(wrong).toEqual([]);
  });

  test("scripts that are shown exist", () => {
    const builtIn = new Set(["ci", "install", "pack"]);
    const wrong = listCommandLines(text, "npm").filter((line) => {
      const words = line.split(/\s+/u).filter((word) => !word.startsWith("-"));
      const name = words[1] === "run" ? words[2] : words[1];
      return name === undefined || !(builtIn.has(name) || name in manifest.scripts);
    });
    expect(wrong).toEqual([]);
  });
});

const collectVariables = (all: readonly string[]): Set<string> =>
  new Set(all.flatMap((text) => text.match(/\bMAKEREADY_[A-Z_]+\b/gu) ?? []));

describe("environment variables", () => {
  const inCode = collectVariables(listFiles("src", /\.tsx?$/u).map(read));
  const inDocs = collectVariables([readme, ...listFiles("docs", /\.md$/u).map(read)]);

  test("of the code stand in the docs", () => {
    expect([...inCode].filter((name) => !inDocs.has(name))).toEqual([]);
  });

  test("of the docs stand in the code", () => {
    expect([...inDocs].filter((name) => !inCode.has(name))).toEqual([]);
  });
});
