import { systemClock, type Clock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import type { CliContext } from "../../src/cli/context.ts";
import { main } from "../../src/cli/program.ts";
import type { Ended, Line } from "./program.ts";

const HASTE = 5;
const begunMs = systemClock.nowMs();

/** Time runs so many times as fast: what waits before it asks a server again waits less. */
export const hastyClock: Clock = {
  nowMs: () => begunMs + (systemClock.nowMs() - begunMs) * HASTE,
  monotonicMs: () => systemClock.monotonicMs() * HASTE,
  sleep: (ms, signal) => systemClock.sleep(ms / HASTE, signal),
};

/** The wall stands still at noon, while work still takes its time. */
export const frozenClock: Clock = { ...hastyClock, nowMs: () => Date.UTC(2026, 0, 1, 12) };

export interface InProcess {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with a fixed clock. */
export async function runInProcess(
  args: readonly string[],
  changes: Partial<CliContext> = {},
): Promise<InProcess> {
  let out = "";
  let err = "";
  const code = await main(args, {
    env: {},
    cwd: process.cwd(),
    clock: frozenClock,
    ids: randomIds,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminalWidth: undefined,
    writer: "makeready test",
    signal: new AbortController().signal,
    ...changes,
  });
  return { code, out, err };
}

/** As `runProgram`, where nothing but the result counts: without a process of its own to start. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<Ended> {
  const { code, out, err } = await runInProcess(args, { env, clock });
  const texts = out.split("\n");
  const lines = texts
    .filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text) as Line);
  return { code, signal: null, lines, out, err };
}
