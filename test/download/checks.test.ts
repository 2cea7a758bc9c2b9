import { crc32, deflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { ArtworkQueue } from "../../src/download/artwork-queue.ts";
import { findPngFault } from "../../src/download/check-png.ts";

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
  it("that is whole passes", () => {
    expect(findPngFault(PNG)).toBeUndefined();
  });

  it("with words about its maker passes", () => {
    const words = chunk("tEXt", Buffer.from("Software\0Adobe <https://a.example>"));
    expect(findPngFault(Buffer.concat([SIGNATURE, HEADER, words, PIXELS, END]))).toBeUndefined();
  });

  it("cut off anywhere is told", () => {
    for (let length = 0; length < PNG.length; length += 1) {
      expect(findPngFault(PNG.subarray(0, length)), `${length} bytes`).toBeDefined();
    }
  });

  it("with any byte changed is told", () => {
    for (let at = 0; at < PNG.length; at += 1) {
      const damaged = Buffer.from(PNG);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(findPngFault(damaged), `byte ${at}`).toBeDefined();
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
  ])("%s is told", (_name, bytes, fault) => {
    expect(findPngFault(bytes)).toBe(fault);
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
