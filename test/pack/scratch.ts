import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll } from "vitest";

/** A folder for the test file that calls it, gone at the end; answers paths inside. */
export function makeScratch(): (name: string) => string {
  const folder = mkdtempSync(path.join(tmpdir(), "makeready-pack-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => path.join(folder, name);
}

/** An iterable that is only readable step by step. */
export async function* stream<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

/** All items of an async iterable (`Array.fromAsync` is not on Node 20). */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
