/** Several tabs: what one shows may be older than what another has saved. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { runInProcess } from "../flow/in-process.ts";
import type { TestService, Wire } from "../service/make-service.ts";
import { openConsole, Visitor, type Page } from "./ask-console.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "console-tabs-"));
let service: TestService;
let owner: Visitor;

beforeAll(async () => {
  ({ service, owner } = await openConsole({ dataDir }));
});
afterAll(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true });
});

const unescape = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

/** What a browser sends of a form that nobody touched. */
function fieldsOf({ text }: Page, action: string): Record<string, string> {
  const start = text.indexOf(`method="post" action="/console${action}"`);
  if (start < 0) throw new Error(`no form ${action}`);
  const form = text.slice(start, text.indexOf("</form>", start));
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/gu)) {
    const name = /name="([^"]*)"/u.exec(tag)?.[1] ?? "";
    if (name === "csrf" || /type="file"/u.test(tag)) continue;
    if (/type="checkbox"/u.test(tag) && !/\schecked/u.test(tag)) continue;
    fields[name] = unescape(/value="([^"]*)"/u.exec(tag)?.[1] ?? "");
  }
  for (const [, name = "", options = ""] of form.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gsu,
  )) {
    const [first] = /<option value="[^"]*"/u.exec(options) ?? [];
    const [chosen = first] = /<option value="[^"]*" selected/u.exec(options) ?? [];
    fields[name] = unescape(/value="([^"]*)"/u.exec(chosen ?? "")?.[1] ?? "");
  }
  return fields;
}

/** What a page says at its top. */
const said = ({ text }: Page): string =>
  (/role="alert">(.*?)<\/div>/su.exec(text)?.[1] ?? "").replaceAll(/<[^>]*>/gu, " ");

