/** The hot folder: whatever is put in, and whatever befalls the watcher, each ends once. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { beforeEach, describe, expect, it } from "vitest";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { HotFolder, type Delivered } from "../../src/pipeline/hot-folder/hot-folder.ts";
import { toFailure, type Order, type OrderRun } from "../../src/pipeline/hot-folder/order.ts";
import { runHere, runInProcess } from "../flow/in-process.ts";
import { runProgram } from "../flow/program.ts";
import { openRemote } from "../flow/remote.ts";

const SETTLE_MS = 2000;

interface Watched {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly delivered: Delivered[];
  readonly waiting: string[];
  hot: HotFolder;
  /** Watches for so long, looking twice a second. */
  watch(seconds: number): Promise<void>;
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "makeready-watch-"));
});

const at = (...names: string[]): string => path.join(folder, ...names);
const put = (name: string, text = "key\nA\n"): void => writeFileSync(at("in", name), text);
const list = (...names: string[]): string[] =>
  existsSync(at(...names)) ? readdirSync(at(...names)).toSorted() : [];

const fine = async ({ out, source }: Order): Promise<OrderRun> => {
  mkdirSync(out, { recursive: true });
  const file = path.join(out, "labels.pdf");
  writeFileSync(file, `of ${readFileSync(source, "utf8")}`);
  writeFileSync(path.join(out, "state.db"), "state");
  return {
    exitCode: 0,
    reason: undefined,
    files: [file],
    isRehearsal: false,
    summary: { rows: 1 },
  };
};

async function open(run: (order: Order) => Promise<OrderRun> = fine): Promise<Watched> {
  const [clock, delivered, waiting] = [fakeClock(), [] as Delivered[], [] as string[]];
  const hot = new HotFolder({
    folder,
    settleMs: SETTLE_MS,
    clock,
    ids: randomIds,
    signal: new AbortController().signal,
    run,
    tell: (one) => delivered.push(one),
    tellWaiting: (name) => waiting.push(name),
  });
  await hot.prepare();
  writeFileSync(at("job.yaml"), "version: 1\n");
  return {
    folder,
    clock,
    delivered,
    waiting,
    hot,
    async watch(seconds) {
      for (let half = 0; half < seconds * 2; half += 1) {
        await hot.look();
        await clock.advance(500);
      }
    },
  };
}

const placesOf = (): Record<string, number> => {
  const all = ["ready", "mend"].flatMap((place) => list(place));
  return Object.fromEntries(all.map((name) => [name, all.filter((one) => one === name).length]));
};

