/** What init and the desk make of a spreadsheet: both ask here. */
import path from "node:path";

import { describe, expect, it } from "vitest";

import { draftJob, type Chosen } from "../../../src/pipeline/draft/draft-job.ts";
import {
  guessColumns,
  guessTexts,
  guessThings,
  type Texts,
} from "../../../src/pipeline/draft/guess.ts";
import { lookAt, needHeader, type Look } from "../../../src/pipeline/draft/look.ts";
import { writeManifest } from "../../../src/pipeline/draft/manifest.ts";
import { things, type Thing } from "../../../src/pipeline/draft/things.ts";
import type { RowJob } from "../../../src/kinds/any-job.ts";
import { loadJob } from "../../../src/pipeline/source/load-job.ts";
import { writeManifest as writeJob } from "../../job/make-manifest.ts";
import { writeFile } from "../../read/make-source.ts";

const look = (lines: readonly string[]): Promise<Look> =>
  lookAt(writeFile("p.csv", lines.join("\n")));

const guess = async (thing: Thing, lines: readonly string[]) =>
  guessColumns(await look(lines))[thing];

const offer = async (lines: readonly string[]): Promise<Texts> =>
  guessTexts(await look(lines), "dynamic-link", {});

it("takes a number of rows without a name only where nothing else tells them apart", async () => {
  const links = [",artikel,link", "0,A1,https://a.example/1", "1,A2,https://a.example/2"];
  expect(await offer(links)).toEqual({ tells: ["artikel"], caption: ["artikel"] });
  expect(await guess("text", ["Unnamed: 0,artikel", "0,A1", "1,A2"])).toEqual({
    payload: "artikel",
  });
  const bare = [",link", "0,https://a.example/1", "1,https://a.example/2"];
  expect(await offer(bare)).toEqual({ tells: ["column 1"], caption: ["column 1"] });
});

const rowOf = (n: number): string => `G-${n};https://a.example/${n};${n},50 €;${n}`;
const LIST = ["Kennung;Link;Preis;Anzahl", ...Array.from({ length: 40 }, (_, n) => rowOf(n))];

it.each([
  ["text", ["Room,Wifi", '101,"WIFI:S:A;P:x;;"', '102,"WIFI:S:B;P:y;;"'], { payload: "Wifi" }],
  ["text", ["Filiale;Homepage", "F1;a.example/1", "F2;a.example/2"], { payload: "Homepage" }],
  [
    "product",
    ["GTIN;N° de lot;DLC;Lien", "4012345000016;A1;2027-01-01;https://a.example/1"],
    { gtin: "GTIN", lot: "N° de lot", expiry: "DLC", payload: "Lien" },
  ],
  [
    "contact",
    ["Nom;Prénom;Fonction;Portable;Code postal;Ville", "Roy;Ana;Chef;+33 6;75001;Paris"],
    { position: "Fonction", mobile_number: "Portable", post_code: "Code postal", city: "Ville" },
  ],
  [
    "contact",
    ["Nazwisko;Stanowisko;Ulica;Kod pocztowy;Miasto;Kraj", "Nowak;Szef;Długa 1;00-001;Łódź;PL"],
    { position: "Stanowisko", street: "Ulica", post_code: "Kod pocztowy", country: "Kraj" },
  ],
  // The header that says it all goes before longer ones and neighbours, whichever stands first.
  [
    "product",
    [
      "gtin,batch_size,lot qty,batch,serialized,url",
      "4012345000016,50,9,A1,yes,https://a.example/1",
    ],
    { lot: "batch", payload: "url" },
  ],
  [
    "contact",
    [
      "Name,City ID,City,Country code,Country,Portable PC,Mobile",
      "Roy,7,Paris,FR,France,yes,+33 612345678",
    ],
    { city: "City", country: "Country", mobile_number: "Mobile" },
  ],
  [
    "link",
    ["Firma,Homepage,Ziel", "A,https://a.example/,https://a.example/1"],
    { payload: "Ziel" },
  ],
  ["link", ["nom,site web,url", "A,https://a.example/,https://a.example/1"], { payload: "url" }],
] as const)(
  "columns of a %s are known by their headers or cells: %j",
  async (thing, lines, roles) => {
    expect(await guess(thing, lines)).toMatchObject(roles);
  },
);

it("a column that says whether things have serial numbers holds none", async () => {
  const lines = ["gtin,serialized,url", "4012345000016,yes,https://a.example/1"];
  expect(await guess("product", lines)).not.toHaveProperty("serial");
});

