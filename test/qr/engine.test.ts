import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { labelFonts, openQrEngine } from "../../src/qr/engine.ts";
import { readPng } from "../../src/qr/read/png-read.ts";
import { openTestEngine } from "./fonts.ts";

describe("engine", () => {
  test("draws plain codes without fonts", async () => {
    const engine = await openQrEngine();
    expect(engine.svg("x", resolveDesign())).toContain("<svg");
    expect(readPng(await engine.png("x", resolveDesign())).width).toBe(220);
    engine.close();
  });

  test("draws labels with the package's fonts, in SVG and PNG of any width", async () => {
    const engine = await openTestEngine();
    const design = resolveDesign({ text: "Escanéame", textSecondary: "שלום" });
    expect(engine.svg("x", design)).toContain("<path");
    expect(readPng(await engine.png("x", design, { widthPx: 512 })).width).toBe(512);
    engine.close();
  });

  test("its logos are what designs take", async () => {
    const engine = await openTestEngine();
    const file = await engine.png("logo", resolveDesign({ primaryColor: "#aa0000" }));
    const logo = await engine.normalizeLogo(file);
    expect(engine.svg("with logo", resolveDesign({ logo }))).toContain("data:image/png;base64,");
    engine.close();
  });

  test("says why scanners may fail: colours, and too few pixels for a module", async () => {
    const engine = await openTestEngine();
    expect(engine.scanWarnings("x", resolveDesign())).toEqual([]);
    expect(engine.scanWarnings("x", resolveDesign({ primaryColor: "#999999" }))).toHaveLength(1);
    const burst = resolveDesign({ frame: "burst", primaryColor: "#999999" });
    const [colors, size] = engine.scanWarnings("x", burst, { widthPx: 100 });
    expect(colors).toContain("primary_color #999999");
    expect(size).toMatch(/^size 100 gives a module \d pixels: it should be at least \d+/u);
    expect(engine.scanWarnings("x", burst, { widthPx: 1000 })).toHaveLength(1);
    engine.close();
  });

  test("the least width is drawn, one pixel less is refused", async () => {
    const engine = await openTestEngine();
    for (const design of [
      resolveDesign(),
      resolveDesign({ frame: "swirl" }),
      resolveDesign({ text: "Hi" }),
    ]) {
      const least = engine.leastWidthPx("https://example.com", design);
      expect(
        readPng(await engine.png("https://example.com", design, { widthPx: least })).width,
      ).toBe(least);
      await expect(
        engine.png("https://example.com", design, { widthPx: least - 1 }),
      ).rejects.toMatchObject({
        code: "design-invalid",
        where: { field: "size" },
      });
    }
    engine.close();
  });

  test("the fonts are the files that their README names", () => {
    const readme = readFileSync(new URL("README.md", labelFonts[0]), "utf8");
    for (const url of labelFonts) {
      const name = url.pathname.split("/").at(-1) ?? "";
      expect(readme).toContain(`\`${name}\``);
      expect(readme).toContain(sha256(readFileSync(url)));
      expect(readFileSync(new URL(name.replace(".ttf", ".OFL.txt"), url), "utf8")).toContain(
        "SIL Open Font License, Version 1.1",
      );
    }
  });
});
