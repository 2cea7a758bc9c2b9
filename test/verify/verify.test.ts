import { copyFile, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateSync } from "node:zlib";

import { beforeAll, describe, expect, it } from "vitest";

import { resolveDesign } from "../../src/qr/draw/design.ts";
import { encodeQr, isDark } from "../../src/qr/encode/encode.ts";
import { renderSvg } from "../../src/qr/draw/svg.ts";
import type { CellClaim } from "../../src/verify/proof/prove-pages.ts";
import { splitByPage } from "../../src/verify/proof/proof-pool.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { type ArtworkFile, verifyArtwork, verifySheets } from "../../src/verify/verify.ts";
import { writeSheets } from "../../src/print/sheets.ts";
import { makePressJob, type PressJob, save, spoilContent } from "./press.ts";

let good: PressJob;
beforeAll(async () => {
  good = await makePressJob({}, 30);
});

const proof = (
  job: PressJob,
  changes: Partial<Parameters<typeof verifySheets>[0]> = {},
): ReturnType<typeof verifySheets> =>
  verifySheets({
    options: job.options,
    volumes: job.written.volumes,
    cells: job.written.cells,
    ...changes,
  });

describe("verifySheets", () => {
  it("decodes every label of a good file and calls it ready", async () => {
    expect(await proof(good)).toEqual({
      findings: [],
      pages: 2,
      codes: 30,
      decoded: 30,
      compared: 0,
      symbols: 0,
      rehearsal: false,
      readyForPress: true,
    });
  });

  it("never calls a rehearsal ready, flawless as it is", async () => {
    const job = await makePressJob({ slug: { ...good.options.slug, rehearsal: true } });
    expect(await proof(job)).toMatchObject({
      findings: [],
      decoded: 5,
      rehearsal: true,
      readyForPress: false,
    });
  });

  it("proves volumes, each by its own cells", async () => {
    const options = { ...good.options, volumeCodes: 24 };
    const written = await writeSheets(options, good.records, path.join(good.folder, "v.pdf"));
    expect(
      await verifySheets({ options, volumes: written.volumes, cells: written.cells }),
    ).toMatchObject({ findings: [], decoded: 30, readyForPress: true });
    const second = await verifySheets({
      options,
      volumes: written.volumes.slice(1).map((volume) => ({ ...volume, volume: 2 })),
      cells: written.cells.filter((cell) => cell.volume === 2),
    });
    expect(second).toMatchObject({ findings: [], codes: 6, decoded: 6, readyForPress: true });
  });

  it("distinguishes a code of another row from the right one", async () => {
    const [first, second, ...rest] = good.written.cells;
    if (first === undefined || second === undefined) throw new Error("no cells");
    const swapped = [
      { ...first, payloadHash: second.payloadHash },
      { ...second, payloadHash: first.payloadHash },
      ...rest,
    ];
    const { findings, decoded, readyForPress } = await proof(good, { cells: swapped });
    expect(findings).toEqual([
      expect.objectContaining({
        rule: "decoded",
        key: "north/1",
        row: 1,
        column: 1,
        message: 'code must hold its row\'s payload, got "https://qr.example/table-1"',
      }),
      expect.objectContaining({ rule: "decoded", key: "north/2" }),
    ]);
    expect([decoded, readyForPress]).toEqual([28, false]);
  });

  it("finds a code that no scanner reads, though its objects are in order", async () => {
    const file = await save(
      good,
      await spoilContent(good.bytes, (content) =>
        content.replace(/(?:[3-9]|1\d) (\d+) 1 (\d+) re\n/gu, "3 $1 1 $2 re\n"),
      ),
    );
    const { findings } = await proof(good, { volumes: [{ file }] });
    const unread = findings.filter((finding) => finding.rule === "decoded");
    expect(unread).toHaveLength(24);
    expect(unread[0]).toMatchObject({
      page: 1,
      message: "no code can be read in the label",
      file,
    });
  });

  it("finds a row twice, a row too few, and a cell without a file", async () => {
    const cells = good.written.cells.map((cell, i) =>
      i === 29 ? { ...cell, key: "north/1" } : cell,
    );
    expect((await proof(good, { cells })).findings).toEqual([
      expect.objectContaining({
        rule: "sheet-map",
        key: "north/1",
        message: "row must be on 1 labels, got 2",
      }),
    ]);
    const elsewhere = good.written.cells.map((cell, i) =>
      i === 0 ? { ...cell, volume: 2 } : cell,
    );
    expect(
      (await proof(good, { cells: elsewhere })).findings.map((finding) => finding.message),
    ).toContain("cell is in volume 2, which was not handed in");
  });

  it.each([
    [
      "missing",
      async () => path.join(good.folder, "nowhere.pdf"),
      "file",
      /^file must be there, got none$/u,
    ],
    ["empty", async () => save(good, new Uint8Array()), "structure", /whole PDF/u],
    [
      "cut off",
      async () => save(good, good.bytes.subarray(0, good.bytes.length / 2)),
      "structure",
      /./u,
    ],
    [
      "no PDF",
      async () => save(good, Buffer.from("hello ".repeat(100))),
      "structure",
      /whole PDF/u,
    ],
  ])("reports a file that is %s", async (_, make, rule, message) => {
    const { findings, readyForPress } = await proof(good, { volumes: [{ file: await make() }] });
    expect(
      findings
        .filter((finding) => finding.rule === rule)
        .map((finding) => finding.message)
        .join("\n"),
    ).toMatch(message);
    expect(readyForPress).toBe(false);
  });

  it("reports a file that was changed after it was written", async () => {
    const file = path.join(good.folder, "copy.pdf");
    await copyFile(path.join(good.folder, "t.pdf"), file);
    const [volume] = good.written.volumes;
    await writeFile(file, Buffer.concat([good.bytes, Buffer.from("\n")]));
    const { findings } = await proof(good, { volumes: [{ file, sha256: volume?.sha256 }] });
    expect(findings).toEqual([
      expect.objectContaining({
        rule: "file",
        message: expect.stringContaining("changed after it was written"),
      }),
    ]);
  });
});

