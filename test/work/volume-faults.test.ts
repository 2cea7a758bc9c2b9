/** What may go wrong with volumes that workers draw: the PDFs are those of a local run, or nothing is made. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import { drawTask } from "../../src/print/draw/volume-task.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import {
  openCaptionSizes,
  type SheetOptions,
  type SheetRecord,
  writeSheets,
} from "../../src/print/sheets.ts";
import type { Near } from "../../src/work/compute-chunk.ts";
import { FarProver } from "../../src/work/far-prover.ts";
import { type Delivered, type Program, Queue } from "../../src/work/queue.ts";
import { tryChunk } from "../../src/work/try-chunk.ts";
import { freshDatabase, hasPostgres } from "../postgres.ts";
import { ask, countAsUp, until } from "./far.ts";

const program: Program = { name: "makeready test", hash: "a".repeat(64) };
const other: Program = { ...program, engine: { name: "Node.js v99", hash: "b" } };

/** Draws, and counts. */
function painter(throws?: Error): Near & { readonly drawn: number[] } {
  const drawn: number[] = [];
  return {
    drawn,
    portions: () => ({ atOnce: 1, pictures: 200 }),
    pages: () => Promise.reject(new Error("no pages here")),
    pictures: () => Promise.resolve([]),
    draw(task) {
      drawn.push(task.volume);
      return throws === undefined ? drawTask(task) : Promise.reject(throws);
    },
    close: () => Promise.resolve(),
  };
}

const records = Array.from({ length: 60 }, (_, n): SheetRecord => ({
  key: `row ${n}`,
  payload: `https://qr.example/${n}`,
  level: "Q",
  caption: [`Table ${n}`, "שולחן"],
}));

const readPdfs = (from: string): Map<string, Buffer> =>
  new Map(
    readdirSync(from)
      .filter((name) => name.endsWith(".pdf"))
      .map((name) => [name, readFileSync(path.join(from, name))]),
  );

const workerOf = (n: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  host: "far",
  pid: 1,
  threads: 1,
  trouble: null,
});

const next = async (worker: Queue): Promise<Delivered> =>
  (await until(
    () => worker.fetch(),
    (found) => found !== undefined,
  )) as Delivered;

