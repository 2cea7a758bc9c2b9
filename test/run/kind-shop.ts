/**
 * A job of any kind against the real service, over a connection that loses chosen requests. The
 * service doesn't get the keys of creates, like a server without support for them.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { systemClock, type Clock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { makeLog } from "../../src/base/log.ts";
import { openClient } from "../../src/client/client.ts";
import { TransportFailure, type Transport, type WireRequest } from "../../src/client/wire.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import type { Problem } from "../../src/base/errors.ts";
import type { RowJob } from "../../src/kinds/any-job.ts";
import { planRows } from "../../src/pipeline/rows/read-plan.ts";
import { openRows } from "../../src/pipeline/source/source.ts";
import { makers } from "../../src/kinds/makers.ts";
import type { PlanSummary } from "../../src/plan/tally.ts";
import { runRows } from "../../src/run/run.ts";
import { openService, type Service } from "../../src/service/service.ts";
import type { StateRow } from "../../src/state/row.ts";
import { openState } from "../../src/state/state.ts";

/** What becomes of a write: lost before or after the server has done it, the program's death there, or a refusal. */
export type Loss = "before" | "after" | "502-after" | "die-before" | "die-after" | "400";

export class Killed extends Error {}

/** Waits take no time, but the clocks of both sides go on by them. */
function makeClocks(): { client: Clock; service: Clock } {
  let skippedMs = 0;
  const nowMs = (): number => Math.round(systemClock.nowMs() + skippedMs);
  const monotonicMs = (): number => systemClock.monotonicMs() + skippedMs;
  const skip = async (ms: number): Promise<void> => {
    skippedMs += Math.max(0, ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    client: { nowMs, monotonicMs, sleep: skip },
    service: { nowMs, monotonicMs, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
  };
}

export interface Ran {
  readonly plan: PlanSummary;
  /** Of the plan. */
  readonly warnings: readonly Problem[];
  readonly rows: readonly StateRow[];
  readonly failures: readonly string[];
  /** Calls that changed something. */
  readonly writes: number;
  /** Method and path of each. */
  readonly calls: readonly string[];
}

export interface KindShop {
  /** Files of the job, beside the manifest. */
  write(name: string, content: string | Uint8Array): void;
  manifest(text: string): void;
  /**
   * Plans and runs to the end; `lose` decides the fate of the nth write of this run, from 0,
   * `isStale` which lists are answered as when they were first asked for.
   */
  run(
    lose?: (n: number, call: string) => Loss | undefined,
    isStale?: (at: string) => boolean,
  ): Promise<Ran>;
  get(at: string): Promise<Record<string, unknown>>;
  /** Every item of a list. */
  list(at: string): Promise<Record<string, unknown>[]>;
  readonly workspace: string;
  close(): Promise<void>;
}

export async function openKindShop(): Promise<KindShop> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-kind-"));
  const clocks = makeClocks();
  const service: Service = await openService({
    dataDir: ":memory:",
    publicUrl: "https://go.example",
    limits: "off",
    drawingThreads: 0,
    clock: clocks.service,
    ids: randomIds,
  });
  const { token, workspaceId: workspace } = service.account;
  const file = path.join(folder, "job.yaml");

  async function ask(request: Pick<WireRequest, "method" | "url" | "headers" | "body">) {
    const { "idempotency-key": _key, ...headers } = request.headers;
    const response = await service.fetch(
      new Request(request.url, {
        method: request.method,
        headers,
        ...(request.body !== undefined && { body: request.body }),
        redirect: "manual",
      }),
    );
    const body = new Uint8Array(await response.arrayBuffer());
    const shown = new Headers(response.headers);
    shown.set("date", new Date(clocks.service.nowMs()).toUTCString());
    return { status: response.status, headers: shown, body };
  }

  const get: KindShop["get"] = async (at) => {
    const url = `http://service.test/api/v2${at}`;
    const { body } = await ask({
      method: "GET",
      url,
      headers: { authorization: `Token ${token}` },
    });
    return JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
  };

  return {
    workspace,
    get,
    async list(at) {
      const sign = at.includes("?") ? "&" : "?";
      const { results } = await get(`${at}${sign}page_size=100`);
      return results as Record<string, unknown>[];
    },
    write: (name, content) => writeFileSync(path.join(folder, name), content),
    manifest: (text) => writeFileSync(file, text),
    async run(lose = () => undefined, isStale = () => false) {
      const job = (await loadJob(file, { env: {} })) as RowJob;
      const calls: string[] = [];
      const cache = new Map<string, Awaited<ReturnType<typeof ask>>>();
      const transport: Transport = {
        close: () => Promise.resolve(),
        async send(request) {
          const sentAtMs = clocks.client.monotonicMs();
          const isWrite = request.method !== "GET";
          const call = `${request.method} ${new URL(request.url).pathname.replace("/api/v2", "")}`;
          const loss = isWrite ? lose(calls.length, call) : undefined;
          if (isWrite) calls.push(call);
          if (loss === "before") throw new TransportFailure("reset", true);
          if (loss === "die-before") throw new Killed();
          if (loss === "400") {
            const body = new TextEncoder().encode('{"language":["Not today."]}');
            const receivedAtMs = clocks.client.monotonicMs();
            return { status: 400, headers: new Headers(), body, sentAtMs, receivedAtMs };
          }
          const known = isStale(call) ? cache.get(request.url) : undefined;
          const answer = known ?? (await ask(request));
          if (!isWrite && !cache.has(request.url)) cache.set(request.url, answer);
          if (loss === "after") throw new TransportFailure("reset", true);
          if (loss === "die-after") throw new Killed();
          const receivedAtMs = clocks.client.monotonicMs();
          if (loss !== "502-after") return { ...answer, sentAtMs, receivedAtMs };
          const body = new TextEncoder().encode("<html>502</html>");
          return { status: 502, headers: new Headers(), body, sentAtMs, receivedAtMs };
        },
      };
      const client = openClient({
        baseUrl: "http://service.test/api/v2",
        token,
        workspace,
        transport,
        clock: clocks.client,
        limits: "none",
        concurrency: 3,
        random: () => 0.5,
      });
      const state = openState(path.join(folder), { writer: "test", salt: "s", nowMs: 0 });
      const failures: string[] = [];
      try {
        const source = await openRows(
          job,
          { signal: new AbortController().signal, clock: clocks.client },
          { dataDir: folder },
        );
        const { summary, warnings, spool } = await planRows({
          job,
          source,
          state,
          nowMs: clocks.client.nowMs(),
          retryFailed: false,
        });
        state.adoptPlan(spool.good(), spool.bad());
        spool.close();
        await source.close();
        await runRows(
          {
            state,
            client,
            clock: clocks.client,
            log: makeLog(),
            signal: new AbortController().signal,
            settings: {
              workspace,
              settleMs: 5_000,
              marker: job.run.marker,
              lateDoubles: "delete",
              maxFailures: Number.POSITIVE_INFINITY,
              stopOnError: false,
              limit: null,
              keysHonoured: false,
            },
            events: {
              done: () => undefined,
              changed: () => undefined,
              failed: (row, message) => failures.push(`${row.key}: ${message}`),
              inDoubt: () => undefined,
              waiting: () => undefined,
            },
          },
          makers[job.kind],
        );
        return {
          plan: summary,
          warnings,
          rows: [...state.rows()],
          failures,
          writes: calls.length,
          calls,
        };
      } finally {
        state.close();
        await client.close();
      }
    },
    close: () => service.close(),
  };
}
