/** Codes that lie in a data folder, or at a server, other than the one that a command finds: it makes none. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { openState } from "../../src/state/state.ts";
import { RowPictures } from "../../src/state/row-pictures.ts";
import { runInProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote } from "./remote.ts";

const CODES = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf] }
code: { type: Link, dynamic: true, qr_data: "https://example.com/{{ shelf }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, name: shelves.pdf } }
`;
const SERIALS = CODES.replace("file: ../rows.csv, key: [shelf]", "rows: 3, serial: { length: 10 }")
  .replaceAll("{{ shelf }}", "{{ serial }}")
  .replace("shelves.pdf", "shelves.pdf, reprint: new");
const FORMS = `version: 1
name: shelves
kind: forms
source: { file: ../rows.csv, key: [shelf] }
form:
  title: "{{ shelf }}"
  fields: [{ label: "What is missing?", field_type: textarea }]
output: { dir: ../out, files: [svg] }
`;

const call = ({ manifest, root }: JobFolder, words: string, env: Record<string, string> = {}) => {
  const [command = "", ...more] = words.split(" ");
  const [first, action] = command === "sheets" ? [command, more.shift() ?? ""] : [command];
  const named = action === undefined ? [manifest] : [action, manifest];
  return runInProcess([first ?? "", ...named, ...more], { cwd: root, env });
};

async function runNew(manifest: string): Promise<JobFolder> {
  const files = makeJobFolder("shelf\nA\nB\nC\n", manifest);
  const { code, err } = await call(files, "run");
  expect(code, err).toBe(0);
  return files;
}
const makeRun = madeOnce(runNew);

/** The same job, run at another server. */
async function runElsewhere(manifest: string): Promise<JobFolder> {
  const files = makeJobFolder("shelf\nA\nB\nC\n", manifest);
  const home = mkdtempSync(path.join(os.tmpdir(), "makeready-home-"));
  const remote = await openRemote(home, "https://codes.example");
  const ran = await runInProcess(["run", files.manifest], remote);
  expect(ran.code, ran.err).toBe(0);
  await remote.close();
  return files;
}
const makeElsewhere = madeOnce(runElsewhere);

describe("the data folder is away", () => {
  it.each([
    "sheets reprint --lines 2",
    "sheets reprint --sheets 1",
    "void --lines 3 --yes",
    "activate --lines 3",
    "replace --lines 3 --yes",
    "reconcile",
    "scan out/shelves.pdf",
  ])("%s refuses as run does, and makes none", async (words) => {
    const files = await makeRun(CODES);
    expect((await call(files, "void --lines 2 --yes")).code).toBe(0);
    renameSync(files.data, `${files.data}-kept`);
    const { code, out, err } = await call(files, words);
    expect(err).toMatch(/must be used with workspace \S+, got none: \S+ holds no codes/u);
    expect([code, out]).toEqual([6, ""]);
    expect(existsSync(files.data)).toBe(false);
    renameSync(`${files.data}-kept`, files.data);
    expect((await call(files, "sheets reprint --lines 2")).err).toContain("must not be void");
  });

  it.each([
    "plan",
    "plan --change-server",
    "run",
    "retire",
    "retire --delete --yes",
    "preview",
    "sheets proof",
    "replace --lines 3 --yes",
  ])("%s mints no serials in another one", async (words) => {
    const files = await makeRun(SERIALS);
    renameSync(files.data, `${files.data}-kept`);
    const { code, err } = await call(files, words);
    expect(err).toMatch(/must be used with workspace \S+, got none: /u);
    expect(code).toBe(6);
    expect(existsSync(files.data)).toBe(false);
  });

  it.each(["away", "damaged"])(
    "a job of serials whose state is %s is made anew with --fresh",
    async (what) => {
      const files = await makeRun(SERIALS);
      if (what === "away") renameSync(files.data, `${files.data}-kept`);
      else writeFileSync(path.join(files.out, "state.db"), "no database");
      const { code, err } = await call(files, "run --fresh --yes");
      expect(code, err).toBe(0);
    },
  );

  it("answers asks no service that was made for the question", async () => {
    const files = await makeRun(FORMS);
    renameSync(files.data, `${files.data}-kept`);
    const { code, err } = await call(files, "answers");
    expect(err).toMatch(/must be used with workspace \S+, got none: /u);
    expect(code).toBe(6);
    expect(existsSync(files.data)).toBe(false);
  });
});

