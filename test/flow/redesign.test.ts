import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { readZip } from "../pack/read-zip.ts";
import { frozenClock, runInProcess } from "./in-process.ts";
import type { JobOf } from "../../src/kinds/any-job.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import {
  checkArchives,
  checkImages,
  checkReport,
  checkSheets,
  checkWorkbook,
  readIndex,
  type Told,
} from "./check-output.ts";
import { checkCodes } from "./check-codes.ts";
import { lineOf, makeShop, runJson, withApi, type Api } from "./seed.ts";

const at = (iso: string) => ({ clock: { ...frozenClock, nowMs: () => Date.parse(iso) } });
const NOVEMBER = at("2026-11-01T02:00:30Z");
const DECEMBER = at("2026-12-01T02:00:30Z");

const table = (n: number, more: object = {}) => ({
  qr_type: "Link",
  qr_data: `https://menu.example/t/${n}`,
  dynamic: true,
  display_name: `Linde / table ${n}`,
  folderPath: "Tables/North/Linde",
  tags: ["tables"],
  ...more,
});

async function seed(api: Api, count = 3): Promise<void> {
  for (let n = 1; n <= count; n += 1) await api.code(table(n));
  await api.code(table(90, { tags: [], display_name: "no tag" }));
  await api.code(table(91, { folderPath: "Tables/South", display_name: "other folder" }));
  await api.code(table(92, { dynamic: false, display_name: "static" }));
}

let seeded: Promise<string> | undefined;

/** A shop with these codes, made once: each test has a copy of its own. */
async function makeSeeded(): Promise<ReturnType<typeof makeShop>> {
  seeded ??= (async () => {
    const { data } = makeShop();
    await withApi(data, (api) => seed(api));
    return data;
  })();
  const shop = makeShop();
  cpSync(await seeded, shop.data, { recursive: true, preserveTimestamps: true });
  return shop;
}

async function designOf(api: Api, name: string): Promise<Record<string, unknown>> {
  const code = (await api.list()).find((item) => item["display_name"] === name);
  const { body } = await api.call("GET", `/qrcode/${String(code?.["id"])}/`);
  return body["design"] as Record<string, unknown>;
}

const loadRestyle = async (file: string): Promise<JobOf<"redesign">> =>
  (await loadJob(file, { env: {}, nowMs: NOVEMBER.clock.nowMs() })) as JobOf<"redesign">;

