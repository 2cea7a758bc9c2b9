/** Codes that exist are changed and files fetched. */
import { closing } from "../../base/flow/closing.ts";
import type { Client } from "../../client/client.ts";
import { hasArtwork, type ArtworkFormat, type DownloadContext } from "../../download/download.ts";
import type { ChangeEvents } from "../../run/redesign.ts";
import { openChangeLog, type ChangeLog } from "../../state/change-log.ts";
import { CodesAndFiles } from "../rows/codes-and-files.ts";
import type { RunCounts } from "../standing/counts.ts";
import type { SelectParts } from "./open-select.ts";

export interface ChangeStage {
  readonly parts: SelectParts;
  readonly client: Client;
  readonly formats: readonly ArtworkFormat[];
  readonly markOf?: DownloadContext["markOf"];
  /** Rows whose files are wanted before anything is changed: SQL over the columns of `rows`. */
  readonly settled: string;
  /** Rows that are to be changed, for the progress. */
  readonly toChange: number;
}

/** Runs `change` and fetches the files of every row that has none of today. */
export function changeAndFetch(
  { parts, client, formats, markOf, settled, toChange }: ChangeStage,
  change: (events: ChangeEvents) => Promise<void>,
): Promise<RunCounts> {
  const { state, folders, log } = parts;
  let seen = 0;
  const work = new CodesAndFiles({
    ...parts.ports,
    state,
    client,
    log,
    formats,
    markOf,
    folder: folders.output,
    total: toChange,
    seen: () => seen,
    describe: ({ key, wanted }, message) => {
      const name = wanted.displayName === "" ? key : wanted.displayName;
      return { problem: { message: `${name} (${key}): ${message}` }, name };
    },
  });
  for (const row of state.rows(settled)) {
    if (!hasArtwork(row, folders.output, formats)) work.fetch(row.key);
  }
  const unchanged: ChangeEvents["unchanged"] = (row) => {
    seen += 1;
    work.fetch(row.key);
    work.show();
  };
  return work.run(() =>
    change({
      changed: (row) => {
        work.counts.changed += 1;
        log.info({ row: row.key }, "code changed");
        unchanged(row);
      },
      unchanged,
      failed: (row, message) => {
        seen += 1;
        work.failed(row, message);
      },
    }),
  );
}

/** Keeps what `work` replaces, where the job wants that; closes the run once all rows are done. */
export async function keepingChanges<T>(
  { ports, folders }: SelectParts,
  { keeps, limit }: { keeps: boolean; limit: number | null | undefined },
  work: (changes: ChangeLog | undefined) => Promise<T>,
): Promise<T> {
  return closing(keeps ? openChangeLog(folders.state) : undefined, async (changes) => {
    const result = await work(changes);
    if (!ports.signal.aborted && (limit ?? null) === null) changes?.finish();
    return result;
  });
}
