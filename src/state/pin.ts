import { AppError } from "../base/errors.ts";
import { settings } from "../base/settings.ts";
import type { Sqlite } from "../base/sqlite/sqlite.ts";

/** The server that a state belongs to. */
export interface Pin {
  readonly baseUrl: string;
  readonly workspace: string;
}

/** The parts of a state that are needed here. */
interface PinnedState {
  readonly file: string;
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void;
}

/** Meta, set once the server has echoed an `Idempotency-Key`: a doubt may then be sent again at once. */
export const KEYS_HONOURED = "idempotency_keys";

/**
 * Nothing was made yet that depends on the server, and nothing is in doubt: a mistyped server or
 * workspace, or a token that may not write, can still be corrected.
 */
function isUntouched(db: Sqlite): boolean {
  const sql = `SELECT 1 FROM rows WHERE remote_id IS NOT NULL OR generation > 1 OR doubted_from IS NOT NULL
      OR state NOT IN ('pending', 'failed')
    UNION ALL SELECT 1 FROM folders LIMIT 1`;
  return db.get(sql) === undefined;
}

const SAME_SERVER =
  "Where it is the same server under another address, or the data of the job is served there now, add --change-server to plan or run. ";
const TWICE = "Another output folder (--out) makes every code a second time";

const WORDS: Readonly<Record<keyof Pin, string>> = { baseUrl: "server", workspace: "workspace" };

/** The server of a state whose codes lie in a data folder. */
export const EMBEDDED = "embedded";

/** How the server of the codes is named, or their data folder. */
function sayWhere(key: keyof Pin, known: string, { baseUrl }: Partial<Pin>): string {
  if (key === "baseUrl" && known === EMBEDDED)
    return `leave the other one out (--base-url, ${settings.baseUrl.variable}, ${settings.baseUrl.key}), since these codes lie in a data folder`;
  if (key === "baseUrl") return `set ${settings.baseUrl.variable} to ${known}`;
  if (baseUrl === EMBEDDED)
    return "put back the folder that holds its codes, or name its data folder with --data";
  return `set ${settings.workspace.variable} to ${known}`;
}

/**
 * Throws `state-foreign` (exit 6) for another server or workspace than the one where things were
 * made; either may still be unknown. Writes nothing.
 */
export function refuseForeign(
  db: Sqlite,
  state: Pick<PinnedState, "file" | "meta">,
  pin: Partial<Pin>,
): void {
  for (const key of ["baseUrl", "workspace"] as const) {
    const [known, value] = [state.meta(key), pin[key]];
    if (known === undefined || value === undefined || known === value || isUntouched(db)) continue;
    throw new AppError(
      "state-foreign",
      `${state.file} must be used with ${WORDS[key]} ${known}, got ${value}`,
      { hint: `${sayWhere(key, known, pin)}. ${key === "baseUrl" ? SAME_SERVER : ""}${TWICE}` },
    );
  }
}

/** True where things were made on another server than that at `baseUrl`. */
export const isElsewhere = (db: Sqlite, state: PinnedState, baseUrl: string): boolean =>
  (state.meta("baseUrl") ?? baseUrl) !== baseUrl && !isUntouched(db);

/** Binds a state to the same workspace under another base URL. */
export function follow(state: PinnedState, baseUrl: string): void {
  state.setMeta("baseUrl", baseUrl);
  if (state.meta(KEYS_HONOURED) !== undefined) state.setMeta(KEYS_HONOURED, "no");
}

/** Binds a state to a server and workspace. Throws as `refuseForeign` does. */
export function pinState(db: Sqlite, state: PinnedState, pin: Pin): void {
  refuseForeign(db, state, pin);
  for (const [key, value] of Object.entries(pin)) {
    if (state.meta(key) === value) continue;
    if (state.meta(KEYS_HONOURED) !== undefined) state.setMeta(KEYS_HONOURED, "no");
    state.setMeta(key, value);
  }
}
