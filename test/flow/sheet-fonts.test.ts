import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { type JobFolder, makeJobFolder } from "./job-folder.ts";

const rows = ["1,שולחן 12", "2,טבלה", "3,Table 7"];

/** A job with captions in Hebrew; fonts stand beside its manifest. */
function makeFolder(fonts: readonly string[]): JobFolder {
  const files = makeJobFolder(
    `table,text\n${rows.join("\n")}\n`,
    `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [table] }
code: { type: Link, qr_data: "https://menu.example/{{ table }}", display_name: "{{ table }}" }
output:
  dir: ../out
  files: []
  sheets: { caption: "{{ text }}", fonts: [${fonts.join(", ")}] }
`,
  );
  copyFileSync(
    fileURLToPath(new URL("../../templates/fonts/noto-sans-hebrew-bold.ttf", import.meta.url)),
    path.join(path.dirname(files.manifest), "hebrew.ttf"),
  );
  return files;
}

const WARNING = "output.sheets.fonts, or the lines in such scripts are left out";

describe("output.sheets.fonts", () => {
  it("prints what the bundled font lacks, and proves it", async () => {
    const files = makeFolder(["hebrew.ttf"]);
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.code).toBe(0);
    expect(plan.out + plan.err).not.toContain(WARNING);
    const { code, out } = await runInProcess(["run", files.manifest]);
    expect(code).toBe(0);
    expect(out).toContain("all 3 codes read back from the PDFs");
    const pdf = path.join(files.out, "flow.pdf");
    const first = readFileSync(pdf);
    expect((await runInProcess(["verify", files.manifest])).code).toBe(0);
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    expect(readFileSync(pdf).equals(first)).toBe(true);
  });

  it("is what a plan asks for, with rows and characters", async () => {
    const { code, out, err } = await runInProcess(["plan", makeFolder([]).manifest]);
    expect(code).toBe(0);
    const says = (out + err).replaceAll(/\s+/gu, " ");
    expect(says).toContain(
      'the labels of 2 rows ("1", "2") must show characters that no font has: ש U+05E9',
    );
    expect(says).toContain(WARNING);
  });

  it("is refused at plan time when a file is not there or no font", async () => {
    for (const [font, rule] of [
      ["none.ttf", "must be readable"],
      ["../rows.csv", "must be a TTF or OTF file"],
    ] as const) {
      const files = makeFolder(["hebrew.ttf", font]);
      for (const command of ["plan", "run"]) {
        const { code, err } = await runInProcess([command, files.manifest]);
        expect(err).toContain(`output.sheets.fonts[1] ${rule}`);
        expect(err).toContain(path.basename(font));
        expect(code).toBe(2);
      }
    }
  });
});
