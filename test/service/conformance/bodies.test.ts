import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type TestService } from "../make-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const create = (fields: Record<string, unknown>) =>
  service.send("POST", "/qrcode/create/", {
    workspace: service.workspace,
    qr_data: "https://example.com/",
    ...fields,
  });

const update = (id: string, fields: unknown) =>
  service.send("PATCH", `/qrcode/${id}/update/`, fields);

/**
 * Optional fields of the create (docs/spec/api.md sections 4.1 and 2.2) -> what null stands for.
 */
const optional = {
  qr_type: "Link",
  dynamic: false,
  display_name: "",
  domain: null,
  generate_png: null,
  gps_tracking: false,
  folder: null,
  template: null,
  vcard: null,
  gs1_product: null,
};
const design = {
  error_correction: "Q",
  size: 220,
  logo_url: null,
  logo_round: false,
  primary_color: "#111111",
  eye_color: "#111111",
  background_color: null,
  pattern: "Original",
  eye_style: "Square",
  frame: null,
  frame_color: "#111111",
  has_border: false,
  text: "",
};

describe("docs/spec/api.md section 4.1: optional fields of the create", () => {
  it.each(Object.keys(optional))("%s: null means left out", async (field) => {
    const { status, body } = await create({ [field]: null });
    const plain = (await create({})).body;
    expect(status).toBe(200);
    expect({ ...body, id: "", created: "", svg: "" }).toEqual({
      ...plain,
      id: "",
      created: "",
      svg: "",
    });
  });

  it.each(Object.entries(design))(
    "%s: null means its default (docs/spec/api.md section 2.2)",
    async (field, value) => {
      const { status, body } = await create({ [field]: null });
      expect(status).toBe(200);
      const { design: made } = (await service.get(`/qrcode/${body.id}/`)).body;
      if (field === "logo_url") expect(made.has_logo).toBe(false);
      else expect(made[field]).toBe(value);
    },
  );

  it("draws the same code for all of them at once", async () => {
    const nulls = Object.fromEntries(
      [...Object.keys(optional), ...Object.keys(design)].map((field) => [field, null]),
    );
    expect((await create(nulls)).body.svg).toBe((await create({})).body.svg);
  });
});

describe("docs/spec/api.md section 2: ids are UUIDs, the same in either case", () => {
  it("in paths, bodies and queries", async () => {
    const { workspace } = service;
    const folder = await service.folder("Upper");
    const made = await create({
      workspace: workspace.toUpperCase(),
      folder: folder.id.toUpperCase(),
    });
    expect([made.status, made.body.folder.id]).toEqual([200, folder.id]);
    const found = await service.get(`/qrcode/${made.body.id.toUpperCase()}/`);
    expect([found.status, found.body.id]).toEqual([200, made.body.id]);
    const list = await service.get(
      `/workspace/${workspace.toUpperCase()}/qrcodes/?folder=${folder.id.toUpperCase()}`,
    );
    expect(list.body.count).toBe(1);
  });

  it.each(["not-a-uuid", "00000000-0000-4000-8000-ffffffffffff"])(
    "an unknown workspace %j is a 404 (docs/spec/api.md section 7)",
    async (workspace) => {
      const { status, body } = await create({ workspace });
      expect([status, body]).toEqual([404, { detail: "Not found." }]);
    },
  );
});

describe("docs/spec/api.md section 4.1: update", () => {
  const contact = { qr_type: "vCard", vcard: { first_name: "Ada" }, dynamic: true };

  it("qr_data is the scan destination of a dynamic vCard, too, until it gets a contact again", async () => {
    const code = await service.code(contact);
    const { status, body } = await update(code.id, { qr_data: "https://example.com/team" });
    expect([status, body.qr_data]).toEqual([200, "https://example.com/team"]);
    expect(body).not.toHaveProperty("vcard");
    expect(body.svg).toBe(code.svg);
    const visit = await service.scan(code.shortlink_url);
    expect([visit.status, visit.headers.get("location")]).toEqual([
      302,
      "https://example.com/team",
    ]);
    const back = await update(code.id, { vcard: { first_name: "Grace" } });
    expect(back.body.vcard).toEqual({ first_name: "Grace" });
    expect(await (await service.scan(code.shortlink_url)).text()).toContain("Grace");
  });

  it("takes one of qr_data and vcard, not both", async () => {
    const code = await service.code(contact);
    const both = { qr_data: "https://example.com/", vcard: { first_name: "Ada" } };
    const { status, body } = await update(code.id, both);
    expect([status, Object.keys(body)]).toEqual([400, ["vcard"]]);
  });

  it("gps_tracking and vcard: null changes nothing", async () => {
    const code = await service.code({ ...contact, gps_tracking: true });
    const { status, body } = await update(code.id, { gps_tracking: null, vcard: null });
    expect([status, body.gps_tracking, body.vcard]).toEqual([200, true, { first_name: "Ada" }]);
  });
});

it("docs/spec/api.md section 2.2: logo_url may be a picture of this very service, whose address may be private", async () => {
  const own = await makeService({ publicUrl: "http://127.0.0.1:1" });
  const png = await own.code({ generate_png: true });
  const { status, body } = await own.send("PATCH", `/qrcode/${png.id}/design/`, {
    logo_url: png.png,
  });
  expect([status, body.design.has_logo]).toEqual([200, true]);
  const [logo = ""] = /data:image\/png;base64,[A-Za-z0-9+/=]+/u.exec(body.svg) ?? [];
  const bytes = Buffer.from(logo.split(",")[1] ?? "", "base64");
  expect((await sharp(bytes).metadata()).format).toBe("png");
  for (const name of ["x.png", `${"a".repeat(32)}.png`, "../token"]) {
    const base = png.png.replace(/[^/]+$/u, "");
    const wrong = await own.send("PATCH", `/qrcode/${png.id}/design/`, { logo_url: base + name });
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ["logo_url"]]);
  }
  await own.close();
});

it("docs/spec/api.md sections 4.2 and 4.9: null for what may be left out of tags, products and links", async () => {
  const { workspace, send } = service;
  const code = await service.code();
  const tags = [{ title: "With null", id: null }];
  const tagged = await send("POST", `/qrcode/${code.id}/tags/add/`, tags);
  expect([tagged.status, tagged.body.tags]).toEqual([
    200,
    [expect.objectContaining({ title: "With null" })],
  ]);
  const again = [{ title: null, id: tagged.body.tags[0].id }];
  expect((await send("POST", `/qrcode/${code.id}/tags/add/`, again)).status).toBe(200);
  const neither = [{ title: null, id: null }];
  expect((await send("POST", `/qrcode/${code.id}/tags/add/`, neither)).status).toBe(400);
  const product = await send("POST", "/gs1/products/", {
    workspace,
    identifier_value: "5901234123457",
    identifier_type: null,
    batch_lot: null,
    serial_number: null,
    expiry_date: null,
    destination_url: null,
  });
  expect([product.status, product.body.identifier_type]).toEqual([201, "01"]);
  const link = await send("POST", `/gs1/products/${product.body.id}/links/`, {
    link_type: "gs1:pip",
    title: "Product",
    destination_url: "https://example.com/",
    is_default: null,
    language: null,
    media_type: null,
  });
  expect([link.status, link.body.media_type]).toEqual([200, "text/html"]);
});
