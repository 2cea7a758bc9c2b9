/**
 * Landing pages and forms in a real browser, on a telephone: what a respondent sees, follows, fills in
 * and sends (docs/spec/api.md sections 2.10, 2.11 and 3.1; docs/spec/design.md promise 10).
 */
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fieldTypes, type FieldType } from "../../src/api/form.ts";

import { makeService, type TestService, type Wire } from "../service/make-service.ts";
import { listResponses, publishForm } from "../service/visit-form.ts";
import {
  findBarriers,
  isBrowserThere,
  lands,
  openBrowser,
  openVisitor,
  phone,
  type Visitor,
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

const evil = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
const options = [
  { value: "s", label: "Small" },
  { value: "m", label: "Medium" },
  { value: "l", label: "Large" },
];
const allFields = fieldTypes.map((type) => ({
  id: `temp-${type}`,
  field_type: type,
  label: `The ${type}`,
  required: true,
  placeholder: `About the ${type}`,
  ...(["select", "radio", "checkbox"].includes(type) ? { options } : {}),
}));

async function visit(address: string, look?: Parameters<typeof openVisitor>[1]): Promise<Visitor> {
  const visitor = await openVisitor(browser, look);
  await visitor.page.goto(address);
  return visitor;
}

/** The same service under another name is another origin. */
const under = (host: string, address: string) => address.replace("127.0.0.1", host);

/** Nothing but this service was asked for anything, and the browser had nothing to say. */
function expectQuiet({ asked, complaints }: Visitor): void {
  expect(asked.filter((address) => !address.startsWith(`${url}/`))).toEqual([]);
  expect(complaints).toEqual([]);
}

/** Pixels that stand out of the window sideways. */
const findOverhang = ({ page }: Visitor): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

async function makePage(fields: Record<string, unknown>): Promise<Wire> {
  const body = { workspace: service.workspace, title: "Café Zoë", ...fields };
  return (await service.send("POST", "/page/create/", body)).body;
}

/** Fills in every field, as people do: by its label. */
async function fillIn({ page }: Visitor): Promise<void> {
  const image = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#08c" } })
    .png()
    .toBuffer();
  const field = (type: FieldType) => page.getByLabel(new RegExp(`^The ${type}\\b`, "u"));
  const group = (type: FieldType) => page.getByRole("radiogroup", { name: `The ${type}` });
  await field("text").fill("Zoë 🎉");
  await field("email").fill("zoe@example.com");
  await field("phone").fill("+49 30 123456");
  await field("number").fill("3.5");
  await field("textarea").fill("one\ntwo");
  await field("select").selectOption("m");
  await group("radio").getByLabel("Large").check();
  const boxes = page.getByRole("group", { name: /^The checkbox/u });
  await boxes.getByLabel("Small").check();
  await boxes.getByLabel("Large").check();
  await field("date").fill("2026-11-20");
  await field("time").fill("14:30");
  await field("url").fill("https://example.com/");
  await group("rating").getByLabel("4 of 5").check();
  await group("scale").getByLabel("7", { exact: true }).check();
  await group("yes_no").getByLabel("Yes").check();
  await field("image").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: image });
}

const expected = [
  ["text", "Zoë 🎉"],
  ["email", "zoe@example.com"],
  ["phone", "+49 30 123456"],
  ["number", 3.5],
  ["textarea", "one\ntwo"],
  ["select", "m"],
  ["radio", "l"],
  ["checkbox", ["s", "l"]],
  ["date", "2026-11-20"],
  ["time", "14:30"],
  ["url", "https://example.com/"],
  ["rating", 4],
  ["scale", 7],
  ["yes_no", true],
  ["image", expect.stringMatching(/\/media\/[a-z2-7]{32}\.jpg$/u) as string],
];

