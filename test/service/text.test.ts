import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { sequentialIds } from "../help/sequential-ids.ts";
import { findFreeSlug, foldText, toContains, toSlugBase } from "../../src/service/store/text.ts";

describe("toSlugBase", () => {
  it.each([
    ["Café München #3", "cafe-munchen-3"],
    ["---", "x"],
    ["", "x"],
    [`${"a".repeat(99)} b`, "a".repeat(99)],
    ["a".repeat(300), "a".repeat(100)],
  ])("%j -> %j", (title, expected) => {
    expect(toSlugBase(title, "x")).toBe(expected);
  });

  it("is never empty, never malformed, never ends in a hyphen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), (title) => {
        const slug = toSlugBase(title, "x");
        expect(slug).not.toBe("");
        expect(slug.isWellFormed()).toBe(true);
        expect(slug).not.toMatch(/^-|-$/u);
      }),
    );
  });
});

describe("findFreeSlug", () => {
  it("counts on, then guesses", async () => {
    const taken = new Set<string>();
    const take = async (): Promise<string> => {
      const slug = await findFreeSlug("a", async (one) => taken.has(one), sequentialIds());
      taken.add(slug);
      return slug;
    };
    const first = [await take(), await take(), await take()];
    expect(first).toEqual(["a", "a-2", "a-3"]);
    for (let n = 4; n <= 20; n += 1) await take();
    expect(await take()).toMatch(/^a-[2-9a-z]{6}$/u);
  });
});

it("folds composed and decomposed letters of any case to one", () => {
  expect(foldText("E\u0301TE\u0301")).toBe(foldText("été"));
});

it("takes the signs of LIKE for themselves", () => {
  expect(toContains("50%_a\\b")).toBe("%50\\%\\_a\\\\b%");
});
