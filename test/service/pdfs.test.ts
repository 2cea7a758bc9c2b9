import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, PUBLIC_URL, type TestService, type Wire } from "./make-service.ts";

const PDF = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n");
const base64 = PDF.toString("base64");

let service: TestService;
beforeAll(async () => {
  service = await makeService({
    fetch: async (url, { maxBytes }) => {
      if (url.endsWith("/menu.pdf")) return PDF;
      if (url.endsWith("/page")) return Buffer.from("<html>");
      throw new Error(`the file must have at most ${maxBytes} bytes`);
    },
  });
});
afterAll(() => service.close());

const create = (fields: Record<string, unknown>) =>
  service.send("POST", "/pdf/create/", { workspace: service.workspace, ...fields });
const pad = (size: number): string =>
  Buffer.concat([PDF, Buffer.alloc(size - PDF.length)]).toString("base64");
const get = (url: string) => service.fetch(new Request(url, { redirect: "manual" }));

describe("a PDF code (docs/spec/api.md section 4.4)", () => {
  it("is a dynamic code that leads to the hosted file, byte for byte", async () => {
    const { status, body } = await create({
      pdf_base64: base64,
      filename: "Menü 2026.pdf",
      display_name: "Menu",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      qr_type: "Link",
      dynamic: true,
      display_name: "Menu",
      qr_data: body.pdf_file_url,
      shortlink_url: expect.stringContaining(PUBLIC_URL),
      svg: expect.stringContaining("<svg"),
    });
    expect(decodeURIComponent(body.pdf_file_url)).toMatch(
      /\/media\/[a-z2-7]{32}\.pdf\/Menü 2026\.pdf$/u,
    );
    const visit = await service.scan(body.shortlink_url);
    expect([visit.status, visit.headers.get("location")]).toEqual([302, body.pdf_file_url]);
    const file = await get(body.pdf_file_url);
    expect(file.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
  });

  it("is a code like others: listed, found by file name, counted, deleted with its file", async () => {
    const { body } = await create({ pdf_base64: base64, filename: "wine-list.pdf" });
    const list = await service.get(`/workspace/${service.workspace}/qrcodes/?q=wine-list`);
    expect(list.body.results.map(({ id }: Wire) => id)).toEqual([body.id]);
    await service.scan(body.shortlink_url);
    expect((await service.get(`/qrcode/${body.id}/`)).body).toMatchObject({
      total_scans: 1,
      pdf_file_url: body.pdf_file_url,
    });
    await service.send("DELETE", `/qrcode/${body.id}/delete/`);
    expect((await get(body.pdf_file_url)).status).toBe(404);
  });

  it("takes a data: prefix, and an address to fetch from", async () => {
    const inline = await create({ pdf_base64: `data:application/pdf;base64,${base64}` });
    expect(inline.status).toBe(200);
    expect(inline.body.pdf_file_url).toMatch(/\.pdf$/u);
    const fetched = await create({ pdf_url: "https://files.example/a/menu.pdf" });
    expect(fetched.body.pdf_file_url).toMatch(/\/menu\.pdf$/u);
  });

  it("can lead elsewhere later", async () => {
    const { body } = await create({ pdf_base64: base64 });
    const qr_data = "https://example.com/new.pdf";
    await service.send("PATCH", `/qrcode/${body.id}/update/`, { qr_data });
    expect((await service.scan(body.shortlink_url)).headers.get("location")).toBe(qr_data);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no source", {}, "non_field_errors"],
    ["null sources", { pdf_url: null, pdf_base64: null }, "non_field_errors"],
    ["two sources", { pdf_base64: base64, pdf_url: "https://e.co/menu.pdf" }, "non_field_errors"],
    ["no base64", { pdf_base64: "%%%" }, "pdf_base64"],
    ["no PDF", { pdf_base64: Buffer.from("hello").toString("base64") }, "pdf_base64"],
    ["a page", { pdf_url: "https://files.example/page" }, "pdf_url"],
    ["a file too big", { pdf_url: "https://files.example/huge" }, "pdf_url"],
    ["another scheme", { pdf_url: "ftp://files.example/menu.pdf" }, "pdf_url"],
    ["a name too long", { pdf_base64: base64, filename: "x".repeat(256) }, "filename"],
  ])("refuses %s", async (_, fields, field) => {
    const { status, body } = await create(fields);
    expect([status, Object.keys(body)]).toEqual([400, [field]]);
  });

  it("takes 20 MB and not a byte more (docs/spec/api.md section 8)", async () => {
    expect((await create({ pdf_base64: pad(20 * 1024 * 1024) })).status).toBe(200);
    const { status, body } = await create({ pdf_base64: pad(20 * 1024 * 1024 + 1) });
    expect([status, Object.keys(body)]).toEqual([400, ["pdf_base64"]]);
  });

  it.each(["../../x.pdf", "a/b\\c.pdf", "\u202efdp.exe", "CON", "   "])(
    "makes a safe name of %j",
    async (filename) => {
      const { body } = await create({ pdf_base64: base64, filename });
      const last = decodeURIComponent(new URL(body.pdf_file_url).pathname.split("/").at(-1) ?? "");
      expect(last).toMatch(/\.pdf$/u);
      expect(last).not.toMatch(/[/\\\u202e]/u);
      expect((await get(body.pdf_file_url)).status).toBe(200);
    },
  );
});
