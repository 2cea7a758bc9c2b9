import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import type { ArtItem } from "../../src/base/shapes/label-art.ts";
import { writeProof } from "../../src/print/draw/proof-sheet.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { textOf } from "../../src/verify/rules/margin-rules.ts";
import { readPageContent } from "../../src/verify/page/page-content.ts";
import { readResources } from "../../src/verify/page/page-resources.ts";
import { openPdfFile } from "../../src/verify/pdf/pdf-file.ts";
import { makePressJob } from "../verify/press.ts";
import { BLUE, box, makeArt, makeCode, makeShape, WHITE } from "./make-art.ts";

const facts = { job: "x", date: "2026-01-01", sheetName: "x", rows: 5 };

const EAN: ArtItem = {
  kind: "symbol",
  symbol: "ean-13",
  at: box(31, 4, 30, 24),
  text: 0,
  xMm: null,
  heightMm: null,
  hri: "below",
  sizePt: 7,
  use: "none",
  bearer: "none",
  columns: null,
  panel: null,
};

describe("proof pages (docs/spec/print.md section 9)", () => {
  it("draw symbols beside codes", async () => {
    const { options, records } = await makePressJob({ marks: [] }, 1);
    const file = path.join(await mkdtemp(path.join(tmpdir(), "proof-")), "proof.pdf");
    const label = makeArt(makeCode(box(3, 3, 27, 27), WHITE), EAN);
    const known = records.map((record) => ({ ...record, caption: ["4006381333931"] }));
    const { cells } = await writeProof({ ...options, label }, known, facts, file);
    expect(cells.map(({ symbol }) => symbol)).toEqual([undefined, "ean-13"]);
  });

  it.each(["herma-5066", "avery-l7160", "brother-dk-11207", "a4-24up-63.5x33.9"])(
    "show the codes of %s as large as its sheets have them",
    async (name) => {
      const sheet = await loadSheet(name);
      const { options, records, written } = await makePressJob({ sheet, marks: [] }, 1);
      const file = path.join(await mkdtemp(path.join(tmpdir(), "proof-")), "proof.pdf");
      const { cells } = await writeProof(options, records, facts, file);
      expect(cells.map(({ xMm }) => xMm)).toEqual(written.cells.map(({ xMm }) => xMm));
    },
  );

  it.each([3, 8, 15])("print keys beside a bleed of %d mm, not on it", async (bleedMm) => {
    const label = makeArt(
      makeShape("box", box(-1, -1, 65.5, 35.9), { fill: BLUE }),
      makeCode(box(3, 3, 27, 27), WHITE),
    );
    const { options, records } = await makePressJob({ marks: [] }, 5);
    const file = path.join(await mkdtemp(path.join(tmpdir(), "proof-")), "proof.pdf");
    const written = await writeProof({ ...options, label, bleedMm }, records, facts, file);
    const pdf = await openPdfFile(await readFile(file));
    const [page] = pdf.pages;
    if (page === undefined) throw new Error("a proof has a page");
    const resources = readResources(pdf, page, { fonts: new Map(), objects: new Map() });
    const { painted } = readPageContent(pdf.content(page), resources);
    const top = page.box("MediaBox")?.[3] ?? 0;
    const keys = painted.filter(
      (mark) => mark.kind === "text" && /^north\/\d$/u.test(textOf(mark)),
    );
    expect(keys).toHaveLength(5);
    for (const { key, label: place } of written.cells) {
      const text = keys.find((mark) => textOf(mark) === key)?.box ?? [0, 0, 0, 0];
      const [high, low] = [text[3], text[1]].map((pt) => ((top - pt) / 72) * 25.4);
      const bottom = place.y + place.height;
      expect(high).toBeGreaterThanOrEqual(bottom + bleedMm);
      const below = written.cells.filter((cell) => cell.label.y > bottom);
      for (const { label: next } of below) expect(low).toBeLessThanOrEqual(next.y - bleedMm);
    }
  });
});
