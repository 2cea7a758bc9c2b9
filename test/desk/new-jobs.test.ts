/** Every kind of job that the desk offers is one that a run takes. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import exceljs from "exceljs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { main } from "../../src/cli/program.ts";
import { loadJob } from "../../src/pipeline/source/load-job.ts";
import { kinds } from "../../src/kinds/names.ts";
import { factsOf, rolesOf, things, type Thing } from "../../src/pipeline/draft/things.ts";
import { plainKinds } from "../../src/desk/screens/new/plain.ts";
import { toPastedFile } from "../../src/desk/screens/new/uploads.ts";
import { runInProcess } from "../flow/in-process.ts";
import { openAskedDesk, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-new-"));
let desk: AskedDesk;

beforeAll(async () => {
  const headers = "No,GTIN,Last name,Question one,Web page,PDF,New URL";
  const row = "1,09506000134352,Lovelace,How was it?,https://example.com,a.pdf,https://example.org";
  writeFileSync(path.join(folder, "all.csv"), `${headers}\n${row}\n`);
  mkdirSync(path.join(folder, "manuals"));
  writeFileSync(path.join(folder, "manuals", "saw.pdf"), "%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n");
  desk = await openAskedDesk(folder);
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a file whose letters come out wrong is said above its first rows, and by init", async () => {
  const file = path.join(folder, "tokyo.csv");
  writeFileSync(file, Buffer.from("Name,Web page\n\x93\x8c\x8b\x9e,https://a.example\n", "latin1"));
  const html = await (await desk.get("/new/columns?source=tokyo.csv", "de")).text();
  expect(html).toMatch(/japanischem, chinesischem oder koreanischem.*CSV UTF-8.*Web page/su);
  for (const [name, ...more] of [["asked"], ["named", "--as", "text", "--use", "payload=Name"]]) {
    const { code, told } = await tell(["init", name ?? "", ...more, "--source", file], folder);
    expect([code, told]).toEqual([0, expect.stringContaining("Japanese, Chinese or Korean")]);
  }
  rmSync(file);
});

test("several values in a cell are said beside the first rows", async () => {
  const file = path.join(folder, "many.csv");
  writeFileSync(file, "First Name,Phone 1 - Value\nBo,+49 1 ::: +49 2\nAl,+49 3\n");
  const html = await (await desk.get("/new/columns?source=many.csv", "de")).text();
  expect(said(html)).toContain("mehrere Werte (a ::: b): Phone 1 - Value. Ein Kontakt nimmt");
  rmSync(file);
});

test("a form has the title and the questions that were typed; both are shown before the run", async () => {
  const start = await (await desk.get("/new", "de")).text();
  expect(start).toContain('name="ask_rating" value="Wie war es?"');
  const form = {
    kind: "forms",
    name: "Umfrage Büro",
    title: "",
    ask_rating: "",
    ask_text: "Was fehlt?",
  };
  expect((await desk.post("/new/plain", form, "de")).status).toBe(303);
  const manifest = readFileSync(path.join(folder, "umfrage-buero.yaml"), "utf8");
  expect(manifest).toContain('title: "Umfrage Büro"');
  expect(manifest).toContain('caption: "Umfrage Büro"');
  expect(manifest).toContain('label: "Was fehlt?"');
  expect(manifest).not.toContain("rating");
  const none = await desk.post("/new/plain", { ...form, name: "leer", ask_text: " " });
  expect([none.status, await none.text()]).toEqual([
    400,
    expect.stringContaining("a form must ask a question, got none"),
  ]);
  const cases = [
    [{ title: "Für {{ Name }}" }, "Zwischen {{ und }} muss ein Formular eine Spalte", "ohne {{"],
    [{ ask_text: "Was fehlt in {{ Raum" }, "Eine Vorlage muss jedes {{ mit }} schließen", ""],
    [{ title: "{{ month | uper }}" }, "Der Filter muss einer von diesen sein", "&quot;upper&quot;"],
    [
      { title: "{{ date | pad: x }}" },
      "Die Angabe zum Filter &quot;pad&quot; passt nicht",
      "pad: 3",
    ],
  ] as const;
  for (const [wrong, says, fix] of cases) {
    const refused = await desk.post("/new/plain", { ...form, name: "leer", ...wrong }, "de");
    const html = said(await refused.text());
    expect([refused.status, existsSync(path.join(folder, "leer.yaml"))]).toEqual([400, false]);
    expect(html).toContain(says);
    expect(html).toContain(fix);
    expect(html).not.toContain("sind englisch");
  }
  await desk.post("/new/plain", { ...form, name: "Blank", title: "{{ month }}" });
  expect(readFileSync(path.join(folder, "blank.yaml"), "utf8")).toContain('title: "{{ month }}"');
  expect(await tell(["plan", path.join(folder, "blank.yaml")], folder)).toMatchObject({ code: 0 });
  rmSync(path.join(folder, "blank.yaml"));
  await desk.post("/new/plain", { ...form, name: "Blank", title: " " });
  expect(readFileSync(path.join(folder, "blank.yaml"), "utf8")).toContain('title: "Blank"');
  rmSync(path.join(folder, "blank.yaml"));
  rmSync(path.join(folder, "umfrage-buero.yaml"));
});

test("a form whose spreadsheet has no questions asks those of the page", async () => {
  writeFileSync(path.join(folder, "rooms.csv"), "Zimmer;Titel\n1;Bad\n2;Küche\n");
  const href = "/new/columns?source=rooms.csv&as=form&name=Büro";
  const html = await (await desk.get(href, "de")).text();
  expect(html).toContain('name="ask_text" value="Was könnte besser sein?"');
  const form = readOffered(html);
  expect(form.get("name")).toBe("buero");
  form.set("name", "Räume");
  for (const wrong of ["{{ Raum }}", "{{ Zimmer | uper }}", "{{ Zimmer | upper"]) {
    form.set("ask_text", `Was fehlt in ${wrong}`);
    expect((await desk.postForm("/new/columns", form)).status).toBe(400);
  }
  form.set("ask_text", "Was fehlt in {{ Zimmer | upper }} am {{ date }}?");
  expect((await desk.postForm("/new/columns", form)).status).toBe(303);
  expect(readFileSync(path.join(folder, "raeume.yaml"), "utf8")).toContain('label: "Wie war es?"');
  for (const name of ["rooms.csv", "raeume.yaml"]) rmSync(path.join(folder, name));
});

test("questions name columns by their headers, and the manifest by its own names", async () => {
  writeFileSync(path.join(folder, "sizes.csv"), "Zimmer Nr;Größe (m²)\n1;20\n2;30\n");
  const html = await (await desk.get("/new/columns?source=sizes.csv&as=form", "en")).text();
  const form = readOffered(html);
  form.set("ask_text", "What is missing in {{ Zimmer Nr }} of {{Größe (m²) | upper}}?");
  expect((await desk.postForm("/new/columns", form)).status).toBe(303);
  const yaml = readFileSync(path.join(folder, "sizes.yaml"), "utf8");
  expect(yaml).toContain("What is missing in {{ zimmer_nr }} of {{ Größe (m2) | upper}}?");
  const planned = await runInProcess(["plan", path.join(folder, "sizes.yaml")], { cwd: folder });
  expect([planned.code, planned.err]).toEqual([0, ""]);
  for (const name of ["sizes.csv", "sizes.yaml"]) rmSync(path.join(folder, name));
});

test("a spreadsheet that is a job already says so, and leads to it", async () => {
  const upload = async (): Promise<string> => {
    const file = new File(["Titel,Link\nA,https://a.example/1\n"], "buecher.csv");
    const { headers } = await desk.post("/new/upload", { file });
    return (await desk.get(headers.get("location") ?? "", "de")).text();
  };
  const first = await upload();
  expect(first).toContain("Auftrag speichern</button>");
  expect(first).not.toContain("gibt es schon");
  expect((await desk.postForm("/new/columns", readOffered(first))).status).toBe(303);
  const again = await upload();
  expect(again).toMatch(/gibt es schon einen Auftrag: <a href="\/job\/buecher\.yaml\/label"/u);
  expect(again).toContain("Noch einen Auftrag speichern</button>");
  expect((await desk.postForm("/new/columns", readOffered(again))).status).toBe(303);
  expect(await upload()).toMatch(
    /schon Aufträge: <a [^>]*>buecher[^<]*<\/a>, <a [^>]*>buecher[^<]*<\/a>/u,
  );
  for (const name of ["buecher-2.csv", "buecher-2.yaml"])
    rmSync(path.join(folder, name), { force: true });
  for (const name of ["buecher.csv", "buecher.yaml"]) rmSync(path.join(folder, name));
});

test("rows that are pasted become a file beside the job, cell for cell", async () => {
  const start = await (await desk.get("/new", "de")).text();
  expect(start).toContain("Oder fügen Sie die Zeilen ein");
  const pasted =
    'Raum\tLink\tHinweis\r\nSaal 24"\thttps://a.example/1\t"oben\r\nlinks"\r\nFoyer\thttps://a.example/2\t\r\n';
  const form = new FormData();
  form.set("pasted", pasted);
  const sent = await desk.post("/new/upload", Object.fromEntries(form) as Record<string, string>);
  expect(sent.status).toBe(303);
  const html = await (await desk.get(sent.headers.get("location") ?? "", "de")).text();
  expect(html).toMatch(/Saal 24(?:"|&quot;).*https:\/\/a\.example\/2/su);
  const saved = await desk.postForm("/new/columns", readOffered(html));
  expect(saved.headers.get("location")).toMatch(/^\/job\/.*\.yaml\/label$/u);
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".tsv"));
  expect(readFileSync(path.join(folder, name), "utf8")).toBe(pasted.replaceAll("\r\n", "\n"));
  const yaml = readdirSync(folder).filter((one) => /pasted|eingef/u.test(one));
  for (const one of yaml) rmSync(path.join(folder, one));
});

test("of pasted rows, what is missing is said without a word of files; pasted again, they are begun once", async () => {
  const paste = async (pasted: string): Promise<string> => {
    const sent = await desk.post("/new/upload", { pasted }, "de");
    const to = sent.headers.get("location");
    return to === null ? sent.text() : (await desk.get(to, "de")).text();
  };
  expect(said(await paste(" \r\n"))).toContain("Zeilen müssen eingefügt sein");
  const bare = said(await paste("1\thttps://a.example/1\n2\thttps://a.example/2"));
  expect(bare).toMatch(/eine über die erste Zeile und fügen Sie alle noch einmal ein/u);
  expect(bare).not.toMatch(/Datei|header_row/u);
  await paste("Nr\tLink\n1\thttps://a.example/1\n2\thttps://a.example/2");
  expect((await (await desk.get("/new", "de")).text()).split("name=Eingef")).toHaveLength(2);
});

test.each([
  // Commas part nothing below a header without one.
  ['Gast\r\nMüller, Hans\r\n\r\n"Meier", "Eva"', '"Gast"\n"Müller, Hans"\n\n"""Meier"", ""Eva"""'],
  ['Ort\r\n"A\r\nB, C"\r\n"D', '"Ort"\n"A\nB, C"\n"""D"'],
  ["Gast,Ort\r\nEva,Köln\r\n", "Gast,Ort\nEva,Köln\n"],
])("a column that is pasted stays one: %j", async (pasted, kept) => {
  expect(await toPastedFile(pasted, "x").text()).toBe(kept);
});

test("a list without a header is shown, but nothing is saved of it", async () => {
  const file = path.join(folder, "bare.csv");
  writeFileSync(file, "A,shop.example/a\nB,shop.example/b\n");
  const html = await (await desk.get("/new/columns?source=bare.csv", "de")).text();
  expect(html).toMatch(
    /Zeile 1 sieht aus wie eine Datenzeile.*shop\.example\/b.*Namen ihrer Spalten/su,
  );
  expect(html).not.toContain('method="post" action="/new/columns?');
  const form = { thing: "text", source: "bare.csv", name: "bare", "text.payload": "A" };
  const refused = await desk.post("/new/columns", form);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("the list must begin with the names of its columns");
  expect(existsSync(path.join(folder, "bare.yaml"))).toBe(false);
  rmSync(file);
});

test("a list that looks as if it had no header has one where a person names its line", async () => {
  const file = path.join(folder, "led.csv");
  writeFileSync(file, "Sitz,qty.de/en\nA,1.de/2\nB,2.de/2\n");
  const html = await (await desk.get("/new/columns?source=led.csv", "en")).text();
  expect(html).toMatch(/name="headerRow" type="number" min="1" value="1"/u);
  const asked = "/new/columns?source=led.csv&name=led&sheet=&headerRow=1";
  const taken = await (await desk.get(asked, "en")).text();
  expect(taken).toContain('<input type="hidden" name="headerRow" value="1"/>');
  expect(taken).toContain("makeready init led --source led.csv --header-row 1 --as");
  const form = { thing: "text", source: "led.csv", headerRow: "1", "text.payload": "Sitz" };
  // The answer to what is missing keeps the line.
  const again = await desk.post("/new/columns", { ...form, name: "" });
  expect(await again.text()).toContain('<input type="hidden" name="headerRow" value="1"/>');
  expect((await desk.post("/new/columns", { ...form, name: "led" })).status).toBe(303);
  expect(readFileSync(path.join(folder, "led.yaml"), "utf8")).toContain("  header_row: 1\n");
  const wrong = await desk.get("/new/columns?source=led.csv&headerRow=0", "de");
  expect(await wrong.text()).toContain("Die Zeile mit den Namen muss eine ganze Zahl ab 1 sein");
  for (const name of ["led.csv", "led.yaml"]) rmSync(path.join(folder, name));
});

test("names below a title are found by their line, which the page asks for", async () => {
  const file = path.join(folder, "titled.csv");
  writeFileSync(file, "Adressliste,https://www.firma.de/\nName,Link\nA,https://a.example/1\n");
  const html = await (await desk.get("/new/columns?source=titled.csv", "de")).text();
  expect(html).toContain('method="post" action="/new/columns?');
  expect(said(html)).toContain("Zeile mit den Spaltennamen");
  const below = await (await desk.get("/new/columns?source=titled.csv&headerRow=2", "de")).text();
  expect(below).toContain('<option value="Link" selected="">Link</option>');
  rmSync(file);
});

/** Sheets by name, with their rows. */
async function makeBook(
  sheets: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<Uint8Array> {
  const book = new exceljs.Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name);
    for (const row of rows) sheet.addRow([...row]);
  }
  return new Uint8Array(await book.xlsx.writeBuffer());
}

