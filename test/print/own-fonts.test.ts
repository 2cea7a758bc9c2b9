import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, it } from "vitest";

import type { AppError } from "../../src/base/errors.ts";
import { apart, asLeftToRight, toVisualRuns } from "../../src/print/fonts/bidi.ts";
import { cleanLine, fitCaption } from "../../src/print/fonts/caption.ts";
import { makeCff } from "../../src/print/fonts/cff-font.ts";
import { openGlyphCensus } from "../../src/print/fonts/glyph-census.ts";
import { type LabelFonts, loadLabelFonts } from "../../src/print/fonts/label-fonts.ts";
import { OwnFont } from "../../src/print/fonts/own-font.ts";
import { toWordParts } from "../../src/print/fonts/scripts.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { type SheetOptions, writeSheets } from "../../src/print/sheets.ts";
import { startSubsets } from "../../src/print/draw/show-text.ts";
import { verifySheets } from "../../src/verify/verify.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/noto-sans-${name}`, import.meta.url));
const names = ["arabic.ttf", "hebrew.ttf", "thai.ttf", "devanagari.ttf", "cjk.otf"] as const;
const files = names.map(fixture);

let fonts: LabelFonts;
beforeAll(async () => {
  fonts = await loadLabelFonts(files);
});

const folder = mkdtempSync(path.join(tmpdir(), "fonts-"));

/** What the glyphs of a line say from left to right, by its subsets. */
function saysOf(text: string): string {
  const type = startSubsets(fonts);
  const operators = type.regular.show(text, 10);
  const texts = new Map<string, Map<number, string>>([
    ["F", new Map(type.regular.subset.glyphs.map(({ id, text: says }) => [id, says]))],
    ...type.own.used.map(
      ({ resource, glyphs }) =>
        [resource, new Map(glyphs.map(({ id, text: says }) => [id, says]))] as const,
    ),
  ]);
  let font = "F";
  let says = "";
  for (const [, name, hex = ""] of operators.matchAll(/\/([FG]\d*) 10 Tf|<([0-9a-f]+)>(?!>)/gu)) {
    if (name !== undefined) font = name;
    for (const [id] of hex.matchAll(/.{4}/gu))
      says += texts.get(font)?.get(Number.parseInt(id, 16)) ?? "?";
  }
  return says;
}

