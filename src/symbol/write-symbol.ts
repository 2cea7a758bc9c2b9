/**
 * Text -> modules, through zxing-wasm's writer, which contains Zint (docs/spec/symbols.md section 4).
 * Its WebAssembly comes from the installed package, never from a network.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { prepareZXingModule, type ZXingWriterModule } from "zxing-wasm/writer";

import { invariant } from "../base/errors.ts";
import type { SymbolName } from "../base/shapes/label-art.ts";
import type { SymbolData } from "./symbol-text.ts";
import { symbolKinds } from "./symbols.ts";

/** A symbol of whole modules without quiet zone, rows from the top. */
export interface SymbolModules {
  readonly width: number;
  readonly height: number;
  readonly isDark: (x: number, y: number) => boolean;
}

const WASM = "zxing-wasm/writer/zxing_writer.wasm";

let loading: Promise<ZXingWriterModule> | undefined;
let writer: ZXingWriterModule | undefined;

async function load(): Promise<ZXingWriterModule> {
  const bytes = await readFile(createRequire(import.meta.url).resolve(WASM));
  const wasmBinary = new Uint8Array(bytes).buffer;
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

/** Must have finished before anything is written. May be called again. */
export async function loadSymbolWriter(): Promise<void> {
  loading ??= load();
  writer = await loading;
}

export interface WriteOptions {
  /** Codewords or characters side by side, where a symbol has rows. */
  readonly columns?: number | null | undefined;
}

/**
 * Texts with other letters declare their character set: readers that guess may see Japanese in `Å`.
 */
const ASCII = /^[\u0020-\u007E]*$/u;

/** `Error 252: Data does not start with an AI (retval: 6)` -> its middle part. */
const sayError = (text: string): string => {
  const words = text.replace(/^Error \d+: /u, "").replace(/ \(retval: \d+\)$/u, "");
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
};

function encode(name: SymbolName, input: string, columns: number | null): SymbolModules | string {
  invariant(writer !== undefined, "the writer of symbols must be loaded before it is used");
  const { format, options } = symbolKinds[name];
  const words = [
    options,
    columns === null ? "" : `columns=${columns}`,
    ASCII.test(input) ? "" : "eci=UTF-8",
  ].filter((one) => one !== "");
  const { error, symbol } = writer.writeBarcodeFromText(input, {
    format,
    options: words.join(","),
    scale: 1,
    rotate: 0,
    invert: false,
    addHRT: false,
    addQuietZones: false,
  });
  if (error !== "") return sayError(error);
  const { width, height } = symbol;
  // A copy: the bytes are in the writer's memory, which the next symbol reuses.
  const data = symbol.data.slice();
  return { width, height, isDark: (x, y) => data[y * width + x] === 0 };
}

const KEPT = 2000;
const known = new Map<string, SymbolModules | string>();

/**
 * The modules of a symbol, or a text that says why there are none, such as `input too long`. The
 * same data give the same modules.
 */
export function writeSymbol(
  name: SymbolName,
  { input }: Pick<SymbolData, "input">,
  { columns = null }: WriteOptions = {},
): SymbolModules | string {
  const key = `${name}\u0000${columns ?? ""}\u0000${input}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const written = encode(name, input, columns);
  if (known.size >= KEPT) known.clear();
  known.set(key, written);
  return written;
}

/** Dark stretches of a row, in modules. */
export function runsOf(modules: SymbolModules, y: number): (readonly [from: number, to: number])[] {
  const runs: (readonly [number, number])[] = [];
  let start = -1;
  for (let x = 0; x <= modules.width; x += 1) {
    const isDark = x < modules.width && modules.isDark(x, y);
    if (isDark && start < 0) start = x;
    if (!isDark && start >= 0) {
      runs.push([start, x]);
      start = -1;
    }
  }
  return runs;
}