const COVER = [["Artikelliste 2026"], ["Stand", "22.11.2026"], ["Ansprechpartner", "Frau Öztürk"]];
const ARTICLES = [
  ["Artikel", "Größe", "Bemerkung", "Webseite"],
  ["A-1", "M", "", "https://a.example/1"],
  ["A-2", "L", "neu", "https://a.example/2"],
];

const said = (html: string): string => html.replaceAll(/<[^>]*>/gu, " ").replaceAll(/\s+/gu, " ");

/** The ticked boxes for a spreadsheet before any choice. */
const ticked = async (source: string) => {
  const html = await (await desk.get(`/new/columns?source=${source}`)).text();
  const all = html.matchAll(/name="(key|caption)" value="([^"]*)" checked/gu);
  return [...all].map(([, name = "", value = ""]) => `${name} ${value}`);
};

describe("a workbook with a cover", () => {
  const address = "/new/columns?source=book.xlsx";

  beforeAll(async () => {
    const sheets = { Deckblatt: COVER, Artikel: ARTICLES, Leer: [] };
    writeFileSync(path.join(folder, "book.xlsx"), await makeBook(sheets));
  });

  test("the sheet that holds the list is taken, and said; another one can be", async () => {
    const html = await (await desk.get(address)).text();
    expect(said(html)).toContain("The sheet &quot;Artikel&quot; was read");
    expect(html).toMatch(/name="sheetName" value="Artikel"/u);
    expect(said(html)).toContain("2 rows, 4 columns");
    const other = await (await desk.get(`${address}&sheet=Deckblatt`)).text();
    expect(said(other)).toContain("This is the sheet &quot;Deckblatt&quot;. Others: Artikel Leer");
  });

  test("columns that the job ignores are listed", async () => {
    const html = await (await desk.get(address)).text();
    expect(said(html)).toContain("Not used: Größe, Bemerkung.");
    const all = await (await desk.get("/new/columns?source=all.csv&as=retarget")).text();
    expect(said(all)).toContain("Not used: GTIN, Last name, Question one, Web page, PDF.");
  });

  test("no label of a person shows a telephone number, and websites without https:// refuse no row", async () => {
    const rows = Array.from(
      { length: 8 },
      (_, n) => `Ada,${n % 2 === 0 ? "Grün" : "Weiß"},+49 30 ${n},p${n}@a.example,www.a.example`,
    );
    const sheet = `Vorname,Nachname,Telefon,E-Mail,Website\n${rows.join("\n")}\n`;
    writeFileSync(path.join(folder, "team.csv"), sheet);
    expect(await ticked("team.csv")).toEqual(["key E-Mail", "caption Vorname", "caption Nachname"]);
    const form = {
      source: "team.csv",
      thing: "contact",
      name: "team",
      key: "E-Mail",
      "contact.last_name": "Nachname",
      "contact.website": "Website",
    };
    expect((await desk.post("/new/columns", form)).status).toBe(303);
    const text = readFileSync(path.join(folder, "team.yaml"), "utf8");
    expect(text).toContain("    Website: {}\n");
    writeFileSync(path.join(folder, "team.csv"), sheet.replaceAll("www.", "https://www."));
    expect((await desk.post("/new/columns", { ...form, name: "team-2" })).status).toBe(303);
    expect(readFileSync(path.join(folder, "team-2.yaml"), "utf8")).toContain(
      "    Website: { type: url }\n",
    );
  });

  test("German links of which one is mistyped lead somewhere", async () => {
    const links = ["https://a.example/1", "a.example/2", "https://a.example/3"];
    const rows = links.map((link, n) => `G-${n},${link}`);
    writeFileSync(path.join(folder, "verweise.csv"), `Gerät,Verweis\n${rows.join("\n")}\n`);
    const html = await (await desk.get("/new/columns?source=verweise.csv")).text();
    expect(html).toMatch(/name="thing" value="dynamic-link" checked/u);
    expect(said(html)).toContain("addresses 1 odd");
  });

  test("what was read of a spreadsheet is read again once it is saved anew", async () => {
    const sheets = {
      Deckblatt: COVER,
      Artikel: [...ARTICLES, ["A-3", "S", "", "https://a.example/3"]],
    };
    writeFileSync(path.join(folder, "book.xlsx"), await makeBook(sheets));
    expect(said(await (await desk.get(address)).text())).toContain("3 rows, 4 columns");
  });
});

