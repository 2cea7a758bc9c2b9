/**
 * A run that finds everything as the last complete one left it: what it does, and what it must
 * notice.
 */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { openState, stateFile } from "../../src/state/state.ts";
import { frozenClock, runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";

const LOOK = "compare with the last run";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [site] }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "{{ site }}", folder: "Tables/{{ region }}" }
output:
  dir: ../out
  files: [svg]
  file_name: "{{ region | slug }}/{{ site }}"
  sheets: { sheet: ./stock.json, name: "all.pdf", caption: "{{ site }}" }
  index: [csv]
`;

const SHEET = {
  name: "own stock",
  title: "two labels on a card",
  stock: "plain",
  page: { name: "card", widthMm: 100, heightMm: 60 },
  label: { shape: "rectangle", widthMm: 40, heightMm: 40, cornerRadiusMm: 0 },
  columns: 2,
  rows: 1,
  perSheet: 2,
  leftMm: 10,
  topMm: 10,
  pitchXMm: 40,
  pitchYMm: 40,
  sameAs: [],
  origin: "test",
  status: "verified",
  note: "",
};

const ROWS =
  "site,region,url\na,North,https://a.example/1\nb,North,https://a.example/2\nc,South,https://a.example/3\n";

/** A program of one file. */
function makeProgram(code: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "program-"));
  mkdirSync(path.join(folder, "dist"));
  writeFileSync(path.join(folder, "dist/main.js"), code);
  return folder;
}

const linesOf = ({ out }: InProcess): Record<string, unknown>[] =>
  out
    .split("\n")
    .filter((line) => line.startsWith('{"type":'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const lineOf = (ended: InProcess, type: string): Record<string, unknown> =>
  linesOf(ended).findLast((line) => line["type"] === type) ?? {};

const stagesOf = (ended: InProcess): string[] =>
  (lineOf(ended, "summary")["stages"] as { name: string }[]).map(({ name }) => name);

const run = async (
  files: JobFolder,
  { args = [], ...changes }: { args?: string[] } & Parameters<typeof runInProcess>[1] = {},
): Promise<InProcess> => runInProcess(["run", files.manifest, "--json", ...args], changes);

const edit = (file: string, from: string, to: string): void =>
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));

function breakSeal(files: JobFolder): void {
  const db = openSqlite(stateFile(files.out));
  db.run("DELETE FROM meta WHERE key = 'seal'");
  db.close();
}

/** All lines but what differs from run to run. */
const comparable = (ended: InProcess): unknown =>
  linesOf(ended)
    .filter(({ type }) => type !== "progress")
    .map(({ seconds: _seconds, stages: _stages, ...line }) => line);

describe("a run that finds everything as it was", () => {
  it("says the same as a run that looks at every row, bad rows and sheets included", async () => {
    const files = makeJobFolder(makeRows(3));
    expect((await run(files)).code).toBe(3);
    const sealed = await run(files);
    const planned = await runInProcess(["plan", files.manifest, "--json"]);
    expect(stagesOf(sealed)).toEqual([LOOK]);
    expect(lineOf(sealed, "summary")).toMatchObject({ unchanged: 3, bad: 2, writes: 0, reads: 0 });
    breakSeal(files);
    const replanned = await runInProcess(["plan", files.manifest, "--json"]);
    const looked = await run(files);
    expect(stagesOf(looked)).toContain("read and plan");
    expect(comparable(sealed)).toEqual(comparable(looked));
    expect(sealed.code).toBe(looked.code);
    expect(comparable(planned)).toEqual(comparable(replanned));
  });

  it("is noticed again after each change, and no change is overlooked", async () => {
    const files = makeJobFolder(ROWS, MANIFEST);
    const stock = path.join(files.root, "jobs/stock.json");
    writeFileSync(stock, JSON.stringify(SHEET));
    const made = (name: string): string => path.join(files.out, name);
    const sameSizeAndTime = (name: string): void => {
      const { atime, mtime } = statSync(made(name));
      const bytes = readFileSync(made(name));
      bytes[bytes.length - 1] = 0x20;
      writeFileSync(made(name), bytes);
      utimesSync(made(name), atime, mtime);
    };
    const inState = (change: (state: ReturnType<typeof openState>) => void): void => {
      const state = openState(files.out, { writer: "makeready test", salt: "", nowMs: 0 });
      change(state);
      state.close();
    };
    const url = { MAKEREADY_PUBLIC_URL: "https://go.example.com" };
    const changes: Record<string, (() => void) | Parameters<typeof run>[1]> = {
      "a cell": () => edit(files.csv, "example/2", "example/two"),
      "the manifest": () => edit(files.manifest, "index: [csv]", "index: [csv, xlsx]"),
      "the sheet's file": () => writeFileSync(stock, JSON.stringify({ ...SHEET, topMm: 9.5 })),
      "a key of the manifest on the command line": { args: ["--set", "run.concurrency=2"] },
      "the program": { writer: "makeready of tomorrow" },
      "the program's code under the same version": { programFolder: makeProgram("1") },
      "a line of the program's code": { programFolder: makeProgram("2") },
      "the public address": { env: url },
      "a missing index": () => rmSync(made("index.csv")),
      "a missing report": () => rmSync(made("report.html")),
      "a missing picture": () => rmSync(made("artwork/north/a.svg")),
      "a PDF of the same size and time": () => sameSizeAndTime("all.pdf"),
      "an index of the same size and time": () => sameSizeAndTime("index.csv"),
      "a picture found wrong": () =>
        inState(({ journal }) => journal.spoiled("a", { message: "x" })),
      "a bad row": () => edit(files.csv, "c,South,https://a.example/3", "c,South,"),
    };
    expect((await run(files)).code).toBe(0);
    for (const [what, change] of Object.entries(changes)) {
      const options = typeof change === "function" ? undefined : change;
      if (typeof change === "function") change();
      const looked = await run(files, options);
      expect([what, looked.out, looked.err]).toEqual([
        what,
        expect.stringContaining("read and plan"),
        "",
      ]);
      expect(stagesOf(await run(files, options)), `after ${what}`).toEqual([LOOK]);
      // Back to the ordinary options, which are others again.
      if (options !== undefined && options.env === undefined) await run(files);
    }
    expect(readFileSync(made("artwork/north/a.svg"), "utf8")).toContain("<svg");
    expect(readFileSync(made("index.csv"), "utf8")).toContain("https://a.example/two");
    expect(readFileSync(made("all.pdf")).subarray(-1).toString()).not.toBe(" ");
  });

  it("looks at every row when one depends on today's date: tomorrow comes", async () => {
    const files = makeJobFolder(
      ROWS,
      MANIFEST.replace('"{{ site }}", folder', '"{{ site }} {{ date }}", folder').replace(
        / {2}sheets:.*\n/u,
        "",
      ),
    );
    await run(files);
    expect(stagesOf(await run(files))).toContain("read and plan");
    const clock = { ...frozenClock, nowMs: () => Date.UTC(2026, 0, 2, 12) };
    expect(lineOf(await run(files, { clock }), "summary")).toMatchObject({ changed: 3 });
  });

  it("looks at every row when rows are left, and with --fresh and --plan", async () => {
    const files = makeJobFolder(ROWS, MANIFEST.replace(/ {2}sheets:.*\n/u, ""));
    await run(files, { args: ["--limit", "1"] });
    expect(lineOf(await run(files), "summary")).toMatchObject({ created: 2 });
    expect(stagesOf(await run(files, { args: ["--limit", "1"] }))).toEqual([LOOK]);
    const plan = path.join(files.root, "plan.json");
    await runInProcess(["plan", files.manifest, "--out", plan]);
    expect(stagesOf(await run(files, { args: ["--plan", plan] }))).toContain("read and plan");
    expect(lineOf(await run(files, { args: ["--fresh", "--yes"] }), "summary")).toMatchObject({
      created: 3,
    });
  });
});
