import { afterAll, beforeAll, expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const add = (id: string, tags: unknown) => service.send("POST", `/qrcode/${id}/tags/add/`, tags);
const remove = (id: string, tag: string) =>
  service.send("DELETE", `/qrcode/${id}/tag/${encodeURIComponent(tag)}/remove/`);
const titles = (answer: Wire): string[] => answer.tags.map((tag: Wire) => tag.title);

it("makes missing tags, takes existing ones by title in any case or by id (docs/spec/api.md section 4.2)", async () => {
  const [a, b] = [await service.code(), await service.code()];
  const first = await add(a.id, [{ title: "Summer Menu" }, { title: "Bar" }]);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ id: a.id, qr_type: "Link" });
  expect(titles(first.body)).toEqual(["Bar", "Summer Menu"]);
  expect(first.body.tags[1]).toEqual({
    id: expect.any(String),
    title: "Summer Menu",
    slug: "summer-menu",
  });
  const second = await add(b.id, [{ title: "summer MENU" }, { id: first.body.tags[0].id }]);
  expect(second.body.tags).toEqual(first.body.tags);
});

it("says what a tag must be, given a text in its place", async () => {
  const { status, body } = await add((await service.code()).id, ["Bar"]);
  expect([status, body]).toEqual([400, { 0: ['Must be an object with title or id, got "Bar".'] }]);
});

it("is a set: adding again changes nothing", async () => {
  const code = await service.code();
  await add(code.id, [{ title: "Once" }, { title: "Once" }]);
  expect(titles((await add(code.id, [{ title: "once" }])).body)).toEqual(["Once"]);
});

it("takes tags back as they were answered", async () => {
  const [a, b] = [await service.code(), await service.code()];
  const { tags } = (await add(a.id, [{ title: "Whole" }])).body;
  expect((await add(b.id, tags)).body.tags).toEqual(tags);
});

it("lists the workspace's tags by title", async () => {
  const fresh = await makeService();
  const code = await fresh.code();
  const sent = ["pear", "Apple", "fig"].map((title) => ({ title }));
  await fresh.send("POST", `/qrcode/${code.id}/tags/add/`, sent);
  const { body } = await fresh.get(`/workspace/${fresh.workspace}/tags/`);
  expect(body).toMatchObject({ count: 3, next: null, previous: null });
  expect(body.results.map((tag: Wire) => tag.title)).toEqual(["Apple", "fig", "pear"]);
  await fresh.close();
});

it("takes a tag off by id or slug and keeps the tag itself", async () => {
  const code = await service.code();
  const { tags } = (await add(code.id, [{ title: "One" }, { title: "Two" }, { title: "Drei" }]))
    .body;
  const bySlug = await remove(code.id, "two");
  expect([bySlug.status, titles(bySlug.body)]).toEqual([200, ["Drei", "One"]]);
  const drei = tags.find((tag: Wire) => tag.title === "Drei");
  expect(titles((await remove(code.id, drei.id)).body)).toEqual(["One"]);
  const all = await service.get(`/workspace/${service.workspace}/tags/?page_size=200`);
  expect(all.body.results.map((tag: Wire) => tag.title)).toContain("Two");
  // Asked again, the answer is the same.
  expect((await remove(code.id, "two")).status).toBe(200);
  expect((await remove(code.id, "never-made")).status).toBe(404);
});

it("gives titles of one slug slugs of their own", async () => {
  const code = await service.code();
  const { body } = await add(code.id, [{ title: "C++" }, { title: "C#" }, { title: "??" }]);
  expect(body.tags.map((tag: Wire) => tag.slug).toSorted()).toEqual(["c", "c-2", "tag"]);
});

it.each([
  [[], "non_field_errors"],
  [[{}], "0"],
  [[{ title: "" }], "0"],
  [[{ title: "ok" }, { title: "a\ud800" }], "1"],
  [[5], "0"],
  [[{ title: "x".repeat(256) }], "0"],
  [{ title: "a" }, "non_field_errors"],
])("refuses %j", async (tags, field) => {
  const code = await service.code();
  const { status, body } = await add(code.id, tags);
  expect(status).toBe(400);
  expect(Object.keys(body)).toEqual([field]);
});

it("answers an unknown id, or another account's, with 404 and adds nothing", async () => {
  const code = await service.code();
  const theirs = await service.send(
    "POST",
    "/qrcode/create/",
    { workspace: service.other.workspaceId, qr_data: "https://example.com/" },
    { token: service.other.token },
  );
  const tagged = await service.send(
    "POST",
    `/qrcode/${theirs.body.id}/tags/add/`,
    [{ title: "T" }],
    { token: service.other.token },
  );
  for (const id of ["unknown", tagged.body.tags[0].id]) {
    expect((await add(code.id, [{ title: "Fine" }, { id }])).status).toBe(404);
  }
  expect((await service.get(`/qrcode/${code.id}/`)).body.tags).toEqual([]);
  const all = await service.get(`/workspace/${service.workspace}/tags/?page_size=200`);
  expect(titles({ tags: all.body.results })).not.toContain("Fine");
});

it("docs/spec/api.md sections 2.5 and 4.2: a tag taken off one code stays on the others, in answers and lists", async () => {
  const [a, b] = [await service.code(), await service.code()];
  for (const { id } of [a, b]) await add(id, [{ title: "Shared" }]);
  expect((await remove(a.id, "shared")).body.tags).toEqual([]);
  const path = `/workspace/${service.workspace}/qrcodes/?include=tags&q=shared`;
  const { results } = (await service.get(path)).body;
  expect(results.map(({ id }: Wire) => id)).toEqual([b.id]);
  expect(results[0].tags).toEqual([{ id: expect.any(String), title: "Shared", slug: "shared" }]);
});
