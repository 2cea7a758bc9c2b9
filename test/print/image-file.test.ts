import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";

import type { ArtItem } from "../../src/base/shapes/label-art.ts";
import { openColors } from "../../src/print/art/design-inks.ts";
import { readImage } from "../../src/print/pdf/image-file.ts";
import { planSheets } from "../../src/print/sheets.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob, save, spoilContent } from "../verify/press.ts";
import { box, makeArt, makeCode } from "./make-art.ts";

let folder: string;
const at = (name: string): string => path.join(folder, name);
const read = (name: string, as: "given" | "gray") => readImage(at(name), as, () => openColors({}));

const create = (background: string, channels: 3 | 4 = 3) =>
  sharp({ create: { width: 300, height: 150, channels, background } });

const image = (
  name: string,
  changes: Partial<Extract<ArtItem, { kind: "image" }>> = {},
): ArtItem => ({
  kind: "image",
  at: box(33, 5, 25, 20),
  file: at(name),
  as: "given",
  leastPpi: 200,
  ...changes,
});
const labelOf = (...items: readonly ArtItem[]) => makeArt(makeCode(box(3, 3, 27, 27)), ...items);

const inksOf = (found: Awaited<ReturnType<typeof read>>): number[] =>
  "image" in found ? Array.from(found.image.data.subarray(0, 4)) : [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "images-"));
  await create("#777777").png().toFile(at("grey.png"));
  await create("#cc2200").png().toFile(at("red.png"));
  await create("#cc220080", 4).png().toFile(at("glass.png"));
  await create("#808080").jpeg().toFile(at("rgb.jpg"));
  await create("#808080").toColourspace("b-w").jpeg().toFile(at("grey.jpg"));
  await create("#cc2200").toColourspace("cmyk").jpeg().toFile(at("cmyk.jpg"));
  const noise = Uint8Array.from({ length: 300 * 150 * 3 }, (_, i) => (i * 7919) % 251);
  const raw = { width: 300, height: 150, channels: 3 } as const;
  const whole = await sharp(noise, { raw }).jpeg().toBuffer();
  await writeFile(at("cut.jpg"), whole.subarray(0, whole.length / 2));
  await writeFile(at("text.png"), "hello");
  await writeFile(at("half.jpg"), new Uint8Array([0xff, 0xd8, 0xff, 0xe0]));
});

describe("readImage (docs/spec/print.md section 4: greys and inks of the press)", () => {
  it.each([1, 3, 4])("refuses an enormous JPEG of %i channels by its header", async (channels) => {
    const size = [0xea, 0x60, 0xea, 0x60];
    const components = Array.from({ length: channels }, (_, i) => [i + 1, 0x11, 0]).flat();
    const frame = [0xff, 0xc2, 0, 8 + 3 * channels, 8, ...size, channels, ...components];
    await writeFile(at("huge.jpg"), Uint8Array.from([0xff, 0xd8, ...frame]));
    expect(await read("huge.jpg", "gray")).toMatchObject({
      problem: {
        message: "image must have at most 64000000 pixels, got 60000 x 60000",
        where: { file: at("huge.jpg") },
        hint: "save it with at most 600 ppi at its printed size",
      },
    });
  });

  it.each([
    ["grey.png", "given", "DeviceGray"],
    ["red.png", "gray", "DeviceGray"],
    ["glass.png", "gray", "DeviceGray"],
    ["grey.jpg", "given", "DeviceGray"],
    ["rgb.jpg", "gray", "DeviceGray"],
    ["rgb.jpg", "given", "DeviceGray"],
    ["cmyk.jpg", "given", "DeviceCMYK"],
    ["red.png", "given", "DeviceCMYK"],
    ["glass.png", "given", "DeviceCMYK"],
  ] as const)("%s as %s is %s", async (name, as, space) => {
    const found = await read(name, as);
    expect(found).toMatchObject({ image: { width: 300, height: 150, space } });
  });

  it("turns the colours of a JPEG into the greys that a PNG of them has", async () => {
    await create("#cc2200").jpeg({ quality: 100 }).toFile(at("red.jpg"));
    const [jpeg, png] = await Promise.all(["red.jpg", "red.png"].map((name) => read(name, "gray")));
    const first = (found: typeof jpeg): number =>
      found !== undefined && "image" in found ? (found.image.data[0] ?? 0) : 0;
    expect(first(jpeg)).toBeGreaterThan(20);
    expect(Math.abs(first(jpeg) - first(png))).toBeLessThan(40);
  });

  it("prints colours of screens in the inks that look like them, and says so", async () => {
    await create("#cc2200").jpeg({ quality: 100 }).toFile(at("red.jpg"));
    const png = await read("red.png", "given");
    expect(png).toMatchObject({ isConverted: true });
    const [c = 0, m = 0, y = 0, k = 0] = inksOf(png);
    expect(Math.min(m, y)).toBeGreaterThan(190);
    expect(Math.max(c, k)).toBeLessThan(80);
    for (const [i, ink] of inksOf(await read("red.jpg", "given")).entries())
      expect(Math.abs(ink - (inksOf(png)[i] ?? 0))).toBeLessThan(6);
    const glass = inksOf(await read("glass.png", "given"));
    expect(glass[1]).toBeLessThan(m * 0.8);
    expect(await read("cmyk.jpg", "given")).not.toHaveProperty("isConverted");
  });

  it("reads colours through the profile that a picture brings", async () => {
    await create("#cc2200").withIccProfile("p3").png().toFile(at("p3.png"));
    const [plain, wide] = [await read("red.png", "given"), await read("p3.png", "given")];
    // The same colour, written in the numbers of another space.
    for (const [i, ink] of inksOf(wide).entries())
      expect(Math.abs(ink - (inksOf(plain)[i] ?? 0))).toBeLessThan(12);
  });

  it("lays what is transparent on paper", async () => {
    const glass = await read("glass.png", "gray");
    const grey = "image" in glass ? (glass.image.data[0] ?? 0) : 0;
    const solid = await read("red.png", "gray");
    const ink = "image" in solid ? (solid.image.data[0] ?? 255) : 255;
    expect(grey).toBeGreaterThan(ink + 50);
  });

  it.each([
    ["cut.jpg", "given", /must be a whole JPEG/u],
    ["cut.jpg", "gray", /must be a whole JPEG/u],
    ["text.png", "given", /must be a PNG, JPEG or SVG/u],
    ["half.jpg", "given", /whole JPEG/u],
    ["none.png", "given", /can be read/u],
  ] as const)("refuses %s as %s", async (name, as, message) => {
    const found = await read(name, as);
    expect("problem" in found ? found.problem.message : "read").toMatch(message);
  });
});

