import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
let codes: Record<string, Wire>;
let folders: Record<string, Wire>;

beforeAll(async () => {
  service = await makeService();
  const tables = await service.folder("Tables");
  const north = await service.folder("North", tables.id);
  folders = { tables, north, empty: await service.folder("Empty") };
  codes = {
    loose: await service.code({ display_name: "Loose 100%" }),
    table: await service.code({ display_name: "Table 1", folder: tables.id, dynamic: true }),
    bar: await service.code({
      display_name: "BÄR",
      folder: north.id,
      qr_data: "https://example.com/Special_Bar",
    }),
    text: await service.code({ qr_type: "Text", qr_data: "plain under_score", folder: north.id }),
  };
  await service.send("POST", `/qrcode/${codes["text"].id}/tags/add/`, [{ title: "Sommer" }]);
});
afterAll(() => service.close());

const list = async (query = ""): Promise<Wire> =>
  (await service.get(`/workspace/${service.workspace}/qrcodes/${query}`)).body;
const names = async (query: string): Promise<string[]> => {
  const found = (await list(query)).results.map(({ id }: Wire) => id);
  return found.map((id: string) => Object.keys(codes).find((name) => codes[name].id === id));
};

it("lists the newest first, with the fields of a list item (docs/spec/api.md section 2.1)", async () => {
  expect(await names("")).toEqual(["text", "bar", "table", "loose"]);
  const { results } = await list();
  expect(results[2]).toEqual({
    id: codes["table"].id,
    display_name: "Table 1",
    qr_data: "https://example.com/",
    qr_type: "Link",
    shortlink_url: codes["table"].shortlink_url,
    dynamic: true,
    created: codes["table"].created,
    folder: {
      id: folders["tables"].id,
      name: "Tables",
      slug: "tables",
      path: "Tables",
    },
  });
  expect(results[1].folder.path).toBe("Tables/North");
});

it.each([
  ["?q=TABLE", ["table"]],
  ["?q=bär", ["bar"]],
  ["?q=special_bar", ["bar"]],
  ["?q=under_score", ["text"]],
  ["?q=100%25", ["loose"]],
  ["?q=%25", ["loose"]],
  ["?q=_", ["text", "bar"]],
  ["?q=sommer", ["text"]],
  ["?q=nothing%20like%20this", []],
  ["?q=", ["text", "bar", "table", "loose"]],
  ["?q=%5C", []],
  ["?q=go.example", ["table"]],
])("searches %s", async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

it("finds a code by its whole short link, with or without scheme, and by the slug", async () => {
  const { shortlink_url: url } = codes["table"];
  for (const q of [url, url.replace("https://", ""), url.split("/").at(-1)]) {
    expect(await names(`?q=${encodeURIComponent(q)}`)).toEqual(["table"]);
  }
});

it.each([
  ["?folder=tables", ["table"]],
  ["?folder=tables&subfolders=true", ["text", "bar", "table"]],
  ["?folder=tables&subfolders=false", ["table"]],
  ["?folder=north", ["text", "bar"]],
  ["?folder=empty", []],
  ["?folder=none", ["loose"]],
  ["?folder=none&subfolders=true", ["loose"]],
  ["?folder=tables&subfolders=1&q=bär", ["bar"]],
])("filters %s", async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

it("takes a folder by id, and answers an unknown one with 404", async () => {
  expect(await names(`?folder=${folders["north"].id}`)).toEqual(["text", "bar"]);
  const { status } = await service.get(`/workspace/${service.workspace}/qrcodes/?folder=nope`);
  expect(status).toBe(404);
});

describe("paging", () => {
  it("keeps the other parameters in next and previous", async () => {
    const first = await list("?folder=tables&subfolders=true&page_size=2");
    expect(first).toMatchObject({ count: 3, previous: null });
    expect(first.results).toHaveLength(2);
    const second = await service.fetch(
      new Request(first.next, {
        headers: { authorization: `Token ${service.account.token}` },
      }),
    );
    const body = (await second.json()) as Wire;
    expect(body.results.map(({ id }: Wire) => id)).toEqual([codes["table"].id]);
    expect(body.next).toBeNull();
    expect(new URL(body.previous).searchParams.get("folder")).toBe("tables");
  });

  it("has 50 a page unless asked, and 200 at most", async () => {
    const many = await makeService();
    for (let n = 0; n < 205; n += 41) {
      await Promise.all(Array.from({ length: 41 }, () => many.code()));
    }
    const path = `/workspace/${many.workspace}/qrcodes/`;
    expect((await many.get(path)).body.results).toHaveLength(50);
    const big = (await many.get(`${path}?page_size=1000`)).body;
    expect(big.results).toHaveLength(200);
    const rest = (await many.get(`${path}?page_size=1000&page=2`)).body;
    expect(rest.results).toHaveLength(5);
    const all = [...big.results, ...rest.results].map(({ id }: Wire) => id);
    expect(new Set(all).size).toBe(205);
    await many.close();
  });

  it("answers an empty list with message and results (docs/spec/api.md section 2)", async () => {
    expect(await list("?q=zzzz")).toEqual({
      message: expect.any(String),
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
  });
});

describe("include", () => {
  it("adds counts and tags only when asked", async () => {
    const [plain] = (await list()).results;
    expect(plain).not.toHaveProperty("tags");
    expect(plain).not.toHaveProperty("total_scans");
    const [text, , table] = (await list("?include=scans,tags")).results;
    expect(text).toMatchObject({ total_scans: null, unique_scans: null });
    expect(text.tags).toEqual([{ id: expect.any(String), title: "Sommer", slug: "sommer" }]);
    expect(table).toMatchObject({ total_scans: 0, unique_scans: 0, tags: [] });
  });

  it("counts within the window of days, or of start and end", async () => {
    const fresh = await makeService();
    const code = await fresh.code({ dynamic: true });
    const agents = ["A", "A", "B"];
    for (const agent of agents) {
      await fresh.scan(code.shortlink_url, agent);
      await fresh.clock.advance(24 * 3_600_000);
    }
    const counts = async (query: string): Promise<[number, number]> => {
      const path = `/workspace/${fresh.workspace}/qrcodes/?include=scans&${query}`;
      const [item] = (await fresh.get(path)).body.results;
      return [item.total_scans, item.unique_scans];
    };
    // Scans lie on the 20th, 21st and 22nd; now is the 23rd.
    expect(await counts("")).toEqual([3, 2]);
    expect(await counts("days=2")).toEqual([1, 1]);
    expect(await counts("days=3")).toEqual([2, 2]);
    expect(await counts("start=2026-11-20&end=2026-11-21")).toEqual([2, 1]);
    expect(await counts("end=2026-11-20T23:00:00Z")).toEqual([1, 1]);
    expect(await counts("start=2026-11-22T00:00:00%2B02:00")).toEqual([1, 1]);
    expect(await counts("start=2026-12-01")).toEqual([0, 0]);
    await fresh.close();
  });
});

it.each([
  ["days=0", "days"],
  ["days=366", "days"],
  ["days=x", "days"],
  ["start=yesterday", "start"],
  ["start=2026-02-30", "start"],
  ["end=2026-13-01", "end"],
  ["start=2026-11-20&end=2026-11-01", "end"],
  ["include=everything", "include"],
  ["subfolders=maybe", "subfolders"],
  ["q=%00", "q"],
  ["folder=", "folder"],
])("refuses ?%s", async (query, field) => {
  const { status, body } = await service.get(`/workspace/${service.workspace}/qrcodes/?${query}`);
  expect([status, Object.keys(body)]).toEqual([400, [field]]);
});
