/** A key of other columns, or with other cells, makes no code a second time unless somebody says so. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { findChangedKey } from "../../src/plan/changed-key.ts";
import { countCodes } from "./count-codes.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";

const ROWS = 5;

const manifestOf = (key: string, more = ""): string => `version: 1
name: keyed
kind: codes
source: { file: ../rows.csv${key} }
code: { type: Link, dynamic: true, qr_data: "{{ url }}"${more} }
output: { dir: ../out, files: [], index: [] }
`;

const KEY = ", key: [id]";

/** `toId` gives the cells of the first column. */
const toRows = (count: number, toId = (n: number): string => `A-${n}`): string =>
  [
    "id,place,url",
    ...Array.from({ length: count }, (_, n) => `${toId(n)},Hall ${n},https://a.example/${n}`),
    "",
  ].join("\n");

const toBatch = (first: number): string => `id\n${[0, 1, 2].map((n) => `${first + n}\n`).join("")}`;

const run = (files: JobFolder, ...more: string[]): Promise<InProcess> =>
  runInProcess(["run", files.manifest, "--json", ...more]);

const summaryOf = ({ out }: InProcess): Record<string, unknown> =>
  JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;

async function runNew(texts: string): Promise<JobFolder> {
  const [manifest, csv] = JSON.parse(texts) as [string, string];
  const files = makeJobFolder(csv, manifest);
  const done = await run(files);
  expect(done.code, done.err + done.out).toBe(0);
  return files;
}
const made = madeOnce(runNew);
const makeDone = (manifest = manifestOf(KEY), csv = toRows(ROWS)): Promise<JobFolder> =>
  made(JSON.stringify([manifest, csv]));

const NAMED = ', display_name: "{{ place }}"';

/** What `plan` warns of, and `run` refuses, with `--yes` too; no code is made. */
async function toRefusal(files: JobFolder): Promise<string> {
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.code).toBe(0);
  const refused = await run(files, "--yes");
  expect(refused.code).toBe(2);
  expect(refused.out).toContain("--fresh --yes");
  expect(countCodes(files)).toBe(ROWS);
  const { message, hint } = summaryOf(refused) as { message: string; hint: string };
  expect(reasonInGerman(hint)).toMatch(/neu machen$/u);
  expect(reasonInGerman(message)).toMatch(/ein zweites Mal$/u);
  expect(plan.out).toContain(message);
  return message;
}

describe("a source.key of other columns", () => {
  /** What the key was before -> what it is now, and what is said. */
  const changes: readonly (readonly [string, string, RegExp])[] = [
    [KEY, ", key: [place]", /changed from \[id\] to \[place\]: what 5 rows/u],
    [KEY, "", /changed from \[id\] to none: what 5 rows/u],
    ["", KEY, /changed from none to \[id\]: what 5 rows/u],
  ];

  it.each(changes)("%s -> %s is refused", async (before, now, says) => {
    const files = await makeDone(manifestOf(before, ', display_name: "{{ place }}"'));
    writeFileSync(files.manifest, manifestOf(now, ', display_name: "{{ place }}"'));
    expect(await toRefusal(files)).toMatch(says);
    // What would be refused is no next step.
    const planned = await runInProcess(["plan", files.manifest]);
    expect(planned.out).toMatch(says);
    expect(planned.out).not.toContain("to do this");
    writeFileSync(files.manifest, manifestOf(before, ', display_name: "{{ place }}"'));
    expect(summaryOf(await run(files))).toMatchObject({ unchanged: ROWS, writes: 0 });
  });

  it("is refused where the names are the keys, and where the sheet has grown", async () => {
    const files = await makeDone();
    writeFileSync(files.manifest, manifestOf(", key: [place]"));
    writeFileSync(files.csv, toRows(ROWS * 20));
    expect(await toRefusal(files)).toMatch(/changed from \[id\] to \[place\]: what 5 rows/u);
  });

  it("is refused when each row would be taken for another one", async () => {
    const csv = `id,no,url\n${[0, 1, 2, 3, 4].map((n) => `${n},${4 - n === 2 ? 9 : 4 - n},https://a.example/${n}\n`).join("")}`;
    const name = ', display_name: "{{ url }}"';
    const files = await makeDone(manifestOf(KEY, name), csv);
    writeFileSync(files.manifest, manifestOf(", key: [no]", name));
    expect(await toRefusal(files)).toMatch(/changed from \[id\] to \[no\]: what 5 rows/u);
  });

  /** With a changed key: what else is changed -> the manifest and the spreadsheet. */
  const besides: readonly (readonly [string, string, string])[] = [
    [
      "what the manifest makes of rows",
      ', display_name: "{{ place }}", folder: Fair',
      toRows(ROWS),
    ],
    ["the address of every row", NAMED, toRows(ROWS).replaceAll("a.example", "b.example")],
  ];

  it.each(besides)("is refused together with another change: %s", async (_what, code, csv) => {
    for (const [before, now, says] of [
      ["", KEY, "from none to [id]"],
      [KEY, ", key: [place]", "from [id] to [place]"],
    ] as const) {
      const files = await makeDone(manifestOf(before, NAMED));
      writeFileSync(files.manifest, manifestOf(now, code));
      writeFileSync(files.csv, csv);
      expect(await toRefusal(files)).toContain(
        `source.key changed ${says}: 5 rows were made before under the old key, and would be made a second time`,
      );
    }
  });

  it("is taken for the next batch whose new keys are others", async () => {
    const files = await makeDone(manifestOf(KEY, NAMED));
    writeFileSync(files.manifest, manifestOf(", key: [id, place]", NAMED));
    writeFileSync(files.csv, toRows(ROWS).replaceAll(/Hall|a\.example/gu, "$&.b"));
    expect(summaryOf(await run(files))).toMatchObject({ created: ROWS });
  });

  it("makes everything anew with --fresh --yes", async () => {
    const files = await makeDone();
    writeFileSync(files.manifest, manifestOf(", key: [place]"));
    expect(summaryOf(await run(files, "--fresh", "--yes"))).toMatchObject({ created: ROWS });
    expect(summaryOf(await run(files))).toMatchObject({ unchanged: ROWS });
  });

  it("is taken where the rows are recognised: a column that was renamed", async () => {
    const files = await makeDone();
    writeFileSync(files.manifest, manifestOf(", key: [number]"));
    writeFileSync(files.csv, toRows(ROWS + 2).replace("id,", "number,"));
    expect(summaryOf(await run(files))).toMatchObject({ created: 2, unchanged: ROWS });
    writeFileSync(files.manifest, manifestOf(", key: [place]"));
    const refused = await run(files);
    expect(refused.out).toContain("changed from [number] to [place]");
  });

  it("is reported without the old columns when the state didn't note them", async () => {
    const name = ', display_name: "{{ place }}"';
    const files = await makeDone(manifestOf(KEY, name));
    const db = openSqlite(path.join(files.out, "state.db"));
    expect(db.run("DELETE FROM meta WHERE key = 'source_key'")).toBe(1);
    db.close();
    writeFileSync(files.manifest, manifestOf(", key: [place]", name));
    expect(await toRefusal(files)).toMatch(
      /\(source\.key: \[place\]\) are not those of earlier runs/u,
    );
  });
});

