/** What became of printed codes: void, replaced, printed again; and whether all of them are accounted for. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { findEpcisFaults } from "../pack/epcis-rules.ts";
import { makeService } from "../service/make-service.ts";
import { frozenClock, runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { readIndex } from "./check-output.ts";
import type { Reconciliation } from "../../src/pipeline/units/reconcile.ts";

/** `LEDGER_ROWS=10000` runs the whole. */
const ROWS = Number(process.env["LEDGER_ROWS"] ?? 100);
const SPOILAGE = 0.005;
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";

const LINK = "https://id.example/01/09506000134352/21/{{ serial }}";

const serialJob = (rows: number, dynamic = false, reprint = "new"): JobFolder =>
  makeJobFolder(
    "",
    `version: 1
name: passports
kind: codes
source: { rows: ${rows}, serial: { length: 12, check: true } }
code: { type: Link, dynamic: ${dynamic}, qr_data: "${LINK}", display_name: "{{ serial }}" }
run: { marker: true }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, reprint: ${reprint} } }
`,
  );

const call = (files: JobFolder, command: string, ...more: string[]): Promise<InProcess> =>
  runInProcess([command, files.manifest, "--json", ...more], { user: "anna" });

async function ok(
  files: JobFolder,
  command: string,
  ...more: string[]
): Promise<Record<string, unknown>> {
  const { code, out, err } = await call(files, command, ...more);
  expect(code, `${out}${err}`).toBe(0);
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;
}

async function reconcile(files: JobFolder): Promise<Reconciliation & { code: number }> {
  const { code, out } = await call(files, "reconcile");
  return { ...(JSON.parse(out) as Reconciliation), code };
}

const hashOf = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex");

type Cells = Readonly<Record<string, string>>;

const readUnits = ({ out }: JobFolder): Cells[] =>
  parse(readFileSync(path.join(out, "units.csv")), { bom: true, columns: true });

/** Writes what a scan-back would, of labels that lie in one PDF. */
function spoil(files: JobFolder, cells: readonly Cells[]): void {
  const scanned = new Date(frozenClock.nowMs()).toISOString();
  const lines = cells.map(({ key, line, sheet_file: file = "", sheet, row, column }) => {
    const found = [line, key, "", file, sheet, row, column, "damaged", "no code is read"];
    return [...found, "scan.png", hashOf(path.join(files.out, file)), scanned].join(",");
  });
  const head = "line,key,caption,file,page,row,column,state,reason,picture,sha256,scanned";
  writeFileSync(path.join(files.out, "spoiled.csv"), `\ufeff${[head, ...lines].join("\r\n")}\r\n`);
}

const pickEvery = <T>(items: readonly T[], count: number): T[] =>
  Array.from(
    { length: count },
    (_, at) => items[Math.floor(((at + 0.37) * items.length) / count)] as T,
  );

