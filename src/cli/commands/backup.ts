/** A copy of the data folder, and back. */
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import { formatBytes, formatCount, formatMany } from "../../base/text/words.ts";
import { writeBackup } from "../../service/backup/backup.ts";
import type { ThingCounts } from "../../service/backup/contents.ts";
import { restoreBackup, type RestoreDone } from "../../service/backup/restore.ts";
import type { Call } from "../call.ts";
import { requireSqliteDir } from "../sqlite-folder.ts";

const DUMP =
  "back the database up with pg_dump or the tools of its host, and copy media/, templates/ and token of the data folder (docs/scale.md)";
const RESTORE =
  "restore into a new data folder (--data), without --store and MAKEREADY_STORE, then: makeready move-store postgres";

/** In the words of `move`. */
function describeCounts(counts: ThingCounts): string {
  const told = Object.entries(counts).filter(([, n]) => n > 0);
  return told.map(([what, n]) => `${what}: ${formatCount(n)}`).join(", ") || "no codes yet";
}

const toWord = (text: string): string => toCommandLine([text]);

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
    `prove it at any time: makeready restore ${toWord(to)} --check`,
  );
}

function listRestored(done: RestoreDone, from: string, to: string | undefined): string[] {
  const { createdAt, files, bytes, counts, faults, lost } = done;
  if (faults.length > 0) {
    return [
      `${from} is damaged${to === undefined ? "" : "; nothing was restored"}:`,
      ...faults.map((fault) => `  ${fault}`),
      "take an older backup; the files that are not named here are whole",
    ];
  }
  const what = to === undefined ? `${from} is whole` : `${to} is restored and proven`;
  return linesOf(
    `${what}, of ${createdAt}: ${formatMany(files, "file")}, ${formatBytes(bytes)}`,
    `  ${describeCounts(counts)}`,
    ...listLost(lost),
    to !== undefined &&
      "codes that jobs made after this backup are not in it: plan and verify name such jobs",
    to !== undefined && `serve it: makeready serve --data ${toWord(to)}`,
  );
}

export async function restore(call: Call): Promise<number> {
  const from = call.resolve(call.require("the backup"));
  const to = call.has("check") ? undefined : requireSqliteDir(call, RESTORE);
  const done = await restoreBackup({ from, to, signal: call.context.signal });
  const isWhole = done.faults.length === 0;
  call.tell("summary", { isWhole, to: to ?? null, ...done }, ...listRestored(done, from, to));
  return isWhole ? 0 : EXIT_ROWS_FAILED;
}
