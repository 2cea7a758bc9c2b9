/**
 * A whole job, compared with scripts from other people's parts that make the same files: an SVG and a
 * PNG per code, vector sheets of 24 labels on A4, one ZIP; with and without reading every code back.
 * Measures processor time over all threads, wall time and peak memory; each run is its own process,
 * in turns. In addition, makeready makes every code exactly once through the API of its own service.
 *
 * npm run bench -- job [rows [rounds]]
 *
 * `ONLY=own,peers` keeps contenders whose names contain one of these words, and the first of all.
 * `BEFORE=folder` adds another, built makeready to compare with.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { makeWithOwnParts } from "./job/own-parts.ts";
import { encoders, makeWithParts, proveParts } from "./job/peers.ts";
import { toPayload } from "./job/sheet.ts";
import { missingOf, runTools, type Tool } from "./job/tools.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BEFORE = process.env["BEFORE"];
const programOf = (root: string): string => path.join(root, "dist/cli/main.js");
/** Used as the encoder's name: the parts of makeready itself. */
const OWN = "own";
/** Most time of the whole job, as a multiple of its own parts' time. */
const MOST_OF_PARTS = 2.5;

const toManifest = (design: string): string => `version: 1
name: bench
kind: codes
source: { file: rows.csv, key: [number] }
code: { type: Link, dynamic: true, qr_data: "{{ target }}", display_name: "{{ number }}", design: ${design} }
output:
  dir: out
  files: [svg, png]
  file_name: "{{ number }}"
  zip: { name: all.zip }
  sheets: { sheet: a4-24up-63.5x33.9, name: sheets.pdf, caption: "{{ number }}", marks: [crop], device_dpi: 600 }
`;

function writeJob(folder: string, rows: number, design: string): void {
  const lines = Array.from({ length: rows }, (_, row) => `T-${row + 1},${toPayload(row)}\n`);
  writeFileSync(path.join(folder, "rows.csv"), `number,target\n${lines.join("")}`);
  writeFileSync(path.join(folder, "job.yaml"), toManifest(design));
}

interface Figures {
  readonly cpu: number;
  readonly wall: number;
  readonly mb: number;
  /** Stages as the program itself reports them. */
  readonly stages?: readonly { readonly name: string; readonly seconds: number }[];
}

const toModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** Prints a process's resource use when it ends. */
const PROBE = toModule(`
  import { writeFileSync } from "node:fs";
  const begun = performance.now();
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const cpu = (user + system) / 1e6;
    const mb = Math.round(process.resourceUsage().maxRSS / 1024);
    const wall = (performance.now() - begun) / 1000;
    writeFileSync(process.env.BENCH_FIGURES, JSON.stringify({ cpu, wall, mb }));
  });
`);

const LEAVE_OUT = `
  if (!ProofPool.prototype.pages || !ProofPool.prototype.pictures)
    throw new Error("its proof must be one that this bench can leave out");
  ProofPool.prototype.pages = async ({ claims }) =>
    ({ decoded: claims.length, compared: 0, faults: [], renders: 0 });
  ProofPool.prototype.pictures = async ({ pictures }) => pictures.map(() => undefined);
`;

/** Finds the proof, in whatever file it was built into. */
const PROOF = /(?:class ProofPool |ProofPool = class)/u;

/** Whether its proof can be left out. */
function holdsProof(root: string): boolean {
  const dist = path.join(root, "dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  const found = files.some(
    (file) => file.endsWith(".js") && PROOF.test(readFileSync(path.join(dist, file), "utf8")),
  );
  if (!found) console.log(`left out for want of a proof that can be left out: ${root}`);
  return found;
}

/**
 * Replaces the proof by one that does nothing and reports success: this measures a job without its
 * proof, which it otherwise never leaves out. Two methods of the module with the proof are replaced
 * while it is loaded.
 */
const NO_PROOF = toModule(`
  import { register } from "node:module";
  register(${JSON.stringify(
    toModule(`
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!/\\/dist\\/.*\\.js$/.test(url)) return loaded;
    const source = String(loaded.source);
    return ${PROOF}.test(source) ? { ...loaded, source: source + ${JSON.stringify(LEAVE_OUT)} } : loaded;
  }
`),
  )});
`);

type Summary = Pick<Figures, "stages">;

/** The last line of the program's JSON output. */
function readStages(out: string): Summary {
  const last = out.trim().split("\n").at(-1) ?? "";
  if (!last.startsWith("{")) return {};
  const { stages } = JSON.parse(last) as Summary;
  return stages === undefined ? {} : { stages };
}

