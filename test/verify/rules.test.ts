import { PDFArray, PDFHexString, type PDFRawStream, PDFString } from "pdf-lib";
import { beforeAll, describe, expect, it } from "vitest";

import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import type { SheetOptions } from "../../src/print/sheets.ts";
import type { Finding } from "../../src/verify/rules/finding.ts";
import { openPdfFile } from "../../src/verify/pdf/pdf-file.ts";
import { checkRules, rules } from "../../src/verify/rules/rules.ts";
import { type ExpectedCell, makeFileContext } from "../../src/verify/rules/sheet-context.ts";
import { box, makeArt, makeCode, makeShape } from "../print/make-art.ts";
import { makePressJob, type PressJob, spoilContent, spoilObjects, type Surgery } from "./press.ts";

let good: PressJob;
let x1a: PressJob;
beforeAll(async () => {
  good = await makePressJob();
  x1a = await makePressJob({ standard: "PDF/X-1a:2003" });
});

async function check(
  job: PressJob,
  bytes: Uint8Array,
  cells: readonly ExpectedCell[] = job.written.cells,
): Promise<Finding[]> {
  const file = await openPdfFile(bytes);
  return checkRules(
    makeFileContext({ file, name: "t.pdf", volume: 1, options: job.options, cells }),
  );
}

const ids = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map((finding) => finding.rule)),
];

describe("a good file", () => {
  it("passes every rule in both standards, and after another writer has packed it", async () => {
    expect(await check(good, good.bytes)).toEqual([]);
    expect(await check(x1a, x1a.bytes)).toEqual([]);
    expect(await check(good, await spoilObjects(good.bytes, () => undefined))).toEqual([]);
    expect(await check(good, await spoilContent(good.bytes, (content) => content))).toEqual([]);
  });

  it("passes on pre-cut stock, in a rehearsal, with small codes and none of the defaults", async () => {
    const changes = [
      { slug: { ...good.options.slug, rehearsal: true } },
      { xDimensionMm: 0.396, deviceDpi: 1200, captionLines: 1 },
      { deviceDpi: undefined, captionLines: 0, marks: [] },
      { marks: ["crop", "registration"] },
      { marks: ["registration"] },
      { marks: ["bar"] },
      { marks: ["crop", "registration", "bar"], bleedMm: 1 },
      { marks: ["crop", "registration", "bar"], bleedMm: 8, standard: "PDF/X-1a:2003" },
      { order: "cut-and-stack", corner: "bottom-right", reverse: true },
    ] as const;
    for (const change of changes) {
      const job = await makePressJob(change, 26);
      expect(await check(job, job.bytes)).toEqual([]);
    }
  });
});

const xmpEdit = (edit: (xmp: string) => string) => (s: Surgery) => {
  const stream = s.context.lookup(s.catalog.get(s.name("Metadata"))) as PDFRawStream;
  const text = edit(Buffer.from(stream.contents).toString("utf8"));
  s.catalog.set(
    s.name("Metadata"),
    s.context.register(
      s.context.stream(Buffer.from(text, "utf8"), { Type: "Metadata", Subtype: "XML" }),
    ),
  );
};

const intentOf = (s: Surgery): ReturnType<Surgery["dict"]> =>
  s.dict(
    (
      s.context.lookup(s.catalog.get(s.name("OutputIntents"))) as unknown as {
        get(i: number): Parameters<Surgery["dict"]>[0];
      }
    ).get(0),
  );

const fontOf = (s: Surgery): ReturnType<Surgery["dict"]> =>
  s.dict(s.dict(s.dict(s.page.get(s.name("Resources"))).get(s.name("Font"))).get(s.name("F")));
const stateOf = (s: Surgery): ReturnType<Surgery["dict"]> =>
  s.dict(s.dict(s.dict(s.page.get(s.name("Resources"))).get(s.name("ExtGState"))).get(s.name("O")));

