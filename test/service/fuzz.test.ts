/**
 * Requests made from our own OpenAPI file: right ones, nearly right ones and wrong ones, against
 * every operation. Never a 500, never a status that isn't announced, never another tenant's data.
 */
import * as fc from "../help/property.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { PDF, PNG, UNKNOWN, Values, type Json, type Tenant } from "./fuzz-values.ts";
import { makeService, type TestService, type Wire } from "./make-service.ts";
import { wholePaths } from "./whole-description.ts";

/** `FUZZ_RUNS=3000` sends so many requests to every operation, others each time. */
const LONG = Number(process.env["FUZZ_RUNS"] ?? 0);
const RUNS = LONG || 60;
/** Stands in everything that the other tenant has. */
const SECRET = "zebra-secret";

let service: TestService;
let foreign: Tenant;
let values: Values;

async function fillTenant(token: string, workspace: string, mark: string): Promise<Tenant> {
  const post = async (path: string, body: unknown): Promise<Wire> =>
    (await service.send("POST", path, body, { token })).body;
  const url = `https://example.com/${mark}`;
  const folder = await post("/folder/create/", { workspace, name: `Folder ${mark}` });
  const code = await post("/qrcode/create/", {
    workspace,
    qr_data: url,
    dynamic: true,
    display_name: mark,
    folder: folder.id,
  });
  const tagged = await post(`/qrcode/${code.id}/tags/add/`, [{ title: mark }]);
  const link = await post("/link/create/", { workspace, link: url, display_name: mark });
  const product = await post("/gs1/products/", {
    workspace,
    identifier_value: "9506000134352",
    batch_lot: mark,
    destination_url: url,
  });
  const page = await post("/page/create/", { workspace, title: mark, links: [{ url }] });
  const form = await post("/form/create/", { workspace, title: mark });
  const field = { id: "temp-1", field_type: "text", label: mark };
  const saved = await post(`/form/${form.id}/save/`, { fields: [field] });
  await post(`/form/${form.id}/publish/`, {});
  const byParam = {
    workspace_id: workspace,
    qr_code_id: code.id,
    page_code_id: page.qr_id,
    folder_id: folder.id,
    tag: tagged.tags[0].id,
    tag_id: tagged.tags[0].id,
    link_id: link.id,
    page_id: page.id,
    form_id: form.id,
    field_id: saved.fields[0].id,
    product_id: product.id,
    product_link_id: product.link_types[0].id,
  };
  return { workspace, byParam };
}

beforeAll(async () => {
  service = await makeService({
    fetch: async (url) => {
      if (url.endsWith(".png")) return Buffer.from(PNG, "base64");
      if (url.endsWith(".pdf")) return Buffer.from(PDF, "base64");
      throw new Error("nothing else is fetched in this test");
    },
  });
  foreign = await fillTenant(service.other.token, service.other.workspaceId, SECRET);
});
afterAll(() => service.close());

/** Below a product, `{link_id}` is another thing. */
const readParams = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) =>
    name === "link_id" && path.startsWith("/gs1/") ? "product_link_id" : name,
  );

const toPath = (path: string, ids: readonly string[]): string => {
  let next = 0;
  return path.replace(/\{\w+\}/gu, () => encodeURIComponent((ids[next++] ?? "").toWellFormed()));
};

const operations: [string, string, Json][] = Object.entries<Json>(wholePaths).flatMap(
  ([path, methods]) =>
    Object.entries<Json>(methods)
      // Deletions would empty the pool; they come last, in a test of their own.
      .filter(([method]) => method !== "delete")
      .map(([method, operation]): [string, string, Json] => [
        method.toUpperCase(),
        path,
        operation,
      ]),
);

/** path -> requests that were granted: a fuzz test that only ever gets 400 proves little. */
const succeeded = new Map<string, number>();

interface Sent {
  readonly ids: readonly string[];
  readonly query: string;
  readonly body: unknown;
}

async function sendAndCheck(method: string, [path, operation]: [string, Json], sent: Sent) {
  const address = `${toPath(path, sent.ids)}?${sent.query}`;
  const body = operation.requestBody === undefined ? undefined : sent.body;
  // What the answer is made of, `send` holds to the description.
  const { status, text: answer } = await service.send(method, address, body);
  if (status < 400) succeeded.set(path, (succeeded.get(path) ?? 0) + 1);
  const known = [...Object.keys(operation.responses), "405"].map(Number);
  expect(known, `${method} ${address} ${JSON.stringify(body)}: ${answer}`).toContain(status);
  // What a sender says itself may come back in a message; nobody here says it.
  expect(answer).not.toContain(SECRET);
}

describe.each(operations)("%s %s", (method, path, operation) => {
  // What one operation has changed must not starve the next.
  beforeAll(async () => {
    const own = await fillTenant(service.account.token, service.workspace, "mine");
    values = new Values(own, foreign);
  });

  it("answers as announced, whatever it is sent", async () => {
    const schema = operation.requestBody?.content["application/json"].schema;
    const sent = fc.record({
      ids: fc.tuple(...readParams(path).map((name) => values.param(name))),
      query: values.query(operation.parameters),
      body: schema === undefined ? fc.constant(undefined) : values.body(schema),
    });
    const property = fc.asyncProperty(sent, (one) => sendAndCheck(method, [path, operation], one));
    const seed = LONG > 0 ? Date.now() : 20_261_120;
    const run = fc.assert(property, { numRuns: RUNS, seed });
    await expect(run).resolves.toBeUndefined();
    expect(succeeded.get(path)).toBeGreaterThan(2);
  });
});

it("deletes nothing of another tenant", async () => {
  for (const [path, methods] of Object.entries<Json>(wholePaths)) {
    if (methods.delete === undefined) continue;
    for (const first of [...Object.values(foreign.byParam), UNKNOWN]) {
      for (const second of [...Object.values(foreign.byParam), SECRET]) {
        const address = toPath(path, [first, second]);
        const { status, body } = await service.send("DELETE", address);
        expect([status, body]).toEqual([404, { detail: "Not found." }]);
      }
    }
  }
});

it("has left the other tenant as it was", async () => {
  const { token, workspaceId } = service.other;
  const get = async (path: string): Promise<Wire> =>
    (await service.send("GET", `/workspace/${workspaceId}${path}`, undefined, { token })).body;
  for (const [path, expected] of [
    // Its own, the page's and the form's.
    ["/qrcodes/?include=tags", 3],
    ["/links/", 1],
    ["/folders/", 1],
    ["/tags/", 1],
    ["/gs1/products/", 1],
    ["/pages/", 1],
  ] as const) {
    const { count, results } = await get(path);
    expect(count).toBe(expected);
    expect(JSON.stringify(results)).toContain(SECRET);
  }
  const forms = await service.send("GET", `/forms/?workspace=${workspaceId}`, undefined, { token });
  expect(forms.body.results).toMatchObject([{ title: SECRET, status: "Published" }]);
});
