import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sayMostBytes } from "../../src/base/text/words.ts";

import { makeService, type TestService, type Wire } from "./make-service.ts";
import { readCode } from "./read-code.ts";

let service: TestService;
let logo: Uint8Array;
const fetched: string[] = [];

beforeAll(async () => {
  const pixels = { width: 40, height: 40, channels: 3 as const, background: "#cc0000" };
  logo = await sharp({ create: pixels }).jpeg().toBuffer();
  service = await makeService({
    fetch: async (url, { maxBytes }) => {
      fetched.push(url);
      const bytes = Number(/(\d+)\.bytes$/u.exec(url)?.[1] ?? 0);
      if (bytes > maxBytes) throw new Error(`the file must be ${sayMostBytes(maxBytes)}`);
      if (url.endsWith(".jpg")) return logo;
      if (url.endsWith(".html")) return Buffer.from("<html>");
      throw new Error("the server answered 404");
    },
  });
});
afterAll(() => service.close());

const read = async (id: string): Promise<Wire> => (await service.get(`/qrcode/${id}/`)).body;
const designOf = async (id: string): Promise<Wire> => (await read(id)).design;
const update = (id: string, fields: unknown, method = "PATCH") =>
  service.send(method, `/qrcode/${id}/update/`, fields);
const restyle = (id: string, fields: unknown) =>
  service.send("PATCH", `/qrcode/${id}/design/`, fields);
const bytes = async (url: string): Promise<Uint8Array> =>
  new Uint8Array(await (await service.fetch(new Request(url))).arrayBuffer());

describe("update (docs/spec/api.md section 4.1)", () => {
  it.each(["PATCH", "POST", "PUT"])("changes only what %s sends", async (method) => {
    const folder = await service.folder("Filed");
    const code = await service.code({ dynamic: true, display_name: "Before", folder: folder.id });
    const { status, body } = await update(code.id, { qr_data: "https://example.com/b" }, method);
    expect(status).toBe(200);
    expect(body).toEqual({ ...code, qr_data: "https://example.com/b", svg: code.svg });
    expect((await read(code.id)).qr_data).toBe("https://example.com/b");
  });

  it("moves between folders by id or slug, and out with null", async () => {
    const folder = await service.folder("Other Place");
    const code = await service.code();
    expect((await update(code.id, { folder: "other-place" })).body.folder.id).toBe(folder.id);
    expect((await update(code.id, { display_name: "x" })).body.folder.id).toBe(folder.id);
    expect((await update(code.id, { folder: null })).body.folder).toBeNull();
    expect((await update(code.id, { folder: "nowhere" })).status).toBe(404);
  });

  it("sends the next visitor to the new destination", async () => {
    const code = await service.code({ dynamic: true });
    await update(code.id, { qr_data: "https://example.com/new" });
    const visit = await service.scan(code.shortlink_url);
    expect(visit.headers.get("location")).toBe("https://example.com/new");
  });

  it("gives a dynamic vCard a new contact, and a static one never", async () => {
    const contact = { qr_type: "vCard", vcard: { first_name: "Ada" } };
    const code = await service.code({ ...contact, dynamic: true });
    const { status, body } = await update(code.id, { vcard: { first_name: "Grace" } });
    expect([status, body.vcard]).toEqual([200, { first_name: "Grace" }]);
    expect(body.svg).toBe(code.svg);
    expect(await (await service.scan(code.shortlink_url)).text()).toContain("<h1>Grace</h1>");
    const fixed = await service.code(contact);
    const refused = await update(fixed.id, { vcard: { first_name: "Grace" } });
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["vcard"]]);
  });

  it("says in the words of the create what a destination must be, also a long one", async () => {
    const code = await service.code({ dynamic: true });
    for (const qr_data of ["nope", `https://example.com/${"x".repeat(5000)}`]) {
      const made = { workspace: service.workspace, dynamic: true, qr_data };
      const { body } = await service.send("POST", "/qrcode/create/", made);
      expect(body.qr_data[0]).toContain("Must be a URL of at most 4096 characters, got ");
      expect((await update(code.id, { qr_data })).body).toEqual(body);
    }
  });

  it("finds the code under its new name", async () => {
    const code = await service.code({ display_name: "Caterpillar" });
    await update(code.id, { display_name: "Butterfly" });
    const find = async (q: string): Promise<number> =>
      (await service.get(`/workspace/${service.workspace}/qrcodes/?q=${q}`)).body.count;
    expect([await find("caterpillar"), await find("butterfly")]).toEqual([0, 1]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ["data of a static code", {}, { qr_data: "https://example.com/2" }, "qr_data"],
    ["no URL", { dynamic: true }, { qr_data: "nope" }, "qr_data"],
    ["null data", { dynamic: true }, { qr_data: null }, "qr_data"],
    ["tracking of a static code", {}, { gps_tracking: true }, "gps_tracking"],
    ["a name too long", {}, { display_name: "x".repeat(501) }, "display_name"],
    ["a folder of no kind", {}, { folder: 5 }, "folder"],
  ])("refuses %s and changes nothing", async (_, made, sent, field) => {
    const code = await service.code(made);
    const before = await read(code.id);
    const { status, body } = await update(code.id, { display_name: "changed", ...sent });
    expect([status, Object.keys(body)]).toEqual([400, [field]]);
    expect(await read(code.id)).toEqual(before);
  });
});

