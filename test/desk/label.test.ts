/** Screen "label and sheet": what is shown is what is printed, and only what was asked for is saved. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { listBuiltInTemplates } from "../../src/service/designs/built-in.ts";
import { de } from "../../src/desk/words/de.ts";
import type { LabelAnswer, Told } from "../../src/desk/screens/label/label-props.ts";
import { openAskedDesk, readForm as readSent, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-label-"));
let desk: AskedDesk;

const shelves = `# Ours.
version: 1
name: shelves
kind: codes
source:
  file: shelves.csv
  key: [shelf]   # what identifies a row
  columns: { shelf: {}, url: { type: url } }
code:
  dynamic: false
  qr_data: "{{ url }}"
  tags: [ours]
  design: { primary_color: "#0a3d62", size: 300 }
output:
  dir: out
  sheets: { sheet: avery-l7159, caption: "{{ shelf }}", marks: [], start: continue }  # mine
`;
const file = path.join(folder, "shelves.yaml");
const page = "/job/shelves.yaml/label";

beforeAll(async () => {
  writeFileSync(
    path.join(folder, "shelves.csv"),
    "shelf,url\nA-01,https://example.com/a\nA-02,https://example.com/b\n",
  );
  desk = await openAskedDesk(folder);
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const toText = (told: readonly Told[] = []): string => told.map(({ text }) => text).join(", ");

/** What a browser would send of the form as it is shown. */
async function readForm(at = page): Promise<Record<string, string>> {
  const html = await (await desk.get(at)).text();
  const hidden = (name: string): string =>
    (new RegExp(`name="${name}" value="([^"]*)"`, "u").exec(html)?.[1] ?? "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&amp;", "&");
  const was = hidden("was");
  return { ...(JSON.parse(was) as Record<string, string>), was, hash: hidden("hash") };
}

/** The texts of label templates as the page shows them. */
const readTexts = (html: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readSent(html)).filter(([name]) =>
      /^(?:label\..*|blanks|was|hash)$/u.test(name),
    ),
  );

const preview = async (form: Record<string, string>): Promise<LabelAnswer> =>
  (await (await desk.post(`${page}/preview`, form)).json()) as LabelAnswer;

