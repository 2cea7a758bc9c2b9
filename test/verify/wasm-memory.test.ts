import { expect, it } from "vitest";

import { capMemory } from "../../src/verify/pixels/wasm-memory.ts";

const PAGE_BYTES = 65_536;
/** A module with a custom section and a memory of 1 to 30,000 pages, exported as `m`. */
const wasm = (): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, 3, 1, 0x78, 5, 5, 6, 1, 1, 1, 0xb0, 0xea, 1, 7, 5, 1, 1,
    0x6d, 2, 0,
  ]);

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface Engine {
  instantiate(bytes: Uint8Array): Promise<{ instance: { exports: { m: Memory } } }>;
}
/** Node's types leave it out. */
const engine = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

it("the memory of a module grows up to its cap and no further", async () => {
  const free = (await engine.instantiate(wasm())).instance.exports.m;
  expect(free.grow(11)).toBe(1);
  const { m } = (await engine.instantiate(capMemory(wasm(), 10 * PAGE_BYTES))).instance.exports;
  expect(m.grow(9)).toBe(1);
  expect(m.buffer.byteLength).toBe(10 * PAGE_BYTES);
  expect(() => m.grow(1)).toThrow(RangeError);
});

it("a module without a maximum is not taken", () => {
  expect(() => capMemory(wasm().subarray(0, 13), 10)).toThrow("must have a memory");
});
