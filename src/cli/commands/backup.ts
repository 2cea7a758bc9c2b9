/** A copy of the data folder, and back. */
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import { formatBytes, formatCount, formatMany } from "../../base/words.ts";
import { toOwnCommand } from "../../pipeline/next-command.ts";
import { writeBackup } from "../../service/backup/backup.ts";
import { restoreBackup, type RestoreDone } from "../../service/backup/restore.ts";
import type { Call } from "../call.ts";
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

const listLost = (lost: readonly string[]): string[] =>
  lost.map((name) => `  lost before this backup: media/${name}`);

export async function backup(call: Call): Promise<void> {
  const { clock, writer, signal } = call.context;
  const to = call.resolve(call.require("the folder of the backup"));
  const from = requireSqliteDir(call, DUMP);
  const done = await writeBackup({ from, to, clock, writer, signal });
  const { files, bytes, counts, reused, lost } = done;
  const old = reused === 0 ? "" : `, ${formatCount(reused)} of them shared with the backup before`;
  call.tell(
    "summary",
    { to, ...done },
    `${to}: ${formatMany(files, "file")}, ${formatBytes(bytes)}${old}`,
    `  ${describeCounts(counts)}`,
    ...listLost(lost),
    `prove it at any time: ${toOwnCommand(call.context, "restore", to, "--check")}`,
  );
}

function listRestored(
  call: Call,
  done: RestoreDone,
  { from, to }: { readonly from: string; readonly to: string | undefined },
): string[] {
  const { createdAt, files, bytes, counts, faults, lost } = done;
  if (faults.length > 0) {
    return [
      `${from} is damaged${to === undefined ? "" : "; nothing was restored"}:`,
      ...faults.map((fault) => `  ${fault}`),
      "take an older backup; the files that are not named here are whole",
    ];
  }
  const what = to === undefined ? `${from} is whole` : `${to} is restored and proven`;
  return [
    `${what}, of ${createdAt}: ${formatMany(files, "file")}, ${formatBytes(bytes)}`,
    `  ${describeCounts(counts)}`,
    ...listLost(lost),
    ...(to === undefined ? [] : [`serve it: ${toOwnCommand(call.context, "serve", "--data", to)}`]),
  ];
}

export async function restore(call: Call): Promise<number> {
  const from = call.resolve(call.require("the backup"));
  const to = call.has("check") ? undefined : requireSqliteDir(call, RESTORE);
  const done = await restoreBackup({ from, to, signal: call.context.signal });
  const isWhole = done.faults.length === 0;
  call.tell(
    "summary",
    { isWhole, to: to ?? null, ...done },
    ...listRestored(call, done, { from, to }),
  );
  return isWhole ? 0 : EXIT_ROWS_FAILED;
}