const columns: Partial<Record<string, string>> = {
  gtin: "GTIN",
  ssid: "Last name",
  wifi_password: "No",
  last_name: "Last name",
  title: "Last name",
  question_1: "Question one",
  button_1: "Web page",
  file: "PDF",
  code: "No",
  new_url: "New URL",
};

const toForm = (thing: Thing): Record<string, string> => {
  const roles = rolesOf(thing).map((role) => {
    const header = role === "payload" ? "Web page" : columns[role];
    return [`${thing}.${role}`, header ?? ""] as const;
  });
  return {
    source: "all.csv",
    thing,
    name: thing,
    key: "No",
    caption: "No",
    ...Object.fromEntries(roles),
  };
};

const load = (name: string) =>
  loadJob(path.join(folder, `${name}.yaml`), { env: {}, nowMs: Date.UTC(2026, 10, 20) });

describe("from a spreadsheet", () => {
  test.each(things)("%s", async (thing) => {
    const answer = await desk.post("/new/columns", toForm(thing));
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/job/${thing}.yaml/${factsOf[thing].hasLabels ? "label" : "plan"}`,
    ]);
    const job = await load(thing);
    expect(job.kind).toBe(factsOf[thing].kind);
    const page = await desk.get(`/job/${thing}.yaml/label`);
    expect(page.status).toBe(200);
  });

  test("what was picked stands in the manifest", () => {
    const text = readFileSync(path.join(folder, "page.yaml"), "utf8");
    expect(text).toContain('    - { url: "{{ web_page }}", title: "Web page" }');
    const retarget = readFileSync(path.join(folder, "retarget.yaml"), "utf8");
    expect(retarget).toContain('value: "{{ No }}"');
    expect(retarget).not.toContain("expect:");
  });

  test("a column that is needed must be chosen", async () => {
    for (const [thing, role] of [
      ["retarget", "new_url"],
      ["page", "title"],
      ["form", "title"],
    ] as const) {
      const form = { ...toForm(thing), name: "none", [`${thing}.${role}`]: "" };
      const answer = await desk.post("/new/columns", form);
      const html = await answer.text();
      const at = `${thing}\\.${role}`;
      expect([answer.status, html]).toEqual([
        400,
        expect.stringMatching(new RegExp(`id="${at}-fault">“[^<]+” needs a column`, "u")),
      ]);
      expect(html).toMatch(new RegExp(`<select id="${at}"[^>]* aria-invalid="true"`, "u"));
      // All else is as it was chosen.
      const kept = Object.fromEntries(readOffered(html)) as Record<string, string>;
      const chosen = Object.entries(form).filter(([, value]) => value !== "");
      expect(kept).toMatchObject(Object.fromEntries(chosen));
      const mended = await desk.post("/new/columns", { ...kept, [`${thing}.${role}`]: "No" });
      expect(mended.status).toBe(303);
      rmSync(path.join(folder, "none.yaml"));
    }
  });

  test("a name without letters and digits is refused at its field", async () => {
    const answer = await desk.post("/new/columns", { ...toForm("text"), name: "?!" });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/id="name"[^>]* aria-invalid="true".*The job needs a name/su),
    ]);
  });
});

const unescape = (text = ""): string => text.replaceAll("&#39;", "'").replaceAll("&quot;", '"');

/** What a browser would send from an untouched form. */
function readOffered(html: string): FormData {
  const form = new FormData();
  for (const [tag] of html.matchAll(/<input [^>]*>/gu)) {
    const read = (name: string): string | undefined =>
      new RegExp(` ${name}="([^"]*)"`, "u").exec(tag)?.[1];
    const isChoice = /type="(?:radio|checkbox)"/u.test(tag);
    const name = read("name");
    if (name !== undefined && (!isChoice || / checked/u.test(tag)))
      form.append(name, unescape(read("value")));
  }
  for (const [, name = "", options = ""] of html.matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gsu,
  )) {
    const all = [...options.matchAll(/<option value="([^"]*)"([^>]*)>/gu)];
    const [, value] = all.find(([, , rest]) => rest?.includes("selected")) ?? all[0] ?? [];
    form.append(name, unescape(value));
  }
  return form;
}