describe("what is offered to tell rows apart, and as text below the code", () => {
  it("is the column that names the rows also where one row is in the list twice", async () => {
    expect(await offer([...LIST, rowOf(7)])).toEqual({ tells: ["Kennung"], caption: ["Kennung"] });
  });

  it("is no price or count because these differ by chance", async () => {
    const twice = rowOf(7).replace("7,50 €;7", "99,50 €;99");
    expect(await offer([...LIST, twice])).toEqual({ tells: ["Kennung"], caption: ["Kennung"] });
    const last = LIST.map((line) => line.split(";").slice(1).join(";"));
    expect((await offer(last)).tells).toEqual(["Preis"]);
  });

  it("is the number in front also where one is missing and texts behind it differ by chance", async () => {
    const rows = Array.from(
      { length: 40 },
      (_, n) => `2001/${n},Bild,Öl ${n},https://a.example/${n}`,
    );
    rows[7] = ",Bild,Öl 7,https://a.example/7";
    const lines = ["Inv.-Nr.,Titel,Beschreibung,Link", ...rows];
    expect((await offer(lines)).tells).toEqual(["Inv.-Nr."]);
    const source = { file: "p.csv", look: await look(lines) };
    const choice = { name: "p", source, isDynamic: true, labelSheet: "avery-l7160" };
    expect(draftJob({ ...choice, kind: "codes" }).guesses.join()).toContain(
      'column "Inv.-Nr." tells the rows apart: source.key, but not all of them (1 row twice or without): mend these cells',
    );
  });

  it("is no number in front that several rows share, or that a whole number stands beside", async () => {
    const variants = Array.from(
      { length: 40 },
      (_, n) => `A-${n},Becher ${n},S-${n},https://a.example/${n}`,
    );
    variants[7] = "A-6,Becher 7,S-7,https://a.example/7";
    expect((await offer(["Artikel-Nr.,Name,Bild,Link", ...variants])).tells).toEqual(["Name"]);
    variants[7] = ",Becher 7,S-7,https://a.example/7";
    expect((await offer(["Artikel-Nr.,Name,Code,Link", ...variants])).tells).toEqual(["Code"]);
  });

  it("is two columns where one alone tells nothing apart", async () => {
    const tables = Array.from({ length: 9 }, (_, n) => `H${n % 3},${n % 4},https://a.example/${n}`);
    const both = ["Haus", "Tisch"];
    expect(await offer(["Haus,Tisch,Link", ...tables])).toEqual({ tells: both, caption: both });
  });

  it("is a number of things also where it stands far behind", async () => {
    const rows = Array.from({ length: 9 }, (_, n) => `a,b,c,d,${n % 2},${n % 5},I${n}`);
    const named = await offer(["A,B,C,D,E,F,Inventarnummer", ...rows]);
    expect(named.tells).toEqual(["Inventarnummer"]);
  });

  it("of a list of members is their number, but no number of rows", async () => {
    const rows = ["1,Ada,Byron,a@a.example", "2,Bo,Li,b@a.example"];
    const of = async (number: string) => {
      const looked = await look([`${number},Vorname,Name,E-Mail`, ...rows]);
      return guessTexts(looked, "contact", guessColumns(looked).contact);
    };
    const caption = ["Vorname", "Name"];
    expect(await of("Mitgliedsnummer")).toEqual({ tells: ["Mitgliedsnummer"], caption });
    expect(await of("Nr.")).toEqual({ tells: ["E-Mail"], caption });
  });

  it.each([
    ["Vorname,Nachname,E-Mail", ["Ada,Byron,a@a", "Eva,Curie,b@a", "Ada,Noether,c@a"], "E-Mail"],
    [
      "Vorname,Nachname,E-Mail",
      ["Ada,Byron,a@a", "Eva,Curie,", "Ada,Noether,c@a"],
      "Vorname,Nachname",
    ],
    ["Vorname,Nachname,Firma", ["Ada,Byron,A", "Ada,Byron,B"], ""],
  ])("of contacts with %s is what they differ in: %j", async (header, rows, key) => {
    const looked = await look([header, ...rows]);
    const { tells } = guessTexts(looked, "contact", guessColumns(looked).contact);
    expect(tells.join(",")).toBe(key);
  });

  it.each([
    ["Nr;Gericht;Preis;Kategorie", ["1;Suppe;3,50;Vor", "2;Eis;4,50;Nach"], "Gericht"],
    ["Text;Nr.;Raum", ["Hello A;1;A", "Hello B;2;B"], "Raum"],
    ["Text;Nr.;Raum", ["Hello A;1;A", "Hello B;2;A"], "Text"],
    ["Coupon;Wert", ["A-1;5 €", "A-2;5 €"], "Coupon"],
    ["Zimmer;SSID;Passwort", ["1;Gast;abc", "2;Gast;def"], "Zimmer"],
    ["Zimmer;Wi-Fi password", ["1;abc", "2;def"], "Zimmer"],
    ["Room,Floor,Seats", ["R1,0,4", "R2,0,8"], "Room"],
    ["Town,2025,2026", ["Ulm,12,14", "Bonn,13,15"], "Town"],
    ["Name,Status,Assignee", ["Box A,new,Ana", "Box B,old,Bo"], "Name"],
    ["Article;Inventarnr.", ["Chair;I-1", "Chair;I-2"], "Inventarnr."],
    ["Art;Marke;Modell;Farbe;Zustand;Inventar-Nr", ["a;b;c;d;e;7", "a;b;c;d;e;9"], "Inventar-Nr"],
  ])("of codes of a text in %s with %j is %s", async (header, rows, expected) => {
    const looked = await look([header, ...rows]);
    const texts = guessTexts(looked, "text", guessColumns(looked).text);
    expect(texts).toEqual({ tells: [expected], caption: [expected] });
  });

  it("is said of codes of a text without a word of addresses", async () => {
    const looked = await look(["Text,Room", "Hello A,A", "Hello B,B"]);
    const source = { file: "p.csv", look: looked };
    const choice = { name: "p", source, isDynamic: true, labelSheet: "avery-l7160" };
    const { guesses, manifest } = draftJob({ ...choice, kind: "codes" });
    expect(guesses).toEqual([
      'column "Text" is the text of the codes: code.qr_data',
      'column "Room" tells the rows apart: source.key',
    ]);
    expect(manifest).toContain('caption: "{{ Room }}"');
  });

  it("is nothing where many rows agree", async () => {
    const rooms = ["Raum;Link", ...LIST.slice(1).map((_, n) => `R${n % 9};https://a.example/${n}`)];
    expect(await offer(rooms)).toEqual({ tells: [], caption: ["Raum"] });
  });
});

