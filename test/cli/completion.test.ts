import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { commands } from "../../src/cli/commands/index.ts";
import { shells } from "../../src/cli/completion/shells.ts";
import { toCompletion } from "../../src/cli/completion/words.ts";
import { listSheets } from "../../src/print/layout/sheet-files.ts";
import { runInProcess } from "../flow/in-process.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-completion-"));
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;
const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const shell of shells) {
    const { code, out } = await runInProcess(["completion", shell]);
    if (code !== 0) throw new Error(`completion ${shell} failed`);
    const file = path.join(folder, shell);
    writeFileSync(file, out);
    scripts.set(shell, file);
  }
  mkdirSync(path.join(folder, "jobs"));
  for (const name of ["menus.yaml", "tables.csv", "gtins.xlsx", "notes.txt"]) {
    writeFileSync(path.join(folder, name), "");
  }
});

describe.each(shells)("makeready completion %s", (shell) => {
  it("knows every command, every option and every label sheet", async () => {
    const { out } = await runInProcess(["completion", shell]);
    for (const { name, options } of commands) {
      expect(out).toContain(name);
      for (const { flags } of options) {
        const flag = flags.split(/[ ,]/u)[0] ?? "";
        expect(out).toContain(shell === "fish" ? `-l ${flag.slice(2)}` : flag);
      }
    }
    for (const { name } of await listSheets()) expect(out).toContain(name);
  });

  it.skipIf(!has(shell))("is a script that the shell can read", () => {
    const { status, stderr } = spawnSync(shell, ["-n", scripts.get(shell) ?? ""], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

/** What bash offers for the last word. */
function offer(...words: string[]): string[] {
  const line = ["makeready", ...words].map((word) => JSON.stringify(word)).join(" ");
  const program = `source ${scripts.get("bash")}; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _makeready 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["-c", program], { cwd: folder, encoding: "utf8" });
  return out
    .split("\n")
    .filter((word) => word !== "")
    .toSorted();
}

describe.skipIf(!has("bash"))("bash offers", () => {
  it.each<[string[], string[]]>([
    [["com"], ["completion"]],
    [
      ["run", ""],
      ["jobs/", "menus.yaml"],
    ],
    [["run", "menus.yaml", "--dat"], ["--data"]],
    [["plan", "menus.yaml", "--out", "j"], ["jobs"]],
    [
      ["columns", ""],
      ["gtins.xlsx", "jobs/", "tables.csv"],
    ],
    [["init", "--source", "t"], ["tables.csv"]],
    [
      ["init", "--sheet", "zweckform-366"],
      [
        "zweckform-3660",
        "zweckform-3661",
        "zweckform-3664",
        "zweckform-3665",
        "zweckform-3666",
        "zweckform-3667",
        "zweckform-3669",
      ],
    ],
    [["sheets", "sh"], ["show"]],
    [["sheets", "align", "a4-24up-63.5x"], ["a4-24up-63.5x33.9"]],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
    [["run", "menus.yaml", "--limit", ""], []],
    [["run", "--"], []],
  ])("%j: %j", (words, expected) => {
    const offered = offer(...words);
    if (words.at(-1) === "--") expect(offered).toContain("--help");
    else expect(offered).toEqual(expected);
  });
});

const ask = (line: string): string =>
  execFileSync("fish", ["-c", `source ${scripts.get("fish")}; complete -C '${line}'`], {
    cwd: folder,
    encoding: "utf8",
  });

it.skipIf(!has("fish"))("fish offers commands with what they do, manifests and sheets", () => {
  expect(ask("makeready doc")).toMatch(/^doctor\tcheck this computer/u);
  expect(ask("makeready run ")).toContain("menus.yaml");
  expect(ask("makeready sheets show zweckform-36")).toContain("zweckform-3651");
});

it("an unknown shell is refused with the known ones", async () => {
  const { code, err } = await runInProcess(["completion", "fihs"]);
  expect(code).toBe(2);
  expect(err).toContain("shell must be one of bash, zsh, fish, got fihs");
  // What the sentence lists is not listed again.
  const far = await runInProcess(["completion", "powershell"]);
  expect(far.err).toBe("error: shell must be one of bash, zsh, fish, got powershell\n");
  expect(err).toContain('did you mean "fish"?');
});

it("the words that arguments may be are those that the commands take", async () => {
  for (const { name, words } of toCompletion(commands)) {
    if (words.length === 0) continue;
    const { err } = await runInProcess([name, "nonsense"]);
    for (const word of words) expect(err).toContain(word);
    const argument = commands.find((command) => command.name === name)?.argument;
    for (const [, word] of argument?.says.matchAll(/`(\w+)`/gu) ?? [])
      expect(words).toContain(word);
  }
});
