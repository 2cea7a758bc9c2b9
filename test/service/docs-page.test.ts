import { beforeAll, describe, expect, it, vi } from "vitest";

import { groups } from "../../src/api/endpoint.ts";
import { endpointTable } from "../../src/api/endpoints.ts";
import { Description, kinds } from "../../src/service/public/description.ts";

import { makeService, type Wire } from "./make-service.ts";

it("shows every endpoint on a page that loads and runs nothing", async () => {
  const service = await makeService();
  for (const path of ["/api/v2/docs/", "/api/v2/docs"]) {
    const answer = await service.fetch(new Request(`http://service.test${path}`));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await answer.text();
    expect(html).not.toMatch(/<script|\ssrc=|<link|@import|url\(/iu);
    for (const [name, { path: at, methods }] of Object.entries(endpointTable)) {
      expect(html).toContain(`<article id="${name}"><h3><span class="method ${methods[0]}">`);
      expect(html).toContain(`<span>${at}</span>`);
    }
  }
  await service.close();
});

describe("the page", () => {
  let html: string;
  const articleOf = (name: string): string =>
    html.slice(html.indexOf(`<article id="${name}">`)).split("</article>", 1)[0] ?? "";
  beforeAll(async () => {
    const service = await makeService();
    const answer = await service.fetch(new Request("http://service.test/api/v2/docs/"));
    html = await answer.text();
    await service.close();
  });

  it("groups endpoints, and leads to each of them and nowhere else", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/gu)].map(([, id]) => id ?? "");
    expect(new Set(ids).size).toBe(ids.length);
    const targets = new Set([...html.matchAll(/href="#([^"]+)"/gu)].map(([, id]) => id ?? ""));
    expect([...targets].filter((id) => !ids.includes(id))).toEqual([]);
    expect(Object.keys(endpointTable).filter((name) => !targets.has(name))).toEqual([]);
    for (const { title } of Object.values(groups)) expect(html).toContain(`<h2>${title}</h2>`);
  });

  it("says of every parameter and field what it means, which values it takes, its default", () => {
    for (const part of [
      'Entries of a page; more than 200 means 200. <span class="kind">integer, 1 to 200; default <code>50</code>; in the query',
      'Id of the workspace. <span class="kind">string; in the path',
    ]) {
      expect(articleOf("listCodes")).toContain(part);
    }
    for (const part of [
      '<code>workspace</code> <span class="must">required</span>',
      "Left out: as in the template, else <code>220</code>. ",
      "integer, 40 to 5000 or null",
      "Colour of the modules. ",
      "Q without a logo, H with one, unless given. ",
      'How the modules are drawn. Left out: as in the template, else <code>Original</code>. <span class="kind"><a href="#thing-Pattern">Pattern</a> or null',
    ]) {
      expect(articleOf("createCode")).toContain(part);
    }
    expect(articleOf("thing-Pattern")).toContain(
      "one of <code>Original</code>, <code>Circles</code>",
    );
    // Every line has its words.
    expect(html).not.toContain('<dd><span class="kind">');
  });

  it("has a command to try for every endpoint, and an example of its answer", () => {
    for (const [name, { methods, body, response }] of Object.entries(endpointTable)) {
      const article = articleOf(name);
      const verb = methods[0] === "GET" ? "" : `-X ${methods[0]} `;
      expect(article).toContain(`curl ${verb}&#39;http://service.test/api/v2/`);
      expect(article).toContain("Authorization: Token $TOKEN");
      expect(article).not.toMatch(/service\.test[^ ]*\{/u);
      expect(article.includes(" -d &#39;{") || article.includes(" -d &#39;[")).toBe(
        body !== undefined,
      );
      expect(article.includes("Example of an answer")).toBe(response !== undefined);
    }
    expect(articleOf("updateCode")).toContain("POST and PUT do the same.");
  });

  it("describes webhooks and limits", () => {
    expect(articleOf("webhook-scan")).toContain("HMAC-SHA256 of the raw body");
    expect(articleOf("webhook-scan")).toContain("&quot;scanner_id&quot;");
    expect(html).toContain("<dt>Writes of a token</dt><dd>60 a minute");
  });
});

it.each([
  ["openapi.json", "3.1.0"],
  ["openapi-3.0.json", "3.0.3"],
])("serves %s beside the API, without a token", async (name, edition) => {
  const service = await makeService();
  const answer = await service.fetch(new Request(`http://service.test/api/v2/${name}`));
  const document = (await answer.json()) as Wire;
  expect(document.openapi).toBe(edition);
  expect(document.servers).toEqual([{ url: "http://service.test/api/v2" }]);
  expect(Object.keys(document.paths)).toContain("/gs1/products/{product_id}/");
  await service.close();
});

const KINDS = [
  "/api/v2/openapi.json",
  "/openapi.json",
  "/api/v2/openapi-3.0.json",
  "/openapi-3.0.json",
  "/api/v2/docs/",
];

it.each(["file", "oldFile", "page"] as const)(
  "the %s is drawn once, whatever name it is asked by, and names that one",
  async (kind) => {
    const draw = vi.fn<() => Response>(kinds[kind].draw);
    const description = new Description({ ...kinds, [kind]: { ...kinds[kind], draw } });
    for (let n = 0; n < 30; n += 1) {
      const root = `http://name-${n}.test/api/v2`;
      const answer = await description.answer(kind, new Request(root), root);
      const text = await answer.text();
      expect(text).toContain(root);
      expect(text).not.toContain("root.invalid");
    }
    expect(draw).toHaveBeenCalledOnce();
  },
);

it("is not sent again to readers who have it (304)", async () => {
  const service = await makeService({ limits: "hosted" });
  for (const path of KINDS) {
    const ask = (host: string, tag = "") =>
      service.fetch(
        new Request(`http://${host}${path}`, {
          headers: tag === "" ? {} : { "if-none-match": tag },
        }),
      );
    const tag = (await ask("a.test")).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\da-f]{64}"$/u);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const answer = await ask("a.test", known);
      expect([answer.status, await answer.text()]).toEqual([304, ""]);
      expect(answer.headers.get("etag")).toBe(tag);
      expect(answer.headers.get("ratelimit-limit")).toBe("20");
    }
    expect((await ask("b.test", tag)).status).toBe(200);
    expect((await ask("a.test", '"x"')).status).toBe(200);
  }
  await service.close();
});

it("is read by one address as often as a token reads, apart from its other requests", async () => {
  const service = await makeService({ limits: { reads: 5, writes: 5, rejected: 2 } });
  const read = (n: number) =>
    service.fetch(new Request(`http://name-${n}.test${KINDS[n % KINDS.length]}`));
  for (let n = 0; n < 5; n += 1) {
    const answer = await read(n);
    expect([answer.status, answer.headers.get("ratelimit-remaining")]).toEqual([200, "2"]);
  }
  const more = await read(5);
  expect([more.status, more.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await more.json()).toEqual({ detail: expect.any(String) as string });
  expect((await service.get(`/workspace/${service.workspace}/tags/`)).status).toBe(200);
  await service.clock.advance(60_000);
  expect((await read(0)).status).toBe(200);
  await service.close();
});
