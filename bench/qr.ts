/**
 * The QR engine, compared with the installed peers (docs/spec/qr.md section 11): interleaved
 * rounds, CPU time of this process, medians. Prints microseconds, and how many times as long a peer
 * takes.
 *
 * npx tsx bench/qr.ts
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Byte, Encoder } from "@nuintun/qrcode";
import { correction, generate } from "lean-qr";
import peerQr from "qr";
import qrcode from "qrcode";
import { encode as uqr } from "uqr";

import { openDecoder, ZXING_WASM } from "../src/qr/read/decode.ts";
import { type DesignInput, resolveDesign } from "../src/qr/draw/design.ts";
import { encodeQr, type QrLevel } from "../src/qr/encode/encode.ts";
import { labelFonts, openQrEngine } from "../src/qr/engine.ts";
import { readCodes } from "../src/qr/read/read-code.ts";
import { loads, payloadSource, seededRandom } from "../test/qr/payloads.ts";

type Load = keyof typeof loads;

interface Entry {
  readonly name: string;
  readonly run: (text: string) => unknown;
}

const ROUNDS = 9;
const ROUND_MS = 60;
const LEVELS: Record<Load, QrLevel> = { A: "Q", B: "Q", C: "H" };

/** Different texts of one length, so that nothing can be reused from call to call. */
const texts = (load: Load): string[] =>
  Array.from({ length: 200 }, (_, i) => loads[load].slice(0, -3) + String(i).padStart(3, "0"));

async function cpuMicros(entry: Entry, inputs: readonly string[], calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i += 1) await entry.run(inputs[i % inputs.length] as string);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Prints one table: the first entry is ours, the others are compared with it. */
async function compare(
  title: string,
  inputs: readonly string[],
  entries: readonly Entry[],
): Promise<void> {
  const [reference] = entries;
  if (reference === undefined) return;
  const calls: number[] = [];
  for (const entry of entries) {
    // The first few hundred calls run in the interpreter.
    const warmUp = Math.ceil((ROUND_MS * 2000) / (await cpuMicros(entry, inputs, 5)));
    await cpuMicros(entry, inputs, Math.min(2000, warmUp));
    calls.push(Math.max(5, Math.ceil((ROUND_MS * 1000) / (await cpuMicros(entry, inputs, 20)))));
  }
  const times = entries.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, entry] of entries.entries()) {
      times[i]?.push(await cpuMicros(entry, inputs, calls[i] as number));
    }
  }
  const ours = median(times[0] ?? []);
  console.log(`\n${title}`);
  for (const [i, { name }] of entries.entries()) {
    const micros = median(times[i] ?? []);
    const ratio = i === 0 ? "" : `${(micros / ours).toFixed(2)} x ${reference.name}`;
    console.log(`  ${name.padEnd(28)} ${micros.toFixed(1).padStart(9)} us  ${ratio}`);
  }
}

const QR_LEVELS = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;

/** It has numbers for levels and may raise them: not between two equal ones. */
const lean = (text: string, level: QrLevel): unknown => {
  const wanted = correction[level];
  return generate(text, { minCorrectionLevel: wanted, maxCorrectionLevel: wanted });
};

const encoders = (level: QrLevel): Entry[] => [
  { name: "makeready", run: (text) => encodeQr(text, { level }) },
  { name: "qr", run: (text) => peerQr(text, "raw", { ecc: QR_LEVELS[level], border: 1 }) },
  { name: "qrcode", run: (text) => qrcode.create(text, { errorCorrectionLevel: level }) },
  { name: "lean-qr", run: (text) => lean(text, level) },
  { name: "uqr", run: (text) => uqr(text, { ecc: level }) },
  { name: "@nuintun/qrcode", run: (text) => new Encoder({ level }).encode(new Byte(text)) },
];

