import { limits } from "../api/limits.ts";
import type { Page } from "../api/paging.ts";
import { NEXT_UNTOLD } from "./dialect.ts";

export interface PageRequest {
  readonly page: number;
  readonly page_size: number;
}

/**
 * All pages of a list, in order, the largest there are. Pages are numbered, not followed by `next`:
 * that address may name a host that only the server knows. A list that changes meanwhile may show
 * an item twice or skip one: who counts on every item dedupes and compares `count` (engine.md 1.5).
 */
export async function* eachPage<Item>(
  list: (request: PageRequest) => Promise<Page<Item>>,
  pageSize: number = limits.maxPageSize,
): AsyncGenerator<Page<Item>, void, undefined> {
  let before = "";
  for (let page = 1; ; page += 1) {
    const answer = await list({ page, page_size: pageSize });
    // Where nothing tells of the end, the last page may be shown again and again.
    const shown = answer.next === NEXT_UNTOLD ? JSON.stringify(answer.results) : "";
    if (shown !== "" && shown === before) return;
    before = shown;
    yield answer;
    if (answer.next === null || answer.results.length === 0) return;
  }
}

/** The same, item by item. */
export async function* eachItem<Item>(
  list: (request: PageRequest) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of eachPage(list)) yield* page.results;
}
