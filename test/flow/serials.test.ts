/** Jobs whose rows stand in no spreadsheet: numbers of a range, random serials. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openLedger } from "../../src/read/rows/serial-ledger.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { readIndex } from "./check-output.ts";
import { runHere, runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { lastLine, runProgram } from "./program.ts";

const LINK = "https://id.example/01/09506000134352/21/{{ serial }}";

const manifestOf = (source: string, data = LINK, more = ""): string => `version: 1
name: flow
kind: codes
source: ${source}
code: { type: Link, qr_data: "${data}" }
output: { dir: ../out, files: [], index: [csv]${more} }
`;

const serialJob = (rows: number, more = ""): JobFolder =>
  makeJobFolder(
    "",
    manifestOf(`{ rows: ${rows}, serial: { length: 12, check: true } }`, LINK, more),
  );

const keysOf = ({ out }: JobFolder): string[] => readIndex(out).map(({ key = "" }) => key);

const summaryOf = (out: string): Record<string, unknown> =>
  JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;

const run = (files: JobFolder, ...more: string[]): ReturnType<typeof runInProcess> =>
  runInProcess(["run", files.manifest, "--json", ...more]);

describe("a range", () => {
  it("is a row for each number, and the seal holds", async () => {
    const source = "{ range: [98, 101], pad: 4 }";
    const files = makeJobFolder("", manifestOf(source, "https://example.com/{{ number }}"));
    const first = await run(files);
    expect(first.code, first.err).toBe(0);
    expect(keysOf(files)).toEqual(["0098", "0099", "0100", "0101"]);
    expect(readIndex(files.out)[2]).toMatchObject({
      display_name: "0100",
      destination: "https://example.com/0100",
    });
    expect(summaryOf((await run(files)).out)).toMatchObject({ unchanged: 4, writes: 0, reads: 0 });
    const more = await run(files, "--set", "source.range=[99,102]");
    expect(summaryOf(more.out)).toMatchObject({ created: 1, unchanged: 3 });
    expect(readFileSync(path.join(files.out, "vanished-rows.csv"), "utf8")).toContain("0098");
  });

  it("names a row that fails by its number, not by a line", async () => {
    const source = "{ range: [1, 3] }";
    const data = "{{ number }}";
    const files = makeJobFolder("", manifestOf(source, data));
    const ended = await runInProcess(["run", files.manifest]);
    expect(ended.code).not.toBe(0);
    expect(ended.out + ended.err).toContain("flow.yaml, number 2: qr_data of a Link must be a URL");
    expect(ended.out + ended.err).not.toMatch(/undefined|line \d/u);
  });
});

describe("mistakes", () => {
  it.each([
    ["{ range: [5, 1] }", "source.range must not end before it begins, got [5, 1]"],
    ["{ range: [1, 99999999] }", "source.range must have 10000000 numbers at most"],
    ["{ rows: 10 }", "source.serial must be given"],
    [
      "{ rows: 600, serial: { length: 4, alphabet: digits, check: true } }",
      "must give at least twice as many serials as there are rows (600), got 1000",
    ],
    [
      "{ rows: 6, serial: { length: 22 } }",
      "must be 20 at most where the serial is a GS1 serial number (21), got 22",
    ],
    ["{ rows: 6, serial: { alphabet: safe23 } }", 'did you mean "safe32"?'],
    ["{ range: [1, 5] }", 'must name a column of the source, got "serial"'],
    ["{ rows: 5, serial: {}, key: [seriel] }", 'did you mean "serial"?'],
  ])("%s", async (source, says) => {
    const files = makeJobFolder("", manifestOf(source));
    const { code, err, out } = await runInProcess(["validate", files.manifest]);
    expect(code).toBe(2);
    expect(out + err).toContain(says);
  });

  it("a retarget has no use for rows of its own", async () => {
    const text = `version: 1
kind: retarget
source: { range: [1, 3] }
match: { by: [display_name], value: "{{ number }}" }
set: { folder: x }
`;
    const files = makeJobFolder("", text);
    expect((await runInProcess(["validate", files.manifest])).code).toBe(2);
  });
});

describe("serials", () => {
  it("are those that the plan and the preview have shown, and stay over runs", async () => {
    const files = serialJob(5);
    const preview = await runInProcess([
      "preview",
      files.manifest,
      "--line",
      "3",
      "--out",
      path.join(files.root, "preview"),
    ]);
    const shown = /\/21\/([0-9A-Z]{12})"/u.exec(preview.out)?.[1];
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).toContain(
      "5 serials of 12 characters of safe32, the last one a check character: a guess hits one of them once in 10^15 tries",
    );
    expect(plan.out).not.toContain("must be too many to guess");
    expect((await run(files)).code).toBe(0);
    const keys = keysOf(files);
    expect(new Set(keys).size).toBe(5);
    expect(keys[2]).toBe(shown);
    expect(summaryOf((await run(files)).out)).toMatchObject({ unchanged: 5, writes: 0 });
    const more = await run(files, "--set", "source.rows=8");
    expect(summaryOf(more.out)).toMatchObject({ created: 3, unchanged: 5 });
    expect(keysOf(files).slice(0, 5)).toEqual(keys);
  });

  it("that somebody may guess are warned of", async () => {
    const source = "{ rows: 40, serial: { length: 6, alphabet: digits } }";
    const files = makeJobFolder("", manifestOf(source));
    const { out } = await runInProcess(["plan", files.manifest]);
    expect(out).toContain("serials must be too many to guess one, got 1 in 25000 tries");
  });

  it("are found again after the state was lost; no code is made twice", async () => {
    const files = serialJob(6);
    expect((await run(files, "--set", "run.marker=true")).code).toBe(0);
    const before = readIndex(files.out).map(({ key, id }) => `${key} ${id}`);
    for (const end of ["", "-wal", "-shm"]) {
      rmSync(path.join(files.out, `state.db${end}`), { force: true });
    }
    const again = await run(files, "--set", "run.marker=true");
    expect(summaryOf(again.out)).toMatchObject({ created: 0, adopted: 6 });
    expect(readIndex(files.out).map(({ key, id }) => `${key} ${id}`)).toEqual(before);
  });

  it("of a lost ledger are not replaced by others: plan, run and retire refuse", async () => {
    const files = serialJob(3);
    expect((await run(files)).code).toBe(0);
    const keys = keysOf(files);
    const ledger = path.join(files.data, "serials.db");
    renameSync(ledger, `${ledger}.saved`);
    for (const command of ["plan", "run", "retire"]) {
      const refused = await runInProcess([command, files.manifest]);
      expect(refused.code, command).toBe(6);
      expect(refused.err).toContain("put serials.db back into the data folder from a backup");
    }
    renameSync(`${ledger}.saved`, ledger);
    expect(summaryOf((await run(files)).out)).toMatchObject({ unchanged: 3 });
    expect(keysOf(files)).toEqual(keys);
  });

  it("are another job's own, in the same data folder", async () => {
    const files = serialJob(4);
    expect((await run(files)).code).toBe(0);
    const keys = keysOf(files);
    const other = { ...files, out: path.join(files.root, "other") };
    expect((await run(other, "--out", other.out)).code).toBe(0);
    expect(new Set([...keys, ...keysOf(other)]).size).toBe(8);
  });

  it("that a server refuses are named by their serial", async () => {
    const files = serialJob(2);
    writeFileSync(
      files.manifest,
      manifestOf("{ rows: 2, serial: {} }", `${LINK}/${"x".repeat(3000)}`),
    );
    const ended = await runInProcess(["run", files.manifest]);
    expect(ended.out + ended.err).toMatch(/flow\.yaml, serial [0-9A-Z]{12}: /u);
    expect(readFileSync(path.join(files.out, "failed-rows.csv"), "utf8")).toMatch(
      /^\uFEFF?number,serial,line,reason\r?\n1,[0-9A-Z]{12},1,/u,
    );
  });
});

/** What a run is doing when it is killed. */
const kills: readonly ((line: { readonly type: string }, seen: number) => boolean)[] = [
  ({ type }) => type === "plan",
  ({ type }, seen) => type === "progress" && seen > 2,
  ({ type }, seen) => type === "progress" && seen > 3,
];