describe.skipIf(!hasPostgres)("volumes with --on", () => {
  let url = "";
  let folder = "";
  let options: SheetOptions;
  let local: Map<string, Buffer>;

  const hooks = async () => {
    const sizes = (await openCaptionSizes(options))();
    for (const record of records) sizes.add(record);
    return { captions: sizes.setting() };
  };
  const write = async (
    into: string,
    prover: FarProver | undefined,
    more: Partial<SheetOptions> = {},
  ): Promise<void> => {
    const file = path.join(into, "s.pdf");
    const own = { ...options, ...more };
    const all = { [Symbol.iterator]: () => records[Symbol.iterator]() };
    await writeSheets(own, all, file, { ...(await hooks()), drawer: prover });
  };
  const open = async (near: Near, signal = new AbortController().signal) => {
    const queue = await Queue.open(url, program);
    const [said, warned]: [string[], string[]] = [[], []];
    const say = (message: string) => said.push(message);
    const warn = (message: string) => warned.push(message);
    return { prover: new FarProver({ queue, near, signal, say, warn }), said, warned };
  };
  const jobs = () => ask<{ n: number }>(url, "SELECT count(*)::int AS n FROM pgboss.job");

  beforeAll(async () => {
    const here = mkdtempSync(path.join(tmpdir(), "makeready-volumes-"));
    options = {
      sheet: await loadSheet("a4-24up-63.5x33.9"),
      title: "Volumes",
      createdAt: "2026-11-20T10:00:00Z",
      slug: { job: "far", input: "a.csv", inputHash: "9f86d081884c", rehearsal: false },
      marks: [],
      fonts: [path.resolve("templates/fonts/noto-sans-hebrew-bold.ttf")],
      volumeCodes: 24,
      count: records.length,
    };
    await write(here, undefined);
    local = readPdfs(here);
  });
  beforeEach(async () => {
    url = await freshDatabase();
    folder = mkdtempSync(path.join(tmpdir(), "makeready-volumes-"));
  });

  it("without a worker this computer draws by itself, and leaves nothing behind", async () => {
    const near = painter();
    const { prover, said, warned } = await open(near);
    await write(folder, prover);
    await prover.close();
    expect(readPdfs(folder)).toEqual(local);
    expect(near.drawn.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect([said, warned]).toEqual([["no worker is up: this computer draws by itself"], []]);
    expect(await jobs()).toEqual([{ n: 0 }]);
    expect(readdirSync(folder).toSorted()).toEqual([...local.keys()].toSorted());
  });

  it("one volume alone is drawn here", async () => {
    const near = painter();
    const { prover, said } = await open(near);
    await write(folder, prover, { volumeCodes: 10_000 });
    expect([near.drawn, said, await jobs()]).toEqual([[], [], [{ n: 0 }]]);
    await prover.close();
  });

  it("a volume over which workers break down is drawn here after three deliveries, and reported", async () => {
    const worker = await Queue.open(url, program);
    await countAsUp(url);
    await worker.beat(workerOf(1), []);
    const { prover, warned } = await open(painter());
    const written = write(folder, prover);
    const broken = painter(new Error("the engine broke"));
    for (let delivery = 1; delivery <= 9; delivery += 1)
      expect(await tryChunk(worker, await next(worker), broken)).toBe("failed");
    await written;
    expect(readPdfs(folder)).toEqual(local);
    expect(warned.toSorted()).toEqual(
      [1, 2, 3].map(
        (n) =>
          `volume ${n} (${path.join(folder, n === 1 ? "s.pdf" : `s-${n}.pdf`)}): no worker could draw it (the engine broke); drawn by this computer`,
      ),
    );
    await prover.close();
    await worker.close();
  });

  it("another font than the job's is refused, and so is what was not drawn", async () => {
    const worker = await Queue.open(url, program);
    await countAsUp(url);
    await worker.beat(workerOf(1), []);
    const { prover, warned } = await open(painter());
    const written = write(folder, prover);
    const near = painter();
    const first = await next(worker);
    expect(await tryChunk(worker, first, near)).toBe("answered");
    const drawn = readdirSync(folder).find((name) => name.endsWith(".drawn.part"));
    writeFileSync(path.join(folder, drawn ?? ""), "something else");
    const second = await next(worker);
    const names = readdirSync(folder).filter((name) => /^\.[0-9a-f]{64}\.part$/u.test(name));
    expect(names).toHaveLength(1);
    writeFileSync(path.join(folder, names[0] ?? ""), "another font");
    expect(await tryChunk(worker, second, near)).toBe("failed");
    for (let n = 0; n < 5; n += 1)
      expect(await tryChunk(worker, await next(worker), near)).toBe("failed");
    await written;
    expect(readPdfs(folder)).toEqual(local);
    expect(near.drawn).toHaveLength(1);
    const told = warned.toSorted().join("\n");
    expect(told).toContain(
      "what a worker drew was changed or is gone; drawn again by this computer",
    );
    expect(told.match(/must be the file that was written, got another/gu)).toHaveLength(2);
    await prover.close();
    await worker.close();
  });

  it("a worker whose Node.js packs pages otherwise draws nothing, is named, and proves all the same", async () => {
    const worker = await Queue.open(url, other);
    await countAsUp(url);
    await worker.beat(workerOf(1), []);
    const { prover, said } = await open(painter());
    await write(folder, prover);
    expect(readPdfs(folder)).toEqual(local);
    expect(said).toEqual([
      expect.stringMatching(
        /^the worker on far runs Node\.js v99, this is Node\.js \S+ on \w+ \w+, and PDFs would have other bytes: this computer draws by itself$/u,
      ),
    ]);
    const chunk = {
      id: "00000000-0000-8000-8000-000000000001",
      job: { kind: "pages" as const, batch: "b", file: "f", sha256: "", pages: "1", claims: "" },
    };
    await worker.submit([chunk]);
    expect((await next(worker)).id).toBe(chunk.id);
    await prover.close();
    await worker.close();
  });

  it("a worker that may not write draws no more, and is named", async () => {
    const worker = await Queue.open(url, program);
    await countAsUp(url);
    await worker.beat(workerOf(1), [], false);
    expect(await worker.fetch({ proves: true, draws: false })).toBeUndefined();
    const { prover, said } = await open(painter());
    await write(folder, prover);
    expect(said).toEqual([
      "the worker on far can't write into the shared folder: this computer draws by itself",
    ]);
    await prover.close();
    await worker.close();
  });

  it("a folder that isn't there yet is made", async () => {
    const { prover } = await open(painter());
    const into = path.join(folder, "north", "new");
    await write(into, prover);
    expect(readPdfs(into)).toEqual(local);
    await prover.close();
  });

  it("a run that is stopped ends with what stopped it", async () => {
    const stop = new AbortController();
    const worker = await Queue.open(url, program);
    await countAsUp(url);
    await worker.beat(workerOf(1), []);
    const { prover } = await open(painter(), stop.signal);
    const written = write(folder, prover);
    await until(jobs, ([row]) => row?.n === 3);
    stop.abort(new Error("stop"));
    await expect(written).rejects.toBe(stop.signal.reason);
    await prover.close();
    expect(readdirSync(folder)).toEqual([]);
    await worker.close();
  });
});