describe("a line in fonts of the job's own", () => {
  it.each([
    ["Table 12", "Table 12", "letter by letter in the bundled font"],
    ["北京饭店 12", "北京饭店 12", "CFF outlines"],
    ["שולחן 12", "12 ןחלוש", "from the right, the number from the left"],
    ["Table שולחן 7", "Table 7 ןחלוש", "a stretch of the other direction"],
    ["(שולחן)", ")ןחלוש(", "brackets say what they are"],
  ])("sets %s as %s: %s", (text, says) => {
    expect(saysOf(text)).toBe(says);
  });

  it("shows no mark that only says which way text runs, with fonts and without", async () => {
    expect(saysOf("\u200fTable\u200e \u2068é\u2069")).toBe("é Table");
    const { regular } = startSubsets(await loadLabelFonts());
    regular.show("T\u2067é\u200f", 10);
    expect(regular.subset.glyphs.map(({ text }) => text)).toEqual(["T", "é"]);
    expect(regular.font.widthPt("\u200f–", 10)).toBe(regular.font.widthPt("–", 10));
  });

  it("keeps dates beside names that are written from the right", () => {
    const line = `${apart("شاي")} · 2026-11-20`;
    expect(saysOf(asLeftToRight(line))).toMatch(/ · 2026-11-20$/u);
  });

  it("joins Arabic letters, and draws lam and alef as one glyph that says both", () => {
    const [arabic] = fonts.all;
    const shape = (text: string): number[] =>
      (arabic?.shape(text, { start: 0, end: text.length, isRtl: true }) ?? []).map(
        ({ glyph }) => glyph,
      );
    expect(shape("شاي").toReversed()[0]).not.toBe(shape("ش")[0]);
    expect(shape("لا")).toHaveLength(1);
    expect(saysOf("لا")).toBe("لا");
  });

  it("sets marks where they belong, and every letter can be copied", () => {
    expect(saysOf("होटल हिन्दी")).toBe("होटल हिन्दी");
    // Three characters are four glyphs: the text stands for them together.
    const operators = startSubsets(fonts).regular.show("น้ำ", 10);
    expect(operators).toContain("/Span <</ActualText <FEFF0E490E33>>> BDC");
    expect(operators.match(/BDC|EMC/gu)).toEqual(["BDC", "EMC"]);
  });

  it("keeps letters of one script in one font, and digits with the letters beside them", () => {
    const operators = startSubsets(fonts).regular.show("12番テーブル12", 10);
    expect(operators.match(/\/\w+ 10 Tf/gu)).toEqual(["/G5 10 Tf", "/F 10 Tf"]);
  });

  it.each([
    ["Ẹ́kọ́ yorùbá ọ̀rọ̀", "regular"],
    ["avañe’ẽ g̃uarani, ė̃, z̈", "bold"],
    ["Рука́ 7", "regular"],
    ["हिंदू", "bold"],
  ] as const)(
    "sets %s with the bundled %s font, marks over their letters",
    async (text, weight) => {
      const none = await loadLabelFonts();
      const type = startSubsets(none);
      expect(cleanLine(text, none[weight])).toEqual({ text: text.normalize("NFC"), warnings: [] });
      const operators = type[weight].show(text.normalize("NFC"), 10);
      const [used, ...others] = type.own.used;
      expect(others).toEqual([]);
      expect(used?.font).toBe(none[weight].shaped);
      expect(operators.startsWith(`/${used?.resource ?? ""} 10 Tf `)).toBe(true);
      const line = none[weight].line(text.normalize("NFC"));
      const glyphs = line?.parts.flatMap((part) => ("font" in part ? part.clusters : []));
      expect(
        glyphs?.flatMap((cluster) => cluster.glyphs).some(({ advance }) => advance === 0),
      ).toBe(true);
    },
  );

  it("leaves letters with marks to a font of the job's own that has them", async () => {
    const none = await loadLabelFonts();
    expect(fonts.regular.shapes("होटल 4")).toBe(false);
    expect(none.regular.shapes("होटल 4")).toBe(true);
    expect(none.regular.shapes("Łódź")).toBe(false);
    const operators = startSubsets(fonts).regular.show("होटल", 10);
    expect(operators.match(/\/\w+ 10 Tf/gu)).toEqual(["/G4 10 Tf", "/F 10 Tf"]);
  });

  it("prefers fonts of the text's own weight", async () => {
    const bold = fileURLToPath(
      new URL("../../templates/fonts/noto-sans-hebrew-bold.ttf", import.meta.url),
    );
    const both = await loadLabelFonts([bold, fixture("hebrew.ttf")]);
    expect(both.all.map(({ isBold }) => isBold)).toEqual([true, false]);
    expect(both.regular.own.map(({ isBold }) => isBold)).toEqual([false, true]);
    expect(both.bold.own.map(({ isBold }) => isBold)).toEqual([true, false]);
  });

  it("is measured as it is drawn, with no glyph that its font lacks", () => {
    const words = ["شاي", "לים", "โต๊ะ", "हिन्दी", "東京", "Table", "12", "(3)", "é", "–"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }), (chosen) => {
        const text = chosen.join(" ");
        expect(fonts.regular.missing(text)).toEqual([]);
        const line = fonts.regular.line(text);
        const shaped = line?.parts.flatMap((part) => ("font" in part ? part.clusters : [])) ?? [];
        expect(shaped.flatMap(({ glyphs }) => glyphs).map(({ glyph }) => glyph)).not.toContain(0);
        const said = Array.from(saysOf(text).replaceAll("\u2060", "")).toSorted().join("");
        expect(said).toBe(Array.from(text).toSorted().join(""));
      }),
    );
  });
});

