import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { quoteWord } from "../../src/base/text/shell-words.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { commandNames, showCommands, toProgram } from "../../src/base/text/program-words.ts";
import { toNextCommand } from "../../src/pipeline/standing/next-command.ts";
import { takeSlug } from "../help/take-slug.ts";
import { runInProcess, type InProcess } from "../flow/in-process.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "makeready-next-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Names that a shell would take apart, were they not quoted. */
const OUT = "Anna's $HOME";
const DATA = "the data";
const JOB = "print jobs/it's.yaml";

const CODES = `version: 1
name: menus
kind: codes
source: { file: rows.csv, key: [number], columns: { url: { type: url } } }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "Table {{ number }}" }
output: { dir: out, files: [svg], index: [csv] }
safety: { confirm_over: 5 }
`;

let folder = "";
let rows = 0;

async function call(
  words: readonly string[],
  { stopsAt, isStopped = false }: { stopsAt?: RegExp; isStopped?: boolean } = {},
): Promise<InProcess> {
  const stop = new AbortController();
  if (isStopped) stop.abort();
  const texts = { out: "", err: "" };
  const take = (stream: keyof typeof texts) => (text: string) => {
    texts[stream] += text;
    if (stopsAt?.test(text) === true) stop.abort();
  };
  const { code } = await runInProcess(words, {
    cwd: folder,
    signal: stop.signal,
    out: take("out"),
    err: take("err"),
  });
  return { ...texts, code };
}

/** How the person calls it: every option that says which job it is, and where. */
const asked = (command: string, ...more: string[]): string[] => [
  command,
  JOB,
  "--out",
  OUT,
  "--set",
  'code.display_name=T "{{ number }}"',
  "--set",
  "run.concurrency=1",
  "--data",
  DATA,
  "--limits",
  "off",
  ...more,
];

/** The commands that a text shows, as the words that a shell makes of them. */
function commandsIn(text: string): string[][] {
  const shown = text.match(/makeready (?:run|plan|retry|undo) [^\n<]*/gu) ?? [];
  return shown
    .flatMap((line) =>
      line.split(/; (?:then|on a schedule)[^m]*(?=makeready |$)|; on a schedule.*/u),
    )
    .filter((line) => line.startsWith("makeready "))
    .map((line) =>
      execFileSync("sh", ["-c", `printf '%s\\0' ${line.replace(/\)$/u, "")}`], { cwd: "/" })
        .toString()
        .split("\0")
        .slice(1, -1),
    );
}

/** The last command that an output shows. */
function nextOf({ out, err }: InProcess): string[] {
  const found = commandsIn(`${out}${err}`).at(-1);
  if (found === undefined) throw new Error(`no command in ${out}${err}`);
  return found;
}

const countCodes = (): unknown => {
  const store = openSqlite(path.join(folder, DATA, "service.db"));
  try {
    return store.get("SELECT count(*) AS n FROM codes")?.["n"];
  } finally {
    store.close();
  }
};

/** Every row has one code, whatever was typed, and nothing stands anywhere else. */
function expectOneJob(): void {
  expect(countCodes()).toBe(rows);
  const names = readdirSync(folder).filter((name) => !name.endsWith(".json"));
  expect(names.toSorted()).toEqual([OUT, "print jobs", DATA].toSorted());
  expect(readdirSync(path.join(folder, "print jobs")).toSorted()).toEqual([
    "it's.yaml",
    "rows.csv",
  ]);
}

function writeRows(count: number, more = ""): void {
  const lines = Array.from({ length: count }, (_, n) => `${n + 1},https://menu.example/${n + 1}\n`);
  writeFileSync(path.join(folder, "print jobs/rows.csv"), `number,url\n${lines.join("")}${more}`);
  rows = count;
}

const write = (text: string): void => writeFileSync(path.join(folder, JOB), text);

beforeEach(() => {
  folder = mkdtempSync(path.join(root, "shop-"));
  mkdirSync(path.join(folder, "print jobs"));
  write(CODES);
  writeRows(4);
});

