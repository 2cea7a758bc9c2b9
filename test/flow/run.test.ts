import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { openService } from "../../src/service/service.ts";
import { lockFolder } from "../../src/state/lock.ts";
import { besideFile } from "../../src/work/chunk.ts";
import { type InProcess, runHere, runInProcess } from "./in-process.ts";
import { openRemote } from "./remote.ts";
import { toPath } from "../../src/api/endpoints.ts";
import { madeOnce, makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";
import { lastLine, runProgram } from "./program.ts";

const summaryOf = (out: string): Record<string, unknown> => {
  const line = out.split("\n").findLast((text) => text.startsWith('{"type":"summary"'));
  return JSON.parse(line ?? "{}") as Record<string, unknown>;
};

describe("a job run again", () => {
  it("does only the differences: new, changed, vanished and renamed rows", async () => {
    const files = makeJobFolder(
      "site,table,region,Link\nA,1,North,https://a.example/1\nA,2,North,https://a.example/2\nB,1,South,https://b.example/1\n",
    );
    await runInProcess(["run", files.manifest]);
    writeFileSync(
      files.csv,
      "site,table,region,Link\nA,2,North,https://a.example/new\nB,1,South,https://b.example/1\nC,1,South,https://c.example/1\n",
    );
    const plan = await runInProcess(["plan", files.manifest, "--json"]);
    expect(JSON.parse(plan.out)).toMatchObject({
      creates: 1,
      updates: 1,
      unchanged: 1,
      vanished: 1,
    });
    const again = await runInProcess(["run", files.manifest, "--json"]);
    expect(again.code, again.err).toBe(0);
    expect(summaryOf(again.out)).toMatchObject({ created: 1, changed: 1, unchanged: 1 });
    // What is changed is counted as what is made is.
    expect(again.out).toContain('"stage":"codes","done":1,"total":2,');
    expect(readFileSync(path.join(files.out, "index.csv"), "utf8")).not.toContain(
      "https://a.example/1",
    );
  });

  it("restyles codes in place when the design changes, and fetches their files anew", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
    await runInProcess(["run", files.manifest]);
    const svg = path.join(files.out, "artwork/north/a-001.svg");
    const before = readFileSync(svg, "utf8");
    const manifest = readFileSync(files.manifest, "utf8");
    writeFileSync(
      files.manifest,
      manifest.replace(
        "{ error_correction: Q }",
        '{ error_correction: Q, primary_color: "#0a3d62" }',
      ),
    );
    const again = await runInProcess(["run", files.manifest, "--json"]);
    expect(summaryOf(again.out)).toMatchObject({ created: 0, changed: 1, writes: 1 });
    expect(before).not.toContain("#0a3d62");
    expect(readFileSync(svg, "utf8")).toContain("#0a3d62");
  });

  it("with nothing to do reads nothing of a server that is away", async () => {
    const files = makeJobFolder(makeRows(3));
    const serve = runProgram(
      ["serve", "--port", "0", "--data", files.data, "--limits", "off", "--json"],
      {
        onLine: (line, child) => {
          const env = {
            MAKEREADY_BASE_URL: String(line["base_url"]),
            MAKEREADY_TOKEN: String(line["token"]),
            MAKEREADY_WORKSPACE: String(line["workspace_id"]),
          };
          void runInProcess(["run", files.manifest, "--json"], { env })
            .then(async (first) => {
              expect(summaryOf(first.out), first.err).toMatchObject({ created: 3 });
              child.kill("SIGTERM");
              return env;
            })
            .catch((error: unknown) => {
              child.kill("SIGTERM");
              throw error;
            });
        },
      },
    );
    const ended = await serve;
    expect(ended.code, ended.err).toBe(0);
    const env = {
      MAKEREADY_BASE_URL: String(ended.lines[0]?.["base_url"]),
      MAKEREADY_TOKEN: String(ended.lines[0]?.["token"]),
      MAKEREADY_WORKSPACE: String(ended.lines[0]?.["workspace_id"]),
    };
    const again = await runInProcess(["run", files.manifest, "--json"], { env });
    expect(summaryOf(again.out)).toMatchObject({ writes: 0, reads: 0, unchanged: 3 });
  });
});