describe("jobs/monthly-restyle.yaml (docs/spec/jobs.md section 1, redesign)", () => {
  it("plan: says which codes, what it costs, and changes nothing", async () => {
    const shop = await makeSeeded();
    const plan = await runJson(["plan", shop.job("monthly-restyle")], NOVEMBER);
    expect(plan.code, plan.err).toBe(0);
    expect(lineOf(plan, "plan")).toMatchObject({
      input: "dynamic codes in Tables/North and below tagged tables",
      rows: 3,
      restyles: 3,
      writes: 3,
    });
    expect(existsSync(path.join(shop.root, "out"))).toBe(false);
  });

  it("status: not started until it has run, also after a run that nobody agreed to", async () => {
    const shop = await makeSeeded();
    const job = "jobs/monthly-restyle.yaml";
    const here = { ...NOVEMBER, cwd: shop.root };
    const status = async (): Promise<string> => (await runInProcess(["status", job], here)).out;
    const says =
      "monthly-restyle\n  not started; to see what a run would do: makeready plan jobs/monthly-restyle.yaml\n";
    expect(await status()).toBe(says);
    const asked = ["run", job, "--set", "safety.confirm_over=1"];
    const refused = await runInProcess(asked, here);
    expect(refused.code, refused.err).toBe(2);
    expect(await status()).toBe(
      `monthly-restyle\n  not started\n  the last run asked first and got no yes: it changed nothing (look first: makeready plan ${job}; then: makeready run ${job} --yes)\n`,
    );
    expect((await runInProcess(["run", job], here)).code).toBe(0);
    expect(await status()).toBe("monthly-restyle\n  3 done\n");
  });

  it("takes the reads that its plan says, those that find the codes among them", async () => {
    const shop = await makeSeeded();
    const plan = lineOf(await runJson(["plan", shop.job("monthly-restyle")], NOVEMBER), "plan");
    // Folders, codes, and each of three codes before it is changed.
    expect(plan).toMatchObject({ writes: 3, reads: 1 + 1 + 3 });
    const { writes, reads } = plan;
    const ran = await runJson(["run", shop.job("monthly-restyle")], NOVEMBER);
    expect(lineOf(ran, "summary")).toMatchObject({ writes, reads });
  });

  it("counts the drawings of codes that look so already, which are not changed", async () => {
    const shop = await makeSeeded();
    const manifest = shop.job("monthly-restyle");
    // A logo can't be compared.
    const text = readFileSync(manifest, "utf8").replace(/, logo_file: [^ ]+/u, "");
    writeFileSync(manifest, text);
    await runJson(["run", manifest], NOVEMBER);
    const other = path.join(shop.root, "jobs", "other.yaml");
    const named = text.replace(/^name: .*$/mu, "name: other");
    writeFileSync(other, named.replaceAll("out/restyle", "out/other"));
    const plan = lineOf(await runJson(["plan", other], NOVEMBER), "plan");
    const ran = lineOf(await runJson(["run", other], NOVEMBER), "summary");
    // Folders, codes, each of three codes, and its drawing.
    expect(ran).toMatchObject({ writes: 0, reads: 1 + 1 + 3 + 3 });
    expect(plan).toMatchObject({ reads: 8 });
    expect(plan).not.toHaveProperty("readsAtMost");
  });

  it("1 write per code that is selected; a second run has 0", async () => {
    const shop = await makeSeeded();
    const first = await runJson(["run", shop.job("monthly-restyle")], NOVEMBER);
    expect(first.code, first.err).toBe(0);
    expect(lineOf(first, "summary")).toMatchObject({ rows: 3, changed: 3, writes: 3, failed: 0 });
    const out = path.join(shop.root, "out/restyle/2026-11-01");
    expect(readdirSync(path.join(out, "artwork")).toSorted()).toEqual([
      "linde-table-1.svg",
      "linde-table-2.svg",
      "linde-table-3.svg",
    ]);
    const svg = readFileSync(path.join(out, "artwork/linde-table-2.svg"), "utf8");
    expect(svg).toContain("#6a1b9a");
    const zip = readZip(path.join(out, "restyle.zip"));
    expect(zip.entries.map(({ name }) => name).toSorted()).toEqual([
      "SHA256SUMS",
      "index.csv",
      "linde-table-1.svg",
      "linde-table-2.svg",
      "linde-table-3.svg",
    ]);
    const job = { output: (await loadRestyle(shop.job("monthly-restyle"))).output };
    const index = readIndex(out);
    checkArchives(job, index);
    checkReport(job, index, lineOf(first, "summary") as unknown as Told);
    await checkCodes(job, index);
    await withApi(shop.data, async (api) => {
      expect(await designOf(api, "Linde / table 1")).toMatchObject({
        primary_color: "#6a1b9a",
        frame: "speech-bubble",
        text: "November MENU",
        has_logo: true,
      });
      for (const name of ["no tag", "other folder", "static"]) {
        expect(await designOf(api, name)).toMatchObject({ has_logo: false, frame: null });
      }
    });
    const again = await runJson(["run", shop.job("monthly-restyle")], NOVEMBER);
    expect(lineOf(again, "summary")).toMatchObject({ changed: 0, unchanged: 3, writes: 0 });
    const plan = await runJson(["plan", shop.job("monthly-restyle")], NOVEMBER);
    expect(lineOf(plan, "plan")).toMatchObject({ unchanged: 3, writes: 0 });
    await withApi(shop.data, async (api) => {
      const code = (await api.list()).find((one) => one["display_name"] === "Linde / table 2");
      const moved = { qr_data: "https://menu.example/new" };
      await api.call("PATCH", `/qrcode/${String(code?.["id"])}/update/`, moved);
    });
    const ahead = await runJson(["plan", shop.job("monthly-restyle")], NOVEMBER);
    const { reads } = lineOf(ahead, "plan");
    expect(JSON.stringify(lineOf(ahead, "plan"))).toContain("the files of 1 code are fetched anew");
    const after = await runJson(["run", shop.job("monthly-restyle")], NOVEMBER);
    expect(lineOf(after, "summary")).toMatchObject({ unchanged: 3, writes: 0, reads });
  });

  it("says of a run with --limit what is left, and status does, too", async () => {
    const shop = await makeSeeded();
    const job = shop.job("monthly-restyle");
    const first = await runJson(["run", job, "--limit", "1"], NOVEMBER);
    expect(lineOf(first, "plan")["notes"]).toContain(
      "this run changes 1 of the 3 codes that are to be changed (--limit); the next one goes on with the others",
    );
    expect(lineOf(first, "summary")).toMatchObject({ changed: 1, unchanged: 0, left: 2 });
    const half = await runJson(["status", job], NOVEMBER);
    expect(lineOf(half, "summary")).toMatchObject({ rows: { done: 1 }, unfinished: 2 });
    const said = (await runInProcess(["status", job], NOVEMBER)).out;
    expect(said).toMatch(/\n {2}1 done\n {2}2 left to do: /u);
    expect(said).not.toContain("missing");
    const zip = "(2 rows are left to do)";
    expect(JSON.stringify(lineOf(first, "summary")["files"])).toContain(zip);
    const { output } = await loadRestyle(job);
    const report = readFileSync(path.join(output.dir, "report.html"), "utf8");
    expect(report).toContain(zip);
    expect(report).not.toContain("not proven");
    const rest = await runJson(["run", job], NOVEMBER);
    expect(lineOf(rest, "summary")).toMatchObject({ changed: 2, unchanged: 1, left: 0 });
    const whole = await runJson(["status", job], NOVEMBER);
    expect(lineOf(whole, "summary")).toMatchObject({ rows: { done: 3 }, unfinished: 0 });
  });

  it("on a schedule, over a folder that changes between runs", async () => {
    const shop = await makeSeeded();
    const run = ["schedule", "run", shop.job("monthly-restyle")];
    expect(lineOf(await runJson(run, NOVEMBER), "summary")).toMatchObject({ changed: 3 });
    await withApi(shop.data, async (api) => {
      const [newest] = (await api.list()).filter(
        (code) => code["display_name"] === "Linde / table 3",
      );
      await api.call("DELETE", `/qrcode/${String(newest?.["id"])}/delete/`);
      await api.code(table(4));
    });
    const idle = await runJson(run, at("2026-11-15T02:00:30Z"));
    expect(idle.out).not.toContain('"summary"');
    const december = await runJson(run, DECEMBER);
    expect(lineOf(december, "summary")).toMatchObject({ rows: 3, changed: 3, writes: 3 });
    await withApi(shop.data, async (api) => {
      expect(await designOf(api, "Linde / table 1")).toMatchObject({ text: "Dezember MENU" });
      expect(await designOf(api, "Linde / table 4")).toMatchObject({ text: "Dezember MENU" });
    });
    expect(readdirSync(path.join(shop.root, "out/restyle/2026-12-01/artwork"))).toHaveLength(3);
    await withApi(shop.data, (api) => api.code(table(5)));
    const again = await runJson(["run", shop.job("monthly-restyle")], DECEMBER);
    expect(lineOf(again, "summary")).toMatchObject({
      rows: 4,
      changed: 1,
      unchanged: 3,
      writes: 1,
    });
  });

  it("a code that looks so already costs no write, also when the state is lost", async () => {
    const shop = makeShop();
    const manifest = shop.job("monthly-restyle");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/, logo_file: \S+/u, ""));
    await withApi(shop.data, (api) => seed(api));
    await runJson(["run", manifest], NOVEMBER);
    const fresh = await runJson(["run", manifest, "--fresh", "--yes"], NOVEMBER);
    expect(fresh.code, fresh.err).toBe(0);
    expect(lineOf(fresh, "summary")).toMatchObject({ rows: 3, changed: 0, writes: 0 });
  });

  it("safety: too many codes are refused, and many changes want a yes", async () => {
    const shop = await makeSeeded();
    const most = await runInProcess(
      ["run", shop.job("monthly-restyle"), "--set", "safety.max_codes=2"],
      NOVEMBER,
    );
    expect(most.code).toBe(2);
    expect(most.err).toContain("safety.max_codes allows 2 codes, got 3");
    const ask = ["run", shop.job("monthly-restyle"), "--set", "safety.confirm_over=2"];
    const asks = /note +more than 2 changes \(safety\.confirm_over\): a run asks first/u;
    const planned = ["plan", ...ask.slice(1)];
    expect((await runInProcess(planned, NOVEMBER)).out).toMatch(asks);
    const few = await runInProcess([...planned.slice(0, -1), "safety.confirm_over=3"], NOVEMBER);
    expect(few.out).not.toContain("(safety.confirm_over)");
    const silent = await runInProcess(ask, NOVEMBER);
    expect(silent.code).toBe(2);
    expect(silent.err).toContain("this would restyle 3 codes");
    const some = [...ask.slice(0, -1), "safety.confirm_over=1", "--limit", "2"];
    const limited = await runInProcess(some, NOVEMBER);
    expect(limited.err).toContain("this would restyle 2 codes");
    const no = await runInProcess(ask, { ...NOVEMBER, ask: () => Promise.resolve(false) });
    expect(no.code).toBe(2);
    const status = ["status", ...ask.slice(1, 2)];
    const waits =
      /: it changed nothing \(look first: makeready plan \S+; then: makeready run \S+ --yes\)\n/u;
    const waiting = await runInProcess(status, NOVEMBER);
    expect(waiting.out).toMatch(/^monthly-restyle\n {2}not started\n {2}the last run asked first/u);
    expect(waiting.out).toMatch(waits);
    expect(lineOf(await runJson(status, NOVEMBER), "summary")).toMatchObject({
      isStarted: false,
      waitsForYes: "run",
      rows: {},
    });
    const yes = await runInProcess(ask, { ...NOVEMBER, ask: () => Promise.resolve(true) });
    expect(yes.code, yes.err).toBe(0);
    expect((await runInProcess(status, NOVEMBER)).out).toBe("monthly-restyle\n  3 done\n");
    // Nothing is put back on a schedule.
    const undo = await runInProcess(["undo", ...ask.slice(1)], NOVEMBER);
    expect(undo.err).toContain("to put them back: ");
    expect(undo.err).not.toContain("schedule");
  });

  it("what draws labels of rows names the commands that show these codes", async () => {
    const manifest = makeShop().job("monthly-restyle");
    for (const words of [["preview"], ["sheets", "proof"]]) {
      const { code, err } = await runInProcess([...words, manifest], NOVEMBER);
      expect(code).toBe(2);
      expect(err).toMatch(/to see what would change: makeready plan \S+monthly-restyle\.yaml;/u);
      expect(err).toMatch(/look at it: makeready run \S+monthly-restyle\.yaml --limit 1;/u);
      expect(err).toContain("makeready init --kind export");
    }
  });

  it("colours that no code can be scanned in with its template are one fault of the manifest", async () => {
    const shop = await makeSeeded();
    const manifest = shop.job("monthly-restyle");
    const text = readFileSync(manifest, "utf8");
    const design = 'design: { template: Classic, background_color: "#333333" }';
    writeFileSync(manifest, text.replace(/^design: .*$/mu, design));
    for (const command of ["plan", "run"]) {
      const { code, out, err } = await runInProcess([command, manifest], NOVEMBER);
      expect(code).toBe(2);
      expect(`${out}${err}`.split("must go with colours that scanners read")).toHaveLength(2);
      expect(`${out}${err}`).not.toContain("Linde");
    }
  });

  it("a template is looked up and becomes fields; what it has not is taken back", async () => {
    const shop = await makeSeeded();
    await runJson(["run", shop.job("monthly-restyle")], NOVEMBER);
    const manifest = shop.job("monthly-restyle");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(
      manifest,
      text.replace(
        /^design: .*$/mu,
        'design: { template: Classic, primary_color: "#7a0000", eye_color: "#a00000" }',
      ),
    );
    const run = await runJson(["run", manifest], NOVEMBER);
    expect(run.code, run.err).toBe(0);
    await withApi(shop.data, async (api) => {
      expect(await designOf(api, "Linde / table 1")).toMatchObject({
        eye_color: "#a00000",
        frame_color: "#7a0000",
        frame: null,
        text: "",
      });
    });
    writeFileSync(manifest, text.replace(/^design: .*$/mu, "design: { template: Clasic }"));
    const wrong = await runInProcess(["run", manifest], NOVEMBER);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('did you mean "Classic"?');
  });

  it("a saved plan is carried out, or refused when the folder has changed since", async () => {
    const shop = await makeSeeded();
    const saved = path.join(shop.root, "plan.json");
    await runJson(["plan", shop.job("monthly-restyle"), "--out", saved], NOVEMBER);
    await withApi(shop.data, (api) => api.code(table(4)));
    const stale = await runInProcess(
      ["run", shop.job("monthly-restyle"), "--plan", saved],
      NOVEMBER,
    );
    expect(stale.code).toBe(6);
    await runJson(["plan", shop.job("monthly-restyle"), "--out", saved], NOVEMBER);
    const run = await runJson(["run", shop.job("monthly-restyle"), "--plan", saved], NOVEMBER);
    expect(run.code, run.err).toBe(0);
    expect(lineOf(run, "summary")).toMatchObject({ changed: 4 });
  });

  it("status and verify know where the last run was put, on whatever day they are asked", async () => {
    const shop = await makeSeeded();
    await runJson(["run", shop.job("monthly-restyle")], NOVEMBER);
    const status = await runInProcess(["status", shop.job("monthly-restyle")], DECEMBER);
    expect(status.out).toContain("3 done");
    const proof = await runJson(["verify", shop.job("monthly-restyle")], DECEMBER);
    expect(lineOf(proof, "summary")).toMatchObject({ problems: [] });
    writeFileSync(
      path.join(shop.root, "out/restyle/2026-11-01/artwork/linde-table-1.svg"),
      "<svg/>",
    );
    const spoiled = await runJson(["verify", shop.job("monthly-restyle")], DECEMBER);
    expect(spoiled.out).toContain("file must be as it was written");
  });

  it("an unknown folder is reported with the existing folders", async () => {
    const shop = await makeSeeded();
    const run = await runInProcess(
      ["run", shop.job("monthly-restyle"), "--set", "select.folder=Tables/Nord"],
      NOVEMBER,
    );
    expect(run.code).toBe(2);
    expect(run.err).toContain('did you mean "Tables/North"?');
  });
});

