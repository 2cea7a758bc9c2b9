/**
 * Signed reports of scans to a workspace's receiver (docs/spec/api.md section 6,
 * docs/spec/design.md section 5).
 */
import path from "node:path";

import { toMessage } from "../../base/errors.ts";
import { makePrivateFile, tryLockFile } from "../../base/sqlite.ts";

import type { Context } from "../context.ts";
import type { PostBytes } from "../http/guarded-fetch.ts";
import { refuse } from "../http/reply.ts";
import type { Reports } from "../scans/scans.ts";
import { Deliverer, MAX_AGE_MS } from "./deliverer.ts";
import {
  checkWebhook,
  readWebhookStatus,
  saveWebhook,
  type WebhookSetting,
  type WebhookStatus,
} from "./endpoints.ts";
import { changeReport, makeOutbox } from "./outbox.ts";

/** What an operator may do with the receivers of workspaces. */
export interface WebhookControl {
  /**
   * Sets, changes or (undefined) removes the receiver of a workspace; one that was paused goes on.
   * `trusted`: it may have a private address, since the operator named it. Throws "bad-usage".
   */
  readonly set: (
    workspaceId: string,
    setting: (WebhookSetting & { readonly trusted?: boolean }) | undefined,
  ) => Promise<void>;
  /** Undefined = the workspace has none. */
  readonly status: (workspaceId: string) => Promise<WebhookStatus | undefined>;
}

export interface Webhooks extends WebhookControl {
  /** What the recorder of scans is given. */
  readonly reports: Reports;
  readonly close: () => Promise<void>;
}

const LOCK_FILE = "webhooks.lock";
const SWEEP_MS = 600_000;
const SWEEP = "DELETE FROM webhook_outbox WHERE created < ?";

/** One process at a time sends: two would break the order. `folder` undefined = nobody else is there. */
function makeOwnership(folder: string | undefined) {
  let lock: { release(): void } | undefined;
  return {
    isOurs: (): boolean => {
      if (folder === undefined) return true;
      const file = path.join(folder, LOCK_FILE);
      makePrivateFile(file);
      lock ??= tryLockFile(file);
      return lock !== undefined;
    },
    release: (): void => lock?.release(),
  };
}

export function openWebhooks(
  { store, clock, log, plan }: Pick<Context, "store" | "clock" | "log" | "plan">,
  {
    folder,
    post,
    deliver = true,
  }: {
    readonly folder: string | undefined;
    readonly post: PostBytes;
    /** False: reports are kept for a process that delivers them. */
    readonly deliver?: boolean | undefined;
  },
): Webhooks {
  const ownership = makeOwnership(folder);
  const isAllowed = plan.webhooks !== false;
  const deliverer = new Deliverer({ store, clock, log, post, isOurs: ownership.isOurs });
  let sweptMs = 0;
  const sweep = (): void => {
    const nowMs = clock.nowMs();
    if (nowMs - sweptMs < SWEEP_MS) return;
    sweptMs = nowMs;
    // Of a receiver that is paused nothing is tried, and nothing would grow old otherwise.
    store
      .write(async () => store.raw.run(SWEEP, nowMs - MAX_AGE_MS), "normal")
      .catch((error: unknown) => log.warn({ error: toMessage(error) }, "old reports not removed"));
  };
  const wake = (): void => {
    if (!deliver || !isAllowed) return;
    sweep();
    deliverer.wake();
  };
  wake();
  return {
    reports: {
      ...makeOutbox(store.raw, isAllowed),
      isAllowed,
      wake,
      change: (scan, change) => changeReport(store.raw, scan, change),
    },
    async set(workspaceId, setting) {
      if (setting !== undefined) {
        checkWebhook(setting);
        if (!isAllowed) throw refuse.whole("The plan has no webhooks (webhooks).");
      }
      const saved = setting === undefined ? undefined : { trusted: false, ...setting };
      await store.write((tx) => saveWebhook(tx, workspaceId, saved));
      wake();
    },
    status: (workspaceId) => readWebhookStatus(store.db, workspaceId),
    async close() {
      await deliverer.close();
      ownership.release();
    },
  };
}