/** rule, what is wrong, how the objects are spoiled, what must be said. */
const objectCases: [rule: string, name: string, spoil: (s: Surgery) => void, message: RegExp][] = [
  [
    "structure",
    "a reference to nothing",
    (s) => s.page.set(s.name("Parent"), s.context.nextRef()),
    /is referred to, but does not exist/u,
  ],
  [
    "identity",
    "no ID",
    (s) => {
      delete s.context.trailerInfo.ID;
    },
    /\/ID of two 16-byte strings/u,
  ],
  [
    "identity",
    "a short ID",
    (s) => {
      s.context.trailerInfo.ID = s.context.obj([PDFHexString.of("00"), PDFHexString.of("00")]);
    },
    /16-byte/u,
  ],
  [
    "forbidden",
    "JavaScript",
    (s) =>
      s.catalog.set(
        s.name("OpenAction"),
        s.context.obj({ S: "JavaScript", JS: PDFString.of("x") }),
      ),
    /JavaScript \(\/JS\)/u,
  ],
  [
    "forbidden",
    "a form",
    (s) => s.catalog.set(s.name("AcroForm"), s.context.obj({ Fields: [] })),
    /a form/u,
  ],
  [
    "forbidden",
    "a transfer curve",
    (s) => stateOf(s).set(s.name("TR"), s.name("Identity")),
    /a transfer curve/u,
  ],
  [
    "forbidden",
    "an embedded file",
    (s) => s.catalog.set(s.name("Names"), s.context.obj({ EmbeddedFiles: {} })),
    /an embedded file/u,
  ],
  [
    "forbidden",
    "LZW",
    (s) => {
      s.context.register(s.context.stream("x", { Filter: "LZWDecode" }));
    },
    /filter LZWDecode/u,
  ],
  ["version-key", "no XMP", (s) => s.catalog.delete(s.name("Metadata")), /must have XMP/u],
  [
    "version-key",
    "packed XMP",
    (s) =>
      s.catalog.set(
        s.name("Metadata"),
        s.context.register(s.context.flateStream("<x/>", { Type: "Metadata" })),
      ),
    /without filter/u,
  ],
  [
    "version-key",
    "another version",
    xmpEdit((xmp) => xmp.replace("PDF/X-4", "PDF/X-3")),
    /GTS_PDFXVersion PDF\/X-4, got PDF\/X-3/u,
  ],
  [
    "version-key",
    "another namespace",
    xmpEdit((xmp) => xmp.replace("npes.org/pdfx/ns/id/", "npes.org/pdfx/ns/")),
    /GTS_PDFXVersion/u,
  ],
  [
    "version-key",
    "broken XML",
    xmpEdit((xmp) => xmp.replace("</rdf:RDF>", "")),
    /not well-formed/u,
  ],
  ["version-key", "a bare ampersand", xmpEdit((xmp) => xmp.replace("&amp;", "&")), /bare < or &/u],
  [
    "description",
    "another title",
    (s) => s.info.set(s.name("Title"), PDFString.of("Other")),
    /Info title must be "Tables & more <north>", got "Other"/u,
  ],
  [
    "description",
    "Trapped as a text",
    (s) => s.info.set(s.name("Trapped"), PDFString.of("False")),
    /Trapped must be the name/u,
  ],
  [
    "description",
    "Trapped unknown",
    (s) => s.info.set(s.name("Trapped"), s.name("Unknown")),
    /Trapped must be the name/u,
  ],
  ["description", "no date", (s) => s.info.delete(s.name("ModDate")), /must have ModDate/u],
  [
    "description",
    "dates that disagree",
    xmpEdit((xmp) => xmp.replace("<xmp:CreateDate>2026", "<xmp:CreateDate>2025")),
    /xmp:CreateDate must agree/u,
  ],
  [
    "description",
    "no document id",
    xmpEdit((xmp) => xmp.replaceAll(/<xmpMM:DocumentID>[^<]*/gu, "<xmpMM:DocumentID>")),
    /must have xmpMM:DocumentID/u,
  ],
  [
    "output-intent",
    "none",
    (s) => s.catalog.delete(s.name("OutputIntents")),
    /one output intent GTS_PDFX, got 0/u,
  ],
  [
    "output-intent",
    "no condition",
    (s) => intentOf(s).delete(s.name("OutputConditionIdentifier")),
    /must have OutputConditionIdentifier/u,
  ],
  [
    "output-intent",
    "no profile",
    (s) => intentOf(s).delete(s.name("DestOutputProfile")),
    /must embed its profile/u,
  ],
  [
    "output-intent",
    "a cut-off profile",
    (s) =>
      intentOf(s).set(
        s.name("DestOutputProfile"),
        s.context.register(s.context.flateStream(new Uint8Array(200), { N: 4 })),
      ),
    /must be an ICC profile/u,
  ],
  [
    "output-intent",
    "three channels",
    (s) =>
      s
        .dict(
          intentOf(s).get(s.name("DestOutputProfile")) &&
            (s.context.lookup(intentOf(s).get(s.name("DestOutputProfile"))) as PDFRawStream).dict,
        )
        .set(s.name("N"), s.context.obj(3)),
    /\/N 4, got 3/u,
  ],
  ["boxes", "no TrimBox", (s) => s.page.delete(s.name("TrimBox")), /must have a TrimBox/u],
  [
    "boxes",
    "an ArtBox",
    (s) => s.page.set(s.name("ArtBox"), s.context.obj([0, 0, 10, 10])),
    /no ArtBox/u,
  ],
  ["boxes", "a turned page", (s) => s.page.set(s.name("Rotate"), s.context.obj(90)), /no Rotate/u],
  [
    "boxes",
    "a bleed box inside the trim",
    (s) => s.page.set(s.name("BleedBox"), s.context.obj([100, 100, 200, 200])),
    /TrimBox must lie inside/u,
  ],
  [
    "boxes",
    "another size",
    (s) => s.page.set(s.name("TrimBox"), s.context.obj([28.346, 48.189, 623.722, 890.079])),
    /trimmed size must be 210.000 x 297.000 mm, got 210.035/u,
  ],
  [
    "fonts",
    "no embedded file",
    (s) =>
      s
        .dict(
          s
            .dict(
              (
                s.context.lookup(fontOf(s).get(s.name("DescendantFonts"))) as unknown as {
                  get(i: number): Parameters<Surgery["dict"]>[0];
                }
              ).get(0),
            )
            .get(s.name("FontDescriptor")),
        )
        .delete(s.name("FontFile2")),
    /must be embedded/u,
  ],
  [
    "fonts",
    "no subset tag",
    (s) => fontOf(s).set(s.name("BaseFont"), s.name("NotoSans-Regular")),
    /subset tag/u,
  ],
  [
    "colors",
    "an RGB space",
    (s) =>
      s
        .dict(s.page.get(s.name("Resources")))
        .set(s.name("ColorSpace"), s.context.obj({ C: ["CalRGB", {}] })),
    /colour space CalRGB/u,
  ],
  [
    "spots",
    "a spot ink",
    (s) => {
      s.context.register(s.context.obj(["Separation", "CutContour", "DeviceCMYK", {}]));
    },
    /spot ink "CutContour" is not one/u,
  ],
  [
    "layers",
    "layers",
    (s) => s.catalog.set(s.name("OCProperties"), s.context.obj({})),
    /no layers/u,
  ],
  ["transparency", "alpha", (s) => stateOf(s).set(s.name("ca"), s.context.obj(0.5)), /alpha 0.5/u],
  [
    "transparency",
    "a blend mode",
    (s) => stateOf(s).set(s.name("BM"), s.name("Multiply")),
    /Multiply/u,
  ],
  [
    "transparency",
    "a soft mask",
    (s) => stateOf(s).set(s.name("SMask"), s.context.obj({ S: "Alpha" })),
    /soft mask/u,
  ],
  [
    "annotations",
    "a note",
    (s) => s.page.set(s.name("Annots"), s.context.obj([{ Subtype: "Text" }])),
    /no annotations/u,
  ],
  [
    "text",
    "text that knocks out",
    (s) => {
      stateOf(s).set(s.name("OP"), s.context.obj(false));
      stateOf(s).set(s.name("op"), s.context.obj(false));
    },
    /must overprint/u,
  ],
];

