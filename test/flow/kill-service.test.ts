/**
 * docs/spec/design.md promise 1 against real processes: the program and the service are both killed
 * with SIGKILL at random moments, over and over, while the spreadsheet grows. `KILL_ROUNDS=100` is
 * the long way: `npm run test:kill`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

import { expect, it } from "vitest";

import { findPngFault } from "../../src/download/check-png.ts";
import { findSvgFault } from "../../src/svg/check-svg.ts";
import { openState } from "../../src/state/state.ts";
import { seededRandom } from "../client/virtual-clock.ts";
import { runHere } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import {
  lastLine,
  PROGRAM,
  runProgram,
  SHORT_LIVED,
  type Ended,
  type RunOptions,
} from "./program.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 1);
const IS_LONG = process.env["KILL_ROUNDS"] !== undefined;
const SEED = Number(process.env["KILL_SEED"] ?? 20_261_121);
const ROWS_PER_ROUND = 12;
/** A run of some dozen rows lasts about this long, packing and proof included. */
const SPREAD_MS = 3_000;

/** When something dies: so long after the start, or with that line of the program's output. */
type Moment = { readonly afterMs: number } | { readonly afterLines: number };

/** By hand at any moment; in the daily sample at one that surely comes, whatever the computer. */
const toMoment = (random: () => number): Moment =>
  IS_LONG
    ? { afterMs: 300 + random() * SPREAD_MS }
    : { afterLines: 2 + Math.floor((random() * ROWS_PER_ROUND) / 2) };

const MANIFEST = `version: 1
name: kills
kind: codes
source: { file: ../rows.csv, key: [table] }
code:
  type: Link
  dynamic: true
  qr_data: "{{ url }}"
  display_name: "table {{ table }}"
  folder: "Tables/{{ region }}"
output:
  dir: ../out
  files: [svg, png]
  file_name: "{{ region | slug }}/{{ table }}"
  zip: { per: region, name: "{{ region | slug }}.zip" }
# This service commits at once or never: nothing is left to settle.
run: { settle: 2s }
`;

const makeRows = (rows: number): string =>
  [
    "table,region,url",
    ...Array.from(
      { length: rows },
      (_, n) => `${n},${n % 2 === 0 ? "North" : "South"},https://menu.example/t/${n}`,
    ),
  ].join("\n");

interface Server {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly token: string;
  readonly workspace: string;
}

