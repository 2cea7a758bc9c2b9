import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { settingTable } from "../../src/base/settings.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { runInProcess } from "../flow/in-process.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly err: string;
  /** The first line of `serve --json`: where it serves, or why it doesn't. */
  readonly line: Readonly<Record<string, string>>;
}

/** Serves until the first line is out. */
async function serve(env: Record<string, string>, flags: readonly string[] = []): Promise<Ended> {
  const stop = new AbortController();
  let line = {};
  const { code, err } = await runInProcess(["serve", "--json", ...flags], {
    cwd: folder,
    env: { MAKEREADY_PORT: "0", ...env },
    signal: stop.signal,
    out: (text) => {
      line = JSON.parse(text) as object;
      stop.abort();
    },
  });
  return { code, err, line };
}

describe("settings of serve", () => {
  it("come from the environment, where no flag says otherwise", async () => {
    const env = {
      MAKEREADY_DATA: "here",
      MAKEREADY_PUBLIC_URL: "https://go.example.com",
      MAKEREADY_TRUST_PROXY: "loopback, 10.0.0.0/8",
      MAKEREADY_LIMITS: "600/300",
      MAKEREADY_ALLOW_PRIVATE_FETCH: "true",
      MAKEREADY_PLAN: "pages=3",
    };
    const { line, code } = await serve(env);
    expect({ code, address: line["public_url"] }).toEqual({
      code: 0,
      address: "https://go.example.com",
    });
    expect(readdirSync(path.join(folder, "here"))).toContain("service.db");
    const flags = ["--data", "there", "--public-url", "https://other.example.com"];
    expect((await serve(env, flags)).line["public_url"]).toBe("https://other.example.com");
    expect(readdirSync(path.join(folder, "there"))).toContain("service.db");
  });

  it.each([
    ["MAKEREADY_PORT", "web", "a whole number from 0 to 65535"],
    ["MAKEREADY_LIMITS", "many", "hosted, off or reads/writes"],
    ["MAKEREADY_SCAN_FLUSH", "0", "milliseconds from 1 to 10000"],
    ["MAKEREADY_PUBLIC_URL", "go", "an http or https address"],
    ["MAKEREADY_ALLOW_PRIVATE_FETCH", "perhaps", "true or false"],
  ])("%s=%s is refused by its own name", async (name, value, rule) => {
    const { code, line } = await serve({ MAKEREADY_DATA: "here", [name]: value });
    expect(code).toBe(2);
    expect(line["message"]).toContain(`${name} must be ${rule}`);
    expect(line["message"]).toContain(`got ${value}`);
  });

  it("are named when there is no such variable", async () => {
    const { code, err } = await serve({ MAKEREADY_DATA: "here", MAKEREADY_PUBLC_URL: "x" });
    expect(code).toBe(0);
    expect(JSON.parse(err.split("\n")[0] ?? "")).toMatchObject({
      name: "MAKEREADY_PUBLC_URL",
      hint: 'did you mean "MAKEREADY_PUBLIC_URL"?',
    });
  });
});

describe("settings of jobs", () => {
  it("are named by doctor when there is no such variable", async () => {
    const env = { MAKEREADY_TOKN: "x" };
    const { out, code } = await runInProcess(["doctor"], { cwd: folder, env });
    expect(code).toBe(0);
    expect(out).toContain("MAKEREADY_TOKN is no setting");
    expect(out).not.toContain("MAKEREADY_TOKEN is no");
  });

  it("are refused by the variable's name", async () => {
    const env = { MAKEREADY_PATIENCE: "long" };
    const argv = ["run", path.join(root, "jobs/table-codes.yaml"), "--out", folder];
    const { err, code } = await runInProcess(argv, { cwd: folder, env });
    expect(code).toBe(2);
    expect(err).toContain('MAKEREADY_PATIENCE must be a time with a unit, like "30s", got long');
  });
});

describe("the table of settings", () => {
  const options = commands.flatMap((command) => command.options);

  it.each(Object.entries(settingTable))("%s: help tells flag and variable", (_, setting) => {
    if (setting.flags === undefined) return;
    const told = options.filter(({ says }) => says.includes(`[${setting.variable}]`));
    expect(told.map(({ flags }) => flags)).toContain(setting.flags);
  });

  it("has every variable that the program names, and is the only place that reads them", () => {
    const known = new Set<string>(Object.values(settingTable).map(({ variable }) => variable));
    const files = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => ({ name, text: readFileSync(path.join(root, "src", name), "utf8") }));
    const named = files.flatMap(({ text }) => text.match(/\bMAKEREADY_[A-Z_]+\b/gu) ?? []);
    expect(named.filter((name) => !known.has(name) && name !== "MAKEREADY_")).toEqual([]);
    const readers = files.filter(({ text }) => /\benv\["?MAKEREADY_/u.test(text));
    expect(readers.map(({ name }) => name)).toEqual([]);
  });
});
