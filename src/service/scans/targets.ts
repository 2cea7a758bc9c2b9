/** Short links in memory: what a slug leads to, and never anything out of date. */
import type { Clock } from "../../base/clock.ts";

import type { Addresses } from "../addresses.ts";
import { toDestination } from "../code-rows.ts";
import type { Store } from "../store/store.ts";
import type { CodeRow } from "../store/tables.ts";
import { Remembered } from "../remembered.ts";

export interface Target {
  readonly codeId: string;
  readonly slug: string;
  /** Value of the header `Location`; undefined = a contact is shown. */
  readonly location: string | undefined;
  /** The visitor is asked for the position first. */
  readonly gps: boolean;
}

type Row = Pick<CodeRow, "id" | "vcard" | "qr_data" | "gps_tracking"> &
  Parameters<typeof toDestination>[1];

const FIND = `
  SELECT id, vcard, qr_data, pdf_file, pdf_name, hosted_path, gps_tracking FROM codes WHERE slug = ?`;

/**
 * Every change of a code leaves its slug behind; a transaction that is undone takes
 * it back again. The table lives with this connection only.
 */
const WATCH = `
  CREATE TEMP TABLE changed_slugs (slug TEXT NOT NULL);
  CREATE TEMP TRIGGER watch_updates AFTER UPDATE ON main.codes
    WHEN old.slug IS NOT NULL
    BEGIN INSERT INTO changed_slugs VALUES (old.slug); END;
  CREATE TEMP TRIGGER watch_deletes AFTER DELETE ON main.codes WHEN old.slug IS NOT NULL
    BEGIN INSERT INTO changed_slugs VALUES (old.slug); END;`;

const CAPACITY = 50_000;
/** How often to look whether another process has changed the store: a job may run beside `serve`. */
const LOOK_MS = 20;

/** A header takes ASCII only; a destination may hold any letter. */
export const toLocation = (url: string): string =>
  /^[\u0021-\u007e]*$/u.test(url) ? url : new URL(url).href;

export interface TargetParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly addresses: Addresses;
}

export class Targets {
  readonly #parts: TargetParts;
  readonly #known = new Remembered<Target>(CAPACITY);
  #version: number;
  #lookedMs: number;

  constructor(parts: TargetParts) {
    this.#parts = parts;
    const { store, clock } = parts;
    store.raw.exec(WATCH);
    store.onCommit(() => this.#forgetChanged());
    this.#version = this.#readVersion();
    this.#lookedMs = clock.monotonicMs();
  }

  /** What the slug leads to now; undefined = nothing. */
  find(slug: string): Target | undefined {
    this.#look();
    const known = this.#known.get(slug);
    if (known !== undefined) return known;
    const { store, addresses } = this.#parts;
    const row = store.raw.get<Row>(FIND, slug);
    if (row === undefined) return undefined;
    const target = {
      codeId: row.id,
      slug,
      location: row.vcard === null ? toLocation(toDestination(addresses, row)) : undefined,
      gps: row.gps_tracking === 1,
    };
    // What stands in an open transaction may still be undone.
    if (!store.isChanging) this.#known.set(slug, target);
    return target;
  }

  /** To be called when addresses of our own have changed. */
  clear(): void {
    this.#known.clear();
  }

  #forgetChanged(): void {
    const { raw } = this.#parts.store;
    const changed = raw.all<{ slug: string }>("SELECT slug FROM changed_slugs");
    if (changed.length === 0) return;
    for (const { slug } of changed) this.#known.delete(slug);
    raw.run("DELETE FROM changed_slugs");
  }

  #look(): void {
    const { clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#lookedMs < LOOK_MS) return;
    this.#lookedMs = nowMs;
    const version = this.#readVersion();
    if (version !== this.#version) this.#known.clear();
    this.#version = version;
  }

  #readVersion(): number {
    return (
      this.#parts.store.raw.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0
    );
  }
}