it.each(["sheets reprint --lines 3", "void --lines 3 --yes", "reconcile", "scan out/shelves.pdf"])(
  "%s of a job of another server, in a shell that does not name it",
  async (words) => {
    const files = await makeElsewhere(CODES);
    const left = readdirSync(files.data);
    const { code, err } = await call(files, words);
    expect(err).toContain("must be used with server https://codes.example/api/v2, got embedded");
    expect(err).toContain("set MAKEREADY_BASE_URL to https://codes.example/api/v2");
    expect(code).toBe(6);
    expect(readdirSync(files.data)).toEqual(left);
  },
);

const FOREIGN = /must be used with workspace \S+, got none: \S+ holds no codes/u;

describe("of codes whose data folder is away", () => {
  it("status says why a run is refused, and recommends none", async () => {
    const files = await makeRun(CODES.replace("files: []", "files: [svg]"));
    renameSync(files.data, `${files.data}-kept`);
    rmSync(path.join(files.out, "artwork"), { recursive: true });
    writeFileSync(files.csv, "shelf\nA\nB\nC\nD\n");
    const { code, out } = await call(files, "status");
    expect(code).toBe(0);
    const refused = await call(files, "plan");
    const [, says = ""] = /^error: (.*)$/mu.exec(refused.err) ?? [];
    expect(says).toMatch(FOREIGN);
    expect(out).toContain(`  ${says} (`);
    expect(out).toContain("name its data folder with --data");
    expect(out).toContain(
      "the spreadsheet has changed since the last run: the files are not made as it says now\n",
    );
    expect(out).toContain(
      "3 done, files of 3 not all there, not those that the job asks for, or somebody has changed them\n",
    );
    expect(out).not.toContain("makeready run");
    const json = JSON.parse((await call(files, "status --json")).out) as Record<string, unknown>;
    expect(json["foreign"]).toEqual({ message: says, hint: expect.any(String) as string });
    renameSync(`${files.data}-kept`, files.data);
    expect((await call(files, "status")).out).not.toMatch(FOREIGN);
  });

  it("doctor fails with the same reason", async () => {
    const files = await makeRun(CODES);
    renameSync(files.data, `${files.data}-kept`);
    const { code, out } = await call(files, "doctor");
    expect(out).toMatch(FOREIGN);
    expect(out).toContain("1 check failed");
    expect(out).not.toContain("rehearsal");
    expect(code).toBe(6);
    expect(existsSync(files.data)).toBe(false);
  });

  it("verify proves the files, and says that it knows no more of the codes", async () => {
    const files = await makeRun(CODES);
    renameSync(files.data, `${files.data}-kept`);
    const { code, out, err } = await call(files, "verify");
    expect([code, out]).toEqual([0, expect.stringContaining("all 3 codes read back")]);
    expect(err).toContain("only the files were proven, not what their codes do today: ");
    expect(err).toMatch(FOREIGN);
  });
});

it("status and doctor of a job of another server, in a shell that does not name it", async () => {
  const files = await makeElsewhere(CODES);
  const says = "must be used with server https://codes.example/api/v2, got embedded";
  const step = "set MAKEREADY_BASE_URL to https://codes.example/api/v2";
  const { code, out } = await call(files, "status");
  expect(out).toContain(says);
  expect(out).toContain(step);
  expect(out).not.toContain("changed since");
  expect(out).toContain("\n  3 done\n");
  expect(code).toBe(0);
  const doctor = await call(files, "doctor");
  expect(doctor.out).toContain(says);
  expect(doctor.out).toContain(step);
  expect(doctor.out).not.toContain("rehearsal");
  expect(doctor.code).toBe(6);
  const known = await call(files, "status", { MAKEREADY_BASE_URL: "https://codes.example/api/v2" });
  expect(known.out).toBe("shelves\n  3 done\n");
});

