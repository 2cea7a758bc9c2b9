import { expect, it } from "vitest";

import type { CodeItem } from "../../src/api/code.ts";
import type { LinkItem } from "../../src/api/link.ts";
import { AppError } from "../../src/base/errors.ts";
import { Catalog } from "../../src/run/catalog.ts";
import { readTargets } from "../../src/run/read-targets.ts";

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const code = (n: number): CodeItem => ({
  id: id(n),
  display_name: `table ${n}`,
  qr_type: "Link",
  qr_data: `https://a.example/${n}`,
  dynamic: true,
  shortlink_url: `https://go.example/slug-${n}`,
  created: "2026-01-01T00:00:00Z",
});

const PAGE = 200;
const OURS = Array.from({ length: 10 * PAGE }, (_, n) => code(n + 1));
/** In another workspace, which the token opens, too. */
const STRANGE = code(9_999);

/** A server whose `q` finds what `holds` says. */
function makeClient(holds: (item: CodeItem, q: string) => boolean) {
  const calls: string[] = [];
  const client = {
    listCodes: ({ q = "", page = 1, page_size: size = PAGE }) => {
      calls.push(q === "" ? `list ${page}` : `q ${q}`);
      const all = q === "" ? OURS : OURS.filter((item) => holds(item, q));
      const from = (page - 1) * size;
      const next = from + size < all.length ? "next" : null;
      const results = all.slice(from, from + size);
      return Promise.resolve({ count: all.length, next, previous: null, results });
    },
    listLinks: () =>
      Promise.resolve({ count: 0, next: null, previous: null, results: [] as LinkItem[] }),
    getCode: (wanted: string) => {
      calls.push("get");
      const found = [...OURS, STRANGE].find((item) => item.id === wanted);
      return found ? Promise.resolve(found) : Promise.reject(new AppError("not-found", wanted));
    },
    getLink: (wanted: string) => Promise.reject(new AppError("not-found", wanted)),
  };
  return { client: client as unknown as Parameters<typeof readTargets>[0], calls };
}

const inLink = ({ shortlink_url: link }: CodeItem, q: string): boolean =>
  link?.includes(q) === true;

async function read(values: string[], holds = inLink, by = ["id", "shortlink_url"] as const) {
  const catalog = new Catalog();
  const { client, calls } = makeClient(holds);
  const { signal } = new AbortController();
  await readTargets(client, new Set(values), { by, query: {}, catalog, signal });
  const found = [...catalog.codes()].map((item) => item.id);
  catalog.close();
  return { found, calls };
}

it("a code of another workspace, which the token opens, is not found by its id", async () => {
  const { found, calls } = await read([id(9_999)]);
  expect(found).toHaveLength(OURS.length);
  expect(found).not.toContain(STRANGE.id);
  expect(calls.slice(0, 3)).toEqual(["list 1", "get", "q go.example/slug-9999"]);
});

it("few ids and short links are read alone, and only what means them is taken", async () => {
  const { found, calls } = await read([id(7), "go.example/slug-8"]);
  expect(found).toEqual([id(7), id(8)]);
  // "slug-7" also finds "slug-70": that one is not meant.
  expect(calls).toEqual(["list 1", "get", "q go.example/slug-7", "q go.example/slug-8"]);
});

it("a search that shows nothing proves nothing: the whole list is read", async () => {
  for (const value of [id(7), "https://go.example/slug-8"]) {
    const { found } = await read([value], () => false);
    expect(found).toHaveLength(OURS.length);
  }
});

it("what may be a name takes the whole list: several codes may have it", async () => {
  const { calls } = await read(["table 7"]);
  expect(calls).not.toContain("get");
  expect(calls).toHaveLength(10);
});
