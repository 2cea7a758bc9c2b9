import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import fontkit from "@pdf-lib/fontkit";
import {
  cmyk,
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFOperator,
  PDFOperatorNames,
  PDFRawStream,
  rgb,
} from "pdf-lib";
import { beforeAll, describe, expect, it } from "vitest";

import { planSheets, type SheetOptions } from "../../src/print/sheets.ts";
import { judgeSheetFiles } from "../../src/pipeline/stages/sheet-options.ts";
import {
  checkBackground,
  checkGrounds,
  openBackground,
} from "../../src/verify/supplied/background.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import {
  BLUE,
  box,
  everything,
  GOLD,
  makeArt,
  makeCode,
  makeShape,
  makeText,
  WHITE,
  ownSheet,
} from "../print/make-art.ts";
import { makePdf, plain, type RawStream } from "./make-pdf.ts";
import { makePressJob, save, spoilContent, proveJob } from "./press.ts";

const sheet = ownSheet({ label: [63.5, 33.9] });

const toThrice = (next: number): RawStream => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${next} 0 R >> >>`,
  data: Buffer.from("/F Do /F Do /F Do"),
});

/** A page whose parts each draw the next one three times. */
function makeTree(levels: number): Uint8Array {
  const [width, height] = [pt(sheet.label.widthMm), pt(sheet.label.heightMm)];
  return makePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>`,
    plain("/F Do"),
    ...Array.from({ length: levels }, (_, level) => toThrice(level + 6)),
    { dict: "/Type /XObject /Subtype /Form /BBox [0 0 9 9]", data: Buffer.from("0 0 1 1 re f") },
  ]);
}

const prove = (changes: Partial<SheetOptions>, count = 26) =>
  proveJob({ sheet, ...changes }, count);

const NOTO = new URL("../../templates/fonts/noto-sans-regular.ttf", import.meta.url);

const pt = (mm: number): number => (mm * 72) / 25.4;

/** A page of 63.5 x 33.9 mm, with 3 mm bleed all round when asked for. */
async function makePage(
  draw: (page: ReturnType<PDFDocument["addPage"]>) => void,
  size: { bleedMm?: number; widthMm?: number; more?: number } = {},
): Promise<string> {
  const { bleedMm = 3, widthMm = 63.5, more = 0 } = size;
  const document = await PDFDocument.create();
  const page = document.addPage([pt(widthMm + 2 * bleedMm), pt(33.9 + 2 * bleedMm)]);
  page.setTrimBox(pt(bleedMm), pt(bleedMm), pt(widthMm), pt(33.9));
  draw(page);
  for (let n = 0; n < more; n += 1) document.addPage();
  const file = path.join(await mkdtemp(path.join(tmpdir(), "page-")), "page.pdf");
  await writeFile(file, await document.save());
  return file;
}

const n = (value: number) => PDFNumber.of(value);
const fillCmyk = (
  page: ReturnType<PDFDocument["addPage"]>,
  cmyk: readonly number[],
  rectangle: readonly number[],
): void => {
  page.pushOperators(
    PDFOperator.of(PDFOperatorNames.NonStrokingColorCmyk, cmyk.map(n)),
    PDFOperator.of(PDFOperatorNames.AppendRectangle, rectangle.map(n)),
    PDFOperator.of(PDFOperatorNames.FillNonZero),
  );
};

describe("labels with everything on them keep every rule (docs/spec/print.md section 12)", () => {
  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)("%s", async (standard) => {
    const { proof } = await prove({
      standard,
      label: everything,
      marks: ["crop", "registration", "bar"],
      dieLine: {},
    });
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(26);
    expect(proof.readyForPress).toBe(true);
  });

  it("on dark grounds the code has its panel", async () => {
    const label = makeArt(
      makeShape("box", box(-1, -1, 65.5, 35.9), { fill: BLUE }),
      makeCode(box(3, 3, 27, 27), WHITE),
      makeText(0, box(32, 4, 28, 12), { ink: WHITE, bold: true, sizePt: 12 }),
    );
    const { proof } = await prove({ label, marks: ["crop"] });
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(26);
  });

  it("several codes on a label are read each in its square", async () => {
    const label = makeArt(makeCode(box(3, 3, 27, 27)), makeCode(box(33, 3, 27, 27)));
    const { job, proof } = await prove({ label }, 5);
    expect(proof.findings).toEqual([]);
    expect(proof.codes).toBe(10);
    expect(proof.decoded).toBe(10);
    expect(job.written.cells.filter(({ part }) => part === 2)).toHaveLength(5);
  });
});

