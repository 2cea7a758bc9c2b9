import { limits } from "../../api/limits.ts";

import { ok, type Reply } from "./reply.ts";

export interface PageWanted {
  readonly page?: number | undefined;
  readonly page_size?: number | undefined;
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** The largest number that stores take as an offset. */
const MAX_OFFSET = 2 ** 53 - 1;

export function toSlice({ page = 1, page_size: limit = limits.pageSize }: PageWanted): Slice {
  return { limit, offset: Math.min((page - 1) * limit, MAX_OFFSET) };
}

interface Found {
  readonly count: number;
  readonly results: readonly unknown[];
  /** The message of an empty list. */
  readonly empty: string;
}

/**
 * Page of a list: `count`, `next`, `previous`, `results`; `message` when there is nothing
 * (docs/spec/api.md section 2). A page behind the last one is empty, not an error: lists shrink
 * while they are read.
 */
export function toPage(url: URL, wanted: PageWanted, found: Found): Reply {
  const page = wanted.page ?? 1;
  const { limit, offset } = toSlice(wanted);
  const to = (target: number): string => {
    const other = new URL(url);
    other.searchParams.set("page", String(target));
    return other.href;
  };
  const lastPage = Math.max(1, Math.ceil(found.count / limit));
  return ok({
    ...(found.results.length === 0 ? { message: found.empty } : {}),
    count: found.count,
    next: offset + limit < found.count ? to(page + 1) : null,
    previous: page > 1 ? to(Math.min(page - 1, lastPage)) : null,
    results: found.results,
  });
}
