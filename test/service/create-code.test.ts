import * as fc from "../help/property.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "./make-service.ts";
import { readCode } from "./read-code.ts";

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const create = (fields: Record<string, unknown>) =>
  service.send("POST", "/qrcode/create/", { workspace: service.workspace, ...fields });
const file = (url: string) => service.fetch(new Request(url));

const readFile = async (url: string) =>
  readCode(new Uint8Array(await (await file(url)).arrayBuffer()));

/** What the code of an answer really says. */
async function readDownload(id: string): Promise<string | undefined> {
  const { body } = await service.get(`/qrcode/${id}/download/`);
  return readFile(body.png_url);
}

describe("a created code (docs/spec/api.md sections 4.1 and 2.1)", () => {
  it("answers 200 with the whole shape and an inline SVG", async () => {
    const folder = await service.folder("Shape");
    const { status, body } = await create({
      qr_data: "https://example.com/menu?table=7",
      display_name: "Table 7",
      dynamic: true,
      folder: folder.slug,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      display_name: "Table 7",
      qr_data: "https://example.com/menu?table=7",
      qr_type: "Link",
      shortlink_url: expect.stringMatching(/^https:\/\/go\.example\/[2-9a-z]{8}$/u),
      dynamic: true,
      created: expect.stringMatching(/^2026-11-20T08:00:00\.\d{3}Z$/u),
      folder: { id: folder.id, name: "Shape", slug: "shape", path: "Shape" },
      total_scans: 0,
      unique_scans: 0,
      gps_tracking: false,
      tags: [],
      svg: expect.stringMatching(/^<svg [^]*<\/svg>\s*$/u),
    });
  });

  it("is static by default, has no short link then and null counts", async () => {
    const { body } = await create({ qr_data: "https://example.com/" });
    expect(body).toMatchObject({
      dynamic: false,
      shortlink_url: null,
      display_name: "",
      folder: null,
      total_scans: null,
      unique_scans: null,
    });
  });

  it.each([
    "https://example.com",
    "HTTPS://EXAMPLE.COM/A?b=c#d",
    "https://example.com/a%20b",
    "http://127.0.0.1:8080/x",
  ])("holds %s byte for byte when static", async (url) => {
    const { body } = await create({ qr_data: url });
    expect(body.qr_data).toBe(url);
    expect(await readDownload(body.id)).toBe(url);
  });

  it("keeps what was sent and encodes what is no ASCII", async () => {
    const url = "https://café.example/Küche?q=ü";
    const { body } = await create({ qr_data: url });
    expect(body.qr_data).toBe(url);
    expect(await readDownload(body.id)).toBe("https://xn--caf-dma.example/K%C3%BCche?q=%C3%BC");
  });

  it("holds the short link when dynamic", async () => {
    const { body } = await create({ qr_data: "https://example.com/far", dynamic: true });
    expect(await readDownload(body.id)).toBe(body.shortlink_url);
  });

  it("holds any text", async () => {
    const text = "Zeile 1\nΔοκιμή 試験 🍕 ;,\\";
    const { body } = await create({ qr_type: "Text", qr_data: text });
    expect(body).toMatchObject({ qr_type: "Text", qr_data: text, dynamic: false });
    expect(await readDownload(body.id)).toBe(text);
  });

  it("holds a vCard 3.0 and echoes the contact", async () => {
    const vcard = { first_name: "Ada", last_name: "Löve;lace", email: "ada@example.com" };
    const { body } = await create({ qr_type: "vCard", vcard });
    expect(body.vcard).toEqual(vcard);
    expect(await readDownload(body.id)).toBe(
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Löve\\;lace;Ada;;;\r\nFN:Ada Löve\\;lace\r\n" +
        "EMAIL;TYPE=INTERNET:ada@example.com\r\nEND:VCARD",
    );
  });

  it("answers file URLs at once with generate_png, as wide as the design says", async () => {
    const { body } = await create({
      qr_data: "https://example.com/",
      generate_png: true,
      size: 300,
    });
    const png = await file(body.png);
    expect(png.headers.get("content-type")).toBe("image/png");
    const header = Buffer.from(await png.arrayBuffer());
    expect([header.readUInt32BE(16), header.readUInt32BE(20)]).toEqual([300, 300]);
    const svg = await file(body.svg_file);
    expect(svg.headers.get("content-type")).toBe("image/svg+xml");
    expect(await svg.text()).toBe(body.svg);
  });

  it("draws a long text at whatever size it takes when no size was asked for", async () => {
    const qr_data = "long ".repeat(300);
    const grown = await create({ qr_type: "Text", qr_data, generate_png: true });
    expect(await readFile(grown.body.png)).toBe(qr_data);
    const asked = await create({ qr_type: "Text", qr_data, generate_png: true, size: 220 });
    expect([asked.status, Object.keys(asked.body)]).toEqual([400, ["size"]]);
  });

  it("warns of colours that may not scan, and takes them", async () => {
    const { status, body } = await create({ qr_data: "https://e.co/", primary_color: "#ffcc00" });
    expect(status).toBe(200);
    expect(body.scan_warnings).toEqual([
      expect.stringContaining("#ffcc00 (luma"),
      expect.stringContaining("grades at best 1 in white light"),
    ]);
    expect((await create({ qr_data: "https://e.co/" })).body).not.toHaveProperty("scan_warnings");
  });

  it("warns of a width that gives a module less than three pixels", async () => {
    const { status, body } = await create({ qr_data: "https://e.co/", size: 70 });
    expect(status).toBe(200);
    expect(body.scan_warnings).toEqual([
      expect.stringMatching(/^size 70 gives a module 2 pixels/u),
    ]);
  });
});

