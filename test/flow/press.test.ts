/** What may go to press, and what should be known before: in the plan, the run, the report, `verify`. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { PDFDocument } from "pdf-lib";
import { describe, expect, it } from "vitest";

import { lookAtDrawing } from "../../src/print/art/drawing-look.ts";
import { openState } from "../../src/state/state.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { lineOf, runJson } from "./seed.ts";

const ENV = { env: { MAKEREADY_PUBLIC_URL: "https://go.example.com" } };
const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n";

interface Asked {
  readonly design?: string;
  readonly sheets?: string;
  readonly rows?: string;
  readonly files?: string;
}

const makeFolder = ({ design = "{}", sheets = "true", rows = ROWS, files = "[svg]" }: Asked) =>
  makeJobFolder(
    rows,
    `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n], columns: { url: { type: url } } }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}", design: ${design} }
output: { dir: ../out, files: ${files}, sheets: ${sheets} }
`,
  );

const plan = (files: JobFolder) => runInProcess(["plan", files.manifest], ENV);
const run = (files: JobFolder) => runInProcess(["run", files.manifest], ENV);
const verify = (files: JobFolder) => runInProcess(["verify", files.manifest], ENV);
const reportOf = ({ out }: JobFolder): string =>
  readFileSync(path.join(out, "report.html"), "utf8");

const BLUE = '{ primary_color: "#0a3d62", frame: card, text: SCAN }';
const PLAIN_BLUE = "the sheets print 2 codes plain black: without colours, frame and frame text";

const PLAIN = "{ print: plain }";

describe("designs that sheets print", () => {
  it("are listed with their inks, and without warnings", async () => {
    const files = makeFolder({ design: BLUE });
    expect((await plan(files)).out).toContain(
      "note      codes are printed as designed: #0a3d62 as C97 M54 Y0 K60\n",
    );
    const ran = await run(files);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toContain("press     Ready for press\n");
    expect(reportOf(files)).not.toContain("on the sheet<");
    expect((await verify(files)).out).toContain("ready for press\n");
    expect((await run(files)).out).not.toContain("anew");
  });

  it("in the job's own inks, with the logo of the artwork", async () => {
    const logo = path.resolve(import.meta.dirname, "../../templates/logos/winter.png");
    const design = `{ primary_color: "#0a3d62", pattern: Circles, logo_file: ${JSON.stringify(logo)} }`;
    const sheets =
      '{ inks: { brand: { spot: Brand Blue, cmyk: [100, 60, 0, 20] } }, artwork_inks: { "#0A3D62": brand } }';
    const files = makeFolder({ design, sheets });
    expect((await plan(files)).out).toContain("printed as designed: #0a3d62 as Brand Blue\n");
    const ran = await run(files);
    expect(ran.out).toContain("press     Ready for press\n");
    const pdf = await PDFDocument.load(readFileSync(path.join(files.out, "flow.pdf")));
    const objects = pdf.context.enumerateIndirectObjects().map(([, object]) => String(object));
    expect(objects.some((object) => object.includes("/Brand#20Blue"))).toBe(true);
    expect(objects.some((object) => object.includes("/Image"))).toBe(true);
  });

  it("black sheets of before are made anew, with the reason; print: plain keeps them", async () => {
    const files = makeFolder({ design: BLUE, sheets: PLAIN });
    await run(files);
    const before = readFileSync(path.join(files.out, "flow.pdf"));
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, text.replace(PLAIN, "true"));
    const planned = await plan(files);
    expect(planned.out).toContain(
      "finished sheets are made anew: flow.pdf; codes are printed as they were designed now; print: plain keeps them black",
    );
    await run(files);
    expect(readFileSync(path.join(files.out, "flow.pdf")).equals(before)).toBe(false);
    writeFileSync(files.manifest, text);
    await run(files);
    expect(readFileSync(path.join(files.out, "flow.pdf")).equals(before)).toBe(true);
  });

  it("parts without room are reported before the run, and in the report beside what is printed", async () => {
    const files = makeFolder({ design: BLUE, sheets: "{ x_dimension_mm: 0.7 }" });
    const says = "2 codes are printed without their frame: there is no room";
    expect((await plan(files)).out).toContain(says);
    expect((await run(files)).out).toContain(`warning   ${says}`);
    expect(reportOf(files).match(/on the sheet</gu)).toHaveLength(2);
  });

  it.each([
    ["code_style: {}", "code_style"],
    ["artwork: server", "artwork: server"],
    ["application: gs1-pos", "application: gs1-pos"],
    ["bar_width_reduction: 1, device_dpi: 600", "bar_width_reduction"],
  ])("print: designed with %s is refused", async (field, named) => {
    const planned = await plan(makeFolder({ sheets: `{ print: designed, ${field} }` }));
    expect(planned.code).toBe(2);
    expect(planned.err).toContain(`output.sheets.print must not be designed with ${named}`);
  });
});

describe("designs that sheets don't print", () => {
  it("are reported in the plan, the run, the report and by verify; the contact sheet shows both", async () => {
    const files = makeFolder({ design: BLUE, sheets: PLAIN });
    expect((await plan(files)).out).toContain(PLAIN_BLUE);
    const ran = await run(files);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toContain("press     Ready, with 1 warning\n");
    expect(ran.out).toContain(`warning   ${PLAIN_BLUE}`);
    const report = reportOf(files);
    expect(report).toContain("Ready, with 1 warning");
    expect(report).toContain("The sheets print 2 codes plain black");
    expect(report.match(/on the sheet</gu)).toHaveLength(2);
    expect((await verify(files)).out).toContain(`  ${PLAIN_BLUE}\nready for press, with 1 warning`);
  });

  it("are data for programs, also in a run that finds nothing to do", async () => {
    const files = makeFolder({ design: BLUE, sheets: PLAIN });
    const press = {
      verdict: "ready-with-warnings",
      warnings: [{ code: "codes-plain", count: 2, what: ["colours", "frame", "frame text"] }],
    };
    const planned = await runJson(["plan", files.manifest], ENV);
    expect(lineOf(planned, "plan")["press"]).toMatchObject(press.warnings);
    const first = await runJson(["run", files.manifest], ENV);
    expect(lineOf(first, "summary")["press"]).toMatchObject(press);
    const again = await runJson(["run", files.manifest], ENV);
    expect(lineOf(again, "summary")).toMatchObject({ writes: 0, press });
    const verified = await runJson(["verify", files.manifest], ENV);
    expect(lineOf(verified, "summary")["press"]).toMatchObject(press);
  });

  it("are no matter where the design is plain: near black, on white", async () => {
    const design = '{ primary_color: "#111111", background_color: "#fff" }';
    const files = makeFolder({ design });
    const ran = await run(files);
    expect(ran.out).not.toContain("the sheets print");
    expect(ran.out).toContain("press     Ready for press\n");
    expect(reportOf(files)).not.toContain("on the sheet");
  });

  it("shows what is on the sheets where the job keeps no artwork", async () => {
    const files = makeFolder({ files: "[]" });
    await run(files);
    expect(reportOf(files).match(/alt="QR code on the sheet: code \d"/gu)).toHaveLength(2);
  });
});

describe("the matrix in print", () => {
  it("has the error correction of the template, as the artwork has", async () => {
    const files = makeFolder({ design: "{ template: asset-tag }", sheets: PLAIN });
    expect((await plan(files)).out).toContain("plain black: without frame");
    expect((await run(files)).out).toContain("plain black: without frame");
    const state = openState(files.out, { writer: "makeready test", salt: "", nowMs: 0 });
    try {
      for (const row of state.rows()) {
        const drawn = await lookAtDrawing(state.svg(row.key) ?? "");
        expect(drawn?.level).toBe("H");
        expect(row.labels.map(({ version }) => version)).toEqual([drawn?.version]);
      }
    } finally {
      state.close();
    }
  });
});

describe("the verdict", () => {
  it("names rows that are missing and texts that are not as they should be", async () => {
    const files = makeFolder({
      rows: `${ROWS}3,htp://wrong\n4,https://a.example/☕\n`,
      sheets: '{ caption: "{{ url }} ☕" }',
    });
    const ran = await run(files);
    expect(ran.code).toBe(3);
    expect(ran.out).toContain("press     Ready, with 2 warnings");
    expect(ran.out).toContain("warning   1 row of the job is missing: line 4");
    expect(ran.out).toMatch(
      /warning {3}3 labels show � for characters that no font has \(rows 1, 2, 4\)/u,
    );
    expect(reportOf(files)).toContain("Ready, with 2 warnings");
  });

  it("names codes that lead to a placeholder, in the run, a second run, the report, the certificate and by verify", async () => {
    const files = makeFolder({
      rows: "n,url\n1,https://example.com/1\n2,https://a.example/2\n3,https://www.example.org/\n4,http://localhost/4\n",
    });
    const says =
      "2 codes lead to a placeholder, such as https://example.com/1, where nobody's site is: 1 (line 2) and 3 (line 4)";
    const local =
      "1 code leads to an address such as http://localhost/4, which phones look for on themselves: 4 (line 5)";
    const ran = await run(files);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toContain("press     Ready, with 2 warnings\n");
    expect(ran.out).toContain(`warning   ${says}`);
    expect(ran.out).toContain(`warning   ${local}`);
    expect(reportOf(files)).toContain("Ready, with 2 warnings");
    const certificate = readFileSync(path.join(files.out, "certificate.json"), "utf8");
    expect(certificate).toContain(says);
    const again = await runJson(["run", files.manifest], ENV);
    const press = {
      verdict: "ready-with-warnings",
      warnings: [
        { code: "codes-lead-nowhere", count: 2 },
        { code: "codes-lead-to-phone", count: 1 },
      ],
    };
    expect(lineOf(again, "summary")).toMatchObject({ writes: 0, press });
    const verified = await verify(files);
    expect(verified.code).toBe(0);
    expect(verified.out).toContain(`  ${says}\n  ${local}\nready for press, with 2 warnings`);
    writeFileSync(files.csv, ROWS);
    expect((await run(files)).out).toContain("press     Ready for press\n");
  });

  it("names networks that no phone joins by fault, in the run, a second run, the certificate and by verify", async () => {
    const files = makeJobFolder(
      "id,room,password,kind\n1,Hall,geheim-genug,WPA\n2,Kurz,abc,WPA\n3,,geheim-genug,WPA\n4,Flur,abcd,WPA\n5,Hof,geheim-genug,-\n",
      `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { type: Text, dynamic: false, qr_data: "WIFI:T:{{ kind | wifi: type }};S:{{ room | wifi }};P:{{ password | wifi }};;" }
output: { dir: ../out, files: [svg], sheets: true }
`,
    );
    const says = [
      "no phone joins the network of 2 codes: P must be a password of 8 to 63 characters, as WPA wants it: 2 (line 3) and 4 (line 5)",
      "no phone joins the network of 1 code: S must be the name of the network: 3 (line 4)",
      "no phone joins the network of 1 code: T must be WPA beside a password: with nopass, phones look for open networks: 5 (line 6)",
    ];
    const ran = await run(files);
    expect(ran.out).toContain("press     Ready, with 3 warnings\n");
    const certificate = readFileSync(path.join(files.out, "certificate.json"), "utf8");
    for (const one of says) {
      expect(ran.out).toContain(`warning   ${one}\n`);
      expect(certificate).toContain(one);
    }
    expect(reportOf(files)).toContain("Mend these codes or rows, run the job again");
    const again = await runJson(["run", files.manifest], ENV);
    expect(lineOf(again, "summary")).toMatchObject({
      writes: 0,
      press: {
        verdict: "ready-with-warnings",
        warnings: [
          { code: "networks-dead", count: 2 },
          { code: "networks-dead", count: 1 },
          { code: "networks-dead", count: 1 },
        ],
      },
    });
    expect((await verify(files)).out).toContain(
      `  ${says.join("\n  ")}\nready for press, with 3 warnings`,
    );
  });

  it("stays a rehearsal while codes point here, its warnings named all the same", async () => {
    const files = makeFolder({ design: BLUE, sheets: PLAIN });
    const ran = await runInProcess(["run", files.manifest]);
    expect(ran.out).toContain("REHEARSAL");
    expect(ran.out).not.toContain("press     ");
    expect(ran.out).toContain(`warning   ${PLAIN_BLUE}`);
    expect(reportOf(files)).toContain("Rehearsal, not for press");
  });
});