describe("a tab that is older than a change", () => {
  test("leaves the destination of a code alone that it did not change", async () => {
    const { id } = await service.code({ dynamic: true, qr_data: "https://example.com/old" });
    const old = fieldsOf(await owner.get(`/codes/${id}`), `/codes/${id}`);
    const to = { qr_data: "https://example.com/new", gps_tracking: true };
    await service.send("PATCH", `/qrcode/${id}/update/`, to);
    const saved = await owner.post(`/codes/${id}`, { ...old, display_name: "Table 7" });
    expect(saved.location).toContain("done=saved");
    const { body } = await service.get(`/qrcode/${id}/`);
    expect([body.qr_data, body.display_name, body.gps_tracking]).toEqual([
      to.qr_data,
      "Table 7",
      true,
    ]);
  });

  test("is refused where both changed the same, keeps what was typed, and may save again", async () => {
    const { id } = await service.code({ dynamic: true, qr_data: "https://example.com/old" });
    const old = fieldsOf(await owner.get(`/codes/${id}`), `/codes/${id}`);
    const meanwhile = { qr_data: "https://example.com/theirs", display_name: "Theirs" };
    await service.send("PATCH", `/qrcode/${id}/update/`, meanwhile);
    const refused = await owner.post(`/codes/${id}`, { ...old, qr_data: "https://example.com/m" });
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining(
        "This code was changed meanwhile: it leads to https://example.com/theirs now. Look at it and save again.",
      ),
    ]);
    expect((await service.get(`/qrcode/${id}/`)).body.qr_data).toBe("https://example.com/theirs");
    const again = fieldsOf(refused, `/codes/${id}`);
    expect([again.qr_data, again.display_name]).toEqual(["https://example.com/m", "Theirs"]);
    expect((await owner.post(`/codes/${id}`, again)).location).toContain("done=saved");
    const { body } = await service.get(`/qrcode/${id}/`);
    expect([body.qr_data, body.display_name]).toEqual(["https://example.com/m", "Theirs"]);
  });

  test("is refused in German, in German", async () => {
    const german = new Visitor(service);
    german.cookies.set("makeready_console_language", "de");
    await german.signIn(service.account.token);
    const { id } = await service.code({ dynamic: true, display_name: "one" });
    const old = fieldsOf(await german.get(`/codes/${id}`), `/codes/${id}`);
    await service.send("PATCH", `/qrcode/${id}/update/`, { display_name: "two" });
    const refused = await german.post(`/codes/${id}`, { ...old, display_name: "three" });
    expect(said(refused)).toContain(
      "Name wurde inzwischen geändert: Jetzt steht dort „two“. Sehen Sie nach, und speichern Sie noch einmal.",
    );
    expect(refused.text).not.toContain('<li><span lang="en"');
  });

  test("does the same for short links and folders", async () => {
    const { workspace } = service;
    const made = { workspace, link: "https://example.com/old" };
    const { id } = (await service.send("POST", "/link/create/", made)).body;
    const old = fieldsOf(await owner.get(`/links/${id}`), `/links/${id}`);
    await service.send("PATCH", `/link/${id}/update/`, { link: "https://example.com/new" });
    await owner.post(`/links/${id}`, { ...old, display_name: "Spring" });
    const { body } = await service.get(`/link/${id}/`);
    expect([body.link, body.display_name]).toEqual(["https://example.com/new", "Spring"]);
    const refused = await owner.post(`/links/${id}`, { ...old, link: "https://example.com/m" });
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining("it leads to https://example.com/new now"),
    ]);
    const { id: hall } = await service.folder("Hall");
    const { id: folder } = await service.folder("Table");
    const shown = fieldsOf(await owner.get(`/folders?change=${folder}`), `/folders/${folder}`);
    await service.send("PATCH", `/folder/${folder}/update/`, { name: "Desk" });
    await owner.post(`/folders/${folder}`, { ...shown, parent: hall });
    expect((await owner.get("/folders?change=none")).text).toContain("Hall/Desk");
  });

  test("keeps the parts of a design that another gave, and its logo", async () => {
    const { id } = await service.code({ dynamic: true });
    const form = `/codes/${id}/design`;
    const old = fieldsOf(await owner.get(form), form);
    const theirs = { eye_color: "#0a4d7c", background_color: "#ffeecc", pattern: "Circles" };
    await service.send("PATCH", `/qrcode/${id}/design/`, theirs);
    await owner.post(form, { ...old, primary_color: "#330000" });
    const { design } = (await service.get(`/qrcode/${id}/`)).body;
    expect(design).toMatchObject({ ...theirs, primary_color: "#330000" });
    const refused = await owner.post(form, { ...old, pattern: "Diamonds" });
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining("Pattern was changed meanwhile: it is “Circles” now."),
    ]);
    const again = fieldsOf(refused, form);
    expect(again).toMatchObject({ pattern: "Diamonds", background_color: "#ffeecc" });
    expect(again.clear).toBeUndefined();
    await owner.post(form, again);
    const saved = (await service.get(`/qrcode/${id}/`)).body.design;
    expect(saved).toMatchObject({ ...theirs, pattern: "Diamonds" });
    const logo =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const before = fieldsOf(await owner.get(form), form);
    await service.send("PATCH", `/qrcode/${id}/design/`, { logo_base64: logo });
    const bare = await owner.post(form, { ...before, no_logo: "yes" });
    expect(said(bare)).toContain("The logo was changed meanwhile.");
    expect((await service.get(`/qrcode/${id}/`)).body.design.has_logo).toBe(true);
    // The page that was looked at again showed the new logo, unless it was to go.
    const shown = fieldsOf(await owner.post(form, { ...before, look: "yes" }), form);
    const left = fieldsOf(await owner.post(form, { ...before, no_logo: "yes", look: "yes" }), form);
    expect([left.was_logo, left.no_logo]).toEqual([before.was_logo, "yes"]);
    const png = new Blob([Buffer.from(logo, "base64")], { type: "image/png" });
    expect(said(await owner.post(form, { ...before, logo: png }))).toContain(
      "The logo was changed",
    );
    expect((await owner.post(form, { ...shown, logo: png })).location).toContain("done=saved");
  });

  test("a chosen background counts beside the tick that was there before", async () => {
    const { id } = await service.code({ dynamic: true });
    const form = `/codes/${id}/design`;
    const ground = async () =>
      (await service.get(`/qrcode/${id}/`)).body.design.background_color as string | null;
    const plain = fieldsOf(await owner.get(form), form);
    expect([plain.clear, plain.background_color]).toEqual(["yes", "#ffffff"]);
    const chosen = { ...plain, background_color: "#ffcc00" };
    const looked = fieldsOf(await owner.post(form, { ...chosen, look: "yes" }), form);
    expect([looked.clear, looked.background_color]).toEqual([undefined, "#ffcc00"]);
    await owner.post(form, chosen);
    expect(await ground()).toBe("#ffcc00");
    // A tick that is new counts.
    const colored = fieldsOf(await owner.get(form), form);
    expect(colored.clear).toBeUndefined();
    await owner.post(form, { ...colored, background_color: "#aaffaa", clear: "yes" });
    expect(await ground()).toBeNull();
    const tried = `/templates/try?template=classic&${new URLSearchParams(chosen as never).toString()}`;
    const template = await owner.get(tried);
    expect(template.text).toContain("background_color: &quot;#ffcc00&quot;");
    expect(template.text).not.toMatch(/name="clear"[^>]*checked/u);
  });

  test("a background that others took away meanwhile is not taken away again", async () => {
    const { id } = await service.code({ dynamic: true });
    const form = `/codes/${id}/design`;
    const path = `/qrcode/${id}/design/`;
    await service.send("PATCH", path, { background_color: "#ddffee" });
    const old = fieldsOf(await owner.get(form), form);
    await service.send("PATCH", path, { background_color: null });
    const refused = await owner.post(form, { ...old, background_color: "#ffff00" });
    expect(refused.status).toBe(409);
    const again = fieldsOf(refused, form);
    expect([again.clear, again.background_color]).toEqual([undefined, "#ffff00"]);
    await owner.post(form, again);
    const { design } = (await service.get(`/qrcode/${id}/`)).body;
    expect(design.background_color).toBe("#ffff00");
  });

  test("shows colours as browsers send them, however the API keeps them", async () => {
    const { id } = await service.code({ dynamic: true });
    const form = `/codes/${id}/design`;
    const design = { primary_color: "#AA0000", eye_color: "#ABC", background_color: "#FFEECC" };
    await service.send("PATCH", `/qrcode/${id}/design/`, design);
    const old = fieldsOf(await owner.get(form), form);
    expect(old).toMatchObject({
      primary_color: "#aa0000",
      was_primary_color: "#aa0000",
      eye_color: "#aabbcc",
      was_eye_color: "#aabbcc",
      background_color: "#ffeecc",
    });
    const theirs = { primary_color: "#0000AA", eye_color: "#ABC" };
    await service.send("PATCH", `/qrcode/${id}/design/`, theirs);
    const saved = await owner.post(form, { ...old, pattern: "Circles" });
    expect([saved.location, said(saved)]).toEqual([expect.stringContaining("done=saved"), ""]);
    expect((await service.get(`/qrcode/${id}/`)).body.design).toMatchObject({
      ...design,
      ...theirs,
      pattern: "Circles",
    });
    const refused = await owner.post(form, { ...old, primary_color: "#00aa00" });
    expect(said(refused)).toContain("it is “#0000aa” now");
  });
});

