import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { mmToPt, mmToPx } from "../../src/base/shapes/units.ts";
import {
  type Calibration,
  calibrateBox,
  calibrationMatrix,
  isTrueToSize,
  loadCalibration,
} from "../../src/print/layout/calibration.ts";
import {
  makePageFrame,
  type PageFrame,
  toPageX,
  toPageY,
} from "../../src/print/layout/page-frame.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";

let frame: PageFrame;
beforeAll(async () => {
  frame = makePageFrame(await loadSheet("a4-24up-63.5x33.9"), true, undefined);
});

const anyCalibration = fc.record({
  printer: fc.constant("office"),
  offsetXMm: fc.double({ min: -10, max: 10, noNaN: true }),
  offsetYMm: fc.double({ min: -10, max: 10, noNaN: true }),
  scaleX: fc.double({ min: 0.97, max: 1.03, noNaN: true }),
  scaleY: fc.double({ min: 0.97, max: 1.03, noNaN: true }),
});
const anyTurned = fc
  .tuple(anyCalibration, fc.double({ min: -2, max: 2, noNaN: true }))
  .map(([calibration, turnDegrees]): Calibration => ({ ...calibration, turnDegrees }));

/** What the printer makes of a place on the page, mm from its upper left corner. */
function printed(calibration: Calibration, { x, y }: { x: number; y: number }) {
  const { offsetXMm, offsetYMm, scaleX, scaleY, turnDegrees = 0 } = calibration;
  const turn = (turnDegrees * Math.PI) / 180;
  return {
    x: scaleX * x * Math.cos(turn) - scaleY * y * Math.sin(turn) + offsetXMm,
    y: scaleX * x * Math.sin(turn) + scaleY * y * Math.cos(turn) + offsetYMm,
  };
}

const exact: Calibration = {
  printer: "office",
  offsetXMm: 0,
  offsetYMm: 0,
  scaleX: 1,
  scaleY: 1,
};

function write(value: unknown): string {
  const folder = mkdtempSync(path.join(tmpdir(), "printers-"));
  const text = typeof value === "string" ? value : JSON.stringify(value);
  writeFileSync(path.join(folder, "printers.json"), text);
  return folder;
}

