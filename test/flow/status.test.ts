/** `status` of jobs that read rows. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { lockFolder } from "../../src/state/lock.ts";
import { openState } from "../../src/state/state.ts";
import { readIndex } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: shelf
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { type: Text, dynamic: false, qr_data: "{{ id }}", display_name: "{{ id }}" }
output: { dir: ../out, files: [svg], index: [] }
`;

it("says of how many codes the files are missing, and what fetches them", async () => {
  const files = makeJobFolder("id\na\nb\nc\n", MANIFEST);
  const status = async (): Promise<string> =>
    (await runInProcess(["status", files.manifest], { cwd: files.root })).out;
  await runInProcess(["run", files.manifest]);
  expect(await status()).toBe("shelf\n  3 done\n");
  rmSync(path.join(files.out, "artwork", "a.svg"));
  expect(await status()).toContain(
    "  3 done, files of 1 not all there, not those that the job asks for, or somebody has changed them (fetched by: ",
  );
  rmSync(path.join(files.out, "artwork"), { recursive: true });
  expect(await status()).toContain(
    "  3 done, files of 3 not all there, not those that the job asks for, or somebody has changed them (fetched by: makeready run jobs/flow.yaml)\n",
  );
  const { out } = await runInProcess(["status", files.manifest, "--json"]);
  expect(JSON.parse(out)).toMatchObject({ rows: { done: 3 }, missingFiles: 3 });
  await runInProcess(["run", files.manifest]);
  expect(await status()).toBe("shelf\n  3 done\n");
});

it("says that the last run was stopped or killed, though all codes are made", async () => {
  const files = makeJobFolder("id\na\nb\nc\n", MANIFEST);
  const status = async (): Promise<string> =>
    (await runInProcess(["status", files.manifest], { cwd: files.root })).out;
  const says =
    "  the last run did not end: files may be missing or unproven (finished by: makeready run jobs/flow.yaml)\n";
  const remember = (change: (result: string) => string): void => {
    const db = openSqlite(path.join(files.out, "state.db"));
    const kept = db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'last_result'");
    db.run("UPDATE meta SET value = ? WHERE key = 'last_result'", change(kept?.value ?? ""));
    db.close();
  };
  await runInProcess(["run", files.manifest]);
  remember((result) => result.replace('"outcome":"done"', '"outcome":"interrupted"'));
  expect(await status()).toBe(`shelf\n${says}  3 done\n`);
  // As a run leaves it whose proof failed.
  remember((result) =>
    result
      .replace('"outcome":"interrupted"', '"outcome":"rows-failed"')
      .replace(/\}$/u, ',"proof":{"isProven":false}}'),
  );
  expect(await status()).toBe(
    "shelf\n  the proof of the last run found faults: print none of its files; the report names each (proven again by: makeready run jobs/flow.yaml)\n  3 done\n",
  );
  // As a killed run leaves it.
  remember(() => "");
  expect(await status()).toBe(`shelf\n${says}  3 done\n`);
  const lock = await lockFolder(files.out);
  expect(await status()).not.toContain("did not end");
  lock.release();
  writeFileSync(path.join(files.root, "rows.csv"), "id\na\nb\nd\n");
  await runInProcess(["run", files.manifest]);
  expect(await status()).not.toContain("did not end");
});

it("says that a proof found faults until a run or verify has proven the same sheets", async () => {
  const sheets = MANIFEST.replace("index: []", "index: [], sheets: true");
  const files = makeJobFolder("id\na\nb\nc\n", sheets);
  const say = async (command: string) =>
    runInProcess([command, files.manifest], { cwd: files.root });
  /** As a run leaves it whose proof failed, over PDFs that are unchanged since. */
  const spoil = (): void => {
    const db = openSqlite(path.join(files.out, "state.db"));
    const finding = { rule: "decoded", severity: "error", message: "is unread", file: "shelf.pdf" };
    const set = "SET result = json_set(result, '$.findings', json(?)) WHERE name LIKE 'proof %'";
    db.run(`UPDATE packages ${set}`, JSON.stringify([finding]));
    const last = "json_set(value, '$.proof.isProven', json('false'))";
    db.run(`UPDATE meta SET value = ${last} WHERE key = 'last_result'`);
    db.close();
  };
  await say("run");
  spoil();
  expect((await say("status")).out).toContain("print none of its files");
  const again = await say("run");
  expect(again.out).toContain("all 3 codes read back from the PDFs");
  expect(again.code, again.out).toBe(0);
  expect((await say("status")).out).toBe("shelf\n  3 done\n");
  spoil();
  expect((await say("verify")).code).toBe(0);
  expect((await say("status")).out).toBe(
    "shelf\n  the proof of the last run found faults, and verify has found all files right since: report and certificate are still those of that run (made anew by: makeready run jobs/flow.yaml)\n  3 done\n",
  );
  expect((await say("run")).code).toBe(0);
  expect((await say("status")).out).toBe("shelf\n  3 done\n");
});

it("calls nothing that a killed run had sent on its way: it is in doubt, as the plan says", async () => {
  const files = makeJobFolder("id\na\nb\nc\n", MANIFEST);
  await runInProcess(["run", files.manifest]);
  const db = openSqlite(path.join(files.out, "state.db"));
  db.run("UPDATE rows SET state = 'sending' WHERE seq = (SELECT min(seq) FROM rows)");
  db.run("UPDATE rows SET state = 'doubt' WHERE seq = (SELECT max(seq) FROM rows)");
  db.close();
  const status = async (): Promise<string> => (await runInProcess(["status", files.manifest])).out;
  rmSync(path.join(files.out, "artwork", "b.svg"));
  const killed = await status();
  expect(killed).toContain("\n  2 in doubt: the answer was lost\n");
  expect(killed).toContain("\n  1 done, files of 1 not all there");
  const lock = await lockFolder(files.out);
  const running = await status();
  expect(running).toMatch(
    /\n {2}runs right now: process \d+ on [^\n]+\n(?:.*\n)*? {2}1 on the wire\n/u,
  );
  expect(running).toContain("\n  1 done\n");
  lock.release();
});

