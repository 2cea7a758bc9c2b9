/**
 * Strangers' floods together against a real service process, while short links are visited: forms
 * with number fields and the text that is worst for them, sockets that ask for big files and read
 * nothing or little, bodies that never end or come byte by byte. Counted by answers and bytes, not
 * by the clock. `SOAK=10` is the long way: `npm run test:soak`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

import { afterAll, beforeAll, expect, it } from "vitest";

import type { Wire } from "../service/make-service.ts";
import { toHead } from "../service/raw-socket.ts";
import { PROGRAM } from "./program.ts";

const SCALE = Number(process.env["SOAK"] ?? 1);
const MIB = 1024 * 1024;
const PDF_BYTES = 19 * MIB;
const MOST_RESIDENT_KIB = 400 * 1024;
const REDIRECTS = 400 * SCALE;
/** Each digit more is looked at as often as there are digits, by a pattern that goes back. */
const WORST_NUMBER = `${"1".repeat(20_000 * Math.min(SCALE, 8))}x`;
/** Floods come from one address, the others from another, where the system has more than one. */
const OTHER_ADDRESS = process.platform === "linux" ? { localAddress: "127.0.0.2" } : {};

const DESTINATION = "https://example.com/soak";
const URLENCODED = "application/x-www-form-urlencoded";
const LONG_BODY = Buffer.alloc(25 * MIB, "a=1&");
const MULTIPART = "multipart/form-data; boundary=b";