describe.skipIf(!isBrowserThere)("a landing page", () => {
  it("is reached by its code, and its buttons lead where they say (docs/spec/api.md section 2.10)", async () => {
    const target = await makePage({ title: "Second" });
    const made = await makePage({
      description: "Open daily",
      links: [
        { url: target.share_url, title: "The second page" },
        { url: "https://www.instagram.com/example", title: "Photos", type: "Instagram" },
        { url: "tel:+4930123", title: "Call us" },
      ],
    });
    const visitor = await visit(made.shortlink_url);
    const { page } = visitor;
    expect([page.url(), await page.title()]).toEqual([made.share_url, "Café Zoë"]);
    const links: (string | null)[][] = [];
    for (const link of await page.getByRole("link").all()) {
      links.push([await link.textContent(), await link.getAttribute("href")]);
    }
    expect(links).toEqual([
      ["The second page", target.share_url],
      ["Photos", "https://www.instagram.com/example"],
      ["Call us", "tel:+4930123"],
    ]);
    await page.getByRole("link", { name: "The second page" }).tap();
    await page.waitForURL(target.share_url);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Second");
    expectQuiet(visitor);
    await visitor.context.close();
  });

  it.each([
    ["in the dark", {}, { ...phone, colorScheme: "dark" as const }],
    ["in its owner's colours", { bg_color: "#0b3d2e", text_color: "#f7efe0" }, phone],
    ["in colours that can't be read", { bg_color: "#808080", text_color: "#777777" }, phone],
    [
      "on a narrow screen",
      { bg_color: "#ffe08a" },
      { ...phone, viewport: { width: 320, height: 600 } },
    ],
  ])("has no barrier and no sideways scrolling: %s (WCAG 2.2 AA)", async (_, colors, look) => {
    const links = ["Website", "YouTube", "Menu"].map((type) => ({
      url: `https://example.com/${"long".repeat(40)}`,
      title: `${type} ${"Donaudampfschifffahrtsgesellschaft".repeat(3)}`,
      type,
    }));
    const made = await makePage({ ...colors, description: "Text", links });
    const visitor = await visit(made.share_url, look);
    expect(await findBarriers(visitor.page)).toEqual([]);
    expect(await findOverhang(visitor)).toBe(0);
    // A finger needs 44 pixels.
    for (const box of await visitor.page.getByRole("link").all()) {
      expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    expectQuiet(visitor);
    await visitor.context.close();
  });

  it("runs nothing that its texts hold", async () => {
    const made = await makePage({
      title: evil,
      description: evil,
      links: [
        { url: `https://example.com/?q=<script>document.title='taken'</script>`, title: evil },
      ],
    });
    const visitor = await visit(made.share_url);
    expect(await visitor.page.title()).toBe(evil);
    expect(await visitor.page.locator("img, script").count()).toBe(0);
    expectQuiet(visitor);
    await visitor.context.close();
  });
});

describe.skipIf(!isBrowserThere)("a form of all 15 types", () => {
  it.each([
    ["with scripts", true],
    ["without scripts", false],
  ])(
    "is filled in and sent %s, and the answers are those given (docs/spec/api.md section 2.11)",
    async (_, javaScriptEnabled) => {
      const form = await publishForm(service, allFields, { thank_you_message: "Bis bald!" });
      const visitor = await visit(form.shortlink_url, { ...phone, javaScriptEnabled });
      const { page } = visitor;
      expect(page.url()).toBe(form.share_url);
      await fillIn(visitor);
      await service.clock.advance(42_000);
      await page.getByRole("button", { name: "Submit" }).tap();
      await page.waitForURL(`${form.share_url}/thanks`);
      expect(await page.getByRole("main").textContent()).toMatch(/Thank you!\s+Bis bald!/u);
      const { results } = await listResponses(service, form.id);
      expect(results).toMatchObject([{ is_complete: true, completion_time_seconds: 42 }]);
      const answers = results[0].field_responses.map((one: Wire) => [one.field_type, one.value]);
      expect(answers).toEqual(expected);
      expectQuiet(visitor);
      await visitor.context.close();
    },
  );

  it("has no barrier: empty, wrong, sent, closed; light and dark (WCAG 2.2 AA)", async () => {
    const form = await publishForm(service, allFields, { description: "Two minutes" });
    const visitor = await visit(form.share_url);
    const { page } = visitor;
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Submit" }).tap();
    await page.getByRole("alert").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findBarriers(page)).toEqual([]);
    expect(await findOverhang(visitor)).toBe(0);
    await page.goto(`${form.share_url}/thanks`);
    expect(await findBarriers(page)).toEqual([]);
    await service.send("POST", `/form/${form.id}/close/`);
    await page.goto(form.share_url);
    expect(await page.getByRole("heading").textContent()).toBe("This form is closed");
    expect(await findBarriers(page)).toEqual([]);
    expectQuiet(visitor);
    await visitor.context.close();
  });

  it("says what is wrong before it is sent, leads there, and takes it back when mended", async () => {
    const form = await publishForm(service, allFields);
    const visitor = await visit(form.share_url);
    const { page } = visitor;
    const before = visitor.asked.length;
    await page.getByLabel(/^The email/u).fill("nonsense");
    await page.getByRole("button", { name: "Submit" }).tap();
    const summary = page.getByRole("alert");
    expect(await summary.getByRole("heading").textContent()).toBe("Please check 15 answers");
    expect(await page.locator(":focus").getAttribute("id")).toBe("summary");
    expect(visitor.asked.length).toBe(before);
    await summary
      .getByRole("link", { name: /^The email: Please give an email address such as/u })
      .tap();
    const email = page.getByLabel(/^The email/u);
    expect(await email.getAttribute("aria-invalid")).toBe("true");
    await email.fill("zoe@example.com");
    await email.blur();
    expect(await email.getAttribute("aria-invalid")).toBeNull();
    expect((await listResponses(service, form.id)).results).toEqual([]);
    await visitor.context.close();
  });

  it("checks on the page what the server checks: addresses, numbers, phones, images (docs/spec/api.md section 2.11)", async () => {
    const types = ["email", "phone", "number", "url", "image"];
    const fields = allFields.filter(({ field_type: type }) => types.includes(type));
    const form = await publishForm(service, fields);
    const visitor = await visit(form.share_url);
    const { page } = visitor;
    const field = (type: string) => page.getByLabel(new RegExp(`^The ${type}\\b`, "u"));
    const large = { name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(10_485_761) };
    await field("email").fill("zoe@");
    await field("phone").fill("call me");
    await field("number").pressSequentially("1e");
    await field("url").fill("javascript:alert(1)");
    await field("image").setInputFiles(large);
    const before = visitor.asked.length;
    await page.getByRole("button", { name: "Submit" }).tap();
    await page.getByRole("alert").waitFor();
    const said = await page.getByRole("alert").getByRole("listitem").allTextContents();
    expect(said).toEqual([
      "The email: Please give an email address such as name@example.com.",
      "The phone: Please give a phone number such as +44 20 7946 0000.",
      "The number: Please give a number such as 12 or 3.5.",
      "The url: Please give a web address that begins with https:// or http://.",
      "The image: Please choose a JPEG, PNG, GIF or WebP image of at most 10 MB.",
    ]);
    expect(visitor.asked.length).toBe(before);
    expectQuiet(visitor);
    await visitor.context.close();
  });

  it("shows what the server found wrong, with what was written, without scripts", async () => {
    const form = await publishForm(service, [
      { id: "temp-1", field_type: "checkbox", label: "The checkbox", required: true, options },
      { id: "temp-2", field_type: "text", label: "The text" },
    ]);
    const visitor = await visit(form.share_url, { ...phone, javaScriptEnabled: false });
    const { page } = visitor;
    await page.getByLabel("The text").fill(evil);
    await lands(page, () => page.getByRole("button", { name: "Submit" }).tap());
    expect(await page.getByRole("alert").textContent()).toBe(
      "Please check one answerThe checkbox: Please choose at least one.",
    );
    expect(await page.getByLabel("The text").inputValue()).toBe(evil);
    await page.getByLabel("Medium").check();
    await page.getByRole("button", { name: "Submit" }).tap();
    await page.waitForURL(`${form.share_url}/thanks`);
    const [{ field_responses: answers }] = (await listResponses(service, form.id)).results;
    expect(answers.map((one: Wire) => one.value)).toEqual([["m"], evil]);
    await visitor.context.close();
  });

  it("leads to the redirect URL, and on from there, through the policy of its page", async () => {
    const target = await makePage({ title: "Somewhere else" });
    const last = under("second.localhost", target.share_url);
    const code = await service.code({ qr_data: last, dynamic: true });
    const redirect_url = under("first.localhost", code.shortlink_url);
    const form = await publishForm(service, undefined, { redirect_url });
    const visitor = await visit(form.share_url);
    await visitor.page.getByLabel("Name").fill("A");
    await visitor.page.getByRole("button", { name: "Submit" }).tap();
    await visitor.page.waitForURL(last);
    expect(visitor.complaints).toEqual([]);
    expect((await listResponses(service, form.id)).count).toBe(1);
    await visitor.context.close();
  });

  it("takes nothing from a page of another site (CSRF)", async () => {
    const form = await publishForm(service);
    const own = await visit(form.share_url);
    const ticket = await own.page.locator("[name=ticket]").inputValue();
    // "localhost" is another site than the address; an attacker has asked for a ticket himself.
    const attacker = await visit(`${url.replace("127.0.0.1", "localhost")}/healthz`);
    const html = `<form method="post" action="${form.share_url}"><input name="ticket" value="${ticket}"><input name="${form.fields[0].id}" value="spam"></form>`;
    await attacker.page.evaluate(
      `document.body.innerHTML = ${JSON.stringify(html)}; document.querySelector("form").submit()`,
    );
    await attacker.page.waitForURL(form.share_url);
    expect(await attacker.page.getByRole("heading").textContent()).toBe("Not sent");
    expect((await listResponses(service, form.id)).results).toEqual([]);
    await own.context.close();
    await attacker.context.close();
  });

  it("runs nothing that its texts hold, as a form and sent back", async () => {
    const form = await publishForm(
      service,
      allFields.map((field) => ({
        ...field,
        required: false,
        label: evil,
        placeholder: evil,
        ...("options" in field ? { options: [{ value: evil, label: evil }] } : {}),
      })),
      { title: evil, description: evil, thank_you_message: evil },
    );
    const visitor = await visit(form.share_url);
    const { page } = visitor;
    expect(await page.title()).toBe(evil);
    await page.locator("input[type=email]").fill(evil);
    await page.getByRole("button", { name: "Submit" }).tap();
    await page.getByRole("alert").waitFor();
    expect(await page.title()).toBe(evil);
    await page.goto(`${form.share_url}/thanks`);
    expect(await page.title()).toBe(`Thank you! ${evil}`);
    expect(await page.locator("img, script").count()).toBe(0);
    expectQuiet(visitor);
    await visitor.context.close();
  });
});

describe.skipIf(!isBrowserThere)("a short link that leads nowhere", () => {
  it.each([
    ["a telephone", phone],
    ["a desk at night", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" as const }],
  ])("says so on a page without barriers, on %s", async (_, look) => {
    const { page, context } = await openVisitor(browser, look);
    expect((await page.goto(`${url}/never-made`))?.status()).toBe(404);
    expect(await page.textContent("main")).toContain("never made, or it was deleted");
    expect(await findBarriers(page)).toEqual([]);
    await context.close();
  });
});
