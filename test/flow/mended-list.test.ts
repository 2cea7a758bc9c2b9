/** A list of failed rows that a person has mended takes the place of its rows (docs/spec/jobs.md section 2). */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { runInProcess } from "./in-process.ts";
import { makeXlsx, row } from "../read/make-xlsx.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

const GOOD = "shelf,room,url\nA-01,North,https://a.example/1\n";
const BAD = "A-02,North,htp://a.example/2\nA-03,South,www\n";

/** A job of the README in a folder of its own, run once: one good row, two bad ones. */
let made: Promise<string> | undefined;

/** Made once: each test has a copy of its own. */
async function makeShelves(): Promise<string> {
  const [, manifest = ""] = /```yaml file=shelves\.yaml\n([^]*?)```/u.exec(readme) ?? [];
  const cwd = mkdtempSync(path.join(os.tmpdir(), "makeready-mend-"));
  mkdirSync(path.join(cwd, "jobs"));
  writeFileSync(path.join(cwd, "jobs/shelves.yaml"), manifest);
  writeFileSync(path.join(cwd, "jobs/shelves.csv"), GOOD + BAD);
  expect((await runInProcess(["run", "jobs/shelves.yaml"], { cwd })).code).toBe(3);
  return cwd;
}

async function runShelves() {
  made ??= makeShelves();
  const cwd = mkdtempSync(path.join(os.tmpdir(), "makeready-mend-"));
  cpSync(await made, cwd, { recursive: true, preserveTimestamps: true });
  const job = "jobs/shelves.yaml";
  const file = (name: string): string => path.join(cwd, "jobs", name);
  const call = (...words: string[]) => runInProcess(words, { cwd });
  const list = file("out/shelf-labels/failed-rows.csv");
  const read = (name: string): string => readFileSync(file(name), "utf8");
  /** Writes the list with other texts, and mends by it. */
  const mend = (change: (text: string) => string, more: readonly string[] = []) => {
    writeFileSync(list, change(readFileSync(list, "utf8")));
    return call("mend", job, "jobs/out/shelf-labels/failed-rows.csv", ...more);
  };
  const countCodes = async (): Promise<number> => {
    const told = await call("status", job, "--json");
    return (JSON.parse(told.out) as { rows: { done: number } }).rows.done;
  };
  return { cwd, job, file, read, call, mend, countCodes };
}

it("as the README says: no code is made twice, wherever the row is mended next", async () => {
  const shelves = await runShelves();
  const [, words = ""] = /`makeready (mend [^`]+)`/u.exec(readme) ?? [];
  const none = await shelves.call(...words.split(" "));
  expect([none.code, none.out]).toEqual([3, expect.stringContaining("no row is mended")]);
  expect(none.out).toContain("as it failed, not changed in the list: lines 3, 4\n");
  const mended = await shelves.mend((text) => text.replace(",htp://", ",https://"));
  expect([mended.code, mended.err]).toEqual([3, ""]);
  expect(mended.out).toContain(
    `1 row mended, kept in jobs/shelves.mended.csv; the spreadsheet stays as it is\n  line 3, column "url": "htp://a.example/2" is now "https://a.example/2"\n`,
  );
  expect(shelves.read("shelves.yaml")).toContain("mended: shelves.mended.csv");
  expect(shelves.read("shelves.csv")).toBe(GOOD + BAD);
  const again = await shelves.mend((text) => text.replace("a.example/2", "a.example/two"));
  expect(again.out).toContain('"https://a.example/2" is now "https://a.example/two"');
  const second = await shelves.call("run", shelves.job);
  expect([second.code, await shelves.countCodes()]).toEqual([3, 2]);
  const kept = "out/shelf-labels/failed-rows.edited.csv";
  expect(second.err).toContain(`to use it: makeready mend ${shelves.job} `);
  const other = await shelves.call("mend", shelves.job, `jobs/${kept}`);
  expect(other.out).toContain("not used: line 3: the last run did not list the row");
  // Mended in the spreadsheet as well, and to another address: it is still the same code.
  writeFileSync(
    shelves.file("shelves.csv"),
    `${GOOD}A-02,North,https://b.example/2\nA-03,South,https://a.example/3\n`,
  );
  const third = await shelves.call("run", shelves.job);
  expect([third.code, await shelves.countCodes()]).toEqual([0, 3]);
  expect(third.out).toContain("1 mended row is not used, since the spreadsheet has changed there");
  const late = await shelves.call("mend", shelves.job, `jobs/${kept}`);
  expect([late.code, late.err]).toEqual([
    2,
    expect.stringContaining("must have failed in the last run"),
  ]);
});

