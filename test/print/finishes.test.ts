import { inflateSync } from "node:zlib";

import { PDFDocument, PDFRawStream } from "pdf-lib";
import { describe, expect, it } from "vitest";

import type { SymbolItem } from "../../src/base/shapes/label-art.ts";
import type { OwnSheet } from "../../src/base/shapes/own-sheet.ts";
import { newOnSheets } from "../../src/print/draw/edition.ts";
import type { FinishPlate } from "../../src/print/layout/finish.ts";
import { planSheets, type SheetOptions } from "../../src/print/sheets.ts";
import { openPdfFile } from "../../src/verify/pdf/pdf-file.ts";
import { nameOf } from "../../src/verify/pdf/pdf-node.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { proveJob, save, spoilContent, spoilObjects } from "../verify/press.ts";
import { box, makeArt, makeCode, makeShape, WHITE, ownSheet } from "./make-art.ts";

const own = (changes: Partial<OwnSheet>) =>
  ownSheet({ label: [50, 40], gutter: [6, 6], ...changes });
const sheet = own({ radius: 2 });
const white: FinishPlate = { spot: "White", area: "label", chokeMm: 0.2 };
const varnish: FinishPlate = { spot: "Varnish", area: "around-codes", chokeMm: 0 };

const prove = (changes: Partial<SheetOptions>, count = 6) => proveJob({ sheet, ...changes }, count);

function inflate(contents: Uint8Array): string {
  try {
    return inflateSync(contents).toString("latin1");
  } catch {
    return "";
  }
}

/** All operators of a file. */
async function operatorsOf(bytes: Uint8Array): Promise<string> {
  const file = await PDFDocument.load(bytes, { updateMetadata: false });
  return file.context
    .enumerateIndirectObjects()
    .map(([, object]) => (object instanceof PDFRawStream ? inflate(object.contents) : ""))
    .join("\n");
}

