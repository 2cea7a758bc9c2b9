import path from "node:path";

import { openSqlite, type Sqlite } from "../../base/sqlite/sqlite.ts";
import { isNoStore, isWritable, JOBS_WORKSPACE, STORE_FILE } from "./public-address.ts";
import { toStoreDamage } from "./store-damage.ts";

/** Lets something read a store; false where there is none, or one of an older makeready. */
export function readStore(dataDir: string, read: (sqlite: Sqlite) => void): boolean {
  const file = path.join(dataDir, STORE_FILE);
  if (!isWritable([dataDir, file])) return false;
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openSqlite(file);
    read(sqlite);
    return true;
  } catch (error) {
    if (!isNoStore(error)) throw toStoreDamage(file, error);
    return false;
  } finally {
    sqlite?.close();
  }
}

/** Id of a code or short link that ever led elsewhere -> where it leads now. Reads only. */
export function readMoved(dataDir: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  readStore(dataDir, (sqlite) => {
    const sql = `SELECT id, qr_data FROM codes WHERE dynamic = 1 AND qr_data <> ''
      AND id IN (SELECT code_id FROM code_history WHERE what = 'destination')`;
    for (const { id, qr_data: data } of sqlite.iterate<{ id: string; qr_data: string }>(sql))
      found.set(id, data);
  });
  return found;
}

/** What a code is called, and where it is filed. */
export interface NamedCode {
  readonly name: string;
  /** Path; undefined when not filed. */
  readonly folder: string | undefined;
}

interface RawCode {
  readonly id: string;
  readonly name: string;
  readonly folder: string | null;
}

/** Id of a folder -> its path. */
function readFolderPaths(sqlite: Sqlite): ReadonlyMap<string, string> {
  const sql = `WITH RECURSIVE tree(id, path) AS (
      SELECT id, name FROM folders WHERE parent_id IS NULL
      UNION ALL SELECT folders.id, tree.path || '/' || folders.name
        FROM folders JOIN tree ON folders.parent_id = tree.id)
    SELECT id, path FROM tree`;
  return new Map(
    sqlite.all<{ id: string; path: string }>(sql).map(({ id, path }) => [id, path] as const),
  );
}

/**
 * Id of a code or short link -> its name and folder. Those that the folder lacks are left out;
 * undefined where there is no store. Reads only.
 */
export function readNamed(
  dataDir: string,
  ids: readonly string[],
): ReadonlyMap<string, NamedCode> | undefined {
  const found = new Map<string, NamedCode>();
  if (ids.length === 0) return found;
  const isRead = readStore(dataDir, (sqlite) => {
    const folders = readFolderPaths(sqlite);
    const sql = `SELECT id, display_name AS name, folder_id AS folder FROM codes
      WHERE id IN (SELECT value FROM json_each(?))`;
    for (const { id, name, folder } of sqlite.iterate<RawCode>(sql, JSON.stringify(ids)))
      found.set(id, { name, folder: folders.get(folder ?? "") });
  });
  return isRead ? found : undefined;
}

/** Those of these ids that `sql` finds in a store; none where it is not there, or of an older makeready. */
function readIds(dataDir: string, ids: readonly string[], sql: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (ids.length === 0) return found;
  readStore(dataDir, (sqlite) => {
    for (const { id } of sqlite.iterate<{ id: string }>(sql, JSON.stringify(ids))) found.add(id);
  });
  return found;
}

/** Those of these codes that are void: their short links answer so. Reads only. */
export const readVoided = (dataDir: string, ids: readonly string[]): ReadonlySet<string> =>
  readIds(
    dataDir,
    ids,
    "SELECT code_id AS id FROM void_codes WHERE code_id IN (SELECT value FROM json_each(?))",
  );

/** Those of these landing pages and forms that are there, with a code or without. Reads only. */
export const readHosted = (dataDir: string, ids: readonly string[]): ReadonlySet<string> =>
  readIds(
    dataDir,
    ids,
    `WITH asked AS (SELECT value AS id FROM json_each(?))
      SELECT id FROM asked WHERE id IN (SELECT id FROM pages) OR id IN (SELECT id FROM forms)`,
  );

interface ProductTarget {
  readonly path: string;
  readonly type: string;
  readonly url: string;
}

/**
 * Path of a Digital Link -> link type -> where the product leads, of the products in the workspace
 * of jobs. Reads only.
 */
export function readProductTargets(
  dataDir: string,
  paths: readonly string[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  readStore(dataDir, (sqlite) => {
    const stem = sqlite.get<{ gs1_stem: string | null }>(JOBS_WORKSPACE)?.gs1_stem;
    if (stem === undefined || stem === null) return;
    const sql = `SELECT substr(path, ?) AS path, link_type AS type, destination_url AS url
      FROM products JOIN product_links ON product_id = products.id
      WHERE path IN (SELECT ? || value FROM json_each(?))`;
    const targets = sqlite.all<ProductTarget>(sql, stem.length + 1, stem, JSON.stringify(paths));
    for (const { path: link, type, url } of targets) {
      const links = found.get(link) ?? new Map<string, string>();
      found.set(link, links.set(type, url));
    }
  });
  return found;
}