function measure(folder: string, args: readonly string[]): Figures {
  const file = path.join(folder, "figures.json");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", PROBE, ...args], {
    cwd: folder,
    env: { ...process.env, BENCH_FIGURES: file },
    encoding: "utf8",
    maxBuffer: Infinity,
  });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  const figures = JSON.parse(readFileSync(file, "utf8")) as Figures;
  return { ...figures, ...readStages(stdout) };
}

type Contender = (folder: string, rows: number) => Figures;

interface Program {
  readonly design?: string;
  readonly verifies?: boolean;
  readonly root?: string;
  readonly proves?: boolean;
}

const PLAIN = "{ error_correction: M }";
const STYLED = "{ error_correction: Q, primary_color: '#113355', pattern: Circles }";

const runProgram =
  ({ design = PLAIN, verifies = false, root = ROOT, proves = true }: Program): Contender =>
  (folder, rows) => {
    writeJob(folder, rows, design);
    const more = proves ? [] : ["--import", NO_PROOF];
    const made = measure(folder, [...more, programOf(root), "run", "job.yaml", "--yes", "--json"]);
    return verifies ? measure(folder, [programOf(root), "verify", "job.yaml"]) : made;
  };

const runParts =
  (encoder: string, ...more: string[]): Contender =>
  (folder, rows) =>
    measure(folder, [
      "--import",
      import.meta.resolve("tsx"),
      fileURLToPath(import.meta.url),
      "--in",
      folder,
      String(rows),
      encoder,
      ...more,
    ]);

const PROVEN = "makeready, every code read back";
const STYLED_JOB = "makeready, styled, every code read back";
const UNPROVEN = "makeready, its proof left out";
const VERIFY = "makeready, verify of the finished job";

const ours: Readonly<Record<string, Contender>> = {
  [PROVEN]: runProgram({}),
  [UNPROVEN]: runProgram({ proves: false }),
  [STYLED_JOB]: runProgram({ design: STYLED }),
  [VERIFY]: runProgram({ verifies: true }),
};

const beforeOf = (root: string | undefined): Readonly<Record<string, Contender>> =>
  root === undefined
    ? {}
    : {
        [`before: ${PROVEN}`]: runProgram({ root }),
        ...(holdsProof(root)
          ? { [`before: ${UNPROVEN}`]: runProgram({ root, proves: false }) }
          : {}),
        [`before: ${STYLED_JOB}`]: runProgram({ root, design: STYLED }),
        [`before: ${VERIFY}`]: runProgram({ root, verifies: true }),
      };

/**
 * What is compared: neither side proves, or both do. Peers do less: they have no exactly-once, PDF/X,
 * states and reports.
 */
interface Peer {
  readonly name: string;
  readonly proves: boolean;
  readonly run: Contender;
}

const peersOf = (): Peer[] => {
  const pairs: (readonly [string, (proves: boolean) => Contender | undefined])[] = [
    ["own parts alone", (proves) => runParts(OWN, ...(proves ? ["--prove"] : []))],
    [
      "peers qrcode + pdfkit + archiver",
      (proves) => runParts("qrcode", ...(proves ? ["--prove"] : [])),
    ],
    [
      "peers qr + sharp + pdfkit + archiver",
      (proves) => runParts("qr", ...(proves ? ["--prove"] : [])),
    ],
    ...(["zint", "qrencode"] as const).map(
      (tool) =>
        [`tools ${tool} + img2pdf + zip`, (proves: boolean) => runTool(tool, proves)] as const,
    ),
  ];
  return pairs.flatMap(([name, toRun]) =>
    [false, true].flatMap((proves) => {
      const run = toRun(proves);
      return run === undefined
        ? []
        : [{ name: `${name}${proves ? ", read back" : ""}`, proves, run }];
    }),
  );
};

function runTool(tool: Tool, proves: boolean): Contender | undefined {
  const missing = missingOf(tool, proves);
  if (missing.length === 0) return (folder, rows) => runTools(folder, rows, tool, proves);
  console.log(`left out for want of ${missing.join(", ")}: ${tool}${proves ? ", read back" : ""}`);
  return undefined;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

type Found = ReadonlyMap<string, readonly Figures[]>;

function measureAll(
  contenders: ReadonlyMap<string, Contender>,
  rows: number,
  rounds: number,
): Found {
  const found = new Map<string, Figures[]>([...contenders.keys()].map((name) => [name, []]));
  // Removed after all measurements: ext4 looks through recently removed files whenever one is made,
  // which cost the next contender seconds.
  const folders: string[] = [];
  process.once("exit", () => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of contenders) {
      const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-bench-job-"));
      folders.push(folder);
      try {
        const figures = run(folder, rows);
        found.get(name)?.push(figures);
        // Progress for the watcher of a long bench; the tables go to standard output.
        console.error(`${round + 1}/${rounds} ${figures.cpu.toFixed(1)} s  ${name}`);
      } catch (error) {
        // An older program may not work with this bench.
        if (!name.startsWith("before")) throw error;
        console.log(`left out: ${name}: ${String(error)}`);
      }
    }
  }
  return found;
}