it("codes made after a backup are gone once it is restored: nothing is ready, and all say so", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", CODES);
  expect((await call(files, "run --limit 1")).code).toBe(0);
  cpSync(files.data, `${files.data}-old`, { recursive: true });
  expect((await call(files, "run")).code).toBe(0);
  rmSync(files.data, { recursive: true });
  renameSync(`${files.data}-old`, files.data);
  const says = /no longer has 2 of 3 codes: B, C;/u;
  for (const [words, exit] of [
    ["plan", 6],
    ["run", 6],
    ["verify", 3],
    ["reconcile", 3],
    ["doctor", 6],
  ] as const) {
    const { code, out, err } = await call(files, words);
    expect(out + err, words).toMatch(says);
    expect(code, words).toBe(exit);
    if (words === "reconcile") expect(out).toContain(" (2): B; C");
  }
  expect((await call(files, "status")).out).toMatch(says);
  const asked = await call(files, "retry --set safety.confirm_over=1");
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining("without a yes")]);
  expect((await call(files, "status")).out).toMatch(says);
  const retried = await call(files, "retry");
  expect(retried.code, retried.err).toBe(0);
  expect(retried.err).toContain(
    "the service no longer has 2 codes of this job, B, C: a retry makes them anew",
  );
  expect(retried.out).toMatch(/2 created, 1 unchanged/u);
  expect((await call(files, "verify")).code).toBe(0);
  expect((await call(files, "reconcile")).code).toBe(0);
});

it("a single code that is gone may have been deleted on purpose: doctor warns, as plan and run do", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", CODES);
  expect((await call(files, "run --limit 2")).code).toBe(0);
  cpSync(files.data, `${files.data}-old`, { recursive: true });
  expect((await call(files, "run")).code).toBe(0);
  rmSync(files.data, { recursive: true });
  renameSync(`${files.data}-old`, files.data);
  for (const words of ["doctor", "plan"]) {
    const { code, out, err } = await call(files, words);
    expect(out + err, words).toMatch(/no longer has 1 of 3 codes: C;/u);
    expect(code, words).toBe(0);
  }
  // A run goes on, so its command stands there.
  writeFileSync(files.csv, "shelf\nA\nB\nC\nD\n");
  const { out } = await call(files, "status");
  expect(out).toMatch(/no longer has 1 of 3 codes: C;/u);
  expect(out).toContain("made anew by: ");
});

it("older codes that somebody deleted at the service are named by all, and none is ready", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", CODES);
  expect((await call(files, "run --public-url https://go.example.com")).code).toBe(0);
  expect((await call(files, "verify")).code).toBe(0);
  const certificate = path.join(files.out, "certificate.json");
  expect(existsSync(certificate)).toBe(true);
  const db = openSqlite(path.join(files.data, "service.db"));
  db.run("DELETE FROM codes WHERE display_name IN ('A', 'B')");
  db.close();
  const says = /no longer has 2 of 3 codes: A, B;/u;
  for (const [words, exit] of [
    ["plan", 0],
    ["verify", 3],
    ["reconcile", 3],
    ["status", 0],
    ["run", 0],
  ] as const) {
    const { code, out, err } = await call(files, words);
    expect(out + err, words).toMatch(says);
    expect(code, words).toBe(exit);
    expect(out, words).not.toMatch(/\nready for press|Ready for press/u);
  }
  expect(existsSync(certificate)).toBe(false);
  const retried = await call(files, "retry");
  expect(retried.out).toMatch(/2 created, 1 unchanged/u);
  expect(existsSync(certificate)).toBe(true);
});

