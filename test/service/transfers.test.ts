/** Long answers on their way out: slow readers, many at once, files that change (docs/security.md). */
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm, writeFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { makeLog } from "../../src/base/log.ts";
import { openMediaFolder, type OpenFile } from "../../src/service/store/media.ts";
import { replyPart } from "../../src/service/http/ranges.ts";
import { PIECE_BYTES, Transfers } from "../../src/service/http/transfers.ts";

import { makeService, type TestService } from "./make-service.ts";
import { advanceUntil, openSocket, type RawSocket } from "./raw-socket.ts";

const MIB = 1024 * 1024;
const silent = makeLog({ to: { write: () => {} } });

interface Watched extends OpenFile {
  reads: number;
  isClosed: boolean;
}

/** A file of which every read and its closing are counted; its bytes tell where they stand. */
function makeFile(size: number, fail?: () => boolean): Watched {
  return {
    size,
    version: "v1",
    reads: 0,
    isClosed: false,
    async read(at, length) {
      this.reads += 1;
      if (fail?.() === true) throw new Error("the disk is gone");
      return Buffer.alloc(Math.min(length, size - at), at / PIECE_BYTES);
    },
    async close() {
      this.isClosed = true;
    },
  };
}

const makeText = (bytes: number): Response =>
  new Response(new Uint8Array(bytes), { headers: { "content-length": String(bytes) } });
const ask = (headers: Record<string, string> = {}, method = "GET"): Request =>
  new Request("http://a/media/x", { method, headers });

describe("a part of a file", () => {
  it("is read piece by piece as it is asked for, and closed at its end", async () => {
    const file = makeFile(10 * PIECE_BYTES + 1);
    const response = await replyPart(ask(), file, {});
    expect([file.reads, response.headers.get("content-length")]).toEqual([0, String(file.size)]);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (let piece = 0; piece < 11; piece += 1) {
      const { value } = await reader.read();
      expect([file.reads, value?.[0]]).toEqual([piece + 1, piece]);
    }
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect(file.isClosed).toBe(true);
  });

  it.each([
    ["a HEAD", ask({}, "HEAD"), 200],
    ["a version that is known", ask({ "if-none-match": 'W/"v0", "v1"' }), 304],
    ["any version that is known", ask({ "if-none-match": "*" }), 304],
    ["a range outside", ask({ range: "bytes=9999999-" }), 416],
    ["a short range", ask({ range: "bytes=3-5" }), 206],
  ])("is closed at once for %s", async (_, request, status) => {
    const file = makeFile(3 * PIECE_BYTES);
    const response = await replyPart(request, file, {});
    expect([response.status, file.isClosed]).toEqual([status, true]);
  });

  it.each([
    ['"v1"', 206, 4],
    ['"v0"', 200, 12],
  ])("of version %s only: another one is sent whole (If-Range)", async (tag, status, length) => {
    const request = ask({ range: "bytes=0-3", "if-range": tag });
    const response = await replyPart(request, makeFile(12), {});
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([status, length]);
    expect(response.headers.get("etag")).toBe('"v1"');
  });

  it.each(["before the first piece", "in the middle"])(
    "is closed when it is left %s",
    async (at) => {
      const file = makeFile(10 * PIECE_BYTES);
      const { body } = await replyPart(ask(), file, {});
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      const reading = at === "in the middle" ? reader.read() : undefined;
      await reader.cancel();
      await reading;
      expect(file.isClosed).toBe(true);
    },
  );

  it("is closed when it can't be read", async () => {
    const file = makeFile(10 * PIECE_BYTES, () => file.reads > 2);
    const response = await replyPart(ask(), file, {});
    await expect(response.arrayBuffer()).rejects.toThrow("the disk is gone");
    expect(file.isClosed).toBe(true);
  });

  it("stays that of the file that was opened, when it is replaced or removed", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "media-"));
    const name = `${"ab".repeat(16)}.pdf`;
    const media = openMediaFolder(folder);
    await media.save(name, Buffer.alloc(10 * MIB, "a"));
    const [first, second] = [await media.open(name), await media.open(name)];
    if (first === undefined || second === undefined) throw new Error("no file");
    const replaced = (await replyPart(ask(), first, {})).arrayBuffer();
    const other = path.join(folder, "other");
    await writeFile(other, Buffer.alloc(9 * MIB, "b"));
    await rename(other, path.join(folder, "ab", name));
    expect(Buffer.from(await replaced).equals(Buffer.alloc(10 * MIB, "a"))).toBe(true);
    await media.remove(name);
    const removed = await (await replyPart(ask(), second, {})).arrayBuffer();
    expect(Buffer.from(removed).equals(Buffer.alloc(10 * MIB, "a"))).toBe(true);
    expect(await media.open(name)).toBeUndefined();
    await rm(folder, { recursive: true });
  });
});