describe("what is refused (400), all faults at once", () => {
  const link = { qr_data: "https://example.com/" };

  it.each<[string, Record<string, unknown>, string[]]>([
    ["no workspace", { ...link, workspace: undefined }, ["workspace"]],
    ["no data", {}, ["qr_data"]],
    ["blank data", { qr_data: " " }, ["qr_data"]],
    ["null data", { qr_data: null }, ["qr_data"]],
    ["number data", { qr_data: 7 }, ["qr_data"]],
    ["no URL", { qr_data: "example.com" }, ["qr_data"]],
    ["a misspelt URL", { qr_data: "htp://example.com" }, ["qr_data"]],
    ["a script", { qr_data: "javascript:alert(1)" }, ["qr_data"]],
    ["data:", { qr_data: "data:text/html,x" }, ["qr_data"]],
    ["a URL with a space", { qr_data: "https://example.com/a b" }, ["qr_data"]],
    ["a URL without host", { qr_data: "https:///path" }, ["qr_data"]],
    ["a URL with a line break", { qr_data: "https://example.com/\r\nX: y" }, ["qr_data"]],
    ["a URL too long", { qr_data: `https://example.com/${"x".repeat(4100)}` }, ["qr_data"]],
    ["an unknown type", { ...link, qr_type: "link" }, ["qr_type"]],
    ["GS1 without product", { qr_type: "GS1" }, ["gs1_product"]],
    ["a dynamic text", { qr_type: "Text", qr_data: "x", dynamic: true }, ["dynamic"]],
    ["text with NUL", { qr_type: "Text", qr_data: "a\u0000" }, ["qr_data"]],
    ["a lone surrogate", { qr_type: "Text", qr_data: "a\udfff" }, ["qr_data"]],
    ["more than a code holds", { qr_type: "Text", qr_data: "ü".repeat(3000) }, ["qr_data"]],
    ["vCard without contact", { qr_type: "vCard" }, ["vcard"]],
    ["an empty contact", { qr_type: "vCard", vcard: {} }, ["vcard"]],
    ["a contact that is a list", { qr_type: "vCard", vcard: [] }, ["vcard"]],
    ["a yes", { ...link, dynamic: "yes" }, ["dynamic"]],
    ["a number for yes", { ...link, generate_png: 1 }, ["generate_png"]],
    ["tracking of a static code", { ...link, gps_tracking: true }, ["gps_tracking"]],
    ["a domain of a static code", { ...link, domain: "go.example" }, ["domain"]],
    ["an unknown domain", { ...link, dynamic: true, domain: "evil.example" }, ["domain"]],
    ["an unknown template", { ...link, template: "nope" }, ["template"]],
    ["a colour name", { ...link, primary_color: "red" }, ["primary_color"]],
    ["a colour without #", { ...link, eye_color: "111111" }, ["eye_color"]],
    ["a pattern in lower case", { ...link, pattern: "circles" }, ["pattern"]],
    ["an unknown frame", { ...link, frame: "box" }, ["frame"]],
    ["an unknown level", { ...link, error_correction: "X" }, ["error_correction"]],
    ["a size as text", { ...link, size: "220" }, ["size"]],
    ["half a pixel", { ...link, size: 220.5 }, ["size"]],
    ["no size", { ...link, size: 0 }, ["size"]],
    ["a huge size", { ...link, size: 1e9 }, ["size"]],
    ["a label too long", { ...link, text: "x".repeat(60) }, ["text"]],
    ["a logo of another kind", { ...link, logo_url: "ftp://example.com/x.png" }, ["logo_url"]],
    [
      "several that static codes can't have",
      { qr_data: "x", gps_tracking: true, domain: "go.example" },
      ["qr_data", "gps_tracking", "domain"],
    ],
    [
      "several",
      { qr_data: "x", dynamic: 5, frame: "y", size: -1 },
      ["qr_data", "dynamic", "frame", "size"],
    ],
  ])("%s", async (_, fields, expected) => {
    const { status, body } = await create(fields);
    expect(status).toBe(400);
    expect(Object.keys(body).toSorted()).toEqual(expected.toSorted());
  });

  it("names nested fields in nested shape", async () => {
    const { body } = await create({
      qr_type: "vCard",
      vcard: { first_name: "", city: "a\u0000", email: 5 },
    });
    expect(body).toEqual({
      vcard: {
        first_name: ['Must not be blank, got "".'],
        city: ['Must be well-formed text without NUL characters, got "a\\u0000".'],
        email: ["Must be a string, got 5."],
      },
    });
  });

  it("answers an unknown folder, also another account's, with 404 and makes nothing", async () => {
    const theirs = await service.send(
      "POST",
      "/folder/create/",
      { workspace: service.other.workspaceId, name: "Theirs" },
      { token: service.other.token },
    );
    const count = async (): Promise<number> =>
      (await service.get(`/workspace/${service.workspace}/qrcodes/`)).body.count;
    const before = await count();
    for (const folder of ["nope", theirs.body.id, theirs.body.slug]) {
      expect((await create({ ...link, folder })).status).toBe(404);
    }
    expect(await count()).toBe(before);
  });

  it("refuses a body beyond the cap without reading it all", async () => {
    const { status, body } = await create({ ...link, junk: "x".repeat(1_100_000) });
    expect([status, Object.keys(body)]).toEqual([400, ["non_field_errors"]]);
  });

  it("takes null for what may be left out", async () => {
    const { status } = await create({
      ...link,
      display_name: null,
      folder: null,
      template: null,
      domain: null,
      background_color: null,
      eye_color: null,
      frame: null,
      text: null,
      logo_url: null,
      vcard: null,
    });
    expect(status).toBe(200);
  });
});

