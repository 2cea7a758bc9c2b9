/** Void codes stay void wherever their output folder lies. */
import { cpSync, existsSync, renameSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { runInProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Text, dynamic: false, qr_data: "{{ n }}" }
output: { dir: out/shelves, files: [], sheets: { sheet: a4-24up-63.5x33.9 } }
`;

/** Sheets are made anew: so the plan names the void codes on them. */
const ANEW = ["--set", "output.sheets.caption=No. {{ n }}"];

/** A job of four rows that was run; line 3 is void. */
async function askIn(cwd: string, ...args: string[]) {
  const { code, out, err } = await runInProcess(args, { cwd, user: "anna" });
  return { code, says: `${out}\n${err}` };
}

const made = madeOnce(async (csv: string) => {
  const files = makeJobFolder(csv, MANIFEST);
  const cwd = path.dirname(files.manifest);
  await askIn(cwd, "run", "flow.yaml");
  await askIn(cwd, "void", "flow.yaml", "--lines", "3", "--yes");
  return files;
});

async function makeVoidJob() {
  const files = await made("n\n1\n2\n3\n4\n");
  const cwd = path.dirname(files.manifest);
  return { ...files, cwd, ask: (...args: string[]) => askIn(cwd, ...args) };
}

type VoidJob = Awaited<ReturnType<typeof makeVoidJob>>;

/** A ledger as an older makeready wrote it. */
function makeOlder({ data }: VoidJob): void {
  const db = openSqlite(path.join(data, "units.db"), "delete");
  db.exec("DROP TABLE IF EXISTS jobs");
  db.close();
}

/** What the commands say of line 3. */
async function look({ ask }: VoidJob, dir: string) {
  const out = ["--out", dir];
  const planned = await ask("plan", "flow.yaml", ...out, ...ANEW);
  const again = await ask("sheets", "reprint", "flow.yaml", "--lines", "3", "--dir", dir);
  const voided = await ask("void", "flow.yaml", "--lines", "3", "--yes", ...out);
  const { says } = await ask("reconcile", "flow.yaml", "--json", ...out);
  const { codes } = JSON.parse(says.trim().split("\n")[0] ?? "") as { codes: { void: number } };
  return {
    isNoted: planned.says.includes("1 code on the sheets is void"),
    isRefused: again.code === 2 && again.says.includes("must not be void"),
    isKnown: voided.says.includes("1 code was void already"),
    void: codes.void,
  };
}

const VOID = { isNoted: true, isRefused: true, isKnown: true, void: 1 };

describe("an output folder that was moved", () => {
  it("keeps its void codes, also after a run there and a second move", async () => {
    const job = await makeVoidJob();
    renameSync(path.join(job.cwd, "out"), path.join(job.cwd, "weg"));
    expect(await look(job, "weg/shelves")).toEqual(VOID);
    const made = await job.ask("run", "flow.yaml", "--out", "weg/shelves", ...ANEW);
    expect(made.says).toContain("void");
    await job.ask("void", "flow.yaml", "--lines", "4", "--yes", "--out", "weg/shelves");
    renameSync(path.join(job.cwd, "weg"), path.join(job.cwd, "fort"));
    const { says } = await job.ask(
      "plan",
      "flow.yaml",
      "--out",
      "fort/shelves",
      "--set",
      "output.sheets.caption={{ n }}",
    );
    expect(says).toContain("2 codes on the sheets are void");
  });

  it("keeps them under another name of the job, too", async () => {
    const job = await makeVoidJob();
    const { says } = await job.ask("plan", "flow.yaml", "--set", "name=regale");
    expect(says).toContain("1 code on the sheets is void");
  });

  it("finds what an older makeready noted", async () => {
    const job = await makeVoidJob();
    makeOlder(job);
    renameSync(path.join(job.cwd, "out"), path.join(job.cwd, "weg"));
    expect(await look(job, "weg/shelves")).toEqual(VOID);
  });

  it("finds what an older makeready noted, when a run there and a second move came first", async () => {
    const job = await makeVoidJob();
    makeOlder(job);
    renameSync(path.join(job.cwd, "out"), path.join(job.cwd, "weg"));
    await job.ask("run", "flow.yaml", "--out", "weg/shelves");
    renameSync(path.join(job.cwd, "weg"), path.join(job.cwd, "fort"));
    expect(await look(job, "fort/shelves")).toEqual(VOID);
  });
});

describe("an output folder that was copied", () => {
  it.each([false, true])(
    "shares its void codes with the copy (older ledger: %s)",
    async (isOld) => {
      const job = await makeVoidJob();
      if (isOld) makeOlder(job);
      cpSync(path.join(job.cwd, "out"), path.join(job.cwd, "kopie"), { recursive: true });
      expect(await look(job, "kopie/shelves")).toEqual(VOID);
      await job.ask("run", "flow.yaml", "--out", "kopie/shelves");
      expect(await look(job, "out/shelves")).toEqual(VOID);
      expect(await look(job, "kopie/shelves")).toEqual(VOID);
    },
  );
});

it("leaves void codes to the state that they are of: another one in their old place has its own", async () => {
  const job = await makeVoidJob();
  // Made by itself, and with an entry of its own.
  await job.ask("run", "flow.yaml", "--out", "b");
  await job.ask("void", "flow.yaml", "--lines", "2", "--yes", "--out", "b");
  renameSync(path.join(job.cwd, "out/shelves"), path.join(job.cwd, "weg"));
  renameSync(path.join(job.cwd, "b"), path.join(job.cwd, "out/shelves"));
  expect(existsSync(path.join(job.cwd, "b"))).toBe(false);
  const lines = async (dir: string) => {
    const told = [];
    for (const line of ["2", "3"])
      told.push(
        (await job.ask("sheets", "reprint", "flow.yaml", "--lines", line, "--dir", dir)).code,
      );
    return told;
  };
  expect(await lines("out/shelves")).toEqual([2, 0]);
  expect(await lines("weg")).toEqual([0, 2]);
});
