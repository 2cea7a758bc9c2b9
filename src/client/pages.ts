import { limits } from "../api/limits.ts";
import type { Page } from "../api/paging.ts";
import { AppError } from "../base/errors.ts";
import { NEXT_UNTOLD } from "./dialect.ts";

/** So many pages in a row may be what the one before was, pushed there by items that others make. */
const MAX_REPEATS = 5;

const toStuck = (): AppError =>
  new AppError(
    "answer-unusable",
    "the server must go on from page to page of its list, got the same page again",
    { hint: "ask the server's operator about the query parameter page" },
  );

export interface PageRequest {
  readonly page: number;
  readonly page_size: number;
}

/**
 * All pages of a list, in order, the largest there are. Pages are numbered, not followed by `next`:
 * that address may name a host that only the server knows. A list that changes meanwhile may show
 * an item twice or skip one: who counts on every item dedupes and compares `count`
 * (docs/spec/engine.md section 1.5). Throws `answer-unusable` when the list never goes on.
 */
export async function* eachPage<Item>(
  list: (request: PageRequest) => Promise<Page<Item>>,
  pageSize: number = limits.maxPageSize,
): AsyncGenerator<Page<Item>, void, undefined> {
  let before = "";
  let repeats = 0;
  for (let page = 1; ; page += 1) {
    const answer = await list({ page, page_size: pageSize });
    const shown = JSON.stringify([answer.results[0], answer.results.at(-1)]);
    const isRepeated = answer.results.length > 0 && shown === before;
    // Where nothing tells of the end, the last page may be shown again and again.
    if (isRepeated && answer.next === NEXT_UNTOLD) return;
    repeats = isRepeated ? repeats + 1 : 0;
    if (repeats > MAX_REPEATS) throw toStuck();
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
