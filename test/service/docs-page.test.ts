import { expect, it, vi } from "vitest";

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
    for (const endpoint of Object.values(endpointTable)) expect(html).toContain(endpoint.path);
    for (const cell of [
      "integer (1 to 200)",
      "integer (40 to 5000) or null",
      "one of L, M, Q, H or null. Q without a logo, H with one, unless given",
      "&quot;#111111&quot;",
    ]) {
      expect(html).toContain(`<td>${cell}</td>`);
    }
    expect(html).not.toMatch(/<script|\ssrc=|<link|@import|url\(/iu);
  }
  await service.close();
});

it("serves the description beside the API, without a token", async () => {
  const service = await makeService();
  const answer = await service.fetch(new Request("http://service.test/api/v2/openapi.json"));
  const document = (await answer.json()) as Wire;
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url: "http://service.test/api/v2" }]);
  expect(Object.keys(document.paths)).toContain("/gs1/products/{product_id}/");
  await service.close();
});

const KINDS = ["/api/v2/openapi.json", "/openapi.json", "/api/v2/docs/"];

it.each(["file", "page"] as const)(
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

it("is not sent again to those who have it (304)", async () => {
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
    service.fetch(new Request(`http://service.test${KINDS[n % KINDS.length]}`));
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
