import { z } from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { endpointTable, type Endpoint, type EndpointName } from "../../src/api/endpoints.ts";

import { makeService, type TestService } from "./make-service.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const names = Object.keys(endpointTable) as EndpointName[];
const UNKNOWN = "00000000-0000-4000-8000-ffffffffffff";

let service: TestService;
/** Path parameter -> an id that exists. */
let own: Record<string, string>;
let foreign: Record<string, string>;

async function makeThings(token: string, workspace: string): Promise<Record<string, string>> {
  const make = async (path: string, body: unknown): Promise<string> =>
    (await service.send("POST", path, body, { token })).body.id;
  const code = await make("/qrcode/create/", {
    workspace,
    qr_data: "https://example.com/",
    dynamic: true,
  });
  await service.send("POST", `/qrcode/${code}/tags/add/`, [{ title: "Red" }], { token });
  return {
    workspace_id: workspace,
    qr_code_id: code,
    folder_id: await make("/folder/create/", { workspace, name: "F" }),
    tag: "red",
    link_id: await make("/link/create/", { workspace, link: "https://example.com/" }),
    ...(await makeProduct(token, workspace)),
    page_id: await make("/page/create/", { workspace, title: "Menu" }),
    form_id: await makeForm(make, workspace),
  };
}

/** A published one, so that it can be closed. */
async function makeForm(
  make: (path: string, body: unknown) => Promise<string>,
  workspace: string,
): Promise<string> {
  const form = await make("/form/create/", { workspace, title: "Survey" });
  await make(`/form/${form}/save/`, { fields: [field] });
  return make(`/form/${form}/publish/`, {});
}
const field = { id: "temp-1", field_type: "text", label: "Name" };

/** `{link_id}` means another thing below a product. */
async function makeProduct(token: string, workspace: string): Promise<Record<string, string>> {
  const { body } = await service.send(
    "POST",
    "/gs1/products/",
    { workspace, identifier_value: "9506000134352", destination_url: "https://example.com/p" },
    { token },
  );
  return { product_id: body.id, product_link_id: body.link_types[0].id };
}

beforeAll(async () => {
  service = await makeService({ fetch: () => Promise.resolve(pixel) });
  own = await makeThings(service.account.token, service.workspace);
  foreign = await makeThings(service.other.token, service.other.workspaceId);
});
afterAll(() => service.close());

/** The path with ids in it; the one list that takes its workspace in the query has it there. */
const fill = (path: string, values: Record<string, string>): string =>
  path === endpointTable.listForms.path
    ? `${path}?workspace=${values["workspace_id"] ?? UNKNOWN}`
    : fillPath(path, values);

const fillPath = (path: string, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/gu, (_, key: string) => {
    const isProductLink = key === "link_id" && path.startsWith("/gs1/");
    return values[isProductLink ? "product_link_id" : key] ?? UNKNOWN;
  });

/** A body that the endpoint takes. */
const toBody = (name: EndpointName): unknown => {
  const { workspace_id: workspace } = own;
  const bodies: Partial<Record<EndpointName, unknown>> = {
    createCode: { workspace, qr_data: "https://example.com/x" },
    updateCode: { display_name: "x" },
    updateDesign: { pattern: "Squares" },
    addTags: [{ title: "Blue" }],
    createFolder: { workspace, name: "New" },
    updateFolder: { name: "Renamed" },
    createPdf: {
      workspace,
      pdf_base64: Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64"),
    },
    createLink: { workspace, link: "https://example.com/l" },
    updateLink: { display_name: "x" },
    createProduct: { workspace, identifier_value: "09506000134376" },
    updateProduct: { batch_lot: "LOT1" },
    addProductLink: {
      link_type: "gs1:review",
      title: "Reviews",
      destination_url: "https://example.com/r",
    },
    updateProductLink: { title: "Renamed" },
    createPage: { workspace, title: "Page", links: [{ url: "https://example.com/" }] },
    createForm: { workspace, title: "Form" },
    saveForm: { fields: [field] },
    setFormLogo: { logo_url: "https://example.com/logo.png" },
    publishForm: {},
  };
  return bodies[name];
};

