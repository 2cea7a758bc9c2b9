import { formatMany } from "../base/text/words.ts";
import type { Engine } from "./engine.ts";
import { type Queue, sayProgram, type WorkerRow } from "./queue.ts";

const whyNoDrawing = ({ draws, engine }: WorkerRow, own: Engine): string =>
  draws === null
    ? "can't write into the shared folder"
    : `runs ${engine}, this is ${own.name}, and PDFs would have other bytes`;

/**
 * A sentence about who proves or draws. `isAlone`: no worker can help the computer that runs the
 * job.
 */
export function whoWorks(
  workers: readonly WorkerRow[],
  {
    queue,
    draws,
  }: {
    readonly queue: Pick<Queue, "name" | "drawName" | "program" | "engine">;
    readonly draws: boolean;
  },
): { readonly isAlone: boolean; readonly message: string } {
  const seeing = workers.filter((row) => row.queue === queue.name && row.trouble === null);
  const able = seeing.filter((row) => !draws || row.draws === queue.drawName);
  if (able.length > 0) {
    const threads = able.reduce((sum, worker) => sum + worker.threads, 0);
    const message = `${formatMany(able.length, "worker")} with ${formatMany(threads, "thread")} in all`;
    return { isAlone: false, message };
  }
  return { isAlone: true, message: whyAlone(workers, { seeing, queue, draws }) };
}

function whyAlone(
  workers: readonly WorkerRow[],
  {
    seeing: [first],
    queue,
    draws,
  }: {
    readonly seeing: readonly WorkerRow[];
    readonly queue: Pick<Queue, "name" | "program" | "engine">;
    readonly draws: boolean;
  },
): string {
  const alone = `this computer ${draws ? "draws" : "proves"} by itself`;
  if (first !== undefined)
    return `the worker on ${first.host} ${whyNoDrawing(first, queue.engine)}: ${alone}`;
  const blind = workers.find(({ trouble }) => trouble !== null);
  if (blind !== undefined)
    return `the worker on ${blind.host} can't help: ${blind.trouble}; ${alone}`;
  const other = workers.find((row) => row.queue !== queue.name);
  return other === undefined
    ? `no worker is up: ${alone}`
    : `the worker on ${other.host} is of ${other.program}, this is ${sayProgram(queue.program)}: ${alone}`;
}
