import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { initKinds, type InitKindName } from "../../src/pipeline/draft/kinds.ts";
import type { Choice, Questions } from "../../src/cli/questions.ts";
import { runInProcess } from "../flow/in-process.ts";
import { makeXlsx, textSheet } from "../read/make-xlsx.ts";

const makeFolder = (): string => mkdtempSync(path.join(os.tmpdir(), "makeready-init-"));
const read = (cwd: string, name: string): string => readFileSync(path.join(cwd, name), "utf8");

interface Asked {
  readonly question: string;
  readonly offered: readonly string[];
}

/** A person who answers in this order; undefined gives up. */
function makePerson(answers: readonly (string | undefined)[]): Questions & { asked: Asked[] } {
  const left = [...answers];
  const asked: Asked[] = [];
  return {
    asked,
    choose: async (question: string, choices: readonly Choice[]) => {
      asked.push({ question, offered: choices.map(({ value }) => value) });
      return left.shift();
    },
    type: async (question: string, offer: string, check) => {
      asked.push({ question, offered: [offer] });
      const answer = left.shift();
      return answer === undefined || check(answer) === undefined ? answer : offer;
    },
  };
}

describe("makeready init (docs/spec/jobs.md section 2)", () => {
  it("names the sheets of a workbook that it did not take", async () => {
    const cwd = makeFolder();
    const source = path.resolve("samples/gtins.xlsx");
    const { code } = await runInProcess(["init", "gtins", "--source", source, "--yes"], { cwd });
    expect(code).toBe(0);
    expect(read(cwd, "gtins.yaml")).toContain(
      '  sheet: "Spring"  # there are also "Hinweise", "Autumn"\n',
    );
    const { code: valid } = await runInProcess(["validate", "gtins.yaml"], { cwd });
    expect(valid).toBe(0);
  });

  it("says which of two columns of one name must be renamed before the job runs", async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "d.csv"), "id,link,link\n1,https://a.example/1,x\n");
    const told = 'rename one of the columns "link": the job runs only then\n';
    for (const as of [["--yes"], ["--as", "dynamic-link", "--use", "payload=link"]]) {
      const name = `d-${as.length}`;
      const { out } = await runInProcess(["init", name, "--source", "d.csv", ...as], { cwd });
      expect(out).toContain(`next:\n  ${told}`);
      expect(out).toContain('d.csv line 1, column "link": another column has this name, too');
      const { code, err } = await runInProcess(["validate", `${name}.yaml`], { cwd });
      expect(code).toBe(2);
      expect(err).toContain('header must name each used column once, got "link" twice');
    }
    writeFileSync(path.join(cwd, "b.csv"), "id,Link,Link \n1,https://a.example/1,x\n");
    const blank = ["init", "b", "--source", "b.csv", "--as", "dynamic-link", "--use"];
    const once = (await runInProcess([...blank, "payload=Link", "--key", "id"], { cwd })).out;
    for (const said of [
      "another column has this name",
      'column "Link": code',
      "rename one of the c",
    ])
      expect(once.split(said)).toHaveLength(2);
    const other = ["--as", "dynamic-link", "--use", "payload=link (2)", "--key", "id"];
    const { out } = await runInProcess(["init", "o", "--source", "d.csv", ...other], { cwd });
    expect(out).not.toContain("rename");
    const { code } = await runInProcess(["validate", "o.yaml"], { cwd });
    expect(code).toBe(0);
  });

  it("says which cells of the columns in use are bad, the first ones", async () => {
    const cwd = makeFolder();
    const rows = Array.from({ length: 9 }, (_, n) => `${n},N${n},https://a.example/${n},ok`);
    rows.splice(
      3,
      0,
      "x,#N/A,=A1,#DIV/0!",
      "y,#N/A",
      "a,N,=A1,ok",
      "b,N,=A1,ok",
      "c,N,=A1,ok",
      "d,N,=A1,ok",
    );
    writeFileSync(path.join(cwd, "b.csv"), `id,name,link,note\n${rows.join("\n")}\n`);
    const init = ["init", "b", "--source", "b.csv", "--yes"];
    const { out } = await runInProcess(init, { cwd });
    const shown = out.slice(out.indexOf("please look at:"), out.indexOf("guessed:"));
    expect(shown.split("\n").map((line) => line.trim().slice(0, 40))).toEqual([
      "please look at:",
      'b.csv line 5, column "link": must have a',
      "b.csv line 6: row must have 4 cells, as ",
      'b.csv line 7, column "link": must have a',
      'b.csv line 8, column "link": must have a',
      'b.csv line 9, column "link": must have a',
      "… and more: makeready columns lists them",
      "",
    ]);
  });

  it("says which cells of the columns in use are not what these must hold", async () => {
    const cwd = makeFolder();
    const rows = Array.from(
      { length: 20 },
      (_, n) => `${n},https://a.example/${n},https://b.example/`,
    );
    rows[2] = "2,htp://a.example/2,b";
    rows[4] = "4,=A1,c";
    rows[5] = "5,https://a example/5,https://b.example/";
    writeFileSync(path.join(cwd, "m.csv"), `id,link,other\n${rows.join("\n")}\n`);
    const source = ["--source", "m.csv"];
    const as = ["--as", "dynamic-link", "--use", "payload=link"];
    for (const [name, ...how] of [
      ["m", "--column", "link", "--yes"],
      ["n", ...as],
    ] as const) {
      const { out } = await runInProcess(["init", name, ...source, ...how], { cwd });
      const shown = out.slice(out.indexOf("please look at:"), out.search(/^(?:guessed|uses):/mu));
      expect(shown.split("\n")).toEqual([
        "please look at:",
        expect.stringMatching(
          /^  m\.csv line 4, column "link": must be .*, got "htp:\/\/a\.example\/2"$/u,
        ),
        expect.stringMatching(/^  m\.csv line 6, column "link": must have /u),
        expect.stringMatching(
          /^  m\.csv line 7, column "link": must be .*, got "https:\/\/a example\/5"$/u,
        ),
        "",
      ]);
    }
    const { out } = await runInProcess(
      ["init", "t", ...source, "--as", "text", "--use", "payload=link"],
      { cwd },
    );
    expect(out).not.toContain("htp:");
    // A look wants days alone; a job takes the time of day, too.
    const days = Array.from({ length: 20 }, (_, n) => `L${n},2026-01-${n + 10}`);
    days[3] = "L3,2026-01-13 10:00";
    days[5] = "L5,soon";
    const gtin = days.map((row) => `4006381333931,${row}`).join("\n");
    writeFileSync(path.join(cwd, "e.csv"), `gtin,lot,expiry date\n${gtin}\n`);
    const products = ["init", "e", "--source", "e.csv", "--kind", "products", "--yes"];
    const { out: dated } = await runInProcess(products, { cwd });
    expect(dated).toContain('e.csv line 7, column "expiry date": must be a date');
    expect(dated).not.toContain("10:00");
  });

  it("says what is odd about the cells of columns in use, not of those that are left out", async () => {
    const cwd = makeFolder();
    writeFileSync(
      path.join(cwd, "n.csv"),
      "Name,Link,Notiz\nA\u200b1,https://a.example/1,x\u200by\nB,https://a.example/2,\n",
    );
    const init = ["init", "n", "--source", "n.csv", "--as", "dynamic-link", "--use"];
    const { out } = await runInProcess([...init, "payload=Link", "--key", "Name"], { cwd });
    expect(out).toContain('no use for column "Notiz"');
    expect(out.match(/, column ".*": cell has invisible/gu)).toEqual([
      ', column "Name": cell has invisible',
    ]);
    writeFileSync(
      path.join(cwd, "r.csv"),
      "Name,https://a.example/0,Text\nA,https://a.example/1,x\nB,https://a.example/2,y\n",
    );
    const said = await runInProcess(["init", "r", "--source", "r.csv", "--yes"], { cwd });
    expect(said.out).toContain(
      'please look at:\n  r.csv line 1, column "https://a.example/0": line 1 looks',
    );
  });

  it("says a few things about the whole file, and where there is more", async () => {
    const cwd = makeFolder();
    const names = Array.from({ length: 7 }, (_, n) => `c${n},c${n}`).join(",");
    writeFileSync(
      path.join(cwd, "w.csv"),
      `id,link,${names}\n1,https://a.example/1${",x".repeat(14)}\n`,
    );
    const { out } = await runInProcess(["init", "w", "--source", "w.csv", "--yes"], { cwd });
    expect(out).not.toContain("please look at");
    const captions = Array.from({ length: 7 }, (_, n) => `c${n}`);
    const many = captions.flatMap((one) => ["--caption", one]);
    const as = ["--as", "dynamic-link", "--use", "payload=link", "--key", "id", ...many];
    const of = await runInProcess(["init", "x", "--source", "w.csv", ...as], { cwd });
    expect(of.out.match(/another column has this name/gu)).toHaveLength(5);
    expect(of.out).toContain("  … and more: makeready columns lists them\n");
  });

  it.each([
    ["x:", "there is no "],
    ["", "such as --source rows.xlsx"],
    ["-", "save what comes through standard input as a file"],
    ["https://a.example/rows.csv", "download the list once"],
    ["rosw.csv", 'did you mean "rows.csv"?'],
  ])("says what is wrong with the source %j", async (source, hint) => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "rows.csv"), "Name,Link\nA,https://a.example/1\n");
    for (const as of [["--yes"], ["--as", "dynamic-link"]]) {
      const { code, err } = await runInProcess(["init", "j", "--source", source, ...as], { cwd });
      expect(code).toBe(2);
      expect(err).toContain(
        `--source must name a spreadsheet or a folder of PDFs on this computer, got ${JSON.stringify(source)}`,
      );
      expect(err).toContain(hint);
    }
    expect(readdirSync(cwd)).toEqual(["rows.csv"]);
  });

  it.each([
    ["codes", "https://a.example/1,A\nhttps://a.example/2,B\n", "https://a.example/1"],
    ["dynamic-link", "A,shop.example/a\nB,shop.example/b\n", "shop.example/a"],
  ])("refuses a list without a header: %s", async (kind, rows, cell) => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "bare.csv"), rows);
    const as = kind === "codes" ? ["--kind", kind, "--yes"] : ["--as", kind];
    const args = ["init", "bare", "--source", "bare.csv", ...as];
    const { code, err } = await runInProcess(args, { cwd });
    expect(code).toBe(2);
    expect(err).toContain(
      `the list must begin with the names of its columns, got a row on line 1: "${cell}"`,
    );
    expect(err).toContain("put a line with a name above each column");
    expect(err).toContain("--header-row 1 (header_row in source of a manifest)");
    expect(readdirSync(cwd)).toEqual(["bare.csv"]);
    const use = kind === "codes" ? [] : ["--use", `payload=${cell}`];
    const said = await runInProcess([...args, ...use, "--header-row", "1"], { cwd });
    expect(said.code).toBe(0);
    expect(readFileSync(path.join(cwd, "bare.yaml"), "utf8")).toContain("  header_row: 1\n");
  });

  it("of GTINs without addresses says last that a placeholder must be replaced", async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "goods.csv"), "GTIN;Artikel\n4006381333931;Pen\n");
    const { code, out } = await runInProcess(["init", "--source", "goods.csv", "--yes"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("next:\n  write your own address into goods.yaml: product.links\n");
    expect(out.trimEnd().split("\n").at(-1)).toBe(
      "not for print yet: product.links in goods.yaml leads to example.com, a placeholder that must be replaced first",
    );
    const plan = await runInProcess(["plan", "goods.yaml"], { cwd });
    expect(plan.out.match(/leads to a placeholder/gu)).toHaveLength(1);
  });

  it("takes the sheet that holds the most or that --worksheet names, and says how to take another", async () => {
    const cwd = makeFolder();
    const goods = [
      ["Artikel-Nr.", "EAN", "Bezeichnung", "Internetseite"],
      ["1001", "4006381333931", "Marker", "https://www.example.de/1001"],
      ["1002", "4006381333932", "Prüfziffer falsch", "https://www.example.de/1002"],
      ["1003", "4006381333955", "Stift", "www.example.de/1003"],
    ];
    const book = makeXlsx({
      sheets: [
        { ...textSheet([["Stand"], ["heute"]]), name: "Info" },
        { ...textSheet(goods), name: "Artikel" },
      ],
    });
    writeFileSync(path.join(cwd, "goods.xlsx"), book);
    const args = ["init", "goods", "--kind", "products", "--source", "goods.xlsx", "--yes"];
    const refused = await runInProcess([...args, "--worksheet", "Info"], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('sheet "Info" must have a column of GTINs, got "Stand"');
    expect(refused.err).toContain('read another sheet with --worksheet: "Artikel"; or name');
    const { code, out } = await runInProcess(args, { cwd });
    expect(code).toBe(0);
    expect(out).toContain('sheet "Artikel" holds the rows; --worksheet takes another: "Info"\n');
    expect(out).toContain('column "EAN" looks like GTINs');
    expect(out).toContain('column "Internetseite" looks like addresses: product.links');
    // A column of article numbers holds no names.
    expect(out).toContain('column "Bezeichnung" looks like names');
    const manifest = read(cwd, "goods.yaml");
    expect(manifest).toContain('  sheet: "Artikel"');
    expect(manifest).toContain("    EAN: { type: gtin, required: true }\n");
  });

  it("asks five questions and writes manifest, sample and schema", async () => {
    const cwd = makeFolder();
    const questions = makePerson(["my-shelves", "(sample)", "codes", "static", "none"]);
    const { code, out } = await runInProcess(["init"], { cwd, questions });
    expect(code).toBe(0);
    expect(questions.asked.map(({ question }) => question)).toEqual([
      "What shall the job be called?",
      "Which spreadsheet holds the rows?",
      "What shall each row become?",
      "May the codes lead elsewhere later?",
      "Which label sheet?",
    ]);
    expect(out).toContain("my-shelves.yaml");
    expect(read(cwd, "my-shelves.yaml")).toContain("dynamic: false");
    expect(read(cwd, "my-shelves.yaml")).not.toContain("sheets:");
    expect(read(cwd, "schema/job.v1.json")).toBe(readFileSync("schema/job.v1.json", "utf8"));
  });

  it("without a terminal takes what is offered; plan and run then work as they are", async () => {
    const cwd = makeFolder();
    expect(await runInProcess(["init"], { cwd })).toMatchObject({ code: 0 });
    expect(readdirSync(cwd).toSorted()).toEqual([
      "schema",
      "shelf-labels.csv",
      "shelf-labels.yaml",
    ]);
    const plan = await runInProcess(["plan", "shelf-labels.yaml", "--json"], { cwd });
    expect(plan.code).toBe(0);
    expect(plan.out).toContain('"creates":12');
  });

  it("reads the spreadsheet: header, address column, key; odd headers become aliases", async () => {
    const cwd = makeFolder();
    const lines = [
      "Liste;;;",
      "Ort, Raum;Tisch;Ziel URL;n",
      ...[1, 2, 3, 4].map((n) => `Ort ${n % 2};${n > 2 ? 1 : 2};https://a.example/${n};x`),
    ];
    writeFileSync(path.join(cwd, "tische.csv"), lines.join("\n"));
    const questions = makePerson([undefined]);
    const made = await runInProcess(["init", "--source", "tische.csv", "--yes"], {
      cwd,
      questions,
    });
    expect(made.code).toBe(0);
    expect(questions.asked).toEqual([]);
    const manifest = read(cwd, "tische.yaml");
    expect(manifest).toContain("header_row: 2");
    expect(manifest).toContain("key: [ort_raum, Tisch]");
    expect(manifest).toContain('ort_raum: { required: true, aliases: ["Ort, Raum"] }');
    expect(manifest).toContain('ziel_url: { type: url, required: true, aliases: ["Ziel URL"] }');
    expect(manifest).toContain('qr_data: "{{ ziel_url }}"');
    expect(manifest).toContain("\n  compact: true  # ");
    const plan = await runInProcess(["plan", "tische.yaml", "--json"], { cwd });
    expect(plan.out).toContain('"creates":4');
  });

  it("asks for the column only where several could be meant", async () => {
    const cwd = makeFolder();
    writeFileSync(
      path.join(cwd, "two.csv"),
      "id,a,b\n1,https://a.example/1,https://b.example/1\n2,https://a.example/2,https://b.example/2\n",
    );
    const questions = makePerson(["job", "two.csv", "codes", "b", "dynamic", "none"]);
    await runInProcess(["init"], { cwd, questions });
    expect(questions.asked[1]).toEqual({
      question: "Which spreadsheet holds the rows?",
      offered: ["two.csv", "(sample)", "(elsewhere)"],
    });
    expect(questions.asked[2]?.offered.slice(0, 2)).toEqual(["codes", "contacts"]);
    expect(questions.asked[3]).toEqual({
      question: "Which column do the codes hold?",
      offered: ["a", "b", "id"],
    });
    expect(read(cwd, "job.yaml")).toContain('qr_data: "{{ b }}"');
  });

  it("says what each column is used for, and which are left out", async () => {
    const cwd = makeFolder();
    writeFileSync(
      path.join(cwd, "tools.csv"),
      "Tool;Link to it;Serial No;Room\nDrill;https://a.example/1;S1;North\nSaw;https://a.example/2;S2;South\n",
    );
    const { out } = await runInProcess(["init", "--source", "tools.csv", "--yes"], { cwd });
    expect(out).toContain(
      'uses:\n  column "Tool": code.display_name, output.sheets.caption, source.key\n  column "Link to it": code.qr_data\n',
    );
    expect(out).toContain('  no use for columns "Serial No", "Room": left out\n');
    expect(read(cwd, "tools.yaml")).toContain(
      '# - no use for columns "Serial No", "Room": left out\n',
    );
    const as = ["init", "b", "--source", "tools.csv", "--as", "text", "--use", "payload=Room"];
    const { out: json } = await runInProcess([...as, "--key", "Tool", "--json"], { cwd });
    expect(JSON.parse(json)).toMatchObject({
      guesses: ['no use for columns "Link to it", "Serial No": left out'],
      used: [{ column: "Tool" }, { column: "Room" }],
    });
  });

  it("takes a file of another folder, relative to the manifest", async () => {
    const cwd = makeFolder();
    const other = makeFolder();
    writeFileSync(
      path.join(other, "rows.csv"),
      "id,url\n1,https://a.example/1\n2,https://a.example/2\n",
    );
    const file = path.relative(cwd, path.join(other, "rows.csv"));
    const questions = makePerson(["job", "(elsewhere)", file, "codes", "static", "none"]);
    const env = { npm_lifecycle_event: "npx" };
    const { out } = await runInProcess(["init"], { cwd, questions, env });
    expect(out).toContain("npx makeready plan job.yaml");
    expect(read(cwd, "job.yaml")).toContain(`file: "${file}"`);
    expect((await runInProcess(["validate", "job.yaml"], { cwd })).code).toBe(0);
  });

  it("makes Text codes of everything that is no address", async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "n.csv"), "name,serial\nA,0007\nB,0008\n");
    await runInProcess(["init", "n", "--source", "n.csv", "--column", "SERIAL"], { cwd });
    expect(read(cwd, "n.yaml")).toContain("type: Text");
    expect(read(cwd, "n.yaml")).toContain("serial: { required: true }");
    const plan = await runInProcess(["plan", "n.yaml", "--json"], { cwd });
    expect(plan.out).toContain('"creates":2');
  });

  it.each([
    [["init", "x", "--source", "missing.csv"], "there is no "],
    [["init", "../x"], "a name must be lower-case letters"],
    [["init", "My Job"], "such as my-job"],
    [["init", "two.csv"], "makeready init --source two.csv"],
    [["init", "--static", "--dynamic"], "one of --static and --dynamic"],
    [["init", "--sheet", "zweckfrom-3651"], 'got "zweckfrom-3651"'],
    [["init", "x", "--source", "two.csv", "--column", "ulr"], 'did you mean "url"?'],
    [["init", "x", "--kind", "product"], 'did you mean "products"?'],
    [["init", "x", "--source", "two.csv", "--key", "url"], "--key must come with --as"],
    [["init", "--as", "text", "--kind", "pages"], "--kind must be left out with --as text"],
    [["init", "x", "--kind", "products", "--source", "two.csv"], 'GTINs, got "id", "url"'],
    [
      ["init", "x", "--kind", "contacts", "--source", "two.csv"],
      "must have a column of last names",
    ],
    [["init", "x", "--kind", "pdfs", "--source", "two.csv"], "must have a column of PDF files"],
  ])("%j is refused, and nothing is written", async (args, message) => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "two.csv"), "id,url\n1,https://a.example/1\n");
    const { code, err } = await runInProcess(args, { cwd });
    expect(code).toBe(2);
    expect(err.replace("--dynamic and --static", "--static and --dynamic")).toContain(message);
    expect(readdirSync(cwd)).toEqual(["two.csv"]);
  });

  it("never overwrites, neither the manifest nor the sample", async () => {
    for (const name of ["shelf-labels.yaml", "shelf-labels.csv", "schema/job.v1.json"]) {
      const cwd = makeFolder();
      await runInProcess(["init", "other"], { cwd });
      writeFileSync(path.join(cwd, name), "mine");
      const { code, err } = await runInProcess(["init"], { cwd });
      expect(code).toBe(2);
      expect(err).toContain(`init must not overwrite files, got ${name}`);
      expect(read(cwd, name)).toBe("mine");
      expect(readdirSync(cwd).filter((file) => file.startsWith("shelf-labels")).length).toBe(
        name.startsWith("schema") ? 0 : 1,
      );
    }
  });

  it("shares the schema with the next job", async () => {
    const cwd = makeFolder();
    await runInProcess(["init", "one"], { cwd });
    const { code, out } = await runInProcess(["init", "two", "--json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      type: "summary",
      job: "two",
      files: ["two.yaml", "two.csv"],
      guesses: [],
      used: [],
    });
  });

  it("ends with 130 and writes nothing when the person gives up", async () => {
    const cwd = makeFolder();
    const questions = makePerson(["name", undefined]);
    const { code, err } = await runInProcess(["init"], { cwd, questions });
    expect(code).toBe(130);
    expect(err).toContain("nothing was written");
    expect(existsSync(path.join(cwd, "name.yaml"))).toBe(false);
  });

  it("as a program never waits for answers that can't come", async () => {
    const cwd = makeFolder();
    const main = path.resolve("dist/cli/main.js");
    // Standard input stays open, as under a scheduler.
    const child = spawn(process.execPath, [main, "init"], { cwd, stdio: ["pipe", "pipe", "pipe"] });
    const code = await new Promise((resolve) => {
      child.once("exit", resolve);
    });
    expect(code).toBe(0);
    expect(existsSync(path.join(cwd, "shelf-labels.yaml"))).toBe(true);
  });
});

