import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { afterEach, expect, it, vi } from "vitest";

import { randomIds } from "../../src/base/ids/ids.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { searchSteps } from "../../src/service/resources/codes/rows/search-codes.ts";
import { steps as migrations } from "../../src/service/store/sqlite/migrations.ts";
import { openStore, SqliteStore as Store } from "../../src/service/store/sqlite/sqlite-store.ts";

import { makeService, PUBLIC_URL, type TestService, type Wire } from "./make-service.ts";

const steps = { ...searchSteps };
afterEach(() => Object.assign(searchSteps, steps));

interface Known {
  readonly id: string;
  name: string;
  readonly link: string;
  readonly short: string | null;
  folder: string | null;
  tags: string[];
}

const words = ["Äpfel", "Birne 100%", "a_b", "x", "寿司", "TABLE 7", 'say "hi"', "na\u0301ve"];
const word = fc.constantFrom(...words);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      name: word,
      dynamic: fc.boolean(),
      filed: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant("rename" as const), at: fc.nat(), name: word }),
  fc.record({ do: fc.constant("move" as const), at: fc.nat(), filed: fc.boolean() }),
  fc.record({
    do: fc.constant("tag" as const),
    at: fc.nat(),
    title: fc.constantFrom("Sommer", "VIP"),
  }),
  fc.record({ do: fc.constant("remove" as const), at: fc.nat() }),
  fc.record({ do: fc.constant("search" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const fold = (text: string): string => text.normalize("NFC").toLowerCase();

const holds = (code: Known, q: string): boolean =>
  [code.name, code.link, code.short ?? "", ...code.tags].some((text) =>
    fold(text).includes(fold(q)),
  );

async function take(service: TestService, known: Known[], one: Step, folder: string) {
  if (one.do === "search") return;
  if (one.do === "create") {
    const fields = {
      display_name: one.name,
      dynamic: one.dynamic,
      folder: one.filed ? folder : null,
    };
    const { id, qr_data: link, shortlink_url: short } = await service.code(fields);
    known.unshift({ id, name: one.name, link, short, folder: fields.folder, tags: [] });
    return;
  }
  const code = known[one.at % Math.max(1, known.length)];
  if (code === undefined) return;
  if (one.do === "rename") {
    code.name = one.name;
    await service.send("PATCH", `/qrcode/${code.id}/update/`, { display_name: one.name });
  } else if (one.do === "move") {
    code.folder = one.filed ? folder : null;
    await service.send("PATCH", `/qrcode/${code.id}/update/`, { folder: code.folder });
  } else if (one.do === "tag") {
    code.tags.push(one.title);
    await service.send("POST", `/qrcode/${code.id}/tags/add/`, [{ title: one.title }]);
  } else {
    known.splice(known.indexOf(code), 1);
    await service.send("DELETE", `/qrcode/${code.id}/delete/`);
  }
}

/** Every way to ask, against the codes themselves. */
async function checkAll(service: TestService, known: readonly Known[], folder: string) {
  const slug = known.find(({ short }) => short !== null)?.short ?? `${PUBLIC_URL}/none`;
  const questions = [
    ...words,
    "sommer",
    "ip",
    "go.exam",
    "ple/",
    slug,
    slug.slice(12),
    slug.slice(-5),
    "example.com",
    "?",
    "\\",
    "zzz",
    "寿",
    "zz",
    " 7",
    "7",
    "s",
  ];
  for (const q of ["", ...questions]) {
    for (const filter of ["", "&folder=f", "&folder=none", "&folder=f&subfolders=true"]) {
      const path = `/workspace/${service.workspace}/qrcodes/?q=${encodeURIComponent(q)}${filter}`;
      const { body } = await service.get(path);
      const expected = known.filter(
        (code) =>
          (q === "" || holds(code, q)) &&
          (filter === "" || (code.folder === folder) === filter.startsWith("&folder=f")),
      );
      const found = body.results.map(({ id }: Wire) => id);
      expect([q, filter, body.count, found]).toEqual([
        q,
        filter,
        expected.length,
        expected.map(({ id }) => id),
      ]);
    }
  }
}

it.each([
  ["reads few codes one by one", 500, 2000],
  ["asks the index, and gathers what it finds", 0, 2000],
  ["asks the index, and reads in order", 0, 1],
])(
  "%s: finds and counts what was made, renamed, moved, tagged, removed (docs/spec/api.md section 4.1)",
  async (_, few, many) => {
    Object.assign(searchSteps, { few, many });
    const run = fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const service = await makeService();
        const folder = (await service.folder("F")).id;
        const known: Known[] = [];
        for (const one of steps) {
          await take(service, known, one, folder);
          if (one.do === "search")
            await service.get(`/workspace/${service.workspace}/qrcodes/?q=early`);
        }
        await checkAll(service, known, folder);
        await service.close();
      }),
      { numRuns: 5 },
    );
    await expect(run).resolves.toBeUndefined();
  },
);

