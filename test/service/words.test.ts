import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { de } from "../../src/service/public/words/de.ts";
import { en, type Words } from "../../src/service/public/words/en.ts";
import { es } from "../../src/service/public/words/es.ts";
import { fr } from "../../src/service/public/words/fr.ts";
import { it as italian } from "../../src/service/public/words/it.ts";
import { nl } from "../../src/service/public/words/nl.ts";
import { pl } from "../../src/service/public/words/pl.ts";
import { pt } from "../../src/service/public/words/pt.ts";
import { wordsFor } from "../../src/service/public/words/words.ts";

import { makeService, type TestService } from "./make-service.ts";
import { publishForm } from "./visit-form.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-words-"));
let service: TestService;
let form: string;
beforeAll(async () => {
  writeFileSync(
    path.join(folder, "front-page.txt"),
    "Codes of <Example Ltd>\n\nAsk https://example.com/help.\nOr us.\n",
  );
  writeFileSync(path.join(folder, "front-page.de.txt"), "Codes der Beispiel GmbH\n");
  service = await makeService({ dataDir: folder });
  const fields = [
    { id: "temp-1", field_type: "email", label: "Mail", required: true },
    { id: "temp-2", field_type: "yes_no", label: "Sure?" },
  ];
  form = String((await publishForm(service, fields)).share_url);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function visit(url: string, language = "", init: RequestInit = {}) {
  const request = new Request(url, {
    ...init,
    headers: { accept: "text/html", "accept-language": language },
    redirect: "manual",
  });
  const answer = await service.fetch(request);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}

describe("the visitor's language", () => {
  it.each([
    ["de-CH,de;q=0.9,en;q=0.8", "de"],
    ["sv,fr;q=0.7,en;q=0.5", "fr"],
    ["en-GB,en", "en"],
    ["sv", "en"],
    ["*", "en"],
    ["", "en"],
    ["de;q=0, nl;q=0.1", "nl"],
    ["PT-br", "pt"],
    ["de;q=0.2,pl;q=0.9", "pl"],
    [`${"x,".repeat(2000)}de`, "en"],
  ])("%s is answered in %s", (header, language) => {
    const request = new Request("https://go.example/x", { headers: { "accept-language": header } });
    expect(wordsFor(request).language).toBe(language);
  });

  it("is what the address asks for, if it does", () => {
    const headers = { "accept-language": "fr" };
    const ask = (url: string) => wordsFor(new Request(url, { headers })).language;
    expect(ask("https://go.example/form/x?lang=it")).toBe("it");
    expect(ask("https://go.example/form/x?lang=tlh")).toBe("fr");
  });
});

const toTexts = (words: Words): [string, string][] =>
  Object.entries(words).flatMap(([group, texts]) =>
    typeof texts === "string"
      ? []
      : Object.entries(texts).map(([key, text]): [string, string] => [`${group}.${key}`, text]),
  );
const toHoles = (text: string): string[] => text.match(/\{\w+\}|\*/gu) ?? [];

it.each([de, es, fr, italian, nl, pl, pt])("$language says all that English says", (words) => {
  const english = new Map(toTexts(en));
  const same = new Set([
    "contact.mobile",
    "contact.website",
    "contact.email",
    "form.no",
    "form.error",
  ]);
  for (const [key, text] of toTexts(words)) {
    expect([key, toHoles(text)]).toEqual([key, toHoles(english.get(key) ?? "")]);
    if (!same.has(key)) expect([key, text]).not.toEqual([key, english.get(key)]);
  }
});

describe("in German", () => {
  it("a form asks, refuses and thanks", async () => {
    const shown = await visit(form, "de");
    expect(shown.html).toContain('<html lang="de">');
    expect(shown.html).toContain('<button type="submit">Absenden</button>');
    expect(shown.html).toContain('data-check-many="Bitte prüfen Sie {n} Antworten"');
    expect(shown.html).toContain("<span>Ja</span>");
    expect(shown.html).not.toMatch(/Please|Submit|required\./u);
    const body = new URLSearchParams({ "leave-empty": "" });
    const refused = await visit(form, "de", { method: "POST", body });
    expect([refused.status, refused.html]).toEqual([
      400,
      expect.stringContaining("Diese Seite war zu lange geöffnet."),
    ]);
    const ticket = /name="ticket" value="([^"]+)"/u.exec(refused.html)?.[1] ?? "";
    const empty = await visit(form, "de", {
      method: "POST",
      body: new URLSearchParams({ ticket }),
    });
    expect(empty.html).toContain("Bitte prüfen Sie eine Antwort");
    expect(empty.html).toContain("Mail: Bitte geben Sie eine E-Mail-Adresse an.");
    const thanks = await visit(`${form}/thanks`, "de");
    expect(thanks.html).toContain("<h1>Vielen Dank!</h1>");
  });

  it("a form whose address names the language stays in it", async () => {
    const shown = await visit(`${form}?lang=de`, "fr");
    const ticket = /name="ticket" value="([^"]+)"/u.exec(shown.html)?.[1] ?? "";
    const [field = ""] = /q-[\w-]+/u.exec(shown.html) ?? [];
    const body = new URLSearchParams({ ticket, [field.slice(2)]: "ada@example.com" });
    const sent = await visit(`${form}?lang=de`, "fr", { method: "POST", body });
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      `${new URL(form).pathname}/thanks?lang=de`,
    ]);
  });

  it.each([
    ["/nothing-here", "Nicht gefunden"],
    ["/form/nothing", "Unter dieser Adresse gibt es kein Formular"],
    ["/page/nothing", "Unter dieser Adresse gibt es keine Seite"],
    ["/01/09506000134369", "Unbekanntes Produkt"],
    ["/media/nothing.png", "Nicht gefunden"],
  ])("%s says: %s", async (address, says) => {
    const { status, html } = await visit(`https://go.example${address}`, "de");
    expect([status, html]).toEqual([404, expect.stringContaining(says)]);
    expect(html).toContain('<html lang="de">');
  });
});