/** What a command says. */
async function tell(argv: readonly string[], cwd: string): Promise<{ code: number; told: string }> {
  let told = "";
  const add = (text: string): void => {
    told += text;
  };
  const code = await main([...argv], {
    env: {},
    cwd,
    clock: systemClock,
    ids: randomIds,
    out: add,
    err: add,
    terminalWidth: undefined,
    writer: "makeready test",
    signal: new AbortController().signal,
  });
  return { code, told };
}

async function type(command: string): Promise<string> {
  const [program, ...argv] = [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  expect(program).toBe("makeready");
  const { code, told } = await tell(argv, folder);
  return code === 0 ? "" : told;
}

const commandOn = (html: string): string =>
  /data-command[^>]*>([^<]*)</u.exec(html)?.[1]?.replaceAll("&#39;", "'") ?? "";

describe("the command on the page", () => {
  test.each(["all.csv", "links.csv", "people.csv"])(
    "writes the job that %s is offered",
    async (source) => {
      writeFileSync(
        path.join(folder, "links.csv"),
        "No,What it's called,Link\n1,Chair,https://a.example/1\n2,Desk,www.a.example/2\n3,Lamp,https://a.example/3\n",
      );
      writeFileSync(
        path.join(folder, "people.csv"),
        "First name,Last name,E-mail\nAnna,Berg,a@example.com\nBernd,Tal,b@example.com\n",
      );
      const page = await (await desk.get(`/new/columns?source=${source}&name=offered`)).text();
      const manifest = path.join(folder, "offered.yaml");
      expect(await type(commandOn(page))).toBe("");
      const typed = readFileSync(manifest, "utf8");
      rmSync(manifest);
      expect((await desk.postForm("/new/columns", readOffered(page))).status).toBe(303);
      expect(typed).toBe(readFileSync(manifest, "utf8"));
      rmSync(manifest);
    },
  );

  test.each([
    [
      "codes",
      "dynamic-link",
      "Haus;Tisch;Speisekarte",
      [
        "A;1;https://a.example/1",
        "A;2;https://a.example/2",
        "B;1;https://a.example/3",
        "B;2;https://a.example/4",
      ],
    ],
    ["codes", "dynamic-link", "table;Photo;Link", ["1;https://b.example/1;https://a.example/1"]],
    ["codes", "text", "Inventarnummer;Raum", ["7;A", "8;A"]],
    [
      "contacts",
      "contact",
      "Nr.;Name;Vorname;Firma;E-Mail;Telefon;Straße;PLZ;Ort",
      ["1;Li;Bo;Co;b@a.example;1;Weg 1;1;X"],
    ],
    ["contacts", "contact", "Name;Title;Email;Phone", ["Bo Li;Clerk;b@a.example;+34 1"]],
    [
      "products",
      "product",
      "Artikel-Nr.;EAN;Bezeichnung;Charge;MHD;Internetseite",
      ["1;4006381333931;Stift;L1;261200;https://a.example/1"],
    ],
    [
      "products",
      "product",
      "SKU;GTIN;Product;Made;URL",
      ["1;4006381333931;Pen;2026-01-01;https://a.example/1"],
    ],
    ["links", "link", "Kampagne;Ziel;Kurz", ["Frühling;https://a.example/1;f1"]],
    ["links", "link", "name;Link;Slug", ["Spring;https://a.example/1;s1"]],
    ["pdfs", "pdf", "Gerät;Datei", ["Säge;a.pdf"]],
    [
      "pages",
      "page",
      "Stand;Aussteller;Über uns;Web;Video",
      ["A1;Nordwerk;Text;https://a.example/1;https://b.example/1"],
    ],
    ["pages", "page", "booth;about;Website", ["A1;Text;https://a.example/1"]],
    ["forms", "form", "Zimmer;Frage 1;Frage 2", ["1;Wie?;Was?"]],
    [
      "retarget",
      "retarget",
      "Kurzlink;alte Adresse;neue Adresse",
      ["A;https://a.example/1;https://b.example/1"],
    ],
    ["retarget", "retarget", "name;current;target", ["A;https://a.example/1;https://b.example/1"]],
  ] as const)(
    "init --kind %s chooses what the desk does for a %s of %s",
    async (kind, thing, header, rows) => {
      const file = path.join(folder, "same.csv");
      writeFileSync(file, `${[header, ...rows].join("\n")}\n`);
      expect(await type(`makeready init same --source same.csv --kind ${kind} --yes`)).toBe("");
      const page = await (await desk.get(`/new/columns?source=same.csv&as=${thing}`)).text();
      const form = readOffered(page);
      form.set("name", "desk");
      expect((await desk.postForm("/new/columns", form)).status).toBe(303);
      const read = (name: string): string => {
        const manifest = path.join(folder, `${name}.yaml`);
        const lines = readFileSync(manifest, "utf8").split("\n");
        rmSync(manifest);
        const text = lines.filter((line) => !line.startsWith("#")).join("\n");
        return text.replace(`name: ${name}`, "").replace(`out/${name}`, "");
      };
      expect(read("same")).toBe(read("desk"));
      rmSync(file);
    },
  );

  test("a spreadsheet that changed meanwhile makes no job", async () => {
    const file = path.join(folder, "moved.csv");
    writeFileSync(file, "No,Link\n1,https://a.example/1\n");
    const page = await (await desk.get("/new/columns?source=moved.csv")).text();
    writeFileSync(file, "Number,Target\n1,https://a.example/1\n");
    const answer = await desk.postForm("/new/columns", readOffered(page));
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("columns must be in the spreadsheet, got Link"),
    ]);
    expect(existsSync(path.join(folder, "moved.yaml"))).toBe(false);
    rmSync(file);
  });

  test("an invalid file is refused by its own name", async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const sent = await desk.post("/new/upload", { file: new File([png], "list.xlsx") });
    const page = await desk.get(sent.headers.get("location") ?? "");
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringContaining("got a PNG image: list.xlsx"),
    ]);
  });

  test("a name that is taken is not offered", async () => {
    const file = path.join(folder, "links.yaml");
    writeFileSync(file, "version: 1\n");
    const page = await desk.get("/new/columns?source=links.csv");
    expect(readOffered(await page.text()).get("name")).toBe("links-2");
    rmSync(file);
  });

  test("a list of three links, one of them mistyped, is one of links", async () => {
    const page = await (await desk.get("/new/columns?source=links.csv")).text();
    expect(readOffered(page).get("thing")).toBe("dynamic-link");
    expect(page).toContain("1 odd");
  });

  test("shows what it can't do", async () => {
    const init = "makeready init x --source links.csv";
    expect(await type(`${init} --as labels`)).toContain("--as must be one of dynamic-link,");
    expect(await type(`${init} --as text`)).toMatch(
      /--use must name a column for payload.*write --use payload=COLUMN with one of: .*"Link"/su,
    );
    expect(await type(`${init} --as text --use payload=Lnk`)).toContain('did you mean "Link"');
    expect(await type(`${init} --as text --use size=Link`)).toContain("--use must be ROLE=COLUMN");
    expect(await type(`${init} --as text --use payload=Link --key Nr`)).toContain(
      "--key must name",
    );
  });
});

