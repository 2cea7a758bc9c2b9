/**
 * Redirects with their scans recorded, over real sockets, compared with a bare server: `node:http`,
 * a Map and one batched INSERT. Both run as their own processes and are asked in turns within the
 * same run, by the same connections; every answered scan must be stored in the end. Then the
 * analytics of one code with a million scans, rolled up.
 *
 * npm run bench -- redirect npx tsx bench/redirect.ts [rounds] [seconds a round] [scans of the
 * code]
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

import { openSqlite } from "../src/base/sqlite/sqlite.ts";
import type { Note } from "../src/service/scans/note.ts";
import { makeScanWriter } from "../src/service/scans/save-scans.ts";
import { Places } from "../src/service/scans/places.ts";
import { openService } from "../src/service/service.ts";
import { openStore } from "../src/service/store/sqlite/sqlite-store.ts";
import { fillCodes } from "./fill-codes.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 4);
const SCANS = Number(process.argv[4] ?? 1_000_000);
const WARM_S = 3;
const CONNECTIONS = 32;
const CODES = 10_000;
const VISITORS = 50_000;

const AGENTS = Array.from({ length: 200 }, (_, n) =>
  n % 3 === 0
    ? `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${n % 7} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${n} Mobile/15E148 Safari/604.1`
    : `Mozilla/5.0 (Linux; Android 1${n % 5}; Pixel ${n}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1${n}.0.0.0 Mobile Safari/537.36`,
);
const toIp = (n: number): string => `81.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** The bare server: written in an hour. */
const BARE = `
  import { createServer } from "node:http";
  import { DatabaseSync } from "@photostructure/sqlite";
  const [file, codes] = process.argv.slice(1);
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE scans (id INTEGER PRIMARY KEY, slug TEXT, time INTEGER, ip TEXT, agent TEXT); CREATE INDEX scans_slug ON scans(slug, time)");
  const insert = db.prepare("INSERT INTO scans (slug, time, ip, agent) VALUES (?, ?, ?, ?)");
  const targets = new Map();
  for (let n = 0; n < Number(codes); n += 1) targets.set("/bench" + n, "https://example.com/t/" + n);
  let waiting = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    db.exec("BEGIN");
    for (const scan of batch) insert.run(...scan);
    db.exec("COMMIT");
  };
  setInterval(flush, 100);
  const server = createServer((request, response) => {
    const location = targets.get(request.url);
    if (location === undefined) { response.writeHead(404).end(); return; }
    response.writeHead(302, { location, "cache-control": "no-store" });
    response.end();
    waiting.push([request.url, Date.now(), request.headers["x-forwarded-for"], request.headers["user-agent"]]);
  });
  process.on("SIGTERM", () => { flush(); console.log(JSON.stringify(process.cpuUsage())); process.exit(0); });
  server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port, ...process.cpuUsage() })));
`;

const OURS = `
  import { openService } from ${JSON.stringify(new URL("../dist/service/service.js", import.meta.url).href)};
  const service = await openService({ dataDir: process.argv[1], limits: "off", trustProxy: ["loopback"], drawingThreads: 0, scanThread: true });
  const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
  process.on("SIGTERM", () => void service.close().then(() => { console.log(JSON.stringify(process.cpuUsage())); process.exit(0); }));
  console.log(JSON.stringify({ port: Number(new URL(url).port), ...process.cpuUsage() }));
`;

interface Server {
  readonly port: number;
  /** Answers the microseconds of CPU since it started to listen. */
  stop(): Promise<number>;
}

