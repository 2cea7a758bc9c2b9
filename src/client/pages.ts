import { limits } from "../api/limits.ts";
import type { Page } from "../api/paging.ts";
import { AppError } from "../base/errors.ts";
import { NEXT_UNTOLD } from "./dialect.ts";

/** Pages in a row that may equal the page before, because others add items meanwhile. */
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
 * All pages of a list, in order, with the largest page size. Pages are requested by number, not by
 * `next`: that address may name a host that only the server knows. If the list changes meanwhile,
 * an item may appear twice or not at all: callers that need every item must remove doubles and
 * compare `count` (docs/spec/engine.md section 1.5). Throws `answer-unusable` when the list doesn't
 * advance.
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
    // Without a sign of the end, a server may repeat the last page.
    if (isRepeated && answer.next === NEXT_UNTOLD) return;
    repeats = isRepeated ? repeats + 1 : 0;
    if (repeats > MAX_REPEATS) throw toStuck();
    before = shown;
    yield answer;
    if (answer.next === null || answer.results.length === 0) return;
  }
}

export async function* eachItem<Item>(
  list: (request: PageRequest) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of eachPage(list)) yield* page.results;
}
