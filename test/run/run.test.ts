import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { beforeEach, describe, expect, it } from "vitest";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { makeLog } from "../../src/base/log.ts";
import { toWishHashes } from "../../src/plan/hash.ts";
import type { RunContext, RunEnvironment } from "../../src/run/context.ts";
import { makeCodeMaker } from "../../src/kinds/codes/maker.ts";
import { runRows } from "../../src/run/run.ts";
import type { PlannedRow, Wanted } from "../../src/state/row.ts";
import { openState, type State } from "../../src/state/state.ts";
import { makeWanted } from "../state/planned-row.ts";
import { Killed, makeFakeServer, type Fault, type FakeServer } from "./fake-server.ts";

let clock: FakeClock;
let server: FakeServer;
let folder: string;
let state: State;
let said: string[];

const reopen = (): void => {
  state = openState(folder, { writer: "test", salt: "salt", nowMs: clock.nowMs() });
};

beforeEach(() => {
  clock = fakeClock();
  server = makeFakeServer(clock);
  folder = mkdtempSync(path.join(os.tmpdir(), "run-"));
  said = [];
  reopen();
});

const wanted = (n: number, changes: Partial<Wanted> = {}): Wanted =>
  makeWanted({
    qrData: `https://a.example/${n}`,
    displayName: `table ${n}`,
    folder: "Tables/North",
    ...changes,
  });

function planned(n: number, changes: Partial<Wanted> = {}): PlannedRow {
  const wish = wanted(n, changes);
  return {
    key: `row ${n}`,
    seq: n,
    line: n + 2,
    cells: {},
    wanted: wish,
    ...toWishHashes(wish),
    placing: { fileBase: `f${n}`, zip: null, sheets: null, caption: [] },
    again: false,
  };
}

const plan = (count: number, changes: Partial<Wanted> = {}): void =>
  state.adoptPlan(
    Array.from({ length: count }, (_, n) => planned(n, changes)),
    [],
  );

function context(settings: Partial<RunContext["settings"]> = {}): RunEnvironment {
  return {
    state,
    client: server.client,
    clock,
    log: makeLog(),
    signal: new AbortController().signal,
    settings: {
      workspace: "w",
      settleMs: 120_000,
      marker: false,
      lateDoubles: "delete",
      maxFailures: Number.POSITIVE_INFINITY,
      stopOnError: false,
      limit: null,
      keysHonoured: false,
      ...settings,
    },
    events: {
      done: (row, adopted) => said.push(`${adopted ? "adopted" : "made"} ${row.key}`),
      changed: (row) => said.push(`changed ${row.key}`),
      failed: (row, message) => said.push(`failed ${row.key}: ${message}`),
      inDoubt: (row) => said.push(`doubt ${row.key}`),
      waiting: (message) => said.push(`waiting: ${message}`),
    },
  };
}

/** Runs with time passing by itself whenever the run waits for it. */
async function run(settings: Partial<RunContext["settings"]> = {}): Promise<void> {
  const progress = { isOver: false };
  const running = runRows(context(settings), makeCodeMaker).finally(() => {
    progress.isOver = true;
  });
  running.catch(() => undefined);
  while (!progress.isOver) await clock.advance(1_000);
  await running;
}

const idsHeld = (): (string | null)[] =>
  [...state.rows("state = 'done'")].map((row) => row.remoteId);

