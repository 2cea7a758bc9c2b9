/** Short links in memory: where a slug leads, never out of date. */
import { Remembered } from "../../base/flow/remembered.ts";
import type { Addresses } from "../addresses.ts";
import { toDestination } from "../resources/codes/rows.ts";
import type { Store, TargetChanges } from "../store/store.ts";
import type { CodeRow } from "../store/tables.ts";

export interface Target {
  readonly codeId: string;
  readonly slug: string;
  /**
   * Value of the header `Location`; undefined = the answer is a contact's page, or the page of a void
   * code.
   */
  readonly location: string | undefined;
  /** The visitor is first asked for the position. */
  readonly gps: boolean;
  /** Void: spoiled on paper and out of use; it leads nowhere. */
  readonly isVoid: boolean;
}

type Row = Pick<CodeRow, "id" | "vcard" | "qr_data" | "gps_tracking"> & {
  readonly is_void: number;
} & Parameters<typeof toDestination>[1];

const FIND = `
  SELECT id, vcard, qr_data, pdf_file, pdf_name, hosted_path, gps_tracking,
    EXISTS (SELECT 1 FROM void_codes WHERE code_id = codes.id) AS is_void
  FROM codes WHERE slug = ?`;

const CAPACITY = 50_000;

/** Headers take only ASCII; a destination may contain any letter. */
export const toLocation = (url: string): string =>
  /^[\u0021-\u007e]*$/u.test(url) ? url : new URL(url).href;

export interface TargetParts {
  readonly store: Store;
  readonly changes: TargetChanges;
  readonly addresses: Addresses;
}

export class Targets {
  readonly #parts: TargetParts;
  readonly #known = new Remembered<Target>(CAPACITY);
  /** Counts changes: what was read before a change isn't remembered after it. */
  #version = 0;

  constructor(parts: TargetParts) {
    this.#parts = parts;
    parts.changes.listen((changed) => {
      this.#version += 1;
      if (changed === "all") this.#known.clear();
      else for (const slug of changed) this.#known.delete(slug);
    });
  }

  /** Where the slug leads now; undefined = nowhere. */
  async find(slug: string): Promise<Target | undefined> {
    const { store } = this.#parts;
    const known = this.peek(slug);
    if (known !== undefined || store.now !== undefined) return known;
    const version = this.#version;
    const row = await store.rows.get<Row>(FIND, slug);
    return row === undefined ? undefined : this.#keep(slug, row, version);
  }

  /** The same without waiting; undefined also when it isn't in memory. */
  peek(slug: string): Target | undefined {
    this.#parts.changes.look();
    const known = this.#known.get(slug);
    if (known !== undefined) return known;
    const row = this.#parts.store.now?.get<Row>(FIND, slug);
    return row === undefined ? undefined : this.#keep(slug, row, this.#version);
  }

  #keep(slug: string, row: Row, version: number): Target {
    const { store, addresses } = this.#parts;
    const isVoid = row.is_void === 1;
    const isLed = row.vcard === null && !isVoid;
    const target = {
      codeId: row.id,
      slug,
      location: isLed ? toLocation(toDestination(addresses, row)) : undefined,
      gps: row.gps_tracking === 1,
      isVoid,
    };
    // An open transaction may still be undone.
    if (version === this.#version && !store.isChanging) this.#known.set(slug, target);
    return target;
  }

  /** To be called when our own addresses have changed. */
  clear(): void {
    this.#version += 1;
    this.#known.clear();
  }
}
