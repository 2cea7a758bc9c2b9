import { limits } from "../api/limits.ts";
import type { Page } from "../api/paging.ts";

export interface PageRequest {
  readonly page: number;
  readonly page_size: number;
}

/**
 * All pages of a list, in order, the largest there are. Pages are numbered, not followed by `next`:
 * that address may name a host that only the server knows. A list that changes meanwhile may show
 * an item twice or skip one: who counts on every item dedupes and compares `count` (engine.md 1.5).
 */
async function* pages<Item>(
  list: (request: PageRequest) => Promise<Page<Item>>,
  pageSize: number = limits.maxPageSize,
): AsyncGenerator<Page<Item>, void, undefined> {
  for (let page = 1; ; page += 1) {
    const answer = await list({ page, page_size: pageSize });
    yield answer;
    if (answer.next === null || answer.results.length === 0) return;
  }
}

/** The same, item by item. */
export async function* eachItem<Item>(
  list: (request: PageRequest) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages(list)) yield* page.results;
}