describe("lines and paragraphs", () => {
  it("breaks between words where a script has no blanks, never before a closing sign", () => {
    expect(toWordParts("東京タワー。")).toEqual(["東京タワー。"]);
    expect(toWordParts("「さくら」居酒屋").join("|")).not.toMatch(/「\||\|」/u);
    expect(toWordParts("โต๊ะอาหาร").length).toBeGreaterThan(1);
    expect(toWordParts("Donau-Dampf")).toEqual(["Donau-Dampf"]);
  });

  it("keeps a paragraph's direction and order in every line of it", () => {
    const room = { widthMm: 28, heightMm: 27.9, sizePt: 9 };
    const text = "Table 12 · طاولة 12 · שולחן 7";
    const { lines, warnings } = fitCaption([text], room, { font: fonts.regular });
    expect(warnings).toEqual([]);
    expect(lines).toHaveLength(2);
    // The number goes on with the Arabic words that the line before ends in.
    const [second = ""] = lines.slice(1);
    expect(saysOf(second)).toBe("7 ןחלוש · 12");
    const visible = lines.map((line) => line.replaceAll(/[\u061c\u200e\u200f]/gu, ""));
    expect(visible.join(" ")).toBe(text);
  });

  it("knows the stretches of a line from left to right", () => {
    expect(toVisualRuns("a אב 1")).toEqual([
      { start: 0, end: 2, isRtl: false },
      { start: 5, end: 6, isRtl: false },
      { start: 2, end: 5, isRtl: true },
    ]);
  });

  it("gives scripts room that go higher and lower than capitals", () => {
    const { above, leading } = fonts.regular.lineBox(["ที่"]);
    expect(above).toBeGreaterThan(0.95);
    expect(leading).toBeGreaterThanOrEqual(1.25);
    expect(fonts.regular.lineBox(["Table"])).toEqual({ above: 0.95, below: 0.25, leading: 1.25 });
  });
});

/** A font file of tables. */
function makeSfnt(tag: string, tables: ReadonlyMap<string, Uint8Array>): Buffer {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const header = Buffer.alloc(12 + tables.size * 16);
  header.write(tag, 0, "latin1");
  header.writeUInt16BE(tables.size, 4);
  let offset = header.length;
  for (const [i, [name, bytes]] of sorted.entries()) {
    header.write(name, 12 + i * 16, "latin1");
    header.writeUInt32BE(offset, 20 + i * 16);
    header.writeUInt32BE(bytes.length, 24 + i * 16);
    offset += bytes.length;
  }
  return Buffer.concat([header, ...sorted.map(([, bytes]) => bytes)]);
}

/** Where a table's entry is in a font's directory. */
function findEntry(font: Buffer, tag: string): number {
  for (let at = 12; at < 12 + font.readUInt16BE(4) * 16; at += 16)
    if (font.toString("latin1", at, at + 4) === tag) return at;
  throw new Error(`no table ${tag}`);
}

function readTable(font: Buffer, tag: string): Buffer {
  const at = findEntry(font, tag);
  const offset = font.readUInt32BE(at + 8);
  return Buffer.from(font.subarray(offset, offset + font.readUInt32BE(at + 12)));
}

describe("a CFF subset", () => {
  it("has the outlines and widths of the whole font", async () => {
    const bytes = readFileSync(fixture("cjk.otf"));
    const whole = await OwnFont.open(bytes, "x");
    const ids = whole.shape("東京", { start: 0, end: 2, isRtl: false }).map(({ glyph }) => glyph);
    const glyphs = [0, ...ids].map((glyph) => ({
      width: whole.advance(glyph),
      outline: whole.outline(glyph),
    }));
    const maxp = readTable(bytes, "maxp");
    maxp.writeUInt16BE(glyphs.length, 4);
    const tables = new Map<string, Uint8Array>([
      ["CFF ", makeCff("Cut", glyphs, [0, 0, 1000, 1000])],
      ["maxp", maxp],
      ...["head", "hhea", "hmtx", "cmap"].map((tag) => [tag, readTable(bytes, tag)] as const),
    ]);
    const cut = await OwnFont.open(makeSfnt("OTTO", tables), "x");
    for (const [i, id] of ids.entries()) {
      expect(cut.outline(i + 1).length).toBeGreaterThan(10);
      expect(cut.outline(i + 1)).toEqual(whole.outline(id));
    }
  });
});

