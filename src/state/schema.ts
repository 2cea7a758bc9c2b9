import { AppError } from "../base/errors.ts";
import type { Sqlite } from "../base/sqlite.ts";

/** "mkrd": tells a makeready state from any other SQLite file. */
const APPLICATION_ID = 0x6d6b7264;

export const STATE_VERSION = 1;

const TABLES = `
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE rows (
  row_key          TEXT PRIMARY KEY,
  seq              INTEGER NOT NULL,
  line             INTEGER NOT NULL,
  presence         TEXT NOT NULL,
  cells            TEXT NOT NULL,
  wanted           TEXT NOT NULL,
  wanted_hash      TEXT NOT NULL,
  design_hash      TEXT NOT NULL,
  tags_hash        TEXT NOT NULL,
  placing          TEXT NOT NULL,
  generation       INTEGER NOT NULL DEFAULT 1,
  state            TEXT NOT NULL DEFAULT 'pending',
  ref              TEXT,
  body_hash        TEXT,
  intent_at        INTEGER,
  sent_at          INTEGER,
  doubts           INTEGER NOT NULL DEFAULT 0,
  attempts         INTEGER NOT NULL DEFAULT 0,
  made             TEXT,
  made_hash        TEXT,
  made_design_hash TEXT,
  made_tags_hash   TEXT,
  made_tags        TEXT,
  remote_id        TEXT UNIQUE,
  created          TEXT,
  short_link       TEXT,
  svg              TEXT,
  error            TEXT,
  artwork          TEXT,
  cell             TEXT
) STRICT;
CREATE INDEX rows_by_state ON rows (state, seq);
CREATE INDEX rows_by_seq ON rows (presence, seq);

CREATE TABLE bad_rows (
  line     INTEGER NOT NULL,
  cells    TEXT NOT NULL,
  problems TEXT NOT NULL
) STRICT;

CREATE TABLE folders (
  path TEXT PRIMARY KEY,
  id   TEXT NOT NULL
) STRICT;

CREATE TABLE packages (
  name        TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  result      TEXT NOT NULL
) STRICT;
`;

function readNumber(db: Sqlite, pragma: string): number {
  return Number(Object.values(db.get(`PRAGMA ${pragma}`) ?? { value: 0 })[0]);
}

/**
 * Makes the tables in a new file, or checks that an old one is ours and readable. A state that a
 * newer makeready wrote is refused with its writer's name (exit 6), never touched.
 */
export function prepareSchema(db: Sqlite, file: string, writer: string): void {
  const version = readNumber(db, "user_version");
  const application = readNumber(db, "application_id");
  if (version === 0 && application === 0) {
    db.transaction(() => {
      db.exec(TABLES);
      db.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${STATE_VERSION}`);
      db.run("INSERT INTO meta VALUES ('writer', ?)", writer);
    }, "full");
    return;
  }
  if (application !== APPLICATION_ID) {
    throw new AppError("state-foreign", `${file} must be a makeready state, got another database`, {
      hint: "choose another output folder with --out, or move the file away",
    });
  }
  if (version > STATE_VERSION) {
    const by = db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'writer'")?.value;
    throw new AppError(
      "state-newer",
      `${file} must be of version ${STATE_VERSION} or older, got version ${version} written by ${by ?? "an unknown program"}`,
      { hint: "run the job with that makeready or a newer one" },
    );
  }
}
