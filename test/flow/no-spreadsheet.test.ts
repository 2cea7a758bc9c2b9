/** Jobs whose rows stand in no spreadsheet: nothing that is said speaks of one, or of lines. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const manifestOf = (kind: string, source: string, more: string): string => `version: 1
name: flow
kind: ${kind}
source: ${source}
${more}
output: { dir: ../out, files: [svg], index: [csv] }
`;

const codesOf = (source: string, data = "https://a.example/{{ number }}"): string =>
  manifestOf("codes", source, `code: { type: Link, dynamic: true, qr_data: "${data}" }`);

/** What plan, run, status and retire say, and the report. */
async function sayAll(files: JobFolder, ...more: string[]): Promise<string> {
  const said: string[] = [];
  for (const command of ["plan", "run", "status", "retire"]) {
    const { out, err } = await runInProcess([command, files.manifest, ...more]);
    said.push(out, err);
  }
  const report = readFileSync(path.join(files.out, "report.html"), "utf8");
  said.push(report.replaceAll(/<style>.*?<\/style>|<svg.*?<\/svg>/gsu, ""));
  return said.join("\n");
}

function expectNoLines(said: string): void {
  expect(said).not.toMatch(/spreadsheet/u);
  expect(said).not.toMatch(/\blines? \d|Line it had|>Line</u);
}

const serialsOf = (rows: number): string => `{ rows: ${rows}, serial: { length: 8 } }`;

const printedOf = (rows: number): string =>
  codesOf(serialsOf(rows), "https://a.example/{{ serial }}").replace(
    "files: [svg]",
    "files: [], sheets: { sheet: a4-24up-63.5x33.9, name: flow.pdf }",
  );

describe("rows without a spreadsheet", () => {
  it("of a range go by their number", async () => {
    const files = makeJobFolder("", codesOf("{ range: [98, 100] }"));
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    const said = await sayAll(files, "--set", "source.range=[98,99]");
    expectNoLines(said);
    expect(said).toContain("1 no longer in the range (left alone)");
    expect(said).toContain('"100" (number 100): ');
    expect(said).toMatch(/vanished-rows\.csv +1 code whose row is no longer in the range/u);
  });

  it("that are bad are bad in the range", async () => {
    const files = makeJobFolder("", codesOf("{ range: [98, 99] }", "{{ number }}"));
    const said = await sayAll(files);
    expectNoLines(said);
    expect(said).toContain("2 bad in the range");
    expect(said).toContain("number 98: ");
    expect(said).toContain("<bdi>number 98</bdi>");
  });

  it("with serials go by them", async () => {
    const data = "https://a.example/{{ serial }}";
    const files = makeJobFolder("", codesOf(serialsOf(2), data));
    await runInProcess(["run", files.manifest]);
    writeFileSync(files.manifest, codesOf(serialsOf(1), data));
    const said = await sayAll(files);
    expectNoLines(said);
    expect(said).toMatch(/"(\w{8})" \(serial \1\): /u);
  });

  it("with serials are gone from among the serials, whatever command says so", async () => {
    const files = makeJobFolder("", printedOf(9));
    const call = (...args: string[]) => runInProcess(args, { cwd: files.root });
    expect((await call("run", files.manifest)).code).toBe(0);
    cpSync(path.join(files.out, "flow.pdf"), path.join(files.root, "paper.pdf"));
    writeFileSync(files.manifest, printedOf(7));
    expect((await call("run", files.manifest)).code).toBe(0);
    const scanned = await call("scan", files.manifest, "paper.pdf");
    expect(scanned.out).toMatch(/code of row "\w{8}", which is no longer among the serials\n/u);
    const reconciled = await call("reconcile", files.manifest);
    expect(reconciled.out).toContain("codes live on whose rows are no longer among the serials; ");
    const retired = await call("retire", files.manifest);
    expect(retired.out).toContain("flow: 2 codes whose rows are no longer among the serials\n");
    expect(retired.out).toContain("and nobody can bring them back");
    for (const { out, err } of [scanned, reconciled, retired]) expectNoLines(out + err);
  });

  it("of a folder go by their file", async () => {
    const files = makeJobFolder("", manifestOf("pdfs", "{ folder: ../manuals }", ""));
    const folder = path.join(files.root, "manuals");
    mkdirSync(folder);
    for (const name of ["a", "b", "c"]) {
      writeFileSync(
        path.join(folder, `${name}.pdf`),
        `%PDF-1.4\n% ${name}\n1 0 obj<<>>endobj\n%%EOF\n`,
      );
    }
    writeFileSync(path.join(folder, "c.pdf"), "no PDF");
    await runInProcess(["run", files.manifest]);
    rmSync(path.join(folder, "b.pdf"));
    const said = await sayAll(files);
    expectNoLines(said);
    expect(said).toContain("1 bad in the folder");
    expect(said).toContain('"b" (file b.pdf): ');
    expect(said).toContain("file c.pdf");
  });
});

it("rows of standard input have lines, and no spreadsheet", async () => {
  const files = makeJobFolder(
    "",
    manifestOf("codes", '{ file: "-", key: [n] }', 'code: { type: Link, qr_data: "{{ url }}" }'),
  );
  const { out } = await runInProcess(["run", files.manifest], {
    readStream: () => Promise.resolve(Buffer.from("n,url\n1,https://a.example/\n2,none\n")),
  });
  expect(out).toContain("1 bad in what was read");
  expect(out).toContain("line 3");
  expect(out).not.toContain("spreadsheet");
});
