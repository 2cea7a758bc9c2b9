/**
 * Whole runs of 10,000, 100,000 and 1,000,000 rows against a server that answers at once: peak
 * memory and processor time, also of a second run with nothing to do, and of a third after a change
 * of one row. Each run is its own process of the built program.
 *
 * npx tsx bench/rows.ts [rows ...]
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { systemClock } from "../src/base/time/clock.ts";
import { randomIds } from "../src/base/ids/ids.ts";
import { main as runProgram } from "../src/cli/program.ts";
import type { Transport, WireAnswer, WireRequest } from "../src/client/wire.ts";

const MANIFEST = `version: 1
name: rows
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "table {{ id }}", folder: "Tables/{{ region }}" }
output: { dir: ../out, files: [], index: [csv] }
`;

const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><path d="${"M0 0h1v1z".repeat(300)}"/></svg>`;

/** A server that invents codes and folders and forgets them at once. */
function instantTransport(): Transport {
  const encoder = new TextEncoder();
  let made = 0;
  const toBody = (request: WireRequest): object => {
    const body = JSON.parse(request.body ?? "{}") as Record<string, unknown>;
    if (request.url.includes("/folder")) return { id: `f-${String(body["name"])}`, name: "f" };
    if (request.method === "GET") return { message: "none", results: [] };
    made += 1;
    return {
      ...body,
      id: `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`,
      shortlink_url: `https://s.example/${made.toString(36)}`,
      created: new Date().toISOString(),
      folder: null,
      qr_type: "Link",
      dynamic: true,
      svg: SVG,
    };
  };
  return {
    close: () => Promise.resolve(),
    send: (request): Promise<WireAnswer> =>
      Promise.resolve({
        status: 200,
        headers: new Headers({
          date: new Date().toUTCString(),
          "idempotency-key": request.headers["idempotency-key"] ?? "",
          "ratelimit-limit": "100000000",
          "ratelimit-remaining": "99999999",
          "ratelimit-reset": "60",
        }),
        body: encoder.encode(JSON.stringify(toBody(request))),
        sentAtMs: performance.now(),
        receivedAtMs: performance.now(),
      }),
  };
}

async function writeRows(file: string, rows: number, source = "qr"): Promise<void> {
  const out = createWriteStream(file);
  out.write("id,region,url\n");
  for (let n = 0; n < rows; n += 1) {
    const from = n === 5 ? source : "qr";
    const line = `${n},Region ${n % 50},https://menu.example/t/${n}?utm_source=${from}\n`;
    if (!out.write(line)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

const mega = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/** One run in this process; prints its figures as JSON. */
async function runOnce(root: string): Promise<void> {
  let summary = "";
  const started = performance.now();
  const code = await runProgram(
    [
      "run",
      path.join(root, "jobs/rows.yaml"),
      "--json",
      "--base-url",
      "http://stub.example/api/v2",
    ],
    {
      env: { MAKEREADY_TOKEN: "t", MAKEREADY_WORKSPACE: "w" },
      cwd: root,
      clock: systemClock,
      ids: randomIds,
      out: (text) => {
        summary = text;
      },
      err: () => undefined,
      terminalWidth: undefined,
      writer: "bench",
      signal: new AbortController().signal,
      transport: instantTransport(),
    },
  );
  console.log(
    JSON.stringify({
      code,
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
      peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
      summary: JSON.parse(summary.trim().split("\n").at(-1) ?? "{}") as unknown,
    }),
  );
}

interface Figures {
  readonly code: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly summary: {
    readonly created: number;
    readonly changed: number;
    readonly unchanged: number;
    readonly writes: number;
  };
}

const ROOT = path.join(import.meta.dirname, "..");

/**
 * Builds this file and the program below `node_modules`, where packages are found; answers the path.
 */
function build(): string {
  const folder = path.join(ROOT, "node_modules/.cache/makeready-rows");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "templates"]) {
    if (!existsSync(path.join(folder, name))) {
      symlinkSync(path.join(ROOT, name), path.join(folder, name));
    }
  }
  const config = {
    extends: path.join(ROOT, "src/tsconfig.json"),
    compilerOptions: { rootDir: ROOT, outDir: folder, declaration: false },
    include: [path.join(ROOT, "bench/rows.ts")],
  };
  const file = path.join(folder, "tsconfig.json");
  writeFileSync(file, JSON.stringify(config));
  execFileSync(process.execPath, [path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", file]);
  return path.join(folder, "bench/rows.js");
}

function runApart(program: string, root: string): Figures {
  const args = [program, "--in", root];
  const out = execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Figures;
}

const show = ({ seconds, cpuSeconds, peakMb }: Figures): string =>
  `${seconds.toFixed(1)} (${cpuSeconds.toFixed(1)}) | ${peakMb}`;

async function main(): Promise<void> {
  const [first, root] = process.argv.slice(2);
  if (first === "--in" && root !== undefined) return runOnce(root);
  const program = build();
  const sizes = process.argv.slice(2).map(Number);
  console.log("seconds (of processor time) and peak MB of memory");
  console.log(
    "| rows | first run | MB | nothing to do | MB | one row changed | MB | state MB | writes of the second, third |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const rows of sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000]) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-rows-"));
    mkdirSync(path.join(folder, "jobs"));
    writeFileSync(path.join(folder, "jobs/rows.yaml"), MANIFEST);
    await writeRows(path.join(folder, "rows.csv"), rows);
    const made = runApart(program, folder);
    const again = runApart(program, folder);
    await writeRows(path.join(folder, "rows.csv"), rows, "poster");
    const changed = runApart(program, folder);
    const state = mega(statSync(path.join(folder, "out/state.db")).size);
    console.log(
      `| ${rows} | ${show(made)} | ${show(again)} | ${show(changed)} | ${state} | ${again.summary.writes}, ${changed.summary.writes} |`,
    );
    const isRight =
      made.summary.created === rows &&
      again.summary.unchanged === rows &&
      changed.summary.changed === 1;
    if (!isRight) process.exitCode = 1;
    rmSync(folder, { recursive: true });
  }
}

await main();
