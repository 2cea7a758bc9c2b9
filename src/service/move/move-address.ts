/** The public address of a moved workspace: codes are printed with it, so it moves along. */
import { ADDRESS_KEY } from "../store/public-address.ts";
import type { SqliteStore as Store } from "../store/sqlite/sqlite-store.ts";
import { SOURCE } from "./moved-tables.ts";

export interface MoveAddress {
  /** What codes of the source have; null where it keeps none. */
  readonly from: string | null;
  /** What they have here after the move; null where none is kept. */
  readonly to: string | null;
  /** Nothing is kept here yet. */
  readonly comesAlong: boolean;
}

const readKept = ({ raw }: Store, schema: string): string | null =>
  raw.get<{ value: string }>(`SELECT value FROM ${schema}.meta WHERE key = ?`, ADDRESS_KEY)
    ?.value ?? null;

export function readAddresses(store: Store): MoveAddress {
  const [from, there] = [readKept(store, SOURCE), readKept(store, "main")];
  return { from, to: there ?? from, comesAlong: from !== null && there === null };
}

/** Keeps the source's address where none is kept yet; answers the one that is kept now. */
export async function copyAddress(store: Store): Promise<string | null> {
  await store.write(async () =>
    store.raw.run(
      `INSERT INTO main.meta (key, value) SELECT key, value FROM ${SOURCE}.meta WHERE key = ?
       ON CONFLICT (key) DO NOTHING`,
      ADDRESS_KEY,
    ),
  );
  return readKept(store, "main");
}
