/**
 * One job against a hostile server in simulated time, with deaths of the process at chosen
 * moments: the real runner, the real client and the real state file; only the network and the clock
 * are made up. Everything follows from the seed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { AppError } from "../../src/base/errors.ts";
import { makeLog } from "../../src/base/log.ts";
import { openClient, type Client } from "../../src/client/client.ts";
import { toWishHashes } from "../../src/plan/hash.ts";
import { makeCodeMaker } from "../../src/kinds/codes/maker.ts";
import { runRows } from "../../src/run/run.ts";
import type { PlannedRow, Wanted } from "../../src/state/row.ts";
import { makeWanted } from "../state/planned-row.ts";
import { openState, stateFile, type State } from "../../src/state/state.ts";
import { seededRandom, virtualClock, type VirtualClock } from "../client/virtual-clock.ts";
import {
  createFaults,
  HostileApi,
  otherFaults,
  type CreateFault,
  type HostileOptions,
} from "../help/hostile-api.ts";
import type { HeaderForm, RetryAfterForm } from "../help/hostile-limits.ts";
import { hostileTransport } from "../help/hostile-transport.ts";

export interface Schedule {
  readonly seed: number;
  readonly rows: number;
  /** Rows with an equal wish: 1 = all differ. */
  readonly copies: number;
  /** Of all requests, as a share. */
  readonly faultShare: number;
  /** Deaths, by how many wire events each life lives. */
  readonly lives: readonly number[];
  readonly concurrency: number;
  readonly settleMs: number;
  readonly marker: boolean;
  readonly lateDoubles?: "delete" | "report";
  readonly maxFailures?: number;
  readonly server: Partial<HostileOptions>;
  /** Rows, from 0, that the spreadsheet has no longer after the first life. */
  readonly vanish?: readonly number[];
}

const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

export function toSchedule(seed: number): Schedule {
  const random = seededRandom(seed);
  const rows = 2 + Math.floor(random() * 11);
  return {
    seed,
    rows,
    copies: pick(random, [1, 1, 2, 4]),
    faultShare: pick(random, [0, 0.05, 0.15, 0.35]),
    lives: Array.from({ length: Math.floor(random() * 6) }, () => 1 + Math.floor(random() * 40)),
    concurrency: pick(random, [1, 2, 8]),
    settleMs: 10_000,
    marker: random() < 0.2,
    server: {
      lateMs: 4_000,
      slowMs: 3_000,
      listLagMs: pick(random, [0, 0, 500, 8_000]),
      skewMs: pick(random, [0, 0, -900_000, 900_000, 86_400_000]),
      isDateless: random() < 0.05,
      knowsKeys: random() < 0.2,
      inlineSvg: random() < 0.7,
      limits: {
        writes: pick(random, [5, 60, 1_000]),
        reads: 120,
        headers: pick<HeaderForm>(random, ["legacy", "draft-08", "mixed-case", "none"]),
        retryAfter: pick<RetryAfterForm>(random, ["seconds", "date", "none"]),
        others: pick(random, [0, 0, 2]),
      },
    },
    vanish: seed % 3 === 0 ? [1, 3, 5].filter((n) => n < rows) : [],
  };
}

function toWanted(n: number, { copies }: Schedule): Wanted {
  const identity = Math.floor(n / copies);
  return makeWanted({
    qrData: `https://a.example/${identity}`,
    displayName: `table ${identity}`,
    folder: "Tables/North",
  });
}

export function toRows(schedule: Schedule): PlannedRow[] {
  return Array.from({ length: schedule.rows }, (_, n) => {
    const wanted = toWanted(n, schedule);
    return {
      key: `row ${n}`,
      seq: n,
      line: n + 2,
      cells: {},
      wanted,
      ...toWishHashes(wanted),
      placing: { fileBase: `f${n}`, zip: null, sheets: null, caption: [] },
      again: false,
    };
  });
}

export interface Ended {
  /** What is wrong, in words; empty when all is well. */
  readonly faults: readonly string[];
  readonly creates: number;
  readonly deaths: number;
  readonly limited: number;
  readonly lives: number;
  readonly tookMs: number;
}

class Died extends Error {
  override readonly message = "died";
}

