/** A desk as all its tests open it, and a way to ask it for anything. */
import { request as httpRequest } from "node:http";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { openDesk, type Desk } from "../../src/desk/desk.ts";
import { runTask } from "../../src/desk/tasks/run-task.ts";
import type { BeginTask } from "../../src/desk/tasks/task.ts";

type Options = Parameters<typeof openDesk>[0];

/** Steps of jobs that run in this process, as one of its own takes longer to start than to work. */
class StepsHere {
  readonly #steps: Promise<void>[] = [];
  readonly #closing = new AbortController();

  readonly begin: BeginTask = (place) => {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
    this.#steps.push(runTask(place, { signal, ask: () => stop.abort() }));
    return process.pid;
  };

  async end(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#steps);
  }
}

/** On a free port, with an empty environment. Steps run in processes of their own with `begin: undefined`. */
export async function openTestDesk(folder: string, changes: Partial<Options> = {}): Promise<Desk> {
  const steps = new StepsHere();
  const desk = await openDesk({
    folder,
    port: 0,
    clock: systemClock,
    ids: randomIds,
    writer: "makeready test",
    env: {},
    begin: steps.begin,
    ...changes,
  });
  return {
    ...desk,
    async close() {
      await steps.end();
      await desk.close();
    },
  };
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** As `fetch`, but any `Host` and `Origin` may be sent. */
export function ask(
  { origin }: Pick<Desk, "origin">,
  target: string,
  { method = "GET", headers = {}, body }: Asked = {},
): Promise<Answer> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: target, method, headers };
    const request = httpRequest(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => (text += piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}
