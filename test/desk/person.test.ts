/** A person's way through the desk in a real browser: from a dropped spreadsheet to proven sheets. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import type { Desk } from "../../src/desk/desk.ts";
import { main } from "../../src/cli/program.ts";
import { findBarriers, follow, isBrowserThere, openBrowser, stands } from "../e2e/browser.ts";
import { tellStory } from "../e2e/story.ts";
import { openTestDesk } from "./open-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-person-"));
const outside = mkdtempSync(path.join(tmpdir(), "desk-file-"));
let desk: Desk;
let browser: Browser;
let context: BrowserContext;
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
  const env = { ...process.env, MAKEREADY_PUBLIC_URL: "https://go.example.com" };
  // As people have it: each step in a process of its own.
  desk = await openTestDesk(folder, { env, begin: undefined });
  browser = await openBrowser();
  context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  context.setDefaultTimeout(0);
  context.on("request", (request) => {
    if (!request.url().startsWith(desk.origin) && !request.url().startsWith("data:")) {
      foreign.push(request.url());
    }
  });
  page = await context.newPage();
  await page.goto(desk.link);
  await page.waitForURL(`${desk.origin}/`);
});

afterAll(async () => {
  await browser?.close();
  await desk?.close();
  for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
});

/** The tab is closed, and the desk is opened again in another one. */
async function reopen(): Promise<void> {
  await page.close();
  page = await context.newPage();
  await page.goto(`${desk.origin}/`);
}

/** Waits until what was chosen is kept. */
const isKept = (address: RegExp): Promise<unknown> =>
  page.waitForResponse((answer) => address.test(answer.url()) && answer.ok());