describe("a run", () => {
  it("makes folders once, parents first, and one code per row", async () => {
    plan(5);
    await run();
    expect(server.calls).toEqual(["folder /Tables", "folder folder:/Tables/North", "list 1"]);
    expect(server.items).toHaveLength(5);
    expect(state.countByState()).toEqual({ done: 5 });
    await run();
    expect(server.creates).toHaveLength(5);
    expect(server.calls).toHaveLength(3);
  });

  it("writes the intent before anything is sent", async () => {
    plan(1);
    server.fate = () => "die-after-intent";
    await expect(run()).rejects.toThrow(Killed);
    expect(state.known("row 0")?.state).toBe("sending");
  });

  it("keeps the server's words for a refused row and goes on with the others", async () => {
    plan(3);
    server.fate = (n) => (n === 1 ? "refuse" : "none");
    await run();
    expect(state.countByState()).toEqual({ done: 2, failed: 1 });
    expect(state.known("row 1")?.error).toEqual({ message: "qr_data: Must be a URL", status: 400 });
    await run();
    expect(server.creates).toHaveLength(3);
  });

  it("stops when more rows are refused than the job allows", async () => {
    plan(5);
    server.fate = () => "refuse";
    await expect(run({ maxFailures: 1 })).rejects.toMatchObject({ code: "too-many-failures" });
    expect(state.countByState()).toEqual({ failed: 2, pending: 3 });
  });

  it("stops at a refused token and leaves the row to be sent", async () => {
    plan(2);
    server.fate = () => "auth";
    await expect(run()).rejects.toMatchObject({ code: "token-refused", exitCode: 4 });
    expect(state.countByState()).toEqual({ pending: 2 });
  });

  it("sends again what a rate limit turned away", async () => {
    plan(2);
    server.fate = (n) => (n === 0 ? "limit" : "none");
    await run();
    expect(state.countByState()).toEqual({ done: 2 });
    expect(server.items).toHaveLength(2);
  });

  it("makes no more than the limit asks for, and the rest later", async () => {
    plan(5);
    await run({ limit: 2 });
    expect(state.countByState()).toEqual({ done: 2, pending: 3 });
    await run();
    expect(server.items).toHaveLength(5);
  });
});

describe("a create in doubt", () => {
  it("is adopted after the settle time when the server made it", async () => {
    plan(2);
    server.fate = (n) => (n === 0 ? "drop-after-commit" : "none");
    const before = clock.nowMs();
    await run();
    expect(clock.nowMs() - before).toBeGreaterThanOrEqual(120_000);
    expect(server.items).toHaveLength(2);
    expect(said).toContain("adopted row 0");
    expect(new Set(idsHeld()).size).toBe(2);
  });

  it("is sent again only when the list proves it absent", async () => {
    plan(1);
    server.fate = (n) => (n === 0 ? "drop-before" : "none");
    await run();
    expect(server.creates).toHaveLength(2);
    expect(server.items).toHaveLength(1);
    expect(server.calls).toContain("list 1");
  });

  it("goes out again at once under its old key to our own service", async () => {
    plan(2);
    server.knowsKeys = true;
    server.fate = (n) => (n === 1 ? "drop-after-commit" : "none");
    await run({ keysHonoured: true });
    expect(server.items).toHaveLength(2);
    expect(server.creates.map(({ key }) => key)[2]).toBe(server.creates[1]?.key);
    expect(server.calls.filter((call) => call.startsWith("list"))).toEqual([]);
  });

  it("is looked for first where keys come back, since a gateway may echo them", async () => {
    plan(2);
    server.knowsKeys = true;
    server.fate = (n) => (n === 1 ? "drop-after-commit" : "none");
    await run();
    expect(server.creates).toHaveLength(2);
    expect(said).toContain("adopted row 1");
  });

  it("goes out again at once under its old key where keys come back and the list lacks it", async () => {
    plan(2);
    server.knowsKeys = true;
    server.fate = (n) => (n === 1 ? "drop-before" : "none");
    await run();
    expect(server.items).toHaveLength(2);
    expect(server.creates.map(({ key }) => key)[2]).toBe(server.creates[1]?.key);
    expect(said.join()).not.toContain("looking for them");
  });

  it("is looked for by what was sent, and then gets what the spreadsheet says today", async () => {
    plan(1);
    server.fate = () => "die-after-commit";
    await expect(run()).rejects.toThrow(Killed);
    server.fate = () => "none";
    plan(1, { qrData: "https://b.example/new" });
    await run();
    expect(server.items).toHaveLength(1);
    expect(server.calls).toContain('update id-1 {"qr_data":"https://b.example/new"}');
  });

  it("older than a day is not sent again by its key: the server has forgotten that", async () => {
    plan(1);
    server.knowsKeys = true;
    server.fate = () => "die-after-commit";
    await expect(run()).rejects.toThrow(Killed);
    server.fate = () => "none";
    state.setMeta("idempotency_keys", "yes");
    await clock.advance(25 * 3_600_000);
    await run();
    expect(server.creates).toHaveLength(1);
    expect(said).toContain("adopted row 0");
  });

  it("that fails again and again ends as failed, with nothing on the server", async () => {
    plan(1);
    server.fate = () => "drop-before";
    await run();
    expect(state.known("row 0")?.state).toBe("failed");
    expect(server.items).toHaveLength(0);
  });

  it("among equal rows takes any free code: the count is right in the end", async () => {
    state.adoptPlan(
      [0, 1, 2, 3].map((n) => ({ ...planned(n), ...toWishHashes(wanted(7)), wanted: wanted(7) })),
      [],
    );
    server.fate = (n) =>
      (["drop-after-commit", "none", "drop-before", "none"] as const)[n] ?? "none";
    await run();
    expect(server.items).toHaveLength(4);
    expect(new Set(idsHeld()).size).toBe(4);
  });

  it("never takes a code from before its time", async () => {
    plan(1);
    await run();
    const old = server.items.length;
    plan(2, { qrData: "https://a.example/0", displayName: "table 0" });
    await clock.advance(3_600_000);
    server.fate = () => "drop-before";
    const sendOnce = server.creates.length;
    server.fate = (n) => (n === sendOnce ? "drop-before" : "none");
    await run();
    expect(server.items).toHaveLength(old + 1);
  });
});

