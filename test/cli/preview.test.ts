import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { QrDecoder } from "../../src/qr/read/decode.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { readCodes } from "../../src/qr/read/read-code.ts";
import { runInProcess } from "../flow/in-process.ts";
import { openTestDecoder } from "../qr/zxing.ts";

const folder = mkdtempSync(path.join(tmpdir(), "makeready-preview-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let decoder: QrDecoder;
beforeAll(async () => {
  decoder = await openTestDecoder();
});

interface Changes {
  readonly dynamic?: boolean;
  readonly design?: string;
  readonly safety?: string;
}

/** A job of three rows, the last one with a colour that doesn't scan. */
function makeJob(name: string, changes: Changes = {}): string {
  const { dynamic = false, design = "{}", safety = "{}" } = changes;
  mkdirSync(path.join(folder, name), { recursive: true });
  const rows = ["site,table,url,ink", "Café Łódź,1,https://menu.example/1,#111111"];
  rows.push("Bar,2,https://menu.example/2?ü=1,#00f", "Pub,3,https://menu.example/3,#eeeeee");
  writeFileSync(path.join(folder, name, "rows.csv"), `${rows.join("\n")}\n`);
  writeFileSync(
    path.join(folder, name, "job.yaml"),
    `version: 1
name: ${name}
kind: codes
source: { file: rows.csv, key: [site, table] }
code:
  type: Link
  dynamic: ${dynamic}
  qr_data: "{{ url }}"
  display_name: "{{ site }} / {{ table }}"
  design: ${design}
safety: ${safety}
output:
  dir: out
  files: [svg, png]
  file_name: "{{ site | slug }}-{{ table }}"
  sheets: { sheet: a4-24up-63.5x33.9, name: "labels.pdf", caption: "{{ site }}" }
`,
  );
  return `${name}/job.yaml`;
}

const run = (...args: string[]) => runInProcess(["preview", ...args], { cwd: folder });

async function decodePng(file: string): Promise<string[]> {
  const codes = await readCodes(decoder, readFileSync(path.join(folder, file)));
  return codes.map(({ text }) => text);
}

async function decodeSvg(file: string): Promise<string[]> {
  const image = await rasterizeSvg(readFileSync(path.join(folder, file), "utf8"));
  return (await decoder.decode(image)).map(({ text }) => text).toSorted();
}

describe("preview of a row", () => {
  it("refuses a row whose key an earlier row has, as the plan does", async () => {
    const job = makeJob("twice");
    const csv = path.join(folder, "twice", "rows.csv");
    writeFileSync(csv, `${readFileSync(csv, "utf8")}Bar,2,https://menu.example/other,#111111\n`);
    const says = 'must be unique, got "Bar / 2" again (first on line 3)';
    const planned = await runInProcess(["plan", job], { cwd: folder });
    expect(planned.out).toContain(says);
    const { code, err } = await run(job, "--line", "5", "--out", "twice");
    expect([code, err]).toEqual([3, expect.stringContaining(says)]);
    expect((await run(job, "--line", "3", "--out", "twice")).code).toBe(0);
    const proof = ["sheets", "proof", job, "--lines", "3,5"];
    const proved = await runInProcess(proof, { cwd: folder });
    expect([proved.code, proved.err]).toEqual([3, expect.stringContaining(says)]);
  });

  it("names the line of a row that can't be printed, and says of one without copies that it gets no label", async () => {
    mkdirSync(path.join(folder, "symbols"), { recursive: true });
    writeFileSync(
      path.join(folder, "symbols", "rows.csv"),
      "n,gtin,copies\nA-1,4006381333931,1\nA-2,4006381333931,0\nA-3,12,1\n",
    );
    const manifest = `version: 1
name: symbols
kind: codes
source: { file: rows.csv, key: [n] }
code: { type: Text, dynamic: false, qr_data: "{{ n }}", display_name: "{{ n }}" }
output:
  dir: out
  sheets:
    sheet: a4-16up-52.5x74.25
    copies: "{{ copies }}"
    label:
      items:
        - { code: true, at: [3, 3, 28, 28] }
        - { symbol: ean-13, data: "{{ gtin }}", at: [3, 34, 46, 34] }
`;
    writeFileSync(path.join(folder, "symbols", "job.yaml"), manifest);
    const bad = await run("symbols/job.yaml", "--line", "4", "--out", "symbols");
    expect(bad.err).toMatch(/rows\.csv line 4: row A-3: label item 2 \(ean-13\) must be a GTIN/u);
    expect(bad.err).toContain("mend the row, then preview it again");
    const none = await run("symbols/job.yaml", "--line", "3", "--out", "symbols");
    expect(none.err).toContain("this row gets no label, since its copies are 0");
    const some = await run("symbols/job.yaml", "--line", "2", "--out", "symbols");
    expect(some.err).not.toContain("no label");
  });

  it("refuses a row whose slug an earlier row has", async () => {
    mkdirSync(path.join(folder, "slugs"), { recursive: true });
    writeFileSync(path.join(folder, "slugs", "rows.csv"), "n,slug\n1,bar\n2,pub\n3,bar\n");
    const manifest = `version: 1
name: slugs
kind: links
source: { file: rows.csv, key: [n] }
link: { link: "https://a.example/{{ n }}", slug: "{{ slug }}", display_name: "{{ n }}" }
output: { dir: out, files: [svg] }
`;
    writeFileSync(path.join(folder, "slugs", "job.yaml"), manifest);
    const { code, err } = await run("slugs/job.yaml", "--line", "4", "--out", "slugs");
    expect([code, err]).toEqual([3, expect.stringContaining('slug "bar" must be in one row only')]);
  });

  it.each([
    [
      "x_dimension_mm: 0.1",
      /^error: .*: the sheets can't be printed as the manifest asks\n.*: output\.sheets\.x_dimension_mm must be at least 0\.33, got 0\.1 /u,
    ],
    [
      "x_dimension_mm: 0.9",
      /^error: unprintable\/rows\.csv line 2: row .*: a version 3 code .* must fit 27\.900 mm .*\n {2}→ lower x_dimension_mm.*\n$/u,
    ],
  ])(
    "of a label that can't be printed writes nothing and names the fault: %s",
    async (more, says) => {
      const job = makeJob("unprintable");
      const file = path.join(folder, job);
      const caption = 'caption: "{{ site }}"';
      writeFileSync(file, readFileSync(file, "utf8").replace(caption, more));
      const { code, out, err } = await run(job, "--out", "unprinted");
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(says);
      expect(err).not.toContain("its code must fit the label");
      expect(existsSync(path.join(folder, "unprinted"))).toBe(false);
    },
  );

  it("draws code and label of a static code, and touches nothing else", async () => {
    const job = makeJob("plain");
    const { code, out, err } = await run(job, "--line", "3");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("line 3: Bar / 2");
    expect(readdirSync(path.join(folder, "preview")).toSorted()).toEqual([
      "bar-2.pdf",
      "bar-2.png",
      "bar-2.svg",
    ]);
    for (const file of ["bar-2.pdf", "bar-2.png", "bar-2.svg"]) {
      expect(out).toContain(path.join("preview", file));
    }
    expect(await decodePng("preview/bar-2.png")).toEqual(["https://menu.example/2?%C3%BC=1"]);
    expect(readFileSync(path.join(folder, "preview/bar-2.pdf"), "latin1")).toMatch(/^%PDF-/u);
    expect(existsSync(path.join(folder, "plain/out"))).toBe(false);
    expect(existsSync(path.join(folder, ".makeready"))).toBe(false);
  });

  it("takes the first row by default, and says so when the short link is a sample", async () => {
    const { code, out, err } = await run(makeJob("dynamic", { dynamic: true }), "--out", "d");
    expect(code).toBe(0);
    expect(out).toContain("line 2: Café Łódź / 1");
    expect(err).toContain("the short link doesn't exist yet");
    const [text = ""] = await decodePng("d/cafe-lodz-1.png");
    expect(text).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\w{8}$/u);
  });

  it("draws the design that the row asks for, over that of a built-in template", async () => {
    const design = `{ template: scan-card, primary_color: "{{ ink }}", pattern: Circles }`;
    const { code } = await run(makeJob("styled", { design }), "--line", "3", "--out", "s");
    expect(code).toBe(0);
    const svg = readFileSync(path.join(folder, "s/bar-2.svg"), "utf8");
    expect(svg).toContain('fill="#00f"');
    expect(svg).toContain('fill="#ffffff"');
    expect(await decodePng("s/bar-2.png")).toEqual(["https://menu.example/2?%C3%BC=1"]);
  });

  it("says what it can't show: templates of a server, logos of closed networks", async () => {
    const design = `{ template: Ours, logo_url: "http://127.0.0.1:9/logo.png" }`;
    const { code, err } = await run(makeJob("foreign", { design }), "--out", "f");
    expect(code).toBe(0);
    expect(err).toContain('the template "Ours" is known to the server only');
    expect(err).toContain("logo_url can't be shown");
  });

  it("refuses a row whose colours don't scan, and draws it where the manifest warns only", async () => {
    const design = `{ primary_color: "{{ ink }}", background_color: "#ffffff" }`;
    const refused = await run(makeJob("pale", { design }), "--line", "4", "--out", "p");
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("#eeeeee (luma 0.93)");
    expect(existsSync(path.join(folder, "p"))).toBe(false);
    const warned = await run(
      makeJob("warned", { design, safety: "{ contrast: warn }" }),
      "--line",
      "4",
      "--out",
      "p",
    );
    expect(warned.code).toBe(0);
    expect(warned.err.match(/#eeeeee/gu)).toHaveLength(2);
    expect(warned.err).toContain("grades at best 0 in white light");
  });

  it.each([
    ["0", "whole number from 1"],
    ["x", "whole number from 1"],
    ["5", "must be lines that hold a row, got 5\n  → the last row stands on line 4"],
  ])("refuses --line %s", async (line, message) => {
    const { code, err } = await run(makeJob("rows"), "--line", line);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it("refuses --row, which counted otherwise", async () => {
    const { code, err } = await run(makeJob("rows"), "--row", "2");
    expect(code).toBe(2);
    expect(err).toContain("--row must be written --line, got --row 2");
  });

  it("asks for a job", async () => {
    expect(await run()).toMatchObject({ code: 2 });
  });
});

describe("preview of a design", () => {
  it("shows four codes that all read, as SVG and PNG", async () => {
    const { code, out } = await run("--design", "halftone", "--out", "sheet", "--json");
    expect(code).toBe(0);
    const files = ["sheet/halftone.svg", "sheet/halftone.png"];
    expect(JSON.parse(out)).toMatchObject({
      title: "Halftone",
      files: files.map((file) => path.join(folder, file)),
      warnings: [],
    });
    const texts = await decodeSvg("sheet/halftone.svg");
    expect(texts).toHaveLength(4);
    expect(texts).toContain("https://short.example.com/abcd2345");
  });

  it("reads a file like those of the built-in designs, or bare fields", async () => {
    const design = { primary_color: "#123456", frame: "burst" };
    writeFileSync(path.join(folder, "own.json"), JSON.stringify({ title: "Our own", design }));
    writeFileSync(path.join(folder, "bare.json"), JSON.stringify(design));
    expect((await run("--design", "own.json", "--out", "o")).out).toContain("o/our-own.png");
    expect((await run("--design", "bare.json", "--out", "o")).out).toContain("o/bare.svg");
  });

  it("warns of colours that don't scan", async () => {
    writeFileSync(path.join(folder, "pale.json"), JSON.stringify({ primary_color: "#dddddd" }));
    const { code, err } = await run("--design", "pale.json", "--out", "o");
    expect(code).toBe(0);
    expect(err).toContain("primary_color #dddddd");
  });

  it("refuses what is no design, naming each field", async () => {
    writeFileSync(
      path.join(folder, "wrong.json"),
      JSON.stringify({ primary_color: "red", pattern: "Hearts" }),
    );
    const wrong = await run("--design", "wrong.json");
    expect(wrong.code).toBe(3);
    expect(wrong.err).toMatch(/primary_color[^]*pattern/u);
    const unknown = await run("--design", "hearts");
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain("scan-card");
  });
});