async function start(program: string, args: readonly string[]): Promise<Server> {
  const flags = ["--input-type=module", "--eval", program, ...args];
  const child: ChildProcess = spawn(process.execPath, flags, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const line = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  const begun = JSON.parse(line) as { port: number; user: number; system: number };
  return {
    port: begun.port,
    stop: () =>
      new Promise((resolve) => {
        let used = 0;
        lines.once("line", (last) => {
          const { user, system } = JSON.parse(last) as { user: number; system: number };
          used = user + system - begun.user - begun.system;
        });
        child.once("close", () => resolve(used));
        child.kill("SIGTERM");
      }),
  };
}

/** Copies one code 10,000 times, directly in the store. */
async function fill(dataDir: string): Promise<void> {
  const service = await openService({ dataDir, limits: "off", drawingThreads: 0 });
  await service.fetch(
    new Request("http://localhost/api/v2/qrcode/create/", {
      method: "POST",
      headers: {
        authorization: `Token ${service.account.token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({
        workspace: service.account.workspaceId,
        qr_data: "https://example.com/t/1",
        dynamic: true,
      }),
    }),
  );
  await service.close();
  fillCodes(path.join(dataDir, "service.db"), {
    to: CODES,
    special: { qr_data: "'https://example.com/t/' || n" },
  });
  // What a service does after running for a while.
  const store = openStore(path.join(dataDir, "service.db"));
  await store.indexText();
  await store.close();
}

interface Result {
  readonly answered: number;
  readonly perS: number;
  readonly p50: number;
  readonly p99: number;
}

/** One connection asks, waits for the answer, asks again, until `endMs`. */
function ask(port: number, endMs: number, took: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    let sentMs = 0;
    let text = "";
    const next = (): void => {
      sentMs = performance.now();
      if (sentMs >= endMs) {
        socket.end();
        resolve();
        return;
      }
      const visitor = Math.floor(Math.random() * VISITORS);
      socket.write(
        `GET /bench${Math.floor(Math.random() * CODES)} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
          `X-Forwarded-For: ${toIp(visitor)}\r\nUser-Agent: ${AGENTS[visitor % AGENTS.length]}\r\n` +
          `Accept: */*\r\nAccept-Language: en\r\n\r\n`,
      );
    };
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (data) => {
      text += data.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      if (!text.startsWith("HTTP/1.1 302")) {
        reject(new Error(text.slice(0, 200)));
        return;
      }
      text = "";
      took.push(performance.now() - sentMs);
      next();
    });
  });
}

async function measure(port: number, seconds: number): Promise<Result> {
  const took: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(port, endMs, took)));
  const perS = took.length / ((performance.now() - startMs) / 1000);
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { answered: took.length, perS, p50: at(0.5), p99: at(0.99) };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function print(label: string, results: readonly Result[], stored: number): void {
  const answered = results.reduce((sum, one) => sum + one.answered, 0);
  console.log(
    `${label.padEnd(34)} ${median(results.map((one) => one.perS))
      .toFixed(0)
      .padStart(7)}/s   p50 ${median(results.map((one) => one.p50)).toFixed(2)} ms   p99 ${median(
      results.map((one) => one.p99),
    ).toFixed(2)} ms   ${answered} answered, ${stored} stored`,
  );
  if (stored !== answered) throw new Error(`${label}: ${answered - stored} scans were lost`);
}

function count(file: string): number {
  const sqlite = openSqlite(file);
  const rows = sqlite.get<{ n: number }>("SELECT count(*) AS n FROM scans")?.n ?? 0;
  sqlite.close();
  return rows;
}

async function compare(folder: string): Promise<void> {
  const dataDir = path.join(folder, "service");
  await fill(dataDir);
  const bareFile = path.join(folder, "bare.db");
  const bare = await start(BARE, [bareFile, String(CODES)]);
  const ours = await start(OURS, [dataDir]);
  const results: { bare: Result[]; ours: Result[] } = { bare: [], ours: [] };
  const serviceFile = path.join(dataDir, "service.db");
  /** Most scans that a crash at the end of a round would have lost. */
  let behind = 0;
  const warm = [await measure(bare.port, WARM_S), await measure(ours.port, WARM_S)];
  const countAnswered = (): number =>
    results.ours.reduce((sum, { answered }) => sum + answered, warm[1]?.answered ?? 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    // The first one changes, so that neither always runs on the warmer machine.
    const order = round % 2 === 0 ? (["bare", "ours"] as const) : (["ours", "bare"] as const);
    for (const name of order) {
      results[name].push(await measure((name === "bare" ? bare : ours).port, SECONDS));
      if (name === "ours") behind = Math.max(behind, countAnswered() - count(serviceFile));
    }
  }
  const used = { bare: await bare.stop(), ours: await ours.stop() };
  print("bare: node:http, Map, SQLite", results.bare, count(bareFile) - (warm[0]?.answered ?? 0));
  const stored = count(serviceFile) - (warm[1]?.answered ?? 0);
  print("makeready, recorded redirects", results.ours, stored);
  console.log(`answered and not stored yet when a round ended, at most: ${behind}`);
  const perScan = (name: "bare" | "ours", first: Result | undefined): string => {
    const all = results[name].reduce((sum, one) => sum + one.answered, first?.answered ?? 0);
    return (used[name] / all).toFixed(1);
  };
  console.log(
    `CPU of a redirect with all that follows from it: bare ${perScan("bare", warm[0])} us, makeready ${perScan("ours", warm[1])} us`,
  );
  const ratios = results.ours.map((one, round) => one.perS / (results.bare[round]?.perS ?? 1));
  console.log(
    `ratio of the rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}, median ${median(ratios).toFixed(2)}`,
  );
}

