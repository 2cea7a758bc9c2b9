/**
 * Requests made from our own OpenAPI file: right ones, nearly right ones and wrong ones, against
 * every operation. Never a 500, never a status that isn't announced, never another tenant's data.
 */
import { readFileSync } from "node:fs";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "./make-service.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- JSON Schema is probed by path
type Json = any;

const document: Json = JSON.parse(
  readFileSync(new URL("../../schema/openapi.v2.json", import.meta.url), "utf8"),
);
/** `FUZZ_RUNS=3000` sends so many requests to every operation, others each time. */
const LONG = Number(process.env["FUZZ_RUNS"] ?? 0);
const RUNS = LONG || 90;
/** Stands in everything that the other tenant has. */
const SECRET = "zebra-secret";
const UNKNOWN = "00000000-0000-4000-8000-ffffffffffff";

let service: TestService;
/** Ids of both tenants, and the workspace that a right request names. */
let pool: string[] = [];
let foreign: string[] = [];

async function fillTenant(token: string, workspace: string, mark: string): Promise<string[]> {
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
  return [
    page.id,
    page.qr_id,
    form.id,
    saved.fields[0].id,
    workspace,
    folder.id,
    code.id,
    tagged.tags[0].id,
    link.id,
    product.id,
    product.link_types[0].id,
  ];
}

beforeAll(async () => {
  service = await makeService({
    fetch: () => Promise.reject(new Error("nothing is fetched in this test")),
  });
  pool = await fillTenant(service.account.token, service.workspace, "mine");
  foreign = await fillTenant(service.other.token, service.other.workspaceId, SECRET);
});
afterAll(() => service.close());

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", " ", "\u0000", "\ud800", "../..", "%", "%00", "'\"--", "none", "constructor"),
);
const id = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pool) },
    { weight: 2, arbitrary: fc.constantFrom(...foreign) },
    fc.constant(UNKNOWN),
    odd,
  );
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "https://example.com/x",
    "#12ab9f",
    "9506000134352",
    "mine",
    "data:image/png;base64,iVBORw0KGgo=",
    "JVBERi0xLjc=",
    "261120",
  ),
);

/** A value that fits the schema, as far as JSON Schema says what fits. */
function fit(schema: Json, name: string): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((one: Json) => fit(one, name)));
  }
  switch (schema.type) {
    case "object":
      return fitObject(schema);
    case "array":
      return fc.array(fit(schema.items ?? {}, name), { maxLength: 4 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "number":
    case "integer":
      return fc.integer({ min: -1, max: 400 });
    case "string":
      if (name === "workspace") return fc.constant(service.workspace);
      return /^(?:folder|parent|template|id|gs1_product)$/u.test(name) ? id() : text;
    default:
      return fc.oneof(text, fc.integer(), id());
  }
}

function fitObject({ properties = {}, required = [] }: Json): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, fit(schema, name)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

const anything = fc.jsonValue({ maxDepth: 3 });

/** The fitting body, or the same with one field replaced by anything, or anything at all. */
function toBody(schema: Json): fc.Arbitrary<unknown> {
  const right = fit(schema, "");
  const names = Object.keys(schema.properties ?? {});
  const broken =
    names.length === 0
      ? anything
      : fc
          .tuple(right, fc.constantFrom(...names), anything)
          .map(([body, name, value]) => ({ ...(body as object), [name]: value }));
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 3, arbitrary: broken }, anything);
}

function toQuery(parameters: Json[]): fc.Arbitrary<string> {
  const given = parameters.filter((parameter) => parameter.in === "query");
  const value = fc.oneof(
    fc.integer({ min: -2, max: 400 }).map(String),
    fc.constantFrom(
      "true",
      "scans,tags",
      "none",
      "2026-11-20",
      "2026-11-20T08:00:00Z",
      "png",
      "svg",
    ),
    id(),
  );
  const fields = given.map((parameter) => [parameter.name, value]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((query) =>
    Object.entries(query)
      .map(([name, each]) => `${name}=${encodeURIComponent(String(each).toWellFormed())}`)
      .join("&"),
  );
}

const toPath = (path: string, ids: readonly string[]): string => {
  let next = 0;
  return path.replace(/\{\w+\}/gu, () => encodeURIComponent((ids[next++] ?? "").toWellFormed()));
};

const operations: [string, string, Json][] = Object.entries<Json>(document.paths).flatMap(
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

interface Sent {
  readonly ids: readonly string[];
  readonly query: string;
  readonly body: unknown;
}

async function sendAndCheck(method: string, [path, operation]: [string, Json], sent: Sent) {
  const address = `${toPath(path, sent.ids)}?${sent.query}`;
  const body = operation.requestBody === undefined ? undefined : sent.body;
  const { status, text: answer, headers } = await service.send(method, address, body);
  const known = [...Object.keys(operation.responses), "405"].map(Number);
  expect(known, `${method} ${address} ${JSON.stringify(body)}: ${answer}`).toContain(status);
  // What a sender says itself may come back in a message; nobody here says it.
  expect(answer).not.toContain(SECRET);
  if (status >= 400) expect(headers.get("content-type")).toBe("application/json");
}

describe.each(operations)("%s %s", (method, path, operation) => {
  it("answers as announced, whatever it is sent", async () => {
    const schema = operation.requestBody?.content["application/json"].schema;
    const sent = fc.record({
      ids: fc.array(id(), { minLength: 2, maxLength: 2 }),
      query: toQuery(operation.parameters),
      body: schema === undefined ? fc.constant(undefined) : toBody(schema),
    });
    const property = fc.asyncProperty(sent, (one) => sendAndCheck(method, [path, operation], one));
    const seed = LONG > 0 ? Date.now() : 20_261_120;
    const run = fc.assert(property, { numRuns: RUNS, seed });
    await expect(run).resolves.toBeUndefined();
  }, 600_000);
});

it("deletes nothing of another tenant", async () => {
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    if (methods.delete === undefined) continue;
    for (const first of [...foreign, UNKNOWN]) {
      for (const second of [...foreign, SECRET]) {
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
