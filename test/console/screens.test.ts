/** What the screens show and change, asked without a browser: everything goes through the API. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { folderLists } from "../../src/console/screens/codes/codes.tsx";
import { screens } from "../../src/console/screens/screens.ts";
import { Refused, toHtml } from "../../src/console/view/page.tsx";
import { LastScans } from "../../src/console/view/list.tsx";
import type { Visit } from "../../src/console/visit.ts";
import { de } from "../../src/console/words/de.ts";
import { en } from "../../src/console/words/en.ts";
import type { TestService } from "../service/make-service.ts";
import { publishForm, submit } from "../service/visit-form.ts";
import { openConsole, Visitor } from "./ask-console.ts";

let service: TestService;
let owner: Visitor;
let other: Visitor;

beforeAll(async () => {
  ({ service, owner } = await openConsole());
  other = new Visitor(service);
  await other.signIn(service.other.token);
});
afterAll(() => service.close());

const lastPart = (location: string): string => /\/([^/?]+)(?:\?|$)/u.exec(location)?.[1] ?? "";
const PDF = "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

describe("codes", () => {
  test("one is made, found, changed, tagged, downloaded and deleted", async () => {
    const made = await owner.post("/codes/new", {
      qr_data: "https://example.com/a",
      display_name: "Table <1>",
      kind: "dynamic",
      folder: "",
    });
    expect(made.location).toMatch(/^\/console\/codes\/[^/]+\?done=made$/u);
    const id = lastPart(made.location);
    const list = await owner.get("/codes?q=table");
    expect(list.text).toContain("Table &lt;1&gt;");
    expect(list.text).not.toContain("Table <1>");
    const saved = await owner.post(`/codes/${id}`, {
      qr_data: "https://example.com/b",
      display_name: "Table 1",
      folder: "",
    });
    expect(saved.location).toContain("done=saved");
    expect((await service.get(`/qrcode/${id}/`)).body.qr_data).toBe("https://example.com/b");
    await owner.post(`/codes/${id}/tags`, { tag: "terrace" });
    const [tag] = (await service.get(`/qrcode/${id}/`)).body.tags;
    expect(tag.title).toBe("terrace");
    expect((await owner.get("/tags")).text).toContain("terrace");
    await owner.post(`/codes/${id}/tags/remove`, { tag: tag.id });
    expect((await service.get(`/qrcode/${id}/`)).body.tags).toEqual([]);
    const picture = await owner.get(`/codes/${id}/picture.svg`);
    expect(picture.headers.get("content-type")).toBe("image/svg+xml");
    expect(picture.text).toContain("<svg");
    expect((await owner.get(`/codes/${id}/download/svg`)).location).toMatch(/^\/media\/.*\.svg$/u);
    expect((await owner.post(`/codes/${id}/delete`, {})).location).toBe(
      "/console/codes?done=deleted",
    );
    expect((await service.get(`/qrcode/${id}/`)).status).toBe(404);
  });

  test("a refusal is shown on the page, with everything that was typed", async () => {
    const { status, text } = await owner.post("/codes/new", {
      qr_data: "no address",
      display_name: "Kept",
      kind: "dynamic",
      folder: "",
    });
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
    expect(text).toContain('value="no address"');
    expect(text).toContain('value="Kept"');
  });

  test("a tick that was taken off stays off when the form is refused", async () => {
    const { id } = await service.code({ dynamic: true, gps_tracking: true });
    const asked = { qr_data: "no address", display_name: "", folder: "" };
    const refused = await owner.post(`/codes/${id}`, asked);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.not.stringMatching(/name="gps"[^>]*checked/u),
    ]);
    const ticked = await owner.post(`/codes/${id}`, { ...asked, gps: "yes" });
    expect(ticked.text).toMatch(/name="gps"[^>]*checked/u);
  });

  test("what is refused is named as its field is; its address can be loaded again", async () => {
    const { id } = await service.code({ dynamic: true });
    const refused = await owner.post(`/codes/${id}`, {
      qr_data: "no address",
      display_name: "",
      folder: "",
    });
    expect(refused.text).toContain("<li>Leads to: ");
    expect(refused.text).not.toContain("qr_data:");
    for (const [path, parent] of [
      [`/codes/${id}/tags`, `/codes/${id}`],
      [`/codes/${id}/tags/remove`, `/codes/${id}`],
      [`/folders/${id}`, "/folders"],
      [`/settings/webhooks/${id}/secret`, "/settings"],
    ]) {
      expect([path, (await owner.get(path ?? "")).location]).toEqual([path, `/console${parent}`]);
    }
  });

  test("a code stays in its folder though that is too far down to be picked", async () => {
    const many = await openConsole();
    folderLists.pages = 1;
    const { id: folder } = await many.service.folder("zz last");
    for (let n = 0; n < 200; n += 1) await many.service.folder(`Folder ${n}`);
    const code = await many.service.code({ dynamic: true, folder });
    const { text } = await many.owner.get(`/codes/${code.id}`);
    expect(text).toMatch(new RegExp(`<option value="${folder}" selected[^>]*>zz last<`, "u"));
    expect(text).toContain("Only the first 200 folders stand here");
    const found = await many.owner.get(`/codes?folder=${folder}`);
    expect(found.text).toMatch(new RegExp(`<option value="${folder}" selected`, "u"));
    const list = await many.owner.get("/folders?page=2");
    expect(list.text).toContain("zz last");
    expect(list.text).toContain("Page 2 of 2, 201 in all");
    const change = await many.owner.get(`/folders?page=2&change=${folder}`);
    expect(change.text).toContain(`action="/console/folders/${folder}"`);
    await many.service.close();
    folderLists.pages = 5;
  });

  test("their pages are those of the API", async () => {
    for (let n = 0; n < 52; n += 1) await service.code({ display_name: `Many ${n}` });
    const first = await owner.get("/codes?q=many");
    expect(first.text).toContain("Page 1 of 2, 52 in all");
    expect(first.text).toContain('rel="next" href="/console/codes?q=many&amp;page=2"');
    const past = await owner.get("/codes?q=many&page=9");
    expect(past.text).toContain("There is no page 9.");
    expect(past.text).toContain('href="/console/codes?q=many&amp;page=2"');
    const second = await owner.get("/codes?q=many&page=2");
    expect(second.text).toContain("Page 2 of 2");
    expect(second.text.match(/>Many \d+</gu)).toHaveLength(2);
  });

  test("many are changed by a job: the page writes its manifest and its list", async () => {
    const code = await service.code({ dynamic: true, display_name: "=1+1" });
    const manifest = await owner.get(
      "/codes/many/console-redesign.yaml?kind=redesign&q=table&set_primary_color=yes&primary_color=%236a1b9a&pattern=Circles",
    );
    expect(manifest.headers.get("content-disposition")).toContain("console-redesign.yaml");
    expect(manifest.text).toContain('select: { q: "table" }');
    expect(manifest.text).toContain('primary_color: "#6a1b9a", pattern: "Circles"');
    const list = await owner.get("/codes/many/codes.csv?kind=retarget");
    const [head, ...rows] = list.text.replace("\ufeff", "").trim().split("\r\n");
    expect(head).toBe("id,display_name,shortlink_url,old_url,new_url");
    // A spreadsheet program runs no formula of it.
    expect(rows[0]).toBe(`${code.id},'=1+1,${code.shortlink_url},https://example.com/,`);
    expect((await owner.get("/codes/many?kind=retarget")).text).toContain(
      "makeready undo console-retarget.yaml",
    );
  });
});

describe("the history of a code", () => {
  test("shows destinations and designs with author and time, and restores them with one click", async () => {
    const { id } = await service.code({ dynamic: true, qr_data: "https://example.com/1" });
    await service.send("PATCH", `/qrcode/${id}/update/`, { qr_data: "https://example.com/2" });
    await service.clock.advance(60_000);
    await owner.post(`/codes/${id}`, {
      qr_data: "https://example.com/3",
      display_name: "x",
      folder: "",
    });
    await service.send("PATCH", `/qrcode/${id}/design/`, { pattern: "Circles" });
    const { text } = await owner.get(`/codes/${id}`);
    const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/gsu)].map(([, row = ""]) =>
      row
        .replaceAll(/<[^>]*>/gu, " ")
        .replaceAll(/\s+/gu, " ")
        .trim(),
    );
    expect(rows.slice(1, 4)).toEqual([
      expect.stringContaining("Design Pattern: Original main token"),
      expect.stringContaining("8:01 AM UTC Destination https://example.com/2 main token (console)"),
      expect.stringContaining("Destination https://example.com/1 main token As it was"),
    ]);
    const back = await owner.post(`/codes/${id}/back`, { n: "1" });
    expect(back.location).toContain("done=back");
    expect((await service.get(`/qrcode/${id}/`)).body.qr_data).toBe("https://example.com/1");
    await owner.post(`/codes/${id}/back`, { n: "3" });
    expect((await service.get(`/qrcode/${id}/`)).body.design.pattern).toBe("Original");
    // Going back is a change, too.
    expect((await owner.get(`/codes/${id}`)).text.match(/name="n"/gu)).toHaveLength(5);
    expect((await owner.post(`/codes/${id}/back`, { n: "99" })).location).toContain("done=gone");
  });

  test("brings a logo, a contact and the destination of a short link back, too", async () => {
    const logo =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const fresh = await service.code({ dynamic: true });
    for (const said of ["Logo: –", "Logo: –, with a logo, Logo: –"]) {
      await service.send("PATCH", `/qrcode/${fresh.id}/design/`, { logo_base64: logo });
      const { text } = await owner.get(`/codes/${fresh.id}`);
      const found = text.match(/(?:another|with a) logo|Logo: –/gu) ?? [];
      expect(found.join(", ")).toBe(said);
      await service.send("PATCH", `/qrcode/${fresh.id}/design/`, { remove_logo: true });
    }
    const { id } = await service.code({ dynamic: true });
    await service.send("PATCH", `/qrcode/${id}/design/`, { logo_base64: logo });
    await service.send("PATCH", `/qrcode/${id}/design/`, { remove_logo: true });
    await owner.post(`/codes/${id}/back`, { n: "2" });
    expect((await service.get(`/qrcode/${id}/`)).body.design.has_logo).toBe(true);
    const contact = await service.code({
      dynamic: true,
      qr_type: "vCard",
      qr_data: undefined,
      vcard: { first_name: "Ada", last_name: "Lovelace" },
    });
    await service.send("PATCH", `/qrcode/${contact.id}/update/`, { vcard: { first_name: "Emmy" } });
    expect((await owner.get(`/codes/${contact.id}`)).text).toContain("Ada Lovelace");
    await owner.post(`/codes/${contact.id}/back`, { n: "1" });
    expect((await service.get(`/qrcode/${contact.id}/`)).body.vcard.last_name).toBe("Lovelace");
    const { workspace } = service;
    const link = (
      await service.send("POST", "/link/create/", { workspace, link: "https://a.example/" })
    ).body;
    await owner.post(`/links/${link.id}`, { link: "https://b.example/", display_name: "" });
    await owner.post(`/links/${link.id}/back`, { n: "1" });
    expect((await service.get(`/link/${link.id}/`)).body.link).toBe("https://a.example/");
  });

  test("knows the codes of a product, and is gone with its code", async () => {
    const { body: product } = await service.send("POST", "/gs1/products/", {
      workspace: service.workspace,
      identifier_value: "9506000134352",
      destination_url: "https://example.com/tea",
    });
    const { id } = await service.code({
      qr_type: "GS1",
      gs1_product: product.id,
      qr_data: undefined,
    });
    await owner.post(`/products/${product.id}/links`, {
      link_type: "gs1:pip",
      title: "Tea",
      destination_url: "https://example.com/new-tea",
      language: "",
    });
    const { text } = await owner.get(`/codes/${id}`);
    expect(text).toContain("https://example.com/tea");
    expect(text).toContain("main token (console)");
    await service.send("DELETE", `/qrcode/${id}/delete/`);
    expect((await owner.get(`/codes/${id}`)).status).toBe(404);
  });

  test("keeps the last hundred changes", async () => {
    const { id } = await service.code({ dynamic: true });
    for (let n = 0; n < 103; n += 1) {
      await service.send("PATCH", `/qrcode/${id}/update/`, { qr_data: `https://example.com/${n}` });
    }
    expect((await owner.get(`/codes/${id}`)).text.match(/name="n"/gu)).toHaveLength(100);
  });
});

describe("design and templates", () => {
  test("a drawing follows the fields, and says why it can't be drawn", async () => {
    const { id } = await service.code({ dynamic: true });
    const drawn = JSON.parse((await owner.get(`/codes/${id}/draw?pattern=Circles&clear=yes`)).text);
    expect(drawn.svg).toContain("<svg");
    const refused = JSON.parse((await owner.get(`/codes/${id}/draw?pattern=Nonsense`)).text);
    expect(refused).toEqual({ says: [expect.stringContaining("Pattern: Must be one of")] });
    expect((await service.get(`/qrcode/${id}/`)).body.design.pattern).toBe("Original");
    const look = await owner.post(`/codes/${id}/design`, { pattern: "Circles", look: "yes" });
    expect(look.status).toBe(200);
    expect((await service.get(`/qrcode/${id}/`)).body.design.pattern).toBe("Original");
    await owner.post(`/codes/${id}/design`, {
      pattern: "Circles",
      primary_color: "#0a4d7c",
      clear: "yes",
    });
    const { design } = (await service.get(`/qrcode/${id}/`)).body;
    expect([design.pattern, design.primary_color, design.background_color]).toEqual([
      "Circles",
      "#0a4d7c",
      null,
    ]);
    expect((await other.get(`/codes/${id}/draw?pattern=Circles`)).text).not.toContain("<svg");
  });

  test("a chosen logo is drawn before it is saved, and kept nowhere", async () => {
    const { id } = await service.code({ dynamic: true });
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const logo = new File([Buffer.from(png, "base64")], "logo.png", { type: "image/png" });
    const drawn = JSON.parse((await owner.post(`/codes/${id}/draw`, { clear: "yes", logo })).text);
    expect(drawn.svg).toContain("<image");
    const plain = JSON.parse((await owner.get(`/codes/${id}/draw?clear=yes`)).text);
    expect(plain.svg).not.toContain("<image");
    expect((await service.get(`/qrcode/${id}/`)).body.design.has_logo).toBe(false);
    const large = new File([new Uint8Array(2_200_000)], "logo.png", { type: "image/png" });
    const refused = JSON.parse((await owner.post(`/codes/${id}/draw`, { logo: large })).text);
    expect(refused).toEqual({ says: [expect.stringContaining("Must be an image under 2 MB.")] });
    expect((await other.post(`/codes/${id}/draw`, { logo })).text).not.toContain("<svg");
  });

  test("a logo that is too large is refused, not left out", async () => {
    const { id } = await service.code({ dynamic: true });
    const logo = new File([new Uint8Array(2_200_000)], "logo.png", { type: "image/png" });
    const answer = await owner.post(`/codes/${id}/design`, {
      pattern: "Circles",
      clear: "yes",
      logo,
    });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining("Must be an image under 2 MB."),
    ]);
    expect((await service.get(`/qrcode/${id}/`)).body.design.pattern).toBe("Original");
  });

  test("a design that was saved unchanged is no change", async () => {
    const { id } = await service.code({ dynamic: true });
    const { text } = await owner.get(`/codes/${id}/design`);
    const fields = Object.fromEntries(
      [...text.matchAll(/<input id="f-(\w+)"[^>]*value="([^"]*)"/gu)].map(([, name, value]) => [
        name,
        value ?? "",
      ]),
    );
    const chosen = { pattern: "Original", eye_style: "Square", frame: "", error_correction: "Q" };
    const saved = await owner.post(`/codes/${id}/design`, { ...fields, ...chosen, clear: "yes" });
    expect(saved.location).toContain("done=saved");
    expect((await owner.get(`/codes/${id}`)).text).not.toContain("another logo");
  });

  test("a template is tried out and becomes lines of a manifest", async () => {
    expect((await owner.get("/templates")).text).toContain(
      "/console/templates/try?template=classic",
    );
    const { text } = await owner.get("/templates/try?template=classic&pattern=Circles&clear=yes");
    expect(text).toContain("template: &quot;classic&quot;, pattern: &quot;Circles&quot;");
    const other = "pattern=Original&primary_color=%23aa0000&eye_color=%23111111";
    const kept = await owner.get(`/templates/try?template=classic&${other}`);
    expect(kept.text).toContain(
      "primary_color: &quot;#aa0000&quot;, eye_color: &quot;#111111&quot;",
    );
    expect((await owner.get("/templates/try?template=none")).status).toBe(303);
  });
});

/** A landing page as its readers get it. */
const page = async (slug: string): Promise<string> =>
  (await service.fetch(new Request(`http://service.test/page/${slug}`))).text();

