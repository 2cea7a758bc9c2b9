/**
 * Proof by several computers, with a real PostgreSQL of the tests: a job of LABELS labels (default
 * 1,000,000) as chunks, and how long 1, 2 and 4 workers with one thread take for chunks alone
 * (default 60 PDFs of 2 pages). Then creates (default 2,000) and redirects (ten times as many) of the
 * service on either store. The built program is measured: run `npm run build` first.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import pg from "pg";

import { drawTask } from "../src/print/draw/volume-task.ts";
import type { Near } from "../src/work/compute-chunk.ts";
import { FarProver } from "../src/work/far-prover.ts";
import { Queue } from "../src/work/queue.ts";
import { startPostgres } from "../test/postgres.ts";
import { makeFarJob } from "../test/work/far.ts";
import { measureStores } from "./scale/stores.ts";

const [LABELS = 1_000_000, FILES = 60, CREATES = 2000] = process.argv.slice(2).map(Number);
const PER_PAGE = 24;
const PAGES_PER_VOLUME = 100;
const WORKERS = [1, 2, 4];
const PROGRAM = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`);

const server = await startPostgres(["fsync=on", "synchronous_commit=on"]);
const folder = mkdtempSync(path.join(tmpdir(), "makeready-scale-"));
const client = new pg.Client(server.url);
await client.connect();
const ask = async (sql: string): Promise<number> =>
  Number((await client.query<{ n: string }>(sql)).rows[0]?.n ?? 0);

const ANSWERS = "SELECT count(*) AS n FROM chunk_results";

/** Claims of the pages of one volume. */
const claimsOf = (pages: number) =>
  Array.from({ length: pages * PER_PAGE }, (_, i) => ({
    page: 1 + Math.floor(i / PER_PAGE),
    row: Math.floor((i % PER_PAGE) / 3),
    column: i % 3,
    key: `row ${i}`,
    payloadHash: "0".repeat(64),
    label: { x: 7.25, y: 13.1 + i, width: 63.5, height: 33.9 },
    code: { x: 10.123, y: 15.456 + i, width: 25.4, height: 25.4 },
    moduleMm: 0.508,
  }));

const nobody: Near = {
  portions: () => ({ atOnce: 1, pictures: 200 }),
  pages: ({ claims }) =>
    Promise.resolve({ decoded: claims.length, compared: 0, faults: [], renders: 0 }),
  pictures: () => Promise.resolve([]),
  draw: drawTask,
  close: () => Promise.resolve(),
};

const openQueue = (): Promise<Queue> =>
  Queue.open(server.url, { name: "bench", hash: "0".repeat(64) });

async function insertMany(): Promise<void> {
  const queue = await openQueue();
  let inserting = 0;
  const submit = queue.submit.bind(queue);
  queue.submit = async (chunks) => {
    const from = performance.now();
    await submit(chunks);
    inserting += performance.now() - from;
  };
  const prover = new FarProver({
    queue,
    near: nobody,
    signal: new AbortController().signal,
    say: () => undefined,
    warn: () => undefined,
  });
  const file = path.join(folder, "s.pdf");
  const pdf = Buffer.from("a pdf");
  writeFileSync(file, pdf);
  const from = performance.now();
  let [left, most, decoded] = [Math.ceil(LABELS / PER_PAGE), 0, 0];
  let volume = 0;
  const told: string[] = [];
  const lane = async (): Promise<void> => {
    while (left > 0) {
      const pages = Math.min(left, PAGES_PER_VOLUME);
      left -= pages;
      volume += 1;
      // Volumes differ: each has its own hash.
      const proof = await prover.pages({
        file,
        pdf,
        hidden: [String(volume)],
        claims: claimsOf(pages),
        pageMm: { width: 210, height: 297 },
        offsetMm: { x: 0, y: 0 },
        dpi: 300,
      });
      decoded += proof.decoded;
      most = Math.max(most, process.memoryUsage().rss);
      if (decoded >= (LABELS / 4) * (told.length + 1)) {
        told.push(`${Math.round(most / 1e6)}`);
        most = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: prover.portions().atOnce }, lane));
  const chunks = await ask(ANSWERS);
  await prover.close();
  console.log(
    `${decoded} labels in ${chunks} chunks: inserted in ${(inserting / 1000).toFixed(2)} s; all answered after ${((performance.now() - from) / 1000).toFixed(1)} s, at most ${told.join(", ")} MB in its quarters`,
  );
}

const run = (args: readonly string[], on = ""): ChildProcess =>
  spawn(process.execPath, [PROGRAM, ...args], {
    stdio: "ignore",
    env: { ...process.env, ...(on !== "" && { MAKEREADY_ON: on }) },
  });

/** Waits until a count reaches `least`; fails when one of the programs it depends on has ended. */
async function reach(least: number, sql: string, programs: readonly ChildProcess[]): Promise<void> {
  while ((await ask(sql)) < least) {
    const ended = programs.find(({ exitCode }) => exitCode !== null);
    if (ended !== undefined)
      throw new Error(`${ended.spawnargs.join(" ")}: ended with exit code ${ended.exitCode}`);
    await pause(20);
  }
}

async function timeWorkers(): Promise<void> {
  // The first queue of a database makes its tables, from which figures are read later.
  await (await openQueue()).close();
  const { root, manifest } = makeFarJob(FILES, PER_PAGE * 2, "");
  await once(run(["run", manifest, "--yes"]), "exit");
  for (const count of WORKERS) {
    const workers = Array.from({ length: count }, () =>
      run(["work", "--threads", "1"], server.url),
    );
    await reach(count, "SELECT count(*) AS n FROM chunk_workers", workers);
    const from = performance.now();
    const coordinator = run(["verify", manifest, "--json"], server.url);
    await reach(1, ANSWERS, [...workers, coordinator]);
    const first = performance.now();
    while (coordinator.exitCode === null && (await ask(ANSWERS)) < FILES) await pause(20);
    const seconds = ((performance.now() - first) / 1000).toFixed(1);
    if (coordinator.exitCode === null) await once(coordinator, "exit");
    console.log(
      `${count} workers: ${FILES} chunks in ${seconds} s from the first answer on, ${((performance.now() - from) / 1000).toFixed(1)} s in all, exit code ${coordinator.exitCode}`,
    );
    const ended = workers.map((worker) => once(worker, "exit"));
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(ended);
  }
  rmSync(root, { recursive: true, force: true });
}

console.log(`Node ${process.version}, ${availableParallelism()} cores`);
if (LABELS > 0) await insertMany();
if (FILES > 0) await timeWorkers();
if (CREATES > 0) await measureStores(server, { creates: CREATES, redirects: CREATES * 10 });
await client.end();
await server.stop();
rmSync(folder, { recursive: true, force: true });