const FORMS = `version: 1
name: rooms
kind: forms
source: { file: ../rows.csv, key: [id] }
form:
  title: "Room {{ id }}"
  fields: [{ field_type: text, label: Name }]
  logo_url: "{{ logo }}"
output: { dir: ../out, files: [svg], index: [] }
`;

it("a form whose logo was refused is not finished, and lacks no files", async () => {
  const files = makeJobFolder("id,logo\na,\nb,http://127.0.0.1:9/logo.png\n", FORMS);
  const say = async (command: string): Promise<string> =>
    (await runInProcess([command, files.manifest], { cwd: files.root })).out;
  const ran = await say("run");
  expect(ran).toContain("1 created, 1 failed");
  expect(ran).toContain("the server must fetch the logo of the form, but it answered 400: ");
  expect(ran).not.toContain("logo-url/");
  expect(await say("status")).toBe(
    "rooms\n  2 done\n  1 of the done are not finished: the server refused a later call (tried again by: makeready run jobs/flow.yaml)\n",
  );
  const plan = await say("plan");
  expect(plan).toContain("1 to update, 1 unchanged");
  expect(plan).not.toContain("are missing");
  // What the message says helps: then the address itself is asked, where nobody answers.
  const env = { MAKEREADY_ALLOW_PRIVATE_FETCH: "true" };
  const { out, err } = await runInProcess(["run", files.manifest], { cwd: files.root, env });
  expect(`${out}${err}`).not.toContain("the address must be public");
  expect(`${out}${err}`).toContain("logo_url");
});

const SERIALS = `version: 1
name: passports
kind: codes
source: { rows: 3, serial: { length: 12 } }
code: { type: Text, dynamic: false, qr_data: "{{ serial }}", display_name: "{{ serial }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { reprint: new } }
`;

it("fresh serials are counted while another process writes; where they can't be, that is said", async () => {
  const files = makeJobFolder("", SERIALS);
  const say = async (command: string, ...more: string[]): Promise<string> => {
    const { out, err, code } = await runInProcess([command, files.manifest, ...more]);
    expect(code, err).toBe(0);
    return out;
  };
  await say("run");
  const [first] = readIndex(files.out);
  await say("void", "--key", first?.["key"] ?? "", "--yes");
  await say("replace", "--key", first?.["key"] ?? "", "--yes");
  const ledger = path.join(files.data, "serials.db");
  const writer = openSqlite(ledger, "delete");
  try {
    writer.exec("BEGIN IMMEDIATE");
    expect(await say("status")).toContain("1 to be made in the place of void codes");
  } finally {
    writer.close();
  }
  const before = readFileSync(ledger);
  for (const [bytes, why] of [
    ["no database", "file is not a database"],
    [undefined, "unable to open database file"],
  ] as const) {
    rmSync(ledger);
    if (bytes !== undefined) writeFileSync(ledger, bytes);
    const status = await say("status");
    expect(status).toContain("3 done");
    expect(status).toMatch(
      new RegExp(`fresh serials are not counted: \\S+serials\\.db must be a ledger .*${why}`, "u"),
    );
    expect(JSON.parse(await say("status", "--json"))).toMatchObject({
      fresh: 0,
      uncounted: { hint: "put it back from a backup: it knows which serials are taken" },
    });
    expect(existsSync(ledger)).toBe(bytes !== undefined);
  }
  writeFileSync(ledger, before);
  expect(await say("status")).not.toContain("not counted");
});

it("says that a run asked first and got no yes, until one is begun", async () => {
  const files = makeJobFolder("id\na\nb\nc\n", `${MANIFEST}safety: { confirm_over: 2 }\n`);
  const say = async (...words: string[]): Promise<string> => {
    const [command = "", ...more] = words;
    const { out } = await runInProcess([command, files.manifest, ...more], { cwd: files.root });
    return out;
  };
  const waits =
    "  the last run asked first and got no yes: it changed nothing (look first: makeready plan jobs/flow.yaml; then: makeready run jobs/flow.yaml --yes)\n";
  // Such a first run leaves nothing behind.
  await say("run");
  expect(await say("status")).toBe(
    "shelf\n  not started; to see what a run would do: makeready plan jobs/flow.yaml\n",
  );
  await say("run", "--yes");
  expect(await say("status")).toBe("shelf\n  3 done\n");
  writeFileSync(files.csv, "id\na\nb\nc\nd\ne\nf\n");
  await say("run");
  expect(await say("status")).toMatch(
    /^shelf\n {2}the spreadsheet has changed since .*\n {2}3 done\n/u,
  );
  expect(await say("status")).toContain(waits);
  // Nothing is left to ask about.
  writeFileSync(files.csv, "id\na\nb\nc\n");
  await say("run");
  expect(await say("status")).toBe("shelf\n  3 done\n");
});

it("a state that no run has begun is no finished job, and verify says so", async () => {
  const files = makeJobFolder("id\na\n", MANIFEST);
  mkdirSync(files.out);
  // As a run that is killed before its first row leaves it.
  openState(files.out, { writer: "test", salt: "", nowMs: 0 }).close();
  const { code, err } = await runInProcess(["verify", files.manifest], { cwd: files.root });
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("must hold a finished job, got a state"),
  ]);
  expect(err).toContain("run it first: makeready run jobs/flow.yaml");
});
