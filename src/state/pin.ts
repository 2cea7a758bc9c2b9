import { AppError } from "../base/errors.ts";
import type { Sqlite } from "../base/sqlite.ts";
import type { State } from "./state.ts";

/** The server that a state belongs to. */
export interface Pin {
  readonly baseUrl: string;
  readonly workspace: string;
}

/** Nothing was made yet that another server would not know: a mistyped workspace may be mended. */
function isUntouched(db: Sqlite): boolean {
  const sql = `SELECT 1 FROM rows WHERE attempts > 0 OR remote_id IS NOT NULL
    UNION ALL SELECT 1 FROM folders LIMIT 1`;
  return db.get(sql) === undefined;
}

/** Throws `state-foreign` (exit 6) for another server or workspace than that where things were made. */
export function pinState(
  db: Sqlite,
  state: Pick<State, "file" | "meta" | "setMeta">,
  pin: Pin,
): void {
  for (const [key, value] of Object.entries(pin)) {
    const known = state.meta(key);
    if (known === value) continue;
    if (known !== undefined && !isUntouched(db)) {
      throw new AppError(
        "state-foreign",
        `${state.file} must be used with ${key} ${known}, got ${value}`,
        { hint: "choose another output folder with --out; a state belongs to one server" },
      );
    }
    state.setMeta(key, value);
  }
}