describe("what is saved", () => {
  test("only what was changed, and every other letter stays", async () => {
    writeFileSync(file, shelves);
    const form = { ...(await readForm()), copies: "3", primary_color: "#123456", do: "save" };
    const answer = await desk.post(page, form);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${page}?saved`]);
    expect(readFileSync(file, "utf8")).toBe(
      shelves
        .replace("#0a3d62", "#123456")
        .replace(
          /sheets: \{ (.*) \} {2}# mine/u,
          '  sheets:  # mine\n    sheet: avery-l7159\n    caption: "{{ shelf }}"\n    marks: []\n    start: continue\n    copies: 3',
        )
        .replace("    sheets:", "  sheets:"),
    );
  });

  test("nothing, where nothing was changed", async () => {
    writeFileSync(file, shelves);
    const answer = await desk.post(page, { ...(await readForm()), do: "save" });
    expect(answer.headers.get("location")).toBe(`${page}?same`);
    expect(readFileSync(file, "utf8")).toBe(shelves);
  });

  test("nothing over a manifest that was changed meanwhile; the change stays in the form", async () => {
    writeFileSync(file, shelves);
    const form = { ...(await readForm()), copies: "7", do: "save" };
    const theirs = shelves.replace("# Ours.", "# Theirs.");
    writeFileSync(file, theirs);
    const answer = await desk.post(page, form);
    const html = await answer.text();
    expect(answer.status).toBe(409);
    expect(html).toContain("The manifest was changed on disk");
    expect(html).toMatch(/<input[^>]*value="7"[^>]*id="copies"/u);
    expect(readFileSync(file, "utf8")).toBe(theirs);
  });

  test("nothing that a run would refuse; the reason is shown", async () => {
    writeFileSync(file, shelves);
    const answer = await desk.post(page, { ...(await readForm()), copies: "0", do: "save" });
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toContain("output.sheets.copies");
    expect(readFileSync(file, "utf8")).toBe(shelves);
  });

  test("no text that its frame has no room for", async () => {
    writeFileSync(file, shelves);
    const form = { ...(await readForm()), frame: "card", text: "A".repeat(55), do: "save" };
    const refused = await desk.post(page, form);
    expect([refused.status, readFileSync(file, "utf8")]).toEqual([400, shelves]);
    expect(await refused.text()).toContain("must be at most 30 characters");
  });

  test("nothing refused, in the words of the page; all columns are still offered", async () => {
    writeFileSync(
      file,
      shelves.replace("columns: { shelf: {}, url: { type: url } }", "columns: { url: {} }"),
    );
    const own = {
      stock: "own",
      "own.width": "50",
      "own.height": "25",
      "own.columns": "2",
      "own.rows": "2",
    };
    const form = { ...(await readForm()), ...own, "own.margin": "10,5 12", do: "save" };
    const answer = await desk.post(page, form, "de");
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toContain(
      "„Rand, mm“ muss eine Zahl von 0 bis 500 (in Millimetern) sein; hier steht",
    );
    expect(html).toContain("{{ shelf }}");
    expect(html).toContain("{{ url }}");
  });

  test("a share of spare labels with the comma and the space of German numbers", async () => {
    writeFileSync(file, shelves);
    const answer = await desk.post(page, { ...(await readForm()), overs: "2,5 %", do: "save" });
    expect(answer.status).toBe(303);
    expect(readFileSync(file, "utf8")).toContain('overs: "2.5%"');
  });

  test("no share that is none, which is said in the words of the page", async () => {
    writeFileSync(file, shelves);
    const answer = await desk.post(page, { ...(await readForm()), overs: "x", do: "save" }, "de");
    expect(await answer.text()).toContain("muss ein Anteil der Zeilen wie „2 %“ sein; hier steht");
  });

  test.each([
    ["copies", "0", "„Etiketten je Zeile“ muss eine ganze Zahl von 1 bis 10000 sein"],
    ["device_dpi", "7", "„Punkte je Zoll des Druckers“ muss eine ganze Zahl von 72 bis 9600 sein"],
    ["primary_color", "rot", "„Farbe“ muss eine Farbe wie #0a3d62 sein; hier steht"],
    ["primary_color", "{{ nope }}", "„Farbe“ muss eine Spalte der Tabelle nennen; hier steht"],
    ["caption", "{{ shelf", "„Textzeilen“: Eine Vorlage muss jedes {{ mit }} schließen"],
  ])("nothing that no field can be, which is said in German: %s %s", async (field, typed, says) => {
    writeFileSync(file, shelves);
    const form = { ...(await readForm()), [field]: typed };
    const html = await (await desk.post(page, { ...form, do: "save" }, "de")).text();
    expect(html).toContain(says);
    expect(html).not.toContain('<span lang="en">');
    await desk.post(page, { do: "discard" });
  });

  test("texts of label templates have German names, and no column that the spreadsheet lacks", async () => {
    writeFileSync(file, shelves);
    const html = await (await desk.get(page, "de")).text();
    expect(html).toContain("Anschrift</label>");
    expect(html).not.toContain('value="{{ address }}"');
    const texts = { "label.address-label.name": "{{ shelf }}", "label.address-label.address": "" };
    const form = { ...(await readForm()), label: "address-label", ...texts };
    const blanks = readSent(html)["blanks"] ?? "";
    expect(blanks).toContain('"label.address-label.address"');
    expect(toText((await preview({ ...form, blanks })).looks.label?.faults)).toBe("");
  });

  test("no blank text of a template: chosen with all its texts blank, it is refused as without blanks", async () => {
    writeFileSync(file, shelves);
    const sent = readTexts(await (await desk.get(page)).text());
    expect(sent["label.asset-tag.title"]).toBe("");
    const answer = await desk.post(page, { ...sent, label: "asset-tag", do: "save" }, "de");
    const html = await answer.text();
    expect([answer.status, readFileSync(file, "utf8")]).toEqual([400, shelves]);
    expect(html).toMatch(/muss eine Spalte der Tabelle nennen; hier steht [^<]*title/u);
    expect(html).toContain('value="{{ title }}"');
  });

  test("a label with notes stays as it is written, where another field is saved", async () => {
    const label = `    label: # ours
      texts: { title: "{{ shelf }}", number: "{{ url }}", owner: "We" } # here
      template: asset-tag # keep
`;
    const before = shelves.replace(
      /  sheets: .*\n/u,
      `  sheets:\n    sheet: avery-l7159\n${label}    start: 1\n`,
    );
    writeFileSync(file, before);
    await desk.post(page, { do: "discard" });
    const html = await (await desk.get(page)).text();
    const sent = { ...readTexts(html), label: "asset-tag" };
    const same = await desk.post(page, { ...sent, do: "save" });
    expect([same.headers.get("location"), readFileSync(file, "utf8")]).toEqual([
      `${page}?same`,
      before,
    ]);
    const answer = await desk.post(page, { ...sent, copies: "2", do: "save" });
    expect(answer.headers.get("location")).toBe(`${page}?saved`);
    expect(readFileSync(file, "utf8")).toContain(label);
    expect(readFileSync(file, "utf8")).toContain("copies: 2");
  });

  test("nothing that has no room on its label or sheet, with the reason that the plan has", async () => {
    const own = { stock: "own", "own.width": "500", "own.height": "25" };
    const cases = [
      [{ qr_size_mm: "60" }, "with its quiet zone must fit"],
      [own, "label"],
      [{ primary_color: "#ffff00" }, /take a darker ink or a lighter background<\/p>/u],
      [{ caption: "{{ shelf }} {{ hall }}" }, "hall"],
    ] as const;
    for (const [change, says] of cases) {
      for (const wish of ["save", "plan"]) {
        writeFileSync(file, shelves);
        const answer = await desk.post(page, { ...(await readForm()), ...change, do: wish });
        const [, banner] =
          /<div class="banner bad"[^>]*>(.*?)<\/div>/su.exec(await answer.text()) ?? [];
        expect([answer.status, banner]).toEqual([400, expect.stringMatching(says)]);
        expect(readFileSync(file, "utf8")).toBe(shelves);
      }
    }
  });

  test("round labels, which are called so and found by that word in both languages", async () => {
    writeFileSync(file, shelves);
    for (const [language, word] of [
      ["en", "round"],
      ["de", "rund"],
    ] as const) {
      const html = await (await desk.get(page, language)).text();
      const [, card = "", searched = ""] =
        /(<label class="stock" data-search="(herma-5067 [^"]*)".*?<\/label>)/su.exec(html) ?? [];
      expect(searched.split(" ")).toContain(word);
      expect(card).toContain(`60 × 60 mm · ${word} · 12 · A4`);
      const roll = language === "de" ? "Rolle" : "roll";
      expect(html.includes(`58 × 58 mm · ${word} · 1 · ${roll} · `)).toBe(true);
    }
  });

  test("in German, with English texts marked as such and titles of templates in German", async () => {
    writeFileSync(file, shelves.replace("sheets: {", "sheets: { spares: 99,"));
    const html = await (await desk.get(page, "de")).text();
    const mark = "Meldungen, für die es hier noch keine deutschen Worte gibt, sind englisch.";
    expect(html).toContain(`<p class="hint">${mark}</p>`);
    expect(html).toContain("Adressetikett: Absender klein");
    expect(html).not.toContain("sender in small type");
    for (const name of readdirSync("templates/labels").filter((one) => one.endsWith(".json")))
      expect(Object.keys(de.label.templates)).toContain(name.slice(0, -".json".length));
    for (const { id } of await listBuiltInTemplates())
      expect(Object.keys(de.label.choices["template"] ?? {})).toContain(id);
    expect(html.includes(">Inventaretikett, robust</option>")).toBe(true);
    expect(await (await desk.get(page)).text()).not.toContain(mark);
  });

  test("what a run would print, where only rows are wrong", async () => {
    writeFileSync(file, shelves.replace("file: shelves.csv", "file: wrong.csv"));
    writeFileSync(path.join(folder, "wrong.csv"), "shelf,url\nA-01,nowhere\n");
    const answer = await desk.post(page, { ...(await readForm()), copies: "2", do: "save" });
    expect(answer.headers.get("location")).toBe(`${page}?saved`);
  });

  test("a page of one's own, a roll, and no labels at all", async () => {
    const own = { "own.width": "50", "own.height": "25,5", "own.across": "2", "own.down": "2" };
    const cases = [
      [{ stock: "own", ...own }, "sheet: { page: A4, label: [50, 25.5], gutter: 2 }"],
      [
        { stock: "roll", ...own, "own.roll": "54" },
        "sheet: { roll: 54, label: [50, 25.5], gutter: 2 }",
      ],
      [{ stock: "none" }, "  dir: out\n"],
    ] as const;
    for (const [change, says] of cases) {
      writeFileSync(file, shelves);
      const answer = await desk.post(page, { ...(await readForm()), ...change, do: "save" });
      expect([answer.status, readFileSync(file, "utf8")]).toEqual([
        303,
        expect.stringContaining(says),
      ]);
    }
    expect(readFileSync(file, "utf8")).not.toContain("sheets");
  });
});

const toLine = (n: number): string => `B-${n},https://example.com/b/${n}\n`;

describe("what is shown", () => {
  test("fields that the form has no place for, as they are written", async () => {
    writeFileSync(file, shelves);
    const html = await (await desk.get(page)).text();
    for (const left of ["marks: []", "start: continue", "size: 300"]) expect(html).toContain(left);
    expect(html).not.toContain('id="start"');
  });

  test("the draft, before it is saved, with what the plan would say", async () => {
    writeFileSync(file, shelves);
    const form = await readForm();
    const { looks } = await preview({ ...form, caption: "{{ shelf }} {{ shelf }}" });
    expect(looks.label?.facts).toContain("The code says https://example.com/a");
    expect(looks.label?.pictures[0]?.url).toMatch(/^data:image\/svg\+xml;base64,/u);
    expect(looks.sheet?.facts).toContain("Labels: 2. Sheets: 1, of 24 labels each.");
    expect(toText(looks.sheet?.warnings)).toContain("avery-l7159");
    expect(readFileSync(file, "utf8")).toBe(shelves);
  });

  test.each([
    [
      { start: "99" },
      /^„Erstes freies Etikett“ muss ein Platz auf dem Bogen sein, 1 bis 24; hier steht 99$/u,
    ],
    [
      { qr_size_mm: "60" },
      /Ein Code der Version \d+ muss mit seiner Ruhezone in 30,\d+ mm .* passen; .*: Das hilft: „Seite des Codes, mm“ kleiner, größere Etiketten/u,
    ],
    [{ qr_size_mm: "3" }, /^„Seite des Codes, mm“ muss mindestens \d+,\d+ sein/u],
    [
      { x_dimension_mm: "0.1" },
      /„Breite eines Moduls, mm“ muss mindestens 0,33 sein; hier steht 0,1: 0,33 oder mehr angeben/u,
    ],
    [
      { safe_mm: "30" },
      /„Abstand vom Etikettenrand, mm“ muss auf einem Etikett von 63,5 × 33,9 mm Platz .*: Weniger angeben/u,
    ],
    [
      { primary_color: "#ffff00" },
      /„Farbe“ muss eine Farbe sein, die Scanner lesen; hier steht "#ffff00": Module in #ffff00 \(Helligkeit 0,89\).*: Eine dunklere Farbe/u,
    ],
    [
      { frame: "card", text: "A".repeat(55) },
      /^„Text im Rahmen“ darf höchstens 30 Zeichen haben im Rahmen „Karte, Text unten“; es sind 55: Den Text kürzen$/u,
    ],
    [
      { logo_file: "none.png" },
      /^„Logodatei“ muss eine Datei sein, die sich lesen lässt; hier steht .*none\.png: Der Pfad gilt ab dem Ordner/u,
    ],
    [
      { caption: "{{ shelf | gross }}" },
      /^„Textzeilen“: Der Filter muss einer von diesen sein: slug, .*; hier steht "gross"/u,
    ],
  ] as const)("what is wrong with a label, in German: %j", async (change, says) => {
    writeFileSync(file, shelves.replace(", start: continue", ""));
    const form = { ...(await readForm()), ...change };
    const { looks } = (await (
      await desk.post(`${page}/preview`, form, "de")
    ).json()) as LabelAnswer;
    const [told] = Object.values(looks).flatMap(({ faults }) => faults);
    expect(told).toEqual({ text: expect.stringMatching(says), isEnglish: false });
  });

  test("a frame that shows no text, before it is saved", async () => {
    writeFileSync(file, shelves);
    const { looks } = await preview({ ...(await readForm()), frame: "round-frame", text: "Hi" });
    expect(toText(looks.code?.warnings)).toBe(
      "“Frame” round-frame shows no text: the code gets “Frame” card instead",
    );
  });

  test("labels and sheets are counted as the plan counts them: without refused rows", async () => {
    writeFileSync(file, shelves);
    const source = path.join(folder, "shelves.csv");
    const good = readFileSync(source, "utf8");
    const more = Array.from({ length: 22 }, (_, n) => toLine(n)).join("");
    const refused = "C-1,htp://wrong\nC-2,\nC-3,nowhere\n";
    writeFileSync(source, `${good}${more}${refused}`);
    const { looks } = await preview(await readForm());
    writeFileSync(source, good);
    expect(looks.sheet?.facts).toEqual([
      "Labels: 24. Sheets: 1, of 24 labels each.",
      "3 rows are refused and have no label. The plan says why.",
    ]);
  });

  test("of a long spreadsheet, the rows that were looked at are counted, and that is said", async () => {
    writeFileSync(file, shelves);
    const source = path.join(folder, "shelves.csv");
    const good = readFileSync(source, "utf8");
    const most = Array.from({ length: 1006 }, (_, n) => (n === 9 ? "X,\n" : toLine(n))).join("");
    writeFileSync(source, `shelf,url\n${most}`);
    const { looks } = await preview(await readForm());
    writeFileSync(source, good);
    expect(looks.sheet?.facts).toEqual(
      expect.arrayContaining([
        "Labels: 999. Sheets: 42, of 24 labels each.",
        "1 row is refused and has no label. The plan says why.",
        "Only the first 1,000 of 1,006 rows are counted here. The plan counts all.",
      ]),
    );
  });

  test("why it can't be printed", async () => {
    writeFileSync(file, shelves);
    const { looks } = await preview({ ...(await readForm()), qr_size_mm: "60" });
    expect(toText(looks.label?.faults)).toContain("must fit");
    expect(looks.label?.pictures).toEqual([]);
  });

  test("codes as they were designed, or plain black", async () => {
    writeFileSync(file, shelves);
    const form = { ...(await readForm()), pattern: "Circles", looks: "label" };
    const drawn = await preview(form);
    const black = await preview({ ...form, print: "plain" });
    expect(drawn.looks.label?.faults).toEqual([]);
    expect(drawn.looks.label?.pictures).not.toEqual(black.looks.label?.pictures);
    expect(black.looks.code?.facts.join()).toContain("Labels show plain black codes");
    black.looks.code?.pictures.forEach((picture, at) =>
      expect(drawn.looks.code?.pictures[at]).toEqual(picture),
    );
  });

  test("another row, and one that isn't there", async () => {
    writeFileSync(file, shelves);
    const form = { ...(await readForm()), row: "line", looks: "label" };
    const { looks } = await preview({ ...form, line: "3" });
    expect(looks.label?.facts[0]).toBe("Line 3: A-02");
    expect(looks.sheet).toBeUndefined();
    const missing = await preview({ ...form, line: "9" });
    expect(toText(missing.looks.label?.faults)).toContain("must be lines that hold a row, got 9");
  });

  test("the longest texts of a row that can be made", async () => {
    writeFileSync(file, shelves);
    const source = path.join(folder, "shelves.csv");
    const good = readFileSync(source, "utf8");
    const form = { ...(await readForm()), row: "longest", looks: "label" };
    writeFileSync(source, `${good}A shelf of no address,\nA-1004,https://example.com/d\n`);
    const some = await preview(form);
    writeFileSync(source, "shelf,url\nA-01,\nA-02,\n");
    const none = await preview(form);
    writeFileSync(source, good);
    expect(some.looks.label?.facts[0]).toBe("Line 5: A-1004");
    expect(toText(none.looks.label?.faults)).toContain("qr_data of a Link must be a URL");
  });

  test("printing begins where the sheet was clicked", async () => {
    writeFileSync(file, shelves.replace(", start: continue", ""));
    // The second label of the second row: 85 mm from the left and 60 mm from the top of 210 mm.
    const clicked = { ...(await readForm()), "at.x": "850", "at.y": "600", width: "2100" };
    const { start, said } = await preview(clicked);
    expect([start, said]).toEqual([5, "Printing begins at label 5."]);
    const beside = await preview({ ...clicked, "at.x": "1", "at.y": "1" });
    expect(beside.start).toBeUndefined();
  });
});

const picture = (name: string): File => {
  const png = readFileSync(new URL("../../docs/images/sheet.png", import.meta.url));
  return new File([new Uint8Array(png)], name);
};

describe("a logo", () => {
  let wideImage: Uint8Array;
  beforeAll(async () => {
    const create = { width: 5200, height: 3900, channels: 3, background: "#123456" } as const;
    wideImage = await sharp({ create }).png().toBuffer();
  });

  const redesign = "/job/look.yaml/label";
  test("lies beside the manifest under its hash; what is no picture is refused", async () => {
    writeFileSync(
      path.join(folder, "look.yaml"),
      'version: 1\nname: look\nkind: redesign\nselect: {}\ndesign: { primary_color: "#0a3d62" }\n',
    );
    const sent = { ...(await readForm(redesign)), do: "logo", file: picture("../evil.png") };
    const html = await (await desk.post(redesign, sent)).text();
    expect(html).toMatch(/value="logo-[0-9a-f]{8}\.png"/u);
    expect(readdirSync(folder).filter((name) => name.startsWith("logo-"))).toHaveLength(1);
    const bad = { ...sent, primary_color: "#7a0000", file: new File(["hello"], "a.png") };
    for (const press of ["logo", "save"]) {
      const answer = await desk.post(redesign, { ...bad, do: press });
      const text = await answer.text();
      expect([answer.status, readSent(text)["primary_color"]]).toEqual([400, "#7a0000"]);
    }
    const odd = await (await desk.post(redesign, bad)).text();
    expect(odd.includes("logo must be a PNG, JPEG, GIF, WebP or SVG image, got a.png")).toBe(true);
    const german = await (await desk.post(redesign, bad, "de")).text();
    expect(german.includes("Das Logo muss ein Bild (PNG, JPEG, GIF, WebP oder SVG) sein")).toBe(
      true,
    );
    const wide = { ...sent, file: new File([new Uint8Array(wideImage)], "a.png") };
    for (const [language, says] of [
      ["en", "at most 4 million pixels, got 5200 x 3900: save the image smaller: 512 pixels are"],
      ["de", "höchstens 4 Millionen Pixel haben, hier sind es 5200 x 3900: Das Bild kleiner"],
    ] as const) {
      const text = await (await desk.post(redesign, wide, language)).text();
      expect([says, text.includes(says), text.includes('<span lang="en">')]).toEqual([
        says,
        true,
        false,
      ]);
    }
    const heavy = new File([new Uint8Array(3 * 2 ** 20)], "a.png");
    const weighed = await (await desk.post(redesign, { ...sent, file: heavy }, "de")).text();
    expect(weighed).toContain("Ein Logo darf höchstens 2 MB haben, hier sind es 3.0 MB: Das Bild");
    const none = await desk.post(redesign, { ...sent, do: "logo", file: new File([], "") });
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringContaining("Choose the file of the logo first"),
    ]);
    await desk.post(redesign, { do: "discard" });
  });

  test("that is too large to be taken in leads back to the page, which is as it was", async () => {
    writeFileSync(file, shelves);
    const large = new File([new Uint8Array(5 * 2 ** 20)], "a.png");
    const sent = { ...(await readForm()), do: "logo", file: large };
    for (const [language, says, back] of [
      ["en", "nothing was changed: go back, and choose a smaller file", "Back to the page"],
      [
        "de",
        "Geändert wurde nichts: Gehen Sie zurück, und wählen Sie eine kleinere Datei",
        "Zurück",
      ],
    ] as const) {
      const answer = await desk.post(page, sent, language);
      const text = await answer.text();
      expect([answer.status, text.includes(says)]).toEqual([400, true]);
      expect(text).toMatch(new RegExp(`href="${page}">${back}`, "u"));
      expect(text.includes('<span lang="en">')).toBe(false);
    }
    expect(readFileSync(file, "utf8")).toBe(shelves);
  });

  test("is shown on the labels of codes that are made, and saved in their design", async () => {
    for (const manifest of [shelves, shelves.replace(/ {2}sheets: .*\n/u, "  files: [png]\n")]) {
      writeFileSync(file, manifest);
      const sent = { ...(await readForm()), do: "logo", file: picture("a.png") };
      const taken = await desk.post(page, sent);
      expect([taken.status, readSent(await taken.text())["logo_file"]]).toEqual([
        200,
        expect.stringMatching(/^logo-[0-9a-f]{8}\.png$/u),
      ]);
      const { logo_file: logo = "" } = readSent(await (await desk.get(page)).text());
      const form = { ...(await readForm()), logo_file: logo };
      const { looks } = await preview(form);
      expect([looks.code?.pictures.length, toText(looks.code?.faults)]).toEqual([1, ""]);
      expect((await desk.post(page, { ...form, do: "save" })).status).toBe(303);
      expect(readFileSync(file, "utf8")).toMatch(/design: \{.* logo_file: "?logo-.*\.png"? \}/u);
    }
  });

  test("is taken beside what was typed, by its own button and by a save", async () => {
    const yaml = path.join(folder, "look.yaml");
    const typed = { ...(await readForm(redesign)), primary_color: "#7a0000", pattern: "Circles" };
    const file = picture("a.png");
    const taken = await (await desk.post(redesign, { ...typed, do: "logo", file })).text();
    const shown = readSent(taken);
    expect([shown["primary_color"], shown["logo_file"]]).toEqual([
      "#7a0000",
      expect.stringMatching(/^logo-[0-9a-f]{8}\.png$/u),
    ]);
    expect(taken).toContain("The logo lies in the folder.");
    expect(taken).toMatch(/<option value="Circles" selected/u);
    const again = await (await desk.get(redesign)).text();
    expect(readSent(again)["logo_file"]).toBe(shown["logo_file"]);
    expect((await desk.post(redesign, { ...typed, do: "save", file })).status).toBe(303);
    const look = readFileSync(yaml, "utf8");
    for (const text of ["#7a0000", "Circles", shown["logo_file"] ?? ""]) {
      expect(look).toContain(text);
    }
  });

  test("that is gone is named where codes are drawn, and its field mends it", async () => {
    const gone = "{ logo_file: gone.png }";
    writeFileSync(
      path.join(folder, "gone.yaml"),
      `version: 1\nname: gone\nkind: redesign\nselect: {}\ndesign: ${gone}\n`,
    );
    writeFileSync(
      file,
      shelves.replace(/ {2}sheets: .*\n/u, "  files: [png]\n").replace(/\{ primary.*/u, gone),
    );
    for (const at of [page, "/job/gone.yaml/label"]) {
      const opened = await desk.get(at);
      const says = (await opened.text()).includes(
        "“Logo file” must be a file that can be read, got ",
      );
      expect([opened.status, says]).toEqual([200, true]);
      const sent = { ...(await readForm(at)), do: "save", file: picture("a.png") };
      expect((await desk.post(at, sent)).status).toBe(303);
      expect((await (await desk.get(at)).text()).includes("must be a file")).toBe(false);
    }
    rmSync(path.join(folder, "gone.yaml"));
    writeFileSync(file, shelves);
  });

  test("sizes that no code has room for are refused at their field, as a plan refuses them", async () => {
    const look = `version: 1
name: look
kind: redesign
select: {}
design: { primary_color: "#0a3d62", frame: card }
output: { dir: out, sheets: { sheet: avery-l7159 } }
`;
    const yaml = path.join(folder, "look.yaml");
    const cases = [
      ["qr_size_mm", "60", "with its quiet zone must fit"],
      ["x_dimension_mm", "3", "with its quiet zone must fit"],
      ["text", "A".repeat(90), "^“Text in the frame” must be .* characters in “Frame” card"],
    ] as const;
    for (const [field, value, says] of cases) {
      writeFileSync(yaml, look);
      const form = { ...(await readForm(redesign)), [field]: value, do: "save" };
      const answer = await desk.post(redesign, form);
      const html = await answer.text();
      const [, fault] = new RegExp(`id="${field}-fault"[^>]*>([^<]*)<`, "u").exec(html) ?? [];
      const reason = expect.stringMatching(new RegExp(says, "u")) as string;
      expect([answer.status, fault]).toEqual([400, reason]);
      expect(html).toMatch(new RegExp(`value="${value}"[^>]*id="${field}"`, "u"));
      expect(readFileSync(yaml, "utf8")).toBe(look);
    }
    const fits = { ...(await readForm(redesign)), qr_size_mm: "20", do: "save" };
    expect((await desk.post(redesign, fits)).status).toBe(303);
    expect(readFileSync(yaml, "utf8")).toContain("qr_size_mm: 20");
  });
});
