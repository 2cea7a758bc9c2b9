/** Linux programs that make codes, PDFs and archives, called by a shell script. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { CODE_MM, LABEL, PROOF_DPI, toPayload } from "./sheet.ts";

/** Adds up the resources of a script and everything that it calls. */
const TIME = "/usr/bin/time";

const isThere = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/**
 * Pictures are called `000001` and so on; at most 1,000 pixels a side, with a quiet zone of four
 * modules.
 */
const ZINT = `
zint --batch -i rows.txt -b QRCODE --secure=2 --quietzones --scale=13.5 -o '~~~~~~.png'
zint --batch -i rows.txt -b QRCODE --secure=2 --quietzones -o '~~~~~~.svg'`;
const QRENCODE = `
n=0
while read -r row; do
  n=$((n + 1)); name=$(printf %06d $n)
  qrencode -l M -m 4 -s 27 -o $name.png -- "$row"
  qrencode -l M -m 4 -t SVG -o $name.svg -- "$row"
done < rows.txt`;
/** It can't place pictures side by side: each label is a page. */
const PACK = `
img2pdf --imgsize ${CODE_MM}mmx${CODE_MM}mm --pagesize ${LABEL.width}mmx${LABEL.height}mm -o sheets.pdf *.png
zip -q all.zip *.png *.svg`;
/** Every PNG and every label; no SVG. */
const PROVE = `
ls *.png | xargs -n 200 zbarimg -q --raw -Sdisable -Sqrcode.enable > read.txt
diff -q rows.txt read.txt
pdftoppm -gray -r ${PROOF_DPI} sheets.pdf label
ls label-*.pgm | xargs -n 200 zbarimg -q --raw -Sdisable -Sqrcode.enable > labels.txt
diff -q rows.txt labels.txt
rm label-*.pgm`;

const scripts = { zint: ZINT, qrencode: QRENCODE } as const;

export type Tool = keyof typeof scripts;

const BOTH = ["img2pdf", "zip"];
const READERS = ["pdftoppm", "zbarimg"];

/** The programs of a script that aren't installed. */
export const missingOf = (tool: Tool, proves: boolean): string[] =>
  [tool, ...BOTH, ...(proves ? READERS : [])]
    .filter((program) => !isThere(program))
    .concat(existsSync(TIME) ? [] : [TIME]);

export interface Taken {
  /** Seconds of processor time, of all processes. */
  readonly cpu: number;
  readonly wall: number;
  /** Of the largest process. */
  readonly mb: number;
}

/** Runs the script in a folder. Throws an Error when it fails, or a code is wrong. */
export function runTools(folder: string, rows: number, tool: Tool, proves: boolean): Taken {
  const lines = Array.from({ length: rows }, (_, row) => `${toPayload(row)}\n`);
  writeFileSync(path.join(folder, "rows.txt"), lines.join(""));
  const script = `set -e${scripts[tool]}${PACK}${proves ? PROVE : ""}`;
  const args = ["-f", "%U %S %e %M", "-o", "took.txt", "sh", "-c", script];
  const { status, stderr } = spawnSync(TIME, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${tool} must end well, got ${status}: ${stderr.slice(-500)}`);
  const took = readFileSync(path.join(folder, "took.txt"), "utf8").trim().split(/\s+/u).map(Number);
  const [user = 0, system = 0, wall = 0, kilobytes = 0] = took;
  return { cpu: user + system, wall, mb: Math.round(kilobytes / 1024) };
}