type Counted = "cpu" | "wall" | "mb";

const toMedian = (found: Found, name: string, what: Counted): number =>
  median((found.get(name) ?? []).map((figures) => figures[what]));

function printTable(head: readonly string[], lines: readonly (readonly string[])[]): void {
  if (lines.length === 0) return;
  console.log(`\n| ${head.join(" | ")} |`);
  console.log(`|${head.map(() => "---").join("|")}|`);
  for (const line of lines) console.log(`| ${line.join(" | ")} |`);
}

function printFigures(found: Found, rows: number): void {
  const head = ["", "s of processor time", "ms a row", "s", "peak MB"];
  const lines = Array.from(found.keys(), (name) => {
    const cpu = toMedian(found, name, "cpu");
    const each = ((cpu * 1000) / rows).toFixed(2);
    const wall = toMedian(found, name, "wall").toFixed(1);
    return [name, cpu.toFixed(1), each, wall, String(toMedian(found, name, "mb"))];
  });
  printTable(head, lines);
}

function printRatios(found: Found, peers: readonly Peer[]): void {
  const held = [
    ...peers.map(({ name, proves }) => [proves ? PROVEN : UNPROVEN, name] as const),
    ...Object.keys(ours).map((name) => [name, `before: ${name}`] as const),
  ].filter(([ours, theirs]) => found.has(ours) && found.has(theirs));
  const lines = held.map(([mine, theirs]) => {
    const ratio = (what: Counted): number =>
      toMedian(found, mine, what) / toMedian(found, theirs, what);
    const cpu = ratio("cpu");
    const isOwn = theirs.startsWith("own");
    const most = isOwn ? MOST_OF_PARTS : 1;
    const judged = cpu <= most ? "yes" : "no";
    const wish = isOwn ? `at most ${MOST_OF_PARTS}: ${judged}` : `less: ${judged}`;
    return [mine, theirs, cpu.toFixed(2), ratio("wall").toFixed(2), ratio("mb").toFixed(2), wish];
  });
  printTable(["", "against", "processor time", "wall time", "memory", "is wished for"], lines);
}

function printStages(found: Found): void {
  const runs = (found.get(PROVEN) ?? []).map(({ stages = [] }) => stages);
  const names = new Set(runs.flatMap((stages) => stages.map(({ name }) => name)));
  const lines = Array.from(names, (name) => {
    const seconds = runs.map((stages) => stages.find((one) => one.name === name)?.seconds ?? 0);
    return [name, median(seconds).toFixed(2)];
  });
  printTable([`stages of ${PROVEN}`, "s"], lines);
}

function compare(rows: number, rounds: number): void {
  const words = process.env["ONLY"]?.split(",").filter((word) => word !== "");
  const peers = peersOf();
  const all: [string, Contender][] = [
    ...Object.entries(ours),
    ...Object.entries(beforeOf(BEFORE)),
    ...peers.map(({ name, run }): [string, Contender] => [name, run]),
  ];
  const isWanted = (name: string): boolean =>
    name === PROVEN || words === undefined || words.some((word) => name.includes(word));
  const contenders = new Map(all.filter(([name]) => isWanted(name)));
  console.log(
    `${rows} rows, median of ${rounds}; ${os.cpus().length} x ${os.cpus()[0]?.model}; Node ${process.version}`,
  );
  const found = measureAll(contenders, rows, rounds);
  printFigures(found, rows);
  printRatios(found, peers);
  printStages(found);
}

const [first, second, third = "", encoder = "", last] = process.argv.slice(2);
if (first === "--in") {
  const folder = second ?? "";
  const draw = encoders[encoder];
  const proves = last === "--prove";
  if (encoder === OWN) await makeWithOwnParts(folder, Number(third), proves);
  else if (draw === undefined) throw new Error(`encoder must be known, got ${encoder}`);
  else {
    await makeWithParts(folder, Number(third), draw);
    if (proves) await proveParts(folder, Number(third));
  }
} else {
  for (const root of [ROOT, ...(BEFORE === undefined ? [] : [BEFORE])])
    if (!existsSync(programOf(root))) throw new Error(`${root} must be built: npm run build`);
  compare(Number(first ?? 1000), Number(second ?? 3));
}
