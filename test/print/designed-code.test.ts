import { readFile } from "node:fs/promises";

import { beforeAll, describe, expect, it } from "vitest";

import { BLACK_INK } from "../../src/base/shapes/label-art.ts";
import { inksOfDesigns, openDesignInks, toDesignLook } from "../../src/print/art/design-inks.ts";
import { planDesigns } from "../../src/pipeline/paper/plan-designs.ts";
import type { SheetOptions, SheetRecord } from "../../src/print/sheets.ts";
import { writeSheets } from "../../src/print/sheets.ts";
import { type Design, type DesignInput, resolveDesign } from "../../src/qr/draw/design.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { normalizeLogo } from "../../src/qr/png/raster.ts";
import { readBuiltInTemplates } from "../../src/service/designs/built-in.ts";
import { openPdfFile } from "../../src/verify/pdf/pdf-file.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { box, makeArt, makeCode } from "./make-art.ts";
import { makePressJob, save, spoilContent } from "../verify/press.ts";

let logo: Uint8Array;

beforeAll(async () => {
  logo = await normalizeLogo(
    await readFile(new URL("../../templates/logos/winter.png", import.meta.url)),
  );
});

const CARD = { frame: "card", text: "SCAN ME" } as const;

async function print(
  designs: readonly Design[],
  changes: Partial<SheetOptions> = {},
  texts: readonly string[] = [],
) {
  const base = await makePressJob({ print: "designed", ...changes }, 1);
  const designInks = await inksOfDesigns(base.options, designs);
  const options: SheetOptions = { ...base.options, designInks };
  const records = designs.map((design, i): SheetRecord => {
    const payload = texts[i] ?? `https://qr.example/table-${i + 1}`;
    return { key: `row ${i + 1}`, payload, level: design.errorCorrection, caption: [], design };
  });
  const file = `${base.folder}/designed.pdf`;
  const written = await writeSheets(options, records, file);
  const { volumes, cells } = written;
  const prove = (at: typeof volumes = volumes) =>
    verifySheets({ options, volumes: at, cells, workers: 1 });
  const bytes = await readFile(file);
  const spoil = async (change: (content: string) => string) =>
    prove([
      {
        ...volumes[0],
        file: await save({ ...base, bytes }, await spoilContent(bytes, change)),
        sha256: undefined,
      } as never,
    ]);
  return { options, written, bytes, prove, spoil };
}

const design = (input: DesignInput): Design => resolveDesign(input);

/** True where black modules of its codes overprint; what it prints is proven. */
const overprints = async (input: DesignInput, changes: Partial<SheetOptions> = {}) => {
  const { bytes, prove } = await print([design(input)], changes);
  expect((await prove()).findings).toEqual([]);
  const file = await openPdfFile(bytes);
  const content = file.pages.map((page) => Buffer.from(file.content(page)).toString("latin1"));
  return /\/\w+ gs\nq [\d.]+ 0 0 -/u.test(content.join("\n"));
};

