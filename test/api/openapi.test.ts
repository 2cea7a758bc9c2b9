import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { endpointTable } from "../../src/api/endpoints.ts";
import { makeOpenApi } from "../../src/api/openapi.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the document is probed by path
const document: any = makeOpenApi("https://api.example/api/v2");

describe("makeOpenApi", () => {
  it("has every operation of the table, and no other", () => {
    const expected = Object.values(endpointTable).flatMap(({ methods, path }) =>
      methods.map((method) => `${method} ${path}`),
    );
    const found = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it("names every operation once", () => {
    const ids = Object.values<object>(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("announces the Idempotency-Key on creates only (engine.md 1.7)", () => {
    for (const { path, methods, creates } of Object.values(endpointTable)) {
      const { parameters } = document.paths[path][methods[0].toLowerCase()];
      const names = parameters.map(({ name }: { name: string }) => name);
      expect(names.includes("Idempotency-Key")).toBe(creates);
    }
  });

  it("says what a create takes and which fields it needs", () => {
    const { requestBody, responses } = document.paths["/qrcode/create/"].post;
    const { schema } = requestBody.content["application/json"];
    expect(schema.required).toEqual(["workspace"]);
    // Optional fields take null as well.
    const [pattern, none] = schema.properties.pattern.anyOf;
    expect([pattern.enum.includes("Circles"), none]).toEqual([true, { type: "null" }]);
    expect(schema.properties.dynamic).toMatchObject({ type: ["boolean", "null"], default: false });
    expect(Object.keys(responses)).toEqual([
      "200",
      "400",
      "401",
      "404",
      "409",
      "415",
      "422",
      "429",
    ]);
  });

  it("gives query and path parameters their places", () => {
    const { parameters } = document.paths["/workspace/{workspace_id}/qrcodes/"].get;
    const byName = new Map<string, { in: string; required: boolean }>(
      parameters.map((parameter: { name: string }) => [parameter.name, parameter]),
    );
    expect(byName.get("workspace_id")).toMatchObject({ in: "path", required: true });
    expect(byName.get("page_size")).toMatchObject({ in: "query", required: false });
    expect([...byName.keys()]).toEqual(expect.arrayContaining(["q", "folder", "include", "days"]));
  });

  it("is JSON through and through", () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

it("is checked in as it is today (`npm run schema` writes it)", () => {
  const file = new URL("../../schema/openapi.v2.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(makeOpenApi("/api/v2"));
});