const KINDS = Object.keys(initKinds) as InitKindName[];

/** What a manifest of this kind can do in an empty folder. */
const steps: Partial<Record<InitKindName, readonly string[]>> = {
  retarget: ["validate"],
  redesign: ["validate"],
  report: ["validate"],
  export: ["validate"],
};

describe("makeready init --kind", () => {
  it.each(KINDS)("%s: a sample that can be planned and run as it stands", async (kind) => {
    const cwd = makeFolder();
    const made = await runInProcess(["init", "try", "--kind", kind, "--yes", "--json"], { cwd });
    expect(made.code, made.err).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({ guesses: [] });
    for (const step of steps[kind] ?? ["validate", "plan", "run"]) {
      const { code, err, out } = await runInProcess([step, "try.yaml"], { cwd });
      expect(code, `${step}: ${err}${out}`).toBe(0);
      expect(`${out}${err}`).not.toMatch(/warning/u);
    }
  });

  it("jobs over codes that exist find those of the first sample", async () => {
    const cwd = makeFolder();
    await runInProcess(["init", "shelves", "--yes"], { cwd });
    await runInProcess(["run", "shelves.yaml"], { cwd });
    for (const kind of ["retarget", "redesign", "report", "export"]) {
      await runInProcess(["init", kind, "--kind", kind, "--yes"], { cwd });
      const { code, err } = await runInProcess(["run", `${kind}.yaml`, "--yes"], { cwd });
      expect(code, err).toBe(0);
    }
  });

  it.each([
    ["Raum", ["--as", "text", "--use", "payload=Raum"], "buero"],
    ["Raum", [], "buero"],
    ["Name", ["--as", "text", "--use", "payload=Name"], "buro"],
  ])(
    "names the job of Büro.csv with the column %s as its slugs are spelt: %j",
    async (...given) => {
      const [column, more, name] = given;
      const cwd = makeFolder();
      writeFileSync(path.join(cwd, "Büro.csv"), `${column}\nOne\nTwo\n`);
      const args = ["init", "--source", "Büro.csv", "--yes", ...more];
      const { code, err } = await runInProcess(args, { cwd });
      expect([code, existsSync(path.join(cwd, `${name}.yaml`))], err).toEqual([0, true]);
    },
  );

  it("names columns of a German list as slugs spell it, and those of others as before", async () => {
    const cwd = makeFolder();
    writeFileSync(
      path.join(cwd, "de.csv"),
      "Raum,Über uns,Link\nA,Text,https://a.example/1\nB,Rest,https://a.example/2\n",
    );
    writeFileSync(
      path.join(cwd, "en.csv"),
      "Über Uns,Link\nText,https://a.example/1\nRest,https://a.example/2\n",
    );
    for (const [name, column] of [
      ["de", "ueber_uns"],
      ["en", "uber_uns"],
    ]) {
      const words = ["init", name ?? "", "--source", `${name}.csv`, "--kind", "pages", "--yes"];
      const { code, err } = await runInProcess(words, { cwd });
      expect(code, err).toBe(0);
      expect(readFileSync(path.join(cwd, `${name}.yaml`), "utf8")).toContain(`    ${column}: {`);
    }
  });

  it.each([
    [
      "products",
      "Artikel;EAN;Charge;MHD;Seite\nHafer;9506000134352;L1;2027-01-15;https://a.example/1\nSchoko;9506000134369;L2;2027-02-15;https://a.example/2\n",
      [
        'column "EAN" looks like GTINs: a job of products',
        '"Artikel" sounds German: slugs write ä as ae (source.language: de)',
        'column "EAN" looks like GTINs: typed gtin, filled up to 14 digits',
        'column "Charge" looks like lots: product.batch_lot',
        'column "MHD" looks like expiry dates: product.expiry_date',
        'column "Artikel" looks like names: title of the links',
        'column "Seite" looks like addresses: product.links',
        'columns "EAN" and "Charge" tell the rows apart: source.key',
      ],
      ["EAN: { type: gtin, required: true }", "MHD: { type: date }", "language: de"],
    ],
    [
      "products",
      "gtin,batch,serial,url\n4012345000016,B1,0001,https://a.example/1\n4012345000016,B1,0002,https://a.example/2\n4012345000016,B2,0001,https://a.example/3\n",
      [
        'column "gtin" looks like GTINs: a job of products',
        'column "gtin" looks like GTINs: typed gtin, filled up to 14 digits',
        'column "batch" looks like lots: product.batch_lot',
        'column "serial" looks like serial numbers: product.serial_number',
        'column "url" looks like addresses: product.links',
        'columns "gtin" and "batch" and "serial" tell the rows apart: source.key',
      ],
      ["gtin: { type: gtin, required: true }", "serial: {}", "key: [gtin, batch, serial]"],
    ],
    [
      "codes",
      "Name,Title,Email,Phone\nAna Pérez,Clerk,a@example.com,+34 1\nBo Li,Clerk,b@example.com,+34 2\n",
      [
        "the columns look like names, e-mail addresses and phone numbers: a job of contacts",
        'column "Name" looks like names: code.vcard.first_name',
        'column "Title" looks like positions: code.vcard.position',
        'column "Email" looks like e-mail addresses: code.vcard.email',
        'column "Phone" looks like phone numbers: code.vcard.phone_number',
        'column "Email" tells the rows apart: source.key',
      ],
      ["type: vCard  # static: the contact is in the code; can't be changed", "key: [Email]"],
    ],
    [
      "codes",
      "Titel,Vorname,Nachname,Position,E-Mail\nDr.,Ana,Pérez,Leiterin,a@example.com\n,Bo,Weiß,Koch,b@example.com\n",
      [
        'column "Vorname" looks like first names: a job of contacts',
        '"Vorname", "Nachname" sound German: slugs write ä as ae (source.language: de)',
        'column "Vorname" looks like first names: code.vcard.first_name',
        'column "Nachname" looks like last names: code.vcard.last_name',
        'column "Position" looks like positions: code.vcard.position',
        'column "E-Mail" looks like e-mail addresses: code.vcard.email',
        'column "E-Mail" tells the rows apart: source.key',
        'no use for column "Titel": left out',
      ],
      ['position: "{{ Position }}"'],
    ],
    [
      "forms",
      "room,question 1,question 2\n1,How?,Why?\n2,How?,\n",
      [
        'column "question 1" looks like questions: a job of forms',
        'no column looks like names: form.title takes "room"',
        'column "question 1" looks like questions: form.fields',
        'column "question 2" looks like questions: form.fields',
        'column "room" tells the rows apart: source.key',
      ],
      ['label: "{{ question_2 }}"'],
    ],
    [
      "retarget",
      "Kurzlink,alte Adresse,neue Adresse\nA,https://a.example/1,https://b.example/1\nB,,b.example/2\n",
      [
        'column "neue Adresse" looks like new addresses: a job of retarget',
        'column "Kurzlink" looks like codes, by id, short link or name: match.value',
        'column "neue Adresse" looks like new addresses: set.qr_data',
        'column "alte Adresse" looks like addresses of today: expect',
      ],
      ['expect: "{{ alte_adresse }}"'],
    ],
  ])("%s: says what it guessed, there and in the manifest", async (kind, csv, guesses, lines) => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "rows.csv"), csv);
    const made = await runInProcess(["init", "job", "--source", "rows.csv", "--json"], { cwd });
    expect(made.code, made.err).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({ guesses });
    const manifest = read(cwd, "job.yaml");
    expect(manifest).toContain(`kind: ${kind}`);
    for (const line of [...lines, ...guesses.map((guess) => `# - ${guess}`)]) {
      expect(manifest).toContain(line);
    }
    const { code, err } = await runInProcess(["validate", "job.yaml"], { cwd });
    expect(code, err).toBe(0);
  });

  it("says when no column names the codes that are to lead elsewhere", async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, "rows.csv"), "old;new\nhttps://a.example/1;https://b.example/1\n");
    const args = ["init", "move", "--kind", "retarget", "--source", "rows.csv", "--yes"];
    expect((await runInProcess(args, { cwd })).out).toContain(
      "no column says which codes are meant",
    );
    expect(read(cwd, "move.yaml")).toContain("# - no column says which codes are meant");
  });

  it("shows guesses to people; a folder of PDFs is one", async () => {
    const cwd = makeFolder();
    await runInProcess(["init", "pdf", "--kind", "pdfs"], { cwd });
    const made = await runInProcess(["init", "again", "--source", "pdf"], { cwd });
    expect(made.out).toContain("guessed:\n  pdf is a folder: a job of pdfs\n");
    expect(read(cwd, "again.yaml")).toContain('source: { folder: "pdf" }');
  });

  it("types GTINs as such, though the spreadsheet has numbers and a few that are wrong", async () => {
    const cwd = makeFolder();
    const rows = ["9506000134352", "9506000134369", "9506000134377", "9506000134386", "12"];
    writeFileSync(
      path.join(cwd, "g.csv"),
      `GTIN,name,url\n${rows.map((gtin, n) => `${gtin},x${n},https://a.example/${n}`).join("\n")}\n`,
    );
    await runInProcess(["init", "g", "--source", "g.csv"], { cwd });
    expect(read(cwd, "g.yaml")).toContain("GTIN: { type: gtin, required: true }");
    const plan = await runInProcess(["plan", "g.yaml", "--json"], { cwd });
    expect(JSON.parse(plan.out)).toMatchObject({ good: 2, bad: 3 });
  });

  it("takes the links behind texts, and says so", async () => {
    const cwd = makeFolder();
    const links = [2, 3, 4].map((line) => ({
      ref: `B${line}`,
      id: `r${line}`,
      target: `https://a.example/menu?table=${line}`,
    }));
    const refs = links.map(({ ref, id }) => `<hyperlink ref="${ref}" r:id="${id}"/>`).join("");
    const sheet = textSheet([
      ["table", "menu"],
      ["T1", "Menu"],
      ["T2", "Menu"],
      ["T3", "Menu"],
    ]);
    const book = makeXlsx({
      sheets: [
        {
          ...sheet,
          after: `<hyperlinks>${refs}</hyperlinks>`,
          links: Object.fromEntries(links.map(({ id, target }) => [id, target])),
        },
      ],
    });
    writeFileSync(path.join(cwd, "t.xlsx"), book);
    const { out } = await runInProcess(["init", "t", "--source", "t.xlsx", "--yes"], { cwd });
    expect(out).toContain(
      'column "menu" shows texts that differ from its links: the links are taken\n',
    );
    expect(read(cwd, "t.yaml")).toContain("  type: Link\n");
    expect(read(cwd, "t.yaml")).toContain("menu: { type: url, required: true }");
    const { out: shown } = await runInProcess(["columns", "t.xlsx"], { cwd });
    expect(shown).toContain("URL (link)");
    expect(shown).toContain("https://a.example/menu?table=2");
  });
});
