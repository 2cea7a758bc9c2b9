/**
 * QR engine against the peers that are installed (`qr.md` section 11): interleaved rounds, CPU
 * time of this process, medians. Prints microseconds and how many times as long a peer takes.
 *
 *     npx tsx bench/qr.ts
 *
 * Peers: qr, qrcode, zxing-wasm's writer. One that isn't installed is left out and named.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { openDecoder, ZXING_WASM } from "../src/qr/decode.ts";
import { type DesignInput, resolveDesign } from "../src/qr/design.ts";
import { encodeQr, type QrLevel } from "../src/qr/encode.ts";
import { labelFonts, openQrEngine } from "../src/qr/engine.ts";
import { readCodes } from "../src/qr/read-code.ts";
import { loads } from "../test/qr/payloads.ts";

type Load = keyof typeof loads;

interface Entry {
  readonly name: string;
  readonly run: (text: string) => unknown;
}

const ROUNDS = 9;
const ROUND_MS = 60;
const LEVELS: Record<Load, QrLevel> = { A: "Q", B: "Q", C: "H" };

/** Texts of one length that differ, so that nothing can be kept from call to call. */
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

/** Prints one table: the first entry is ours, the others are held against it. */
async function compare(
  title: string,
  inputs: readonly string[],
  entries: readonly Entry[],
): Promise<void> {
  const calls: number[] = [];
  for (const entry of entries) {
    await cpuMicros(entry, inputs, 20);
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
    const ratio = i === 0 ? "" : `${(micros / ours).toFixed(2)} x ours`;
    console.log(`  ${name.padEnd(28)} ${micros.toFixed(1).padStart(9)} us  ${ratio}`);
  }
}

/** A peer's module, or undefined when it is not installed. */
async function peer(name: string): Promise<Record<string, never> | undefined> {
  try {
    const module = (await import(name)) as Record<string, never>;
    return module["default"] ?? module;
  } catch {
    console.log(`${name} is not installed: left out`);
    return undefined;
  }
}

type Call = (...args: readonly unknown[]) => unknown;

async function encoders(level: QrLevel): Promise<Entry[]> {
  const entries: Entry[] = [{ name: "makeready", run: (text) => encodeQr(text, { level }) }];
  const qr = (await peer("qr")) as unknown as Call | undefined;
  const ecc = { L: "low", M: "medium", Q: "quartile", H: "high" }[level];
  if (qr !== undefined)
    entries.push({ name: "qr", run: (text) => qr(text, "raw", { ecc, border: 1 }) });
  const qrcode = (await peer("qrcode")) as unknown as { create: Call } | undefined;
  if (qrcode !== undefined) {
    const options = { errorCorrectionLevel: level };
    entries.push({ name: "qrcode", run: (text) => qrcode.create(text, options) });
  }
  return entries;
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
  await compare(`encode, load ${load} at ${level}`, texts(load), await encoders(level));
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
await compare("styled, load A", texts("A"), [
  { name: "SVG", run: (text) => engine.svg(text, styled) },
  { name: "PNG, 1000 px, layer kept", run: (text) => engine.png(text, styled, { widthPx: 1000 }) },
]);
console.log(`\nmemory: ${Math.round(process.memoryUsage.rss() / 1e6)} MB resident`);
engine.close();