/** Deletions would take away what the other cases need. */
const isRemoval = (endpoint: Endpoint): boolean => endpoint.status[0] === 204;

describe.each(names)("%s", (name) => {
  const endpoint = endpointTable[name];
  const [method] = endpoint.methods;
  const path = (values: Record<string, string>): string => fill(endpoint.path, values);

  it("answers its status and shape, with and without the trailing slash, by every method", async () => {
    if (isRemoval(endpoint)) return;
    for (const each of endpoint.methods) {
      for (const address of [path(own), path(own).replace(/\/(?=\?|$)/u, "")]) {
        const { status, body, headers } = await service.send(each, address, toBody(name));
        expect(endpoint.status).toContain(status);
        const type = endpoint.response === undefined ? null : (endpoint.type ?? "application/json");
        expect(headers.get("content-type")).toBe(type);
        expect(endpoint.response?.safeParse(body).error).toBeUndefined();
      }
    }
  });

  it.each([
    ["no token", null],
    ["a wrong token", "0123456789abcdef0123456789abcdef01234567"],
  ])("answers 401 to %s (docs/spec/api.md section 5)", async (_, token) => {
    const { status, body, headers } = await service.send(method, path(own), toBody(name), {
      token,
    });
    expect(status).toBe(401);
    expect(body).toEqual({ detail: expect.any(String) as string });
    expect(headers.get("www-authenticate")).toBe("Token");
  });

  it("answers 401 before it looks at the path or the body", async () => {
    const { status } = await service.send(method, fill(endpoint.path, {}), undefined, {
      token: null,
    });
    expect(status).toBe(401);
  });

  it("answers another account's ids like unknown ones (404, one body)", async () => {
    if (!endpoint.path.includes("{")) return;
    const body = toBody(name);
    const theirs = await service.send(method, path({ ...foreign }), body);
    const unknown = await service.send(method, path({}), body);
    expect(theirs.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect(theirs.body).toEqual(unknown.body);
    expect(theirs.body).toEqual({ detail: "Not found." });
  });

  it("answers another workspace in the body with 404", async () => {
    const body = toBody(name) as { workspace?: string } | undefined;
    if (body?.workspace === undefined) return;
    for (const workspace of [service.other.workspaceId, UNKNOWN]) {
      const answer = await service.send(method, path(own), { ...body, workspace });
      expect([answer.status, answer.body]).toEqual([404, { detail: "Not found." }]);
    }
  });

  it("answers 405 with Allow to other methods", async () => {
    const there = names.filter((other) => endpointTable[other].path === endpoint.path);
    const methods = there.flatMap((other) => endpointTable[other].methods);
    const wrong = methods.includes("GET") ? "PUT" : "GET";
    // `/qrcode/create/` must not be read as the code "create".
    const answer = await service.send(wrong, path(own));
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")?.split(", ")).toEqual([
      ...methods,
      ...(methods.includes("GET") ? ["HEAD"] : []),
      "OPTIONS",
    ]);
    expect(answer.body).toEqual({ detail: expect.any(String) as string });
    const options = await service.send("OPTIONS", path(own));
    expect([options.status, options.text]).toEqual([204, ""]);
    expect(options.headers.get("allow")).toBe(answer.headers.get("allow"));
  });

  it("pages when it is a list (docs/spec/api.md section 2)", async () => {
    if (!endpoint.list) return;
    const address = path(own).includes("?") ? `${path(own)}&` : `${path(own)}?`;
    const { status, body } = await service.get(`${address}page=1&page_size=1`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: expect.any(Number) as number, previous: null });
    for (const bad of ["page=0", "page=x", "page_size=0", "page_size=-1", "page=1.5"]) {
      const answer = await service.get(`${address}${bad}`);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body)).toEqual([bad.split("=")[0]]);
    }
    const behind = await service.get(`${address}page=999`);
    expect(behind.body).toMatchObject({ results: [], next: null });
    expect(behind.body.message).toEqual(expect.any(String));
  });
});

