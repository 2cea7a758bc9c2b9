/**
 * A state that is gone, cut off or older than the codes that were made
 * (docs/spec/engine.md section 1.6, docs/spec/jobs.md section 2).
 */
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { parseReport } from "./check-output.ts";
import { countCodes } from "./count-codes.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";

const ROWS = 4;

const summaryOf = (out: string): Record<string, unknown> =>
  JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;

const makeJob = (): JobFolder =>
  makeJobFolder(
    makeRows(ROWS)
      .split("\n")
      .slice(0, ROWS + 1)
      .join("\n"),
  );

const run = (files: JobFolder, ...more: string[]): ReturnType<typeof runInProcess> =>
  runInProcess(["run", files.manifest, "--json", "--set", "output.sheets=false", ...more]);

const MARKER = ["--set", "run.marker=true"];

function loseState(files: JobFolder): void {
  for (const name of readdirSync(files.out)) {
    if (name.startsWith("state.db")) rmSync(path.join(files.out, name));
  }
}

/** How the state is harmed -> what is done to the folder after a whole run. */
const losses: readonly (readonly [string, (files: JobFolder) => void])[] = [
  ["deleted", loseState],
  [
    "of zero bytes",
    (files) => {
      loseState(files);
      openSqlite(path.join(files.out, "state.db")).close();
      truncateSync(path.join(files.out, "state.db"), 0);
    },
  ],
  [
    "without tables, its -wal left behind",
    (files) => {
      loseState(files);
      openSqlite(path.join(files.out, "state.db")).close();
    },
  ],
];

describe("a state that is lost", () => {
  it.each(losses)("%s: nothing is made twice unless somebody says so", async (_says, lose) => {
    const files = makeJob();
    await run(files);
    lose(files);
    // Looking at the job makes no state that would hide the loss.
    await runInProcess(["status", files.manifest]);
    await runInProcess(["plan", files.manifest]);
    const refused = await run(files);
    expect(refused.code).toBe(2);
    expect(refused.err + refused.out).toMatch(/must hold state\.db/u);
    expect(countCodes(files)).toBe(ROWS);
  });

  it.each(losses)("%s: plan, status and verify say what a run refuses", async (_says, lose) => {
    const files = makeJob();
    await run(files);
    lose(files);
    const ask = (command: string) => runInProcess([command, files.manifest]);
    const { err } = await ask("run");
    expect(err).toMatch(/must hold state\.db .*\n +→ put state\.db back/u);
    for (const command of ["plan", "verify"]) {
      expect(await ask(command)).toEqual({ code: 2, out: "", err });
    }
    const { code, out } = await ask("status");
    const [says = "", hint = ""] = err
      .replace("error: ", "")
      .trim()
      .split(/\n +→ /u);
    expect([code, out]).toEqual([0, `flow\n  ${says} (${hint})\n`]);
  });

  it.each(losses)("%s: with run.marker it is made again from the server", async (_says, lose) => {
    const files = makeJob();
    await run(files, ...MARKER);
    lose(files);
    const again = await run(files, ...MARKER);
    expect(again.code, again.err + again.out).toBe(0);
    expect(summaryOf(again.out)).toMatchObject({ created: 0, adopted: ROWS, left: 0 });
    const report = parseReport(readFileSync(path.join(files.out, "report.html"), "utf8"));
    expect(report.figures).toMatchObject({ created: "0", "found on the server": String(ROWS) });
    expect(countCodes(files)).toBe(ROWS);
    expect(summaryOf((await run(files, ...MARKER)).out)).toMatchObject({ writes: 0 });
  });
});

async function makeOld(...more: string[]): Promise<JobFolder> {
  const files = makeJob();
  const state = path.join(files.out, "state.db");
  await run(files, "--limit", "1", ...more);
  copyFileSync(state, path.join(files.root, "copy.db"));
  await run(files, ...more);
  loseState(files);
  copyFileSync(path.join(files.root, "copy.db"), state);
  return files;
}

describe("a state that was put back from an older copy", () => {
  it("is refused: the log names codes that it doesn't know", async () => {
    const files = await makeOld();
    const refused = await run(files);
    expect(refused.code).toBe(6);
    expect(refused.err + refused.out).toMatch(/run\.log says was made, got an older state/u);
    expect(countCodes(files)).toBe(ROWS);
    const fresh = await run(files, "--fresh", "--yes");
    expect(summaryOf(fresh.out)).toMatchObject({ created: ROWS });
  });

  it("takes back what it doesn't know, with run.marker", async () => {
    const files = await makeOld(...MARKER);
    const again = await run(files, ...MARKER);
    expect(again.code, again.err + again.out).toBe(0);
    expect(summaryOf(again.out)).toMatchObject({ created: 0, adopted: ROWS - 1, left: 0 });
    expect(countCodes(files)).toBe(ROWS);
  });
});

describe("a row whose answer was lost and that vanished from the spreadsheet", () => {
  it("is named by status; a run with nothing else to do finds its code and reports it", async () => {
    const files = makeJob();
    await run(files);
    const db = openSqlite(path.join(files.out, "state.db"));
    const last = "state = 'sending', remote_id = NULL, presence = 'vanished' WHERE seq = 3";
    expect(db.run(`UPDATE rows SET ${last}`)).toBe(1);
    const key = JSON.stringify(db.get("SELECT row_key FROM rows WHERE seq = 3")?.["row_key"]);
    db.close();
    writeFileSync(files.csv, readFileSync(files.csv, "utf8").replace(/\n[^\n]+\n*$/u, "\n"));
    const doubtful = await runInProcess(["status", files.manifest]);
    expect(doubtful.out).toContain(`1 no longer in the spreadsheet may have a code all the same`);
    expect(doubtful.out).toContain(key);
    const again = await run(files);
    expect(again.code, again.err + again.out).toBe(0);
    expect(again.out).toContain("no longer among the good rows, but its code was made");
    expect(summaryOf(again.out)).toMatchObject({ created: 0 });
    const status = await runInProcess(["status", files.manifest, "--json"]);
    expect(summaryOf(status.out)).toMatchObject({ vanished: 1, goneInDoubt: [] });
    expect(countCodes(files)).toBe(ROWS);
  });
});
