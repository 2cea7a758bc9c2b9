import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { randomIds } from "../../src/base/ids/ids.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { sweepSteps } from "../../src/service/resources/folders/rows/folder-leftovers.ts";
import { readFolderScans } from "../../src/service/owner/folder-scans.ts";
import { openStore } from "../../src/service/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/service/store/store.ts";

import { makeService, storeClass, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const create = (fields: Record<string, unknown>) =>
  service.send("POST", "/folder/create/", { workspace: service.workspace, ...fields });
const update = (id: string, fields: Record<string, unknown>) =>
  service.send("PATCH", `/folder/${id}/update/`, fields);
const remove = (id: string) => service.send("DELETE", `/folder/${id}/delete/`);
const list = async (query = ""): Promise<Wire> =>
  (await service.get(`/workspace/${service.workspace}/folders/${query}`)).body;
const find = async (id: string): Promise<Wire> =>
  (await list("?page_size=200")).results.find((folder: Wire) => folder.id === id);

describe("creating (docs/spec/api.md section 4.3)", () => {
  it("answers 201, and 200 with the same folder for the same name and parent", async () => {
    const first = await create({ name: "Tables" });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(String),
      name: "Tables",
      slug: "tables",
      path: "Tables",
      parent: null,
      code_count: 0,
      created: "2026-11-20T08:00:00.000Z",
    });
    const again = await create({ name: "Tables" });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it("makes one folder of equal requests that come at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ name: "Rush", parent: null })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
  });

  it("nests by id or slug, with the full breadcrumb as path", async () => {
    const top = await service.folder("Region Nord");
    const middle = await service.folder("Hotel", top.slug);
    const low = await service.folder("Bar", middle.id);
    expect(low).toMatchObject({ parent: middle.id, path: "Region Nord/Hotel/Bar" });
  });

  it("takes the same name under another parent, with a slug of its own", async () => {
    const [a, b] = [await service.folder("A"), await service.folder("B")];
    const inA = await service.folder("2026", a.id);
    const inB = await service.folder("2026", b.id);
    expect(inA.id).not.toBe(inB.id);
    expect([inA.slug, inB.slug]).toEqual(["2026", "2026-2"]);
  });

  it("finds slugs for very many folders of one name", async () => {
    const slugs = new Set<string>();
    for (let n = 0; n < 25; n += 1) {
      const parent = await service.folder(`Many ${n}`);
      slugs.add((await service.folder("Archive", parent.id)).slug);
    }
    expect(slugs.size).toBe(25);
    for (const slug of slugs) expect(slug).toMatch(/^archive(?:-[2-9a-z]+|-\d+)?$/u);
  });

  it("cuts slugs between characters", async () => {
    const folder = await service.folder("𝒳".repeat(75));
    expect(folder.slug.isWellFormed()).toBe(true);
    const long = await service.folder(`${"a".repeat(99)} b`);
    expect(long.slug).toBe("a".repeat(99));
  });

  it("gives a folder named like the id of another no slug that means the other", async () => {
    const { id } = await service.folder("Meant");
    const { slug } = await service.folder(id.toUpperCase());
    expect(slug).toBe(`${id}-folder`);
  });

  it.each([
    ["none", "none-2"],
    ["!!!", "folder"],
    ["Café Größe", "cafe-grosse"],
    ["日本", "日本"],
  ])("gives %j the slug %j", async (name, slug) => {
    expect((await service.folder(name)).slug).toBe(slug);
  });

  it.each([
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: "   " }, "name"],
    [{ name: null }, "name"],
    [{ name: 5 }, "name"],
    [{ name: "x".repeat(151) }, "name"],
    [{ name: "a\u0000b" }, "name"],
    [{ name: "a\ud800" }, "name"],
    [{ name: "ok", parent: 7 }, "parent"],
    [{ name: "ok", workspace: null }, "workspace"],
  ])("refuses %j", async (fields, field) => {
    const { status, body } = await create(fields);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual([field]);
    expect(body[field]).toEqual([expect.any(String)]);
  });

  it("takes 150 characters, and answers an unknown parent with 404", async () => {
    expect((await create({ name: "y".repeat(150) })).status).toBe(201);
    expect((await create({ name: "z", parent: "no-such-folder" })).status).toBe(404);
  });

  it("knows no parent of another account", async () => {
    const theirs = await service.send(
      "POST",
      "/folder/create/",
      { workspace: service.other.workspaceId, name: "Theirs" },
      { token: service.other.token },
    );
    for (const parent of [theirs.body.id, theirs.body.slug]) {
      expect((await create({ name: "z", parent })).status).toBe(404);
    }
  });
});

