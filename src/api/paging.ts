import { z } from "zod";

import { named, nameOf, readAs, sentShapeOf } from "./announce.ts";
import { address, wholeNumber } from "./fields.ts";
import { limits } from "./limits.ts";

const ANY = Number.MAX_SAFE_INTEGER;

/**
 * Query of a list with pages of at most `max`; a larger size means `max` (docs/spec/api.md section
 * 8).
 */
export const pageFieldsUpTo = (max: number) => ({
  page: wholeNumber(1, ANY, { default: 1 }).optional().describe("Which page, from 1."),
  page_size: wholeNumber(1, ANY, { default: limits.pageSize, maximum: max })
    .transform((size) => Math.min(size, max))
    .optional()
    .describe(`Entries of a page; more than ${max} means ${max}.`),
});

/** Query of every list but those of forms. */
export const pageFields = pageFieldsUpTo(limits.maxPageSize);

export const PageQuery = z.object(pageFields);
export type PageQuery = z.input<typeof PageQuery>;

const pageAddress = address.nullable();

/** Item -> a page of it as our service sends it. */
const sentPages = new WeakMap<z.ZodType, z.ZodType>();

function toSentPage(item: z.ZodType): z.ZodType {
  const known = sentPages.get(item);
  if (known !== undefined) return known;
  const name = (nameOf(item) ?? "").replace(/Item$/u, "");
  const page = named(
    `${name}List`,
    z
      .object({
        count: z.int().nonnegative().describe("How many there are on all pages."),
        next: pageAddress.describe("Address of the next page; null on the last one."),
        previous: pageAddress.describe("Address of the page before; null on the first one."),
        results: z.array(item).describe("The entries of this page."),
        message: z.string().optional().describe("Says that there is nothing; only then."),
      })
      .describe("A page of a list."),
  );
  sentPages.set(item, page);
  return page;
}

/**
 * One page of a list. An empty list may have only `message` and `results`, so the rest has
 * defaults.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  readAs(
    toSentPage(sentShapeOf(item)),
    z.looseObject({
      count: z.number().int().nonnegative().default(0),
      next: z.string().nullable().default(null),
      previous: z.string().nullable().default(null),
      results: z.array(item),
      message: z.string().optional(),
    }),
  );

export interface Page<Item> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Item[];
  readonly message?: string | undefined;
}
