import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  makeService,
  PUBLIC_URL,
  type Answer,
  type TestService,
  type Wire,
} from "../make-service.ts";
import { readCode } from "../read-code.ts";

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const create = (fields: Record<string, unknown>): Promise<Answer> =>
  service.send("POST", "/qrcode/create/", { workspace: service.workspace, ...fields });
const getCode = async (id: string): Promise<Wire> => (await service.get(`/qrcode/${id}/`)).body;
const findItem = async (id: string, query = ""): Promise<Wire> => {
  const path = `/workspace/${service.workspace}/qrcodes/?page_size=200${query}`;
  return (await service.get(path)).body.results.find((item: Wire) => item.id === id);
};
const decode = async (id: string): Promise<string | undefined> => {
  const { png_url: url } = (await service.get(`/qrcode/${id}/download/`)).body;
  const response = await service.fetch(new Request(url));
  return readCode(new Uint8Array(await response.arrayBuffer()));
};
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u) as string;
const anyId = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u) as string;

const contact = {
  first_name: "Zoë",
  last_name: "Łuczak",
  company_name: "Müller; Söhne, GmbH",
  position: "Chefin",
  email: "zoe@example.com",
  mobile_number: "+49 170 1",
  phone_number: "+49 30 2",
  website: "https://example.com/z",
  street: "Hauptstraße 1",
  city: "Köln",
  state: "NRW",
  country: "Deutschland",
  post_code: "50667",
  description: "Zeile 1\nZeile 2",
};

/** type -> a right create of it, static and dynamic. */
const creates: [string, Record<string, unknown>][] = [
  ["static Link", { qr_data: "https://example.com/s" }],
  ["dynamic Link", { qr_data: "https://example.com/d", dynamic: true }],
  ["Text", { qr_type: "Text", qr_data: "plain text" }],
  ["static vCard", { qr_type: "vCard", vcard: contact }],
  ["dynamic vCard", { qr_type: "vCard", vcard: contact, dynamic: true }],
  [
    "GS1",
    {
      qr_type: "GS1",
      gs1_product: { identifier_value: "09506000134352", destination_url: "https://example.com/g" },
    },
  ],
];

describe.each(creates)("docs/spec/api.md section 2.1: %s", (name, fields) => {
  const isDynamic = fields["dynamic"] === true || name === "GS1";

  it("has the fields of the table in list, single answer, create and update", async () => {
    const made = await create({ ...fields, display_name: "Shown" });
    expect(made.status).toBe(200);
    const { id } = made.body;
    const item = {
      id: anyId,
      display_name: "Shown",
      qr_data: expect.any(String),
      qr_type: fields["qr_type"] ?? "Link",
      shortlink_url: isDynamic ? expect.stringContaining(`${PUBLIC_URL}/`) : null,
      dynamic: isDynamic,
      created: isoTime,
      folder: null,
    };
    const counts = { total_scans: isDynamic ? 0 : null, unique_scans: isDynamic ? 0 : null };
    const whole = { ...item, ...counts, tags: [] };
    expect(await findItem(id)).toEqual(item);
    expect(await findItem(id, "&include=scans")).toEqual({ ...item, ...counts });
    expect(await findItem(id, "&include=tags")).toEqual({ ...item, tags: [] });
    expect(await findItem(id, "&include=scans,tags")).toEqual(whole);
    expect(await getCode(id)).toMatchObject(whole);
    const svg = expect.stringMatching(/^<svg /u) as string;
    expect(made.body).toMatchObject({ ...whole, svg });
    const updated = await service.send("PATCH", `/qrcode/${id}/update/`, { display_name: "Shown" });
    expect(updated.body).toMatchObject({ ...whole, svg });
    expect(updated.body.svg).toBe(made.body.svg);
  });

  it("has png and svg file URLs once they are generated, not before", async () => {
    const { body } = await create(fields);
    for (const answer of [body, await getCode(body.id), await findItem(body.id)]) {
      expect(answer).not.toHaveProperty("png");
      expect(answer).not.toHaveProperty("svg_file");
    }
    const files = (await service.get(`/qrcode/${body.id}/download/`)).body;
    expect(await getCode(body.id)).toMatchObject({ png: files.png_url, svg_file: files.svg_url });
    expect(await findItem(body.id)).toMatchObject({ png: files.png_url });
    const direct = await create({ ...fields, generate_png: true });
    expect(direct.body).toMatchObject({
      png: expect.stringMatching(/^http.*\.png$/u),
      svg_file: expect.stringMatching(/^http.*\.svg$/u),
    });
    expect(await findItem(direct.body.id)).toMatchObject({ png: direct.body.png });
  });

  it("holds its short link when dynamic, else the data itself", async () => {
    const { body } = await create(fields);
    const held = await decode(body.id);
    expect(held).toBe(isDynamic ? body.shortlink_url : body.qr_data);
  });

  it("qr_data can be changed when dynamic, else never (docs/spec/api.md section 4.1)", async () => {
    const { body } = await create(fields);
    const qr_data = "https://example.com/changed";
    const { status, body: after } = await service.send("PATCH", `/qrcode/${body.id}/update/`, {
      qr_data,
    });
    expect([status, isDynamic ? after.qr_data : Object.keys(after)]).toEqual(
      isDynamic ? [200, qr_data] : [400, ["qr_data"]],
    );
    expect(await decode(body.id)).toBe(isDynamic ? body.shortlink_url : body.qr_data);
  });

  it("gps_tracking is for dynamic codes only (docs/spec/api.md section 4.1)", async () => {
    expect((await create({ ...fields, gps_tracking: false })).body.gps_tracking).toBe(false);
    const { status, body } = await create({ ...fields, gps_tracking: true });
    expect([status, body.gps_tracking]).toEqual(
      isDynamic ? [200, true] : [400, [expect.any(String)]],
    );
  });

  it("domain is for dynamic codes only: the workspace's own (docs/spec/api.md section 4.1)", async () => {
    const { status } = await create({ ...fields, domain: "go.example" });
    expect(status).toBe(isDynamic ? 200 : 400);
    const foreign = await create({ ...fields, domain: "other.example" });
    expect([foreign.status, Object.keys(foreign.body)]).toEqual([400, ["domain"]]);
  });
});

