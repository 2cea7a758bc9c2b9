/** What the API's description shows as examples is granted by the service as it stands. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { endpointTable, type EndpointName } from "../../src/api/endpoints.ts";
import { exampleIds } from "../../src/api/fields.ts";
import { exampleBodies, exampleQueries } from "../../src/api/openapi/examples.ts";
import { PDF, PNG } from "./fuzz-values.ts";
import { makeService, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
let ids: Record<string, string>;
beforeAll(async () => {
  service = await makeService({
    fetch: async (url) => Buffer.from(url.endsWith(".pdf") ? PDF : PNG, "base64"),
  });
  const make = async (path: string, body: object): Promise<Wire> =>
    (await service.send("POST", path, { workspace: service.workspace, ...body })).body;
  const product = await make("/gs1/products/", {
    identifier_value: "09506000134376",
    destination_url: "https://example.com/",
  });
  ids = {
    workspace_id: service.workspace,
    qr_code_id: (await service.code({ dynamic: true })).id,
    folder_id: (await service.folder("Folder")).id,
    link_id: (await make("/link/create/", { link: "https://example.com/" })).id,
    form_id: (await make("/form/create/", { title: "Form" })).id,
    product_id: product.id,
    product_link_id: product.link_types[0].id,
  };
});
afterAll(() => service.close());

/** The example with ids of this service in it. */
const fill = (text: string): string => text.replaceAll(exampleIds.workspace, service.workspace);
const toPath = (name: EndpointName): string => {
  const { path } = endpointTable[name];
  const toId = (key: string): string =>
    ids[key === "link_id" && path.startsWith("/gs1/") ? "product_link_id" : key] ?? "";
  return path.replace(/\{(\w+)\}/gu, (_, key: string) => toId(key));
};

// In the table's order: a form is saved before it is published.
const names = Object.keys(endpointTable) as EndpointName[];

it.each(names.filter((name) => endpointTable[name].body !== undefined))(
  "the body of %s",
  async (name) => {
    const body: unknown = JSON.parse(fill(JSON.stringify(exampleBodies[name] ?? null)));
    const { methods, status } = endpointTable[name];
    const answer = await service.send(methods[0], toPath(name), body);
    expect([answer.status, answer.text]).toEqual([status[0], answer.text]);
  },
);

it.each(Object.entries(exampleQueries) as [EndpointName, string][])(
  "the query of %s",
  async (name, query) => {
    const answer = await service.get(`${toPath(name)}?${fill(query)}`);
    expect([answer.status, answer.text.slice(0, 100)]).toEqual([200, expect.any(String)]);
  },
);
