/** The folders of one workspace in memory: paths, subtrees, look-up by id or slug. */
import { refuse } from "./reply.ts";
import type { Db, FolderRow } from "./store/tables.ts";

/** Stands between the names of a breadcrumb. */
const STEP = "/";

export class FolderTree {
  readonly rows: readonly FolderRow[];
  readonly #byId: ReadonlyMap<string, FolderRow>;

  constructor(rows: readonly FolderRow[]) {
    this.rows = rows;
    this.#byId = new Map(rows.map((row) => [row.id, row]));
  }

  get(id: string | null): FolderRow | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  /** A folder by id or slug; unknown is a 404. */
  require(reference: string): FolderRow {
    const row = this.#byId.get(reference) ?? this.rows.find(({ slug }) => slug === reference);
    if (row === undefined) throw refuse.notFound();
    return row;
  }

  /** From the top down to the folder itself. */
  ancestry(row: FolderRow): FolderRow[] {
    const above = this.get(row.parent_id);
    return above === undefined ? [row] : [...this.ancestry(above), row];
  }

  /** Full breadcrumb: `Tables/North/Hotel`. */
  path(row: FolderRow): string {
    return this.ancestry(row)
      .map(({ name }) => name)
      .join(STEP);
  }

  /** Ids of the folder and of all below it. */
  subtree(id: string): string[] {
    const below = new Map<string, string[]>();
    for (const row of this.rows) {
      if (row.parent_id === null) continue;
      const siblings = below.get(row.parent_id);
      if (siblings === undefined) below.set(row.parent_id, [row.id]);
      else siblings.push(row.id);
    }
    const found = [id];
    for (let next = 0; next < found.length; next += 1) {
      found.push(...(below.get(found[next] ?? "") ?? []));
    }
    return found;
  }
}

/** All folders of a workspace, by name. */
export async function readFolderTree(db: Db, workspaceId: string): Promise<FolderTree> {
  const rows = await db
    .selectFrom("folders")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("name_key")
    .orderBy("id")
    .execute();
  return new FolderTree(rows);
}

/** Only the folder of one code and those above it: one query per level. */
export async function readFolderPath(db: Db, id: string | null): Promise<FolderTree> {
  const rows: FolderRow[] = [];
  for (let next = id; next !== null;) {
    const row = await db
      .selectFrom("folders")
      .selectAll()
      .where("id", "=", next)
      .executeTakeFirst();
    if (row === undefined) break;
    rows.push(row);
    next = row.parent_id;
  }
  return new FolderTree(rows);
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
    .where((or) => or.or([or("id", "=", reference), or("slug", "=", reference)]))
    .execute();
  const row = rows.find(({ id }) => id === reference) ?? rows[0];
  if (row === undefined) throw refuse.notFound();
  return row.id;
}