describe("docs/spec/api.md section 4.1: qr_data", () => {
  it.each(["vCard", "GS1"])("is not used for %s", async (qr_type) => {
    const more = {
      vcard: contact,
      gs1_product: { identifier_value: "09506000134352", destination_url: "https://example.com/g" },
    };
    const { status, body } = await create({ qr_type, qr_data: "not looked at", ...more });
    expect(status).toBe(200);
    expect(body.qr_data).not.toContain("not looked at");
  });

  it.each([
    "https://example.com",
    "http://example.com:8080/a/b?c=d&e=f#g",
    "https://sub.example.co.uk/%E2%9C%93",
    "https://例え.テスト/パス",
    "https://user:pw@example.com/",
    "http://192.0.2.1/",
    "http://[2001:db8::1]/",
    "mailto:a@example.com",
    "tel:+4930123",
  ])("Link: %s is a URL", async (qr_data) => {
    const { status, body } = await create({ qr_data });
    expect([status, body.qr_data]).toEqual([200, qr_data]);
  });

  it.each([
    "example.com",
    "www.example.com",
    "//example.com",
    "/path",
    "http://",
    "https://?x",
    "http:// example.com",
    "https://exa mple.com",
    "javascript:alert(1)",
    "not a url",
    "https://example.com/\u0000",
    "https://example.com/\ud800",
  ])("Link: %j is none", async (qr_data) => {
    for (const dynamic of [true, false]) {
      const { status, body } = await create({ qr_data, dynamic });
      expect([status, Object.keys(body)]).toEqual([400, ["qr_data"]]);
    }
  });

  it.each([
    "x",
    "0",
    "ünïcödé 🍕",
    "line 1\nline 2\ttab",
    '{"json": true}',
    "<b>&amp;</b>",
    " padded ",
  ])("Text: %j is any text, kept as it is", async (qr_data) => {
    const { status, body } = await create({ qr_type: "Text", qr_data });
    expect([status, body.qr_data]).toEqual([200, qr_data]);
    expect(await decode(body.id)).toBe(qr_data);
  });
});

