/** Codes whose new design the server refuses: they stay as they were, and everything says so. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { frozenClock, runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson, withApi } from "./seed.ts";

const RESTYLE = `version: 1
name: restyle
kind: redesign
select: { folder: Tables }
design: { primary_color: "#0a3d62" }
output: { dir: ../out, files: [svg], index: [csv], sheets: true }
`;

const open: Remote[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Six codes at a remote server, which refuses the new design of some of them. */
async function makeCodes(manifest = RESTYLE, rows = "") {
  const files = makeJobFolder(rows, manifest);
  const names = new Map<string, string>();
  await withApi(files.data, async (api) => {
    for (let n = 1; n <= 6; n += 1) {
      const name = `table ${n}`;
      const made = await api.code({
        qr_data: `https://a.example/${n}`,
        dynamic: true,
        display_name: name,
        folderPath: "Tables",
      });
      names.set(String(made["id"]), name);
    }
  });
  const refused = new Set(["table 3", "table 5", "table 6"]);
  const remote = await openRemote(files.data, "https://codes.example", ({ method, url }) => {
    const [, id = ""] = /\/qrcode\/([^/]+)\//u.exec(url) ?? [];
    return method === "PATCH" && refused.has(names.get(id) ?? "") ? 400 : undefined;
  });
  open.push(remote);
  const at = { env: remote.env, transport: remote.transport, clock: frozenClock };
  return {
    ...files,
    refused,
    idOf: (name: string) => [...names].find(([, named]) => named === name)?.[0] ?? "",
    json: (...args: string[]) => runJson([...args, files.manifest], at),
    say: async (...args: string[]) => {
      const { code, out, err } = await runInProcess([...args, files.manifest], at);
      return { code, said: `${out}${err}` };
    },
    read: (name: string) => readFileSync(path.join(files.out, name), "utf8"),
  };
}

/** The last column of an index. */
const statesOf = (index: string): string[] =>
  index
    .trim()
    .split(/\r?\n/u)
    .slice(1)
    .map((line) => line.slice(line.lastIndexOf(",") + 1));

const SAYS =
  "the server refused to change 3 codes, so they are not as the job wants them: table 3, table 5 and table 6";

it("are counted by every verdict on what the run made", async () => {
  const job = await makeCodes();
  const ran = await job.say("run");
  expect(ran.code, ran.said).toBe(3);
  expect(ran.said).toContain(SAYS);
  expect((await job.say("verify")).said).toContain(SAYS);
  expect(job.read("report.html").includes(SAYS.slice(1))).toBe(true);
  expect(job.read("certificate.json")).toContain(SAYS);
  job.refused.clear();
  const again = await job.say("run");
  expect(again.said).not.toContain("refused to change");
  expect((await job.say("verify")).said).not.toContain("refused to change");
});

