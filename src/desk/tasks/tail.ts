/** A task's lines, from any place on, as long as they come. */
import { open } from "node:fs/promises";
import path from "node:path";

import type { Clock } from "../../base/time/clock.ts";
import { readLine } from "./old-lines.ts";
import { ALIVE_MS, isAlive, TASK_FILES, type Task, type TaskLine } from "./task.ts";

const LOOK_MS = 150;
const PIECE_BYTES = 256 * 1024;

export interface Tailed {
  /** Where the next line begins, in bytes: what a reader that comes back begins with. */
  readonly offset: number;
  readonly line: TaskLine;
}

/** Whole lines of a piece that begins at `offset`, and where the rest begins. */
function toLines(piece: Buffer, offset: number): { lines: Tailed[]; next: number } {
  const lines: Tailed[] = [];
  let from = 0;
  for (;;) {
    const end = piece.indexOf(0x0a, from);
    if (end < 0) return { lines, next: offset + from };
    const line = readLine(piece.toString("utf8", from, end));
    from = end + 1;
    lines.push({ offset: offset + from, line });
  }
}

/** The content from `offset` on; a line that is longer than a piece is read whole. */
async function readFrom(file: string, offset: number): Promise<{ lines: Tailed[]; next: number }> {
  const handle = await open(file, "r").catch(() => undefined);
  if (handle === undefined) return { lines: [], next: offset };
  try {
    for (let size = PIECE_BYTES; ; size *= 2) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, offset);
      const found = toLines(buffer.subarray(0, bytesRead), offset);
      if (found.lines.length > 0 || bytesRead < size) return found;
    }
  } finally {
    await handle.close();
  }
}

/** The last whole line of a file; undefined where there is none. */
async function readLastLine(file: string): Promise<TaskLine | undefined> {
  const handle = await open(file, "r").catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    for (let piece = PIECE_BYTES; ; piece *= 2) {
      const from = Math.max(0, size - piece);
      const { bytesRead, buffer } = await handle.read(
        Buffer.alloc(size - from),
        0,
        size - from,
        from,
      );
      const end = buffer.lastIndexOf(0x0a, bytesRead - 1);
      const before = end < 1 ? -1 : buffer.lastIndexOf(0x0a, end - 1);
      // A killed process may leave half a line behind it.
      if (end < 0 && from === 0) return undefined;
      if (before < 0 && from > 0) continue;
      return readLine(buffer.toString("utf8", before + 1, end));
    }
  } finally {
    await handle.close();
  }
}

export const readLast = ({ dir }: Pick<Task, "dir">): Promise<TaskLine | undefined> =>
  readLastLine(path.join(dir, TASK_FILES.lines));

/** The last event of a task, and whether more will come. */
export async function readStanding(
  task: Task,
  nowMs: number,
): Promise<{ readonly last: TaskLine | undefined; readonly isRunning: boolean }> {
  // Asks first whether it lives, so that its last event is not missed.
  const alive = await isAlive(task, nowMs);
  const last = await readLast(task);
  return { last, isRunning: alive && (last === undefined || !isLast(last)) };
}

export const isLast = ({ type }: TaskLine): boolean => type === "result" || type === "fault";

/** Lines from `offset` on, until the last one, the reader's end, or the death of the process. */
export async function* tail(
  task: Task,
  offset: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Tailed | "died"> {
  let at = offset;
  let isMissed = false;
  while (!signal.aborted) {
    const alive = await isAlive(task, clock.nowMs());
    const { lines, next } = await readFrom(path.join(task.dir, TASK_FILES.lines), at);
    for (const found of lines) {
      yield found;
      if (isLast(found.line)) return;
    }
    at = next;
    if (lines.length > 0) continue;
    if (!alive && isMissed) {
      yield "died";
      return;
    }
    // A computer that wakes up needs a moment until its processes show that they live.
    isMissed = !alive;
    await clock.sleep(alive ? LOOK_MS : 2 * ALIVE_MS, signal).catch(() => undefined);
  }
}
