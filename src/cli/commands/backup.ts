/** A copy of the data folder, and back. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { toCommandLine } from "../../base/shell-words.ts";
import { formatBytes, formatCount, formatMany } from "../../base/words.ts";
import { writeBackup } from "../../service/backup/backup.ts";
import { restoreBackup, type RestoreDone } from "../../service/backup/restore.ts";
import { readFlag, type CliContext, type Input } from "../context.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { requireSqliteDir } from "../settings.ts";

const DUMP =
  "back the database up with pg_dump or the tools of its host, and copy media/, templates/ and token of the data folder (docs/scale.md)";
const RESTORE =
  "restore into a data folder without --store and MAKEREADY_STORE, then: makeready move-store postgres";

/** What people ask for first; the other tables stand in `--json`. */
const COUNTED = [
  ["codes", "code"],
  ["folders", "folder"],
  ["products", "product"],
  ["pages", "page"],
  ["forms", "form"],
  ["form_responses", "answer"],
  ["tokens", "token"],
] as const;

function describeCounts(counts: Readonly<Record<string, number>>): string {
  const told = COUNTED.flatMap(([table, word]) => {
    const rows = counts[table] ?? 0;
    return rows === 0 ? [] : [formatMany(rows, word)];
  });
  return told.join(", ") || "no codes yet";
}

const toWord = (text: string): string => toCommandLine([text]);

const describeLost = (lost: readonly string[]): string =>
  lost.map((name) => `  lost before this backup: media/${name}\n`).join("");

function requireFolder({ cwd }: CliContext, { argument }: Input, what: string): string {
  if (argument !== undefined) return path.resolve(cwd, argument);
  throw new AppError("bad-usage", `${what} must be named, got none`);
}

export async function backup(context: CliContext, input: Input): Promise<number> {
  const { clock, writer, signal } = context;
  const to = requireFolder(context, input, "the folder of the backup");
  const from = requireSqliteDir(context, input, DUMP);
  const done = await writeBackup({ from, to, clock, writer, signal });
  const { files, bytes, counts, reused, lost } = done;
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", to, ...done })}\n`);
    return 0;
  }
  const old = reused === 0 ? "" : `, ${formatCount(reused)} of them shared with the backup before`;
  context.out(
    `${to}: ${formatMany(files, "file")}, ${formatBytes(bytes)}${old}\n  ${describeCounts(counts)}\n${describeLost(lost)}prove it at any time: makeready restore ${toWord(to)} --check\n`,
  );
  return 0;
}

function describeRestored(done: RestoreDone, from: string, to: string | undefined): string {
  const { createdAt, files, bytes, counts, faults, lost } = done;
  const facts = `of ${createdAt}: ${formatMany(files, "file")}, ${formatBytes(bytes)}\n  ${describeCounts(counts)}\n${describeLost(lost)}`;
  if (faults.length > 0) {
    const list = faults.map((fault) => `  ${fault}\n`).join("");
    return `${from} is damaged${to === undefined ? "" : "; nothing was restored"}:\n${list}take an older backup; the files that are not named here are whole\n`;
  }
  if (to === undefined) return `${from} is whole, ${facts}`;
  return `${to} is restored and proven, ${facts}serve it: makeready serve --data ${toWord(to)}\n`;
}

export async function restore(context: CliContext, input: Input): Promise<number> {
  const from = requireFolder(context, input, "the backup");
  const to = readFlag(input, "check") ? undefined : requireSqliteDir(context, input, RESTORE);
  const done = await restoreBackup({ from, to, signal: context.signal });
  const isWhole = done.faults.length === 0;
  context.out(
    readFlag(input, "json")
      ? `${JSON.stringify({ type: "summary", isWhole, to: to ?? null, ...done })}\n`
      : describeRestored(done, from, to),
  );
  return isWhole ? 0 : EXIT_ROWS_FAILED;
}