describe("what is there already", () => {
  test("is not made again: a product keeps its destination, and its page is named", async () => {
    const tea = { identifier_type: "01", identifier_value: "9506000134352" };
    const { workspace } = service;
    const there = await service.send("POST", "/gs1/products/", {
      workspace,
      ...tea,
      destination_url: "https://example.com/tea",
    });
    const other = { ...tea, destination_url: "https://example.com/other" };
    const refused = await owner.post("/products", other);
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining(
        "This product is there already and leads to https://example.com/tea; nothing was changed.",
      ),
    ]);
    const { id } = there.body;
    expect(refused.text).toMatch(
      new RegExp(`<a href="/console/products/${id}">GTIN 09506000134352</a>`, "u"),
    );
    expect(refused.text).toContain('value="https://example.com/other"');
    const { body } = await service.get(`/gs1/products/${id}/`);
    expect(body.link_types.map((one: Wire) => one.destination_url)).toEqual([
      "https://example.com/tea",
    ]);
    // The API itself registers again, as it is described.
    const again = await service.send("POST", "/gs1/products/", { workspace, ...other });
    expect([again.status, again.body.link_types[0].destination_url]).toEqual([
      200,
      "https://example.com/other",
    ]);
    const made = await owner.post("/products", { ...other, identifier_value: "4006381333931" });
    expect(made.location).toContain("done=made");
  });

  test("a link of a product that was changed since is not overwritten", async () => {
    const { workspace } = service;
    const { id } = (
      await service.send("POST", "/gs1/products/", {
        workspace,
        identifier_value: "4012345678901",
        destination_url: "https://example.com/tea",
      })
    ).body;
    const form = `/products/${id}/links`;
    const page = await owner.get(`/products/${id}`);
    const was = [...page.text.matchAll(/name="was_links" value="([^"]*)"/gu)].map(
      ([, v]) => v ?? "",
    );
    const typed = { link_type: "gs1:pip", title: "Tea", destination_url: "https://example.com/m" };
    const link = { link_type: "gs1:pip", title: "Tea", destination_url: "https://example.com/t" };
    await service.send("POST", `/gs1/products/${id}/links/`, link);
    const refused = await owner.post(form, { ...typed, was_links: was });
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining("The link gs1:pip was changed meanwhile: it leads to"),
    ]);
    expect((await owner.post(form, typed)).location).toContain("done=saved");
  });

  test("a link of a product that was deleted since is not made again unseen", async () => {
    const { workspace } = service;
    const { id, link_types: links } = (
      await service.send("POST", "/gs1/products/", {
        workspace,
        identifier_value: "9780201379624",
        destination_url: "https://example.com/tea",
      })
    ).body;
    const form = `/products/${id}/links`;
    const was = async (): Promise<string[]> =>
      [
        ...(await owner.get(`/products/${id}`)).text.matchAll(/name="was_links" value="([^"]*)"/gu),
      ].map(([, value]) => value ?? "");
    const old = await was();
    await service.send("DELETE", `/gs1/products/${id}/links/${links[0].id}/`);
    const typed = { link_type: "gs1:pip", title: "Tea", destination_url: "https://example.com/m" };
    const refused = await owner.post(form, { ...typed, was_links: old });
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining("The link gs1:pip was changed meanwhile: it leads nowhere now."),
    ]);
    expect((await service.get(`/gs1/products/${id}/`)).body.link_types).toEqual([]);
    const seen = { ...typed, was_links: await was() };
    expect((await owner.post(form, seen)).location).toContain("done=saved");
  });

  test("a refused change of a link stays one of its link type; fields that nobody touched are left alone", async () => {
    const { workspace } = service;
    const { id } = (
      await service.send("POST", "/gs1/products/", {
        workspace,
        identifier_value: "4006381333931",
        destination_url: "https://example.com/tea",
      })
    ).body;
    const made = await service.send("POST", `/gs1/products/${id}/links/`, {
      link_type: "gs1:instructions",
      title: "Anleitung",
      destination_url: "https://example.com/a",
      language: "de",
    });
    const path = `/gs1/products/${id}/links/${made.body.id}/`;
    const links = async () => (await service.get(`/gs1/products/${id}/`)).body.link_types;
    const [pip, before] = await links();
    const form = `/products/${id}/links`;
    const fresh = fieldsOf(await owner.get(`/products/${id}?change=gs1:instructions`), form);
    const wrong = await owner.post(form, { ...fresh, destination_url: "ftp://example.com/b" });
    expect(wrong.status).toBe(400);
    const again = fieldsOf(wrong, form);
    expect(again).toEqual({ ...fresh, destination_url: "ftp://example.com/b" });
    // Meanwhile somebody else changes what this form leaves alone.
    await service.send("PATCH", path, { title: "Hilfe", language: "fr" });
    const right = { ...again, destination_url: "https://example.com/b" };
    expect((await owner.post(form, right)).location).toContain("done=saved");
    const changed = { title: "Hilfe", language: "fr", destination_url: "https://example.com/b" };
    expect(await links()).toEqual([pip, { ...before, ...changed }]);
    const late = await owner.post(form, {
      ...fresh,
      title: "Rat",
      destination_url: "https://e.org",
    });
    expect([late.status, said(late)]).toEqual([
      409,
      expect.stringMatching(
        /Title was changed meanwhile: it is “Hilfe” now\..*The link gs1:instructions was changed meanwhile: it leads to/su,
      ),
    ]);
    expect(fieldsOf(late, form)).toMatchObject({
      link_type: "gs1:instructions",
      title: "Rat",
      was_title: "Hilfe",
      destination_url: "https://e.org",
      language: "fr",
    });
    await service.send("DELETE", path, {});
    const gone = await owner.post(form, fieldsOf(late, form));
    expect([gone.status, fieldsOf(gone, form)["link_type"]]).toEqual([409, "gs1:instructions"]);
    expect(await links()).toEqual([pip]);
  });

  test("a folder is named, with its codes a click away", async () => {
    expect((await owner.post("/folders", { name: "Attic", parent: "" })).location).toContain(
      "made",
    );
    const again = await owner.post("/folders", { name: " Attic ", parent: "" });
    expect([again.status, said(again)]).toEqual([
      409,
      expect.stringContaining("This folder is there already; nothing was made."),
    ]);
    expect(again.text).toMatch(/<a href="\/console\/codes\?folder=[^"]+">Attic<\/a>/u);
  });
});

