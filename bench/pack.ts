/**
 * ZIP, compared with archiver: 5,000 PNG and 5,000 SVG, then 100,000 tiny entries. Each runs in its
 * own process, to measure its own memory. `tsx bench/pack.ts`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

import { ZipArchive } from "archiver";

import { writeZip } from "../src/pack/zip.ts";

interface Entry {
  readonly name: string;
  readonly data: Buffer;
}

interface Figures {
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly fileMb: number;
}

const CREATED_AT = new Date("2026-01-01T00:00:00Z");

/** Bytes that can't be compressed, the same on every run. */
function makeNoise(seed: number, bytes: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, i) =>
    createHash("sha512").update(`${seed}/${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

function makeSvg(seed: number): Buffer {
  const noise = makeNoise(seed, 700);
  const path = [...noise].map((byte, i) => `M${i % 37} ${byte % 37}h${(byte % 5) + 1}v1h-1z`);
  return Buffer.from(`<svg viewBox="0 0 37 37"><path d="${path.join("")}"/></svg>`);
}

const WORKLOADS: Readonly<Record<string, () => Generator<Entry>>> = {
  *artwork() {
    const noise = makeNoise(1, 1_400);
    for (let i = 0; i < 5_000; i += 1) {
      const name = String(i).padStart(5, "0");
      yield { name: `artwork/${name}.png`, data: noise };
      yield { name: `artwork/${name}.svg`, data: makeSvg(i % 50) };
    }
  },
  *tiny() {
    for (let i = 0; i < 100_000; i += 1) {
      yield { name: `artwork/${i}.svg`, data: Buffer.from(`<svg id="${i}"/>`) };
    }
  },
};

async function writeWithArchiver(file: string, entries: Iterable<Entry>): Promise<void> {
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const written = pipeline(archive, createWriteStream(file));
  for (const { name, data } of entries) {
    const taken = once(archive, "entry");
    archive.append(data, { name, date: CREATED_AT, store: name.endsWith(".png") });
    await taken;
  }
  await archive.finalize();
  await written;
}

async function writeWithMakeready(file: string, entries: Iterable<Entry>): Promise<void> {
  await writeZip(file, entries, { createdAt: CREATED_AT });
}

const WRITERS: Readonly<Record<string, typeof writeWithArchiver>> = {
  makeready: writeWithMakeready,
  archiver: writeWithArchiver,
};

async function measure(writer: string, workload: string): Promise<Figures> {
  const folder = mkdtempSync(path.join(tmpdir(), "makeready-bench-"));
  const file = path.join(folder, "out.zip");
  try {
    const write = WRITERS[writer];
    const makeEntries = WORKLOADS[workload];
    if (write === undefined || makeEntries === undefined) throw new RangeError("unknown workload");
    // Made before, so that making them isn't measured.
    const entries = [...makeEntries()];
    const before = process.cpuUsage();
    await write(file, entries);
    const { user, system } = process.cpuUsage(before);
    return {
      cpuSeconds: (user + system) / 1e6,
      peakMb: process.resourceUsage().maxRSS / 1024,
      fileMb: statSync(file).size / 1e6,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runAlone(writer: string, workload: string): Figures {
  const script = fileURLToPath(import.meta.url);
  const output = execFileSync(process.execPath, ["--import", "tsx", script, writer, workload]);
  return JSON.parse(output.toString()) as Figures;
}

function toLine(name: string, { cpuSeconds, peakMb, fileMb }: Figures): string {
  const cells = [
    `${cpuSeconds.toFixed(2)} s CPU`,
    `${peakMb.toFixed(0)} MB`,
    `${fileMb.toFixed(1)} MB file`,
  ];
  return `  ${name.padEnd(10)}${cells.map((cell) => cell.padStart(14)).join("")}`;
}

function compare(workload: string): void {
  const ours = runAlone("makeready", workload);
  const theirs = runAlone("archiver", workload);
  console.log(workload);
  console.log(toLine("makeready", ours));
  console.log(toLine("archiver", theirs));
  const cpu = ours.cpuSeconds / theirs.cpuSeconds;
  console.log(`  ratio: CPU ${cpu.toFixed(2)}, memory ${(ours.peakMb / theirs.peakMb).toFixed(2)}`);
}

const [writer, workload] = process.argv.slice(2);
if (writer !== undefined && workload !== undefined) {
  console.log(JSON.stringify(await measure(writer, workload)));
} else {
  for (const name of Object.keys(WORKLOADS)) compare(name);
}