describe("jobs/export-codes.yaml (docs/spec/jobs.md section 1, export)", () => {
  it("fetches the artwork of codes that exist, packs and proves it; 0 writes, twice", async () => {
    const shop = await makeSeeded();
    for (const how of ["read back", "proven before"]) {
      const run = await runJson(["run", shop.job("export-codes")], NOVEMBER);
      expect(run.code, run.err).toBe(0);
      expect(lineOf(run, "summary"), how).toMatchObject({
        rows: 6,
        writes: 0,
        failed: 0,
        proof: `all 6 codes read back from the PDFs, 6 PNGs ${how}, 6 SVGs ${how}, no rule broken`,
      });
    }
    const run = await runJson(["run", shop.job("export-codes")], NOVEMBER);
    const job = (await loadJob(shop.job("export-codes"), { env: {} })) as JobOf<"export">;
    const index = readIndex(job.output.dir);
    expect(index.map(({ destination }) => destination)).toContain("https://menu.example/t/92");
    expect(index.map(({ files }) => files).join(" ")).toContain(
      "artwork/Tables/North/Linde/linde-table-2.png",
    );
    await checkImages(job, index);
    checkArchives(job, index);
    checkSheets(job, index);
    checkReport(job, index, lineOf(run, "summary") as unknown as Told);
    await checkWorkbook(job, index);
    await checkCodes(job, index);
  });

  it("fetches no file again that is as it was, on whatever port the service listens", async () => {
    const shop = await makeSeeded();
    // The service draws a code when it is first asked for it.
    for (const _round of [1, 2]) await runJson(["run", shop.job("export-codes")], NOVEMBER);
    const plan = await runInProcess(["plan", shop.job("export-codes")], NOVEMBER);
    expect(plan.out).not.toContain("fetched anew");
    expect(plan.out).toContain("calls     0 writes, 2 reads");
  });

  it("shows a code's new design when somebody changed it since", async () => {
    const shop = await makeSeeded();
    await runJson(["run", shop.job("export-codes")], NOVEMBER);
    await withApi(shop.data, async (api) => {
      const [code] = await api.list();
      await api.call("PATCH", `/qrcode/${String(code?.["id"])}/design/`, {
        primary_color: "#aa0000",
      });
    });
    await runJson(["run", shop.job("export-codes")], NOVEMBER);
    const files = readdirSync(path.join(shop.root, "out/export-codes/artwork"), {
      recursive: true,
      encoding: "utf8",
    }).filter((name) => name.endsWith(".svg"));
    const texts = files.map((name) =>
      readFileSync(path.join(shop.root, "out/export-codes/artwork", name), "utf8"),
    );
    expect(texts.filter((text) => text.includes("#aa0000"))).toHaveLength(1);
  });
});
