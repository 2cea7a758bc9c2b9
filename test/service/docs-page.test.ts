import { expect, it } from "vitest";

import { endpointTable } from "../../src/api/endpoints.ts";

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