describe("codes as they were designed (docs/spec/print.md section 7)", () => {
  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)(
    "every built-in design, with and without a logo, is proven in %s",
    async (standard) => {
      const templates = await readBuiltInTemplates();
      const designs = templates.flatMap(({ design: { logo: _none, ...own } }) => [
        design(own),
        design({ ...own, logo }),
      ]);
      const marks = ["crop", "registration", "bar"] as const;
      const { written, prove } = await print(designs, { standard, marks, isDefaultDpi: true });
      const proof = await prove();
      expect(proof.findings).toEqual([]);
      expect(proof.decoded).toBe(designs.length);
      expect(written.warnings).toEqual([]);
      // The plain one is as it always was.
      expect(written.cells.filter((cell) => cell.design === undefined)).toHaveLength(1);
    },
  );

  it("what codes share stands in the file once", async () => {
    const one = design({ ...CARD, primaryColor: "#0a3d62", pattern: "Circles" });
    const { bytes } = await print(
      Array.from({ length: 9 }, () => one),
      { standard: "PDF/X-1a:2003" },
    );
    expect(bytes.toString("latin1").match(/\/Subtype \/Form/gu)).toHaveLength(2);
  });

  it("named inks are used where the job says so, and no others", async () => {
    const brand = { cmyk: [1, 0.6, 0, 0.2], spot: "Brand Blue", tint: 1 } as const;
    const { options, bytes, prove } = await print(
      [design({ primaryColor: "#0A3D62", eyeStyle: "Leaf", frame: "border" })],
      { artworkInks: { "#0a3d62": brand }, standard: "PDF/X-1a:2003" },
    );
    expect(options.designInks).toEqual([brand, expect.objectContaining({ cmyk: [0, 0, 0, 0] })]);
    expect(bytes.toString("latin1")).toContain("/Separation /Brand#20Blue");
    expect((await prove()).findings).toEqual([]);
  });

  it("a frame is left out when the label has no room for it, and that is reported", async () => {
    const framed = design({ ...CARD, primaryColor: "#0a3d62" });
    const { written, prove } = await print([framed], { xDimensionMm: 0.7 });
    expect(written.press).toEqual([
      { code: "codes-no-room", count: 1, rows: ["row 1"], what: ["frame"] },
    ]);
    expect(written.cells[0]?.design?.marks).toBe(2);
    expect((await prove()).findings).toEqual([]);
  });

  it("a code that no scanner would read in its inks is black, and that is reported", async () => {
    const { written, prove } = await print([
      design({ primaryColor: "#ffcc00", pattern: "Circles" }),
    ]);
    expect(written.press.map(({ code }) => code)).toEqual(["codes-blackened"]);
    expect((await prove()).findings).toEqual([]);
  });

  it.each([
    ["yellow on paper", { primaryColor: "#fdd835" }, { primary_color: "#fdd835" }],
    [
      "white on black",
      { primaryColor: "#ffffff", backgroundColor: "#000000" },
      { primary_color: "#ffffff", background_color: "#000000" },
    ],
  ])("a design of which only black is left is reported, too: %s", async (_name, input, fields) => {
    const only = design(input);
    const { options, written, prove } = await print([only, design({})]);
    expect(written.press).toEqual([
      { code: "codes-blackened", count: 1, rows: ["row 1"], what: [] },
    ]);
    expect(written.cells.every((cell) => cell.design === undefined)).toBe(true);
    expect((await prove()).findings).toEqual([]);
    const sampled = { design: fields, count: 1, rows: ["row 1"] };
    const planned = await planDesigns(options, [sampled], "https://qr.example/table-1");
    expect(planned.press).toMatchObject([{ code: "codes-blackened", count: 1, rows: ["row 1"] }]);
    expect(planned).toMatchObject({ inks: [], warnings: [], xMm: undefined });
  });

  it("a code on a tinted panel is judged with it, in the plan as in the proof", async () => {
    const tint = { cmyk: [0.6, 0.1, 0, 0], spot: null, tint: 1 } as const;
    const label = makeArt(makeCode(box(3, 3, 27, 27), tint));
    const pale = design({ primaryColor: "#3366aa", pattern: "Circles" });
    const onPaper = await print([pale]);
    expect(onPaper.written.press).toEqual([]);
    const onPanel = await print([pale], { label });
    expect(onPanel.written.press.map(({ code }) => code)).toEqual(["codes-blackened"]);
    expect((await onPanel.prove()).findings).toEqual([]);
    const planned = await planDesigns(
      onPanel.options,
      [{ design: { primary_color: "#3366aa", pattern: "Circles" }, count: 1, rows: ["row 1"] }],
      "https://qr.example/table-1",
    );
    expect(planned.press.map(({ code }) => code)).toEqual(["codes-blackened"]);
  });

  it("text of a frame that is smaller than 4 pt is reported, in the plan and when it is printed", async () => {
    const wordy = { frame: "card", text: "SCAN ME FOR THE MENU OF TODAY" } as const;
    const label = makeArt(makeCode(box(3, 3, 16, 16)));
    const { options, written } = await print([design(wordy)], { label });
    const told = { code: "frame-text-small", count: 1, rows: ["row 1"] };
    expect(written.press).toEqual([{ ...told, what: [expect.stringMatching(/^[123]\.\d pt$/u)] }]);
    const planned = await planDesigns(
      options,
      [{ design: wordy, count: 1, rows: ["row 1"] }],
      "https://qr.example/table-1",
    );
    expect(planned.press).toMatchObject([told]);
    expect((await print([design(CARD)])).written.press).toEqual([]);
  });

  it("text of a frame that has nearly the colour behind it is reported, in the plan and when it is printed", async () => {
    const text = "Jetzt scannen";
    const cards = ["#fff59d", "#fdd835", "#ffffff", "#2e7d32", "#e53935", "#1976d2", "#fb8c00"];
    const black = { text, primaryColor: "#000000" } as const;
    const { options, written, prove } = await print([
      ...cards.map((frameColor) => design({ ...black, frame: "card", frameColor })),
      design({ ...black, frame: "text-frame", frameColor: "#fff59d" }),
      design({ ...black, frame: "text-frame", frameColor: "#2e7d32" }),
      design({ ...black, frame: "card", frameColor: "#fff59d", backgroundColor: "#fff59d" }),
    ]);
    const rows = [1, 2, 3, 8, 10].map((row) => `row ${row}`);
    expect(written.press).toEqual([{ code: "frame-text-pale", count: 5, rows, what: [] }]);
    expect((await prove()).findings).toEqual([]);
    const sampled = ["#fff59d", "#fb8c00"].map((frame_color, at) => ({
      design: { primary_color: "#000000", frame: "card", text: "…", frame_color },
      count: 7,
      rows: [`row ${at}`],
    }));
    const planned = await planDesigns(options, sampled, "https://qr.example/table-1");
    expect(planned.press).toEqual([
      { code: "frame-text-pale", count: 7, rows: ["row 0"], what: [] },
    ]);
  });

  it("black modules of any shape overprint a tint, as whole ones do; coloured ones knock it out", async () => {
    const tint = { cmyk: [0.1, 0, 0.2, 0], spot: null, tint: 1 } as const;
    const label = makeArt(makeCode(box(3, 3, 27, 27), tint));
    expect(await overprints({ pattern: "Circles" }, { label })).toBe(true);
    expect(await overprints({ pattern: "Circles", primaryColor: "#0a3d62" }, { label })).toBe(
      false,
    );
    expect(await overprints({ pattern: "Circles", ...CARD }, { label })).toBe(false);
    expect(await overprints({ pattern: "Circles" })).toBe(false);
  });

  it("screened inks and inks of several plates are reported in the plan", async () => {
    const { options } = await print([design({})]);
    const told = async (fields: Record<string, unknown>, changes: Partial<SheetOptions> = {}) => {
      const sampled = [{ design: fields, count: 1, rows: ["row 1"] }];
      const { warnings } = await planDesigns(
        { ...options, ...changes },
        sampled,
        "HTTPS://A.EXAMPLE",
      );
      return warnings.map((warning) => warning.slice(0, warning.indexOf(":")));
    };
    expect(await told({ primary_color: "#22aa66" })).toEqual([
      "the design of codes is screened",
      "the design of codes takes 2 plates",
    ]);
    const green = { cmyk: [1, 0, 0.8, 0.3], spot: "Brand Green", tint: 1 } as const;
    const artworkInks = { "#22aa66": green };
    expect(await told({ primary_color: "#22aa66" }, { artworkInks })).toEqual([]);
    // Frames are no part of what scanners read.
    expect(await told({ frame: "card", frame_color: "#22aa66", pattern: "Circles" })).toEqual([]);
  });

  it("logos whose pixels are the same, row by row, keep their own shape", async () => {
    const pixels = new Uint8ClampedArray(64 * 32 * 4)
      .fill(0x60)
      .map((value, i) => (i % 4 === 3 ? 255 : value));
    const wide = writeRgbaPng({ data: pixels, width: 64, height: 32 });
    const high = writeRgbaPng({ data: pixels, width: 32, height: 64 });
    const { bytes, prove } = await print([design({ logo: wide }), design({ logo: high })]);
    const sizes = [...bytes.toString("latin1").matchAll(/\/Subtype \/Image[^>]*?>>/gu)].map(
      ([image]) =>
        ["Width", "Height"].map((name) =>
          Number(new RegExp(`/${name} (\\d+)`, "u").exec(image)?.[1]),
        ),
    );
    expect(sizes.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
      [32, 64],
      [64, 32],
    ]);
    expect((await prove()).findings).toEqual([]);
  });

  it("a dark ground is left out with its code's colours", async () => {
    const inks = await openDesignInks({});
    const look = toDesignLook(
      design({ primaryColor: "#ffffff", backgroundColor: "#102030" }),
      inks,
    );
    expect(look).toMatchObject({
      ink: BLACK_INK,
      eyeInk: BLACK_INK,
      ground: undefined,
      isBlackened: true,
    });
  });

  it("without print: designed, the same records give the sheets of today", async () => {
    const styled = design({ ...CARD, primaryColor: "#0a3d62" });
    const { written } = await print([styled], { print: "plain" });
    expect(written.cells[0]?.design).toBeUndefined();
  });
});