it("is read as any program has saved it, and what the program lost is not taken for a change", async () => {
  const shelves = await runShelves();
  writeFileSync(shelves.file("shelves.csv"), `${GOOD}007,"Łódź\r\nhall",htp://a.example/2\n`);
  writeFileSync(
    shelves.file("shelves.json"),
    JSON.stringify({
      version: 1,
      name: "shelf-json",
      kind: "codes",
      source: {
        file: "shelves.csv",
        key: ["shelf"],
        header_row: 1,
        encoding: "utf-8",
        skip_hidden_rows: true,
        columns: { shelf: {}, url: { type: "url" } },
      },
      code: { dynamic: true, qr_data: "{{ url }}" },
      output: { dir: "out/json", files: [] },
    }),
  );
  const job = "jobs/shelves.json";
  expect((await shelves.call("run", job)).code).toBe(3);
  const list = "jobs/out/json/failed-rows.csv";
  const [, reason = ""] = /,3,(".*")\s*$/u.exec(shelves.read("out/json/failed-rows.csv")) ?? [];
  const saved = `shelf;room;url;line;reason\r\n7;"?\xf3d?\nhall";https://a.example/2;3;${reason}\r\n`;
  writeFileSync(path.join(shelves.cwd, list), Buffer.from(saved, "latin1"));
  const mended = await shelves.call("mend", job, list);
  expect([mended.code, mended.err]).toEqual([0, ""]);
  expect(mended.out).toContain('column "url": "htp://a.example/2" is now "https://a.example/2"\n');
  expect(mended.out).not.toContain('column "shelf": "007" is now');
  expect(mended.out).toContain(
    'lost zeros, digits or letters or wrote a day in its own way: line 3, column "shelf": "007"; line 3, column "room": ',
  );
  expect(JSON.parse(shelves.read("shelves.json"))).toMatchObject({
    source: { mended: "shelves.mended.csv" },
  });
  expect(shelves.read("shelves.mended.csv")).toContain('007,"Łódź');
});

it("tells what somebody has mended from what a spreadsheet program made of the other cells", async () => {
  const shelves = await runShelves();
  const cells = "+49301234567,4006381333931,2026-01-02,Łódź";
  writeFileSync(
    shelves.file("shelves.csv"),
    `shelf,room,url,phone,ean,day,town\nA-01,North,https://a.example/1,,,,\nA-02,North,htp://Łódź,${cells}\nA-03,South,www,${cells}\n`,
  );
  await shelves.call("run", shelves.job);
  const list = shelves.read("out/shelf-labels/failed-rows.csv");
  expect(list).toContain(",'+49301234567,");
  const saved = list
    .replaceAll("4006381333931", "4.00638E+12")
    .replaceAll("2026-01-02", "02.01.2026")
    .replaceAll("Ł", "?")
    .replaceAll("ź", "?")
    .replace("htp://?ód?,'", "https://a.example/2,'");
  const mended = await shelves.mend(() => saved);
  expect(mended.out).toContain("1 row mended");
  expect(mended.out).toContain("as it failed, not changed in the list: line 4\n");
  expect(mended.out.match(/is now/gu)).toHaveLength(1);
  expect(shelves.read("shelves.mended.csv")).toContain(
    "A-02,North,https://a.example/2,'+49301234567,4006381333931,2026-01-02,Łódź",
  );
});

it("leaves no file behind where the manifest can't name it", async () => {
  const shelves = await runShelves();
  const manifest = shelves.read("shelves.yaml");
  writeFileSync(shelves.file("shelves.yaml"), manifest.replace("source:", "source: &of"));
  const refused = await shelves.mend((text) => text.replace(",htp://", ",https://"));
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("source.mended")]);
  expect(existsSync(shelves.file("shelves.mended.csv"))).toBe(false);
});

