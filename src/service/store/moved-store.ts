/** A store that `makeready move-store postgres` has moved out of its data folder (docs/scale.md). */
import { existsSync } from "node:fs";

import { badUsage } from "../../base/errors.ts";

/** The name that the SQLite file of a moved store has: `service.db` -> `service.db.moved`. */
export const toMovedName = (file: string): string => `${file}.moved`;

const JOBS =
  "a job takes the service that serves it: MAKEREADY_BASE_URL (or --base-url), MAKEREADY_TOKEN and MAKEREADY_WORKSPACE; where it was run here before, run it once with --change-server; serve, accounts and webhooks take the database: --store; to begin anew here, take that file away";

/**
 * Throws `bad-usage` where the store `file` was moved into a database: whoever looks for its codes
 * here finds none, and would make them a second time. `hint`: what to do instead of a job's way on.
 */
export function refuseMovedStore(file: string, hint = JOBS): void {
  const moved = toMovedName(file);
  if (existsSync(file) || !existsSync(moved)) return;
  throw badUsage(`the store was moved into a database: ${moved}`, hint);
}
