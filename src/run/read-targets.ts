/** The codes and short links that a spreadsheet names, read one by one where that is less than the list. */
import type { Code } from "../api/code.ts";
import type { Link } from "../api/link.ts";
import { limits } from "../api/limits.ts";
import { AppError } from "../base/errors.ts";
import { fromCode, fromLink, readEverything, type Catalog, type FoundCode } from "./catalog.ts";

type Client = Parameters<typeof readEverything>[0] & {
  getCode(id: string): Promise<Code>;
  getLink(id: string): Promise<Link>;
};

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

const orNothing = async <T>(answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return undefined;
    throw error;
  }
};

async function readOne(client: Client, id: string): Promise<FoundCode | undefined> {
  const code = await orNothing(client.getCode(id));
  if (code !== undefined) return fromCode(code);
  const link = await orNothing(client.getLink(id));
  return link && fromLink(link);
}

/** True when GETs by id are fewer than pages of the list; one page with one code tells how many there are. */
async function isLessThanList(client: Client, ids: number): Promise<boolean> {
  if (ids === 0) return false;
  const { count } = await client.listCodes({ page: 1, page_size: 1 });
  // An id may be that of a short link, which takes a second GET.
  return ids * 2 < Math.ceil(count / limits.maxPageSize);
}

/**
 * Reads what `values` mean into `catalog`: by id where all of them are ids and few, else the whole
 * list, which also tells what nobody's id is.
 */
export async function readTargets(
  client: Client,
  values: ReadonlySet<string>,
  at: { query: Parameters<typeof readEverything>[1]; catalog: Catalog; signal: AbortSignal },
): Promise<void> {
  const { query, catalog, signal } = at;
  const areIds = [...values].every((value) => ID.test(value));
  if (areIds && (await isLessThanList(client, values.size))) {
    for (const id of values) {
      signal.throwIfAborted();
      const found = await readOne(client, id);
      if (found === undefined) break;
      catalog.add([found]);
    }
    if (catalog.count === values.size) return;
    catalog.clear();
  }
  await readEverything(client, query, catalog, signal);
}