describe("design update (docs/spec/api.md section 4.1)", () => {
  it("re-renders and keeps destination, scans and short link", async () => {
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url);
    const { status, body } = await restyle(code.id, { pattern: "Circles", eye_style: "Leaf" });
    expect(status).toBe(200);
    expect(body.svg).not.toBe(code.svg);
    expect(body).toMatchObject({
      id: code.id,
      shortlink_url: code.shortlink_url,
      qr_data: code.qr_data,
      total_scans: 1,
    });
    expect(await designOf(code.id)).toMatchObject({ pattern: "Circles", eye_style: "Leaf" });
  });

  it("recolours eyes and frame with primary_color alone, unless they are given too", async () => {
    const styled = {
      primary_color: "#111111",
      eye_color: "#222222",
      frame_color: "#333333",
      frame: "card",
    };
    const a = await service.code(styled);
    await restyle(a.id, { primary_color: "#550000" });
    expect(await designOf(a.id)).toMatchObject({
      primary_color: "#550000",
      eye_color: "#550000",
      frame_color: "#550000",
    });
    const b = await service.code(styled);
    await restyle(b.id, { primary_color: "#550000", eye_color: "#005500" });
    expect(await designOf(b.id)).toMatchObject({ eye_color: "#005500", frame_color: "#550000" });
    const c = await service.code(styled);
    await restyle(c.id, { pattern: "Squares" });
    expect(await designOf(c.id)).toMatchObject({ eye_color: "#222222", frame_color: "#333333" });
  });

  it("takes the frame card for a text that no frame shows, never over a fitting one", async () => {
    const code = await service.code();
    await restyle(code.id, { text: "MENU" });
    expect((await designOf(code.id)).frame).toBe("card");
    await restyle(code.id, { frame: "speech-bubble" });
    expect(await designOf(code.id)).toMatchObject({ frame: "speech-bubble", text: "MENU" });
    await restyle(code.id, { text: "BAR", text_secondary: "open late" });
    expect(await designOf(code.id)).toMatchObject({
      frame: "speech-bubble",
      text: "BAR",
      text_secondary: "open late",
    });
    await restyle(code.id, { text: null, frame: null });
    expect(await designOf(code.id)).toMatchObject({ frame: null, text: "" });
  });

  it("takes a logo as base64, with or without prefix, and clears it again", async () => {
    const code = await service.code();
    const base64 = Buffer.from(logo).toString("base64");
    for (const sent of [base64, `data:image/jpeg;base64,${base64}`]) {
      const { status, body } = await restyle(code.id, { logo_base64: sent });
      expect(status).toBe(200);
      expect(body.svg).toContain("data:image/png;base64,");
      expect(body.design).toMatchObject({ has_logo: true, error_correction: "H" });
      const { png_url: url } = (await service.get(`/qrcode/${code.id}/download/`)).body;
      expect(await readCode(await bytes(url))).toBe("https://example.com/");
      const cleared = (await restyle(code.id, { remove_logo: true })).body;
      expect(cleared.svg).toBe(code.svg);
      expect(cleared.design).toMatchObject({ has_logo: false, error_correction: "Q" });
    }
  });

  it("says that a logo must be under 2 MB, whether it has that or a byte more", async () => {
    for (const bytes of [2 * 1024 * 1024, 2 * 1024 * 1024 + 1]) {
      const logo_url = `https://cdn.example/${bytes}.bytes`;
      const { status, body } = await restyle((await service.code()).id, { logo_url });
      const says = "Must lead to an image, but the file must be under 2 MB.";
      expect([status, body]).toEqual([400, { logo_url: [says] }]);
    }
  });

  it("fetches logo_url once for many codes", async () => {
    const url = "https://cdn.example/logo.jpg";
    for (let n = 0; n < 3; n += 1) {
      const code = await service.code({ logo_url: url });
      expect(code.svg).toContain("data:image/png;base64,");
    }
    expect(fetched.filter((one) => one === url)).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a logo that isn't there", { logo_url: "https://cdn.example/gone.png" }, "logo_url"],
    ["a logo that is a page", { logo_url: "https://cdn.example/page.html" }, "logo_url"],
    ["no base64", { logo_base64: "§§§" }, "logo_base64"],
    ["base64 of no image", { logo_base64: "aGVsbG8=" }, "logo_base64"],
    ["an SVG", { logo_base64: Buffer.from("<svg/>").toString("base64") }, "logo_base64"],
    ["2 MB", { logo_base64: Buffer.alloc(2 * 1024 * 1024).toString("base64") }, "logo_base64"],
    ["two logos", { logo_base64: "aGVsbG8=", logo_url: "https://e.co/a.jpg" }, "logo_base64"],
    ["an unknown pattern", { pattern: "Hearts" }, "pattern"],
    ["a label too long", { text: "x".repeat(31) }, "text"],
    ["a second line too long", { text: "x", text_secondary: "x".repeat(31) }, "text_secondary"],
  ])("refuses %s", async (_, fields, field) => {
    const code = await service.code();
    const { status, body } = await restyle(code.id, fields);
    expect([status, Object.keys(body)]).toEqual([400, [field]]);
    expect(body[field][0]).toMatch(/^Must /u);
    expect((await read(code.id)).design).toMatchObject({ has_logo: false });
  });
});

