import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { AppError, openJob, type JobOptions } from "../../src/index.ts";
import { badUsage } from "../../src/base/errors.ts";
import {
  checkOpening,
  checkRetire,
  checkRun,
  checkUnits,
} from "../../src/pipeline/checks/check-given.ts";
import { toLibraryError } from "../../src/pipeline/checks/option-names.ts";
import { makeJobFolder } from "../flow/job-folder.ts";
import { serveCustomer } from "./front-end.ts";

const CSV = [
  "site,table,region,Link",
  "Café,1,North,https://menu.example/1",
  "Café,2,North,https://menu.example/2",
  "Café,3,North,htp://nowhere",
].join("\n");

/** What a program without types hands in. */
const untyped = (value: unknown): never => value as never;

const refusal = async (step: Promise<unknown>): Promise<string> => {
  const error: unknown = await step.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  const { code, message, hint } = error as AppError;
  return `${code}: ${message} (${hint})`;
};

const folder = makeJobFolder(`${CSV}\n`);

const mistakesOf = async (options: JobOptions): Promise<string> => {
  const error: unknown = await openJob(folder.manifest, options).catch((thrown: unknown) => thrown);
  return (error as AppError).problems.map(({ message }) => message).join();
};

const hintOf = (hint: string): string | undefined =>
  (toLibraryError(badUsage("x", hint)) as AppError).hint;

