/** Pictures whose names or formats the manifest no longer gives. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { stateFile } from "../../src/state/state.ts";
import { parseIndex } from "./check-output.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: named
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { type: Text, dynamic: false, qr_data: "{{ text }}", display_name: "{{ id }}" }
output: { dir: ../out, files: [svg], file_name: "old/{{ id }}", index: [] }
`;

/** Equal texts make equal files. */
const ROWS = "id,other,text\na,b,same\nb,a,same\nc,d,third\n";

const run = (files: JobFolder, ...set: string[]): Promise<InProcess> =>
  runInProcess(["run", files.manifest, ...set.flatMap((pair) => ["--set", pair])]);

const listArtwork = (files: JobFolder): string[] =>
  readdirSync(path.join(files.out, "artwork"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("."))
    .toSorted();

async function runNew(name: "artwork" | "spot"): Promise<JobFolder> {
  const files = name === "spot" ? makeJobFolder(HEAD + ONE, SPOTS) : makeJobFolder(ROWS, MANIFEST);
  expect((await run(files)).code).toBe(0);
  if (name === "artwork")
    expect(listArtwork(files)).toEqual(["old/a.svg", "old/b.svg", "old/c.svg"]);
  return files;
}
const made = madeOnce(runNew);

describe("artwork under old names", () => {
  it("goes with its folder when the new is there; what others wrote or changed stays", async () => {
    const files = await made("artwork");
    const moved = await run(files, "output.file_name=new/{{ id }}");
    expect(moved.out).toContain("SVG of 3 codes; 3 old files removed");
    expect(listArtwork(files)).toEqual(["new/a.svg", "new/b.svg", "new/c.svg"]);
    expect(existsSync(path.join(files.out, "artwork", "old"))).toBe(false);
    writeFileSync(path.join(files.out, "artwork/new/mine.svg"), "<svg/>");
    writeFileSync(path.join(files.out, "artwork/new/c.svg"), "<svg>edited</svg>");
    const again = await run(files, "output.file_name={{ id }}");
    expect(again.out).toContain("2 old files removed");
    expect(listArtwork(files)).toEqual(["a.svg", "b.svg", "c.svg", "new/c.svg", "new/mine.svg"]);
  });

  it("that another row has now stays, though the bytes are equal", async () => {
    const files = await made("artwork");
    const swapped = await run(files, "output.file_name=old/{{ other }}");
    expect(swapped.out).toContain("1 old file removed");
    expect(listArtwork(files)).toEqual(["old/a.svg", "old/b.svg", "old/d.svg"]);
  });

  it("goes when its format is no longer wanted, and the other one is fetched", async () => {
    const files = await made("artwork");
    expect((await run(files, "output.files=[png]")).out).toContain("3 old files removed");
    expect(listArtwork(files)).toEqual(["old/a.png", "old/b.png", "old/c.png"]);
    expect((await run(files, "output.files=[svg, png]")).out).not.toContain("removed");
    expect(listArtwork(files)).toHaveLength(6);
  });

  it("stays while a new file is missing, and that of gone rows for good", async () => {
    const files = await made("artwork");
    // In the way of a new file.
    mkdirSync(path.join(files.out, "artwork/new/b.svg"), { recursive: true });
    const half = await run(files, "output.file_name=new/{{ id }}");
    expect(half.out).not.toContain("removed");
    expect(existsSync(path.join(files.out, "artwork/old/a.svg"))).toBe(true);
    rmSync(path.join(files.out, "artwork/new/b.svg"), { recursive: true });
    writeFileSync(files.csv, "id,other,text\na,b,same\nb,a,same\n");
    const whole = await run(files, "output.file_name=new/{{ id }}");
    expect(whole.out).toContain("old files removed");
    const kept = ["new/a.svg", "new/b.svg", "new/c.svg"];
    expect(listArtwork(files)).toEqual(kept);
  });
});

const SPOTS = `version: 1
name: spots
kind: codes
source: { file: ../rows.csv, key: [spot] }
code: { type: Text, dynamic: false, qr_data: "{{ link }}", display_name: "{{ spot }}" }
output: { dir: ../out, files: [svg], file_name: "{{ spot | slug }}", index: [csv] }
`;
const HEAD = "spot,link\n";
const ONE = "S-01,one\n";
const TWO = "S 01,two\n";

const write = (files: JobFolder, ...rows: readonly string[]): void =>
  writeFileSync(files.csv, HEAD + rows.join(""));

/** Row -> its file, of a list in the output folder. */
const readFiles = ({ out }: JobFolder, list = "index.csv") =>
  Object.fromEntries(
    parseIndex(readFileSync(path.join(out, list), "utf8")).map(({ key, files }) => [key, files]),
  );

const readPicture = ({ out }: JobFolder, name: string): string =>
  readFileSync(path.join(out, "artwork", name), "utf8");

/** As an older makeready left it. */
function changeState({ out }: JobFolder, ...sql: readonly string[]): void {
  const db = openSqlite(stateFile(out));
  for (const one of sql) db.run(one);
  db.close();
}

describe("the name of a file that is made", () => {
  it("stays with its row; a row above it gets the next number, and the plan names it", async () => {
    const files = await made("spot");
    const before = readPicture(files, "s-01.svg");
    write(files, TWO, ONE);
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).toContain("numbered: line 2: s-01 -> s-01-2");
    expect(plan.out).not.toContain("line 3: s-01");
    expect((await run(files)).code).toBe(0);
    const names = { "S-01": "artwork/s-01.svg", "S 01": "artwork/s-01-2.svg" };
    expect(readFiles(files)).toEqual(names);
    expect(readPicture(files, "s-01.svg")).toBe(before);
    write(files, "s-01,three\n", ONE, TWO);
    expect((await run(files)).code).toBe(0);
    expect(readFiles(files)).toEqual({ ...names, "s-01": "artwork/s-01-3.svg" });
    write(files, TWO);
    expect((await run(files)).code).toBe(0);
    expect(readFiles(files)).toEqual({ "S 01": "artwork/s-01-2.svg" });
  });

  it("stays with a row that has vanished or is bad", async () => {
    const files = await made("spot");
    const before = readPicture(files, "s-01.svg");
    write(files, "s-01,one\n");
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).toContain("line 2: s-01 -> s-01-2");
    expect((await run(files)).code).toBe(0);
    expect(readFiles(files, "vanished-rows.csv")).toEqual({ "S-01": "artwork/s-01.svg" });
    expect(readFiles(files)).toEqual({ "s-01": "artwork/s-01-2.svg" });
    expect(readPicture(files, "s-01.svg")).toBe(before);
    write(files, "s-01,\n", TWO, ONE);
    await run(files);
    expect(readFiles(files)).toEqual({
      "S-01": "artwork/s-01.svg",
      "S 01": "artwork/s-01-3.svg",
    });
  });

  it("stays as an older makeready gave it, whatever rows stand above", async () => {
    const files = await made("spot");
    write(files, ONE, TWO);
    await run(files);
    const names = { "S-01": "artwork/s-01.svg", "S 01": "artwork/s-01-2.svg" };
    const older = ["UPDATE rows SET placing = json_remove(placing, '$.wished')"];
    changeState(files, ...older, "DELETE FROM meta WHERE key = 'file_name'");
    write(files, TWO, "s-01,three\n", ONE);
    expect((await run(files)).code).toBe(0);
    expect(readFiles(files)).toEqual({ ...names, "s-01": "artwork/s-01-3.svg" });
  });

  it("that an older makeready gave to another row is no longer listed for the vanished one", async () => {
    const files = await made("spot");
    write(files, "s-01,two\n");
    await run(files);
    changeState(
      files,
      `UPDATE rows SET placing = replace(replace(placing, 's-01-2', 's-01'), ',"wished":"s-01"', ''),
         artwork = replace(artwork, 's-01-2', 's-01') WHERE row_key = 's-01'`,
    );
    writeFileSync(path.join(files.out, "artwork/s-01.svg"), readPicture(files, "s-01-2.svg"));
    for (const does of ["plan", "retire"]) {
      const { out } = await runInProcess([does, files.manifest]);
      expect(out).toContain('"S-01"');
      expect(out).not.toContain("artwork/s-01");
    }
    expect((await run(files)).code).toBe(0);
    expect(readFiles(files)).toEqual({ "s-01": "artwork/s-01.svg" });
    expect(readFiles(files, "vanished-rows.csv")).toEqual({ "S-01": "" });
  });

  it("goes with a cell that asks for another one", async () => {
    const manifest = SPOTS.replace("{{ link }}", "{{ spot }}").replace(
      "{{ spot | slug }}",
      "{{ link }}",
    );
    const files = makeJobFolder(HEAD + ONE + TWO, manifest);
    await run(files);
    write(files, "S-01,one-2\n", "S 01,three\n");
    await run(files);
    expect(readFiles(files)).toEqual({ "S-01": "artwork/one-2.svg", "S 01": "artwork/three.svg" });
    write(files, ONE, "S 01,three\n", "S 02,one\n");
    await run(files);
    expect(readFiles(files)).toEqual({
      "S-01": "artwork/one.svg",
      "S 01": "artwork/three.svg",
      "S 02": "artwork/one-2.svg",
    });
  });
});

