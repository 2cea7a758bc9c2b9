import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { cutPositions } from "../../src/print/draw/marks.ts";
import { straightCuts } from "../../src/print/draw/die-line.ts";
import type { LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { listSheets, loadSheet } from "../../src/print/layout/sheet-files.ts";
import { writeAlignmentPage } from "../../src/print/sheets.ts";
import { isEveryCase } from "../help/every-pair.ts";

/** The largest packed stream that holds operators: the page's content. */
function contentOf(pdf: Buffer): string {
  const found: string[] = [];
  for (let at = pdf.indexOf("stream\n"); at >= 0; at = pdf.indexOf("stream\n", at + 7)) {
    try {
      found.push(inflateSync(pdf.subarray(at + 7)).toString("latin1"));
    } catch {
      // The end of a stream, or one that isn't packed.
    }
  }
  return found.find((text) => text.startsWith("0 0 0 1 k")) ?? "";
}

describe("the alignment page", () => {
  it("is written for every sheet, the same each time", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "align-"));
    const write = (sheet: LabelSheet, name: string) =>
      writeAlignmentPage(sheet, "2026-01-01T00:00:00Z", path.join(folder, name));
    for (const [at, sheet] of (await listSheets()).entries()) {
      if (!isEveryCase && at % 4 > 0) continue;
      const written = await write(sheet, "a.pdf");
      expect(written.bytes).toBeGreaterThan(15_000);
      // The same code writes them all.
      if (at % 20 === 0) expect((await write(sheet, "b.pdf")).sha256).toBe(written.sha256);
    }
  });

  it("has an outline for every label and half-millimetre ticks at four edges", async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), "align-")), "a.pdf");
    await writeAlignmentPage(await loadSheet("avery-l7651"), "2026-01-01T00:00:00Z", file);
    const content = contentOf(await readFile(file));
    expect(content.match(/^h$/gmu)).toHaveLength(65);
    expect(content.match(/ m [\d.]+ [\d.]+ l$/gmu)).toHaveLength(4 * 30);
  });
});

describe("straight cuts", () => {
  it("stand once where labels touch, and apart where they don't", async () => {
    const sheet = await loadSheet("a4-24up-63.5x33.9");
    const cuts = straightCuts(sheet);
    // Six uprights from top to bottom; nine levels, each in three stretches.
    expect(cuts).toHaveLength(6 + 9 * 3);
    const uprights = cuts.filter(({ x1, x2 }) => x1 === x2);
    expect(uprights.map(({ x1 }) => x1)).toEqual(
      cutPositions(sheet.leftMm, sheet.pitchXMm, 63.5, 3),
    );
    for (const { y1, y2 } of uprights) expect(y2 - y1).toBeCloseTo(8 * 33.9, 6);
  });
});