describe("a front end of somebody else", () => {
  afterAll(() => rmSync(folder.root, { recursive: true, force: true }));

  it("touches one folder: it imports the library and nothing else of makeready", () => {
    const text = readFileSync(new URL("front-end.ts", import.meta.url), "utf8");
    const imported = [...text.matchAll(/from "([^"]+)"/gu)].map(([, from]) => from);
    expect(imported).toEqual(["../../src/index.ts"]);
  });

  it("runs and proves a job through the library alone, in its own words", async () => {
    const lines: string[] = [];
    const isWell = await serveCustomer(folder.manifest, (line) => void lines.push(line));
    expect(isWell).toBe(false);
    expect(lines).toEqual([
      "Plan: 2 neu",
      "flow: fertig, Zeilen zu verbessern, 2 neu, 0 gleich",
      "Datei: sheets",
      "Datei: zip",
      "Datei: artwork",
      "Datei: index",
      "Datei: index",
      "Datei: sheet-map",
      "Datei: report",
      "Datei: failed-rows",
      "Datei: failed-rows",
      "Zeile 4",
      "Nun: Zeilen verbessern und noch einmal starten",
      "Nun: öffentliche Adresse angeben",
      "geprüft: 2 Codes",
    ]);
  });

  it("is refused a plan that is none, before anything is done", async () => {
    const out = path.join(folder.root, "unmade");
    const job = await openJob(folder.manifest, { out });
    const plan = await job.plan({ saveTo: path.join(folder.root, "plan.json") });
    const saved: unknown = JSON.parse(readFileSync(path.join(folder.root, "plan.json"), "utf8"));
    for (const given of [saved, {}, plan.summary, null, "plan.json"]) {
      const said = await refusal(job.run({ plan: untyped(given) }));
      expect(said).toContain(
        "bad-usage: plan must be what plan() or readSavedPlan() answered, got",
      );
      expect(said).toContain("readSavedPlan(file)");
    }
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    [[], "the path of a manifest, got undefined"],
    [[5], "the path of a manifest, got 5"],
    [["job.yaml", null], "the options of openJob must be an object, got null"],
    [["job.yaml", { set: { "output.dir": "out" } }], "set must be a list of texts, got { 'output"],
    [["job.yaml", { out: 7 }], "out must be a text, got 7"],
    [
      ["job.yaml", { token: { secret: "abc" } }],
      "token must be a text, got a value of type object",
    ],
    [["job.yaml", { limits: "none" }], "limits must be off or hosted, got 'none'"],
    [
      ["job.yaml", { publicURL: "https://go.example.com" }],
      'openJob has no option publicURL (did you mean "publicUrl"?)',
    ],
    [["job.yaml", { quiet: true }], "openJob has no option quiet (known: out, set, baseUrl,"],
  ])("is refused %o with what must be given", async (given, says) => {
    const said = await refusal(openJob(...(untyped(given) as [string])));
    expect(said).toMatch(/^bad-usage: /u);
    expect(said).toContain(says);
  });

  it.each([
    [{ dryRun: true }, "run has no option dryRun"],
    [{ limit: "2" }, "limit must be a whole number from 1, got '2'"],
    [{ limit: 0 }, "limit must be a whole number from 1, got 0"],
    [{ on: "progress" }, "on must be a function, got 'progress'"],
    [{ confirm: true }, "confirm must be a function, got true"],
    [{ signal: "stop" }, "signal must be an AbortSignal, got 'stop'"],
  ])("a run of %o is refused before anything is made", async (given, says) => {
    const out = path.join(folder.root, "refused");
    const job = await openJob(folder.manifest, { out });
    expect(await refusal(job.run(untyped(given)))).toContain(`bad-usage: ${says}`);
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    [
      { action: "file" },
      "action must be { does: 'file', folder } or { does: 'delete' }, got 'file'",
    ],
    [{ action: { does: "move", folder: "Old" } }, "action must be"],
    [{ action: { does: "file" } }, "action must be"],
    [{ action: { does: "delete" }, key: ["A-01"] }, "retire has no option key"],
    [{ action: { does: "delete" }, keys: "A-01" }, "keys must be a list of texts, got 'A-01'"],
  ])(
    "a retire of %o is refused: it would delete other codes than were meant",
    async (given, says) => {
      const job = await openJob(folder.manifest);
      expect(await refusal(job.retire(untyped(given)))).toContain(`bad-usage: ${says}`);
    },
  );

  it("is refused an undo, a reprint or answers with options that they would pass over", async () => {
    const job = await openJob(folder.manifest);
    const [keys, given] = [["A-01"], (more: object) => untyped(more)];
    expect(await refusal(job.undo(given({ keys })))).toContain("undo has no option keys");
    const said = await refusal(job.reprint(given({ keys, form: "b.pdf" })));
    expect(said).toContain('reprint has no option form (did you mean "from"?)');
    expect(await refusal(job.answers(given({ since: 1 })))).toContain(
      "answers has no option since",
    );
  });

  it("may hand in options that say nothing, as programs without types do", async () => {
    const nothing = { signal: null, confirm: null, on: null };
    const job = await openJob(folder.manifest);
    expect(await refusal(job.answers(untyped(nothing)))).toMatch(/^bad-usage: /u);
    const out = path.join(folder.root, "asked");
    const asking = await openJob(folder.manifest, { out, set: ["safety.confirm_over=0"] });
    expect(await refusal(asking.run(untyped(nothing)))).toMatch(/^confirm-needed: /u);
    expect(() => {
      checkOpening("job.yaml", { publicURL: undefined });
      checkRun({ ...nothing, limit: undefined, dryRun: undefined });
      checkRetire({ ...nothing, key: undefined });
      checkUnits("replace", { by: "Petra", keys: null, isSpoiled: true });
    }).not.toThrow();
  });

  it("is refused one key that is no list, where codes are made void", async () => {
    const job = await openJob(folder.manifest);
    const given = untyped({ what: "void", by: "Petra", keys: "A-01" });
    expect(await refusal(job.mark(given))).toContain("keys must be a list of texts, got 'A-01'");
  });

  it("says what of a remote server is missing by the option that gives it", async () => {
    const baseUrl = "http://127.0.0.1:9/api/v2";
    const run = async (options: JobOptions): Promise<string> =>
      refusal((await openJob(folder.manifest, { baseUrl, ...options })).run());
    expect(await run({})).toContain("(set the option workspace of openJob, or api.workspace in");
    expect(await run({ workspace: "w" })).toContain(
      "(set the option token of openJob, or api.token_file in the manifest)",
    );
    const transport = {
      send: async () => ({
        status: 401,
        headers: new Headers(),
        body: new Uint8Array(),
        sentAtMs: 0,
        receivedAtMs: 0,
      }),
      close: async () => undefined,
    };
    const out = path.join(folder.root, "remote");
    const given = { workspace: "w", transport, out };
    expect(await run({ ...given, token: "t" })).toContain(
      "does not know the token of the option token of openJob (401)",
    );
    expect(await run({ ...given, env: { MAKEREADY_TOKEN: "t" } })).toContain(
      "does not know the token of MAKEREADY_TOKEN (401)",
    );
  });

  it("is told what to change by options, not by flags of a terminal", async () => {
    expect(await mistakesOf({ publicUrl: "go.example" })).toMatch(/^publicUrl must be/u);
    expect(await mistakesOf({ baseUrl: "x", publicUrl: "" })).toMatch(/^baseUrl must be/u);
    expect(
      hintOf("name its data folder with --data; or make every code anew with --fresh --yes"),
    ).toBe("name its data folder with dataDir; or make every code anew with fresh and isConfirmed");
    expect(hintOf("--spoiled takes those of the last scan-back; --key and --lines name rows")).toBe(
      "isSpoiled takes those of the last scan-back; keys and lines name rows",
    );
    // A command is typed in a terminal.
    const command = "to keep it: makeready run 'a b.yaml' --public-url https://a.example --yes";
    expect(hintOf(command)).toBe(command);
  });

  it("goes on where it stood, and learns what stops a job", async () => {
    writeFileSync(folder.csv, `${CSV.split("\n").slice(0, 3).join("\n")}\n`);
    const lines: string[] = [];
    expect(await serveCustomer(folder.manifest, (line) => void lines.push(line))).toBe(true);
    expect(lines[1]).toBe("flow: fertig, 0 neu, 2 gleich");
    const job = await openJob(folder.manifest);
    for (const given of [undefined, {}, { keys: [] }, { lines: new Set<number>() }]) {
      expect(await refusal(job.reprint(given))).toContain(
        "bad-usage: a reprint must name sheets, lines or keys, got none",
      );
    }
    for (const [given, says] of [
      [{ lines: [2] }, "lines must be a Set of numbers, got [ 2 ]"],
      [{ sheets: new Set(["1"]) }, "sheets must be a Set of numbers, got Set(1) { '1' }"],
      [{ keys: "1" }, "keys must be a list of texts, got '1'"],
      [{ keys: [["1"]] }, "keys must be a list of texts, got [ [Array] ]"],
    ] as const)
      expect(await refusal(job.reprint(untyped(given)))).toContain(`bad-usage: ${says}`);
    expect(await refusal(job.mark(untyped({ keys: ["1"], by: "Petra" })))).toContain(
      "bad-usage: what must be void or activated, got undefined",
    );
    expect(await refusal(job.replace(untyped(undefined)))).toContain(
      "bad-usage: the options of replace must be an object, got undefined",
    );
    const stopped = { signal: AbortSignal.abort() };
    expect(await refusal(job.plan(stopped))).toContain("interrupted: the step was ended");
    expect(await refusal(job.verify(stopped))).toContain("interrupted: the step was ended");
    const midway = new AbortController();
    const verifying = job.verify({ signal: midway.signal, on: () => midway.abort() });
    expect(await refusal(verifying)).toContain("interrupted: ");
    expect((await job.verify()).proof?.isProven).toBe(true);
    writeFileSync(folder.csv, "site,table\n");
    lines.length = 0;
    expect(await serveCustomer(folder.manifest, (line) => void lines.push(line))).toBe(false);
    expect(lines).toEqual(["Abbruch: source-unreadable"]);
  });
});
