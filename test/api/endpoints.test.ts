import { describe, expect, it } from "vitest";

import {
  endpoints,
  endpointTable,
  toPath,
  type BodyOf,
  type EndpointName,
  type PathParamsOf,
  type ResponseOf,
} from "../../src/api/endpoints.ts";

const all = Object.entries(endpointTable);

it("has every operation of docs/spec/api.md sections 4.1 to 4.7 at its path", () => {
  const lines = all.map(([, { methods, path }]) => `${methods.join("|")} ${path}`);
  expect(lines).toEqual(
    expect.arrayContaining([
      "POST /qrcode/create/",
      "GET /workspace/{workspace_id}/qrcodes/",
      "GET /workspace/{workspace_id}/templates/",
      "GET /qrcode/{qr_code_id}/",
      "GET /qrcode/{qr_code_id}/activity/",
      "GET /qrcode/{qr_code_id}/analytics/",
      "GET /workspace/{workspace_id}/analytics/",
      "GET /qrcode/{qr_code_id}/download/",
      "PATCH|POST|PUT /qrcode/{qr_code_id}/update/",
      "PATCH /qrcode/{qr_code_id}/design/",
      "DELETE /qrcode/{qr_code_id}/delete/",
      "GET /workspace/{workspace_id}/tags/",
      "POST /qrcode/{qr_code_id}/tags/add/",
      "DELETE /qrcode/{qr_code_id}/tag/{tag}/remove/",
      "GET /workspace/{workspace_id}/folders/",
      "POST /folder/create/",
      "PATCH /folder/{folder_id}/update/",
      "DELETE /folder/{folder_id}/delete/",
      "POST /pdf/create/",
      "POST /link/create/",
      "GET /workspace/{workspace_id}/links/",
      "GET /link/{link_id}/",
      "PATCH /link/{link_id}/update/",
      "DELETE /link/{link_id}/delete/",
      "GET /link/{link_id}/qr/",
      "GET /link/{link_id}/activity/",
      "POST /page/create/",
      "GET /page/{page_id}/",
      "GET /workspace/{workspace_id}/pages/",
      "POST /form/create/",
      "POST /form/{form_id}/save/",
      "POST /form/{form_id}/logo-url/",
      "POST /form/{form_id}/publish/",
      "POST /form/{form_id}/close/",
      "POST /form/{form_id}/reopen/",
      "GET /forms/",
      "GET /forms/{form_id}/responses/",
    ]),
  );
});

describe.each(all)("%s", (_, endpoint) => {
  it("is consistent", () => {
    expect(endpoint.path).toMatch(/^\/.*\/$/u);
    expect(endpoint.class).toBe(endpoint.methods.includes("GET") ? "read" : "write");
    const hasNoJson = [204, 302].includes(endpoint.status[0]);
    expect(endpoint.response === undefined).toBe(hasNoJson);
    expect(endpoint.class === "read" && endpoint.body !== undefined).toBe(false);
    expect(endpoint.list && endpoint.class !== "read").toBe(false);
    expect(endpoint.creates && endpoint.methods.join() !== "POST").toBe(false);
  });
});

it("has no method twice on one path", () => {
  const seen = all.flatMap(([, { methods, path }]) => methods.map((method) => `${method} ${path}`));
  expect(new Set(seen).size).toBe(seen.length);
});

it("fills paths in, percent-encoded", () => {
  expect(toPath("removeTag", { qr_code_id: "a/b", tag: "ä ?" })).toBe(
    "/qrcode/a%2Fb/tag/%C3%A4%20%3F/remove/",
  );
  expect(toPath("createCode", {})).toBe("/qrcode/create/");
});

it("knows the types of an endpoint from its shapes", () => {
  const body: BodyOf<"createCode"> = { workspace: "w", qr_data: "https://e.co/", dynamic: true };
  const params: PathParamsOf<"removeTag"> = { qr_code_id: "c", tag: "t" };
  const none: BodyOf<"getCode"> = undefined;
  const name: EndpointName = "createCode";
  expect([body.workspace, params.tag, none, name]).toEqual(["w", "t", undefined, "createCode"]);
});

describe("responses of other servers", () => {
  it("pass with fields that we don't know and without those that may be missing", () => {
    const code: ResponseOf<"createCode"> = endpoints.createCode.response.parse({
      id: "1",
      qr_type: "Event",
      dynamic: false,
      created: "2026-11-20T08:00:00+00:00",
      brand_new: { a: 1 },
    });
    expect(code["brand_new"]).toEqual({ a: 1 });
  });

  it("pass as an empty list of message and results alone (docs/spec/api.md section 2)", () => {
    const page = endpoints.listCodes.response.parse({ message: "No QR codes.", results: [] });
    expect(page).toMatchObject({ count: 0, next: null, previous: null, results: [] });
  });

  it.each([
    [{ qr_type: "Link", dynamic: true, created: "x" }],
    [{ id: "", qr_type: "Link", dynamic: true, created: "x" }],
    ["<html>"],
    [null],
  ])("fail without an id: %j", (body) => {
    expect(endpoints.createCode.response.safeParse(body).success).toBe(false);
  });
});
