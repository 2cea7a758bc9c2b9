/** The service of a job in a thread of its own: serves until it gets "close" (`thread.ts`). */
import { parentPort, workerData } from "node:worker_threads";

import { systemClock } from "../../base/time/clock.ts";
import { invariant } from "../../base/errors.ts";
import { toFault } from "../../base/fault.ts";
import { randomIds } from "../../base/ids/ids.ts";
import { parkWhenAsked } from "../../base/flow/park-thread.ts";
import { openHere } from "./here.ts";
import type { ThreadInput, ThreadSays } from "./thread.ts";

const port = parentPort;
invariant(port !== null, "this file must run in a thread");
const say = (what: ThreadSays): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port.postMessage(what);
};

const { options, parking } = workerData as ThreadInput;
parkWhenAsked(port, parking);
try {
  const needs = { clock: systemClock, ids: randomIds };
  const service = await openHere(options, needs);
  const { baseUrl, token, workspace } = service;
  port.once("message", () => {
    service
      .close()
      .then(
        () => say({ type: "closed" }),
        (error: unknown) => say({ type: "fault", fault: toFault(error) }),
      )
      .finally(() => port.close());
  });
  say({ type: "open", server: { baseUrl, token, workspace } });
} catch (error) {
  say({ type: "fault", fault: toFault(error) });
  port.close();
}