const COLR =
  "0001000000000000000000000000000000220000000000000037000000000000000000000001000a0000000a0a000006000d02000040000100000001000a000a00000c010000000001f402bc";
const CPAL = "00000001000100010000000e00000000ffff";

/** Tables of a fixture. */
function readTables(font: Buffer): Map<string, Buffer> {
  const tags = Array.from({ length: font.readUInt16BE(4) }, (_, i) =>
    font.toString("latin1", 12 + i * 16, 16 + i * 16),
  );
  return new Map(tags.map((tag) => [tag, readTable(font, tag)]));
}

async function glyphOf(char: string): Promise<number> {
  const font = await OwnFont.open(readFileSync(fixture("hebrew.ttf")), "x");
  return font.shape(char, { start: 0, end: 1, isRtl: true })[0]?.glyph ?? 0;
}

describe("glyphs", () => {
  it("count as none where a font has colours for them and no outline", async () => {
    const tables = readTables(readFileSync(fixture("hebrew.ttf")));
    const shin = await glyphOf("ש");
    const loca = tables.get("loca") ?? Buffer.alloc(0);
    loca.writeUInt16BE(loca.readUInt16BE(shin * 2 + 2), shin * 2);
    // One colour glyph (shin, identifier 10) in the outline of another, and where it reaches.
    expect(shin).toBe(10);
    tables.set("COLR", Buffer.from(COLR, "hex"));
    tables.set("CPAL", Buffer.from(CPAL, "hex"));
    const font = await OwnFont.open(makeSfnt("\u0000\u0001\u0000\u0000", tables), "x");
    expect(font.ink(shin)).toBeDefined();
    expect(font.has(0x5e9)).toBe(false);
    expect(font.has(0x5d5)).toBe(true);
  });

  it("that a font names but doesn't have are none of its own", async () => {
    const tables = readTables(readFileSync(fixture("hebrew.ttf")));
    tables.get("maxp")?.writeUInt16BE(1, 4);
    const font = await OwnFont.open(makeSfnt("\u0000\u0001\u0000\u0000", tables), "x");
    expect([0x20, 0x5e9].map((codePoint) => font.has(codePoint))).toEqual([false, false]);
    const shaped = font.shape("ש ", { start: 0, end: 2, isRtl: true });
    expect(shaped.map(({ glyph }) => glyph)).toEqual([0, 0]);
  });

  it("lie within the width of their line, marks with a width of their own, too", async () => {
    const tables = readTables(readFileSync(fixture("hebrew.ttf")));
    tables.get("hmtx")?.writeUInt16BE(2500, (await glyphOf("\u05b8")) * 4);
    const file = path.join(folder, "wide-marks.ttf");
    writeFileSync(file, makeSfnt("\u0000\u0001\u0000\u0000", tables));
    const { regular } = await loadLabelFonts([file]);
    const line = regular.line("שָׁ");
    const [part] = line?.parts ?? [];
    if (line === undefined || part === undefined || !("font" in part)) throw new Error("no part");
    let pen = line.before;
    for (const { glyph, advance, x } of part.clusters.flatMap(({ glyphs }) => glyphs)) {
      expect(pen + x).toBeGreaterThanOrEqual(0);
      expect(pen + x + part.font.advance(glyph)).toBeLessThanOrEqual(line.advance + 1e-9);
      pen += advance;
    }
    expect(line.advance).toBeGreaterThan(2500);
  });
});