it("never answers 500, whatever the fields hold", async () => {
  const ugly = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u0000", "\ud800", "a\udfff\ud800", "https://a", "x".repeat(9000), "%00", "'"),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  );
  const fields = fc.record(
    {
      qr_type: fc.constantFrom("Link", "Text", "vCard", "GS1"),
      qr_data: ugly,
      display_name: ugly,
      folder: ugly,
      template: ugly,
      domain: ugly,
      vcard: fc.oneof(ugly, fc.dictionary(fc.constantFrom("first_name", "email"), ugly)),
      gs1_product: ugly,
      text: ugly,
      frame: ugly,
      size: ugly,
      primary_color: ugly,
    },
    { requiredKeys: ["qr_type"] },
  );
  await fc.assert(
    fc.asyncProperty(fields, async (sent) => {
      // JSON.stringify writes lone surrogates as escapes, as a hostile client would.
      expect([200, 400, 404]).toContain((await create(sent)).status);
    }),
    { numRuns: 300 },
  );
});

describe("templates (docs/spec/api.md section 2.3)", () => {
  it("applies a template's design, with explicit fields over it", async () => {
    const list = (await service.get(`/workspace/${service.workspace}/templates/`)).body;
    const card = list.results.find((template: Wire) => template.id === "scan-card");
    expect(card).toMatchObject({ frame: "card", text: "SCAN ME", is_default: true });
    const plain = await service.code({ template: "scan-card" });
    const red = await service.code({ template: "scan-card", primary_color: "#aa0000" });
    const design = async (id: string) => (await service.get(`/qrcode/${id}/`)).body.design;
    expect(await design(plain.id)).toMatchObject({ frame: "card", primary_color: "#111111" });
    expect(await design(red.id)).toMatchObject({
      frame: "card",
      text: "SCAN ME",
      primary_color: "#aa0000",
      eye_color: "#aa0000",
    });
  });

  it("shows a preview that can be fetched without a token", async () => {
    const list = (await service.get(`/workspace/${service.workspace}/templates/`)).body;
    expect(list.count).toBeGreaterThanOrEqual(8);
    for (const { preview } of list.results) {
      const answer = await file(preview);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    }
  });
});

it("gives every code a later moment than the one before, also when the clock stands", async () => {
  const codes = await Promise.all(Array.from({ length: 20 }, () => service.code()));
  expect(new Set(codes.map(({ created }) => created)).size).toBe(20);
});