it("pages through a long list from either end (docs/spec/api.md section 2)", async () => {
  const service = await makeService();
  const made: string[] = [];
  for (let n = 0; n < 23; n += 1) made.unshift((await service.code({ display_name: `n ${n}` })).id);
  for (const q of ["", "&q=example"]) {
    for (const size of [1, 4, 10, 23, 24]) {
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(23 / size); page += 1) {
        const path = `/workspace/${service.workspace}/qrcodes/?page_size=${size}&page=${page}${q}`;
        const { body } = await service.get(path);
        expect(body.count).toBe(23);
        seen.push(...body.results.map(({ id }: Wire) => id));
      }
      expect(seen).toEqual(made);
    }
  }
  await service.close();
});

it("indexes codes on the way, not all of them at the next search", async () => {
  const store = openStore(":memory:");
  const waiting = (): number =>
    store.raw.get<{ n: number }>("SELECT count(*) AS n FROM code_pending")?.n ?? 0;
  await store.db.insertInto("accounts").values({ id: "a", name: "a", created: 0 }).execute();
  await store.db
    .insertInto("workspaces")
    .values({ id: "w", account_id: "a", name: "w", created: 0, gs1_stem: null })
    .execute();
  let most = 0;
  for (let n = 0; n < 1000; n += 1) {
    await store.write(async () =>
      store.raw.run(
        `INSERT INTO codes (id, workspace_id, kind, created, display_name, qr_type, qr_data, dynamic,
           gps_tracking, design, search)
         VALUES (?, 'w', 'code', ?, '', 'Link', '', 0, 0, '{}', ?)`,
        `c${n}`,
        n,
        `name ${n}`,
      ),
    );
    most = Math.max(most, waiting());
  }
  expect(most).toBeLessThan(600);
  await store.indexText();
  expect(waiting()).toBe(0);
  const found = store.raw.all(`SELECT rowid FROM code_text WHERE code_text MATCH '"name 77"'`);
  expect(found).toHaveLength(11);
  // The pair "77", by the numbers of its characters.
  const pairs = store.raw.all("SELECT rowid FROM code_grams WHERE code_grams MATCH '37x37'");
  expect(pairs).toHaveLength(19);
  await store.close();
});

const count = async (service: TestService, q: string): Promise<number> =>
  (await service.get(`/workspace/${service.workspace}/qrcodes/?q=${q}`)).body.count;

