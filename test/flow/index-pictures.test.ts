/** An index that shows each code: `output.index.pictures` (docs/spec/jobs.md section 3). */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";

import exceljs from "exceljs";
import { expect, it } from "vitest";

import { readCodes } from "../../src/qr/read/read-code.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const toManifest = (files: string, design = ""): string => `version: 1
name: shown
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}"${design} }
output: { dir: ../out, files: ${files}, index: { pictures: true } }
`;

const toRows = (count: number): string =>
  ["n,url", ...Array.from({ length: count }, (_, n) => `${n},https://a.example/${n}`)].join("\n");

/** Row of the workbook -> what its picture says. */
async function readPictures(file: string): Promise<Record<string, string | undefined>> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const [sheet] = book.worksheets;
  const decoder = await loadDecoder();
  const shown: Record<string, string | undefined> = {};
  for (const { imageId, range } of sheet?.getImages() ?? []) {
    const png = book.getImage(Number(imageId)).buffer ?? new ArrayBuffer();
    const [code] = await readCodes(decoder, new Uint8Array(png));
    shown[sheet?.getCell(range.tl.nativeRow + 1, 2).text ?? ""] = code?.text;
  }
  return shown;
}

/** Key -> short link, as the other index has them. */
function readLinks(file: string): Record<string, string | undefined> {
  const [header = "", ...lines] = readFileSync(file, "utf8")
    .replace("\ufeff", "")
    .trim()
    .split("\r\n");
  const at = header.split(",").indexOf("short_link");
  return Object.fromEntries(lines.map((line) => [line.split(",")[0], line.split(",")[at]]));
}

it.each([
  ["[svg, png]", ', design: { frame: text-frame, text: "Scan me", pattern: Circles }'],
  ["[png]", ""],
])("shows each code beside its row, made of %s", async (files, design) => {
  const { manifest, out } = makeJobFolder(toRows(3), toManifest(files, design));
  const { code, err } = await runInProcess(["run", manifest]);
  expect(code, err).toBe(0);
  const shown = await readPictures(path.join(out, "index.xlsx"));
  expect(Object.keys(shown).length).toBe(3);
  expect(shown).toEqual(readLinks(path.join(out, "index.csv")));
  const before = readFileSync(path.join(out, "index.xlsx"));
  rmSync(path.join(out, "index.xlsx"));
  expect(await runInProcess(["run", manifest])).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(out, "index.xlsx")).equals(before)).toBe(true);
});

it("is refused by the plan for more rows than fit into memory together", async () => {
  const { manifest } = makeJobFolder(toRows(5001), toManifest("[svg]"));
  const { code, err } = await runInProcess(["plan", manifest]);
  expect(code).toBe(2);
  expect(err).toContain("index.xlsx with pictures must have 5,000 rows at most, got 5,001");
  expect(
    await runInProcess(["plan", manifest, "--set", "output.index.pictures=false"]),
  ).toMatchObject({
    code: 0,
  });
});
