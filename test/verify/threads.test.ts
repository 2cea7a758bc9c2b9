import { beforeAll, describe, expect, it } from "vitest";

import type { proveFile as ProveFile } from "../../src/verify/prove-file.ts";
import type { ProofTask } from "../../src/verify/prove-pages.ts";
import { makePressJob, type PressJob } from "./press.ts";

/** Threads run what people get: the built program, which the test run builds first. */
const built = new URL("../../dist/verify/prove-file.js", import.meta.url).href;

let job: PressJob;
let task: ProofTask;
let proveFile: typeof ProveFile;
beforeAll(async () => {
  job = await makePressJob({}, 24 * 13);
  ({ proveFile } = (await import(/* @vite-ignore */ built)) as { proveFile: typeof ProveFile });
  task = {
    pdf: job.bytes,
    claims: job.written.cells,
    pageMm: { width: 230, height: 324 },
    offsetMm: { x: 10, y: 10 },
    dpi: 150,
  };
});

describe("proving on threads", () => {
  it("finds the same as on one", async () => {
    const claims = job.written.cells.map((cell, i) =>
      i % 100 === 7 ? { ...cell, payloadHash: "0".repeat(64) } : cell,
    );
    const one = await proveFile({ ...task, claims }, 1);
    const two = await proveFile({ ...task, claims }, 2, 6);
    expect(one.decoded).toBe(24 * 13 - 4);
    expect(two).toEqual(one);
  });

  it("fails when a thread fails", async () => {
    await expect(proveFile({ ...task, pdf: new Uint8Array(10) }, 2, 6)).rejects.toThrow(/PDF/u);
  });
});