it.each([
  ["none", "DROP TABLE code_text; DROP TABLE code_grams; DELETE FROM code_pending"],
  ["half of it", "DROP TABLE code_grams"],
])("makes the text index of a store that has %s", async (_, break_) => {
  searchSteps.few = 0;
  const dataDir = await mkdtemp(path.join(tmpdir(), "index-"));
  const first = await makeService({ dataDir, ids: randomIds });
  const old = await first.code({ display_name: "Old one" });
  await first.code({ display_name: "Lost" });
  expect(await count(first, "one")).toBe(1);
  await first.close();
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  sqlite.exec(break_);
  sqlite.close();
  const second = await makeService({ dataDir, ids: randomIds });
  await second.code({ display_name: "New one" });
  const counts = async (): Promise<number[]> =>
    Promise.all(["one", "old", "new", "on", "ld", "w"].map((q) => count(second, q)));
  expect(await counts()).toEqual([2, 1, 1, 2, 1, 1]);
  await second.send("PATCH", `/qrcode/${old.id}/update/`, { display_name: "Bold" });
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 1]);
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("a store of an older version brings folders and texts along", async () => {
  searchSteps.few = 0;
  const dataDir = await mkdtemp(path.join(tmpdir(), "older-"));
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  // The step before folders could be gone: short texts had no index yet.
  const version = migrations.findIndex((one) => one.includes("ADD COLUMN gone")) - 1;
  for (const one of migrations.slice(0, version)) sqlite.exec(one);
  // As its opening left it: codes are indexed by long texts.
  sqlite.exec(`
    PRAGMA application_id=0x6d727376;
    PRAGMA user_version=${version};
    CREATE VIRTUAL TABLE code_text
      USING fts5(text, content='', contentless_delete=1, tokenize="trigram case_sensitive 1");
    INSERT INTO accounts VALUES ('a', 'default', 1);
    INSERT INTO workspaces (id, account_id, name, created) VALUES ('w', 'a', 'w', 1);
    INSERT INTO folders VALUES ('f', 'w', NULL, 'Old', 'old', 'old', 1);
    INSERT INTO codes (id, workspace_id, kind, created, display_name, qr_type, qr_data, dynamic, slug,
      gps_tracking, design, search, folder_id)
      VALUES ('c', 'w', 'code', 1, 'Ab', 'Link', 'https://e.co/', 1, 'old', 0, '{}', 'ab\u000ahttps://e.co/', 'f');
    INSERT INTO code_text (rowid, text) SELECT n, 'ab\u000ahttps://e.co/' FROM code_index;
    DELETE FROM code_pending`);
  sqlite.close();
  const service = await makeService({ dataDir, ids: randomIds });
  expect(service.workspace).toBe("w");
  const counts = await Promise.all(
    ["ab", "b", "e.co", "zz", "ab&folder=old"].map((q) => count(service, q)),
  );
  expect(counts).toEqual([1, 1, 1, 0, 1]);
  const [folder] = (await service.get("/workspace/w/folders/")).body.results;
  expect(folder).toMatchObject({ id: "f", path: "Old", code_count: 1 });
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("reads every code while most of them wait for the index, as after an upgrade", async () => {
  searchSteps.few = 0;
  const service = await makeService();
  await service.code({ display_name: "Known" });
  const waiting = vi.spyOn(Store.prototype, "isIndexBehind", "get").mockReturnValue(true);
  // It is begun, whoever began it before, but not waited for.
  const indexing = vi.spyOn(Store.prototype, "indexText").mockReturnValue(new Promise(() => {}));
  const { body } = await service.get(`/workspace/${service.workspace}/qrcodes/?q=know`);
  expect([body.count, indexing.mock.calls.length]).toEqual([1, 1]);
  waiting.mockRestore();
  indexing.mockRestore();
  await service.close();
});

it("counts a code that is made while a search waits for the index", async () => {
  searchSteps.few = 0;
  const service = await makeService();
  const { workspace, code } = service;
  for (let n = 0; n < 200; n += 1) await code({ display_name: "Row" });
  const waiting = vi.spyOn(Store.prototype, "indexText");
  waiting.mockImplementationOnce(async function (this: Store) {
    await this.indexText();
    await code({ display_name: "Row" });
  });
  const count = async (): Promise<number> =>
    (await service.get(`/workspace/${workspace}/qrcodes/?q=row`)).body.count;
  const counts = [await count(), await count(), await count()];
  waiting.mockRestore();
  expect(counts).toEqual([200, 201, 201]);
  await service.close();
});

const same = (n: number): number[] => [n, n, n, n];

it("remembers counts of searches, and notices every change of what they find", async () => {
  searchSteps.few = 0;
  const service = await makeService();
  const { workspace, send, get, code } = service;
  const made: Wire[] = [];
  for (let n = 0; n < 210; n += 1) made.push(await code({ display_name: `Row ${n}` }));
  const folder = await service.folder("F");
  const count = async (query: string): Promise<number[]> => {
    const counts: number[] = [];
    // By the index of long texts, and of short ones. Asked twice, both say the same.
    for (const q of ["row", "ro", "row", "ro"]) {
      counts.push((await get(`/workspace/${workspace}/qrcodes/?q=${q}${query}`)).body.count);
    }
    return counts;
  };
  const expectCounts = async (all: number, filed: number, loose: number): Promise<void> => {
    expect(await count("")).toEqual(same(all));
    expect(await count("&folder=f")).toEqual(same(filed));
    expect(await count("&folder=none")).toEqual(same(loose));
  };
  const path = (n: number, end: string): string => `/qrcode/${made[n].id}/${end}/`;
  await expectCounts(210, 0, 210);
  await code({ display_name: "Row of chairs", folder: folder.id });
  await expectCounts(211, 1, 210);
  await send("PATCH", path(0, "update"), { display_name: "Column" });
  await expectCounts(210, 1, 209);
  await send("PATCH", path(1, "update"), { folder: folder.id });
  await expectCounts(210, 2, 208);
  await send("DELETE", path(2, "delete"));
  await expectCounts(209, 2, 207);
  await send("POST", path(0, "tags/add"), [{ title: "Front row" }]);
  await expectCounts(210, 2, 208);
  await send("DELETE", path(0, "tag/front-row/remove"));
  await expectCounts(209, 2, 207);
  await send("DELETE", `/folder/${folder.id}/delete/`);
  expect(await count("&folder=none")).toEqual([209, 209, 209, 209]);
  await service.close();
});

it.each([
  ["one by one", 500],
  ["by the index", 0],
])("finds hosted pages, forms and PDFs by the address that the list shows, %s", async (_, few) => {
  searchSteps.few = few;
  const service = await makeService();
  const { workspace, send, get } = service;
  const make = (path: string, body: object) => send("POST", path, { workspace, ...body });
  await service.code({ display_name: "Another" });
  await make("/page/create/", { title: "Page", slug: "seite-1" });
  await make("/page/create/", { title: "Page", slug: "seite-2" });
  const form = (await make("/form/create/", { title: "Form" })).body.id;
  const fields = [{ id: "temp-1", field_type: "text", label: "Name" }];
  await send("POST", `/form/${form}/save/`, { fields });
  await send("POST", `/form/${form}/publish/`, { slug: "fb-1" });
  const pdf_base64 = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");
  await make("/pdf/create/", { pdf_base64, filename: "Menü 1.pdf" });
  await make("/pdf/create/", { pdf_base64 });
  const find = async (q: string): Promise<string[]> =>
    (await get(`/workspace/${workspace}/qrcodes/?q=${encodeURIComponent(q)}`)).body.results.map(
      ({ qr_data: data }: Wire) => data,
    );
  const all = await find("");
  expect(all).toHaveLength(6);
  for (const destination of all) {
    expect(await find(destination)).toEqual([destination]);
    expect(await find(destination.slice(9))).toEqual([destination]);
  }
  const pages = [`${PUBLIC_URL}/page/seite-2`, `${PUBLIC_URL}/page/seite-1`];
  expect(await find(`${PUBLIC_URL}/page/`)).toEqual(pages);
  expect(await find(`${PUBLIC_URL}/Page/Seite-1`)).toEqual(pages.slice(1));
  expect(await find(`${PUBLIC_URL}/form/fb-2`)).toEqual([]);
  expect(await find("/media/0")).toEqual([]);
  await service.close();
});
