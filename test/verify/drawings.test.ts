import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import {
  planSheets,
  type SheetOptions,
  type SheetRecord,
  writeSheets,
} from "../../src/print/sheets.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import type { QrEngine } from "../../src/qr/engine.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { BLUE, makeArt, makeCode, makeShape, box, WHITE } from "../print/make-art.ts";
import { openTestEngine } from "../qr/fonts.ts";
import { makePressJob, save, spoilContent } from "./press.ts";

type Drawn = Parameters<typeof resolveDesign>[0];

const YELLOW = { cmyk: [0, 0, 1, 0], spot: null, tint: 1 } as const;

let engine: QrEngine;
let folder: string;
let common: SheetOptions;
beforeAll(async () => {
  engine = await openTestEngine();
  const job = await makePressJob();
  ({ folder } = job);
  common = { ...job.options, sheet: await loadSheet("a4-24up-63.5x33.9"), artwork: "server" };
});

const payloadOf = (i: number): string => `https://qr.example/table-${i}`;
const recordOf = (svg: string | undefined, i = 0): SheetRecord => {
  return { key: `row/${i}`, payload: payloadOf(i), level: "Q", caption: [`Table ${i}`], svg };
};
const svgOf = (design: Drawn, i = 0): string =>
  engine.svg(payloadOf(i), resolveDesign({ errorCorrection: "Q", ...design }));

async function print(records: readonly SheetRecord[], changes: Partial<SheetOptions> = {}) {
  const options = { ...common, ...changes };
  const file = path.join(folder, `drawn-${Math.floor(performance.now() * 1e6)}.pdf`);
  const written = await writeSheets(options, records, file);
  const { volumes, cells, warnings } = written;
  const proof = await verifySheets({ options, volumes, cells, workers: 1 });
  return { options, file, written, cells, warnings, proof };
}

const designs: readonly Drawn[] = [
  {},
  { pattern: "Circles", eyeStyle: "Rounded", primaryColor: "#1a237e", eyeColor: "#b71c1c" },
  { pattern: "Squares", eyeStyle: "Drop" },
  { pattern: "Diamonds", eyeStyle: "Leaf" },
  { pattern: "Triangles", eyeStyle: "Square" },
];