it.each([
  ["261231,280200", "{}", "{{ Expiry }}"],
  ["2026-12-31,2028-02-01", "{ type: date }", "{{ Expiry | date: YYMMDD }}"],
  ["261231,261331", "{ type: date }", "{{ Expiry | date: YYMMDD }}"],
])(
  "expiry dates %s are found by their header and judged by their cells",
  async (dates, rule, shown) => {
    const rows = dates
      .split(",")
      .map((date) => `4006381333931,2026-01-31,${date},https://a.example`);
    const looked = await look(["EAN,Made,Expiry,URL", ...rows]);
    const { product: columns } = guessColumns(looked);
    expect(columns.expiry).toBe("Expiry");
    const draft = { head: [], name: "goods", file: "p.csv", thing: "product", columns } as const;
    const manifest = writeManifest({ ...draft, look: looked, key: ["EAN"], caption: ["EAN"] });
    expect(manifest).toContain(`    Expiry: ${rule}\n`);
    expect(manifest).toContain(`  expiry_date: "${shown}"\n`);
  },
);

it("the day of production is no expiry date", async () => {
  const made = ["EAN,Made,URL", "4006381333931,2026-01-31,https://a.example/1"];
  expect((await guess("product", made)).expiry).toBeUndefined();
});

const A = "https://a.example/1";
const B = "https://b.example/1";

const contacts = { name: "p", kind: "contacts", isDynamic: false, labelSheet: undefined } as const;

