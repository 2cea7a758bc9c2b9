/**
 * Signed reports of scans and form responses to a workspace's receivers (docs/spec/api.md section
 * 6, docs/spec/design.md section 5).
 */
import { toMessage } from "../../base/errors.ts";

import type { Context } from "../context.ts";
import type { PostBytes } from "../http/guarded-fetch.ts";
import { refuse } from "../http/reply.ts";
import type { Reports } from "../scans/scans.ts";
import type { Rows } from "../store/store.ts";
import { Deliverer, MAX_AGE_MS } from "./deliverer.ts";
import { addReport, changeReport, makeOutbox, type Report } from "./outbox.ts";
import { FORGET } from "./sent.ts";
import {
  checkWebhook,
  findDouble,
  listReceivers,
  refuseDouble,
  removeReceiver,
  resumeReceiver,
  saveReceiver,
  type WebhookSetting,
  type WebhookStatus,
} from "./receivers.ts";

/** `trusted`: may have a private address, since the operator named it. Default false. */
export type WebhookChoice = WebhookSetting & { readonly trusted?: boolean };

/** What operators can do with receivers. */
export interface WebhookControl {
  /**
   * Sets, changes or (undefined) removes the receiver of a workspace that `serve` names; a paused
   * one continues. Throws "bad-usage".
   */
  readonly set: (workspaceId: string, setting: WebhookChoice | undefined) => Promise<void>;
  /** The state of that receiver; undefined = the workspace has none. */
  readonly status: (workspaceId: string) => Promise<WebhookStatus | undefined>;
  /** All receivers of a workspace, or of all workspaces. */
  readonly list: (workspaceId?: string) => Promise<readonly WebhookStatus[]>;
  /** Adds a receiver to a workspace; answers its id. Throws "bad-usage". */
  readonly add: (workspaceId: string, setting: WebhookChoice) => Promise<string>;
  /** Removes a receiver by its id; false when there is none. */
  readonly remove: (id: string) => Promise<boolean>;
  /** A paused receiver continues; false when there is none with that id. */
  readonly resume: (id: string) => Promise<boolean>;
}

/** Gets the responses to forms. */
export interface FormReports {
  /** Called inside the transaction that stores a response. */
  readonly add: (rows: Rows, report: Omit<Report, "event">) => Promise<void>;
  /** Called once it is stored. */
  readonly wake: () => void;
}

export interface Webhooks extends WebhookControl {
  /** For the recorder of scans. */
  readonly reports: Reports;
  readonly formReports: FormReports;
  /** There may be something to send. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
}

const SWEEP_MS = 600_000;
const SWEEP = "DELETE FROM webhook_outbox WHERE created < ?";

const DOUBLE =
  "the address of --webhook-url has another receiver, so each of these reports comes twice: remove it with makeready webhooks remove";

type ControlParts = Pick<Context, "store" | "clock" | "ids" | "plan"> &
  Partial<Pick<Context, "log">>;

/** The receivers of a store; `wake` is called when there may be something to send. */
export function makeWebhookControl(
  { store, clock, ids, plan, log }: ControlParts,
  wake: () => void = () => {},
): WebhookControl {
  const save = async (id: string, workspaceId: string, setting: WebhookChoice): Promise<void> => {
    checkWebhook(setting);
    if (plan.webhooks === false) throw refuse.whole("The plan has no webhooks (webhooks).");
    const receiver = { id, workspaceId, createdMs: clock.nowMs(), trusted: false, ...setting };
    const double = await store.write(async (tx) => {
      const found = await findDouble(tx, receiver);
      if (found !== undefined && id !== workspaceId) throw refuseDouble(found, workspaceId);
      await saveReceiver(tx, receiver);
      return found;
    });
    if (double !== undefined) {
      const about = { receiver: double.id, events: double.events.join(",") };
      log?.warn(about, DOUBLE);
    }
    wake();
  };
  const list = (workspaceId?: string) => listReceivers(store.db, workspaceId);
  const change = async (id: string, work: typeof removeReceiver): Promise<boolean> => {
    const isThere = (await list()).some((one) => one.id === id);
    if (isThere) await store.write((tx) => work(tx, id));
    wake();
    return isThere;
  };
  return {
    async set(workspaceId, setting) {
      if (setting === undefined) await change(workspaceId, removeReceiver);
      else await save(workspaceId, workspaceId, setting);
    },
    status: async (workspaceId) => (await list(workspaceId)).find(({ id }) => id === workspaceId),
    list,
    async add(workspaceId, setting) {
      const id = ids.uuid();
      await save(id, workspaceId, setting);
      return id;
    },
    remove: (id) => change(id, removeReceiver),
    resume: (id) => change(id, resumeReceiver),
  };
}

export function openWebhooks(
  context: Pick<Context, "store" | "clock" | "ids" | "log" | "plan">,
  {
    post,
    deliver = true,
  }: {
    readonly post: PostBytes;
    /** False: reports wait for a process that delivers them. */
    readonly deliver?: boolean | undefined;
  },
): Webhooks {
  const { store, clock, log, plan } = context;
  // Only one process sends at a time: two would break the order.
  const lead = store.lead("webhooks");
  const isAllowed = plan.webhooks !== false;
  const deliverer = new Deliverer({ store, clock, log, post, isOurs: () => lead.isOurs() });
  let sweptMs = 0;
  const sweep = (): void => {
    const nowMs = clock.nowMs();
    if (nowMs - sweptMs < SWEEP_MS) return;
    sweptMs = nowMs;
    // Nothing is sent to a paused receiver, so only this drops its old reports.
    store
      .write(async (_tx, rows) => {
        await rows.run(SWEEP, nowMs - MAX_AGE_MS);
        await rows.run(FORGET, nowMs - MAX_AGE_MS);
      }, "normal")
      .catch((error: unknown) => log.warn({ error: toMessage(error) }, "old reports not removed"));
  };
  const wake = (): void => {
    if (!deliver || !isAllowed) return;
    sweep();
    deliverer.wake();
  };
  store.onReports(wake);
  wake();
  return {
    ...makeWebhookControl(context, wake),
    reports: {
      ...makeOutbox(isAllowed),
      isAllowed,
      wake,
      change: changeReport,
    },
    formReports: {
      add: async (rows, report) => {
        if (isAllowed) await addReport(rows, { ...report, event: "form.submitted" });
      },
      wake,
    },
    wake,
    async close() {
      await deliverer.close();
      await lead.release();
    },
  };
}