describe("codes as their server drew them (docs/spec/print.md section 7)", () => {
  it("are the single black path where modules are squares", async () => {
    const { proof, cells, warnings } = await print([recordOf(svgOf({}))]);
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(1);
    expect(cells[0]?.fills).toBe(0);
    expect(warnings.filter((text) => text.includes("drawing"))).toEqual([]);
  });

  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)(
    "keep their shapes in %s, proven",
    async (standard) => {
      const records = designs.map((design, i) => recordOf(svgOf(design, i), i));
      const { proof, cells } = await print(records, { standard });
      expect(proof.findings).toEqual([]);
      expect(proof.decoded).toBe(designs.length);
      expect(cells.map(({ fills }) => fills)).toEqual([0, 2, 1, 1, 1]);
    },
  );

  it("are printed in the inks that the job has for their colours", async () => {
    const svg = svgOf({ primaryColor: "#1a237e", eyeColor: "#b71c1c", eyeStyle: "Leaf" });
    const artworkInks = { "#1a237e": BLUE };
    const { proof, file } = await print([recordOf(svg)], { artworkInks });
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(1);
    let content = "";
    await spoilContent(await readFile(file), (text) => (content = text));
    expect(content).toContain("cm\n1 0.7 0 0.1 k\n");
    expect(content).toContain("f\n0 0 0 1 k\n");
  });

  it("must contrast with paper in those inks", () => {
    const pale = { ...common, artworkInks: { "#1a237e": YELLOW } };
    const { problems } = planSheets(pale, { count: 1, maxVersion: 3 });
    expect(problems.map(({ message }) => message).join()).toMatch(
      /artwork_inks must have a symbol/u,
    );
  });

  it("are read whatever they are built of: groups, uses, holes, white upon black", async () => {
    const plain = svgOf({});
    const modules = /<path fill="#1{6}" d="([^"]*)"/u.exec(plain)?.[1] ?? "";
    expect(modules).not.toBe("");
    const eye = `<g id="eye"><rect width="7" height="7"/><rect x="1" y="1" width="5" height="5" fill="#fff"/><circle cx="3.5" cy="3.5" r="1.5"/></g>`;
    const size = 29;
    const over = `<use href="#eye"/><use href="#eye" x="${size - 7}"/><use href="#eye" y="${size - 7}"/>`;
    const blank = [
      [0, 0],
      [size - 7, 0],
      [0, size - 7],
    ].map(([x, y]) => `<rect x="${x}" y="${y}" width="7" height="7" fill="white"/>`);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 370 370"><defs>${eye}</defs><rect width="370" height="370" fill="#fff"/><g transform="translate(40 40) scale(10)"><path transform="translate(-4 -4)" d="${modules}"/>${blank.join("")}${over}</g></svg>`;
    const { proof, cells } = await print([recordOf(svg)]);
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(1);
    expect(cells[0]?.fills).toBeGreaterThan(1);
  });

  it("stand on panels and beside each other on labels of one's own", async () => {
    const label = makeArt(
      makeShape("box", box(0, 0, 63.5, 33.9), { fill: BLUE }),
      makeCode(box(3, 3, 27, 27), WHITE),
      makeCode(box(33, 3, 27, 27), WHITE),
    );
    const { proof } = await print([recordOf(svgOf(designs[1] ?? {}))], { label });
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(2);
  });

  it("are drawn from their text where a press can't print them, and the job says so", async () => {
    const plain = svgOf({});
    const framed = svgOf({ frame: "card", text: "SCAN" }, 1);
    const other = svgOf({}, 99);
    const faded = plain.replace(`fill="#111111"`, `fill="url(#fade)"`);
    const records = [
      recordOf(plain, 0),
      recordOf(framed, 1),
      recordOf(other, 2),
      { ...recordOf(faded, 3) },
      recordOf(undefined, 4),
      recordOf("<svg>", 5),
    ];
    const { proof, cells, warnings } = await print(records);
    expect(proof.findings).toEqual([]);
    expect(proof.decoded).toBe(6);
    expect(cells.map(({ fills }) => fills)).toEqual([
      0,
      ...Array.from({ length: 5 }, () => undefined),
    ]);
    const said = warnings.join("\n");
    expect(said).toMatch(/drawing (?:shows no dark code|has a frame).*row row\/1/u);
    expect(said).toMatch(/doesn't say what the row says.*row row\/2/u);
    expect(said).toMatch(/has a gradient or pattern.*row row\/3/u);
    expect(said).toMatch(/is not there.*row row\/4/u);
    expect(said).toMatch(/is cut off.*row row\/5/u);
  });

  it.each([
    [
      "a fill too many",
      (c: string) => c.replace(/f\nQ\n/u, "f\n0 0 m 1 0 l 1 1 l h\nf\nQ\n"),
      "single-fill",
    ],
    ["another ink", (c: string) => c.replace("cm\n0 0 0 1 k", "cm\n0 1 0 0 k"), "single-fill"],
    [
      "another size",
      (c: string) => c.replace(/q ([\d.]+) 0 0 -([\d.]+)/u, "q 2.1 0 0 -2.1"),
      "single-fill",
    ],
  ])("are held to the rules: %s", async (_, spoil, rule) => {
    const { options, cells, file, written } = await print([recordOf(svgOf(designs[1] ?? {}))]);
    const bytes = await spoilContent(await readFile(file), spoil);
    const bad = await save({ options, records: [], written, folder, bytes }, bytes);
    const proof = await verifySheets({
      options,
      volumes: [{ file: bad }],
      cells,
      workers: 1,
    });
    expect(proof.findings.map((finding) => finding.rule)).toContain(rule);
    expect(proof.readyForPress).toBe(false);
  });
});
