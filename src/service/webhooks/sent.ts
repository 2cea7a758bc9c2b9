/** Sent reports: listed for their owner, sent again, and sent as a test. */
import type { Selectable } from "kysely";

import type { Rows } from "../store/store.ts";
import type { Db, Tables } from "../store/tables.ts";
import { MAX_AGE_MS } from "./deliverer.ts";
import type { WebhookDelivery } from "./receivers.ts";

export interface SentReport extends Pick<
  WebhookDelivery,
  "about" | "attempt" | "status" | "fault" | "tookMs"
> {
  readonly id: number;
  readonly event: string;
  readonly timeMs: number;
  /** True for a day. */
  readonly canResend: boolean;
}

export const TEST_EVENT = "test";
const SHOWN = 50;

const ADD = `
  INSERT INTO webhook_outbox (webhook_id, lane, event, record_id, created, held_until, body)
  VALUES (?, ?, ?, ?, ?, 0, ?)`;
const ADD_LANE = `
  INSERT INTO webhook_lanes (webhook_id, lane, attempts, next_try) VALUES (?, ?, 0, 0)
  ON CONFLICT (webhook_id, lane) DO UPDATE SET next_try = 0`;
const HURRY = "UPDATE webhooks SET next_try = 0 WHERE id = ?";
const FIND = "SELECT * FROM webhook_deliveries WHERE seq = ? AND webhook_id = ?";
/** Afterwards the report can't be sent again. */
export const FORGET =
  "UPDATE webhook_deliveries SET body = NULL WHERE time < ? AND body IS NOT NULL";

const isFresh = (timeMs: number, nowMs: number): boolean => nowMs - timeMs < MAX_AGE_MS;

/** The last reports to a receiver, the newest first. */
export async function listSent(db: Db, webhookId: string, nowMs: number): Promise<SentReport[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .orderBy("seq", "desc")
    .limit(SHOWN)
    .execute();
  return rows.map((row) => ({
    id: row.seq,
    event: row.event,
    about: row.lane,
    timeMs: row.time,
    attempt: row.attempt,
    status: row.status,
    fault: row.fault,
    tookMs: row.took_ms,
    canResend: row.body !== null && isFresh(row.time, nowMs),
  }));
}

interface Queued {
  readonly webhookId: string;
  readonly lane: string;
  readonly event: string;
  readonly recordId: string;
  readonly body: string;
  readonly nowMs: number;
}

async function queue(rows: Rows, one: Queued): Promise<void> {
  await rows.run(ADD, one.webhookId, one.lane, one.event, one.recordId, one.nowMs, one.body);
  await rows.run(ADD_LANE, one.webhookId, one.lane);
  await rows.run(HURRY, one.webhookId);
}

/** A report without content, to test a receiver; to be called inside a transaction. */
export function queueTest(
  rows: Rows,
  {
    webhookId,
    id,
    nowMs,
  }: { readonly webhookId: string; readonly id: string; readonly nowMs: number },
): Promise<void> {
  const body = JSON.stringify({ type: TEST_EVENT, id, sent_at: new Date(nowMs).toISOString() });
  return queue(rows, { webhookId, lane: TEST_EVENT, event: TEST_EVENT, recordId: id, body, nowMs });
}

/**
 * Puts a sent report into the outbox again, with its old id, by which the receiver recognises it.
 * False when it is no longer stored. To be called inside a transaction.
 */
export async function queueAgain(
  rows: Rows,
  {
    webhookId,
    id,
    nowMs,
  }: { readonly webhookId: string; readonly id: number; readonly nowMs: number },
): Promise<boolean> {
  const row = await rows.get<
    Pick<Selectable<Tables["webhook_deliveries"]>, "lane" | "event" | "record_id" | "body" | "time">
  >(FIND, id, webhookId);
  if (row === undefined || row.body === null || !isFresh(row.time, nowMs)) return false;
  const { lane, event, record_id: recordId, body } = row;
  await queue(rows, { webhookId, lane, event, recordId, body, nowMs });
  return true;
}
