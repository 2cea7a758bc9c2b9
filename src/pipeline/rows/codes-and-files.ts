/** Codes are made or changed and their files fetched at the same time, so that downloads never hold up writes. */
import type { Clock } from "../../base/time/clock.ts";
import { isStop, type Problem } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Client } from "../../client/client.ts";
import type { ClassStats } from "../../client/pace.ts";
import { ArtworkQueue } from "../../download/artwork-queue.ts";
import { downloadRows, type DownloadContext } from "../../download/download.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { Emit } from "../events.ts";
import { makeCounts, type RunCounts } from "../standing/counts.ts";

export interface CodesAndFilesNeeds extends Pick<
  DownloadContext,
  "formats" | "folder" | "draw" | "read" | "answersPictures" | "drawnAs" | "markOf"
> {
  readonly state: State;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly on: Emit;
  readonly signal: AbortSignal;
  /** Rows that are to be made or changed. */
  readonly total: number;
  /** Those of them that are finished, well or not. */
  readonly seen: (counts: RunCounts, lostFiles: number) => number;
  /** Writes a minute, to be shown. */
  readonly toRate?: (stats: ClassStats) => number;
  /** A failure with its message, and the name of its row in the progress line. */
  readonly describe: (row: StateRow, message: string) => { problem: Problem; name: string };
}

/** The queue of files, the counts, and one progress for codes and files. */
export class CodesAndFiles {
  readonly #needs: CodesAndFilesNeeds;
  readonly #queue = new ArtworkQueue();
  readonly counts: RunCounts = makeCounts();
  #lastFailure: string | undefined;
  #toFetch = 0;
  /** The end of the codes was shown: from then on it is the files' turn. */
  #areCodesShown = false;
  /** Files that could not be fetched. */
  #lostFiles = 0;

  constructor(needs: CodesAndFilesNeeds) {
    this.#needs = needs;
  }

  /** Fetches the files of a row as soon as there is room. */
  fetch(key: string): void {
    this.#toFetch += 1;
    this.#queue.push(key);
  }

  failed(row: StateRow, message: string): void {
    const { log, on, describe } = this.#needs;
    const { problem, name } = describe(row, message);
    this.counts.failures.set(row.key, problem);
    this.#lastFailure = `${name}: ${message}`;
    log.error({ row: row.key, line: row.line, message }, "row failed");
    on({ type: "row-failed", problem });
    this.show();
  }

  /** Does the work while files are fetched, and waits for both. */
  async run(work: () => Promise<void>): Promise<RunCounts> {
    const { state, client, clock, signal, formats, folder, on } = this.#needs;
    const { draw, read, answersPictures, drawnAs, markOf } = this.#needs;
    const events = {
      fetched: () => {
        this.counts.fetched += 1;
        this.show();
      },
      failed: (row: StateRow, message: string) => {
        this.#lostFiles += 1;
        this.failed(row, message);
      },
    };
    const downloads = downloadRows(
      {
        state,
        client,
        clock,
        signal,
        formats,
        folder,
        draw,
        read,
        answersPictures,
        drawnAs,
        markOf,
        events,
      },
      this.#queue,
    );
    // Its error is thrown below; until then it must not count as unhandled.
    downloads.catch(() => undefined);
    try {
      await work();
      this.#queue.close();
      await downloads;
    } catch (error) {
      this.#queue.close(true);
      await downloads.catch(() => undefined);
      // Stopped while a request waited: what was done until then counts.
      if (!isStop(error, signal)) throw error;
    }
    on({ type: "stage-end" });
    return this.counts;
  }

  show(): void {
    const { on, client, total, seen, toRate } = this.#needs;
    const { failures, fetched } = this.counts;
    const lastFailure = this.#lastFailure;
    const done = Math.min(total, seen(this.counts, this.#lostFiles));
    const isLast = done === total && total > 0 && !this.#areCodesShown;
    if (done < total || this.#toFetch === 0 || isLast) {
      if (isLast) this.#areCodesShown = true;
      const { write } = client.stats();
      const writesPerMinute = toRate?.(write) ?? write.perMinute;
      const pace = { writesPerMinute, writeLimit: write.allowedPerWindow };
      const progress = { stage: "codes", done, total, failed: failures.size, lastFailure, ...pace };
      on({ type: "progress", progress });
      if (!isLast || this.#toFetch === 0) return;
    }
    const lost = this.#lostFiles;
    const noPace = { writesPerMinute: undefined, writeLimit: undefined };
    const shared = { failed: lost, lastFailure, ...noPace };
    const progress = { stage: "files", done: fetched + lost, total: this.#toFetch, ...shared };
    on({ type: "progress", progress });
  }
}