describe("a rehearsal", () => {
  it("says so in plan, slug and report; with a public URL nothing does, and the codes are new", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
    const first = await runInProcess(["run", files.manifest]);
    expect(first.out).toContain("REHEARSAL");
    expect(first.out).toContain("not ready for press");
    expect(readFileSync(path.join(files.out, "report.html"), "utf8")).toMatch(/rehearsal/iu);
    const env = { MAKEREADY_PUBLIC_URL: "https://go.example.com" };
    const second = await runInProcess(["run", files.manifest], { env });
    expect(second.out, second.err).not.toContain("REHEARSAL");
    expect(second.out).toContain("the only code read back");
    const index = readFileSync(path.join(files.out, "index.csv"), "utf8");
    expect(index).toContain("https://go.example.com/");
    expect(index).not.toContain("127.0.0.1");
    expect(
      summaryOf((await runInProcess(["run", files.manifest, "--json"], { env })).out),
    ).toMatchObject({
      writes: 0,
      reads: 0,
    });
  });
});

describe("two runs at once", () => {
  it("are one: the second learns which process uses the job and ends with 7", async () => {
    const files = makeJobFolder(makeRows(2));
    const lock = await lockFolder(files.out);
    const { code, err } = await runInProcess(["run", files.manifest]);
    lock.release();
    expect(code).toBe(7);
    expect(err).toContain(`process ${process.pid}`);
  });
});

/** Many codes, and no files that would take longer than they. */
function makeLongJob(): JobFolder {
  const files = makeJobFolder(makeRows(120));
  const manifest = readFileSync(files.manifest, "utf8");
  const output = "output: { dir: ../out, files: [], index: [csv] }\n";
  writeFileSync(files.manifest, manifest.replace(/^output:[^]*$/mu, output));
  return files;
}

describe("Ctrl-C", () => {
  it("saves what was made, says how to go on, and ends with 130", async () => {
    const files = makeLongJob();
    let isStopping = false;
    const first = await runProgram(["run", files.manifest, "--json"], {
      onLine: (line, child) => {
        if (isStopping || line.type !== "progress") return;
        isStopping = true;
        child.kill("SIGINT");
      },
    });
    expect(first.code, first.err).toBe(130);
    const summary = lastLine(first, "summary");
    expect(summary).toMatchObject({ interrupted: true });
    expect(Number(summary["left"])).toBeGreaterThan(0);
    const second = await runHere(["run", files.manifest, "--json"]);
    expect(Number(lastLine(second, "summary")["created"])).toBe(Number(summary["left"]));
  });
});

describe("a second signal", () => {
  it("stops at once, and says how to go on", async () => {
    const files = makeLongJob();
    let isStopping = false;
    const { code, err } = await runProgram(["run", files.manifest, "--json"], {
      onLine: (line, child) => {
        if (isStopping || line.type !== "progress") return;
        isStopping = true;
        child.kill("SIGINT");
        child.kill("SIGTERM");
      },
    });
    expect(code).toBe(130);
    expect(err).toContain("stopped at once; the same command goes on where it stopped");
  });
});

describe("a limit on a run", () => {
  it("makes so many codes now and the rest on the next run", async () => {
    const files = makeJobFolder(makeRows(5));
    const first = await runInProcess(["run", files.manifest, "--limit", "2", "--json"]);
    expect(summaryOf(first.out)).toMatchObject({ created: 2, left: 3 });
    const second = await runInProcess(["run", files.manifest, "--json"]);
    expect(summaryOf(second.out)).toMatchObject({ created: 3, left: 0 });
  });
});

