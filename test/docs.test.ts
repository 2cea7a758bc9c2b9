import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, describe, expect, test } from "vitest";

import { systemClock } from "../src/base/time/clock.ts";
import { randomIds } from "../src/base/ids/ids.ts";
import { commands } from "../src/cli/commands/index.ts";
import { exitCodes } from "../src/base/exit-codes.ts";
import { main } from "../src/cli/program.ts";
import { kinds } from "../src/kinds/names.ts";
import { jobSchema } from "../src/kinds/schema.ts";
import { limits } from "../src/api/limits.ts";
import { rules } from "../src/verify/rules/rules.ts";
import { readTable } from "./arch/architecture.ts";
import { findDeadEnds, hasPlace, readCitations, readNamedTests } from "./docs/citations.ts";
import { readAnchors, readFences, readLinks, readSpans } from "./docs/markdown.ts";
import {
  makeCommandsPage,
  makeErrorsPage,
  makeManifestPage,
  makeSettingsPage,
} from "../schema/reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const exists = (file: string): boolean => existsSync(path.join(root, file));
const listFiles = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll("\\", "/")))
    .filter((name) => ending.test(name));

const readme = read("README.md");
const topLevel = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
const pages = [...topLevel, "src/README.md", ...listFiles("docs", /\.md$/u)];
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
    ["docs/settings.md", makeSettingsPage],
  ])("%s", async (file, make) => {
    await expect(make()).toMatchFileSnapshot(path.join(root, file));
  });
});

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode | readonly SchemaNode[];
}

/** Names of all fields of a shape, at any depth. */
function* listNames(node: SchemaNode): Generator<string> {
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    yield name;
    yield* listNames(field);
  }
  const { items = [], anyOf = [], additionalProperties: others } = node;
  for (const below of [...anyOf, ...[items].flat()]) yield* listNames(below);
  if (typeof others === "object") yield* listNames(others);
}

test.each(kinds)("docs/manifest.md has every field of %s, those in lists too", (kind) => {
  const told = [...read("docs/manifest.md").matchAll(/^\| `([^`]+)`/gmu)].map(([, at = ""]) => at);
  const last = new Set(told.map((field) => field.split(".").at(-1)));
  const missing = [...listNames(jobSchema(kind) as SchemaNode)].filter((name) => !last.has(name));
  expect([...new Set(missing)]).toEqual([]);
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
      .filter((name) => !/^(?:failed|vanished)-rows\./u.test(name))
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

describe("the specification", () => {
  const code = ["src", "test", "bench", "schema"]
    .flatMap((folder) => listFiles(folder, /\.tsx?$/u))
    // What tells a citation from a dead end has dead ends in it.
    .filter((file) => file !== "test/docs/citations.ts" && file !== "test/docs.test.ts");
  const files = [...code, ...pages, "test/gs1/data/README.md", ...listFiles("jobs", /\.yaml$/u)];
  const citations = files.flatMap((file) =>
    readCitations(read(file)).map((citation) => ({ file, citation })),
  );

  test("has every place that is cited", () => {
    expect(citations.length).toBeGreaterThan(400);
    const missing = citations.filter(({ citation }) => {
      const page = `docs/spec/${citation.page}.md`;
      return !exists(page) || !hasPlace(read(page), citation);
    });
    expect(missing).toEqual([]);
  });

  test("is cited in one form only: no mere name of a note, no section of no document", () => {
    const ends = code.flatMap((file) => findDeadEnds(read(file)).map((found) => [file, found]));
    expect(ends).toEqual([]);
  });

  test.each([
    [" * as it is (docs/spec/qr.md\n * sections 2.3 to 2.5) and", ["2.3", "2.5"]],
    ["docs/spec/print.md section 12, rules 1 to 6, 10 and 24", ["12", "1", "6", "10", "24"]],
    ["docs/spec/design.md promises 8 and 9, docs/spec/api.md section 5.6", ["8", "9", "5.6"]],
    ["docs/spec/api.md section %s: %s", []],
  ])("%j is read as %j", (text, numbers) => {
    expect(readCitations(text).map(({ number }) => number)).toEqual(numbers);
    expect(findDeadEnds(text)).toEqual([]);
  });

  test.each(["see print.md", "(section 8)", "promise 10", "`qr.md` section 3", "../shared/x"])(
    "%j leads nowhere",
    (text) => expect(findDeadEnds(text)).not.toEqual([]),
  );

  test("says that a place is missing", () => {
    const page = "## 1 One\n\n1. Rule\n\n## 2 Two\n\n| 7 | rule | id |\n\n### Promise 3: kept\n";
    const at = (text: string): boolean[] => readCitations(text).map((one) => hasPlace(page, one));
    expect(at("docs/spec/a.md sections 1, 2 and 3")).toEqual([true, true, false]);
    expect(at("docs/spec/a.md section 1, rules 1 and 7")).toEqual([true, true, false]);
    expect(at("docs/spec/a.md section 2, rule 7")).toEqual([true, true]);
    expect(at("docs/spec/a.md promises 3 and 4")).toEqual([true, false]);
  });

  test("has the rules that finished files are held to, by number and id", () => {
    const rows = readTable(read("docs/spec/print.md"), "12 Rules for the finished file");
    const told = new Map(rows.map(([number = "", says = "", id = ""]) => [number, [says, id]]));
    for (const { number, id, says } of rules.filter((rule) => rule.number > 0)) {
      expect(told.get(String(number))).toEqual([expect.stringContaining(says), `\`${id}\``]);
    }
    expect([...told.keys()]).toEqual(Array.from({ length: 27 }, (_, i) => String(i + 1)));
  });

  test("has the figures of the API", () => {
    const rows = readTable(read("docs/spec/api.md"), "8 Limits");
    const told = (what: string): string =>
      rows.find(([limit]) => limit?.startsWith(what) === true)?.[1] ?? "";
    expect(told("reads")).toBe(`${limits.readsPerWindow} a minute`);
    expect(told("writes")).toBe(`${limits.writesPerWindow} a minute`);
    expect(told("requests without")).toBe(`${limits.rejectedPerWindow} a minute`);
    expect(told("page size")).toContain(`${limits.pageSize}, at most ${limits.maxPageSize}`);
    expect(told("page size of forms")).toContain(`at most ${limits.maxFormPageSize}`);
    expect(told("`days`")).toBe(`${limits.analyticsDays}, at most ${limits.maxAnalyticsDays}`);
    expect(told("`top`")).toBe(`${limits.analyticsTop}, at most ${limits.maxAnalyticsTop}`);
    expect(told("a PDF")).toBe(`${limits.maxPdfBytes / 2 ** 20} MB`);
    expect(told("a logo of a form")).toContain(`${limits.maxLogoBytes / 2 ** 20} MB`);
    expect(told("name of a folder")).toBe(`${limits.maxFolderName} characters`);
    expect(told("width")).toBe(`${limits.codeSizePx} px`);
  });
});

test("docs/security.md names tests that are there, by their titles", () => {
  const named = readNamedTests(read("docs/security.md"));
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter(({ file, title }) => !exists(file) || !read(file).includes(title));
  expect(missing).toEqual([]);
});