describe("a finished code", () => {
  it("is changed in what changed and nothing else", async () => {
    plan(3);
    await run();
    const creates = server.creates.length;
    server.calls.length = 0;
    state.adoptPlan(
      [
        planned(0, { displayName: "renamed" }),
        planned(1, { design: { primary_color: "#112233" } }),
        planned(2, { tags: ["a", "b"] }),
      ],
      [],
    );
    await run();
    expect(server.creates).toHaveLength(creates);
    expect(server.calls.toSorted()).toEqual([
      'design id-2 {"primary_color":"#112233"}',
      'tags id-3 [{"title":"a"},{"title":"b"}]',
      'update id-1 {"display_name":"renamed"}',
    ]);
    server.calls.length = 0;
    await run();
    expect(server.calls).toEqual([]);
  });

  it("moves out of its folder and loses tags that the row no longer wants", async () => {
    plan(1, { tags: ["old", "kept"] });
    await run();
    server.calls.length = 0;
    plan(1, { tags: ["kept"], folder: null });
    await run();
    expect(server.calls).toEqual(['update id-1 {"folder":null}', "untag id-1 old"]);
  });
});

describe("killed at any moment, with any answer lost", () => {
  const faults: Fault[] = [
    "none",
    "drop-before",
    "drop-after-commit",
    "die-after-intent",
    "die-after-commit",
  ];

  it.each([false, true])(
    "ends with one code per row (server knows keys: %s)",
    async (knowsKeys) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...faults), { maxLength: 12 }),
          fc.boolean(),
          async (fates, isTwins) => {
            clock = fakeClock();
            server = makeFakeServer(clock);
            server.knowsKeys = knowsKeys;
            server.fate = (n) => fates[n] ?? "none";
            folder = mkdtempSync(path.join(os.tmpdir(), "run-"));
            reopen();
            const rows = 6;
            state.adoptPlan(
              Array.from({ length: rows }, (_, n) => ({
                ...planned(n, isTwins ? wanted(n % 2) : {}),
              })),
              [],
            );
            for (let life = 0; life < 14; life += 1) {
              try {
                await run({ settleMs: 1_000 });
                break;
              } catch (error) {
                if (!(error instanceof Killed)) throw error;
                state.close();
                reopen();
              }
            }
            expect(state.countByState()).toEqual({ done: rows });
            expect(server.items).toHaveLength(rows);
            expect(new Set(idsHeld())).toEqual(new Set(server.items.map((item) => item.id)));
            state.close();
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});