describe("a hot folder", () => {
  it("waits until a file has stopped growing, takes one that was renamed in, and leaves folders and unfinished names alone", async () => {
    const watched = await open();
    put("slow.csv", "key\n");
    put("other.csv.part");
    put("~$open.xlsx");
    mkdirSync(at("in", "other.yaml"));
    for (let second = 0; second < 6; second += 1) {
      await watched.watch(1);
      appendFileSync(at("in", "slow.csv"), `row ${second}\n`);
    }
    expect(watched.delivered).toEqual([]);
    renameSync(at("in", "other.csv.part"), at("in", "other.csv"));
    await watched.watch(4);
    expect(watched.delivered.map(({ name, place }) => [name, place])).toEqual([
      ["other", "ready"],
      ["slow", "ready"],
    ]);
    expect(list("ready", "slow")).toEqual(["labels.pdf", "slow.csv", "status.json"]);
    expect(readFileSync(at("ready", "slow", "labels.pdf"), "utf8")).toContain("row 5");
    expect(JSON.parse(readFileSync(at("ready", "slow", "status.json"), "utf8"))).toMatchObject({
      state: "ready",
      exitCode: 0,
      summary: { rows: 1 },
    });
    expect(list("in")).toEqual(["other.yaml", "~$open.xlsx"]);
  });

  it("runs a spreadsheet by its own manifest, put in while another one ran", async () => {
    const manifests: string[] = [];
    const watched = await open(async (order) => {
      manifests.push(path.relative(folder, order.manifest));
      if (order.name === "first") put("second.yaml", "version: 1\n");
      return fine(order);
    });
    put("first.csv");
    put("second.csv");
    await watched.watch(5);
    expect(manifests).toEqual(["job.yaml", "work/second.yaml"]);
    expect(list("in")).toEqual([]);
  });

  it("takes hundreds that lie there at the start, in the order in which people count, each once", async () => {
    const watched = await open();
    for (let n = 1; n <= 300; n += 1) put(`order ${n}.csv`);
    await watched.watch(4);
    expect(watched.delivered.map(({ file }) => file)).toEqual(
      Array.from({ length: 300 }, (_, n) => `order ${n + 1}.csv`),
    );
    expect(Object.values(placesOf()).every((count) => count === 1)).toBe(true);
    expect(list("in")).toEqual([]);
    expect(readdirSync(at("work", "order 7")).toSorted()).toEqual(["out", "status.json"]);
  });

  it("sends what is bad to mend/ with the reason, and what failed in part with its files", async () => {
    const watched = await open(async (order) => {
      if (order.name === "half")
        return { ...(await fine(order)), exitCode: 3, reason: "2 rows failed" };
      if (order.name === "broken") throw new Error("it broke");
      return order.name === "refused" ? toFailure(2, "no such column") : fine(order);
    });
    put("half.csv");
    put("broken.csv");
    put("refused.csv");
    put("failed-rows.csv");
    put("picture.png");
    symlinkSync("/etc/hostname", at("in", "link.csv"));
    await watched.watch(4);
    const reasons = Object.fromEntries(watched.delivered.map(({ name, reason }) => [name, reason]));
    expect(reasons).toEqual({
      broken: "it broke",
      // A run would make the codes of its rows, and that of the whole spreadsheet once more.
      "failed-rows":
        "it must not have the name of a list that a run writes: put the spreadsheet itself, mended, into in/ under its own name",
      half: "2 rows failed",
      link: "it must be a file, got a link to /etc/hostname: put the file itself into in/",
      picture: "it must be a CSV or XLSX file: save it as one",
      refused: "no such column",
    });
    expect(list("mend")).toEqual(["broken", "failed-rows", "half", "link", "picture", "refused"]);
    expect(list("mend", "failed-rows")).toEqual(["failed-rows.csv", "reason.txt", "status.json"]);
    expect(list("mend", "half")).toEqual(["half.csv", "labels.pdf", "reason.txt", "status.json"]);
    expect(list("mend", "refused")).toEqual(["reason.txt", "refused.csv", "status.json"]);
    // It is handed back as what it is, and nobody has followed it.
    expect(list("mend", "link")).toEqual(["link.csv", "reason.txt", "status.json"]);
    expect(readlinkSync(at("mend", "link", "link.csv"))).toBe("/etc/hostname");
    expect(readFileSync(at("mend", "link", "reason.txt"), "utf8")).toContain("/etc/hostname");
    expect(list("ready")).toEqual([]);
  });

  it("hands a spreadsheet back under its own name where a list has that name, too", async () => {
    const watched = await open(async (order) => {
      const made = await fine(order);
      const file = path.join(order.out, "index.csv");
      writeFileSync(file, "made\n");
      return { ...made, files: [...made.files, file] };
    });
    put("index.csv");
    await watched.watch(4);
    expect(list("ready", "index")).toEqual(["index.csv", "labels.pdf", "source", "status.json"]);
    expect(readFileSync(at("ready", "index", "index.csv"), "utf8")).toBe("made\n");
    expect(readFileSync(at("ready", "index", "source", "index.csv"), "utf8")).toBe("key\nA\n");
    put("status.json");
    await watched.watch(12);
    expect(list("mend", "status")).toEqual(["reason.txt", "source", "status.json"]);
    expect(readFileSync(at("mend", "status", "source", "status.json"), "utf8")).toBe("key\nA\n");
  });

  it("follows no manifest that is a link, unless it is the folder's own", async () => {
    const outside = path.join(mkdtempSync(path.join(os.tmpdir(), "makeready-outside-")), "j.yaml");
    writeFileSync(outside, "version: 1\n");
    const ran: string[] = [];
    const watched = await open(async (order) => {
      ran.push(order.name);
      return fine(order);
    });
    symlinkSync(outside, at("in", "menu.yaml"));
    put("menu.csv");
    await watched.watch(12);
    expect(watched.delivered).toMatchObject([
      {
        name: "menu",
        place: "mend",
        reason: `menu.yaml must be a file, got a link to ${outside}: put the file itself into in/`,
      },
    ]);
    rmSync(at("job.yaml"), { force: true });
    symlinkSync(outside, at("job.yaml"));
    put("other.csv");
    await watched.watch(12);
    expect(ran).toEqual(["other"]);
  });

  it("runs a name again with its own state, and never writes over what lies there", async () => {
    const states: boolean[] = [];
    const watched = await open(async (order) => {
      states.push(existsSync(path.join(order.out, "state.db")));
      return fine(order);
    });
    put("menu.csv", "one");
    put("menu.yaml", "version: 1");
    await watched.watch(4);
    put("menu.csv", "two");
    await watched.watch(4);
    expect(states).toEqual([false, true]);
    expect(list("ready")).toEqual(["menu", "menu-2"]);
    expect(readFileSync(at("ready", "menu", "labels.pdf"), "utf8")).toBe("of one");
    expect(readFileSync(at("ready", "menu-2", "labels.pdf"), "utf8")).toBe("of two");
    expect(list("work")).toContain("menu.yaml");
  });

  it("takes of two files of one name the other one only when the first has ended", async () => {
    const codes = [5, 0, 0];
    const watched = await open(async (order) => {
      const code = codes.shift();
      return code === 0 ? fine(order) : toFailure(code ?? 1, "the server is away");
    });
    put("menu.csv", "one");
    put("menu.txt", "two");
    await watched.watch(10);
    expect(list("work", "menu", "source")).toEqual(["menu.csv"]);
    expect(list("in")).toEqual(["menu.txt"]);
    await watched.watch(40);
    expect(watched.delivered.map(({ file, place }) => [file, place])).toEqual([
      ["menu.csv", "ready"],
      ["menu.txt", "ready"],
    ]);
    expect(list("ready")).toEqual(["menu", "menu-2"]);
    expect(readFileSync(at("ready", "menu-2", "labels.pdf"), "utf8")).toBe("of two");
  });

  it("runs one again that was still being written while it ran", async () => {
    let runs = 0;
    const watched = await open(async (order) => {
      runs += 1;
      const made = await fine(order);
      if (runs === 1) appendFileSync(order.source, "B\n");
      return made;
    });
    put("slow.csv");
    await watched.watch(10);
    expect(watched.delivered).toEqual([]);
    expect(watched.waiting).toEqual(["slow"]);
    await watched.watch(40);
    expect(watched.delivered.map(({ name }) => name)).toEqual(["slow"]);
    expect(readFileSync(at("ready", "slow", "labels.pdf"), "utf8")).toBe("of key\nA\nB\n");
  });

  it("takes a new file at once where somebody deleted the refused order of its name", async () => {
    const codes = [4, 0];
    const watched = await open(async (order) => {
      const code = codes.shift();
      return code === 0 ? fine(order) : toFailure(code ?? 1, "the token is refused");
    });
    put("menu.csv", "one");
    await watched.watch(4);
    expect([watched.waiting, await watched.hot.look()]).toEqual([["menu"], 0]);
    rmSync(at("work", "menu"), { recursive: true });
    put("menu.csv", "two");
    expect(await watched.hot.look()).toBe(1);
    await watched.watch(4);
    expect(watched.delivered.map(({ name, place }) => [name, place])).toEqual([["menu", "ready"]]);
    expect(readFileSync(at("ready", "menu", "labels.pdf"), "utf8")).toBe("of two");
  });

  it("goes on where one order can't be handed on, and tries that one again", async () => {
    const watched = await open();
    put("a.csv");
    put("b.csv");
    writeFileSync(at("work", "a"), "in the way");
    put("c.yaml.csv");
    put("state.db.lock.csv");
    writeFileSync(at("work", "c.yaml"), "version: 1\n");
    await watched.watch(5);
    expect(list("ready")).toEqual(["b", "c-yaml", "state.db-lock"]);
    expect(watched.waiting).toEqual(["a"]);
    rmSync(at("work", "a"));
    await watched.watch(40);
    expect(list("ready")).toEqual(["a", "b", "c-yaml", "state.db-lock"]);
  });

  it("waits for a manifest, then says that there is none; tries again later where the server is away", async () => {
    const codes = [5, 7, 0];
    const watched = await open(async (order) =>
      order.name === "later" && codes[0] !== 0
        ? toFailure(codes.shift() ?? 0, "the server is away")
        : fine(order),
    );
    put("later.csv");
    put("later.yaml");
    renameSync(at("job.yaml"), at("no.yaml"));
    put("none.csv");
    await watched.watch(8);
    expect(watched.delivered).toEqual([]);
    expect(watched.waiting).toEqual(["later"]);
    await watched.watch(100);
    expect(watched.delivered.map(({ name, place }) => [name, place])).toEqual([
      ["none", "mend"],
      ["later", "ready"],
    ]);
    expect(watched.delivered[0]?.reason).toContain("got neither none.yaml in in/ nor job.yaml");
    expect(watched.delivered[0]?.reason).toMatch(
      /put one there, then put the spreadsheet into in\/ again$/u,
    );
  });

  it.each([
    [
      "between the rename and the note",
      () => {
        mkdirSync(at("work", "cut", "source"), { recursive: true });
        writeFileSync(at("work", "cut", "source", "cut.csv"), "key\n");
      },
    ],
    [
      "while it runs",
      () => {
        mkdirSync(at("work", "cut", "source"), { recursive: true });
        mkdirSync(at("work", "cut", "delivery"), { recursive: true });
        writeFileSync(at("work", "cut", "delivery", "half"), "");
        writeFileSync(at("work", "cut", "source", "cut.csv"), "key\n");
        writeFileSync(at("work", "cut", "order.json"), '{"id":"1","file":"cut.csv"}');
      },
    ],
    [
      "before it is handed on",
      () => {
        mkdirSync(at("work", "cut", "delivery"), { recursive: true });
        writeFileSync(at("work", "cut", "delivery", "labels.pdf"), "");
        writeFileSync(
          at("work", "cut", "order.json"),
          '{"id":"1","file":"cut.csv","delivery":{"place":"ready","exitCode":0,"as":"cut"}}',
        );
      },
    ],
    [
      "after it was handed on",
      () => {
        mkdirSync(at("work", "cut"), { recursive: true });
        mkdirSync(at("ready", "cut"), { recursive: true });
        writeFileSync(at("ready", "cut", "labels.pdf"), "");
        writeFileSync(
          at("work", "cut", "order.json"),
          '{"id":"1","file":"cut.csv","delivery":{"place":"ready","exitCode":0,"as":"cut"}}',
        );
      },
    ],
  ])("killed %s, an order still ends once", async (_when, prepare) => {
    const watched = await open();
    prepare();
    await watched.watch(4);
    expect(watched.delivered.map(({ name, place }) => [name, place])).toEqual([["cut", "ready"]]);
    expect(list("ready")).toEqual(["cut"]);
    expect(list("ready", "cut")).toContain("labels.pdf");
    expect(list("ready", "cut")).not.toContain("half");
    expect(existsSync(at("work", "cut", "order.json"))).toBe(false);
    expect(existsSync(at("work", "cut", "source"))).toBe(false);
  });
});

