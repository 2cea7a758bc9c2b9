import { afterEach, beforeEach, expect, it } from "vitest";

import { makeService, type TestService } from "./make-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(() => service.close());

const make = async (vcard: Record<string, unknown>) =>
  service.code({ qr_type: "vCard", qr_data: undefined, dynamic: true, vcard });
const get = (url: string, headers: Record<string, string> = {}) =>
  service.fetch(new Request(url, { headers }));

it("shows the contact, links what can be followed, and offers the file", async () => {
  const code = await make({
    first_name: "Zoë",
    last_name: "Müller",
    company_name: "Ärzte & Co",
    position: "CEO",
    email: "zoe@example.com",
    mobile_number: "+49 (0)30 1",
    website: "example.com/zoe",
    street: "Weg 1",
    post_code: "10115",
    city: "Berlin",
    description: "one\ntwo",
  });
  const html = await (await service.scan(code.shortlink_url)).text();
  for (const part of [
    "<h1>Zoë Müller</h1>",
    "CEO, Ärzte &amp; Co",
    'href="mailto:zoe%40example.com"',
    'href="tel:%2B490301"',
    'href="https://example.com/zoe"',
    "Weg 1\n10115 Berlin",
    'href="' + code.shortlink_url.split("/").at(-1) + '.vcf"',
  ]) {
    expect(html).toContain(part);
  }
  expect((await service.get(`/qrcode/${code.id}/`)).body.total_scans).toBe(1);
});

it("lets nothing of a contact become markup, script or an address that runs", async () => {
  const evil = `"><script>alert(1)</script>'`;
  const fields = ["first_name", "last_name", "company_name", "position", "email", "mobile_number"];
  const code = await make({
    ...Object.fromEntries(fields.map((field) => [field, evil])),
    website: "javascript:alert(1)",
    description: `<img src=x onerror=alert(1)>`,
  });
  const answer = await get(code.shortlink_url);
  const html = await answer.text();
  expect(html).not.toMatch(/<script|<img|href="javascript/iu);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/u);
  expect(policy).not.toContain("unsafe");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
});

it("hands out the file in 3.0, in 4.0 where asked, and counts it not", async () => {
  const code = await make({ first_name: "Zoë", last_name: "O'Hara" });
  const file = await get(`${code.shortlink_url}.vcf`);
  expect(file.headers.get("content-type")).toBe("text/vcard; charset=utf-8");
  expect(file.headers.get("content-disposition")).toBe(
    `attachment; filename="contact.vcf"; filename*=UTF-8''Zo%C3%AB%20O%27Hara.vcf`,
  );
  expect(await file.text()).toBe(
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:O'Hara;Zoë;;;\r\nFN:Zoë O'Hara\r\nEND:VCARD\r\n",
  );
  expect(await (await get(`${code.shortlink_url}.vcf?version=4.0`)).text()).toContain(
    "VERSION:4.0",
  );
  const byType = await get(code.shortlink_url, { accept: "text/vcard" });
  expect(byType.headers.get("content-type")).toContain("text/vcard");
  await service.clock.advance(100);
  expect((await service.get(`/qrcode/${code.id}/`)).body.total_scans).toBe(1);
});

it("has no file for a code without a contact", async () => {
  const link = await service.code({ dynamic: true });
  expect((await get(`${link.shortlink_url}.vcf`)).status).toBe(404);
  expect((await get("https://go.example/nothing.vcf")).status).toBe(404);
});

it("gives static codes the version that the contact asks for", async () => {
  const code = await service.code({
    qr_type: "vCard",
    qr_data: undefined,
    vcard: { first_name: "Ada", version: "4.0" },
  });
  expect(code.qr_data).toContain("VERSION:4.0");
  expect(code.vcard).toEqual({ first_name: "Ada", version: "4.0" });
});