describe("rules catch spoiled objects", () => {
  it.each(objectCases)("%s: %s", async (rule, _, spoil, message) => {
    const findings = await check(good, await spoilObjects(good.bytes, spoil));
    const said = findings
      .filter((finding) => finding.rule === rule)
      .map((finding) => finding.message);
    expect(said.join("\n")).toMatch(message);
  });

  it("version-key: PDF/X-1a without its claim", async () => {
    const findings = await check(
      x1a,
      await spoilObjects(x1a.bytes, (s) => s.info.delete(s.name("GTS_PDFXConformance"))),
    );
    expect(findings.map((finding) => finding.message)).toEqual([
      "Info must say GTS_PDFXConformance PDF/X-1a:2003, got nothing",
    ]);
  });
});

const firstCode = /q [\d.]+ 0 0 [\d.]+ [\d.]+ [\d.]+ cm\n(?:\d+ \d+ \d+ \d+ re\n)+f\nQ\n/u;
const moved = (by: number) => (content: string) =>
  content.replace(
    /(q [\d.]+ 0 0 [\d.]+ )([\d.]+)/u,
    (_, head: string, x: string) => `${head}${(Number(x) + by).toFixed(3)}`,
  );

/** rule, what is wrong, how the operators are spoiled, what must be said. */
const contentCases: [
  rule: string,
  name: string,
  spoil: (content: string) => string,
  message: RegExp,
][] = [
  [
    "fonts",
    "a glyph that the font lacks",
    (c) => c.replace(/<[0-9a-f]{4}/u, "<0fff"),
    /glyph 4095 .* is shown, but not in it/u,
  ],
  [
    "colors",
    "rich black",
    (c) => c.replace("0 0 0 1 k", "0.5 0.4 0.4 1 k"),
    /must be 0 0 0 1 k, got DeviceCMYK 0.5 0.4 0.4 1/u,
  ],
  ["colors", "RGB", (c) => c.replace("0 0 0 1 k", "0 0 0 rg"), /operator rg/u],
  ["colors", "grey by default", (c) => c.replace("0 0 0 1 k", ""), /got DeviceGray 0/u],
  ["colors", "unbalanced state", (c) => `${c}\nq`, /1 q without Q/u],
  ["colors", "a state that is not there", (c) => c.replace("/O gs", "/X gs"), /graphics state X/u],
  ["images", "an image in a code", (c) => `${c}\nq 60 0 0 60 70 770 cm /I Do Q`, /no image/u],
  [
    "images",
    "an inline image",
    (c) => `${c}\nq 60 0 0 60 70 770 cm BI /W 1 /H 1 ID x EI Q`,
    /no image/u,
  ],
  [
    "single-fill",
    "a fill per run",
    (c) => c.replace("re\n", "re\nf\n"),
    /one path with one fill, got 2 fills/u,
  ],
  [
    "single-fill",
    "a code that is missing",
    (c) => c.replace(firstCode, ""),
    /one path with one fill, got 0 fills/u,
  ],
  [
    "single-fill",
    "a triangle in the code",
    (c) => c.replace("f\nQ", "0 0 m 1 1 l 2 0 l h f\nQ"),
    /rectangles only/u,
  ],
  [
    "single-fill",
    "a code 0.1 mm off",
    moved(0.284),
    /stand where the map says, got it 0.100 mm off/u,
  ],
  ["single-fill", "a box beside the labels", (c) => `${c}\n10 10 5 5 re f`, /outside the labels/u],
  [
    "modules",
    "X off the grid",
    (c) => c.replace(/q ([\d.]+) 0 0 ([\d.]+)/u, "q 2.05 0 0 2.05"),
    /whole pixels at 600 dpi, got 17.083/u,
  ],
  ["modules", "an origin off the grid", moved(0.05), /start on the grid of 600 dpi/u],
  [
    "quiet-zone",
    "a line through it",
    (c) => `${c}\nq /O gs 0 0 0 1 K 0.25 w 60 800 m 64 800 l S Q`,
    /quiet zone of 4X must be free, got a stroke/u,
  ],
  [
    "quiet-zone",
    "text in it",
    (c) => c.replace(/1 0 0 1 [\d.]+ ([\d.]+) Tm/u, "1 0 0 1 120 $1 Tm"),
    /got a text/u,
  ],
  ["safe-area", "a code at the cut", moved(-8), /must stay in the safe area/u],
  [
    "text",
    "too small",
    (c) => c.replace(/\/F [\d.]+ Tf/u, "/F 3.5 Tf"),
    /at least 4 pt, got 3.50/u,
  ],
  [
    "text",
    "out of its label",
    (c) => c.replace(/1 0 0 1 [\d.]+ ([\d.]+) Tm/u, "1 0 0 1 185 $1 Tm"),
    /safe area/u,
  ],
  [
    "marks",
    "a mark that is missing",
    (c) => c.replace(/[\d.]+ [\d.]+ m [\d.]+ [\d.]+ l\n/u, ""),
    /must have 2 crop marks, got 1/u,
  ],
  [
    "marks",
    "a mark drawn twice",
    (c) => c.replace(/([\d.]+ [\d.]+ m [\d.]+ [\d.]+ l\n)/u, "$1$1"),
    /must have 2 crop marks, got 3/u,
  ],
  ["marks", "a hairline", (c) => c.replace("0.25 w", "0.1 w"), /at least 0.25 pt wide, got 0.1/u],
  [
    "marks",
    "a line on the sheet",
    (c) => c.replace("S Q", "300 400 m 300 500 l S Q"),
    /must stay outside the bleed/u,
  ],
  [
    "marks",
    "a line that is no mark",
    (c) => c.replace("S Q", "5 400 m 15 420 l S Q"),
    /1 lines are no crop marks/u,
  ],
  [
    "marks",
    "slug on a mark",
    (c) => c.replace(/(.*)1 0 0 1 [\d.]+ [\d.]+ Tm/su, "$11 0 0 1 40 30 Tm"),
    /must not touch/u,
  ],
  [
    "ink-total",
    "too much ink",
    (c) => c.replace("0 0 0 1 k", "1 1 1 1 k"),
    /300% at most, got 400%/u,
  ],
  ["colors", "broken syntax", (c) => `${c}\n(`, /not PDF syntax/u],
];

