import { crc32, deflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { ArtworkQueue } from "../../src/download/artwork-queue.ts";
import { findPngFault } from "../../src/download/check-png.ts";
import { findSvgFault } from "../../src/download/check-svg.ts";

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
const PNG = Buffer.concat([SIGNATURE, HEADER, PIXELS, END]);

describe("a PNG", () => {
  it("that is whole passes", () => {
    expect(findPngFault(PNG)).toBeUndefined();
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
    ["that is an error page", Buffer.from("<html>502</html>"), "is not a PNG"],
  ])("%s is told", (_name, bytes, fault) => {
    expect(findPngFault(bytes)).toBe(fault);
  });
});

describe("an SVG", () => {
  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>',
    "\uFEFF<?xml version='1.0'?>\n<!DOCTYPE svg>\n<!-- a > b --><svg><g><title>a &lt; b</title></g></svg>\n",
    "<svg:svg xmlns:svg='http://www.w3.org/2000/svg'><svg:path/></svg:svg>",
    "<svg><style><![CDATA[a>b{}</svg>]]></style></svg>",
  ])("that is well-formed passes: %s", (text) => {
    expect(findSvgFault(text)).toBeUndefined();
  });

  it.each([
    ["", "is not an SVG"],
    ["Bad gateway", "is not an SVG"],
    ["<html><body></body></html>", "is not an SVG"],
    ['<svg><path d="M0', "is cut off"],
    ["<svg><g></svg>", "closes <svg> out of order"],
    ["<svg></svg><svg></svg>", "is not an SVG"],
    ["<svg></svg>tail", "has text after its end"],
    ["<svg><script>alert(1)</script></svg>", "carries a script"],
    ["<svg><g></g>", "is cut off"],
    ["<svg a=1></svg>", "is not well-formed XML"],
  ])("that is not is told: %s", (text, fault) => {
    expect(findSvgFault(text)).toBe(fault);
  });

  it("cut off anywhere is told", () => {
    const whole = '<svg width="10"><g fill="#111"><path d="M0 0h1v1z"/></g></svg>';
    for (let length = 0; length < whole.length; length += 1) {
      expect(findSvgFault(whole.slice(0, length)), `${length}`).toBeDefined();
    }
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
