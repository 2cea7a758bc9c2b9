/** The folders of one workspace in memory: paths, subtrees, look-up by id or slug. */
import { sql } from "kysely";

import { refuse } from "../../../http/reply.ts";
import type { Db, FolderRow } from "../../../store/tables.ts";
import { readLeftovers } from "./folder-leftovers.ts";

/** Stands between the names of a breadcrumb. */
const STEP = "/";

export class FolderTree {
  readonly rows: readonly FolderRow[];
  readonly #byId: ReadonlyMap<string, FolderRow>;
  readonly #left: ReadonlySet<string>;

  constructor(rows: readonly FolderRow[], left: ReadonlySet<string> = new Set()) {
    this.rows = rows;
    this.#left = left;
    this.#byId = new Map(rows.map((row) => [row.id, row]));
  }

  get(id: string | null): FolderRow | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  /** The folder of a code that names this id; undefined = in no folder. */
  holder(id: string | null): FolderRow | undefined {
    return id === null || this.#left.has(id) ? undefined : this.get(id);
  }

  /** A folder by id or slug; unknown is a 404. */
  require(reference: string): FolderRow {
    const row = this.#byId.get(reference) ?? this.rows.find(({ slug }) => slug === reference);
    if (row === undefined) throw refuse.notFound();
    return row;
  }

  /** From the top down to the folder itself. */
  ancestry(row: FolderRow): FolderRow[] {
    const rows = [row];
    let above = this.get(row.parent_id);
    while (above !== undefined) {
      rows.push(above);
      above = this.get(above.parent_id);
    }
    return rows.toReversed();
  }

  /** Full breadcrumb: `Tables/North/Hotel`. */
  path(row: FolderRow): string {
    return this.ancestry(row)
      .map(({ name }) => name)
      .join(STEP);
  }
}

/** All folders of a workspace, by name. */
export async function readFolderTree(db: Db, workspaceId: string): Promise<FolderTree> {
  const rows = await db
    .selectFrom("folders")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("gone", "=", 0)
    .orderBy("name_key")
    .orderBy("id")
    .execute();
  return new FolderTree(rows);
}

/**
 * Only these folders and those above them, without deleted ones: enough for breadcrumbs. Null and
 * repeated ids are allowed.
 * @param before leftovers that were read before the codes, at another moment: without them, a folder
 * that was emptied in between would show up again
 */
export async function readFolderPaths(
  db: Db,
  ids: readonly (string | null)[],
  before: ReadonlySet<string> = new Set(),
): Promise<FolderTree> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new FolderTree([]);
  // Leftovers are read first: a folder that is emptied in between is then in neither list.
  const left = new Set([...before, ...(await readLeftovers(db))]);
  const { rows } = await sql<FolderRow>`
    with recursive up as (
      select * from folders where gone = 0 and id in (${sql.join(wanted)})
      union
      select folders.* from folders join up on folders.id = up.parent_id where folders.gone = 0
    )
    select * from up`.execute(db);
  return new FolderTree(rows, left);
}

/** Ids of a folder and of all below it. */
export async function readSubtreeIds(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive down as (
      select id from folders where id = ${id}
      union
      select folders.id from folders join down on folders.parent_id = down.id
    )
    select id from down`.execute(db);
  return rows.map((row) => row.id);
}

/** Levels of a folder and what is below it: 1 without subfolders. */
export async function readHeight(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    with recursive down as (
      select id, 1 as level from folders where id = ${id}
      union all
      select folders.id, level + 1 from folders join down on folders.parent_id = down.id
    )
    select max(level) as levels from down`.execute(db);
  return rows[0]?.levels ?? 0;
}

/** Id of a folder of the workspace by id or slug; unknown is a 404. */
export async function requireFolderId(
  db: Db,
  workspaceId: string,
  reference: string,
): Promise<string> {
  const rows = await db
    .selectFrom("folders")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("gone", "=", 0)
    .where((or) => or.or([or("id", "=", reference), or("slug", "=", reference)]))
    .execute();
  const row = rows.find(({ id }) => id === reference) ?? rows[0];
  if (row === undefined) throw refuse.notFound();
  return row.id;
}