const DAY_MS = 86_400_000;
/** Milliseconds of CPU of this process so far: others may keep the machine busy. */
const readCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const noReports = { add: async () => {}, isWanted: async () => false };

const find = (n: number) => ({
  country: `Country ${n % 40}`,
  region: "",
  city: `City ${n % 300}`,
  zone: "",
});

/**
 * A million scans over a year, from a fifth as many scanners in 300 cities, through the recorder's
 * own code.
 */
async function fillScans(dataDir: string, codeId: string): Promise<number> {
  const store = openStore(path.join(dataDir, "service.db"));
  const places = new Places({ find: (ip) => find(Number(ip.split(".")[3]) * 7) });
  const writer = makeScanWriter({ places, outbox: noReports, key: "bench" });
  const startMs = Date.now() - 364 * DAY_MS;
  const startCpuMs = readCpuMs();
  for (let done = 0; done < SCANS; done += 5000) {
    const batch = Array.from({ length: Math.min(5000, SCANS - done) }, (_, n): Note => {
      const visitor = Math.floor(Math.random() * (SCANS / 5));
      return {
        id: crypto.randomUUID(),
        timeMs: Math.floor(startMs + ((done + n) / SCANS) * 364 * DAY_MS),
        codeId,
        sender: { ip: toIp(visitor), userAgent: AGENTS[visitor % AGENTS.length] ?? "" },
      };
    });
    await store.write((_tx, rows) => writer.save(rows, batch), "normal");
  }
  const perScan = ((readCpuMs() - startCpuMs) * 1000) / SCANS;
  await store.close();
  return perScan;
}

async function measureAnalytics(folder: string): Promise<void> {
  const dataDir = path.join(folder, "analytics");
  await fill(dataDir);
  const codeId = "00000000-0000-4000-9000-000000000007";
  const perScan = await fillScans(dataDir, codeId);
  const service = await openService({ dataDir, limits: "off", drawingThreads: 0 });
  const startCpuMs = readCpuMs();
  await service.rollUp();
  const rollUp = ((readCpuMs() - startCpuMs) * 1000) / SCANS;
  console.log(
    `\none code, ${SCANS.toLocaleString("en")} scans: stored in ${perScan.toFixed(1)} us, rolled up in ${rollUp.toFixed(1)} us of CPU a scan`,
  );
  const midday = new Date(Date.now() - 200.5 * DAY_MS).toISOString();
  const paths = {
    "last 30 days": `/qrcode/${codeId}/analytics/`,
    "365 days": `/qrcode/${codeId}/analytics/?days=365`,
    everything: `/qrcode/${codeId}/analytics/?start=1970-01-01`,
    "since a moment in a day": `/qrcode/${codeId}/analytics/?start=${midday}`,
    "workspace, 365 days": `/workspace/${service.account.workspaceId}/analytics/?days=365&top=100`,
    "list of 200, 365 days": `/workspace/${service.account.workspaceId}/qrcodes/?include=scans&days=365&page_size=200`,
    "activity, first page": `/qrcode/${codeId}/activity/`,
  };
  for (const [label, address] of Object.entries(paths)) {
    const took: number[] = [];
    const cpu: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const beganMs = performance.now();
      const beganCpuMs = readCpuMs();
      const response = await service.fetch(
        new Request(`http://localhost/api/v2${address}`, {
          headers: { authorization: `Token ${service.account.token}` },
        }),
      );
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${label}: ${response.status}`);
      took.push(performance.now() - beganMs);
      cpu.push(readCpuMs() - beganCpuMs);
    }
    console.log(
      `analytics, ${label.padEnd(24)} ${median(took).toFixed(1).padStart(7)} ms, ${median(cpu).toFixed(1).padStart(5)} ms of CPU`,
    );
  }
  await service.close();
}

// Both run as built: nobody serves from sources.
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "src", "--noCheck"], {
  cwd: new URL("..", import.meta.url),
  stdio: "inherit",
});
const folder = mkdtempSync(path.join(os.tmpdir(), "bench-redirect-"));
try {
  await compare(folder);
  await measureAnalytics(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
