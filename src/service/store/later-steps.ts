/** The newest steps of `migrations.ts`, which says what a step is. */
export const laterSteps: readonly string[] = [
  // Tokens have names, may be for reading only, may end, and tell when they were used last.
  `
  ALTER TABLE tokens ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE tokens ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tokens ADD COLUMN expires BIGINT;
  ALTER TABLE tokens ADD COLUMN used BIGINT;
  CREATE INDEX tokens_account ON tokens(account_id, created);
  `,
  // A workspace has several receivers, each with its own events. The one there was has the workspace's id.
  `
  ALTER TABLE webhooks RENAME TO old_webhooks;
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL,
    events TEXT NOT NULL, created BIGINT NOT NULL, failures INTEGER NOT NULL, next_try BIGINT NOT NULL,
    paused BIGINT, trusted INTEGER NOT NULL);
  CREATE INDEX webhooks_workspace ON webhooks(workspace_id, created);
  INSERT INTO webhooks
    SELECT workspace_id, workspace_id, url, secret, '["scan"]', 0, failures, next_try, paused, trusted
    FROM old_webhooks;
  DROP TABLE old_webhooks;
  ALTER TABLE webhook_outbox RENAME COLUMN workspace_id TO webhook_id;
  ALTER TABLE webhook_outbox RENAME COLUMN code_id TO lane;
  ALTER TABLE webhook_outbox RENAME COLUMN scan_id TO record_id;
  ALTER TABLE webhook_outbox ADD COLUMN event TEXT NOT NULL DEFAULT 'scan';
  ALTER TABLE webhook_lanes RENAME COLUMN workspace_id TO webhook_id;
  ALTER TABLE webhook_lanes RENAME COLUMN code_id TO lane;
  ALTER TABLE webhook_deliveries RENAME COLUMN workspace_id TO webhook_id;
  ALTER TABLE webhook_deliveries RENAME COLUMN code_id TO lane;
  ALTER TABLE webhook_deliveries RENAME COLUMN scan_id TO record_id;
  ALTER TABLE webhook_deliveries ADD COLUMN event TEXT NOT NULL DEFAULT 'scan';
  `,
  // Links in capitals need fewer modules; codes that there are stay as they were printed.
  `
  ALTER TABLE codes ADD COLUMN capitals INTEGER NOT NULL DEFAULT 0;
  `,
];
