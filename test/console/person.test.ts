/** A person's way through the console in a real browser: signed in, changed, drawn, signed out. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { makeConsole } from "../../src/console/console.tsx";
import { screens } from "../../src/console/screens/screens.ts";
import { openService, type Service } from "../../src/service/service.ts";
import {
  findBarriers,
  follow,
  holds,
  isBrowserThere,
  lands,
  openBrowser,
  openVisitor,
  type Visitor,
} from "../e2e/browser.ts";
import { tellStory } from "../e2e/story.ts";
import { runInProcess } from "../flow/in-process.ts";
import { letIn } from "./let-in.ts";

let service: Service;
let browser: Browser;
let visitor: Visitor;
const dataDir = mkdtempSync(path.join(tmpdir(), "console-person-"));
let url = "";
let codeId = "";
/** What the browsers asked of the console, as `GET /codes`. */
const done = new Set<string>();
const note = ({ page }: Visitor): void => {
  page.on("request", (request) => {
    const { pathname, origin } = new URL(request.url());
    if (origin === url) done.add(`${request.method()} ${pathname.replace(/^\/console/u, "")}`);
  });
};
/** Screens of one thing each. */
let things: readonly string[] = [];

const api = async (path: string, body: object): Promise<{ id: string; shortlink_url: string }> => {
  const answer = await fetch(`${url}/api/v2${path}`, {
    method: "POST",
    headers: {
      authorization: `Token ${service.account.token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as { id: string; shortlink_url: string };
};

const signIn = async ({ page }: Visitor, token = service.account.token): Promise<void> => {
  await page.goto(`${url}/console/`);
  await page.getByLabel("API token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/console\/codes$/u);
};

/** Fills the fields by their labels, in the form that has the button, and presses it. */
const send = async (button: string, fields: Readonly<Record<string, string>> = {}) => {
  const { page } = visitor;
  const form = page.locator("form", {
    has: page.getByRole("button", { name: button, exact: true }),
  });
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true });
    if (
      (await field.evaluate((one) => (one as unknown as { tagName: string }).tagName)) === "SELECT"
    )
      await field.selectOption(value);
    else await field.fill(value);
  }
  await follow(form.getByRole("button", { name: button, exact: true }));
};
const go = (path: string) => visitor.page.goto(`${url}/console${path}`);
const said = (): Promise<string[]> => visitor.page.getByRole("status").allTextContents();
/** Looks at the drawing before the fields change; what it answers waits until the drawing follows. */
async function watchDrawing(page: Page): Promise<() => Promise<void>> {
  const picture = page.locator("#drawn");
  const before = await picture.getAttribute("src");
  return () => holds(page, async () => (await picture.getAttribute("src")) !== before);
}
const open = (title: string) => visitor.page.locator("summary", { hasText: title }).click();

beforeAll(async () => {
  if (!isBrowserThere) return;
  service = await openService({
    dataDir,
    limits: "off",
    drawingThreads: 0,
    console: makeConsole,
    post: async () => 204,
  });
  ({ url } = await service.listen({ host: "127.0.0.1", port: 0 }));
  const { workspaceId: workspace } = service.account;
  const { id: folder } = await api("/folder/create/", { workspace, name: "Tables" });
  ({ id: codeId } = await api("/qrcode/create/", {
    workspace,
    qr_data: "https://example.com/menu",
    dynamic: true,
    display_name: "Table 1",
    folder,
  }));
  await api(`/qrcode/${codeId}/tags/add/`, [{ title: "terrace" }]);
  const link = { workspace, link: "https://example.com/spring", slug: "spring" };
  const tea = { identifier_value: "9506000134352", destination_url: "https://example.com/tea" };
  const form = await api("/form/create/", { workspace, title: "Visit" });
  const fields = [{ id: "temp-1", field_type: "text", label: "Your name" }];
  await api(`/form/${form.id}/save/`, { fields });
  await api(`/form/${form.id}/publish/`, {});
  things = [
    `/links/${(await api("/link/create/", link)).id}`,
    `/products/${(await api("/gs1/products/", { workspace, ...tea })).id}?language=de`,
    `/forms/${form.id}`,
    `/folders?change=${folder}`,
  ];
  browser = await openBrowser();
  visitor = await openVisitor(browser, { viewport: { width: 1200, height: 900 } });
  note(visitor);
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
  rmSync(dataDir, { recursive: true });
});

const paths = () => [
  "/codes",
  "/codes/new",
  "/codes/many",
  "/codes/many?kind=retarget",
  "/codes/many?kind=redesign&pattern=Circles",
  ...things,
  `/codes/${codeId}`,
  `/codes/${codeId}/design`,
  `/codes/${codeId}/analytics?compare=yes`,
  ...["folders", "links", "products", "pages", "forms", "pdfs", "templates", "tags"].map(
    (one) => `/${one}`,
  ),
  "/templates/try?template=classic",
  "/analytics",
  "/settings",
  "/no-such-page",
];

/** `/codes/:id/download/:as{png|svg}`; fixed words stand before parts that may be anything. */
const toShape = (route: string): RegExp =>
  new RegExp(
    `^${route.replaceAll(/:\w+(?:\{([^}]*)\})?/gu, (_, kind?: string) => `(?:${kind ?? "[^/]+"})`)}$`,
    "u",
  );

const fromElsewhere = (body: string): string =>
  `data:text/html,${encodeURIComponent(`<!doctype html>${body}`)}`;

describe.runIf(isBrowserThere)("a person at the console", () => {
  tellStory();

  test("signs in with a token by keyboard alone", async () => {
    const { page } = visitor;
    await page.goto(`${url}/console/`);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("API token").focus();
    await page.keyboard.type(service.account.token);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/codes$/u);
    expect(await page.getByRole("link", { name: "Table 1" }).count()).toBe(1);
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  test("leads a printed code elsewhere, and back by one click", async () => {
    const { page } = visitor;
    await follow(page.getByRole("link", { name: "Table 1" }));
    const destination = page.getByLabel("Leads to");
    await destination.fill("https://example.com/autumn");
    await follow(page.getByRole("button", { name: "Save" }));
    await page.getByRole("status").waitFor();
    expect(await page.getByLabel("Leads to").inputValue()).toBe("https://example.com/autumn");
    await follow(page.getByRole("button", { name: "As it was" }));
    await page.getByText("It is as it was before that change.").waitFor();
    expect(await page.getByLabel("Leads to").inputValue()).toBe("https://example.com/menu");
    expect(await page.getByRole("button", { name: "As it was" }).count()).toBe(2);
  });

  test("sees the design drawn as the fields change, and keeps it only on purpose", async () => {
    const { page } = visitor;
    await follow(page.getByRole("link", { name: "Design" }));
    const isDrawn = await watchDrawing(page);
    await page.getByLabel("Pattern").selectOption("Circles");
    await isDrawn();
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const withLogo = await watchDrawing(page);
    const file = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") };
    await page.getByLabel("Logo").setInputFiles(file);
    await withLogo();
    expect(await page.locator("#drawn").getAttribute("src")).toContain("%3Cimage");
    await page.getByLabel("Logo").setInputFiles([]);
    expect(await page.getByLabel("Transparent").isChecked()).toBe(true);
    const isColored = await watchDrawing(page);
    await page.getByLabel("Background").fill("#ffeecc");
    await isColored();
    expect(await page.getByLabel("Transparent").isChecked()).toBe(false);
    // The fields that the script makes needless are gone.
    expect(await page.getByRole("button", { name: "Draw it" }).count()).toBe(0);
    await follow(page.getByRole("button", { name: "Give the code this design" }));
    await page.waitForURL(/done=saved$/u);
    expect(await page.getByText("Pattern: Original").count()).toBe(1);
  });

  test("asks what a phone gets in German", async () => {
    const { page } = visitor;
    await page.goto(`${url}/console/products`);
    await follow(page.getByRole("link", { name: /09506000134352/u }));
    await page.getByLabel("Language of the phone").selectOption("de");
    await follow(page.getByRole("button", { name: "Ask" }));
    expect(await page.getByRole("status").textContent()).toContain(
      "It is led to https://example.com/tea",
    );
  });

  test("makes a token, which is shown once", async () => {
    const { page } = visitor;
    await page.goto(`${url}/console/settings`);
    await page.getByLabel("Name, such as the program that it is for").fill("print shop");
    await follow(page.getByRole("button", { name: "Make the token" }));
    const token = await page.locator(".once").textContent();
    expect(token).toMatch(/^[0-9a-f]{40}$/u);
    expect(await findBarriers(page)).toEqual([]);
    await follow(page.getByRole("link", { name: "I have kept it" }));
    expect(await page.content()).not.toContain(token);
  });

  test("makes, tags, files and deletes a code; makes and deletes folders", async () => {
    const { page } = visitor;
    await go("/folders");
    await send("Make the folder", { Name: "Hall" });
    expect(await said()).toContain("It is made.");
    await go("/codes/new");
    await send("Make the code", {
      "Leads to": "https://example.com/hall",
      Name: "Hall 1",
      Folder: "Hall",
    });
    expect(await said()).toContain("It is made.");
    await send("Add the tag", { "New tag": "big" });
    await follow(page.getByRole("button", { name: "Take the tag big off" }));
    expect(await said()).toContain("It is saved.");
    await open("Delete this code");
    await send("Delete for good");
    expect(await said()).toContain("It is deleted.");
    await go("/folders");
    await page.locator("select[name=change]").selectOption("Hall");
    await follow(page.getByRole("button", { name: "Choose" }));
    await send("Save", { Name: "Great hall" });
    expect(await said()).toContain("It is saved.");
    await page.locator("select[name=change]").selectOption("Great hall");
    await follow(page.getByRole("button", { name: "Choose" }));
    await send("Delete the folder");
    expect(await said()).toContain("It is deleted.");
  });

  test("makes, changes and deletes a short link and a product", async () => {
    await go("/links");
    await send("Make the short link", { "Leads to": "https://example.com/a", Name: "Autumn" });
    await send("Save", { "Leads to": "https://example.com/b" });
    expect(await said()).toContain("It is saved.");
    await send("As it was");
    expect(await visitor.page.getByLabel("Leads to").inputValue()).toBe("https://example.com/a");
    await open("Delete this short link");
    await send("Delete for good");
    expect(await said()).toContain("It is deleted.");
    await go("/products");
    await send("Register the product", {
      "Value, such as a GTIN": "4006381333931",
      "Leads to": "https://example.com/pen",
    });
    await send("Save the link", {
      "Link type": "gs1:instructions",
      Title: "How to",
      "Leads to": "https://example.com/how",
    });
    expect(await said()).toContain("It is saved.");
    const row = visitor.page.getByRole("row", { name: /gs1:instructions/u });
    await follow(row.getByRole("button"));
    expect(await said()).toContain("It is deleted.");
    await open("Delete this product");
    await send("Delete for good");
    expect(await said()).toContain("It is deleted.");
  });

  test("publishes a page, hosts a PDF, closes and opens a form, and takes files", async () => {
    const { page } = visitor;
    await go("/pages");
    await send("Publish the page", { Heading: "Fair", Buttons: "https://example.com/shop Shop" });
    expect(await said()).toContain("It is made.");
    await go("/pdfs");
    const pdf = "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";
    const file = { name: "menu.pdf", mimeType: "application/pdf", buffer: Buffer.from(pdf) };
    await page.getByLabel("PDF file").setInputFiles(file);
    await send("Host the PDF and make its code", { Name: "Menu" });
    expect(await said()).toContain("It is made.");
    await go(things[2] ?? "");
    await send("Take no more answers");
    expect(await said()).toContain("The form takes no more answers.");
    await send("Take answers again");
    expect(await said()).toContain("The form takes answers again.");
    const take = async (name: string): Promise<string> => {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name }).click();
      return (await download).suggestedFilename();
    };
    expect(await take("Download all answers (CSV)")).toBe("answers.csv");
    await go("/analytics");
    expect(await take("Download as CSV")).toBe("scans.csv");
    await go(`/codes/${codeId}/analytics`);
    expect(await take("Download as CSV")).toBe("scans.csv");
    for (const kind of ["PNG", "SVG"]) {
      await go(`/codes/${codeId}`);
      const link = page.getByRole("link", { name: `Download ${kind}` });
      const [answer] = await Promise.all([page.waitForResponse(/\/media\//u), follow(link)]);
      expect(answer.status()).toBe(200);
    }
    await go("/codes?q=table");
    await follow(page.getByRole("link", { name: "Change many" }));
    const isDrawn = await watchDrawing(page);
    await page.getByLabel("Pattern").selectOption("Diamonds");
    await isDrawn();
    await send("Write the manifest");
    expect(await take("Download the manifest")).toBe("console-redesign.yaml");
    // Who picks a colour means it.
    await page.locator("input[type=color]").first().fill("#0a4d7c");
    expect(await page.getByLabel("Change: Modules").isChecked()).toBe(true);
    await send("Write the manifest", { "What shall happen": "retarget" });
    expect(await take("Download the list for it (CSV)")).toBe("codes.csv");
  });

  test("adds, tests, resumes and removes a receiver; revokes a token; reads in German", async () => {
    const { page } = visitor;
    await go("/settings");
    await send("Add the receiver", { Address: "https://hooks.example/in" });
    await follow(page.getByRole("link", { name: "I have kept it" }));
    await send("Send a test report");
    await page.getByText("The test report is on its way.").waitFor();
    const again = page.getByRole("button", { name: "Send again" });
    while ((await again.count()) === 0) await page.reload();
    await follow(again);
    expect(await said()).toContain("The report is on its way again.");
    // Dead for a day: nobody waits for that here.
    const store = openSqlite(path.join(dataDir, "service.db"));
    store.run("UPDATE webhooks SET paused = 1");
    store.close();
    await go("/settings");
    await send("Go on");
    expect(await said()).toContain("Reports are sent again.");
    const receiver = page.getByRole("region", { name: "https://hooks.example/in" }).first();
    await receiver.locator("summary", { hasText: "Renew the secret" }).click();
    await follow(receiver.getByRole("button", { name: "Renew the secret" }));
    await follow(page.getByRole("link", { name: "I have kept it" }));
    await receiver.locator("summary", { hasText: "Remove" }).click();
    await follow(receiver.getByRole("button", { name: "Remove" }));
    expect(await said()).toContain("The receiver is removed.");
    const token = page.getByRole("row", { name: /print shop/u });
    await token.locator("summary").click();
    await follow(token.getByRole("button", { name: "Revoke now" }));
    expect(await said()).toContain("The token is refused from now on.");
    await follow(page.getByRole("button", { name: "Deutsch" }));
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    await follow(page.getByRole("button", { name: "English" }));
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });

  test("tries a template out: the drawing follows, and the lines for a manifest say what was changed", async () => {
    const { page } = visitor;
    await go("/templates");
    await follow(page.getByRole("link", { name: "Classic", exact: true }));
    const isDrawn = await watchDrawing(page);
    await page.getByLabel("Pattern").selectOption("Circles");
    await isDrawn();
    await follow(page.getByRole("button", { name: "Write the manifest" }));
    const line = page.getByText('template: "classic", pattern: "Circles"');
    expect(await line.count()).toBe(1);
  });

  test("changes to another workspace and back by picking it", async () => {
    const { page } = visitor;
    const argv = ["accounts", "workspace", "Cellar", "--account", "default", "--data", dataDir];
    expect((await runInProcess(argv, { cwd: dataDir, clock: systemClock })).code).toBe(0);
    await go("/codes");
    expect(await findBarriers(page)).toEqual([]);
    const workspace = page.getByLabel("Workspace");
    const [home = "", cellar = ""] = await workspace.locator("option").allTextContents();
    expect(cellar).toBe("Cellar");
    for (const [to, count] of [
      [cellar, 0],
      [home, 1],
    ] as const) {
      await lands(page, () => workspace.selectOption(to));
      expect(await page.getByRole("link", { name: "Table 1" }).count()).toBe(count);
      expect(await workspace.locator("option:checked").textContent()).toBe(to);
    }
  });

  test("sees an assistant that was let in, and revokes it", async () => {
    const { page } = visitor;
    const helper = await letIn({ origin: url, fetch }, service.account.token);
    const access = await helper.exchange();
    await go("/settings");
    const row = page.getByRole("row", { name: /^Helper/u });
    await follow(row.getByRole("button", { name: "Revoke" }));
    expect(await said()).toContain("The assistant is refused from now on.");
    expect(await row.count()).toBe(0);
    const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
    const called = await fetch(`${url}/mcp`, { method: "POST", headers, body: "{}" });
    expect(called.status).toBe(401);
  });

  test("with a token that may only read, sees every screen and no button that changes", async () => {
    const { page } = visitor;
    await go("/settings");
    await send("Make the token", {
      "Name, such as the program that it is for": "viewer",
      May: "read-only",
    });
    const token = (await page.locator(".once").textContent()) ?? "";
    const viewer = await openVisitor(browser, { viewport: { width: 1200, height: 900 } });
    await signIn(viewer, token);
    for (const path of paths()) {
      await viewer.page.goto(`${url}/console${path}`);
      expect(await viewer.page.getByText("may only read: nothing can be changed").count()).toBe(1);
      const buttons = await viewer.page
        .locator('form[method="post"] button:visible')
        .allTextContents();
      expect([path, buttons]).toEqual([path, ["Deutsch", "Sign out"]]);
      // The screens with most to leave out stand for the others.
      if (/codes\/|settings|products\//u.test(path)) {
        expect([path, await findBarriers(viewer.page)]).toEqual([path, []]);
      }
    }
    await follow(viewer.page.getByRole("button", { name: "Sign out" }));
    await viewer.page.waitForURL(/\/sign-in$/u);
    await viewer.context.close();
    await go("/codes");
    expect(await page.getByRole("link", { name: "Table 1" }).count()).toBe(1);
  });

  test.each(["light", "dark"] as const)("no screen has a barrier, %s", async (colorScheme) => {
    const { page } = visitor;
    await page.emulateMedia({ colorScheme });
    // Colours alone differ in the dark: the screens that have all of them are enough.
    const all = paths().filter((path) => colorScheme === "light" || /codes\/|settings/u.test(path));
    for (const path of all) {
      await page.goto(`${url}/console${path}`);
      expect([path, await findBarriers(page)]).toEqual([path, []]);
    }
  });

  test("works on a narrow screen", async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of paths()) {
      await page.goto(`${url}/console${path}`);
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      expect([path, wide]).toEqual([path, 360]);
    }
  });

  test("works without script: a button draws", async () => {
    const plain = await openVisitor(browser, { javaScriptEnabled: false });
    await signIn(plain);
    await plain.page.goto(`${url}/console/codes/${codeId}/design`);
    const before = await plain.page.locator("#drawn").getAttribute("src");
    await plain.page.getByLabel("Pattern").selectOption("Diamonds");
    await follow(plain.page.getByRole("button", { name: "Draw it" }));
    expect(await plain.page.locator("#drawn").getAttribute("src")).not.toBe(before);
    expect(await plain.page.getByLabel("Pattern").inputValue()).toBe("Diamonds");
    await plain.context.close();
  });

  test("is let in from a link on another site, and never shown in a frame of it", async () => {
    const { page } = visitor;
    await page.goto(fromElsewhere(`<a href="${url}/console/folders">in</a>`));
    await page.getByRole("link", { name: "in" }).click();
    await page.getByRole("heading", { name: "Folders" }).waitFor();
    await page.goto(fromElsewhere(`<iframe src="${url}/console/folders"></iframe>`));
    const frame = page.frames()[1];
    expect(await frame?.getByRole("heading", { name: "Folders" }).count()).toBe(0);
    // A form of another site comes without the cookie, and without the key in any case.
    const forged = `<form method="post" action="${url}/console/codes/${codeId}/delete"><button>go</button></form>`;
    await page.goto(fromElsewhere(forged));
    await follow(page.getByRole("button", { name: "go" }));
    await page.getByText("You are signed out, and nothing was changed.").waitFor();
  });

  test("sends a form once, however often the button is clicked", async () => {
    await go("/codes");
    const sent = await visitor.page.evaluate(`{
      let sent = 0;
      addEventListener("submit", (event) => {
        if (!event.defaultPrevented) sent += 1;
        event.preventDefault();
      });
      const button = document.querySelector("form[method=post] button");
      button.click();
      button.click();
      sent;
    }`);
    expect(sent).toBe(1);
  });

  test("signs out everywhere: another browser is out, too", async () => {
    const other = await openVisitor(browser);
    await signIn(other);
    const { page } = visitor;
    await page.goto(`${url}/console/settings`);
    await follow(page.getByRole("button", { name: "Sign out everywhere" }));
    await page.waitForURL(/\/sign-in$/u);
    await other.page.reload();
    expect(new URL(other.page.url()).pathname).toBe("/console/sign-in");
    await other.context.close();
    await signIn(visitor);
  });

  test("signs out, and back leads nowhere; nothing was asked of elsewhere", async () => {
    const { page, asked } = visitor;
    await page.goto(`${url}/console/codes/${codeId}`);
    await follow(page.getByRole("button", { name: "Sign out" }));
    await page.waitForURL(/\/sign-in$/u);
    await page.goto(`${url}/console/codes/${codeId}`);
    expect(new URL(page.url()).pathname).toBe("/console/sign-in");
    const foreign = asked.filter((one) => !one.startsWith(url) && !one.startsWith("data:"));
    expect(foreign).toEqual([]);
  });

  test("has done all that the console has: every screen was shown, every form sent", () => {
    const all = screens.flatMap(({ get = {}, post = {} }) => [
      ...Object.keys(get).map((one) => `GET ${one}`),
      ...Object.keys(post).map((one) => `POST ${one}`),
    ]);
    const others = ["workspace", "language", "sign-in", "sign-out", "sign-out-everywhere"];
    const wanted = [...all, ...others.map((one) => `POST /${one}`)];
    const left = new Set(wanted);
    // Of a program that shows the console among its own pages: test/desk/console.test.ts sends it.
    left.delete("POST /codes/many/job");
    const shapes = wanted.map((one) => ({ one, shape: toShape(one) }));
    for (const request of done) {
      const found = shapes.find(({ shape }) => shape.test(request));
      if (found !== undefined) left.delete(found.one);
    }
    expect([...left]).toEqual([]);
  });
});