describe("same input, same bytes (docs/spec/print.md section 12, rule 26)", () => {
  it("with labels of every sort, and other bytes when anything on them differs", async () => {
    const changes = { sheet, label: everything, marks: ["crop"], dieLine: {} } as const;
    const first = await makePressJob(changes, 20);
    const second = await makePressJob(changes, 20);
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    const other = makeArt(...everything.items.slice(1));
    const third = await makePressJob({ ...changes, label: other }, 20);
    expect(Buffer.compare(first.bytes, third.bytes)).not.toBe(0);
    const [volume] = first.written.volumes;
    const proof = await verifySheets({
      options: first.options,
      volumes: [{ file: third.written.volumes[0]?.file ?? "", sha256: volume?.sha256 }],
      cells: first.written.cells,
      workers: 1,
    });
    expect(proof.findings[0]?.message).toMatch(/changed after it was written/u);
    expect(proof.readyForPress).toBe(false);
  });
});

describe("codes in inks and shapes (docs/spec/print.md section 4)", () => {
  it.each([
    ["Original", "Square", BLUE, BLUE],
    ["Circles", "Rounded", BLUE, GOLD],
    ["Squares", "Leaf", BLUE, BLUE],
    ["Diamonds", "Drop", BLUE, BLUE],
    ["Triangles", "Square", GOLD, BLUE],
  ] as const)("%s with %s eyes", async (pattern, eyes, ink, eyeInk) => {
    const dark = ink === GOLD ? { ...GOLD, cmyk: [0.9, 0.6, 0, 0.4] as const } : ink;
    const codeStyle = { pattern, eyes, ink: dark, eyeInk };
    const { proof, job } = await prove({ codeStyle, standard: "PDF/X-1a:2003" }, 6);
    const own = proof.findings.filter(({ severity }) => severity === "error");
    expect(own).toEqual([]);
    expect(proof.decoded).toBe(6);
    const plan = planSheets(job.options, { count: 6, maxVersion: 3 });
    expect(plan.problems).toEqual([]);
    expect(plan.warnings.some((warning) => /contrast/u.test(warning))).toBe(eyeInk === GOLD);
  });

  it("a code in another ink than the job's is found", async () => {
    const codeStyle = { pattern: "Original", eyes: "Square", ink: BLUE, eyeInk: BLUE } as const;
    const { job } = await prove({ codeStyle }, 3);
    const bad = await spoilContent(job.bytes, (content) =>
      content.replaceAll("1 0.7 0 0.1 k", "1 0 0 0 k"),
    );
    const { volumes, cells } = job.written;
    const file = await save(job, bad);
    const proof = await verifySheets({
      options: job.options,
      volumes: [{ file }],
      cells,
      workers: 1,
    });
    expect(volumes).toHaveLength(1);
    expect(new Set(proof.findings.map(({ rule }) => rule))).toEqual(
      new Set(["colors", "single-fill"]),
    );
  });
});

