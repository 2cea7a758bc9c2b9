/**
 * Tells listeners which short links and Digital Links changed, so that they forget them. Changes of
 * this process arrive before its writers get their answers, those of another process within 20 ms.
 */
import type { Clock } from "../../../base/time/clock.ts";
import type { Sqlite } from "../../../base/sqlite/sqlite.ts";
import type { Changed, Store, TargetChanges } from "../store.ts";

type Watched = Pick<Store, "isChanging" | "onCommit"> & { readonly raw: Sqlite };

/** How often to look for changes of other processes: a job may run beside `serve`. */
const LOOK_MS = 20;

const NEXT = "SELECT n, target FROM changed_targets WHERE n > ? ORDER BY n";
const LAST = "SELECT max(n) AS n FROM changed_targets";

export class SqliteTargetChanges implements TargetChanges {
  readonly #store: Watched;
  readonly #clock: Clock;
  readonly #listeners: ((changed: Changed) => void)[] = [];
  #version: number;
  #lookedMs: number;
  #last: number;

  constructor({ store, clock }: { readonly store: Watched; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    store.onCommit(() => this.#tell());
    this.#version = this.#readVersion();
    this.#last = store.raw.get<{ n: number | null }>(LAST)?.n ?? 0;
    this.#lookedMs = clock.monotonicMs();
  }

  listen(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener);
  }

  /** To be called before anything is answered from memory. */
  look(): void {
    const nowMs = this.#clock.monotonicMs();
    // An open transaction may still be undone.
    if (nowMs - this.#lookedMs < LOOK_MS || this.#store.isChanging) return;
    this.#lookedMs = nowMs;
    const version = this.#readVersion();
    if (version !== this.#version) this.#tell();
    this.#version = version;
  }

  #tell(): void {
    const rows = this.#store.raw.all<{ n: number; target: string }>(NEXT, this.#last);
    const last = rows.at(-1)?.n;
    if (last === undefined) return;
    const isWhole = rows[0]?.n === this.#last + 1;
    this.#last = last;
    const changed = isWhole ? rows.map(({ target }) => target) : "all";
    for (const listener of this.#listeners) listener(changed);
  }

  /** Every commit of another connection changes it, also commits of scans. */
  #readVersion(): number {
    return this.#store.raw.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  }
}