describe("the rendering engine", () => {
  it("gives grey pixels of the whole page, page after page", async () => {
    const document = await openRenderer(good.bytes);
    expect(document.pageCount).toBe(2);
    for (const index of [0, 1, 0]) {
      const image = await document.render(index, { width: 326, height: 459 });
      expect([image.width, image.height, image.data.length]).toEqual([326, 459, 326 * 459]);
      expect(image.data.reduce((least, grey) => Math.min(least, grey), 255)).toBeLessThan(80);
    }
    document.close();
  });

  it("shows no seam between the runs of a code, off the device grid", async () => {
    const job = await makePressJob({ deviceDpi: undefined, qrSizeMm: 19.3, captionLines: 0 }, 2);
    const document = await openRenderer(job.bytes);
    const dots = 300 / 25.4;
    const image = await document.render(0, {
      width: Math.round(230 * dots),
      height: Math.round(324 * dots),
    });
    document.close();
    const black = image.data.reduce((least, grey) => Math.min(least, grey), 255);
    let interior = 0;
    let light = 0;
    for (const [i, { code, xMm }] of job.written.cells.entries()) {
      const matrix = encodeQr(job.records[i]?.payload ?? "", { level: "Q" });
      const [left, top, unit] = [(10 + code.x) * dots, (10 + code.y) * dots, xMm * dots];
      const isInk = (x: number, y: number): boolean => {
        const [column, row] = [Math.floor((x - left) / unit), Math.floor((y - top) / unit)];
        return (
          column >= 0 &&
          row >= 0 &&
          column < matrix.size &&
          row < matrix.size &&
          isDark(matrix, column, row)
        );
      };
      for (let y = Math.ceil(top); y < top + code.height * dots; y += 1) {
        for (let x = Math.ceil(left); x < left + code.width * dots; x += 1) {
          const reach = [-0.6, 0.5, 1.6];
          if (!reach.every((dx) => reach.every((dy) => isInk(x + dx, y + dy)))) continue;
          interior += 1;
          if ((image.data[y * image.width + x] ?? 255) > black) light += 1;
        }
      }
    }
    expect(interior).toBeGreaterThan(20_000);
    expect(light).toBe(0);
  });

  it("refuses what is no PDF", async () => {
    await expect(openRenderer(Buffer.from("x"))).rejects.toThrow(/PDF/u);
  });
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(8 + body.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), 4 + body.length);
  return out;
}