it("what a killed program has left behind goes with the next mend, and nothing of anybody else", async () => {
  const shelves = await runShelves();
  const manifest = shelves.read("shelves.yaml");
  await shelves.mend((text) => text.replace(",htp://", ",https://"));
  const file = shelves.file("shelves.mended.csv");
  const kill = (text: string): void => {
    // The manifest does not name the file yet, and beside the state stands the note of it.
    writeFileSync(shelves.file("shelves.yaml"), manifest);
    writeFileSync(file, text);
    const name = `.mending-${sha256(shelves.file("shelves.yaml")).slice(0, 16)}.json`;
    const note = { file, sha256: sha256(shelves.read("shelves.mended.csv")) };
    const folder = shelves.file("out/shelf-labels");
    expect(readdirSync(folder)).not.toContain(name);
    writeFileSync(path.join(folder, name), JSON.stringify(note));
  };
  const listed = (): string[] =>
    readdirSync(shelves.file("")).filter((name) => name.startsWith("shelves.mended"));
  kill(shelves.read("shelves.mended.csv"));
  writeFileSync(`${file}.99-1.part`, "line,w");
  writeFileSync(`${file}.mine.part`, "mine");
  const again = await shelves.mend((text) => text.replace("a.example/2", "a.example/two"));
  expect([again.err, listed()]).toEqual([
    "",
    ["shelves.mended.csv", "shelves.mended.csv.mine.part"],
  ]);
  expect(shelves.read("shelves.yaml")).toContain("mended: shelves.mended.csv");
  kill(shelves.read("shelves.mended.csv"));
  writeFileSync(file, "changed by hand");
  const third = await shelves.mend((text) => text);
  expect(third.err).toBe("");
  expect(shelves.read("shelves.mended.csv")).toBe("changed by hand");
  expect(shelves.read("shelves.yaml")).toContain("mended: shelves.mended-2.csv");
});

it("needs no data folder, and makes none", async () => {
  const shelves = await runShelves();
  const mended = await shelves.mend(
    (text) => text.replace(",htp://", ",https://"),
    ["--data", shelves.file("none")],
  );
  expect(mended.err).toBe("");
  expect(shelves.read("shelves.yaml")).toContain("mended: shelves.mended.csv");
  expect(existsSync(shelves.file("none"))).toBe(false);
  expect(existsSync(path.join(shelves.cwd, ".makeready/mending"))).toBe(false);
});

