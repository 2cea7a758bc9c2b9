import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { runInProcess, type InProcess } from "./in-process.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-reprint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A blank line in between: from there on, rows and lines differ by more than the header. */
const ROWS = `number,name,hall
A-01,Anna Berg,North
A-02,Bernd Tal,South

A-03,Carla See,North
A-04,Dora Au,South
`;

const MANIFEST = `version: 1
name: badges
kind: codes
source: { file: rows.csv, key: [number] }
code: { type: Text, qr_data: "badge {{ number }}" }
output:
  dir: out
  files: []
  index: [csv]
  sheets: { sheet: avery-l7159, per: hall, name: "{{ hall | slug }}.pdf", caption: "{{ name }}" }
`;

const call = (...args: string[]): Promise<InProcess> => runInProcess(args, { cwd: folder });
const reprint = (...args: string[]): Promise<InProcess> =>
  call("sheets", "reprint", "badges.yaml", ...args);

const again = (...more: string[]): Promise<InProcess> =>
  reprint("--lines", "2", "--dir", "often", ...more);

beforeAll(async () => {
  writeFileSync(path.join(folder, "rows.csv"), ROWS);
  writeFileSync(path.join(folder, "badges.yaml"), MANIFEST);
  await call("run", "badges.yaml");
});

describe("labels that are printed again", () => {
  it("are those on the lines that messages and the index name, and are named first", async () => {
    const { code, out } = await reprint("--lines", "5");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^printing again 1 label of north\.pdf\n {2}line 5, key "A-03": Carla See\nbadges: 1 label on 1 page printed/u,
    );
    expect(existsSync(path.join(folder, "out", "north-reprint.pdf"))).toBe(true);
  });

  it("with symbols beside their codes are counted as labels, also by replace", async () => {
    const label =
      'label: { items: [{ code: true, at: [3, 3, 25, 25] }, { symbol: datamatrix, data: "{{ name }}", at: [32, 3, 20, 20] }] }';
    const file = path.join(folder, "symbols.yaml");
    writeFileSync(file, MANIFEST.replace('caption: "{{ name }}"', label));
    const step = (...args: string[]): Promise<InProcess> =>
      call(...args, "symbols.yaml", "--out", "symbols");
    const made = await step("run");
    expect(made.code, made.err).toBe(0);
    const says = "2 labels on 2 pages printed again, 2 codes and 2 symbols read back";
    const replaced = await step("replace", "--key", "A-01", "--key", "A-04");
    expect(replaced.out).toContain(`badges: ${says}\n`);
    const names = ["north", "south"].map((name) => `  symbols/${name}-reprint.pdf\n`);
    expect(replaced.out).toContain(names.toSorted().join(""));
    const again = ["symbols.yaml", "--dir", "symbols", "--key", "A-01", "--json"];
    const { out } = await call("sheets", "reprint", ...again);
    expect(JSON.parse(out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      labels: 1,
      codes: 2,
      decoded: 2,
      symbols: 1,
    });
  });

  it("are named with each of their texts once, also where the back has the same", async () => {
    const back = 'back: { label: { items: [{ text: "{{ name }}", at: [5, 5, 40, 10] }] } }';
    const file = path.join(folder, "backs.yaml");
    writeFileSync(
      file,
      MANIFEST.replace('caption: "{{ name }}"', `caption: "{{ name }}", ${back}`),
    );
    await call("run", "backs.yaml", "--out", "backs");
    const { out } = await call(
      "sheets",
      "reprint",
      "backs.yaml",
      "--dir",
      "backs",
      "--key",
      "A-03",
    );
    expect(out).toContain('  line 5, key "A-03": Carla See\n');
    const white = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    writeFileSync(path.join(folder, "white.png"), white);
    const seen = await call("scan", "backs.yaml", "white.png", "--out", "backs");
    const says = "white.png: no code of this job was read; a back without a code looks so, too\n";
    expect(seen.out).toContain(says);
    const other = await call("scan", "badges.yaml", "white.png");
    expect(other.out).toContain("white.png: no code of this job was read\n");
  });

  it("and have symbols only are not to be scanned once more", async () => {
    const label =
      'label: { items: [{ symbol: datamatrix, data: "{{ name }}", at: [32, 3, 20, 20] }] }';
    const file = path.join(folder, "only.yaml");
    writeFileSync(file, MANIFEST.replace('caption: "{{ name }}"', label));
    await call("run", "only.yaml", "--out", "only");
    const { code, out } = await call("scan", "only.yaml", "gone.png", "--out", "only");
    expect(code).toBe(3);
    expect(out).toContain("→ labels of this job have symbols and no QR codes");
    expect(out).not.toContain("give sharp pictures");
  });

  it("are found by key in whichever PDF they lie, each PDF's on sheets of their own", async () => {
    const { code, out } = await reprint("--key", "A-04", "--key", "A-01");
    expect(code).toBe(0);
    expect(out).toContain(
      'of north.pdf\n  line 2, key "A-01": Anna Berg\nprinting again 1 label of south.pdf\n  line 6, key "A-04": Dora Au\n',
    );
    expect(out).toContain("2 labels on 2 pages printed again, 2 codes read back");
    const json = await reprint("--key", "A-04", "--json");
    expect(
      json.out
        .split("\n")
        .slice(0, 1)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        type: "reprint",
        from: "south.pdf",
        sheets: null,
        labels: [{ line: 6, place: "line 6", key: "A-04", caption: "Dora Au", file: "south.pdf" }],
      },
    ]);
  });

  it.each([
    [["--rows", "3"], /--rows must be written --lines, got --rows 3[^]*the first row is line 2/u],
    [["--lines", "4"], /must be in north.pdf, south.pdf, got line 4/u],
    [["--key", "A-02", "--from", "north.pdf"], /must be in north.pdf, got "A-02"/u],
    [["--key", "A-01", "--key", "A-02", "--out", "x.pdf"], /--out must .*labels of one PDF/u],
    [["--key", "A-01", "--key", "A-02", "--start", "3"], /--start must .*labels of one PDF/u],
    [["--sheets", "1"], /--from must name one of the job's PDFs, got nothing/u],
  ])("are never others than were asked for: %j", async (args, message) => {
    const { code, err } = await reprint(...args);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it("are listed with the volumes in which they are", async () => {
    const many = Array.from({ length: 30 }, (_, n) => `B-${n},x,y\n`).join("");
    writeFileSync(path.join(folder, "many.csv"), `number,name,hall\n${many}`);
    const manifest = MANIFEST.replace("rows.csv", "many.csv")
      .replace("dir: out", "dir: volumes")
      .replace(/sheets: .*/u, "sheets: { name: all.pdf, volume_codes: 24 }");
    writeFileSync(path.join(folder, "volumes.yaml"), manifest);
    await call("run", "volumes.yaml");
    const words = ["volumes.yaml", "--key", "B-1", "--key", "B-29"];
    const { out } = await call("sheets", "reprint", ...words);
    expect(out).toContain("printing again 2 labels of all.pdf, all-2.pdf");
  });

  it("are those of the volume that is named: its sheets, and its labels of a row", async () => {
    const items =
      '[{ code: true, at: [3, 3, 25, 25] }, { counter: "##", per: label, at: [30, 3, 9, 6] }]';
    const sheets = `{ name: some.pdf, order: cut-and-stack, overs: "5%", volume_codes: 24, label: { items: ${items} } }`;
    const manifest = MANIFEST.replace("rows.csv", "many.csv")
      .replace("dir: out", "dir: some")
      .replace(/sheets: .*/u, `sheets: ${sheets}`);
    writeFileSync(path.join(folder, "some.yaml"), manifest);
    const many = Array.from({ length: 30 }, (_, n) => `B-${n},x,y\n`).join("");
    writeFileSync(path.join(folder, "many.csv"), `number,name,hall\n${many}`);
    const made = await call("run", "some.yaml");
    expect(made.code, made.err).toBe(0);
    const some = (...args: string[]) => call("sheets", "reprint", "some.yaml", ...args);
    const label = await some("--key", "B-0", "--from", "some-2.pdf");
    const over = 'of some-2.pdf\n  line 2, key "B-0", label 2 of its row\n';
    expect(label.out, label.err).toContain(over);
    expect((await some("--sheets", "2", "--from", "some/some-2.pdf")).out).toContain(
      "printing again sheet 2 of some-2.pdf\n",
    );
    for (const whole of [[], ["--from", "some.pdf"]])
      expect((await some("--sheets", "2", ...whole)).out).toContain("sheet 2 of some-2.pdf\n");
    const refused = [
      ["--sheets", "1", "--from", "some-2.pdf"],
      ["--sheets", "3"],
      ["--key", "B-9", "--from", "some-2.pdf"],
    ];
    const said = await Promise.all(refused.map((args) => some(...args)));
    expect(said.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(said[0]?.err).toMatch(
      /from 2 to 2, the sheets of some-2.pdf, got 1\n.*sheet 1 is in some.pdf: --from some.pdf/u,
    );
    expect(said[1]?.err).toContain("from 1 to 2, the sheets of some.pdf to some-2.pdf, got 3");
    expect(said[2]?.err).toMatch(/must be in some-2.pdf, got "B-9"\n.*leave --from out/u);
  });

  it("are made as often as they are named", async () => {
    const { code, out } = await reprint("--key", "A-01", "--key", "A-01", "--from", "north.pdf");
    expect([code, out]).toEqual([0, expect.any(String)]);
    expect(out).toContain("printing again 2 labels of north.pdf");
    expect(out).toContain("badges: 2 labels on 1 page printed again, 2 codes read back");
  });

  it("warn only of what is on them, not of all that is in their PDF; a wrong key is reported with the known keys", async () => {
    const cwd = mkdtempSync(path.join(os.tmpdir(), "makeready-reprint-"));
    writeFileSync(path.join(cwd, "rows.csv"), ROWS);
    const design = 'display_name: "{{ name }}", design: { primary_color: "#0a3d62" } }';
    const text = MANIFEST.replace('{{ number }}" }', `{{ number }}", ${design}`).replace(
      "sheets: {",
      "sheets: { print: plain,",
    );
    writeFileSync(path.join(cwd, "badges.yaml"), text);
    expect((await runInProcess(["run", "badges.yaml"], { cwd })).code).toBe(0);
    const again = ["sheets", "reprint", "badges.yaml", "--key"];
    const { out } = await runInProcess([...again, "A-01"], { cwd });
    expect(out).toContain("the sheets print 1 code plain black");
    expect(out).toMatch(/\nready for press, with 1 warning\n$/u);
    const { err } = await runInProcess([...again, "B-01"], { cwd });
    expect(err).toContain("→ index.csv has the keys");
  });

  it("have a PDF of their own each time; one that is named twice is said to be replaced", async () => {
    await call("run", "badges.yaml", "--out", "often");
    const first = path.join(folder, "often", "north-reprint.pdf");
    await again();
    const bytes = readFileSync(first);
    const second = await again();
    expect(second.out).toContain(`  ${path.join("often", "north-reprint-2.pdf")}\n`);
    expect(readFileSync(first)).toEqual(bytes);
    // Taken away to the press: its name stays its own.
    rmSync(first);
    expect((await again()).out).toContain("north-reprint-3.pdf");
    const named = ["--out", path.join("often", "spare.pdf")];
    expect((await again(...named)).err).not.toContain("replaced");
    expect((await again(...named)).err).toContain(
      "warning: spare.pdf was there already and is replaced (another name with --out keeps both)",
    );
  });

  it("are found in the folder of a run with --out", async () => {
    await call("run", "badges.yaml", "--out", "elsewhere");
    const { code, out } = await reprint("--lines", "2", "--dir", "elsewhere");
    expect(code).toBe(0);
    expect(out).toContain(path.join("elsewhere", "north-reprint.pdf"));
  });

  it("are reported as looking different when the manifest has changed since, and only then", async () => {
    const says = "the manifest or a file of it has changed since north.pdf was made";
    expect((await reprint("--lines", "5")).out).not.toContain(says);
    const file = path.join(folder, "badges.yaml");
    writeFileSync(file, MANIFEST.replace("caption:", "caption_bold: first-line, caption:"));
    for (const which of [
      ["--lines", "5"],
      ["--sheets", "1", "--from", "north.pdf"],
    ]) {
      const { code, out } = await reprint(...which);
      expect([code, out]).toEqual([0, expect.stringContaining(says)]);
    }
    writeFileSync(file, MANIFEST);
  });

  it("are reported as those of the last run when the spreadsheet has changed since", async () => {
    writeFileSync(path.join(folder, "rows.csv"), ROWS.replace("A-01,Anna Berg,North\n", ""));
    const { code, out, err } = await reprint("--lines", "5");
    expect(code).toBe(0);
    expect(out).toContain('line 5, key "A-03": Carla See');
    expect(err).toMatch(/rows.csv: has changed since the job last ran: lines are those/u);
  });
});

describe("sheets reprint: what can't be", () => {
  it("is refused in words: sheets and labels at once, and a start for whole sheets", async () => {
    const both = await reprint("--sheets", "1", "--key", "A-01");
    expect([both.code, both.err]).toEqual([
      2,
      expect.stringContaining("--lines and --key, got both"),
    ]);
    const start = await reprint("--sheets", "1", "--start", "4", "--from", "north.pdf");
    expect([start.code, start.err]).toEqual([
      2,
      expect.stringContaining("--start must be given with --lines or --key, got --sheets"),
    ]);
  });

  it("of a run that did not end: verify and reprint say so, and how to finish it", async () => {
    await call("run", "badges.yaml", "--out", "cut");
    const db = openSqlite(path.join(folder, "cut", "state.db"));
    db.run("DELETE FROM packages");
    db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
    db.close();
    const verified = await call("verify", "badges.yaml", "--out", "cut");
    expect(verified.code).toBe(3);
    expect(verified.out).toMatch(
      /the last run did not end: .+ \(finish it with: .+ run badges\.yaml --out cut\)/u,
    );
    expect(verified.out).not.toContain("all files are as they were written");
    const printed = await reprint("--lines", "2", "--dir", "cut");
    expect(printed.code).toBe(2);
    expect(printed.err).toMatch(/got none: the last run did not end: [^]+ run badges\.yaml/u);
  });

  it("after a killed run: labels that its sheets lack are refused, others may look different", async () => {
    writeFileSync(path.join(folder, "rows.csv"), ROWS);
    await call("run", "badges.yaml", "--out", "killed");
    const db = openSqlite(path.join(folder, "killed", "state.db"));
    db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
    db.run("UPDATE packages SET fingerprint = 'before' WHERE name LIKE 'sheets %'");
    db.run("UPDATE rows SET cell = NULL WHERE row_key = 'A-02'");
    db.run("UPDATE rows SET state = 'pending', remote_id = NULL WHERE row_key = 'A-04'");
    db.close();
    for (const line of ["3", "6"]) {
      const { code, err } = await reprint("--lines", line, "--dir", "killed");
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(`got line ${line}: the last run did not end: files may be missing`),
      ]);
      expect(err).toMatch(/finish it with: .+ run badges\.yaml --out killed/u);
    }
    const printed = await reprint("--lines", "2", "--dir", "killed");
    expect(printed.code).toBe(0);
    expect(printed.out).not.toContain("has changed since");
    expect(printed.out).toContain(
      "the last run did not end: the labels in north.pdf may look different from these",
    );
    expect(printed.err).toMatch(/did not end[^]+finish it with: .+ run badges\.yaml --out killed/u);
  });
});
