/**
 * The page on which people let an assistant in, in a real browser (docs/spec/api.md section 5.6).
 */
import { createHash } from "node:crypto";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "../service/make-service.ts";
import {
  findBarriers,
  follow,
  isBrowserThere,
  openBrowser,
  openVisitor,
  phone,
} from "./browser.ts";

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
  ["telephone", phone],
  ["desk", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" as const }],
])("is read, refused and approved on a %s", async (_, look) => {
  // Another origin than the page's: the policy of the page has to let the browser go there.
  const back = `${url.replace("127.0.0.1", "localhost")}/healthz`;
  const registered = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [back], client_name: "Label <b>assistant</b>" }),
  });
  const { client_id: client } = (await registered.json()) as Wire;
  const asked = new URLSearchParams({
    response_type: "code",
    client_id: client as string,
    redirect_uri: back,
    code_challenge: createHash("sha256").update("x").digest("base64url"),
    code_challenge_method: "S256",
    state: "s",
  });
  const { page, context, complaints } = await openVisitor(browser, look);
  await page.goto(`${url}/oauth/authorize?${asked.toString()}`);
  expect(await page.textContent("h1")).toContain("Label <b>assistant</b>");
  expect(await findBarriers(page)).toEqual([]);

  await page.fill("input[type=password]", "wrong");
  await follow(page.locator('button:text("Approve")'));
  expect(await page.textContent("[role=alert]")).toContain("No account has this token");
  expect(await findBarriers(page)).toEqual([]);

  await page.fill("input[type=password]", service.account.token);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${back}?code=*`);
  expect(new URL(page.url()).searchParams.get("iss")).toBe(url);

  await page.goto(`${url}/oauth/authorize?${asked.toString()}`);
  await page.click('button:text("Deny")');
  await page.waitForURL(`${back}?error=access_denied*`);
  // The browser tells of the 403 of the wrong token as of any.
  expect(complaints.filter((one) => !one.includes("403"))).toEqual([]);
  await context.close();
});
