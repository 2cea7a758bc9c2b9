/** What the tests of `--on` share: a finished job, a database that can be asked, workers as processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import path from "node:path";

import pg from "pg";

import { openState } from "../../src/state/state.ts";
import { systemClock } from "../../src/base/time/clock.ts";
import { Queue } from "../../src/work/queue.ts";
import { runInProcess } from "../flow/in-process.ts";
import { PROGRAM, SHORT_LIVED } from "../flow/program.ts";

/** A job of static codes in groups of `each`, one PDF a group; `files` of each code. */
export function makeFarJob(
  groups: number,
  each: number,
  files = "svg, png",
): { root: string; manifest: string } {
  const root = mkdtempSync(path.join(tmpdir(), "makeready-far-"));
  const manifest = path.join(root, "far.yaml");
  const rows = Array.from(
    { length: groups * each },
    (_, n) => `N-${n},https://qr.example/${n},g${n % groups}`,
  );
  writeFileSync(path.join(root, "rows.csv"), ["Name,Link,Group", ...rows, ""].join("\n"));
  writeFileSync(
    manifest,
    `version: 1
name: far
kind: codes
source: { file: rows.csv, key: [Name] }
code: { type: Link, dynamic: false, qr_data: "{{ Link }}" }
output:
  dir: out
  files: [${files}]
  sheets: { sheet: a4-24up-63.5x33.9, per: Group, name: "s-{{ Group }}.pdf", caption: "{{ Name }}" }
`,
  );
  return { root, manifest };
}

/** Makes a finished job one that was never proven. */
export function forgetProof(root: string): void {
  const state = openState(path.join(root, "out"), { writer: "test", salt: "", nowMs: 0 });
  try {
    const rows = [...state.rows("1")];
    state.pictures.setProven(rows.map(({ key }) => [key, []] as const));
    for (const { name } of state.groups("sheets")) state.setPackaged(`proof ${name}`, "none", {});
    state.breakSeal();
  } finally {
    state.close();
  }
}

/**
 * The report without what differs between any two runs: times; and how many pictures were read, as those
 * that a killed run had read are not read again.
 */
export const readReport = (root: string): string =>
  readFileSync(path.join(root, "out", "report.html"), "utf8")
    .replaceAll(/, \d+ of \d+ (?:PNGs|SVGs)/gu, "")
    .replaceAll(/ Earlier runs have proven others[^.]+\./gu, "")
    .replaceAll(/<dd>[\d.]+<\/dd>/gu, "<dd>TIME</dd>")
    .replaceAll(/(?:\d+ min )?[\d.]+ s<|\d+ min<|<rect width="[\d.]+" height="10"/gu, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?/gu, "TIME");

export async function copyJob(from: string, to: string): Promise<void> {
  for (;;) {
    try {
      return await cp(from, to, { recursive: true, preserveTimestamps: true });
    } catch (error) {
      // A connection of this process that is collected now has closed the state: its log is gone.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || !existsSync(from)) throw error;
      rmSync(to, { recursive: true, force: true });
    }
  }
}

/** Asks a database, and asks again while it is away. */
export async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  for (;;) {
    const client = new pg.Client(url);
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query(sql)).rows as Row[];
    } catch (error) {
      if (!/ECONN|ENOENT|terminated|starting up|shutting down|recovery/u.test(String(error)))
        throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Asks until the answer is one that ends it. */
export async function until<Value>(
  look: () => Promise<Value>,
  isOver: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isOver(value)) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const CHANNEL = "told";

/** From now on, each change of a table is told to `untilTold`. */
export const tellChanges = (url: string, table: string): Promise<unknown> =>
  ask(
    url,
    `CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_notify(''${CHANNEL}'', ''''); RETURN NULL; END';
     CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON ${table} EXECUTE FUNCTION tell()`,
  );

/** Wakes those who wait in `untilTold`. */
export const tell = (url: string): Promise<unknown> => ask(url, `NOTIFY ${CHANNEL}`);

/** As `until`, without asking over and over: looks again when the database tells of a change. */
export async function untilTold<Value>(
  url: string,
  look: () => Promise<Value>,
  isOver: (value: Value) => boolean,
): Promise<Value> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`LISTEN ${CHANNEL}`);
    let [told, wake] = [0, (): void => undefined];
    client.on("notification", () => {
      told += 1;
      wake();
    });
    for (;;) {
      const before = told;
      const value = await look();
      if (isOver(value)) return value;
      if (told === before) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    await client.end();
  }
}

/** Those of the queue, before any program opens it; they tell when a worker comes or goes. */
export async function makeTables(url: string): Promise<void> {
  await (await Queue.open(url, { name: "makeready test", hash: "a".repeat(64) })).close();
  await tellChanges(url, "chunk_workers");
}

/**
 * From now on, every known worker counts as running until it leaves, however busy this computer is.
 */
export const countAsUp = (url: string): Promise<unknown> =>
  ask(
    url,
    `CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN NEW.seen := now() + interval ''1 day''; RETURN NEW; END';
     CREATE TRIGGER stay BEFORE INSERT OR UPDATE ON chunk_workers FOR EACH ROW EXECUTE FUNCTION stay()`,
  );

/** A worker whose process was killed is taken for dead at once, not only when its last word is seconds old. */
export const countAsDead = (url: string, { pid = 0 }: ChildProcess): Promise<unknown> =>
  ask(url, `UPDATE chunk_workers SET seen = seen - interval '1 minute' WHERE pid = ${pid}`);

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** Runs a command as the built program would, in this process; answers its exit code. */
export const runLocally = async (args: readonly string[]): Promise<number> =>
  (await runInProcess(args, { clock: systemClock, writer: `makeready ${version}` })).code;

export interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** All that it wrote. */
  said(): string;
}

/** Starts the built program. */
export function start(args: readonly string[], env: Record<string, string> = {}): Process {
  const child = spawn(process.execPath, [...SHORT_LIVED, PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => (text += more));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, ended, said: () => text };
}