it("a landing page is in the language of its address, else in the visitor's", async () => {
  const { workspace } = service;
  const made = await service.send("POST", "/page/create/", {
    workspace,
    title: "Fair",
    slug: "fair",
  });
  expect(made.status).toBe(200);
  const page = "https://go.example/page/fair";
  expect((await visit(`${page}?lang=de`, "fr")).html).toContain('<html lang="de">');
  expect((await visit(page, "fr")).html).toContain('<html lang="fr">');
  expect((await visit(page, "mg")).html).toContain('<html lang="en">');
});

it("takes no other language for one of ours because it begins alike", async () => {
  // Malagasy, North Frisian, and Low German with German behind it.
  for (const [asked, given] of [
    ["plt", "en"],
    ["frr", "en"],
    ["nds, de-AT;q=0.5", "de"],
  ] as const) {
    const { html } = await visit("https://go.example/nothing-here", asked);
    expect([asked, html]).toEqual([asked, expect.stringContaining(`<html lang="${given}">`)]);
  }
});

describe("the front page", () => {
  it("has the operator's words, in the visitor's language where there are some", async () => {
    const { status, html } = await visit("https://go.example/", "fr");
    expect(status).toBe(200);
    expect(html).toContain('<h1 dir="auto">Codes of &lt;Example Ltd&gt;</h1>');
    expect(html).toContain(
      'Ask <a href="https://example.com/help" rel="noopener noreferrer">https://example.com/help</a>.\nOr us.',
    );
    expect((await visit("https://go.example/", "de")).html).toContain("Codes der Beispiel GmbH");
  });

  it("without any, says what the address is for, and nothing about its operator", async () => {
    const bare = await makeService();
    const answer = await bare.fetch(new Request("https://go.example/"));
    const html = await answer.text();
    expect([answer.status, html]).toEqual([200, expect.stringContaining("Short links and codes")]);
    expect(html).not.toMatch(/makeready|api|version/iu);
    await bare.close();
  });
});
