import { formatCount, formatMany } from "../../base/words.ts";
import { Queue, type QueueStatus, readQueue } from "../../work/queue.ts";
import { type CliContext, type Input, readFlag } from "../context.ts";
import { toProgram } from "../far-proof.ts";
import { toPeople } from "../terminal.ts";

function toLines({ database, workers, queues }: QueueStatus, own: string): string[] {
  const isOwn = (queue: string): string => (queue === own ? "" : " (of another makeready)");
  return [
    `on ${database}`,
    ...(workers.length === 0 ? ["  no worker is up"] : []),
    ...workers.map(
      ({ host, pid, threads, program, queue, trouble }) =>
        `  worker ${host} ${pid}, ${formatMany(threads, "thread")}, ${program}${isOwn(queue)}${trouble === null ? "" : `: ${trouble}`}`,
    ),
    ...(queues.length === 0 ? ["  no chunk waits"] : []),
    ...queues.map(
      ({ queue, waiting, active, givenUp }) =>
        `  ${formatMany(waiting, "chunk")} waiting, ${formatCount(active)} under way, ${formatCount(givenUp)} given up${isOwn(queue)}`,
    ),
  ];
}

/** Shows who works on what in a database of `--on`. */
export async function tellQueue(context: CliContext, input: Input, url: string): Promise<void> {
  const status = await readQueue(url);
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "queue", ...status })}\n`);
    return;
  }
  const lines = toLines(status, Queue.nameOf(toProgram(context)));
  toPeople(context).out(`${lines.join("\n")}\n`);
}