describe("white underbase and varnish (docs/spec/print.md section 3)", () => {
  it.each([
    ["rectangles", sheet],
    ["round labels", own({ label: [40, 40], shape: "round" })],
  ])("overprint, on layers of their steps, beneath the die line: %s", async (_name, on) => {
    const marks = ["crop", "registration", "bar"] as const;
    const { job, proof } = await prove({
      sheet: on,
      white,
      varnish,
      dieLine: {},
      marks,
    });
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(6);
    const file = await openPdfFile(job.bytes);
    const properties = file.dict(file.catalog.get("OCProperties"));
    const steps = file.array(properties?.get("OCGs")).map((layer) => {
      const metadata = file.dict(file.dict(layer)?.get("GTS_Metadata"));
      return ["GTS_ProcStepsGroup", "GTS_ProcStepsType"].map((key) => nameOf(metadata?.get(key)));
    });
    expect(steps).toEqual([
      ["White", undefined],
      ["Varnish", undefined],
      ["Structural", "Cutting"],
    ]);
    const operators = await operatorsOf(job.bytes);
    expect(operators).toMatch(/\/OC \/LW BDC\nq \/O gs \/W cs 1 scn/u);
    // Registration marks stand on both plates.
    expect(operators).toContain("/M CS 1 1 1 SCN");
  });

  it("beneath codes only, and without die lines or marks", async () => {
    const under = { ...white, area: "codes" } as const;
    const label = makeArt(makeCode(box(5, 5, 30, 30)));
    for (const changes of [{ label }, { captionLines: 2 }]) {
      const { proof } = await prove({ white: under, ...changes });
      expect(proof.findings).toEqual([]);
      expect(proof.decoded).toBe(6);
    }
  });

  it("treat symbols as codes: left out of varnish, white beneath them", async () => {
    const symbol: SymbolItem = {
      kind: "symbol",
      symbol: "datamatrix",
      at: box(28, 5, 18, 20),
      text: 0,
      xMm: null,
      heightMm: null,
      hri: "none",
      sizePt: 8,
      use: "none",
      bearer: "bars",
      columns: null,
      panel: null,
    };
    const code = makeCode(box(3, 5, 22, 22));
    const under = { ...white, area: "codes" } as const;
    const label = makeArt(code, symbol);
    const { job, proof } = await prove({ label, white: under, varnish }, 1);
    expect(proof.findings).toEqual([]);
    const operators = await operatorsOf(job.bytes);
    const { perSheet } = job.options.sheet;
    for (const layer of ["LW", "LV"]) {
      const fills = operators.split(`/OC /${layer} BDC`)[1]?.split("EMC")[0]?.split("\n") ?? [];
      // 18 x 20 and 22 x 22 mm.
      for (const size of ["51.024 56.693 re", "62.362 62.362 re"])
        expect(fills.filter((line) => line.endsWith(size))).toHaveLength(1);
    }
    const alone = await prove({ label: makeArt(symbol), white: under }, 1);
    expect(alone.proof.findings).toEqual([]);

    const isNew = (changes: Partial<SheetOptions>) =>
      newOnSheets({ ...job.options, marks: [], ...changes }, perSheet);
    expect(await isNew({})).toEqual(["symbols"]);
    expect(await isNew({ white: undefined })).toEqual(["symbols"]);
    expect(await isNew({ white, varnish: undefined })).toEqual([]);
    expect(await isNew({ white: undefined, varnish: undefined })).toEqual([]);
    expect(await isNew({ label: makeArt(code) })).toEqual([]);
  });

  it("leave out cells without a label, whose sheets are other ones then", async () => {
    const { job, proof } = await prove({ white, varnish, start: 3 }, sheet.perSheet + 1);
    expect(proof.findings).toEqual([]);
    const operators = await operatorsOf(job.bytes);
    for (const layer of ["LW", "LV"]) {
      const fills = operators
        .split(`/OC /${layer} BDC`)
        .slice(1)
        .map((part) => part.split("EMC")[0]?.match(/f\*/gu)?.length);
      expect(fills).toEqual([sheet.perSheet - 2, 3]);
    }
    const { perSheet } = sheet;
    const isNew = (labels: number, changes: Partial<SheetOptions> = {}) =>
      newOnSheets({ ...job.options, marks: [], start: 1, ...changes }, labels);
    expect(await isNew(perSheet)).toEqual([]);
    expect(await isNew(2 * perSheet + 1)).toEqual(["cells"]);
    expect(await isNew(perSheet - 1, { start: 2 })).toEqual(["cells"]);
    expect(await isNew(perSheet - 2, { spares: 2 })).toEqual(["cells"]);
    expect(await isNew(perSheet - 2, { spares: 2, spareLabels: "repeat" })).toEqual([]);
    expect(await isNew(perSheet - 3, { spares: 2, spareLabels: "repeat" })).toEqual(["cells"]);
    expect(await isNew(1, { spares: perSheet - 1, spareLabels: "repeat" })).toEqual(["cells"]);
    expect(await isNew(1, { white: undefined, varnish: undefined })).toEqual([]);
  });

  it("each follow their ink on full sheets, whose bytes stay", async () => {
    const { job } = await prove({ white, varnish }, sheet.perSheet);
    const file = await PDFDocument.load(job.bytes, { updateMetadata: false });
    const kinds = file.context.enumerateIndirectObjects().flatMap(([, object]) => {
      const text = object instanceof PDFRawStream ? inflate(object.contents) : object.toString();
      return [...text.matchAll(/\/Separation \/(?:White|Varnish)|\/OC \/L[WV] BDC/gu)].map(String);
    });
    expect(kinds).toEqual([
      "/Separation /White",
      "/OC /LW BDC",
      "/Separation /Varnish",
      "/OC /LV BDC",
    ]);
  });

  it("are found out when they knock out, are tinted or lie on no layer of theirs", async () => {
    const { job } = await prove({ white });
    const check = async (bytes: Uint8Array) => {
      const file = await save(job, bytes);
      const { cells } = job.written;
      const proof = await verifySheets({
        options: job.options,
        volumes: [{ file }],
        cells,
        workers: 1,
      });
      return proof.findings.map(({ message }) => message).join();
    };
    const edit = (from: string, to: string) =>
      spoilContent(job.bytes, (content) => content.replace(from, to));
    expect(await check(await edit("q /O gs /W cs", "q /W cs"))).toContain("white must overprint");
    expect(await check(await edit("/W cs 1 scn", "/W cs 0.5 scn"))).toContain("white must be 100%");
    expect(await check(await edit("/OC /LW BDC", "/OC /LX BDC"))).toContain("layer of group White");
    const gone = await spoilObjects(job.bytes, (surgery) => {
      surgery.catalog.delete(surgery.name("OCProperties"));
    });
    expect(await check(gone)).toContain("file must have the layer");
  });

  it("want PDF/X-4 and names of their own", () => {
    const slug = { job: "x", input: "", inputHash: "", rehearsal: false };
    const base = { sheet, title: "x", createdAt: "2026-01-01T00:00:00Z", slug, marks: [] };
    const plan = (changes: Partial<SheetOptions>) =>
      planSheets({ ...base, ...changes }, { count: 1, maxVersion: 1 }).problems.map(
        ({ message }) => message,
      );
    expect(plan({ white, varnish })).toEqual([]);
    expect(plan({ white, standard: "PDF/X-1a:2003" }).join()).toMatch(
      /must be left out in PDF\/X-1a/u,
    );
    expect(plan({ white: { ...white, spot: "Black" } }).join()).toMatch(/a plate of its own/u);
    expect(plan({ white: { ...white, spot: "cutcontour" }, dieLine: {} }).join()).toMatch(
      /a plate of its own/u,
    );
  });
});

async function overprints(label: ReturnType<typeof makeArt>) {
  const { job, proof } = await prove({ label });
  expect(proof.findings).toEqual([]);
  const base = { ...job.options };
  return [
    (await operatorsOf(job.bytes)).includes("q /O gs\nq "),
    (await newOnSheets(base, 0)).includes("overprint"),
  ];
}

describe("black codes on light grounds (docs/spec/print.md section 4)", () => {
  const TINT = { cmyk: [0.1, 0, 0.2, 0], spot: null, tint: 1 } as const;
  const code = makeCode(box(5, 5, 30, 30));
  it("overprint tints, and nothing changes on paper and white panels", async () => {
    expect(
      await overprints(makeArt(makeShape("box", box(2, 2, 40, 36), { fill: TINT }), code)),
    ).toEqual([true, true]);
    expect(await overprints(makeArt(makeCode(box(5, 5, 30, 30), TINT)))).toEqual([true, true]);
    expect(await overprints(makeArt(code))).toEqual([false, false]);
    expect(await overprints(makeArt(makeCode(box(5, 5, 30, 30), WHITE)))).toEqual([false, false]);
  });
});