describe("rules catch spoiled pages", () => {
  it.each(contentCases)("%s: %s", async (rule, _, spoil, message) => {
    const findings = await check(good, await spoilContent(good.bytes, spoil));
    const said = findings.filter((finding) => finding.rule === rule);
    expect(said.map((finding) => finding.message).join("\n")).toMatch(message);
    for (const finding of said)
      expect(finding).toMatchObject({ severity: "error", file: "t.pdf", page: 1 });
  });

  it("name the row whose label is spoiled", async () => {
    const findings = await check(
      good,
      await spoilContent(good.bytes, (content) => content.replace(firstCode, "")),
    );
    expect(findings).toEqual([
      expect.objectContaining({ rule: "single-fill", page: 1, row: 1, column: 1, key: "north/1" }),
    ]);
  });

  it("marks: a registration target that has lost its circle", async () => {
    const job = await makePressJob({ marks: ["crop", "registration"] });
    const findings = await check(
      job,
      await spoilContent(job.bytes, (content) =>
        content.replace(/[\d.]+ [\d.]+ m\n(?:[\d. ]+ c\n)+h\n/u, ""),
      ),
    );
    expect(findings.map((finding) => finding.message)).toEqual([
      "registration mark must be 3 lines, got 2",
    ]);
  });

  it.each([
    ["lost", (content: string) => content.replace(/0 0 0 0\.5 k [\d. ]+ re f\n/u, ""), ["marks"]],
    ["of another shade", (content: string) => content.replace("0 0 0 0.5 k", "0 0 0 0.6 k"), null],
    ["of another ink", (content: string) => content.replace("0 0 0 0.5 k", "0.5 0 0 0 k"), null],
    [
      "moved",
      (content: string) => content.replace(/(0 0 0 0\.5 k) [\d.]+/u, "$1 3"),
      ["colors", "single-fill", "marks"],
    ],
  ] as const)("marks: a field of the colour bar that is %s", async (_, spoil, rules) => {
    const job = await makePressJob({ marks: ["crop", "bar"] });
    const findings = await check(job, await spoilContent(job.bytes, spoil));
    expect(ids(findings)).toEqual(rules ?? ["colors", "single-fill", "marks"]);
    expect(findings.map(({ message }) => message)).toContain(
      "colour bar must have 5 fields, got 4",
    );
  });

  it("calibration: a page that is drawn through another one, or none", async () => {
    const calibration = {
      printer: "office",
      offsetXMm: 0.6,
      offsetYMm: -1.2,
      scaleX: 1.004,
      scaleY: 0.997,
    };
    const changes = { calibration, marks: ["crop", "registration", "bar"], dieLine: {} } as const;
    const job = await makePressJob(changes);
    expect(await check(job, job.bytes)).toEqual([]);
    expect(job.written.warnings.join()).toContain("modules can't be on the grid of 600 dpi");
    const shifted = { calibration: { ...calibration, scaleX: 1, scaleY: 1 } };
    const onGrid = await makePressJob({ ...changes, ...shifted, standard: "PDF/X-1a:2003" });
    expect(await check(onGrid, onGrid.bytes)).toEqual([]);
    const turned = await makePressJob({
      ...changes,
      calibration: { ...calibration, turnDegrees: -1.4 },
    });
    expect(await check(turned, turned.bytes)).toEqual([]);
    expect(turned.written.warnings.join()).toContain("printer office turns pages: modules can't");
    const { calibration: _, ...without } = job.options;
    for (const options of [without, { ...job.options, ...shifted }]) {
      expect(ids(await check({ ...job, options }, job.bytes))).toContain("single-fill");
    }
  });

  it("rehearsal: a sheet that does not say so, and one that says so without need", async () => {
    const rehearsal = await makePressJob({ slug: { ...good.options.slug, rehearsal: true } });
    expect(ids(await check({ ...good, options: rehearsal.options }, good.bytes))).toEqual([
      "rehearsal",
    ]);
    expect(ids(await check({ ...rehearsal, options: good.options }, rehearsal.bytes))).toEqual([
      "rehearsal",
    ]);
  });
});

