/** How fine pages are looked at, and what that may never change. */
import { beforeAll, describe, expect, it, vi } from "vitest";

import { loadDecoder } from "../../src/verify/decoder.ts";
import { provePages, type ProofTask } from "../../src/verify/prove-pages.ts";
import { makePressJob, type PressJob, spoilContent } from "./press.ts";

let job: PressJob;
let task: ProofTask;
beforeAll(async () => {
  job = await makePressJob({}, 5);
  task = {
    pdf: job.bytes,
    claims: job.written.cells.map((cell) => ({ ...cell, moduleMm: cell.xMm })),
    pageMm: { width: 230, height: 324 },
    offsetMm: { x: 10, y: 10 },
    dpi: 300,
  };
});

describe("how fine pages are looked at", () => {
  it("a few pixels a module are enough", async () => {
    expect(await provePages(task)).toEqual({ decoded: 5, compared: 0, faults: [], renders: 1 });
  });

  it("what is not read at first is looked at in full before it is a fault", async () => {
    // Said to be twenty times as large as they are: a quarter of a pixel a module reads nothing.
    const claims = task.claims.map((claim) => ({ ...claim, moduleMm: (claim.moduleMm ?? 0) * 20 }));
    expect(await provePages({ ...task, claims })).toEqual({
      decoded: 5,
      compared: 0,
      faults: [],
      renders: 2,
    });
  });

  it("pages with anything that others drew are looked at in full alone", async () => {
    const [first, ...rest] = task.claims;
    if (first === undefined) throw new Error("no claims");
    const claims = [{ ...first, moduleMm: undefined }, ...rest];
    expect(await provePages({ ...task, claims })).toEqual({
      decoded: 5,
      compared: 0,
      faults: [],
      renders: 1,
    });
  });

  it("where quiet zones are looked at, each page is rendered once and each code read once", async () => {
    const decoder = await loadDecoder();
    const reading = vi.spyOn(decoder, "decodeGrey");
    const claims = task.claims.map((claim) => ({ ...claim, quietMm: 4 * (claim.moduleMm ?? 0) }));
    expect(await provePages({ ...task, claims })).toEqual({
      decoded: 5,
      compared: 0,
      faults: [],
      renders: 1,
    });
    expect(reading).toHaveBeenCalledTimes(5);
    reading.mockRestore();
    const wide = claims.map((claim) => ({ ...claim, quietMm: 30 }));
    const { faults } = await provePages({ ...task, claims: wide });
    expect(faults.map(({ message }) => message)).toEqual(
      wide.map(() => expect.stringContaining("quiet zone must be light")),
    );
  });

  it("a fault is the same at any size of modules", async () => {
    const pdf = await spoilContent(job.bytes, (content) =>
      content.replace(/(?:[3-9]|1\d) (\d+) 1 (\d+) re\n/gu, "3 $1 1 $2 re\n"),
    );
    const full = task.claims.map((claim) => ({ ...claim, moduleMm: undefined }));
    const [quick, slow] = [
      await provePages({ ...task, pdf }),
      await provePages({ ...task, pdf, claims: full }),
    ];
    expect(quick.faults.map(({ message }) => message)).toEqual(
      slow.faults.map(({ message }) => message),
    );
    expect([quick.decoded, quick.faults.length]).toEqual([0, 5]);
  });
});