describe("folders, links, products, pages, PDFs", () => {
  test("folders are a tree that is made, renamed, moved and deleted", async () => {
    await owner.post("/folders", { name: "Tables", parent: "" });
    const { body } = await service.get(`/workspace/${service.workspace}/folders/`);
    const { id } = body.results[0];
    await owner.post("/folders", { name: "North", parent: id });
    expect((await owner.get("/folders")).text).toMatch(
      /Tables<\/a>.*<ul class="tree">.*North<\/a>/su,
    );
    await owner.post(`/folders/${id}`, { name: "Desks", parent: "" });
    expect((await owner.get("/folders")).text).toContain("Desks/North");
    expect((await owner.post(`/folders/${id}`, { name: "", parent: "" })).status).toBe(400);
    await owner.post(`/folders/${id}/delete`, {});
    expect((await owner.get("/folders")).text).not.toContain("Desks");
  });

  test("short links are made under a name, and one that is taken is refused", async () => {
    const link = { link: "https://example.com/spring", slug: "spring", display_name: "Spring" };
    const made = await owner.post("/links", link);
    expect(made.location).toContain("done=made");
    expect((await owner.get("/links?q=spring")).text).toContain("https://go.example/spring");
    const again = await owner.post("/links", link);
    expect([
      again.status,
      again.text.includes("Last part of its address: Must be neither taken"),
    ]).toEqual([400, true]);
    const id = lastPart(made.location);
    expect((await owner.get(`/links/${id}`)).text).toContain("data:image/svg+xml,");
    await owner.post(`/links/${id}/delete`, {});
    expect((await owner.get("/links?q=spring")).text).not.toContain("go.example/spring");
  });

  test("what does a phone get in German? Nothing is counted as a scan", async () => {
    const made = await owner.post("/products", {
      identifier_type: "01",
      identifier_value: "4006381333931",
      destination_url: "https://example.com/pen",
      batch_lot: "",
      serial_number: "",
      expiry_date: "",
    });
    const id = lastPart(made.location);
    await owner.post(`/products/${id}/links`, {
      link_type: "gs1:instructions",
      title: "Anleitung",
      destination_url: "https://example.com/anleitung",
      language: "de",
    });
    const linkOf = async (type: string) => {
      const { body } = await service.get(`/gs1/products/${id}/`);
      return body.link_types.find((one: { link_type: string }) => one.link_type === type);
    };
    const before = await linkOf("gs1:instructions");
    const filled = await owner.get(`/products/${id}?change=gs1:instructions`);
    for (const text of ['value="Anleitung"', 'name="was_language" value="de"']) {
      expect(filled.text).toContain(text);
    }
    const shown = { title: "Anleitung", destination_url: "https://example.com/anleitung" };
    const untouched = { link_type: "gs1:instructions", title: "Hilfe", language: "" };
    await owner.post(`/products/${id}/links`, { ...shown, ...untouched });
    expect(await linkOf("gs1:instructions")).toEqual({ ...before, title: "Hilfe" });
    const was = { was_link_type: "gs1:instructions", was_language: "de" };
    await owner.post(`/products/${id}/links`, { ...shown, ...untouched, ...was });
    expect((await linkOf("gs1:instructions")).language).toBeNull();
    await owner.post(`/products/${id}/links`, { ...shown, ...untouched, language: "de" });
    const { id: codeId } = await service.code({
      qr_type: "GS1",
      gs1_product: id,
      qr_data: undefined,
    });
    const plain = await owner.get(`/products/${id}?language=de`);
    expect(plain.text).toContain("It is led to https://example.com/pen");
    expect(plain.text).toContain("the language of the phone decides nothing");
    const asked = await owner.get(`/products/${id}?language=de&link_type=gs1:instructions`);
    expect(asked.text).toContain("It is led to https://example.com/anleitung");
    expect(asked.text).toContain("The destination says that it is in de.");
    const linkset = await owner.get(`/products/${id}?language=de&link_type=linkset`);
    expect(linkset.text).toContain("It gets status 200. application/linkset+json");
    const none = await owner.get(`/products/${id}?language=de&link_type=gs1:review`);
    expect(none.text).toContain("It gets status 404.");
    await service.clock.advance(1000);
    expect((await service.get(`/qrcode/${codeId}/`)).body.total_scans).toBe(0);
    expect((await service.get(`/qrcode/${codeId}/activity/`)).body.results).toEqual([]);
    const wrong = await owner.post("/products", { identifier_type: "01", identifier_value: "1" });
    expect(wrong.status).toBe(400);
    await owner.post(`/products/${id}/delete`, {});
    expect((await owner.get(`/products/${id}`)).status).toBe(404);
  });

  test("a landing page is published with its buttons, a PDF hosted with its code", async () => {
    await owner.post("/pages", {
      title: "Café Nord",
      description: "",
      slug: "cafe-nord",
      links: "https://example.com/shop Our shop\n\nhttps://example.com/menu",
      bg_color: "#ffffff",
      text_color: "#111111",
    });
    expect((await owner.get("/pages")).text).toContain("https://go.example/page/cafe-nord");
    // As the page itself says it.
    expect((await owner.get("/pages")).text).toContain("Our shop, example.com");
    expect(await page("cafe-nord")).toContain(">example.com<");
    const colors = { bg_color: "#ff0000", text_color: "#111111" };
    expect((await owner.get("/pages")).text).toContain('name="device_colors"');
    await owner.post("/pages", { title: "Plain", slug: "plain", ...colors, device_colors: "yes" });
    await owner.post("/pages", { title: "Red", slug: "red", ...colors });
    expect([await page("plain"), await page("red")]).toEqual([
      expect.stringContaining("@media(prefers-color-scheme:dark)"),
      expect.stringContaining("--bg:#ff0000"),
    ]);
    // The page shows the field again without the empty lines around it.
    const links = "\n \nhttps://example.com/shop\n\nexample\n";
    const wrong = await owner.post("/pages", { title: "Wrong", ...colors, links });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining("<li>Buttons, line 3: Must be a URL"),
    ]);
    const file = new File([PDF], "menu.pdf", { type: "application/pdf" });
    const made = await owner.post("/pdfs", { file, pdf_url: "", display_name: "Menu" });
    expect(made.location).toContain("done=made");
    const list = await owner.get("/pdfs");
    expect(list.text).toContain("menu.pdf");
    expect(list.text).toContain("Page 1 of 1, 1 in all");
    const past = (await owner.get("/pdfs?page=99")).text;
    expect(past).toContain("There is no page 99.");
    expect(past).toContain('href="/console/pdfs?page=1"');
    expect(past).not.toMatch(/no PDF codes yet|in all/u);
    const empty = (await other.get("/pdfs?page=99")).text;
    expect(empty).toContain("There are no PDF codes yet.");
    expect(empty).not.toContain("in all");
    for (const path of ["/templates", "/folders"]) {
      expect((await owner.get(`${path}?page=99`)).text).not.toContain("Page 99 of");
    }
    expect((await other.get("/pdfs")).text).not.toContain("menu.pdf");
    const none = await owner.post("/pdfs", { pdf_url: "", display_name: "" });
    expect([none.status, none.text]).toEqual([
      400,
      expect.stringContaining("<li>Give a PDF file or its address.</li>"),
    ]);
  });
});

