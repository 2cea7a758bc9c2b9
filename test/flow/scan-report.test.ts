import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import ExcelJS from "exceljs";
import { describe, expect, it } from "vitest";

import { frozenClock, runInProcess } from "./in-process.ts";
import { lineOf, makeShop, runJson, withApi, type Api } from "./seed.ts";

const DAY_MS = 86_400_000;
/** Scans are stored with the wall's time, so the report's wall must be the same. */
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const at = (ms: number) => ({ clock: { ...frozenClock, nowMs: () => ms } });

const make = (api: Api, name: string, folderPath: string, more: object = {}) =>
  api.code({
    qr_data: `https://menu.example/${name.replace(" ", "-")}`,
    dynamic: true,
    display_name: name,
    folderPath,
    ...more,
  });

/** Two folders; scans of this week and of the week before. */
async function seed(data: string): Promise<void> {
  const links = await withApi(
    data,
    async (api) => {
      const codes = [
        await make(api, "north 1", "Tables/North"),
        await make(api, "north 2", "Tables/North"),
        await make(api, "south 1", "Tables/South"),
        await make(api, "quiet", "Tables/South"),
      ];
      await make(api, "printed", "Tables/South", { dynamic: false });
      await make(api, "elsewhere", "Other");
      return codes.map((code) => String(code["shortlink_url"]));
    },
    NOW_MS - 60 * DAY_MS,
  );
  const scan = (ms: number, times: readonly number[]) =>
    withApi(
      data,
      async (api) => {
        for (const [n, count] of times.entries()) await api.scan(links[n] ?? "", count);
      },
      ms,
    );
  await scan(NOW_MS - 9 * DAY_MS, [2, 0, 4, 0]);
  await scan(NOW_MS - 2 * DAY_MS, [5, 1, 2, 0]);
}

