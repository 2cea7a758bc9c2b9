/** Landing pages over the API: docs/spec/api.md sections 2.10, 3.2, 4.6 and 8. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import {
  makeService,
  PUBLIC_URL,
  type Answer,
  type TestService,
  type Wire,
  openBeside,
} from "./make-service.ts";
import { readCode } from "./read-code.ts";

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(() => service.close());

const post = (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  service.send(
    "POST",
    "/page/create/",
    { workspace: service.workspace, title: "Summer menu", ...fields },
    { headers },
  );
const page = async (fields: Record<string, unknown> = {}): Promise<Wire> =>
  (await post(fields)).body;
const list = (query = "") => service.get(`/workspace/${service.workspace}/pages/${query}`);
const expectField = (answer: Answer, ...fields: string[]): void => {
  expect([answer.status, Object.keys(answer.body)]).toEqual([400, fields]);
};

describe("POST /page/create/ (docs/spec/api.md section 4.6)", () => {
  it("makes and publishes a page in one call, with its live URL and code (docs/spec/api.md sections 2.10 and 3.2)", async () => {
    const links = [
      { url: "https://example.com/menu", title: "Menu" },
      { url: "https://www.instagram.com/example", title: "Follow us", type: "Instagram" },
      { url: "mailto:hi@example.com" },
    ];
    const { status, body } = await post({ links, description: "All week", bg_color: "#102030" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
      title: "Summer menu",
      description: "All week",
      status: "Published",
      share_url: `${PUBLIC_URL}/page/${body.slug}`,
      slug: expect.stringMatching(/^[2-9a-z]{8}$/u) as string,
      created: "2026-11-20T08:00:00.000Z",
      bg_color: "#102030",
      text_color: null,
      links: [
        { url: "https://example.com/menu", title: "Menu", type: "Website" },
        { url: "https://www.instagram.com/example", title: "Follow us", type: "Instagram" },
        { url: "mailto:hi@example.com", title: "", type: "Website" },
      ],
    });
    expect(await readCode(Buffer.from(body.svg))).toBe(body.shortlink_url);
    const scanned = await service.scan(body.shortlink_url);
    expect([scanned.status, scanned.headers.get("location")]).toEqual([302, body.share_url]);
  });

  it("makes its code an ordinary dynamic one: listed, counted, restyled, downloaded", async () => {
    const made = await page();
    const { body: code } = await service.get(`/qrcode/${made.qr_id}/`);
    expect(code).toMatchObject({
      id: made.qr_id,
      display_name: "Summer menu",
      qr_type: "Link",
      dynamic: true,
      qr_data: made.share_url,
      shortlink_url: made.shortlink_url,
      total_scans: 0,
    });
    const listed = await service.get(`/workspace/${service.workspace}/qrcodes/?q=${made.slug}`);
    expect(listed.body.results).toMatchObject([{ id: made.qr_id, qr_data: made.share_url }]);
    await service.scan(made.shortlink_url);
    expect((await service.get(`/qrcode/${made.qr_id}/`)).body.total_scans).toBe(1);
    const { body: totals } = await service.get(`/workspace/${service.workspace}/analytics/`);
    expect(totals.top_codes).toMatchObject([{ id: made.qr_id, destination: made.share_url }]);
    const activity = await service.get(`/qrcode/${made.qr_id}/activity/`);
    expect(activity.body.results).toMatchObject([{ qr_code_id: made.qr_id }]);
    const restyled = await service.send("PATCH", `/qrcode/${made.qr_id}/design/`, {
      primary_color: "#aa0000",
    });
    expect((await service.get(`/page/${made.id}/`)).body.svg).toBe(restyled.body.svg);
    const files = await service.get(`/qrcode/${made.qr_id}/download/`);
    expect(files.body).toEqual({
      png_url: expect.stringMatching(/\.png$/u) as string,
      svg_url: expect.stringMatching(/\.svg$/u) as string,
    });
  });

  it("stays when its code is deleted, since no call deletes a page", async () => {
    const made = await page();
    expect((await service.send("DELETE", `/qrcode/${made.qr_id}/delete/`)).status).toBe(204);
    const { status, body } = await service.get(`/page/${made.id}/`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ qr_id: null, svg: null, shortlink_url: null, slug: made.slug });
    expect((await service.scan(made.shortlink_url)).status).toBe(404);
    expect((await service.fetch(new Request(made.share_url))).status).toBe(200);
    // Its address isn't given away.
    expectField(await post({ slug: made.slug }), "slug");
  });

  it("takes a slug of the owner's choice, once, and never one of the service's own words", async () => {
    const made = await page({ slug: "Summer-2026" });
    expect(made).toMatchObject({
      slug: "Summer-2026",
      share_url: `${PUBLIC_URL}/page/Summer-2026`,
      shortlink_url: `${PUBLIC_URL}/Summer-2026`,
    });
    for (const slug of [
      "Summer-2026",
      "api",
      "Console",
      "",
      "a b",
      "a/b",
      "ü",
      "x".repeat(101),
      5,
    ]) {
      expectField(await post({ slug }), "slug");
    }
    const link = { workspace: service.workspace, link: "https://a.example/", slug: "Summer-2026" };
    expectField(await service.send("POST", "/link/create/", link), "slug");
    const [first, second] = await Promise.all([post({ slug: "once" }), post({ slug: "once" })]);
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it("takes the domain of the workspace and no other", async () => {
    expect((await post({ domain: "go.example" })).body.domain).toBe("go.example");
    expectField(await post({ domain: "evil.example" }), "domain");
  });

  it.each([
    ["javascript:alert(1)"],
    ["JavaScript:alert(1)"],
    [" javascript:alert(1)"],
    ["java\nscript:alert(1)"],
    ["data:text/html,<script>alert(1)</script>"],
    ["vbscript:x"],
    ["file:///etc/passwd"],
    ["//example.com"],
    ["example.com"],
    [""],
    [null],
    [5],
  ])("refuses a button that leads to %j", async (url) => {
    const { status, body } = await post({ links: [{ url: "https://ok.example/" }, { url }] });
    expect([status, Object.keys(body), Object.keys(body.links)]).toEqual([400, ["links"], ["1"]]);
    expect(Object.keys(body.links["1"])).toEqual(["url"]);
  });

  it("names every wrong field at once (docs/spec/api.md section 7)", async () => {
    const answer = await post({
      title: "  ",
      links: [{ title: "No address" }],
      description: 5,
      bg_color: "red",
      text_color: "#12",
    });
    expectField(answer, "title", "links", "description", "bg_color", "text_color");
    expect(answer.body.links).toEqual({ 0: { url: ["This field is required."] } });
    expectField(await post({ title: undefined }), "title");
    expectField(await post({ links: {} }), "links");
    expect((await post({ links: ["https://example.com/"] })).body.links).toEqual({
      0: ['Must be an object with url, got "https://example.com/".'],
    });
    const url = "https://example.com/";
    expectField(await post({ links: Array.from({ length: 101 }, () => ({ url })) }), "links");
  });

  it("takes null for what is optional", async () => {
    const none = { links: null, description: null, bg_color: null, text_color: null };
    expect(await page({ ...none, domain: null, slug: null })).toMatchObject({
      links: [],
      description: "",
      bg_color: null,
    });
  });

  it("answers a repeated Idempotency-Key with the same page", async () => {
    const headers = { "idempotency-key": "k1" };
    const first = await post({}, headers);
    const again = await post({}, headers);
    expect(again.body).toEqual(first.body);
    expect((await list()).body.count).toBe(1);
    expect((await post({ title: "Other" }, headers)).status).toBe(422);
  });
});

describe("plan limits (docs/spec/api.md section 8)", () => {
  it("count pages toward the page limit and their codes toward no other", async () => {
    const limited = await makeService({ plan: { pages: 2, dynamicCodes: 1 } });
    const body = { workspace: limited.workspace, title: "P" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => limited.send("POST", "/page/create/", body)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toEqual({
      non_field_errors: ["The plan's limit of 2 landing pages (pages) is reached."],
    });
    await limited.code({ dynamic: true });
    const theirs = { ...body, workspace: limited.other.workspaceId };
    const { token } = limited.other;
    expect((await limited.send("POST", "/page/create/", theirs, { token })).status).toBe(200);
    await limited.close();
  });
});

describe("GET /page/{page_id}/ and the list (docs/spec/api.md section 4.6)", () => {
  it("answer what the create answered", async () => {
    const made = await page({ links: [{ url: "https://example.com/", title: "Ä <b>" }] });
    expect((await service.get(`/page/${made.id}/`)).body).toEqual(made);
    expect((await list()).body.results).toEqual([made]);
  });

  it("list newest first, page by page, also when the clock stands still", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await page({ title: `P${n}` })).id);
    const first = (await list("?page_size=2")).body;
    expect(first).toMatchObject({ count: 5, previous: null });
    const second = (await service.get(first.next.replace(/^.*\/api\/v2/u, ""))).body;
    const third = (await list("?page_size=2&page=3")).body;
    const seen = [first, second, third].flatMap(({ results }) => results.map(({ id }: Wire) => id));
    expect(seen).toEqual(ids.toReversed());
    expect(third.next).toBeNull();
  });

  it("say so in words when there are none (docs/spec/api.md section 2)", async () => {
    expect((await list()).body).toMatchObject({
      message: expect.any(String) as string,
      results: [],
    });
  });
});

it("answers 400 to a download of a page's code that is not yet published (docs/spec/api.md sections 3.2 and 4.1)", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "makeready-pages-"));
  const onDisk = await makeService({ dataDir });
  const { body: made } = await onDisk.send("POST", "/page/create/", {
    workspace: onDisk.workspace,
    title: "Soon",
  });
  const download = () => onDisk.get(`/qrcode/${made.qr_id}/download/`);
  // No call makes such a page; a store of another making may hold one.
  const beside = await openBeside(dataDir);
  const setStatus = (status: "Draft" | "Published") =>
    beside.write((tx) => tx.updateTable("pages").set({ status }).execute());
  await setStatus("Draft");
  const refused = await download();
  expect([refused.status, refused.body]).toEqual([
    400,
    { non_field_errors: ["The landing page of the code is not published."] },
  ]);
  expect((await onDisk.get(`/page/${made.id}/`)).body.status).toBe("Draft");
  await setStatus("Published");
  expect((await download()).status).toBe(200);
  await beside.close();
  await onDisk.close();
  await rm(dataDir, { recursive: true });
});