describe("forms and analytics", () => {
  test("answers are a table and CSV, though the form has changed", async () => {
    const { workspace } = service;
    const { body: form } = await service.send("POST", "/form/create/", {
      workspace,
      title: "Visit",
    });
    const save = (fields: unknown) => service.send("POST", `/form/${form.id}/save/`, { fields });
    await save([{ id: "temp-1", field_type: "text", label: "Your name" }]);
    const { body: live } = await service.send("POST", `/form/${form.id}/publish/`, {});
    const address = live.share_url.replace("https://go.example", "http://service.test");
    const shown = await (await service.fetch(new Request(address))).text();
    const ticket = /name="ticket" value="([^"]+)"/u.exec(shown)?.[1] ?? "";
    const name = /name="([^"]+)"[^>]*type="text"|type="text"[^>]*name="([^"]+)"/u.exec(shown);
    await service.clock.advance(5000);
    const body = new URLSearchParams({ ticket, [name?.[1] ?? name?.[2] ?? ""]: "=Ada" });
    const sent = await service.fetch(
      new Request(address, { method: "POST", body, redirect: "manual" }),
    );
    expect(sent.status).toBe(303);
    await save([{ id: "temp-2", field_type: "rating", label: "Stars" }]);
    const page = await owner.get(`/forms/${form.id}`);
    expect(page.text).toMatch(/Your name.*=Ada/su);
    const csv = await owner.get(`/forms/${form.id}/answers.csv`);
    expect(csv.text).toMatch(/^id,submitted_at,Your name\r\n[^,]+,[^,]+,'=Ada\r\n$/u);
    await owner.post(`/forms/${form.id}/close`, {});
    expect((await owner.get("/forms")).text).toContain("closed");
    await owner.post(`/forms/${form.id}/reopen`, {});
    expect((await owner.get("/forms")).text).toContain("published");
    expect((await other.get(`/forms/${form.id}`)).status).toBe(404);
    expect((await other.get(`/forms/${form.id}/answers.csv`)).status).toBe(404);
  });

  test("numbers of answers are written as the reader does, in CSV as programs do", async () => {
    const form = await publishForm(service, [
      { id: "temp-1", field_type: "number", label: "Width" },
    ]);
    await submit(service, form["share_url"], { answers: { [form["fields"][0].id]: "2012.5" } });
    const cells = async () => (await owner.get(`/forms/${form["id"]}`)).text;
    expect(await cells()).toContain("<td>2012.5</td>");
    owner.cookies.set("makeready_console_language", "de");
    const german = await cells();
    owner.cookies.delete("makeready_console_language");
    expect(german).toContain("<td>2012,5</td>");
    expect((await owner.get(`/forms/${form["id"]}/answers.csv`)).text).toContain(",2012.5\r\n");
  });

  test("chosen answers are shown in the form's present words, in CSV as they are stored", async () => {
    const options = [
      { value: "in", label: "Drinnen" },
      { value: "out", label: "Draußen" },
    ];
    const form = await publishForm(service, [
      { id: "temp-1", field_type: "radio", label: "Where", options },
      { id: "temp-2", field_type: "text", label: "Words" },
    ]);
    const [where, words] = form["fields"];
    await submit(service, form["share_url"], { answers: { [where.id]: "in", [words.id]: "in" } });
    const { text } = await owner.get(`/forms/${form["id"]}`);
    expect(text).toContain("<td>Drinnen</td><td>in</td>");
    // A draft says nothing of answers; nor does a field that became a choice, of texts before.
    const fields = [
      where,
      { ...words, field_type: "select", options: [{ value: "in", label: "Ja" }] },
    ];
    await service.send("POST", `/form/${form["id"]}/save/`, { fields });
    const shown = async () => (await owner.get(`/forms/${form["id"]}`)).text;
    expect(await shown()).toContain("<td>Drinnen</td><td>in</td>");
    await service.send("POST", `/form/${form["id"]}/publish/`, {});
    expect(await shown()).toContain("<td>Drinnen</td><td>in</td>");
    const csv = await owner.get(`/forms/${form["id"]}/answers.csv`);
    expect(csv.text).toContain(",in,in\r\n");
  });

  test("scans are a chart, a table and CSV, of all codes and of one", async () => {
    const code = await service.code({ dynamic: true, display_name: "Scanned" });
    const [a, b] = [await service.code({ dynamic: true }), await service.code({ dynamic: true })];
    for (const one of [a, b]) await service.scan(one.shortlink_url);
    await service.scan(code.shortlink_url);
    await service.scan(code.shortlink_url);
    await service.clock.advance(2000);
    for (const path of ["/analytics", `/codes/${code.id}/analytics`]) {
      const { text } = await owner.get(`${path}?days=7&compare=yes`);
      expect(text).toContain("Nov 14, 2026 to Nov 20, 2026");
      expect(text).toMatch(/<svg class="plot"[^>]*role="img"/u);
      expect(text.match(/<rect /gu)).toHaveLength(7);
      expect(text).toContain("Before: 0");
      const csv = await owner.get(`${path}.csv?days=7`);
      expect(csv.text).toContain("what,name,scans,unique_scans,id,short_link\r\n");
      expect(csv.text).toMatch(/day,2026-11-20,[24],\d,,\r\n/u);
    }
    owner.cookies.set("makeready_console_language", "de");
    const german = (await owner.get("/analytics?days=7")).text;
    owner.cookies.delete("makeready_console_language");
    expect(german).toContain("14.11.2026 bis 20.11.2026");
    expect(german.replaceAll(/<a [^>]*>/gu, "")).not.toContain("2026-11-");
    // Without a name, the short link tells one code from another.
    const all = await owner.get("/analytics.csv?days=7");
    const list = await owner.get("/analytics?days=7");
    for (const { id, shortlink_url: link } of [a, b]) {
      expect(all.text).toContain(`code,,1,1,${id},${link}\r\n`);
      expect(list.text).toContain(`<div class="soft word">${link}</div>`);
    }
    const sent = { workspace: service.workspace, link: "https://a.example/" };
    const { body: link } = await service.send("POST", "/link/create/", sent);
    await service.scan(link.shortlink_url);
    await service.clock.advance(2000);
    const ranked = (await owner.get("/analytics")).text;
    expect(ranked).toContain(`/console/codes/${code.id}/analytics`);
    expect(ranked).toContain(`<a href="/console/links/${link.id}">`);
    expect((await other.get(`/codes/${code.id}/analytics`)).status).toBe(404);
    expect((await other.get("/analytics")).text).not.toContain("Scanned");
    // By folder: those of subfolders are their own; deleted codes and folders count for none.
    expect(ranked).not.toContain("<h2>Folders</h2>");
    const { workspace } = service;
    const folder = async (name: string, parent?: string) =>
      (await service.send("POST", "/folder/create/", { workspace, name, parent })).body;
    const fair = await folder("Fair");
    const hall = await folder("Hall 1", fair.id);
    const gone = await folder("Gone");
    const file = (one: { id: string }, { id }: { id: string }) =>
      service.send("PATCH", `/qrcode/${one.id}/update/`, { folder: id });
    await file(code, hall);
    await file(a, fair);
    await file(b, gone);
    await service.send("DELETE", `/folder/${gone.id}/delete/`, {});
    const byFolder = (await owner.get("/analytics?days=7")).text;
    expect(byFolder).toMatch(
      /<h2>Folders<\/h2>.*In no folder.*>2<.*>2<.*>Fair\/Hall 1<\/a>.*>2<.*>1<.*>Fair<\/a>/su,
    );
    const inCsv = (await owner.get("/analytics.csv?days=7")).text;
    expect(inCsv).toContain(`folder,Fair/Hall 1,2,1,${hall.id},\r\n`);
    expect(inCsv).toContain("folder,In no folder,2,2,,\r\n");
    await service.send("DELETE", `/qrcode/${code.id}/delete/`, {});
    expect((await owner.get("/analytics.csv?days=7")).text).not.toContain("folder,Fair/Hall 1");
    expect((await owner.get(`/codes/${a.id}/analytics`)).text).not.toContain("<h2>Folders</h2>");
    expect((await other.get("/analytics")).text).not.toContain("Fair");
    // A list that may have more says so.
    expect(byFolder).not.toContain("with the most scans");
    for (let n = 0; n < 25; n += 1)
      await service.scan((await service.code({ dynamic: true })).shortlink_url);
    await service.clock.advance(2000);
    expect((await owner.get("/analytics")).text).toContain("The 25 with the most scans.");
  });
});