describe("jobs/weekly-scans.yaml (docs/spec/jobs.md section 1, report)", () => {
  it("writes workbook, CSV and page; 0 writes, 1 GET per 200 codes and window, 1 per detail", async () => {
    const shop = makeShop();
    await seed(shop.data);
    const plan = await runJson(["plan", shop.job("weekly-scans")], at(NOW_MS));
    expect(lineOf(plan, "plan")).toMatchObject({
      rows: 5,
      writes: 0,
      reads: 1 + 3 + 5,
      readsAtMost: true,
    });
    const run = await runJson(["run", shop.job("weekly-scans")], at(NOW_MS));
    expect(run.code, run.err).toBe(0);
    const status = await runInProcess(["status", shop.job("weekly-scans")], at(NOW_MS));
    expect(status.out).toMatch(/last made \d{4}-\d\d-\d\d \d\d:\d\d UTC, in .*2026-11-20\n/u);
    expect(status.out).toContain("each run reads the figures anew");
    // The folders, three windows, and the details of four codes that can be tracked.
    expect(lineOf(run, "summary")).toMatchObject({ rows: 5, writes: 0, reads: 1 + 3 + 4 });
    const out = path.join(shop.root, "out/reports/2026-11-20");
    expect(readdirSync(out).toSorted()).toEqual([
      "codes.csv",
      "details.csv",
      "flagged.csv",
      "folders.csv",
      "weekly-scans.html",
      "weekly-scans.xlsx",
    ]);
    const csv = (name: string): string[] =>
      readFileSync(path.join(out, `${name}.csv`), "utf8")
        .replace("\ufeff", "")
        .trim()
        .split("\r\n");
    expect(csv("folders")).toEqual([
      "folder,codes,scans,unique_scans,previous_scans,previous_unique_scans,change",
      "Tables/North,2,6,6,2,2,4",
      "Tables/South,3,2,2,4,4,-2",
    ]);
    expect(csv("codes")).toEqual([
      "display_name,destination,scans,unique_scans,change,flag",
      "north 1,https://menu.example/north-1,5,5,3,",
      "north 2,https://menu.example/north-2,1,1,1,",
      "printed,https://menu.example/printed,,,,",
      "quiet,https://menu.example/quiet,0,0,0,no scan for 30 days",
      "south 1,https://menu.example/south-1,2,2,-2,",
    ]);
    expect(csv("flagged")).toHaveLength(2);
    expect(csv("details").some((line) => /north 1,scans_by_day,2026-11-18,5,5/u.test(line))).toBe(
      true,
    );
    expect(csv("details").some((line) => line.includes(",top_os,"))).toBe(true);
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(path.join(out, "weekly-scans.xlsx"));
    expect(book.worksheets.map(({ name }) => name)).toEqual([
      "Folders",
      "Codes",
      "Flagged",
      "Details",
    ]);
    const cells = book.getWorksheet("Folders")?.getRow(2).values as unknown[];
    expect(cells.slice(1)).toEqual(["Tables/North", 2, 6, 6, 2, 2, 4]);
  });

  it("the page needs no network and no script, and shows charts", async () => {
    const shop = makeShop();
    await seed(shop.data);
    await runJson(["run", shop.job("weekly-scans")], at(NOW_MS));
    const page = readFileSync(
      path.join(shop.root, "out/reports/2026-11-20/weekly-scans.html"),
      "utf8",
    );
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(/iu);
    expect(
      [...page.matchAll(/(?:src|href)="(?<at>[^"]*)"/gu)].every((match) =>
        match.groups?.["at"]?.startsWith("https://menu.example/"),
      ),
    ).toBe(true);
    expect(page.match(/<svg/gu)?.length).toBeGreaterThan(5);
    expect(page).toContain("+200 %");
    expect(page).toContain("−50 %");
    expect(page).toContain("No scan for 30 days");
  });

  it("says that short links are not counted, where all codes are asked for: plan, run and page", async () => {
    const shop = makeShop();
    await seed(shop.data);
    const words = ["plan", shop.job("weekly-scans")];
    const inFolder = await runInProcess([...words, "--set", "select.folder=Tables"], at(NOW_MS));
    expect(inFolder.out).not.toContain("short links");
    const all = ["--set", "select={}"];
    const { out } = await runInProcess([...words, ...all], at(NOW_MS));
    expect(out).toContain("short links of jobs of kind links are not counted here");
    const place = ["--out", path.join(shop.root, "all")];
    const ran = await runInProcess(["run", shop.job("weekly-scans"), ...all, ...place], at(NOW_MS));
    expect(ran.out).toContain("; short links of jobs of kind links are not counted here");
    const page = readFileSync(path.join(shop.root, "all/weekly-scans.html"), "utf8");
    expect(page).toContain("codes, without short links");
    const some = await runInProcess(["run", shop.job("weekly-scans"), ...place], at(NOW_MS));
    expect(some.out).not.toContain("short links");
  });

  it("groups by workspace or not at all, over fixed days; runs again with the same bytes", async () => {
    const shop = makeShop();
    await seed(shop.data);
    const run = [
      "run",
      shop.job("weekly-scans"),
      "--out",
      path.join(shop.root, "r"),
      "--set",
      "group_by=workspace",
    ];
    const csv = (): string => readFileSync(path.join(shop.root, "r/workspaces.csv"), "utf8");
    expect((await runInProcess(run, at(NOW_MS))).code).toBe(0);
    expect(csv()).toContain("workspace,5,8,8,6,6,2");
    const [page, book] = ["weekly-scans.html", "weekly-scans.xlsx"].map((name) =>
      readFileSync(path.join(shop.root, "r", name)),
    );
    await runInProcess(run, at(NOW_MS));
    expect(readFileSync(path.join(shop.root, "r/weekly-scans.html"))).toEqual(page);
    expect(readFileSync(path.join(shop.root, "r/weekly-scans.xlsx"))).toEqual(book);
    const none = await runJson(
      [
        "run",
        shop.job("weekly-scans"),
        "--out",
        path.join(shop.root, "n"),
        "--set",
        "group_by=code",
      ],
      at(NOW_MS),
    );
    expect(none.code, none.err).toBe(0);
    expect(existsSync(path.join(shop.root, "n/folders.csv"))).toBe(false);
  });

  it("is due on Mondays at seven in Berlin", async () => {
    const shop = makeShop();
    await seed(shop.data);
    const monday = Date.parse("2026-11-23T06:00:20Z");
    const run = await runJson(["schedule", "run", shop.job("weekly-scans")], at(monday));
    expect(run.code, run.err).toBe(0);
    expect(existsSync(path.join(shop.root, "out/reports/2026-11-23/weekly-scans.html"))).toBe(true);
  });
});
