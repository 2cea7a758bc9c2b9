import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, PUBLIC_URL, type TestService, type Wire } from "./make-service.ts";
import { readCode } from "./read-code.ts";

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const create = (fields: Record<string, unknown> = {}) =>
  service.send("POST", "/link/create/", {
    workspace: service.workspace,
    link: "https://example.com/",
    ...fields,
  });
const make = async (fields: Record<string, unknown> = {}): Promise<Wire> =>
  (await create(fields)).body;

it("is made with 200, an inline SVG and a slug of its own (docs/spec/api.md section 4.5)", async () => {
  const { status, body } = await create({ display_name: "Flyer", gps: true });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.any(String),
    link: "https://example.com/",
    link_type: "Link",
    display_name: "Flyer",
    gps: true,
    slug: expect.stringMatching(/^[2-9a-z]{8}$/u),
    domain: "go.example",
    shortlink_url: `${PUBLIC_URL}/${body.slug}`,
    created: expect.stringMatching(/^2026-11-20T/u),
    total_scans: 0,
    unique_scans: 0,
    svg: expect.stringContaining("<svg"),
  });
  expect((await service.get(`/link/${body.id}/`)).body).toEqual(body);
});

it("takes a slug, redirects from it and reports the clicks", async () => {
  const link = await make({ slug: "Spring-Sale-26", link: "https://example.com/sale" });
  expect(link.shortlink_url).toBe(`${PUBLIC_URL}/Spring-Sale-26`);
  const visit = await service.scan(link.shortlink_url);
  expect([visit.status, visit.headers.get("location")]).toEqual([302, "https://example.com/sale"]);
  const { body } = await service.get(`/link/${link.id}/activity/`);
  expect(body).toMatchObject({ count: 1, results: [{ qr_code_id: link.id }] });
  expect((await service.get(`/link/${link.id}/`)).body.total_scans).toBe(1);
});

it.each<[string, Record<string, unknown>, string]>([
  ["no link", { link: undefined }, "link"],
  ["no URL", { link: "example.com" }, "link"],
  ["a script", { link: "javascript:1" }, "link"],
  ["another type", { link_type: "Page" }, "link_type"],
  ["a slug with a slash", { slug: "a/b" }, "slug"],
  ["a slug with a dot", { slug: "favicon.ico" }, "slug"],
  ["an umlaut", { slug: "süß" }, "slug"],
  ["an empty slug", { slug: "" }, "slug"],
  ["a reserved slug", { slug: "api" }, "slug"],
  ["a reserved slug in capitals", { slug: "Media" }, "slug"],
  ["another domain", { domain: "evil.example" }, "domain"],
  ["a yes", { gps: "yes" }, "gps"],
])("refuses %s", async (_, fields, field) => {
  const { status, body } = await create(fields);
  expect([status, Object.keys(body)]).toEqual([400, [field]]);
});

it("gives a slug to one of two that ask at once, and to no other account", async () => {
  const answers = await Promise.all([create({ slug: "twice" }), create({ slug: "twice" })]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  const theirs = await service.send(
    "POST",
    "/link/create/",
    { workspace: service.other.workspaceId, link: "https://example.com/", slug: "twice" },
    { token: service.other.token },
  );
  expect([theirs.status, Object.keys(theirs.body)]).toEqual([400, ["slug"]]);
});

it("changes destination, name and tracking, each alone", async () => {
  const link = await make({ display_name: "a" });
  const update = (fields: unknown) => service.send("PATCH", `/link/${link.id}/update/`, fields);
  expect((await update({ link: "https://example.com/b" })).body).toEqual({
    ...link,
    link: "https://example.com/b",
  });
  expect((await update({ display_name: "b", gps: true })).body).toMatchObject({
    link: "https://example.com/b",
    display_name: "b",
    gps: true,
  });
  const bad = await update({ link: "nope" });
  expect([bad.status, Object.keys(bad.body)]).toEqual([400, ["link"]]);
});

describe("listing", () => {
  it("shows links only, newest first, and searches destination, name and slug", async () => {
    const fresh = await makeService();
    const post = async (fields: Record<string, unknown>): Promise<string> =>
      (
        await fresh.send("POST", "/link/create/", {
          workspace: fresh.workspace,
          link: "https://example.com/",
          ...fields,
        })
      ).body.id;
    await fresh.code({ dynamic: true, display_name: "no link" });
    const a = await post({ link: "https://example.com/Alpha" });
    const b = await post({ display_name: "Beta" });
    const c = await post({ slug: "gamma-3" });
    const list = async (query: string): Promise<string[]> =>
      (await fresh.get(`/workspace/${fresh.workspace}/links/${query}`)).body.results.map(
        ({ id }: Wire) => id,
      );
    expect(await list("")).toEqual([c, b, a]);
    expect(await list("?q=alpha")).toEqual([a]);
    expect(await list("?q=BETA")).toEqual([b]);
    expect(await list("?q=gamma-3")).toEqual([c]);
    // Nor do the links show among the codes.
    const codes = (await fresh.get(`/workspace/${fresh.workspace}/qrcodes/`)).body;
    expect(codes.results.map((code: Wire) => code.display_name)).toEqual(["no link"]);
    expect((await fresh.get(`/qrcode/${a}/`)).status).toBe(404);
    await fresh.close();
  });
});

describe("its code", () => {
  it("comes as SVG itself, or as the way to the PNG", async () => {
    const link = await make();
    const svg = await service.get(`/link/${link.id}/qr/?format=svg`);
    expect([svg.status, svg.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(svg.text).toBe(link.svg);
    expect(svg.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(svg.headers.get("x-content-type-options")).toBe("nosniff");
    for (const query of ["", "?format=png"]) {
      const answer = await service.get(`/link/${link.id}/qr/${query}`);
      expect([answer.status, answer.text]).toEqual([302, ""]);
      const file = await service.fetch(new Request(answer.headers.get("location") ?? ""));
      expect(file.headers.get("content-type")).toBe("image/png");
      const png = new Uint8Array(await file.arrayBuffer());
      expect(await readCode(png)).toBe(link.shortlink_url);
    }
    const bad = await service.get(`/link/${link.id}/qr/?format=gif`);
    expect([bad.status, Object.keys(bad.body)]).toEqual([400, ["format"]]);
  });
});

it("docs/spec/api.md section 4.5: slugs are unique as they are written", async () => {
  const [lower, upper] = [await make({ slug: "as-written" }), await make({ slug: "As-Written" })];
  for (const { slug, shortlink_url: url, id } of [lower, upper]) {
    expect(url).toBe(`${PUBLIC_URL}/${slug}`);
    const target = `https://example.com/${slug}`;
    await service.send("PATCH", `/link/${id}/update/`, { link: target });
    expect((await service.scan(url)).headers.get("location")).toBe(target);
  }
});

it("is gone after delete, slug and all", async () => {
  const link = await make({ slug: "soon-gone" });
  const { status } = await service.send("DELETE", `/link/${link.id}/delete/`);
  expect(status).toBe(204);
  expect((await service.get(`/link/${link.id}/`)).status).toBe(404);
  expect((await service.scan(link.shortlink_url)).status).toBe(404);
  // The slug is free again.
  expect((await create({ slug: "soon-gone" })).status).toBe(200);
});

it("is made once per Idempotency-Key", async () => {
  const body = { workspace: service.workspace, link: "https://example.com/once" };
  const options = { headers: { "idempotency-key": "link 1" } };
  const first = await service.send("POST", "/link/create/", body, options);
  const second = await service.send("POST", "/link/create/", body, options);
  expect(second.body).toEqual(first.body);
});