describe("what no font has", () => {
  it("is named also where it is a flag, and a key says what is on it", async () => {
    expect(cleanLine("שולחן 🇩🇪", fonts.regular).warnings[0]?.message).toContain(
      "no font has 🇩 U+1F1E9, 🇪 U+1F1EA;",
    );
    const { regular } = await loadLabelFonts();
    expect(cleanLine("Table 5\u{FE0F}\u{20E3}", regular)).toEqual({
      text: "Table 5",
      warnings: [],
    });
  });
});

/** A copy of a fixture with its bytes changed. */
function makeFile(name: string, change: (font: Buffer) => Buffer | undefined): string {
  const font = readFileSync(fixture("hebrew.ttf"));
  const file = path.join(folder, name);
  writeFileSync(file, change(font) ?? font);
  return file;
}

const withFsType = (fsType: number) => (font: Buffer) => {
  const offset = font.readUInt32BE(findEntry(font, "OS/2") + 8);
  font.writeUInt16BE(fsType, offset + 8);
  return font;
};

describe("a font that can't stand on sheets", () => {
  it.each([
    ["none.ttf", undefined, "must be readable, got ENOENT"],
    ["no-embedding.ttf", withFsType(0x0002), "got fsType 0x0002 (restricted licence)"],
    ["no-subset.ttf", withFsType(0x0104), "got fsType 0x0104 (no subsetting)"],
    ["bitmaps.ttf", withFsType(0x0200), "got fsType 0x0200 (bitmaps only)"],
    ["cut.ttf", (font: Buffer) => font.subarray(0, 900), "a file that ends too early"],
    ["short.ttf", (font: Buffer) => font.subarray(0, 40), "a file that ends too early"],
    ["text.ttf", () => Buffer.from("no font at all, but words"), "25 bytes of something else"],
    ["empty.ttf", () => Buffer.alloc(0), "0 bytes of something else"],
    [
      "web.woff2",
      (font: Buffer) => Buffer.concat([Buffer.from("wOF2"), font.subarray(4)]),
      "got a web font (WOFF)",
    ],
    [
      "loca.ttf",
      (font: Buffer) => font.fill(0xff, font.readUInt32BE(findEntry(font, "loca") + 8) + 2),
      "got broken outlines",
    ],
    [
      "pictures.ttf",
      (font: Buffer) => {
        font.write("sbix", findEntry(font, "glyf"), "latin1");
        return font;
      },
      "got a font of pictures",
    ],
  ])("is refused with its field and file: %s", async (name, change, says) => {
    const file = change === undefined ? path.join(folder, name) : makeFile(name, change);
    const error = await loadLabelFonts([fixture("hebrew.ttf"), file]).catch(
      (thrown: unknown) => thrown as AppError,
    );
    expect(error).toMatchObject({ code: "bad-usage", where: { file } });
    expect((error as AppError).message).toMatch(/^output\.sheets\.fonts\[1\] must /u);
    expect((error as AppError).message).toContain(says);
  });

  it("may be embedded for viewing and printing, for editing, or freely", async () => {
    for (const fsType of [0, 0x0004, 0x0008, 0x000a]) {
      const file = makeFile(`free-${fsType}.ttf`, withFsType(fsType));
      expect((await loadLabelFonts([file])).all).toHaveLength(1);
    }
  });
});

