/** A person's way through the desk in a real browser: from a dropped spreadsheet to proven sheets. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import type { Desk } from "../../src/desk/desk.ts";
import { main } from "../../src/cli/main.ts";
import { findBarriers, isBrowserThere, openBrowser } from "../e2e/browser.ts";
import { openTestDesk } from "./open-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-person-"));
const outside = mkdtempSync(path.join(tmpdir(), "desk-file-"));
let desk: Desk;
let browser: Browser;
let page: Page;
const foreign: string[] = [];

const CONTACTS = `Nr;Vorname;Nachname;E-Mail
1;Ada;Lovelace;ada@example.com
2;Emmy;Noether;emmy@example.com
3;Hedy;Lamarr;not an address
`;

beforeAll(async () => {
  if (!isBrowserThere) return;
  mkdirSync(path.join(outside, "sent"));
  writeFileSync(path.join(outside, "sent", "people.csv"), CONTACTS);
  desk = await openTestDesk(folder, {
    env: { ...process.env, MAKEREADY_PUBLIC_URL: "https://go.example.com" },
  });
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  page = await context.newPage();
  page.on("request", (request) => {
    if (!request.url().startsWith(desk.origin) && !request.url().startsWith("data:")) {
      foreign.push(request.url());
    }
  });
  await page.goto(desk.link);
  await page.waitForURL(`${desk.origin}/`);
});

afterAll(async () => {
  await browser?.close();
  await desk?.close();
  for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
});

describe.runIf(isBrowserThere)("a person at the desk", () => {
  test("an empty folder offers the sample", async () => {
    expect(await page.getByRole("button", { name: "Try the sample job" }).count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
  });

  test("drops a spreadsheet, sees what was guessed, and gets a plan", async () => {
    await page.getByRole("link", { name: "New job" }).first().click();
    const file = path.join(outside, "sent", "people.csv");
    await page.getByLabel("Your spreadsheet").setInputFiles(file);
    await page.getByRole("button", { name: "Read this file" }).click();
    await page.waitForURL(/\/new\/columns/u);
    expect(await page.locator("[name=thing]:checked").getAttribute("value")).toBe("contact");
    expect(await page.getByLabel("Last name").inputValue()).toBe("Nachname");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Save the job" }).click();
    await page.waitForURL(/\/label$/u);
    await page.getByRole("button", { name: "Save and plan" }).click();
    await page.locator(".figures").waitFor();
    expect(await page.locator(".figures").textContent()).toContain("Refused rows1");
    expect(await page.getByText("not an address").count()).toBe(1);
    expect(await page.getByText("line 4, E-Mail").count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
  });

  test("the manifest is one that a person would write, and the command line runs it", async () => {
    const text = readFileSync(path.join(folder, "people.yaml"), "utf8");
    expect(text).toMatch(/^kind: codes$/mu);
    expect(text).toContain('last_name: "{{ Nachname }}"');
    let said = "";
    const signal = new AbortController().signal;
    const code = await main(["validate", "people.yaml"], {
      env: {},
      cwd: folder,
      clock: systemClock,
      ids: randomIds,
      out: (piece) => (said += piece),
      err: (piece) => (said += piece),
      terminalWidth: undefined,
      writer: "makeready test",
      signal,
    });
    expect([code, said]).toEqual([0, expect.stringContaining("people is valid")]);
  });

  test("runs it with the keyboard alone; every code is read back", async () => {
    const run = page.getByRole("button", { name: "Run: 2 rows" });
    await run.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/result$/u);
    expect(await page.locator(".verdict").textContent()).toBe("Rows to mend: 1");
    expect(await page.getByText("2 of 2 codes read back").count()).toBe(1);
    const before = page.getByRole("region", { name: "Know before you print" });
    expect(await before.textContent()).toContain("1 row of the job is missing: line ");
    expect(existsSync(path.join(folder, "out/people/people.pdf"))).toBe(true);
    expect(await page.locator(".contact img").count()).toBe(2);
    expect(await findBarriers(page)).toEqual([]);
  });

  test("prints a spoiled label again by a click", async () => {
    const sheet = page.locator("svg.sheet-map");
    // The middle of the label in the first row and second column: 105 of 210 mm, 30 of 297 mm.
    const box = await sheet.boundingBox();
    if (box === null) throw new Error("no sheet");
    await sheet.click({ position: { x: box.width / 2, y: (box.height * 30) / 297 } });
    expect(await page.locator("#reprint :checked").getAttribute("value")).toBe("2");
    await page.getByRole("button", { name: "Print the chosen labels again" }).click();
    const said = page.getByRole("status");
    await said.waitFor();
    expect(await said.textContent()).toContain("1 label is ready to print again");
    expect(existsSync(path.join(folder, "out/people/people-reprint.pdf"))).toBe(true);
  });

  test("proves the files again", async () => {
    await page.getByRole("button", { name: "Prove the files again" }).click();
    const said = page.locator("#afterwards .banner.good");
    await said.waitFor();
    expect(await said.textContent()).toContain("Proved again: 2 of 2 codes read back");
  });

  test("reads the desk in German, and nothing was asked of elsewhere", async () => {
    await page.getByRole("button", { name: "Deutsch" }).click();
    expect(await page.getByRole("heading", { name: "Codes" }).count()).toBe(1);
    expect(await page.getByRole("link", { name: "Neuer Auftrag" }).count()).toBe(1);
    expect(foreign).toEqual([]);
  });

  test("works on a narrow screen and in the dark", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: "dark" });
    const job = "/job/people.yaml";
    for (const target of ["/", "/new", `${job}/plan`, `${job}/result`]) {
      await page.goto(`${desk.origin}${target}`);
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      expect([target, wide]).toEqual([target, 360]);
      expect(await findBarriers(page)).toEqual([]);
    }
  });
});
