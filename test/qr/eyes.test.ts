import { describe, expect, test } from "vitest";

import { type EyeStyleName, eyeStyles } from "../../src/qr/draw/design.ts";
import { encodeQr, isDark } from "../../src/qr/encode/encode.ts";
import { eyesPath, isEye } from "../../src/qr/draw/eyes.ts";
import { ALIGNMENT, DATA, EYE, moduleKinds, TIMING } from "../../src/qr/draw/module-kinds.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";

const SIZE = 25;
const PITCH = 40;

async function draw(style: EyeStyleName): Promise<(x: number, y: number) => boolean> {
  const side = SIZE * PITCH;
  const { data } = await rasterizeSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${SIZE} ${SIZE}"><path d="${eyesPath(style, SIZE, 0, 0)}"/></svg>`,
  );
  return (x, y) =>
    (data[(Math.floor(y * PITCH) * side + Math.floor(x * PITCH)) * 4 + 3] as number) > 127;
}

/** Outer corners of the three eyes, going away from each: place, and which way is inwards. */
const corners = {
  topLeft: {
    away: [0, 0],
    towards: [7, 7],
    beside: [
      [7, 0],
      [0, 7],
    ],
  },
  topRight: {
    away: [25, 0],
    towards: [18, 7],
    beside: [
      [18, 0],
      [25, 7],
    ],
  },
  bottomLeft: {
    away: [0, 25],
    towards: [7, 18],
    beside: [
      [0, 18],
      [7, 25],
    ],
  },
} as const;

const centres = { topLeft: [3.5, 3.5], topRight: [21.5, 3.5], bottomLeft: [3.5, 21.5] } as const;

type Place = readonly [number, number];

/** A tenth of a module inwards from a corner, on the diagonal. */
function inside(corner: Place, centre: Place): Place {
  return [
    corner[0] + Math.sign(centre[0] - corner[0]) * 0.1,
    corner[1] + Math.sign(centre[1] - corner[1]) * 0.1,
  ];
}

/** Which corners are rounded: away, beside, towards the code's centre. */
const rounded: Record<EyeStyleName, readonly [boolean, boolean, boolean]> = {
  Square: [false, false, false],
  Rounded: [true, true, true],
  Drop: [true, true, false],
  Leaf: [false, true, false],
};

describe.each(eyeStyles)("%s eyes", (style) => {
  test("ring, gap and pupil where every decoder looks for them", async () => {
    const isInk = await draw(style);
    for (const [cx, cy] of Object.values(centres)) {
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const along = [0, 1, 2, 3].map((ring) => isInk(cx + dx * ring, cy + dy * ring));
        expect(along).toEqual([true, true, false, true]);
      }
    }
  });

  test("sharp and rounded corners point the right way", async () => {
    const isInk = await draw(style);
    const [away, beside, towards] = rounded[style];
    for (const [name, place] of Object.entries(corners)) {
      const centre = centres[name as keyof typeof centres];
      expect(isInk(...inside(place.away, centre))).toBe(!away);
      expect(isInk(...inside(place.towards, centre))).toBe(!towards);
      for (const corner of place.beside) expect(isInk(...inside(corner, centre))).toBe(!beside);
    }
  });

  test("nothing outside the three squares", async () => {
    const isInk = await draw(style);
    let stray = 0;
    for (let y = 0; y < SIZE; y += 1) {
      for (let x = 0; x < SIZE; x += 1) {
        if (!isEye(SIZE, x, y) && isInk(x + 0.5, y + 0.5)) stray += 1;
      }
    }
    expect(stray).toBe(0);
  });
});

describe("module kinds", () => {
  test.each([1, 2, 6, 7, 14, 40])(
    "version %i: fixed patterns are where codes have them",
    (version) => {
      const size = version * 4 + 17;
      const kinds = moduleKinds(version);
      const codes = ["first", "second text"].map((text) => encodeQr(text, { minVersion: version }));
      let differing = 0;
      for (let at = 0; at < kinds.length; at += 1) {
        if (kinds[at] === DATA) continue;
        const [x, y] = [at % size, Math.floor(at / size)];
        const [first, second] = codes.map((code) => isDark(code, x, y));
        if (first !== second) differing += 1;
      }
      expect(differing).toBe(0);
      const count = (kind: number): number => kinds.filter((other) => other === kind).length;
      expect(count(EYE)).toBe(147);
      const perAxis = version === 1 ? 0 : Math.floor(version / 7) + 2;
      expect(count(ALIGNMENT)).toBe(version === 1 ? 0 : (perAxis * perAxis - 3) * 25);
      // Alignment patterns on the timing lines hide five modules each.
      expect(count(TIMING)).toBe((size - 16) * 2 - Math.max(0, perAxis - 2) * 10);
    },
  );
});