const choose = (workspace: string) => owner.post("/workspace", { workspace });
const shownIn = ({ text }: Page): string =>
  /<option value="[^"]*" selected[^>]*>([^<]*)<\/option>/u.exec(
    text.slice(text.indexOf('name="workspace"')),
  )?.[1] ?? "";
const foldersOf = async (workspace: string): Promise<string[]> =>
  (await service.get(`/workspace/${workspace}/folders/`)).body.results.map(
    ({ name }: Wire) => name,
  );

describe("two tabs that show two workspaces", () => {
  let kitchen = "";
  let cellar = "";

  beforeAll(async () => {
    kitchen = service.workspace;
    const argv = ["accounts", "workspace", "Cellar", "--account", "default", "--data", dataDir];
    await runInProcess(argv, { cwd: dataDir });
    const { text } = await owner.get("/settings");
    const ids = [...text.matchAll(/<option value="([^"]*)"/gu)].map(([, id = ""]) => id);
    cellar = ids.find((id) => id !== kitchen) ?? "";
  });

  test("a form goes to the workspace that its page showed, and so does the next page", async () => {
    await choose(kitchen);
    const old = fieldsOf(await owner.get("/folders"), "/folders");
    await choose(cellar);
    const made = await owner.post("/folders", { ...old, name: "Pans", parent: "" });
    expect(made.location).toContain("done=made");
    expect([await foldersOf(kitchen), await foldersOf(cellar)]).toEqual([
      expect.arrayContaining(["Pans"]),
      [],
    ]);
    const next = await owner.get("/folders?done=made");
    expect([next.text.includes(">Pans<"), shownIn(next)]).toEqual([true, "default"]);
    const foreign = { ...old, name: "Theirs", shown_in: service.other.workspaceId };
    expect((await owner.post("/folders", foreign)).status).toBe(404);
    expect(await foldersOf(service.workspace)).not.toContain("Theirs");
  });

  test("what is in another workspace is shown under its heading, with its folders", async () => {
    await service.folder("Shelf");
    const { id } = await service.code({ dynamic: true, display_name: "Jar" });
    await choose(cellar);
    for (const path of [`/codes/${id}`, `/codes/${id}/design`]) {
      const page = await owner.get(path);
      expect([path, shownIn(page)]).toEqual([path, "default"]);
    }
    expect((await owner.get(`/codes/${id}`)).text).toContain(">Shelf</option>");
    expect(shownIn(await owner.get("/codes"))).toBe("Cellar");
    const form = `/codes/${id}`;
    const fields = fieldsOf(await owner.get(form), form);
    const refused = await owner.post(form, { ...fields, qr_data: "no address" });
    expect([refused.status, shownIn(refused)]).toEqual([400, "default"]);
  });
});