let dataDir: string;
let child: ChildProcess;
let url: string;
let call: (method: string, path: string, body?: unknown) => Promise<Wire>;
let workspace: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "soak-"));
  const args = ["serve", "--json", "--limits", "off", "--port", "0", "--data", dataDir];
  child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [line] = (await once(lines, "line")) as [string];
  const told = JSON.parse(line) as { base_url: string; token: string; workspace_id: string };
  url = new URL(told.base_url).origin;
  workspace = told.workspace_id;
  call = async (method, to, body) => {
    const answer = await fetch(`${told.base_url}${to}`, {
      method,
      headers: { authorization: `Token ${told.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  };
});
afterAll(async () => {
  child.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

const toPath = (address: string): string => new URL(address).pathname;

async function makeForm(): Promise<Wire> {
  const types = ["number", "number", "number", "image"];
  const fields = types.map((type, n) => ({ id: `temp-${n}`, field_type: type, label: type }));
  const { id } = await call("POST", "/form/create/", { workspace, title: "Soak" });
  await call("POST", `/form/${id}/save/`, { fields });
  return call("POST", `/form/${id}/publish/`, {});
}

async function makePdf(): Promise<string> {
  const pdf = Buffer.alloc(PDF_BYTES, "%PDF-1.7 1 0 obj endobj startxref ").toString("base64");
  return toPath((await call("POST", "/pdf/create/", { workspace, pdf_base64: pdf })).pdf_file_url);
}

const openTicket = async (form: string): Promise<string> => {
  const page = await (await fetch(`${url}${form}`)).text();
  return /name="ticket" value="([^"]+)"/u.exec(page)?.[1] ?? "";
};

/** Everything that strangers hold open. */
class Flood {
  readonly #sockets: Socket[] = [];
  /** What goes on a little with every redirect that was answered. */
  readonly #steps: (() => void)[] = [];

  open(text: string): Socket {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("error", () => {});
    this.#sockets.push(socket);
    return socket;
  }

  readNothing(file: string): void {
    this.open(`GET ${file} HTTP/1.1\r\nHost: a\r\n\r\n`).pause();
  }

  readSlowly(file: string): void {
    const socket = this.open(`GET ${file} HTTP/1.1\r\nHost: a\r\n\r\n`);
    socket.on("data", () => socket.pause());
    this.#steps.push(() => socket.resume());
  }

  /** All of a body but its last byte. */
  sendUnfinished(form: string, type: string, bytes: number): void {
    const head = toHead(form, { "Content-Type": type, "Content-Length": bytes });
    const socket = this.open(head);
    socket.write(LONG_BODY.subarray(0, bytes - 1));
    socket.resume();
  }

  sendByteByByte(form: string, type: string): void {
    const head = toHead(form, { "Content-Type": type, "Content-Length": 10 * MIB });
    const socket = this.open(head);
    socket.resume();
    this.#steps.push(() => void (socket.destroyed || socket.write("-")));
  }

  step(): void {
    for (const step of this.#steps) step();
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly bytes: number;
}

async function ask(
  to: string,
  options: { agent?: Agent; method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Answered> {
  const { body, ...rest } = options;
  const sent = request(`${url}${to}`, { ...OTHER_ADDRESS, ...rest });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  let bytes = 0;
  for await (const piece of answer) bytes += (piece as Buffer).length;
  return { status: answer.statusCode ?? 0, location: answer.headers.location, bytes };
}

/** The most memory that the service ever had, in KiB; undefined where the platform doesn't tell. */
function readPeak(): number | undefined {
  const file = `/proc/${child.pid}/status`;
  if (!existsSync(file)) return undefined;
  return Number(/^VmHWM:\s*(\d+) kB$/mu.exec(readFileSync(file, "utf8"))?.[1]);
}

async function sendNumbers(form: Wire): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < 4 * SCALE; n += 1) {
    const ticket = await openTicket(toPath(form.share_url));
    const numbers = form.fields.slice(0, 3).map(({ id }: Wire) => [id, WORST_NUMBER]);
    const body = new URLSearchParams([["ticket", ticket], ...numbers]);
    const sent = fetch(`${url}${toPath(form.share_url)}`, { method: "POST", body });
    statuses.push((await sent).status);
  }
  return statuses;
}

async function sendImage(form: Wire): Promise<number> {
  const { default: sharp } = await import("sharp");
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 500, height: 500, channels: 3, background: "#c03", noise } as const;
  const data = new FormData();
  data.append("ticket", await openTicket(toPath(form.share_url)));
  const image = new Uint8Array(await sharp({ create }).png().toBuffer());
  data.append(form.fields[3].id as string, new Blob([image]));
  const body = new Response(data);
  const sent = {
    method: "POST",
    headers: { "content-type": body.headers.get("content-type") ?? "" },
    body: Buffer.from(await body.arrayBuffer()),
  };
  return (await ask(toPath(form.share_url), sent)).status;
}

it("answers every redirect and stays small while strangers flood it", async () => {
  const form = await makeForm();
  const file = await makePdf();
  const code = await call("POST", "/qrcode/create/", {
    workspace,
    qr_data: DESTINATION,
    dynamic: true,
  });
  const flood = new Flood();
  const at = toPath(form.share_url);
  for (let n = 0; n < 60 * SCALE; n += 1) flood.readNothing(file);
  for (let n = 0; n < 40 * SCALE; n += 1) flood.readSlowly(file);
  for (let n = 0; n < 16 * SCALE; n += 1) {
    flood.sendUnfinished(at, URLENCODED, 25 * MIB);
    flood.sendUnfinished(at, MULTIPART, 10 * MIB);
    flood.sendByteByByte(at, URLENCODED);
    flood.sendByteByByte(at, MULTIPART);
  }
  const others = Promise.all([sendNumbers(form), sendImage(form), ask(file)]);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let right = 0;
  const visit = async (): Promise<void> => {
    for (let n = 0; n < REDIRECTS / 4; n += 1) {
      const { status, location } = await ask(toPath(code.shortlink_url), { agent });
      if (status === 302 && location === DESTINATION) right += 1;
      flood.step();
    }
  };
  await Promise.all([visit(), visit(), visit(), visit()]);
  const [numbers, image, download] = await others;
  expect(right).toBe(REDIRECTS);
  expect(new Set(numbers)).toEqual(new Set([400]));
  expect([image, download.status, download.bytes]).toEqual([303, 200, PDF_BYTES]);
  const peak = readPeak();
  if (peak !== undefined) expect(peak).toBeLessThan(MOST_RESIDENT_KIB);
  flood.end();
  agent.destroy();
  expect((await ask("/healthz")).status).toBe(200);
  expect(child.exitCode).toBeNull();
});
