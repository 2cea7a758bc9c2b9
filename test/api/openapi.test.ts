import { readFileSync } from "node:fs";

import { validate } from "@readme/openapi-parser";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";

import { endpointTable } from "../../src/api/endpoints.ts";
import { makeOpenApi } from "../../src/api/openapi/openapi.ts";
import { FormSubmitted, webhookEventNames, webhookHeaders } from "../../src/api/webhook.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the document is probed by path
type Json = any;
const document: Json = makeOpenApi("https://api.example/api/v2");

/** What a reference leads to. */
const follow = (schema: Json): Json =>
  schema.$ref === undefined
    ? schema
    : schema.$ref
        .split("/")
        .slice(1)
        .reduce((at: Json, key: string) => at[key], document);
const bodyOf = (path: string, method: string): Json =>
  follow(document.paths[path][method].requestBody.content["application/json"].schema);
const answerOf = (path: string, method = "get"): Json =>
  follow(document.paths[path][method].responses["200"].content["application/json"].schema);
/** Schema of a query parameter. */
const queryOf = (path: string, name: string): Json =>
  document.paths[path].get.parameters.find((one: Json) => one.name === name).schema;
/** The words of a field that may be null. */
const wordsOf = (schema: Json): Json => follow(schema.anyOf?.[0] ?? schema).enum;

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

  it("announces the Idempotency-Key on creates only (docs/spec/engine.md section 1.7)", () => {
    for (const { path, methods, creates } of Object.values(endpointTable)) {
      const { parameters } = document.paths[path][methods[0].toLowerCase()];
      const names = parameters.map(({ name }: { name: string }) => name);
      expect(names.includes("Idempotency-Key")).toBe(creates);
    }
  });

  it("names the creates that take the key, and no other", () => {
    const posts = Object.values(endpointTable).filter(({ methods }) => methods[0] === "POST");
    const keyed = posts.filter(({ creates }) => creates).map(({ path }) => path);
    expect(keyed).toContain("/qrcode/create/");
    const named = posts.filter(({ path }) => document.info.description.includes(`\`${path}\``));
    expect(named.map(({ path }) => path)).toEqual(keyed);
  });

  it("says what a create takes and which fields it needs", () => {
    const { responses } = document.paths["/qrcode/create/"].post;
    const schema = bodyOf("/qrcode/create/", "post");
    expect(schema.required).toEqual(["workspace"]);
    // Optional fields take null as well.
    const [pattern, none] = schema.properties.pattern.anyOf;
    expect([pattern, none]).toEqual([{ $ref: "#/components/schemas/Pattern" }, { type: "null" }]);
    expect(schema.properties.dynamic).toMatchObject({ type: ["boolean", "null"] });
    expect(Object.keys(responses)).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "409",
      "415",
      "422",
      "429",
      "503",
    ]);
  });

  it("asks for a body only where a field is needed: a form is published without one", () => {
    const needed = [
      document.paths["/form/{form_id}/publish/"].post,
      document.paths["/folder/{folder_id}/update/"].patch,
      document.paths["/qrcode/{qr_code_id}/tags/add/"].post,
    ].map(({ requestBody }) => requestBody.required);
    expect(needed).toEqual([false, true, true]);
  });

  it("shows paths of folders and devices as answers have them", () => {
    const { Activity, FolderRef } = document.components.schemas;
    expect(FolderRef.properties.path.examples).toEqual(["Tables/North hall"]);
    expect(Activity.properties.device.examples).toEqual(["Mobile, iOS, Safari"]);
  });

  it("has no default in a body: generated clients would send it, and so overrule a template", () => {
    expect(JSON.stringify(document.components.schemas)).not.toContain('"default":');
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

  it("has the design fields, values and defaults of docs/spec/api.md section 2.2", () => {
    const create = bodyOf("/qrcode/create/", "post").properties;
    const restyle = bodyOf("/qrcode/{qr_code_id}/design/", "patch").properties;
    const values: Record<string, readonly string[]> = {
      pattern: ["Original", "Circles", "Squares", "Diamonds", "Triangles"],
      eye_style: ["Square", "Rounded", "Drop", "Leaf"],
      error_correction: ["L", "M", "Q", "H"],
      frame:
        "border border-small border-large square speech-bubble speech-bubble-above card card-above text-frame round-frame circle-viewfinder solid-spin burst scattered-lines polkadot swirl".split(
          " ",
        ),
    };
    for (const [field, words] of Object.entries(values)) {
      for (const body of [create, restyle]) expect(wordsOf(body[field])).toEqual(words);
    }
    for (const field of ["primary_color", "eye_color", "background_color", "frame_color"]) {
      const color = new RegExp(create[field].pattern, "u");
      expect(["#aB0", "#aabbcc"].every((right) => color.test(right))).toBe(true);
      expect(["aabbcc", "#aabb", "red"].some((wrong) => color.test(wrong))).toBe(false);
    }
    const defaults: Record<string, string> = {
      primary_color: "`#111111`",
      pattern: "`Original`",
      eye_style: "`Square`",
      has_border: "`false`",
      text: "none",
      size: "`220`",
    };
    for (const [field, value] of Object.entries(defaults))
      expect(create[field].description).toMatch(`Left out: as in the template, else ${value}.`);
    expect(Object.keys(restyle)).toEqual(
      expect.arrayContaining(["text_secondary", "logo_base64", "remove_logo", "logo_round"]),
    );
    expect(create).not.toHaveProperty("text_secondary");
    expect(create.logo_url).toMatchObject({ type: ["string", "null"], maxLength: 4096 });
  });

  it.each([
    ["/workspace/{workspace_id}/qrcodes/", 200],
    ["/workspace/{workspace_id}/templates/", 200],
    ["/workspace/{workspace_id}/folders/", 200],
    ["/workspace/{workspace_id}/tags/", 200],
    ["/workspace/{workspace_id}/links/", 200],
    ["/qrcode/{qr_code_id}/activity/", 200],
    ["/link/{link_id}/activity/", 200],
    ["/forms/", 100],
    ["/forms/{form_id}/responses/", 100],
  ])("pages %s as docs/spec/api.md sections 2 and 8 say", (path, maximum) => {
    expect(queryOf(path, "page")).toEqual({ type: "integer", minimum: 1, default: 1 });
    const size = { type: "integer", minimum: 1, maximum, default: 50 };
    expect(queryOf(path, "page_size")).toEqual(size);
    const { properties } = answerOf(path);
    expect(Object.keys(properties)).toEqual(["count", "next", "previous", "results", "message"]);
  });

  it("has the windows and figures of docs/spec/api.md sections 4.1 and 8", () => {
    const [one, all] = ["/qrcode/{qr_code_id}/analytics/", "/workspace/{workspace_id}/analytics/"];
    const days = { type: "integer", minimum: 1, maximum: 365 };
    for (const path of [one, all]) expect(queryOf(path, "days")).toEqual({ ...days, default: 30 });
    // Lifetime by default (2.1).
    expect(queryOf("/workspace/{workspace_id}/qrcodes/", "days")).toEqual(days);
    const top = { type: "integer", minimum: 1, maximum: 100, default: 10 };
    expect(queryOf(all, "top")).toEqual(top);
    expect(queryOf("/workspace/{workspace_id}/qrcodes/", "subfolders")).toEqual({
      type: "boolean",
    });
  });

  it.each<[section: string, path: string, fields: string]>([
    [
      "2.1",
      "/workspace/{workspace_id}/qrcodes/",
      "id display_name qr_data qr_type shortlink_url dynamic png created folder total_scans unique_scans tags",
    ],
    [
      "2.3",
      "/workspace/{workspace_id}/templates/",
      "id title primary_color eye_color background_color pattern eye_style frame_color has_border text frame has_logo preview is_default",
    ],
    ["2.4", "/workspace/{workspace_id}/folders/", "id name slug path parent code_count created"],
    ["2.5", "/workspace/{workspace_id}/tags/", "id title slug"],
    ["2.8", "/workspace/{workspace_id}/links/", "id link display_name gps"],
  ])("has the fields of docs/spec/api.md section %s in %s", (_, path, fields) => {
    const { properties } = follow(answerOf(path).properties.results.items);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields.split(" ")));
  });

  it("has the fields of single codes, PDF codes and short links (docs/spec/api.md sections 2.1, 2.9 and 2.8)", () => {
    const code = answerOf("/qrcode/{qr_code_id}/").properties;
    expect(Object.keys(code)).toEqual(expect.arrayContaining(["svg", "vcard", "pdf_file_url"]));
    expect(wordsOf(code.qr_type)).toEqual(["Link", "Text", "vCard", "GS1"]);
    expect(code.created).toMatchObject({ type: "string", format: "date-time" });
    expect(answerOf("/pdf/create/", "post").properties).toEqual(code);
    expect(answerOf("/link/{link_id}/").properties).toHaveProperty("svg");
    const link = bodyOf("/link/create/", "post");
    expect(link.required).toEqual(["workspace", "link"]);
    expect(wordsOf(link.properties.link_type)).toEqual(["Link"]);
    expect(link.properties.gps.description).toMatch("false unless given");
    expect(link.properties.workspace).toMatchObject({ type: "string", format: "uuid" });
    const folder = bodyOf("/folder/create/", "post");
    expect(folder.required).toEqual(["workspace", "name"]);
    expect(folder.properties.name.maxLength).toBe(150);
  });

  it("names every thing once, and describes each with all its fields and parameters", () => {
    const nameless: string[] = [];
    const isSaid = (schema: Json): boolean =>
      [schema, ...(schema.anyOf ?? [])].some((one) => "description" in one || "$ref" in one);
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      for (const [field, property] of Object.entries<Json>(schema.properties ?? {})) {
        if (!isSaid(property)) nameless.push(`${name}.${field}`);
      }
    }
    for (const [path, operations] of Object.entries<object>(document.paths)) {
      for (const { parameters, requestBody } of Object.values(operations)) {
        for (const { name, description } of parameters) {
          if (description === undefined) nameless.push(`${path}?${name}`);
        }
        const { schema } = requestBody?.content["application/json"] ?? {};
        if (schema !== undefined && schema.$ref === undefined) nameless.push(path);
      }
    }
    expect(nameless).toEqual([]);
    // No shape is written twice under two names.
    const shapes = Object.values<Json>(document.components.schemas).map((one) =>
      JSON.stringify(one),
    );
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it("marks what answers always contain, and describes the limits of each", () => {
    const { required, properties } = document.components.schemas.Code;
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    expect(optional).toEqual(
      "png svg svg_file design vcard gs1_product pdf_file_url scan_warnings".split(" "),
    );
    expect(properties.shortlink_url.type).toEqual(["string", "null"]);
    const limits = [
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
      "RateLimit-Policy",
    ];
    for (const operations of Object.values<object>(document.paths)) {
      for (const { responses } of Object.values(operations)) {
        for (const [status, response] of Object.entries<Json>(responses)) {
          const { headers } = follow(response);
          expect(Object.keys(headers)).toEqual(expect.arrayContaining(limits));
          if (["429", "503"].includes(status)) expect(headers).toHaveProperty("Retry-After");
          for (const header of Object.values<Json>(headers)) {
            expect(follow(header)).toHaveProperty("description");
          }
        }
      }
    }
  });

  it("groups operations by tags, each described", () => {
    const known = document.tags.map(({ name }: Json) => name);
    const used = Object.values<object>(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ tags }) => tags),
    );
    expect(new Set([...used, "Webhooks"])).toEqual(new Set(known));
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].+\.$/u);
  });

  it("has the report of a scan as a webhook (docs/spec/api.md section 6)", () => {
    const { post } = document.webhooks.scan;
    const { schema } = post.requestBody.content["application/json"];
    expect(Object.keys(follow(schema).properties).toSorted()).toEqual(
      "device id location qr_code_id scanner_id time_timezone_aware time_utc".split(" "),
    );
    expect(post.parameters[0]).toMatchObject({ name: "x-signature", in: "header", required: true });
    expect(post.description).toContain("Robots and link previews are not reported");
  });

  it("has every event that receivers get, with every header of a delivery", () => {
    expect(Object.keys(document.webhooks)).toEqual(webhookEventNames);
    for (const { post } of Object.values<Json>(document.webhooks)) {
      expect(post.parameters.map(({ name }: Json) => name)).toEqual(Object.values(webhookHeaders));
    }
    const { post } = document.webhooks["form.submitted"];
    const { properties, required } = follow(post.requestBody.content["application/json"].schema);
    expect(Object.keys(properties).toSorted()).toEqual(Object.keys(FormSubmitted.shape).toSorted());
    expect(required).toEqual(expect.arrayContaining(["type", "form_id", "id"]));
  });

  it("gives the format of an address only to those that the service makes: people write others", () => {
    const found: string[] = [];
    for (const { properties = {} } of Object.values<Json>(document.components.schemas)) {
      for (const [field, property] of Object.entries<Json>(properties)) {
        if (property.format === "uri") found.push(field);
      }
    }
    expect([...new Set(found)].toSorted()).toEqual(
      "logo_url next pdf_file_url png png_url preview previous share_url shortlink_url svg_file svg_url".split(
        " ",
      ),
    );
    const { Form, CodeCreate, FormSave } = document.components.schemas;
    for (const one of [Form.properties.redirect_url, CodeCreate.properties.logo_url])
      expect(one).not.toHaveProperty("format");
    expect(FormSave.properties.redirect_url).toMatchObject({ maxLength: 4096 });
  });

  it("asks for destinations as long as the service takes them, and for hosts as it reads them", () => {
    for (const [path, method] of [
      ["/qrcode/{qr_code_id}/update/", "patch"],
      ["/link/create/", "post"],
    ] as const) {
      const { qr_data, link } = bodyOf(path, method).properties;
      expect((qr_data ?? link).maxLength).toBe(4096);
    }
    const host = new RegExp(queryOf("/gs1/products/{product_id}/linkset/", "domain").pattern, "u");
    expect(["id.EXAMPLE:8443", "a..b"].map((one) => host.test(one))).toEqual([true, false]);
    const { media_type } = bodyOf("/gs1/products/{product_id}/links/", "post").properties;
    const media = new RegExp(media_type.pattern, "u");
    expect(["Text/HTML", "html"].map((one) => media.test(one))).toEqual([true, false]);
  });

  it("has words and patterns that generators can write down: null is no word, a slash a slash", () => {
    const places: string[] = [];
    const walk = (place: string, schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { enum: words, pattern } = schema as Json;
      if (Array.isArray(words) && words.includes(null)) places.push(place);
      if (typeof pattern === "string" && pattern.includes("\\/")) places.push(place);
      for (const [key, inner] of Object.entries(schema)) walk(`${place}/${key}`, inner);
    };
    walk("", document);
    expect(places).toEqual([]);
    expect(bodyOf("/link/create/", "post").properties.link_type.anyOf).toEqual([
      { type: "string", enum: ["Link"] },
      { type: "null" },
    ]);
  });

  it("is JSON through and through", () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe("the edition for old generators", () => {
  const old: Json = makeOpenApi("https://api.example/api/v2", "3.0");
  const text = JSON.stringify(old);

  it("has the same operations and things", () => {
    expect(old.openapi).toBe("3.0.3");
    expect(Object.keys(old.paths)).toEqual(Object.keys(document.paths));
    const inlined = ["FolderRef", "Frame"]; // Wherever they stand, null may stand instead.
    expect(Object.keys(old.components.schemas)).toEqual(
      Object.keys(document.components.schemas).filter((name) => !inlined.includes(name)),
    );
    expect(old["x-webhooks"].scan.post.operationId).toBe("onScan");
  });

  it("says null beside a type only: elsewhere it means nothing in 3.0", () => {
    const bare: string[] = [];
    const walk = (place: string, schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      if ("nullable" in schema && !("type" in schema)) bare.push(place);
      for (const [key, inner] of Object.entries(schema)) walk(`${place}/${key}`, inner);
    };
    walk("", old);
    expect(bare).toEqual([]);
    expect(old.components.schemas.Code.properties.folder).toMatchObject({
      type: "object",
      nullable: true,
    });
    expect(old.components.schemas.FieldAnswer.properties.value.anyOf[0]).toEqual({
      type: "string",
      nullable: true,
    });
  });

  it("lets validators take null wherever it says so", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(old, "old");
    const refused: string[] = [];
    const walk = (at: string, schema: Json): void => {
      if (typeof schema !== "object" || schema === null) return;
      if (schema.nullable === true && ajv.getSchema(`old#${at}`)?.(null) !== true) refused.push(at);
      for (const [key, inner] of Object.entries(schema)) walk(`${at}/${key}`, inner);
    };
    walk("/components/schemas", old.components.schemas);
    expect(refused).toEqual([]);
    const code = ajv.getSchema("old#/components/schemas/Code/properties/folder");
    expect([null, {}, 1].map((value) => code?.(value))).toEqual([true, false, false]);
  });

  it("says null as 3.0 does, and nothing that 3.0 doesn't know", () => {
    expect(old.components.schemas.Code.properties.shortlink_url).toMatchObject({
      type: "string",
      nullable: true,
    });
    // Old generators break at null in a list of words.
    const { pattern, vcard } = old.components.schemas.CodeCreate.properties;
    expect(pattern).toEqual({
      type: "string",
      nullable: true,
      pattern: "^(?:Original|Circles|Squares|Diamonds|Triangles)$",
      description:
        "How the modules are drawn. Left out: as in the template, else `Original`. One of Original, Circles, Squares, Diamonds, Triangles.",
    });
    expect(vcard.properties.version.pattern).toBe("^(?:3[.]0|4[.]0|lean)$");
    expect(text).not.toMatch(/"enum":\[[^\]]*null/u);
    expect(text).not.toMatch(
      /"(?:type":\[|type":"null"|examples"|const"|\$schema"|\$defs"|webhooks":)/u,
    );
    // Beside a reference, nothing counts.
    expect(text).not.toMatch(/"\$ref":"[^"]*",|,"\$ref":/u);
  });
});

it.each([
  ["openapi.v2.json", "3.1"],
  ["openapi-3.0.v2.json", "3.0"],
] as const)("%s is checked in as it is today (`npm run schema` writes it)", (name, edition) => {
  const file = new URL(`../../schema/${name}`, import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(makeOpenApi("/api/v2", edition));
});

it.each(["3.1", "3.0"] as const)(
  "is a document of OpenAPI %s by its own schema",
  async (edition) => {
    const result = await validate(structuredClone(makeOpenApi("/api/v2", edition)) as never);
    expect(result).toMatchObject({ valid: true, warnings: [] });
  },
);
