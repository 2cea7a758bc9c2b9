/**
 * Copies the rows of a workspace from the attached store into this one, in steps that hold up nobody.
 */
import type { SqlValue } from "../../base/sqlite/sqlite.ts";

import type { SqliteStore as Store } from "../store/sqlite/sqlite-store.ts";
import {
  countedThings,
  hasDigitalLinks,
  IS_HELD_THERE,
  IS_LIVE_THERE,
  movedTables,
  SOURCE,
  type MovedTable,
} from "./moved-tables.ts";

export interface MoveCount {
  readonly what: string;
  /** In the source. */
  readonly source: number;
  /** How many of these are in the destination. */
  readonly there: number;
}

export interface MoveConflict {
  readonly table: string;
  readonly name: string;
  /** The slug of a deleted code: left behind, its labels would lead to what has it here. */
  readonly isLive?: true;
}

/** Rows of one transaction. */
const STEP = 500;
const SHOWN_CONFLICTS = 100;

const sameKey = (key: readonly string[], other = "m"): string =>
  key.map((column) => `${other}.${column} = s.${column}`).join(" AND ");

function findTable(name: string): MovedTable {
  const found = movedTables.find(({ table }) => table === name);
  if (found === undefined) throw new Error(`${name} must be a table that is moved`);
  return found;
}

const listColumns = ({ raw }: Store, table: string): string[] =>
  raw.all<{ name: string }>(`PRAGMA main.table_info(${table})`).map(({ name }) => name);

/** How many rows of each kind the source has, and how many of them are here. */
export function countRows({ raw }: Store, workspaceId: string): MoveCount[] {
  return countedThings.map(({ what, table, only = "1" }) => {
    const { key, owned } = findTable(table);
    const from = `FROM ${SOURCE}.${table} AS s WHERE (${owned}) AND ${only}`;
    const isHere = `EXISTS (SELECT 1 FROM main.${table} AS m WHERE ${sameKey(key)})`;
    const count = (where: string): number =>
      raw.get<{ n: number }>(`SELECT count(*) AS n ${from} ${where}`, workspaceId)?.n ?? 0;
    return { what, source: count(""), there: count(`AND ${isHere}`) };
  });
}

/** What stays in the source of the webhooks. */
export interface LeftWebhooks {
  /**
   * Server of the receiver that `serve` names, such as `https://a.example`; without the path, which
   * may hold a key.
   */
  readonly served: string | undefined;
  /** Reports that no receiver has received yet. */
  readonly waiting: number;
}

export function findLeftWebhooks({ raw }: Store, workspaceId: string): LeftWebhooks {
  const served = raw.get<{ url: string }>(
    `SELECT url FROM ${SOURCE}.webhooks WHERE id = ?1 AND workspace_id = ?1`,
    workspaceId,
  );
  const waiting = raw.get<{ n: number }>(
    `SELECT count(*) AS n FROM ${SOURCE}.webhook_outbox AS o
     JOIN ${SOURCE}.webhooks AS w ON w.id = o.webhook_id WHERE w.workspace_id = ?`,
    workspaceId,
  );
  return { served: served && new URL(served.url).origin, waiting: waiting?.n ?? 0 };
}

/** The workspace here, named by its name, whose Digital Links begin where those of the source do. */
const OTHER_STEM = `
  FROM ${SOURCE}.workspaces AS s JOIN main.workspaces AS m ON m.gs1_stem = s.gs1_stem AND m.id <> s.id
  WHERE s.id = ?1 AND ${hasDigitalLinks(SOURCE, "s")}`;
const STEM_CONFLICTS = `
  SELECT m.name AS name ${OTHER_STEM} AND ${hasDigitalLinks("main", "m")}`;

/** One without products lets go of it: its next product gets another beginning. */
const FREE_STEM = `
  UPDATE main.workspaces SET gs1_stem = NULL WHERE id IN (
    SELECT m.id ${OTHER_STEM} AND NOT ${hasDigitalLinks("main", "m")})`;

/** Without products, the workspace needs none that another one has here. */
const MOVED_STEM = `CASE WHEN ${hasDigitalLinks(SOURCE, "s")}
  OR NOT EXISTS (SELECT 1 FROM main.workspaces AS m WHERE m.gs1_stem = s.gs1_stem)
  THEN s.gs1_stem END`;

/** A page or a form whose code was deleted still has its slug. */
const HOSTED = ["pages", "forms"]
  .map(
    (table) => `SELECT slug FROM ${SOURCE}.${table} WHERE workspace_id = ?1 AND slug IS NOT NULL`,
  )
  .join(" UNION ");

/** Slugs of what the source still has, which belong, or belonged, to another workspace here. */
const SLUG_CONFLICTS = `
  SELECT s.slug AS name FROM ${SOURCE}.codes AS s JOIN main.kept_slugs AS m ON m.slug = s.slug
    WHERE s.workspace_id = ?1 AND m.workspace_id <> ?1
  UNION SELECT s.slug FROM ${SOURCE}.kept_slugs AS s
    WHERE s.workspace_id = ?1 AND s.slug IN (${HOSTED}) AND ${IS_HELD_THERE}
  LIMIT ${SHOWN_CONFLICTS}`;