describe.each(names.filter((name) => endpointTable[name].body !== undefined))(
  "body of %s",
  (name) => {
    const endpoint = endpointTable[name];
    const [method] = endpoint.methods;
    const send = (body: unknown) => service.send(method, fill(endpoint.path, own), body);
    const post = (raw: string | Uint8Array<ArrayBuffer>, type?: string) =>
      service.send(method, fill(endpoint.path, own), undefined, {
        raw,
        headers: type === undefined ? {} : { "content-type": type },
      });

    it.each(["text/plain", "application/x-www-form-urlencoded", "text/json"])(
      "answers 415 to %s",
      async (type) => {
        const answer = await post(JSON.stringify(toBody(name)), type);
        expect([answer.status, answer.body]).toEqual([
          415,
          { detail: expect.any(String) as string },
        ]);
      },
    );

    it("takes a charset beside the type", async () => {
      const answer = await post(JSON.stringify(toBody(name)), "application/json; charset=utf-8");
      expect(endpoint.status).toContain(answer.status);
    });

    it.each(["{", "nul", '{"a":1}}', "\u00ff\u00fe", "[1,]"])(
      "answers 400 to malformed JSON %j",
      async (raw) => {
        const answer = await post(raw, "application/json");
        expect([answer.status, answer.body]).toEqual([
          400,
          { non_field_errors: [expect.stringContaining("JSON") as string] },
        ]);
      },
    );

    it("reads an empty body as one without fields", async () => {
      const empty = await post("", "application/json");
      const bare = await send(endpoint.body instanceof z.ZodArray ? [] : {});
      expect([empty.status, empty.body]).toEqual([bare.status, bare.body]);
    });

    it.each(["null", "5", '"x"', "true", "[]"])("answers 400 to the JSON %s", async (raw) => {
      const answer = await post(raw, "application/json");
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body)).toEqual(["non_field_errors"]);
    });

    it("answers 400 to JSON as deep as it gets", async () => {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      expect((await post(deep, "application/json")).status).toBe(400);
    });

    it("answers 400 to bytes that are no UTF-8", async () => {
      const answer = await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), "application/json");
      expect(answer.status).toBe(400);
    });

    it("ignores fields that it does not know", async () => {
      const body = toBody(name);
      if (Array.isArray(body)) return;
      const more = { ...(body as object), no_such_field: 1, __proto__x: {}, constructor: 5 };
      expect(endpoint.status).toContain(
        (await service.send(method, fill(endpoint.path, own), more)).status,
      );
    });
  },
);

it("has no API path that is not in the table", async () => {
  for (const path of ["/", "", "/qrcode/", "/nothing/here/", "/qrcode/x/y/z/"]) {
    const { status, body } = await service.get(path);
    expect([status, body]).toEqual([404, { detail: "Not found." }]);
  }
});

it("answers HEAD as GET without a body", async () => {
  const answer = await service.send("HEAD", `/qrcode/${own["qr_code_id"]}/`);
  expect([answer.status, answer.text]).toEqual([200, ""]);
});

it("removes things with 204 and no body, and then knows them no more", async () => {
  for (const name of [
    "deleteCode",
    "deleteFolder",
    "deleteLink",
    "deleteProductLink",
    "deleteProduct",
  ] as const) {
    const path = fill(endpointTable[name].path, own);
    const first = await service.send("DELETE", path);
    expect([first.status, first.text, first.headers.get("content-type")]).toEqual([204, "", null]);
    expect((await service.send("DELETE", path)).status).toBe(404);
  }
});