it("count as failed in status and index, as in the run", async () => {
  const job = await makeCodes();
  const ran = lineOf(await job.json("run"), "summary");
  expect(ran).toMatchObject({ changed: 3, failed: 3 });
  expect(statesOf(job.read("index.csv"))).toEqual([
    "done",
    "done",
    "failed",
    "done",
    "failed",
    "failed",
  ]);
  const status = lineOf(await job.json("status"), "summary");
  expect(status).toMatchObject({ rows: { done: 3, failed: 3 }, halfway: 0 });
  const { said } = await job.say("status");
  expect(said).toMatch(
    /\n {2}3 done\n {2}3 refused by the server \(tried again by: makeready run /u,
  );
  expect(said).not.toContain("later call");
  job.refused.clear();
  expect(lineOf(await job.json("run"), "summary")).toMatchObject({ changed: 3, failed: 0 });
  expect(lineOf(await job.json("status"), "summary")["rows"]).toEqual({ done: 6 });
  expect(new Set(statesOf(job.read("index.csv")))).toEqual(new Set(["done"]));
});

const RETARGET = `version: 1
name: move
kind: retarget
source: { file: ../rows.csv }
match: { by: [display_name], value: "{{ code }}" }
set: { display_name: "new {{ code }}" }
safety: { check_destination: none }
output: { dir: ../out, index: [csv] }
`;
const MOVES = `code\n${[1, 2, 3, 4, 5, 6].map((n) => `table ${n}`).join("\n")}\n`;

it("count as failed after a retarget, too", async () => {
  const job = await makeCodes(RETARGET, MOVES);
  expect(lineOf(await job.json("run"), "summary")).toMatchObject({ changed: 3, failed: 3 });
  const counts = { rows: { done: 3, failed: 3 }, halfway: 0 };
  expect(lineOf(await job.json("status"), "summary")).toMatchObject(counts);
  expect((await job.say("status")).said).toMatch(
    / 3 refused by the server \(tried again by: .*run /u,
  );
  expect(statesOf(job.read("index.csv")).filter((state) => state === "failed")).toHaveLength(3);
});

it.each([
  ["redesign", RESTYLE, ""],
  ["retarget", RETARGET, MOVES],
])("are no longer to mend once the %s is undone", async (_kind, manifest, rows) => {
  const job = await makeCodes(manifest, rows);
  expect(lineOf(await job.json("run"), "summary")).toMatchObject({ changed: 3, failed: 3 });
  const undone = await job.say("undo", "--yes");
  expect(undone.code, undone.said).toBe(0);
  expect(undone.said).toContain("3 put back");
  expect(undone.said).not.toMatch(/failed|to mend/u);
  const { said } = await job.say("status");
  expect(said).toMatch(/\n {2}3 of the done were put back by undo/u);
  expect(said).toMatch(/\n {2}3 left to do: not yet as the job wants them/u);
  expect(said).not.toContain("refused");
  job.refused.clear();
  expect(lineOf(await job.json("run"), "summary")).toMatchObject({ changed: 6, failed: 0 });
});

it("after an undo, count as refused, not as put back without files", async () => {
  const job = await makeCodes();
  const refused = [...job.refused];
  job.refused.clear();
  await job.json("run");
  await job.json("undo", "--yes");
  for (const name of refused) job.refused.add(name);
  expect(lineOf(await job.json("run"), "summary")).toMatchObject({ changed: 3, failed: 3 });
  const status = lineOf(await job.json("status"), "summary");
  const counts = { rows: { done: 3, failed: 3 }, undone: 0, undoneWithoutFiles: 0 };
  expect(status).toMatchObject(counts);
});

it.each([
  ["redesign", RESTYLE, ""],
  ["retarget", RETARGET, MOVES],
])(
  "were under way when a %s was killed: its undo leaves them, and nobody says that it put them back",
  async (_kind, manifest, rows) => {
    const job = await makeCodes(manifest, rows);
    await job.json("run");
    // As a killed run leaves it: noted before it was sent.
    const [state = ""] = readdirSync(job.out, { recursive: true, encoding: "utf8" }).filter(
      (name) => path.basename(name) === "changes.db",
    );
    const db = openSqlite(path.join(job.out, state));
    db.run(
      `INSERT INTO changes SELECT run, ?, ?, is_link, ?, before, after, 'begun' FROM changes LIMIT 1`,
      ...Array.from({ length: 2 }, () => job.idOf("table 3")),
      "table 3",
    );
    db.run("UPDATE runs SET finished = 0");
    if (manifest === RETARGET)
      db.run(`UPDATE changes SET before = '{"display_name":"table 3"}' WHERE state = 'begun'`);
    db.close();
    const undone = lineOf(await job.json("undo", "--yes"), "summary");
    // Those that the run could not change are in the report, too.
    expect(undone).toMatchObject({ changed: 3, unchanged: 3, failed: 0 });
    expect(lineOf(await job.json("status"), "summary")).toMatchObject({ undone: 3, unfinished: 3 });
  },
);

const TOO_LONG = `version: 1
name: restyle
kind: redesign
select: { folder: Tables }
design: { frame: speech-bubble, text: "Hello, {{ display_name }}" }
output: { dir: ../out, files: [svg], index: [csv], sheets: true }
`;

it("a text that a code fills in too long for its frame is a fault of the plan, at that code", async () => {
  const files = makeJobFolder("", TOO_LONG);
  await withApi(files.data, async (api) => {
    for (const name of ["table 1", "table in the winter garden"]) {
      const code = { qr_data: "https://a.example/", dynamic: true, display_name: name };
      await api.code({ ...code, folderPath: "Tables" });
    }
  });
  const at = { clock: frozenClock };
  const plan = await runInProcess(["plan", files.manifest], at);
  expect(plan.out).toContain("2 codes: codes in Tables (1 good, 1 bad)");
  expect(plan.out).toContain(
    "bad code  table in the winter garden: text must be at most 30 characters in the frame speech-bubble, got 33",
  );
  const ran = await runInProcess(["run", files.manifest], at);
  expect(ran.code).toBe(3);
  expect(ran.out).toContain("1 changed, 1 bad among the codes");
  expect(lineOf(await runJson(["run", files.manifest], at), "summary")).toMatchObject({
    writes: 0,
  });
  const verified = await runInProcess(["verify", files.manifest], at);
  expect(verified.out).toContain("1 row of the job is missing: table in the winter garden");
  // The text that did not fit is no longer wanted.
  const undone = await runInProcess(["undo", files.manifest, "--yes"], at);
  expect([undone.code, undone.out]).toEqual([0, expect.not.stringMatching(/bad|to mend|failed/u)]);
  const report = readFileSync(path.join(files.out, "report.html"), "utf8");
  expect(report.includes("1 row of the job is missing")).toBe(true);
});