describe("serials that are minted anew", () => {
  it(`${ROWS} with ${SPOILAGE * 100} % spoiled, replaced over two reprints and a lost state, are reconciled to the last code`, async () => {
    const files = serialJob(ROWS);
    await ok(files, "run");
    const printed = path.join(files.out, "passports.pdf");
    const before = hashOf(printed);
    const count = Math.max(2, Math.round(ROWS * SPOILAGE));
    const first = pickEvery(readIndex(files.out), count);

    spoil(files, first);
    const asked = await runInProcess(["replace", files.manifest, "--spoiled"]);
    expect(asked.code).toBe(2);
    expect(asked.err).toContain(`"${first[0]?.["key"]}", "${first[1]?.["key"]}"`);
    expect(await ok(files, "replace", "--spoiled", "--yes")).toMatchObject({
      policy: "new",
      round: 1,
    });
    expect(await ok(files, "status")).toMatchObject({ rows: { done: ROWS }, fresh: count });
    const says = (await runInProcess(["status", files.manifest])).out;
    expect(says).toContain(`${count} to be made in the place of void codes (made by: `);
    const open = await reconcile(files);
    expect(open.code).toBe(3);
    expect(open.discrepancies).toMatchObject([
      { what: "replacements are not made yet: run the job", count },
    ]);
    await ok(files, "run");
    expect(await ok(files, "status")).toMatchObject({ rows: { done: ROWS + count }, fresh: 0 });

    // One of the fresh ones is spoiled as well, and the state is lost.
    const fresh = readIndex(files.out).filter(
      (row) => row["sheet_file"] === "passports-replaced-1.pdf",
    );
    expect(fresh).toHaveLength(count);
    spoil(files, fresh.slice(0, 1));
    await ok(files, "replace", "--spoiled", "--yes");
    for (const end of ["", "-wal", "-shm"])
      rmSync(path.join(files.out, `state.db${end}`), { force: true });
    expect(await ok(files, "run")).toMatchObject({ adopted: ROWS + count, created: 1 });

    const result = await reconcile(files);
    expect(result.discrepancies).toEqual([]);
    expect(result).toMatchObject({
      code: 0,
      isReconciled: true,
      codes: { minted: ROWS + count + 1, void: count + 1, replaced: count + 1 },
      issued: { rows: ROWS, replacements: count + 1, overs: 0, spares: 0, reprinted: 0 },
      fates: { good: ROWS, spoiled: 0, void: count + 1 },
    });
    expect(hashOf(printed)).toBe(before);

    // Replaced by replaced: a chain from the first serial to one that is good.
    const units = new Map(readUnits(files).map((unit) => [unit["key"], unit]));
    for (const { key } of first) {
      let unit = units.get(key);
      while (unit?.["replaced_by"]) {
        expect(unit).toMatchObject({
          state: "void",
          good: "0",
          void_by: "anna",
          reason: "no code is read",
        });
        expect(units.get(unit["replaced_by"])?.["replaces"]).toBe(unit["key"]);
        unit = units.get(unit["replaced_by"]);
      }
      expect(unit).toMatchObject({ state: "proven", good: "1" });
    }
    expect(new Set([...units.values()].map((unit) => unit["labels"])).size).toBe(units.size);
  });

  it("are not minted where a scan found all labels good", async () => {
    const files = serialJob(3);
    await ok(files, "run");
    spoil(files, []);
    const { code, out } = await runInProcess(["replace", files.manifest, "--spoiled"]);
    expect([code, out]).toEqual([0, "passports: no label is spoiled: nothing to replace\n"]);
    expect(await ok(files, "status")).toMatchObject({ rows: { done: 3 }, fresh: 0 });
  });

  it("are void once, however often it is requested; a void code's short link says so, and its scans count apart", async () => {
    const files = serialJob(6, true);
    await ok(files, "run");
    const [target, other] = readIndex(files.out);
    const refused = await call(files, "void", "--key", target?.["key"] ?? "");
    expect(refused.code).toBe(2);
    expect(refused.out).toContain(`make 1 code void for good (\\"${target?.["key"]}\\")`);
    const marked = await ok(files, "void", "--key", target?.["key"] ?? "", "--yes", "--by", "Ben");
    expect(marked).toMatchObject({ marked: [target?.["key"]], silenced: 1, alive: 0 });
    const again = await ok(files, "void", "--lines", "1", "--yes");
    expect(again).toMatchObject({ marked: [], already: [target?.["key"]] });

    const service = await makeService({ dataDir: files.data, publicUrl: "http://127.0.0.1:8787" });
    const open = (link = "", agent = PHONE): Promise<Response> =>
      service.fetch(
        new Request(link, { headers: { "user-agent": agent, "accept-language": "de" } }),
      );
    const page = await open(target?.["short_link"]);
    expect(page.status).toBe(410);
    expect(await page.text()).toContain("Dieser Code ist ungültig");
    await open(target?.["short_link"]);
    await open(target?.["short_link"], "Googlebot/2.1");
    expect((await open(other?.["short_link"])).status).toBe(302);
    await service.close();

    expect(await reconcile(files)).toMatchObject({ isReconciled: true, voidScans: 2 });
    expect(readUnits(files)[0]).toMatchObject({ state: "void", void_by: "Ben", void_scans: "2" });
    const activated = await call(files, "activate", "--lines", "1-2");
    expect(activated.out).toContain("codes that are activated must not be void");
    await ok(files, "activate", "--lines", "2-3");
    expect(readUnits(files).length).toBe(6);
    await reconcile(files);
    expect(readUnits(files)[1]).toMatchObject({ state: "activated", activated_by: "anna" });
  });

  it("that are void are named by plan and run where a PDF with them is made anew", async () => {
    const files = serialJob(3);
    await ok(files, "run");
    const key = readIndex(files.out)[1]?.["key"] ?? "";
    await ok(files, "void", "--key", key, "--yes");
    expect(JSON.stringify(await ok(files, "run"))).not.toContain("codes-void");
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, text.replace("sheets: {", 'sheets: { caption: "no",'));
    const { notes } = await ok(files, "plan");
    expect(notes).toContain(
      `1 code on the sheets is void: ${key}; if a run makes its PDF anew, that prints it again: do not use that label`,
    );
    const { press } = await ok(files, "run");
    expect(press).toMatchObject({
      warnings: expect.arrayContaining([
        expect.objectContaining({ code: "codes-void", count: 1, rows: [key] }),
      ]),
    });
    // The file is still the one with the void code.
    expect(JSON.stringify(await ok(files, "run"))).toContain("codes-void");
    expect(JSON.stringify(await ok(files, "verify"))).toContain("codes-void");
    expect(readFileSync(path.join(files.out, "report.html"), "utf8")).toContain("void code");
  });

  it.each([
    [
      "products",
      'product: { identifier_type: "01", identifier_value: "{{ gtin }}", links: [{ link_type: "gs1:pip", title: x, destination_url: "https://shop.example/1", is_default: true }] }\ncode: { display_name: "{{ gtin }}" }',
    ],
    [
      "codes",
      'code: { type: GS1, gs1_product: { identifier_value: "{{ gtin }}", destination_url: "https://shop.example/1" }, display_name: "{{ gtin }}" }',
    ],
  ])("work as before as Digital Links, kind %s: that is said", async (kind, code) => {
    const source = "source: { file: ../rows.csv, key: [gtin] }";
    const output = "output: { dir: ../out, files: [], sheets: { sheet: a4-24up-63.5x33.9 } }";
    const files = makeJobFolder(
      "gtin\n04006381333931\n04006381333948\n",
      `version: 1\nname: goods\nkind: ${kind}\n${source}\n${code}\n${output}\n`,
    );
    await ok(files, "run", "--public-url", "https://id.example-shop.com");
    const voided = await ok(files, "void", "--lines", "2", "--yes");
    expect(voided).toMatchObject({ silenced: 0, alive: 1 });
    expect((await reconcile(files)).code).toBe(0);
  });

  it("that a service does not know to be void are named", async () => {
    const files = serialJob(3, true);
    await ok(files, "run");
    await ok(files, "void", "--lines", "2", "--yes");
    expect((await reconcile(files)).code).toBe(0);
    // Put back from a backup, or killed before it was told.
    const db = openSqlite(path.join(files.data, "service.db"));
    db.exec("DELETE FROM void_codes");
    db.close();
    expect((await reconcile(files)).discrepancies).toMatchObject([
      { what: "void codes still lead to their destinations: make them void again", count: 1 },
    ]);
    expect(await ok(files, "void", "--lines", "2", "--yes")).toMatchObject({ silenced: 1 });
    expect((await reconcile(files)).code).toBe(0);
  });

  it("are reported as EPCIS 2.0: added when they are printed, deleted when they are void", async () => {
    const files = serialJob(5);
    await ok(files, "run");
    const [first] = readIndex(files.out);
    await ok(files, "void", "--lines", "1", "--yes");
    const signal = AbortSignal.abort();
    expect((await runInProcess(["reconcile", files.manifest], { signal })).code).toBe(130);
    expect(existsSync(path.join(files.out, "epcis.json"))).toBe(false);
    await reconcile(files);
    const written = JSON.parse(readFileSync(path.join(files.out, "epcis.json"), "utf8")) as object;
    expect(findEpcisFaults(written)).toEqual([]);
    const { epcisBody, ...head } = written as {
      epcisBody: { eventList: Record<string, unknown>[] };
    };
    expect(head).toMatchObject({ type: "EPCISDocument", schemaVersion: "2.0" });
    const [add, remove] = epcisBody.eventList;
    expect(add).toMatchObject({ action: "ADD", bizStep: "commissioning", disposition: "active" });
    expect(add?.["epcList"]).toHaveLength(5);
    expect(remove).toMatchObject({
      action: "DELETE",
      bizStep: "decommissioning",
      epcList: [`https://id.gs1.org/01/09506000134352/21/${first?.["key"]}`],
      eventTime: "2026-01-01T12:00:00.000Z",
    });
    expect(remove?.["eventID"]).toMatch(
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
    );
  });

  it("are never printed a second time as they are", async () => {
    const files = serialJob(3);
    await ok(files, "run");
    const { code, err } = await runInProcess(["sheets", "reprint", files.manifest, "--lines", "1"]);
    expect(code).toBe(2);
    expect(err).toContain("must not be printed a second time (output.sheets.reprint: new)");
    const none = serialJob(3, false, "forbidden");
    await ok(none, "run");
    expect((await call(none, "replace", "--lines", "1", "--yes")).out).toContain(
      "must not be replaced",
    );
  });
});