describe("the census of characters", () => {
  it("names rows, characters and the field, once for all", async () => {
    const census = await openGlyphCensus({ fonts: [fixture("hebrew.ttf")] });
    census.add("1", ["שולחן 1"]);
    for (const key of ["2", "3 / ", 'Li / {"mail":"a@b.example"}', "5"])
      census.add(key, ["Bar ☕", "北京"]);
    expect(census.warnings()).toEqual([
      {
        message:
          'the labels of 4 rows ("2", "3", "Li" and 1 more) must show characters that no font has: ☕ U+2615, 北 U+5317, 京 U+4EAC; name fonts that have them in output.sheets.fonts, or lines in scripts that no font has are left out, and the labels show \u{FFFD} for other characters',
      },
    ]);
  });

  it.each([
    ["Bar ☀", "or the labels show \u{FFFD} in their place"],
    ["שולחן", "or the lines in such scripts are left out"],
    [
      "Bar ☀\nשולחן",
      "or lines in scripts that no font has are left out, and the labels show \u{FFFD} for other characters",
    ],
  ])("says what becomes of %j, as the labels do", async (text, says) => {
    const census = await openGlyphCensus({});
    census.add("1", [text]);
    expect(census.warnings()[0]?.message).toMatch(new RegExp(`${says}$`, "u"));
  });

  it("counts as people write numbers", async () => {
    const census = await openGlyphCensus({});
    for (let row = 1; row <= 1003; row += 1) census.add(String(row), ["☀"]);
    const says = 'the labels of 1,003 rows ("1", "2", "3" and 1,000 more)';
    expect(census.warnings()[0]?.message).toContain(says);
  });

  it("is silent where fonts have all", async () => {
    const census = await openGlyphCensus({ fonts: files });
    census.add("1", ["שולחן 1", "東京", "Łódź 7"]);
    expect(census.warnings()).toEqual([]);
  });
});

const captions = [
  ["طاولة 12", "مطعم البحر"],
  ["שולחן 12", "מלון הים (3)"],
  ["โต๊ะที่ร้านอาหาร", "น้ำปู่"],
  ["होटल हिन्दी 4"],
  ["三番テーブル「さくら」東京タワー", "北京饭店 12"],
  ["Table 12 · طاولة 12 · שולחן 7"],
];

async function makeOptions(changes: Partial<SheetOptions>): Promise<SheetOptions> {
  return {
    sheet: await loadSheet("a4-24up-63.5x33.9"),
    title: "Fonts",
    createdAt: "2026-11-20T10:00:00Z",
    slug: { job: "מלון הים", input: "a.csv", inputHash: "9f86d081884c", rehearsal: false },
    marks: [],
    fonts: files,
    ...changes,
  };
}

describe("accents without fonts of the job's own", () => {
  it.each([undefined, "first-line"] as const)(
    "stand on sheets that are proven: %s bold",
    async (captionBold) => {
      const slug = { job: "Ọ̀rọ̀", input: "a.csv", inputHash: "", rehearsal: false };
      const options = await makeOptions({ fonts: undefined, slug, captionBold });
      const out = path.join(folder, "accents.pdf");
      const records = [{ key: "1", payload: "A", level: "Q", caption: ["Ẹ́kọ́", "z̈"] }] as const;
      const { volumes, cells, warnings } = await writeSheets(options, records, out);
      const proof = await verifySheets({ options, volumes, cells, workers: 1 });
      expect([warnings, proof.findings, proof.decoded]).toEqual([[], [], 1]);
    },
  );
});

describe.each(["PDF/X-4", "PDF/X-1a:2003"] as const)("sheets in many scripts, %s", (standard) => {
  const file = path.join(folder, `${standard.replaceAll(/\W/gu, "")}.pdf`);
  const records = captions.map((caption, i) => ({
    key: `row-${i}`,
    payload: `https://qr.example/${i}`,
    level: "Q" as const,
    caption,
  }));

  it("keep every rule, and every code is read back", async () => {
    const options = await makeOptions({ standard });
    const { volumes, cells, warnings } = await writeSheets(options, records, file);
    expect(warnings).toEqual([]);
    const proof = await verifySheets({ options, volumes, cells, workers: 1 });
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(captions.length);
    const first = readFileSync(file);
    await writeSheets(options, records, file);
    expect(readFileSync(file).equals(first)).toBe(true);
  });

  const hasPoppler = spawnSync("pdftotext", ["-v"], { stdio: "ignore" }).error === undefined;
  it.skipIf(!hasPoppler)("can be copied from, in the order in which they are read", async () => {
    await writeSheets(await makeOptions({ standard }), records, file);
    const text = execFileSync("pdftotext", [file, "-"], { encoding: "utf8" });
    const plain = text.replaceAll(/[\u202a-\u202e]/gu, "");
    for (const says of [
      "طاولة",
      "مطعم البحر",
      "שולחן",
      "מלון הים",
      "น้ำปู่",
      "होटल हिन्दी 4",
      "北京饭店 12",
    ])
      expect(plain).toContain(says);
    const fontsOf = execFileSync("pdffonts", [file], { encoding: "utf8" }).split("\n").slice(2, -1);
    expect(fontsOf).toHaveLength(6);
    for (const line of fontsOf) expect(line).toMatch(/^[A-Z]{6}\+.* yes yes yes /u);
  });
});