it("names that cells hand on to other rows have no number once nobody else has them", async () => {
  const manifest = SPOTS.replace("{{ link }}", "{{ spot }}").replace(
    "{{ spot | slug }}",
    "{{ link }}",
  );
  const files = makeJobFolder(`${HEAD}a,1\nb,2\nc,3\n`, manifest);
  expect((await run(files)).code).toBe(0);
  write(files, "a,2\n", "b,3\n", "c,1\n");
  expect((await run(files)).code).toBe(0);
  write(files, "a,2\n", "b,3\n", "c,1\n", "d,4\n");
  expect((await run(files)).code).toBe(0);
  expect(readFiles(files)).toEqual({
    a: "artwork/2.svg",
    b: "artwork/3.svg",
    c: "artwork/1.svg",
    d: "artwork/4.svg",
  });
});

const NAMED = MANIFEST.replace("{{ text }}", "{{ id }}")
  .replace("old/{{ id }}", "{{ name }}")
  .replace("[]", "[csv]");

const toRows = (...rows: readonly string[]): string => `id,name\n${rows.join("\n")}\n`;

/** A finished job of rows whose cells name their files. */
async function makeNamed(...rows: readonly string[]): Promise<JobFolder> {
  const files = makeJobFolder(toRows(...rows), NAMED);
  expect((await run(files)).code).toBe(0);
  return files;
}

