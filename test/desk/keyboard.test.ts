/** From a spreadsheet to downloaded sheets with the keys Tab, Enter, Space and arrows alone. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Desk } from "../../src/desk/desk.ts";
import { isBrowserThere, openBrowser, openVisitor, stands } from "../e2e/browser.ts";
import { decodePdf } from "./decode-pdf.ts";
import { openTestDesk } from "./open-desk.ts";

/** More stops than any page of the desk has. */
const MOST_STOPS = 120;

/** Name and ring of the element that has the focus. */
const FOCUSED = `(() => {
  const { activeElement: at } = document;
  const { outlineStyle, boxShadow } = getComputedStyle(at);
  const label = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
  const { left, top, width, height } = at.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".save");
  const isCovered = above != null && !above.contains(at);
  return { isCovered, name: label.trim(), hasRing: outlineStyle !== "none" || boxShadow !== "none", tag: at.tagName };
})()`;

interface Focused {
  readonly name: string;
  /** A bar that stays in place stands before it. */
  readonly isCovered: boolean;
  readonly hasRing: boolean;
  readonly tag: string;
}

const folder = mkdtempSync(path.join(tmpdir(), "desk-keyboard-"));
let desk: Desk;
let browser: Browser;
let page: Page;
const ringless: string[] = [];
const covered: string[] = [];

beforeAll(async () => {
  if (!isBrowserThere) return;
  writeFileSync(
    path.join(folder, "regale.csv"),
    "Regal;Ort\nA-01;Halle Nord\nA-02;Halle Nord\nB-01;Außenlager\n",
  );
  desk = await openTestDesk(folder);
  browser = await openBrowser();
  const look = { viewport: { width: 1200, height: 900 }, acceptDownloads: true };
  ({ page } = await openVisitor(browser, look));
  await page.goto(desk.link);
  await page.waitForURL(`${desk.origin}/`);
});

afterAll(async () => {
  await browser?.close();
  await desk?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Presses Tab until that has the focus, and notes what has no ring on the way. */
async function tabTo(wanted: RegExp): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    const { name, hasRing, isCovered, tag } = await page.evaluate<Focused>(FOCUSED);
    if (!hasRing && tag !== "BODY") ringless.push(`${page.url()} ${tag} ${name}`);
    if (isCovered) covered.push(`${page.url()} ${tag} ${name}`);
    if (wanted.test(name)) return;
  }
  throw new Error(`nothing named ${wanted.source} can be reached by Tab on ${page.url()}`);
}

async function enter(wanted: RegExp, next: RegExp): Promise<void> {
  await tabTo(wanted);
  await page.keyboard.press("Enter");
  await page.waitForURL(next);
}

test.runIf(isBrowserThere)("the keyboard alone leads to sheets whose codes are read", async () => {
  await enter(/^New job$/u, /\/new$/u);
  await enter(/^regale\.csv$/u, /\/new\/columns/u);
  const chosen = page.locator("[name=thing]:checked");
  expect(await chosen.getAttribute("value")).toBe("text");
  await tabTo(/^Ort$/u);
  await page.keyboard.press("Space");
  expect(await page.getByRole("checkbox", { name: "Ort" }).first().isChecked()).toBe(true);
  await page.keyboard.press("Space");
  await enter(/^Save the job$/u, /\/label$/u);
  await page.getByText("The pictures follow what you type").waitFor();
  // Made by the script that follows the fields.
  await page.locator("#find-stock").waitFor();
  await page.setViewportSize({ width: 640, height: 450 });
  await tabTo(/^Labels of each row$/u);
  await page.keyboard.press("ArrowUp");
  await page.getByText("Labels: 6.").waitFor();
  await enter(/^Save and plan$/u, /\/plan$/u);
  await page.setViewportSize({ width: 1200, height: 900 });
  await stands(page.locator(".figures"));
  await enter(/^Run: 3 rows$/u, /\/(?:run|result)$/u);
  await page.waitForURL(/\/result$/u);
  await tabTo(/^Download regale\.pdf$/u);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.keyboard.press("Enter"),
  ]);
  const pdf = new Uint8Array(await readFile(await download.path()));
  expect(new Set(await decodePdf(pdf))).toEqual(new Set(["A-01", "A-02", "B-01"]));
  await tabTo(/^A-02: row 1/u);
  await page.keyboard.press("Space");
  await tabTo(/^Print the spoiled labels again$/u);
  await page.keyboard.press("Enter");
  await page.getByText("1 label is ready to print again").waitFor();
  expect(ringless).toEqual([]);
  expect(covered).toEqual([]);
});