/** A real service process; on a port of its own at first, on the same one when it comes back. */
async function serve(data: string, port = 0): Promise<Server> {
  const args = ["serve", "--json", "--limits", "off", "--port", String(port), "--data", data];
  const child = spawn(process.execPath, [...SHORT_LIVED, PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const told = JSON.parse(line) as { base_url: string; token: string; workspace_id: string };
  return { child, baseUrl: told.base_url, token: told.token, workspace: told.workspace_id };
}

class Round {
  readonly files: JobFolder;
  server: Server;
  killedRuns = 0;
  killedServices = 0;

  constructor(files: JobFolder, server: Server) {
    this.files = files;
    this.server = server;
  }

  /** In a process of its own for those who watch it, as only that can be killed. */
  run(watch?: Pick<RunOptions, "onStart" | "onLine">): Promise<Ended> {
    const { baseUrl, token, workspace } = this.server;
    const args = ["run", this.files.manifest, "--json", "--base-url", baseUrl, "--patience", "60s"];
    const env = { MAKEREADY_TOKEN: token, MAKEREADY_WORKSPACE: workspace };
    return watch === undefined ? runHere(args, env) : runProgram(args, { env, ...watch });
  }

  async killService(): Promise<void> {
    const { child, baseUrl } = this.server;
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    this.killedServices += 1;
    this.server = await serve(this.files.data, Number(new URL(baseUrl).port));
  }

  /** One run, in which the program or the service dies. */
  async live(run: Moment | undefined, service: Moment | undefined): Promise<Ended> {
    const timers: NodeJS.Timeout[] = [];
    const back: Promise<void>[] = [];
    let lines = 0;
    const deaths: readonly (readonly [Moment | undefined, (child: ChildProcess) => void])[] = [
      [run, (child) => child.kill("SIGKILL")],
      [service, () => back.push(this.killService())],
    ];
    const ended = await this.run({
      onStart: (child) => {
        for (const [moment, die] of deaths) {
          if (moment === undefined || !("afterMs" in moment)) continue;
          timers.push(setTimeout(() => die(child), moment.afterMs));
        }
      },
      onLine: (_line, child) => {
        lines += 1;
        for (const [moment, die] of deaths) {
          if (moment !== undefined && "afterLines" in moment && moment.afterLines === lines) {
            die(child);
          }
        }
      },
    });
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(back);
    if (ended.signal === "SIGKILL") this.killedRuns += 1;
    return ended;
  }
}

interface Listed {
  readonly id: string;
  readonly qr_data: string;
}

async function listCodes({ baseUrl, token, workspace }: Server): Promise<Listed[]> {
  const codes: Listed[] = [];
  for (let page = 1; ; page += 1) {
    const url = `${baseUrl}/workspace/${workspace}/qrcodes/?page=${page}&page_size=200`;
    const answer = await fetch(url, { headers: { authorization: `Token ${token}` } });
    const body = (await answer.json()) as { results: Listed[]; next?: string | null };
    codes.push(...body.results);
    if (body.next === null || body.next === undefined) return codes;
  }
}

async function checkFiles(files: JobFolder): Promise<void> {
  const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
  for (const row of state.rows()) {
    const [svg, png] = row.artwork?.files ?? [];
    const read = (name = ""): Buffer => readFileSync(path.join(files.out, name));
    expect(await findSvgFault(read(svg?.name).toString("utf8"))).toBeUndefined();
    expect(await findPngFault(read(png?.name))).toBeUndefined();
    expect(row.artwork?.proven).toEqual(row.artwork?.files.map(({ name }) => name));
  }
  state.close();
  for (const name of ["north.zip", "south.zip", "index.csv", "report.html"]) {
    expect(existsSync(path.join(files.out, name)), name).toBe(true);
  }
}

it(`${ROUNDS} rounds of kill -9 of the program and of the service lose and double nothing`, async () => {
  const random = seededRandom(SEED);
  const files = makeJobFolder(makeRows(ROWS_PER_ROUND), MANIFEST);
  const round = new Round(files, await serve(files.data));
  let rows = 0;
  try {
    for (let n = 0; n < ROUNDS; n += 1) {
      rows += ROWS_PER_ROUND;
      writeFileSync(files.csv, makeRows(rows));
      const isServiceToo = n % 3 === Math.min(2, ROUNDS - 1);
      const ended = await round.live(
        // Where the service alone dies, the program goes on when it is back.
        n % 6 === 2 ? undefined : toMoment(random),
        isServiceToo ? toMoment(random) : undefined,
      );
      // Killed, done, or the service was away for longer than it was waited for.
      if (ended.signal !== "SIGKILL") expect([0, 3, 5], ended.err).toContain(ended.code);
    }
    let last = await round.run();
    for (let again = 0; again < 3 && last.code !== 0; again += 1) last = await round.run();
    expect(last.code, last.err).toBe(0);
    expect(lastLine(last, "summary")).toMatchObject({ left: 0, failed: 0, bad: 0 });
    const codes = await listCodes(round.server);
    expect(codes).toHaveLength(rows);
    expect(new Set(codes.map(({ qr_data: url }) => url)).size).toBe(rows);
    await checkFiles(files);
    const again = await round.run();
    expect(lastLine(again, "summary")).toMatchObject({ writes: 0, reads: 1, unchanged: rows });
    const { killedRuns, killedServices } = round;
    expect(killedRuns).toBeGreaterThan(0);
    expect(killedServices).toBeGreaterThan(0);
    if (IS_LONG) {
      const figures = { rounds: ROUNDS, killedRuns, killedServices, rows, codes: codes.length };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
    }
  } finally {
    round.server.child.kill("SIGKILL");
  }
});
