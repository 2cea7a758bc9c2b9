/** The whole store of a service from SQLite into PostgreSQL, and back. */
import { existsSync } from "node:fs";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import { formatCount, formatMany } from "../../base/text/words.ts";
import { moveToPostgres, moveToSqlite } from "../../service/move/move-store.ts";
import type { Call } from "../call.ts";
import { readSetting, requireDataDir } from "../settings.ts";

/** The database has no files: printed links to PDFs would lead nowhere. */
const COPY_FILES =
  "files are not in the database: copy media/, templates/ and token of the data folder that the service has had into this one";

export async function moveStore(call: Call): Promise<void> {
  const to = call.input.argument;
  if (to !== "postgres" && to !== "sqlite") {
    throw badUsage(`where the store goes must be postgres or sqlite, got ${to}`);
  }
  const url = readSetting(call, "store")?.text;
  if (url === undefined) {
    throw badUsage("the database must be named with --store, got none");
  }
  const dataDir = requireDataDir(call);
  const move = to === "postgres" ? moveToPostgres : moveToSqlite;
  const done = await move({ dataDir, url, clock: call.context.clock });
  const serve = toCommandLine(["makeready", "serve", "--data", dataDir]);
  const next =
    to === "postgres"
      ? [
          `the old store is ${done.file} now; files stay in ${dataDir}: every machine that serves needs this folder`,
          `serve it: ${serve} --store postgres://…`,
        ]
      : [
          `the store is ${done.file} now; the database is as it was: drop it, so that nobody serves it by mistake`,
          ...(existsSync(path.join(dataDir, "media")) ? [] : [COPY_FILES]),
          `serve it: ${serve}`,
        ];
  call.tell(
    "summary",
    { to, ...done },
    ...done.tables
      .filter(({ rows }) => rows > 0)
      .map(({ table, rows }) => `  ${formatCount(rows).padStart(10)} ${table}`),
    `moved ${formatMany(done.rows, "row")}, counted on both sides`,
    ...next,
  );
}
