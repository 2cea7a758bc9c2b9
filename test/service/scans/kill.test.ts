/**
 * The service killed and stopped under load (docs/spec/design.md promises 8 and 9): what was
 * flushed is stored after kill -9, SIGTERM loses nothing, and reports arrive at least once and in
 * order per code after a crash of either side. How long a flush is waited for says
 * `recorder.test.ts`, by a clock of its own.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, expect, it } from "vitest";

import { openSqlite } from "../../../src/base/sqlite/sqlite.ts";
import { openService } from "../../../src/service/service.ts";

import { SHORT_LIVED } from "../../flow/program.ts";
import type { Wire } from "../make-service.ts";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
const CONNECTIONS = 4;
/** The service is killed when that many answers are stored, and twice as many were given. */
const STORED_BEFORE_KILL = 600;

interface Running {
  readonly base_url: string;
  readonly token: string;
  readonly workspace_id: string;
  readonly ended: Promise<number | null>;
  kill(signal: "SIGKILL" | "SIGTERM"): void;
}

let dataDir: string;
let toStop: Running[] = [];
let toClose: Server[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "kill-"));
});
afterEach(async () => {
  for (const running of toStop) running.kill("SIGKILL");
  await Promise.all(toStop.map(({ ended }) => ended));
  for (const server of toClose) {
    server.closeAllConnections();
    server.close();
  }
  toStop = [];
  toClose = [];
  await rm(dataDir, { recursive: true });
});

/** `makeready serve`, as people start it. */
async function serve(...options: string[]): Promise<Running> {
  const child = spawn(
    process.execPath,
    [
      ...SHORT_LIVED,
      MAIN,
      "serve",
      "--json",
      "--port",
      "0",
      "--limits",
      "off",
      "--data",
      dataDir,
      ...options,
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => resolve(code));
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString()));
    child.once("exit", () => reject(new Error("the service did not start")));
  });
  const running: Running = {
    ...(JSON.parse(line) as Pick<Running, "base_url" | "token" | "workspace_id">),
    ended,
    kill: (signal) => void child.kill(signal),
  };
  toStop.push(running);
  return running;
}

async function makeCode(running: Running): Promise<Wire> {
  const response = await fetch(`${running.base_url}/qrcode/create/`, {
    method: "POST",
    headers: { authorization: `Token ${running.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      workspace: running.workspace_id,
      qr_data: "https://example.com/",
      dynamic: true,
    }),
  });
  return response.json();
}

/** Visits of the short links by several visitors at once, until the connections break. */
class Load {
  /** Answers so far. */
  answers = 0;
  readonly #ended: Promise<unknown>;

  /** `onAnswer` is called after each; visitors differ in their browsers. */
  constructor(port: number, slugs: readonly string[], onAnswer: (load: Load) => void) {
    const lanes = Array.from({ length: CONNECTIONS }, () => this.#ask(port, slugs, onAnswer));
    this.#ended = Promise.all(lanes);
  }

  async ended(): Promise<void> {
    await this.#ended;
  }

  #ask(port: number, slugs: readonly string[], onAnswer: (load: Load) => void): Promise<void> {
    return new Promise((resolve) => {
      const socket: Socket = connect(port, "127.0.0.1");
      let code = 0;
      const next = (): void => {
        code = (this.answers + code) % slugs.length;
        socket.write(`GET ${slugs[code]} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${PHONE}\r\n\r\n`);
      };
      socket.on("connect", next);
      socket.on("data", (data) => {
        if (!data.toString("latin1").startsWith("HTTP/1.1 302")) return;
        this.answers += 1;
        onAnswer(this);
        next();
      });
      socket.on("error", () => resolve());
      socket.on("close", () => resolve());
    });
  }
}

const portOf = (running: Running): number => Number(new URL(running.base_url).port);
const slugOf = (code: Wire): string => new URL(code.shortlink_url).pathname;

/** What the store knows of codes, read by a service of its own. */
async function readStored(
  codes: readonly Wire[],
): Promise<{ readonly total: number; readonly activity: number; readonly counted: number }> {
  const service = await openService({ dataDir, limits: "off", deliverWebhooks: false });
  const get = async (address: string): Promise<Wire> => {
    const headers = { authorization: `Token ${service.account.token}` };
    const request = new Request(`http://localhost/api/v2${address}`, { headers });
    return (await service.fetch(request)).json();
  };
  const sum = { total: 0, activity: 0, counted: 0 };
  for (const { id } of codes) {
    sum.total += (await get(`/qrcode/${id}/`)).total_scans;
    sum.activity += (await get(`/qrcode/${id}/activity/`)).count;
    sum.counted += (await get(`/qrcode/${id}/analytics/`)).total_scans;
  }
  await service.close();
  return sum;
}

/** Scans in the file, not those that the service still holds. */
function countStored(): number {
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  const { n = 0 } = sqlite.get<{ n: number }>("SELECT count(*) AS n FROM scans") ?? {};
  sqlite.close();
  return n;
}

it("kill -9 loses nothing that was flushed, while answers go on (docs/spec/design.md promise 9)", async () => {
  const running = await serve();
  const codes = [await makeCode(running), await makeCode(running)];
  let due = 0;
  const load = new Load(portOf(running), codes.map(slugOf), ({ answers }) => {
    if (answers < 2 * STORED_BEFORE_KILL || answers % 100 > 0 || due > 0) return;
    const stored = countStored();
    if (stored < STORED_BEFORE_KILL) return;
    due = stored;
    running.kill("SIGKILL");
  });
  await load.ended();
  await running.ended;
  const stored = await readStored(codes);
  expect(due).toBeGreaterThanOrEqual(STORED_BEFORE_KILL);
  expect(stored.total).toBeGreaterThanOrEqual(due);
  expect(stored.total).toBeLessThanOrEqual(load.answers + CONNECTIONS);
  // Rows, counters and roll-ups are one transaction: they never disagree.
  expect([stored.activity, stored.counted]).toEqual([stored.total, stored.total]);
});

it("SIGTERM under load loses nothing", async () => {
  const running = await serve();
  const codes = [await makeCode(running), await makeCode(running)];
  let stopped = false;
  const load = new Load(portOf(running), codes.map(slugOf), ({ answers }) => {
    if (answers < 2000 || stopped) return;
    stopped = true;
    running.kill("SIGTERM");
  });
  await load.ended();
  expect(await running.ended).toBe(0);
  const stored = await readStored(codes);
  // Those whose answer was on its way when the connection closed count too.
  expect(stored.total).toBeGreaterThanOrEqual(load.answers);
  expect(stored.total).toBeLessThanOrEqual(load.answers + CONNECTIONS);
});

interface Receiver {
  readonly url: string;
  /** Ids of reports that were received, per code, in order; again means again. */
  readonly got: { readonly codeId: string; readonly scanId: string }[];
  close(): Promise<void>;
}

/** A webhook receiver; `until` is called with each report before it is answered. */
async function receive(port: number, onReport: () => void = () => {}): Promise<Receiver> {
  const got: Receiver["got"] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const { qr_code_id: codeId, id: scanId }: Wire = JSON.parse(text);
      got.push({ codeId, scanId });
      onReport();
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  toClose.push(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scans`,
    got,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function visit(running: Running, code: Wire, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await fetch(`http://127.0.0.1:${portOf(running)}${slugOf(code)}`, {
      redirect: "manual",
      headers: { "user-agent": `${PHONE} ${n}` },
    });
  }
}