describe("which column is meant", () => {
  it.each<readonly [Thing, string, readonly string[], object]>([
    // A new address that is mistyped is no reason to take the old one.
    [
      "retarget",
      "Kurzlink,alte Adresse,neue Adresse",
      [`A,${A},${B}`, `B,${A},b.example/2`],
      { code: "Kurzlink", new_url: "neue Adresse", old_url: "alte Adresse" },
    ],
    ["retarget", "Kurzlink,Neue Adresse", [`${B},${A}`], { code: "Kurzlink" }],
    ["retarget", "Link,Nowy adres", [`${B},${A}`], { code: "Link", new_url: "Nowy adres" }],
    ["retarget", "Link,Cible", [`${B},${A}`], { new_url: "Cible" }],
    ["retarget", "Link,Zieladresse neu", [`${B},${A}`], { new_url: "Zieladresse neu" }],
    ["retarget", "Link alt,Link neu", [`${B},${A}`], { new_url: "Link neu", old_url: "Link alt" }],
    ["retarget", "Kurzlink,Link", [`${B},${A}`], { code: "Kurzlink", new_url: "Link" }],
    ["retarget", "name,current,target", [`a,${A},${B}`], { code: "name", new_url: "target" }],
    ["link", "Photo,Link,Slug", [`${B},${A},x`], { payload: "Link", slug: "Slug" }],
    // One of them is mistyped.
    ["link", "Code,Address", [`1,${A}`, "2,a.example/2", `3,${A}`], { payload: "Address" }],
    ["text", "Nr,Link", ["1,a.example/1"], { payload: "Link" }],
    ["text", "Référence,Lien", [`1,${A}`, "2,a.example/2"], { payload: "Lien" }],
    ["text", "thing,room", ["a,b"], { payload: "thing" }],
    ["text", "Art;Farbe;Inventar-Nr", ["a;b;7", "a;b;9"], { payload: "Inventar-Nr" }],
    [
      "dynamic-link",
      "Handle,Image Src,Shop",
      ["a,https://cdn.a.example/a.jpg?v=1,https://a.example/a"],
      { payload: "Shop" },
    ],
    [
      "contact",
      "First Name,Default Address Company,Default Address Address1,Default Address City,Default Address Country Code,Default Address Zip,Default Address Phone,Phone",
      ["Ana,Roy,Rue 1,Paris,FR,75001,1 2,1 3"],
      {
        company_name: "Default Address Company",
        street: "Default Address Address1",
        city: "Default Address City",
        country: "Default Address Country Code",
        post_code: "Default Address Zip",
        phone_number: "Phone",
      },
    ],
    [
      "contact",
      "Vorname,Telefon (privat),Telefon geschäftlich,Portable,Mobil",
      ["Bo,1 2,1 3,oui,1 4", "Al,1 5,1 6,non,1 7"],
      { phone_number: "Telefon geschäftlich", mobile_number: "Mobil" },
    ],
    ["contact", "Name,Vorname", ["Li,Bo"], { last_name: "Name", first_name: "Vorname" }],
    ["contact", "Vorname,Notiz", ["Bo,x"], { last_name: "Vorname" }],
    ["contact", "Name,LinkedIn", [`Bo,${A}`], { last_name: "Name", website: "LinkedIn" }],
    ["contact", "Nom,Tél,PLZ", ["Li,1 2,3"], { phone_number: "Tél", post_code: "PLZ" }],
    [
      "contact",
      "First Name,Phone 1 - Label,Phone 1 - Value,Website 1 - Label,Website 1 - Value",
      [`Bo,Mobile,+49 1,Home,${A}`],
      { mobile_number: "Phone 1 - Value", website: "Website 1 - Value" },
    ],
    [
      "contact",
      "Name,Phone 1 - Type,Phone 1 - Value,Website,Web",
      [`Bo,Work,+49 1,mine,${A}`],
      { phone_number: "Phone 1 - Value", website: "Web" },
    ],
    [
      "contact",
      "First Name,Business Street,Business City,Business State,Business Postal Code,Business Country/Region",
      ["Bo,Way 1,Ulm,BW,89073,DE"],
      {
        street: "Business Street",
        city: "Business City",
        state: "Business State",
        post_code: "Business Postal Code",
        country: "Business Country/Region",
      },
    ],
    [
      "contact",
      "First Name,Address 1 - Label,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Notes",
      ["Bo,Work,Way 1,Ulm,BW,89073,DE,Ask for Bo"],
      {
        street: "Address 1 - Street",
        city: "Address 1 - City",
        state: "Address 1 - Region",
        post_code: "Address 1 - Postal Code",
        country: "Address 1 - Country",
      },
    ],
    [
      "contact",
      "First Name,Organization Title,E-mail 1 - Value,E-mail 2 - Value",
      ["Bo,Cook,bo(at)lee.example,bo@home.example", "Al,Cook,al@lee.example,al@home.example"],
      { position: "Organization Title", email: "E-mail 1 - Value" },
    ],
    [
      "contact",
      "First Name,Business Phone,Mobile Phone,Web Page",
      [`Bo,+49 1,+49 2,${A}`],
      { phone_number: "Business Phone", mobile_number: "Mobile Phone", website: "Web Page" },
    ],
    ["product", "EAN,Produktlink,Artikel", [`4006381333931,${A},x`], { title: "Artikel" }],
    ["page", "Aussteller,Website", [`A,${A}`, "B,b.example"], { button_1: "Website" }],
    ["product", "EAN,Wein,Name des Hofs", ["4006381333931,x,y"], { title: "Name des Hofs" }],
    ["product", "EAN,Wein,Link", [`4006381333931,x,${A}`], { title: "Wein" }],
    ["page", "Stand,Video,Web", [`1,${A},${B}`], { title: "Stand", button_1: "Video" }],
    ["page", "Nr,Standort,Link", [`1,Köln,${A}`, `2,Bonn,${B}`], { title: "Standort" }],
    ["form", "Nr,Preis,Filiale", ["F1,2.50,Köln", "F2,3.50,Bonn"], { title: "Filiale" }],
    ["form", "Nr,Filiale", ["F1,Köln", "F2,"], { title: "Nr" }],
    // Labels of one zone must be told apart.
    ["page", "Nr,Zone,Link", [`1,Nord,${A}`, `2,Nord,${B}`], { title: "Nr" }],
    [
      "page",
      "Kennzeichen,VIN,Link",
      [`K-A 1,WVW1,${A}`, `K-A 2,WVW2,${B}`],
      { title: "Kennzeichen" },
    ],
    ["form", "room,Question 1,Title", ["1,Why?,x"], { title: "Title", question_1: "Question 1" }],
    ["pdf", "Datei,Gerät", ["a.pdf,x"], { file: "Datei" }],
  ])("of a %s in %s", async (thing, header, rows, expected) => {
    expect(await guess(thing, [header, ...rows])).toMatchObject(expected);
  });

  it.each([
    ["Home,+49 2", "Mobile,+49 4", undefined],
    ["Home,+49 2", "Work,+49 4", undefined],
    ["* Mobile,+49 2", "Handy,+49 4", "Phone 2 - Value"],
    ["Work ::: Mobile,+49 2 ::: +49 5", "Mobile,+49 4", undefined],
    ["::: Mobile,+49 2 ::: +49 5", "Mobile,+49 4", undefined],
    ["Mobile ::: Work,+49 2 ::: +49 5", "Mobile,+49 4", "Phone 2 - Value"],
    [",+49 2", "Mobile,+49 4", undefined],
  ])("of a mobile is a second phone only where its labels say so: %s, %s", async (a, b, mobile) => {
    const header = "First Name,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value";
    const looked = await look([header, `Bo,Work,+49 1,${a}`, `Al,Work,+49 3,${b}`]);
    const { contact } = guessColumns(looked);
    expect([contact.phone_number, contact.mobile_number]).toEqual(["Phone 1 - Value", mobile]);
    const source = { file: "p.csv", look: looked };
    const { guesses } = draftJob({ ...contacts, source });
    expect(guesses).toContain(
      mobile === undefined
        ? 'no use for columns "Phone 1 - Label", "Phone 2 - Label", "Phone 2 - Value": left out'
        : 'column "Phone 2 - Value" looks like mobile numbers, as their labels say: code.vcard.mobile_number',
    );
  });

  it("reads the labels of all rows: one landline among mobiles makes no mobile of a column", async () => {
    const labels = ["* Mobile", "Mobile", "Handy", "Mobil", "Work"];
    const rows = labels.map((label, at) => `P${at},${label},+49 ${at}`);
    const looked = await look(["First Name,Phone 1 - Label,Phone 1 - Value", ...rows]);
    const { contact } = guessColumns(looked);
    expect([contact.phone_number, contact.mobile_number]).toEqual(["Phone 1 - Value", undefined]);
  });

  it("takes the first of several numbers in a cell of contacts, and says so", async () => {
    const rows = ["Bo,+49 1 ::: +49 2,bo@a.example ::: bo@b.example", "Al,+49 3,al@a.example"];
    const looked = await look(["First Name,Phone 1 - Value,E-mail 1 - Value", ...rows]);
    const source = { file: "p.csv", look: looked };
    const { guesses, manifest } = draftJob({ ...contacts, source });
    expect(manifest).toContain('    phone_number: "{{ phone_1_value | first }}"\n');
    expect(manifest).toContain('    email: "{{ e_mail_1_value }}"\n');
    for (const column of ["Phone 1 - Value", "E-mail 1 - Value"])
      expect(guesses).toContain(
        `column "${column}" has cells with several values (a ::: b): the first is taken, the others are left out`,
      );
  });

  it("never is one column for two things", async () => {
    const guesses = guessColumns(await look(["Name,Title,URL,Link,Id", `a,b,${A},${B},1`]));
    for (const thing of things) {
      const headers = Object.values(guesses[thing]);
      expect(new Set(headers).size).toBe(headers.length);
    }
  });
});

