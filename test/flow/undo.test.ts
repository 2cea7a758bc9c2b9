import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { readZip } from "../pack/read-zip.ts";
import { parseReport } from "./check-output.ts";
import { frozenClock, runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";
import { lineOf, makeShop, runJson, withApi, type Api } from "./seed.ts";

const NOVEMBER = { clock: { ...frozenClock, nowMs: () => Date.parse("2026-11-01T02:00:30Z") } };
const DECEMBER = { clock: { ...frozenClock, nowMs: () => Date.parse("2026-12-01T02:00:30Z") } };

async function seed(api: Api): Promise<void> {
  for (let n = 1; n <= 3; n += 1) {
    await api.code({
      qr_type: "Link",
      qr_data: `https://menu.example/t/${n}`,
      dynamic: true,
      display_name: `table ${n}`,
      folderPath: "Tables/North",
      tags: ["tables"],
      primary_color: "#113355",
      eye_color: "#aa2200",
      frame: n === 2 ? "card" : undefined,
      text: n === 2 ? "SCAN" : undefined,
    });
  }
}

async function designs(api: Api): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>();
  for (const code of await api.list()) {
    const { body } = await api.call("GET", `/qrcode/${String(code["id"])}/`);
    found.set(String(code["display_name"]), {
      ...(body["design"] as Record<string, unknown>),
      id: code["id"],
    });
  }
  return found;
}

const reportOf = (root: string): string =>
  readFileSync(path.join(root, "out/restyle/2026-11-01/report.html"), "utf8");

const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n3,https://a.example/3\n";
const CODES = `version: 1
name: own
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "table {{ n }}" }
output: { dir: ../out, files: [svg], index: [csv] }
`;
const RESTYLE = `version: 1
name: restyle
kind: redesign
select: {}
design: { primary_color: "#0a3d62" }
output: { dir: ../restyle, files: [svg], zip: true, index: [csv] }
`;