describe("docs/spec/api.md section 4.1: vcard", () => {
  it("echoes the contact and encodes every field", async () => {
    const { body } = await create({ qr_type: "vCard", vcard: contact });
    expect(body.vcard).toEqual(contact);
    expect((await getCode(body.id)).vcard).toEqual(contact);
    const held = (await decode(body.id)) ?? "";
    const lines = held.replaceAll("\r\n ", "").split("\r\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "BEGIN:VCARD",
        "VERSION:3.0",
        "N:Łuczak;Zoë;;;",
        "FN:Zoë Łuczak",
        "ORG:Müller\\; Söhne\\, GmbH",
        "TITLE:Chefin",
        "EMAIL;TYPE=INTERNET:zoe@example.com",
        "TEL;TYPE=CELL:+49 170 1",
        "TEL;TYPE=WORK:+49 30 2",
        "URL:https://example.com/z",
        "ADR;TYPE=WORK:;;Hauptstraße 1;Köln;NRW;50667;Deutschland",
        "NOTE:Zeile 1\\nZeile 2",
        "END:VCARD",
      ]),
    );
    for (const line of held.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  it.each(Object.keys(contact))("%s is a string; only first_name is required", async (field) => {
    for (const wrong of [5, true, [], {}]) {
      const { status, body } = await create({
        qr_type: "vCard",
        vcard: { ...contact, [field]: wrong },
      });
      expect([status, Object.keys(body), Object.keys(body.vcard)]).toEqual([
        400,
        ["vcard"],
        [field],
      ]);
    }
    const { [field]: _left, ...rest } = contact as Record<string, string>;
    for (const vcard of [rest, { ...rest, [field]: null }]) {
      const { status } = await create({ qr_type: "vCard", vcard });
      expect(status).toBe(field === "first_name" ? 400 : 200);
    }
  });

  it.each([undefined, null, "Ada", 5, [], {}, { last_name: "Only" }, { first_name: "" }])(
    "%j is no contact",
    async (vcard) => {
      const { status, body } = await create({ qr_type: "vCard", vcard });
      expect([status, Object.keys(body)]).toEqual([400, ["vcard"]]);
    },
  );

  it("says so when a static one holds more than a code can; a dynamic one takes it", async () => {
    const vcard = { first_name: "Ada", description: "x".repeat(3000) };
    const fixed = await create({ qr_type: "vCard", vcard });
    expect([fixed.status, fixed.body]).toEqual([
      400,
      { vcard: [expect.stringContaining("1663 bytes")] },
    ]);
    expect((await create({ qr_type: "vCard", vcard, dynamic: true })).status).toBe(200);
  });

  it("ignores a photo", async () => {
    const { status, body } = await create({
      qr_type: "vCard",
      vcard: { ...contact, photo: "data:," },
    });
    expect([status, body.vcard]).toEqual([200, contact]);
  });

  it("a dynamic one holds the short link, which shows the contact and its file", async () => {
    const { body } = await create({ qr_type: "vCard", vcard: contact, dynamic: true });
    expect(body.vcard).toEqual(contact);
    const page = await service.scan(body.shortlink_url);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toContain("Zoë Łuczak");
    const file = await service.fetch(new Request(`${body.shortlink_url}.vcf`));
    expect(file.headers.get("content-type")).toContain("text/vcard");
    expect(await file.text()).toContain("FN:Zoë Łuczak\r\n");
  });
});

describe("docs/spec/api.md section 4.1: gs1_product", () => {
  const product = { identifier_value: "04006381333931", destination_url: "https://example.com/p" };

  it("an object makes product and code together; the code holds the Digital Link URI", async () => {
    const { body } = await create({ qr_type: "GS1", gs1_product: product });
    expect(body).toMatchObject({
      dynamic: true,
      shortlink_url: `${PUBLIC_URL}/01/04006381333931`,
      qr_data: "https://example.com/p",
    });
    expect(await decode(body.id)).toBe(`${PUBLIC_URL}/01/04006381333931`);
    for (const q of [body.shortlink_url, "go.example/01/0400638", "EXAMPLE/01/04006381333931"]) {
      const path = `/workspace/${service.workspace}/qrcodes/?q=${encodeURIComponent(q)}`;
      const found = (await service.get(path)).body.results.map(({ id }: Wire) => id);
      expect(found).toContain(body.id);
    }
    const list = await service.get(`/workspace/${service.workspace}/gs1/products/`);
    const values = list.body.results.map((one: Wire) => one.identifier_value);
    expect(values).toContain("04006381333931");
    const visit = await service.scan(body.shortlink_url);
    expect(visit.headers.get("location")).toBe("https://example.com/p");
  });

  it("a string takes an existing product", async () => {
    const made = await service.send("POST", "/gs1/products/", {
      workspace: service.workspace,
      identifier_value: "05901234123457",
      destination_url: "https://example.com/q",
    });
    const { status, body } = await create({ qr_type: "GS1", gs1_product: made.body.id });
    expect([status, body.shortlink_url]).toEqual([200, `${PUBLIC_URL}/01/05901234123457`]);
  });

  it("another account's product, and an unknown one, are 404s (docs/spec/api.md section 7)", async () => {
    const { other } = service;
    const theirs = await service.send(
      "POST",
      "/gs1/products/",
      { workspace: other.workspaceId, identifier_value: "05901234123457" },
      { token: other.token },
    );
    for (const gs1_product of [theirs.body.id, "00000000-0000-4000-8000-ffffffffffff", "nope"]) {
      expect((await create({ qr_type: "GS1", gs1_product })).status).toBe(404);
    }
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["a list", []],
    ["no identifier", { destination_url: "https://example.com/" }],
    ["no destination", { identifier_value: "04006381333931" }],
    ["a wrong check digit", { ...product, identifier_value: "04006381333932" }],
    ["letters", { ...product, identifier_value: "0400638133393X" }],
    ["no URL", { ...product, destination_url: "nope" }],
  ])("%s is refused", async (_, gs1_product) => {
    const { status, body } = await create({ qr_type: "GS1", gs1_product });
    expect([status, Object.keys(body)]).toEqual([400, ["gs1_product"]]);
  });
});

describe("docs/spec/api.md section 4.1: folder", () => {
  it("by id or slug, on create, list and update; another account's is unknown", async () => {
    const folder = await service.folder("Ünïcode & Söhne");
    const inner = await service.folder("Inner", folder.id);
    const filed = { id: inner.id, name: "Inner", slug: "inner", path: "Ünïcode & Söhne/Inner" };
    for (const reference of [inner.id, inner.slug]) {
      const made = await create({ qr_data: "https://example.com/", folder: reference });
      expect(made.body.folder).toEqual(filed);
      const later = await service.code();
      const moved = await service.send("POST", `/qrcode/${later.id}/update/`, {
        folder: reference,
      });
      expect(moved.body.folder).toEqual(filed);
    }
    const { other } = service;
    const theirs = await service.send(
      "POST",
      "/folder/create/",
      { workspace: other.workspaceId, name: "Their very own" },
      { token: other.token },
    );
    const code = await service.code();
    for (const reference of [theirs.body.id, theirs.body.slug, "unknown"]) {
      expect((await create({ qr_data: "https://example.com/", folder: reference })).status).toBe(
        404,
      );
      const path = `/workspace/${service.workspace}/qrcodes/?folder=${reference}`;
      expect((await service.get(path)).status).toBe(404);
      const update = { folder: reference };
      expect((await service.send("PATCH", `/qrcode/${code.id}/update/`, update)).status).toBe(404);
      const move = { parent: reference };
      expect((await service.send("PATCH", `/folder/${inner.id}/update/`, move)).status).toBe(404);
    }
  });
});

describe("docs/spec/api.md section 2.8: short link", () => {
  it("has its fields in list, single answer, create and update", async () => {
    const made = await service.send("POST", "/link/create/", {
      workspace: service.workspace,
      link: "https://example.com/flyer",
      link_type: "Link",
      slug: "Flyer-26",
      domain: "go.example",
      display_name: "Flyer",
      gps: true,
    });
    const fields = {
      id: anyId,
      link: "https://example.com/flyer",
      link_type: "Link",
      slug: "Flyer-26",
      domain: "go.example",
      display_name: "Flyer",
      gps: true,
      shortlink_url: `${PUBLIC_URL}/Flyer-26`,
      created: isoTime,
      total_scans: 0,
      unique_scans: 0,
    };
    const svg = expect.stringMatching(/^<svg /u) as string;
    expect([made.status, made.body]).toEqual([200, { ...fields, svg }]);
    const { id } = made.body;
    expect((await service.get(`/link/${id}/`)).body).toEqual(made.body);
    const list = (await service.get(`/workspace/${service.workspace}/links/`)).body;
    expect(list.results[0]).toEqual(fields);
    const change = { link: "https://example.com/new", display_name: "New", gps: false };
    const updated = await service.send("PATCH", `/link/${id}/update/`, change);
    expect([updated.status, updated.body]).toEqual([200, { ...made.body, ...change }]);
  });
});

describe("docs/spec/api.md section 2.9: PDF code", () => {
  it("is the shape of a code and pdf_file_url", async () => {
    const { status, body } = await service.send("POST", "/pdf/create/", {
      workspace: service.workspace,
      pdf_base64: Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64"),
      display_name: "Menu",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: anyId,
      display_name: "Menu",
      qr_data: body.pdf_file_url,
      qr_type: "Link",
      shortlink_url: expect.stringContaining(PUBLIC_URL),
      dynamic: true,
      created: isoTime,
      folder: null,
      total_scans: 0,
      unique_scans: 0,
      tags: [],
      svg: expect.stringMatching(/^<svg /u),
    });
    expect(await decode(body.id)).toBe(body.shortlink_url);
  });
});

describe("docs/spec/api.md section 9: versioning", () => {
  it("the API stands below /api/v2 and nowhere else", async () => {
    const ask = async (path: string): Promise<number> => {
      const headers = { authorization: `Token ${service.account.token}` };
      return (await service.fetch(new Request(`http://service.test${path}`, { headers }))).status;
    };
    const path = `/workspace/${service.workspace}/tags/`;
    expect(await ask(`/api/v2${path}`)).toBe(200);
    for (const root of ["/api/v1", "/api/v3", "/api", "", "/v2"]) {
      expect(await ask(`${root}${path}`)).toBe(404);
    }
  });

  it("the description's version is 2.0.0", async () => {
    const answer = await service.get("/openapi.json");
    expect(answer.body.info.version).toBe("2.0.0");
  });
});
