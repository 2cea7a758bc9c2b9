/** Digital Links in memory: their products, never out of date. */
import type { DigitalLink } from "../../gs1/digital-link.ts";

import { Remembered } from "../../base/flow/remembered.ts";
import { readLevels, toLevelPaths, type Level } from "../resources/products/rows/product-levels.ts";
import type { Store, TargetChanges } from "../store/store.ts";

/** A registered level. Scans of the Digital Link count for this code: the product's first. */
export interface KnownLevel extends Level {
  readonly codeId: string | undefined;
}

const FIND_CODE = "SELECT id FROM codes WHERE product_id = ? ORDER BY created LIMIT 1";
const FIND_STEM = "SELECT 1 FROM workspaces WHERE gs1_stem = ?";

/** Paths of levels, including ones that aren't registered. */
const CAPACITY = 10_000;
const STEMS = 1000;

export class KnownLevels {
  readonly #store: Store;
  readonly #changes: TargetChanges;
  /** By stem and path; null = not registered. */
  readonly #levels = new Remembered<KnownLevel | null>(CAPACITY);
  /** Whether a workspace has this stem. */
  readonly #stems = new Remembered<boolean>(STEMS);
  /** Counts changes: what was read before a change isn't remembered after it. */
  #version = 0;

  constructor({ store, changes }: { readonly store: Store; readonly changes: TargetChanges }) {
    this.#store = store;
    this.#changes = changes;
    changes.listen((changed) => {
      this.#version += 1;
      if (changed === "all") {
        this.#levels.clear();
        this.#stems.clear();
        return;
      }
      for (const target of changed) {
        this.#levels.delete(target);
        this.#stems.delete(target);
      }
    });
  }

  async hasStem(stem: string): Promise<boolean> {
    this.#changes.look();
    const known = this.#stems.get(stem);
    if (known !== undefined) return known;
    const version = this.#version;
    const isThere = (await this.#store.rows.get(FIND_STEM, stem)) !== undefined;
    // An open transaction may still be undone.
    if (version === this.#version && !this.#store.isChanging) this.#stems.set(stem, isThere);
    return isThere;
  }

  /** Registered levels of the link below `stem`, the most specific one first. */
  async find(stem: string, link: DigitalLink): Promise<readonly KnownLevel[]> {
    this.#changes.look();
    const paths = toLevelPaths(stem, link);
    const known = paths.map((path) => this.#levels.get(path));
    const isWhole = known.every((level) => level !== undefined);
    const levels = isWhole ? known : await this.#read(paths);
    return levels.filter((level) => level !== null);
  }

  async #read(paths: readonly string[]): Promise<(KnownLevel | null)[]> {
    const { db, rows } = this.#store;
    const version = this.#version;
    const found = await readLevels(db, paths);
    const levels: (KnownLevel | null)[] = [];
    for (const path of paths) {
      const level = found.get(path);
      const code = level && (await rows.get<{ id: string }>(FIND_CODE, level.productId));
      levels.push(level === undefined ? null : { ...level, codeId: code?.id });
    }
    if (version === this.#version && !this.#store.isChanging) {
      for (const [at, path] of paths.entries()) this.#levels.set(path, levels[at] ?? null);
    }
    return levels;
  }
}
