/**
 * Chunks that wait, are worked on and are answered, in PostgreSQL through pg-boss: the only file that
 * imports it. All times are those of the database, so that clocks of computers may differ.
 */
import PgBoss from "pg-boss";

import { AppError } from "../base/errors.ts";
import { type Database, hasTables, makeTables, openDatabase, toDatabaseError } from "./database.ts";
import type { Chunk, ChunkJob, Result } from "./chunk.ts";

/** Tries of a chunk by workers; then whoever runs the job proves it. */
const DELIVERIES = 3;
/** A chunk that nobody speaks for any more is delivered again after so long. */
const EXPIRE_SECONDS = 60;
/** Workers say that they are up more often than this; one that doesn't is taken for dead. */
const SEEN = "interval '8 seconds'";
/** Answers and chunks that nobody came back for. */
const LEFT_DAYS = 7;
/** Tables of pg-boss that this version of it works on, and from which it brings older ones there. */
const BOSS = { schema: 24, oldest: 21 };

const PREFIX = "makeready-prove-";

/** Name, version and code of a program: chunks are proven by the same one only. */
export interface Program {
  /** `makeready 0.1.0`. */
  readonly name: string;
  /** SHA-256 of its files. */
  readonly hash: string;
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
  readonly name: string;
  readonly program: Program;
  readonly #boss: PgBoss;

  private constructor(database: Database, boss: PgBoss, program: Program) {
    this.database = database;
    this.#boss = boss;
    this.program = program;
    this.name = Queue.nameOf(program);
  }

  /** Each version has a queue of its own: no worker gets chunks of another one. */
  static nameOf({ hash }: Program): string {
    return PREFIX + hash.slice(0, HASH_DIGITS);
  }

  /** Connects and makes what is missing. Throws `AppError` for what a person has to mend. */
  static async open(url: string, program: Program): Promise<Queue> {
    const database = await openDatabase(url);
    try {
      await checkBoss(database);
      await makeTables(database);
      const { ask } = database;
      const db = {
        executeSql: async (sql: string, values?: unknown[]) => ({ rows: await ask(sql, values) }),
      };
      const boss = new PgBoss({ db, supervise: false, schedule: false });
      await boss.start();
      const queue = new Queue(database, boss, program);
      await boss.createQueue(queue.name);
      await queue.#sweep();
      return queue;
    } catch (error) {
      await database.close().catch(() => undefined);
      throw toDatabaseError(error, database.name);
    }
  }

  /** Chunks that are there already are not put in twice; those that were given up once begin anew. */
  async submit(chunks: readonly Chunk[]): Promise<void> {
    const ids = chunks.map(({ id }) => id);
    await this.database.ask(
      `DELETE FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[]) AND state >= 'completed'
         AND NOT EXISTS (SELECT FROM chunk_results WHERE chunk_results.id = job.id)`,
      [this.name, ids],
    );
    const jobs = chunks.map(({ id, job }) => ({
      id,
      name: this.name,
      data: job,
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
      "SELECT id, state, output FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[])",
      [this.name, ids],
    );
    return new Map(rows.map(({ id, ...standing }) => [id, standing]));
  }

  /** The next chunk, if there is one. */
  async fetch(): Promise<Delivered | undefined> {
    const [found] = await this.#boss.fetch<ChunkJob>(this.name, {
      batchSize: 1,
      includeMetadata: true,
    });
    return found && { id: found.id, job: found.data, delivery: found.retryCount + 1 };
  }

  /** Keeps an answer, once, and ends its chunk: one commit. */
  async answer({ id, job }: Chunk, result: Result): Promise<void> {
    await this.database.together(async (ask) => {
      await ask(
        "INSERT INTO chunk_results (id, batch, result) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [id, job.batch, JSON.stringify(result)],
      );
      const db = {
        executeSql: async (sql: string, values?: unknown[]) => ({ rows: await ask(sql, values) }),
      };
      await this.#boss.complete(this.name, id, {}, { db });
    });
  }

  /** Of a chunk that is answered already. */
  async end({ id }: Chunk): Promise<void> {
    await this.#boss.complete(this.name, id);
  }

  async hasAnswer(id: string): Promise<boolean> {
    return (await this.answers([id])).size > 0;
  }

  /** One delivery came to nothing. */
  async fail({ id }: Chunk, why: string): Promise<void> {
    const message = why.replaceAll("\0", "").toWellFormed();
    await this.#boss.fail(this.name, id, { message });
  }

  /** A chunk that another worker may see: it counts as not delivered. */
  async giveBack({ id }: Chunk): Promise<void> {
    await this.database.ask(
      `UPDATE pgboss.job SET state = 'retry', retry_count = greatest(0, retry_count - 1)
         WHERE name = $1 AND id = $2 AND state = 'active'`,
      [this.name, id],
    );
  }

  /** Says that a worker is up, and what it works on. */
  async beat(worker: Omit<WorkerRow, "queue" | "program">, ids: readonly string[]): Promise<void> {
    const { id, host, pid, threads, trouble } = worker;
    await this.database.ask(
      `INSERT INTO chunk_workers (id, queue, program, host, pid, threads, trouble, chunks)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (id) DO UPDATE SET trouble = excluded.trouble, chunks = excluded.chunks, seen = now()`,
      [id, this.name, sayProgram(this.program), host, pid, threads, trouble, ids],
    );
    if (ids.length === 0) return;
    await this.database.ask(
      "UPDATE pgboss.job SET started_on = now() WHERE name = $1 AND id = ANY($2::uuid[]) AND state = 'active'",
      [this.name, ids],
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

  /** Takes chunks and their answers out: nobody needs them any more. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.database.together(async (ask) => {
      await ask("DELETE FROM chunk_results WHERE id = ANY($1::uuid[])", [ids]);
      await ask("DELETE FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[])", [
        this.name,
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
        `DELETE FROM pgboss.job WHERE name LIKE '${PREFIX}%' AND created_on < now() - interval '${LEFT_DAYS} days'`,
      );
    });
  }
}

const readWorkers = ({ ask }: Database): Promise<WorkerRow[]> =>
  ask<WorkerRow>(
    `SELECT id, queue, program, host, pid, threads, trouble FROM chunk_workers
       WHERE seen > now() - ${SEEN} ORDER BY host, pid`,
  );

/** What stands in a database of `--on`; looks only. */
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
         FROM pgboss.job WHERE name LIKE '${PREFIX}%' GROUP BY name ORDER BY name`,
    );
    return { database: name, workers: await readWorkers(database), queues };
  } catch (error) {
    throw toDatabaseError(error, name);
  } finally {
    await database.close().catch(() => undefined);
  }
}
