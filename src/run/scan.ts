import type { CodeItem } from "../api/code.ts";
import type { Page } from "../api/paging.ts";
import { AppError } from "../base/errors.ts";
import type { RunContext } from "./context.ts";
import { fillItems } from "./fill.ts";
import { toCreatedMs } from "./match.ts";

const MAX_READINGS = 8;

/**
 * All codes of the workspace not older than `sinceMs`, newest first. New codes push others to the
 * next page, which shows them twice; deleted ones pull them to the page before, which hides them: a
 * list that shrank is read again from the start. Throws `server-unavailable` when it never stands
 * still.
 */
export async function scanCodes(context: RunContext, sinceMs: number): Promise<CodeItem[]> {
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const items = await readList(context, sinceMs);
    if (items !== undefined) return fillItems(context, items, sinceMs);
  }
  throw new AppError(
    "server-unavailable",
    `the list of codes must stand still while it is read, got ${MAX_READINGS} readings in which codes vanished`,
    { hint: "run the same command again when nobody deletes codes in this workspace" },
  );
}

/** One reading; undefined when codes vanished meanwhile. */
async function readList(context: RunContext, sinceMs: number): Promise<CodeItem[] | undefined> {
  const { maker } = context;
  const page_size = maker.pageSize;
  const items = new Map<string, CodeItem>();
  const keep = (codes: readonly CodeItem[]): void => {
    for (const code of codes) items.set(code.id, code);
  };
  let first: readonly CodeItem[] = [];
  let counted = 0;
  let seen = 0;
  for (let page = 1; ; page += 1) {
    const answer = await readPage(context, page);
    if (answer.count < counted) return undefined;
    counted = answer.count;
    seen += answer.results.length;
    if (page === 1) first = answer.results;
    keep(answer.results);
    const oldest = answer.results.at(-1);
    const isEnough = oldest === undefined || toCreatedMs(oldest) < sinceMs;
    // A server may leave `next` out: a full page, or a count that is not reached, means more.
    const isMore = answer.next !== null || answer.results.length >= page_size || counted > seen;
    if (!isEnough && isMore) continue;
    if (page === 1) break;
    const again = await maker.list({ page: 1, page_size });
    if (hasLost(first, again.results)) return undefined;
    keep(again.results);
    break;
  }
  return [...items.values()];
}

/** A page behind the last one is empty, or unknown to the server. */
async function readPage({ maker }: RunContext, page: number): Promise<Page<CodeItem>> {
  try {
    return await maker.list({ page, page_size: maker.pageSize });
  } catch (error) {
    const isBehind = page > 1 && error instanceof AppError && error.code === "not-found";
    if (!isBehind) throw error;
    return { count: Number.POSITIVE_INFINITY, next: null, previous: null, results: [] };
  }
}

/** True when an item of page 1 is gone that new ones can't have pushed off it. */
export function hasLost(
  before: readonly Pick<CodeItem, "id">[],
  now: readonly Pick<CodeItem, "id">[],
): boolean {
  const known = new Set(before.map(({ id }) => id));
  const shown = new Set(now.map(({ id }) => id));
  const fresh = now.filter(({ id }) => !known.has(id)).length;
  return before.slice(0, before.length - fresh).some(({ id }) => !shown.has(id));
}
