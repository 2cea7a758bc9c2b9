import { describe, expect, it } from "vitest";

import { flattenSvg } from "../../src/print/art/svg-fills.ts";
import { SvgFault } from "../../src/svg/svg-fault.ts";
import { toPdfPath } from "../../src/print/art/svg-path.ts";

const wrap = (body: string, attributes = ""): string =>
  `<?xml version="1.0"?><!-- a comment > --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10" ${attributes}>${body}</svg>`;
const paths = async (body: string): Promise<string[]> =>
  (await flattenSvg(wrap(body))).map(({ segments }) =>
    toPdfPath(segments).trim().replaceAll("\n", " "),
  );
const colors = async (body: string): Promise<string[]> =>
  (await flattenSvg(wrap(body))).map(({ color }) => color.map(Math.round).join());

const SQUARE = "0 0 m 2 0 l 2 1 l 0 1 l h";

describe("drawings are flattened (docs/spec/print.md section 7)", () => {
  it("basic shapes", async () => {
    expect(await paths(`<rect width="2" height="1"/>`)).toEqual([SQUARE]);
    expect(await paths(`<polygon points="0,0 2,0 2,1 0,1"/>`)).toEqual([SQUARE]);
    expect(await paths(`<path d="M0 0h2v1H0z"/>`)).toEqual([SQUARE]);
    expect(await paths(`<rect width="0" height="1"/><circle r="0"/>`)).toEqual([]);
    const [circle = ""] = await paths(`<circle cx="1" cy="1" r="1"/>`);
    expect(circle.startsWith("0 1 m")).toBe(true);
    expect(circle.match(/ c/gu)).toHaveLength(4);
    const [rounded = ""] = await paths(`<rect width="4" height="4" rx="1"/>`);
    expect(rounded.startsWith("1 0 m 3 0 l")).toBe(true);
    expect(rounded.match(/ c/gu)).toHaveLength(4);
  });

  it("transforms, the inner one first", async () => {
    expect(
      await paths(`<g transform="translate(3 4) scale(2)"><rect width="2" height="1"/></g>`),
    ).toEqual(["3 4 m 7 4 l 7 6 l 3 6 l h"]);
    expect(await paths(`<rect width="2" height="1" transform="rotate(90)"/>`)).toEqual([
      "0 0 m 0 2 l -1 2 l -1 0 l h",
    ]);
    expect(await paths(`<rect width="2" height="1" transform="rotate(180, 1, .5)"/>`)).toEqual([
      "2 1 m 0 1 l 0 0 l 2 0 l h",
    ]);
    expect(await paths(`<rect width="2" height="1" transform="matrix(1,0,0,1,5,5)"/>`)).toEqual([
      "5 5 m 7 5 l 7 6 l 5 6 l h",
    ]);
    expect(await paths(`<rect width="2" height="1" transform="skewX(45)"/>`)).toEqual([
      "0 0 m 2 0 l 3 1 l 1 1 l h",
    ]);
  });

  it("what is used by its name, where it is put", async () => {
    const defs = `<defs><rect id="m" width="2" height="1"/><symbol id="s"><rect width="2" height="1"/></symbol></defs>`;
    expect(await paths(`${defs}<use href="#m"/><use xlink:href="#s" x="1" y="2"/>`)).toEqual([
      SQUARE,
      "1 2 m 3 2 l 3 3 l 1 3 l h",
    ]);
  });

  it("colours of attributes and styles, inherited, none at all", async () => {
    const rect = `width="1" height="1"`;
    expect(
      await colors(
        `<g fill="#1A237e"><rect ${rect}/><rect ${rect} style="fill: #fff"/><rect ${rect} fill="none"/></g>` +
          `<rect ${rect} fill="rgb(10, 20, 30)"/><rect ${rect} fill="white" display="none"/><rect ${rect}/>`,
      ),
    ).toEqual(["26,35,126", "255,255,255", "10,20,30", "0,0,0"]);
  });

  it.each([
    [`<rect width="1" height="1" fill="url(#g)"/>`, "a gradient or pattern"],
    [`<image href="data:image/png;base64,AA=="/>`, "a picture"],
    [`<text>SCAN</text>`, "text"],
    [`<style>rect { fill: red }</style><rect width="1" height="1"/>`, "a style sheet"],
    [`<rect width="1" height="1" opacity="0.5"/>`, "transparency"],
    [`<g mask="url(#f)"><rect width="1" height="1"/></g>`, "a mask"],
    [`<g clip-path="url(#c)"><rect width="1" height="1"/></g>`, "a mask"],
    [`<path d="M0 0h1" stroke="black"/>`, "outlines that are stroked"],
    [`<rect width="100%" height="1"/>`, "lengths in percent"],
    [
      `<g transform="scale(1e6)"><rect width="1e5" height="1" transform="scale(.001 1e6)"/></g>`,
      "coordinates beyond all bounds",
    ],
    [`<use href="#nothing"/>`, "which is not there"],
    [`<g id="a"><use href="#a"/></g>`, "uses itself"],
    [`<rect width="1" height="1" fill="papayawhip"/>`, "the colour papayawhip"],
    [`<rect width="1" height="1" fill="constructor"/>`, "the colour constructor"],
  ])("refuses %s", async (body, why) => {
    await expect(flattenSvg(wrap(body))).rejects.toThrow(why);
  });

  it.each(["", "<p/>", "<svg><g></svg>", "<svg/><svg/>"])(
    "refuses what is no SVG: %s",
    async (text) => {
      await expect(flattenSvg(text)).rejects.toThrow(SvgFault);
    },
  );
});