describe("pictures on labels (docs/spec/print.md section 12, rule 15)", () => {
  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)(
    "grey and CMYK are proven in %s",
    async (standard) => {
      const label = labelOf(
        image("grey.png"),
        image("glass.png", { at: box(59, 22, 3, 6) }),
        image("cmyk.jpg", { at: box(33, 22, 10, 6) }),
        image("rgb.jpg", { at: box(46, 22, 10, 6), as: "gray" }),
      );
      const job = await makePressJob({ label, standard }, 5);
      const { volumes, cells } = job.written;
      const proof = await verifySheets({ options: job.options, volumes, cells, workers: 1 });
      expect(proof.findings).toEqual([]);
      expect(proof.decoded).toBe(5);
      expect(job.written.press).toEqual([
        { code: "pictures-converted", count: 1, rows: [], what: ["glass.png"] },
      ]);
    },
  );

  it("too coarse ones are refused before anything is written", async () => {
    const label = labelOf(image("grey.png", { leastPpi: 600 }));
    await expect(makePressJob({ label }, 1)).rejects.toMatchObject({
      problems: [
        {
          message: expect.stringMatching(/at least 600 ppi, got 305 at 25.0 x 12.5 mm/u) as string,
        },
      ],
    });
  });

  it("a picture over a code is refused by the plan, and found in a finished file", async () => {
    const label = labelOf(image("grey.png"));
    const job = await makePressJob({ label }, 3);
    const over = labelOf(image("grey.png", { at: box(20, 5, 25, 20) }));
    const plan = planSheets({ ...job.options, label: over }, { count: 3, maxVersion: 3 });
    expect(plan.problems[0]?.message).toMatch(/item 2 \(image\) must leave the code/u);
    const bad = await spoilContent(job.bytes, (content) =>
      content.replace(
        /q (70\.866) 0 0 (\S+) (\S+) (\S+) cm \/I0 Do/u,
        (_all, w: string, h: string, x: string, y: string) =>
          `q ${w} 0 0 ${h} ${Number(x) - 60} ${y} cm /I0 Do`,
      ),
    );
    const file = await save(job, bad);
    const proof = await verifySheets({
      options: job.options,
      volumes: [{ file }],
      cells: job.written.cells,
      workers: 1,
    });
    expect(proof.findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["images", "quiet-zone"]),
    );
    const coarse = { ...job.options, label: labelOf(image("grey.png", { leastPpi: 600 })) };
    const judged = await verifySheets({
      options: coarse,
      volumes: job.written.volumes,
      cells: job.written.cells,
      workers: 1,
    });
    expect(judged.findings[0]?.message).toMatch(/image must have 600 ppi or more, got 305/u);
  });
});
