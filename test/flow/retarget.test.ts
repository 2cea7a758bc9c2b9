import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import type { Transport } from "../../src/client/wire.ts";
import type { JobOf } from "../../src/kinds/any-job.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { RetargetPlanner, type TargetCode } from "../../src/plan/retarget.ts";
import { checkReport, readIndex, type Told } from "./check-output.ts";
import { frozenClock, runInProcess } from "./in-process.ts";
import { lineOf, makeShop, runJson, withApi, type Api } from "./seed.ts";

/** The world outside: every address answers, but those that name a status. */
const asked: string[] = [];
const world: Transport = {
  send: ({ method, url }) => {
    asked.push(`${method} ${url}`);
    const status = Number(/\/status\/(\d+)/u.exec(url)?.[1] ?? "200");
    return Promise.resolve({
      status: method === "HEAD" && url.includes("/no-head") ? 405 : status,
      headers: new Headers(),
      body: new Uint8Array(),
      sentAtMs: 0,
      receivedAtMs: 0,
    });
  },
  close: () => Promise.resolve(),
};
const HERE = { clock: frozenClock, transport: world };

interface Shop {
  readonly shop: ReturnType<typeof makeShop>;
  readonly manifest: string;
  readonly write: (csv: string) => void;
}

/** The sample job over a spreadsheet of the test's own. */
function makeRetarget(csv?: string): Shop {
  const shop = makeShop();
  const write = (text: string): void =>
    writeFileSync(path.join(shop.root, "samples/new-urls.csv"), text);
  if (csv !== undefined) write(csv);
  return { shop, manifest: shop.job("menu-url-change"), write };
}

const seedSample = async (api: Api): Promise<number> => {
  const lines = readFileSync("samples/new-urls.csv", "utf8").trim().split("\r\n").slice(1);
  for (const line of lines) {
    const [name, old] = line.split(";");
    await api.code({
      qr_data: old === "" ? "https://menu.example/somewhere" : old,
      dynamic: true,
      display_name: name,
      folderPath: "Tables",
    });
  }
  return lines.length;
};

async function seedFew(api: Api) {
  const code = (n: number, more: object = {}) =>
    api.code({
      qr_data: `https://a.example/${n}`,
      dynamic: true,
      display_name: `table ${n}`,
      ...more,
    });
  const codes = [await code(1), await code(2), await code(3)];
  const still = await code(4, { dynamic: false });
  await code(5, { display_name: "twin" });
  await code(6, { display_name: "twin" });
  const { body: link } = await api.call("POST", "/link/create/", {
    workspace: api.workspace,
    link: "https://a.example/link",
    display_name: "door",
  });
  return { codes, still, link };
}

const toCode = (id: string, name: string): TargetCode => ({
  id,
  name,
  isLink: false,
  isDynamic: true,
  type: "URL",
  destination: `https://a.example/${id}`,
  created: "2026-01-01T00:00:00Z",
  shortLink: null,
  folder: null,
  tags: [],
});

/** Rows with a new name. */
const renaming = (...more: string[]): string =>
  `code,new_url,name\n${more.map((row) => `${row}\n`).join("")}`;

/** The sample job sets names, too. */
function rename(manifest: string, source = "source: {"): void {
  const text = readFileSync(manifest, "utf8")
    .replace(/^set: .*$/mu, 'set: { qr_data: "{{ new_url }}", display_name: "{{ name }}" }')
    .replace("columns: {", "columns: { name: {},")
    .replace("source: {", source);
  writeFileSync(manifest, text);
}

const destinations = async (api: Api): Promise<Record<string, unknown>> =>
  Object.fromEntries((await api.list()).map((code) => [code["display_name"], code["qr_data"]]));

