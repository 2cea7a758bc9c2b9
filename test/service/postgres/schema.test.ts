import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import type { AppError } from "../../../src/base/errors.ts";
import { openClient, type Connection } from "../../../src/service/store/postgres/clients.ts";
import { migrate } from "../../../src/service/store/postgres/migrate.ts";
import { makeSchema, upgradeFrom, VERSION } from "../../../src/service/store/postgres/schema.ts";
import { isAway } from "../../../src/service/store/postgres/store-away.ts";
import { openPostgres } from "../../../src/service/store/postgres/postgres-store.ts";
import { freshDatabase, hasPostgres } from "../../postgres.ts";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

async function withClient<T>(url: string, work: (client: Connection) => Promise<T>): Promise<T> {
  const client = await openClient(url, () => {});
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const DESCRIBE = `
  SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS line
  FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT event_object_table || ' ' || trigger_name || ' ' || event_manipulation || ' ' || coalesce(action_condition, '')
    FROM information_schema.triggers WHERE trigger_schema = 'public'
  ORDER BY 1`;

const describeAll = (url: string): Promise<string[]> =>
  withClient(url, async (client) => (await client.query(DESCRIBE)).rows.map(({ line }) => line));

/** Indexes are called after the tables they were made with. */
const toPlain = (lines: string[]) =>
  lines.map((line) => line.replace(/INDEX \S+ ON/u, "INDEX ON")).toSorted();

describe.skipIf(!hasPostgres)("the tables of PostgreSQL", () => {
  test("an older database becomes what a new one is", async () => {
    const [older, newer] = await Promise.all([freshDatabase(), freshDatabase()]);
    const from = VERSION - 4;
    await withClient(older, async (client) => {
      for (const sql of makeSchema(from)) await client.query(sql);
      await client.query(`CREATE TABLE makeready_schema AS SELECT ${from}::bigint AS version`);
      for (let step = from; step < VERSION; step += 1) {
        expect(upgradeFrom(step).length).toBeGreaterThan(0);
      }
      await migrate(client);
    });
    await withClient(newer, async (client) => {
      for (const sql of makeSchema()) await client.query(sql);
      await client.query(`CREATE TABLE makeready_schema AS SELECT ${VERSION}::bigint AS version`);
    });
    const [one, two] = await Promise.all([describeAll(older), describeAll(newer)]);
    expect(toPlain(one)).toEqual(toPlain(two));
  });

  test("two processes that start at once make one set of tables", async () => {
    const url = await freshDatabase();
    const stores = await Promise.all([openPostgres(url), openPostgres(url), openPostgres(url)]);
    await Promise.all(stores.map((store) => store.close()));
    const versions = await withClient(url, (client) =>
      client.query("SELECT version FROM makeready_schema"),
    );
    expect(versions.rows).toEqual([{ version: VERSION }]);
  });

  test.each([
    ["a newer one", "CREATE TABLE makeready_schema AS SELECT 1000 AS version", "state-newer"],
    ["one of another program", "CREATE TABLE codes (n INT)", "state-foreign"],
    ["one of workers", "CREATE TABLE chunk_results (n INT)", "state-foreign"],
  ])("%s is refused and left as it is", async (_, sql, code) => {
    const url = await freshDatabase();
    await withClient(url, (client) => client.query(sql));
    const before = await describeAll(url);
    await expect(openPostgres(url)).rejects.toMatchObject({ code });
    expect(await describeAll(url)).toEqual(before);
  });

  test("tables are made in a schema whose name has capitals, beside those of others", async () => {
    const url = await freshDatabase();
    await withClient(url, (client) =>
      client.query('CREATE TABLE codes (n INT); CREATE SCHEMA "Print Shop"'),
    );
    const own = `${url}&options=${encodeURIComponent('-c search_path="Print\\ Shop"')}`;
    for (let start = 0; start < 2; start += 1) {
      const store = await openPostgres(own);
      expect(await store.rows.all("SELECT id FROM codes")).toEqual([]);
      await store.close();
    }
  });

  test("a process of an older version writes nothing into tables that a newer one changed", async () => {
    const url = await freshDatabase();
    const store = await openPostgres(url);
    const told: AppError[] = [];
    store.onOutdated((error) => told.push(error));
    const add = (key: string) =>
      store.write((_tx, rows) => rows.run("INSERT INTO meta (key, value) VALUES (?, '')", key));
    await add("before");
    await withClient(url, (client) => client.query("UPDATE makeready_schema SET version = 1000"));
    await expect(add("after")).rejects.toThrow(/must have version \d+ or less, got 1000/u);
    expect(told[0]).toMatchObject({ code: "state-newer" });
    expect(await store.rows.all("SELECT key FROM meta WHERE key IN ('before', 'after')")).toEqual([
      { key: "before" },
    ]);
    await store.close();
  });

  test("serve ends with a sentence once a newer makeready changed the tables", async () => {
    const url = await freshDatabase();
    const dataDir = mkdtempSync(path.join(tmpdir(), "outdated-"));
    const child = spawn(
      process.execPath,
      [MAIN, "serve", "--port", "0", "--json", "--data", dataDir],
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, MAKEREADY_STORE: url, MAKEREADY_PUBLIC_URL: "https://go.example" },
      },
    );
    const said = text(child.stderr);
    try {
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      const { base_url: base, token, workspace_id: workspace } = JSON.parse(line.toString());
      await withClient(url, (client) => client.query("UPDATE makeready_schema SET version = 1000"));
      const response = await fetch(`${base}/qrcode/create/`, {
        method: "POST",
        headers: { authorization: `Token ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ workspace, qr_data: "https://example.com/", dynamic: true }),
      });
      expect(response.status).toBe(503);
      const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
      expect(code).toBe(6);
      expect(await said).toMatch(/the database must have version \d+ or less, got 1000/u);
    } finally {
      child.kill("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test.each([
    ["no address", "db.example.com", "bad-usage", /must be an address/u],
    [
      "nobody there",
      "postgres://test@127.0.0.1:1/x",
      "server-unavailable",
      /can't be reached: connect ECONNREFUSED/u,
    ],
  ])("%s is reported in a sentence", async (_, url, code, message) => {
    await expect(openPostgres(url)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test("a server that takes the connection and says nothing is away", () => {
    expect(isAway(new Error("timeout expired"))).toBe(true);
  });

  test("a database of another program is left as it is", async () => {
    const url = await freshDatabase();
    await withClient(url, (client) => client.query("CREATE TABLE meta (other int)"));
    await expect(openPostgres(url)).rejects.toMatchObject({
      code: "state-foreign",
      hint: expect.stringMatching(/tables of another program.*a database of its own/u),
    });
    const { rows } = await withClient(url, (client) =>
      client.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"),
    );
    expect(rows).toEqual([{ name: "meta" }]);
  });

  test("a database that isn't there is reported without its password", async () => {
    const url = (await freshDatabase())
      .replace("test@/", "test:secret@/")
      .replace(/test_\w+/u, "nowhere");
    const fault: unknown = await openPostgres(url).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      code: "bad-usage",
      message: expect.stringMatching(/"nowhere" does not exist/u),
    });
    expect(JSON.stringify(fault)).not.toContain("secret");
  });
});
