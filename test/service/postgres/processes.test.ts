/**
 * Two `makeready serve` on one database, killed in turn under load; the database crashes, and fails over to
 * a synchronous standby: what was acknowledged is stored, nothing is there twice, no client is told of a
 * deadlock. `npm run test:shared` asks many times as much: with `SHARED=2000` 100,000 creates and 500,000 scans.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { askOnce, hasPostgres, startPostgres, type TestPostgres } from "../../postgres.ts";
import { SHORT_LIVED } from "../../flow/program.ts";
import { openProxy, type Proxy } from "./proxy.ts";
import type { Wire } from "../make-service.ts";

const SCALE = Number(process.env["SHARED"] ?? "1");
const CREATES = 50 * SCALE;
const SCANS = 250 * SCALE;
const flags = SCALE > 1 ? [] : SHORT_LIVED;
const FEW = 8;
const MANY = SCALE > 1 ? 32 : FEW;
// A sweep forgets old windows after 5000.
const REQUESTS = Math.min(150 * SCALE, 4000);

/** The long run tells its figures. */
const tell = (figures: object): void => {
  // oxlint-disable-next-line no-console -- whoever asked for much wants to know how much it was
  if (SCALE > 1) console.log(JSON.stringify(figures));
};

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

interface Running {
  readonly base_url: string;
  readonly token: string;
  readonly workspace_id: string;
  readonly ended: Promise<unknown>;
  end(signal: "SIGKILL" | "SIGTERM"): Promise<unknown>;
}

