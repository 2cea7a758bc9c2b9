/** Codes whose rows vanished: listed, filed away and put back, or deleted for good. */
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openChangeLog } from "../../src/state/change-log.ts";
import { parseIndex, parseReport } from "./check-output.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";
import { lineOf, withApi } from "./seed.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [table], columns: { table: { required: true } } }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ table }}", folder: Tables }
output: { dir: ../out, files: [svg] }
`;
const HEADER = "table,url";
const row = (n: number): string => `T${n},https://a.example/${n}`;
const rows = (...numbers: number[]): string => `${[HEADER, ...numbers.map(row)].join("\n")}\n`;

const program = (files: JobFolder, command: string, ...args: string[]): Promise<InProcess> =>
  runInProcess([command, files.manifest, ...args]);
const json = async (files: JobFolder, command: string, ...args: string[]) =>
  program(files, command, ...args, "--json");

/** Five rows were made, of which three have vanished since. */
async function vanish(manifest: string): Promise<JobFolder> {
  const files = makeJobFolder(rows(1, 2, 3, 4, 5), manifest);
  expect(await program(files, "run")).toMatchObject({ code: 0 });
  writeFileSync(files.csv, rows(1, 5));
  expect(await program(files, "run")).toMatchObject({ code: 0 });
  return files;
}
const vanished = madeOnce(vanish);
const makeVanished = (manifest = MANIFEST): Promise<JobFolder> => vanished(manifest);

/** name -> folder of every code on the server. */
const listCodes = (files: JobFolder): Promise<Record<string, unknown>> =>
  withApi(files.data, async (api) =>
    Object.fromEntries(
      (await api.list()).map((code) => [
        code["display_name"],
        (code["folder"] as { path?: string; name: string } | null)?.name ?? null,
      ]),
    ),
  );

const vanishedNames = ({ out }: JobFolder): (string | undefined)[] => {
  const file = path.join(out, "vanished-rows.csv");
  if (!existsSync(file)) return [];
  return parseIndex(readFileSync(file, "utf8")).map((one) => one["display_name"]);
};
const readReport = ({ out }: JobFolder): string =>
  readFileSync(path.join(out, "report.html"), "utf8");

const listGtins = (...some: string[]): string =>
  ["gtin,url", ...some.map((one) => `${one},https://a.example/${one}`)].join("\n");

const ALL = { T1: "Tables", T2: "Tables", T3: "Tables", T4: "Tables", T5: "Tables" };

