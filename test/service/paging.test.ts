import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { toPage, toSlice } from "../../src/service/http/paging.ts";

const url = new URL("http://service.test/api/v2/x/?q=a%26b&page=3&page_size=2");

interface Body {
  count: number;
  next: string | null;
  previous: string | null;
  results: unknown[];
  message?: string;
}

const page = (wanted: { page?: number; page_size?: number }, count: number): Body => {
  const { limit, offset } = toSlice(wanted);
  const all = Array.from({ length: count }, (_, index) => index);
  const results = all.slice(offset, offset + limit);
  return toPage(url, wanted, { count, results, empty: "Nothing." }).body as unknown as Body;
};

const pageOf = (link: string | null) => link && new URL(link).searchParams.get("page");

describe("toPage", () => {
  it("keeps the other parameters", () => {
    const { next, previous } = page({ page: 3, page_size: 2 }, 10);
    expect(next).toBe("http://service.test/api/v2/x/?q=a%26b&page=4&page_size=2");
    expect(previous).toBe("http://service.test/api/v2/x/?q=a%26b&page=2&page_size=2");
  });

  it.each([
    [{}, 0, [null, null]],
    [{}, 50, [null, null]],
    [{}, 51, ["2", null]],
    [{ page: 2 }, 51, [null, "1"]],
    [{ page: 9 }, 51, [null, "2"]],
    [{ page: 9 }, 0, [null, "1"]],
  ])("%j of %i", (wanted, count, expected) => {
    const { next, previous } = page(wanted, count);
    expect([pageOf(next), pageOf(previous)]).toEqual(expected);
  });

  it("says something when there is nothing, and only then", () => {
    expect(page({}, 0)).toMatchObject({ message: "Nothing.", results: [] });
    expect(page({ page: 5 }, 3)).toMatchObject({ message: "Nothing.", count: 3 });
    expect(page({}, 3)).not.toHaveProperty("message");
  });

  it("leads over next through everything once, and over previous back", () => {
    fc.assert(
      fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 9 }), (count, page_size) => {
        const seen: unknown[] = [];
        let current = 1;
        for (;;) {
          const { results, next, previous } = page({ page: current, page_size }, count);
          seen.push(...results);
          expect(previous === null).toBe(current === 1);
          if (next === null) break;
          current = Number(new URL(next).searchParams.get("page"));
        }
        expect(seen).toEqual(Array.from({ length: count }, (_, index) => index));
      }),
    );
  });
});

it("never asks a store for more than it can count to", () => {
  const { offset } = toSlice({ page: 999_999_999_999_999, page_size: 200 });
  expect(Number.isSafeInteger(offset)).toBe(true);
});