const LEFT_SLUGS = `
  SELECT s.slug AS name FROM ${SOURCE}.kept_slugs AS s
  WHERE s.workspace_id = ?1 AND ${IS_HELD_THERE} AND s.slug NOT IN (${HOSTED})
    AND NOT EXISTS (SELECT 1 FROM ${SOURCE}.codes AS c WHERE c.slug = s.slug)
  ORDER BY s.slug`;

/**
 * Slugs of deleted codes that stay behind: here, another workspace has or had them. They were only
 * kept so that nobody else gets them.
 */
export const findLeftSlugs = ({ raw }: Store, workspaceId: string): string[] =>
  raw.all<{ name: string }>(LEFT_SLUGS, workspaceId).map(({ name }) => name);

/** Those of them that answer here: printed labels would lead to somebody else. */
export const findLiveSlugs = ({ raw }: Store, workspaceId: string): string[] =>
  raw
    .all<{ name: string }>(
      `SELECT name FROM (${LEFT_SLUGS}) AS l
      WHERE EXISTS (SELECT 1 FROM (SELECT l.name AS slug) AS s WHERE ${IS_LIVE_THERE})`,
      workspaceId,
    )
    .map(({ name }) => name);

/** Conflicts: rows that exist here but belong to another workspace. */
export function findConflicts({ raw }: Store, workspaceId: string): MoveConflict[] {
  const found = movedTables.flatMap(({ table, key, owned, unique = [], name = "id" }) =>
    unique.flatMap((columns) =>
      raw
        .all<{ name: SqlValue }>(
          `SELECT s.${name} AS name FROM ${SOURCE}.${table} AS s
           JOIN main.${table} AS m ON ${sameKey(columns)} AND NOT (${sameKey(key)})
           WHERE ${owned} LIMIT ${SHOWN_CONFLICTS}`,
          workspaceId,
        )
        .map((row) => ({ table, name: String(row.name) })),
    ),
  );
  const stems = raw.all<{ name: string }>(STEM_CONFLICTS, workspaceId);
  const slugs = raw.all<{ name: string }>(SLUG_CONFLICTS, workspaceId);
  return [
    ...stems.map(({ name }) => ({ table: "workspaces", name })),
    ...found,
    ...slugs.map(({ name }) => ({ table: "kept_slugs", name })),
  ];
}

/** The workspace belongs to its account here; the account's first workspace stays the first. */
const OWN_VALUES: Readonly<Record<string, string>> = {
  account_id: "?2",
  created: "?3",
  gs1_stem: MOVED_STEM,
};

/** Copies the rows of one table that are missing here; existing rows stay as they are. */
async function copyTable(
  store: Store,
  { table, key, owned, isWhole = false }: MovedTable,
  { workspaceId, accountId, createdMs }: Owner,
): Promise<void> {
  const { raw } = store;
  const columns = listColumns(store, table);
  const isWorkspace = table === "workspaces";
  const values = columns.map((column) =>
    isWorkspace ? (OWN_VALUES[column] ?? `s.${column}`) : `s.${column}`,
  );
  const insert = `
    INSERT INTO main.${table} (${columns.join(", ")}) SELECT ${values.join(", ")}
    FROM ${SOURCE}.${table} AS s WHERE (${owned.replaceAll("?1", "?").replaceAll("?", "?1")})`;
  const skip = `ON CONFLICT (${key.join(", ")}) DO NOTHING`;
  const given: SqlValue[] = isWorkspace ? [workspaceId, accountId, createdMs] : [workspaceId];
  if (isWhole) {
    await store.write(async () => {
      // Parents may be copied after their children.
      raw.exec("PRAGMA defer_foreign_keys=ON");
      if (isWorkspace) raw.run(FREE_STEM, workspaceId);
      raw.run(`${insert} ${skip}`, ...given);
    });
    return;
  }
  const next = `SELECT max(n) AS n FROM (
    SELECT rowid AS n FROM ${SOURCE}.${table} WHERE rowid > ? ORDER BY rowid LIMIT ${STEP})`;
  for (let after = 0; ;) {
    const last = raw.get<{ n: number | null }>(next, after)?.n ?? null;
    if (last === null) return;
    const range = `AND s.rowid > ${after} AND s.rowid <= ${last}`;
    await store.write(async () => raw.run(`${insert} ${range} ${skip}`, ...given));
    after = last;
  }
}

export interface Owner {
  readonly workspaceId: string;
  /** The account here. */
  readonly accountId: string;
  /** After all other workspaces of the account. */
  readonly createdMs: number;
}

/** For a workspace that got a stem after its first move. */
const SET_STEM = `
  UPDATE main.workspaces SET gs1_stem =
    (SELECT ${MOVED_STEM} FROM ${SOURCE}.workspaces AS s WHERE s.id = ?1)
  WHERE id = ?1 AND gs1_stem IS NULL`;

/** Copies all rows. After a kill, the next call copies the rest. */
export async function copyRows(
  store: Store,
  owner: Owner,
  onTable: (table: string) => void,
): Promise<void> {
  for (const table of movedTables) {
    onTable(table.table);
    await copyTable(store, table, owner);
    if (table.table === "workspaces") {
      await store.write(async () => store.raw.run(SET_STEM, owner.workspaceId));
    }
  }
}