it.each([
  ["Artikel,EAN,Seite", `x,4006381333931,${A}`, "product"],
  ["Name,Vorname", "Li,Bo", "contact"],
  ["Name,Email,Phone", "Bo Li,b@a.example,+34 1", "contact"],
  ["Zimmer,Frage 1", "1,Wie?", "form"],
  ["Kurzlink,alt,neu", `x,${A},${B}`, "retarget"],
  ["id,oldUrl,newUrl", `x,${A},${B}`, "retarget"],
  ["id,old_url,new_url", `x,${A},${B}`, "retarget"],
  ["id,Alte Adresse,Neue URL", `x,${A},${B}`, "retarget"],
  ["id,Link alt,neuer Link", `x,${A},${B}`, "retarget"],
  // Lists of links, with other texts beside.
  ["Name,Target URL,Alt text", `x,${A},A picture`, "dynamic-link"],
  ["Station,Ziel,Altersgruppe", `x,${A},6-10`, "dynamic-link"],
  ["Kunde,Newsletter-Link,Altkunde", `x,${A},ja`, "dynamic-link"],
  ["Newsletter,Newspaper URL,Old price,Barcode", `x,${A},3 €,B-1`, "dynamic-link"],
  ["Partner,Newsletter-Link,Altbau", `x,${A},${B}`, "dynamic-link"],
  // Nothing here leads anywhere.
  ["Alter,neu", "7,ja", "text"],
  ["Tisch,Link", `1,${A}`, "dynamic-link"],
])("a spreadsheet of %s becomes what its headers say", async (header, row, thing) => {
  const looked = await look([header, row]);
  expect(guessThings(looked, guessColumns(looked))[0]?.thing).toBe(thing);
});

const CODES = {
  name: "p",
  kind: "codes",
  isDynamic: false,
  labelSheet: undefined,
} as const satisfies Partial<Chosen>;

const draft = async (lines: readonly string[]) =>
  draftJob({ ...CODES, kind: "wifi", source: { file: "p.csv", look: await look(lines) } });

const codes = async (lines: readonly string[], kind: Chosen["kind"] = "codes") =>
  draftJob({
    ...CODES,
    kind,
    isDynamic: true,
    source: { file: "p.csv", look: await look(lines) },
  });

it("addresses of pictures are named where a list has no others", async () => {
  const shop = await codes(["Handle,Image Src", "mug,https://cdn.a.example/mug.jpg"]);
  expect(shop.guesses).toContain(
    'column "Image Src" has addresses of pictures only: where the codes shall open pages, write their addresses in its place, such as "https://your-shop.com/products/{{ Handle }}"',
  );
  // Rows without a picture are made once the addresses are others.
  expect(shop.manifest).toContain("image_src: { type: url, aliases");
  const both = await codes(["Handle,Image Src,URL", `mug,https://cdn.a.example/mug.jpg,${A}`]);
  expect(both.guesses.join()).not.toContain("pictures");
});

