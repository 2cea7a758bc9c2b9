import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import pg from "pg";
import { describe, expect, test } from "vitest";

import { freshDatabase, hasPostgres, startPostgres } from "./postgres.ts";

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

const folderOf = (url: string): string =>
  new URL(url.replace("@/", "@x/")).searchParams.get("host") ?? "";

describe.skipIf(!hasPostgres)("a PostgreSQL for tests", () => {
  test("each file has a database of its own on the run's server", async () => {
    const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
    await ask(one, "CREATE TABLE mine (n INT)");
    expect(await ask(one, "SELECT count(*)::int FROM mine")).toEqual([0]);
    expect(await ask(two, "SELECT to_regclass('mine')")).toEqual([null]);
    expect(folderOf(one)).toBe(folderOf(two));
  });

  test("a crash keeps what was committed", async () => {
    const server = await startPostgres();
    try {
      await ask(server.url, "CREATE TABLE t AS SELECT 7 AS n");
      await server.crash();
      await expect(ask(server.url, "SELECT 1")).rejects.toThrow(/ECONNREFUSED|ENOENT/u);
      await server.start();
      expect(await ask(server.url, "SELECT n FROM t")).toEqual([7]);
    } finally {
      await server.stop();
    }
    expect(existsSync(folderOf(server.url))).toBe(false);
  });

  test("kill -9 of its parent process leaves nothing behind", async () => {
    const file = fileURLToPath(new URL("start-postgres.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const folder = folderOf(line.toString().trim());
    expect(existsSync(folder)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    while (existsSync(folder)) await new Promise((resolve) => setImmediate(resolve));
  });
});
