import { describe, expect, test } from "vitest";

import {
  clearedModules,
  coversAlignment,
  largestArea,
  LOGO_BUDGET,
  logoLoad,
  planLogo,
} from "../../src/qr/draw/logo-budget.ts";
import { type QrLevel, qrLevels } from "../../src/qr/encode/tables.ts";

/** Largest square side / circle diameter at 0.85, versions 2 to 16. */
const VECTORS: Record<QrLevel, string> = {
  H: "7/8 9/11 11/12 13/16 13/18 17/18 19/22 21/26 23/28 25/28 27/28 17/18 29/32 23/28 31/34",
  Q: "5/7 7/10 9/12 11/13 13/16 15/17 17/20 19/23 21/24 23/24 25/28 27/31 21/24 31/34 27/33",
  M: "5/6 5/8 7/8 9/12 11/12 13/14 13/16 17/18 19/20 17/22 17/18 21/23 23/24 25/27 25/28",
  L: "3/4 3/5 5/7 5/8 7/8 9/11 11/12 11/14 13/15 13/16 13/17 15/18 15/18 17/19 19/22",
};

describe("largest logo at 0.85", () => {
  test.each(qrLevels)("level %s, versions 2 to 16", (level) => {
    const found = VECTORS[level].split(" ").map((_, i) => {
      const side = (isRound: boolean): number | undefined =>
        largestArea({ version: i + 2, level }, { aspect: 1, isRound, isLarge: true })?.width;
      return `${side(false)}/${side(true)}`;
    });
    expect(found.join(" ")).toBe(VECTORS[level]);
  });
});

const load = (side: number): number =>
  logoLoad(7, "Q", { width: side, height: side, isRound: false });

describe("planLogo", () => {
  test("stays within the budget and off the alignment patterns", () => {
    for (const level of qrLevels) {
      for (let version = 5; version <= 40; version += 1) {
        const area = planLogo(version, level, { aspect: 1, isRound: false })?.area;
        if (area === undefined) continue;
        expect(logoLoad(version, level, area)).toBeLessThanOrEqual(LOGO_BUDGET);
        expect(coversAlignment(version, area)).toBe(false);
      }
    }
  });

  test("finds no place where an alignment pattern stands in the middle", () => {
    const bearing = Array.from({ length: 36 }, (_, i) => i + 5).filter(
      (version) => planLogo(version, "H", { aspect: 1, isRound: false }) !== undefined,
    );
    expect(bearing.filter((version) => Math.floor(version / 7) % 2 === 1)).toEqual([]);
    expect(bearing.length).toBeGreaterThanOrEqual(15);
  });

  test("long logos keep their shape and never get thin as a line", () => {
    const wide = planLogo(15, "H", { aspect: 4, isRound: false })?.area;
    expect((wide?.width ?? 0) / (wide?.height ?? 1)).toBeCloseTo(4);
    expect(wide?.height).toBeGreaterThanOrEqual(3);
    const tall = planLogo(15, "H", { aspect: 0.25, isRound: false })?.area;
    expect((tall?.height ?? 0) / (tall?.width ?? 1)).toBeCloseTo(4);
    expect(planLogo(5, "L", { aspect: 20, isRound: false })).toBeUndefined();
  });

  test("a larger load for a larger area, 0 for none", () => {
    expect(load(0.5)).toBeLessThanOrEqual(load(5));
    expect(load(5)).toBeLessThan(load(15));
    expect(load(15)).toBeLessThan(load(25));
  });
});

const count = (isRound: boolean): number =>
  clearedModules(5, { width: 9, height: 9, isRound }).reduce((sum, bit) => sum + bit, 0);

describe("picture", () => {
  test.each([
    [1, false],
    [1, true],
    [3, false],
    [0.4, false],
  ])("aspect %s, round %s: covers no part of a module that is drawn", (aspect, isRound) => {
    let covered = 0;
    for (const version of [6, 14, 16, 20, 30]) {
      const plan = planLogo(version, "Q", { aspect, isRound });
      const { width, height } = plan?.area ?? { width: 0, height: 0 };
      const share = plan?.pictureShare ?? 0;
      expect(share).toBeGreaterThan(0.5);
      expect(share).toBeLessThanOrEqual(0.9);
      const cleared = plan && clearedModules(version, plan.area);
      const size = version * 4 + 17;
      // Points of the picture's outline and inside it.
      for (let i = 0; i < 3600; i += 1) {
        const [angle, r] = [(i * Math.PI) / 1800, 0.9999 - (i % 10) / 11];
        const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
        const stretch = isRound ? 1 : 1 / Math.max(Math.abs(ux), Math.abs(uy));
        const x = Math.floor(size / 2 + (ux * stretch * r * share * width) / 2);
        const y = Math.floor(size / 2 + (uy * stretch * r * share * height) / 2);
        if (cleared?.[y * size + x] !== 1) covered += 1;
      }
    }
    expect(covered).toBe(0);
  });
});

describe("clearedModules", () => {
  test("a square in the middle, a circle without its corners", () => {
    expect(count(false)).toBe(81);
    expect(count(true)).toBeLessThan(81);
    expect(count(true)).toBeGreaterThan(55);
    const size = 37;
    const cleared = clearedModules(5, { width: 9, height: 9, isRound: false });
    expect(cleared[14 * size + 14]).toBe(1);
    expect(cleared[13 * size + 14]).toBe(0);
    expect(cleared[22 * size + 22]).toBe(1);
    expect(cleared[23 * size + 22]).toBe(0);
  });
});