it("600 serials, killed three times: none is given twice, and each code has its own", async () => {
  const files = serialJob(600);
  for (const isTime of kills) {
    let seen = 0;
    const ended = await runProgram(["run", files.manifest, "--json", "--limit", "60"], {
      onLine: (line, child) => {
        seen += 1;
        if (isTime(line, seen)) child.kill("SIGKILL");
      },
    });
    expect(ended.signal, ended.err).toBe("SIGKILL");
  }
  const last = await runHere(["run", files.manifest, "--json", "--limit", "40"]);
  expect(last.code, last.err).toBe(0);
  expect(lastLine(last, "summary")).toMatchObject({ rows: 600, failed: 0, bad: 0 });

  const ledger = await openLedger(files.data);
  const owner = { identity: JSON.stringify(["flow", path.relative(files.data, files.out)]) };
  const form = { length: 12, alphabet: "safe32", check: true } as const;
  const kept = [...ledger.serials({ ...owner, form, count: 600 }, false)];
  ledger.close();
  expect(new Set(kept).size).toBe(600);

  const db = openSqlite(path.join(files.data, "service.db"));
  const codes = db.all<{ qr_data: string }>("SELECT qr_data FROM codes");
  db.close();
  const links = codes.map(({ qr_data: data }) => data.split("/").at(-1));
  expect(links.length).toBeGreaterThanOrEqual(40);
  expect(new Set(links).size).toBe(links.length);
  expect(new Set(links)).toEqual(new Set(kept.slice(0, links.length)));
});