describe("labels that are printed again as they are", () => {
  const rows = [
    "key,url",
    ...Array.from({ length: 5 }, (_, at) => `K${at},https://example.com/${at}`),
  ];
  const posters = (more = ""): JobFolder =>
    makeJobFolder(
      `${rows.join("\n")}\n`,
      `version: 1
name: posters
kind: codes
source: { file: ../rows.csv, key: [key] }
code: { type: Link, dynamic: false, qr_data: "{{ url }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, copies: 3, overs: "20%"${more} } }
`,
    );

  it("once for each spoiled one, and the sums hold", async () => {
    const files = posters();
    await ok(files, "run");
    const { code } = await reconcile(files);
    expect(code).toBe(0);
    const cells = [0, 1].map((column) => ({
      key: "K1",
      line: "3",
      sheet_file: "posters.pdf",
      sheet: "1",
      row: "2",
      column: `${column + 1}`,
    }));
    spoil(files, cells);
    const made = await ok(files, "replace", "--spoiled");
    expect(made).toMatchObject({
      policy: "same",
      replaced: ["K1"],
      reprint: { codes: 2, decoded: 2 },
    });
    expect(await ok(files, "replace", "--spoiled")).toMatchObject({
      replaced: [],
      already: ["K1"],
    });
    await runInProcess(["sheets", "reprint", files.manifest, "--lines", "2"]);
    expect(await reconcile(files)).toMatchObject({
      isReconciled: true,
      issued: { rows: 15, overs: 1, spares: 0, reprinted: 3 },
      fates: { good: 17, spoiled: 2, void: 0 },
    });
  });

  it("once more where a person names the row again, and the command says how often before", async () => {
    const files = posters();
    await ok(files, "run");
    const replace = () => runInProcess(["replace", files.manifest, "--key", "K1"]);
    expect((await replace()).out).not.toContain("before");
    expect((await replace()).out).toContain("1 label was printed again before: K1 (1 time)");
    const third = await ok(files, "replace", "--key", "K1");
    expect(third).toMatchObject({ replaced: ["K1"], before: [{ key: "K1", times: 2 }] });
  });

  it("from the first free label of a part-used sheet on", async () => {
    const files = posters();
    await ok(files, "run");
    const made = await ok(files, "replace", "--lines", "2-3", "--start", "23");
    expect(made).toMatchObject({ policy: "same", reprint: { codes: 2, pages: 1 } });
    const map = JSON.parse(readFileSync(path.join(files.out, "reprint-map.json"), "utf8")) as {
      readonly [name: string]: unknown;
    };
    const places = [...JSON.stringify(map).matchAll(/"row":(\d+),"column":(\d+)/gu)];
    expect(places.map(([, row, column]) => [row, column])).toEqual([
      ["8", "2"],
      ["8", "3"],
    ]);
    const { code, out } = await call(files, "replace", "--lines", "4", "--start", "2-3");
    expect([code, out]).toEqual([2, expect.stringContaining("--start must be")]);
  });

  const spoiledCell = {
    key: "K1",
    line: "3",
    sheet_file: "posters.pdf",
    sheet: "1",
    row: "2",
    column: "1",
  };

  it("are not accounted for while a scan found them damaged and nobody has marked them", async () => {
    for (const [policy, mark] of [
      ["same", "replace"],
      ["forbidden", "void"],
    ] as const) {
      const files = posters(`, reprint: ${policy}`);
      await ok(files, "run");
      spoil(files, [spoiledCell]);
      const { code, out } = await runInProcess(["reconcile", files.manifest], { cwd: files.root });
      expect(code).toBe(3);
      expect(out).toContain("posters: NOT RECONCILED\n");
      expect(out).toContain("15 good + 0 spoiled + 1 damaged or missing in the last scan + 0 void");
      const way = policy === "same" ? "print them again" : "take them out of use";
      const [, command = ""] =
        new RegExp(`to ${way}: makeready (.*) \\(1\\): K1\n`, "u").exec(out) ?? [];
      expect(command).toMatch(new RegExp(`^${mark} .* --spoiled$`, "u"));
      expect(readUnits(files)[1]).toMatchObject({
        state: "proven",
        good: "2",
        spoiled: "0",
        damaged: "1",
        reason: "no code is read",
      });
      const said = await runInProcess([...command.split(" "), "--yes"], { cwd: files.root });
      expect(said.code, said.err).toBe(0);
      expect(await reconcile(files)).toMatchObject({ isReconciled: true, fates: { damaged: 0 } });
    }
  });

  it.each([
    ["same", "replace"],
    ["same", "void"],
    ["forbidden", "void"],
  ])("are none after a scan that found all good: %s, %s", async (policy, command) => {
    const files = posters(`, reprint: ${policy}`);
    await ok(files, "run");
    spoil(files, []);
    const { code, out, err } = await runInProcess([command, files.manifest, "--spoiled"]);
    expect([code, out, err]).toEqual([
      0,
      `posters: no label is spoiled: nothing to ${command}\n`,
      "",
    ]);
    expect(await reconcile(files)).toMatchObject({ code: 0, isReconciled: true });
  });

  it("are spoiled again in the same place of a PDF that was made anew", async () => {
    const files = posters();
    await ok(files, "run");
    spoil(files, [spoiledCell]);
    await ok(files, "replace", "--spoiled");
    await ok(files, "run", "--set", "output.sheets.caption={{ key }} June");
    spoil(files, [spoiledCell]);
    expect(await ok(files, "replace", "--spoiled")).toMatchObject({
      replaced: ["K1"],
      already: [],
    });
    expect(await ok(files, "replace", "--spoiled")).toMatchObject({
      replaced: [],
      already: ["K1"],
    });
    expect((await reconcile(files)).fates).toMatchObject({ good: 16, spoiled: 2, void: 0 });
  });

  it("must lie where the job has them; lines are those of the last run", async () => {
    const files = posters();
    await ok(files, "run");
    spoil(files, [{ ...spoiledCell, row: "8" }]);
    const { code, out } = await call(files, "replace", "--spoiled");
    expect(code).toBe(2);
    expect(out).toContain(
      'spoiled labels must lie where the job has them, got \\"K1\\" in posters.pdf page 1, row 8, column 1',
    );
    writeFileSync(files.csv, "key,url\nK9,https://example.com/9\n");
    for (const more of [["void", "--yes"], ["replace"], ["activate"]]) {
      const [command = "", ...flags] = more;
      const told = await call(files, command, "--lines", "3", ...flags);
      expect(`${told.out}${told.err}`, command).toContain("has changed since the job last ran");
    }
  });

  it("are not those of void codes", async () => {
    const files = posters();
    await ok(files, "run");
    await ok(files, "void", "--key", "K1", "--yes");
    const named = await runInProcess(["sheets", "reprint", files.manifest, "--key", "K1"]);
    expect(named.code).toBe(2);
    expect(named.err).toContain('must not be void, got "K1"');
    const sheet = await runInProcess(["sheets", "reprint", files.manifest, "--sheets", "1"]);
    expect(sheet.code, sheet.err).toBe(0);
    expect(`${sheet.out}${sheet.err}`).toContain('these sheets have labels of void codes: "K1"');
  });

  it("are counted apart from those in spare cells: one too many is seen", async () => {
    const files = posters(", spares: 4, spare_labels: repeat");
    await ok(files, "run");
    expect(await reconcile(files)).toMatchObject({
      isReconciled: true,
      issued: { rows: 15, overs: 1, spares: 4, reprinted: 0 },
    });
    const { code, out } = await call(files, "reconcile", "--set", "output.sheets.overs=0%");
    expect(code).toBe(3);
    expect((JSON.parse(out) as Reconciliation).discrepancies).toMatchObject([
      {
        what: "the sheets have more or fewer labels than rows, copies and overs ask for: run the job",
        count: 1,
      },
    ]);
  });

  it("that were not printed again, and cells that were changed, do not fit", async () => {
    const files = posters();
    await ok(files, "run");
    const map = path.join(files.out, "sheet-map.json");
    writeFileSync(map, readFileSync(map, "utf8").replace('"key":"K2"', '"key":"K9"'));
    writeFileSync(path.join(files.out, "posters.pdf"), "gone");
    const { code, discrepancies } = await reconcile(files);
    expect(code).toBe(3);
    expect(discrepancies.map(({ what }) => what)).toEqual([
      "cells of sheet-map.json are not those of the state: run the job",
      "PDFs are not the ones that were written: run the job",
    ]);
  });

  it("cannot be minted anew: a spreadsheet has no serials", async () => {
    const { code, out } = await call(posters(", reprint: new"), "validate");
    expect(code).toBe(2);
    expect(out).toContain("where rows have no serials");
  });
});