const rulesOf = (proof: Awaited<ReturnType<typeof verifySheets>>) => [
  ...new Set(proof.findings.map(({ rule }) => rule)),
];

describe("the proof of designed codes (docs/spec/print.md section 12)", () => {
  it("knows how far a round frame reaches, however large its code is", async () => {
    const round = design({ frame: "round-frame", logo });
    const { spoil, prove } = await print([round], {}, [`https://shop.example/${"x".repeat(41)}`]);
    expect((await prove()).findings).toEqual([]);
    const lost = await spoil((content) => content.replace("/D0 Do", ""));
    expect(rulesOf(lost)).toContain("single-fill");
    const away = await spoil((content) => content.replace("/D0 Do", "q 1 0 0 1 9 0 cm /D0 Do Q"));
    expect(rulesOf(away)).toContain("single-fill");
  });

  it("finds another ink, a lost frame, and what lies on a quiet zone", async () => {
    const one = design({ ...CARD, primaryColor: "#0a3d62", logo });
    const { spoil, prove } = await print([one]);
    expect(rulesOf(await prove())).toEqual([]);
    const other = await spoil((content) => content.replace(/Do\n[\d. ]+ k/u, "Do\n0 1 1 0 k"));
    expect(rulesOf(other)).toContain("single-fill");
    const lost = await spoil((content) => content.replace("/D0 Do", ""));
    expect(rulesOf(lost)).toContain("single-fill");
    const moved = await spoil((content) => content.replace("/D0 Do", "q 1 0 0 1 0 -3 cm /D0 Do Q"));
    expect(rulesOf(moved)).toEqual(expect.arrayContaining(["decoded"]));
    const covered = await spoil((content) => content.replace("/D0 Do", "/D0 Do\n1 1 3 3 re f"));
    expect(rulesOf(covered)).toContain("quiet-zone");
  });
});