/** Several fonts in one file, those tables that are equal there once. */
function toCollection(fonts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(12 + fonts.length * 4);
  header.write("ttcf", "latin1");
  header.writeUInt32BE(0x00010000, 4);
  header.writeUInt32BE(fonts.length, 8);
  let end = header.length;
  const moved = fonts.map((font, i) => {
    header.writeUInt32BE(end, 12 + i * 4);
    const copy = Buffer.from(font);
    for (let at = 12; at < 12 + copy.readUInt16BE(4) * 16; at += 16)
      copy.writeUInt32BE(copy.readUInt32BE(at + 8) + end, at + 8);
    end += copy.length;
    return copy;
  });
  return Buffer.concat([header, ...moved]);
}

const load = (named: string) =>
  loadLabelFonts([named]).catch((thrown: unknown) => thrown as AppError);

describe("a font of a collection", () => {
  const file = path.join(folder, "two.ttc");
  beforeAll(() => {
    const two = ["hebrew.ttf", "thai.ttf"].map((name) => readFileSync(fixture(name)));
    writeFileSync(file, toCollection(two));
  });

  it("is taken by its index, and shapes as the same font in a file of its own", async () => {
    for (const [index, name, text] of [
      [0, "hebrew.ttf", "שולחן"],
      [1, "thai.ttf", "โต๊ะ"],
    ] as const) {
      const [one, own] = [await load(`${file}#${index}`), await load(fixture(name))].map(
        (found) => (found as LabelFonts).all[0] as OwnFont,
      ) as [OwnFont, OwnFont];
      const run = { start: 0, end: text.length, isRtl: index === 0 };
      expect(one.name).toBe(own.name);
      expect(one.shape(text, run)).toEqual(own.shape(text, run));
      expect(one.shape(text, run).every(({ glyph }) => glyph > 0)).toBe(true);
    }
  });

  it("stands on sheets that are proven", async () => {
    const options = await makeOptions({ fonts: [`${file}#0`] });
    const records = [{ key: "1", payload: "A", level: "Q", caption: ["שולחן"] }] as const;
    const out = path.join(folder, "ttc.pdf");
    const { volumes, cells, warnings } = await writeSheets(options, records, out);
    expect(warnings).toEqual([]);
    const proof = await verifySheets({ options, volumes, cells, workers: 1 });
    expect([proof.findings, proof.decoded]).toEqual([[], 1]);
  });

  it.each([
    ["two.ttc", "as two.ttc#0 to #1, got a collection of 2"],
    ["two.ttc#2", "as two.ttc#0 to #1, got #2 of 2"],
    ["one.ttc#0", "must be a collection to take font 0 of, got a single font"],
    ["cut.ttc#1", "must be a whole collection, got a cut one"],
    ["loop.ttc#0", "must be a whole collection, got a cut one"],
  ])("%s is refused with what to write", async (named, says) => {
    const whole = readFileSync(file);
    writeFileSync(path.join(folder, "one.ttc"), readFileSync(fixture("thai.ttf")));
    writeFileSync(path.join(folder, "cut.ttc"), whole.subarray(0, whole.length - 5000));
    const loop = Buffer.from(whole);
    loop.writeUInt32BE(0, 12);
    writeFileSync(path.join(folder, "loop.ttc"), loop);
    const error = await load(path.join(folder, named));
    expect(error).toMatchObject({ code: "bad-usage" });
    expect((error as AppError).message).toContain(says);
  });
});