describe("a shown command, typed as it stands", () => {
  it("goes from plan to run, from a part to the rest, from bad rows to good ones", async () => {
    const planned = await call(asked("plan"));
    const part = await call([...nextOf(planned), "--limit", "1"]);
    expect(part.out).toContain("for the 3 left to do: makeready run 'print jobs/it'\\''s.yaml'");
    const [rest = []] = commandsIn(part.out.replace(/^[^→]*/u, ""));
    expect(rest).toEqual(asked("run"));
    const moved = await call(rest);
    expect(moved.code).toBe(0);
    expectOneJob();
    writeRows(4, "5,htp://menu.example\n");
    const bad = await call(rest);
    expect(bad.code).toBe(3);
    writeRows(5);
    expect((await call(commandsIn(bad.out)[0] ?? [])).code).toBe(0);
    expectOneJob();
    const [report] = commandsIn(
      readFileSync(path.join(folder, OUT, "report.html"), "utf8")
        .replaceAll("&#39;", "'")
        .replaceAll("&quot;", '"'),
    );
    expect(report).toEqual(rest);
  });

  it("is no run where no row is good: first they are mended", async () => {
    writeRows(0, "1,menu.example/1\n2,\n");
    const planned = await call(asked("plan"));
    expect(planned.out).not.toContain("to do this");
    expect(planned.out).toContain("no row is good: mend them, then plan again");
    expect((await call(nextOf(planned))).code).toBe(3);
    expect(readdirSync(path.join(folder, OUT))).toContain("failed-rows.csv");
  });

  it("speaks of one row where one is bad", async () => {
    writeRows(2, "3,menu.example/1\n");
    const one = await call(asked("run"));
    expect(one.out).toMatch(/→ mend this row in .+ \(failed-rows\.csv lists it\), then run again/u);
    writeRows(2, "3,menu.example/1\n4,\n");
    expect((await call(asked("run"))).out).toMatch(/→ mend these rows in .+ \(\S+ lists them\)/u);
  });

  it("goes on with a saved plan, also when the run was interrupted; over, it is stale", async () => {
    writeRows(12);
    const planned = await call([
      ...asked("plan").filter((word) => word !== "--out" && word !== OUT),
      "--out",
      "plan.json",
    ]);
    const run = nextOf(planned);
    expect(run.slice(-2)).toEqual(["--plan", "plan.json"]);
    const here = [...run, "--out", OUT, "--yes"];
    const stopped = await call([...here, "--json"], { stopsAt: /"stage":"codes","done":[1-9]/u });
    expect(stopped.code).toBe(130);
    const summary = JSON.parse(stopped.out.trimEnd().split("\n").at(-1) ?? "") as {
      next: string[];
    };
    const [again = []] = commandsIn(summary.next.join("\n"));
    expect(again).toEqual(expect.arrayContaining(["--plan", "plan.json", "--yes", OUT]));
    expect((await call(again)).code).toBe(0);
    expectOneJob();
    const stale = await call(again);
    expect(stale.code).toBe(6);
    expect((await call(nextOf(stale))).code).toBe(0);
    expect((await call(again)).code).toBe(0);
    expectOneJob();
  });

  it("says yes where a yes is asked for", async () => {
    writeRows(6);
    const refused = await call(asked("run"));
    expect(refused.code).toBe(2);
    const [plan = [], run = []] = commandsIn(refused.err);
    expect((await call(plan)).code).toBe(0);
    expect(run.at(-1)).toBe("--yes");
    expect((await call(run)).code).toBe(0);
    expectOneJob();
  });

  it("fetches files that are gone, as status, verify and run say", async () => {
    const never = await call(asked("verify"));
    expect((await call(nextOf(never))).code).toBe(0);
    const artwork = path.join(folder, OUT, "artwork");
    for (const step of ["status", "verify"]) {
      rmSync(artwork, { recursive: true });
      const told = await call(asked(step));
      expect((await call(nextOf(told))).code).toBe(0);
      expect(readdirSync(artwork)).toHaveLength(4);
    }
    expectOneJob();
  });

  it("names the public address, and changes it on purpose", async () => {
    const rehearsal = await call(asked("run"));
    const named = nextOf(rehearsal).map((word) =>
      word === "ADDRESS" ? "https://go.example.com" : word,
    );
    expect((await call(named)).code).toBe(0);
    const refused = await call(asked("run", "--public-url", "https://other.example.com"));
    expect(refused.code).toBe(2);
    const change = nextOf(refused);
    expect((await call(change)).code).toBe(0);
    expect(change).not.toContain("--public-url");
    expectOneJob();
  });

  it.each([
    ["", ["run"]],
    ["api: { public_url: https://go.example.com }\n", ["run", "https://other.example.com"]],
  ])("changes the public address once (%j)", async (api, words) => {
    writeRows(4, "5,menu.example/5\n");
    await call(asked("run", "--public-url", "https://go.example.com"));
    write(`${CODES}${api}`);
    const change = ["--change-public-url", "https://other.example.com"];
    const planned = nextOf(await call(asked("plan", ...change)));
    expect(planned).toEqual(expect.arrayContaining(change));
    const changed = await call(planned);
    const [again = []] = commandsIn(changed.out);
    expect(again).toEqual(expect.arrayContaining(words));
    expect(again).not.toContain("--change-public-url");
    expect(readFileSync(path.join(folder, OUT, "report.html"), "utf8")).not.toContain("--change-");
    expect((await call(again)).out).toContain("0 writes and 0 reads");
  });

  it("changes the public address where that was stopped before it began", async () => {
    await call(asked("run", "--public-url", "https://go.example.com"));
    const change = ["--change-public-url", "https://other.example.com"];
    const stopped = await call(asked("run", ...change), { isStopped: true });
    expect(stopped.code).toBe(130);
    expect(nextOf(stopped)).toEqual(expect.arrayContaining(change));
  });

  it("says yes to nothing else than was asked", async () => {
    writeRows(7, "8,menu.example/8\n");
    const part = await call(asked("run", "--yes", "--limit", "6"));
    expect(part.code).toBe(3);
    expect(commandsIn(part.out)).toHaveLength(3);
    for (const command of commandsIn(part.out)) expect(command).not.toContain("--yes");
    const moved = await call(asked("undo", "--force", "--yes"));
    expect(`${moved.out}${moved.err}`).not.toMatch(/makeready retire .*--yes/u);
    const none = await call(["retire", JOB, "--yes", "--out", "elsewhere"]);
    expect(none.err).toContain("run it first: makeready run");
    expect(nextOf(none)).not.toContain("--yes");
  });

  it("goes on with the step that was stopped before it began", async () => {
    await call(asked("run"));
    for (const step of [asked("retry"), asked("run", "--fresh", "--yes")]) {
      const stopped = await call(step, { isStopped: true });
      expect(stopped.code).toBe(130);
      expect(nextOf(stopped).toSorted()).toEqual(step.toSorted());
    }
  });

  it("says yes to a retry that asked", async () => {
    writeRows(6);
    const refused = await call(asked("retry"));
    expect(commandsIn(refused.err)[1]).toEqual(asked("retry", "--yes"));
  });

  it("tries refused rows again", async () => {
    const link = 'link: { link: "{{ url }}", slug: "{{ slug }}" }';
    write(CODES.replace("kind: codes", "kind: links").replace(/^code: .*$/mu, link));
    writeFileSync(
      path.join(folder, "print jobs/rows.csv"),
      "number,url,slug\n1,https://menu.example/1,one\n2,https://menu.example/2,taken\n",
    );
    const first = asked("run").filter((word) => !word.startsWith("code."));
    const args = first.toSpliced(first.indexOf("--set"), 1);
    await takeSlug(path.resolve(folder, DATA), "taken");
    const refused = await call(args);
    expect(refused.code).toBe(3);
    const retry = commandsIn(refused.out).find(([command]) => command === "retry") ?? [];
    expect((await call(retry)).code).toBe(3);
    const planned = await call(["plan", ...args.slice(1)]);
    expect(nextOf(planned)).toEqual(["retry", ...args.slice(1)]);
    // The one that was made, and the holder of the slug.
    rows = 2;
    expectOneJob();
  });

  it("undoes what was replaced, to the end when it was interrupted", async () => {
    writeRows(12);
    await call(asked("run", "--yes"));
    write(
      'version: 1\nname: restyle\nkind: redesign\nselect: {}\ndesign: { primary_color: "#003366" }\noutput: { dir: out, files: [] }\n',
    );
    const args = ["restyle", "--data", DATA, "--set", "run.concurrency=1"].slice(1);
    const planned = await call(["plan", JOB, ...args]);
    const [undo = [], run = []] = commandsIn(planned.out);
    expect((await call(run)).code).toBe(0);
    const stopped = await call(undo, { stopsAt: /undo [1-9]/u });
    expect(stopped.code).toBe(130);
    expect((await call(nextOf(stopped))).code).toBe(0);
    expect((await call(undo)).out).toContain("12 unchanged");
  });
});

