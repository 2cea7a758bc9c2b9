import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import type { CodeItem } from "../../src/api/code.ts";
import { PAGE_MISSING } from "../../src/client/dialect.ts";
import { Catalog, fromCode, readSelection, toLinkKey } from "../../src/run/catalog.ts";
import { findFolder } from "../../src/run/select.ts";

const item = (n: number, more: Partial<CodeItem> = {}): CodeItem => ({
  id: `id-${n}`,
  display_name: `table ${n}`,
  qr_type: "Link",
  qr_data: `https://a.example/${n}`,
  dynamic: true,
  shortlink_url: `https://go.example/${n}`,
  created: new Date(n * 1000).toISOString(),
  ...more,
});

const ALWAYS = { query: {}, takes: () => true };
const never = new AbortController().signal;

/** A list, newest first, in pages of `size`; `change` runs between the pages. */
function makeList(codes: CodeItem[], size: number, change: (page: number) => void) {
  let reads = 0;
  return {
    reads: () => reads,
    listCodes: ({ page = 1 }: { page?: string | number | undefined }) => {
      reads += 1;
      if (reads > 1) change(reads);
      const from = (Number(page) - 1) * size;
      const results = codes.slice(from, from + size);
      const next = from + size < codes.length ? "next" : null;
      return Promise.resolve({ count: codes.length, next, previous: null, results });
    },
  };
}

describe("readSelection (docs/spec/engine.md section 1.5: the list moves while it is read)", () => {
  it("one GET per page, and no more while the list stands still", async () => {
    const codes = Array.from({ length: 10 }, (_, n) => item(10 - n));
    const list = makeList(codes, 4, () => undefined);
    const catalog = new Catalog();
    await readSelection(list, ALWAYS, catalog, never);
    expect([catalog.count, list.reads()]).toEqual([10, 3]);
    catalog.close();
  });

  it("has every code once that was there all the time, whatever comes and goes meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.record({ isNew: fc.boolean(), at: fc.nat(40) }), { maxLength: 6 }),
        async (count, size, changes) => {
          const codes = Array.from({ length: count }, (_, n) => item(count - n));
          const stays = new Set(codes.map(({ id }) => id));
          let newest = 1000;
          const left = [...changes];
          const list = makeList(codes, size, () => {
            const change = left.shift();
            if (change === undefined) return;
            if (change.isNew) codes.unshift(item((newest += 1)));
            else for (const gone of codes.splice(change.at, 1)) stays.delete(gone.id);
          });
          const catalog = new Catalog();
          await readSelection(list, ALWAYS, catalog, never);
          const found = [...catalog.codes()].map(({ id }) => id);
          catalog.close();
          expect(new Set(found).size).toBe(found.length);
          for (const id of stays) expect(found).toContain(id);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("gives up on a list that never stands still", async () => {
    const codes = Array.from({ length: 200 }, (_, n) => item(200 - n));
    const list = makeList(codes, 2, () => codes.splice(0, 1));
    const catalog = new Catalog();
    await expect(readSelection(list, ALWAYS, catalog, never)).rejects.toThrow("must stand still");
    catalog.close();
  });
});

describe("readSelection of a server in trouble", () => {
  const codes = Array.from({ length: 400 }, (_, n) => item(400 - n));
  const told = { count: 400, next: "next", previous: null };

  it("reads again when a page is not found that the count says is there", async () => {
    let missing = 1;
    const catalog = new Catalog();
    const listCodes = ({ page = 1 }: { page?: unknown }) => {
      if (page === 2 && missing > 0) {
        missing -= 1;
        const results: CodeItem[] = [];
        const nothing = { count: 0, next: null, previous: null };
        return Promise.resolve({ ...nothing, results, message: PAGE_MISSING });
      }
      const from = (Number(page) - 1) * 200;
      const next = from + 200 < 400 ? "next" : null;
      return Promise.resolve({ ...told, next, results: codes.slice(from, from + 200) });
    };
    await readSelection({ listCodes }, ALWAYS, catalog, never);
    expect(catalog.count).toBe(400);
    catalog.close();
  });

  it("ends when it is shown the first page for ever", async () => {
    let reads = 0;
    const catalog = new Catalog();
    const listCodes = () => {
      reads += 1;
      if (reads > 50) throw new Error("for ever");
      return Promise.resolve({ ...told, results: codes.slice(0, 200) });
    };
    await expect(readSelection({ listCodes }, ALWAYS, catalog, never)).rejects.toMatchObject({
      code: "answer-unusable",
    });
    catalog.close();
  });
});

describe("Catalog", () => {
  it("sorts as people count, by folder and name", () => {
    const catalog = new Catalog();
    const folder = { id: "f", name: "B", path: "A / B" };
    catalog.add([item(10), item(2), item(1, { folder }), item(100)].map(fromCode));
    expect([...catalog.codes()].map(({ name }) => name)).toEqual([
      "table 2",
      "table 10",
      "table 100",
      "table 1",
    ]);
    expect(catalog.byId("id-1")?.folder?.path).toBe("A/B");
    catalog.close();
  });

  it("knows a short link however it is typed, but not another path", () => {
    expect(toLinkKey("HTTPS://Go.Example/AbC/")).toBe(toLinkKey("go.example/AbC"));
    expect(toLinkKey("go.example/abc")).not.toBe(toLinkKey("go.example/AbC"));
  });
});

describe("findFolder (select.folder: path, id or slug)", () => {
  const folders = [
    { id: "1", name: "Tables", slug: "tables", path: "Tables" },
    { id: "2", name: "North", slug: "north", path: "Tables / North" },
    { id: "3", name: "North", slug: "north", path: "Bars/North" },
  ];

  it.each([
    ["Tables/North", "2"],
    ["tables/north", "2"],
    ["3", "3"],
    ["tables", "1"],
  ])("%s", (wanted, id) => expect(findFolder(wanted, folders).id).toBe(id));

  it("a slug of several folders is refused with their paths", () => {
    expect(() => findFolder("north", folders)).toThrow("Tables / North (2), Bars/North (3)");
  });
});