describe("other cells in the key's columns", () => {
  const name = ', display_name: "{{ place }}"';

  it("are refused when all rows want what is made", async () => {
    const files = await makeDone(manifestOf(KEY, name));
    writeFileSync(
      files.csv,
      toRows(ROWS, (n) => `A-00${n}`),
    );
    expect(await toRefusal(files)).toMatch(
      /what 5 rows would make was made before under other keys/u,
    );
  });

  it("are refused when all rows lost the zeros in front, also where the key is their name", async () => {
    const named = manifestOf(KEY, ', display_name: "{{ id }}"');
    const files = await makeDone(
      named,
      toRows(ROWS, (n) => `00${n}`),
    );
    writeFileSync(
      files.csv,
      toRows(ROWS, (n) => String(n)),
    );
    expect(await toRefusal(files)).toMatch(/5 rows were made before under other keys/u);
  });

  it("are taken for another list where a single one differs in its zeros alone", async () => {
    const files = await makeDone(
      manifestOf(KEY),
      toRows(20, (n) => (n === 7 ? "07" : `A-${n}`)),
    );
    const other = toRows(20, (n) => (n === 7 ? "7" : `B-${n}`));
    writeFileSync(files.csv, other.replaceAll("a.example/", "a.example/b"));
    const { out } = await runInProcess(["plan", files.manifest]);
    expect(out).toContain('such as "7" for "07": a second code is made');
    expect(summaryOf(await run(files))).toMatchObject({ created: 20 });
  });

  it("are not looked for among all rows where none has vanished, as in a first run", () => {
    let reads = 0;
    const rows = () => {
      reads += 1;
      return [];
    };
    const first = { key: ["id"], before: undefined, rows, good: 1, named: 0, gone: [] };
    const nothing = { known: () => undefined, made: () => [], keyCells: () => "" };
    expect(findChangedKey({ ...first, ...nothing })).toBeUndefined();
    expect(reads).toBe(1);
    const many = Array.from({ length: 1200 }, (_, n) => ({
      key: `${n}`,
      cells: `${n}`,
      wanted: {},
    }));
    const sent = many.map((row) => ({ ...row, key: `A-${row.key}` }));
    const change = { ...first, before: ["place"], good: 1200, rows: () => many, made: () => sent };
    const other = { ...change, known: () => undefined, keyCells: String } as unknown;
    expect(findChangedKey(other as Parameters<typeof findChangedKey>[0])?.message).toContain(
      "what 1,200 rows would make was made before",
    );
  });

  it("are told where some rows lost the zeros in front", async () => {
    const files = await makeDone(
      manifestOf(KEY),
      toRows(20, (n) => String(n).padStart(2, "0")),
    );
    writeFileSync(
      files.csv,
      toRows(20, (n) => String(n)),
    );
    const { out } = await runInProcess(["plan", files.manifest]);
    const says =
      '10 new rows have the key of a code that is there, but for zeros in front, such as "0" for "00": a second code is made';
    expect(out).toContain(says);
    expect(reasonInGerman(says)).toMatch(/Es entsteht ein zweiter Code$/u);
  });

  it("are taken for other codes in single rows, and where the content is another", async () => {
    const files = await makeDone(manifestOf(KEY, name), toRows(20));
    writeFileSync(
      files.csv,
      toRows(20, (n) => (n === 7 ? "B-7" : `A-${n}`)),
    );
    expect(summaryOf(await run(files))).toMatchObject({ created: 1, unchanged: 19 });
    writeFileSync(files.csv, readFileSync(files.csv, "utf8").replaceAll(/[AB]-|Hall/gu, "C-"));
    expect(summaryOf(await run(files))).toMatchObject({ created: 20 });
  });

  it("are taken for the next batch of codes that are all alike", async () => {
    const files = makeJobFolder(
      toBatch(1),
      manifestOf(KEY, ", display_name: Flyer").replace("{{ url }}", "https://a.example/"),
    );
    expect(summaryOf(await run(files))).toMatchObject({ created: 3 });
    writeFileSync(files.csv, toBatch(101));
    expect(summaryOf(await run(files))).toMatchObject({ created: 3 });
  });
});