describe("a run with a limit that is cut short", () => {
  const LIMIT = ["--limit", "3", "--set", "run.concurrency=1"];
  /** Stops while the `nth` code is made, or with the next request. */
  async function runUntil(nth: number, where: "there" | "afterwards" = "there") {
    const files = makeJobFolder(makeRows(5));
    const stop = new AbortController();
    let times = 0;
    const remote = await openRemote(files.data, "https://codes.example", ({ method, url }) => {
      if (times === nth && where === "afterwards") stop.abort();
      times += Number(
        method === "POST" && new URL(url).pathname.endsWith(toPath("createCode", {})),
      );
      if (times === nth && where === "there") stop.abort();
      return undefined;
    });
    const run = (args: readonly string[], signal = new AbortController().signal) =>
      runInProcess(["run", files.manifest, ...args], { ...remote, cwd: files.root, signal });
    const first = await run(LIMIT, stop.signal);
    expect(first.code, first.err).toBe(130);
    return { first: first.out, run, remote };
  }
  it("goes on with what is left of it", async () => {
    const { first, run, remote } = await runUntil(2);
    const [, left] =
      /the rest: makeready run jobs\/flow\.yaml .*--limit (\d+)$/mu.exec(first) ?? [];
    expect(first).toContain(
      "2 of the 3 codes of --limit are done; to go on with the rest: makeready",
    );
    expect(left).toBe("1");
    const second = await run(["--limit", left ?? "", "--json"]);
    expect(summaryOf(second.out)).toMatchObject({ created: 1, left: 2 });
    await remote.close();
  });

  it("says how many more it makes once all are made", async () => {
    const { first, remote } = await runUntil(3, "afterwards");
    expect(first).toContain(
      "all 3 codes of --limit are done; to make the files, with 1 more code at most: makeready run jobs/flow.yaml",
    );
    expect(first).toMatch(/--limit 1$/mu);
    await remote.close();
  });

  it("that was killed says in its next run how many new codes that makes", async () => {
    const { run, remote } = await runUntil(2);
    const { out } = await run(["--limit", "2"]);
    expect(out).toContain(
      "this run makes 2 of the 3 new codes (--limit); codes of earlier runs don't count, not even of one that was cut short",
    );
    expect((await run(["--limit", "2"])).out).not.toContain("(--limit)");
    await remote.close();
  });
});

describe("files of groups that are gone", () => {
  it("go with them, and so do pieces of killed runs; a person's own file stays", async () => {
    const files = makeJobFolder(
      "site,table,region,Link\nA,1,North,https://a.example/\nB,1,South,https://b.example/\n",
    );
    await runInProcess(["run", files.manifest]);
    const south = path.join(files.out, "tables-south.pdf");
    // What a write leaves behind, and sheets that other computers draw: a volume and a file for it.
    const left = [besideFile(south, `${randomUUID()}.drawn`), besideFile(south, sha256("a font"))];
    for (const file of [`${south}.123.part`, ...left]) writeFileSync(file, "half");
    writeFileSync(path.join(files.out, "tables-east.pdf"), "a person's");
    // A download of a browser, and what a service is writing in the data folder beside it.
    const others = ["film.mp4.part", ".makeready/media/a.pdf.123.part"];
    mkdirSync(path.join(files.out, ".makeready/media"), { recursive: true });
    for (const name of others) writeFileSync(path.join(files.out, name), "another's");
    writeFileSync(files.csv, "site,table,region,Link\nA,1,North,https://a.example/\n");
    await runInProcess(["run", files.manifest]);
    const names = readdirSync(files.out);
    expect(names).toContain("tables-north.pdf");
    expect(names).toContain("tables-east.pdf");
    expect(names).not.toContain("tables-south.pdf");
    expect(names).not.toContain("tables-south.zip");
    expect(names.filter((name) => name.endsWith(".part"))).toEqual(["film.mp4.part"]);
    for (const name of others) expect(existsSync(path.join(files.out, name))).toBe(true);
  });
});

/** Starts our own service as somebody else's, runs the job against it with `env`, stops it. */
async function runAgainst(
  changes: Record<string, string>,
  command: "run" | "plan" = "run",
): Promise<InProcess> {
  const files = makeJobFolder(makeRows(1));
  const service = await openService({ dataDir: ":memory:", limits: "off", demoAccounts: true });
  const { baseUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const known: Readonly<Record<string, string | undefined>> = {
    foreign: service.otherAccount?.workspaceId,
    root: new URL(baseUrl).origin,
  };
  const env = {
    MAKEREADY_BASE_URL: baseUrl,
    MAKEREADY_TOKEN: service.account.token,
    MAKEREADY_WORKSPACE: service.account.workspaceId,
    ...Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, known[value] ?? value]),
    ),
  };
  const ended = await runInProcess([command, files.manifest], { env });
  await service.close();
  return ended;
}