describe("rules catch spoiled files and maps", () => {
  it("structure: another version in the header", async () => {
    const bytes = Buffer.from(good.bytes);
    bytes.write("7", 7);
    expect(await check(good, bytes)).toEqual([
      expect.objectContaining({
        rule: "structure",
        message: "header must say %PDF-1.6 for PDF/X-4, got 1.7",
      }),
    ]);
  });

  it.each([["PDF/X-4"], ["PDF/X-1a:2003"]])(
    "structure: an object that is not where %s says",
    async (standard) => {
      const job = standard === "PDF/X-4" ? good : x1a;
      const at = Buffer.from(job.bytes).indexOf("endobj\n");
      const bytes = Buffer.concat([
        job.bytes.subarray(0, at + 7),
        Buffer.from("\n"),
        job.bytes.subarray(at + 7),
      ]);
      const findings = await check(job, bytes);
      expect(ids(findings)).toEqual(["structure"]);
      expect(findings[0]?.message).toMatch(/cross-reference|does not stand at byte/u);
    },
  );

  it("page-count: a page that the map does not know", async () => {
    const longer = await makePressJob({}, 30);
    const findings = await check(
      longer,
      longer.bytes,
      longer.written.cells.filter((cell) => cell.page === 1),
    );
    expect(ids(findings)).toContain("page-count");
  });

  it("sheet-map: a cell given twice, an invalid hash, a cell without key", async () => {
    const [first, second, ...rest] = good.written.cells;
    if (first === undefined || second === undefined) throw new Error("no cells");
    const cells = [
      first,
      { ...second, row: first.row, column: first.column, label: first.label, code: first.code },
      ...rest,
    ];
    expect(ids(await check(good, good.bytes, cells))).toContain("sheet-map");
    expect(
      ids(await check(good, good.bytes, [{ ...first, payloadHash: "abc" }, second, ...rest])),
    ).toContain("sheet-map");
    expect(ids(await check(good, good.bytes, [{ ...first, key: "" }, second, ...rest]))).toContain(
      "sheet-map",
    );
  });

  it("safe-area: a map that puts labels elsewhere than the sheet", async () => {
    const cells = good.written.cells.map((cell) => ({
      ...cell,
      label: { ...cell.label, x: cell.label.x + 1 },
    }));
    expect(ids(await check(good, good.bytes, cells))).toContain("safe-area");
  });
});

