import type { Clock } from "../../src/base/time/clock.ts";
import { TransportFailure, type Transport, type WireRequest } from "../../src/client/wire.ts";
import type { HostileAnswer, HostileApi } from "./hostile-api.ts";

export interface Wire {
  /** Called at every point where a process may die; true = it dies right here. */
  readonly dies?: (point: "before-send" | "after-commit" | "after-answer") => boolean;
  /** True = no connection for this request. */
  readonly isAway?: () => boolean;
  /** Time on the wire, there or back. */
  readonly latencyMs: () => number;
}

/** Resolves never: what a dead process sees of the world. */
const forever = (): Promise<never> => new Promise(() => {});

/** The client's port to a hostile server in simulated time. Once dead it stays dead. */
export function hostileTransport(api: HostileApi, clock: Clock, wire: Wire): Transport {
  let isDead = false;
  const check = (point: Parameters<NonNullable<Wire["dies"]>>[0]): boolean => {
    isDead ||= wire.dies?.(point) === true;
    return isDead;
  };
  return {
    close: () => Promise.resolve(),
    async send(request) {
      if (check("before-send")) return forever();
      const sentAtMs = clock.monotonicMs();
      if (wire.isAway?.() === true) throw new TransportFailure("refused", false);
      await clock.sleep(wire.latencyMs());
      const answer = await api.handle(toHostile(request));
      if (check("after-commit")) return forever();
      await clock.sleep(wire.latencyMs());
      if (check("after-answer")) return forever();
      return { ...toWire(answer), sentAtMs, receivedAtMs: clock.monotonicMs() };
    },
  };
}

function toHostile(request: WireRequest): Parameters<HostileApi["handle"]>[0] {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: request.headers,
    body: request.body ?? "",
  };
}

function toWire(answer: HostileAnswer): { status: number; headers: Headers; body: Uint8Array } {
  if (answer.kind === "drop") throw new TransportFailure("reset", true);
  if (answer.cutAt !== undefined) throw new TransportFailure("truncated", true);
  return { status: answer.status, headers: new Headers(answer.headers), body: answer.body };
}
