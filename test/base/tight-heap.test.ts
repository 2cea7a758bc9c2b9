import { spawnSync } from "node:child_process";
import v8 from "node:v8";

import { expect, it, vi } from "vitest";

import { withTightHeap } from "../../src/base/flow/tight-heap.ts";

it("keeps the heap tight until the last of several works has ended, well or not", async () => {
  const set = vi.spyOn(v8, "setFlagsFromString").mockImplementation(() => undefined);
  const last = () => set.mock.lastCall?.[0];
  const broken = withTightHeap(() => Promise.reject(new Error("broke")));
  const done = withTightHeap(() => broken.catch(() => last()));
  expect(last()).toBe("--heap-growing-percent=30");
  await expect(broken).rejects.toThrow("broke");
  expect(await done).toBe("--heap-growing-percent=30");
  expect(last()).toBe("--heap-growing-percent=0");
});

it("names a flag that this V8 has: for another one it would write to standard error", () => {
  const { stdout } = spawnSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(stdout).toMatch(/--heap-growing-percent .*\n\s+type: int/u);
});
