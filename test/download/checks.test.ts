import { crc32, deflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { ArtworkQueue } from "../../src/download/artwork-queue.ts";
import { findPngFault } from "../../src/download/check-png.ts";
import { readPng } from "../../src/qr/read/png-read.ts";

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(typed.length + 8);
  out.writeUInt32BE(data.length, 0);
  typed.copy(out, 4);
  out.writeUInt32BE(crc32(typed), typed.length + 4);
  return out;
}

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const HEADER = chunk("IHDR", Buffer.from("00000001000000010100000000", "hex"));
const PIXELS = chunk("IDAT", deflateSync(Buffer.from([0, 0])));
const END = chunk("IEND", Buffer.alloc(0));
const PAGE = Buffer.from("Comment\0<script>alert(1)</script>");
const PNG = Buffer.concat([SIGNATURE, HEADER, PIXELS, END]);

describe("a PNG", () => {
  it("that is whole passes", async () => {
    expect(await findPngFault(PNG)).toBeUndefined();
  });

  it("with words about its maker passes", async () => {
    const words = chunk("tEXt", Buffer.from("Software\0Adobe <https://a.example>"));
    expect(
      await findPngFault(Buffer.concat([SIGNATURE, HEADER, words, PIXELS, END])),
    ).toBeUndefined();
  });

  it("cut off anywhere is detected", async () => {
    for (let length = 0; length < PNG.length; length += 1) {
      expect(await findPngFault(PNG.subarray(0, length)), `${length} bytes`).toBeDefined();
    }
  });

  it("with any byte changed is detected", async () => {
    for (let at = 0; at < PNG.length; at += 1) {
      const damaged = Buffer.from(PNG);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(await findPngFault(damaged), `byte ${at}`).toBeDefined();
    }
  });

  it.each([
    ["without pixels", Buffer.concat([SIGNATURE, HEADER, END]), "has no pixels"],
    [
      "with bytes behind its end",
      Buffer.concat([PNG, Buffer.from("x")]),
      "has bytes after its end",
    ],
    ["without a header", Buffer.concat([SIGNATURE, PIXELS, END]), "has no header at its start"],
    [
      "with a page in its text",
      Buffer.concat([SIGNATURE, HEADER, chunk("tEXt", PAGE), PIXELS, END]),
      "carries markup in its tEXt chunk",
    ],
    [
      "with a page in a chunk of its own",
      Buffer.concat([SIGNATURE, HEADER, PIXELS, chunk("prVt", PAGE), END]),
      "carries markup in its prVt chunk",
    ],
    [
      "that shows another code a moment later",
      Buffer.concat([SIGNATURE, HEADER, chunk("acTL", Buffer.alloc(8)), PIXELS, END]),
      "is animated",
    ],
    ["that is an error page", Buffer.from("<html>502</html>"), "is not a PNG"],
  ])("%s is told", async (_name, bytes, fault) => {
    expect(await findPngFault(bytes)).toBe(fault);
  });
});

const MEGABYTES = deflateSync(Buffer.alloc(40_000_000));

/** A header of a picture of one byte a pixel, and what says how it goes on. */
function png(width: number, height: number, ...chunks: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), ...chunks, END]);
}

const BOMB = chunk("IDAT", MEGABYTES);
const packed = (type: string, head: string): Buffer =>
  chunk(type, Buffer.concat([Buffer.from(head, "latin1"), MEGABYTES]));

it("takes the PNG of the largest drawing, a speech bubble 5000 pixels wide", async () => {
  const [width, height] = [5000, 7096];
  const largest = png(
    width,
    height,
    chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))),
  );
  expect(await findPngFault(largest)).toBeUndefined();
  expect(readPng(largest)).toMatchObject({ width, height });
});

describe("detects a PNG that unpacks to far more than a code needs:", () => {
  it.each([
    ["by its size", png(60_000, 60_000, BOMB), "36000000 pixels, got 60000 x 60000"],
    ["by its width", png(4_000_000_000, 1, BOMB), "36000000 pixels, got 4000000000 x 1"],
    ["more pixels than its size", png(100, 100, BOMB), "unpacks to more than its size"],
    [
      "in many pieces",
      png(10, 10, chunk("IDAT", MEGABYTES.subarray(0, 9)), chunk("IDAT", MEGABYTES.subarray(9))),
      "unpacks to more than its size",
    ],
    ["its text", png(1, 1, packed("zTXt", "a\0\0"), PIXELS), "4194304 bytes in its zTXt chunk"],
    [
      "its text in Unicode",
      png(1, 1, packed("iTXt", "a\0\x01\0en\0a\0"), PIXELS),
      "4194304 bytes in its iTXt chunk",
    ],
    ["its colours", png(1, 1, packed("iCCP", "a\0\0"), PIXELS), "4194304 bytes in its iCCP chunk"],
    ["of no size", png(0, 1, PIXELS), "has a header that no PNG has"],
    [
      "of tens of thousands of chunks",
      png(1, 1, ...Array.from({ length: 10_001 }, () => chunk("IDAT", Buffer.alloc(0)))),
      "has more than 10000 chunks",
    ],
  ])("%s", async (_name, bytes, fault) => {
    expect(await findPngFault(bytes)).toContain(fault);
  });
});

describe("the artwork queue", () => {
  it("hands out keys in order while they come, and ends when closed and empty", async () => {
    const queue = new ArtworkQueue();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const key of queue) seen.push(key);
    })();
    for (let n = 0; n < 3000; n += 1) queue.push(`k${n}`);
    await new Promise((resolve) => setImmediate(resolve));
    queue.push("last");
    queue.close();
    await reading;
    expect(seen).toEqual([...Array.from({ length: 3000 }, (_, n) => `k${n}`), "last"]);
  });
});
