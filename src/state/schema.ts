import { existsSync, statSync } from "node:fs";

import { AppError, toMessage } from "../base/errors.ts";
import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { keepCopy } from "./keep-copy.ts";

/** "mkrd": identifies the SQLite file as a makeready state. */
const APPLICATION_ID = 0x6d6b7264;

export const STATE_VERSION = 4;

/** Key in `meta`: what the last complete run was based on; see `State.seal`. */
export const SEAL = "seal";

/** Pictures are large and rarely needed: apart from the rows, they don't slow down reading those. */
const PICTURES = `
CREATE TABLE pictures (
  row_key TEXT PRIMARY KEY,
  svg     TEXT NOT NULL
) STRICT;
`;

/** Every change of what the stages are based on breaks the seal. */
const SEAL_TRIGGERS = ["rows", "bad_rows", "packages"]
  .flatMap((table) =>
    ["INSERT", "UPDATE", "DELETE"].map(
      (change) => `
CREATE TRIGGER ${change.toLowerCase()}_of_${table} AFTER ${change} ON ${table}
BEGIN DELETE FROM meta WHERE key = '${SEAL}'; END;`,
    ),
  )
  .join("");

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
  error            TEXT,
  artwork          TEXT,
  cell             TEXT,
  doubted_from     INTEGER,
  parts            TEXT
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
${PICTURES}${SEAL_TRIGGERS}`;

/** Dynamic codes whose short link is not known, or is fetched again since it has moved. */
export const WITHOUT_LINK =
  "short_link IS NULL AND json_extract(coalesce(made, wanted), '$.dynamic')";

/** Made, but with other tags than the row wants. */
export const OTHER_TAGS = `(made_tags_hash IS NOT NULL AND made_tags_hash <> tags_hash)
  OR (made_tags_hash IS NULL AND json_array_length(wanted, '$.tags') > 0)`;

/** Rows with which a run has, or may have, something left to do; few of a finished job. */
export const UNSETTLED = `(state <> 'done' OR error IS NOT NULL OR doubted_from IS NOT NULL
  OR made_hash IS NOT wanted_hash OR made_design_hash IS NOT design_hash OR ${OTHER_TAGS} OR (${WITHOUT_LINK}))`;

/** Made after the first rows: until then it would hold every row once. Any makeready keeps it up. */
export const UNSETTLED_INDEX = `CREATE INDEX IF NOT EXISTS rows_unsettled ON rows (presence, seq) WHERE ${UNSETTLED}`;

/** The rows of one group are found without a look at those of all others. Any makeready keeps it up. */
export const toGroupIndex = (kind: "sheets" | "zip"): string =>
  `CREATE INDEX IF NOT EXISTS rows_by_${kind} ON rows (json_extract(placing, '$.${kind}'), presence, seq)`;

/** True for finished rows whose code is known; false for a form that could not be published. */
export const SHOWN = `state = 'done' AND NOT (${WITHOUT_LINK})`;

/** version -> the step to the next one. A released step is never changed. */
const UPGRADES: ReadonlyMap<number, string> = new Map([
  [1, "ALTER TABLE rows ADD COLUMN doubted_from INTEGER"],
  [2, "ALTER TABLE rows ADD COLUMN parts TEXT"],
  [
    3,
    `${PICTURES}
     INSERT INTO pictures SELECT row_key, svg FROM rows WHERE svg IS NOT NULL;
     ALTER TABLE rows DROP COLUMN svg;
     ${SEAL_TRIGGERS}`,
  ],
]);

function readNumber(db: Sqlite, pragma: string): number {
  return Number(Object.values(db.get(`PRAGMA ${pragma}`) ?? { value: 0 })[0]);
}

interface Preparing {
  /** Absolute. */
  readonly file: string;
  /** Name and version of the program. */
  readonly writer: string;
  readonly maxCheckedBytes?: number | undefined;
  /** Nothing may be made or updated: this process doesn't hold the folder's lock. */
  readonly isReader?: boolean | undefined;
}

/**
 * Makes the tables in a new file; checks that an old one is complete, ours and readable, and brings
 * it up to date. A state of a newer makeready is refused with its writer's name (exit 6) and not
 * touched. Before an upgrade the file is copied to `state.db.v<version>`.
 */
export function prepareSchema(
  db: Sqlite,
  { file, writer, maxCheckedBytes, isReader = false }: Preparing,
): void {
  const version = readNumber(db, "user_version");
  const application = readNumber(db, "application_id");
  const isEmpty =
    version === 0 && application === 0 && db.get("SELECT 1 FROM sqlite_schema") === undefined;
  const isOurs = application === APPLICATION_ID;
  if (isReader && (isEmpty || (isOurs && version < STATE_VERSION))) refuseUnready(file);
  if (isEmpty) {
    db.transaction(() => {
      db.exec(TABLES);
      db.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${STATE_VERSION}`);
      db.run("INSERT INTO meta VALUES ('writer', ?)", writer);
    }, "full");
    return;
  }
  if (!isOurs) {
    throw new AppError("state-foreign", `${file} must be a makeready state, got another database`, {
      hint: "choose another output folder with --out, or move the file away",
    });
  }
  if (version > STATE_VERSION) refuseNewer(db, file, version);
  refuseDamage(db, file, maxCheckedBytes);
  if (version < STATE_VERSION) upgrade(db, { file, version, writer });
}

