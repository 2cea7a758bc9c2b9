import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  gridCeil,
  gridFloor,
  gridNearest,
  hasGridPlace,
  offGridPx,
} from "../../src/print/layout/device-grid.ts";

const dpi = fc.constantFrom(150, 203, 300, 600, 1200, 2400, 2540);
const length = fc.double({ min: 0.05, max: 300, noNaN: true });

describe("the device grid", () => {
  it.each([
    [300, 5, 0.4233],
    [600, 10, 0.4233],
    [1200, 19, 0.4022],
    [2400, 38, 0.4022],
    [203, 4, 0.5005],
  ])("raises X 0.396 mm at %i dpi to %i pixels", (resolution, px, mm) => {
    expect(gridCeil(0.396, resolution)).toBeCloseTo(mm, 4);
    expect(gridCeil(0.396, resolution)).toBeCloseTo((px * 25.4) / resolution, 12);
  });

  it("takes a length that is whole pixels but for dust as it is", () => {
    expect(gridCeil((10 * 25.4) / 600 + 1e-14, 600)).toBeCloseTo((10 * 25.4) / 600, 12);
    expect(gridFloor((10 * 25.4) / 600 - 1e-12, 600)).toBeCloseTo((10 * 25.4) / 600, 12);
  });

  it("changes nothing without a resolution", () => {
    expect([gridCeil(0.4, undefined), gridFloor(0.4, undefined)]).toEqual([0.4, 0.4]);
    expect(gridNearest(5, { leastMm: 1, mostMm: 3 }, undefined)).toBe(3);
    expect(hasGridPlace(1, 1, undefined)).toBe(true);
    expect(hasGridPlace(1, 0.9, undefined)).toBe(false);
  });

  it("rounds up, down and to the nearest, always onto the grid", () => {
    fc.assert(
      fc.property(length, dpi, (mm, resolution) => {
        const pixel = 25.4 / resolution;
        const [up, down] = [gridCeil(mm, resolution), gridFloor(mm, resolution)];
        const near = gridNearest(mm, { leastMm: 0, mostMm: 400 }, resolution);
        for (const on of [up, down, near]) expect(offGridPx(on, resolution)).toBeLessThan(1e-6);
        expect(up).toBeGreaterThanOrEqual(mm - pixel * 1e-6);
        expect(down).toBeLessThanOrEqual(mm + pixel * 1e-5);
        expect(Math.abs(near - mm)).toBeLessThanOrEqual(pixel / 2 + 1e-9);
      }),
    );
  });

  it("finds a place exactly when the range holds one", () => {
    fc.assert(
      fc.property(
        length,
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        dpi,
        (least, room, resolution) => {
          const range = { leastMm: least, mostMm: least + room };
          const place = gridNearest(least, range, resolution);
          const inside = place >= range.leastMm - 1e-6 && place <= range.mostMm + 1e-6;
          expect(hasGridPlace(range.leastMm, range.mostMm, resolution)).toBe(inside);
        },
      ),
    );
  });
});