describe("backs (docs/spec/print.md section 8)", () => {
  const back = makeArt(makeText(0, box(5, 5, 53, 20)));
  const coded = makeArt(makeCode(box(3, 3, 27, 27)), makeText(0, box(32, 5, 28, 20)));

  it.each([
    ["long-edge", "interleaved"],
    ["short-edge", "interleaved"],
    ["long-edge", "fronts-first"],
  ] as const)("%s, %s", async (flip, pages) => {
    const { job, proof } = await prove(
      {
        back: { label: coded, flip },
        pages,
        marks: ["crop"],
        dieLine: {},
        spares: 2,
        spareLabels: "repeat",
      },
      30,
    );
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(proof.codes);
    expect(proof.codes).toBe(job.written.cells.length);
    const sides = job.written.cells.map(({ page, side }) => `${page} ${side ?? "front"}`);
    const pagesOf = (side: string): number[] => [
      ...new Set(sides.filter((one) => one.endsWith(side)).map((one) => Number(one.split(" ")[0]))),
    ];
    expect(pagesOf("front")).toEqual(pages === "interleaved" ? [1, 3, 5] : [1, 2, 3]);
    expect(pagesOf("back")).toEqual(pages === "interleaved" ? [2, 4, 6] : [4, 5, 6]);
  });

  it("without codes are pages all the same", async () => {
    const { proof, job } = await prove({ back: { label: back, flip: "long-edge" } }, 5);
    expect(proof.findings).toEqual([]);
    expect(job.written.volumes[0]?.pages).toBe(2);
  });

  it("a code that is on the back only is proven there", async () => {
    const front = makeArt(makeText(0, box(5, 5, 53, 20), { sizePt: 14 }));
    const { proof } = await prove({ label: front, back: { label: coded, flip: "short-edge" } }, 7);
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(7);
  });

  it("a back that lies behind another front is found", async () => {
    const { job } = await prove({ back: { label: coded, flip: "long-edge" } }, 5);
    const cells = job.written.cells.map((cell) =>
      cell.side === "back" && cell.row === 1
        ? { ...cell, column: 3 - ((cell.column + 1) % 3) }
        : cell,
    );
    const proof = await verifySheets({
      options: job.options,
      volumes: job.written.volumes,
      cells,
      workers: 1,
    });
    expect(proof.findings.some(({ message }) => /back must lie behind/u.test(message))).toBe(true);
    expect(proof.readyForPress).toBe(false);
  });
});

/** What is said of a page when sheets are written with it. */
async function refusal(file: string, page: number): Promise<string> {
  const background = await openBackground({ file, page });
  return makePressJob({ sheet, background }, 1).then(
    () => "written",
    (error: { problems: { message: string }[] }) =>
      error.problems.map(({ message }) => message).join(),
  );
}

