/** Bodies on their way in: slow, long, unfinished, many at once (docs/security.md). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import type { BodySource } from "../../src/service/http/body-source.ts";
import { atAddress, readBytes } from "../../src/service/http/body.ts";
import { Bodies } from "../../src/service/http/bodies.ts";
import { Refusal } from "../../src/service/http/reply.ts";

import { makeService, type TestService } from "./make-service.ts";
import { advanceUntil, openSocket, toHead, toStatus } from "./raw-socket.ts";
import { listResponses, look, publishForm } from "./visit-form.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const toPath = (address: string): string => new URL(address).pathname;
const PIECE = new Uint8Array(32 * KIB);

/** A body whose pieces come when the test says so. */
class Sender implements BodySource {
  asked = 0;
  hasLeft = false;
  #answer: ((piece: Uint8Array | undefined) => void) | undefined;

  next(): Promise<Uint8Array | undefined> {
    this.asked += 1;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  leave(): void {
    this.hasLeft = true;
  }

  /** True when somebody had asked for it. */
  async send(piece: Uint8Array | undefined): Promise<boolean> {
    await settle();
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(piece);
    await settle();
    return answer !== undefined;
  }

  /** Sends pieces as long as they are asked for; answers how many bytes were taken. */
  async sendAll(bytes: number): Promise<number> {
    let sent = 0;
    while (sent < bytes && (await this.send(PIECE))) sent += PIECE.length;
    return sent;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface Reading {
  readonly sender: Sender;
  /** The length of the body, or the status of its refusal. */
  readonly result: Promise<number>;
  /** What came of it so far. */
  readonly settled: () => number | undefined;
  readonly end: () => void;
}

describe("bodies", () => {
  let clock: FakeClock;
  let bodies: Bodies;
  beforeEach(() => {
    clock = fakeClock();
    bodies = new Bodies(clock);
  });
  afterEach(() => bodies.close());

  function read(key: string, length?: number): Reading {
    const sender = new Sender();
    const headers: Record<string, string> =
      length === undefined
        ? { "transfer-encoding": "chunked" }
        : { "content-length": String(length) };
    const sent = new Request("http://a/", { method: "POST", headers });
    const { request, end } = bodies.guard(sent, key, sender);
    let settled: number | undefined;
    const result = readBytes(request, 29 * MIB)
      .then((bytes) => bytes.length)
      .catch((error: unknown) => (error instanceof Refusal ? error.reply.status : -1))
      .then((value) => (settled = value));
    return { sender, result, settled: () => settled, end };
  }

  it("are read as they come, and leave nothing behind", async () => {
    for (const length of [1, 64 * KIB, 5 * MIB, undefined]) {
      const { sender, result, end } = read("a", length);
      const size = length ?? 200 * KIB;
      for (let left = size; left > 0; left -= Math.min(left, PIECE.length)) {
        expect(await sender.send(PIECE.subarray(0, Math.min(left, PIECE.length)))).toBe(true);
      }
      await sender.send(undefined);
      expect(await result).toBe(size);
      end();
      expect(sender.hasLeft).toBe(true);
    }
    // All that they held is free again.
    const whole = read("a", 29 * MIB);
    expect(await whole.sender.sendAll(29 * MIB)).toBe(29 * MIB);
  });

  it("go along when their request moves to another address", async () => {
    const sent = new Request("http://a/b", { method: "POST", headers: { "content-length": "3" } });
    const sender = new Sender();
    const { request } = bodies.guard(sent, "a", sender);
    const moved = atAddress(request, "http://a/c");
    const reading = readBytes(moved, 10);
    await sender.send(new Uint8Array([1, 2, 3]));
    await sender.send(undefined);
    expect([moved.url, moved.method, [...(await reading)]]).toEqual([
      "http://a/c",
      "POST",
      [1, 2, 3],
    ]);
  });

  it("of a request without one are left alone", () => {
    const request = new Request("http://a/", { method: "POST" });
    expect(bodies.guard(request, "a", new Sender()).request).toBe(request);
  });

  it("that come byte by byte are cut off (408), and hold no turn of others", async () => {
    const slow = Array.from({ length: 40 }, () => read("a", 26 * MIB));
    for (const { sender } of slow) await sender.send(new Uint8Array(1));
    const quick = read("a", 5 * MIB);
    expect(await quick.sender.sendAll(5 * MIB)).toBe(5 * MIB);
    for (let second = 0; second < 26; second += 1) {
      await clock.advance(1000);
      for (const { sender } of slow) await sender.send(new Uint8Array(1));
    }
    expect(await Promise.all(slow.map(({ result }) => result))).toEqual(slow.map(() => 408));
    expect(quick.settled()).toBeUndefined();
  });

  it("wait for their turn without being taken in, for half a minute at most (503)", async () => {
    const first = read("a", 26 * MIB);
    await first.sender.sendAll(MIB);
    const second = read("a", 26 * MIB);
    expect(await second.sender.sendAll(MIB)).toBeLessThanOrEqual(96 * KIB);
    const others = [read("b", 26 * MIB), read("c", 26 * MIB)];
    for (const { sender } of others) expect(await sender.sendAll(MIB)).toBe(MIB);
    for (let second_ = 0; second_ < 35; second_ += 1) {
      for (const { sender } of [first, ...others]) await sender.sendAll(64 * KIB);
      await clock.advance(1000);
    }
    expect(second.settled()).toBe(503);
    expect([first, ...others].map(({ settled }) => settled())).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("go on when it is their turn, however long they waited", async () => {
    const first = read("a", 26 * MIB);
    await first.sender.sendAll(MIB);
    const second = read("a", 26 * MIB);
    await second.sender.sendAll(MIB);
    for (let time = 0; time < 25; time += 1) {
      await first.sender.sendAll(64 * KIB);
      await clock.advance(1000);
    }
    first.end();
    await settle();
    expect(await second.sender.sendAll(25 * MIB)).toBe(25 * MIB);
    expect(second.settled()).toBeUndefined();
  });

  it("lose their turn when they stop while another waits for it (408)", async () => {
    const stopped = read("a", 26 * MIB);
    await stopped.sender.sendAll(MIB);
    const waiting = read("a", 26 * MIB);
    await waiting.sender.sendAll(MIB);
    await clock.advance(12_000);
    expect([stopped.settled(), waiting.settled()]).toEqual([408, undefined]);
    stopped.end();
    await settle();
    expect(await waiting.sender.sendAll(25 * MIB)).toBe(25 * MIB);
  });

  it("keep it when no other body needs it, as long as bytes come at all", async () => {
    const alone = read("a", 26 * MIB);
    await alone.sender.sendAll(MIB);
    await clock.advance(60_000);
    expect(alone.settled()).toBeUndefined();
  });

  it("are limited in number when none is long: none waits, one too many is refused (503)", async () => {
    const waiting: Reading[] = [];
    const count = async (key: string): Promise<number> => {
      for (let size = 0; ; size += 1) {
        const one = read(key, 64 * KIB);
        waiting.push(one);
        await one.sender.sendAll(64 * KIB);
        if (one.settled() === 503) return size;
      }
    };
    expect(await count("a")).toBe(64);
    for (const key of "bcdefgh") expect(await count(key)).toBe(64);
    // All of them together hold 32 MB.
    expect(await count("i")).toBe(0);
    for (const { end } of waiting) end();
    expect(await count("i")).toBe(64);
  });

  it("wait no longer when the service ends", async () => {
    const first = read("a", 26 * MIB);
    await first.sender.sendAll(MIB);
    const second = read("a", 26 * MIB);
    await second.sender.sendAll(MIB);
    bodies.close();
    expect(await second.result).toBe(503);
  });
});

describe("a body over a socket", () => {
  let service: TestService;
  let url: string;
  beforeEach(async () => {
    service = await makeService();
    ({ url } = await service.listen({ host: "127.0.0.1", port: 0 }));
  });
  afterEach(() => service.close());

  const image = { id: "temp-1", field_type: "image", label: "Photo" };
  const MULTIPART = "multipart/form-data; boundary=b";
  const URLENCODED = "application/x-www-form-urlencoded";

  /** Paths that read a body of a stranger or an account, with the type that they read. */
  async function listWays(): Promise<[path: string, headers: Record<string, string>][]> {
    const form = await publishForm(service, [image]);
    const gps = await service.code({ dynamic: true, gps_tracking: true });
    const token = { Authorization: `Token ${service.account.token}` };
    const bearer = { Authorization: `Bearer ${service.account.token}` };
    const json = { "Content-Type": "application/json" };
    return [
      [toPath(form.share_url), { "Content-Type": URLENCODED }],
      [toPath(form.share_url), { "Content-Type": MULTIPART }],
      ["/api/v2/qrcode/create/", { ...token, ...json }],
      ["/api/v2/pdf/create/", { ...token, ...json }],
      ["/mcp", { ...bearer, ...json }],
      ["/oauth/token", { "Content-Type": URLENCODED }],
      ["/oauth/register", json],
      [toPath(gps.shortlink_url), json],
    ];
  }

  it("that comes too slowly is cut off wherever one is read (408)", async () => {
    const ways = await listWays();
    const sockets = [];
    for (const [path, headers] of ways) {
      const head = toHead(path, { ...headers, "Content-Length": 900, Expect: "100-continue" });
      const one = await openSocket(url, head);
      // The service has begun to answer.
      await one.until(/100 Continue/u);
      one.socket.write("-");
      sockets.push(one);
    }
    const all = Promise.all(sockets.map(({ closed }) => closed));
    // What serves assistants is loaded with the first one, however long that takes.
    const statuses = (await advanceUntil(service.clock, 5000, all)).map((got, index) => [
      ways[index]?.[0],
      toStatus(got.replace(/^.*?\r\n\r\n/su, "")),
    ]);
    expect(statuses).toEqual(ways.map(([path]) => [path, 408]));
  });

  it("that is text has 1 MB at most, also where images may be sent (413)", async () => {
    const form = await publishForm(service, [image]);
    const headers = { "Content-Type": URLENCODED, "Content-Length": 25 * MIB };
    const { until, socket } = await openSocket(url, toHead(toPath(form.share_url), headers));
    expect(toStatus(await until(/\r\n\r\n/u))).toBe(413);
    socket.destroy();
  });

  it("with an image gets through beside any number that come byte by byte", async () => {
    const form = await publishForm(service, [image]);
    const path = toPath(form.share_url);
    const head = toHead(path, { "Content-Type": MULTIPART, "Content-Length": 10 * MIB });
    const slow = await Promise.all(
      Array.from({ length: 30 }, () => openSocket(url, `${head}--b\r\n`)),
    );
    const body = new FormData();
    body.append("ticket", (await look(service, form.share_url)).ticket);
    body.append(form.fields[0].id as string, new Blob([await makePicture()]));
    const sent = await fetch(`${url}${path}`, { method: "POST", body, redirect: "manual" });
    expect(sent.status).toBe(303);
    const { results } = await listResponses(service, form.id);
    expect(results).toHaveLength(1);
    for (const { socket } of slow) socket.destroy();
  });

  it("stays with its sender while it waits for its turn", async () => {
    const form = await publishForm(service, [image]);
    const path = toPath(form.share_url);
    const head = toHead(path, { "Content-Type": MULTIPART, "Content-Length": 11 * MIB });
    const sockets = await Promise.all(Array.from({ length: 12 }, () => openSocket(url, head)));
    const before = process.memoryUsage().arrayBuffers;
    for (const { socket } of sockets) socket.write(Buffer.alloc(10 * MIB));
    // Two of them have a turn, the others wait.
    for (let round = 0; round < 20; round += 1) await fetch(`${url}/healthz`);
    const pending = sockets.map(({ socket }) => socket.writableLength);
    expect(pending.filter((bytes) => bytes > 0).length).toBeGreaterThanOrEqual(9);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * MIB);
    for (const { socket } of sockets) socket.destroy();
  });

  it("is answered in the words of the page that it was sent from", async () => {
    const form = await publishForm(service, [image]);
    const path = toPath(form.share_url);
    const head = toHead(path, { "Content-Type": MULTIPART, "Content-Length": 10 * MIB });
    const { closed } = await openSocket(url, `${head}--b\r\n`);
    await fetch(`${url}/healthz`);
    await service.clock.advance(26_000);
    expect(await closed).toContain("Sending the answers took too long");
  });
});

async function makePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import("sharp");
  // Noise does not get smaller: more than a body may have without a turn.
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const image = sharp({
    create: { width: 400, height: 400, channels: 3, background: "#c03", noise },
  });
  return new Uint8Array(await image.png().toBuffer());
}
