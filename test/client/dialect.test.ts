import { describe, expect, it } from "vitest";

import { NEXT_UNTOLD, readDialect } from "../../src/client/dialect.ts";

describe("a thing in other words", () => {
  it.each([
    [{ id: 12 }, { id: "12" }],
    // JSON has rounded it: it is not accepted as an id.
    [{ id: 2 ** 60 }, { id: 2 ** 60 }],
    [{ qr_type: "VCARD" }, { qr_type: "vCard" }],
    [{ qr_type: "url" }, { qr_type: "url" }],
    [{ dynamic: "True" }, { dynamic: true }],
    [{ dynamic: 0 }, { dynamic: false }],
    [{ dynamic: "perhaps" }, { dynamic: "perhaps" }],
    [{ created: 1_767_268_800 }, { created: "2026-01-01T12:00:00.000Z" }],
    [{ created: 1_767_268_800_000 }, { created: "2026-01-01T12:00:00.000Z" }],
    [{ created: -1 }, { created: -1 }],
    [{ folder: 7 }, { folder: { id: "7", name: "" } }],
    [{ folder: { id: 7, name: "A" } }, { folder: { id: "7", name: "A" } }],
    [{ folder: "" }, { folder: null }],
    [{ folder: null }, { folder: null }],
    [{ tags: [{ id: 1, title: "a" }] }, { tags: [{ id: "1", title: "a" }] }],
    [{ png_url: "https://a.example" }, { png_url: "https://a.example" }],
  ])("%j is %j", (told, own) => {
    expect(readDialect(told)).toEqual(own);
  });
});

describe("a page in other words", () => {
  const results = [{ id: 1 }];
  const page = { count: 5, next: null, previous: null, results: [{ id: "1" }] };
  const { count: _count, ...uncounted } = page;

  it.each([
    ["as it is described", { count: 5, next: null, previous: null, results }, page],
    ["a count as text", { count: "5", next: null, results }, page],
    ["no count", { next: null, results }, uncounted],
    ["a count that can't be read", { count: "many", next: null, results }, uncounted],
    ["a number for next", { count: 5, next: 2, results }, { ...page, next: "2" }],
    ["no next", { count: 5, results }, { ...page, next: NEXT_UNTOLD }],
    ["no next, all counted", { count: 1, results }, { ...page, count: 1 }],
    ["an empty next", { count: 5, next: "", results }, { ...page, next: NEXT_UNTOLD }],
    ["neither", { results }, { ...uncounted, next: NEXT_UNTOLD }],
    [
      "none at all",
      { message: "none", results: [] },
      { ...uncounted, results: [], message: "none" },
    ],
  ])("%s", (_says, told, own) => {
    expect(readDialect(told)).toEqual(own);
  });

  it("a page without results stays what it is, and is refused later", () => {
    expect(readDialect([{ id: 1 }])).toEqual([{ id: 1 }]);
    expect(readDialect({ data: [] })).toEqual({ data: [] });
  });
});
