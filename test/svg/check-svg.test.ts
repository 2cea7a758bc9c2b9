import { describe, expect, it } from "vitest";

import {
  defaultDesign,
  eyeStyles,
  frameNames,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { openQrEngine } from "../../src/qr/engine.ts";
import { normalizeLogo, rasterizeSvgToWidth } from "../../src/qr/png/raster.ts";
import { checkSvg, findSvgFault } from "../../src/svg/check-svg.ts";
import * as fc from "../help/property.ts";
import { attacks, bombs, embeddedPng, svg } from "./attacks.ts";

describe("a drawing is refused by name when it has", () => {
  it.each(attacks)("%s", async (_, file, says) => {
    expect(await findSvgFault(file)).toContain(says);
  });

  it("names the line", async () => {
    expect(await findSvgFault(svg('\n\n<g\nonclick="x"/>'))).toMatch(
      /onclick on <g>.* \(line 4\)$/u,
    );
  });

  it("shows no more of it than a name's length", async () => {
    const fault = (await findSvgFault(svg(`<${"x".repeat(5000)}/>`))) ?? "";
    expect(fault).toContain("has <xxx");
    expect(fault.length).toBeLessThan(200);
  });
});

describe("a drawing that would take too long to draw is refused before:", () => {
  it.each(bombs)("%s", async (_, file, says) => {
    expect(await findSvgFault(file)).toContain(says);
  });

  it("a tower as a picture of a width", async () => {
    const tower = svg('<rect width="1" height="9"/>', 'width="10" height="9000"');
    await expect(rasterizeSvgToWidth(tower, 1000)).rejects.toThrow("4 times as high as wide");
  });
});

describe("a drawing passes", () => {
  it.each([
    '<svg viewBox="0 0 1 1"><path d="M0 0h1"/></svg>',
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg('<path d="M4 4.5h7m3 0h1" stroke="#000"/>')}`,
    `\uFEFF<?xml version='1.0'?>\n<!DOCTYPE svg>\n<!-- a > b -->${svg("<title>a &lt; b</title>")}\n`,
    "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:path/></s:svg>",
    svg(
      "<defs><style><![CDATA[/* dark */ .dark { fill: #123; } g > rect{shape-rendering:crispEdges}]]></style></defs>",
    ),
    svg('<rect style="fill:rgb(1, 2, 3);stroke:none;-inkscape-stroke:none"/>'),
    svg(`<image href="${embeddedPng}" width="1" height="1"/>`),
    svg(
      '<defs><clipPath id="c"><rect width="9" height="9"/></clipPath></defs><g clip-path="url(#c)"/>',
    ),
    svg(
      `<linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient><rect fill="url('#g')"/>`,
    ),
    svg('<defs><path id="m" d="M0 0h1v1z"/></defs><use xlink:href="#m" href="#m" x="1"/>'),
    svg(
      `<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:li r:about=""/></r:RDF></metadata>` +
        `<s:namedview xmlns:s="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" pagecolor="#fff"/><g data-key="7" aria-label="code"/>`,
    ),
  ])("%s", async (text) => {
    expect(await findSvgFault(text)).toBeUndefined();
    expect(await findSvgFault(new TextEncoder().encode(text))).toBeUndefined();
  });

  it("of our own service in every style, and with a logo", async () => {
    const engine = await openQrEngine();
    const logo = await normalizeLogo(Buffer.from(embeddedPng.split(",")[1] ?? "", "base64"));
    const design = fc.record({
      pattern: fc.constantFrom(...patterns),
      eyeStyle: fc.constantFrom(...eyeStyles),
      frame: fc.constantFrom(null, ...frameNames),
      backgroundColor: fc.constantFrom("#ffffff", null),
      logo: fc.constantFrom(null, logo),
      logoRound: fc.boolean(),
    });
    try {
      await fc.assert(
        fc.asyncProperty(fc.string({ maxLength: 300 }), design, async (text, input) => {
          const drawn = engine.svg(`https://a.example/${text}`, resolveDesign(input));
          expect(await findSvgFault(drawn)).toBeUndefined();
        }),
      );
    } finally {
      engine.close();
    }
  });

  it.each(patterns)("of the largest code of %s", async (pattern) => {
    const engine = await openQrEngine();
    const design = resolveDesign({ ...defaultDesign, pattern, errorCorrection: "L" });
    const drawn = engine.svg("x".repeat(2900), design);
    engine.close();
    expect(await findSvgFault(drawn)).toBeUndefined();
  });

  it("of the largest code, each of its modules a shape of its own", async () => {
    const modules = Array.from({ length: 177 * 177 }, (_, i) => {
      const [x, y] = [i % 177, Math.floor(i / 177)];
      return i % 2 === 0
        ? `<rect x="${x}" y="${y}" width="1" height="1" fill="#000"/>`
        : `<circle cx="${x}" cy="${y}" r=".5"/>`;
    });
    const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 177 177">${modules.join("")}</svg>`;
    expect(await findSvgFault(drawn)).toBeUndefined();
  });
});

