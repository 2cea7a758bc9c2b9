/** A person at the screen "label and sheet", in a real browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Desk } from "../../src/desk/desk.ts";
import {
  findBarriers,
  follow,
  holds,
  isBrowserThere,
  lands,
  openBrowser,
  openVisitor,
} from "../e2e/browser.ts";
import { tellStory } from "../e2e/story.ts";
import { openTestDesk } from "./open-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-label-person-"));
const file = path.join(folder, "shelves.yaml");
const manifest = `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [shelf], columns: { shelf: {}, url: { type: url } } }
code: { dynamic: false, qr_data: "{{ url }}" }
output:
  dir: out
  sheets: { sheet: avery-l7159, caption: "{{ shelf }}" }
`;
let desk: Desk;
let browser: Browser;
let page: Page;
let asked: string[];
let complaints: string[];

beforeAll(async () => {
  if (!isBrowserThere) return;
  const rows = ["A-01", "A-02", "B-01"].map((shelf) => `${shelf},https://example.com/${shelf}\n`);
  writeFileSync(path.join(folder, "shelves.csv"), `shelf,url\n${rows.join("")}`);
  writeFileSync(file, manifest);
  desk = await openTestDesk(folder);
  browser = await openBrowser();
  const look = { viewport: { width: 1280, height: 900 } };
  ({ page, asked, complaints } = await openVisitor(browser, look));
  await page.goto(desk.link);
  await page.waitForURL(`${desk.origin}/`);
  await page.goto(`${desk.origin}/job/shelves.yaml/label`);
});

afterAll(async () => {
  await browser?.close();
  await desk?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Until the script follows the fields: the last thing that it puts on the page. */
const isLive = (): Promise<void> => page.locator(".look-code").waitFor();

/** Hundreds of sheets have the markup of one: the barriers of some are those of all. */
const findSome = (text: string): Promise<void> => page.locator("#find-stock").fill(text);

const pictureOf = (name: string): Promise<string | null> =>
  page.locator(`.look-${name} img`).first().getAttribute("src");

/** Does something, and waits until the picture is another one. */
async function redraws(name: string, work: () => Promise<unknown>): Promise<boolean> {
  const before = await pictureOf(name);
  await work();
  await holds(page, async () => (await pictureOf(name)) !== before);
  return true;
}

describe.runIf(isBrowserThere)("label and sheet", () => {
  tellStory();

  test("shows a label, the sheet and the code; nothing bars the way", async () => {
    await page.getByText("The pictures follow what you type").waitFor();
    await isLive();
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "One label",
      "The first sheet",
      "The code as a picture file",
    ]);
    await findSome("7159");
    expect(await page.locator(".stock:visible").count()).toBeGreaterThan(1);
    expect(await findBarriers(page)).toEqual([]);
    await findSome("");
  });

  test("follows what is typed, by the keyboard alone, and writes nothing", async () => {
    const copies = page.getByLabel("Labels of each row");
    await copies.focus();
    expect(await redraws("sheet", () => page.keyboard.press("ArrowUp"))).toBe(true);
    expect(await copies.inputValue()).toBe("2");
    await page.getByText("Labels: 6. Sheets: 1, of 24 labels each.").waitFor();
    expect(readFileSync(file, "utf8")).toBe(manifest);
  });

  test("finds a sheet by its maker's number", async () => {
    await page.getByLabel("Find by maker, number or size").fill("herma 4270");
    expect(await page.locator(".stock:visible").count()).toBe(1);
    // The label is drawn first, then the sheet.
    const choose = () => page.locator(".stock:visible input").check();
    expect(await redraws("sheet", () => redraws("label", choose))).toBe(true);
  });

  test("begins printing where the sheet is clicked", async () => {
    const sheet = page.locator(".sheet-button");
    await sheet.locator("img").evaluate("(picture) => picture.decode()");
    const { width = 0, height = 0 } = (await sheet.boundingBox()) ?? {};
    const position = { x: width * 0.5, y: height * 0.5 };
    await sheet.click({ position });
    await page.getByText("Printing begins at label").waitFor();
    const start = Number(await page.getByLabel("First free label").inputValue());
    expect(start).toBeGreaterThan(1);
    expect(await page.getByText(`Printing begins at label ${start}.`).count()).toBe(1);
  });

  test("says what can't be printed beside the last good picture", async () => {
    const before = await pictureOf("label");
    await page.getByLabel("Side of the code, mm").fill("90");
    await page.locator(".look-label .banner.bad").waitFor();
    expect(await page.locator(".look-label .banner.bad").textContent()).toContain("must fit");
    expect(await pictureOf("label")).toBe(before);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("Side of the code, mm").fill("");
    await page.locator(".look-label .banner.bad").waitFor({ state: "detached" });
  });

  test("saves when asked to, and only what was changed", async () => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(
      /sheets: \{ sheet: herma-4270, caption: "\{\{ shelf \}\}", start: \d+, copies: 2 \}/u,
    );
    expect(text.slice(0, text.indexOf("output:"))).toBe(
      manifest.slice(0, manifest.indexOf("output:")),
    );
  });

  test("fits a telephone, in the dark and in German", async () => {
    await follow(page.getByRole("button", { name: "Deutsch" }));
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${desk.origin}/job/shelves.yaml/label`);
    await page.getByText("Die Bilder folgen Ihrer Eingabe").waitFor();
    await isLive();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await findSome("7159");
    expect(await findBarriers(page)).toEqual([]);
  });

  test("works without script: Show draws the draft, a click on the sheet begins there", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await context.addCookies(await page.context().cookies());
    const plain = await context.newPage();
    await plain.goto(`${desk.origin}/job/shelves.yaml/label`);
    const code = "Ein Modul ist";
    expect(await plain.getByText(code).count()).toBe(1);
    const sheet = plain.locator("input[type=image]");
    await lands(plain, () => sheet.click({ position: { x: 160, y: 200 } }));
    expect(await plain.getByText("Der Druck beginnt bei Etikett").count()).toBe(1);
    await context.close();
  });

  test("asks no other server, and the browser reports no errors", () => {
    const foreign = asked.filter((url) => !url.startsWith(desk.origin) && !url.startsWith("data:"));
    expect([foreign, complaints]).toEqual([[], []]);
  });
});