async function refusal(printer: string, folder: string): Promise<string> {
  const error: unknown = await loadCalibration(printer, folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  const { code, message, hint = "", problems } = error as AppError;
  expect(code).toBe("bad-usage");
  return [message, hint, ...problems.map((problem) => problem.message)].join("\n");
}

describe("a calibrated page", () => {
  it("puts every place where it should be once the printer has done its own", () => {
    fc.assert(
      fc.property(
        anyCalibration,
        fc.double({ min: 0, max: 210, noNaN: true }),
        fc.double({ min: 0, max: 297, noNaN: true }),
        (calibration, x, y) => {
          const drawn = calibrateBox(
            { x, y, width: 10, height: 10 },
            calibration,
            frame,
            undefined,
          );
          const { left, top } = frame.margins;
          const { offsetXMm, offsetYMm, scaleX, scaleY } = calibration;
          expect((left + drawn.x) * scaleX + offsetXMm).toBeCloseTo(left + x, 9);
          expect((top + drawn.y) * scaleY + offsetYMm).toBeCloseTo(top + y, 9);
          expect(drawn.width * scaleX).toBeCloseTo(10, 9);
          expect(drawn.height * scaleY).toBeCloseTo(10, 9);
        },
      ),
    );
  });

  it("is the same through the matrix of the page, which counts upwards", () => {
    fc.assert(
      fc.property(anyCalibration, (calibration) => {
        const [a, b, c, d, e, f] = calibrationMatrix(calibration, frame, undefined);
        expect([b + 0, c + 0]).toEqual([0, 0]);
        const box = { x: 20, y: 30, width: 5, height: 7 };
        const drawn = calibrateBox(box, calibration, frame, undefined);
        expect(a * mmToPt(toPageX(frame, box.x)) + e).toBeCloseTo(
          mmToPt(toPageX(frame, drawn.x)),
          6,
        );
        expect(d * mmToPt(toPageY(frame, box.y)) + f).toBeCloseTo(
          mmToPt(toPageY(frame, drawn.y)),
          6,
        );
      }),
    );
  });

  it("lies the other way than the printer errs, as docs/labels.md says", () => {
    const box = { x: 20, y: 30, width: 5, height: 7 };
    const off = { ...exact, offsetXMm: 4, offsetYMm: -2 };
    const drawn = calibrateBox(box, off, frame, undefined);
    expect(drawn.x).toBeCloseTo(16, 9);
    expect(drawn.y).toBeCloseTo(32, 9);
    // Turned back against the clock, what lies to the right is drawn higher.
    const turned = calibrateBox(box, { ...exact, turnDegrees: 1 }, frame, undefined);
    expect(turned.y).toBeLessThan(30);
  });

  it("is turned back by a printer that turns it, and lies in the box that it is looked for in", () => {
    fc.assert(
      fc.property(anyTurned, (calibration) => {
        const [a, b, c, d, e, f] = calibrationMatrix(calibration, frame, undefined);
        const box = { x: 20, y: 30, width: 5, height: 7 };
        const drawnBox = calibrateBox(box, calibration, frame, undefined);
        const heightMm = frame.margins.bottom + frame.trimHeightMm + frame.margins.top;
        for (const [right, down] of [
          [0, 0],
          [5, 0],
          [0, 7],
          [5, 7],
        ] as const) {
          const wanted = { x: frame.margins.left + 20 + right, y: frame.margins.top + 30 + down };
          const [x, y] = [mmToPt(wanted.x), mmToPt(heightMm - wanted.y)];
          const drawn = {
            x: (a * x + c * y + e) / mmToPt(1),
            y: heightMm - (b * x + d * y + f) / mmToPt(1),
          };
          const back = printed(calibration, drawn);
          expect(back.x).toBeCloseTo(wanted.x, 6);
          expect(back.y).toBeCloseTo(wanted.y, 6);
          const at = { x: drawn.x - frame.margins.left, y: drawn.y - frame.margins.top };
          expect(at.x).toBeGreaterThan(drawnBox.x - 1e-6);
          expect(at.x).toBeLessThan(drawnBox.x + drawnBox.width + 1e-6);
          expect(at.y).toBeGreaterThan(drawnBox.y - 1e-6);
          expect(at.y).toBeLessThan(drawnBox.y + drawnBox.height + 1e-6);
        }
      }),
    );
  });

  it("moves by whole device pixels when sizes are kept, and changes nothing for a true printer", () => {
    const off = { ...exact, offsetXMm: 0.4, offsetYMm: -0.27 };
    const box = { x: 0, y: 0, width: 1, height: 1 };
    const { x, y } = calibrateBox(box, off, frame, 600);
    expect(mmToPx(x, 600)).toBeCloseTo(-9, 6);
    expect(mmToPx(y, 600)).toBeCloseTo(6, 6);
    expect(calibrateBox(box, exact, frame, 600)).toEqual(box);
    expect(isTrueToSize(off)).toBe(true);
    expect(isTrueToSize({ ...off, scaleY: 1.001 })).toBe(false);
    expect(isTrueToSize({ ...off, turnDegrees: 0.1 })).toBe(false);
  });
});

describe("printers.json", () => {
  it("gives what was measured; what is not there is exact", async () => {
    const folder = write({ office: { offset_x_mm: 0.4, scale_y_percent: 100.2 }, exact: {} });
    expect(await loadCalibration("office", folder)).toEqual({
      printer: "office",
      offsetXMm: 0.4,
      offsetYMm: 0,
      scaleX: 1,
      scaleY: 1.002,
    });
    expect(await loadCalibration("exact", folder)).toEqual({ ...exact, printer: "exact" });
  });

  it("has a turn, where there is one", async () => {
    const folder = write({ office: { turn_degrees: -0.4 }, upright: { turn_degrees: 0 } });
    expect(await loadCalibration("office", folder)).toMatchObject({ turnDegrees: -0.4 });
    expect(await loadCalibration("upright", folder)).toEqual({ ...exact, printer: "upright" });
    const wrong = await refusal("office", write({ office: { turn_degrees: 3 } }));
    expect(wrong).toContain("turn_degrees must be a number from -2 to 2, got 3");
  });

  it.each([
    [{ office: { offset_x_mm: 11 } }, "offset_x_mm must be a number from -10 to 10, got 11"],
    [{ office: { scale_x_percent: 1.002 } }, "scale_x_percent must be a number from 97 to 103"],
    [{ office: { offset_x: 1, offset_y_mm: "1" } }, "offset_x must be one of offset_x_mm"],
    [{ office: 3 }, "printer must be a map, got 3"],
    [{ ofice: {} }, 'did you mean "ofice"?'],
    [[], "printers must be a map of names"],
    ["{", "printers must be JSON"],
  ])("refuses %j", async (value, says) => {
    expect(await refusal("office", write(value))).toContain(says);
  });

  it("says how to write it when it is not there", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "printers-"));
    expect(await refusal("office", folder)).toMatch(/ENOENT[^]*write \{ "office"/u);
    expect(await refusal("toString", write({}))).toContain('got "toString"');
  });
});
