/** Where the bytes of a body come from: Node's streams, piece by piece. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { Readable } from "node:stream";

import { describe, expect, it } from "vitest";

import { readIncoming } from "../../src/service/http/body-source.ts";

const CHUNKS = 50_000;
const BUFFER_BYTES = 16 * 1024;

interface Sent {
  readonly stream: Readable;
  /** Chunks that were taken from the sender. */
  readonly taken: () => number;
}

/** A sender of so many chunks, as many at a time as there is room for; ends like `end` says. */
function send(chunks: number, chunk: Uint8Array, end: "well" | "gone" = "well"): Sent {
  let taken = 0;
  const stream = new Readable({
    highWaterMark: BUFFER_BYTES,
    read() {
      while (taken < chunks) {
        taken += 1;
        if (!stream.push(chunk)) return;
      }
      if (end === "well") stream.push(null);
      else stream.destroy(new Error("reset"));
    },
  });
  // Requests of Node tell an error only to those who listen.
  stream.on("error", () => {});
  return { stream, taken: () => taken };
}

async function readAll(stream: Readable): Promise<Uint8Array[]> {
  const source = readIncoming(stream);
  const pieces: Uint8Array[] = [];
  for (let piece = await source.next(); piece !== undefined; piece = await source.next())
    pieces.push(piece);
  return pieces;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe("the bytes of a body", () => {
  it("come in few pieces, however small the chunks are that they are sent in", async () => {
    const pieces = await readAll(send(CHUNKS, Buffer.from("a")).stream);
    expect(Buffer.concat(pieces).toString()).toBe("a".repeat(CHUNKS));
    expect(pieces.length).toBeLessThan(10);
  });

  it("come in few pieces over a real connection, too", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    socket.write(`${head}${"1\r\na\r\n".repeat(CHUNKS)}0\r\n\r\n`);
    const [incoming] = (await once(server, "request")) as [Readable];
    const pieces = await readAll(incoming);
    expect(Buffer.concat(pieces).toString()).toBe("a".repeat(CHUNKS));
    expect(pieces.length).toBeLessThan(CHUNKS / 50);
    socket.destroy();
    server.close();
  });

  it("come as they are sent where that is long", async () => {
    const chunk = Buffer.alloc(100_000, "b");
    const pieces = await readAll(send(20, chunk).stream);
    expect(Buffer.concat(pieces)).toHaveLength(2_000_000);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(200_000);
  });

  it("stay with the sender until they are asked for", async () => {
    const { stream, taken } = send(CHUNKS, Buffer.alloc(1024));
    const source = readIncoming(stream);
    await settle();
    expect(taken()).toBe(0);
    const first = await source.next();
    await settle();
    expect(taken() * 1024 - (first?.length ?? 0)).toBeLessThanOrEqual(BUFFER_BYTES);
    source.leave();
    await settle();
    expect(taken() * 1024 - (first?.length ?? 0)).toBeLessThanOrEqual(BUFFER_BYTES);
    stream.destroy();
  });

  it("end with what ends the sender", async () => {
    const { stream } = send(3, Buffer.from("c"), "gone");
    await expect(readAll(stream)).rejects.toThrow("reset");
    await expect(readIncoming(stream).next()).rejects.toThrow("reset");
    const gone = new Readable({ read: () => {} });
    const waiting = readIncoming(gone).next();
    gone.destroy();
    await expect(waiting).rejects.toThrow("the sender is gone");
    expect(await readAll(send(0, Buffer.from("")).stream)).toEqual([]);
  });

  it("are waited for no more once they are left", async () => {
    const stream = new Readable({ read: () => {} });
    const source = readIncoming(stream);
    void source.next();
    source.leave();
    for (const event of ["readable", "data", "end", "error", "close"])
      expect(stream.listenerCount(event)).toBe(0);
  });
});