describe("download (docs/spec/api.md section 4.1)", () => {
  it("makes a high-resolution PNG and the SVG, and then the code carries their URLs", async () => {
    const code = await service.code();
    expect(code).not.toHaveProperty("png");
    expect(code).not.toHaveProperty("svg_file");
    const { status, body } = await service.get(`/qrcode/${code.id}/download/`);
    expect(status).toBe(200);
    const png = Buffer.from(await bytes(body.png_url));
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1000);
    expect(Buffer.from(await bytes(body.svg_url)).toString()).toBe(code.svg);
    expect(await read(code.id)).toMatchObject({ png: body.png_url, svg_file: body.svg_url });
    expect((await service.get(`/qrcode/${code.id}/download/`)).body).toEqual(body);
  });

  it("answers the picture itself when only its type is requested", async () => {
    const code = await service.code();
    const url = `/qrcode/${code.id}/download/`;
    const ask = (accept: string) =>
      service.fetch(
        new Request(`http://service.test/api/v2${url}`, {
          headers: { accept, authorization: `Token ${service.account.token}` },
        }),
      );
    const png = await ask("image/png");
    expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
    const svg = await ask("image/svg+xml");
    expect([svg.status, svg.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(svg.headers.get("content-security-policy")).toContain("default-src 'none'");
    const files = (await service.get(url)).body;
    expect(Buffer.from(await png.arrayBuffer())).toEqual(Buffer.from(await bytes(files.png_url)));
    expect(await svg.text()).toBe(code.svg);
    // Browsers accept anything: they get the addresses of the files.
    const browser = await ask("text/html,image/png,*/*;q=0.8");
    expect(await browser.json()).toEqual(files);
  });

  it("forgets the files when the design changes", async () => {
    const code = await service.code();
    const before = (await service.get(`/qrcode/${code.id}/download/`)).body;
    await restyle(code.id, { primary_color: "#440000" });
    expect(await read(code.id)).not.toHaveProperty("png");
    expect((await service.fetch(new Request(before.png_url))).status).toBe(404);
    const after = (await service.get(`/qrcode/${code.id}/download/`)).body;
    expect(after.png_url).not.toBe(before.png_url);
    expect((await service.fetch(new Request(after.png_url))).status).toBe(200);
  });

  it("serves files to anybody, safely, and nothing but files", async () => {
    const code = await service.code();
    const { body } = await service.get(`/qrcode/${code.id}/download/`);
    const svg = await service.fetch(new Request(body.svg_url));
    expect(svg.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(svg.headers.get("x-content-type-options")).toBe("nosniff");
    for (const name of ["x.png", "..%2Fservice.db", "%00", "a".repeat(32) + ".png", "token"]) {
      const answer = await service.fetch(new Request(`http://localhost/media/${name}`));
      expect(answer.status).toBe(404);
    }
  });
});

describe("delete", () => {
  it("ends code, short link, files and scans", async () => {
    const code = await service.code({ dynamic: true, generate_png: true });
    await service.scan(code.shortlink_url);
    const { status } = await service.send("DELETE", `/qrcode/${code.id}/delete/`);
    expect(status).toBe(204);
    expect((await service.get(`/qrcode/${code.id}/`)).status).toBe(404);
    expect((await service.get(`/qrcode/${code.id}/activity/`)).status).toBe(404);
    expect((await service.scan(code.shortlink_url)).status).toBe(404);
    expect((await service.fetch(new Request(code.png))).status).toBe(404);
  });
});
