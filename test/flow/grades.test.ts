/** Predicted grades in plan, run and report, and the grade that a manifest refuses (docs/grades.md). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { parseReport } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote } from "./remote.ts";
import type { JobGrade } from "../../src/job/job.ts";
import { findHelp, type PrintedCode } from "../../src/pipeline/paper/grade-help.ts";
import { tallyPlan } from "../../src/pipeline/paper/grades.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";

const ROWS = "n,url,ink\n1,https://a.example/1,#000000\n2,https://a.example/2,#e53935\n";

const manifest = (output: string): string => `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code:
  type: Link
  dynamic: false
  qr_data: "{{ url }}"
  design: { primary_color: "{{ ink }}" }
safety: { contrast: warn }
output: { dir: ../out, files: [svg], ${output} }
`;
const SHEETS = "sheets: { sheet: { label: [40, 40] } }";
const POOR = "1.0 (D, by symbol contrast)";

let files: JobFolder;
beforeAll(() => {
  files = makeJobFolder(ROWS, manifest(SHEETS));
});

const call = (step: string, output: string) => {
  writeFileSync(files.manifest, manifest(output));
  return runInProcess([step, files.manifest]);
};
const readGrades = () =>
  parseReport(readFileSync(path.join(files.out, "report.html"), "utf8")).tables["Predicted grades"];

describe("predicted grades", () => {
  it("are in the plan, with what helps; a manifest refuses what it doesn't want", async () => {
    const { out } = await call("plan", SHEETS);
    expect(out).toContain(`predicted grade ${POOR} at worst, for 1 of 2 codes`);
    expect(out).toContain(`predicted grade under 1.5: 1 code, the worst ${POOR} (take a darker`);
    const refused = await call("run", `${SHEETS}, grade: { refuse: 1.5 }`);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain("codes must have a predicted grade of 1.5 or more");
    expect(existsSync(path.join(files.out, "flow.pdf"))).toBe(false);
    expect((await call("plan", "grade: { refuse: 5 }")).err).toContain(
      "output.grade.refuse must be from 0 to 4",
    );
  });

  it("are in the verdict and in the report, per code and in a table; sheets stay as they are", async () => {
    const first = await call("run", SHEETS);
    expect(first.out).toContain(`1 code has a predicted grade under 1.5, such as ${POOR} (row 2)`);
    expect(readGrades()).toMatchObject([
      { Grade: "D", "Of 4": "1.0", Codes: "1", By: "symbol contrast" },
      { Grade: "A", "Of 4": "4.0", Codes: "1", By: "" },
    ]);
    const report = readFileSync(path.join(files.out, "report.html"), "utf8");
    for (const grade of ["4.0 (A)", POOR]) expect(report).toContain(`grade ${grade}</small>`);
    const pdf = readFileSync(path.join(files.out, "flow.pdf"));
    const other = await call("run", `${SHEETS}, grade: { warn: 1 }`);
    expect(other.out).not.toContain("predicted grade under");
    expect(readFileSync(path.join(files.out, "flow.pdf")).equals(pdf)).toBe(true);
  });

  it("are those of the rows that have a label, in plan, verdict and report", async () => {
    const rows =
      "n,url,ink,qty\n1,https://a.example/1,#000000,2\n2,https://a.example/2,#e53935,0\n";
    const sheets = 'sheets: { sheet: { label: [40, 40] }, copies: "{{ qty }}" }';
    const own = makeJobFolder(rows, manifest(sheets));
    const plan = await runInProcess(["plan", own.manifest]);
    const run = await runInProcess(["run", own.manifest]);
    const report = parseReport(readFileSync(path.join(own.out, "report.html"), "utf8"));
    expect(report.tables["Predicted grades"]).toMatchObject([{ Grade: "A", Codes: "1" }]);
    for (const { out, code } of [plan, run]) {
      expect(code).toBe(0);
      expect(out).toContain("predicted grade 4.0 (A) for the code");
      expect(out).not.toContain("predicted grade under");
      expect(out).not.toContain("#e53935 as");
    }
    writeFileSync(own.csv, rows.replace("#000000,2", "#000000,0"));
    const none = await runInProcess(["plan", own.manifest]);
    expect(none.out).toContain(`predicted grade ${POOR} at worst, for 1 of 2 codes`);
    await runInProcess(["run", own.manifest]);
    const drawn = parseReport(readFileSync(path.join(own.out, "report.html"), "utf8"));
    expect(drawn.tables["Predicted grades"]).toHaveLength(2);
  });

  it("are those of black codes where the sheets are plain, those of artwork without sheets", async () => {
    const plain = await call("plan", SHEETS.replace("{ sheet:", "{ print: plain, sheet:"));
    expect(plain.out).toContain("predicted grade 4.0 (A) for all 2 codes");
    const artwork = await call("run", "grade: { gain: 0.1 }, zip: true");
    expect(artwork.out).toContain(`predicted grade ${POOR} at worst, for 1 of 2 codes`);
    expect(readGrades()).toHaveLength(2);
  });

  it("of codes that exist are in the plan as in the run; where no server shows designs, after it", async () => {
    const own = makeJobFolder(
      ROWS,
      manifest("zip: true").replace(
        "dynamic: false",
        'dynamic: true\n  display_name: "Tisch {{ n }} ☃"',
      ),
    );
    expect((await runInProcess(["run", own.manifest])).code).toBe(0);
    const exported = (output: string, name = "print"): string => {
      const file = path.join(own.root, "jobs", `${name}.yaml`);
      writeFileSync(
        file,
        `version: 1\nname: ${name}\nkind: export\nselect: {}\noutput: { dir: ../${name}, files: [svg], ${output} }\n`,
      );
      return file;
    };
    const plan = await runInProcess(["plan", exported(SHEETS)]);
    const run = await runInProcess(["run", exported(SHEETS)]);
    expect(plan.out).toContain(`predicted grade ${POOR} at worst, for 1 of 2 codes`);
    expect(plan.out).toContain(
      `predicted grade under 1.5: 1 code, the worst ${POOR} (take a darker`,
    );
    expect(run.out).toContain(`1 code has a predicted grade under 1.5, such as ${POOR}`);
    const refused = await runInProcess(["plan", exported(`${SHEETS}, grade: { refuse: 1.5 }`)]);
    expect(refused.err).toContain("codes must have a predicted grade of 1.5 or more");
    const redesign = path.join(own.root, "jobs", "red.yaml");
    writeFileSync(
      redesign,
      `version: 1\nname: red\nkind: redesign\nselect: {}\ndesign: { primary_color: "#e53935" }\nsafety: { contrast: warn }\noutput: { dir: ../red, files: [svg], sheets: { sheet: { label: [40, 40] }, caption: "{{ display_name }}" }, grade: { refuse: 2.5 } }\n`,
    );
    for (const step of ["plan", "run"] as const) {
      const { out, err } = await runInProcess([step, redesign]);
      expect(err).not.toContain("predicted grade");
      expect(out).toContain("predicted grade 4.0 (A) for all 2 codes");
      expect(out).toContain("plain black");
      // Codes have ids for keys: a person knows them by their names.
      if (step === "run") {
        expect(out).toMatch(/2 labels show .* \(rows Tisch \d ☃, Tisch \d ☃\)/u);
        expect(err).toMatch(/^warning: row Tisch 1 ☃: caption line "Tisch 1 ☃" shows/mu);
      }
    }
    const remote = await openRemote(own.data, "https://codes.example");
    try {
      const there = { env: remote.env, transport: remote.transport };
      const { out } = await runInProcess(["plan", exported(SHEETS, "far")], there);
      expect(out).toContain(
        "the predicted grade of 2 codes is known after the run: the server's list shows no designs",
      );
      expect(out).not.toContain("predicted grade 4.0");
    } finally {
      await remote.close();
    }
  });
});

const help = async (design: Record<string, string>, wish: Partial<JobGrade>) => {
  const designs = [{ design, count: 1, rows: ["1"] }];
  const asked = { warn: 1.5, refuse: undefined, gain: 0, ...wish };
  const planned = { options: undefined, isPlain: false, designs, payload: "https://a.example/1" };
  const [worst] = await tallyPlan(planned, asked);
  return worst?.help;
};

describe("what helps against a low grade", () => {
  const inRed = { primary_color: "#0a3d62", eye_color: "#b71c1c" };

  it("is the part that lowers it, and nothing that would leave it as it is", async () => {
    expect(await help({ logo_file: "sha256:00" }, { warn: 3 })).toBe("leave the logo out");
    const shaped = { ...inRed, pattern: "Diamonds", eye_style: "Leaf" };
    expect(await help(shaped, { refuse: 1 })).toBe("give the eyes the colour of the modules");
    expect(await help({}, { gain: 0.5 })).toBe("print with less gain or loss");
    expect(await help({ primary_color: "#e53935" }, {})).toMatch(/^take a darker colour/u);
    expect(await help({}, {})).toBe("");
  });

  it("is no error correction that the text leaves no room for", async () => {
    const colors = { primaryColor: "#777777", eyeColor: "#999999" };
    const design = resolveDesign({ ...colors, logo: new Uint8Array(1), errorCorrection: "L" });
    const code = { payload: "x".repeat(1601), design, gain: 0 };
    const gradeOf = async ({
      payload,
      design: { eyeColor, logo, errorCorrection: level },
    }: PrintedCode) => {
      encodeQr(payload, { level });
      if (logo !== null) return 1;
      return eyeColor === colors.eyeColor ? 2 : 3;
    };
    expect(await findHelp(code, 2, gradeOf)).toBe("leave the logo out");
    expect(await findHelp(code, 3, gradeOf)).toBe(
      "give the eyes the colour of the modules, and leave the logo out",
    );
    await expect(findHelp(code, 2, () => Promise.reject(new TypeError("broken")))).rejects.toThrow(
      "broken",
    );
  });

  it("is several parts together where none alone is enough", async () => {
    const both = { ...inRed, logo_file: "sha256:00" };
    expect(await help(both, { warn: 3 })).toBe(
      "give the eyes the colour of the modules, and leave the logo out",
    );
  });
});
