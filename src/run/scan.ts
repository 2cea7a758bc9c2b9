import type { ToldCode } from "../api/code.ts";
import type { Page } from "../api/paging.ts";
import { AppError } from "../base/errors.ts";
import { NEXT_UNTOLD, PAGE_MISSING } from "../client/dialect.ts";
import type { RunContext } from "./context.ts";
import { fillItem, fillItems } from "./fill.ts";
import { ListOrder } from "./list-order.ts";
import { toCreatedMs } from "./match.ts";

const MAX_READINGS = 8;
/** So many pages in a row may show nothing new, pushed there by codes that others make. */
const MAX_STUCK_PAGES = 5;

/**
 * All codes of the workspace not older than `sinceMs`. New codes push others to the next page, which
 * shows them twice; deleted ones pull them to the page before, which hides them: a list that shrank
 * is read again from the start. A list that is not sorted from new to old is read to its end, and
 * like one without count twice. Throws `server-unavailable` when it never stands still. Fields that
 * the list leaves out are asked for, of codes that `mayBe` wanted.
 */
export async function scanCodes(
  context: RunContext,
  sinceMs: number,
  mayBe: (item: ToldCode) => boolean,
): Promise<ToldCode[]> {
  const { isOther = () => false } = context.maker;
  let before: readonly ToldCode[] | undefined;
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const read = await readList(context, sinceMs);
    if (read === undefined) continue;
    const { items } = read;
    const isWhole = read.isSure || before?.every(({ id }) => items.has(id)) === true;
    const listed = [...items.values()].filter((item) => !isOther(item));
    before = listed.filter((item) => !(toCreatedMs(item) < sinceMs));
    const filled = isWhole ? await fillItems(context, listed, { sinceMs, mayBe }) : undefined;
    if (filled !== undefined) return filled;
  }
  throw new AppError(
    "server-unavailable",
    `the list of codes must stand still while it is read, got ${MAX_READINGS} readings in which codes vanished`,
    { hint: "run the same command again when nobody deletes codes in this workspace" },
  );
}

/** One reading of the list, page by page. */
export class Reading {
  readonly items = new Map<string, ToldCode>();
  readonly order = new ListOrder();
  readonly #pageSize: number;
  #first: readonly ToldCode[] = [];
  #counted = 0;
  #seen = 0;
  #stuck = 0;
  #isShort = false;

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  /** What comes after a page. Throws `answer-unusable` when the list never goes on. */
  take(answer: Page<ToldCode>, page: number): "more" | "end" | "shrunk" {
    const { count, next, results, message } = answer;
    if (this.#hasShrunk(count)) return "shrunk";
    this.#seen += results.length;
    if (page === 1) this.#first = results;
    const isEndless = next === NEXT_UNTOLD;
    const isRepeated = this.#isStuck(results, isEndless && page === 2) && isEndless;
    for (const code of results) this.items.set(code.id, code);
    const isShort = this.#counted > this.items.size;
    if (isShort && (isRepeated || message === PAGE_MISSING)) return "shrunk";
    if (results.length === 0) this.#isShort = isShort;
    return isRepeated || !this.#goesOn(next, results.length) ? "end" : "more";
  }

  /** True when the list has no count. */
  #hasShrunk(count: number): boolean {
    const hasShrunk = count > 0 && count < this.#counted;
    this.#counted = Math.max(count, this.#counted);
    return hasShrunk;
  }

  /**
   * A server may end its list too early: a full page, or a count that is not reached, means that
   * more follows.
   */
  #goesOn(next: string | null, shown: number): boolean {
    const isOpen = shown >= this.#pageSize || this.#counted > this.#seen;
    return shown > 0 && (next !== null || isOpen);
  }

  /**
   * True for a page of nothing new: the last one shown again, or codes pushed there by new ones.
   * `isBlind`: a server that answers its first page whatever is asked for looks just the same.
   */
  #isStuck(results: readonly ToldCode[], isBlind: boolean): boolean {
    const isStuck = results.length > 0 && results.every(({ id }) => this.items.has(id));
    this.#stuck = isStuck ? this.#stuck + 1 : 0;
    if (!(isStuck && isBlind) && this.#stuck <= MAX_STUCK_PAGES) return isStuck;
    throw new AppError(
      "answer-unusable",
      `the server must go on from page to page of its list, got the same codes again`,
      {
        hint: "ask the server's operator about the query parameter page: a code that the list never shows looks like one that does not exist",
      },
    );
  }

  get isOnePage(): boolean {
    return this.items.size === this.#first.length;
  }

  /** The first page, read again at the end. False when codes vanished meanwhile. */
  isUnchanged(again: readonly ToldCode[]): boolean {
    for (const code of again) this.items.set(code.id, code);
    return !this.order.isNewestFirst || !hasLost(this.#first, again);
  }

  /** True when no deletion can have hidden a code. */
  get isSure(): boolean {
    const isOrdered = this.order.isNewestFirst && this.#counted > 0;
    return !this.#isShort && (this.isOnePage || isOrdered);
  }
}

/** Undefined when codes vanished meanwhile. */
async function readList(context: RunContext, sinceMs: number): Promise<Reading | undefined> {
  const { maker } = context;
  const page_size = maker.pageSize;
  const reading = new Reading(page_size);
  for (let page = 1; ; page += 1) {
    const answer = await maker.list({ page, page_size });
    const after = reading.take(answer, page);
    if (after === "shrunk") return undefined;
    if (after === "more") {
      await seeTimes(context, reading.order, answer.results);
      if (!reading.order.isPast(sinceMs)) continue;
    }
    if (reading.isOnePage) return reading;
    const again = await maker.list({ page: 1, page_size });
    return reading.isUnchanged(again.results) ? reading : undefined;
  }
}

/** Checks the order of a page; if its times are missing, by those of its first and last code. */
async function seeTimes(
  context: RunContext,
  order: ListOrder,
  results: readonly ToldCode[],
): Promise<void> {
  const isTold = results.every(({ created }) => created !== undefined);
  const shown = isTold ? results : [results[0], results.at(-1)];
  for (const item of shown) {
    const whole = item?.created === undefined ? item && (await fillItem(context, item)) : item;
    if (whole !== undefined) order.see(toCreatedMs(whole));
  }
}

/** True when an item of page 1 is gone that new ones can't have pushed off it. */
export function hasLost(
  before: readonly Pick<ToldCode, "id">[],
  now: readonly Pick<ToldCode, "id">[],
): boolean {
  const known = new Set(before.map(({ id }) => id));
  const shown = new Set(now.map(({ id }) => id));
  const fresh = now.filter(({ id }) => !known.has(id)).length;
  return before.slice(0, before.length - fresh).some(({ id }) => !shown.has(id));
}