const LIVES = 60;

export class FaultSimulation {
  readonly schedule: Schedule;
  readonly clock: VirtualClock = virtualClock();
  readonly api: HostileApi;
  readonly #random: () => number;
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), "makeready-faults-"));
  readonly said: string[] = [];
  /** Called when the runner says that it waits. */
  onWaiting: (message: string) => void = () => undefined;
  /** Called when an answer is lost. */
  onDoubt: () => void = () => undefined;
  #stopping = new AbortController();
  #deaths = 0;
  #lived = 0;
  #isRebuilt = false;

  constructor(schedule: Schedule, server: Partial<HostileOptions> = {}) {
    this.schedule = schedule;
    this.#random = seededRandom(schedule.seed ^ 0x5eed);
    const isFaulty = (): boolean => this.#random() < schedule.faultShare;
    this.api = new HostileApi({
      clock: this.clock,
      random: this.#random,
      createFault: () => (isFaulty() ? pick<CreateFault>(this.#random, createFaults) : undefined),
      otherFault: () => (isFaulty() ? pick(this.#random, otherFaults) : undefined),
      ...schedule.server,
      ...server,
    });
  }

  /** Lives until the job is done, then once more, then looks at everything. */
  async run(): Promise<Ended> {
    try {
      const lives = await this.#live();
      const { creates, limited } = this.api;
      // What is still on its way to the server arrives.
      await this.clock.run(this.clock.sleep(600_000));
      const faults = [...this.#check(), ...(await this.#checkAgain())];
      const tookMs = this.clock.monotonicMs();
      return { faults, creates, deaths: this.#deaths, limited, lives, tookMs };
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #live(): Promise<number> {
    for (let life = 0; life < LIVES; life += 1) {
      try {
        await this.life(this.schedule.lives[life]);
      } catch (error) {
        if (error instanceof Died) continue;
        // The server was away or made no sense: people run the same command again.
        if (error instanceof AppError && ["broken", "busy"].includes(error.kind)) continue;
        throw error;
      }
      if (!this.retry()) return life + 1;
    }
    return LIVES;
  }

  #rows(): PlannedRow[] {
    const { vanish = [] } = this.schedule;
    return toRows(this.schedule).filter(({ seq }) => this.#lived === 0 || !vanish.includes(seq));
  }

  /** One process: dies after so many events on the wire, or lives to the end. */
  async life(events?: number): Promise<void> {
    this.#stopping = new AbortController();
    const state = this.open();
    state.adoptPlan(this.#rows(), []);
    this.#lived += 1;
    let left = events ?? Number.POSITIVE_INFINITY;
    const death = new AbortController();
    const died = new Promise<never>((_, reject) => {
      death.signal.addEventListener("abort", () => reject(new Died()));
    });
    died.catch(() => {});
    const client = this.#client(() => {
      left -= 1;
      if (left > 0) return false;
      if (left === 0) {
        this.#deaths += 1;
        state.close();
        death.abort();
      }
      return true;
    });
    const running = runRows(this.#context(state, client), makeCodeMaker);
    running.catch(() => {});
    await this.clock.run(Promise.race([running, died]));
    state.close();
  }

  /** Somebody presses Ctrl-C. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Somebody else makes a code in the folder of the job. */
  addStranger(): void {
    const folder = [...this.api.folders.values()].at(-1)?.id;
    const code = { qr_type: "Link", qr_data: "https://b.example", display_name: "x", folder };
    this.api.commitFor(code);
  }

  /** Somebody deletes the job's oldest code. */
  forgetFirst(): void {
    this.api.codes.shift();
  }

  /** Somebody renames the code of a destination. */
  rename(qrData: string, name: string): void {
    const code = this.api.live.find(({ body }) => body["qr_data"] === qrData);
    if (code !== undefined) code.fields["display_name"] = name;
  }

  states(): Record<string, number> {
    const state = this.open();
    const states = state.countByState();
    state.close();
    return states;
  }

  /** Rows for which an SQL condition holds. */
  count(where: string): number {
    const state = this.open();
    const count = state.count(where);
    state.close();
    return count;
  }

  open(): State {
    const nowMs = this.clock.nowMs();
    const salt = `salt ${this.schedule.seed}`;
    return openState(this.#folder, { writer: "test", salt, nowMs, isRebuilt: this.#isRebuilt });
  }

  /** The state file is gone; its salt is still known from the log. */
  loseState(): void {
    for (const suffix of ["", "-wal", "-shm"]) {
      rmSync(`${stateFile(this.#folder)}${suffix}`, { force: true });
    }
    this.#isRebuilt = true;
  }

  /** Somebody copies the state away; the answer puts the copy back. */
  copyState(): () => void {
    const copy = readFileSync(stateFile(this.#folder));
    return () => {
      this.loseState();
      this.#isRebuilt = false;
      writeFileSync(stateFile(this.#folder), copy);
    };
  }

  #client(dies: () => boolean): Client {
    const latencyMs = (): number => Math.ceil(this.#random() * 200);
    return openClient({
      baseUrl: "https://api.example/api/v2",
      token: "secret",
      workspace: "w",
      clock: this.clock,
      random: this.#random,
      concurrency: this.schedule.concurrency,
      transport: hostileTransport(this.api, this.clock, { dies, latencyMs }),
    });
  }

  #context(state: State, client: Client): Parameters<typeof runRows>[0] {
    const note = (what: string) => (row: { key: string }) => this.said.push(`${what} ${row.key}`);
    return {
      state,
      client,
      clock: this.clock,
      log: makeLog(),
      signal: this.#stopping.signal,
      settings: {
        workspace: "w",
        settleMs: this.schedule.settleMs,
        marker: this.schedule.marker,
        lateDoubles: this.schedule.lateDoubles ?? "delete",
        maxFailures: this.schedule.maxFailures ?? Number.POSITIVE_INFINITY,
        stopOnError: false,
        limit: null,
        keysHonoured: false,
      },
      events: {
        done: (row, adopted) => this.said.push(`${adopted ? "adopted" : "made"} ${row.key}`),
        changed: note("changed"),
        failed: (row, message) => this.said.push(`failed ${row.key}: ${message}`),
        inDoubt: (row, message) => {
          this.said.push(`doubt ${row.key}: ${message}`);
          this.onDoubt();
        },
        waiting: (message) => {
          this.said.push(`waiting: ${message}`);
          this.onWaiting(message);
        },
      },
    };
  }

  /** Rows that the server lost too often end as failed: `makeready retry` is for them. */
  retry(): boolean {
    const state = this.open();
    const again = state.journal.retryFailed();
    state.close();
    return again > 0;
  }

  #check(): string[] {
    const state = this.open();
    const present = [...state.rows()];
    const gone = state.goneRows();
    state.close();
    // What vanished before its code was made has none.
    const rows = [...present, ...gone.filter((row) => row.state !== "pending")];
    const faults: string[] = [];
    const held = new Set(rows.map(({ remoteId }) => remoteId));
    for (const row of rows) {
      const code = this.api.live.find(({ id }) => id === row.remoteId);
      if (row.state !== "done") faults.push(`${row.key} is ${row.state}: ${row.error?.message}`);
      else if (code === undefined) faults.push(`${row.key} is done, but ${row.remoteId} is gone`);
      else if (code.body["qr_data"] !== row.wanted.qrData) faults.push(`${row.key} has another's`);
    }
    for (const { id } of this.api.live) if (!held.has(id)) faults.push(`${id} belongs to no row`);
    if (held.size !== rows.length) faults.push("two rows hold one code");
    return faults;
  }

  async #checkAgain(): Promise<string[]> {
    const before = this.api.writes;
    await this.life();
    const more = this.api.writes - before;
    return more === 0 ? [] : [`a further run sent ${more} writes`];
  }
}

/** Nothing goes wrong but what a test asks for. */
const CALM: Schedule = {
  ...toSchedule(1),
  rows: 4,
  copies: 1,
  faultShare: 0,
  lives: [],
  concurrency: 2,
  settleMs: 10_000,
  marker: false,
  server: {},
};

/** One calm job against a server of this kind. */
export const simulate = (
  server: Partial<HostileOptions>,
  schedule: Partial<Schedule> = {},
): FaultSimulation => new FaultSimulation({ ...CALM, ...schedule }, server);