describe("without a spreadsheet", () => {
  test.each(plainKinds)("%s", async (kind) => {
    const answer = await desk.post("/new/plain", { kind, name: `my ${kind}`, folder: "manuals" });
    expect(answer.status).toBe(303);
    expect((await load(`my-${kind}`)).kind).toBe(kind);
    expect((await desk.get(`/job/my-${kind}.yaml/label`)).status).toBe(200);
  });

  test("no folder of PDFs outside, and no job over another", async () => {
    const outside = { kind: "pdfs", name: "outside", folder: "../.." };
    expect((await desk.post("/new/plain", outside)).status).toBe(400);
    const twice = await desk.post("/new/plain", { kind: "report", name: "my report" });
    expect([twice.status, await twice.text()]).toEqual([
      400,
      expect.stringContaining("must be free, but my-report.yaml is there already"),
    ]);
    const german = await desk.post("/new/plain", { kind: "report", name: "my report" }, "de");
    const said = await german.text();
    expect(said).toContain("Der Name muss frei sein; my-report.yaml gibt es schon");
    expect(said).not.toContain("sind englisch");
  });
});

test("no kind is left out", () => {
  const offered = new Set([...things.map((thing) => factsOf[thing].kind), ...plainKinds]);
  expect([...offered].toSorted()).toEqual([...kinds].toSorted());
});