it("is not taken for rows that are others by now, and must name its lines", async () => {
  const shelves = await runShelves();
  writeFileSync(shelves.file("shelves.csv"), `${GOOD}A-09,East,ftp\n${BAD}`);
  await shelves.call("run", shelves.job);
  const list = shelves.read("out/shelf-labels/failed-rows.csv");
  const shifted = await shelves.mend((text) =>
    text.replaceAll(/,(\d),"/gu, (_all, line: string) => `,${Number(line) - 1},"`),
  );
  expect(shifted.out).toMatch(/no row is mended[^]+not used: lines 2, 3, 4: /u);
  writeFileSync(shelves.file("b.csv"), shelves.read("shelves.csv"));
  const other = [
    "mend",
    shelves.job,
    "jobs/out/shelf-labels/failed-rows.csv",
    "--set",
    "source.file=b.csv",
  ];
  expect(await shelves.call(...other)).toMatchObject({
    code: 2,
    err: expect.stringContaining("by --set source.file"),
  });
  expect((await shelves.mend(() => list.replace(",line,", ",row,"))).err).toContain(
    'a list of failed rows must have the column "line"',
  );
  expect((await shelves.mend(() => list.replace(/,5,"/u, ',4,"'))).err).toContain(
    'column "line" must name each line once, got "4"',
  );
  expect(existsSync(shelves.file("shelves.mended.csv"))).toBe(false);
});

it("a row that stands elsewhere since goes on: its label stays, and no code is made twice", async () => {
  const shelves = await runShelves();
  await shelves.mend((text) => text.replace(",htp://", ",https://"));
  const labelled = await shelves.call("run", shelves.job);
  expect([labelled.code, await shelves.countCodes()]).toEqual([3, 2]);
  const idOf = (shelf: string): string | undefined =>
    shelves
      .read("out/shelf-labels/index.csv")
      .split("\n")
      .find((line) => line.includes(shelf))
      ?.split(",")
      .find((cell) => /^[0-9a-f-]{8,}$/u.test(cell));
  const made = idOf("A-02");
  expect(made).toBeDefined();
  // Sorted from the last to the first, with a new one above.
  const [head = "", good = ""] = GOOD.split("\n");
  const sorted = `${BAD.trim().split("\n").toReversed().join("\n")}\n${good}\n`;
  writeFileSync(shelves.file("shelves.csv"), `${head}\nA-00,North,https://a.example/0\n${sorted}`);
  // The list of the run before names lines 3 and 4.
  const list = shelves.read("out/shelf-labels/failed-rows.csv");
  expect(list).toContain(",www,4,");
  const late = await shelves.mend((text) => text.replace(",www,", ",https://a.example/3,"));
  expect([late.code, late.err]).toEqual([0, ""]);
  expect(late.out).toContain(
    'line 4, column "url": "www" is now "https://a.example/3"\n  stands in another line of the spreadsheet now: 4 → 3\n',
  );
  const run = await shelves.call("run", shelves.job);
  expect([run.code, await shelves.countCodes()]).toEqual([0, 4]);
  expect(run.out).toContain("2 rows are taken from shelves.mended.csv");
  expect(run.out).not.toContain("not used");
  expect(idOf("A-02")).toBe(made);
});

const says = (name: string): string =>
  `failed-rows.csv has been changed since a run wrote it: it is kept as ${name}`;

it("a list that somebody has changed is kept when a run writes it anew, or needs it no more", async () => {
  const job = makeJobFolder(makeRows(1));
  const list = path.join(job.out, "failed-rows.csv");
  const readKept = (name: string): string => readFileSync(path.join(job.out, name), "utf8");
  const run = () => runInProcess(["run", job.manifest]);
  await run();
  const written = readFileSync(list, "utf8");
  const again = await run();
  expect(again.err).not.toContain("has been changed");
  writeFileSync(list, "mine");
  const second = await run();
  expect([second.code, second.err]).toEqual([
    3,
    expect.stringContaining(says("failed-rows.edited.csv")),
  ]);
  expect(second.err).toContain(`to use it: makeready mend `);
  expect([readKept("failed-rows.edited.csv"), readFileSync(list, "utf8")]).toEqual([
    "mine",
    written,
  ]);
  expect((await run()).err).not.toContain("has been changed");
  writeFileSync(list, "mine again");
  writeFileSync(job.csv, "site,table,region,Link\nA,1,N,https://a.example/1\n");
  const third = await run();
  expect([third.code, third.err]).toEqual([
    0,
    expect.stringContaining(says("failed-rows.edited-2.csv")),
  ]);
  expect(readKept("failed-rows.edited-2.csv")).toBe("mine again");
  expect(existsSync(list)).toBe(false);
});

it("reasons may be changed, two copies of the list don't undo each other, and columns keep their names", async () => {
  const shelves = await runShelves();
  const list = shelves.read("out/shelf-labels/failed-rows.csv");
  const by = (text: string) => shelves.mend(() => text);
  const withoutReason = list.replace(/,"column [^\n]*(?=\n)/u, ",ok now");
  expect(withoutReason).not.toBe(list);
  const first = await by(withoutReason.replace(",htp://", ",https://"));
  expect(first.out).toContain('line 3, column "url": "htp://a.example/2" is now');
  const second = await by(list.replace(",www,", ",https://a.example/3,"));
  expect(second.out).toContain("1 row mended");
  expect(second.out).not.toContain('is now "htp:');
  expect(shelves.read("shelves.mended.csv")).toMatch(
    /https:\/\/a\.example\/2\r?\n.*https:\/\/a\.example\/3/u,
  );
  const renamed = await by(list.replace("url", "Link"));
  expect(renamed.err).toMatch(/"url"/u);
  expect(renamed.err).not.toContain("shelves.yaml:");
  const other = await by(list.replace("room", "Zimmer"));
  expect(other.err).toMatch(/(?:has "Zimmer" and no "room"|lacks "room")/u);
});

it("a fault that nobody has mended stays, also beside one that was mended", async () => {
  const shelves = await runShelves();
  writeFileSync(shelves.file("shelves.csv"), `${GOOD}A-04,=1+1,htp://a.example/4\n`);
  expect((await shelves.call("run", shelves.job)).code).toBe(3);
  await shelves.mend((text) => text.replace(",htp://", ",https://"));
  const plan = await shelves.call("plan", shelves.job);
  expect(plan.out).toMatch(/bad row .*line 3, column "room": must have a result/u);
  expect(plan.out).not.toContain('line 3, column "url"');
});

it("one ' in front marks a text: as the list guards its own cells, and as people write numbers", async () => {
  const shelves = await runShelves();
  const rows = ["=1+1", "'s Hall", "x", "'007"].map(
    (room, at) => `A-1${at},${room},htp://a.example/${at}\n`,
  );
  writeFileSync(shelves.file("shelves.csv"), GOOD + rows.join(""));
  expect((await shelves.call("run", shelves.job)).code).toBe(3);
  expect(shelves.read("out/shelf-labels/failed-rows.csv")).toContain("A-10,'=1+1,");
  const mended = await shelves.mend((text) =>
    text
      .replaceAll(",htp://", ",https://")
      // As the reason says: one more.
      .replace("A-10,'=1+1,", "A-10,''=1+1,")
      .replace("A-12,x,", "A-12,'002,"),
  );
  expect(mended.out).toContain(`column "room": "=1+1" is now "'=1+1"\n`);
  expect(mended.out).toContain('column "room": "x" is now "002"\n');
  expect(mended.out.match(/"room"/gu)).toHaveLength(2);
  const run = await shelves.call("run", shelves.job);
  expect([run.code, await shelves.countCodes()]).toEqual([0, 5]);
  const index = shelves.read("out/shelf-labels/index.csv");
  for (const room of ["=1+1", "'s Hall", "002", "'007"]) expect(index).toContain(room);
  expect(index).not.toContain("'002");
});

it("takes the others where a row of the list has no line, and no row where cells are merged", async () => {
  const shelves = await runShelves();
  const list = shelves.read("out/shelf-labels/failed-rows.csv");
  const [head = "", first = "", second = ""] = list.split("\r\n");
  const texts = [head.replace("\ufeff", ""), ...[first, second].map((line) => line.split(',"')[0])];
  const table = texts.map((line = "") => line.split(",").slice(0, 4));
  const book = makeXlsx({
    sheets: [
      {
        rows: table.map((cells, at) => row(at + 1, cells)).join(""),
        after: '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>',
      },
    ],
  });
  writeFileSync(shelves.file("merged.xlsx"), book);
  const merged = await shelves.call("mend", shelves.job, "jobs/merged.xlsx");
  expect([merged.code, merged.err]).toEqual([2, expect.stringContaining("B2:B3")]);
  expect(merged.err).toContain("a list of failed rows must have no merged cells");
  expect(existsSync(shelves.file("shelves.mended.csv"))).toBe(false);
  const mended = await shelves.mend((text) =>
    text.replace(",htp://", ",https://").replace(",www,4,", ",https://a.example/3,,"),
  );
  expect([mended.code, mended.err]).toEqual([3, ""]);
  expect(mended.out).toContain("1 row mended");
  expect(mended.out).toContain(
    "not used: row 3 of the list, whose cell in the column of lines is empty",
  );
});

it("is not read as the spreadsheet: a run would write it anew, or take it away", async () => {
  const shelves = await runShelves();
  const list = "out/shelf-labels/failed-rows.csv";
  const before = shelves.read(list);
  for (const command of ["plan", "run"]) {
    const { code, err } = await shelves.call(command, shelves.job, "--set", `source.file=${list}`);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("source.file must be a file of your own, got failed-rows.csv"),
    ]);
  }
  expect(shelves.read(list)).toBe(before);
  // No run writes these: what does, refuses.
  for (const [name, ...command] of [
    ["units.csv", "reconcile", shelves.job],
    ["spoiled.csv", "scan", shelves.job, "a.png"],
  ] as const) {
    const own = `out/shelf-labels/${name}`;
    cpSync(shelves.file("shelves.csv"), shelves.file(own));
    const { err } = await shelves.call("plan", shelves.job, "--set", `source.file=${own}`);
    expect(err).not.toContain("source.file");
    const text = shelves.read("shelves.yaml");
    writeFileSync(shelves.file("shelves.yaml"), text.replace("shelves.csv", own));
    expect((await shelves.call(...command)).err).toContain(`a file of your own, got ${name}`);
    writeFileSync(shelves.file("shelves.yaml"), text);
  }
});