describe("a remote server", () => {
  it("that refuses the token, or doesn't open the workspace, ends the job with 4 before a row fails", async () => {
    const wrongToken = await runAgainst({ MAKEREADY_TOKEN: "wrong" });
    expect(wrongToken).toMatchObject({ code: 4 });
    expect(wrongToken.err).not.toContain("wrong");
    const foreign = await runAgainst({ MAKEREADY_WORKSPACE: "foreign" });
    expect(foreign).toMatchObject({ code: 4 });
    expect(foreign.err).toMatch(/workspace must be one that the token opens/u);
  });

  it("whose address is no API is not taken for one with another workspace", async () => {
    const { code, err } = await runAgainst({ MAKEREADY_BASE_URL: "root" });
    expect(code).toBe(4);
    expect(err).toMatch(/base URL must end in \/api\/v2, got http:[^]*check MAKEREADY_BASE_URL/u);
    expect(err).not.toContain("workspace");
  });

  it("without a token or workspace is reported before anything is sent", async () => {
    expect(await runAgainst({ MAKEREADY_TOKEN: "" })).toMatchObject({ code: 2 });
    expect(await runAgainst({ MAKEREADY_WORKSPACE: "" })).toMatchObject({ code: 2 });
  });

  it.each([
    ["MAKEREADY_WORKSPACE", "the workspace must be set, got none"],
    ["MAKEREADY_TOKEN", "the API token must be set, got none"],
  ])("without %s: the plan says so, and shows no run as the next step", async (name, says) => {
    const { code, out } = await runAgainst({ [name]: "" }, "plan");
    expect(code).toBe(0);
    const hint = `set the environment variable ${name}, or api.`;
    expect(out).toContain(`  warning   a run can't begin: ${says} (${hint}`);
    expect(out).not.toContain("→ to do this");
  });
});

describe("a folder with files of an earlier run, but without its state", () => {
  it("is not filled with twins unless somebody says so", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/\n");
    await runInProcess(["run", files.manifest]);
    for (const name of readdirSync(files.out)) {
      if (name.startsWith("state.db")) rmSync(path.join(files.out, name));
    }
    const refused = await runInProcess(["run", files.manifest]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/must hold state\.db/u);
    const fresh = await runInProcess(["run", files.manifest, "--fresh", "--yes", "--json"]);
    expect(summaryOf(fresh.out)).toMatchObject({ created: 1 });
  });
});

describe("a public address", () => {
  it("that was named once holds until another one is named", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/\n");
    await runInProcess(["run", files.manifest], {
      env: { MAKEREADY_PUBLIC_URL: "https://go.example.com/" },
    });
    const again = await runInProcess(["run", files.manifest, "--json"]);
    expect(summaryOf(again.out)).toMatchObject({ writes: 0, reads: 0, isRehearsal: false });
    const wrong = await runInProcess(["run", files.manifest], {
      env: { MAKEREADY_PUBLIC_URL: "go.example.com" },
    });
    expect(wrong.code).toBe(2);
  });
});

describe("captions that can't be drawn", () => {
  it("are reported on the terminal, not only in the report", async () => {
    const files = makeJobFolder("site,table,region,Link\n東京,1,North,https://a.example/\n");
    const { err } = await runInProcess(["run", files.manifest]);
    expect(err).toMatch(/warning: .*(caption|東京)/u);
  });
});

const made = madeOnce(async () => {
  const files = makeJobFolder(makeRows(2));
  await runInProcess(["run", files.manifest]);
  return files;
});

