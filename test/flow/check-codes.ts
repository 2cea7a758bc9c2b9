/**
 * One code everywhere: what a sheet shows in a cell is what the artwork, the contact sheet and the
 * index have for the row of that cell (docs/spec/jobs.md section 3).
 */
import { readFileSync } from "node:fs";
import path from "node:path";

import { PDFDocument } from "pdf-lib";
import sharp, { type Sharp } from "sharp";
import { expect } from "vitest";

import type { RowJob } from "../../src/kinds/any-job.ts";
import type { GreyImage, PixelImage } from "../../src/qr/read/decode.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { listOf, readSheetMap, type IndexRow } from "./check-output.ts";

const DPI = 200;
const MARGIN_PX = 40;
/** Codes of a contact sheet that are read. */
const CONTACTS_READ = 4;

async function toPixels(picture: Sharp): Promise<PixelImage> {
  const { data, info } = await picture
    .flatten({ background: "#ffffff" })
    .extend({
      top: MARGIN_PX,
      bottom: MARGIN_PX,
      left: MARGIN_PX,
      right: MARGIN_PX,
      background: "#ffffff",
    })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function readOne(bytes: Uint8Array): Promise<string | undefined> {
  const decoder = await loadDecoder();
  return (
    await decoder.decode(await toPixels(sharp(bytes, { density: 200 }).resize({ width: 300 })))
  )[0]?.text;
}

/** White paper around a page: codes may stand at its edge. */
function frame({ data, width, height }: GreyImage): GreyImage {
  const framed = { width: width + 2 * MARGIN_PX, height: height + 2 * MARGIN_PX };
  const pixels = new Uint8Array(framed.width * framed.height).fill(255);
  for (let row = 0; row < height; row += 1) {
    const line = data.subarray(row * width, (row + 1) * width);
    pixels.set(line, (row + MARGIN_PX) * framed.width + MARGIN_PX);
  }
  return { ...framed, data: pixels };
}

/** All that the first page of a PDF says, in no order. */
async function readFirstPage(file: string): Promise<string[]> {
  const bytes = readFileSync(file);
  const { width, height } = (await PDFDocument.load(bytes)).getPage(0).getSize();
  const pixels = {
    width: Math.round((width / 72) * DPI),
    height: Math.round((height / 72) * DPI),
  };
  const pdf = await openRenderer(bytes);
  const grey = await pdf.render(0, pixels);
  pdf.close();
  const decoder = await loadDecoder();
  return decoder.decodeGrey(frame(grey)).map(({ text }) => text);
}

interface Contact {
  readonly text: string | undefined;
  /** Artwork that the picture leads to, relative to the output folder. */
  readonly file: string;
  readonly link: string;
}

/** What the first pictures of the contact sheet say, and where they lead. */
async function readContacts(html: string): Promise<Contact[]> {
  const sheet = html.split("<h2>Contact sheet</h2>")[1] ?? "";
  const items = [...sheet.matchAll(/<li>(.*?)<\/li>/gsu)].slice(0, CONTACTS_READ);
  return Promise.all(
    items.map(async ([, item = ""]) => {
      const picture = /src="data:[^,]*,([^"]*)"/u.exec(item)?.[1] ?? "";
      return {
        text: await readOne(Buffer.from(picture, "base64")),
        file: decodeURIComponent(/class="tile" href="\.\/([^"]*)"/u.exec(item)?.[1] ?? ""),
        link: /href="(https?:[^"]*)"/u.exec(item)?.[1] ?? "",
      };
    }),
  );
}

/** What the artwork of a row says; what its index says where it has none. */
async function sayOf(dir: string, row: IndexRow): Promise<string | undefined> {
  const link = row["short_link"] || row["destination"];
  const [file] = listOf(row["files"]);
  if (file === undefined) return link;
  const text = await readOne(readFileSync(path.join(dir, file)));
  // What a vCard holds stands in no column of the index.
  if (link === "") expect(text).toContain("BEGIN:VCARD");
  else expect(text).toBe(link);
  return text;
}

/** Holds the first page of the first PDF and the top of the contact sheet against artwork and index. */
export async function checkCodes(
  { output: { dir } }: Pick<RowJob, "output">,
  index: readonly IndexRow[],
): Promise<void> {
  const [volume] = readSheetMap(dir);
  const says = new Map<string, string | undefined>();
  if (volume !== undefined) {
    const cells = volume.cells.filter(
      ({ page, side, symbol }) => page === 1 && side !== "back" && symbol === undefined,
    );
    for (const key of new Set(cells.map((cell) => cell.key))) {
      const row = index.find((one) => one["key"] === key) ?? {};
      says.set(key, await sayOf(dir, row));
    }
    const found = await readFirstPage(path.join(dir, volume.file));
    expect(found.toSorted()).toEqual(cells.map(({ key }) => says.get(key) ?? "").toSorted());
  }
  for (const { text, file, link } of await readContacts(
    readFileSync(path.join(dir, "report.html"), "utf8"),
  )) {
    const row =
      index.find(({ files, short_link: short, destination }) =>
        file === "" ? (short || destination) === text : listOf(files).includes(file),
      ) ?? {};
    expect(text).toBe(says.get(row["key"] ?? "") ?? (await sayOf(dir, row)));
    expect(link).toBe(row["short_link"] ?? "");
  }
}
