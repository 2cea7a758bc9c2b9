import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { resolveDesign } from "../../src/qr/draw/design.ts";
import { renderPng } from "../../src/qr/png/png.ts";
import { ProofPool } from "../../src/verify/proof/proof-pool.ts";
import type { PagesTask, PictureClaim } from "../../src/verify/proof/prover.ts";
import { proveSheets } from "../../src/verify/proof/prove-sheets.ts";
import { provePages } from "../../src/verify/proof/prove-pages.ts";
import { readPictures } from "../../src/verify/pixels/artwork.ts";
import { makePressJob, type PressJob } from "./press.ts";

let job: PressJob;
let task: PagesTask;
let pool: ProofPool;
beforeAll(async () => {
  job = await makePressJob({}, 24 * 4);
  pool = new ProofPool({ threads: 2, pagesPerThread: 1 });
  task = {
    file: job.written.volumes[0]?.file ?? "",
    pdf: job.bytes,
    hidden: [],
    claims: job.written.cells,
    pageMm: { width: 230, height: 324 },
    offsetMm: { x: 10, y: 10 },
    dpi: 150,
  };
});
afterAll(() => pool.close());

const spoil = (every: number) =>
  job.written.cells.map((cell, i) =>
    i % every === 7 ? { ...cell, payloadHash: "0".repeat(64) } : cell,
  );

const plain = resolveDesign({ sizePx: 300 });

describe("proving on threads", () => {
  it("finds the same as without, of several files at once", async () => {
    const tasks = [spoil(100), spoil(50), spoil(30), spoil(20)].map((claims) => ({
      ...task,
      claims,
    }));
    const alone = [];
    for (const one of tasks) alone.push(await provePages(one));
    expect(alone.map(({ decoded }) => decoded)).toEqual([95, 94, 93, 91]);
    const pooled = await Promise.all(tasks.map((one) => pool.pages(one)));
    expect(pooled).toEqual(alone);
  });

  it("fails what a thread can't read, and goes on with the next", async () => {
    const broken = pool.pages({ ...task, pdf: new Uint8Array(10) });
    const whole = pool.pages(task);
    await expect(broken).rejects.toThrow(/PDF/u);
    expect((await whole).decoded).toBe(24 * 4);
  });

  it("reports a thread that died, never a broken file, and goes on with a new one", async () => {
    const { cells, volumes } = job.written;
    const die = vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function (
      this: Worker,
    ) {
      void this.terminate();
    });
    const sheets = { volumes, cells, options: job.options, prover: pool };
    await expect(proveSheets(sheets)).rejects.toMatchObject({
      code: "proof-stopped",
      message: expect.stringContaining("it died: it ended with code 1") as string,
      hint: expect.stringContaining("run the same command again") as string,
    });
    die.mockRestore();
    expect((await pool.pages(task)).decoded).toBe(24 * 4);
  });

  it("reads pictures as without, whatever is wrong with them", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "pictures-"));
    const pictures: PictureClaim[] = [];
    for (let i = 0; i < 40; i += 1) {
      const file = path.join(folder, `${i}.png`);
      const payload = `https://qr.example/${i}`;
      if (i % 10 !== 3)
        await writeFile(file, await renderPng(i % 10 === 5 ? "other" : payload, plain));
      if (i % 10 === 8) await writeFile(file, "no picture");
      pictures.push({ file, payload });
    }
    const alone = await readPictures(pictures);
    expect(alone.filter((flaw) => flaw !== undefined)).toHaveLength(12);
    const halves = [pictures.slice(0, 20), pictures.slice(20)];
    const pooled = await Promise.all(
      halves.map((half) => pool.pictures({ pictures: half, among: 1000 })),
    );
    expect(pooled.flat()).toEqual(alone);
  });
});