describe("makeready undo after a redesign (docs/spec/jobs.md section 2)", () => {
  it("puts every design back, with one write per code; again with 0", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    const before = await withApi(shop.data, async (api) => {
      await seed(api);
      return designs(api);
    });
    await runJson(["run", manifest], NOVEMBER);
    const undone = await runJson(["undo", manifest], DECEMBER);
    expect(undone.code, undone.err).toBe(0);
    expect(lineOf(undone, "summary")).toMatchObject({ changed: 3, failed: 0, writes: 3 });
    expect(await withApi(shop.data, designs)).toEqual(before);
    const status = await runInProcess(["status", manifest], DECEMBER);
    expect(status.out).toMatch(
      /\n {2}3 done\n {2}3 of the done were put back by undo \(a new run changes them again\)\n$/u,
    );
    const again = await runJson(["undo", manifest], DECEMBER);
    expect(again.code, again.err).toBe(0);
    expect(lineOf(again, "summary")).toMatchObject({ changed: 0, unchanged: 3, writes: 0 });
    const redo = await runJson(["run", manifest], DECEMBER);
    expect(lineOf(redo, "summary")).toMatchObject({ changed: 3, writes: 3 });
  });

  it("brings back artwork, archive and report of the run, and goes on after a stop", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    await withApi(shop.data, seed);
    await runJson(["run", manifest], NOVEMBER);
    const out = path.join(shop.root, "out/restyle/2026-11-01");
    const svg = path.join(out, "artwork/table-1.svg");
    const zipped = (): string =>
      String(
        readZip(path.join(out, "restyle.zip")).entries.find(({ name }) => name === "table-1.svg")
          ?.data,
      );
    const report = (): string => readFileSync(path.join(out, "report.html"), "utf8");
    expect(readFileSync(svg, "utf8")).toContain("#6a1b9a");
    expect(report()).not.toContain("put back");
    const undone = await runInProcess(["undo", manifest], DECEMBER);
    expect(undone.code, undone.err).toBe(0);
    expect(undone.out).toContain("out/restyle/2026-11-01/artwork");
    expect(undone.out).toContain(
      "→ the schedule does it again with its next look: it is due since 2026-12-01 03:00 Europe/Berlin; ",
    );
    const listed = await runInProcess(["schedule", "list", manifest], DECEMBER);
    expect(listed.out).toContain("2026-12-01 03:00 Europe/Berlin\n");
    expect(undone.out).toContain("out/restyle/2026-11-01/report.html");
    expect(existsSync(path.join(shop.root, "out/restyle/2026-12-01"))).toBe(false);
    for (const text of [readFileSync(svg, "utf8"), zipped()]) {
      expect(text).toContain("#113355");
      expect(text).not.toContain("#6a1b9a");
    }
    expect(report()).toContain(
      "3 codes were put back to what they were before the run of 2026-11-01",
    );
    rmSync(svg);
    expect(parseReport(report()).figures).toMatchObject({ "put back": "3", unchanged: "0" });
    const again = await runJson(["undo", manifest], DECEMBER);
    expect(again.code, again.err).toBe(0);
    expect(lineOf(again, "summary")).toMatchObject({ changed: 0, writes: 0 });
    expect(parseReport(report()).figures).toMatchObject({ "put back": "0", unchanged: "3" });
    expect(readFileSync(svg, "utf8")).toContain("#113355");
    const verified = await runJson(["verify", manifest], DECEMBER);
    expect(lineOf(verified, "summary")).toMatchObject({ problems: [] });
  });

  it("writes beside the job where its folder was copied or moved, and nowhere else", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    await withApi(shop.data, seed);
    await runJson(["run", manifest], NOVEMBER);
    const copy = `${shop.root}-copy`;
    cpSync(shop.root, copy, { recursive: true });
    const here = reportOf(shop.root);
    const undone = await runJson(["undo", path.join(copy, "jobs/monthly-restyle.yaml")], DECEMBER);
    expect(undone.code, undone.err).toBe(0);
    expect(reportOf(copy)).toContain("3 codes were put back");
    expect(reportOf(shop.root)).toBe(here);
    // A state of an older makeready holds the absolute path.
    const db = openSqlite(path.join(shop.root, "out/restyle/monthly-restyle.state/state.db"));
    const old = path.join(shop.root, "out/restyle/2026-11-01");
    expect(db.run("UPDATE meta SET value = ? WHERE key = 'output_folder'", old)).toBe(1);
    db.close();
    const moved = `${shop.root}-moved`;
    renameSync(shop.root, moved);
    const there = await runJson(["undo", path.join(moved, "jobs/monthly-restyle.yaml")], DECEMBER);
    expect(there.code, there.err).toBe(0);
    expect(reportOf(moved)).toContain("3 codes were put back");
  });

  it("says that the folder of the run is gone", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    await withApi(shop.data, seed);
    await runJson(["run", manifest], NOVEMBER);
    rmSync(path.join(shop.root, "out/restyle/2026-11-01"), { recursive: true });
    const undone = await runInProcess(["undo", manifest, "--yes"], DECEMBER);
    expect(undone.code, undone.err).toBe(0);
    expect(undone.out + undone.err).toContain("the folder of that run is gone");
  });

  it("proves pictures under the address that codes got since the run, again too", async () => {
    const { root, manifest: codes } = makeJobFolder(ROWS, CODES);
    const restyle = path.join(path.dirname(codes), "restyle.yaml");
    writeFileSync(restyle, RESTYLE);
    const address = ["--public-url", "https://go.example.com"];
    for (const args of [[codes], [restyle], [codes, ...address]]) {
      expect((await runInProcess(["run", ...args])).code).toBe(0);
    }
    const svg = path.join(root, "restyle/artwork/table-2.svg");
    for (let n = 0; n < 2; n += 1) {
      const undone = await runInProcess(["undo", restyle]);
      expect([undone.code, undone.err]).toEqual([0, expect.not.stringContaining("error")]);
      expect(undone.out).not.toMatch(/REHEARSAL|only 0 of/u);
      expect(undone.out).toMatch(/restyle\/artwork +SVG of 3 codes/u);
      expect(readFileSync(svg, "utf8")).not.toContain("#0a3d62");
      const index = readFileSync(path.join(root, "restyle/index.csv"), "utf8");
      expect(index.match(/https:\/\/go\.example\.com\/\w+,/gu)).toHaveLength(3);
      const status = await runInProcess(["status", restyle]);
      expect(status.out).toMatch(
        /\n {2}3 done\n {2}3 of the done were put back by undo \(a new run changes them again\)\n$/u,
      );
    }
  });

  it("undoes the last run only, to what the run before had made", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    await withApi(shop.data, seed);
    await runJson(["run", manifest], NOVEMBER);
    await runJson(["run", manifest], DECEMBER);
    const undone = await runJson(["undo", manifest], DECEMBER);
    expect(undone.code, undone.out).toBe(0);
    expect(undone.out).not.toContain("can't be put back");
    const after = await withApi(shop.data, designs);
    expect(after.get("table 1")).toMatchObject({ text: "November MENU", has_logo: true });
  });

  it("leaves alone what somebody has changed since, unless forced", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    const before = await withApi(shop.data, async (api) => {
      await seed(api);
      return designs(api);
    });
    await runJson(["run", manifest], NOVEMBER);
    await withApi(shop.data, (api) =>
      api.call("PATCH", `/qrcode/${String(before.get("table 2")?.["id"])}/design/`, {
        primary_color: "#007700",
      }),
    );
    const undone = await runJson(["undo", manifest], DECEMBER);
    expect(undone.code).toBe(3);
    expect(lineOf(undone, "summary")).toMatchObject({
      changed: 2,
      failed: 1,
      notDone: 1,
      writes: 2,
    });
    const report = readFileSync(path.join(shop.root, "out/restyle/2026-11-01/report.html"), "utf8");
    expect(report).toContain(">Done, but 1 code was not put back</div>");
    expect(String(lineOf(undone, "row")["message"])).toContain("somebody has changed it since");
    const forced = await runJson(["undo", manifest, "--force"], DECEMBER);
    expect(forced.code, forced.err).toBe(0);
    expect(await withApi(shop.data, designs)).toEqual(before);
  });

  it("says when nothing was kept, or nothing was ever run", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    await withApi(shop.data, seed);
    const never = await runInProcess(["undo", manifest], NOVEMBER);
    expect(never.code).toBe(2);
    expect(never.err).toContain("holds no changes of this job");
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace("keep_previous: true", "keep_previous: false"),
    );
    await runJson(["run", manifest], NOVEMBER);
    const unkept = await runInProcess(["undo", manifest], NOVEMBER);
    expect(unkept.code).toBe(2);
    expect(unkept.err).toContain("safety.keep_previous is false");
  });

  it("a job of another kind has nothing to undo", async () => {
    const shop = makeShop();
    await withApi(shop.data, seed);
    const undone = await runInProcess(["undo", shop.job("export-codes")], NOVEMBER);
    expect(undone.code).toBe(2);
    expect(undone.err).toContain("undo takes a job of kind codes, products");
  });
});