/** Row -> name of its file, once a run has carried out this list. */
async function rename(files: JobFolder, ...rows: readonly string[]) {
  writeFileSync(files.csv, toRows(...rows));
  expect((await run(files)).code).toBe(0);
  return listNames(files);
}

const listNames = (files: JobFolder): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readFiles(files)).map(([key, file]) => [
      key,
      String(file).replace(/^artwork\/|\.svg$/gu, ""),
    ]),
  );

/** Whether the file of each row shows its own code: other runs made it under another name. */
function expectOwnPictures(files: JobFolder, pictures: Readonly<Record<string, string>>): void {
  for (const [key, name] of Object.entries(listNames(files)))
    expect(readPicture(files, `${name}.svg`), key).toBe(pictures[key]);
}

describe("a name that looks like a numbered one", () => {
  it("goes on only with a row that still asks for it", async () => {
    const files = await makeNamed("A,room", "B,room-5");
    const moved = { A: "room", B: "room-2", C: "room-5" };
    expect(await rename(files, "A,room", "B,room", "C,room-5")).toEqual(moved);
    expect(await rename(files, "A,room", "B,room", "C,room-5", "D,hall")).toMatchObject(moved);
  });

  it("changes hands with the name that it looks like a number of", async () => {
    const files = await makeNamed("B,room-5", "A,room");
    expect(await rename(files, "B,room", "A,room-5")).toEqual({ B: "room", A: "room-5" });
  });
});

