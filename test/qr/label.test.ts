import { describe, expect, test } from "vitest";

import { placeLabel } from "../../src/qr/draw/label.ts";
import type { TextOutline } from "../../src/qr/draw/text.ts";
import { refusalOf } from "./refusal.ts";

/** A line whose ink is a box; its path states where it was put. */
function lineOf(width: number, height: number): TextOutline {
  return {
    left: 0.1,
    top: -height,
    width,
    height,
    toPath: (x, y, size) =>
      `${JSON.stringify({ x: x + 0.1 * size, y: y - height * size, width: width * size, height: height * size })};`,
  };
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const bar = { x: 10, y: 20, width: 50, height: 10 };
const place = (primary: TextOutline, secondary?: TextOutline): Placed[] =>
  placeLabel({ primary, secondary }, bar)
    .draw()
    .split(";")
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part) as Placed);

describe("labels in their bar", () => {
  test("a long line takes 80% of the width, in the middle", () => {
    const [line] = place(lineOf(20, 0.7));
    expect(line?.width).toBeCloseTo(40);
    expect(line?.x).toBeCloseTo(15);
    expect((line?.y ?? 0) + (line?.height ?? 0) / 2).toBeCloseTo(25);
  });

  test("a short line takes at most 60% of the height", () => {
    const [line] = place(lineOf(2, 0.95));
    expect(line?.height).toBeLessThanOrEqual(6.001);
    expect(line?.height).toBeGreaterThan(5);
    expect((line?.x ?? 0) + (line?.width ?? 0) / 2).toBeCloseTo(35);
  });

  test("a flat word is not blown up", () => {
    const [flat] = place(lineOf(3, 0.1));
    const [usual] = place(lineOf(3, 0.76));
    expect(flat?.width).toBeCloseTo(usual?.width ?? 0, 1);
  });

  test("the second line stays smaller when the first is long", () => {
    const [first, second] = place(lineOf(40, 0.8), lineOf(2, 0.8));
    expect(second?.height).toBeCloseTo((first?.height ?? 0) * 0.7);
  });

  test("letters of less than a module are refused, with how much must go", () => {
    expect(place(lineOf(40, 0.7))).toHaveLength(1);
    const long = refusalOf(() => place(lineOf(50, 0.7)));
    expect(long).toMatchObject({ code: "design-invalid", where: { field: "text" } });
    expect(long.message).toContain("got letters of 0.80");
    expect(long.hint).toContain("about 80 %");
    const second = refusalOf(() => place(lineOf(10, 0.7), lineOf(80, 0.7)));
    expect(second).toMatchObject({ where: { field: "text_secondary" } });
  });

  test("two lines: the second smaller, below, neither touching the other, both inside", () => {
    const [first, second] = place(lineOf(3, 0.95), lineOf(3, 0.95));
    expect(second?.height).toBeLessThan(first?.height ?? 0);
    expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0));
    expect(first?.y).toBeGreaterThanOrEqual(21.99);
    expect((second?.y ?? 0) + (second?.height ?? 0)).toBeLessThanOrEqual(28.01);
  });
});