describe("long answers", () => {
  let clock: FakeClock;
  let transfers: Transfers;
  beforeEach(() => {
    clock = fakeClock();
    transfers = new Transfers({ clock, log: silent });
  });
  afterEach(() => transfers.close());

  interface Reading {
    readonly status: number;
    readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    readonly isCut: () => boolean;
  }

  async function send(key: string, response: Response, method = "GET"): Promise<Reading> {
    let isCut = false;
    const cut = (): void => void (isCut = true);
    const sent = await transfers.send(response, { key, method, cut });
    return { status: sent.status, reader: sent.body?.getReader(), isCut: () => isCut };
  }
  const sendFile = async (key: string, file = makeFile(20 * MIB)) =>
    send(key, await replyPart(ask(), file, {}));

  it("go out piece by piece, short ones as they are", async () => {
    const short = makeText(PIECE_BYTES);
    expect(await transfers.send(short, { key: "a", method: "GET" })).toBe(short);
    const { reader } = await send("a", makeText(3 * PIECE_BYTES + 1));
    const sizes = [];
    for (let done = false; !done;) {
      const piece = await reader?.read();
      done = piece?.done ?? true;
      if (piece?.value !== undefined) sizes.push(piece.value.length);
    }
    expect(sizes).toEqual([PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, 1]);
  });

  it("that are not read are cut off, and their files closed", async () => {
    const files = Array.from({ length: 60 }, () => makeFile(20 * MIB));
    const readings = [];
    for (const file of files) readings.push(await sendFile("a", file));
    // One piece of each is in memory.
    expect(files.map(({ reads }) => reads)).toEqual(files.map(() => 1));
    for (let second = 0; second < 60; second += 5) {
      await readings[0]?.reader?.read();
      await readings[0]?.reader?.read();
      await clock.advance(5000);
    }
    expect(readings.map(({ isCut }) => isCut())).toEqual(readings.map((_, index) => index > 0));
    expect(files.map(({ isClosed }) => isClosed)).toEqual(files.map((_, index) => index > 0));
  });

  it("are bounded for one reader and for all, then refused with Retry-After (503)", async () => {
    const counts = [];
    for (const key of "abcd") {
      let size = 0;
      while ((await sendFile(key)).status !== 503) size += 1;
      counts.push(size);
    }
    expect(counts).toEqual([96, 96, 64, 0]);
    const refused = await transfers.send(makeText(MIB), { key: "d", method: "GET" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await refused.json()).toEqual({
      detail: expect.stringContaining("try again") as string,
    });
  });

  it("are sent all the same when the request changed something", async () => {
    for (let n = 0; n < 96; n += 1) await sendFile("a");
    expect((await send("a", makeText(MIB), "POST")).status).toBe(200);
  });

  it("make room for others when they are not taken, those of the same reader first", async () => {
    const idle = await sendFile("a");
    const taken = await sendFile("a");
    const other = await sendFile("b");
    for (let n = 2; n < 96; n += 1) await sendFile("a");
    expect((await sendFile("a")).status).toBe(503);
    for (let second = 0; second < 15; second += 1) {
      for (let piece = 0; piece < 2; piece += 1) await taken.reader?.read();
      await clock.advance(1000);
    }
    expect((await sendFile("a")).status).toBe(200);
    expect([idle.isCut(), taken.isCut(), other.isCut()]).toEqual([true, false, false]);
  });

  it("count with what they hold in memory", async () => {
    expect((await send("a", makeText(20 * MIB))).status).toBe(200);
    expect((await send("a", makeText(5 * MIB))).status).toBe(503);
    expect((await send("b", makeText(30 * MIB))).status).toBe(200);
  });

  it("end the connection when they break off, so that they don't look complete", async () => {
    const file = makeFile(20 * MIB, () => file.reads > 2);
    const { reader, isCut } = await sendFile("a", file);
    while ((await reader?.read())?.done === false);
    expect([isCut(), file.isClosed]).toEqual([true, true]);
  });

  it("fail for a reader without a connection", async () => {
    const file = makeFile(20 * MIB, () => file.reads > 2);
    const answer = await replyPart(ask(), file, {});
    const sent = await transfers.send(answer, { key: "a", method: "GET" });
    await expect(sent.arrayBuffer()).rejects.toThrow("the disk is gone");
  });
});

describe("a hosted PDF over sockets", () => {
  let dataDir: string;
  let service: TestService;
  let url: string;
  let file: string;
  let size: number;
  const sockets: RawSocket[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "transfers-"));
    service = await makeService({ dataDir });
    ({ url } = await service.listen({ host: "127.0.0.1", port: 0 }));
    const pdf = Buffer.alloc(19 * MIB, "%PDF-1.7 1 0 obj endobj startxref ");
    size = pdf.length;
    const made = await service.send("POST", "/pdf/create/", {
      workspace: service.workspace,
      pdf_base64: pdf.toString("base64"),
    });
    file = new URL(made.body.pdf_file_url).pathname;
  });
  afterEach(() => {
    for (const { socket } of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Handles on files of the service; undefined where the platform doesn't tell. */
  const countOpen = (): number | undefined =>
    existsSync("/proc/self/fd")
      ? readdirSync("/proc/self/fd").filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path.join(dataDir, "media"));
          } catch {
            return false;
          }
        }).length
      : undefined;

  async function openReaders(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const one = await openSocket(url, `GET ${file} HTTP/1.1\r\nHost: a\r\n\r\n`);
      one.socket.pause();
      sockets.push(one);
    }
  }

  it("doesn't stay in memory for readers that read nothing: 60 sockets take less than one copy of it each", async () => {
    const before = process.memoryUsage().arrayBuffers;
    await openReaders(60);
    const whole = await (await fetch(`${url}${file}`)).arrayBuffer();
    expect(whole.byteLength).toBe(size);
    expect(process.memoryUsage().arrayBuffers - before - 2 * size).toBeLessThan(60 * MIB);
  });

  it("leaves no file open when its readers go away", async () => {
    await openReaders(10);
    await fetch(`${url}${file}`).then((answer) => answer.body?.cancel());
    await fetch(`${url}${file}`, { method: "HEAD" });
    for (const { socket } of sockets) socket.destroy();
    // Ends with the last handle; without the fix it never does.
    while ((countOpen() ?? 0) > 0) await (await fetch(`${url}/healthz`)).text();
    expect((await (await fetch(`${url}${file}`)).arrayBuffer()).byteLength).toBe(size);
  });

  it("is sent completely to slow readers", async () => {
    const answer = await fetch(`${url}${file}`);
    let got = 0;
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      got += piece.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(got).toBe(size);
  });

  it("is cut off for readers that read nothing", async () => {
    await openReaders(3);
    const closed = Promise.all(
      sockets.map(async ({ socket, closed: all }) => {
        // A write to a closed connection fails, even without reading.
        while (!socket.destroyed) {
          socket.write("GET ");
          await (await fetch(`${url}/healthz`)).text();
        }
        return all;
      }),
    );
    // What the system took of it counts as read: 4 kB a second.
    for (const got of await advanceUntil(service.clock, 60_000, closed))
      expect(got.length).toBeLessThan(size);
  });
});
