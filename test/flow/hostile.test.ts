import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { findPngFault } from "../../src/download/check-png.ts";
import { findSvgFault } from "../../src/svg/check-svg.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { openQrEngine } from "../../src/qr/engine.ts";
import { openState } from "../../src/state/state.ts";
import { seededRandom } from "../client/virtual-clock.ts";
import {
  assetFaults,
  createFaults,
  HostileApi,
  otherFaults,
  type HostileOptions,
} from "../help/hostile-api.ts";
import { serveHostile, type OpenPort } from "../help/hostile-server.ts";
import { hastyClock, runHere } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { lastLine, runProgram, type Ended } from "./program.ts";

/** `KILL_ROUNDS=100` is the long way, by hand. */
const KILLS = Number(process.env["KILL_ROUNDS"] ?? 2);
const ROWS = KILLS * 10;

const MANIFEST = `version: 1
name: hostile
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
run: { settle: 3s, concurrency: 8 }
`;

const makeRows = (rows: number): string =>
  [
    "table,region,url",
    ...Array.from({ length: rows }, (_, n) => {
      const region = n % 2 === 0 ? "North" : "South";
      return `${n},${region},https://menu.example/t/${n}`;
    }),
  ].join("\n");

const ports: OpenPort[] = [];

afterEach(async () => {
  for (const port of ports.splice(0)) await port.close();
});

async function open(api: HostileApi): Promise<string> {
  const port = await serveHostile(api);
  ports.push(port);
  return port.origin;
}

/** Pictures of the short links that this server will give, made before they are asked for. */
async function drawLinks(count: number): Promise<NonNullable<HostileOptions["draw"]>> {
  const engine = await openQrEngine();
  const design = resolveDesign({ sizePx: 300 });
  const pictures = new Map<string, { png: Uint8Array; svg: string }>();
  for (let seq = 1; seq <= count; seq += 1) {
    const text = `https://s.example/${seq.toString(36).padStart(6, "0")}`;
    pictures.set(text, { png: await engine.png(text, design), svg: engine.svg(text, design) });
  }
  engine.close();
  return (text) => pictures.get(text) ?? { png: new Uint8Array(), svg: "" };
}

const ENV = { MAKEREADY_TOKEN: "secret", MAKEREADY_WORKSPACE: "w" };

function command(name: string, files: JobFolder, origin: string): string[] {
  const api = `${origin}/api/v2`;
  return [name, files.manifest, "--json", "--base-url", api, "--patience", "20s"];
}

interface Job {
  readonly api: HostileApi;
  readonly files: JobFolder;
  /** Runs the job in a process that is killed when the server has seen so many more creates. */
  readonly runKilled: (killAfter: number) => Promise<Ended>;
  readonly run: (name?: string) => Promise<Ended>;
}

async function makeHostileJob(seed: number): Promise<Job> {
  const random = seededRandom(seed);
  const draw = await drawLinks(ROWS * 2);
  const pick = <Item>(items: readonly Item[], share: number): Item | undefined =>
    random() < share ? items[Math.floor(random() * items.length)] : undefined;
  const victim: { child?: ChildProcess; atCreate: number } = { atCreate: Infinity };
  let assetOrigin = "";
  const api: HostileApi = new HostileApi({
    clock: hastyClock,
    random,
    lateMs: 400,
    slowMs: 600,
    listLagMs: 100,
    draw,
    inlineSvg: false,
    createFault: () => {
      if (api.creates >= victim.atCreate) {
        victim.child?.kill("SIGKILL");
        victim.atCreate = Infinity;
      }
      return pick(createFaults, 0.2);
    },
    otherFault: () => pick(otherFaults, 0.08),
    assetFault: () => pick(assetFaults, 0.15),
    assetUrl: (file) => `${assetOrigin}${file}`,
  });
  const origin = await open(api);
  assetOrigin = await open(api);
  const files = makeJobFolder(makeRows(ROWS), MANIFEST);
  return {
    api,
    files,
    run: (name = "run") => runHere(command(name, files, origin), ENV, hastyClock),
    runKilled: (killAfter) => {
      victim.atCreate = api.creates + killAfter;
      return runProgram(command("run", files, origin), {
        env: ENV,
        onStart: (child) => {
          victim.child = child;
        },
      });
    },
  };
}

