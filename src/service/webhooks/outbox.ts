/** Reports on their way into the store, in the transaction of their scans: neither is there alone. */
import type { Sqlite } from "../../base/sqlite.ts";

import type { ActivityRecord } from "../scans/activity-record.ts";
import type { Outbox } from "../scans/save-scans.ts";

interface Report {
  readonly workspaceId: string;
  readonly codeId: string;
  readonly scanId: string;
  /** The activity record (docs/spec/api.md section 2.6). */
  readonly body: ActivityRecord;
  readonly timeMs: number;
  /** Waits so long for what may be added to it. */
  readonly holdMs: number;
}

const IS_WANTED = "SELECT 1 AS yes FROM webhooks WHERE workspace_id = ?";
const ADD = `
  INSERT INTO webhook_outbox (workspace_id, code_id, scan_id, created, held_until, body)
  VALUES (?, ?, ?, ?, ?, ?)`;
const ADD_LANE = `
  INSERT INTO webhook_lanes (workspace_id, code_id, attempts, next_try) VALUES (?, ?, 0, ?)
  ON CONFLICT DO NOTHING`;
const FIND = `
  SELECT webhook_outbox.seq, webhook_outbox.workspace_id, webhook_outbox.body FROM webhook_outbox
  JOIN scanned_codes ON scanned_codes.workspace_id = webhook_outbox.workspace_id
    AND scanned_codes.code_id = webhook_outbox.code_id
  WHERE webhook_outbox.code_id = ? AND webhook_outbox.scan_id = ?`;

function addReport(raw: Sqlite, report: Report): void {
  const { workspaceId, codeId, scanId, body, timeMs, holdMs } = report;
  const heldMs = holdMs === 0 ? 0 : timeMs + holdMs;
  raw.run(ADD, workspaceId, codeId, scanId, timeMs, heldMs, JSON.stringify(body));
  raw.run(ADD_LANE, workspaceId, codeId, heldMs);
}

/** What stores scans is given; `isAllowed` false: nothing is reported. */
export const makeOutbox = (raw: Sqlite, isAllowed: boolean): Outbox => ({
  add: (report) => addReport(raw, report),
  isWanted: (workspaceId) => isAllowed && raw.get(IS_WANTED, workspaceId) !== undefined,
});

/** Changes a report that still waits, and lets it go. */
export function changeReport(
  raw: Sqlite,
  { codeId, scanId }: Pick<Report, "codeId" | "scanId">,
  change: (body: ActivityRecord) => ActivityRecord,
): void {
  const row = raw.get<{ seq: number; workspace_id: string; body: string }>(FIND, codeId, scanId);
  if (row === undefined) return;
  const body = change(JSON.parse(row.body) as ActivityRecord);
  raw.run(
    "UPDATE webhook_outbox SET body = ?, held_until = 0 WHERE seq = ?",
    JSON.stringify(body),
    row.seq,
  );
  raw.run(
    "UPDATE webhook_lanes SET next_try = 0 WHERE workspace_id = ? AND code_id = ? AND attempts = 0",
    row.workspace_id,
    codeId,
  );
}
