import { laterSteps } from "./later-steps.ts";

/**
 * The steps from an empty store to today's, in order. A published step is never changed; a new one
 * is added at the end.
 */
export const steps: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created BIGINT NOT NULL);
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts(id),
    hash TEXT NOT NULL UNIQUE, created BIGINT NOT NULL);
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts(id),
    name TEXT NOT NULL, created BIGINT NOT NULL);
  CREATE INDEX workspaces_account ON workspaces(account_id, created);
  CREATE TABLE folders (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces(id),
    parent_id TEXT REFERENCES folders(id), name TEXT NOT NULL, name_key TEXT NOT NULL,
    slug TEXT NOT NULL, created BIGINT NOT NULL, UNIQUE (workspace_id, slug));
  CREATE INDEX folders_name ON folders(workspace_id, name_key, id);
  CREATE INDEX folders_parent ON folders(parent_id);
  CREATE TABLE tags (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces(id),
    title TEXT NOT NULL, title_key TEXT NOT NULL, slug TEXT NOT NULL,
    UNIQUE (workspace_id, title_key), UNIQUE (workspace_id, slug));
  CREATE TABLE codes (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces(id),
    kind TEXT NOT NULL, created BIGINT NOT NULL, display_name TEXT NOT NULL, qr_type TEXT NOT NULL,
    qr_data TEXT NOT NULL, dynamic INTEGER NOT NULL, slug TEXT UNIQUE,
    gps_tracking INTEGER NOT NULL, folder_id TEXT REFERENCES folders(id),
    design TEXT NOT NULL, vcard TEXT, pdf_file TEXT, pdf_name TEXT, png_file TEXT, svg_file TEXT, print_file TEXT,
    search TEXT NOT NULL, total_scans BIGINT NOT NULL, unique_scans BIGINT NOT NULL);
  CREATE UNIQUE INDEX codes_created ON codes(workspace_id, created);
  CREATE INDEX codes_kind ON codes(workspace_id, kind, created);
  CREATE INDEX codes_folder ON codes(folder_id, kind, created);
  CREATE TABLE code_tags (
    code_id TEXT NOT NULL REFERENCES codes(id), tag_id TEXT NOT NULL REFERENCES tags(id),
    PRIMARY KEY (code_id, tag_id));
  CREATE INDEX code_tags_tag ON code_tags(tag_id);
  CREATE TABLE scanners (
    code_id TEXT NOT NULL, scanner_id TEXT NOT NULL, PRIMARY KEY (code_id, scanner_id));
  CREATE TABLE scans (
    id TEXT PRIMARY KEY, code_id TEXT NOT NULL, time BIGINT NOT NULL, scanner_id TEXT NOT NULL,
    device TEXT NOT NULL, os TEXT NOT NULL, browser TEXT NOT NULL, country TEXT NOT NULL,
    region TEXT NOT NULL, city TEXT NOT NULL, bot INTEGER NOT NULL);
  CREATE INDEX scans_code ON scans(code_id, time);
  CREATE TABLE templates (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces(id),
    title TEXT NOT NULL, design TEXT NOT NULL, created BIGINT NOT NULL);
  CREATE INDEX templates_workspace ON templates(workspace_id, created);
  CREATE TABLE logos (hash TEXT PRIMARY KEY, png BLOB NOT NULL);
  CREATE TABLE idempotency (
    token_id TEXT NOT NULL, key TEXT NOT NULL, request_hash TEXT NOT NULL, status INTEGER NOT NULL,
    answer TEXT NOT NULL, drawing TEXT, created BIGINT NOT NULL, PRIMARY KEY (token_id, key));
  CREATE INDEX idempotency_created ON idempotency(created);
  `,
  `
  ALTER TABLE workspaces ADD COLUMN gs1_stem TEXT;
  CREATE UNIQUE INDEX workspaces_gs1_stem ON workspaces(gs1_stem);
  CREATE TABLE products (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces(id), created BIGINT NOT NULL,
    identifier_type TEXT NOT NULL, identifier_value TEXT NOT NULL, batch_lot TEXT, serial_number TEXT,
    expiry_date TEXT, path TEXT NOT NULL UNIQUE);
  CREATE INDEX products_workspace ON products(workspace_id, created, id);
  CREATE TABLE product_links (
    id TEXT PRIMARY KEY, product_id TEXT NOT NULL REFERENCES products(id), created BIGINT NOT NULL,
    link_type TEXT NOT NULL, title TEXT NOT NULL, destination_url TEXT NOT NULL,
    is_default INTEGER NOT NULL, language TEXT, media_type TEXT NOT NULL, UNIQUE (product_id, link_type));
  ALTER TABLE codes ADD COLUMN product_id TEXT REFERENCES products(id);
  ALTER TABLE codes ADD COLUMN digital_link TEXT;
  CREATE INDEX codes_product ON codes(product_id);
  CREATE INDEX codes_digital_link ON codes(workspace_id, digital_link);
  CREATE INDEX codes_dynamic ON codes(workspace_id, kind, dynamic);
  `,
  `
  ALTER TABLE codes ADD COLUMN hosted_path TEXT;
  CREATE TABLE pages (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces(id), created BIGINT NOT NULL,
    code_id TEXT REFERENCES codes(id), slug TEXT NOT NULL UNIQUE, status TEXT NOT NULL,
    title TEXT NOT NULL, description TEXT NOT NULL, bg_color TEXT, text_color TEXT, links TEXT NOT NULL);
  CREATE UNIQUE INDEX pages_created ON pages(workspace_id, created);
  CREATE INDEX pages_code ON pages(code_id);
  CREATE TABLE forms (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces(id), created BIGINT NOT NULL,
    modified BIGINT NOT NULL, code_id TEXT REFERENCES codes(id), slug TEXT UNIQUE, status TEXT NOT NULL,
    title_key TEXT NOT NULL, draft TEXT NOT NULL, live TEXT, response_count BIGINT NOT NULL);
  CREATE UNIQUE INDEX forms_created ON forms(workspace_id, created);
  CREATE INDEX forms_code ON forms(code_id);
  CREATE TABLE form_responses (
    id TEXT PRIMARY KEY, form_id TEXT NOT NULL REFERENCES forms(id), created BIGINT NOT NULL,
    ticket TEXT NOT NULL UNIQUE, completion_s BIGINT NOT NULL, answers TEXT NOT NULL);
  CREATE UNIQUE INDEX form_responses_created ON form_responses(form_id, created);
  `,
  // Counts and the text index: what a request costs must not depend on how many codes there are.
  `
  CREATE TABLE counts (
    workspace_id TEXT NOT NULL, what TEXT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (workspace_id, what));
  INSERT INTO counts SELECT workspace_id, kind, count(*) FROM codes GROUP BY 1, 2;
  INSERT INTO counts
    SELECT workspace_id, 'folder ' || coalesce(folder_id, ''), count(*) FROM codes WHERE kind = 'code' GROUP BY 1, 2;
  CREATE TABLE code_index (
    n INTEGER PRIMARY KEY AUTOINCREMENT, code_id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL,
    kind TEXT NOT NULL, linked INTEGER NOT NULL);
  INSERT INTO code_index (code_id, workspace_id, kind, linked)
    SELECT id, workspace_id, kind, slug IS NOT NULL OR digital_link IS NOT NULL FROM codes ORDER BY created;
  CREATE TABLE code_pending (n INTEGER PRIMARY KEY);
  DROP INDEX codes_kind;
  CREATE INDEX codes_kind ON codes(workspace_id, kind, created, folder_id);
  CREATE INDEX codes_filed ON codes(workspace_id, kind, folder_id, created);
  CREATE TRIGGER codes_added AFTER INSERT ON codes BEGIN
    INSERT INTO counts SELECT new.workspace_id, new.kind, 1
      UNION ALL SELECT new.workspace_id, 'folder ' || coalesce(new.folder_id, ''), 1 WHERE new.kind = 'code'
      ON CONFLICT (workspace_id, what) DO UPDATE SET n = n + 1;
    INSERT INTO code_index (code_id, workspace_id, kind, linked)
      VALUES (new.id, new.workspace_id, new.kind, new.slug IS NOT NULL OR new.digital_link IS NOT NULL);
    INSERT INTO code_pending SELECT n FROM code_index WHERE code_id = new.id;
  END;
  CREATE TRIGGER codes_moved AFTER UPDATE OF folder_id ON codes
  WHEN new.folder_id IS NOT old.folder_id AND new.kind = 'code' BEGIN
    UPDATE counts SET n = n - 1
      WHERE workspace_id = old.workspace_id AND what = 'folder ' || coalesce(old.folder_id, '');
    INSERT INTO counts VALUES (new.workspace_id, 'folder ' || coalesce(new.folder_id, ''), 1)
      ON CONFLICT (workspace_id, what) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER codes_renamed AFTER UPDATE OF search, slug, digital_link ON codes
  WHEN new.search <> old.search OR new.slug IS NOT old.slug OR new.digital_link IS NOT old.digital_link BEGIN
    INSERT OR IGNORE INTO code_pending SELECT n FROM code_index WHERE code_id = new.id;
  END;
  CREATE TRIGGER codes_removed AFTER DELETE ON codes BEGIN
    UPDATE counts SET n = n - 1 WHERE workspace_id = old.workspace_id AND (
      what = old.kind OR (old.kind = 'code' AND what = 'folder ' || coalesce(old.folder_id, '')));
    INSERT OR IGNORE INTO code_pending SELECT n FROM code_index WHERE code_id = old.id;
    DELETE FROM code_index WHERE code_id = old.id;
  END;
  CREATE TRIGGER folders_removed AFTER DELETE ON folders BEGIN
    DELETE FROM counts WHERE workspace_id = old.workspace_id AND what = 'folder ' || old.id;
  END;
  `,
  // Scans refer to codes and profiles by numbers, and are rolled up by day.
  `
  ALTER TABLE workspaces ADD COLUMN time_zone TEXT;
  CREATE TABLE scanned_codes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, code_id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL);
  CREATE INDEX scanned_codes_workspace ON scanned_codes(workspace_id);
  CREATE TABLE scan_profiles (
    id INTEGER PRIMARY KEY, device TEXT NOT NULL, os TEXT NOT NULL, browser TEXT NOT NULL,
    country TEXT NOT NULL, region TEXT NOT NULL, city TEXT NOT NULL, zone TEXT NOT NULL,
    UNIQUE (device, os, browser, country, region, city, zone));
  ALTER TABLE scans RENAME TO old_scans;
  DROP INDEX scans_code;
  CREATE TABLE scans (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, code INTEGER NOT NULL, time BIGINT NOT NULL,
    earlier BIGINT, scanner_id TEXT NOT NULL, profile INTEGER NOT NULL);
  INSERT INTO scanned_codes (code_id, workspace_id)
    SELECT id, workspace_id FROM codes WHERE id IN (SELECT code_id FROM old_scans);
  INSERT INTO scan_profiles (device, os, browser, country, region, city, zone)
    SELECT DISTINCT device, os, browser, country, region, city, '' FROM old_scans;
  INSERT INTO scans (id, code, time, earlier, scanner_id, profile)
    SELECT old.id, scanned_codes.number, old.time,
      CASE WHEN old.bot = 0 THEN coalesce(
        lag(old.time) OVER (PARTITION BY old.code_id, old.scanner_id, old.bot ORDER BY old.time), 0) END,
      old.scanner_id, scan_profiles.id
    FROM old_scans AS old
    JOIN scanned_codes ON scanned_codes.code_id = old.code_id
    JOIN scan_profiles ON scan_profiles.device = old.device AND scan_profiles.os = old.os
      AND scan_profiles.browser = old.browser AND scan_profiles.country = old.country
      AND scan_profiles.region = old.region AND scan_profiles.city = old.city
    ORDER BY old.time;
  DROP TABLE old_scans;
  CREATE INDEX scans_code ON scans(code, time, earlier, profile);
  CREATE INDEX scans_return ON scans(code, earlier)
    WHERE earlier > 0 AND earlier / 86400000 <> time / 86400000;
  DROP TABLE scanners;
  CREATE TABLE scanners (
    code INTEGER NOT NULL, scanner_id TEXT NOT NULL, earlier BIGINT NOT NULL, last BIGINT NOT NULL,
    PRIMARY KEY (code, scanner_id)) WITHOUT ROWID;
  INSERT INTO scanners (code, scanner_id, earlier, last)
    SELECT code, scanner_id, 0, max(time) FROM scans WHERE earlier IS NOT NULL GROUP BY code, scanner_id;
  CREATE TABLE code_packs (
    code INTEGER NOT NULL, day INTEGER NOT NULL, part INTEGER NOT NULL, pack BLOB NOT NULL,
    PRIMARY KEY (code, day, part));
  CREATE TABLE workspace_packs (
    workspace_id TEXT NOT NULL, kind TEXT NOT NULL, day INTEGER NOT NULL, part INTEGER NOT NULL,
    pack BLOB NOT NULL, PRIMARY KEY (workspace_id, kind, day, part));
  CREATE TABLE scan_positions (
    scan_id TEXT PRIMARY KEY, code INTEGER NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL);
  CREATE INDEX scan_positions_code ON scan_positions(code);
  CREATE TABLE webhooks (
    workspace_id TEXT PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL, failures INTEGER NOT NULL,
    next_try BIGINT NOT NULL, paused BIGINT, trusted INTEGER NOT NULL);
  CREATE TABLE webhook_outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id TEXT NOT NULL, code_id TEXT NOT NULL,
    scan_id TEXT NOT NULL, created BIGINT NOT NULL, body TEXT NOT NULL);
  CREATE INDEX webhook_outbox_code ON webhook_outbox(workspace_id, code_id, seq);
  CREATE TABLE webhook_lanes (
    workspace_id TEXT NOT NULL, code_id TEXT NOT NULL, attempts INTEGER NOT NULL, next_try BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, code_id));
  CREATE INDEX webhook_lanes_due ON webhook_lanes(workspace_id, next_try);
  CREATE TABLE webhook_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id TEXT NOT NULL, code_id TEXT NOT NULL,
    scan_id TEXT NOT NULL, time BIGINT NOT NULL, attempt INTEGER NOT NULL, status INTEGER,
    fault TEXT, took_ms INTEGER NOT NULL);
  CREATE INDEX webhook_deliveries_workspace ON webhook_deliveries(workspace_id, seq);
  `,
  // Reports may wait for additions.
  `
  ALTER TABLE webhook_outbox ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0;
  `,
  // How often anything but a new code changed search results: counts of searches are remembered.
  `
  CREATE TRIGGER codes_edited AFTER UPDATE OF search, slug, digital_link, folder_id ON codes
  WHEN new.search <> old.search OR new.slug IS NOT old.slug
    OR new.digital_link IS NOT old.digital_link OR new.folder_id IS NOT old.folder_id BEGIN
    INSERT INTO counts VALUES (new.workspace_id, 'edits', 1)
      ON CONFLICT (workspace_id, what) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER codes_gone AFTER DELETE ON codes BEGIN
    INSERT INTO counts VALUES (old.workspace_id, 'edits', 1)
      ON CONFLICT (workspace_id, what) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER code_tagged AFTER INSERT ON code_tags BEGIN
    INSERT INTO counts SELECT workspace_id, 'edits', 1 FROM codes WHERE id = new.code_id
      ON CONFLICT (workspace_id, what) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER code_untagged AFTER DELETE ON code_tags BEGIN
    INSERT INTO counts SELECT workspace_id, 'edits', 1 FROM codes WHERE id = old.code_id
      ON CONFLICT (workspace_id, what) DO UPDATE SET n = n + 1;
  END;
  `,
  // The plan's limit: dynamic codes, except those of landing pages (/page/).
  `
  INSERT INTO counts SELECT workspace_id, 'dynamic', count(*) FROM codes
    WHERE kind = 'code' AND dynamic = 1 AND coalesce(hosted_path, '') NOT LIKE '/page/%' GROUP BY 1;
  CREATE TRIGGER codes_limited AFTER INSERT ON codes
  WHEN new.kind = 'code' AND new.dynamic = 1 AND coalesce(new.hosted_path, '') NOT LIKE '/page/%' BEGIN
    INSERT INTO counts VALUES (new.workspace_id, 'dynamic', 1)
      ON CONFLICT (workspace_id, what) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER codes_freed AFTER DELETE ON codes
  WHEN old.kind = 'code' AND old.dynamic = 1 AND coalesce(old.hosted_path, '') NOT LIKE '/page/%' BEGIN
    UPDATE counts SET n = n - 1 WHERE workspace_id = old.workspace_id AND what = 'dynamic';
  END;
  `,
  // A scan's row says when the same scanner came before; counters are stored close together.
  `
  ALTER TABLE scanners DROP COLUMN earlier;
  CREATE TABLE scan_totals (code INTEGER PRIMARY KEY, total BIGINT NOT NULL, first BIGINT NOT NULL);
  INSERT INTO scan_totals SELECT scanned_codes.number, codes.total_scans, codes.unique_scans
    FROM scanned_codes JOIN codes ON codes.id = scanned_codes.code_id;
  ALTER TABLE codes DROP COLUMN total_scans;
  ALTER TABLE codes DROP COLUMN unique_scans;
  `,
  // Searches for short links.
  `
  CREATE INDEX codes_slug_folded ON codes(lower(slug));
  CREATE INDEX codes_digital_link_folded ON codes(lower(digital_link));
  `,
  // Scans of deleted codes are removed in small steps.
  `
  CREATE TABLE scan_leftovers (code INTEGER PRIMARY KEY);
  `,
  // Processes that remember where slugs and Digital Links lead learn of changes; the last thousand
  // are kept.
  `
  CREATE TABLE changed_targets (n INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL);
  CREATE TRIGGER changed_targets_trimmed AFTER INSERT ON changed_targets WHEN new.n % 1000 = 0 BEGIN
    DELETE FROM changed_targets WHERE n <= new.n - 1000;
  END;
  CREATE TRIGGER targets_updated
  AFTER UPDATE OF slug, vcard, qr_data, pdf_file, pdf_name, hosted_path, gps_tracking ON codes
  WHEN old.slug IS NOT NULL BEGIN
    INSERT INTO changed_targets (target) VALUES (old.slug);
  END;
  CREATE TRIGGER targets_deleted AFTER DELETE ON codes WHEN old.slug IS NOT NULL BEGIN
    INSERT INTO changed_targets (target) VALUES (old.slug);
  END;
  CREATE TRIGGER targets_product_added AFTER INSERT ON products BEGIN
    INSERT INTO changed_targets (target) VALUES (new.path);
  END;
  CREATE TRIGGER targets_product_updated AFTER UPDATE ON products BEGIN
    INSERT INTO changed_targets (target) VALUES (old.path), (new.path);
  END;
  CREATE TRIGGER targets_product_deleted AFTER DELETE ON products BEGIN
    INSERT INTO changed_targets (target) VALUES (old.path);
  END;
  CREATE TRIGGER targets_link_added AFTER INSERT ON product_links BEGIN
    INSERT INTO changed_targets (target) SELECT path FROM products WHERE id = new.product_id;
  END;
  CREATE TRIGGER targets_link_updated AFTER UPDATE ON product_links BEGIN
    INSERT INTO changed_targets (target)
      SELECT path FROM products WHERE id IN (old.product_id, new.product_id);
  END;
  CREATE TRIGGER targets_link_deleted AFTER DELETE ON product_links BEGIN
    INSERT INTO changed_targets (target) SELECT path FROM products WHERE id = old.product_id;
  END;
  CREATE TRIGGER targets_code_added AFTER INSERT ON codes WHEN new.product_id IS NOT NULL BEGIN
    INSERT INTO changed_targets (target) SELECT path FROM products WHERE id = new.product_id;
  END;
  CREATE TRIGGER targets_code_moved AFTER UPDATE OF product_id ON codes BEGIN
    INSERT INTO changed_targets (target)
      SELECT path FROM products WHERE id IN (old.product_id, new.product_id);
  END;
  CREATE TRIGGER targets_code_deleted AFTER DELETE ON codes WHEN old.product_id IS NOT NULL BEGIN
    INSERT INTO changed_targets (target) SELECT path FROM products WHERE id = old.product_id;
  END;
  CREATE TRIGGER targets_stem_added AFTER INSERT ON workspaces WHEN new.gs1_stem IS NOT NULL BEGIN
    INSERT INTO changed_targets (target) VALUES (new.gs1_stem);
  END;
  CREATE TRIGGER targets_stem_updated AFTER UPDATE OF gs1_stem ON workspaces BEGIN
    INSERT INTO changed_targets (target) VALUES (coalesce(old.gs1_stem, '')), (coalesce(new.gs1_stem, ''));
  END;
  `,
  // Searches for one and two characters have an index of their own. It is made when the text index is
  // opened, and both are made anew: here, a SQLite without FTS5 could not even drop the old one.
  "-- nothing to do",
  // Codes of deleted folders are unfiled in small steps.
  `
  ALTER TABLE folders ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE folder_leftovers (
    folder_id TEXT PRIMARY KEY REFERENCES folders(id), workspace_id TEXT NOT NULL REFERENCES workspaces(id));
  `,
  // Assistants sign in by OAuth: registered clients, and their grants.
  `
  CREATE TABLE oauth_clients (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, redirect_uris TEXT NOT NULL, used BIGINT NOT NULL);
  CREATE INDEX oauth_clients_used ON oauth_clients(used);
  CREATE TABLE oauth_grants (
    id TEXT PRIMARY KEY,
    client_id TEXT NOT NULL REFERENCES oauth_clients(id) ON DELETE CASCADE,
    token_id TEXT NOT NULL REFERENCES tokens(id) ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL, challenge TEXT NOT NULL, code_hash TEXT NOT NULL UNIQUE,
    access_hash TEXT UNIQUE, access_expires BIGINT,
    family_hash TEXT UNIQUE, refresh_hash TEXT UNIQUE, expires BIGINT NOT NULL);
  CREATE INDEX oauth_grants_client ON oauth_grants(client_id);
  CREATE INDEX oauth_grants_token ON oauth_grants(token_id);
  CREATE INDEX oauth_grants_expires ON oauth_grants(expires);
  `,
  // Assistants that were never allowed anything are forgotten sooner.
  `
  ALTER TABLE oauth_clients ADD COLUMN allowed INTEGER NOT NULL DEFAULT 0;
  UPDATE oauth_clients SET allowed = 1 WHERE id IN (SELECT client_id FROM oauth_grants);
  DROP INDEX oauth_clients_used;
  CREATE INDEX oauth_clients_used ON oauth_clients(allowed, used);
  `,
  // Printed codes still lead to a slug: it stays with its workspace when its code is deleted. Of
  // slugs deleted before this step, those of pages and forms are known.
  `
  CREATE TABLE kept_slugs (slug TEXT PRIMARY KEY, workspace_id TEXT NOT NULL) WITHOUT ROWID;
  INSERT INTO kept_slugs SELECT slug, min(workspace_id)
    FROM (SELECT slug, workspace_id FROM pages UNION SELECT slug, workspace_id FROM forms) AS hosted
    WHERE slug IS NOT NULL AND NOT EXISTS (SELECT 1 FROM codes WHERE codes.slug = hosted.slug) GROUP BY slug;
  CREATE TRIGGER slugs_of_deleted AFTER DELETE ON codes WHEN old.slug IS NOT NULL BEGIN
    INSERT INTO kept_slugs VALUES (old.slug, old.workspace_id) ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER slugs_of_changed AFTER UPDATE OF slug ON codes
  WHEN old.slug IS NOT NULL AND new.slug IS NOT old.slug BEGIN
    INSERT INTO kept_slugs VALUES (old.slug, old.workspace_id) ON CONFLICT DO NOTHING;
  END;
  `,
  ...laterSteps,
];
