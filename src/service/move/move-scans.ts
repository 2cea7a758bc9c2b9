/**
 * The scans of a workspace. They become new scans here, in their order, and are rolled up as such;
 * codes, profiles and counters are matched by their meaning, not by their numbers.
 */
import type { SqliteStore as Store } from "../store/sqlite/sqlite-store.ts";
import type { MoveCount } from "./move-rows.ts";
import { SOURCE } from "./moved-tables.ts";

/** Scans of one transaction. */
const STEP = 2000;
const PROFILE = ["device", "os", "browser", "country", "region", "city", "zone"] as const;

const toMark = (workspaceId: string): string => `moved_scans ${workspaceId}`;

const OF_WORKSPACE = `
  FROM ${SOURCE}.scans AS s
  JOIN ${SOURCE}.scanned_codes AS sc ON sc.number = s.code AND sc.workspace_id = ?1
  JOIN main.scanned_codes AS mc ON mc.code_id = sc.code_id`;
const STEP_OF = `${OF_WORKSPACE} WHERE s.seq > ?2 AND s.seq <= ?3`;

const ADD_CODES = `
  INSERT INTO main.scanned_codes (code_id, workspace_id)
  SELECT s.code_id, s.workspace_id FROM ${SOURCE}.scanned_codes AS s
  WHERE s.workspace_id = ?1 AND EXISTS (SELECT 1 FROM main.codes WHERE id = s.code_id)
  ON CONFLICT (code_id) DO NOTHING`;
const ADD_PROFILES = `
  INSERT INTO main.scan_profiles (${PROFILE.join(", ")})
  SELECT ${PROFILE.join(", ")} FROM ${SOURCE}.scan_profiles WHERE true ON CONFLICT DO NOTHING`;
const ADD_SCANNERS = `
  INSERT INTO main.scanners (code, scanner_id, last)
  SELECT mc.number, s.scanner_id, s.last FROM ${SOURCE}.scanners AS s
  JOIN ${SOURCE}.scanned_codes AS sc ON sc.number = s.code AND sc.workspace_id = ?1
  JOIN main.scanned_codes AS mc ON mc.code_id = sc.code_id WHERE true
  ON CONFLICT (code, scanner_id) DO UPDATE SET last = max(last, excluded.last)`;
const NEXT = `
  SELECT max(seq) AS seq FROM (
    SELECT s.seq ${OF_WORKSPACE} WHERE s.seq > ?2 ORDER BY s.seq LIMIT ${STEP})`;
const ADD_SCANS = `
  INSERT INTO main.scans (id, code, time, earlier, scanner_id, profile)
  SELECT s.id, mc.number, s.time, s.earlier, s.scanner_id, mp.id
  FROM ${SOURCE}.scans AS s
  JOIN ${SOURCE}.scanned_codes AS sc ON sc.number = s.code AND sc.workspace_id = ?1
  JOIN main.scanned_codes AS mc ON mc.code_id = sc.code_id
  JOIN ${SOURCE}.scan_profiles AS sp ON sp.id = s.profile
  JOIN main.scan_profiles AS mp ON ${PROFILE.map((one) => `mp.${one} = sp.${one}`).join(" AND ")}
  WHERE s.seq > ?2 AND s.seq <= ?3 ORDER BY s.seq`;
const ADD_TOTALS = `
  INSERT INTO main.scan_totals (code, total, first)
  SELECT mc.number, count(*), sum(s.earlier = 0) ${STEP_OF} AND s.earlier IS NOT NULL GROUP BY mc.number
  ON CONFLICT (code) DO UPDATE SET total = total + excluded.total, first = first + excluded.first`;
const ADD_POSITIONS = `
  INSERT INTO main.scan_positions (scan_id, code, latitude, longitude)
  SELECT p.scan_id, mc.number, p.latitude, p.longitude
  FROM ${SOURCE}.scan_positions AS p
  JOIN ${SOURCE}.scanned_codes AS sc ON sc.number = p.code AND sc.workspace_id = ?1
  JOIN main.scanned_codes AS mc ON mc.code_id = sc.code_id WHERE true
  ON CONFLICT (scan_id) DO NOTHING`;
const SET_MARK = `
  INSERT INTO main.meta (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** The last scan of the source that was copied here; undefined before the first one. */
function readMark({ raw }: Store, workspaceId: string): number | undefined {
  const find = "SELECT value FROM main.meta WHERE key = ?";
  const row = raw.get<{ value: string }>(find, toMark(workspaceId));
  return row === undefined ? undefined : Number(row.value);
}

const countHere = ({ raw }: Store, workspaceId: string): number =>
  raw.get<{ n: number }>(
    `SELECT count(*) AS n FROM main.scans AS s
     JOIN main.scanned_codes AS sc ON sc.number = s.code AND sc.workspace_id = ?`,
    workspaceId,
  )?.n ?? 0;

export function countScans(store: Store, workspaceId: string): MoveCount {
  const count = `SELECT count(*) AS n FROM ${SOURCE}.scans AS s
    JOIN ${SOURCE}.scanned_codes AS sc ON sc.number = s.code AND sc.workspace_id = ?`;
  const source = store.raw.get<{ n: number }>(count, workspaceId)?.n ?? 0;
  return { what: "scans", source, there: Math.min(source, countHere(store, workspaceId)) };
}

/**
 * True when scans can be copied. False when some came here in another way, for example when the
 * workspace moves back: they would count twice.
 */
export const takesScans = (store: Store, workspaceId: string): boolean =>
  readMark(store, workspaceId) !== undefined || countHere(store, workspaceId) === 0;

/** Copies what has not been copied yet. After a kill, the next call copies the rest. */
export async function copyScans(store: Store, workspaceId: string): Promise<void> {
  const { raw } = store;
  await store.write(async () => {
    raw.run(ADD_CODES, workspaceId);
    raw.run(ADD_PROFILES);
    raw.run(ADD_SCANNERS, workspaceId);
    raw.run(SET_MARK, toMark(workspaceId), String(readMark(store, workspaceId) ?? 0));
  });
  for (;;) {
    const after = readMark(store, workspaceId) ?? 0;
    const last = raw.get<{ seq: number | null }>(NEXT, workspaceId, after)?.seq ?? null;
    if (last === null) break;
    await store.write(async () => {
      raw.run(ADD_SCANS, workspaceId, after, last);
      raw.run(ADD_TOTALS, workspaceId, after, last);
      raw.run(SET_MARK, toMark(workspaceId), String(last));
    });
  }
  await store.write(async () => raw.run(ADD_POSITIONS, workspaceId));
}