const MANIFEST = `version: 1
name: menus
kind: codes
source: { file: rows.csv, key: [key], columns: { url: { type: url } } }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "{{ key }}" }
output: { files: [], sheets: { sheet: a4-24up-63.5x33.9, caption: "{{ key }}" } }
`;

const rowsOf = (name: string): string =>
  `key,url\n${[1, 2, 3].map((n) => `${name}-${n},https://example.com/${name}/${n}`).join("\n")}\n`;

const putWith = (workspace: string | undefined, more = ""): void =>
  put("good.yaml", `${MANIFEST}api: { workspace: ${workspace} }\n${more}`);

describe("makeready watch", () => {
  it("runs good, bad and broken spreadsheets with the folder's manifest", async () => {
    mkdirSync(at("in"), { recursive: true });
    writeFileSync(at("job.yaml"), MANIFEST);
    put("good.csv", rowsOf("good"));
    put("bad.csv", `${rowsOf("bad")}bad-4,htp://nowhere\n`);
    put("wrong.csv", "a,b\n1,2\n");
    put("empty.csv", "");
    put("a: b #1 ${HOME}.csv", rowsOf("odd"));
    const { code, out, err } = await runInProcess([
      "watch",
      folder,
      "--once",
      "--settle",
      "1ms",
      "--json",
    ]);
    expect(code, err).toBe(3);
    const told = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Delivered);
    expect(told.map(({ name, place, exitCode }) => [name, place, exitCode])).toEqual([
      ["a: b #1 ${HOME}", "ready", 0],
      ["bad", "mend", 3],
      ["empty", "mend", 2],
      ["good", "ready", 0],
      ["wrong", "mend", 2],
    ]);
    expect(list("ready", "good")).toEqual(
      expect.arrayContaining(["good.csv", "menus.pdf", "index.csv", "report.html", "status.json"]),
    );
    expect(list("ready", "good")).not.toContain("state.db");
    expect(readFileSync(at("mend", "bad", "reason.txt"), "utf8")).toContain(
      'column "url": must be a URL',
    );
    // Files of an order by their names alone: they no longer lie where they were run.
    expect(readFileSync(at("mend", "bad", "reason.txt"), "utf8")).toMatch(/^bad\.csv line \d+/mu);
    expect(readFileSync(at("mend", "bad", "reason.txt"), "utf8")).not.toContain("work");
    // The next step is a file, not a command: none runs an order.
    expect(readFileSync(at("mend", "bad", "reason.txt"), "utf8")).toContain(
      "mend it, then put the file into in/ again",
    );
    const report = readFileSync(at("ready", "good", "report.html"), "utf8");
    expect(report).toContain("put good.csv into in/ again");
    expect(report).not.toContain("makeready run");
    // The reason why a whole order is refused is reported once.
    const reason = readFileSync(at("mend", "wrong", "reason.txt"), "utf8")
      .trim()
      .split("\n");
    expect(reason).toEqual([...new Set(reason)]);
    expect(list("mend", "bad")).toContain("failed-rows.csv");
    // Mended and put in again: the good rows keep their codes.
    put("bad.csv", `${rowsOf("bad")}bad-4,https://example.com/4\n`);
    const again = await runInProcess(["watch", folder, "--once", "--settle", "1ms"]);
    expect(again.code, again.err).toBe(0);
    expect(again.out).toMatch(
      /ready\/bad; REHEARSAL: the codes point to this computer; watch with/u,
    );
    const status = JSON.parse(readFileSync(at("ready", "bad", "status.json"), "utf8")) as {
      summary: object;
    };
    expect(status.summary).toMatchObject({ rows: 4, created: 1, unchanged: 3 });
  });

  it("takes no order where a variable is odd", async () => {
    mkdirSync(at("in"), { recursive: true });
    put("good.csv", rowsOf("good"));
    writeFileSync(at("job.yaml"), MANIFEST);
    const env = { MAKEREADY_LANGUAGE: "French" };
    const { code, err } = await runInProcess(["watch", folder, "--once"], { env });
    expect([code, list("in")]).toEqual([2, ["good.csv"]]);
    expect(err).toContain("MAKEREADY_LANGUAGE must be en or de, got French");
  });

  it("says that the folder has no manifest, and that nothing was there to do", async () => {
    const once = ["watch", folder, "--once", "--settle", "1ms"];
    const { code, out, err } = await runInProcess(once);
    expect([code, out]).toEqual([0, `nothing to do: no spreadsheet in ${at("in")}\n`]);
    expect(err).toContain(
      `no job.yaml in ${folder}: only spreadsheets with a manifest of their own name in ${at("in")} are run`,
    );
    expect(err).toContain(`; cd ${folder} && makeready init job --source `);
    expect((await runInProcess([...once, "--json"])).out).toBe("");
    // From a checkout, what is typed behind the `cd` leads from there.
    const program = ["node", at("app", "main.js")];
    const fromAbove = await runInProcess(["watch", "sub", "--once"], { program, cwd: at() });
    expect(fromAbove.err).toContain(`; cd sub && node ${at("app", "main.js")} init job`);
    writeFileSync(at("job.yaml"), MANIFEST);
    put("good.csv", rowsOf("good"));
    const made = await runInProcess(once);
    expect(made.err).not.toContain("no job.yaml");
    expect(made.out).not.toContain("nothing to do");
  });

  it.each(["MAKEREADY_TOKEN", "MAKEREADY_WORKSPACE"])(
    "keeps an order that %s is missing for, and says which manifest is to be mended",
    async (setting) => {
      mkdirSync(at("in"), { recursive: true });
      put("good.csv", rowsOf("good"));
      put("good.yaml", MANIFEST);
      const once = ["watch", folder, "--once", "--settle", "1ms", "--base-url", "http://[::1]:9"];
      const env = { MAKEREADY_TOKEN: "t", MAKEREADY_WORKSPACE: "w", [setting]: "" };
      const { code, err } = await runInProcess(once, { env });
      expect(code, err).toBe(4);
      expect(err).toMatch(/good waits: the (?:API token|workspace) must be set, got none/u);
      expect(err).toContain("; its manifest is work/good.yaml\n");
      expect([list("mend"), list("work", "good", "source")]).toEqual([[], ["good.csv"]]);
    },
  );

  it("keeps an order whose token is refused, and goes on with a right one", async () => {
    mkdirSync(at("in"), { recursive: true });
    writeFileSync(at("job.yaml"), MANIFEST);
    put("good.csv", rowsOf("good"));
    const remote = await openRemote(at(".makeready"), "https://codes.example");
    const once = ["watch", folder, "--once", "--settle", "1ms"];
    const env = { ...remote.env, MAKEREADY_TOKEN: "wrong" };
    const refused = await runInProcess(once, { ...remote, env });
    expect(refused.code).toBe(4);
    expect(refused.err).toMatch(/good waits: the server at .+ does not know the token/u);
    expect([list("mend"), list("work", "good", "source")]).toEqual([[], ["good.csv"]]);
    put("good.csv", rowsOf("more"));
    put("other.csv", rowsOf("other"));
    expect((await runInProcess(once, { ...remote, env })).code).toBe(4);
    // It holds up its own name only.
    expect([list("in"), list("work", "other", "source")]).toEqual([["good.csv"], ["other.csv"]]);
    expect((await runInProcess(once, remote)).code).toBe(0);
    expect(list("ready")).toEqual(["good", "good-2", "other"]);
    await remote.close();
  });

  it("goes on with a mended manifest that is put in for an order whose workspace is refused, not with that of the next one", async () => {
    mkdirSync(at("in"), { recursive: true });
    const remote = await openRemote(at(".makeready"), "https://codes.example");
    const { MAKEREADY_WORKSPACE: workspace, ...env } = remote.env;
    const once = ["watch", folder, "--once", "--settle", "1ms"];
    const run = async () => (await runInProcess(once, { ...remote, env })).code;
    putWith("00000000-0000-4000-8000-000000000000");
    put("good.csv", rowsOf("good"));
    expect(await run()).toBe(4);
    putWith(workspace, "# of the next order\n");
    put("good.csv", rowsOf("next"));
    expect(await run()).toBe(4);
    expect([list("in"), list("ready")]).toEqual([["good.csv", "good.yaml"], []]);
    rmSync(at("in", "good.csv"));
    putWith(workspace);
    expect(await run()).toBe(0);
    expect([list("in"), list("ready")]).toEqual([[], ["good"]]);
    await remote.close();
  });

  it("killed in the middle again and again, hands on each spreadsheet once and makes no code twice", async () => {
    mkdirSync(at("in"), { recursive: true });
    writeFileSync(at("job.yaml"), MANIFEST);
    const names = Array.from({ length: 4 }, (_, n) => `o${n}`);
    for (const name of names) put(`${name}.csv`, rowsOf(name));
    const args = ["watch", folder, "--once", "--settle", "1ms", "--json"];
    let kills = 0;
    for (const after of [1, 2]) {
      let seen = 0;
      const ended = await runProgram(args, {
        onLine: (_line, child) => {
          seen += 1;
          if (seen >= after) child.kill("SIGKILL");
        },
      });
      if (ended.signal === "SIGKILL") kills += 1;
    }
    expect(kills).toBe(2);
    const last = await runHere(args);
    expect(last.code, last.err).toBe(0);
    expect(list("ready")).toEqual(names);
    expect(list("mend")).toEqual([]);
    expect(list("in")).toEqual([]);
    const { openSqlite } = await import("../../src/base/sqlite/sqlite.ts");
    const db = openSqlite(at(".makeready", "service.db"));
    const codes = db.all<{ n: number }>("SELECT count(*) AS n FROM codes GROUP BY display_name");
    db.close();
    expect(codes.map(({ n }) => n)).toEqual(Array.from({ length: 12 }, () => 1));
  });
});