it("numbers of barcodes that are no GTINs make no products", async () => {
  const looked = await look(["Name,Barcode #", "Bo,1112221001", "Al,1122222001"]);
  expect(guessThings(looked, guessColumns(looked))[0]?.thing).toBe("text");
});

describe("networks", () => {
  it.each([
    [
      ["Raum;WLAN;Passwort", 'Nord;"a;b:c";"x,y\\z""12345"', "Ost;Gast;12345678"],
      'qr_data: "WIFI:T:WPA;S:{{ WLAN | wifi }};P:{{ Passwort | wifi }};;"',
    ],
    [
      ["SSID,Key,Security", "a,12345678,WPA2-PSK", "b,abcdefgh,WPA3"],
      'qr_data: "WIFI:T:WPA;S:{{ SSID | wifi }};P:{{ Key | wifi }};;"',
    ],
    [
      ["Netzwerk;Verschlüsselung;Kennwort", "a;WPA2;12345678", "b;offen;"],
      'qr_data: "WIFI:T:{{ Verschlüsselung | default: WPA | wifi: type }};S:{{ Netzwerk | wifi }};P:{{ Kennwort | wifi }};;"',
    ],
    [
      ["SSID;Verschlüsselung;Passwort", "a;WEP;12345", "b;Firma;12345678"],
      'qr_data: "WIFI:T:{{ Verschlüsselung | default: WPA | wifi: type }};S:{{ SSID | wifi }};P:{{ Passwort | wifi }};;"',
    ],
    [
      ["SSID;Passwort;Verschlüsselung", "a;abcde12345;WEP", "b;;ohne", "c;;keine", "d;;-"],
      'qr_data: "WIFI:T:{{ Verschlüsselung | default: WPA | wifi: type }};S:{{ SSID | wifi }};P:{{ Passwort | wifi }};;"',
    ],
    [
      ["SSID;Passwort;Typ", "a;12345678;WPA2", "b;;offen", "c;;frei", "d;;ohne", "e;;-"],
      'qr_data: "WIFI:T:{{ Typ | default: WPA | wifi: type }};S:{{ SSID | wifi }};P:{{ Passwort | wifi }};;"',
    ],
    [
      ["SSID;Passwort;Typ", "a;;offen", "b;12345678;-", "c;12345678;-", "d;12345678;-"],
      "qr_data: \"WIFI:S:{{ SSID | wifi }};{{ Passwort | wifi | prefix: 'T:WPA;P:' | default: 'T:nopass;P:' }};;\"",
    ],
    [
      ["Ort;SSID;Passwort;Typ", "Halle;G1;geheim123;Router", "Hof;G2;geheim1234;-"],
      'qr_data: "WIFI:T:WPA;S:{{ SSID | wifi }};P:{{ Passwort | wifi }};;"',
    ],
    [
      ["SSID;Passwort;Typ", ...[1, 2, 3].map((n) => `${n};12345678;WPA${n}`), "e;;offen"],
      'qr_data: "WIFI:T:{{ Typ | default: WPA | wifi: type }};S:{{ SSID | wifi }};P:{{ Passwort | wifi }};;"',
    ],
    [
      ["Room,Network name (SSID),Password", "1,a,12345678", "2,b,"],
      "qr_data: \"WIFI:S:{{ network_name_ssid | wifi }};{{ Password | wifi | prefix: 'T:WPA;P:' | default: 'T:nopass;P:' }};;\"",
    ],
  ])("become codes that join them: %j", async (lines, expected) => {
    const looked = await look(lines);
    expect(guessThings(looked, guessColumns(looked))[0]?.thing).toBe("wifi");
    const { manifest } = await draft(lines);
    expect(manifest).toContain(`  ${expected}\n`);
    expect(manifest).toContain("  type: Text  # static");
  });

  it("are told where words for their kind are not understood", async () => {
    const rows = ["a;12345678;WPA2", "b;12345678;WPA2-Enterprise"];
    const { guesses } = await draft(["SSID;Passwort;Verschlüsselung", ...rows]);
    expect(guesses.join("\n")).toContain(
      'column "Verschlüsselung" has words that are not understood as kinds of networks, such as WPA2-Enterprise',
    );
  });

  it("are named by their place; passwords stand in the code only", async () => {
    const { manifest } = await draft(["Raum;SSID;Key", "Nord;a;12345678", "Ost;a;12345678"]);
    expect(manifest).toContain("key: [Raum]");
    expect(manifest).toContain('display_name: "{{ Raum }} / {{ SSID }}"');
    expect(manifest).toContain("    Key: { required: true }");
  });

  it.each([
    ["codes are there already", ["SSID,Password,Code", 'a,12345678,"WIFI:S:a;;"']],
    ["people log in", ["Network,User,Password", "vlan1,bo,12345678"]],
  ])("are left alone where %s", async (_name, lines) => {
    const looked = await look(lines);
    expect(guessThings(looked, guessColumns(looked)).map(({ thing }) => thing)).toEqual(["text"]);
  });
});

