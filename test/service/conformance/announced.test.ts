/**
 * What the OpenAPI file announces of every field and parameter, the service does
 * (docs/spec/api.md sections 2.2, 4 and 8).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "../make-service.ts";
import { wholePaths } from "../whole-description.ts";

/** path -> its fields in a request that is granted, besides the workspace; of PATCH, none is needed. */
const bodies: Record<string, Record<string, unknown>> = {
  "/qrcode/create/": { qr_data: "https://example.com/", dynamic: true },
  "/qrcode/{qr_code_id}/update/": {},
  "/qrcode/{qr_code_id}/design/": {},
  "/folder/create/": { name: "Same" },
  "/folder/{folder_id}/update/": { name: "Same, too" },
  "/pdf/create/": {
    pdf_base64: Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64"),
  },
  "/link/create/": { link: "https://example.com/" },
  "/link/{link_id}/update/": {},
  "/page/create/": { title: "Page" },
  "/form/create/": { title: "Form" },
  "/form/{form_id}/save/": { fields: [] },
  "/gs1/products/": { identifier_value: "09506000134376" },
  "/gs1/products/{product_id}/": {},
};
/** Fields whose right values follow from more than their schema. */
const special = /^(?:qr_type|qr_data|identifier_\w+|batch_lot|serial_number|expiry_date|text)$/u;
/** References are 404s when they lead nowhere. */
const reference = /^(?:workspace|folder|parent|template|domain)$/u;
/** Wrong ones are named in other words: choices between two shapes or two fields. */
const choice = /^(?:gs1_product|vcard|pdf_url)$/u;

let service: TestService;
let ids: Record<string, string>;
beforeAll(async () => {
  service = await makeService();
  const { workspace } = service;
  const make = async (path: string, fields: object): Promise<string> =>
    (await service.send("POST", path, { workspace, ...fields })).body.id;
  ids = {
    workspace_id: workspace,
    qr_code_id: (await service.code({ dynamic: true })).id,
    folder_id: (await service.folder("Folder")).id,
    link_id: await make("/link/create/", { link: "https://example.com/" }),
    form_id: await make("/form/create/", { title: "Form" }),
    product_id: await make("/gs1/products/", { identifier_value: "09506000134352" }),
  };
});
afterAll(() => service.close());

const fill = (path: string): string =>
  path.replace(/\{(\w+)\}/gu, (_, name: string) => ids[name] ?? "");

interface Values {
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
}

/** Values at the bounds of a schema, and just beyond. */
function readValues(schema: Wire): Values {
  const all: Wire[] = schema.anyOf ?? [schema];
  const main = all.find(({ type }) => type !== "null");
  const types = all.flatMap(({ type }) => type);
  const words = main.enum?.filter((word: unknown) => word !== null);
  const { minimum: min, maximum: max, maxLength, pattern } = main;
  // Addresses have no format, since people write them in any script, but an example.
  const isAddress = String(schema.examples?.[0] ?? main.examples?.[0] ?? "").startsWith("https:");
  const isFree = !isAddress && pattern === undefined;
  const samples: Record<string, unknown> = { boolean: true, integer: 5, array: [], object: {} };
  const others = Object.entries(samples).filter(([type]) => !types.includes(type));
  const long = maxLength !== undefined && maxLength < 10_000;
  return {
    right: [
      ...(types.includes("null") ? [null] : []),
      ...(types.includes("boolean") ? [true, false] : []),
      ...(schema.default === undefined ? [] : [schema.default]),
      ...(words ?? []),
      ...[min, max].filter((bound) => Number.isInteger(bound)),
      ...(long && isFree ? ["x".repeat(maxLength)] : []),
    ],
    wrong: [
      ...others.map(([, value]) => value),
      ...(types.includes("null") ? [] : [null]),
      ...(types.includes("string") ? [] : ["true", "5", ""]),
      ...(words === undefined ? [] : [`${words[0]} `, ""]),
      ...(min === undefined ? [] : [min - 1, min + 0.5]),
      ...(max === undefined ? [] : [max + 1]),
      ...(long ? ["x".repeat(maxLength + 1)] : []),
      ...(isFree ? [] : ["not like this!"]),
    ],
  };
}

const fields = Object.keys(bodies).flatMap((path) => {
  const [method, { requestBody }] = Object.entries<Wire>(wholePaths[path]).find(
    ([, one]) => one.requestBody !== undefined,
  )!;
  const { properties } = requestBody.content["application/json"].schema;
  return Object.entries<Wire>(properties)
    .filter(([field]) => !choice.test(field))
    .map(([field, schema]): [string, string, string, Values] => [
      method.toUpperCase(),
      path,
      field,
      readValues(schema),
    ]);
});

it.each(fields)("%s %s: %s is what the file says", async (method, path, field, values) => {
  const send = async (value: unknown): Promise<Wire> => {
    const workspace = method === "POST" ? { workspace: service.workspace } : {};
    const sent = { ...workspace, ...bodies[path], [field]: value };
    const { status, body } = await service.send(method, fill(path), sent);
    return [value, status, status < 300 ? [] : Object.keys(body)];
  };
  for (const value of values.wrong) expect(await send(value)).toEqual([value, 400, [field]]);
  if (special.test(field) || reference.test(field) || field in (bodies[path] ?? {})) return;
  for (const value of values.right) {
    const granted = expect.toSatisfy((status: number) => status < 300) as number;
    expect(await send(value)).toEqual([value, granted, []]);
  }
});

describe("parameters", () => {
  const parameters = Object.entries<Wire>(wholePaths)
    .filter(([path, { get }]) => get !== undefined && !/page_id|\/qr\/$/u.test(path))
    .flatMap(([path, { get }]) =>
      get.parameters
        .filter(({ in: place, name }: Wire) => place === "query" && name !== "workspace")
        .map(({ name, schema }: Wire): [string, string, Wire] => [path, name, schema]),
    );

  it.each(parameters)("%s?%s is what the file says", async (path, name, schema) => {
    const send = async (value: unknown): Promise<Wire> => {
      const workspace = path === "/forms/" ? `workspace=${service.workspace}&` : "";
      const address = `${fill(path)}?${workspace}${name}=${encodeURIComponent(String(value))}`;
      const { status, body } = await service.get(address);
      return [value, status, status < 300 ? [] : Object.keys(body)];
    };
    const { minimum: min, maximum: max, default: usual, examples, type, maxLength } = schema;
    const right = [
      min,
      max,
      usual,
      ...(examples ?? []),
      ...(type === "boolean" ? [true, false] : []),
    ];
    for (const value of right.filter((one) => one !== undefined)) {
      expect(await send(value)).toEqual([value, 200, []]);
    }
    const wrong = [
      ...(type === "string" ? [] : ["x", "", "1.5", "null"]),
      ...(type === "integer" ? [min - 1, "true"] : []),
      // More than the largest page means the largest.
      ...(max === undefined || name === "page_size" ? [] : [max + 1]),
      ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ];
    for (const value of wrong) expect(await send(value)).toEqual([value, 400, [name]]);
  });
});
