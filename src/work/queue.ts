/**
 * Chunks that wait, are worked on and are answered, in PostgreSQL through pg-boss: the only file that
 * imports it. All times are those of the database, so that clocks of computers may differ.
 */
import PgBoss from "pg-boss";

import { AppError } from "../base/errors.ts";
import { sha256 } from "../base/ids/ids.ts";
import {
  type Ask,
  type Database,
  hasTables,
  inTurn,
  makeTables,
  openDatabase,
  toDatabaseError,
} from "./database.ts";
import type { Chunk, ChunkJob, Result } from "./chunk.ts";
import { type Engine, ownEngine } from "./engine.ts";

/** Tries of a chunk by workers; then the computer that runs the job proves it. */
const DELIVERIES = 3;
/** A chunk without a sign of its worker is delivered again after so long. */
const EXPIRE_SECONDS = 60;
/** A worker that doesn't report for so long is taken for dead. */
const SEEN = "interval '8 seconds'";
/** How long abandoned answers and chunks are kept. */
const LEFT_DAYS = 7;
/** The schema of pg-boss that this version works on, and the oldest that it can migrate. */
const BOSS = { schema: 24, oldest: 21 };

const PROVE = "makeready-prove-";
const DRAW = "makeready-draw-";
const OWN = `(name LIKE '${PROVE}%' OR name LIKE '${DRAW}%')`;

/** Name, version and code of a program: chunks are computed by the same one only. */
export interface Program {
  /** `makeready 0.1.0`. */
  readonly name: string;
  /** SHA-256 of its files. */
  readonly hash: string;
  /** What runs it: others pack the same pages into other bytes. Default: this process's. */
  readonly engine?: Engine | undefined;
}

const HASH_DIGITS = 12;

export const sayProgram = ({ name, hash }: Program): string =>
  `${name} (${hash.slice(0, HASH_DIGITS)})`;

export interface WorkerRow {
  readonly id: string;
  readonly queue: string;
  readonly program: string;
  readonly host: string;
  readonly pid: number;
  readonly threads: number;
  /** Why it can't work; null when it can. */
  readonly trouble: string | null;
  /** The queue that it draws volumes of; null where it draws none. */
  readonly draws: string | null;
  /** What runs it, such as `Node.js v20.20.2 on linux x64`. */
  readonly engine: string;
}

export interface Standing {
  readonly state: string;
  readonly output: { readonly message?: string } | null;
}

/** Chunks of one version of makeready. */
export interface QueueCounts {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly givenUp: number;
}

export interface Delivered extends Chunk {
  /** From 1. */
  readonly delivery: number;
}

/** What is queried of the queues. */
export interface Able {
  readonly proves: boolean;
  readonly draws: boolean;
}

const BOTH: Able = { proves: true, draws: true };

const throughAsk = (ask: Ask): PgBoss.Db => ({
  executeSql: async (sql: string, values?: unknown[]) => ({ rows: await ask(sql, values) }),
});

async function checkBoss({ ask, name }: Database): Promise<void> {
  const [there] = await ask<{ is: boolean }>(
    "SELECT to_regclass('pgboss.version') IS NOT NULL AS is",
  );
  if (there?.is !== true) return;
  const [row] = await ask<{ version: number }>("SELECT version FROM pgboss.version");
  const version = row?.version ?? BOSS.schema;
  if (version <= BOSS.schema && version >= BOSS.oldest) return;
  throw new AppError(
    "database-foreign",
    `database ${name} must hold no pg-boss or one of schema ${BOSS.oldest} to ${BOSS.schema}, got ${version}: another program uses it`,
    { hint: "give --on a database of its own: createdb makeready_work" },
  );
}

export class Queue {
  readonly database: Database;
  /** Pages and pictures wait here. */
  readonly name: string;
  /** Volumes wait here. */
  readonly drawName: string;
  readonly program: Program;
  readonly engine: Engine;
  readonly #boss: PgBoss;

  private constructor(database: Database, boss: PgBoss, program: Program) {
    this.database = database;
    this.#boss = boss;
    this.program = program;
    this.engine = program.engine ?? ownEngine();
    this.name = Queue.nameOf(program);
    this.drawName = Queue.drawNameOf(program);
  }

  /** Each version has a queue of its own: no worker gets chunks of another one. */
  static nameOf({ hash }: Program): string {
    return PROVE + hash.slice(0, HASH_DIGITS);
  }

  /** Volumes have a queue for each engine, too: another one may pack the same pages into other bytes. */
  static drawNameOf({ hash, engine = ownEngine() }: Program): string {
    return DRAW + sha256(hash + engine.hash).slice(0, HASH_DIGITS);
  }

  /** Whether volumes wait in it. */
  static isOfVolumes(queue: string): boolean {
    return queue.startsWith(DRAW);
  }