it("codes that a killed retry had counted as gone are taken back once the service has them again", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", CODES);
  expect((await call(files, "run")).code).toBe(0);
  const pdf = readFileSync(path.join(files.out, "shelves.pdf"));
  // What a retry leaves that is killed before its plan, and one that is killed on its way to the service.
  const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
  const short = state.row("B")?.shortLink;
  for (const key of ["A", "B", "C"]) state.retired.gone(key, "2026-01-01T00:00:00.000Z");
  state.journal.intend([{ key: "C", ref: "ref", bodyHash: "hash", intentAtMs: 0 }]);
  expect(state.row("B")).toMatchObject({ state: "pending", generation: 2, shortLink: null });
  state.close();
  const says =
    /has 3 codes of this job again that a retry had counted as gone, A, B, C: they are taken back, and not made/u;
  const plan = await call(files, "plan");
  expect(plan.out + plan.err).toMatch(says);
  expect(plan.out).toContain("3 unchanged");
  const { code, out, err } = await call(files, "run");
  expect(code, err).toBe(0);
  expect(out + err).toMatch(says);
  expect(out).toContain("3 unchanged");
  expect(out).not.toMatch(/[1-9]\d* created/u);
  const after = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
  expect(after.row("B")).toMatchObject({ state: "done", shortLink: short, parts: {} });
  after.close();
  expect(readFileSync(path.join(files.out, "shelves.pdf"))).toEqual(pdf);
  expect((await call(files, "verify")).code).toBe(0);
  const reconciled = await call(files, "reconcile");
  expect(reconciled.code, reconciled.out + reconciled.err).toBe(0);
  expect((await call(files, "run")).out + err).not.toMatch(/created, /u);
});

it.each([
  ["codes", CODES],
  ["forms", FORMS],
])("%s that a retry made anew give way to those of a newer backup", async (_, manifest) => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", manifest);
  const name = manifest === CODES ? "shelves.pdf" : "artwork/a.svg";
  expect((await call(files, "run --limit 1")).code).toBe(0);
  cpSync(files.data, `${files.data}-old`, { recursive: true });
  expect((await call(files, "run")).code).toBe(0);
  const pdf = readFileSync(path.join(files.out, name));
  renameSync(files.data, `${files.data}-new`);
  renameSync(`${files.data}-old`, files.data);
  expect((await call(files, "retry")).out).toContain("2 created");
  rmSync(files.data, { recursive: true });
  renameSync(`${files.data}-new`, files.data);
  const refused = await call(files, "run");
  expect([refused.code, refused.err]).toEqual([
    6,
    expect.stringContaining("it has those again that these rows had before; to take them back: "),
  ]);
  const { code, out, err } = await call(files, "retry");
  expect(code, err).toBe(0);
  expect(out + err).toMatch(/has 2 codes of this job again .* B, C: they are taken back/u);
  expect(out).not.toMatch(/[1-9]\d* created/u);
  expect(err).not.toContain("anew");
  expect(readFileSync(path.join(files.out, name))).toEqual(pdf);
  expect((await call(files, "verify")).code).toBe(0);
});

it("a disk that is full while pictures are written is no fault of a row, and the address is kept", async () => {
  const files = makeJobFolder("shelf\nA\nB\n", CODES.replace("files: []", "files: [png]"));
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  const spied = vi.spyOn(RowPictures.prototype, "set").mockImplementation(() => {
    throw full;
  });
  try {
    const { err, out } = await call(files, "run --public-url https://go.example.com");
    expect(err).toContain("the disk is full (ENOSPC)");
    expect(out + err).not.toContain("failed: ");
  } finally {
    spied.mockRestore();
  }
  const status = await call(files, "status");
  expect(status.out).toContain("the last run did not end");
  expect((await call(files, "run")).out).not.toMatch(/rehearsal/iu);
});
