import { describe, expect, it } from "vitest";

import { commands } from "../../src/cli/commands/index.ts";
import { exitCodes } from "../../src/base/exit-codes.ts";
import { runInProcess } from "../flow/in-process.ts";

describe.each(commands.map((command) => [command.name, command] as const))(
  "makeready %s --help (docs/spec/jobs.md section 2)",
  (name, command) => {
    it("says what it does, all options, two examples and its exit statuses", async () => {
      const { code, out } = await runInProcess([name, "--help"]);
      expect(code).toBe(0);
      expect(out.replaceAll(/\s+/gu, " ")).toContain(command.summary);
      for (const { flags } of command.options) expect(out).toContain(flags);
      expect(new Set(command.examples).size).toBe(2);
      for (const example of command.examples) {
        expect(out).toContain(`\n  ${example}\n`);
        expect(example).toContain(`makeready ${name}`);
      }
      for (const exit of [0, 1, 2, ...command.exits] as (keyof typeof exitCodes)[]) {
        expect(out).toContain(`${String(exit).padStart(3)}  ${exitCodes[exit]}`);
      }
    });
  },
);

describe("mistakes on the command line", () => {
  it.each([
    [["rnu", "job.yaml"], "unknown command 'rnu'", "(Did you mean run?)"],
    [["colums", "x.csv"], "unknown command 'colums'", "(Did you mean columns?)"],
    [["run", "job.yaml", "--ouut", "x"], "unknown option '--ouut'", "(Did you mean --out?)"],
    [["--versoin"], "unknown option '--versoin'", "(Did you mean --version?)"],
    [["constructor"], "unknown command 'constructor'", "--help"],
    [["export"], "export is no command: it is a kind of job", "makeready init --kind export"],
    [["run"], "missing required argument 'job'", "--help"],
    [["run", "a", "b"], "too many arguments", "--help"],
    [["plan", "job.yaml", "--out"], "option '--out <", "argument missing"],
    [["run", "missing.yaml"], "manifest must be a file that exists", "check the path"],
  ])("%j: %s %s", async (args, what, hint) => {
    const { code, err, out } = await runInProcess(args);
    expect(code).toBe(2);
    expect(err).toContain(what);
    expect(err).toContain(hint);
    expect(out).toBe("");
  });

  it.each([
    [
      ["run", "job.yaml", "--public-url", "ADDRESS"],
      "--public-url ADDRESS: ADDRESS must be replaced before you run this",
      "ADDRESS stands for the address under which printed codes will be reached, such as https://go.example.com",
    ],
    [["run", "JOB"], "JOB must be replaced", "JOB stands for the manifest of your job"],
    [["columns", "FILE"], "FILE must be replaced", "a file of yours, such as tables.xlsx"],
    [["accounts", "create", "NAME"], "NAME must be replaced", "a name that you choose"],
    [["schedule", "print", "--out", "DIR"], "--out DIR: DIR must", "a folder of yours"],
    [["serve", "--public-url", "ADDRESS"], "--public-url ADDRESS: ", "printed codes"],
  ])("a word that stands for something is no value: %j", async (args, what, hint) => {
    const { code, err } = await runInProcess(args);
    expect(code).toBe(2);
    expect(err).toContain(what);
    expect(err).toContain(hint);
    expect(err).not.toContain("begin it with https://");
  });

  it.each([
    ["MAKEREADY_PUBLIC_URL", "https://go.example.com"],
    ["MAKEREADY_BASE_URL", "https://codes.example.com/api/v2"],
  ])("such a word is no value of %s", async (variable, example) => {
    const { code, err } = await runInProcess(["plan", "job.yaml"], {
      env: { [variable]: "ADDRESS" },
    });
    expect(code).toBe(2);
    expect(err).toContain(`${variable}=ADDRESS: ADDRESS must be replaced before you run this`);
    expect(err).toContain(example);
    expect(err).not.toContain("begin it with https://");
  });

  it.each([
    [["run", "job.yaml", "--ouut", "x"], "unknown option '--ouut'", "Did you mean --out?"],
    [["rnu"], "unknown command 'rnu'", "Did you mean run?"],
    [["run"], "missing required argument 'job'", "makeready --help says what can be given"],
    [
      ["worker"],
      "worker is no command: it is called work",
      "makeready --help says what can be given",
    ],
  ])("%j with --json: one object on standard output", async (args, what, hint) => {
    const { code, err, out } = await runInProcess([...args, "--json"]);
    expect(code).toBe(2);
    expect(err).toBe("");
    const error = JSON.parse(out) as { message: string };
    expect(error).toMatchObject({ type: "error", code: "bad-usage", hint, exitCode: 2 });
    expect(error.message).toContain(what);
  });

  it("several machines are refused with the reason", async () => {
    const { code, err } = await runInProcess(["worker", "--database-url", "postgres://x"]);
    expect(code).toBe(2);
    expect(err).toContain("worker is no command: it is called work");
    expect(err).toContain("it is called work: makeready work --on");
  });
});