describe("names that rows hand on", () => {
  it("numbers none, also from the last row to the first", async () => {
    const files = await makeNamed("a,table-1", "b,table-2", "c,table-3");
    const of = (name: string) => readPicture(files, `table-${name}.svg`);
    const pictures = { a: of("1"), b: of("2"), c: of("3") };
    writeFileSync(files.csv, toRows("a,table-2", "b,table-3", "c,table-4"));
    const { out } = await runInProcess(["plan", files.manifest]);
    expect(out).not.toContain("numbered");
    const on = await rename(files, "a,table-2", "b,table-3", "c,table-4");
    expect(on).toEqual({ a: "table-2", b: "table-3", c: "table-4" });
    expect(listArtwork(files)).toEqual(["table-2.svg", "table-3.svg", "table-4.svg"]);
    expectOwnPictures(files, pictures);
    const swapped = await rename(files, "a,table-3", "b,table-2", "c,table-4");
    expect(swapped).toEqual({ a: "table-3", b: "table-2", c: "table-4" });
    expectOwnPictures(files, pictures);
  });

  it("frees names that numbers behind them have freed", async () => {
    const files = await makeNamed("s,t", "q,t", "p,t-2");
    expect(listNames(files)).toEqual({ s: "t", q: "t-2", p: "t-2-2" });
    expect(await rename(files, "p,t-2", "q,t", "s,u")).toEqual({ p: "t-2", q: "t", s: "u" });
  });

  it("lists no file of another row as that of a row whose own could not be written", async () => {
    const files = await makeNamed("a,1", "b,2");
    const [a, b] = [readPicture(files, "1.svg"), readPicture(files, "2.svg")];
    rmSync(path.join(files.out, "artwork/1.svg"));
    mkdirSync(path.join(files.out, "artwork/1.svg"));
    writeFileSync(files.csv, toRows("a,2", "b,1"));
    expect((await run(files)).code).not.toBe(0);
    expect(readPicture(files, "2.svg")).toBe(a);
    expect(listNames(files)).toEqual({ a: "2", b: "" });
    rmSync(path.join(files.out, "artwork/1.svg"), { recursive: true });
    expect(await rename(files, "a,1", "b,2")).toEqual({ a: "1", b: "2" });
    expectOwnPictures(files, { a, b });
  });

  it("are those of the new plan where a run was killed before it wrote files", async () => {
    const files = await makeNamed("a,1", "b,3");
    changeState(
      files,
      `UPDATE rows SET placing = replace(placing, '"1"', '"2"') WHERE row_key = 'a'`,
    );
    const names = await rename(files, "c,1", "a,2", "b,3");
    expect(names).toEqual({ c: "1", a: "2", b: "3" });
  });
});

it.each([true, false])(
  "a name that an older makeready gave to another row is not that of one that comes back (a run between: %s)",
  async (isBetween) => {
    const files = await makeNamed("1,x", "2,x");
    const second = readPicture(files, "x-2.svg");
    await rename(files, "2,x");
    changeState(
      files,
      `UPDATE rows SET placing = replace(replace(placing, 'x-2', 'x'), ',"wished":"x"', ''),
         artwork = replace(artwork, 'x-2', 'x') WHERE row_key = '2'`,
    );
    writeFileSync(path.join(files.out, "artwork/x.svg"), second);
    if (isBetween) expect(await rename(files, "2,x")).toEqual({ 2: "x" });
    expect(await rename(files, "1,x", "2,x")).toEqual({ 1: "x-2", 2: "x" });
    expect(readPicture(files, "x.svg")).toBe(second);
  },
);

it("the name of a file stays with a row whose code the service lost, also where others stand above it", async () => {
  const dynamic = NAMED.replace(
    'type: Text, dynamic: false, qr_data: "',
    'type: Link, dynamic: true, qr_data: "https://example.com/',
  );
  const files = makeJobFolder(toRows("1,x", "2,x"), dynamic);
  expect((await run(files)).code).toBe(0);
  const second = readPicture(files, "x-2.svg");
  const db = openSqlite(path.join(files.data, "service.db"));
  db.run("DELETE FROM codes WHERE display_name = '1'");
  db.close();
  writeFileSync(files.csv, toRows("2,x", "1,x"));
  const { code, out, err } = await runInProcess(["retry", files.manifest, "--yes"]);
  expect(code, err).toBe(0);
  expect(out).toContain("1 created");
  expect(listNames(files)).toEqual({ 1: "x", 2: "x-2" });
  expect(readPicture(files, "x-2.svg")).toBe(second);
});
