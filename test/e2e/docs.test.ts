/** The API's page in a real browser: narrow and wide, light and dark. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";

import { makeService, type TestService } from "../service/make-service.ts";
import { findBarriers, holds, isBrowserThere, openBrowser, openVisitor } from "./browser.ts";

let browser: Browser;
let service: TestService;
let url: string;

beforeAll(async () => {
  if (!isBrowserThere) return;
  service = await makeService({ publicUrl: undefined });
  [browser, { url }] = await Promise.all([
    openBrowser(),
    service.listen({ host: "127.0.0.1", port: 0 }),
  ]);
});
afterAll(async () => {
  if (!isBrowserThere) return;
  await browser.close();
  await service.close();
});

it.skipIf(!isBrowserThere).each([
  [360, "dark"],
  [1280, "light"],
] as const)("fits %i pixels, %s, without a barrier or a complaint", async (width, colorScheme) => {
  const look = { viewport: { width, height: 900 }, colorScheme };
  const { page, context, asked, complaints } = await openVisitor(browser, look);
  await page.goto(`${url}/api/v2/docs/`);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  // Contents lead to a section, whose heading is then in sight.
  await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  const heading = page.locator("#webhooks h2");
  await holds(page, async () => Math.abs((await heading.boundingBox())?.y ?? Infinity) < 100);
  expect([asked.length, complaints]).toEqual([1, []]);
  // Sections are made alike; all of them would keep the judge busy for a minute.
  await page.evaluate(
    "document.querySelectorAll('#api > section:not(#tags, #webhooks, #limits)').forEach((one) => one.remove())",
  );
  expect(await findBarriers(page)).toEqual([]);
  await context.close();
});
