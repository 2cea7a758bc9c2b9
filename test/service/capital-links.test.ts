/** Links in capitals: smaller codes for new ones, and none that lives is drawn otherwise. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, expect, it } from "vitest";

import { randomIds } from "../../src/base/ids/ids.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";

import { makeService } from "./make-service.ts";
import { readCode } from "./read-code.ts";

const svgToText = (svg: string) => readCode(Buffer.from(svg));

const dataDir = mkdtempSync(path.join(tmpdir(), "makeready-capitals-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const open = (capitalLinks: boolean, publicUrl = "https://go.example/qr") =>
  makeService({ dataDir, capitalLinks, publicUrl, ids: randomIds });

const GTIN = { identifier_value: "09520123456788", destination_url: "https://e.example/p" };
const CAPITAL = /^HTTPS:\/\/GO\.EXAMPLE\/qr\/[2-9A-HJKMNP-Z]{8}$/u;
const SMALL = /^https:\/\/go\.example\/qr\/[2-9a-hjkmnp-z]{8}$/u;

it("new codes have them, codes that exist keep theirs, in both directions", async () => {
  const before = await open(false);
  const old = await before.code({ dynamic: true });
  expect(old.shortlink_url).toMatch(SMALL);
  await before.close();

  const capital = await open(true);
  const fresh = await capital.code({ dynamic: true });
  expect(fresh.shortlink_url).toMatch(CAPITAL);
  expect(await svgToText(fresh.svg)).toBe(fresh.shortlink_url);
  const product = await capital.code({ qr_type: "GS1", qr_data: undefined, gs1_product: GTIN });
  expect(product.shortlink_url).toBe("HTTPS://GO.EXAMPLE/qr/01/09520123456788");
  const kept = await capital.get(`/qrcode/${old.id as string}/`);
  expect(kept.body.shortlink_url).toBe(old.shortlink_url);
  const fixed = await capital.code({});
  expect(fixed.shortlink_url).toBeNull();
  expect(await svgToText(fixed.svg)).toBe(fixed.qr_data);
  await capital.close();

  const after = await open(false);
  const again = await after.get(`/qrcode/${fresh.id as string}/`);
  expect(again.body.shortlink_url).toBe(fresh.shortlink_url);
  const restyled = await after.send("PATCH", `/qrcode/${fresh.id as string}/design/`, {
    pattern: "Circles",
  });
  expect(await svgToText(restyled.body.svg)).toBe(fresh.shortlink_url);
  expect((await after.scan(fresh.shortlink_url)).headers.get("location")).toBe(fresh.qr_data);
  await after.close();
});

it("make a smaller code", () => {
  const link = "https://menu.example.com/ab2cdefg";
  const [is, would] = [link, link.toUpperCase()].map((text) => encodeQr(text).version);
  expect([is, would]).toEqual([4, 3]);
});
