/**
 * Codes that are void on paper (docs/ledger.md): labels were spoiled, but somebody may still scan
 * them. They answer with a page that says so; only the ledger of a job makes codes void.
 */
import path from "node:path";

import { makeLog } from "../../base/log.ts";
import { openDataFolder, toDataError } from "../store/data-folder.ts";
import { STORE_FILE } from "../store/public-address.ts";
import { openStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";

const COUNT = "UPDATE void_codes SET scans = scans + 1 WHERE code_id = ?";
const ADD = `INSERT INTO void_codes (code_id, workspace_id, time)
  SELECT id, workspace_id, ? FROM codes WHERE id = ? ON CONFLICT DO NOTHING`;
const READ = "SELECT code_id AS id, scans FROM void_codes WHERE code_id = ?";
const IS_THERE = "SELECT 1 FROM codes WHERE id = ?";

export const countVoidScan = (store: Store, codeId: string): Promise<unknown> =>
  store.write(async (_tx, rows) => rows.run(COUNT, codeId), "normal");

/** Whether scans of a code are answered by the page that says it is void. */
export const isVoidCode = async ({ rows }: Pick<Store, "rows">, codeId: string): Promise<boolean> =>
  (await rows.get(READ, codeId)) !== undefined;

async function withStore<T>(dataDir: string, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    await openDataFolder(dataDir, makeLog());
    const store = openStore(path.join(dataDir, STORE_FILE));
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw toDataError(error, dataDir);
  }
}

/**
 * Makes codes of a data folder void, even while it is served; answers how many of them exist there.
 */
export const voidCodes = (
  dataDir: string,
  { ids, nowMs }: { readonly ids: readonly string[]; readonly nowMs: number },
): Promise<number> =>
  withStore(dataDir, (store) =>
    store.write(async (_tx, rows) => {
      let count = 0;
      for (const id of ids) {
        await rows.run(ADD, nowMs, id);
        if ((await rows.get(READ, id)) !== undefined) count += 1;
      }
      return count;
    }),
  );

/**
 * Id of a void code -> how often it was scanned since then; null for a code that is there no longer.
 * Codes that are not void are left out.
 */
export const readVoidScans = (
  dataDir: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> =>
  withStore(dataDir, async ({ rows }) => {
    const found = new Map<string, number | null>();
    for (const id of ids) {
      const row = await rows.get<{ scans: number }>(READ, id);
      if (row !== undefined) found.set(id, row.scans);
      else if ((await rows.get(IS_THERE, id)) === undefined) found.set(id, null);
    }
    return found;
  });