/** Turns of the event loop that a work leaves to others. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

const LONG_PATH = svg(`<path d="M0 0${"h0".repeat(400_000)}"/>`);

describe("reading a drawing", () => {
  it.each([
    ["a long text", svg(`<title>${"x".repeat(900_000)}</title>`), 13],
    ["a long path", LONG_PATH, 100],
    [
      "uses of uses",
      svg(
        `<g id="a0"/>${Array.from({ length: 20 }, (_, i) => `<g id="a${i + 1}"><use href="#a${i}"/><use href="#a${i}"/></g>`).join("")}<use href="#a20"/>`,
      ),
      100,
    ],
  ])("lets the program hear what else happens: %s", async (_, file, least) => {
    expect(await countTurns(findSvgFault(file))).toBeGreaterThan(least);
  });

  it("can be stopped", async () => {
    const stop = new AbortController();
    const reading = findSvgFault(LONG_PATH, stop.signal);
    setImmediate(() => stop.abort(new Error("enough")));
    await expect(reading).rejects.toThrow("enough");
    expect(await findSvgFault(svg("<g/>"))).toBeUndefined();
  });

  it("one after the other, however many come at once", async () => {
    const ended: number[] = [];
    const files = [LONG_PATH, svg("<script/>"), svg("<g/>")];
    await Promise.all(files.map((file, n) => findSvgFault(file).then(() => ended.push(n))));
    expect(ended).toEqual([0, 1, 2]);
  });
});

describe("other files are refused with the reason:", () => {
  it.each([
    ["", "is not an SVG"],
    ["Bad gateway", "is not an SVG"],
    ["<html><body></body></html>", "is not an SVG"],
    ['<svg><path d="M0', "is cut off"],
    ["<svg><g></svg>", "is not well-formed XML"],
    ["<svg></svg><svg></svg>", "is not"],
    ["<svg></svg>tail", "is not well-formed XML"],
    ["<svg><g></g>", "is cut off"],
    ["<svg><g a=1></g></svg>", "is not well-formed XML"],
    ['<svg><g id="1" id="2"/></svg>', "is not well-formed XML"],
    ["<svg>\u0000</svg>", "is not well-formed XML"],
    ['<?xml version="1.1"?><svg/>', "must be XML 1.0, got 1.1"],
  ])("%s", async (text, fault) => {
    expect(await findSvgFault(text)).toContain(fault);
  });

  it("a drawing that is cut off anywhere", async () => {
    const whole = '<svg width="10"><g fill="#111"><path d="M0 0h1v1z"/></g></svg>';
    for (let length = 0; length < whole.length; length += 1) {
      expect(await findSvgFault(whole.slice(0, length)), `${length}`).toBeDefined();
    }
  });

  it("as an error with a way out", async () => {
    await expect(checkSvg("<html/>")).rejects.toThrow("the SVG of the code is not an SVG");
  });
});