describe("shell words", () => {
  const odd = [
    "",
    "a b",
    "it's",
    "$HOME",
    "~",
    "=x",
    "*",
    "a;b",
    'say "x"',
    "plain-1.yaml",
    "50%",
    "#1",
  ];

  it("are read by sh as they are", () => {
    const line = odd.map((word) => quoteWord(word, "linux")).join(" ");
    const read = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`]).toString();
    expect(read.split("\0").slice(0, -1)).toEqual(odd);
  });

  it("are in double quotes on Windows, and plain paths stay plain", () => {
    expect(quoteWord("C:\\jobs\\it.yaml", "win32")).toBe("C:\\jobs\\it.yaml");
    expect(quoteWord("my jobs", "win32")).toBe('"my jobs"');
  });
});

const throughNpx = (text: string): string => showCommands(text, "npx makeready");

describe("the program of a shown command", () => {
  const shell = { cwd: "/shop", env: {} };

  it.each([
    [undefined, "makeready"],
    [["node", "/usr/local/bin/makeready"], "makeready"],
    [["node", "C:\\npm\\node_modules\\makeready\\dist\\cli\\main.js"], "makeready"],
    [["node", "/shop/dist/cli/main.js"], "node dist/cli/main.js"],
    [["node", "/shop/dist/cli/start.js"], "node dist/cli/main.js"],
    [["node", "/opt/own/dist/cli/main.js"], "node /opt/own/dist/cli/main.js"],
    [["node", "/shop/node_modules/.bin/makeready"], "npx makeready"],
    [["node", "/shop/node_modules/makeready/dist/cli/main.js"], "npx makeready"],
    [["node", "/shop-2/node_modules/makeready/dist/cli/main.js"], "makeready"],
  ])("is that which was started: %j", (program, words) => {
    expect(toProgram({ ...shell, program }).join(" ")).toBe(words);
  });

  it("is npx where npx started it", () => {
    const env = { npm_lifecycle_event: "npx" };
    expect(toProgram({ ...shell, env }).join(" ")).toBe("npx makeready");
  });

  it("begins the commands that sentences name, and no other words", () => {
    expect(commandNames.slice(1)).toEqual(commands.map(({ name }) => name).toSorted());
    expect(throughNpx("`makeready desk` again; makeready --help")).toBe(
      "`npx makeready desk` again; npx makeready --help",
    );
    for (const text of [
      "another makeready serves this folder",
      "npx makeready run a.yaml",
      "makeready then makes a new key",
      "see /opt/makeready run",
      "makeready move-stores",
    ]) {
      expect(throughNpx(text)).toBe(text);
    }
  });

  it("is in hints, help and next steps, for people and for programs", async () => {
    const program = ["node", path.join(folder, "bin/dist/cli/main.js")];
    const say = (...words: string[]) => runInProcess(words, { cwd: folder, program });
    const start = "node bin/dist/cli/main.js";
    expect((await say("sheets", "show", "none-such")).err).toContain(`${start} sheets list`);
    const hint = JSON.parse((await say("watch", "--json")).out || "{}") as { hint?: string };
    expect(hint.hint).toBe(`${start} --help says what can be given`);
    const unread = JSON.parse((await say("sheets", "show", "--json")).out) as { hint: string };
    expect(unread.hint).toContain(`${start} sheets lists them`);
    expect((await say("plan", "--help")).out).toContain(`Usage: ${start} plan`);
    expect((await say("plan", "--help")).out).toMatch(new RegExp(`\n {2}${start} plan `, "u"));
    expect((await say("init", "menus", "--kind", "codes", "--yes")).out).toContain(
      `  ${start} plan menus.yaml `,
    );
  });

  it("takes no name for an option", () => {
    const input = { argument: "-x.yaml", options: { set: ["-a=1"] } };
    expect(toNextCommand({ context: shell, input }, "run")).toBe(
      "makeready run ./-x.yaml --set=-a=1",
    );
  });
});