describe("designers' pages behind labels (issue: background artwork)", () => {
  let tint: string;
  let dark: string;
  beforeAll(async () => {
    tint = await makePage((page) => fillCmyk(page, [0.06, 0, 0.1, 0], [0, 0, 400, 400]));
    dark = await makePage((page) => {
      fillCmyk(page, [0.06, 0, 0.1, 0], [0, 0, 400, 400]);
      fillCmyk(page, [1, 0.7, 0, 0.1], [30, 30, 20, 20]);
    });
  });
  const label = makeArt(makeCode(box(3, 3, 27, 27)), makeText(0, box(32, 5, 28, 20)));

  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)("a light tint holds in %s", async (standard) => {
    const background = await openBackground({ file: tint, page: 1 });
    expect(await checkBackground(background, standard)).toEqual([]);
    const { proof } = await prove({ label, background, standard, marks: ["crop"] }, 14);
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(14);
  });

  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)(
    "fonts that it embeds stay whole in %s",
    async (standard) => {
      const font = await readFile(NOTO);
      const file = await makePage(() => undefined);
      const source = await PDFDocument.load(await readFile(file));
      source.registerFontkit(fontkit);
      const noto = await source.embedFont(font, { subset: false });
      source
        .getPage(0)
        .drawText("Konfitüre", { font: noto, size: 9, x: 110, y: 20, color: cmyk(0, 0, 0, 1) });
      await writeFile(file, await source.save());
      const background = await openBackground({ file, page: 1 });
      expect(await checkBackground(background, standard)).toEqual([]);
      const { job, proof } = await prove({ label, background, standard }, 2);
      expect(proof.findings).toEqual([]);
      expect(proof.decoded).toBe(2);
      const made = await PDFDocument.load(job.bytes);
      const files = made.context.enumerateIndirectObjects().flatMap(([, object]) => {
        const stream =
          object instanceof PDFDict ? object.lookup(PDFName.of("FontFile2")) : undefined;
        return stream instanceof PDFRawStream ? [decodePDFRawStream(stream).decode()] : [];
      });
      expect(files.some((bytes) => Buffer.compare(bytes, font) === 0)).toBe(true);
    },
  );

  it("what is dark in a quiet zone is seen", async () => {
    const background = await openBackground({ file: dark, page: 1 });
    const { proof } = await prove({ label, background }, 2);
    expect(proof.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(
      expect.arrayContaining([expect.stringMatching(/decoded: .*(quiet zone|no code|payload)/u)]),
    );
    expect(proof.readyForPress).toBe(false);
  });

  it("a page that can't be drawn is reported with its file", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "tree-"));
    const file = path.join(folder, "tree.pdf");
    await writeFile(file, makeTree(30));
    const background = await openBackground({ file, page: 1 });
    const { options } = await makePressJob({ sheet }, 1);
    const problems = await checkGrounds({ ...options, label, background });
    expect(problems).toMatchObject([{ where: { file } }]);
    expect(problems[0]?.message).toMatch(
      /must be a page that can be drawn, got: .*too much memory/u,
    );
  });

  it("the plan sees it before anything is written", async () => {
    const options = { ...(await makePressJob({ sheet }, 1)).options, label };
    const open = async (file: string) => ({
      ...options,
      background: await openBackground({ file, page: 1 }),
    });
    expect(await checkGrounds(await open(tint))).toEqual([]);
    const [problem] = await checkGrounds(await open(dark));
    expect(problem?.message).toMatch(
      /light and even under the code at 3.0, 3.0, 27.0, 27.0, got greys/u,
    );
    expect(problem?.hint).toContain("panel: white");
    const panelled = makeArt(makeCode(box(3, 3, 27, 27), WHITE));
    expect(await checkGrounds({ ...(await open(dark)), label: panelled })).toEqual([]);
    expect(await checkGrounds({ ...(await open(dark)), label: undefined })).toHaveLength(1);
  });

  it("a panel hides it", async () => {
    const background = await openBackground({ file: dark, page: 1 });
    const panelled = makeArt(makeCode(box(3, 3, 27, 27), WHITE));
    const { proof } = await prove({ label: panelled, background }, 2);
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(2);
  });

  it.each([
    [
      "RGB",
      (page) => page.drawRectangle({ width: 50, height: 50, color: rgb(1, 0, 0) }),
      /DeviceRGB/u,
    ],
    [
      "transparency",
      (page) => page.drawRectangle({ width: 50, height: 50, opacity: 0.5 }),
      /transparency in PDF\/X-1a/u,
    ],
    [
      "a font that is not embedded",
      (page) => page.drawText("x"),
      /font Helvetica must be embedded/u,
    ],
  ] as [string, Parameters<typeof makePage>[0], RegExp][])(
    "%s is refused",
    async (_name, draw, message) => {
      const file = await makePage(draw);
      const problems = await checkBackground({ file, page: 1 }, "PDF/X-1a:2003");
      expect(problems.map((problem) => problem.message)).toEqual(
        expect.arrayContaining([expect.stringMatching(message)]),
      );
      expect(problems[0]?.hint).toMatch(/PDF\/X/u);
    },
  );

  it("a page that nothing shows is named, unless a later one is chosen", async () => {
    const file = await makePage(() => undefined, { more: 1 });
    const { options } = await makePressJob({ sheet }, 1);
    const says = async (more: Partial<SheetOptions>): Promise<string[]> => {
      const { warnings } = await judgeSheetFiles({ ...options, ...more });
      return warnings.map(({ message }) => message);
    };
    const [first, second] = [1, 2].map((page) => ({ file, page, sha256: "", spots: [] }));
    expect(await says({ background: first })).toEqual([
      "background has 2 pages: page 1 is printed, page 2 isn't",
    ]);
    const back = { background: second, flip: "long-edge" } as const;
    expect(await says({ background: first, back })).toEqual([]);
  });

  it("another size, another page and no PDF are refused when sheets are written", async () => {
    const wide = await makePage(() => undefined, { widthMm: 70 });
    const text = path.join(path.dirname(wide), "x.pdf");
    await writeFile(text, "hello");
    expect(await refusal(wide, 1)).toMatch(
      /as large as the label, 63.5 x 33.9 mm, got 70.00 x 33.90 mm/u,
    );
    expect(await refusal(wide, 2)).toMatch(/page must be one of the file's 1, got 2/u);
    const [gone, ...others] = await checkBackground({ file: wide, page: 2 }, "PDF/X-4");
    expect(gone?.message).toBe("background page must be one of the file's 1, got 2");
    expect([gone?.hint, others]).toEqual([expect.stringContaining("background.page"), []]);
    expect(await refusal(text, 1)).toMatch(/must be a PDF that can be read/u);
  });
});
