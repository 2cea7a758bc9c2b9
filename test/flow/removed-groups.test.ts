/** The PDF and the archive of a group whose last row is gone: removed, and never in silence. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { parseIndex } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [nr], columns: { url: { type: url } } }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ nr }}" }
output: { dir: ../out, files: [], zip: { per: site }, sheets: { sheet: a4-24up-63.5x33.9, per: site }, index: [csv] }
`;
const HEADER = "nr,site,url\n";
const NORTH = "1,Nord,https://a.example/1\n2,Nord,https://a.example/2\n";
const SOUTH = "3,Sued,https://a.example/3\n";

describe("the last row of a group is gone", () => {
  let files: JobFolder;
  const isThere = (name: string): boolean => existsSync(path.join(files.out, name));
  const read = (name: string): string => readFileSync(path.join(files.out, name), "utf8");

  beforeAll(async () => {
    files = makeJobFolder(HEADER + NORTH + SOUTH, MANIFEST);
    await runInProcess(["run", files.manifest]);
    writeFileSync(files.csv, HEADER + NORTH);
  });

  it("plan, run, log and report name the files that go, and nothing points to them", async () => {
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).toContain(
      "a run removes flow-sued.pdf, flow-sued.zip: nothing goes into them any more",
    );
    expect(isThere("flow-sued.pdf")).toBe(true);
    const run = await runInProcess(["run", files.manifest]);
    expect(run.code, run.err).toBe(0);
    expect(run.out).toMatch(/flow-sued\.pdf +removed: nothing goes into it any more/u);
    expect(run.out).toMatch(/flow-sued\.zip +removed: nothing goes into it any more/u);
    expect([isThere("flow-sued.pdf"), isThere("flow-sued.zip")]).toEqual([false, false]);
    expect(read("run.log")).toMatch(/"file":"flow-sued\.pdf".*"msg":"file removed"/u);
    expect(read("report.html")).toMatch(/Removed: .*flow-sued\.pdf.*flow-sued\.zip/su);
    expect(parseIndex(read("vanished-rows.csv"))).toMatchObject([
      { key: "3", sheet_file: "", sheet: "", row: "", column: "" },
    ]);
    const done = await runInProcess(["plan", files.manifest]);
    expect(done.out).not.toContain("removes");
  });

  it("a reprint of the row says that it is gone", async () => {
    const reprint = await runInProcess(["sheets", "reprint", files.manifest, "--key", "3"]);
    expect(reprint.code).toBe(2);
    expect(reprint.err).toContain('got "3": its row is gone, so no PDF has its label');
    expect(reprint.err).not.toContain("index.csv has the keys");
  });
});

it("a PDF that goes is not said to be made anew, though the sheets look otherwise now", async () => {
  const files = makeJobFolder(HEADER + NORTH + SOUTH, MANIFEST);
  await runInProcess(["run", files.manifest]);
  writeFileSync(files.csv, `${HEADER}${NORTH}3,Nord,https://a.example/3\n`);
  for (const captions of ["", ', caption: "{{ nr }}"']) {
    const text = MANIFEST.replace("per: site }, index", `per: site${captions} }, index`);
    writeFileSync(files.manifest, text);
    const { out } = await runInProcess(["plan", files.manifest]);
    expect(out).toContain("a run removes flow-sued.pdf, flow-sued.zip");
    expect(out).not.toMatch(/makes .*flow-sued\.pdf.* anew/u);
  }
});

it("archives that the manifest no longer asks for go, and nobody says that rows are gone", async () => {
  const files = makeJobFolder(HEADER + NORTH + SOUTH, MANIFEST);
  await runInProcess(["run", files.manifest]);
  writeFileSync(files.manifest, MANIFEST.replace("zip: { per: site }, ", ""));
  const { out } = await runInProcess(["plan", files.manifest]);
  expect(out).toContain(
    "a run removes flow-nord.zip, flow-sued.zip: nothing goes into them any more",
  );
});

it("a group whose last row is bad keeps its files, and the plan says of none that it goes", async () => {
  const files = makeJobFolder(HEADER + NORTH + SOUTH, MANIFEST);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  writeFileSync(files.csv, `${HEADER}${NORTH}3,Sued,htp:/nowhere\n`);
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).not.toContain("removes");
  const run = await runInProcess(["run", files.manifest]);
  expect(run.out).toMatch(/flow-sued\.pdf +kept from the run/u);
  expect(existsSync(path.join(files.out, "flow-sued.pdf"))).toBe(true);
});

it("a group whose last row moved goes, though a bad row has its key as well", async () => {
  const files = makeJobFolder(HEADER + NORTH + SOUTH, MANIFEST);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  writeFileSync(
    files.csv,
    `${HEADER}${NORTH}${SOUTH.replace("Sued", "Nord")}3,Sued,htp:/nowhere\n`,
  );
  const plan = await runInProcess(["plan", files.manifest]);
  const run = await runInProcess(["run", files.manifest]);
  expect(run.out).toMatch(/flow-sued\.pdf +removed: nothing goes into it any more/u);
  expect(plan.out).toContain("a run removes flow-sued.pdf, flow-sued.zip");
});

it("a group in which a bad row without a key may have lain keeps its files, in plan and run", async () => {
  const files = makeJobFolder(HEADER + NORTH + SOUTH, MANIFEST);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  writeFileSync(files.csv, `${HEADER}${NORTH},Sued,https://a.example/3\n`);
  for (const command of ["plan", "run", "plan"]) {
    const { out } = await runInProcess([command, files.manifest]);
    expect(out).not.toMatch(/removes |removed: nothing/u);
    expect(existsSync(path.join(files.out, "flow-sued.pdf"))).toBe(true);
  }
});

const LONG = "sheet: { page: A5, label: [70, 60], margin: 3 }, volume_codes: 6, per: site";
const LONG_SHEETS = MANIFEST.replace("sheet: a4-24up-63.5x33.9, per: site", LONG);
const rowsOf = (site: string, from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .map((n) => `${n},${site},https://a.example/${n}\n`)
    .join("");

it.each([
  ["as a volume of a group", "Nord 2", rowsOf("Nord", 1, 9), "flow-nord-2.pdf"],
  ["as the only file of a group", "Nord", rowsOf("Nord 2", 1, 1), "flow-nord-2.pdf"],
])("no run writes over a PDF that is kept, %s", async (_how, bad, good, taken) => {
  const before = bad === "Nord" ? rowsOf(bad, 20, 28) : rowsOf(bad, 20, 21);
  const files = makeJobFolder(HEADER + rowsOf("Sued", 1, 1) + before, LONG_SHEETS);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  const bytes = (): Buffer => readFileSync(path.join(files.out, taken));
  const old = bytes();
  writeFileSync(files.csv, HEADER + good + before.replaceAll("https:", "htp:"));
  for (const command of ["plan", "run"]) {
    const { code, err } = await runInProcess([command, files.manifest]);
    expect(code, err).toBe(2);
    expect(err).toContain(
      `got ${taken}, which is a finished file of another group, kept since bad rows may belong to it`,
    );
    expect(err).toContain("mend the bad rows first; or let the name end in");
  }
  expect(bytes().equals(old)).toBe(true);
  // Once it is deleted, nothing is to be kept.
  rmSync(path.join(files.out, taken));
  const ran = await runInProcess(["run", files.manifest]);
  expect(ran.code, ran.err).toBe(3);
  const told = ran.out.split("\n").filter((line) => line.includes(`/${taken} `));
  expect(told).toEqual([expect.stringContaining("label")]);
});

it("a kept PDF whose name differs by case only holds up no run where both names are files", async () => {
  const manifest = MANIFEST.replace(
    "per: site }, index",
    'per: site, name: "{{ site }}.pdf" }, index',
  );
  const files = makeJobFolder(HEADER + NORTH + SOUTH, manifest);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  const old = readFileSync(path.join(files.out, "Nord.pdf"));
  const isOneFile = existsSync(path.join(files.out, "nord.pdf"));
  writeFileSync(
    files.csv,
    `${HEADER}${NORTH.replace("Nord", "nord").replace("https://a.example/2", "htp:/nowhere")}${SOUTH}`,
  );
  for (const command of ["plan", "run", "run"]) {
    const { code, err } = await runInProcess([command, files.manifest]);
    expect(code, err).toBe(isOneFile ? 2 : command === "plan" ? 0 : 3);
  }
  expect(readFileSync(path.join(files.out, "Nord.pdf")).equals(old)).toBe(true);
});

it("a PDF that becomes a volume of another group is not said to be removed", async () => {
  const files = makeJobFolder(HEADER + rowsOf("Nord", 1, 3) + rowsOf("Nord 2", 4, 5), LONG_SHEETS);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  writeFileSync(files.csv, HEADER + rowsOf("Nord", 1, 9));
  const { out } = await runInProcess(["plan", files.manifest]);
  expect(out).toContain("a run removes flow-nord-2.zip: nothing goes into it any more");
  await runInProcess(["run", files.manifest]);
  expect(existsSync(path.join(files.out, "flow-nord-2.pdf"))).toBe(true);
});

it("a volume that becomes the PDF of another group stays, and is not said to be removed", async () => {
  const files = makeJobFolder(HEADER + rowsOf("Nord", 1, 9), LONG_SHEETS);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  for (const rows of [rowsOf("Nord", 1, 3), rowsOf("Sued", 1, 3)]) {
    writeFileSync(files.csv, HEADER + rowsOf("Nord 2", 4, 9) + rows);
    const { out } = await runInProcess(["plan", files.manifest]);
    expect(out).not.toMatch(/removes .*flow-nord-2\.pdf/u);
    await runInProcess(["run", files.manifest]);
    expect(existsSync(path.join(files.out, "flow-nord-2.pdf"))).toBe(true);
  }
});

it.each(["plan", "run"])(
  "%s refuses a volume of a group that would be written over the file of another one",
  async (command) => {
    const many = Array.from({ length: 9 }, (_, n) => `${n},Nord,https://a.example/${n}\n`);
    const files = makeJobFolder(
      `${HEADER}${many.join("")}9,Nord 2,https://a.example/9\n`,
      LONG_SHEETS,
    );
    const { code, out, err } = await runInProcess([command, files.manifest]);
    expect([code, existsSync(path.join(files.out, "flow-nord-2.pdf"))], out).toEqual([2, false]);
    expect(err).toContain(
      "the 2 files of flow-nord.pdf must have names of their own, got flow-nord-2.pdf, which is the file of another group",
    );
    const named = LONG_SHEETS.replace(
      "per: site }, index",
      'per: site, name: "{{ site | slug }}-labels" }, index',
    );
    writeFileSync(files.manifest, named);
    const mended = await runInProcess([command, files.manifest]);
    expect(mended.code, mended.err).toBe(0);
  },
);