it("killed and lied to, the program ends with one code and whole files per row", async () => {
  const { api, files, run, runKilled } = await makeHostileJob(20_261_120);
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const ended = await runKilled(1 + (round % 6));
    if (ended.signal === "SIGKILL") killed += 1;
  }
  // A round ends by itself when no row is left: what was in flight when others died counts too.
  expect(killed).toBeGreaterThanOrEqual(Math.floor(KILLS * 0.6));
  let last = await run();
  for (let again = 0; again < 6 && last.code !== 0; again += 1) {
    expect([3, 5], last.err).toContain(last.code);
    last = await run("retry");
  }
  expect(last.code, last.err).toBe(0);
  expect(lastLine(last, "summary")).toMatchObject({ left: 0, failed: 0, bad: 0 });

  const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
  const rows = [...state.rows()];
  state.close();
  expect(rows).toHaveLength(ROWS);
  expect(api.live).toHaveLength(ROWS);
  expect(new Set(rows.map((row) => row.remoteId))).toEqual(new Set(api.live.map(({ id }) => id)));
  for (const row of rows) {
    const code = api.live.find(({ id }) => id === row.remoteId);
    expect(code?.fields["qr_data"]).toBe(row.wanted.qrData);
    const [svg, png] = row.artwork?.files ?? [];
    const readFile = (name = ""): Buffer => readFileSync(path.join(files.out, name));
    expect(await findSvgFault(readFile(svg?.name).toString("utf8"))).toBeUndefined();
    expect(await findPngFault(readFile(png?.name))).toBeUndefined();
    expect(row.artwork?.proven).toEqual(row.artwork?.files.map(({ name }) => name));
  }
  expect(api.assetTokens).toBe(0);

  const writes = api.writes;
  const again = await run();
  expect(again.code).toBe(0);
  expect(lastLine(again, "summary")).toMatchObject({ writes: 0, unchanged: ROWS });
  expect(api.writes).toBe(writes);
});

it("says by its exit code what stopped it", async () => {
  const api = new HostileApi({ clock: systemClock, random: () => 0.5, slowMs: 1_000 });
  const origin = await open(api);
  const files = makeJobFolder(makeRows(3), MANIFEST);
  const wrong = { ...ENV, MAKEREADY_TOKEN: "wrong" };
  const refused = await runHere(command("run", files, origin), wrong, hastyClock);
  expect(refused.code).toBe(4);
  expect(`${refused.out}${refused.err}`).not.toContain("wrong");
  await ports.pop()?.close();
  const args = [...command("run", files, origin).slice(0, -1), "1s"];
  const away = await runHere(args, ENV, hastyClock);
  expect(away.code, away.err).toBe(5);
  expect(api.creates).toBe(0);
});

it("a second run says which process uses the job", async () => {
  const held: { second?: Promise<Ended> } = {};
  const api: HostileApi = new HostileApi({
    // The first run gets its answers when the second has ended, however long that takes.
    clock: { ...systemClock, sleep: async () => void (await held.second) },
    random: () => 0.9,
    createFault: () => {
      held.second ??= runHere(command("run", files, origin), ENV, hastyClock);
      return "slow";
    },
  });
  const origin = await open(api);
  const files = makeJobFolder(makeRows(2), MANIFEST.replace("[svg, png]", "[svg]"));
  const first = await runProgram(command("run", files, origin), { env: ENV });
  const second = await held.second;
  expect(second?.code).toBe(7);
  expect(`${second?.out}${second?.err}`).toMatch(/in use by process \d+/u);
  expect(first.code, first.err).toBe(0);
  expect(api.live).toHaveLength(2);
});
