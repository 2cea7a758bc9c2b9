/** A printed code must not come to lead to somebody else: its slug stays with its workspace. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { sequentialIds } from "../help/sequential-ids.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { migrate } from "../../src/service/store/sqlite/migrate.ts";
import { steps } from "../../src/service/store/sqlite/migrations.ts";
import { SqliteStore as Store } from "../../src/service/store/sqlite/sqlite-store.ts";
import { isSlugTaken } from "../../src/service/resources/codes/rows/new-code.ts";
import { makeService, type Answer, type TestService } from "./make-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(() => service.close());

const REFUSED = [400, { slug: ["Must be neither taken nor reserved."] }];

/** What may be given a slug; each answers what the API does. */
const takers = {
  "a short link": (slug: string, isTheirs?: boolean) =>
    post("/link/create/", { link: "https://e.example/", slug }, isTheirs),
  "a landing page": (slug: string, isTheirs?: boolean) =>
    post("/page/create/", { title: "Page", slug }, isTheirs),
  "a form": async (slug: string, isTheirs?: boolean) => {
    const { body } = await post("/form/create/", { title: "Form" }, isTheirs);
    const fields = [{ id: "temp-1", field_type: "text", label: "Name" }];
    await post(`/form/${body.id as string}/save/`, { fields }, isTheirs);
    return post(`/form/${body.id as string}/publish/`, { slug }, isTheirs);
  },
};

function post(path: string, fields: object, isTheirs = false): Promise<Answer> {
  const { workspaceId, token } = isTheirs ? service.other : service.account;
  return service.send("POST", path, { workspace: workspaceId, ...fields }, { token });
}

const slugOf = (url: string): string => new URL(url).pathname.slice(1);
const deleteCode = (id: string) => service.send("DELETE", `/qrcode/${id}/delete/`);

/** What leaves a slug behind; answers it. */
const leavers: Record<string, () => Promise<string>> = {
  "a deleted short link": async () => {
    const { body } = await post("/link/create/", { link: "https://e.example/", slug: "printed" });
    const { status } = await service.send("DELETE", `/link/${body.id as string}/delete/`);
    expect(status).toBe(204);
    return "printed";
  },
  "a deleted dynamic code": async () => {
    const code = await service.code({ dynamic: true });
    await deleteCode(code.id as string);
    return slugOf(code.shortlink_url as string);
  },
  "a deleted code of a PDF": async () => {
    const pdf = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64");
    const { body, text } = await post("/pdf/create/", { pdf_base64: pdf });
    expect(body?.id, text).toBeDefined();
    await deleteCode(body.id as string);
    return slugOf(body.shortlink_url as string);
  },
  "the deleted code of a landing page": async () => {
    const { body } = await post("/page/create/", { title: "Page", slug: "landing" });
    await deleteCode(body.qr_id as string);
    return "landing";
  },
  "the deleted code of a form": async () => {
    const { body } = await takers["a form"]("poll");
    await deleteCode(body.qr_id as string);
    return "poll";
  },
};

describe.each(Object.entries(leavers))("the slug of %s", (_, leave) => {
  it.each(Object.entries(takers))(
    "is not taken over by %s of another account",
    async (__, take) => {
      const slug = await leave();
      const { status, body } = await take(slug, true);
      expect([status, body]).toEqual(REFUSED);
    },
  );
});

it("may be used again by the workspace that had it, and stays with it", async () => {
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await takers["a short link"]("again");
    expect([status, body.slug]).toEqual([200, "again"]);
    expect((await takers["a short link"]("again", true)).status).toBe(400);
    await service.send("DELETE", `/link/${body.id as string}/delete/`);
  }
  expect((await takers["a landing page"]("again", true)).status).toBe(400);
  expect((await takers["a landing page"]("again")).status).toBe(200);
});

it("a form whose code was deleted gets its own address again", async () => {
  const { body } = await takers["a form"]("poll");
  await deleteCode(body.qr_id as string);
  const again = await post(`/form/${body.id as string}/publish/`, {});
  expect(again.body.shortlink_url).toBe(body.shortlink_url);
});

it("is never hit by an automatic one, not even of the workspace that had it", async () => {
  const ids = sequentialIds();
  const next: string[] = [];
  const made = await makeService({ ids: { ...ids, slug: (n) => next.shift() ?? ids.slug(n) } });
  next.push("aaaaaaaa");
  const code = await made.code({ dynamic: true });
  expect(slugOf(code.shortlink_url as string)).toBe("aaaaaaaa");
  await made.send("DELETE", `/qrcode/${code.id as string}/delete/`);
  next.push("aaaaaaaa", "bbbbbbbb");
  const other = await made.code({ dynamic: true });
  expect(slugOf(other.shortlink_url as string)).toBe("bbbbbbbb");
  await made.close();
});

const addCode = (id: string, slug: string, created: number) => `
  INSERT INTO codes (id, workspace_id, kind, created, display_name, qr_type, qr_data, dynamic, slug,
    gps_tracking, design, search) VALUES ('${id}', 'w', 'code', ${created}, '', 'Link', '', 1, '${slug}', 0, '{}', '')`;

it("a code that gets another slug leaves the old one behind; an old store keeps what it knows", async () => {
  const sqlite = openSqlite(":memory:");
  const version = steps.findIndex((one) => one.includes("kept_slugs"));
  for (const one of steps.slice(0, version)) sqlite.exec(one);
  sqlite.exec(`
    PRAGMA user_version=${version};
    INSERT INTO accounts VALUES ('a', 'default', 1);
    INSERT INTO workspaces (id, account_id, name, created) VALUES ('w', 'a', 'w', 1);
    ${addCode("1", "held", 1)}; ${addCode("2", "other", 2)};
    INSERT INTO pages (id, workspace_id, created, slug, status, title, description, links)
      VALUES ('p', 'w', 1, 'page', 'Published', '', '', '[]'), ('h', 'w', 2, 'held', 'Published', '', '', '[]');
    INSERT INTO forms (id, workspace_id, created, modified, slug, status, title_key, draft, response_count)
      VALUES ('f', 'w', 1, 1, 'form', 'Published', '', '{}', 0), ('d', 'w', 2, 1, NULL, 'Draft', '', '{}', 0)`);
  migrate(sqlite);
  const store = new Store(sqlite);
  const kept = () =>
    sqlite
      .all<{ slug: string }>("SELECT slug FROM kept_slugs ORDER BY slug")
      .map(({ slug }) => slug);
  expect(kept()).toEqual(["form", "page"]);
  sqlite.exec("UPDATE codes SET slug = 'new' WHERE id = '2'");
  sqlite.exec("UPDATE codes SET slug = 'new', display_name = 'x' WHERE id = '2'");
  expect(kept()).toEqual(["form", "other", "page"]);
  const taken = (slug: string, workspace?: string) => isSlugTaken(store.db, slug, workspace);
  expect(
    await Promise.all([
      taken("other"),
      taken("other", "v"),
      taken("other", "w"),
      taken("new", "w"),
    ]),
  ).toEqual([true, true, false, true]);
  await store.close();
});
