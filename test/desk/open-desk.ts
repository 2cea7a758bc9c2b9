/** A desk as all its tests open it, and a way to ask it for anything. */
import { request as httpRequest } from "node:http";

import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import { openDesk, type Desk } from "../../src/desk/desk.ts";

type Options = Parameters<typeof openDesk>[0];

/** On a free port, with an empty environment. */
export const openTestDesk = (folder: string, changes: Partial<Options> = {}): Promise<Desk> =>
  openDesk({
    folder,
    port: 0,
    clock: systemClock,
    ids: randomIds,
    writer: "makeready test",
    env: {},
    ...changes,
  });

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
