/** The whole store of a service from SQLite into PostgreSQL, and back. */
import { AppError } from "../../base/errors.ts";
import { formatCount, formatMany } from "../../base/words.ts";
import { moveToPostgres, moveToSqlite } from "../../service/move/move-store.ts";
import { readFlag, type CliContext, type Input } from "../context.ts";
import { readSetting, requireDataDir } from "../settings.ts";

export async function moveStore(context: CliContext, input: Input): Promise<number> {
  const to = input.argument;
  if (to !== "postgres" && to !== "sqlite") {
    throw new AppError("bad-usage", `where the store goes must be postgres or sqlite, got ${to}`);
  }
  const url = readSetting(context, input, "store")?.text;
  if (url === undefined) {
    throw new AppError("bad-usage", "the database must be named with --store, got none");
  }
  const dataDir = requireDataDir(context, input);
  const move = to === "postgres" ? moveToPostgres : moveToSqlite;
  const done = await move({ dataDir, url, clock: context.clock });
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", to, ...done })}\n`);
    return 0;
  }
  const lines = done.tables
    .filter(({ rows }) => rows > 0)
    .map(({ table, rows }) => `  ${formatCount(rows).padStart(10)} ${table}`);
  const next =
    to === "postgres"
      ? `the old store is ${done.file} now; files stay in ${dataDir}: every machine that serves needs this folder\nserve it: makeready serve --data ${dataDir} --store postgres://…`
      : `the store is ${done.file} now; the database is as it was: drop it, so that nobody serves it by mistake\nserve it: makeready serve --data ${dataDir}`;
  context.out(
    `${lines.join("\n")}\nmoved ${formatMany(done.rows, "row")}, counted on both sides\n${next}\n`,
  );
  return 0;
}
