/** Programs of print shops and distributions, asked for a second opinion. None is needed to run makeready. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Grey {
  readonly width: number;
  readonly height: number;
  /** 0 is black; row by row. */
  readonly data: Uint8Array;
}

/** True when a program can be started. */
export const has = (program: string): boolean =>
  spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;

export const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 30, stdio: "pipe" });

export const engines = ["pdftoppm", "gs", "mutool"] as const;
export type Engine = (typeof engines)[number];

const words = (line: string): string[] => line.split(" ");
const GHOSTSCRIPT = words("-q -dNOPAUSE -dBATCH -dSAFER");

/** The arguments that draw page 1 into a PGM file. */
const drawing: Readonly<Record<Engine, (file: string, out: string, dpi: number) => string[]>> = {
  pdftoppm: (file, out, dpi) => [
    ...words(`-r ${dpi} -gray -f 1 -l 1 -singlefile`),
    file,
    out.replace(/\.pgm$/u, ""),
  ],
  gs: (file, out, dpi) => [
    ...GHOSTSCRIPT,
    ...words(`-dLastPage=1 -sDEVICE=pgmraw -r${dpi} -o`),
    out,
    file,
  ],
  mutool: (file, out, dpi) => [...words(`draw -q -r ${dpi} -c gray -F pgm -o`), out, file, "1"],
};

function readPgm(file: string): Grey {
  const bytes = readFileSync(file);
  const header = /^P5\s+(?:#[^\n]*\s+)*(\d+)\s+(\d+)\s+255\s/u.exec(
    bytes.toString("latin1", 0, 300),
  );
  if (header === null) throw new Error(`${file} must be a PGM file of 8 bits`);
  return {
    width: Number(header[1]),
    height: Number(header[2]),
    data: bytes.subarray(header[0].length),
  };
}

/** Page 1 in grey. */
export function render(engine: Engine, file: string, dpi: number): Grey {
  const out = path.join(path.dirname(file), `${engine}-${dpi}.pgm`);
  run(engine, drawing[engine](file, out, dpi));
  return readPgm(out);
}

/** An uncompressed TIFF of one 8-bit channel, as Ghostscript writes plates. */
function readPlate(file: string): Grey {
  const bytes = readFileSync(file);
  const isLittle = bytes.toString("latin1", 0, 2) === "II";
  const u16 = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const directory = u32(4);
  const tags = new Map<
    number,
    { readonly count: number; readonly at: number; readonly size: number }
  >();
  for (let i = 0; i < u16(directory); i += 1) {
    const at = directory + 2 + i * 12;
    const size = u16(at + 2) === 3 ? 2 : 4;
    const count = u32(at + 4);
    tags.set(u16(at), { count, size, at: size * count <= 4 ? at + 8 : u32(at + 8) });
  }
  const values = (tag: number): number[] => {
    const { count, at, size } = tags.get(tag) ?? { count: 0, at: 0, size: 4 };
    return Array.from({ length: count }, (_, i) =>
      size === 2 ? u16(at + i * 2) : u32(at + i * 4),
    );
  };
  const [width = 0, height = 0] = [...values(256), ...values(257)];
  const lengths = values(279);
  const strips = values(273).map((at, i) => bytes.subarray(at, at + (lengths[i] ?? 0)));
  return { width, height, data: Buffer.concat(strips) };
}

/** Plates of page 1 by name, 0 where there is full ink. */
export function separate(file: string, dpi: number): Map<string, Grey> {
  const folder = path.dirname(file);
  run("gs", [
    ...GHOSTSCRIPT,
    ...words(`-dLastPage=1 -sDEVICE=tiffsep -sCompression=none -r${dpi} -o`),
    path.join(folder, "plate%d.tif"),
    file,
  ]);
  return new Map(
    readdirSync(folder).flatMap((name): [string, Grey][] => {
      const plate = /^plate1\((.+)\)\.tif$/u.exec(name)?.[1];
      return plate === undefined ? [] : [[plate, readPlate(path.join(folder, name))]];
    }),
  );
}

/** Share of a plate's pixels that hold ink, 0..1. */
export function inkShare({ data }: Grey): number {
  let inked = 0;
  for (const value of data) if (value < 255) inked += 1;
  return inked / data.length;
}

/** Every colour that a page paints with: `DeviceCMYK 0 0 0 1`. */
export function paintedColors(file: string): Set<string> {
  const trace = run("mutool", ["trace", file, "1"]);
  const colors = trace.matchAll(/colorspace="([^"]+)" color="([^"]+)"/gu);
  return new Set([...colors].map(([, space, color]) => `${space} ${color}`));
}
