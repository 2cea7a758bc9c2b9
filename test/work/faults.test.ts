/** What may go wrong with `--on`: a sentence each, and a way on. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { drawTask } from "../../src/print/draw/volume-task.ts";
import { FileChanged } from "../../src/verify/proof/prover.ts";
import type { PagesProof } from "../../src/verify/proof/prove-pages.ts";
import type { Near } from "../../src/work/compute-chunk.ts";
import { FarProver } from "../../src/work/far-prover.ts";
import { Queue, type Program } from "../../src/work/queue.ts";
import { tryChunk } from "../../src/work/try-chunk.ts";
import { work } from "../../src/work/work.ts";
import { runHere, runInProcess } from "../flow/in-process.ts";
import { freshDatabase, hasPostgres } from "../postgres.ts";
import {
  ask,
  countAsUp,
  forgetProof,
  makeFarJob,
  makeTables,
  start,
  until,
  untilTold,
} from "./far.ts";

const program: Program = { name: "makeready test", hash: "a".repeat(64) };
const other: Program = { name: "makeready test", hash: "b".repeat(64) };

/** Claims of some pages, one each. */
const claimsOf = (pages: number) =>
  Array.from({ length: pages }, (_, i) => ({
    page: i + 1,
    row: 0,
    column: 0,
    key: `row ${i + 1}`,
    payloadHash: "",
    label: { x: 0, y: 0, width: 1, height: 1 },
    code: { x: 0, y: 0, width: 1, height: 1 },
  }));

/** Finds fault with the first page of whatever it gets; throws for files that say so. */
const stub = (throws?: Error): Near & { readonly seen: string[] } => {
  const seen: string[] = [];
  return {
    seen,
    portions: () => ({ atOnce: 1, pictures: 200 }),
    pages: ({ claims, pdf }): Promise<PagesProof> => {
      seen.push(Buffer.from(pdf).toString());
      if (throws !== undefined) return Promise.reject(throws);
      const faults = claims.filter(({ page }) => page === 1);
      return Promise.resolve({
        decoded: claims.length - faults.length,
        compared: 0,
        renders: claims.length,
        faults: faults.map((claim) => ({ claim, message: "no" })),
      });
    },
    pictures: ({ pictures }) =>
      Promise.resolve(
        pictures.map(({ file }) =>
          file.endsWith("bad.png") ? { rule: "artwork-empty", message: "empty" } : undefined,
        ),
      ),
    draw: drawTask,
    close: () => Promise.resolve(),
  };
};

interface Far {
  readonly prover: FarProver;
  readonly said: string[];
  readonly warned: string[];
}

const refused = async (address: string) => {
  const { code, err } = await runInProcess(["work", "--on", address]);
  return `${code} ${err}`;
};

/** Says at the end, as the last line, which of both was loaded. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from "node:module";
  const { cache } = createRequire(process.cwd() + "/");
  process.on("exit", () => {
    const loaded = Object.keys(cache).map((file) => /node_modules\\/(pg|pg-boss)\\//.exec(file)?.[1]);
    console.log(JSON.stringify([...new Set(loaded.filter(Boolean))].sort()));
  });
`)}`;

/** Which of them a command loads. */
const list = async (manifest: string, more: readonly string[]): Promise<unknown> => {
  const args = ["--import", TELL, "dist/cli/main.js", "verify", manifest, "--json", ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return lastOf(stdout);
};

const lastOf = (text: string): unknown => JSON.parse(text.trim().split("\n").at(-1) ?? "");

/** A worker without trouble. */
const workerOf = (n: number, host: string, threads: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  host,
  pid: 1,
  threads,
  trouble: null,
});

/** A clock for how long things take that runs fast: what is looked at every other second is with each look. */
function hurry(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() * 100);
}