describe("verify", () => {
  it("reports every file that is gone or was changed", async () => {
    const files = await made("");
    expect(await runInProcess(["verify", files.manifest])).toMatchObject({ code: 0 });
    writeFileSync(path.join(files.out, "index.csv"), "edited");
    rmSync(path.join(files.out, "sheet-map.json"));
    writeFileSync(path.join(files.out, "tables-north.zip"), "edited");
    const { code, out } = await runInProcess(["verify", files.manifest]);
    expect(code).toBe(3);
    for (const name of ["index.csv", "sheet-map.json", "tables-north.zip"])
      expect(out).toContain(name);
    expect(out).toContain("not ready for press");
  });

  it("names each error with its file, its rule and the command that makes the file anew", async () => {
    const files = await made("");
    const report = readFileSync(path.join(files.out, "report.html"), "utf8");
    const [pdf, png] = ["tables-north.pdf", "artwork/north/cafe-lodz-plac-0-000.png"];
    writeFileSync(path.join(files.out, pdf), "edited");
    rmSync(path.join(files.out, png));
    const { code, out } = await runInProcess(["verify", files.manifest], { cwd: files.root });
    expect(code).toBe(3);
    const again = "(made anew by: makeready run jobs/flow.yaml)";
    expect(out).toContain(
      `tables-north.pdf: rule file: file was changed after it was written: its SHA-256 differs ${again}\n`,
    );
    expect(out).toMatch(/-000\.png: rule artwork-missing: .* \(made anew by: makeready run /u);
    expect(out).toContain("2 errors\n");
    expect(out).not.toContain("report");
    expect(out).not.toContain("ENOENT");
    expect(out.match(/cafe-lodz-plac-0-000\.png/gu)).toHaveLength(1);
    expect(readFileSync(path.join(files.out, "report.html"), "utf8")).toBe(report);
    const json = await runInProcess(["verify", files.manifest, "--json"], { cwd: files.root });
    expect(summaryOf(json.out)).toMatchObject({
      findings: [{ rule: "file", hint: again.slice(1, -1) }, { rule: "artwork-missing" }],
    });
    await runInProcess(["run", files.manifest]);
    expect((await runInProcess(["verify", files.manifest])).code).toBe(0);
  });

  it("counts each fault that it lists, once", async () => {
    const files = await made("");
    const again = "(made anew by: makeready run jobs/flow.yaml)";
    const picture = "out/artwork/north/cafe-lodz-plac-0-000.png";
    rmSync(path.join(files.root, picture));
    for (const name of ["index.csv", "tables-north.pdf"]) rmSync(path.join(files.out, name));
    const { out } = await runInProcess(["verify", files.manifest], { cwd: files.root });
    const [first = "", ...lines] = out.trimEnd().split("\n");
    expect(first).toContain("3 errors");
    const none = `file must be there, got none ${again}`;
    expect(lines.slice(0, 3)).toEqual([
      `  out/index.csv: ${none}`,
      `  tables-north.pdf: rule file: ${none}`,
      `  cafe-lodz-plac-0-000.png: rule artwork-missing: row Café Łódź, Plac 0 / 0: ${none}`,
    ]);
    writeFileSync(path.join(files.root, picture), "edited");
    const edited = await runInProcess(["verify", files.manifest], { cwd: files.root });
    expect(edited.out).toContain("3 errors\n");
    expect(edited.out.match(/cafe-lodz-plac-0-000\.png/gu)).toHaveLength(1);
    expect(edited.out).toContain("file must be as it was written, got other bytes: ");
  });
});

describe("a long job line", () => {
  it("with a text that no code holds, or an unknown folder, stops no other row", async () => {
    const files = makeJobFolder(
      `site,table,region,Link\nA,1,North,https://a.example/${"x".repeat(3000)}\nB,2,North,https://b.example/\n`,
    );
    const manifest = readFileSync(files.manifest, "utf8").replace(
      "dynamic: true",
      "dynamic: false",
    );
    writeFileSync(files.manifest, manifest);
    const { code, out } = await runInProcess(["run", files.manifest, "--json"]);
    expect(code).toBe(3);
    expect(summaryOf(out)).toMatchObject({ created: 1, bad: 1 });
  });
});
