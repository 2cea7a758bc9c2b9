/** Pages of lists. */
import type { SelectQueryBuilder } from "kysely";

import type { Slice } from "../http/paging.ts";
import type { Tables } from "./tables.ts";

/** The number of rows found, and one page of them, in their order. */
export async function readSlice<Table extends keyof Tables, Row>(
  found: SelectQueryBuilder<Tables, Table, object>,
  ordered: SelectQueryBuilder<Tables, Table, Row>,
  { limit, offset }: Slice,
): Promise<{ count: number; rows: Row[] }> {
  const { count } = await found
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return { count, rows: await ordered.limit(limit).offset(offset).execute() };
}