describe("listing", () => {
  it("orders by name, whatever the case, and pages", async () => {
    const fresh = await makeService();
    for (const name of ["pear", "Apple", "fig", "Zoo", "äpfel"]) await fresh.folder(name);
    const path = `/workspace/${fresh.workspace}/folders/`;
    const all = (await fresh.get(path)).body;
    expect(all.results.map((folder: Wire) => folder.name)).toEqual([
      "Apple",
      "fig",
      "pear",
      "Zoo",
      "äpfel",
    ]);
    const second = (await fresh.get(`${path}?page_size=2&page=2`)).body;
    expect(second.results.map((folder: Wire) => folder.name)).toEqual(["pear", "Zoo"]);
    expect(second).toMatchObject({
      count: 5,
      next: `http://service.test/api/v2${path}?page_size=2&page=3`,
      previous: `http://service.test/api/v2${path}?page_size=2&page=1`,
    });
    await fresh.close();
  });

  it("answers an empty list with a message and no results", async () => {
    const { other } = service;
    const fresh = await makeService();
    const { body } = await fresh.get(`/workspace/${fresh.workspace}/folders/`);
    expect(body).toMatchObject({ message: expect.any(String), results: [] });
    expect(other.workspaceId).not.toBe(service.workspace);
    await fresh.close();
  });

  it("counts the codes in each folder itself", async () => {
    const outer = await service.folder("Outer");
    const inner = await service.folder("Inner", outer.id);
    await service.code({ folder: outer.id });
    await service.code({ folder: inner.slug });
    await service.code({ folder: inner.id });
    expect((await find(outer.id)).code_count).toBe(1);
    expect((await find(inner.id)).code_count).toBe(2);
  });
});

describe("changing", () => {
  it("makes a new slug on renaming, and moves to any parent or to the top", async () => {
    const [home, away] = [await service.folder("Home"), await service.folder("Away")];
    const child = await service.folder("Child", home.id);
    const renamed = await update(child.id, { name: "Grown Up" });
    expect(renamed.body).toMatchObject({ slug: "grown-up", path: "Home/Grown Up" });
    const moved = await update(child.id, { parent: away.slug });
    expect(moved.body).toMatchObject({ parent: away.id, path: "Away/Grown Up", slug: "grown-up" });
    const top = await update(child.id, { parent: null });
    expect(top.body).toMatchObject({ parent: null, path: "Grown Up" });
  });

  it("keeps the slug when the name stays as it is", async () => {
    const folder = await service.folder("Same");
    expect((await update(folder.id, { name: "Same" })).body.slug).toBe("same");
  });

  it("refuses (400) to move a folder into itself or below itself", async () => {
    const a = await service.folder("Cycle A");
    const b = await service.folder("Cycle B", a.id);
    const c = await service.folder("Cycle C", b.id);
    for (const parent of [a.id, b.slug, c.id]) {
      const { status, body } = await update(a.id, { parent });
      expect([status, Object.keys(body)]).toEqual([400, ["non_field_errors"]]);
    }
    expect((await find(c.id)).path).toBe("Cycle A/Cycle B/Cycle C");
  });

  it("nests 100 levels, by creating and by moving, and no more", async () => {
    const fresh = await makeService();
    const nest = async (name: string, levels: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let n = 0; n < levels; n += 1)
        ids.push((await fresh.folder(`${name}${n}`, ids.at(-1))).id);
      return ids;
    };
    const deep = await nest("A", 100);
    const [top = ""] = await nest("B", 3);
    const body = { workspace: fresh.workspace, name: "too deep", parent: deep.at(-1) };
    const more = await fresh.send("POST", "/folder/create/", body);
    expect([more.status, Object.keys(more.body)]).toEqual([400, ["parent"]]);
    const move = (parent: string | undefined) =>
      fresh.send("PATCH", `/folder/${top}/update/`, { parent });
    const refused = await move(deep[97]);
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["parent"]]);
    expect((await move(deep[96])).status).toBe(200);
    await fresh.close();
  });

  it("refuses a name that a sibling has, and an empty change", async () => {
    await service.folder("Taken");
    const folder = await service.folder("Mine");
    const taken = await update(folder.id, { name: "Taken" });
    expect([taken.status, Object.keys(taken.body)]).toEqual([400, ["name"]]);
    const empty = await update(folder.id, {});
    expect([empty.status, Object.keys(empty.body)]).toEqual([400, ["non_field_errors"]]);
    expect((await update(folder.id, { parent: "unknown" })).status).toBe(404);
  });
});