/** Waits until `done`, looked at after every report that arrives. */
function waiter(): { readonly look: () => void; until(done: () => boolean): Promise<void> } {
  let look: (() => void) | undefined;
  return {
    look: () => look?.(),
    until: (done) =>
      new Promise((resolve) => {
        look = () => {
          if (done()) resolve();
        };
        look();
      }),
  };
}

/** First arrivals only, per code. */
const inOrder = (got: Receiver["got"], codeId: string): string[] => [
  ...new Set(got.filter((one) => one.codeId === codeId).map(({ scanId }) => scanId)),
];

async function readActivityIds(running: Running, code: Wire): Promise<string[]> {
  const response = await fetch(`${running.base_url}/qrcode/${code.id}/activity/?page_size=200`, {
    headers: { authorization: `Token ${running.token}` },
  });
  const { results } = (await response.json()) as Wire;
  return results.map(({ id }: Wire) => id).toReversed();
}

it("reports arrive at least once and in order per code after kill -9 of the service", async () => {
  const waiting = waiter();
  const receiver = await receive(0, waiting.look);
  const options = ["--webhook-url", receiver.url, "--webhook-secret", "s"];
  const first = await serve(...options);
  const codes = [await makeCode(first), await makeCode(first)];
  for (const code of codes) void visit(first, code, 40).catch(() => {});
  await waiting.until(() => receiver.got.length >= 15);
  first.kill("SIGKILL");
  await first.ended;
  const second = await serve(...options);
  const ids = await Promise.all(codes.map((code) => readActivityIds(second, code)));
  const total = ids.reduce((sum, list) => sum + list.length, 0);
  const arrived = () => codes.reduce((sum, { id }) => sum + inOrder(receiver.got, id).length, 0);
  await waiting.until(() => arrived() >= total);
  expect(total).toBeGreaterThanOrEqual(15);
  for (const [index, { id }] of codes.entries()) {
    expect(inOrder(receiver.got, id)).toEqual(ids[index]);
  }
});

it("reports arrive at least once and in order per code after a crash of the receiver", async () => {
  const waiting = waiter();
  const first = await receive(0, waiting.look);
  const port = Number(new URL(first.url).port);
  const running = await serve("--webhook-url", first.url, "--webhook-secret", "s");
  const code = await makeCode(running);
  const visits = visit(running, code, 30);
  await waiting.until(() => first.got.length >= 5);
  await first.close();
  await visits;
  const second = await receive(port, waiting.look);
  const total = 30;
  const arrived = () => inOrder([...first.got, ...second.got], code.id);
  await waiting.until(() => arrived().length >= total);
  expect(arrived()).toEqual(await readActivityIds(running, code));
});