describe("jobs/menu-url-change.yaml (docs/spec/jobs.md section 1, retarget)", () => {
  it("1 write per code; a second run 0; undo 1 per code, and 0 again", async () => {
    const { shop, manifest } = makeRetarget();
    const count = await withApi(shop.data, seedSample);
    const before = await withApi(shop.data, destinations);
    const plan = await runJson(["plan", manifest], HERE);
    expect(lineOf(plan, "plan"), plan.err).toMatchObject({
      rows: count,
      updates: count,
      writes: count,
    });
    const run = await runJson(["run", manifest], HERE);
    expect(run.code, run.err).toBe(0);
    expect(lineOf(run, "summary")).toMatchObject({ changed: count, writes: count, failed: 0 });
    const job = (await loadJob(manifest, { env: {} })) as JobOf<"retarget">;
    const index = readIndex(job.output.dir);
    const rows = readFileSync("samples/new-urls.csv", "utf8").trim().split("\r\n").slice(1);
    expect(index.map(({ destination }) => destination)).toEqual(
      rows.map((row) => row.split(";")[2]),
    );
    checkReport(job, index, lineOf(run, "summary") as unknown as Told);
    const after = await withApi(shop.data, destinations);
    expect(
      Object.values(after).every((url) => String(url).startsWith("https://karte.example/")),
    ).toBe(true);
    const again = await runJson(["run", manifest], HERE);
    expect(again.code, again.err).toBe(0);
    expect(lineOf(again, "summary")).toMatchObject({ changed: 0, unchanged: count, writes: 0 });
    const undo = await runJson(["undo", manifest], HERE);
    expect(undo.code, undo.err).toBe(0);
    expect(lineOf(undo, "summary")).toMatchObject({ changed: count, writes: count });
    expect(await withApi(shop.data, destinations)).toEqual(before);
    const back = readIndex(job.output.dir).map((row) => [row["display_name"], row["destination"]]);
    expect(Object.fromEntries(back)).toEqual(before);
    expect(readFileSync(path.join(job.output.dir, "report.html"), "utf8")).toContain(
      "were put back to what they were before the run of",
    );
    expect(lineOf(await runJson(["undo", manifest], HERE), "summary")).toMatchObject({ writes: 0 });
  });

  it("finds codes and short links by id, short link and name; says what is ambiguous or unknown", async () => {
    const { shop, manifest, write } = makeRetarget();
    const { codes, link } = await withApi(shop.data, async (api) => {
      await api.code({ qr_data: "https://a.example/late", dynamic: true, display_name: "late" });
      return seedFew(api);
    });
    const bare = String(codes[1]?.["shortlink_url"]).replace("http://", "");
    write(
      [
        "code,new_url",
        `${String(codes[0]?.["id"])},https://b.example/1`,
        `${bare}/,https://b.example/2`,
        "table 3,https://b.example/3",
        `${String(link["shortlink_url"])},https://b.example/link`,
        "twin,https://b.example/twin",
        "nobody,https://b.example/nobody",
        "table 4,https://b.example/4",
        "table 1,https://b.example/again",
        "table 2,htp://nowhere",
        "late,htp://nowhere",
        "late,https://b.example/late",
      ].join("\n"),
    );
    const run = await runJson(["run", manifest], HERE);
    expect(run.code, run.err).toBe(3);
    expect(lineOf(run, "summary")).toMatchObject({ rows: 11, changed: 4, bad: 7, writes: 4 });
    const failed = readFileSync(
      path.join(shop.root, "jobs/out/menu-url-change/failed-rows.csv"),
      "utf8",
    );
    expect(failed).toMatch(/twin.*the name of several: .*; .*write the id or the short link/u);
    expect(failed).toMatch(/nobody.*must name a code that exists/u);
    expect(failed).toMatch(/table 4.*a static code carries its destination in print/u);
    expect(failed).toMatch(/table 1.*every code must be named once.*first on line 2/u);
    expect(failed).toMatch(/late,https:.*every code must be named once.*first on line 11/u);
    expect(failed).toContain("must be a URL");
    await withApi(shop.data, async (api) => {
      expect(await destinations(api)).toMatchObject({
        "table 1": "https://b.example/1",
        "table 2": "https://b.example/2",
        "table 3": "https://b.example/3",
        "table 4": "https://a.example/4",
      });
      const { body } = await api.call("GET", `/link/${String(link["id"])}/`);
      expect(body["link"]).toBe("https://b.example/link");
    });
    const undo = await runJson(["undo", manifest], HERE);
    expect(lineOf(undo, "summary")).toMatchObject({ changed: 4, failed: 0, writes: 4 });
    await withApi(shop.data, async (api) => {
      const { body } = await api.call("GET", `/link/${String(link["id"])}/`);
      expect(body["link"]).toBe("https://a.example/link");
    });
  });

  it("reads few ids one by one when the list is longer; the plan counts its reads", async () => {
    const { shop, manifest, write } = makeRetarget("");
    const { ids, shortLink } = await withApi(shop.data, async (api) => {
      const { codes, link } = await seedFew(api);
      for (let n = 0; n < 810; n += 1) {
        await api.code({ qr_data: `https://a.example/${n}`, dynamic: false });
      }
      return {
        ids: [String(codes[0]?.["id"]), String(link["id"])],
        shortLink: String(codes[1]?.["shortlink_url"]),
      };
    });
    const header = "code;old_url;new_url\n";
    // 816 codes are 5 pages; one GET counts them, two find a code, three a short link.
    for (const [at, reads] of [1 + 2, 1 + 3].entries()) {
      write(`${header}${ids[at]};;https://b.example/new\n`);
      const few = await runJson(["plan", manifest], HERE);
      expect(lineOf(few, "plan")).toMatchObject({ good: 1, updates: 1, reads });
    }
    // An unknown id is looked for in the list, and so is a name.
    write(`${header}${ids[0]};;https://b.example/new\ntable 2;;https://b.example/2\n`);
    const named = await runJson(["plan", manifest], HERE);
    expect(lineOf(named, "plan")).toMatchObject({ good: 2, reads: 5 + 1 });
    // A short link is found with one search, however it is typed; an unknown one by the list.
    const typed = shortLink.replace("https://", "HTTP://");
    write(`${header}${typed}/;;https://b.example/new\n`);
    expect(lineOf(await runJson(["plan", manifest], HERE), "plan")).toMatchObject({
      good: 1,
      reads: 2,
    });
    write(`${header}${shortLink}x;;https://b.example/new\n`);
    expect(lineOf(await runJson(["plan", manifest], HERE), "plan")).toMatchObject({
      good: 0,
      bad: 1,
    });
    write(
      `${header}${ids[0]};;https://b.example/new\n${ids[0]?.replace(/^./u, "0")};;https://b.example/2\n`,
    );
    const run = await runJson(["run", manifest], HERE);
    expect(lineOf(run, "summary")).toMatchObject({ changed: 1, bad: 1 });
  });

  it("expect: a code that leads elsewhere today fails; one that is done already doesn't", async () => {
    const { shop, manifest } = makeRetarget(
      "code,old_url,new_url\ntable 1,https://a.example/1,https://b.example/1\ntable 2,https://other.example,https://b.example/2\n",
    );
    await withApi(shop.data, seedFew);
    const run = await runJson(["run", manifest], HERE);
    expect(lineOf(run, "summary")).toMatchObject({ changed: 1, bad: 1, writes: 1 });
    expect(run.out).toContain(
      "must be where the code leads today, got https://other.example: it leads to https://a.example/2",
    );
    const again = await runJson(["run", manifest], HERE);
    expect(lineOf(again, "summary")).toMatchObject({ changed: 0, bad: 1, unchanged: 1, writes: 0 });
    // The list of the bad row is no spreadsheet of the job: the run would write it anew.
    const own = ["--set", "output.dir=own", "--set", "source.file=own/failed-rows.csv"];
    const refused = await runInProcess(["plan", manifest, ...own], HERE);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining("source.file must be a file of your own, got failed-rows.csv"),
    ]);
  });

  it("check_destination: an address that doesn't answer is not pointed to; HEAD first, then GET", async () => {
    const { shop, manifest } = makeRetarget(
      "code,new_url\ntable 1,https://b.example/status/404\ntable 2,https://b.example/no-head\ntable 3,https://b.example/no-head\n",
    );
    await withApi(shop.data, seedFew);
    asked.length = 0;
    const run = await runJson(["run", manifest], HERE);
    expect(run.code).toBe(3);
    expect(lineOf(run, "summary")).toMatchObject({ changed: 2, failed: 1, writes: 2 });
    expect(run.out).toContain("the new destination must answer, got 404");
    const progress = run.out.split("\n").filter((line) => line.startsWith('{"type":"progress"'));
    for (const line of progress) {
      const { done, failed } = JSON.parse(line) as { done: number; failed: number };
      expect(done).toBeGreaterThanOrEqual(failed);
    }
    expect(asked.toSorted()).toEqual([
      "GET https://b.example/no-head",
      "HEAD https://b.example/no-head",
      "HEAD https://b.example/status/404",
    ]);
  });

  it("the index says where codes lead that the run did not reach: after --limit, after a refusal, after undo", async () => {
    const { shop, manifest } = makeRetarget(
      "code,new_url\ntable 1,https://b.example/status/404\ntable 2,https://b.example/2\ntable 3,https://b.example/3\n",
    );
    await withApi(shop.data, seedFew);
    const { output } = (await loadJob(manifest, { env: {} })) as JobOf<"retarget">;
    const told = (): Record<string, unknown> =>
      Object.fromEntries(
        readIndex(output.dir).map((row) => [row["display_name"], row["destination"]]),
      );
    const live = async (): Promise<Record<string, unknown>> => {
      const all = await withApi(shop.data, destinations);
      return Object.fromEntries(Object.keys(told()).map((name) => [name, all[name]]));
    };
    await runJson(["run", manifest, "--limit", "2"], HERE);
    expect(told()).toEqual(await live());
    expect(told()["table 1"]).toBe("https://a.example/1");
    await runJson(["undo", manifest], HERE);
    expect(told()).toEqual(await live());
    expect(told()["table 3"]).toBe("https://a.example/3");
    await runJson(["run", manifest], HERE);
    expect(told()).toEqual(await live());
    expect(told()["table 3"]).toBe("https://b.example/3");
  });

  it("undo takes runs with --limit as one with the run after them, and says how many and since when", async () => {
    const { shop, manifest } = makeRetarget(
      "code,new_url\ntable 1,https://b.example/1\ntable 2,https://b.example/2\ntable 3,https://b.example/3\n",
    );
    await withApi(shop.data, seedFew);
    const before = await withApi(shop.data, destinations);
    for (const limit of ["1", "2"])
      expect((await runJson(["run", manifest, "--limit", limit], HERE)).code).toBe(0);
    const unasked = await runInProcess(["undo", manifest, "--set", "safety.confirm_over=1"], HERE);
    expect(unasked.err).toMatch(
      /put 3 codes back to before 2026-01-01 \d\d:\d\d UTC \(2 runs changed them since\)\n/u,
    );
    const undone = await runInProcess(["undo", manifest], HERE);
    expect(undone.out).toMatch(
      /\n {2}codes {5}3 put back; 2 runs since 2026-01-01 \d\d:\d\d UTC had changed them\n/u,
    );
    expect(await withApi(shop.data, destinations)).toEqual(before);
    expect((await runJson(["run", manifest], HERE)).code).toBe(0);
    const one = await runJson(["undo", manifest], HERE);
    expect(lineOf(one, "summary")).toMatchObject({ changed: 3 });
    expect(lineOf(one, "summary")).not.toHaveProperty("undid");
    expect(one.out).not.toContain("had changed them");
  });

  it("after --limit, status and index say which rows are left to do", async () => {
    const { shop, manifest } = makeRetarget(
      "code,new_url\ntable 1,https://b.example/1\ntable 2,https://b.example/2\ntable 3,https://b.example/3\n",
    );
    await withApi(shop.data, seedFew);
    const { output } = (await loadJob(manifest, { env: {} })) as JobOf<"retarget">;
    const states = () => readIndex(output.dir).map((row) => row["state"]);
    const say = async (): Promise<string> => (await runInProcess(["status", manifest], HERE)).out;
    const ran = await runJson(["run", manifest, "--limit", "1"], HERE);
    expect(JSON.stringify(lineOf(ran, "plan")["notes"])).toContain(
      "this run changes 1 of the 3 codes that are to be changed (--limit)",
    );
    const planned = await runInProcess(["plan", manifest, "--limit", "1"], HERE);
    expect([planned.code, planned.err]).toEqual([
      2,
      expect.stringContaining("plan is of the whole job and takes no --limit: run it with --limit"),
    ]);
    expect(states()).toEqual(["done", "pending", "pending"]);
    expect(await say()).toMatch(
      /\n {2}1 done\n {2}2 left to do: not yet as the job wants them \(changed by: makeready run /u,
    );
    const summary = lineOf(await runJson(["status", manifest], HERE), "summary");
    expect(summary).toMatchObject({ rows: { done: 1 }, unfinished: 2, left: 2 });
    await runJson(["run", manifest], HERE);
    expect(states()).toEqual(["done", "done", "done"]);
    expect(await say()).toMatch(/\n {2}3 done\n$/u);
    await runJson(["undo", manifest], HERE);
    expect(states()).toEqual(["done", "done", "done"]);
    expect(await say()).toContain("3 of the done were put back by undo");
  });

  it("sets names, folders and tags, and takes all of it back", async () => {
    const { shop, manifest } = makeRetarget(
      "code,new_url,name,room\ntable 1,https://b.example/1,Table one,North/Hall\ntable 2,https://a.example/2,table 2,\n",
    );
    await withApi(shop.data, seedFew);
    const text = readFileSync(manifest, "utf8");
    writeFileSync(
      manifest,
      text
        .replace(
          /^set: .*$/mu,
          'set: { qr_data: "{{ new_url }}", display_name: "{{ name }}", folder: "{{ room | prefix: Rooms/ }}", tags: [moved] }',
        )
        .replace("columns: {", "columns: { name: {}, room: {},"),
    );
    const run = await runJson(["run", manifest], HERE);
    expect(run.code, run.err).toBe(0);
    // Two updates would be one too many: table 2 only gets its tag. Three folders are made.
    expect(lineOf(run, "summary")).toMatchObject({ changed: 2, writes: 3 + 1 + 2 });
    await withApi(shop.data, async (api) => {
      const codes = await api.list("&include=tags");
      const one = codes.find((code) => code["display_name"] === "Table one");
      expect(one).toMatchObject({
        qr_data: "https://b.example/1",
        folder: { path: "Rooms/North/Hall" },
      });
      expect(one?.["tags"]).toMatchObject([{ title: "moved" }]);
    });
    expect(lineOf(await runJson(["run", manifest], HERE), "summary")).toMatchObject({
      bad: 0,
      unchanged: 2,
      writes: 0,
    });
    const undo = await runInProcess(["undo", manifest], HERE);
    expect(undo.code, undo.err).toBe(0);
    expect(undo.out).toContain("\nDone: ");
    await withApi(shop.data, async (api) => {
      const codes = await api.list("&include=tags");
      const one = codes.find((code) => code["display_name"] === "table 1");
      expect(one).toMatchObject({ qr_data: "https://a.example/1", folder: null, tags: [] });
    });
  });

  it("a row that renamed its code is known by it: it is skipped while others are mended", async () => {
    const [swapped, back] = ["table 1,,table 2", "table 2,,table 1"];
    const { shop, manifest, write } = makeRetarget(
      renaming(swapped, back, "nix,https://b.example/9,Nine"),
    );
    await withApi(shop.data, seedFew);
    const text = readFileSync(manifest, "utf8")
      .replace(/^set: .*$/mu, 'set: { qr_data: "{{ new_url }}", display_name: "{{ name }}" }')
      .replace("columns: {", "columns: { name: {},")
      .replace("new_url: { type: url, required: true }", "new_url: {}");
    writeFileSync(manifest, text);
    const run = async () => lineOf(await runJson(["run", manifest], HERE), "summary");
    expect(await run()).toMatchObject({ changed: 2, bad: 1 });
    write(renaming(swapped, back, "table 3,https://b.example/9,Nine"));
    expect(await run()).toMatchObject({ changed: 1, bad: 0, unchanged: 2 });
    expect(await run()).toMatchObject({ changed: 0, bad: 0, unchanged: 3 });
    expect(await withApi(shop.data, destinations)).toMatchObject({
      "table 2": "https://a.example/1",
      "table 1": "https://a.example/2",
      Nine: "https://b.example/9",
    });
    // The name belongs to another code by now, and the row is known by its key and wants something new.
    writeFileSync(manifest, text.replace("source: {", "source: { key: [code],"));
    write(renaming("table 1,https://c.example/1,table 2", "table 3,https://b.example/10,Nine"));
    const { out } = await runInProcess(["plan", manifest], HERE);
    expect(out).toContain('must mean one code, got "table 1": this job found "table 2" (');
    expect(out).toContain("codes     1 to update");
  });

  it("without a key, a row that renamed its code never takes over another one after an edit", async () => {
    const rows = ["table 1,https://b.example/1,table 2", "table 2,https://b.example/2,table 1"];
    const { shop, manifest, write } = makeRetarget(renaming(...rows));
    await withApi(shop.data, seedFew);
    rename(manifest);
    const run = async () => lineOf(await runJson(["run", manifest], HERE), "summary");
    expect(await run()).toMatchObject({ changed: 2, bad: 0 });
    const led = { "table 2": "https://b.example/1", "table 1": "https://b.example/2" };
    write(renaming("table 1,https://c.example/1,table 2", String(rows[1])));
    // The second run knows what the first one has refused.
    for (const _time of [1, 2]) {
      expect(await run()).toMatchObject({ changed: 0, bad: 1, unchanged: 1 });
      expect(await withApi(shop.data, destinations)).toMatchObject(led);
    }
    write(renaming(...rows));
    expect(await run()).toMatchObject({ changed: 0, bad: 0, unchanged: 2 });
  });

  it("a row that renamed its code finds it again after it was bad, or failed, for another reason", async () => {
    const { shop, manifest, write } = makeRetarget(renaming("table 1,https://b.example/1,One"));
    await withApi(shop.data, seedFew);
    rename(manifest);
    const run = async (url: string) => {
      write(renaming(`table 1,${url},One`));
      return lineOf(await runJson(["run", manifest], HERE), "summary");
    };
    expect(await run("https://b.example/1")).toMatchObject({ changed: 1 });
    expect(await run("htp://nowhere")).toMatchObject({ changed: 0, bad: 1 });
    expect(await run("https://b.example/status/404")).toMatchObject({ failed: 1, bad: 0 });
    expect(await run("https://b.example/3")).toMatchObject({ changed: 1, bad: 0 });
    expect(await withApi(shop.data, destinations)).toMatchObject({ One: "https://b.example/3" });
  });

  it.each([
    ["keeps its code", []],
    ["that lacks its tags, too, keeps its code", ["moved"]],
  ])("a row whose rename was made and the answer lost %s", (_what, tags) => {
    const codes = [toCode("1", "table 2"), toCode("2", "nine")];
    const [one, two] = codes as [TargetCode, TargetCode];
    const planner = new RetargetPlanner(
      {
        source: { file: "rows.csv" },
        match: { by: ["display_name"], value: "{{ code }}" },
        expect: null,
        set: { qrData: "{{ url }}", displayName: "{{ name }}", folder: null, tags },
      },
      {
        byId: () => undefined,
        byShortLink: () => [],
        byName: (wanted) => codes.filter(({ name }) => name === wanted),
        before: ({ line }) => ({ code: line === 2 ? two : one, isFinished: line !== 2 }),
      },
      { nowMs: 0 },
    );
    const plan = (line: number, code: string, url: string, name: string) => {
      const values = { code, url, name };
      return planner.add({ line, cells: values, values, problems: [] });
    };
    expect(plan(2, "table 2", "https://a.example/2", "nine")).toMatchObject({ code: { id: "2" } });
    expect(plan(3, "table 1", "https://a.example/1", "table 2")).toMatchObject({
      code: { id: "1" },
    });
  });

  it.each([
    ["https://go.example/ab", false],
    ["http://GO.example/ab/?utm=1", false],
    ["https://go.example/AB", true],
    ["https://go.example/ab/menu", true],
    ["https://go.example/ab?linkType=https://gs1.org/voc/pip", false, "GS1"],
  ])("a code that would lead to its own short link is refused: %s", (url, isGood, type = "URL") => {
    const code = { ...toCode("1", "table 1"), type, shortLink: "HTTPS://GO.EXAMPLE/ab" };
    const planner = new RetargetPlanner(
      {
        source: { file: "rows.csv" },
        match: { by: ["id"], value: "{{ code }}" },
        expect: null,
        set: { qrData: "{{ url }}", displayName: null, folder: null, tags: [] },
      },
      { byId: () => code, byShortLink: () => [], byName: () => [] },
      { nowMs: 0 },
    );
    const values = { code: "1", url };
    const planned = planner.add({ line: 2, cells: values, values, problems: [] });
    expect("code" in planned).toBe(isGood);
    const said = "problems" in planned ? planned.problems.map(({ message }) => message) : [];
    expect(said.every((message) => reasonInGerman(message)?.startsWith("Ein Code darf"))).toBe(
      true,
    );
    if (!isGood) expect(said.join(" ")).toMatch(/must not lead to its own short link/u);
  });

  it("a chain of renames goes on after --limit, and after an undo of half of it", async () => {
    const { shop, manifest } = makeRetarget(
      renaming("table 1,https://b.example/1,table 2", "table 2,https://b.example/2,nine"),
    );
    const { codes } = await withApi(shop.data, seedFew);
    rename(manifest, "source: { key: [code],");
    const run = async (...more: string[]) =>
      lineOf(await runJson(["run", manifest, ...more], HERE), "summary");
    const expectAll = async () =>
      expect(await withApi(shop.data, destinations)).toMatchObject({
        "table 2": "https://b.example/1",
        nine: "https://b.example/2",
      });
    expect(await run("--limit", "1")).toMatchObject({ changed: 1 });
    expect(await run()).toMatchObject({ changed: 1, bad: 0, unchanged: 1 });
    await expectAll();
    // The undo leaves the first code alone, and puts the second one back: two have one name.
    const lead = (url: string) =>
      withApi(shop.data, async (api) => {
        await api.call("PATCH", `/qrcode/${String(codes[0]?.["id"])}/update/`, { qr_data: url });
        return (await api.list()).filter((code) => code["display_name"] === "table 2").length;
      });
    await lead("https://c.example");
    const undo = await runJson(["undo", manifest], HERE);
    expect(lineOf(undo, "summary")).toMatchObject({ changed: 1, failed: 1 });
    expect(await lead("https://b.example/1")).toBe(2);
    expect(await run()).toMatchObject({ changed: 1, bad: 0, unchanged: 1 });
    await expectAll();
  });

  it("undo refuses a code that somebody has changed since, and puts back the others", async () => {
    const { shop, manifest } = makeRetarget(
      "code,new_url\ntable 1,https://b.example/1\ntable 2,https://b.example/2\n",
    );
    const { codes } = await withApi(shop.data, seedFew);
    await runJson(["run", manifest], HERE);
    await withApi(shop.data, (api) =>
      api.call("PATCH", `/qrcode/${String(codes[0]?.["id"])}/update/`, {
        qr_data: "https://c.example",
      }),
    );
    const undo = await runInProcess(["undo", manifest], HERE);
    expect(undo.code).toBe(3);
    expect(undo.out).toContain("\nDone, but 1 code was not put back: ");
    const [report = ""] = /\S+report\.html/u.exec(undo.out) ?? [];
    expect(readFileSync(path.resolve(report), "utf8")).toContain(
      '<div class="verdict warn">Done, but 1 code was not put back</div>',
    );
    expect(undo.err).toContain(
      'somebody has changed it since the run; look at it, then put it back with --force (qr_data is "https://c.example")',
    );
    expect(await withApi(shop.data, destinations)).toMatchObject({
      "table 1": "https://c.example",
      "table 2": "https://a.example/2",
    });
    // The index says where each code leads, that of the one left alone too.
    const [index = ""] = /\S+index\.csv/u.exec(undo.out) ?? [];
    const led = readIndex(path.dirname(path.resolve(index))).map((row) => row["destination"]);
    expect(led).toEqual(["https://c.example", "https://a.example/2"]);
    const status = lineOf(await runJson(["status", manifest], HERE), "summary");
    expect(status).toMatchObject({ undone: 1, unfinished: 1 });
  });

  it("confirm_over: more changes want a yes", async () => {
    const { shop, manifest } = makeRetarget(
      "code,new_url\ntable 1,https://b.example/1\ntable 2,https://b.example/2\n",
    );
    await withApi(shop.data, seedFew);
    const ask = ["run", manifest, "--set", "safety.confirm_over=1"];
    const planned = await runInProcess(["plan", ...ask.slice(1)], HERE);
    expect(planned.out).toContain("more than 1 change (safety.confirm_over): a run asks first");
    const silent = await runInProcess(ask, HERE);
    expect(silent.code).toBe(2);
    expect(silent.err).toContain("this would change 2 codes");
    // With a limit, the run changes fewer, and only these count.
    const none = [...ask.slice(0, -1), "safety.confirm_over=0", "--limit", "1"];
    expect((await runInProcess(none, HERE)).err).toContain("this would change 1 code\n");
    const few = await runInProcess([...ask, "--limit", "1", "--json"], HERE);
    expect(lineOf(few, "summary")).toMatchObject({ changed: 1 });
    expect(few.out).not.toContain("needs-yes");
    expect((await runInProcess(["undo", manifest], HERE)).code).toBe(0);
    expect((await runInProcess([...ask, "--yes"], HERE)).code).toBe(0);
  });
});