/** On a file with die lines. */
const dieCases: [
  rule: string,
  name: string,
  spoil: (content: string) => string,
  message: RegExp,
][] = [
  [
    "die-line",
    "none on the page",
    (c) => c.replace(/\/OC[\s\S]*EMC/u, ""),
    /must have its die lines/u,
  ],
  [
    "die-line",
    "off its layer",
    (c) => c.replace("/OC /L BDC", "").replace("EMC", ""),
    /layer of group Structural, type Cutting, got none, none/u,
  ],
  ["die-line", "not on top", (c) => `${c}\n0 0 0 1 K 2 2 m 2 9 l S`, /on top of everything/u],
  [
    "die-line",
    "half its ink",
    (c) => c.replace("/D CS 1 SCN", "/D CS 0.5 SCN"),
    /100% of its ink, got 0.5/u,
  ],
  [
    "die-line",
    "an edge that is missing",
    (c) => c.replace(/(SCN 0.25 w\n)[^\n]*\n/u, "$1"),
    /row 1, column 1 must be cut once all round, got 0/u,
  ],
  [
    "die-line",
    "an edge cut twice",
    (c) => c.replace(/(SCN 0.25 w\n)([^\n]*\n)/u, "$1$2$2"),
    /got 2 lines at an edge/u,
  ],
  [
    "colors",
    "a fill in its ink",
    (c) => c.replace("0 0 0 1 k", "/D cs 1 scn"),
    /fill must be 0 0 0 1 k, got D 1/u,
  ],
];

