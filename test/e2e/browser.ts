/**
 * A real browser that comes from npm alone: the package brings the program, its libraries and one
 * font, so that it starts on any Linux, unpacked once per version into the folder for temporary
 * files of the system.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import axe, { type AxeResults } from "axe-core";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Frame,
  type Locator,
  type Page,
} from "playwright-core";

const PACKAGE = new URL("../../node_modules/@sparticuz/chromium/package.json", import.meta.url);

/** A busy computer may take long over a page; what hangs ends with its test. */
const NO_LIMIT_MS = 0;

/** What the package is made for; elsewhere these tests are skipped. */
export const isBrowserThere = process.platform === "linux" && process.arch === "x64";

/** Sets variables while `work` runs, for a library that reads nothing else. */
async function withEnvironment(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Only the font that came along: the same letters on every computer. */
const toFontsFile = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;

/** The folder with program, libraries and font. Another process may unpack at the same time. */
async function unpack(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, "utf8")) as { version: string };
  const folder = path.join(
    process.env["TEST_LASTING_FOLDER"] ?? tmpdir(),
    `makeready-chromium-${version}`,
  );
  if (existsSync(folder)) return folder;
  const mine = `${folder}.${process.pid}`;
  await mkdir(mine, { recursive: true });
  // The library unpacks its libraries only where it believes to be in that cloud.
  const variables = {
    TMPDIR: mine,
    AWS_LAMBDA_JS_RUNTIME: "nodejs22.x",
    LD_LIBRARY_PATH: process.env["LD_LIBRARY_PATH"] ?? "",
    FONTCONFIG_PATH: "",
  };
  await withEnvironment(variables, async () => {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  });
  await writeFile(path.join(mine, "fonts.conf"), toFontsFile(folder));
  try {
    await rename(mine, folder);
  } catch {
    // The other one was faster.
    await rm(mine, { recursive: true });
  }
  return folder;
}

export async function openBrowser(): Promise<Browser> {
  const folder = await unpack();
  return chromium.launch({
    timeout: NO_LIMIT_MS,
    executablePath: path.join(folder, "chromium"),
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"],
    env: {
      HOME: folder,
      PATH: process.env["PATH"] ?? "",
      LD_LIBRARY_PATH: path.join(folder, "al2023", "lib"),
      FONTCONFIG_FILE: path.join(folder, "fonts.conf"),
    },
  });
}

/** A telephone: small, touched, twice as sharp. */
export const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

/** A page of its own that tells of every request, and of every complaint of the browser. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses that were asked for, whatever became of them. */
  readonly asked: string[];
  /** Console errors, refusals of the content security policy among them, and thrown errors. */
  readonly complaints: string[];
}

export async function openVisitor(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = phone,
): Promise<Visitor> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(NO_LIMIT_MS);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, context, asked, complaints };
}

/**
 * Does work that leads to another page, and waits until that page and its scripts are loaded, so
 * that later reads see the new page. Actions themselves don't wait for it.
 */
export async function lands(page: Page, work: () => Promise<unknown>): Promise<void> {
  const isMain = (frame: Frame): boolean => frame === page.mainFrame();
  await Promise.all([page.waitForEvent("framenavigated", isMain), work()]);
  await page.waitForLoadState();
}

/** Clicks a link or a button that leads to another page, and waits until that one is loaded. */
export const follow = (link: Locator): Promise<void> => lands(link.page(), () => link.click());

/** Waits for what stands on one of the next pages, and until that page is loaded. */
export async function stands(wanted: Locator): Promise<void> {
  await wanted.waitFor();
  await wanted.page().waitForLoadState();
}

/** Waits until that holds on a page that stays. For what no locator waits for. */
export async function holds(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await page.evaluate("new Promise((next) => requestAnimationFrame(next))");
  }
}

/** The only rules that a page may keep in one look and break in another. */
export const ofColours: readonly string[] = ["color-contrast", "link-in-text-block"];

/**
 * What axe-core finds on a page, one line each. By all rules of WCAG 2.2 A and AA and its best practices, or
 * by those named.
 */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A colour that is still changing must not be judged.
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null)",
  );
  // Judged in the page, which returns only findings: for a long page, all passed rules would be a
  // hundred megabytes of text.
  await page.evaluate(axe.source);
  const runOnly = rules && { type: "rule", values: rules };
  const how = JSON.stringify({ resultTypes: ["violations"], runOnly });
  const found = await page.evaluate(
    `axe.run(document, ${how}).then(({ violations }) => JSON.stringify(violations))`,
  );
  const violations = JSON.parse(String(found)) as AxeResults["violations"];
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${impact} ${id} ${target.join(" ")}: ${failureSummary}`,
    ),
  );
}