/** How many texts get a larger code than needed; ours is the smallest possible, as tests prove. */
function countLarger(texts: number): void {
  const random = seededRandom(11);
  const source = payloadSource(random);
  const levels = ["L", "M", "Q", "H"] as const;
  const larger = { qr: 0, qrcode: 0 };
  let compared = 0;
  while (compared < texts) {
    const text = source.pick();
    const level = levels[Math.floor(random() * levels.length)] as QrLevel;
    // The peers write no ECI: only texts without one can be compared.
    if (/[^ -~]/u.test(text)) continue;
    const { size } = encodeQr(text, { level });
    compared += 1;
    const theirs = peerQr(text, "raw", { ecc: QR_LEVELS[level], border: 1 }).length - 2;
    larger.qr += Number(theirs > size);
    const { modules } = qrcode.create(text, { errorCorrectionLevel: level });
    larger.qrcode += Number(modules.size > size);
  }
  console.log(
    `\nlarger codes than makeready's, of ${compared} ASCII texts: ${JSON.stringify(larger)}`,
  );
}

/** Resident MB of a process of its own that runs `work`. */
function residentMb(work: string): number {
  const code = `${work}; console.log(process.memoryUsage.rss() / 1e6)`;
  const args = ["--import", "tsx", "--input-type=module", "-e", code];
  return Number(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout);
}

function encoderMemoryMb(): number {
  const encoder = JSON.stringify(new URL("../src/qr/encode/encode.ts", import.meta.url));
  const work = `const { encodeQr } = await import(${encoder});
    for (let i = 0; i < 100_000; i += 1) encodeQr("https://example.com/p/Zx81QmTe-" + i, { level: "Q" })`;
  return residentMb(work) - residentMb("");
}

const wasm = readFileSync(fileURLToPath(import.meta.resolve(ZXING_WASM)));
const decoder = await openDecoder(wasm);
const engine = await openQrEngine({ fonts: labelFonts.map((url) => readFileSync(url)) });
const plain = resolveDesign();
const styledInput: DesignInput = {
  pattern: "Circles",
  eyeStyle: "Rounded",
  frame: "card",
  text: "SCAN ME",
  backgroundColor: "#ffffff",
  primaryColor: "#1a237e",
};
const styled = resolveDesign(styledInput);

for (const load of ["A", "B", "C"] as const) {
  const level = LEVELS[load];
  await compare(`encode, load ${load} at ${level}`, texts(load), encoders(level));
}
for (const load of ["A", "B", "C"] as const) {
  const design = { ...plain, errorCorrection: LEVELS[load] };
  await compare(`artwork, load ${load}`, texts(load), [
    { name: "encode", run: (text) => encodeQr(text, { level: LEVELS[load] }) },
    { name: "plain SVG", run: (text) => engine.svg(text, design) },
    { name: "plain PNG, 1000 px", run: (text) => engine.png(text, design, { widthPx: 1000 }) },
    {
      name: "plain PNG, 1000 px, decoded",
      run: async (text) => {
        const [code] = await readCodes(decoder, await engine.png(text, design, { widthPx: 1000 }));
        if (code?.text !== text) throw new Error(`not read: ${text}`);
      },
    },
  ]);
}
await compare("plain SVG, load A, encoding included", texts("A"), [
  { name: "makeready", run: (text) => engine.svg(text, plain) },
  { name: "qr", run: (text) => peerQr(text, "svg", { ecc: "quartile" }) },
  {
    name: "qrcode",
    run: (text) => qrcode.toString(text, { type: "svg", errorCorrectionLevel: "Q" }),
  },
]);
await compare("plain PNG of 1000 px, load A, encoding included", texts("A"), [
  { name: "makeready", run: (text) => engine.png(text, plain, { widthPx: 1000 }) },
  {
    name: "qrcode",
    run: (text) => qrcode.toBuffer(text, { width: 1000, errorCorrectionLevel: "Q" }),
  },
]);
await compare("styled, load A", texts("A"), [
  { name: "SVG", run: (text) => engine.svg(text, styled) },
  { name: "PNG, 1000 px, layer kept", run: (text) => engine.png(text, styled, { widthPx: 1000 }) },
  {
    name: "the same, decoded",
    run: async (text) => {
      const [code] = await readCodes(decoder, await engine.png(text, styled, { widthPx: 1000 }));
      if (code?.text !== text) throw new Error(`not read: ${text}`);
    },
  },
]);
countLarger(2000);
console.log(
  `\nmemory of 100,000 encodings above an idle process: ${encoderMemoryMb().toFixed(0)} MB`,
);
engine.close();
