import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import type { Ink } from "../../src/base/shapes/label-art.ts";
import { loadCalibration } from "../../src/print/layout/calibration.ts";
import { offGridPx } from "../../src/print/layout/device-grid.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { planSheets, type SheetOptions } from "../../src/print/sheets.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob } from "../verify/press.ts";
import { BLUE, GOLD } from "./make-art.ts";

const plan = async (changes: Partial<SheetOptions>) =>
  planSheets(
    {
      sheet: await loadSheet("a4-24up-63.5x33.9"),
      title: "x",
      createdAt: "2026-01-01T00:00:00Z",
      slug: { job: "x", input: "", inputHash: "", rehearsal: false },
      marks: [],
      ...changes,
    },
    { count: 1, maxVersion: 3 },
  );

describe("the default grid (docs/spec/print.md section 6)", () => {
  it("holds where codes have room, and makes none too small", async () => {
    const free = await makePressJob({}, 1);
    const whole = await makePressJob({ deviceDpi: undefined }, 1);
    const [onGrid, most] = [free, whole].map(({ written }) => written.xMm[0]);
    expect(most).toBeGreaterThan(onGrid ?? 0);
    for (const [leastXMm, isOn] of [
      [0.33, true],
      [(most ?? 0) - 1e-4, false],
    ] as const) {
      const job = await makePressJob({ deviceDpi: 600, isDefaultDpi: true, leastXMm }, 3);
      const { xMm } = job.written.cells[0] ?? { xMm: 0 };
      expect(xMm).toBeGreaterThanOrEqual(leastXMm);
      expect(offGridPx(xMm, 600) < 0.01).toBe(isOn);
      const { volumes, cells } = job.written;
      const proof = await verifySheets({ options: job.options, volumes, cells, workers: 1 });
      expect(proof.findings).toEqual([]);
    }
    // Where it was asked for, the same is refused.
    expect((await plan({ deviceDpi: 600, leastXMm: 0.75 })).problems).toHaveLength(1);
    expect((await plan({ deviceDpi: 600, leastXMm: 0.75, isDefaultDpi: true })).problems).toEqual(
      [],
    );
  });

  it("is not forced on sizes that were asked for: the plan says what that does", async () => {
    const { warnings } = await plan({ xDimensionMm: 0.5, leastXMm: 0.33 });
    expect(warnings.join()).toMatch(
      /X of 0\.500 mm is 11\.81 pixels at 600 dpi: .* up to 8%; say device_dpi/u,
    );
    expect((await plan({ xDimensionMm: 0.5, deviceDpi: 600 })).warnings.join()).not.toContain(
      "pixels at",
    );
    expect((await plan({ xDimensionMm: 25.4 / 50 })).warnings.join()).not.toContain("pixels at");
  });

  it("is the printer's where printers.json has it", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "printers-"));
    await writeFile(
      path.join(folder, "printers.json"),
      '{ "zebra": { "device_dpi": 203 }, "odd": { "device_dpi": 1.5 }, "old": { "offset_x_mm": 1 } }',
    );
    expect((await loadCalibration("zebra", folder)).deviceDpi).toBe(203);
    expect(await loadCalibration("old", folder)).not.toHaveProperty("deviceDpi");
    await expect(loadCalibration("odd", folder)).rejects.toThrow(/must be measured right/u);
  });
});

const style = (ink: Ink) =>
  plan({ codeStyle: { pattern: "Original", eyes: "Square", ink, eyeInk: ink } });

describe("inks of codes", () => {
  it("that are screened, and those of several plates, are warned of", async () => {
    const blue = (await style(BLUE)).warnings.join();
    expect(blue).toContain("code_style is screened");
    expect(blue).toContain("code_style takes 3 plates");
    const dark: Ink = { cmyk: [1, 0.7, 0, 0.1], spot: "DARK", tint: 1 };
    expect((await style(dark)).warnings.join()).not.toMatch(/screened|plates/u);
    expect((await style({ ...GOLD, tint: 0.5 })).problems.length).toBeGreaterThan(0);
    expect((await style({ ...dark, tint: 0.9 })).warnings.join()).toContain(
      "code_style is screened",
    );
  });
});
