/** Opens the configured store. The code for PostgreSQL is loaded only when it is used. */
import { openStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** @param url of a database; undefined = SQLite. @param file of SQLite; undefined = in memory */
export async function openStoreOf(
  url: string | undefined,
  file: string | undefined,
): Promise<Store> {
  if (url === undefined) return openStore(file ?? ":memory:");
  const { openPostgres } = await import("./postgres/postgres-store.ts");
  return openPostgres(url);
}
