/** An SVG as logo: a picture for the server, vectors on the sheets, and a message for the user. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { PDFDocument, PDFName, PDFRawStream, decodePDFRawStream } from "pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeDesignJob, type JobFolder } from "./job-folder.ts";
import { lineOf, runJson } from "./seed.ts";

const ENV = { env: { MAKEREADY_PUBLIC_URL: "https://go.example.com" } };
const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n";

const svg = (inner: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${inner}</svg>`;
const MARK = svg(
  '<rect width="40" height="40" fill="#006064"/><circle cx="20" cy="20" r="12" fill="#fff"/><path fill="#777" d="M14 14H26V26H14Z"/>',
);
const BLENDED = svg('<rect width="40" height="40" fill="#006064"/><text x="2" y="20">Jam</text>');

const REDESIGN = `version: 1
name: again
kind: redesign
select: { dynamic: true }
design: { logo_file: mark.svg, primary_color: "#000000" }
output: { dir: ../again, files: [svg] }
`;

const makeFolder = (logo: string, { design = "", sheets = "" } = {}): JobFolder =>
  makeDesignJob(
    ROWS,
    {
      design: `logo_file: mark.svg, primary_color: "#4a148c"${design}`,
      output: `files: [png, svg], sheets: { sheet: { page: A4, label: [60, 60], gutter: 4, margin: 10 }${sheets} }`,
    },
    { "mark.svg": logo },
  );

/** Its pictures, and the operators of the parts that codes share. */
async function readPdf({ out }: JobFolder): Promise<{ pictures: number; parts: string }> {
  const name = readdirSync(out).find((one) => one.endsWith(".pdf")) ?? "";
  const pdf = await PDFDocument.load(readFileSync(path.join(out, name)));
  const streams = pdf.context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (!(object instanceof PDFRawStream)) return [];
    return [{ kind: String(object.dict.get(PDFName.of("Subtype"))), stream: object }];
  });
  const parts = streams
    .filter(({ kind }) => kind === "/Form")
    .map(({ stream }) => Buffer.from(decodePDFRawStream(stream).decode()).toString("latin1"));
  return {
    pictures: streams.filter(({ kind }) => kind === "/Image").length,
    parts: parts.join(""),
  };
}

it.each([false, true])(
  "one that reaches beyond its frame is cut there; round: %s",
  async (round) => {
    const wide = svg(
      '<path fill="#006064" d="M-400 -400H800V800H-400Z"/><path fill="#fff" d="M14 14H26V26H14Z"/>',
    );
    const files = makeFolder(wide, { design: `, logo_round: ${round}` });
    const ran = await runInProcess(["run", files.manifest], ENV);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toContain("press     Ready for press\n");
    expect((await readPdf(files)).pictures).toBe(0);
  },
);

describe("an SVG as code.design.logo_file", () => {
  it("goes to the server as a picture, and onto sheets as shapes; plan and run say so", async () => {
    const files = makeFolder(MARK);
    const plan = await runInProcess(["plan", files.manifest], ENV);
    expect(plan.out).toContain("the sheets print the shapes of mark.svg as vectors");
    expect(plan.out).toContain("to the server goes a picture of 1024 pixels of mark.svg");
    expect(plan.out).toContain("#777777 as");
    const run = await runJson(["run", files.manifest], ENV);
    expect(lineOf(run, "summary")).toMatchObject({ created: 2, failed: 0 });
    expect(run.code).toBe(0);
    const drawing = readFileSync(path.join(files.out, "artwork", "1.svg"), "utf8");
    const [, base64 = ""] = /base64,([A-Za-z0-9+/=]+)/u.exec(drawing) ?? [];
    const { width, height } = await sharp(Buffer.from(base64, "base64")).metadata();
    expect([width, height]).toEqual([512, 512]);
    const { pictures, parts } = await readPdf(files);
    expect(pictures).toBe(0);
    // The grey square is black alone, the white circle paper.
    expect(parts).toMatch(/^0 0 0 0\.\d+ k$/mu);
    expect(parts).toMatch(/^0 0 0 0 k$/mu);
    const manifest = path.join(path.dirname(files.manifest), "again.yaml");
    writeFileSync(manifest, REDESIGN);
    const again = await runInProcess(["plan", manifest], ENV);
    expect(again.out + again.err).toContain("a picture of 1024 pixels of mark.svg");
  });

  it("is printed as it was sent when the file is gone, round, in named inks, PDF/X-1a", async () => {
    const sheets =
      ', standard: "PDF/X-1a:2003", inks: { brand: { cmyk: [90, 20, 40, 30], spot: Brand Teal } }, artwork_inks: { "#006064": brand }';
    const files = makeFolder(MARK, { design: ", logo_round: true", sheets });
    expect(await runInProcess(["run", files.manifest], ENV)).toMatchObject({ code: 0 });
    const { pictures, parts } = await readPdf(files);
    expect(pictures).toBe(0);
    expect(parts).toMatch(/ c\nW n\n/u);
    expect(parts).toMatch(/\/\w+ cs\s+1 scn/u);
    rmSync(path.join(path.dirname(files.manifest), "mark.svg"));
    const again = await runInProcess(["sheets", "reprint", files.manifest, "--lines", "2"], ENV);
    expect(again).toMatchObject({ code: 0 });
  });

  it("with more than shapes is printed as a picture, and the reason is given everywhere", async () => {
    const files = makeFolder(BLENDED);
    const says = "1 SVG logo is printed as a picture of 512 pixels at most: mark.svg (it has text)";
    const { out } = await runInProcess(["run", files.manifest], ENV);
    // The plan says it, then the verdict.
    expect(out.split(says)).toHaveLength(3);
    expect((await readPdf(files)).pictures).toBe(1);
    expect(readFileSync(path.join(files.out, "report.html"), "utf8")).toContain("it has text");
  });

  it.each([
    ['<script>alert(1)</script><rect width="4" height="4"/>', "a harmless SVG"],
    ['<image href="https://evil.example/x.png" width="4" height="4"/>', "a harmless SVG"],
  ])("that runs or loads something is refused by the plan: %s", async (inner, rule) => {
    const files = makeFolder(svg(inner));
    const { code, err } = await runInProcess(["plan", files.manifest], ENV);
    expect(code).toBe(2);
    expect(err).toContain(`code.design.logo_file must be ${rule}`);
  });
});
