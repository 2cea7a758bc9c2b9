import { describe, expect, test } from "vitest";

import { drawingRevision } from "../../src/qr/draw/revision.ts";

describe("drawingRevision", () => {
  test("is empty for what is drawn as before", () => {
    expect(drawingRevision({ hasLogo: false })).toEqual([]);
    const circles = { pattern: "Circles", eyeStyle: "Square", hasLogo: false };
    expect(drawingRevision(circles)).toEqual([]);
    expect(drawingRevision({ pattern: null, eyeStyle: null, hasLogo: false })).toEqual([]);
  });

  test.each([
    { eyeStyle: "Rounded", hasLogo: false },
    { eyeStyle: "Drop", hasLogo: false },
    { eyeStyle: "Leaf", hasLogo: false },
    { pattern: "Diamonds", hasLogo: false },
    { hasLogo: true },
  ])("names what looks different: %o", (looks) => {
    expect(drawingRevision(looks)).toHaveLength(1);
  });
});
