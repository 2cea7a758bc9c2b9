import type { Store } from "../store/store.ts";

/** Key of `meta`. */
export const LAST_BACKUP = "last_backup";

/** The last backup of a data folder. */
export interface LastBackup {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly to: string;
  readonly files: number;
  readonly bytes: number;
}

/** Undefined when there never was one. */
export async function readLastBackup({ db }: Pick<Store, "db">): Promise<LastBackup | undefined> {
  const row = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", LAST_BACKUP)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.value) as LastBackup);
}