/** A PNG of a code, grey, 8 bits. */
function makePng(payload: string, invert = false): Buffer {
  const matrix = encodeQr(payload, { level: "M" });
  const side = (matrix.size + 8) * 4;
  const raw = Buffer.alloc(side * (side + 1), 255);
  for (let y = 0; y < side; y += 1) {
    raw[y * (side + 1)] = 0;
    for (let x = 0; x < side; x += 1) {
      const [mx, my] = [Math.floor(x / 4) - 4, Math.floor(y / 4) - 4];
      const inside = mx >= 0 && my >= 0 && mx < matrix.size && my < matrix.size;
      const dark = inside && isDark(matrix, mx, my);
      raw[y * (side + 1) + 1 + x] = dark === invert ? 255 : 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1A\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(raw)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) * 0xedb88320);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

async function prove(
  ...files: [name: string, bytes: Uint8Array | undefined, payload: string][]
): ReturnType<typeof verifyArtwork> {
  const folder = await mkdtemp(path.join(tmpdir(), "art-"));
  const artwork: ArtworkFile[] = [];
  for (const [name, bytes, payload] of files) {
    const file = path.join(folder, name);
    if (bytes !== undefined) await writeFile(file, bytes);
    artwork.push({ file, payload, key: name });
  }
  return verifyArtwork(artwork);
}

describe("verifyArtwork", () => {
  it("reads good files", async () => {
    const texts = ["https://qr.example/1", "Größe 北京 😀", "GS\u001D1"];
    expect(
      await prove(
        ...texts.map((text, i): [string, Buffer, string] => [`${i}.png`, makePng(text), text]),
      ),
    ).toEqual({ files: 3, decoded: 3, findings: [] });
  });

  it("distinguishes missing, damaged, unreadable and wrong files, and goes on", async () => {
    const png = makePng("right");
    const damaged = Buffer.from(png);
    damaged.writeUInt8((damaged[60] ?? 0) ^ 255, 60);
    const { findings, decoded, files } = await prove(
      ["missing.png", undefined, "right"],
      ["damaged.png", damaged, "right"],
      ["inverted.png", makePng("right", true), "right"],
      ["wrong.png", makePng("wrong"), "right"],
      ["good.png", png, "right"],
    );
    expect(findings.map(({ rule, key }) => [rule, key])).toEqual([
      ["artwork-missing", "missing.png"],
      ["artwork-damaged", "damaged.png"],
      ["artwork-unreadable", "inverted.png"],
      ["artwork-mismatch", "wrong.png"],
    ]);
    expect(findings[3]?.message).toBe('code must say "right", got "wrong"');
    expect([files, decoded]).toEqual([5, 1]);
  });
});

const drawing = (text: string): string => renderSvg(text, resolveDesign({ sizePx: 300 }));
const toBytes = (svg: string): Buffer => Buffer.from(svg);

describe("verifyArtwork of drawings", () => {
  it("reads them at any size that they name, small and large symbols, on nothing as on white", async () => {
    const svg = drawing("right");
    const sized = (size: string): Buffer =>
      toBytes(svg.replace('width="300" height="300"', size).replace(/<path fill="#fff[^>]*>/u, ""));
    const long = `https://qr.example/${"x".repeat(1500)}`;
    const sizes = [
      "",
      'width="20mm" height="20mm"',
      'width="9" height="9"',
      'width="1e6" height="1e6"',
    ];
    const { findings, decoded } = await prove(
      ...sizes.map((size, i): [string, Buffer, string] => [`${i}.svg`, sized(size), "right"]),
      ["long.svg", toBytes(drawing(long)), long],
    );
    expect(findings).toEqual([]);
    expect(decoded).toBe(sizes.length + 1);
  });

  it("distinguishes empty, unreadable, wrong and hostile ones; looks nothing up", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "art-"));
    const png = path.join(folder, "right.png");
    await writeFile(png, makePng("right"));
    const svg = (inner: string, head = 'width="300" height="300"'): Buffer =>
      toBytes(`<svg xmlns="http://www.w3.org/2000/svg" ${head}>${inner}</svg>`);
    const bomb = Array.from(
      { length: 12 },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    );
    const right = drawing("right");
    const { findings } = await prove(
      ["empty.svg", svg(""), "right"],
      ["faint.svg", svg('<path fill="#fefefe" d="M0 0h90v90z"/>'), "right"],
      ["shape.svg", svg('<path d="M0 0h90v90z"/>'), "right"],
      ["wrong.svg", toBytes(drawing("wrong")), "right"],
      [
        "two.svg",
        svg(right + right.replace("<svg", '<svg y="300"'), 'width="300" height="600"'),
        "right",
      ],
      ["text.svg", toBytes("no drawing"), "right"],
      ["file.svg", svg(`<image href="file://${png}" width="300" height="300"/>`), "right"],
      ["near.svg", svg('<image href="right.png" width="300" height="300"/>'), "right"],
      ["line.svg", svg("<path d='M0 0h1v1z'/>", 'width="1" height="1e9"'), "right"],
      [
        "bomb.svg",
        toBytes(
          `<!DOCTYPE svg [<!ENTITY e0 "aaaaaaaaaa">${bomb.join("")}]>${svg("<text>&e12;</text>").toString()}`,
        ),
        "right",
      ],
    );
    expect(findings.map(({ rule, key }) => [key, rule.replace("artwork-", "")])).toEqual([
      ["empty.svg", "empty"],
      ["faint.svg", "empty"],
      ["shape.svg", "unreadable"],
      ["wrong.svg", "mismatch"],
      ["two.svg", "mismatch"],
      ["text.svg", "damaged"],
      ["file.svg", "damaged"],
      ["near.svg", "damaged"],
      ["line.svg", "damaged"],
      ["bomb.svg", "damaged"],
    ]);
  });
});

describe("splitByPage", () => {
  it("gives every claim to one part, whole pages to each", () => {
    const claims = Array.from(
      { length: 50 },
      (_, i) => ({ page: 1 + Math.floor(i / 4), key: `${i}` }) as CellClaim,
    );
    for (const pagesEach of [1, 2, 3, 5, 20]) {
      const split = splitByPage(claims, pagesEach);
      expect(split.flat().map((claim) => claim.key)).toEqual(claims.map((claim) => claim.key));
      expect(split.length).toBe(Math.ceil(13 / pagesEach));
      const owner = new Map<number, number>();
      split.forEach((part, i) =>
        part.forEach(({ page }) =>
          expect(owner.get(page) ?? i).toBe(owner.set(page, owner.get(page) ?? i).get(page)),
        ),
      );
    }
  });
});
