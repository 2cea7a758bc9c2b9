import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import path from "node:path";

/** The program as people get it: built. */
export const PROGRAM = path.resolve("dist/cli/main.js");

/** A program that ends within seconds runs no part of itself often enough to be worth optimizing. */
export const SHORT_LIVED: readonly string[] = ["--no-opt"];

/** Only what the program needs, so that the settings of whoever runs the tests change nothing. */
const cleanEnv = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  TMPDIR: process.env["TMPDIR"],
  ...env,
});

export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lines: readonly Line[];
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** User and group; default: ours. */
  readonly uid?: number;
  /** Called with the process, as soon as there is one. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Called for each JSON line, with the process to do something to. */
  readonly onLine?: (line: Line, child: ChildProcess) => void;
}

/** Runs the program to its end. */
export async function runProgram(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...SHORT_LIVED, PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: cleanEnv(options.env ?? {}),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  options.onStart?.(child);
  const lines: Line[] = [];
  const texts: string[] = [];
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  createInterface({ input: child.stdout }).on("line", (text) => {
    texts.push(text);
    if (!text.startsWith("{")) return;
    const line = JSON.parse(text) as Line;
    lines.push(line);
    options.onLine?.(line, child);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ code, signal, lines, out: texts.join("\n"), err });
    });
  });
}

export function lastLine(ended: Ended, type: string): Line {
  const line = ended.lines.findLast((other) => other.type === type);
  if (line === undefined) throw new Error(`no ${type} line in:\n${ended.out}\n${ended.err}`);
  return line;
}
