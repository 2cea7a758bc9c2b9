/** Stores reports in the transaction of the event, so that neither exists without the other. */
import type { WebhookEvent } from "../../api/webhook.ts";
import type { ActivityRecord } from "../scans/activity-record.ts";
import type { Outbox } from "../scans/save-scans.ts";
import type { Rows } from "../store/store.ts";

/** An event, for every receiver that subscribed to it. */
export interface Report {
  readonly workspaceId: string;
  readonly event: WebhookEvent;
  /** The code or the form: its reports are sent in order. */
  readonly about: string;
  /** Id of the scan or the response. */
  readonly recordId: string;
  readonly body: object;
  readonly timeMs: number;
  /** How long it waits for additions. */
  readonly holdMs?: number;
}

/** `events` is a list in JSON. */
const WANTS = "workspace_id = ? AND events LIKE ?";
const IS_WANTED = `SELECT 1 AS yes FROM webhooks WHERE ${WANTS}`;
const WANTING = `SELECT id FROM webhooks WHERE ${WANTS}`;
const ADD = `
  INSERT INTO webhook_outbox (webhook_id, lane, event, record_id, created, held_until, body)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const ADD_LANE = `
  INSERT INTO webhook_lanes (webhook_id, lane, attempts, next_try) VALUES (?, ?, 0, ?)
  ON CONFLICT DO NOTHING`;
const FIND = `
  SELECT webhook_outbox.seq, webhook_outbox.webhook_id, webhook_outbox.body FROM scanned_codes
  JOIN webhooks ON webhooks.workspace_id = scanned_codes.workspace_id
  JOIN webhook_outbox ON webhook_outbox.webhook_id = webhooks.id
    AND webhook_outbox.lane = scanned_codes.code_id
  WHERE scanned_codes.code_id = ? AND webhook_outbox.record_id = ?`;

/** Names of events contain no wildcard. */
const toPattern = (event: WebhookEvent): string => `%${JSON.stringify(event)}%`;

/** Adds a report for each receiver of the event; to be called inside a transaction. */
export async function addReport(rows: Rows, report: Report): Promise<void> {
  const { workspaceId, event, about, recordId, timeMs, holdMs = 0 } = report;
  const heldMs = holdMs === 0 ? 0 : timeMs + holdMs;
  const body = JSON.stringify(report.body);
  const wanting = await rows.all<{ id: string }>(WANTING, workspaceId, toPattern(event));
  for (const { id } of wanting) {
    await rows.run(ADD, id, about, event, recordId, timeMs, heldMs, body);
    await rows.run(ADD_LANE, id, about, heldMs);
  }
}

/** For the code that stores scans; with `isAllowed` false, nothing is reported. */
export const makeOutbox = (isAllowed: boolean): Outbox => ({
  add: (rows, { codeId, scanId, ...scan }) =>
    addReport(rows, { ...scan, event: "scan", about: codeId, recordId: scanId }),
  isWanted: async (rows, workspaceId) =>
    isAllowed && (await rows.get(IS_WANTED, workspaceId, toPattern("scan"))) !== undefined,
});

/** Changes the waiting reports of a scan, and releases them. */
export async function changeReport(
  rows: Rows,
  { codeId, scanId }: { readonly codeId: string; readonly scanId: string },
  change: (body: ActivityRecord) => ActivityRecord,
): Promise<void> {
  const waiting = await rows.all<{ seq: number; webhook_id: string; body: string }>(
    FIND,
    codeId,
    scanId,
  );
  for (const row of waiting) {
    const body = change(JSON.parse(row.body) as ActivityRecord);
    await rows.run(
      "UPDATE webhook_outbox SET body = ?, held_until = 0 WHERE seq = ?",
      JSON.stringify(body),
      row.seq,
    );
    await rows.run(
      "UPDATE webhook_lanes SET next_try = 0 WHERE webhook_id = ? AND lane = ? AND attempts = 0",
      row.webhook_id,
      codeId,
    );
  }
}