describe.skipIf(!hasPostgres)("--on", () => {
  let url = "";
  let folder = "";
  let file = "";
  beforeEach(async () => {
    hurry();
    url = await freshDatabase();
    folder = mkdtempSync(path.join(tmpdir(), "makeready-far-"));
    file = path.join(folder, "s.pdf");
    writeFileSync(file, "a pdf");
  });

  const open = async (near: Near, signal = new AbortController().signal): Promise<Far> => {
    const queue = await Queue.open(url, program);
    const [said, warned]: [string[], string[]] = [[], []];
    const prover = new FarProver({
      queue,
      near,
      signal,
      say: (message) => said.push(message),
      warn: (message) => warned.push(message),
    });
    return { prover, said, warned };
  };
  const taskOf = (pages: number) => ({
    file,
    pdf: readFileSync(file),
    hidden: [],
    claims: claimsOf(pages),
    pageMm: { width: 10, height: 10 },
    offsetMm: { x: 0, y: 0 },
    dpi: 300,
  });
  const makeChunk = () => ({
    id: "00000000-0000-8000-8000-000000000001",
    job: { kind: "pages" as const, batch: "b", file, sha256: "", pages: "1-2", claims: "" },
  });
  const counts = async () =>
    (
      await ask<{ jobs: number; results: number }>(
        url,
        "SELECT (SELECT count(*)::int FROM pgboss.job) AS jobs, (SELECT count(*)::int FROM chunk_results) AS results",
      )
    )[0];

  it("without a worker this computer works by itself, and leaves nothing behind", async () => {
    const near = stub();
    const { prover, said } = await open(near);
    const [first] = claimsOf(45);
    expect(await prover.pages(taskOf(45))).toEqual({
      decoded: 44,
      compared: 0,
      renders: 45,
      faults: [{ claim: first, message: "no" }],
    });
    expect(near.seen).toHaveLength(3);
    expect(said).toEqual(["no worker is up: this computer proves by itself"]);
    expect(await counts()).toEqual({ jobs: 3, results: 3 });
    await prover.close();
    expect(await counts()).toEqual({ jobs: 0, results: 0 });
    expect(readdirSync(folder)).toEqual(["s.pdf"]);
  });

  it("answers that a killed run left are found by the next one, and nothing is computed twice", async () => {
    const near = stub();
    const first = await open(near);
    await first.prover.pages(taskOf(45));
    // It never closed.
    const again = stub();
    const second = await open(again);
    expect((await second.prover.pages(taskOf(45))).decoded).toBe(44);
    expect(again.seen).toEqual([]);
    await second.prover.close();
    await first.prover.close();
  });

  it("a chunk is one job however often it is put in, and has one answer", async () => {
    const queue = await Queue.open(url, program);
    const chunk = makeChunk();
    await queue.submit([chunk]);
    await queue.submit([chunk]);
    expect(await counts()).toEqual({ jobs: 1, results: 0 });
    await ask(url, "ALTER TABLE pgboss.job RENAME TO away");
    await expect(queue.fetch()).rejects.toThrow('relation "pgboss.job" does not exist');
    await ask(url, "ALTER TABLE pgboss.away RENAME TO job");
    await queue.fetch();
    await queue.answer(chunk, { decoded: 1, compared: 0, renders: 1, faults: [] });
    await queue.answer(chunk, { decoded: 2, compared: 0, renders: 1, faults: [] });
    await queue.submit([chunk]);
    expect(await counts()).toEqual({ jobs: 1, results: 1 });
    expect([...(await queue.answers([chunk.id])).values()]).toEqual([
      { decoded: 1, compared: 0, renders: 1, faults: [] },
    ]);
    await queue.close();
  });

  it("a chunk goes to others as soon as its worker is dead, whenever that one was killed", async () => {
    const queue = await Queue.open(url, program);
    const chunk = makeChunk();
    await queue.submit([chunk]);
    const [dead, other] = [workerOf(1, "far", 1), workerOf(2, "near", 1)];
    await queue.beat(dead, []);
    expect(await queue.fetch(undefined, dead.id)).toMatchObject({ id: chunk.id, delivery: 1 });
    await queue.reap();
    await queue.submit([chunk]);
    expect(await queue.fetch(undefined, other.id)).toBeUndefined();
    await ask(url, "UPDATE chunk_workers SET seen = seen - interval '9 seconds'");
    await queue.reap();
    expect(await queue.fetch()).toMatchObject({ id: chunk.id, delivery: 2 });
    // Its run was killed, and begins again.
    await queue.submit([chunk]);
    expect(await queue.fetch()).toMatchObject({ id: chunk.id });
    await queue.close();
  });

  it("a chunk that no worker can prove is proven here after three deliveries, and reported", async () => {
    const worker = await Queue.open(url, program);
    await countAsUp(url);
    await worker.beat(workerOf(1, "far", 1), []);
    const near = stub();
    const { prover, warned, said } = await open(near);
    const proof = prover.pages(taskOf(2));
    const broken = stub(new Error("the engine broke"));
    for (let delivery = 1; delivery <= 3; delivery += 1) {
      const chunk = await until(
        () => worker.fetch(),
        (found) => found !== undefined,
      );
      expect(chunk?.delivery).toBe(delivery);
      if (chunk !== undefined) expect(await tryChunk(worker, chunk, broken)).toBe("failed");
    }
    expect((await proof).decoded).toBe(1);
    expect(near.seen).toHaveLength(1);
    expect(warned).toEqual([
      `pages 1-2 of ${file}: no worker could prove it (the engine broke); proven by this computer`,
    ]);
    expect(said.every((message) => message === "1 worker with 1 thread in all")).toBe(true);
    await prover.close();
    await worker.close();
  });

  it("what is wrong with the file itself is what a local proof throws", async () => {
    const near = stub(new Error("no PDF"));
    const { prover } = await open(near);
    await expect(prover.pages(taskOf(2))).rejects.toThrow("no PDF");
    await prover.close();
  });

  it("a file that changed meanwhile is not proven as the one that was asked for", async () => {
    const task = taskOf(2);
    writeFileSync(file, "another pdf");
    const near = stub();
    const { prover, warned } = await open(near);
    await expect(prover.pages(task)).rejects.toThrow(FileChanged);
    expect(near.seen).toEqual([]);
    expect(warned[0]).toContain(
      "must be the file that was written, got another: its SHA-256 differs",
    );
    await prover.close();
  });

  it("a worker that doesn't see the files says so and is not counted on; no delivery is lost", async () => {
    const queue = await Queue.open(url, program);
    const stop = new AbortController();
    const near = stub();
    const { prover, said, warned } = await open(near);
    const heard: string[] = [];
    const able = { id: randomUUID(), host: "far", pid: 1, threads: 1, trouble: null };
    await queue.beat(able, []);
    const proof = prover.pages(taskOf(2));
    const claims = await until(
      () => Promise.resolve(readdirSync(folder).find((name) => name.endsWith(".part"))),
      (name) => name !== undefined,
    );
    // As on a computer where the folder is another one.
    renameSync(path.join(folder, claims ?? ""), path.join(folder, "away"));
    const worker = {
      id: "00000000-0000-4000-8000-000000000002",
      host: "blind",
      pid: 1,
      threads: 1,
    };
    const working = work({
      queue,
      near: stub(),
      worker,
      say: (message) => heard.push(message),
      signal: stop.signal,
    });
    await until(
      () => queue.workers(),
      (rows) => rows.some(({ trouble }) => trouble !== null),
    );
    await queue.leave(able.id);
    renameSync(path.join(folder, "away"), path.join(folder, claims ?? ""));
    expect((await proof).decoded).toBe(1);
    expect(heard[0]).toMatch(
      /^[^:]*: \S+ on this computer is another folder than the job's: share that folder between both computers, under the same path$/u,
    );
    expect(warned).toEqual([]);
    expect(said.length).toBeGreaterThan(0);
    stop.abort();
    await working;
    expect(await queue.workers()).toEqual([]);
    await prover.close();
    await queue.close();
  });

  it("claims that can't be written beside the files are no hindrance", async () => {
    const near = stub();
    const { prover, said } = await open(near);
    const task = { ...taskOf(2), file: path.join(folder, "gone", "s.pdf") };
    expect((await prover.pages(task)).decoded).toBe(1);
    expect(said[0]).toMatch(
      /^claims can't be written beside .*: this computer proves it by itself$/u,
    );
    await prover.close();
  });

  it("pictures that are other files for a worker are looked at here", async () => {
    const { prover } = await open(stub());
    writeFileSync(path.join(folder, "bad.png"), "x");
    const pictures = ["bad.png", "gone.png", "changed.png"].map((name) => ({
      file: path.join(folder, name),
      payload: "p",
      ...(name === "changed.png" && { sha256: "0" }),
    }));
    expect(await prover.pictures({ pictures })).toEqual([
      { rule: "artwork-empty", message: "empty" },
      undefined,
      undefined,
    ]);
    await prover.close();
  });

  it("workers of another version get nothing, and are named", async () => {
    const worker = await Queue.open(url, other);
    await countAsUp(url);
    await worker.beat(workerOf(3, "old", 8), []);
    const { prover, said } = await open(stub());
    await prover.pages(taskOf(2));
    expect(await worker.fetch()).toBeUndefined();
    expect(said).toEqual([
      "the worker on old is of makeready test (bbbbbbbbbbbb), this is makeready test (aaaaaaaaaaaa): this computer proves by itself",
    ]);
    await prover.close();
    await worker.close();
  });

  it("a run that is stopped gives up", async () => {
    const stop = new AbortController();
    const worker = await Queue.open(url, program);
    await countAsUp(url);
    await worker.beat(workerOf(4, "far", 1), []);
    const { prover } = await open(stub(), stop.signal);
    const proof = prover.pages(taskOf(2));
    await until(counts, (found) => found?.jobs === 1);
    stop.abort(new Error("stop"));
    await expect(proof).rejects.toMatchObject({ cause: stop.signal.reason });
    await prover.close();
    await worker.close();
  });

  it("no more than 2,000 chunks are queued at once", async () => {
    const worker = await Queue.open(url, program);
    const stop = new AbortController();
    // On a busy computer a worker's word runs out meanwhile: whoever runs the job would help.
    const idle = { ...stub(), portions: () => ({ atOnce: 0, pictures: 200 }) };
    const { prover } = await open(idle, stop.signal);
    const many = prover.pages(taskOf(20 * 2010));
    many.catch(() => undefined);
    await until(counts, (found) => found?.jobs === 2000);
    for (let n = 0; n < 5; n += 1) {
      const chunk = await worker.fetch();
      if (chunk !== undefined) await tryChunk(worker, chunk, stub());
    }
    await until(counts, (found) => found?.jobs === 2005);
    expect(await counts()).toEqual({ jobs: 2005, results: 5 });
    stop.abort();
    await many.catch(() => undefined);
    await prover.close();
    await worker.close();
  });

  it("a database that is wrong, away or of another version is a sentence, without its password", async () => {
    const at = url.replace("test@", "test:s3cret@");
    expect(await refused("mysql://me:s3cret@host/db")).toBe(
      "2 error: --on must be a postgres:// address, got mysql://me@host/db\n  → --on postgres://USER@HOST/DATABASE\n",
    );
    expect(await refused("postgres://me:s3cret@127.0.0.1:1/db")).toMatch(
      /^5 error: database me@127\.0\.0\.1:1\/db must answer, got connect ECONNREFUSED/u,
    );
    // Workers are told it, too.
    expect(await refused("postgres://me:s3cret@127.0.0.1:1/db")).toContain(
      "→ start it, or mend its address; a job that is run without --on runs on this computer alone",
    );
    expect(await refused(at.replace(/\/test_\w+/u, "/absent"))).toMatch(
      /^2 error: database test@\S+\/absent must be there, got none/u,
    );
    await (await Queue.open(url, program)).close();
    await ask(url, "UPDATE chunk_schema SET version = 99");
    expect(await refused(at)).toMatch(
      /^6 error: .* must have tables of version 2, got 99: a later/u,
    );
    await ask(url, "UPDATE chunk_schema SET version = 0; DROP TABLE chunk_workers");
    await (await Queue.open(url, program)).close();
    expect(await ask(url, "SELECT version FROM chunk_schema")).toEqual([{ version: 2 }]);
    await ask(url, "UPDATE pgboss.version SET version = 99");
    expect(await refused(at)).toMatch(
      /^6 error: .* must hold no pg-boss or one of schema 21 to 24, got 99/u,
    );
    for (const address of ["mysql://me:s3cret@host/db", "postgres://me:s3cret@127.0.0.1:1/db", at])
      expect(await refused(address)).not.toContain("s3cret");
  });

  it("programs that are started at once on an empty database all come up", async () => {
    for (let round = 0; round < 3; round += 1) {
      const empty = await freshDatabase();
      const opened = await Promise.allSettled([1, 2, 3, 4].map(() => Queue.open(empty, program)));
      expect(opened.map(({ status }) => status)).toEqual(Array(4).fill("fulfilled"));
      for (const one of opened) if (one.status === "fulfilled") await one.value.close();
    }
  });

  it("a user who may not make tables, and one who is refused, get the way out", async () => {
    const guest = `guest_${randomUUID().slice(0, 8)}`;
    await ask(url, `CREATE ROLE ${guest} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    expect(await refused(url.replace("test@", `${guest}@`))).toMatch(
      /^4 error: .* must let its user make tables: permission denied/u,
    );
    expect(await refused(url.replace("test@", "nobody-knows@"))).toMatch(
      /^4 error: .* refuses its user/u,
    );
    await ask(url, `DROP OWNED BY ${guest}; DROP ROLE ${guest}`);
  });
});

describe.skipIf(!hasPostgres)("the commands of --on", () => {
  let url = "";
  let job: { root: string; manifest: string };
  beforeAll(async () => {
    url = await freshDatabase();
    await makeTables(url);
    await countAsUp(url);
    job = makeFarJob(2, 3);
    await runHere(["run", job.manifest, "--yes"]);
  });
  afterAll(() => rmSync(job.root, { recursive: true, force: true }));

  it("verify says the same with and without; a worker ends on request", async () => {
    const local = await runHere(["verify", job.manifest, "--json"]);
    expect(local.code, local.err).toBe(0);
    const worker = start(["work", "--threads", "1", "--on", url]);
    const status = () => runInProcess(["status", "--on", url, "--json"]);
    const up = await untilTold(url, status, ({ out }) => out.includes('"threads":1'));
    expect(lastOf(up.out)).toMatchObject({ type: "queue", queues: [], workers: [{ threads: 1 }] });
    const plain = await runInProcess(["status", "--on", url]);
    expect(plain.out).toMatch(/^ {2}worker \S+ \d+, 1 thread, makeready \S+ \(\w{12}\)/mu);
    // In a process, as workers are given work by those of the same built program only.
    const far = start(["verify", job.manifest, "--json"], { MAKEREADY_ON: url });
    expect(await far.ended).toBe(0);
    expect(lastOf(far.said())).toEqual(lastOf(local.out));
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(130);
    expect(worker.said()).toMatch(/3 chunks done, 0 failed\n$/u);
    expect((await runInProcess(["status", "--on", url])).out).toContain("no worker is up");
  });

  it("retry is helped as run is", async () => {
    forgetProof(job.root);
    const worker = start(["work", "--threads", "1", "--on", url]);
    await untilTold(
      url,
      () => runInProcess(["status", "--on", url, "--json"]),
      ({ out }) => out.includes('"threads":1'),
    );
    const retry = start(["retry", job.manifest, "--yes", "--on", url]);
    expect([await retry.ended, retry.said()]).toEqual([0, expect.stringContaining("ready")]);
    worker.child.kill("SIGTERM");
    await worker.ended;
    expect(worker.said()).toMatch(/3 chunks done, 0 failed\n$/u);
  });

  it("of pg and pg-boss nothing is loaded without it", async () => {
    expect(await list(job.manifest, [])).toEqual([]);
    expect(await list(job.manifest, ["--on", url])).toEqual(["pg", "pg-boss"]);
  });

  it("a password stands nowhere: not in the report, not in logs, not in what is shown", async () => {
    hurry();
    const secret = url.replace("test@", "test:s3cret@");
    const ran = await runHere(["run", job.manifest, "--yes", "--on", secret]);
    expect(ran.code, ran.err).toBe(0);
    expect(`${ran.out}${ran.err}`).not.toContain("s3cret");
    const names = readdirSync(job.root, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    const guilty = files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((name) => readFileSync(name).includes("s3cret"));
    expect(files.length).toBeGreaterThan(5);
    expect(guilty).toEqual([]);
  });

  it("work asks for a database and for a whole number of threads", async () => {
    const { code, err } = await runInProcess(["work"]);
    expect([code, err]).toEqual([
      2,
      "error: --on must name a database, got none\n  → --on postgres://USER@HOST/DATABASE, or MAKEREADY_ON\n",
    ]);
    const wrong = await runInProcess(["work", "--on", url, "--threads", "many"]);
    expect([wrong.code, wrong.err]).toEqual([
      2,
      "error: --threads must be a whole number from 1 to 1024, got many\n",
    ]);
  });
});

it("a worker says when the database is away, and when it is back", async () => {
  const stop = new AbortController();
  const heard: string[] = [];
  let asked = 0;
  const queue = {
    database: { name: "prints" },
    beat: async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error("no answer"), { code: "ECONNREFUSED" });
    },
    reap: async () => {},
    fetch: async () => stop.abort(),
    leave: async () => {},
  } as unknown as Queue;
  const near = {} as unknown as Near;
  const worker = { id: randomUUID(), host: "here", pid: 1, threads: 1 };
  const say = (message: string) => void heard.push(message);
  await work({ queue, near, worker, say, signal: stop.signal });
  expect(heard).toEqual([
    "database prints is away (no answer): waits until it is back",
    "database prints is back: goes on",
  ]);
});
