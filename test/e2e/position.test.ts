/**
 * The page of a code that asks for the position (gps_tracking, gps) in a real browser, on a telephone:
 * nothing is asked before the visitor asks for it, and every way leads on.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "../service/make-service.ts";
import {
  findBarriers,
  isBrowserThere,
  openBrowser,
  openVisitor,
  phone,
  type Visitor,
} from "./browser.ts";

let browser: Browser;
let service: TestService;
let url: string;
let shop: Server;
let shopUrl: string;

beforeAll(async () => {
  if (!isBrowserThere) return;
  service = await makeService({ publicUrl: undefined });
  shop = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title>");
  });
  await new Promise<void>((resolve) => {
    shop.listen(0, "127.0.0.1", resolve);
  });
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
  [browser, { url }] = await Promise.all([
    openBrowser(),
    service.listen({ host: "127.0.0.1", port: 0 }),
  ]);
});
afterAll(async () => {
  if (!isBrowserThere) return;
  await browser.close();
  shop.close();
  await service.close();
});

async function open(
  look: Parameters<typeof openVisitor>[1],
): Promise<{ visitor: Visitor; id: string }> {
  const code = await service.code({ dynamic: true, gps_tracking: true, qr_data: shopUrl });
  const visitor = await openVisitor(browser, { ...phone, userAgent, ...look });
  await visitor.page.goto(code.shortlink_url);
  return { visitor, id: code.id };
}

async function readLocations(id: string): Promise<string[]> {
  await service.clock.advance(200);
  const { results } = (await service.get(`/qrcode/${id}/activity/`)).body;
  return results.map(({ location }: Wire) => location);
}

/** The browser of these tests says that it is a robot. */
const userAgent =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36";
const here = { latitude: 52.52, longitude: 13.405 };

describe.skipIf(!isBrowserThere)("a code that asks for the position", () => {
  it("keeps it when the visitor shares it, and leads on", async () => {
    const { visitor, id } = await open({ geolocation: here, permissions: ["geolocation"] });
    const { page, asked, complaints } = visitor;
    expect(asked.filter((address) => !address.startsWith(`${url}/`))).toEqual([]);
    await page.getByRole("button", { name: "Share my location and continue" }).click();
    await page.waitForURL(shopUrl);
    expect(await readLocations(id)).toEqual(["52.5200, 13.4050"]);
    expect(complaints.filter((one) => !one.includes("favicon"))).toEqual([]);
    await visitor.context.close();
  });

  it("leads on when the browser refuses", async () => {
    const { visitor, id } = await open({ permissions: [] });
    await visitor.page.getByRole("button", { name: "Share my location and continue" }).click();
    await visitor.page.waitForURL(shopUrl);
    expect(await readLocations(id)).toEqual([""]);
    await visitor.context.close();
  });

  it("leads on without sharing, and without a question of the browser", async () => {
    const { visitor, id } = await open({ geolocation: here, permissions: ["geolocation"] });
    await visitor.page.getByRole("link", { name: "Continue without sharing" }).click();
    await visitor.page.waitForURL(shopUrl);
    expect(await readLocations(id)).toEqual([""]);
    await visitor.context.close();
  });

  it("works without JavaScript: the link is there, the button isn't", async () => {
    const { visitor, id } = await open({ javaScriptEnabled: false });
    const { page } = visitor;
    expect(await page.getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "Continue without sharing" }).click();
    await page.waitForURL(shopUrl);
    expect(await readLocations(id)).toEqual([""]);
    await visitor.context.close();
  });

  it("has no barriers, by day and by night", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { visitor } = await open({ colorScheme });
      expect(await findBarriers(visitor.page)).toEqual([]);
      const picture = process.env["PICTURES"];
      if (picture !== undefined) {
        await visitor.page.screenshot({ path: `${picture}/position-${colorScheme}.png` });
      }
      await visitor.context.close();
    }
  });
});