const dieObjectCases: [rule: string, spoil: (s: Surgery) => void, message: RegExp][] = [
  [
    "layers",
    (s) =>
      s.dict(s.dict(s.catalog.get(s.name("OCProperties"))).get(s.name("D"))).delete(s.name("ON")),
    /must be on in the default configuration/u,
  ],
  [
    "layers",
    (s) => s.catalog.delete(s.name("OCProperties")),
    /must have the layer of its die lines/u,
  ],
  [
    "spots",
    (s) => void s.context.register(s.context.obj(["Separation", "cutcontour", "DeviceCMYK", {}])),
    /"cutcontour" is not one of the job's/u,
  ],
  [
    "spots",
    (s) => void s.context.register(s.context.obj(["Separation", "All", "DeviceCMYK", {}])),
    /"All" is not one of the job's/u,
  ],
];

describe("die lines", () => {
  it("pass in both standards, square, rounded and round", async () => {
    const rounded = { ...(await loadSheet("avery-l7651")), stock: "plain" } as const;
    const round = { ...(await loadSheet("avery-5293")), stock: "plain" } as const;
    const changes: Partial<SheetOptions>[] = [
      { dieLine: {} },
      {
        dieLine: { spot: "DIE LINE", step: "PartialCutting" },
        standard: "PDF/X-1a:2003",
        marks: [],
      },
      { dieLine: { spot: "ContourCutLine" }, marks: ["crop", "registration"], sheet: rounded },
      { dieLine: {}, sheet: round },
    ];
    for (const change of changes) {
      const job = await makePressJob(change);
      expect(await check(job, job.bytes)).toEqual([]);
    }
  });

  it("are left out on pre-cut stock, with a warning", async () => {
    const job = await makePressJob({ sheet: await loadSheet("avery-l7651"), dieLine: {} });
    expect(job.written.press).toContainEqual(
      expect.objectContaining({ code: "marks-left-out", what: ["marks", "die lines"] }),
    );
    expect(await check(job, job.bytes)).toEqual([]);
  });

  it.each(["All", "none", "Magenta", "", "Größe"])("refuse the ink %j", async (spot) => {
    await expect(makePressJob({ dieLine: { spot } })).rejects.toThrow(
      /sheet options must be printable/u,
    );
  });

  it.each(dieCases)("%s: %s", async (rule, _, spoil, message) => {
    const job = await makePressJob({ dieLine: {} });
    const findings = await check(job, await spoilContent(job.bytes, spoil));
    const said = findings
      .filter((finding) => finding.rule === rule)
      .map((finding) => finding.message);
    expect(said.join("\n")).toMatch(message);
  });

  it.each(dieObjectCases)("%s: spoiled objects", async (rule, spoil, message) => {
    const job = await makePressJob({ dieLine: {} });
    const findings = await check(job, await spoilObjects(job.bytes, spoil));
    const said = findings
      .filter((finding) => finding.rule === rule)
      .map((finding) => finding.message);
    expect(said.join("\n")).toMatch(message);
  });
});

