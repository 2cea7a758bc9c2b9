/** Commits of other processes, and which process leads: one connection that is always open. */
import type { Changed, Lead, TargetChanges } from "../store.ts";
import { AppError } from "../../../base/errors.ts";
import { ask, openClient, run, type Connection } from "./clients.ts";
import { channels } from "./schema.ts";

/** Pause between two tries to reach the database again. */
const RETRY_MS = 250;
/** A connection that is silent for this long is checked. */
const PING_MS = 5000;

const LISTEN = Object.values(channels)
  .map((name) => `LISTEN ${name}`)
  .join("; ");

/** "mksv": shared by all processes that serve; a move of the store holds it alone. */
export const SERVED_LOCK = 0x6d6b7376;
const SERVE = `SELECT pg_try_advisory_lock_shared(${SERVED_LOCK}) AS got`;

const TRY_LEAD = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS got";
const LEAVE = "SELECT pg_advisory_unlock(hashtextextended($1, 0))";

/** Listens for changes; after a break, everything may have changed. */
class PostgresChanges implements TargetChanges {
  readonly #listeners: ((changed: Changed) => void)[] = [];

  listen(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener);
  }

  /** Changes arrive by themselves. */
  look(): void {}

  tell(changed: Changed): void {
    for (const listener of this.#listeners) listener(changed);
  }
}

export class News {
  readonly #url: string;
  readonly #check: (client: Connection) => Promise<void>;
  readonly targets = new PostgresChanges();
  readonly #wake: (() => void)[] = [];
  readonly #leading = new Set<string>();
  #client: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `check` rejects when this process can't use the tables any more. */
  constructor(url: string, check: (client: Connection) => Promise<void>) {
    this.#url = url;
    this.#check = check;
  }

  /** Rejects when the database can't be reached now. */
  async open(): Promise<void> {
    const client = await openClient(this.#url, () => this.#broke(client));
    try {
      const { rows } = await ask(client, SERVE);
      if (rows[0]?.got !== 1) {
        throw new AppError("data-locked", "the database is being moved by makeready move-store", {
          hint: "wait until it is done",
        });
      }
      await this.#check(client);
      this.hear(client);
      await run(client, LISTEN);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    if (this.#isClosed) return void client.end().catch(() => {});
    this.#client = client;
    // Commits during the break were missed.
    this.targets.tell("all");
    for (const wake of this.#wake) wake();
    this.#timer = setTimeout(() => this.#ping(client), PING_MS).unref();
  }

  /** Takes the notifications of a connection. */
  hear(client: Connection): void {
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === channels.targets) this.targets.tell(payload === "*" ? "all" : [payload]);
      else for (const wake of this.#wake) wake();
    });
  }

  /** Calls `wake` when another process may have left something to send. */
  onReports(wake: () => void): void {
    this.#wake.push(wake);
  }

  lead(name: string): Lead {
    return {
      isOurs: async () => {
        const client = this.#client;
        if (client === undefined) return false;
        if (this.#leading.has(name)) return true;
        const { rows } = await ask(client, TRY_LEAD, [name]);
        if (rows[0]?.got !== 1 || this.#client !== client) return false;
        this.#leading.add(name);
        return true;
      },
      release: async () => {
        if (!this.#leading.delete(name) || this.#client === undefined) return;
        await ask(this.#client, LEAVE, [name]).catch(() => {});
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  #ping(client: Connection): void {
    if (this.#client !== client || this.#isClosed) return;
    const again = (): void => {
      this.#timer = setTimeout(() => this.#ping(client), PING_MS).unref();
    };
    ask(client, "SELECT 1").then(again, () => this.#broke(client));
  }

  /** Another process may lead from now on. */
  #broke(client: Connection | undefined): void {
    if (this.#isClosed || (this.#client !== undefined && this.#client !== client)) return;
    if (this.#client === undefined && client !== undefined) return;
    this.#client = undefined;
    this.#leading.clear();
    clearTimeout(this.#timer);
    client?.end().catch(() => {});
    this.#timer = setTimeout(() => {
      this.open().catch(() => this.#broke(undefined));
    }, RETRY_MS);
    this.#timer.unref();
  }
}
