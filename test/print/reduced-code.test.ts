import { describe, expect, it } from "vitest";

import { drawReducedCode } from "../../src/print/draw/reduced-code.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { planSheets, type SheetOptions } from "../../src/print/sheets.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob } from "../verify/press.ts";
import { BLUE } from "./make-art.ts";

const UNIT = 10;

/** Pixels of a code whose modules have ten. */
function paint(px: number): {
  dark: Uint8Array;
  size: number;
  isDark: (x: number, y: number) => boolean;
} {
  const matrix = encodeQr("https://qr.example/table-1", { level: "Q" });
  const { size } = matrix;
  const at = { leftMm: 0, bottomMm: 0, xMm: (UNIT * 25.4) / 600 };
  const side = size * UNIT;
  const dark = new Uint8Array(side * side);
  for (const [, ...numbers] of drawReducedCode(matrix, at, { dpi: 600, px }).matchAll(
    /^(\S+) (\S+) (\S+) (\S+) re$/gmu,
  )) {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
    for (let row = y; row < y + height; row += 1)
      dark.fill(1, row * side + x, row * side + x + width);
  }
  const isDark = (x: number, y: number): boolean => {
    if (x < 0 || y < 0 || x >= size || y >= size) return false;
    const word = matrix.rows[(size - 1 - y) * matrix.words + (x >> 5)] ?? 0;
    return (word & (1 << (x & 31))) !== 0;
  };
  return { dark, size, isDark };
}

describe("bar width reduction (docs/spec/print.md section 6)", () => {
  it.each([1, 2, 3])("takes %d pixels off every dark shape, and leaves no seam in it", (px) => {
    const { dark, size, isDark } = paint(px);
    const low = Math.floor(px / 2);
    const high = px - low;
    const side = size * UNIT;
    // A pixel stays dark when all of its surroundings are, as far as ink spreads.
    const whole = (x: number, y: number): boolean =>
      isDark(Math.floor(x / UNIT), Math.floor(y / UNIT));
    let wrong = 0;
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const wanted =
          whole(x - low, y - low) &&
          whole(x + high, y - low) &&
          whole(x - low, y + high) &&
          whole(x + high, y + high);
        if (wanted !== (dark[y * side + x] === 1)) wrong += 1;
      }
    }
    expect(wrong).toBe(0);
  });

  it("keeps every rule, and the slug says it", async () => {
    const job = await makePressJob({ barWidthReduction: 2, deviceDpi: 1200, marks: ["crop"] }, 5);
    const { volumes, cells } = job.written;
    const proof = await verifySheets({ options: job.options, volumes, cells, workers: 1 });
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(5);
    const other = { ...job.options, barWidthReduction: 8 };
    const wrong = await verifySheets({ options: other, volumes, cells, workers: 1 });
    expect(wrong.findings.some(({ rule }) => rule === "single-fill")).toBe(true);
  });

  it("wants a device, whole modules in black, and half of a module at most", async () => {
    const options = {
      sheet: await loadSheet("a4-24up-63.5x33.9"),
      title: "x",
      createdAt: "2026-01-01T00:00:00Z",
      slug: { job: "x", input: "", inputHash: "", rehearsal: false },
      marks: [],
    } as const;
    const plan = (changes: Partial<SheetOptions>) =>
      planSheets({ ...options, ...changes }, { count: 1, maxVersion: 3 })
        .problems.map(({ message }) => message)
        .join();
    expect(plan({ barWidthReduction: 1, deviceDpi: 600 })).toBe("");
    expect(plan({ barWidthReduction: 1 })).toMatch(/known device_dpi/u);
    const codeStyle = { pattern: "Circles", eyes: "Square", ink: BLUE, eyeInk: BLUE } as const;
    expect(plan({ barWidthReduction: 1, deviceDpi: 600, codeStyle })).toMatch(
      /whole modules in black/u,
    );
    expect(plan({ barWidthReduction: 12, deviceDpi: 600 })).toMatch(
      /at most half of a module, 17\.0 pixels/u,
    );
  });
});