describe("the language", () => {
  test("is the browser's, or the one that was chosen; words are the same in both", async () => {
    const german = await owner.get("/codes", { headers: { "accept-language": "de-AT,en;q=0.5" } });
    expect(german.text).toContain('<html lang="de"');
    expect(german.text).toContain("Neuer Code");
    const chosen = await owner.post(
      "/language",
      { to: "de" },
      {
        headers: { referer: "http://service.test/console/folders?x=1" },
      },
    );
    expect(chosen.location).toBe("/console/folders?x=1");
    expect((await owner.get("/folders")).text).toContain("Ordner");
    const away = await owner.post(
      "/language",
      { to: "en" },
      {
        headers: { referer: "https://evil.example/console/x" },
      },
    );
    expect(away.location).toBe("/console/x");
    const names = (value: object, prefix = ""): string[] =>
      Object.entries(value).flatMap(([name, one]) =>
        typeof one === "object" && one !== null
          ? names(one, `${prefix}${name}.`)
          : [`${prefix}${name}`],
      );
    expect(names(de)).toEqual(names(en));
  });
});

describe("refusals", () => {
  let german: Visitor;
  beforeAll(async () => {
    german = new Visitor(service);
    german.cookies.set("makeready_console_language", "de");
    await german.signIn(service.account.token);
  });
  const refused = async (path: string, fields: Parameters<Visitor["post"]>[1]) => {
    const { status, text } = await german.post(path, fields);
    const alert = /role="alert">(.*?)<\/div>/su.exec(text)?.[1] ?? "";
    return { status, said: alert.replaceAll(/<(?!span)[^>]*>/gu, " ").trim() };
  };
  const product = { identifier_type: "01", identifier_value: "4006381333931" };

  test.each([
    ["/codes/new", { qr_data: "", kind: "dynamic" }, "Führt zu: Bitte ausfüllen."],
    ["/codes/new", { qr_data: "example", kind: "dynamic" }, "Gesendet wurde: &quot;example&quot;"],
    ["/links", { link: "https://e.example/", slug: "api" }, "dem Dienst vorbehalten"],
    [
      "/links",
      { link: "https://e.example/", slug: "a b" },
      "Buchstaben, Ziffern und Bindestrichen",
    ],
    ["/links", { link: "javascript:alert(1)" }, "Beginnen Sie sie mit https://."],
    ["/codes/new", { qr_data: "shop.example", kind: "dynamic" }, "sie mit https://."],
    ["/codes/new", { qr_data: "a.de/".padEnd(99, "x"), kind: "dynamic" }, "sie mit https://."],
    ["/codes/new", { qr_data: "https://a b.example", kind: "static" }, "die Leerzeichen weg."],
    ["/codes/new", { qr_data: "x".repeat(7090), kind: "text" }, "Statischer Text: Darf höchstens"],
    ["/folders", { name: "", parent: "" }, "Name: Darf nicht leer sein."],
    [
      "/products",
      { ...product, identifier_value: "4006381333932" },
      "Die Prüfziffer stimmt nicht: Richtig wäre 1.",
    ],
    ["/products", { ...product, identifier_value: "abc" }, "hat 8, 12, 13 oder 14 Ziffern"],
    ["/products", { ...product, expiry_date: "2026" }, "JJMMTT"],
    ["/products", { ...product, expiry_date: "261301" }, "Der Monat muss 01 bis 12 sein."],
    ["/products", { ...product, expiry_date: "260232" }, "Der Tag muss 00 bis 28 sein."],
    ["/products", { ...product, batch_lot: "Müsli" }, "Muss aus den 82 Zeichen von GS1 bestehen"],
    ["/products", { ...product, batch_lot: ".." }, "Muss etwas sein, das in einer Web-Adresse"],
    ["/pages", { title: "" }, "Darf nicht leer sein"],
    ["/pdfs", { pdf_url: "" }, "wählen Sie eine PDF-Datei"],
    [
      "/pdfs",
      { file: new File(["no"], "a.pdf", { type: "application/pdf" }) },
      "Muss ein PDF sein",
    ],
    [
      "/pdfs",
      { file: new File([new Uint8Array(20 * 2 ** 20 + 1)], "a.pdf", { type: "application/pdf" }) },
      "Muss ein PDF von höchstens 20 MB sein.",
    ],
    ["/settings/tokens", { name: " ", access: "full" }, "1 bis 100 sichtbare Zeichen"],
    ["/settings/webhooks", { url: "ftp://x", events: "scan" }, "muss mit http:// oder https://"],
    ["/settings/webhooks", { url: "https://x.example/" }, "mindestens ein Ereignis"],
  ] as const)("of %s %j are said in the reader's language", async (path, fields, said) => {
    const answer = await refused(path, fields);
    expect(answer).toEqual({ status: 400, said: expect.stringContaining(said) });
    expect(answer.said).not.toContain('lang="en"');
  });

  test("that have no words in it are marked as English", () => {
    const line = toHtml(Refused({ words: de, line: "qr_data: Must be blue." }));
    expect(line).toContain('Führt zu: <span lang="en">Must be blue.</span>');
  });
});