describe("makeready retire", () => {
  it("lists the codes and says what each way costs; changes nothing", async () => {
    const files = await makeVanished();
    const listed = await program(files, "retire");
    expect(listed.code, listed.err).toBe(0);
    expect(listed.out).toContain("flow: 3 codes whose rows are no longer in");
    expect(listed.out).toMatch(/"T3" \(line 4\): http:\S+, artwork\/t3\.svg/u);
    expect(listed.out).toContain(
      "--folder PATH  moves them to a folder, 3 writes and 1 more for each folder that PATH names; ",
    );
    expect(listed.out).toContain("3 short links die");
    expect(await listCodes(files)).toEqual(ALL);
    const few = await json(files, "retire", "--key", "T2");
    expect(lineOf(few, "plan")).toMatchObject({ rows: [{ key: "T2" }], dynamic: 1, waiting: 0 });
    const one = await program(files, "retire", "--key", "T2");
    expect(one.out).toContain("flow: 1 code whose row is no longer in");
    expect(one.out).toContain("--folder PATH  moves it to a folder, 1 write and 1 more");
    expect(one.out).toContain("--delete       deletes it, 1 write: 1 short link dies");
    const early = await program(files, "undo");
    expect([early.code, early.err]).toEqual([
      2,
      expect.stringMatching(
        /undo must have codes to put back, got none\n.+ Of codes whose rows .+: makeready retire \S+\n/u,
      ),
    ]);
    expect(early.err).not.toContain("holds none");
    const wrong = await program(files, "retire", "--key", "T22");
    expect(wrong.err).toContain('did you mean "T2"');
    expect(wrong.code).toBe(2);
    // Of a key that the job knows, no other one is meant.
    await program(files, "retire", "--key", "T3", "--folder", "Old", "--yes");
    await program(files, "retire", "--key", "T4", "--delete", "--yes");
    writeFileSync(files.csv, rows(1));
    for (const [key, why] of [
      ["T5", "which is gone since the last run: run the job first"],
      ["T1", "which the job still has"],
      ["T3", "whose code is filed already"],
      ["T4", "whose code is deleted already"],
    ] as const) {
      const { code, err } = await program(files, "retire", "--key", key, "--delete", "--yes");
      expect([code, err]).toEqual([2, expect.stringContaining(`row, got "${key}", ${why}\n`)]);
      expect(err).not.toContain("did you mean");
    }
  });

  it("says nothing of sheets that it leaves as they are; the report still does", async () => {
    const sheets = "sheets: { sheet: a4-24up-63.5x33.9, caption: ['{{ table }} \u5b57'] }";
    const files = await makeVanished(MANIFEST.replace("files: [svg]", `files: [], ${sheets}`));
    const noFont = "no font has";
    expect((await program(files, "run")).err).toContain(noFont);
    for (const [command = "", ...words] of [["retire", "--folder", "Old", "--yes"], ["undo"]]) {
      const { code, err } = await program(files, command, ...words);
      expect([code, err.includes(noFont)]).toEqual([0, false]);
      expect(readReport(files)).toContain(noFont);
    }
  });

  it("does nothing without a yes", async () => {
    const files = await makeVanished();
    const unasked = await program(files, "retire", "--delete");
    expect(unasked.code).toBe(2);
    expect(unasked.err).toContain("delete 3 codes for good; 3 short links will lead nowhere");
    const asked: string[] = [];
    const ask = (question: string): Promise<boolean> => {
      asked.push(question);
      return Promise.resolve(false);
    };
    const no = await runInProcess(["retire", files.manifest, "--folder", "Old"], { ask });
    expect(asked).toEqual(['move 3 codes to the folder "Old"?']);
    expect(no.code).toBe(2);
    expect(await listCodes(files)).toEqual(ALL);
  });

  it("files codes away, says so in the report, and undo puts them back", async () => {
    const files = await makeVanished();
    const filed = await json(files, "retire", "--folder", "Old/2026", "--yes");
    expect(filed.code, filed.err).toBe(0);
    expect(lineOf(filed, "summary")).toMatchObject({ changed: 3, changedSays: "filed away" });
    const moved = { T2: "2026", T3: "2026", T4: "2026" };
    expect(await listCodes(files)).toEqual({ ...ALL, ...moved });
    expect(vanishedNames(files)).toEqual([]);
    expect(readReport(files)).toContain("3 codes were filed away");
    expect(lineOf(await json(files, "status"), "summary")).toMatchObject({ vanished: 0 });
    const again = await json(files, "retire", "--folder", "Old/2026", "--yes");
    expect(lineOf(again, "summary")).toMatchObject({ rows: 0, writes: 0 });
    const run = await json(files, "run");
    expect(lineOf(run, "plan")).toMatchObject({ gone: 0, writes: 0 });

    const undone = await json(files, "undo");
    expect(undone.code, undone.err).toBe(0);
    expect(lineOf(undone, "summary")).toMatchObject({ changed: 3, writes: 3 });
    expect(await listCodes(files)).toEqual(ALL);
    expect(vanishedNames(files)).toEqual(["T2", "T3", "T4"]);
    expect(readReport(files)).toContain("3 codes were put back");
    expect(readReport(files)).toMatch(/vanished<\/dt>\s*<dd[^>]*>3</u);
    expect(lineOf(await json(files, "undo"), "summary")).toMatchObject({ writes: 0 });
    expect(readReport(files)).toContain("3 codes are as they were before the run of");
    expect(readReport(files)).not.toContain("put back to");
  });

  it("counts alike on the terminal and in the report where a row is back before the undo", async () => {
    const files = await makeVanished();
    expect(await program(files, "retire", "--folder", "Old", "--yes")).toMatchObject({ code: 0 });
    writeFileSync(files.csv, rows(1, 2, 5));
    expect(await program(files, "run")).toMatchObject({ code: 0 });
    const undone = await json(files, "undo");
    expect(lineOf(undone, "summary")).toMatchObject({ changed: 2, unchanged: 1 });
    expect(parseReport(readReport(files)).figures).toMatchObject({
      "put back": "2",
      vanished: "2",
    });
    expect(readReport(files)).toMatch(
      /2 codes were put back to what they were before the run of \S+; 1 code was so\s+already/u,
    );
    for (let n = 0; n < 2; n += 1) {
      expect(await program(files, "run")).toMatchObject({ code: 0 });
      expect(vanishedNames(files)).toEqual(["T3", "T4"]);
      expect(parseReport(readReport(files)).figures).toMatchObject({ vanished: "2" });
    }
  });

  it("leaves the report alone when there is nothing to do", async () => {
    const files = await makeVanished();
    expect(await program(files, "retire", "--folder", "Old", "--yes")).toMatchObject({ code: 0 });
    for (const [command, ...words] of [
      ["retire", "--folder", "Old", "--yes"],
      ["run"],
      ["retire", "--delete", "--yes"],
    ] as const) {
      const before = readReport(files);
      const { code, out } = await program(files, command, ...words);
      expect([code, out.includes("report.html")]).toEqual([0, command === "run"]);
      if (command !== "run") expect(readReport(files)).toBe(before);
    }
  });

  it("announces the writes that it sends: also for folders that exist and codes that lie there already", async () => {
    const files = await makeVanished();
    const first = await json(files, "retire", "--folder", "Old/2026", "--key", "T2", "--yes");
    expect(lineOf(first, "plan")).toMatchObject({ writes: 3 });
    expect(lineOf(first, "summary")).toMatchObject({ changed: 1, writes: 3 });
    const second = await program(files, "retire", "--folder", "Old/2027", "--key", "T3", "--yes");
    expect(second.out).toContain('  to the folder "Old/2027", 3 writes, 2 of them for folders\n');
    expect(second.out).toContain(", 3 writes and ");
    const there = await json(files, "retire", "--folder", "Tables", "--yes");
    expect(lineOf(there, "plan")).toMatchObject({ writes: 1 });
    expect(lineOf(there, "summary")).toMatchObject({ changed: 1, writes: 1 });
  });

  it("the report counts rows once, and codes without rows apart", async () => {
    const files = await makeVanished();
    const figures = (): object => parseReport(readReport(files)).figures;
    const kept = { rows: "2", created: "0", updated: "0", unchanged: "2", failed: "0" };
    await program(files, "retire", "--folder", "Old", "--yes");
    expect(figures()).toMatchObject({ ...kept, "filed away": "3" });
    await program(files, "undo");
    expect(figures()).toMatchObject({ ...kept, "put back": "3" });
    await program(files, "undo");
    expect(figures()).toMatchObject({ ...kept, "put back": "0", "writes sent": "0" });
  });

  it("a row that comes back takes its filed code back, and changes nothing else", async () => {
    const files = await makeVanished();
    await program(files, "retire", "--folder", "Old", "--yes");
    writeFileSync(files.csv, rows(1, 3, 5));
    const back = await json(files, "run");
    expect(lineOf(back, "summary")).toMatchObject({ created: 0, changed: 1, writes: 1 });
    expect(await listCodes(files)).toEqual({ ...ALL, T2: "Old", T4: "Old" });
  });

  it("deletes codes with their pictures; undo says that it can't; a row that comes back gets a new code", async () => {
    const files = await makeVanished();
    const svg = path.join(files.out, "artwork/t3.svg");
    expect(existsSync(svg)).toBe(true);
    const deleted = await json(files, "retire", "--delete", "--key", "T3", "--yes");
    expect(deleted.code, deleted.err).toBe(0);
    expect(lineOf(deleted, "summary")).toMatchObject({ changed: 1, writes: 1 });
    expect(existsSync(svg)).toBe(false);
    expect(vanishedNames(files)).toEqual(["T2", "T4"]);
    const { T3: _gone, ...rest } = ALL;
    expect(await listCodes(files)).toEqual(rest);
    const undo = await program(files, "undo");
    expect(undo.code).toBe(2);
    expect(undo.err).toContain("undo can't bring back codes, and the last retire deleted 1");
    expect(undo.err).toContain("it makes new codes; 1 short link in print stays dead");
    writeFileSync(files.csv, rows(1, 3, 5));
    const back = await json(files, "run");
    expect(lineOf(back, "summary")).toMatchObject({ created: 1, changed: 0 });
    expect(await listCodes(files)).toEqual(ALL);
    expect(lineOf(await json(files, "run"), "summary")).toMatchObject({ writes: 0 });
  });

  it("goes on after a stop, whatever was answered; one undo takes all of it back", async () => {
    const files = await makeVanished();
    let sent = 0;
    // The second answer is lost: the process dies before it knows.
    const stop = new AbortController();
    await withStop(files, stop, () => (sent += 1) === 1);
    expect(vanishedNames(files).length).toBeGreaterThan(0);
    const rest = await json(files, "retire", "--folder", "Old", "--yes");
    expect(rest.code, rest.err).toBe(0);
    expect(await listCodes(files)).toEqual({ ...ALL, T2: "Old", T3: "Old", T4: "Old" });
    expect(lineOf(await json(files, "undo"), "summary")).toMatchObject({ changed: 3 });
    expect(await listCodes(files)).toEqual(ALL);
  });

  it.each([
    ["retire", "--folder", "Old", "--yes"],
    ["undo", "--yes"],
  ])("%s that was killed between two codes is told until it ends", async (...step) => {
    const files = await makeVanished();
    const [command = "", ...words] = step;
    if (command === "undo") await program(files, "retire", "--folder", "Old", "--yes");
    const killed = `${files.out}-killed`;
    const err = (text: string): void => {
      if (text.includes(`${command} 1/3`) && !existsSync(killed))
        cpSync(files.out, killed, { recursive: true });
    };
    const one = ["--set", "run.concurrency=1"];
    await runInProcess([command, files.manifest, ...words, ...one], { err, terminalWidth: 80 });
    rmSync(files.out, { recursive: true });
    renameSync(killed, files.out);
    expect(readReport(files)).toMatch(/verdict bad">An? (?:undo|retire) has begun and not ended</u);
    expect((await program(files, "status")).out).toContain(`the last ${command} did not end`);
    expect(await program(files, command, ...words)).toMatchObject({ code: 0 });
    expect(readReport(files)).not.toContain("has begun");
    expect((await program(files, "status")).out).not.toContain("did not end");
  });

  it("counts codes as deleted that a killed start of it had deleted", async () => {
    const files = await makeVanished();
    await withApi(files.data, async (api) => {
      const code = (await api.list()).find((one) => one["display_name"] === "T3");
      const id = String(code?.["id"]);
      const changes = openChangeLog(files.out);
      const after = { deleted: true };
      const change = { key: "T3", remoteId: id, isLink: false, name: "T3", before: null, after };
      changes.begin(change, "2026-01-01T00:00:00.000Z");
      changes.close();
      const { status } = await api.call("DELETE", `/qrcode/${id}/delete/`);
      expect(status).toBeLessThan(300);
    });
    const rest = await json(files, "retire", "--delete", "--yes");
    expect(rest.code, rest.err).toBe(0);
    expect(lineOf(rest, "summary")).toMatchObject({ changed: 3, unchanged: 0 });
  });

  it("the product of a deleted code stays: when its row comes back, plan and run count its code only", async () => {
    const gtins = ["09506000134352", "09506000134369"];
    const files = makeJobFolder(
      listGtins(...gtins),
      `version: 1
name: flow
kind: products
source: { file: ../rows.csv, key: [gtin], columns: { gtin: { type: gtin, required: true } } }
product:
  identifier_type: "01"
  identifier_value: "{{ gtin }}"
  links: [{ link_type: "gs1:pip", title: "{{ gtin }}", destination_url: "{{ url }}" }]
code: { display_name: "{{ gtin }}" }
output: { dir: ../out, files: [svg] }
`,
    );
    const first = await json(files, "run");
    expect(first.code, first.err).toBe(0);
    writeFileSync(files.csv, listGtins(gtins[0] ?? ""));
    await json(files, "run");
    const listed = await program(files, "retire");
    expect(listed.out).toMatch(
      /--delete +deletes it, 1 write; 1 GS1 product stays, and its printed code answers as before\n/u,
    );
    const deleted = await json(files, "retire", "--delete", "--yes");
    expect(lineOf(deleted, "summary")).toMatchObject({ changed: 1 });
    const undo = await program(files, "undo");
    expect(undo.err).toContain("1 GS1 product stays, and its printed code answers as before");
    expect(undo.err).not.toContain("short links");
    writeFileSync(files.csv, listGtins(...gtins));
    expect(lineOf(await json(files, "plan"), "plan")).toMatchObject({ creates: 1, writes: 1 });
    expect(lineOf(await json(files, "run"), "summary")).toMatchObject({ created: 1, writes: 1 });
  });

  it("touches no code while a row can't be read, the key has changed, or rows are new to the state", async () => {
    const files = await makeVanished();
    writeFileSync(files.csv, `${rows(1, 5)},https://a.example/3\n`);
    const nameless = await program(files, "retire", "--delete", "--yes");
    expect(nameless.err).toContain("rows must name their keys before codes are deleted");
    expect(nameless.code).toBe(3);
    writeFileSync(files.csv, rows(1));
    const waiting = await json(files, "retire");
    expect(lineOf(waiting, "plan")).toMatchObject({ waiting: 1, rows: { length: 3 } });
    writeFileSync(files.csv, rows(1, 2, 5));
    await json(files, "retire", "--delete", "--yes");
    const { T3: _three, T4: _four, ...rest } = ALL;
    expect(await listCodes(files)).toEqual(rest);
    const empty = makeJobFolder(rows(1), MANIFEST);
    expect((await program(empty, "retire")).err).toContain("must hold a job that was run");
  });

  it("says which kinds it can't file or delete", async () => {
    const links = MANIFEST.replace("kind: codes", "kind: links").replace(
      /code: .*/u,
      'link: { link: "{{ url }}", display_name: "{{ table }}" }',
    );
    const files = await makeVanished(links);
    const filed = await program(files, "retire", "--folder", "Old", "--yes");
    expect(filed.err).toContain("short links lie in no folder");
    const run = await program(files, "run", "--yes");
    expect(run.out).toMatch(
      /3 links have no rows any more, and this run left them as they are; to delete them: /u,
    );
    const deleted = await json(files, "retire", "--delete", "--yes");
    expect(lineOf(deleted, "summary")).toMatchObject({ changed: 3, writes: 3 });
  });
});

/** Files codes and is stopped as soon as `isTime` says so; the request that is on its way ends. */
async function withStop(
  files: JobFolder,
  stop: AbortController,
  isTime: () => boolean,
): Promise<void> {
  const err = (text: string): void => {
    if (text.includes("retire") && isTime()) stop.abort();
  };
  const args = ["retire", files.manifest, "--folder", "Old", "--yes", "--set", "run.concurrency=1"];
  await runInProcess(args, { signal: stop.signal, err, terminalWidth: 80 });
}

it("a key that no row has means no row, also where one has an empty key", async () => {
  const files = makeJobFolder(
    rows(1, 2).replace("T2", ""),
    MANIFEST.replace(": { required: true }", ": {}"),
  );
  expect(await program(files, "run")).toMatchObject({ code: 0 });
  writeFileSync(files.csv, rows(1));
  expect(await program(files, "run")).toMatchObject({ code: 0 });
  const wrong = await program(files, "retire", "--key", "T22", "--delete", "--yes");
  expect(wrong.err).toContain('a key must be that of a vanished row, got "T22"');
  expect(wrong.code).toBe(2);
});

it("a contact without a key column is retired by the key that is shown", async () => {
  const contacts = MANIFEST.replace(
    ", key: [table], columns: { table: { required: true } }",
    "",
  ).replace(
    'dynamic: true, qr_data: "{{ url }}"',
    'type: vCard, vcard: { first_name: "{{ table }}" }',
  );
  const files = await makeVanished(contacts);
  const done = await json(files, "retire", "--key", "T2 / Tables", "--folder", "Old", "--yes");
  expect(done.code, done.out + done.err).toBe(0);
  expect(await listCodes(files)).toMatchObject({ T2: "Old", T3: "Tables" });
});
