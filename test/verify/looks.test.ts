/** How fine pages are looked at, and what that may never change. */
import { PDFiumPage } from "@hyzyla/pdfium";
import { beforeAll, describe, expect, it, vi } from "vitest";

import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { type CellClaim, provePages, type ProofTask } from "../../src/verify/proof/prove-pages.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
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

/** Its quiet zone is looked at as that of a designed code. */
const asDesigned = (claim: CellClaim): CellClaim => {
  const { moduleMm = 0 } = claim;
  return { ...claim, quietMm: 3.7 * moduleMm, quietFromMm: 0.4 * moduleMm };
};

/** The file with a black square in the quiet zone of its first code, so many mm left of it. */
async function withSpeck(leftMm: number, sideMm: number): Promise<Uint8Array> {
  const { code } = task.claims[0] ?? { code: { x: 0, y: 0 } };
  const [x, y] = [task.offsetMm.x + code.x - leftMm, task.pageMm.height - task.offsetMm.y - code.y];
  const numbers = [x, y - 5, sideMm, sideMm].map((mm) => ((mm * 72) / 25.4).toFixed(4));
  return spoilContent(job.bytes, (content) => `${content}\n0 0 0 1 k ${numbers.join(" ")} re f\n`);
}

it("pages that are drawn at once, into rooms or not, are each as they are alone", async () => {
  const document = await openRenderer(job.bytes);
  const [large, small] = [
    { width: 230, height: 324 },
    { width: 115, height: 162 },
  ];
  const alone = [await document.render(0, large), await document.render(0, small)];
  const room = new Uint8Array(large.width * large.height);
  const other = new Uint8Array(room.length + 7);
  const [inRoom, free, inOther] = await Promise.all([
    document.render(0, large, room),
    document.render(0, small),
    document.render(0, small, other),
  ]);
  document.close();
  expect([inRoom, free, inOther]).toEqual([alone[0], alone[1], alone[1]]);
  expect([inRoom.data.buffer, inOther.data.buffer]).toEqual([room.buffer, other.buffer]);
  expect(new Set(alone[0]?.data).size).toBeGreaterThan(1);
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
    const claims = task.claims.map(asDesigned);
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

  it("what lies on a quiet zone is a fault at any size of modules, however small it is", async () => {
    const claims = task.claims.map(asDesigned);
    for (const side of [0.01, 0.09]) {
      for (const left of [0.6, 0.64, 0.68, 0.72]) {
        const pdf = await withSpeck(left, side);
        const quick = await provePages({ ...task, pdf, claims });
        const inFull = claims.map((claim) => ({ ...claim, moduleMm: undefined }));
        const slow = await provePages({ ...task, pdf, claims: inFull });
        expect(quick.faults.map(({ message }) => message)).toEqual(
          slow.faults.map(({ message }) => message),
        );
        expect(slow.faults.length).toBe(1);
      }
    }
  });

  it("quiet zones that are even are looked at in fewer pixels", async () => {
    const pages = vi.spyOn(PDFiumPage.prototype, "render");
    await provePages({ ...task, claims: task.claims.map(asDesigned) });
    const [{ width = 0 } = {}] = pages.mock.calls.map(([options]) => options ?? {});
    pages.mockRestore();
    expect(width).toBeLessThan((230 / 25.4) * 300 * 0.6);
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
