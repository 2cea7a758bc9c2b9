import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { expect, it } from "vitest";

import { randomIds } from "../../src/base/ids.ts";
import { openSqlite } from "../../src/base/sqlite.ts";
import { openStore } from "../../src/service/store/store.ts";

import { makeService, PUBLIC_URL, type TestService, type Wire } from "./make-service.ts";

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

it("finds and counts what is there, whatever was made, renamed, moved, tagged, removed (4.1)", async () => {
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
    { numRuns: 12 },
  );
  await expect(run).resolves.toBeUndefined();
}, 30_000);

it("pages through a long list from either end (section 2)", async () => {
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
  await store.close();
});

it("makes the text index of a store that has none", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "index-"));
  const first = await makeService({ dataDir, ids: randomIds });
  await first.code({ display_name: "Old one" });
  await first.close();
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  sqlite.exec("DROP TABLE code_text; DELETE FROM code_pending");
  sqlite.close();
  const second = await makeService({ dataDir, ids: randomIds });
  await second.code({ display_name: "New one" });
  const count = async (q: string): Promise<number> =>
    (await second.get(`/workspace/${second.workspace}/qrcodes/?q=${q}`)).body.count;
  expect([await count("one"), await count("old"), await count("new")]).toEqual([2, 1, 1]);
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

const same = (n: number): number[] => [n, n, n, n];

it("remembers counts of searches, and notices every change of what they find", async () => {
  const service = await makeService();
  const { workspace, send, get, code } = service;
  const made: Wire[] = [];
  for (let n = 0; n < 210; n += 1) made.push(await code({ display_name: `Row ${n}` }));
  const folder = await service.folder("F");
  const count = async (query: string): Promise<number[]> => {
    const counts: number[] = [];
    // By the text index, and by reading: both remember. Asked twice, both say the same.
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
