/**
 * Promise 1 of design.md against real processes: the program and the service are both killed with
 * SIGKILL at random moments, over and over, while the spreadsheet grows. `KILL_ROUNDS=100` is the
 * long way: `npm run test:kill`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

import { expect, it } from "vitest";

import { findPngFault } from "../../src/download/check-png.ts";
import { findSvgFault } from "../../src/download/check-svg.ts";
import { openState } from "../../src/state/state.ts";
import { seededRandom } from "../client/virtual-clock.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { lastLine, PROGRAM, runProgram, type Ended } from "./program.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 4);
const IS_LONG = process.env["KILL_ROUNDS"] !== undefined;
const SEED = Number(process.env["KILL_SEED"] ?? 20_261_121);
const ROWS_PER_ROUND = IS_LONG ? 12 : 20;
/** A run of some dozen rows lasts about this long, packing and proof included. */
const SPREAD_MS = 3_000;

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
  const child = spawn(process.execPath, [PROGRAM, ...args], {
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

  run(onStart?: (child: ChildProcess) => void): Promise<Ended> {
    const { baseUrl, token, workspace } = this.server;
    const args = ["run", this.files.manifest, "--json", "--base-url", baseUrl, "--patience", "60s"];
    return runProgram(args, {
      env: { MAKEREADY_TOKEN: token, MAKEREADY_WORKSPACE: workspace },
      ...(onStart !== undefined && { onStart }),
    });
  }

  async killService(): Promise<void> {
    const { child, baseUrl } = this.server;
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    this.killedServices += 1;
    this.server = await serve(this.files.data, Number(new URL(baseUrl).port));
  }

  /** Kills the program after `runMs`, the service after `serviceMs`. */
  async live(runMs: number | undefined, serviceMs: number | undefined): Promise<Ended> {
    const timers: NodeJS.Timeout[] = [];
    const service: { back?: Promise<void> } = {};
    const ended = await this.run((child) => {
      if (runMs !== undefined) timers.push(setTimeout(() => child.kill("SIGKILL"), runMs));
      if (serviceMs === undefined) return;
      timers.push(
        setTimeout(() => {
          service.back = this.killService();
        }, serviceMs),
      );
    });
    for (const timer of timers) clearTimeout(timer);
    await service.back;
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

function checkFiles(files: JobFolder): void {
  const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
  for (const row of state.rows()) {
    const [svg, png] = row.artwork?.files ?? [];
    const read = (name = ""): Buffer => readFileSync(path.join(files.out, name));
    expect(findSvgFault(read(svg?.name).toString("utf8"))).toBeUndefined();
    expect(findPngFault(read(png?.name))).toBeUndefined();
    expect(row.artwork?.isProven).toBe(true);
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
      const isServiceToo = n % 3 === 2;
      const ended = await round.live(
        n % 6 === 4 ? undefined : 300 + random() * SPREAD_MS,
        isServiceToo ? 300 + random() * SPREAD_MS : undefined,
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
    checkFiles(files);
    const again = await round.run();
    expect(lastLine(again, "summary")).toMatchObject({ writes: 0, reads: 0, unchanged: rows });
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
}, 3_600_000);