const unfiled = async (at: TestService): Promise<number> =>
  (await at.get(`/workspace/${at.workspace}/qrcodes/?folder=none`)).body.count;

describe("deleting a folder of very many codes", () => {
  const steps = { ...sweepSteps };
  afterEach(() => Object.assign(sweepSteps, steps));

  it("unfiles them for everybody at once, and row by row later, also after a restart", async () => {
    Object.assign(sweepSteps, { few: 2, slice: 0 });
    const dataDir = await mkdtemp(path.join(tmpdir(), "sweep-"));
    const first = await makeService({ dataDir, ids: randomIds });
    const top = await first.folder("Top");
    const below = await first.folder("Below", top.id);
    for (const folder of [top.id, top.id, below.id, below.id]) await first.code({ folder });
    const remove = await first.send("DELETE", `/folder/${top.id}/delete/`);
    expect([remove.status, remove.text]).toEqual([204, ""]);
    const held = (): number => {
      const sqlite = openSqlite(path.join(dataDir, "service.db"));
      const count = "SELECT count(*) AS n FROM codes WHERE folder_id IS NOT NULL";
      const { n = -1 } = sqlite.get<{ n: number }>(count) ?? {};
      sqlite.close();
      return n;
    };
    expect([await unfiled(first), held()]).toEqual([4, 4]);
    // Its name and slug are free; a code that is filed where others are left is alone there.
    expect((await first.folder("Top")).slug).toBe("top");
    expect((await first.code({ folder: below.id })).folder.path).toBe("Below");
    expect([await unfiled(first), held()]).toEqual([4, 3]);
    await first.close();
    sweepSteps.slice = 1;
    const sweeping = vi.spyOn(storeClass().prototype, "repeat");
    const second = await makeService({ dataDir, ids: randomIds });
    await Promise.all(sweeping.mock.results.map(({ value }) => value as Promise<void>));
    sweeping.mockRestore();
    expect(held()).toBe(1);
    expect(await unfiled(second)).toBe(4);
    const { results } = (await second.get(`/workspace/${second.workspace}/folders/`)).body;
    expect(results.map((folder: Wire) => [folder.path, folder.code_count])).toEqual([
      ["Below", 1],
      ["Top", 0],
    ]);
    await second.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe("filing a code where very many are left behind", () => {
  const steps = { ...sweepSteps };
  afterEach(() => Object.assign(sweepSteps, steps));

  it.each([
    ["made there", (at: TestService, folder: string) => at.code({ folder })],
    [
      "moved there",
      async (at: TestService, folder: string) => {
        const { id } = await at.code();
        return (await at.send("PATCH", `/qrcode/${id}/update/`, { folder })).body;
      },
    ],
  ])("unfiles them in small steps, so that nobody else waits: %s", async (_, file) => {
    Object.assign(sweepSteps, { few: 1, slice: 0 });
    const at = await makeService();
    const top = await at.folder("Top");
    const below = await at.folder("Below", top.id);
    for (let n = 0; n < 5; n += 1) await at.code({ folder: below.id });
    await at.send("DELETE", `/folder/${top.id}/delete/`);
    // Behind the sweep that the deletion began, which does nothing here.
    await at.folder("Other");
    sweepSteps.slice = 2;
    const count = "SELECT count(*) AS n FROM codes WHERE folder_id IS NOT NULL";
    const changes: number[] = [];
    const { prototype } = storeClass();
    const write = Reflect.get<Store, "write">(prototype, "write");
    const spy = vi.spyOn(prototype, "write");
    spy.mockImplementation(function (this: Store, work, durability) {
      const measured: typeof work = async (tx, rows) => {
        const held = async (): Promise<number> => (await rows.get<{ n: number }>(count))?.n ?? -1;
        const before = await held();
        const value = await work(tx, rows);
        changes.push((await held()) - before);
        return value;
      };
      return write.call(this, measured, durability);
    });
    expect((await file(at, below.id)).folder.path).toBe("Below");
    spy.mockRestore();
    expect(changes.filter((change) => change !== 0)).toEqual([-2, -2, -1, 1]);
    expect(await unfiled(at)).toBe(5);
    await at.close();
  });
});

describe("deleting a folder while a code for it is made", () => {
  const steps = { ...sweepSteps };
  afterEach(() => Object.assign(sweepSteps, steps));

  it.each([
    ["whole", 1000],
    ["its codes left behind", 0],
  ])("answers 404 as for an unknown folder: %s", async (_, few) => {
    Object.assign(sweepSteps, { few, slice: 0 });
    const { id } = await service.folder(`Short-lived ${few}`);
    const { id: codeId } = await service.code({ folder: id });
    const count = await unfiled(service);
    const spy = vi.spyOn(storeClass().prototype, "write");
    spy.mockImplementationOnce(async function (this: Store, ...works) {
      expect((await remove(id)).status).toBe(204);
      return this.write(...works);
    });
    const { status } = await service.send("POST", "/qrcode/create/", {
      workspace: service.workspace,
      qr_data: "https://example.com/",
      folder: id,
    });
    spy.mockRestore();
    expect(status).toBe(404);
    expect((await service.get(`/qrcode/${codeId}/`)).body.folder).toBeNull();
    expect(await unfiled(service)).toBe(count + 1);
  });
});

describe("deleting", () => {
  it("unfiles the codes of the whole subtree and moves subfolders up", async () => {
    const top = await service.folder("D top");
    const middle = await service.folder("D middle", top.id);
    const low = await service.folder("D low", middle.id);
    const codes = [
      await service.code({ folder: top.id }),
      await service.code({ folder: middle.id }),
      await service.code({ folder: low.id }),
    ];
    expect((await remove(middle.id)).status).toBe(204);
    const folders = await Promise.all(
      codes.map(async ({ id }) => (await service.get(`/qrcode/${id}/`)).body.folder),
    );
    expect(folders).toEqual([expect.objectContaining({ id: top.id }), null, null]);
    expect(await find(low.id)).toMatchObject({ parent: top.id, path: "D top/D low" });
    expect(await find(middle.id)).toBeUndefined();
  });
});

it("scans are counted by folder where more folders have some than one statement takes", async () => {
  const store = openStore(":memory:");
  const many = 33_000;
  const n = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})`;
  await store.write(async (_tx, rows) => {
    await rows.run("INSERT INTO accounts (id, name, created) VALUES ('a', 'a', 1)");
    await rows.run(
      "INSERT INTO workspaces (id, account_id, name, created) VALUES ('w', 'a', 'w', 1)",
    );
    for (const [into, values] of [
      ["folders (id, workspace_id, name, name_key, slug, created)", "'f' || i, 'w', i, i, i, i"],
      [
        "codes (id, workspace_id, kind, created, display_name, qr_type, qr_data, dynamic, gps_tracking, folder_id, design, search)",
        "'c' || i, 'w', 'code', i, '', 'Link', '', 0, 0, 'f' || i, '{}', ''",
      ],
      ["scanned_codes (number, code_id, workspace_id)", "i, 'c' || i, 'w'"],
      ["scans (id, code, time, earlier, scanner_id, profile)", "i, i, 1000, 0, 's', 1"],
    ] as const)
      await rows.run(`INSERT INTO ${into} ${n} SELECT ${values} FROM n`);
  });
  const found = await readFolderScans({ store }, "w", {
    start: "1970-01-01",
    end: "1970-01-01",
    most: 25,
  });
  expect(found).toHaveLength(25);
  expect(found[0]).toMatchObject({ scans: 1, unique: 1, path: expect.stringMatching(/^\d+$/u) });
  await store.close();
});