function refuseUnready(file: string): never {
  throw new AppError("job-locked", `${file} is being made or brought up to date by another run`, {
    hint: "run the same command again",
  });
}

function refuseNewer(db: Sqlite, file: string, version: number): never {
  const by = db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'writer'")?.value;
  throw new AppError(
    "state-newer",
    `${file} must be of version ${STATE_VERSION} or older, got version ${version} written by ${by ?? "an unknown program"}`,
    { hint: "run the job with that makeready or a newer one" },
  );
}

/** Larger files are not checked completely at every start. */
const MAX_CHECKED_BYTES = 256 * 1024 * 1024;

/** Files that this process has checked completely: file -> its stamp. */
const whole = new Map<string, string>();

/** Stamp of the file and the journal beside it. */
function toStamp(file: string): string {
  const stamps = [file, `${file}-wal`].map((one) => {
    if (!existsSync(one)) return "";
    const { size, mtimeNs, ino } = statSync(one, { bigint: true });
    return size === 0n ? "" : `${ino} ${size} ${mtimeNs}`;
  });
  return stamps.join("|");
}

/** Previews open the same state again and again: an unchanged file isn't checked again. */
function refuseDamage(db: Sqlite, file: string, maxBytes = MAX_CHECKED_BYTES): void {
  const stamp = toStamp(file);
  if (whole.get(file) === stamp) return;
  readThrough(db, file, maxBytes);
  whole.set(file, stamp);
}

function readThrough(db: Sqlite, file: string, maxBytes: number): void {
  const bytes = readNumber(db, "page_count") * readNumber(db, "page_size");
  refuseShort(file, bytes);
  if (bytes > maxBytes) return refuseDamageOfLarge(db, file);
  check(db, file, "PRAGMA quick_check(1)");
}

function check(db: Sqlite, file: string, pragma: string): void {
  const [found] = Object.values(db.get(pragma) ?? { result: "nothing" });
  if (found !== "ok") throw toDamage(file, String(found));
}

/** SQLite reads missing parts of the last page as zeros. */
function refuseShort(file: string, bytes: number): void {
  const wal = `${file}-wal`;
  const hasWal = existsSync(wal) && statSync(wal).size > 0;
  const size = statSync(file).size;
  if (!hasWal && size < bytes) throw toDamage(file, `${size} bytes of ${bytes}`);
}

/**
 * For a large file: checks all small tables, the index of states and the newest rows. Damage
 * elsewhere shows when it is read.
 */
function refuseDamageOfLarge(db: Sqlite, file: string): void {
  for (const table of ["meta", "bad_rows", "folders", "packages"]) {
    check(db, file, `PRAGMA quick_check('${table}')`);
  }
  const byState = db.get<{ n: number }>("SELECT count(*) AS n FROM rows WHERE state >= ''")?.n;
  const byOrder = db.get<{ n: number }>("SELECT count(*) AS n FROM rows WHERE presence >= ''")?.n;
  if (byState !== byOrder) throw toDamage(file, `${byState} rows by state, ${byOrder} in order`);
  db.all("SELECT * FROM rows ORDER BY rowid DESC LIMIT 500");
}

function upgrade(
  db: Sqlite,
  { file, version, writer }: { file: string; version: number; writer: string },
): void {
  keepCopy(db, file, version);
  db.transaction(() => {
    for (let from = version; from < STATE_VERSION; from += 1) {
      const step = UPGRADES.get(from);
      if (step === undefined) throw toDamage(file, `version ${from}, which nothing ever wrote`);
      db.exec(step);
    }
    db.exec(`PRAGMA user_version=${STATE_VERSION}`);
    db.run("INSERT OR REPLACE INTO meta VALUES ('writer', ?)", writer);
  }, "full");
}

/** The error for a state file that was cut off, overwritten or damaged on the disk. */
export function toDamage(file: string, cause: unknown): AppError {
  return new AppError(
    "state-damaged",
    `${file} must be a whole state file, got ${toMessage(cause)}`,
    {
      cause,
      hint: "put a copy of the output folder back; without the state the next run would make every code a second time",
    },
  );
}

/** True for SQLite's errors about a file that is no database or a broken one. */
function isDamage(error: unknown): boolean {
  return /not a database|malformed|disk image|corrupt/iu.test(toMessage(error));
}

/** True for SQLite's errors about a disk that is full or can't be written. */
function isUnwritable(error: unknown): boolean {
  return /readonly database|disk is full|disk I\/O error|unable to open database/iu.test(
    toMessage(error),
  );
}

/** SQLite's error about a state file, in words for people; any other error as it is. */
export function toStateError(file: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isDamage(error)) return toDamage(file, error);
  if (!isUnwritable(error)) return error;
  return new AppError("output-unwritable", `${file} must be writable, got ${toMessage(error)}`, {
    cause: error,
    hint: "free some space, or make the folder writable; nothing is lost",
  });
}
