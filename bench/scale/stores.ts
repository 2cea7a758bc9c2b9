/** Creates and redirects of the service on either store: how many a second, processor time, disk. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { askOnce, type TestPostgres } from "../../test/postgres.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const CREATING = 8;
const VISITING = 32;
/** Always so in Linux. */
const TICK_MS = 10;

/** Processor time of a process in ms; `withEnded` adds its ended children. NaN without `/proc`. */
function readCpuMs(pid: number, withEnded = false): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /su, "")
      .split(" ");
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return (user + system + (withEnded ? endedUser + endedSystem : 0)) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** Of a server and everything that it started. */
function readServerMs({ url }: TestPostgres): number {
  const folder = decodeURIComponent(/host=([^&]+)/u.exec(url)?.[1] ?? "");
  const pid = readFileSync(path.join(folder, "data/postmaster.pid"), "utf8").split("\n")[0] ?? "";
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.reduce(
    (sum, child) => sum + (readCpuMs(Number(child)) || 0),
    readCpuMs(Number(pid), true),
  );
}

interface Served {
  readonly base_url: string;
  readonly token: string;
  readonly workspace_id: string;
}

async function serve(dataDir: string, store: string | undefined): Promise<[Served, ChildProcess]> {
  const options = ["--json", "--port", "0", "--limits", "off", "--data", dataDir];
  const child = spawn(process.execPath, [PROGRAM, "serve", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...process.env,
      MAKEREADY_PUBLIC_URL: "https://go.example",
      ...(store !== undefined && { MAKEREADY_STORE: store }),
    },
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return [JSON.parse(line.toString()) as Served, child];
}

async function inLanes(lanes: number, count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** One connection that asks for a path again and again. */
async function openVisitor(port: number, slug: string): Promise<() => Promise<void>> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  let visitor = 0;
  return async () => {
    visitor += 1;
    socket.write(
      `GET ${slug} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0 (iPhone; ${visitor % 500}) Mobile Safari/604.1\r\n\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    if (!answer.toString("latin1").startsWith("HTTP/1.1 302")) throw new Error(String(answer));
  };
}

async function create({ base_url: base, token, workspace_id: workspace }: Served): Promise<string> {
  const response = await fetch(`${base}/qrcode/create/`, {
    method: "POST",
    headers: { authorization: `Token ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ workspace, qr_data: "https://example.com/", dynamic: true }),
  });
  const code = (await response.json()) as { shortlink_url: string };
  if (!response.ok) throw new Error(JSON.stringify(code));
  return new URL(code.shortlink_url).pathname;
}

/** @param server undefined = SQLite */
async function measureStore(
  server: TestPostgres | undefined,
  counts: { readonly creates: number; readonly redirects: number },
): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "bench-stores-"));
  const url = await server?.makeDatabase();
  const [served, child] = await serve(dataDir, url);
  const readMs = (): [own: number, database: number] => [
    readCpuMs(child.pid ?? 0),
    server === undefined ? 0 : readServerMs(server),
  ];
  const readBytes = async (): Promise<number> => {
    if (url !== undefined)
      return Number(
        await askOnce(url, "CHECKPOINT", "SELECT pg_database_size(current_database())"),
      );
    const file = path.join(dataDir, "service.db");
    const sqlite = openSqlite(file);
    sqlite.get("PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite.close();
    return statSync(file).size;
  };
  const untilStored = async (count: number): Promise<void> => {
    const stored = async (): Promise<number> =>
      url === undefined
        ? count
        : Number(await askOnce(url, "SELECT count(*) FROM scans WHERE earlier IS NOT NULL"));
    while ((await stored()) < count);
  };
  const measure = async (what: string, count: number, work: () => Promise<void>): Promise<void> => {
    const [[own, database], bytes, from] = [readMs(), await readBytes(), performance.now()];
    await work();
    const seconds = (performance.now() - from) / 1000;
    // Writes behind the answers belong to them.
    if (what === "redirects") await untilStored(count);
    const [ownAfter, databaseAfter] = readMs();
    const toUs = (ms: number): string => `${((ms * 1000) / count).toFixed(0)} us`;
    const more = ((await readBytes()) - bytes) / count;
    console.log(
      `${server === undefined ? "SQLite    " : "PostgreSQL"} ${what.padEnd(9)} ${(count / seconds).toFixed(0).padStart(6)}/s, processor time of each: ${toUs(ownAfter - own)} of the service${server === undefined ? "" : `, ${toUs(databaseAfter - database)} of the database`}; ${more.toFixed(0)} bytes of disk each`,
    );
  };
  try {
    const slug = await create(served);
    await inLanes(CREATING, counts.creates / 10, async () => void (await create(served)));
    await measure("creates", counts.creates, () =>
      inLanes(CREATING, counts.creates, async () => void (await create(served))),
    );
    const port = Number(new URL(served.base_url).port);
    const visitors = await Promise.all(
      Array.from({ length: VISITING }, () => openVisitor(port, slug)),
    );
    await measure("redirects", counts.redirects, () => {
      const each = Math.ceil(counts.redirects / VISITING);
      return Promise.all(visitors.map((visit) => inLanes(1, each, visit))).then(() => undefined);
    });
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Both stores, twice: the first pass warms up the computer. */
export async function measureStores(
  server: TestPostgres,
  counts: { readonly creates: number; readonly redirects: number },
): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const store of [undefined, server]) await measureStore(store, counts);
}
