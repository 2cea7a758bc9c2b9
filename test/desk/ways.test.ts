/** From a dropped XLSX to downloaded PDFs whose codes say what the rows say; then a new look for them. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import exceljs from "exceljs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Desk } from "../../src/desk/desk.ts";
import {
  findBarriers,
  follow,
  isBrowserThere,
  ofColours,
  openBrowser,
  openVisitor,
  stands,
} from "../e2e/browser.ts";
import { tellStory } from "../e2e/story.ts";
import { decodePdf } from "./decode-pdf.ts";
import { openTestDesk } from "./open-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-ways-"));
let desk: Desk;
let browser: Browser;
let page: Page;
let asked: string[];
let complaints: string[];

beforeAll(async () => {
  if (!isBrowserThere) return;
  const env = { ...process.env, MAKEREADY_PUBLIC_URL: "https://go.example.com" };
  desk = await openTestDesk(folder, { env });
  browser = await openBrowser();
  const look = { viewport: { width: 1200, height: 900 }, acceptDownloads: true };
  ({ page, asked, complaints } = await openVisitor(browser, look));
  await page.goto(desk.link);
  await page.waitForURL(`${desk.origin}/`);
});

afterAll(async () => {
  await browser?.close();
  await desk?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function makeWorkbook(rows: readonly (readonly string[])[]): Promise<string> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet("List");
  for (const row of rows) sheet.addRow([...row]);
  return Buffer.from(await book.xlsx.writeBuffer()).toString("base64");
}

/** Drops a file where the page takes one, as a mouse would. */
async function drop(name: string, content: string): Promise<void> {
  await page.goto(`${desk.origin}/new`);
  await page.getByText("Drop the file here").waitFor();
  const data = await page.evaluateHandle(
    `(() => { const bytes = Uint8Array.from(atob("${content}"), (c) => c.charCodeAt(0));
      const data = new DataTransfer(); data.items.add(new File([bytes], "${name}")); return data; })()`,
  );
  await page.dispatchEvent("[data-drop]", "drop", { dataTransfer: data });
  await page.waitForURL(/\/new\/columns/u);
}

const thing = (): Promise<string | null> =>
  page.locator("[name=thing]:checked").getAttribute("value");

async function run(): Promise<void> {
  await page.getByRole("button", { name: /^Run: / }).click();
  await page.waitForURL(/\/result$/u);
}

/** Saves, plans, runs, and downloads the sheets. */
async function toPdf(): Promise<Uint8Array> {
  await page.getByRole("button", { name: "Save the job" }).click();
  await page.waitForURL(/\/label$/u);
  await follow(page.getByRole("button", { name: "Save and plan" }));
  await stands(page.locator(".figures"));
  await run();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download .*\.pdf$/u }).click(),
  ]);
  return new Uint8Array(await readFile(await download.path()));
}

describe.runIf(isBrowserThere)("a person's way from a dropped workbook", () => {
  tellStory();

  test("to short links that can lead elsewhere later", async () => {
    const rows = [
      ["Table", "Menu"],
      ["T 1", "https://menu.example/1"],
      ["T 2", "https://menu.example/2"],
    ];
    await drop("tables.xlsx", await makeWorkbook(rows));
    expect(await thing()).toBe("dynamic-link");
    const texts = await decodePdf(await toPdf());
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toMatch(/^https:\/\/go\.example\.com\/\w+$/iu);
    expect(await page.locator(".verdict").textContent()).toBe("Ready for press");
  });

  test("to products with a GS1 Digital Link", async () => {
    const rows = [
      ["GTIN", "Product", "Page"],
      ["09506000134352", "Honey", "https://example.com/honey"],
      ["09506000134369", "Jam", "https://example.com/jam"],
    ];
    await drop("products.xlsx", await makeWorkbook(rows));
    expect(await thing()).toBe("product");
    await page.getByText("Every column is used.").waitFor();
    await page.getByLabel("A short link").check();
    await page.locator("[name=caption][value=Product]").uncheck();
    await page.getByText("Not used: Product.").waitFor();
    await page.locator("[name=caption][value=Product]").check();
    await page.getByLabel("A GS1 product").check();
    const texts = await decodePdf(await toPdf());
    const gtins = texts.map((text) => /\/01\/(\d{14})/u.exec(text)?.[1] ?? "none");
    expect(gtins.toSorted()).toEqual(["09506000134352", "09506000134369"]);
  });

  test("to contacts", async () => {
    const rows = [
      ["First name", "Last name", "Email"],
      ["Ada", "Lovelace", "ada@example.com"],
    ];
    await drop("people.xlsx", await makeWorkbook(rows));
    expect(await thing()).toBe("contact");
    const [text = ""] = await decodePdf(await toPdf());
    expect(text).toContain("N:Lovelace;Ada");
  });

  test("to a new look for codes that exist", async () => {
    await page.goto(`${desk.origin}/new`);
    await page.getByLabel("A new look for codes that exist").check();
    await page.locator("#plain-name").fill("autumn");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.waitForURL(/autumn\.yaml\/label$/u);
    await page.getByLabel("Colour", { exact: true }).first().fill("#0a3d62");
    await follow(page.getByRole("button", { name: "Save and plan" }));
    await stands(page.locator(".figures"));
    await run();
    expect(await page.getByText("Undo this run").count()).toBeGreaterThan(0);
  });

  test("on every screen without barriers, and no other server is asked", async () => {
    const job = "/job/tables.yaml";
    const screens = ["/", "/new", `${job}/label`, `${job}/plan`, `${job}/result`];
    const more = [
      `${job}/mend`,
      `${job}/scan`,
      `${job}/proof`,
      `${job}/schedule`,
      `${job}/printer`,
      `${job}/show/tables.pdf`,
    ];
    await page.setViewportSize({ width: 360, height: 740 });
    for (const target of [...screens, ...more]) {
      await page.emulateMedia({ colorScheme: "dark" });
      await page.goto(`${desk.origin}${target}`);
      // The last thing that the script puts on the page.
      if (target.endsWith("/label")) await page.locator(".look-code").waitFor();
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      const cut = await page.evaluate(
        "[...document.querySelectorAll('.stack')].filter((one) => one.scrollWidth > one.parentElement.clientWidth).length",
      );
      // Hundreds of sheets have the markup of one: the barriers of some are those of all.
      if (target.endsWith("/label")) await page.locator("#find-stock").fill("7159");
      expect([target, wide, cut, await findBarriers(page)]).toEqual([target, 360, 0, []]);
      if (!more.includes(target)) continue;
      await page.emulateMedia({ colorScheme: "light" });
      expect([target, await findBarriers(page, ofColours)]).toEqual([target, []]);
    }
    const foreign = asked.filter(
      (url) => !/^(?:data|blob):/u.test(url) && !url.startsWith(desk.origin),
    );
    expect([foreign, complaints]).toEqual([[], []]);
  });
});
