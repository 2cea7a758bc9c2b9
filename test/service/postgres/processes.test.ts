/**
 * Two `makeready serve` on one database, killed in turn under load: what was acknowledged is stored,
 * nothing is there twice. `SHARED=50 npm run test:shared` asks fifty times as much.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { hasPostgres, startPostgres, type TestPostgres } from "../../postgres.ts";
import type { Wire } from "../make-service.ts";

const SCALE = Number(process.env["SHARED"] ?? "1");
const CREATES = 48 * SCALE;
const SCANS = 200 * SCALE;
const LANES = 8;

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

interface Running {
  readonly base_url: string;
  readonly token: string;
  readonly workspace_id: string;
  readonly ended: Promise<unknown>;
  end(signal: "SIGKILL" | "SIGTERM"): Promise<unknown>;
}

/** Runs `work` for each number, some at a time. */
async function each(size: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < size) await work(next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

describe.skipIf(!hasPostgres)("two processes on one database", () => {
  let server: TestPostgres;
  let dataDir: string;
  let running: Running[] = [];
  beforeEach(async () => {
    server = await startPostgres();
    dataDir = mkdtempSync(path.join(tmpdir(), "processes-"));
  });
  afterEach(async () => {
    await Promise.all(running.map((one) => one.end("SIGKILL")));
    running = [];
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function serve(): Promise<Running> {
    const options = [
      "--json",
      "--port",
      "0",
      "--limits",
      "off",
      "--data",
      dataDir,
      "--host",
      "127.0.0.1",
    ];
    const child = spawn(process.execPath, [MAIN, "serve", ...options], {
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        ...process.env,
        MAKEREADY_STORE: server.url,
        MAKEREADY_PUBLIC_URL: "https://go.example",
      },
    });
    const ended = new Promise((resolve) => {
      child.once("exit", resolve);
    });
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (data: Buffer) => resolve(data.toString()));
      child.once("exit", () => reject(new Error("the service did not start")));
    });
    const end = (signal: "SIGKILL" | "SIGTERM"): Promise<unknown> => {
      child.kill(signal);
      return ended;
    };
    const one = { ...(JSON.parse(line) as Omit<Running, "ended" | "end">), ended, end };
    running.push(one);
    return one;
  }

  async function count(sql: string): Promise<number> {
    const client = new pg.Client(server.url);
    await client.connect();
    try {
      return Number((await client.query({ text: sql, rowMode: "array" })).rows[0]?.[0]);
    } finally {
      await client.end();
    }
  }

  /** Makes a code under a key of its own; undefined when no answer came, or none that says it is made. */
  async function make(at: Running, n: number): Promise<Wire> {
    try {
      const response = await fetch(`${at.base_url}/qrcode/create/`, {
        method: "POST",
        headers: {
          authorization: `Token ${at.token}`,
          "content-type": "application/json",
          "idempotency-key": `key ${n}`,
        },
        body: JSON.stringify({
          workspace: at.workspace_id,
          qr_data: `https://example.com/${n}`,
          dynamic: true,
        }),
      });
      return response.ok ? await response.json() : undefined;
    } catch {
      return undefined;
    }
  }

  test("creates: each is there once, whoever was killed when, the database among them", async () => {
    let both = await Promise.all([serve(), serve()]);
    const made = new Map<number, string>();
    let answers = 0;
    const takeTurn = async (n: number): Promise<void> => {
      const code = await make(both[n % 2] as Running, n);
      answers += 1;
      if (code !== undefined) made.set(n, code.id as string);
      if (answers === Math.floor(CREATES / 4)) await both[0]?.end("SIGKILL");
      if (answers === Math.floor(CREATES / 2)) {
        await server.crash();
        await server.start();
      }
    };
    await each(CREATES, takeTurn);
    expect(made.size).toBeGreaterThan(CREATES / 8);
    expect(made.size).toBeLessThan(CREATES);
    both = [await serve(), both[1]];
    // Whoever got no answer asks again, under the same key.
    for (let n = 0; n < CREATES; n += 1) {
      const code = await make(both[n % 2] as Running, n);
      expect(code).toBeDefined();
      const before = made.get(n);
      if (before !== undefined) expect(code.id).toBe(before);
    }
    expect(await count("SELECT count(*) FROM codes")).toBe(CREATES);
    expect(await count("SELECT count(DISTINCT qr_data) FROM codes")).toBe(CREATES);
    expect(await count("SELECT n FROM counts WHERE what = 'code'")).toBe(CREATES);
  });

  test("scans: a process that is stopped politely loses none, a killed one no more than it had not stored", async () => {
    const both = await Promise.all([serve(), serve()]);
    const code = await make(both[0], 0);
    const slug = new URL(code.shortlink_url as string).pathname;
    let answered = 0;
    const visit = async (n: number): Promise<void> => {
      const { base_url: base } = both[n % 2] as Running;
      const response = await fetch(new URL(slug, base), {
        redirect: "manual",
        headers: { "user-agent": `Mozilla/5.0 (iPhone; ${n % 10}) Mobile Safari/604.1` },
      }).catch(() => {});
      if (response?.status === 302) answered += 1;
      // The database breaks in between: nobody who asks for this code learns of it.
      if (n === Math.floor(SCANS / 2)) await server.crash().then(() => server.start());
    };
    await each(SCANS, visit);
    expect(answered).toBe(SCANS);
    await Promise.all(both.map((one) => one.end("SIGTERM")));
    const stored = "SELECT count(*) FROM scans WHERE earlier IS NOT NULL";
    expect(await count(stored)).toBe(SCANS);
    expect(await count("SELECT count(DISTINCT id) FROM scans")).toBe(SCANS);
    expect(await count("SELECT total FROM scan_totals")).toBe(SCANS);
    expect(await count("SELECT first FROM scan_totals")).toBe(10);
  });
});
