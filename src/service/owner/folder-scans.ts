/** Scans by the folder in which codes lie today: the API's analytics don't count by folder. */
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Context } from "../context.ts";
import { readFolderPaths } from "../resources/folders/rows/folder-tree.ts";
import { readWindow } from "../scans/scan-windows.ts";
import { DAY_MS } from "../scans/window.ts";
import type { Store } from "../store/store.ts";

export interface FolderScans {
  /** Undefined for codes in no folder. */
  readonly id: string | undefined;
  /** Full breadcrumb; empty for codes in no folder. */
  readonly path: string;
  readonly scans: number;
  /** By scanners that were not here before. */
  readonly unique: number;
}

interface Days {
  /** The first and the last day, UTC, such as `2026-11-29`. */
  readonly start: string;
  readonly end: string;
}

export interface FolderQuery extends Days {
  /** So many folders are answered at most. */
  readonly most: number;
}

interface Counts {
  scans: number;
  unique: number;
}

/** Codes in one statement; visits are answered between two. */
const CHUNK = 5000;

function addTo<Key>(counts: Map<Key, Counts>, key: Key, { scans, unique }: Readonly<Counts>): void {
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { scans, unique });
  else {
    known.scans += scans;
    known.unique += unique;
  }
}

/** By the number of the code. */
async function countByCode(
  store: Store,
  workspaceId: string,
  { start, end }: Days,
): Promise<ReadonlyMap<number, Counts>> {
  const counts = new Map<number, Counts>();
  const span = { startMs: Date.parse(start), endMs: Date.parse(end) + DAY_MS };
  const code = (_day: number, key: number, scans: number, unique: number): void =>
    addTo(counts, key, { scans, unique });
  await store.snapshot((rows) => readWindow(rows, { workspaceId }, { span, reader: { code } }));
  return counts;
}

/** By the folder that codes are in; null: in none, or in one that is deleted. Deleted codes count nowhere. */
async function countByFolder(
  { db }: Store,
  codes: ReadonlyMap<number, Counts>,
): Promise<Map<string | null, Counts>> {
  const counts = new Map<string | null, Counts>();
  const numbers = [...codes.keys()];
  for (let at = 0; at < numbers.length; at += CHUNK) {
    const rows = await db
      .selectFrom("codes")
      .innerJoin("scanned_codes", "scanned_codes.code_id", "codes.id")
      .leftJoin("folders", (join) =>
        join
          .onRef("folders.id", "=", "codes.folder_id")
          .on("folders.gone", "=", 0)
          .on("folders.id", "not in", db.selectFrom("folder_leftovers").select("folder_id")),
      )
      .select(["folders.id", "scanned_codes.number"])
      .where("scanned_codes.number", "in", numbers.slice(at, at + CHUNK))
      .execute();
    for (const { id, number } of rows)
      addTo(counts, id, codes.get(number) ?? { scans: 0, unique: 0 });
    await nextTurn();
  }
  return counts;
}

/** The most scanned folders of a workspace first. */
export async function readFolderScans(
  { store }: Pick<Context, "store">,
  workspaceId: string,
  { most, ...days }: FolderQuery,
): Promise<readonly FolderScans[]> {
  const codes = await countByCode(store, workspaceId, days);
  const named = await countByFolder(store, codes);
  // One statement can't name them all.
  const first = [...named].toSorted(([, a], [, b]) => b.scans - a.scans).slice(0, most);
  const tree = await readFolderPaths(
    store.db,
    first.map(([id]) => id),
  );
  const held = new Map<string | undefined, Counts>();
  for (const [id, counts] of first) addTo(held, tree.holder(id)?.id, counts);
  return [...held]
    .map(([id, counts]) => {
      const row = tree.get(id ?? null);
      return { id, path: row === undefined ? "" : tree.path(row), ...counts };
    })
    .filter(({ scans }) => scans > 0)
    .toSorted((a, b) => b.scans - a.scans || Number(a.path > b.path) - Number(a.path < b.path));
}
