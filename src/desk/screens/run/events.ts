/** A task's lines as server-sent events. `Last-Event-ID` is the place in the file, in bytes. */
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";

import type { JobEvent } from "../../../pipeline/events.ts";
import type { DeskContext } from "../../context.ts";
import { tail } from "../../tasks/tail.ts";
import type { Task, TaskLine } from "../../tasks/task.ts";
import { toPlace } from "../../view/problems.tsx";
import type { Words } from "../../words/words.ts";
import type { MonitorLine } from "./monitor-props.ts";

const ALIVE_MS = 15_000;

/** Where the reader is led when the task is over, and the words on the way. */
interface Shown {
  readonly words: Words;
  readonly href: string;
}

function toMonitorLine(atMs: number, event: JobEvent, words: Words): MonitorLine | undefined {
  const { monitor } = words;
  switch (event.type) {
    case "progress": {
      const { stage, done, total, failed } = event.progress;
      return { type: "stage", atMs, name: stage, done, total, failed };
    }
    case "waiting":
      return { type: "waiting", text: monitor.waits, reason: event.message };
    case "state-lost":
      return { type: "waiting", text: monitor.lost };
    case "warning":
    case "row-failed":
      return { type: "note", place: toPlace(event.problem, words), text: event.problem.message };
    case "plan":
    case "retire-plan":
    case "stage-end":
    case "reprint":
    case "sheet-warnings":
      return undefined;
  }
}

function toSent(line: TaskLine | "died", { words, href }: Shown): MonitorLine | undefined {
  if (line === "died" || line.type !== "event") return { type: "end", href };
  return toMonitorLine(line.atMs, line.event, words);
}

export function replyEvents(c: Context, desk: DeskContext, task: Task, shown: Shown): Response {
  const given = Number(c.req.header("last-event-id") ?? 0);
  const offset = Number.isSafeInteger(given) && given >= 0 ? given : 0;
  return streamSSE(c, async (stream) => {
    const left = new AbortController();
    stream.onAbort(() => left.abort());
    const beat = setInterval(() => void stream.write(": alive\n\n"), ALIVE_MS);
    try {
      for await (const found of tail(task, offset, { clock: desk.clock, signal: left.signal })) {
        const line = toSent(found === "died" ? found : found.line, shown);
        const id = found === "died" ? "" : String(found.offset);
        if (line !== undefined) await stream.writeSSE({ id, data: JSON.stringify(line) });
      }
    } finally {
      clearInterval(beat);
    }
  });
}
