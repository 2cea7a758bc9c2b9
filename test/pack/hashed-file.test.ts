import { finished } from "node:stream/promises";

import { describe, expect, test } from "vitest";

import { toSink } from "../../src/pack/hashed-file.ts";

const KB = 1024;

describe("toSink", () => {
  test("small pieces go on together, in their order, and the last of them when it finishes", async () => {
    const written: Buffer[] = [];
    const sink = toSink(async (chunk) => {
      written.push(Buffer.from(chunk));
    });
    const pieces = Array.from({ length: 40_000 }, (_, at) => Buffer.from([at & 255, at >> 8]));
    for (const piece of pieces) sink.write(piece);
    sink.end();
    await finished(sink);
    expect(written.map(({ length }) => length)).toEqual([64 * KB, 80_000 - 64 * KB]);
    expect(Buffer.concat(written).equals(Buffer.concat(pieces))).toBe(true);
  });

  test("what was handed over is never changed afterwards", async () => {
    const written: Uint8Array[] = [];
    const sink = toSink(async (chunk) => {
      written.push(chunk as Uint8Array);
    });
    const pieces = Array.from({ length: 100 }, (_, at) => Buffer.alloc(3 * KB, at));
    for (const piece of pieces) sink.write(piece);
    sink.end();
    await finished(sink);
    expect(Buffer.concat(written).equals(Buffer.concat(pieces))).toBe(true);
  });

  test("a large piece goes on as it is, behind the small ones before it", async () => {
    const written: Buffer[] = [];
    const sink = toSink(async (chunk) => {
      written.push(Buffer.from(chunk));
    });
    const large = Buffer.alloc(200 * KB, 7);
    sink.write("head");
    sink.write(large);
    sink.end("tail");
    await finished(sink);
    expect(written.map(({ length }) => length)).toEqual([4, large.length, 4]);
    expect(Buffer.concat(written).toString("latin1")).toBe(`head${large.toString("latin1")}tail`);
  });

  test.each(["while pieces come", "at its end"])("fails with what was thrown, %s", async (when) => {
    const sink = toSink(async () => {
      throw new Error("disk is full");
    });
    sink.write("head");
    if (when === "while pieces come") sink.write(Buffer.alloc(64 * KB));
    else sink.end();
    await expect(finished(sink)).rejects.toThrow("disk is full");
  });

  test("writes nothing where there is nothing", async () => {
    let calls = 0;
    const sink = toSink(async () => {
      calls += 1;
    });
    sink.end();
    await finished(sink);
    expect(calls).toBe(0);
  });
});
