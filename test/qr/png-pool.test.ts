/** PNGs drawn in threads: the same files, the same refusals, and no thread is ever waited for in vain. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/draw/design.ts";
import { openQrEngine, type QrEngine } from "../../src/qr/engine.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { PngPool } from "../../src/qr/png/png-pool.ts";
import { fonts, openTestEngine } from "./fonts.ts";
import { blankImage } from "./images.ts";

const logo = writeRgbaPng(blankImage(40, 40, [20, 90, 200, 255]));
const options = { widthPx: 400 };

let here: QrEngine;
let threaded: QrEngine;
beforeAll(async () => {
  here = await openTestEngine();
  threaded = await openQrEngine({ fonts, threads: 2 });
});
afterAll(() => {
  here.close();
  threaded.close();
});

const styles: [string, DesignInput][] = [
  ["plain", {}],
  ["styled with a label", { pattern: "Circles", eyeStyle: "Drop", text: "SCAN ME" }],
  ["with a logo", { logo, logoRound: true, frame: "swirl" }],
];

describe("an engine with threads", () => {
  test.each(styles)("draws what an engine without draws: %s", async (_, input) => {
    const design = resolveDesign(input);
    const all = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const text = `https://example.com/${i}`;
        return [
          await threaded.png(text, design, options),
          await here.png(text, design, options),
        ] as const;
      }),
    );
    for (const [there, inline] of all) expect(Buffer.compare(there, inline)).toBe(0);
    expect(new Set(all.map(([png]) => Buffer.from(png).toString("base64"))).size).toBe(6);
  });

  test("works with more logos than a thread remembers", async () => {
    for (let i = 0; i < 70; i += 1) {
      const mine = writeRgbaPng(blankImage(8, 8, [i * 3, 0, 0, 255]));
      const design = resolveDesign({ logo: mine });
      const [there, inline] = await Promise.all([
        threaded.png("https://example.com/", design, options),
        here.png("https://example.com/", design, options),
      ]);
      expect(Buffer.compare(there, inline)).toBe(0);
    }
  });

  test("refuses in the same words, and goes on", async () => {
    const bad = threaded.png("x", resolveDesign({ pattern: "Circles" }), { widthPx: 10 });
    const refusal = await bad.then(undefined, (error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: "design-invalid", where: { field: "size" } });
    expect((refusal as AppError).problems).toHaveLength(1);
    await expect(
      threaded.png("x", resolveDesign({ pattern: "Circles" }), options),
    ).resolves.toBeInstanceOf(Uint8Array);
  });
});

test("a pool whose threads can't start answers nothing or says why, and never hangs", async () => {
  const pool = new PngPool(1, [new Uint8Array(0)]);
  const drawn = pool.render("x", resolveDesign({ pattern: "Circles", text: "A" }), options);
  const answer = await drawn.catch((error: unknown) => error);
  expect(answer === undefined || answer instanceof AppError).toBe(true);
  await pool.close();
});

test("what a closed pool was asked is answered: draw it yourself", async () => {
  const pool = new PngPool(1, fonts);
  const drawn = pool.render("x", resolveDesign({ pattern: "Circles" }), options);
  await pool.close();
  await expect(drawn).resolves.toBeUndefined();
});