test("devices of scans are named in the reader's language", () => {
  const scans = [{ device: "Mobile, iOS, Safari" }, { device: "bot" }, { device: null }];
  const of = (words: typeof en) =>
    toHtml(LastScans({ visit: { words } as Visit, title: "x", scans })).replaceAll(
      /<[^>]*>/gu,
      " ",
    );
  expect(of(en)).toMatch(/Mobile, iOS, Safari .* bot /su);
  expect(of(de)).toMatch(/Handy, iOS, Safari .* Programm /su);
});

test("fields of a design have names of their own, and what is hard to scan is a warning", async () => {
  const { id } = await service.code({ dynamic: true });
  const design = { primary_color: "#eeeeaa", eye_color: "#111111" };
  const plain = (await owner.get(`/codes/${id}/design`)).text;
  expect(plain).toMatch(/<p id="said" class="said"[^>]*><\/p>/u);
  await service.send("PATCH", `/qrcode/${id}/design/`, design);
  const warnings = {
    de: "Module in #eeeeaa mit Augen in #111111 auf durchsichtigem Grund (als Weiß gerechnet) erreicht beim Prüfen höchstens Note 0 in weißem Licht (Kontrast 99 %, aber die Farbe der Module ist zu hell neben der Farbe der Augen)",
    en: "primary_color is too light beside eye_color",
  };
  for (const [language, warning] of Object.entries(warnings)) {
    owner.cookies.set("makeready_console_language", language);
    const { text } = await owner.get(`/codes/${id}/design`);
    const labels = [...text.matchAll(/<label for="f-[^>]*>([^<]*)</gu)].map(([, name]) => name);
    expect(labels.length).toBeGreaterThan(8);
    expect(new Set(labels).size).toBe(labels.length);
    const [, said = ""] = /<p id="said" class="said"[^>]*>([^<]*)</u.exec(text) ?? [];
    expect(said).toContain(warning);
  }
  owner.cookies.delete("makeready_console_language");
});

describe("a token that may only read", () => {
  test("sees everything and changes nothing", async () => {
    const { id } = await service.code({ dynamic: true, display_name: "Fixed" });
    const page = await owner.post("/settings/tokens", {
      name: "viewer",
      access: "read-only",
      days: "",
    });
    const token = /class="once">([0-9a-f]{40})</u.exec(page.text)?.[1] ?? "";
    const viewer = new Visitor(service);
    expect((await viewer.signIn(token)).status).toBe(303);
    expect((await viewer.get(`/codes/${id}`)).text).toContain("may only read");
    await service.send("PATCH", `/qrcode/${id}/update/`, { qr_data: "https://example.com/2" });
    for (const path of screens.flatMap(({ get = {} }) => Object.keys(get))) {
      const { text } = await viewer.get(path.replaceAll(/:as\{[^}]*\}|:\w+/gu, id));
      // What is left leads out, speaks another language, or draws.
      const forms = [...text.matchAll(/<form method="post" action="([^"]*)"/gu)]
        .map(([, action = ""]) => action)
        .filter((action) => !/\/(?:language|sign-out|design)$/u.test(action));
      expect([path, forms]).toEqual([path, []]);
      expect([
        path,
        text.match(/class="(?:main|danger|small danger)"[^>]*>(?:Delete|Revoke|Give)/u),
      ]).toEqual([path, null]);
      expect([path, text.includes("<summary>Delete")]).toEqual([path, false]);
    }
    const everywhere = await viewer.post("/sign-out-everywhere", {});
    expect([everywhere.status, everywhere.text]).toEqual([
      403,
      expect.stringContaining("This token is read-only"),
    ]);
    expect((await owner.get("/codes")).status).toBe(200);
    const paths = screens.flatMap(({ post = {} }) => Object.keys(post));
    for (const path of paths) {
      const target = path.replaceAll(/:\w+/gu, id);
      const { status, location } = await viewer.post(target, {
        display_name: "changed",
        qr_data: "https://evil.example/",
        name: "x",
        url: "https://evil.example/",
        events: "scan",
        token: "x",
        grant: "x",
        n: "1",
        tag: "x",
        pattern: "Circles",
        link: "https://evil.example/",
        title: "x",
        identifier_value: "9506000134352",
        destination_url: "https://evil.example/",
      });
      const isRefused =
        status >= 400 || location.includes("done=gone") || location.includes("done=forgotten");
      // A drawing changes nothing.
      if (path.endsWith("/draw")) continue;
      expect([path, status, location, isRefused]).toEqual([path, status, location, true]);
    }
    expect((await service.get(`/qrcode/${id}/`)).body.display_name).toBe("Fixed");
    expect((await viewer.post("/sign-out", {})).status).toBe(303);
  });
});