  #nameOf({ job }: Chunk): string {
    return job.kind === "volume" ? this.drawName : this.name;
  }

  get #names(): readonly string[] {
    return [this.name, this.drawName];
  }

  /** Connects and makes what is missing. Throws `AppError` for what a person has to mend. */
  static async open(url: string, program: Program): Promise<Queue> {
    const database = await openDatabase(url);
    try {
      await checkBoss(database);
      const queue = await inTurn(database, () => Queue.#make(database, program));
      await queue.#sweep();
      return queue;
    } catch (error) {
      await database.close().catch(() => undefined);
      throw toDatabaseError(error, database.name);
    }
  }

  static async #make(database: Database, program: Program): Promise<Queue> {
    await makeTables(database);
    const boss = new PgBoss({ db: throughAsk(database.ask), supervise: false, schedule: false });
    await boss.start();
    const queue = new Queue(database, boss, program);
    await boss.createQueue(queue.name);
    await boss.createQueue(queue.drawName);
    return queue;
  }

  /** Chunks that are there already are not put in twice; those that were given up or left begin anew. */
  async submit(chunks: readonly Chunk[]): Promise<void> {
    const ids = chunks.map(({ id }) => id);
    await this.database.ask(
      `DELETE FROM pgboss.job WHERE name = ANY($1) AND id = ANY($2::uuid[]) AND state >= 'completed'
         AND NOT EXISTS (SELECT FROM chunk_results WHERE chunk_results.id = job.id)`,
      [this.#names, ids],
    );
    // What no worker holds was taken by an earlier run of the job, which is over.
    await this.database.ask(
      `UPDATE pgboss.job SET state = 'retry'
         WHERE name = ANY($1) AND id = ANY($2::uuid[]) AND state = 'active' AND id NOT IN
           (SELECT unnest(chunks) FROM chunk_workers WHERE seen > now() - ${SEEN})`,
      [this.#names, ids],
    );
    const jobs = chunks.map((chunk) => ({
      id: chunk.id,
      name: this.#nameOf(chunk),
      data: chunk.job,
      retryLimit: DELIVERIES - 1,
      expireInSeconds: EXPIRE_SECONDS,
    }));
    await this.#boss.insert(jobs);
  }

  async answers(ids: readonly string[]): Promise<Map<string, Result>> {
    const rows = await this.database.ask<{ id: string; result: Result }>(
      "SELECT id, result FROM chunk_results WHERE id = ANY($1::uuid[])",
      [ids],
    );
    return new Map(rows.map(({ id, result }) => [id, result]));
  }

  /** Where chunks stand; those that are gone are left out. */
  async standing(ids: readonly string[]): Promise<Map<string, Standing>> {
    const rows = await this.database.ask<Standing & { id: string }>(
      "SELECT id, state, output FROM pgboss.job WHERE name = ANY($1) AND id = ANY($2::uuid[])",
      [this.#names, ids],
    );
    return new Map(rows.map(({ id, ...standing }) => [id, standing]));
  }

  /**
   * The next chunk, if there is one: volumes first, as their proof waits for them. One commit takes it
   * and notes it with the worker: others find it as soon as that one is dead.
   */
  fetch(what: Able = BOTH, worker?: string): Promise<Delivered | undefined> {
    return this.database.together(async (ask) => {
      const volume = what.draws ? await this.#fetchOf(this.drawName, ask) : undefined;
      const found = volume ?? (what.proves ? await this.#fetchOf(this.name, ask) : undefined);
      if (found !== undefined && worker !== undefined)
        await ask("UPDATE chunk_workers SET chunks = array_append(chunks, $2) WHERE id = $1", [
          worker,
          found.id,
        ]);
      return found;
    });
  }

  async #fetchOf(name: string, ask: Ask): Promise<Delivered | undefined> {
    let rows: Promise<unknown> | undefined;
    const keepRows: Ask = (...query) => {
      const asked = ask<never>(...query);
      rows = asked;
      return asked;
    };
    const [found] = await this.#boss.fetch<ChunkJob>(name, {
      batchSize: 1,
      includeMetadata: true,
      db: throughAsk(keepRows),
    });
    // pg-boss takes any error for nothing found.
    await rows;
    return found && { id: found.id, job: found.data, delivery: found.retryCount + 1 };
  }

  /** Keeps an answer, once, and ends its chunk: one commit. */
  async answer(chunk: Chunk, result: Result): Promise<void> {
    const { id, job } = chunk;
    await this.database.together(async (ask) => {
      await ask(
        "INSERT INTO chunk_results (id, batch, result) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [id, job.batch, JSON.stringify(result)],
      );
      await this.#boss.complete(this.#nameOf(chunk), id, {}, { db: throughAsk(ask) });
    });
  }

  /** Of a chunk that is answered already. */
  async end(chunk: Chunk): Promise<void> {
    await this.#boss.complete(this.#nameOf(chunk), chunk.id);
  }

  async hasAnswer(id: string): Promise<boolean> {
    return (await this.answers([id])).size > 0;
  }

  /** One delivery failed. */
  async fail(chunk: Chunk, why: string): Promise<void> {
    const message = why.replaceAll("\0", "").toWellFormed();
    await this.#boss.fail(this.#nameOf(chunk), chunk.id, { message });
  }

  /** Gives back a chunk that another worker may see; it counts as not delivered. */
  async giveBack(chunk: Chunk): Promise<void> {
    await this.database.ask(
      `UPDATE pgboss.job SET state = 'retry', retry_count = greatest(0, retry_count - 1)
         WHERE name = $1 AND id = $2 AND state = 'active'`,
      [this.#nameOf(chunk), chunk.id],
    );
  }

  /** Says that a worker is up, and what it works on. */
  async beat(
    worker: Omit<WorkerRow, "queue" | "program" | "draws" | "engine">,
    ids: readonly string[],
    draws = true,
  ): Promise<void> {
    const { id, host, pid, threads, trouble } = worker;
    const facts = [host, pid, threads, trouble, ids, draws ? this.drawName : null];
    await this.database.ask(
      `INSERT INTO chunk_workers (id, queue, program, host, pid, threads, trouble, chunks, draws, engine)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (id) DO UPDATE SET trouble = excluded.trouble, chunks = excluded.chunks,
           draws = excluded.draws, seen = now()`,
      [id, this.name, sayProgram(this.program), ...facts, this.engine.name],
    );
    if (ids.length === 0) return;
    await this.database.ask(
      "UPDATE pgboss.job SET started_on = now() WHERE name = ANY($1) AND id = ANY($2::uuid[]) AND state = 'active'",
      [this.#names, ids],
    );
  }

  async leave(worker: string): Promise<void> {
    await this.database.ask("DELETE FROM chunk_workers WHERE id = $1", [worker]);
  }

  /** Chunks of workers that died go to others. */
  async reap(): Promise<void> {
    await this.database.ask(
      `WITH dead AS (DELETE FROM chunk_workers WHERE seen <= now() - ${SEEN} RETURNING chunks),
        lost AS (SELECT unnest(chunks) AS id FROM dead
          EXCEPT SELECT unnest(chunks) FROM chunk_workers WHERE seen > now() - ${SEEN})
       UPDATE pgboss.job SET started_on = now() - expire_in - interval '1 second'
         WHERE state = 'active' AND id IN (SELECT id FROM lost)`,
    );
    await this.#boss.expire();
  }

  workers(): Promise<WorkerRow[]> {
    return readWorkers(this.database);
  }

  /** Removes chunks and answers that are no longer needed. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.database.together(async (ask) => {
      await ask("DELETE FROM chunk_results WHERE id = ANY($1::uuid[])", [ids]);
      await ask("DELETE FROM pgboss.job WHERE name = ANY($1) AND id = ANY($2::uuid[])", [
        this.#names,
        ids,
      ]);
    });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, wait: false }).catch(() => undefined);
    await this.database.close();
  }

  async #sweep(): Promise<void> {
    await this.database.together(async (ask) => {
      await ask(`DELETE FROM chunk_results WHERE at < now() - interval '${LEFT_DAYS} days'`);
      await ask(
        `DELETE FROM pgboss.job WHERE ${OWN} AND created_on < now() - interval '${LEFT_DAYS} days'`,
      );
    });
  }
}

const readWorkers = ({ ask }: Database): Promise<WorkerRow[]> =>
  ask<WorkerRow>(
    `SELECT id, queue, program, host, pid, threads, trouble, draws, engine FROM chunk_workers
       WHERE seen > now() - ${SEEN} ORDER BY host, pid`,
  );

/** The content of a database of `--on`; read-only. */
export interface QueueStatus {
  readonly database: string;
  readonly workers: readonly WorkerRow[];
  readonly queues: readonly QueueCounts[];
}

/** Throws `AppError` for what a person has to mend. */
export async function readQueue(url: string): Promise<QueueStatus> {
  const database = await openDatabase(url);
  const { name, ask } = database;
  try {
    await checkBoss(database);
    const [boss] = await ask<{ is: boolean }>("SELECT to_regclass('pgboss.job') IS NOT NULL AS is");
    if (boss?.is !== true || !(await hasTables(database)))
      return { database: name, workers: [], queues: [] };
    const queues = await ask<QueueCounts>(
      `SELECT name AS queue,
          (count(*) FILTER (WHERE state < 'active'))::int AS waiting,
          (count(*) FILTER (WHERE state = 'active'))::int AS active,
          (count(*) FILTER (WHERE state = 'failed'))::int AS "givenUp"
         FROM pgboss.job WHERE ${OWN} GROUP BY name ORDER BY name`,
    );
    return { database: name, workers: await readWorkers(database), queues };
  } catch (error) {
    throw toDatabaseError(error, name);
  } finally {
    await database.close().catch(() => undefined);
  }
}
