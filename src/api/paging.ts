import { z } from "zod";

import { wholeNumber } from "./fields.ts";
import { limits } from "./limits.ts";

const ANY = Number.MAX_SAFE_INTEGER;

/**
 * Query of a list with pages of at most `max`. More than the largest size means the largest
 * (docs/spec/api.md section 8).
 */
export const pageFieldsUpTo = (max: number) => ({
  page: wholeNumber(1, ANY, { default: 1 }).optional(),
  page_size: wholeNumber(1, ANY, { default: limits.pageSize, maximum: max })
    .transform((size) => Math.min(size, max))
    .optional(),
});

/** Query of every list but those of forms. */
export const pageFields = pageFieldsUpTo(limits.maxPageSize);

export const PageQuery = z.object(pageFields);
export type PageQuery = z.input<typeof PageQuery>;

/**
 * One page of a list. An empty list may consist of `message` and `results` alone, so the rest has
 * defaults.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    count: z.number().int().nonnegative().default(0),
    next: z.string().nullable().default(null),
    previous: z.string().nullable().default(null),
    results: z.array(item),
    message: z.string().optional(),
  });

export interface Page<Item> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Item[];
  readonly message?: string | undefined;
}