/** Ways to break each rule, as findings of a good file that was spoiled. */
async function* waysToBreak(id: string): AsyncGenerator<readonly Finding[]> {
  const of = <T extends readonly [string, ...unknown[]]>(cases: readonly T[]): T[] =>
    cases.filter(([rule]) => rule === id);
  for (const [, , spoil] of of(objectCases))
    yield check(good, await spoilObjects(good.bytes, spoil));
  for (const [, , spoil] of of(contentCases))
    yield check(good, await spoilContent(good.bytes, spoil));
  const cut = await makePressJob({ dieLine: {} });
  for (const [, , spoil] of of(dieCases)) yield check(cut, await spoilContent(cut.bytes, spoil));
  for (const [, spoil] of of(dieObjectCases))
    yield check(cut, await spoilObjects(cut.bytes, spoil));
  yield* otherWaysToBreak(id);
}

/** A page more, blank. */
const addBlankPage = (s: Surgery): void => {
  const pages = s.dict(s.catalog.get(s.name("Pages")));
  const kids = s.context.lookup(pages.get(s.name("Kids")), PDFArray);
  const blank = s.page.clone(s.context);
  blank.set(s.name("Contents"), s.context.register(s.context.stream("", {})));
  kids.push(s.context.register(blank));
  pages.set(s.name("Count"), s.context.obj(kids.size()));
};

const paint = (cmyk: readonly [number, number, number, number]) => ({
  label: makeArt(
    makeCode(box(3, 3, 27, 27)),
    makeShape("box", box(40, 10, 8, 8), { fill: { cmyk, spot: null, tint: 1 } }),
  ),
});

/** What neither objects nor operators of the good file can show. */
async function* otherWaysToBreak(id: string): AsyncGenerator<readonly Finding[]> {
  const { options } = good;
  const [first, ...rest] = good.written.cells;
  if (first === undefined) throw new Error("no cells");
  if (id === "images")
    yield check(
      good,
      await spoilContent(good.bytes, (content) => `${content}\nq 5 0 0 5 190 800 cm /I Do Q`),
    );
  if (id === "safe-area") {
    const bare = await makePressJob({ captionLines: 0 });
    yield check({ ...bare, options: { ...bare.options, safeMm: 9 } }, bare.bytes);
  }
  if (id === "ink-total") {
    const inked = await makePressJob(paint([1, 1, 0.5, 0]));
    const bytes = await spoilContent(inked.bytes, (content) =>
      content.replaceAll("1 1 0.5 0 k", "1 1 1 1 k"),
    );
    yield check({ ...inked, options: { ...inked.options, ...paint([1, 1, 1, 1]) } }, bytes);
  }
  if (id === "page-count") {
    const stock = await makePressJob({ sheet: await loadSheet("avery-l7651"), marks: [] });
    yield check(stock, await spoilObjects(stock.bytes, addBlankPage));
  }
  if (id === "sheet-map") yield check(good, good.bytes, [...rest, { ...first, payloadHash: "0" }]);
  if (id === "rehearsal") {
    const slug = { ...options.slug, rehearsal: true };
    yield check({ ...good, options: { ...options, slug } }, good.bytes);
  }
}

/** Rules 25 to 27 are held to in verify.test.ts, labels.test.ts and symbols.test.ts. */
describe("every rule has a file that breaks it, and no other rule (docs/spec/print.md section 12)", () => {
  const listed = rules.map((rule): string => rule.id).filter((id) => id !== "symbols");
  it.each(listed)("%s", async (id) => {
    const broken: string[] = [];
    for await (const findings of waysToBreak(id)) {
      broken.push(ids(findings).join("+"));
      if (broken.at(-1) === id) break;
    }
    expect(broken).toContain(id);
  });
});
