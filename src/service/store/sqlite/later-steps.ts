/** The newest steps of `migrations.ts`, which says what a step is. */
export const laterSteps: readonly string[] = [
  // Tokens have a name, may be read-only, may end, and know their last use.
  `
  ALTER TABLE tokens ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE tokens ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tokens ADD COLUMN expires BIGINT;
  ALTER TABLE tokens ADD COLUMN used BIGINT;
  CREATE INDEX tokens_account ON tokens(account_id, created);
  `,
  // A workspace has several receivers, each with its own events. The existing one has the workspace's
  // id.
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
  // Links in capitals need fewer modules; existing codes stay as they were printed.
  `
  ALTER TABLE codes ADD COLUMN capitals INTEGER NOT NULL DEFAULT 0;
  `,
  // The console: sessions; the history of codes, signed with who made each change (a row whose `who`
  // is null is signed within its transaction); when assistants were allowed and last called; reports
  // that can be sent again; hosted PDFs.
  `
  CREATE TABLE console_sessions (
    hash TEXT PRIMARY KEY, token_id TEXT NOT NULL REFERENCES tokens(id) ON DELETE CASCADE,
    workspace_id TEXT NOT NULL, created BIGINT NOT NULL, used BIGINT NOT NULL);
  CREATE INDEX console_sessions_token ON console_sessions(token_id);
  CREATE TABLE code_history (
    code_id TEXT NOT NULL, n INTEGER NOT NULL, workspace_id TEXT NOT NULL, what TEXT NOT NULL,
    qr_data TEXT, vcard TEXT, design TEXT, time BIGINT NOT NULL, who TEXT, via TEXT,
    PRIMARY KEY (code_id, n));
  CREATE INDEX code_history_workspace ON code_history(workspace_id);
  CREATE INDEX code_history_unsigned ON code_history(code_id) WHERE who IS NULL;
  CREATE TRIGGER codes_led_elsewhere AFTER UPDATE OF qr_data, vcard ON codes
  WHEN new.qr_data <> old.qr_data OR new.vcard IS NOT old.vcard BEGIN
    INSERT INTO code_history (code_id, n, workspace_id, what, qr_data, vcard, time)
      SELECT new.id, coalesce(max(n), 0) + 1, new.workspace_id, 'destination', old.qr_data, old.vcard,
        CAST(strftime('%s', 'now') AS INTEGER) * 1000 FROM code_history WHERE code_id = new.id;
  END;
  CREATE TRIGGER codes_restyled AFTER UPDATE OF design ON codes WHEN new.design <> old.design BEGIN
    INSERT INTO code_history (code_id, n, workspace_id, what, design, time)
      SELECT new.id, coalesce(max(n), 0) + 1, new.workspace_id, 'design', old.design,
        CAST(strftime('%s', 'now') AS INTEGER) * 1000 FROM code_history WHERE code_id = new.id;
  END;
  CREATE TRIGGER code_history_trimmed AFTER INSERT ON code_history WHEN new.n > 100 BEGIN
    DELETE FROM code_history WHERE code_id = new.code_id AND n <= new.n - 100;
  END;
  CREATE TRIGGER codes_forgotten AFTER DELETE ON codes BEGIN
    DELETE FROM code_history WHERE code_id = old.id;
  END;
  ALTER TABLE oauth_grants ADD COLUMN created BIGINT;
  ALTER TABLE oauth_grants ADD COLUMN used BIGINT;
  ALTER TABLE webhook_deliveries ADD COLUMN body TEXT;
  CREATE INDEX codes_pdf ON codes(workspace_id, created) WHERE pdf_file IS NOT NULL;
  `,
  // Codes that are void on paper answer with a page that says so; their scans are counted here.
  `
  CREATE TABLE void_codes (
    code_id TEXT PRIMARY KEY REFERENCES codes(id) ON DELETE CASCADE,
    workspace_id TEXT NOT NULL, time BIGINT NOT NULL, scans BIGINT NOT NULL DEFAULT 0);
  CREATE INDEX void_codes_workspace ON void_codes(workspace_id);
  CREATE TRIGGER targets_void_added AFTER INSERT ON void_codes BEGIN
    INSERT INTO changed_targets (target) SELECT slug FROM codes WHERE id = new.code_id AND slug IS NOT NULL;
  END;
  CREATE TRIGGER targets_void_deleted AFTER DELETE ON void_codes BEGIN
    INSERT INTO changed_targets (target) SELECT slug FROM codes WHERE id = old.code_id AND slug IS NOT NULL;
  END;
  `,
];