describe("addresses without https://", () => {
  it("get it, where a column holds no others", async () => {
    const { manifest, guesses } = await codes([
      "Sitz;Link",
      "A;shop.de/a",
      "B;www.shop.de",
      "C;shop.de",
    ]);
    expect(manifest).toContain("  type: Link\n  dynamic: true");
    expect(manifest).toContain('  qr_data: "https://{{ Link }}"\n');
    expect(manifest).toContain("    Link: { required: true }\n");
    expect(guesses).toContain(
      'column "Link" has addresses without https://, such as shop.de/a: https:// is put in front of them',
    );
    for (const cell of [
      "wa.me/4917",
      "x.quest/a",
      "a-b.reisen/a",
      "b.gg/a",
      "firma.pl",
      "NORDWERK.DE",
      "1.fc-koeln.de/a1",
      "24.de/a",
      "24.de",
      "mein_laden.blogspot.com/a",
      "mein_laden.bistro/a",
      "пример.рф/а",
      "例え.みんな/a",
      "店.ストア/a",
      "उदाहरण.भारत/a",
      "xn--e1afmkfd.xn--p1ai/a",
      "kofi.supply/a",
      "server.local:8080/a",
    ]) {
      const { manifest: rare } = await codes(["Name,Link", `A,${cell}`]);
      expect(rare).toContain('  qr_data: "https://{{ Link }}"\n');
    }
    for (const cell of [
      "1.OG/101",
      "1.og/101",
      "2.stock/3",
      "EG.Nord/3",
      "Datei.pdf/3",
      "karte.docx/2",
      "bild.PNG/1",
      "halle.nord",
    ]) {
      const { manifest: none } = await codes(["Name,Ziel", `A,${cell}`]);
      expect(none).toContain('  qr_data: "{{ Ziel }}"\n');
    }
    const page = await codes(["Title,Web,Video", "A,a.de,a.de/v", "B,,b.de/v"], "pages");
    expect(page.manifest).toContain('{ url: "{{ Web | prefix: \'https://\' }}", title: "Web" }');
  });

  it("get it in a column without such a name, where at least half of the others are plain ones", async () => {
    const odd = ["C,1.fc-koeln.de/c", "D,luna.bistro/d"];
    const { manifest } = await codes(["Name,Karte", "A,shop.de/a", "B,shop.de/b", ...odd]);
    expect(manifest).toContain('  qr_data: "https://{{ Karte }}"\n');
    const { guesses } = await codes(["Text", "words", "shop.de/b", "1.fc-koeln.de/c", "2.de/d"]);
    expect(guesses.join()).toContain('column "Text" has 1 address without https://, such as shop');
  });

  it("are named, where others have it", async () => {
    const { guesses } = await codes(["Sitz;Text", "A;shop.de/a", "B;https://b.de", "C;words"]);
    expect(guesses).not.toContain("https:// is put");
    const mixed = await codes([
      "Name,Link",
      "A,bit.ly/3abcD",
      "B,https://shop.de/b",
      "C,x.quest/c",
    ]);
    expect(mixed.guesses.join()).toContain(
      "has 2 addresses without https://, such as bit.ly/3abcD",
    );
    const text = await codes(["Text", "shop.de/a", "b.de/b", "words"]);
    expect(text.guesses).toContain(
      'column "Text" has 2 addresses without https://, such as shop.de/a, which phones show instead of opening: put https:// in front',
    );
  });
});

