/** A desk and a run that are killed by force: another desk watches, and goes on with what was begun. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Desk } from "../../src/desk/desk.ts";
import { listTasks, TASK_FILES } from "../../src/desk/tasks/task.ts";
import { isBrowserThere, openBrowser, openVisitor } from "../e2e/browser.ts";
import { tellStory } from "../e2e/story.ts";
import { openTestDesk } from "./open-desk.ts";

const ROWS = 400;
const folder = mkdtempSync(path.join(tmpdir(), "desk-kill-"));
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const env = { ...process.env, MAKEREADY_PUBLIC_URL: "https://go.example.com" };
let browser: Browser;
let page: Page;
let killed: ChildProcess;
let desk: Desk;

/** Starts a desk as a person does; answers its link. */
async function startDesk(): Promise<string> {
  killed = spawn(process.execPath, [program, "desk", folder, "--no-browser", "--json"], { env });
  const lines = createInterface({ input: killed.stdout ?? process.stdin });
  for await (const line of lines) return (JSON.parse(line) as { url: string }).url;
  throw new Error("the desk said nothing");
}

/** The process of the run, as its file names it. */
async function pidOfRun(): Promise<number> {
  const [task] = await listTasks(folder, "codes.yaml");
  const mark = readFileSync(path.join(task?.dir ?? "", TASK_FILES.alive), "utf8");
  return (JSON.parse(mark) as { pid: number }).pid;
}

beforeAll(async () => {
  if (!isBrowserThere) return;
  const rows = Array.from({ length: ROWS }, (_, n) => `${n},https://example.com/${n}\n`);
  writeFileSync(path.join(folder, "codes.csv"), `n,url\n${rows.join("")}`);
  writeFileSync(
    path.join(folder, "codes.yaml"),
    `version: 1
name: codes
kind: codes
source: { file: codes.csv, key: [n] }
code: { dynamic: true, qr_data: "{{ url }}" }
output: { dir: out, files: [], sheets: true, index: [csv] }
`,
  );
  browser = await openBrowser();
  ({ page } = await openVisitor(browser, { viewport: { width: 1000, height: 800 } }));
  await page.goto(await startDesk());
  await page.getByRole("heading", { name: "Jobs" }).waitFor();
});

afterAll(async () => {
  await browser?.close();
  await desk?.close();
  killed?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(isBrowserThere)("what is killed in the middle", () => {
  tellStory();

  test("a desk that is killed leaves its run alone, and a second desk watches it", async () => {
    await page.goto(new URL("/job/codes.yaml/plan", page.url()).href);
    await page.getByRole("button", { name: "Make the plan" }).click();
    await page.getByRole("button", { name: `Run: ${ROWS} rows` }).click();
    await page.locator("progress").first().waitFor();
    killed.kill("SIGKILL");
    desk = await openTestDesk(folder, { env, begin: undefined });
    await page.goto(desk.link);
    await page.waitForURL(`${desk.origin}/`);
    await page.goto(`${desk.origin}/job/codes.yaml/run`);
    await page.locator("progress").first().waitFor();
    // A second run isn't begun: who asks for one watches the first.
    const begun = await listTasks(folder, "codes.yaml");
    await page.goto(`${desk.origin}/job/codes.yaml/plan`);
    expect(page.url()).toBe(`${desk.origin}/job/codes.yaml/run`);
    expect(await listTasks(folder, "codes.yaml")).toHaveLength(begun.length);
  });

  test("a killed run is reported, and goes on: no code is lost or made twice", async () => {
    process.kill(await pidOfRun(), "SIGKILL");
    await page.getByText("The run broke off").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.waitForURL(/\/result$/u);
    expect(await page.getByText(`${ROWS} of ${ROWS} codes read back`).count()).toBe(1);
    const index = readFileSync(path.join(folder, "out/index.csv"), "utf8").trim().split("\r\n");
    const links = index.map((line) => /https:\/\/go\.example\.com\/\w+/u.exec(line)?.[0]);
    expect(new Set(links.filter((link) => link !== undefined)).size).toBe(ROWS);
  });

  test("a run is paused and goes on", async () => {
    const rows = Array.from({ length: ROWS }, (_, n) => `${n},https://example.org/${n}\n`);
    writeFileSync(path.join(folder, "codes.csv"), `n,url\n${rows.join("")}`);
    await page.goto(`${desk.origin}/job/codes.yaml/plan`);
    await page.getByText("has changed since this plan").waitFor();
    await page.getByRole("button", { name: "Plan again" }).click();
    await page.getByRole("button", { name: `Run: ${ROWS} rows` }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("The run has stopped").waitFor();
    // As a desk answers that was started again: it knows the browser no more.
    await page.route(/\/events$/u, (route) => route.fulfill({ status: 403 }));
    await page.route(/\/run$/u, (route) =>
      route.request().method() === "HEAD" ? route.fulfill({ status: 403 }) : route.fallback(),
    );
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("open the link that its terminal shows").waitFor();
    await page.unrouteAll();
    await page.reload();
    await page.waitForURL(/\/result$/u);
    expect(await page.getByText(`${ROWS} of ${ROWS} codes read back`).count()).toBe(1);
  });
});