/** Runs `work` for each number, some at a time; once one has failed, no other begins or asks again. */
async function each(
  size: number,
  work: (n: number, over: AbortSignal) => Promise<unknown>,
  lanes = MANY,
): Promise<void> {
  let next = 0;
  const over = new AbortController();
  const lane = async (): Promise<void> => {
    try {
      while (next < size && !over.signal.aborted) await work(next++, over.signal);
    } catch (error) {
      over.abort();
      throw error;
    }
  };
  const [failed] = (await Promise.allSettled(Array.from({ length: lanes }, lane))).filter(
    ({ status }) => status === "rejected",
  );
  if (failed?.status === "rejected") throw failed.reason;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Connections are kept open, and redirects not followed: the client must not cost more than the
 * server.
 */
const agent = new Agent({ keepAlive: true });

const send = (url: string, { method = "GET", headers = {}, body = "" }: Asked): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      const { statusCode: status = 0 } = response;
      const told = { status, headers: response.headers };
      text(response).then((all) => resolve({ ...told, text: all }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });

describe.skipIf(!hasPostgres)("two processes on one database", () => {
  let server: TestPostgres;
  /** Follows the server and leads once it is promoted. */
  let standby: TestPostgres | undefined;
  let proxy: Proxy;
  let blows: Promise<void>;
  let dataDir: string;
  let running: Running[] = [];
  /** Status -> how often it was answered; 0 = no answer. */
  let statuses: Map<number, number>;
  beforeEach(async () => {
    server = await startPostgres(["synchronous_commit=on", "wal_retrieve_retry_interval=100"]);
    standby = undefined;
    blows = Promise.resolve();
    proxy = await openProxy(server.url);
    dataDir = mkdtempSync(path.join(tmpdir(), "processes-"));
    statuses = new Map();
  });
  afterEach(async () => {
    await Promise.all(running.map((one) => one.end("SIGKILL")));
    running = [];
    await proxy.close();
    await standby?.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function serve(limits = "off"): Promise<Running> {
    const options = ["--json", "--port", "0", "--limits", limits, "--data", dataDir];
    const child = spawn(process.execPath, [...flags, MAIN, "serve", ...options], {
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        ...process.env,
        MAKEREADY_STORE: proxy.url,
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

  const count = async (sql: string): Promise<number> =>
    Number(await askOnce((standby ?? server).url, sql));
  /** Requests may end faster than a blow: the next one waits for it. */
  const inTurn = (blow: () => Promise<void>): Promise<void> => (blows = blows.then(blow));
  const breakDown = (): Promise<void> =>
    inTurn(async () => {
      await server.crash();
      await server.start();
    });
  const failOver = (): Promise<void> =>
    inTurn(async () => {
      await server.crash();
      standby = following;
      await askOnce(standby?.url ?? "", "SELECT pg_promote()");
      proxy.leadTo(standby?.url ?? "");
    });
  let following: TestPostgres | undefined;
  const follow = async (): Promise<void> => {
    following = await server.startStandby();
  };

  /** Asks once; undefined when no answer came. */
  async function ask(url: string, asked: Asked): Promise<Answered | undefined> {
    const answer = await send(url, asked).catch(() => undefined);
    const status = answer?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return answer;
  }

  /** Makes a code under a key of its own; undefined when no answer came, or none that says it is made. */
  async function make(at: Running, n: number): Promise<Wire> {
    const answer = await ask(`${at.base_url}/qrcode/create/`, {
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
    const { status, text: told } = answer ?? { status: 0, text: "" };
    if (![0, 200, 409, 503].includes(status)) throw new Error(`${status} ${told}`);
    return status === 200 ? JSON.parse(told) : undefined;
  }

  /** Only answers that say what happened; never a fault of the service, such as a deadlock. */
  const expectPlain = (...more: number[]): void => {
    const told = [...statuses.keys()].filter((status) => ![0, 200, 503, ...more].includes(status));
    expect(told).toEqual([]);
    tell(Object.fromEntries(statuses));
  };

  const ids = async (): Promise<Map<string, string>> => {
    const all = "SELECT string_agg(qr_data || ' ' || id, ',') FROM codes WHERE kind = 'code'";
    const told = String(await askOnce((standby ?? server).url, all)).split(",");
    return new Map(told.map((one) => one.split(" ") as [string, string]));
  };

  test("creates: each is there once, whatever is killed at any time, the database included", async () => {
    const size = CREATES;
    await follow();
    const both = await Promise.all([serve(), serve()]);
    const made = new Map<number, string>();
    await each(size, async (n, over) => {
      // Without an answer, a request is sent again under the same key, like a proxy would: to the
      // other process.
      let code: Wire;
      for (let at = n; code === undefined; at += 1) {
        if (over.aborted) return;
        code = await make(both[at % 2] as Running, n);
      }
      made.set(n, code.id as string);
      if (made.size === Math.floor(size / 5)) await both[0].end("SIGKILL");
      if (made.size === Math.floor((size * 2) / 5)) {
        await breakDown();
        both[0] = await serve();
      }
      if (made.size === Math.floor((size * 3) / 5)) await failOver();
      if (made.size === Math.floor((size * 4) / 5)) {
        await both[1].end("SIGKILL");
        both[1] = await serve();
      }
    });
    await blows;
    expect((statuses.get(0) ?? 0) + (statuses.get(503) ?? 0)).toBeGreaterThan(0);
    const stored = await ids();
    tell({ creates: size, acknowledged: made.size, stored: stored.size });
    for (const [n, id] of made) expect(stored.get(`https://example.com/${n}`)).toBe(id);
    expect(await count("SELECT count(*) FROM codes")).toBe(size);
    expect(await count("SELECT count(DISTINCT qr_data) FROM codes")).toBe(size);
    expect(await count("SELECT count(DISTINCT created) FROM codes")).toBe(size);
    expect(await count("SELECT n FROM counts WHERE what = 'code'")).toBe(size);
    expectPlain(409);
  });

  /** Visits a code with one of ten phones. */
  const visit = async (at: Running, slug: string, n: number): Promise<boolean> => {
    const answer = await ask(new URL(slug, at.base_url).href, {
      headers: { "user-agent": `Mozilla/5.0 (iPhone; ${n % 10}) Mobile Safari/604.1` },
    });
    return answer?.status === 302;
  };
  const SCANNED = "SELECT count(*) FROM scans WHERE earlier IS NOT NULL";

  test("scans: processes that are stopped politely lose none, whatever the database does", async () => {
    const size = Math.ceil(SCANS / 2);
    await follow();
    const both = await Promise.all([serve(), serve()]);
    const code = await make(both[0], 0);
    const { pathname } = new URL(code.shortlink_url as string);
    // Both know it from now on.
    await Promise.all(both.map((at) => visit(at, pathname, 0)));
    let answered = 2;
    await each(size, async (n) => {
      if (await visit(both[n % 2] as Running, pathname, n)) answered += 1;
      // Nobody asking for this code notices.
      if (n === Math.floor(size / 3)) await breakDown();
      if (n === Math.floor((size * 2) / 3)) await failOver();
    });
    expect(answered).toBe(size + 2);
    await Promise.all(both.map((one) => one.end("SIGTERM")));
    tell({ scans: size, answered, stored: await count(SCANNED) });
    expect(await count(SCANNED)).toBe(answered);
    expect(await count("SELECT count(DISTINCT id) FROM scans")).toBe(answered);
    expect(await count("SELECT total FROM scan_totals")).toBe(answered);
    expect(await count("SELECT first FROM scan_totals")).toBe(10);
    expectPlain(302);
  });

  test("scans: a process that is killed loses no more than it had not stored, the other one none", async () => {
    const size = Math.ceil(SCANS / 4);
    const both = await Promise.all([serve(), serve()]);
    const slugs: string[] = [];
    for (const n of [0, 1]) {
      const code = await make(both[0], n);
      slugs.push(new URL(code.shortlink_url as string).pathname);
    }
    const [before = "", after = ""] = slugs;
    let early = 0;
    await each(size, async (n) => {
      if (await visit(both[n % 2] as Running, before, n)) early += 1;
    });
    expect(early).toBe(size);
    while ((await count(SCANNED)) < size);
    const answered = [0, 0];
    await each(size, async (n) => {
      if (await visit(both[n % 2] as Running, after, n))
        answered[n % 2] = (answered[n % 2] ?? 0) + 1;
      if (n === Math.floor(size / 2)) await both[0]?.end("SIGKILL");
    });
    await both[1]?.end("SIGTERM");
    const [ofKilled = 0, ofOther = 0] = answered;
    const late = (await count(SCANNED)) - size;
    tell({ scans: 2 * size, ofKilled, ofOther, lost: ofKilled + ofOther - late });
    expect(late).toBeGreaterThanOrEqual(ofOther);
    // A process that was killed between storing and answering can't report it.
    expect(late).toBeLessThanOrEqual(ofKilled + ofOther + MANY);
    expect(await count("SELECT count(DISTINCT id) FROM scans")).toBe(size + late);
    expect(await count("SELECT sum(total) FROM scan_totals")).toBe(size + late);
    expectPlain(302);
  });

  test("limits: exactly as many requests as a minute has, through both", async () => {
    const both = await Promise.all([serve("60/20"), serve("60/20")]);
    expect(both[0]?.token).toBe(both[1]?.token);
    /** End of a minute -> the places of it that were given, in the order of the answers. */
    const windows = new Map<number, number[]>();
    const full = new Set<number>();
    const look = async (n: number): Promise<void> => {
      const at = both[n % 2] as Running;
      const answer = await ask(`${at.base_url}/workspace/${at.workspace_id}/qrcodes/?limit=1`, {
        headers: { authorization: `Token ${at.token}` },
      });
      const [left, reset] = ["remaining", "reset"].map((name) =>
        Number(answer?.headers[`ratelimit-${name}`]),
      );
      // The end of the minute: an answer comes less than a minute after it was counted.
      const end = Math.floor((Date.now() + (reset ?? 0) * 1000) / 60_000);
      if (answer?.status === 200) windows.set(end, [...(windows.get(end) ?? []), left ?? 0]);
      if (answer?.status === 429) full.add(end);
      if (n === Math.floor(REQUESTS / 2))
        await both[0]?.end("SIGKILL").then(async () => (both[0] = await serve("60/20")));
    };
    await each(REQUESTS, look, FEW);
    const given = [...windows.values()];
    tell({ requests: REQUESTS, let_through: given.map((places) => places.length) });
    expect(full.size).toBeGreaterThan(0);
    for (const places of given) {
      expect(new Set(places).size).toBe(places.length);
      expect(places.length).toBeLessThanOrEqual(60);
    }
    // What the one that was killed had under way got no answer.
    for (const end of full) expect(windows.get(end)?.length ?? 0).toBeGreaterThanOrEqual(60 - FEW);
    expectPlain(429);
  });
});