describe("a first line that holds what cells hold", () => {
  const [c, d] = ["https://a.example/c", "https://a.example/d"];

  it.each([
    ["id,product.link/de,product.link/en", [`1,${A},${B}`, `2,${c},${d}`]],
    ["Art.nr/Link,Name", [`${A},x`, `${B},y`]],
    ["EAN,www.amazon.de,www.otto.de", [`4006381333931,${A},${B}`]],
    ["Name;www.link.de", [`x;${A}`, `y;${B}`]],
    ["Name,www.shop.de,Link", [`x,${A},${c}`, `y,${B},${d}`]],
    ["Filiale,20240106,20240107", ["Ulm,40170725,3", "Bonn,7,5"]],
    ["Kurs 2026,Beschreibung", ["Kurs 101,Deutsch", "Kurs 102,Mathe"]],
  ])("is a header where nothing below is of its form: %s", async (header, rows) => {
    const looked = await look([header, ...rows]);
    expect([looked.warnings, looked.rowAsHeader]).toEqual([[], undefined]);
  });

  it.each([
    ["a known name beside addresses of one form", "Sitz,qty.de/en,Link", [`A,1.de/2,${A}`]],
    ["a known name beside an address", "Produkt,https://shop.de/", [`x,${A}`, `y,${B}`]],
    ["names below a title", "Adressliste,https://www.firma.de/", ["Name,Link", `x,${A}`, `y,${B}`]],
    ["names below a company", "Firma Muster GmbH,https://firma.de", ["", "Name,Link", `x,${A}`]],
    ["a word above numbers", "Tisch,www.shop.de/menu", ["1,www.shop.de/1", "2,www.shop.de/2"]],
    ["cells called as it is", "Kurs 100,Raum Nord", ["Kurs 101,Raum Ost", "Kurs 102,Raum Süd"]],
    ["a word that may be a cell", "R101,Lager", ["R102,Büro", "R103,Küche", "R104,Foyer"]],
    ["other cells below", "Ort,4006381333931", ["Ulm,3", "Bonn,5"]],
    ["a known name above GTINs", "Datum,ean@shop.example,EAN", ["1,a@shop.example,4006381333931"]],
  ])("is a header with a warning where it has %s", async (_name, header, rows) => {
    const looked = await look([header, ...rows]);
    expect(() => needHeader(looked)).not.toThrow();
    expect(looked.warnings).toMatchObject([{ where: { line: 1 } }]);
    expect(looked.warnings[0]?.hint).toContain("header_row");
  });

  it.each([
    ["addresses", [`${A},A`, `${B},B`]],
    ["addresses without http", ["A,shop.example/a", "B,shop.example/b", "C,"]],
    ["numbered names of products", [`Produkt 1,${A}`, `Produkt 2,${B}`]],
    ["GTINs and words", ["4006381333931,Pen", "4006381333948,Nib"]],
    ["contacts", ["Bo,bo@a.example", "Al,al@a.example"]],
    ["short GTINs", ["40170725,Pen", "96385074,Nib"]],
    ["one row twice", [`${A},${A}`, `${B},${B}`]],
  ])("is a row among others: %s", async (_name, rows) => {
    const looked = await look(rows);
    expect(() => needHeader(looked)).toThrow(/must begin with the names of its columns/u);
    expect(looked.warnings).toHaveLength(1);
  });

  it("is a header where a person says so", async () => {
    const file = writeFile("said.csv", "Sitz,qty.de/en\nA,1.de/2\nB,2.de/2\n");
    expect((await lookAt(file)).lacksHeader).toBe(true);
    const looked = await lookAt(file, { headerRow: 1 });
    expect([looked.lacksHeader, looked.headerRow]).toEqual([false, 1]);
    expect((await lookAt(file, { headerRow: 2 })).columns[0]?.column).toBe("A");
  });

  it.each([
    ["nothing sounds like a name of a column", ["Anna,Ulm", "Berta,Bonn"], '"Anna", "Ulm"'],
    ["a word of another language", ["Asiento", "Uno", "Dos"], '"Asiento"'],
  ])("is a header that init names where %s", async (_name, rows, shown) => {
    const { guesses, manifest } = draftJob({
      ...CODES,
      source: { file: "p.csv", look: await look(rows) },
    });
    const says = `line 1 is taken as the names of columns, so nothing is made of it: ${shown}; if it is a row, put a line with names above it`;
    expect([guesses[0], manifest.includes(`# - ${says}`)]).toEqual([says, true]);
  });

  it.each([
    ["a known name", ["Titel,Ulm", "a,b"]],
    ["a word above numbers", ["Asiento", "A1", "A2"]],
    ["a common word", ["Seat", "Window", "Aisle"]],
    ["a row by its form, told by a warning", ["R101", "R102"]],
  ])("is not named where there is %s", async (_name, rows) => {
    const { guesses } = draftJob({ ...CODES, source: { file: "p.csv", look: await look(rows) } });
    expect(guesses.join()).not.toContain("is taken as the names of columns");
  });

  it("is told by each plan where it may be a row, until a person says its line", async () => {
    const file = writeFile("titled.csv", "Raumliste\n\nR101,Nord\nR102,Ost\nR103,Ost\n");
    const found = await lookAt(file);
    expect([found.lacksHeader, found.headerRow]).toEqual([false, undefined]);
    expect(found.warnings).toMatchObject([{ where: { line: 3, column: "R101" } }]);
    const said = await lookAt(file, { headerRow: 3 });
    expect([said.warnings, said.headerRow]).toEqual([[], 3]);
  });
});

it("names of columns, files and sheets are no variables of this computer", async () => {
  const header = "Price in $$ ${SHOP_DB}";
  const looked = await look([`Name,${header}`, "A,https://a.example/1", "B,https://a.example/2"]);
  const draft = {
    head: [],
    name: "p",
    file: "${SHOP_DB}.csv",
    thing: "page",
    columns: {},
  } as const;
  const columns = { title: "Name", button_1: header };
  const text = writeManifest({ ...draft, columns, look: looked, key: ["Name"], caption: [] });
  const job = await loadJob(writeJob(text), { env: { SHOP_DB: "postgres://u:pass@db" } });
  expect(JSON.stringify(job)).not.toContain("pass@db");
  expect(JSON.stringify(job)).toContain(JSON.stringify(header).slice(1, -1));
  expect(path.basename((job as RowJob).source.file ?? "")).toBe("${SHOP_DB}.csv");
});