describe.runIf(isBrowserThere)("a person at the desk", () => {
  tellStory();

  test("an empty folder offers the sample", async () => {
    expect(await page.getByRole("button", { name: "Try the sample job" }).count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
  });

  test("drops a spreadsheet, sees what was guessed, and gets a plan", async () => {
    await follow(page.getByRole("link", { name: "New job" }).first());
    const file = path.join(outside, "sent", "people.csv");
    await page.getByLabel("Your spreadsheet").setInputFiles(file);
    await page.getByRole("button", { name: "Read this file" }).click();
    await page.waitForURL(/\/new\/columns/u);
    expect(await page.locator("[name=thing]:checked").getAttribute("value")).toBe("contact");
    expect(await page.getByLabel("Last name").inputValue()).toBe("Nachname");
    expect(await findBarriers(page)).toEqual([]);
  });

  test("closes the tab at the columns: nothing is written, and all is there again", async () => {
    await reopen();
    expect(await page.getByText("people.csv: begun, not yet a job.").count()).toBe(1);
    await follow(page.getByRole("link", { name: "Go on" }));
    const firstName = () =>
      page.getByRole("group", { name: "Lines below the code" }).getByLabel("Vorname");
    await Promise.all([isKept(/\/keep$/u), firstName().uncheck()]);
    await reopen();
    await follow(page.getByRole("link", { name: "Go on" }));
    await page.getByText("Your earlier choices were kept").waitFor();
    expect(await firstName().isChecked()).toBe(false);
    expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual([]);
    await firstName().check();
    await page.getByRole("button", { name: "Save the job" }).click();
    await page.waitForURL(/\/label$/u);
  });

  test("closes the tab at the label, and at the plan", async () => {
    const before = readFileSync(path.join(folder, "people.yaml"), "utf8");
    const copies = () => page.getByLabel("Labels of each row");
    // Made by the script that follows the fields.
    await page.locator("#find-stock").waitFor();
    await Promise.all([isKept(/\/preview$/u), copies().fill("2")]);
    await reopen();
    expect(await page.getByText("begun, not yet a job").count()).toBe(0);
    await page.goto(`${desk.origin}/job/people.yaml/label`);
    await page.getByText("These changes were not saved yet").waitFor();
    expect(await copies().inputValue()).toBe("2");
    expect(readFileSync(path.join(folder, "people.yaml"), "utf8")).toBe(before);
    await follow(page.getByRole("button", { name: "Discard the changes" }));
    expect(await copies().inputValue()).toBe("1");
    await page.getByRole("button", { name: "Save and plan" }).click();
    await page.waitForURL(/\/plan$/u);
    await reopen();
    await follow(page.getByRole("link", { name: "people" }));
    await stands(page.locator(".figures"));
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
    const run = page.getByRole("button", { name: "Run: 2 of 3 rows" });
    await run.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/(?:run|result)$/u);
    // The tab is closed in the middle of it.
    await reopen();
    await page.goto(`${desk.origin}/job/people.yaml/run`);
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
    expect(await page.locator("#reprint :checked").getAttribute("value")).toBe("emmy@example.com");
    // Enter in a field of several actions does none of them.
    await page.getByText("Take the chosen codes out of use").click();
    await page.getByLabel("Reason").press("Enter");
    expect(page.url()).toMatch(/\/result$/u);
    await page.getByRole("button", { name: "Print the spoiled labels again" }).click();
    const said = page.getByRole("status");
    await stands(said);
    expect(await said.textContent()).toContain("1 label is ready to print again");
    expect(existsSync(path.join(folder, "out/people/people-reprint.pdf"))).toBe(true);
  });

  test("proves the files again", async () => {
    await page.getByRole("button", { name: "Prove the files again" }).click();
    const said = page.locator("#afterwards .banner.warn");
    await stands(said);
    expect(await said.textContent()).toContain("Proved again: 2 of 2 codes read back");
    expect(await said.textContent()).toContain("1 row of the job is missing");
  });

  test("switches a schedule on and off", async () => {
    await page.goto(`${desk.origin}/job/people.yaml/schedule`);
    expect(await page.getByLabel("Day", { exact: true }).isVisible()).toBe(false);
    await page.getByLabel("How often").selectOption("week");
    await page.getByLabel("Day", { exact: true }).selectOption("5");
    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByText("Switched on").waitFor();
    expect(readFileSync(path.join(folder, "people.yaml"), "utf8")).toContain("0 6 * * 5");
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByText("Switched off").waitFor();
    expect(readFileSync(path.join(folder, "people.yaml"), "utf8")).toContain("paused: true");
  });

  test("takes a new file, after the difference was shown", async () => {
    await page.goto(`${desk.origin}/job/people.yaml/result`);
    const more = { name: "new.csv", mimeType: "text/csv" };
    const rows = CONTACTS.replace("not an address", "hedy@example.com");
    await page
      .locator("#new-file-sent")
      .setInputFiles({ ...more, buffer: Buffer.from(`${rows}4;Grace;Hopper;grace@example.com\n`) });
    await page.getByRole("button", { name: "Show the difference" }).click();
    await page.waitForURL(/\/new-file\?/u);
    await stands(page.locator(".figures"));
    expect(await page.locator(".figures").textContent()).toContain("To create2");
    expect(readFileSync(path.join(folder, "people.yaml"), "utf8")).toContain("people.csv");
    await page.getByRole("button", { name: "Take this file and plan" }).click();
    await page.waitForURL(/\/plan$/u);
    expect(readFileSync(path.join(folder, "people.yaml"), "utf8")).toContain("people-2.csv");
    expect(readFileSync(path.join(folder, "people.csv"), "utf8")).toBe(CONTACTS);
  });

  test("reads the desk in German, and nothing was asked of elsewhere", async () => {
    await page.goto(`${desk.origin}/job/people.yaml/result`);
    await follow(page.getByRole("button", { name: "Deutsch" }));
    expect(await page.getByRole("heading", { name: "Codes" }).count()).toBe(1);
    expect(await page.getByRole("link", { name: "Neuer Auftrag" }).count()).toBe(1);
    expect(foreign).toEqual([]);
  });
});
